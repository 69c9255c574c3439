// Keys that small trained models found, over the text as one line.

import { asked } from "../../page/asked.js";
import data from "./data.js";
import { svg } from "../../page/lit/lit.js";
import { at, grip, through } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import { LONGEST, alongX } from "./scene.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./scene" */
/** @typedef {[number, number, number, number]} Found Words back; found, from the worst run to the best. */

const SHORTEST = Math.log2(data.trained);
const MOST = Math.log2(LONGEST);
/** @type {Record<number, number[][]>} */
const FOUND = data.recall;

/** @param {State} s */
export const textOf = (s) => 2 ** Math.round(s.text);
/** Per cent of the keys further back than training ever had them. @param {State} s */
export const farOf = (s) => /** @type {Record<number, number>} */ (data.far)[textOf(s)];
/** What may be found of the farthest key. */
const ANSWERS = [data.far[512], FOUND[LONGEST].slice(-1)[0][1], 100 / 32];
/** The farthest key. @param {State} s */
export const endOf = (s) => /** @type {number[]} */ (FOUND[textOf(s)].at(-1));

/** What is found in a text between two measured lengths: the same keys on their way. @param {number} text @returns {Found[]} */
function between(text) {
  const low = FOUND[2 ** Math.floor(text)];
  const high = FOUND[2 ** Math.ceil(text)];
  const t = text - Math.floor(text);
  const known = t > 0.5 || low.length === high.length ? high : low;
  return known.map(
    (end, i) =>
      /** @type {Found} */ (end.map((v, j) => mix((low[i] ?? end)[j], (high[i] ?? end)[j], t))),
  );
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function measured(s, room, stage) {
  const presence = clamp(s.ribbon * 2 - 1, 0, 1);
  if (presence < 0.02) return "";
  const { plot: p, ribbon, isPhone } = room;
  const { say, number } = stage;
  const y = (/** @type {number} */ percent) => p.y + p.h * (1 - percent / 100);
  const edge = alongX(room, data.trained);
  const foot = ribbon.y + ribbon.h;
  const levels = [0, 50, 100];
  const size = isPhone ? "_short" : "";
  return svg`
    <g data-marks="trained" opacity=${presence}>
      <rect fill="var(--wash)" x=${edge} y=${p.y - 6} width=${p.x + p.w - edge} height=${p.h + 20} />
      <text class=${`${isPhone ? "t12" : "t14"} soft end`} x=${p.x + p.w} y=${p.y - 14}>${say(isPhone ? "trained_short" : "trained_on")}</text></g>
    <g data-marks="found" opacity=${presence}>
      <path class="line" d=${levels.map((each) => `M${p.x},${y(each)}h${p.w}`).join("")} />
      ${levels.map((each) => svg`<text class="t12 soft end" x=${p.x - 8} y=${y(each) + 4}>${each}%</text>`)}
      <text class="t14 soft" x="8" y=${isPhone ? 16 : 26}>${say(isPhone ? "found_short" : "found_title")}</text>
      ${[0, 512, 1024, 1536, 2048].map((back) => svg`<text class="t12 soft middle" x=${alongX(room, back)} y=${foot + (isPhone ? 26 : 32)}>${number(back)}</text>`)}
      <text class="t14 soft middle" x=${p.x + p.w / 2} y=${foot + (isPhone ? 46 : 58)}>${say(`axis${size}`)}</text>
      ${asked(
        ANSWERS.map((percent) => [p.x + 14, y(percent)]),
        presence * s.guessing,
      )}</g>
    ${series(s, room, stage, presence, y)}
    <g data-marks="found" opacity=${presence}>
      <text class="t14 bold" x="8" y=${isPhone ? 33 : 50}>${say(`${s.text > SHORTEST + 0.5 ? (isPhone ? "far" : "far_found") : "no_far"}${size}`)}</text></g>
    ${begin(s, room, stage, presence)}`;
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {number} presence @param {(percent: number) => number} y */
function series(s, room, { say }, presence, y) {
  const points = between(s.text);
  const xs = points.map(([back]) => alongX(room, back));
  const gaps = xs.slice(1).map((x, i) => Math.abs(x - xs[i]));
  const r = (/** @type {number} */ i) =>
    clamp(Math.min(gaps[i - 1] ?? Infinity, gaps[i] ?? Infinity) / 2 - 0.5, 2, 4.5); // each can be seen
  const middle = xs.length >> 1;
  const isSteep = points[middle][1] < 90; // there is room over the line
  return svg`<g data-marks="found" opacity=${presence}>
    ${isSteep ? svg`<text class="t14 end" x=${xs[middle] - 12} y=${y(points[middle][1]) - (room.isPhone ? 22 : 30)}>${say("curve")}</text>` : ""}
    <path stroke="var(--ink)" fill="none" d=${through(points.map(([, found], i) => [xs[i], y(found)]))} />
    <path stroke="var(--ink)" d=${points.map(([, , low, high], i) => `M${xs[i]},${y(low)}V${y(high)}`).join("")} />
    ${points.map(([, found], i) => svg`<circle r=${r(i)} fill="var(--ink)" cx=${xs[i]} cy=${y(found)} />`)}</g>`;
}

/** Where the text begins. @param {State} s @param {Room} room @param {Stage} stage @param {number} presence */
function begin(s, room, { say, set, move, handle }, presence) {
  const { plot: p, ribbon, isPhone } = room;
  const x = alongX(room, 2 ** s.text);
  const isRight = x > p.x + p.w * 0.2; // free of the axis' name
  const stretch = (/** @type {number} */ to, ms = 250) =>
    move({ text: clamp(to, SHORTEST, MOST) }, ms);
  const hold = handle({
    label: say("begin_label"),
    now: -Math.round(s.text),
    min: -MOST,
    max: -SHORTEST,
    text: say("text_of"),
    keys: (by) => stretch(Math.round(s.text) - Math.sign(by), 0), // its beginning is on the left
    move: ([to]) => {
      const tokens = ((p.x + p.w - to) / p.w) * LONGEST;
      set({ text: clamp(Math.log2(Math.max(tokens, 1)), SHORTEST, MOST) });
    },
    end: () => stretch(Math.round(s.text)),
  });
  return svg`<g data-marks="begin" opacity=${presence}>
    <g ${hold} transform=${at(x, ribbon.y + ribbon.h / 2)}>${grip()}</g>
    <text class=${`t14 ${isRight ? "end" : ""}`} x=${isRight ? p.x + p.w : clamp(x - 12, 8, room.width)} y=${ribbon.y + ribbon.h + (isPhone ? 46 : 58)}>${say(isPhone ? "text_short" : "text_of")}</text></g>`;
}
