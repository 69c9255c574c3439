// What a line does: new angles, neighbours, and a score.

import { FACTOR, nearness, newOnes, score, slowed } from "./scalings.js";
import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** By how much each pair is slowed. @param {State} s @returns {number[]} */
export const slows = (s) => s.u.map(slowed);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function tests(s, room, { say, number }) {
  const { isPhone } = room;
  const { x, y, w } = room.tests;
  const third = w / 3;
  const isTight = isPhone || third < 240;
  const all = slows(s);
  const count = newOnes(all, s.length);
  const near = nearness(all);
  const total = score(all, s.length);
  const least = 1 / FACTOR;
  const stays = clamp(1 - 2 * s.crowd, 0, 1);
  /** @param {"new" | "near" | "score"} name @param {string} value @param {number} part Of the bar. @param {number} slot @param {number} presence */
  const test = (name, value, part, slot, presence) => {
    // Beside the large dial that is an example of it, or in a row above the beads.
    const { r, y: dialY, two } = room.dials;
    const cell = two[name === "near" ? 0 : 1];
    const left = mix(x + slot * third, cell.x + 2 * r + (isPhone ? 10 : 18), s.two);
    const base = mix(
      y + (isPhone ? 20 : isTight ? 28 : 30),
      dialY + (isPhone ? -8 : -r / 3),
      s.two,
    );
    const beside = isTight ? 0 : mix([62, 126, 84][slot], 0, s.two);
    const about = name === "near" && s.two > 0.5 ? "all" : name; // beside one dial it is said to be of all
    const says = isTight ? [`test_${about}_short`] : [`test_${about}_0`, `test_${about}_1`];
    const words = (/** @type {string} */ one, /** @type {number} */ k) =>
      svg`<text class="t14" x=${left + beside} y=${base + (isPhone ? 15 : isTight ? 23 : mix(-17, 24, s.two) + k * 18)}>${say(one)}</text>`;
    const under = base + (isPhone ? 20 : isTight ? 26 : 14);
    const wide = third - (isPhone ? 10 : 34);
    const css = name === "score" || (name === "new" && !count) ? "" : name;
    // A bar is a part of the score.
    return mark(
      name,
      presence * stays,
      svg`<text class=${`big ${css}`} x=${left} y=${base}>${value}</text>
        ${says.map(words)}
        ${s.score < 0.02 ? "" : svg`<g opacity=${s.score}><rect height="4" rx="2" fill="var(--line)" x=${left} y=${under} width=${wide} /><rect height="4" rx="2" fill="var(--ink)" x=${left} y=${under} width=${wide * part} /></g>`}`,
    );
  };
  return svg`
    ${test("new", number(count), 1 - count / 12, 0, 1 - Math.max(s.table, s.clock))}
    ${test("near", `${number(100 * near)}%`, clamp((near - least) / (1 - least), 0, 1), 1, s.tests)}
    ${test("score", number(total), total / 100, 2, s.score)}`;
}
