// Relative positions in numbers: Shaw's labels, Transformer-XL's rows, T5's braces and their shares.

import { clamp } from "../shapes.js";

/**
 * How far the key is from the query, cut at `limit` on both sides: the past is negative.
 * Shaw et al. 2018, section 3.2.
 * @param {number} i Place of the query.
 * @param {number} j Place of the key.
 * @param {number} limit
 */
export const clipped = (i, j, limit) => clamp(j - i, -limit, limit);

/** The row of the table that belongs to a pair. @param {number} i @param {number} j @param {number} limit */
export const rowOf = (i, j, limit) => clipped(i, j, limit) + limit;

/**
 * The sinusoid of a distance: all sines, then all cosines. Dai et al. 2019, section 3.3.
 * @param {number} distance
 * @param {number} width Even.
 * @param {number} base
 */
export function sinusoid(distance, width, base = 10000) {
  const angles = Array.from({ length: width / 2 }, (_, i) => distance * base ** ((-2 * i) / width));
  return [...angles.map(Math.sin), ...angles.map(Math.cos)];
}

/**
 * T5's bucket of a distance, for a query that sees back only. Raffel et al. 2019, section 2.1.
 * @param {number} distance Words back, 0 or more.
 * @param {number} buckets
 * @param {number} most The setting `max_distance`.
 */
export function t5Bucket(distance, buckets = 32, most = 128) {
  const exact = Math.floor(buckets / 2);
  if (distance < exact) return distance;
  const ratio = Math.log(distance / exact) / Math.log(most / exact);
  return Math.min(exact + Math.floor(ratio * (buckets - exact)), buckets - 1);
}

/** @typedef {{ from: number, to: number }} Brace Distances that share a number; the last has no end. */

/** @param {number} buckets @param {number} most @returns {Brace[]} */
export function braces(buckets = 32, most = 128) {
  const found = Array.from({ length: buckets }, () => ({ from: Infinity, to: 0 }));
  for (let distance = 0; distance <= most; distance++) {
    const brace = found[t5Bucket(distance, buckets, most)];
    brace.from = Math.min(brace.from, distance);
    brace.to = distance;
  }
  found[buckets - 1].to = Infinity;
  return found;
}

/** How many words of a text share a brace. @param {Brace} brace @param {number} length Words, the query's own included. */
export const wordsIn = ({ from, to }, length) => Math.max(0, Math.min(to, length - 1) - from + 1);

/**
 * What the last query of a text gives to each brace if only the learned numbers speak.
 * @param {number[]} numbers One for each brace, added to the score.
 * @param {Brace[]} all
 * @param {number} length Words that the query sees, its own included.
 */
export function shares(numbers, all, length) {
  const weights = all.map((brace, b) => wordsIn(brace, length) * Math.exp(numbers[b]));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}
