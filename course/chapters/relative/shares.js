// Past training: how many near names are found, and what the learned numbers do with the attention.

import { asked } from "../../page/asked.js";
import { shares } from "../../page/formulas/distances.js";
import { svg } from "../../page/lit/lit.js";
import { mark, through } from "../../page/parts.js";
import { mix } from "../../page/shapes.js";
import data from "./data.js";
import { BRACES, LAST, LONGEST, SHORTEST, lengthX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const ASKED = { length: 512, options: [95, 50, 5] }; // where the answer may lie
const LAST_NAMED = 140; // pixels: the name of the last brace fits into its part

/** What was measured at a length, or at the nearest one that was. @param {{ lengths: number[] }} curve @param {number} length */
const nearest = ({ lengths }, length) =>
  lengths.indexOf(
    lengths.reduce((a, b) =>
      Math.abs(Math.log(b / length)) < Math.abs(Math.log(a / length)) ? b : a,
    ),
  );

/** Words that the last query looks at. @param {State} s */
const looked = (s) => mix(s.length, Math.min(s.length, data.trained), s.window);

/** Attention of each brace, by the learned numbers alone. @param {State} s */
export const attention = (s) => shares(data.numbers, BRACES, looked(s));

/** Per cent of the near names that are found. @param {State} s */
export function found(s) {
  const curve = s.window > 0.5 ? data.near_window : data.near;
  return curve.mean[nearest(curve, s.length)];
}

/** @param {number} length */
export const measuredAt = (length) => data.near.lengths[nearest(data.near, length)];

/** @param {State} s @param {Room} room @param {Stage} stage */
export function measured(s, room, stage) {
  const there = s.chart > 0.5 ? (s.chart - 0.5) * 2 : 0;
  if (there < 0.02) return "";
  const { plot: p, isPhone, shares: low, stripX: left } = room;
  const { say, number, isGuessing } = stage;
  const x = (/** @type {number} */ length) => lengthX(room, s, length);
  const y = (/** @type {number} */ value) => p.y + p.h * (1 - value / 100);
  const levels = [100, 50, 0];
  const isHere = !isGuessing() || s.length <= SHORTEST + 1;
  const size = isPhone ? "_short" : "";
  return svg`
    <g data-marks="curve window length" opacity=${there}>
      <path class="line" d=${levels.map((value) => `M${p.x},${y(value)}h${p.w}`).join("")} />
      <text class="t14 soft" x=${p.x - (isPhone ? 34 : 44)} y=${p.y - (isPhone ? 10 : 22)}>${say(`found_title${size}`)}</text>
      ${levels.map((value) => svg`<text class="t12 soft end central" x=${p.x - 14} y=${y(value)}>${number(value)}</text>`)}
      ${data.near.lengths.map((length) => svg`<text class="t12 soft middle" x=${x(length)} y=${p.y + p.h + (isPhone ? 44 : 62)}>${number(length)}</text>`)}
      ${mark("window", there * s.window, curve(data.near_window, isPhone ? "" : say("window_line"), room, x, y))}
      ${mark("curve", there * s.lines, curve(data.near, say("whole_line"), room, x, y))}
      ${asked(
        ASKED.options.map((value) => [x(ASKED.length), y(value)]),
        there * s.guessing,
      )}</g>
    ${mark("curve window", isHere ? there : 0, svg`<circle r="8" fill="var(--paper)" stroke="var(--ink)" stroke-width="3" cx=${x(s.length)} cy=${y(foundBetween(s))} />`)}
    ${shared(s, room, there)}
    ${mark("shares", there, svg`<text class="t14" x=${left} y=${low - 8}>${say(`shares_title${size}`)}</text>`)}
    ${told(s, room, say, there)}`;
}

/** @param {typeof data.near} measured @param {string} name @param {Room} room @param {(length: number) => number} x @param {(value: number) => number} y */
function curve({ lengths, mean, low, high }, name, { isPhone }, x, y) {
  const isWindow = mean === data.near_window.mean;
  const range = (/** @type {number} */ length, /** @type {number} */ n) =>
    `M${x(length) - 5},${y(low[n])}h10m-5,0V${y(high[n])}m-5,0h10`;
  const end = y(mean[mean.length - 1]) + (isPhone ? (isWindow ? 16 : -14) : 0);
  return svg`
    <path class="curve" stroke-dasharray=${isWindow ? "5 4" : "none"} d=${through(lengths.map((length, n) => [x(length), y(mean[n])]))} />
    ${lengths.map((length, n) => svg`<circle r="3.5" fill="var(--ink)" cx=${x(length)} cy=${y(mean[n])} />`)}
    <path stroke="var(--ink)" stroke-width="2" d=${lengths.map(range).join("")} />
    <text class=${`t14 central ${isPhone ? "end" : ""}`} x=${x(LONGEST) + (isPhone ? 0 : 14)} y=${end}>${name}</text>`;
}

/** The attention of each brace, the nearest at the right. @param {State} s @param {Room} room @param {number} there */
function shared(s, { sharesHigh: high, stripX: left, stripW, shares: y }, there) {
  const given = attention(s);
  let end = left + stripW;
  return given.map((share, b) => {
    const w = share * stripW;
    end -= w;
    const strong = b === LAST ? 0.85 : b % 2 ? 0.4 : 0.25;
    return mark(
      b === LAST ? "far shares" : "shares",
      there,
      svg`<rect fill="var(--attention)" fill-opacity=${strong} x=${end + Math.min(0.5, w / 4)} y=${y} width=${Math.max(0.75 * w, w - 1)} height=${high} />`,
    );
  });
}

/** The share of the last brace. @param {State} s @param {Room} room @param {Stage["say"]} say @param {number} there */
function told(s, { isPhone, sharesHigh: high, stripX: left, stripW, shares: y }, say, there) {
  const width = attention(s)[LAST] * stripW;
  const isInside = width > LAST_NAMED;
  const [x, at] = isInside
    ? [left + width / 2, y + high / 2 + 5]
    : [left, y + high + (isPhone ? 15 : 20)];
  return mark(
    "far shares",
    there,
    svg`<text class=${`t14 ${isInside ? "paper middle" : ""} bold`} x=${x} y=${at}>${say("last_share")}</text>`,
  );
}

/** The height of the mark that moves along the curves; only its rests were measured. @param {State} s */
function foundBetween(s) {
  const along = (/** @type {typeof data.near} */ { lengths, mean }) => {
    const at = Math.log2(Math.max(SHORTEST, s.length) / SHORTEST);
    const n = Math.min(Math.floor(at), lengths.length - 2);
    return mix(mean[n], mean[n + 1], at - n);
  };
  return mix(along(data.near), along(data.near_window), s.window);
}
