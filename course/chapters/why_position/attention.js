// One head of attention over a few words that may stand anywhere: Vaswani et al. 2017, section 3.2.1.

import { penalty, slope } from "../../page/formulas/penalties.js";
import { invFreq, softmax } from "../../page/formulas/rotation.js";
import { clamp } from "../../page/shapes.js";
import { dot, row } from "../../page/formulas/sinusoids.js";

/** @typedef {number[]} Vector */
/** @typedef {{ words: Vector[], matrices: Vector[][] }} Head Embeddings of the words; W_Q, W_K and W_V. */
/** @typedef {{ shares: Vector[], values: Vector[], outputs: Vector[] }} Seen A row for each word. */
/** @typedef {(typeof WAYS)[number]} Way */

/** Nothing; rows of sines added to the words; ALiBi's subtraction; RoPE's turn. */
export const WAYS = /** @type {const} */ (["none", "add", "subtract", "turn"]);

/** @param {Vector[]} matrix A line for each number that comes out. @param {Vector} x */
const through = (matrix, x) => matrix.map((line) => dot(line, x));

/**
 * How much a query sees of another word: all of one before it, nothing of one after it, and a part
 * while the two pass each other.
 * @param {number} query Its place. @param {number} key
 */
const before = (query, key) => clamp((query - key + 1) / 2, 0, 1);

/** Pairs of channels turned by the place, as RoPE does. @param {Vector} x @param {number} place */
function turned(x, place) {
  const speeds = invFreq(x.length / 2, 10000);
  return speeds.flatMap((speed, i) => {
    const [a, b] = [x[2 * i], x[2 * i + 1]];
    const [cos, sin] = [Math.cos(place * speed), Math.sin(place * speed)];
    return [a * cos - b * sin, a * sin + b * cos];
  });
}

/**
 * @param {Head} head
 * @param {number[]} places Of the words.
 * @param {Way} way How attention is told the places.
 * @param {number} mask 0: every word sees all; 1: only itself and those before it.
 * @returns {Seen}
 */
export function attend({ words, matrices }, places, way, mask) {
  const width = words[0].length;
  const speeds = invFreq(width / 2, 10000);
  const inputs = words.map((word, i) =>
    way === "add" ? row(speeds, places[i]).map((x, channel) => word[channel] + x) : word,
  );
  const [queries, keys, values] = matrices.map((matrix) => inputs.map((x) => through(matrix, x)));
  const told = (/** @type {Vector} */ x, /** @type {number} */ i) =>
    way === "turn" ? turned(x, places[i]) : x;
  const shares = queries.map((query, i) =>
    softmax(
      keys.map((key, j) => {
        const lost = way === "subtract" ? penalty(slope(1), Math.abs(places[i] - places[j])) : 0;
        const seen = i === j ? 1 : 1 - mask + mask * before(places[i], places[j]);
        return dot(told(query, i), told(key, j)) / Math.sqrt(width) - lost + Math.log(seen);
      }),
    ),
  );
  const outputs = shares.map((row) =>
    values[0].map((_, channel) =>
      row.reduce((sum, share, j) => sum + share * values[j][channel], 0),
    ),
  );
  return { shares, values, outputs };
}

/**
 * Places of words in a row, one of which is held at a place between: the others make way evenly.
 * @param {number[]} order The words as they stand, without the one that is held.
 * @param {number} held
 * @param {number} place
 */
export function makeWay(order, held, place) {
  const places = [];
  order.forEach((word, i) => (places[word] = i + clamp(i + 1 - place, 0, 1)));
  places[held] = place;
  return places;
}

/** The words as they stand. @param {number[]} places */
export const orderOf = (places) =>
  places.map((_, word) => word).sort((a, b) => places[a] - places[b]);
