// Where the things of the chapter on absolute positions stand, in each of its views and between two.

import { clamp, mix } from "../../page/shapes.js";

/** @import { Box, State } from "../../page/types" */

export const WIDTH = 16; // numbers of a row
export const PAIRS = WIDTH / 2;
export const BASE = 10000;
export const PLACES = 128; // of training
export const FURTHER = 256;
export const AFTER_END = 143; // the last place of the ruler beside a table that ends
const TALLEST = 150; // pixels of a wave
export const GAP = 3; // from the query's word to the key's
export const VIEWS = ["words", "lanes", "sieve", "rows", "wedges", "mix", "terms", "bits", "table"];

/**
 * @typedef {{ x: number, y: number, r: number, a: number }} Dial
 * @typedef {{ y: number, h: number, a: number }} Lane
 * @typedef {{ x: number, w: number }} Columns
 * @typedef {Box & {
 *   bottom: number, left: number, right: number, last: number, top: number, foot: number, high: number,
 *   lanes: Lane[], dials: Dial[], sums: Columns,
 * }} Room
 */

/** Margins and the last place of the ruler: [on a phone, else]. */
const MARGINS = {
  words: { left: [30, 60], right: [30, 60], top: [0, 0], foot: [0, 0], last: PLACES - 1 },
  lanes: { left: [74, 170], right: [18, 50], top: [46, 92], foot: [18, 34], last: PLACES - 1 },
  sieve: { left: [74, 170], right: [18, 50], top: [16, 40], foot: [60, 104], last: PLACES - 1 },
  rows: { left: [72, 150], right: [108, 206], top: [34, 64], foot: [8, 22], last: PLACES - 1 },
  wedges: { left: [30, 60], right: [30, 60], top: [0, 0], foot: [0, 0], last: PLACES - 1 },
  mix: { left: [30, 60], right: [30, 60], top: [44, 76], foot: [70, 130], last: PLACES - 1 },
  terms: { left: [16, 190], right: [58, 130], top: [60, 96], foot: [14, 26], last: PLACES - 1 },
  bits: { left: [34, 70], right: [18, 50], top: [116, 236], foot: [10, 26], last: FURTHER - 1 },
  table: { left: [34, 70], right: [18, 50], top: [34, 64], foot: [8, 22], last: AFTER_END },
};

/** @param {keyof typeof MARGINS} view @param {Box} box @param {State} s @returns {Room} */
function layout(view, box, s) {
  const { width: W, height: H, isPhone } = box;
  const margin = MARGINS[view];
  const size = isPhone ? 0 : 1;
  const bottom = H - (isPhone ? 34 : 50);
  const left = margin.left[size];
  const right = W - margin.right[size];
  const top = margin.top[size];
  const foot = bottom - margin.foot[size];
  const isThree = view === "lanes" || view === "sieve";
  const asked = s.hands + clamp(s.sweep / PLACES, 0, 1); // the hand that may be added has room too
  const tall = (foot - top) / (view === "sieve" ? clamp(asked, 1, 3) : 3);
  const low = (foot - top) / WIDTH;
  const lanes = Array.from({ length: WIDTH }, (_, column) => {
    if (isThree) {
      const isThere = column % 2 === 0 && column < 6;
      const y = top + tall * (Math.min(column >> 1, 2) + 0.5);
      return { y, h: Math.min(tall * 0.72, TALLEST), a: isThere ? 1 : 0 };
    }
    return { y: top + low * (column + 0.5), h: low * 0.8, a: view === "rows" ? 1 : 0 };
  });
  const dials = Array.from({ length: PAIRS }, (_, i) => {
    if (isThree) {
      const [wide, high] = view === "sieve" ? [isPhone ? 0.26 : 0.35, 0.34] : [0.38, 0.4]; // names stand round the guess
      const r = Math.min(left * wide, tall * high);
      return { x: left / 2, y: lanes[2 * i].y, r: i > 2 ? 0 : r, a: i > 2 ? 0 : 1 };
    }
    if (view === "wedges") return wedgeDial(i, box, bottom);
    const y = (lanes[2 * i].y + lanes[2 * i + 1].y) / 2;
    return { x: isPhone ? 20 : 56, y, r: low * 0.86, a: view === "rows" ? 1 : 0 };
  });
  const edge = isPhone ? 14 : 60;
  return {
    ...box,
    bottom,
    left,
    right,
    last: margin.last,
    top,
    foot,
    high: foot - top,
    lanes,
    dials,
    sums: { x: edge, w: (W - 2 * edge) / WIDTH },
  };
}

/** Eight dials in two rows. @param {number} i @param {Box} box @param {number} bottom @returns {Dial} */
function wedgeDial(i, { width, isPhone }, bottom) {
  const edge = isPhone ? 6 : 25;
  const column = (width - 2 * edge) / 4;
  const line = (bottom - (isPhone ? 46 : 84)) / 2;
  const r = Math.min(column * 0.42, (line - (isPhone ? 44 : 72)) / 2);
  const y = (isPhone ? 2 : 28) + line * (i >> 2) + r + 6;
  return { x: edge + column * ((i % 4) + 0.5), y, r, a: 1 };
}

/** @param {any[]} all @param {number[]} shares @returns {any} */
function blend(all, shares) {
  const [first] = all;
  if (typeof first === "number") return all.reduce((sum, x, i) => sum + shares[i] * x, 0);
  if (typeof first !== "object") return first;
  if (Array.isArray(first))
    return first.map((_, i) =>
      blend(
        all.map((one) => one[i]),
        shares,
      ),
    );
  return Object.fromEntries(
    Object.keys(first).map((name) => [
      name,
      blend(
        all.map((one) => one[name]),
        shares,
      ),
    ]),
  );
}

/** The layout of the view that is shown, or what lies between two. @param {Box} box @param {State} s @returns {Room} */
export function roomOf(box, s) {
  const shown = VIEWS.filter((view) => s[view] > 0.001);
  const total = shown.reduce((sum, view) => sum + s[view], 0);
  const rooms = shown.map((view) => layout(/** @type {keyof typeof MARGINS} */ (view), box, s));
  return blend(
    rooms,
    shown.map((view) => s[view] / total),
  );
}

/** How much of a scene is there: one leaves before the next comes. @param {number} weight */
export const after = (weight) => clamp((weight - 0.45) / 0.55, 0, 1);

/** @param {Room} room @param {number} place */
export const placeX = (room, place) => mix(room.left, room.right, place / room.last);

/** @param {Room} room @param {number} x */
export const placeOf = (room, x) => ((x - room.left) / (room.right - room.left)) * room.last;
