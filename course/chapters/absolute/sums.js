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
const SMALLER = 0.4; // a word and a row, once a sum is given
const FAINT = 0.5;

/** @param {State} s @param {Room} room @param {Stage} stage */
export function sums(s, room, stage) {
  const presence = after(s.mix);
  if (presence < 0.02) return "";
  const { say } = stage;
  const { sums: c, top, foot, bottom, isPhone } = room;
  const { given, word, tried } = mixed(s);
  const name = isPhone ? 16 : 26; // over each lane
  const floor = bottom - (isPhone ? 10 : 20);
  // Once a sum is given, what is left over stands below, and the sums have most of the room.
  const part = mix(1, SMALLER, s.given);
  const parts = [part, part, 1];
  const high = (/** @type {number} */ lanes) =>
    TALL.slice(0, lanes).reduce((sum, tall, i) => sum + tall * parts[i], 0);
  const whole = (mix(floor, foot, s.given) - top - 3 * name) / high(3);
  const units = parts.map((one) => one * whole);
  const zeros = REACH.map(([up], i) => top + name * (i + 1) + high(i) * whole + up * units[i]);
  const [own, base] = [units[2], zeros[2]];
  const x = (/** @type {number} */ i) => c.x + c.w * (i + 0.5);
  /** @param {number} i @param {number} from @param {number} to @param {number} half @param {string} fill */
  const bar = (i, from, to, half, fill) =>
    svg`<rect fill=${fill} x=${x(i) - c.w * half} width=${c.w * 2 * half} y=${Math.min(from, to)} height=${Math.abs(to - from)} />`;
  const nameY = (/** @type {number} */ lane) =>
    zeros[lane] - REACH[lane][0] * units[lane] - (isPhone ? 4 : 8);
  /** @param {number} lane @param {string} text @param {number[]} values @param {string} fill @param {string} css */
  const bars = (lane, text, values, fill, css = "") => svg`
    <text class=${`bold ${isPhone ? "t12" : "t14"} ${css}`} x=${c.x} y=${nameY(lane)}>${text}</text>
    <path stroke="var(--soft)" d=${`M${c.x},${zeros[lane]}h${c.w * WIDTH}`} />
    ${values.map((value, i) => bar(i, zeros[lane], zeros[lane] - value * units[lane], 0.3, fill))}`;
  const y = (/** @type {number} */ value) => base - value * own;
  const [chosen, place] = [NAMES[Math.round(s.word)], at(s)];
  const faint = mix(1, FAINT, s.given);
  const fits = given.filter((sum, i) => Math.abs(sum - tried[i]) <= ALIKE).length;
  return svg`<g opacity=${presence}>
    ${mark("word", faint, bars(0, chosen, word, "var(--content)", "content"))}
    ${mark("entries place", faint, bars(1, `+ ${say("row_of", { p: place })}`, row(s.p), "var(--ink)"))}
    ${mark("dot place", 1, bars(2, `= ${say("sum")}`, tried, "var(--soft)"))}
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
        <text class=${`bold end ${isPhone ? "t12" : "t14"}`} x=${c.x + c.w * WIDTH} y=${nameY(2)}>${say(isPhone ? "fit_short" : "fit", { count: fits, width: WIDTH })}</text>`,
    )}
    ${mark("off", s.given, trail(s, room, stage))}</g>`;
}

/** What is left over of the sums that were tried with the chosen word, place by place; once it is found, of all.
 * @param {State} s @param {Room} room @param {Stage} stage
 */
function trail(s, room, { say, seen }) {
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
    ${GAPS.map(line)}
    <circle r="5" fill="var(--new)" cx=${placeX(room, place)} cy=${level(GAPS[chosen][place])} />
    <text class="t14" x=${left} y=${foot + (isPhone ? 12 : 18)}>${say(`left_${isFound ? "all" : "over"}${isPhone ? "_short" : ""}`)}</text>`;
}
