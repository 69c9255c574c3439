// The last chapter: what is known of each encoding, and where its row stands.

import data from "./data.js";
import { mix } from "../../page/shapes.js";

/** @import { Box, State } from "../../page/types" */
/** @typedef {{ mean: number[], low: number[], high: number[] }} Ends */
/** @typedef {{ models: number, learned: number, each: number[],
 *              near: Ends, far: Ends }} Encoding */
/** @typedef {{ x: number, y: number, w: number, h: number }} Rect */

/** @type {Record<string, Encoding>} */
export const ENCODINGS = data.encodings;
export const NAMES = Object.keys(ENCODINGS);
export const MEASURES = /** @type {const} */ (["near", "far"]);
export const LENGTHS = Math.log2(data.longest / data.trained); // doublings
export const FURTHER = 2; // doublings: the length of the training afterwards
export const METHODS = /** @type {const} */ (["none", "linear", "ntk", "yarn"]);
export const ROPE = NAMES.indexOf("rope");
/** Of which the choice is made where only a few are shown, from top to bottom. */
export const FEW = ["rope", "alibi", "kerple"];
/** Of which models were trained further, on longer texts. */
export const TUNED = /** @type {const} */ (["rope"]);
export const MOST = 90; // per cent of the near keys: nine in ten

/** Whether a row is there. @param {string} name @param {State} s */
export const isThere = (name, s) => s.few < 0.5 || FEW.includes(name);

/** No key is far in a text of the trained length. @param {number} measure */
export const firstOf = (measure) => (MEASURES[measure] === "far" ? 1 : 0);

/** A measure of an encoding after so many doublings.
 * @param {string} name @param {number} measure @param {number} doublings @param {keyof Ends} end
 */
export function measured(name, measure, doublings, end = "mean") {
  const ends = ENCODINGS[name][MEASURES[measure]];
  return ends[end][Math.max(0, doublings - firstOf(measure))];
}

/** A learned table ends with the trained length. @param {string} name @param {number} doublings */
export const hasRow = (name, doublings) => name !== "learned" || doublings <= 0;

/** Where a measure stands, from 0 to 1, or between both on the way from one to the other.
 * @param {string} name @param {State} s @param {number} doublings
 */
export function height(name, s, doublings) {
  const [near, far] = MEASURES.map((_, measure) => measured(name, measure, doublings) / 100);
  return mix(near, far, s.measure);
}

/** @param {State} s */
export const measureOf = (s) => Math.round(s.measure);
/** How far the curves go, in doublings. @param {State} s */
export const reach = (s) => Math.max(s.length, firstOf(measureOf(s)));
/** @param {State} s */
export const doublingsOf = (s) => Math.round(reach(s));
/** @param {State} s */
export const chosen = (s) => NAMES[Math.round(s.row)];

/** Keys that the real model was asked for at each length. */
export const ASKED_REAL = data.real.asked.yarn[0];
/** How many of them it found after so many doublings.
 * @param {typeof METHODS[number]} method @param {number} doublings
 */
export const foundReal = (method, doublings) =>
  data.real.found[method][data.real.lengths.indexOf(data.real.trained * 2 ** doublings)];

/** Whether an encoding is shown beyond its limit. @param {string} name @param {State} s */
export function isFallen(name, s) {
  if (s.measures < 0.5) return false;
  const own = along((i) => height(name, s, i), reach(s));
  return !hasRow(name, reach(s)) || own <= MOST / 100;
}

/** Heights between two doublings. @param {(doublings: number) => number} at @param {number} doublings */
export function along(at, doublings) {
  const from = Math.floor(doublings);
  return doublings === from ? at(from) : mix(at(from), at(from + 1), doublings - from);
}

/**
 * @typedef {Box & {
 *   left: number, line: number, heads: number, rows: number[], row: number, name: number,
 *   strip: Rect, plot: Rect, rail: number, gap: number, foot: number,
 * }} Room
 */

/** @param {Box} box @returns {Room} */
export function layout({ width, height, isPhone }) {
  const left = isPhone ? 10 : 30;
  const line = isPhone ? 13 : 36; // what is measured
  const heads = isPhone ? 52 : 84;
  const first = heads + (isPhone ? 8 : 16);
  const foot = height - (isPhone ? 5 : 16);
  const row = Math.min(46, (foot - first - (isPhone ? 15 : 24)) / NAMES.length);
  const rows = NAMES.map((_, i) => first + (i + 0.5) * row);
  const name = isPhone ? 88 : Math.min(160, width * 0.2);
  const right = width - (isPhone ? 4 : 24);
  const x = left + name + (isPhone ? 8 : 24);
  const strip = { x, y: heads, w: right - (isPhone ? 56 : 110) - x, h: foot - heads };
  const top = isPhone ? 36 : 84;
  const plot = {
    x: isPhone ? 52 : 70,
    y: top,
    w: width - (isPhone ? 162 : 250),
    h: height - top - (isPhone ? 82 : 112),
  };
  const rail = plot.y + plot.h + (isPhone ? 16 : 18); // of the length, below the curves
  const gap = isPhone ? 12.5 : 20;
  return { width, height, isPhone, left, line, heads, rows, row, name, strip, plot, rail, gap, foot }; // prettier-ignore
}

/** @param {Room} room @param {State} s @param {number} doublings */
export function alongX({ plot, strip }, s, doublings) {
  const share = (doublings - s.low) / (s.high - s.low);
  return mix(strip.x + share * strip.w, plot.x + share * plot.w, s.real);
}
/** @param {Room} room @param {number} share */
export const upY = ({ plot }, share) => plot.y + plot.h * (1 - share);

/** The middle and the height of a row: few of them share the room of all. @param {Room} room @param {State} s @param {string} name */
export function rowOf({ rows, row }, s, name) {
  const i = NAMES.indexOf(name);
  const at = FEW.indexOf(name);
  if (at < 0) return { y: rows[i], tall: row };
  const tall = (row * NAMES.length) / FEW.length;
  const y = rows[0] - row / 2 + (at + 0.5) * tall;
  return { y: mix(rows[i], y, s.few), tall: mix(row, tall, s.few) };
}

/**
 * Heights of labels, as near to their curves as they can be without touching.
 * @param {Record<string, number>} wanted @param {Room} room @returns {Record<string, number>}
 */
export function apart(wanted, { plot, gap }) {
  const names = Object.keys(wanted).sort((a, b) => wanted[a] - wanted[b]);
  const ys = names.map((name) => wanted[name]);
  for (let i = 1; i < ys.length; i++) ys[i] = Math.max(ys[i], ys[i - 1] + gap);
  let most = plot.y + plot.h - 8;
  for (let i = ys.length - 1; i >= 0 && ys[i] > most; i--, most -= gap) ys[i] = most;
  return Object.fromEntries(names.map((name, i) => [name, ys[i]]));
}
