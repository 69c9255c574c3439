// A word and a row added, number by number, and tried against a given sum.

import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { MIXED, NAMES, at, mixed, off } from "./model.js";
import { PLACES, WIDTH, after, placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** All gaps together of every word at every place, and the largest of them. */
const GAPS = NAMES.map((_, word) => Array.from({ length: PLACES }, (_, p) => off({ word, p })));
const MOST = Math.max(...GAPS.flat());
const entry = (/** @type {number} */ word, /** @type {number} */ place) => `${word} at ${place}`;
const FOUND = entry(MIXED.word, MIXED.place);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function sums(s, room, stage) {
  const presence = after(s.mix);
  if (presence < 0.02) return "";
  const { sums: c } = room;
  const { given, word, tried } = mixed(s);
  const y = (/** @type {number} */ value) => c.base - value * c.unit;
  const columns = given.map((sum, i) => ({
    x: c.x + c.w * (i + 0.5),
    top: Math.min(y(sum), c.base),
    high: Math.abs(sum * c.unit),
    isOff: Math.abs(sum - tried[i]) > 0.02,
    to: y(sum),
    from: y(word[i]),
    tip: y(tried[i]),
  }));
  const strong = 1 - 0.6 * s.given; // unmixing goes by the sums
  const r = Math.min(6, c.w * 0.2);
  return svg`<g opacity=${presence}>
    ${mark(
      "sum",
      s.given,
      columns.map(
        ({ x, top, high }) =>
          svg`<rect fill="var(--wash)" stroke="var(--soft)" stroke-width="1.5" x=${x - c.w * 0.4} y=${top} width=${c.w * 0.8} height=${high} />`,
      ),
    )}
    ${mark(
      "off",
      s.given,
      columns
        .filter(({ isOff }) => isOff)
        .map(
          ({ x, to, tip }) =>
            svg`<line stroke="var(--new)" stroke-width="5" x1=${x} x2=${x} y1=${to} y2=${tip} />`,
        ),
    )}
    <path stroke="var(--soft)" d=${`M${c.x},${c.base}h${c.w * WIDTH}`} />
    <g data-marks="word">${columns.map(({ x, from }) => svg`<line stroke="var(--content)" stroke-width="3" opacity=${strong} x1=${x - c.w * 0.32} x2=${x + c.w * 0.32} y1=${from} y2=${from} />`)}</g>
    <g data-marks="entries place">${columns.map(({ x, from, tip }) => svg`<line stroke="var(--ink)" stroke-width="2" opacity=${strong} x1=${x} x2=${x} y1=${from} y2=${tip} />`)}</g>
    <g data-marks="entries place dot sum">${columns.map(({ x, tip }) => svg`<circle fill="var(--ink)" cx=${x} cy=${tip} r=${r} />`)}</g>
    ${mark("off", s.given, trail(s, room, stage))}</g>`;
}

/** What is left over of the sums that were tried, place by place; once it is found, of all.
 * @param {State} s @param {Room} room @param {Stage} stage
 */
function trail(s, room, { say, seen }) {
  const { bottom, left, right, foot, isPhone } = room;
  const [chosen, place] = [Math.round(s.word), at(s)];
  if (s.given > 0.99) seen.add(entry(chosen, place));
  const floor = bottom - (isPhone ? 10 : 16);
  const high = floor - foot - (isPhone ? 16 : 24);
  const level = (/** @type {number} */ gap) => floor - (gap / MOST) * high;
  const isFound = seen.has(FOUND);
  const line = (/** @type {number[]} */ gaps, /** @type {number} */ i) => {
    const points = gaps.map((gap, p) =>
      isFound || seen.has(entry(i, p)) ? `M${placeX(room, p) - 2},${level(gap)}h4` : "",
    );
    return svg`<path stroke="var(--new)" stroke-width=${i === chosen ? 4 : 2} opacity=${i === chosen ? 1 : 0.35} d=${points.join("")} />`;
  };
  return svg`
    <path class="line" d=${`M${left},${floor}H${right}`} />
    ${GAPS.map(line)}
    <circle r="5" fill="var(--new)" cx=${placeX(room, place)} cy=${level(GAPS[chosen][place])} />
    <text class="t14" x=${left} y=${foot + (isPhone ? 10 : 14)}>${say(isPhone ? "left_over_short" : "left_over")}</text>`;
}
