// Sinusoidal rows in numbers (Vaswani et al. 2017, section 3.5), digits that roll, and the parts of a score.

import { TURN } from "../shapes.js";

/** @typedef {number[]} Vector */

/**
 * The row of a place: the sine and the cosine of each hand, one after the other.
 * @param {Vector} speeds Radians a place.
 * @param {number} place
 */
export const row = (speeds, place) =>
  speeds.flatMap((speed) => [Math.sin(place * speed), Math.cos(place * speed)]);

/** @param {Vector} a @param {Vector} b */
export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

/** @param {Vector} a @param {Vector} b */
export const cosine = (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

/** The smaller angle between two hands. @param {number} a @param {number} b */
export function apart(a, b) {
  const turned = (((a - b) % TURN) + TURN) % TURN;
  return Math.min(turned, TURN - turned);
}

/**
 * Places at which each of some hands looks as it does at a hidden one.
 * @param {Vector} speeds Of the hands that are seen.
 * @param {number} hidden
 * @param {number} tolerance Radians.
 * @param {number} places
 */
export const alike = (speeds, hidden, tolerance, places) =>
  Array.from({ length: places }, (_, place) => place).filter((place) =>
    speeds.every((speed) => apart(place * speed, hidden * speed) <= tolerance),
  );

/** A decimal digit, from the ones. @param {number} place @param {number} i */
export const digit = (place, i) => Math.floor(place / 10 ** i) % 10;

/**
 * Where the wheel of a digit stands: it rolls only while the one below passes from 9 to 0.
 * @param {number} place @param {number} i @returns {number}
 */
export const rolled = (place, i) =>
  i === 0 ? place % 10 : digit(place, i) + Math.max(0, rolled(place, i - 1) - 9);

/** A vector through a matrix in part: 0 leaves it as it is. @param {Vector[]} matrix @param {Vector} x @param {number} t */
const through = (matrix, x, t) => matrix.map((line, i) => x[i] + (dot(line, x) - x[i]) * t);

/**
 * The four parts of the dot product of two sums, each of a word and a row: words, rows, mixed, mixed.
 * @param {{ words: [Vector, Vector], rows: [Vector, Vector], matrices: [Vector[], Vector[]], t: number }} sums
 *   `t` is how much of the matrices is there.
 */
export function terms({ words, rows, matrices, t }) {
  const [word, other] = words.map((x, i) => through(matrices[i], x, t));
  const [place, further] = rows.map((x, i) => through(matrices[i], x, t));
  return [dot(word, other), dot(place, further), dot(word, further), dot(place, other)];
}

/** Least and most of every column in training. @param {Vector} speeds @param {number} places */
export function trainedRange(speeds, places) {
  const rows = Array.from({ length: places }, (_, place) => row(speeds, place));
  return rows[0].map((_, column) => {
    const values = rows.map((one) => one[column]);
    return [Math.min(...values), Math.max(...values)];
  });
}
