// An output that nobody turns back: its pairs as dials, and how far it is off along the places.

import { asked } from "../../page/asked.js";
import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, seen, through } from "../../page/parts.js";
import { arrow, clamp, mix, pie, wrapped } from "../../page/shapes.js";
import data from "./data.js";
import { LAST, SPEEDS, along, off, placeAt } from "./values.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const UP = Math.PI / 2; // of every right hand: what is off is seen beside it
const [MOST, HALF] = [0.6, 0.5]; // of the ruler's scale
const WANTED = 0.25; // of the task
const TICKS = [0, 1, 10, 100, 1000, 10000, 100000, LAST];
const FEW = [0, 10, 1000, 100000];

/** What is kept of a word: numbers that stay, and those that turn. @param {State} s @param {Room} room @param {Stage} stage */
export function bar(s, { bar: { x, y, w, h }, isPhone }, { say }) {
  const { numbers, turned } = data.shared;
  const still = (w * (numbers - turned)) / numbers;
  const line = y - (isPhone ? 6 : 9);
  return svg`
    ${mark(
      "bar",
      s.pairs,
      svg`<rect rx="3" fill="var(--line)" x=${x} y=${y} width=${still} height=${h} />
        <text class="t14 soft" x=${x} y=${line}>${say(isPhone ? "still_short" : "still")}</text>`,
    )}
    ${mark(
      "bar k",
      s.pairs,
      svg`<rect rx="3" fill="var(--k)" x=${x + still} y=${y} width=${w - still} height=${h} />
        <text class="t14 k end" x=${x + w} y=${line}>${say("shared_turned")}</text>`,
    )}`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function pairs(s, room, { say }) {
  const { grid, right, isPhone, bar: above } = room;
  const [head, width] = isPhone ? [5, 1.6] : [9, 2.4];
  const hands = SPEEDS.map((speed, i) => {
    const [row, column] = [Math.floor(i / grid.columns), i % grid.columns];
    // The one dial of before becomes all of them.
    const r = mix(right.r, grid.size / 2 - (isPhone ? 1.5 : 4), s.pairs);
    const x = mix(right.x, grid.x + (column + 0.5) * grid.size, s.pairs);
    const y = mix(right.y, grid.y + (row + 0.5) * grid.size, s.pairs);
    return { place: moved(x, y), r, angle: UP, by: wrapped(s.place * speed) };
  });
  const circle = (/** @type {number} */ r) => ({ x: 0, y: 0, r: r - 1 });
  const good = ({ place = "", r = 0, angle = 0 }) =>
    svg`<g transform=${place}><circle class="line" stroke-width="1.2" r=${r} />
      <path stroke="var(--ink)" fill="var(--ink)" stroke-width=${width} d=${arrow(circle(r), angle, head)} /></g>`;
  const wrong = ({ place = "", r = 0, angle = 0, by = 0 }) =>
    Math.abs(by) > 0.02
      ? svg`<g transform=${place}>
          <path fill="var(--new)" opacity="0.22" d=${pie(circle(r), r * 0.8, Math.min(angle, angle + by), Math.abs(by))} />
          <path stroke="var(--new)" fill="var(--new)" stroke-width=${width} d=${arrow(circle(r), angle + by, head)} /></g>`
      : "";
  const line = above.y + above.h + (isPhone ? 16 : 22);
  return svg`
    ${mark(
      "dials",
      clamp(6 * s.pairs, 0, 1),
      svg`${hands.map(good)}
        ${seen(isPhone ? 0 : s.pairs, svg`<text class="t14 soft middle" opacity=${s.pairs} x=${above.x + above.w / 2} y=${line}>${say("speeds")}</text>`)}`,
    )}
    ${mark(
      "new dials",
      s.pairs * s.forgot,
      svg`${hands.map(wrong)}
        <text class="t14 bold" x=${above.x} y=${line}>${say("hand_right")}</text>
        <text class="t14 bold new end" x=${above.x + above.w} y=${line}>${say("hand_wrong")}</text>`,
    )}`;
}

/** How far the output is off along the places, with the place that is held. @param {State} s @param {Room} room @param {Stage} stage */
export function ruler(s, { ruler: { x, y, w, h }, isPhone }, { say, number, set, handle }) {
  const foot = y + h;
  const at = (/** @type {number} */ place) => x + w * along(place);
  const high = (/** @type {number} */ part) => foot - (h * part) / MOST;
  const presence = s.pairs * s.forgot;
  const to = (/** @type {number} */ place) => set({ place: clamp(place, 0, LAST) });
  const text = say("at_place");
  const hold = handle({
    label: say("place_label"),
    now: Math.round(s.place),
    min: 0,
    max: LAST,
    text,
    isMute: presence < 0.5,
    keys: (by) => {
      const one = s.place + by;
      to(Math.max(s.place, one) <= 10 ? one : Math.round(s.place * 1.15 ** by));
    },
    move: ([px]) => to(placeAt((px - x) / w)),
  });
  const count = Math.max(2, Math.round(w / 2));
  const curve = Array.from({ length: count + 1 }, (_, i) => {
    const place = 10 ** ((i / count) * Math.log10(1 + LAST)) - 1;
    return /** @type {[number, number]} */ ([x + (w * i) / count, high(off(place))]);
  });
  const [cx, cy] = [at(s.place), high(off(s.place))];
  return svg`
    ${mark(
      "off",
      s.pairs,
      svg`<path class="line" stroke-width="1.3" d=${`M${x},${foot}h${w}M${x},${high(HALF)}h${w}`} />
        ${TICKS.filter((tick) => !isPhone || FEW.includes(tick)).map((tick) => svg`<text class="t12 soft middle" x=${at(tick)} y=${foot + (isPhone ? 17 : 21)}>${number(tick)}</text>`)}
        <path stroke="var(--soft)" stroke-width="1.5" stroke-dasharray="4 4" d=${`M${x},${high(WANTED)}h${w}`} />
        ${[0, WANTED, HALF].map((part) => svg`<text class="t12 soft end" x=${x - (isPhone ? 8 : 16)} y=${high(part) + 4}>${number(100 * part)}%</text>`)}
        <text class="t12 soft middle" x=${x + w / 2} y=${foot + (isPhone ? 30 : 36)}>${say("place_of")}</text>
        <text class="t14 soft" x=${x} y=${y - (isPhone ? 2 : 6)}>${say(w < 720 ? "off_by_short" : "off_by")}</text>`,
    )}
    ${asked([[x, high(WANTED / 2)]], s.pairs * s.guessing)}
    ${mark(
      "off new",
      presence,
      svg`<path fill="none" stroke="var(--new)" stroke-width="2" d=${through(curve)} />
        <text class="t14 new middle" x=${at(isPhone ? 30000 : 10000)} y=${high(WANTED / 2) + 4}>${say(isPhone ? "teeth_short" : "teeth")}</text>`,
    )}
    ${mark(
      "place",
      presence,
      svg`<g ${hold}>
          <rect fill="transparent" x=${x - 14} y=${y - 4} width=${w + 28} height=${h + 26} />
          <g transform=${moved(cx, cy)}>${grip({ r: isPhone ? 8 : 9 })}</g></g>
        <text class="halo bold end" pointer-events="none" x=${x + w} y=${y - (isPhone ? 2 : 6)}>${text}</text>`,
    )}`;
}
