// The last words in a row: what each loses hangs below it, what it gets stands above.

import { slope } from "../../page/formulas/penalties.js";
import { svg } from "../../page/lit/lit.js";
import { at as place, grip, mark } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { attention, columnX, queryOf } from "./scene.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./scene" */

const HEADS = 8;
const NAMED = { desk: [1, 2, 3, 4, 5, 8], phone: [1, 2, 3, 4] }; // heads whose lines end apart
const ALIKE = 0.005; // shares so small that neighbours differ in a third digit only
const SHARE = 24; // pixels above a bar, where its share is written

/** Of a straight line: as many as its slope has, so that its steps add up. @param {number} m */
const exact = (m) => clamp(Math.round(-Math.log2(m)), 2, 4);
/** @param {(value: number, digits?: number) => string} number @param {number} m */
export const short = (number, m) => number(m, exact(m));
/** @param {State} s */
export const fraction = (s) => `1/${2 ** Math.round(s.head)}`;

/** Where its columns stand and how tall they are. @param {State} s @param {Room} room */
function columns(s, room) {
  const { strip } = room;
  const { share } = attention(s);
  const own = share(0);
  return {
    share,
    far: strip.count - 1,
    wide: Math.min(46, strip.column * 0.62),
    words: Array.from({ length: strip.count }, (_, d) => d),
    middle: (/** @type {number} */ d) => columnX(room, s, queryOf(s) - d) + strip.column / 2,
    tall: (/** @type {number} */ d) => (share(d) / own) * strip.tall,
  };
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {(share: number, more?: number) => string} percent */
export function strip(s, room, stage, percent) {
  const presence = s.strip * (1 - s.page);
  if (presence < 0.02) return "";
  return svg`
    ${mark("fan", presence * s.fan, fan(s, room))}
    ${mark("fall", presence, fall(s, room, stage))}
    ${mark("bars light", presence * s.rise, rise(s, room, stage, percent))}
    ${mark("pair bars", presence * s.rise, pair(s, room, stage))}`;
}

/** Lines of all heads. @param {State} s @param {Room} room */
function fan(s, room) {
  const { middle, far, wide } = columns(s, room);
  const { top, deep } = room.strip;
  const end = (/** @type {number} */ head) => top + (far * deep) / 2 ** head;
  const heads = Array.from({ length: HEADS }, (_, i) => i + 1);
  const named = NAMED[room.isPhone ? "phone" : "desk"].filter(
    (head) => Math.abs(s.head - head) >= 0.35,
  );
  return svg`
    ${heads.map((head) => svg`<line class="line" x1=${middle(0)} y1=${top} x2=${middle(far)} y2=${end(head)} />`)}
    ${named.map((head) => svg`<text class="t12 soft end" x=${middle(far) - wide / 2 - 6} y=${end(head) + 4}>1/${2 ** head}</text>`)}`;
}

/** What each word loses. @param {State} s @param {Room} room @param {Stage} stage */
function fall(s, room, { say, number, set, move, step, handle }) {
  const { strip, isPhone, width, height } = room;
  const { words, middle, far, wide } = columns(s, room);
  const m = slope(s.head);
  const isFree = step() === "line";
  const isWhole = Math.abs(s.head - Math.round(s.head)) < 0.02;
  const [x, y] = [middle(far), strip.top + m * far * strip.deep];
  const right = width - (isPhone ? 14 : 40);
  const hold = handle({
    label: say("line_label"),
    now: s.head,
    min: 1,
    max: HEADS,
    text: say("slope_at"),
    keys: (by) => set({ head: clamp(Math.round(s.head) + by, 1, HEADS) }),
    move: ([, to]) => {
      const lost = (to - strip.top) / strip.deep;
      set({ head: clamp(-Math.log2(Math.max(lost, 1e-9) / far), 1, HEADS) });
    },
    end: () => move({ head: Math.round(s.head) }, 140),
  });
  return svg`
    ${words.map((d) => svg`<rect fill="var(--line)" x=${middle(d) - wide / 2} y=${strip.top} width=${wide} height=${m * d * strip.deep} />`)}
    ${words.map((d) => {
      const lost = m * d;
      const isHeld = d === far && isFree; // a handle lies on the line's end
      const text = d ? number(-lost, isPhone && lost >= 10 ? 0 : exact(m)) : "0";
      // Beside the line, which falls to the left.
      return svg`<text class=${`t12 soft halo ${isHeld ? "middle" : ""}`} x=${middle(d) + (isHeld ? 0 : 2)} y=${strip.top + lost * strip.deep + (isHeld ? 30 : 18)}>${text}</text>`;
    })}
    <path stroke="var(--ink)" stroke-width="2" d=${`M${middle(0)},${strip.top}L${x},${y}`} />
    ${
      s.rise > 0.98
        ? ""
        : svg`<g opacity=${1 - s.rise}>
          <text class="big end" x=${right} y=${height - (isPhone ? 36 : 62)}>m = ${isWhole ? fraction(s) : number(m, 3)}</text>
          <text class="t14 end" x=${right} y=${height - (isPhone ? 14 : 34)}>${say("each_step")}</text></g>`
    }
    ${isFree ? svg`<g ${hold} transform=${place(x, y)}>${grip()}</g>` : ""}`;
}

/** What each word gets. @param {State} s @param {Room} room @param {Stage} stage @param {(share: number, more?: number) => string} percent */
function rise(s, room, { say, number }, percent) {
  const { strip, isPhone } = room;
  const { words, share, middle, wide, tall } = columns(s, room);
  const together = words.map(share).reduce((a, b) => a + b, 0);
  const more = Number(share(0) < ALIKE);
  const values = { shown: number(strip.count), together: percent(together) };
  return svg`
    ${words.map((d) => svg`<rect fill="var(--attention)" x=${middle(d) - wide / 2} y=${strip.base - tall(d)} width=${wide} height=${tall(d)} />`)}
    ${words.map((d) => svg`<text class="t14 middle" x=${middle(d)} y=${strip.base - tall(d) - 7}>${percent(share(d), more)}</text>`)}
    <text class="t14 soft" x=${strip.left} y=${isPhone ? 14 : 22}>${say(isPhone ? "shares_short" : "shares", values)}</text>`;
}

/** Two neighbours. @param {State} s @param {Room} room @param {Stage} stage */
function pair(s, room, { say, number, set, seen, step, handle }) {
  const { strip, isPhone } = room;
  const { far, middle, wide, tall } = columns(s, room);
  const d = Math.min(s.pair, far - 1);
  const m = slope(s.head);
  const [a, b] = [middle(d + 1), middle(d)];
  const [high, low] = [strip.base - tall(d), strip.base - tall(d + 1)];
  const y = high - (isPhone ? 32 : 40);
  const isApart = low - high > SHARE; // else it would strike through what is written at the lower bar
  const look = (/** @type {number} */ to) => {
    set({ pair: clamp(Math.round(to), 0, far - 1) });
    seen.add(s.pair);
  };
  const hold = handle({
    label: say("pair_label"),
    now: d,
    min: 0,
    max: far - 1,
    text: say("pair_at"),
    isOff: step() !== "softmax",
    keys: (by) => look(s.pair - by),
    start: ([x]) => x - columnX(room, s, queryOf(s) - s.pair),
    move: ([x], off) => look((strip.left + far * strip.column - x + off) / strip.column),
  });
  return svg`
    ${isApart ? svg`<path stroke="var(--ink)" stroke-dasharray="2 4" fill="none" d=${`M${b - wide / 2},${high}H${a}V${low - SHARE}`} />` : ""}
    <g ${hold}>
      <rect fill="transparent" x=${a - 8} y=${y - 32} width=${b - a + 16} height="58" />
      <rect class="ring" rx="9" x=${a - 8} y=${y - 30} width=${b - a + 16} height="44" />
      <path stroke="var(--ink)" stroke-width="2.5" fill="none" stroke-linecap="round" stroke-linejoin="round" d=${`M${b},${y + 9}V${y}H${a}V${y + 11}m-5,-5l5,5l5,-5`} />
      <text class="halo bold middle" x=${(a + b) / 2} y=${y - 9}>× ${number(Math.exp(-m), m > 0.04 ? 2 : 3)}</text></g>`;
}
