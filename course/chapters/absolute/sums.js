// A word and the row of its place, added number by number; then such sums tried against one that is given.

import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { mix } from "../../page/shapes.js";
import { MIXED, NAMES, WORDS, at, mixed, off, row } from "./model.js";
import { PLACES, WIDTH, after, placeX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** All gaps together of every word at every place, and the largest of them. */
const GAPS = NAMES.map((_, word) => Array.from({ length: PLACES }, (_, p) => off({ word, p })));
const MOST = Math.max(...GAPS.flat());
const entry = (/** @type {number} */ word, /** @type {number} */ place) => `${word} at ${place}`;
const FOUND = entry(MIXED.word, MIXED.place);
const ALIKE = 0.02; // numbers that are closer fit
const [LOW, HIGH] = [Math.min(...WORDS.flat()), Math.max(...WORDS.flat())];
/** Above and below 0, what a word, a row and a sum may reach. */
const REACH = [
  [HIGH, LOW],
  [1, -1],
  [HIGH + 1, LOW - 1],
];
const TALL = REACH.map(([high, low]) => high - low);
const WHOLE = TALL.reduce((a, b) => a + b);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function sums(s, room, stage) {
  const presence = after(s.mix);
  if (presence < 0.02) return "";
  const { say } = stage;
  const { sums: c, top, foot, bottom, isPhone } = room;
  const { given, word, tried } = mixed(s);
  const name = isPhone ? 16 : 26; // over each lane
  const floor = bottom - (isPhone ? 10 : 20);
  const unit = (floor - top - 3 * name) / WHOLE;
  const zeros = REACH.map(([high], i) => {
    const above = TALL.slice(0, i).reduce((a, b) => a + b, 0);
    return top + name * (i + 1) + (above + high) * unit;
  });
  // Once a sum is given, the sums have all the room.
  const most = (foot - top - name) / TALL[2];
  const own = mix(unit, most, s.given);
  const base = mix(zeros[2], top + name + REACH[2][0] * most, s.given);
  const x = (/** @type {number} */ i) => c.x + c.w * (i + 0.5);
  /** @param {number} i @param {number} from @param {number} to @param {number} half @param {string} fill */
  const bar = (i, from, to, half, fill) =>
    svg`<rect fill=${fill} x=${x(i) - c.w * half} width=${c.w * 2 * half} y=${Math.min(from, to)} height=${Math.abs(to - from)} />`;
  /** @param {number[]} values @param {number} zero @param {number} each @param {string} fill */
  const bars = (values, zero, each, fill) => svg`
    <path stroke="var(--soft)" d=${`M${c.x},${zero}h${c.w * WIDTH}`} />
    ${values.map((value, i) => bar(i, zero, zero - value * each, 0.3, fill))}`;
  /** @param {string} text @param {number} i @param {number} zero @param {number} each @param {string} css */
  const title = (text, i, zero, each, css) =>
    svg`<text class=${`bold ${isPhone ? "t12" : "t14"} ${css}`} x=${c.x} y=${zero - REACH[i][0] * each - (isPhone ? 4 : 8)}>${text}</text>`;
  const y = (/** @type {number} */ value) => base - value * own;
  const [chosen, place] = [NAMES[Math.round(s.word)], at(s)];
  const sumName = `${chosen} + ${say("row_of", { p: place })}`;
  const fits = given.filter((sum, i) => Math.abs(sum - tried[i]) <= ALIKE).length;
  return svg`<g opacity=${presence}>
    ${mark(
      "word",
      1 - s.given,
      svg`${title(chosen, 0, zeros[0], unit, "content")}${bars(word, zeros[0], unit, "var(--content)")}`,
    )}
    ${mark(
      "entries place",
      1 - s.given,
      svg`${title(`+ ${say("row_of", { p: place })}`, 1, zeros[1], unit, "")}${bars(row(s.p), zeros[1], unit, "var(--ink)")}`,
    )}
    ${mark(
      s.given > 0.5 ? "dot place entries" : "dot place", // the row is in the sums
      1,
      svg`${title(s.given > 0.5 ? sumName : `= ${say("sum")}`, 2, base, own, "")}${bars(tried, base, own, "var(--soft)")}`,
    )}
    ${mark(
      "off",
      s.given,
      given.map((sum, i) =>
        Math.abs(sum - tried[i]) > ALIKE ? bar(i, y(sum), y(tried[i]), 0.3, "var(--new)") : "",
      ),
    )}
    ${mark(
      "sum",
      s.given,
      svg`${given.map((sum, i) => svg`<rect class="frame" x=${x(i) - c.w * 0.38} width=${c.w * 0.76} y=${Math.min(base, y(sum))} height=${Math.abs(sum * own)} />`)}
        <text class=${`bold end ${isPhone ? "t12" : "t14"}`} x=${c.x + c.w * WIDTH} y=${base - REACH[2][0] * own - (isPhone ? 4 : 8)}>${say(isPhone ? "fit_short" : "fit", { count: fits, width: WIDTH })}</text>`,
    )}
    ${mark("off", s.given, trail(s, room, stage))}</g>`;
}

/** What is left over of the sums that were tried with the chosen word, place by place; once it is found, of all.
 * @param {State} s @param {Room} room @param {Stage} stage
 */
function trail(s, room, { say, number, seen }) {
  const { bottom, left, right, foot, isPhone } = room;
  const [chosen, place] = [Math.round(s.word), at(s)];
  if (s.given > 0.99) seen.add(entry(chosen, place));
  const floor = bottom - (isPhone ? 10 : 16);
  const high = floor - foot - (isPhone ? 22 : 34);
  const level = (/** @type {number} */ gap) => floor - (gap / MOST) * high;
  const isFound = seen.has(FOUND);
  const line = (/** @type {number[]} */ gaps, /** @type {number} */ i) => {
    const points = gaps.map((gap, p) =>
      isFound || (i === chosen && seen.has(entry(i, p)))
        ? `M${placeX(room, p) - 2},${level(gap)}h4`
        : "",
    );
    return svg`<path stroke="var(--new)" stroke-width=${i === chosen ? 4 : 2} opacity=${i === chosen ? 1 : 0.35} d=${points.join("")} />`;
  };
  return svg`
    <path class="line" d=${`M${left},${floor}H${right}`} />
    <text class="t12 soft end" x=${left - 6} y=${level(MOST) + 4}>${number(MOST)}</text>
    ${GAPS.map(line)}
    <circle r="5" fill="var(--new)" cx=${placeX(room, place)} cy=${level(GAPS[chosen][place])} />
    <text class="t14" x=${left} y=${foot + (isPhone ? 12 : 18)}>${say(`left_${isFound ? "all" : "over"}${isPhone ? "_short" : ""}`)}</text>`;
}
