// Words that write along keys of their own: what gates alone would leave of them, and what later keys left.

import { nothing, svg } from "../../page/lit/lit.js";
import { at, mark } from "../../page/parts.js";
import { arrow, clamp } from "../../page/shapes.js";
import { influence } from "./gates.js";
import { percent, sentence, token } from "./lights.js";
import { WRITERS } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

export const WORDS = [0, 5, 7]; // tokens of the sentence that write
export const [LOW, HIGH] = [-90, 180]; // degrees of a key
const NEAR = 4; // degrees at which a key snaps to another

/** @param {State} s @param {Room} room @param {Stage} stage */
export function scene(s, room, stage) {
  if (s.keys < 0.02) return "";
  const { say, number, set, handle } = stage;
  const {
    keys: { base, r, y, column },
    pad,
    top,
    isPhone,
  } = room;
  const words = sentence(stage);
  const found = influence(s.angles);
  const x = (/** @type {number} */ n) => pad + (n + 0.5) * column;
  const wide = column * 0.5;
  const high = base - top;
  /** Whether a bar reaches so near to its frame that its number stands within. @param {number} left @param {number} gates */
  const isFull = (left, gates) => gates < 1 && high * (gates - left) < 20;
  const bar = (
    /** @type {ReturnType<typeof influence>[0]} */ { left, gates },
    /** @type {number} */ n,
  ) =>
    svg`<rect fill="var(--attention)" rx="1.5" x=${x(n) - wide / 2} y=${base - high * left} width=${wide} height=${high * left} />
      <text class=${`t14 middle ${isFull(left, gates) ? "" : "halo"}`} style=${isFull(left, gates) ? "fill: var(--paper)" : nothing} x=${x(n)} y=${base - high * left + (isFull(left, gates) ? 15 : -6)}>${percent(left, number)}</text>`;
  const frame = (
    /** @type {ReturnType<typeof influence>[0]} */ { gates },
    /** @type {number} */ n,
  ) => `M${x(n) - wide / 2 - 3},${base}V${base - high * gates}h${wide + 6}V${base}`;
  const turn = (/** @type {number} */ n, /** @type {number} */ to, isFree = true) => {
    const angles = [...s.angles];
    const other = angles.find((one, i) => i !== n && Math.abs(one - to) <= NEAR);
    angles[n] = Math.round(clamp(isFree || other === undefined ? to : other, LOW, HIGH));
    set({ angles });
  };
  const long = r + (isPhone ? 4 : 8); // past the rim: one that lies on the word’s own key is seen
  const line = (/** @type {number} */ degrees) =>
    `M0,0L${long * Math.cos((degrees * Math.PI) / 180)},${-long * Math.sin((degrees * Math.PI) / 180)}`;
  const dial = (/** @type {number} */ degrees, /** @type {number} */ n) => {
    const cx = x(n);
    const slider = handle({
      label: say("key_label", { word: words[WORDS[n]] }),
      now: degrees,
      min: LOW,
      max: HIGH,
      text: say("key_at", { degrees: number(degrees), left: percent(found[n].left, number) }),
      keys: (by) => turn(n, s.angles[n] + 5 * by),
      move: ([px, py]) => {
        const to = (Math.atan2(y - py, px - cx) * 180) / Math.PI;
        turn(n, to < -135 ? HIGH : to, false);
      },
    });
    return svg`<g data-marks=${n === WRITERS - 1 ? "k fell" : "k"}><g ${slider} transform=${at(cx, y)}>
      <circle fill="var(--paper)" stroke="var(--line)" stroke-width="1.5" r=${r} />
      <path stroke="var(--k)" opacity="0.45" d=${s.angles
        .slice(n + 1, -1)
        .map(line)
        .join("")} />
      ${n < WRITERS - 1 ? svg`<path stroke="var(--k)" stroke-width="2" stroke-dasharray="5 3" d=${line(s.angles[WRITERS - 1])} />` : ""}
      <path stroke="var(--k)" fill="var(--k)" stroke-linejoin="round" stroke-width=${isPhone ? 2.5 : 4} d=${arrow({ x: 0, y: 0, r: r - 2 }, (degrees * Math.PI) / 180, isPhone ? 10 : 16)} />
      <circle class="ring" r=${r} /></g></g>`;
  };
  const name = (/** @type {number} */ j, /** @type {number} */ n) =>
    svg`<g data-marks="words">${token(room, words[j], x(n), base + (isPhone ? 17 : 27))}</g>`;
  return svg`<g opacity=${s.keys.toFixed(2)}>
    ${mark("frame", s.keys, svg`<path fill="none" stroke="var(--soft)" stroke-width="1.5" stroke-dasharray="4 3" d=${found.map(frame).join("")} />`)}
    <g data-marks="left">${found.map(bar)}</g>
    <path class="line" d=${`M${pad},${base}H${room.width - pad}`} />
    ${WORDS.map(name)}
    ${s.angles.map(dial)}
    ${mark(
      "k",
      s.keys,
      [say(isPhone ? "fells_short" : "fells"), say(isPhone ? "later_short" : "later")].map(
        (one, i) => svg`<text class="t12 k middle" x=${x(WRITERS)} y=${y + 16 * i}>${one}</text>`,
      ),
    )}</g>`;
}
