// CoPE: the sentence, its keys, and where everything stands.

import { between, dot, gatesOf, positions, softmax } from "../../page/formulas/gates.js";
import { clamp, mix } from "../../page/shapes.js";

/** @import { Box, State } from "../../page/types" */

const RADIANS = Math.PI / 180;
/** @param {number} length @param {number} degrees */
const polar = (length, degrees) => [
  length * Math.cos(degrees * RADIANS),
  length * Math.sin(degrees * RADIANS),
];

/** What each token of the sentence is: a word, a full stop or a comma. */
export const KINDS = ["word", "word", ".", "word", "word", ",", "word", ",", "word", ".", "word"];
export const COUNT = KINDS.length;
export const LAST = COUNT - 1;
export const [ANN, BOB, FELL] = [0, 3, 6];
export const [FIRST_STOP, SECOND_STOP] = [2, 9];

/** @type {Record<string, number[]>} */
export const KEY = { ".": polar(4, 160), ",": polar(4, 20), word: polar(2, 90) };
export const KEYS = KINDS.map((kind) => KEY[kind]);
export const LENGTH = 5; // of the query that is turned

/** Queries that count something. */
export const COUNTS = {
  all: polar(2, 90),
  stops: polar(5, 228),
  commas: polar(5, 312),
  little: [0.5, 0.35],
};
/** What each token counts when it is the query itself. */
export const ASKED = /** @type {const} */ ([
  "all",
  "all",
  "all",
  "little",
  "stops",
  "commas",
  "commas",
  "stops",
  "commas",
  "stops",
  "stops",
]);
export const ASKS = ASKED.map((what) => COUNTS[what]);

export const OPEN = KINDS.map(() => 1);

/** A list with another number at one place. @param {number[]} values @param {number} at @param {number} value */
export const replaced = (values, at, value) => values.map((old, i) => (i === at ? value : old));

/** @param {State} s */
export const placesOf = (s) => positions(s.gates, s.query);
/** The doors of each token, were it the query. */
export const ROWS = ASKS.map((query) => gatesOf(query, KEYS));

/** Shares of attention of the query, with q·e of the floors or without.
 * @param {State} s @param {boolean} isPushed
 */
export function sharesOf(s, isPushed) {
  const places = placesOf(s);
  return softmax(KEYS.map((key, j) => dot(s.q, key) + (isPushed ? between(places[j], s.push) : 0)));
}

/**
 * @typedef {Box & {
 *   left: number, edge: number, side: number, ground: number, unit: number, foot: number,
 *   keys: number, shares: number, pile: number, row: number, starts: number[], widths: number[],
 *   dial: { x: number, y: number, r: number },
 * }} Room
 */

const STOP = { wide: 0.62, phone: 0.44 }; // columns of a word that a stop or a comma takes

/** Doors and floors share one unit, so that a door is open as high as the step it makes.
 * @param {Box} box @param {State} s @returns {Room}
 */
export function layout({ width, height, isPhone }, s) {
  const left = isPhone ? 6 : 28;
  const side = (isPhone ? 26 : 52) + s.side * (isPhone ? 84 : 214) + s.pile * (isPhone ? 0 : 94);
  const head = isPhone ? 60 : 92;
  const row = isPhone ? 9 : 19;
  const keys = s.keys * (isPhone ? 18 : 26);
  const shares = s.shares * (isPhone ? 58 : 150);
  const pile = s.pile * (row * COUNT + (isPhone ? 8 : 16));
  const foot = mix(isPhone ? 10 : 20, isPhone ? 28 : 36, s.doors);
  const below = foot + keys + shares + pile;
  const floors = Math.max(s.zoom, placesOf(s)[0]);
  const unit = (height - head - below) / (floors + s.doors);
  const edge = width - side;
  const weights = KINDS.map((kind) => (kind === "word" ? 1 : STOP[isPhone ? "phone" : "wide"]));
  const word = (edge - left) / weights.reduce((a, b) => a + b, 0);
  const widths = weights.map((weight) => weight * word);
  const starts = widths.map((_, j) => left + widths.slice(0, j).reduce((a, b) => a + b, 0));
  const r = isPhone ? Math.min(58, height * 0.18) : Math.min(108, height * 0.19);
  return {
    width,
    height,
    isPhone,
    left,
    edge,
    side,
    unit,
    ground: height - below - unit * s.doors,
    foot,
    keys,
    shares,
    pile,
    row,
    starts,
    widths,
    dial: { x: edge - r - (isPhone ? 10 : 50), y: r + (isPhone ? 22 : 34), r },
  };
}

/** Middle of a column; between two where the token is no whole number. @param {Room} room @param {number} token */
export function centre({ starts, widths }, token) {
  const from = Math.floor(clamp(token, 0, LAST - 1));
  const [a, b] = [from, from + 1].map((j) => starts[j] + widths[j] / 2);
  return a + (b - a) * (token - from);
}

/** The token whose column is nearest to a point. @param {Room} room @param {number} x */
export function tokenAt(room, x) {
  const from = clamp(room.starts.filter((start) => start <= x).length - 1, 0, LAST);
  const to = centre(room, from) <= x ? from + 1 : from - 1;
  if (to < 0 || to > LAST) return from;
  const [a, b] = [centre(room, from), centre(room, to)];
  return from + (to - from) * clamp((x - a) / (b - a), 0, 1);
}

/** Height of a floor. @param {Room} room @param {number} floor */
export const level = ({ ground, unit }, floor) => ground - floor * unit;

/** A number of floors or of a door: whole ones without decimals.
 * @param {(value: number, digits?: number) => string} number @param {number} value @param {number} digits
 */
export const short = (number, value, digits = 1) =>
  number(
    value,
    Math.abs(value - Math.round(value)) < Math.min(0.005, 0.5 / 10 ** digits) ? 0 : digits,
  );
