// A key that is made of a latent: by W and then turned, as RoPE has it, or turned first.

import { STEP, turn } from "./values.js";

/** @typedef {[number, number]} Vector */

export const W = [
  [1, 0.8],
  [0, 0.5],
];
/** Where W moves, numbers are whole: of the matrix, the query, and each word. */
export const WHOLE = [
  [1, 2],
  [0, 1],
];
export const ACROSS = [
  [1, 0],
  [2, 1],
]; // its transpose
/** @type {Vector} */
export const QUERY = [1, 2];
/** @type {Vector[]} */
export const KEPT = [
  [2, 1],
  [1, 0],
  [1, 1],
  [0, 1],
];
/** @type {Vector} */
export const LATENT = [0.75, 0.45];

/** @param {number[][]} matrix @param {Vector} vector @returns {Vector} */
export const times = ([[a, b], [c, d]], [x, y]) => [a * x + b * y, c * x + d * y];

/** @param {number} place */
export function rotation(place) {
  const [cos, sin] = [Math.cos(STEP * place), Math.sin(STEP * place)];
  return [
    [cos, -sin],
    [sin, cos],
  ];
}

/** Both keys of a word at a place: made and then turned, turned and then made. @param {number} place */
export function keys(place) {
  return {
    made: turn(times(W, LATENT), STEP * place),
    turned: times(W, turn(LATENT, STEP * place)),
  };
}

/** @param {number} place */
export function gap(place) {
  const { made, turned } = keys(place);
  return Math.hypot(made[0] - turned[0], made[1] - turned[1]);
}
