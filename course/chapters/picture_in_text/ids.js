// Where tokens stand: one number three times for a word, a picture's rows and columns, a film's time.

import data from "./data.js";

export const START = 3; // words before the picture, and its first number
export const AFTER = 3; // words after it
export const [ROWS, COLUMNS] = [4, 6]; // of its patches
export const SHEETS = 3; // of a film; two frames each
const A_SECOND = 2; // positions, in Qwen2.5-VL
export const WORDS = 200; // between pictures, in a long text

/** @typedef {[number, number, number]} Ids */

/** The number of the word after a picture: its longer side further. @param {number} start @param {number} rows @param {number} columns */
export const next = (start, rows, columns) => start + Math.max(rows, columns);

/** By how much the t of a sheet is larger than that of the first. @param {number} sheet @param {number} seconds From sheet to sheet. */
export const later = (sheet, seconds) => Math.floor(sheet * A_SECOND * seconds);

/**
 * t, row and column of every token of a text with one picture or film.
 * @param {number} rows @param {number} columns @param {number[]} times t of each sheet, counted from the first.
 * @returns {Ids[]}
 */
export function ids(rows, columns, times = [0]) {
  const words = (/** @type {number} */ from, /** @type {number} */ count) =>
    Array.from({ length: count }, (_, i) => /** @type {Ids} */ ([from + i, from + i, from + i]));
  const patches = times.flatMap((time) =>
    Array.from(
      { length: rows * columns },
      (_, i) =>
        /** @type {Ids} */ ([START + time, START + Math.floor(i / columns), START + (i % columns)]),
    ),
  );
  return [...words(0, START), ...patches, ...words(next(START, rows, columns), AFTER)];
}

/** Positions of a million tokens: words and such a picture, again and again. @param {number} rows @param {number} columns */
export const positions = (rows, columns) =>
  (data.long * (WORDS + Math.max(rows, columns))) / (WORDS + rows * columns);

/** The same as so many times the trained length. @param {number} rows @param {number} columns */
export const needed = (rows, columns) => positions(rows, columns) / data.trained;

/** Side of the smallest square picture with which a stretch is enough. @param {number} factor */
export function enough(factor) {
  let side = 1;
  while (needed(side, side) > factor) side++;
  return side;
}
