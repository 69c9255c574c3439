// RoPE in numbers: how fast the pairs turn, the angle between two hands, and their score.

import { TURN, clamp } from "../shapes.js";

/**
 * Radians a place of every pair: base^(-i / pairs). Su et al. 2021, section 3.2.2.
 * @param {number} pairs
 * @param {number} base
 */
export const invFreq = (pairs, base) =>
  Array.from({ length: pairs }, (_, i) => base ** (-i / pairs));

/**
 * The score of two vectors whose pairs have these products: a sum of cosines. Su et al. 2021, 3.2.2.
 * @param {number[]} speeds Radians a place.
 * @param {number[]} content Angle from key to query at distance 0, radians.
 * @param {number[]} sizes Product of the two lengths in a pair.
 * @param {number} distance
 * @param {number} count How many pairs are added up; a part of one counts in part.
 */
export const score = (speeds, content, sizes, distance, count = speeds.length) =>
  speeds.reduce(
    (sum, speed, i) =>
      sum + clamp(count - i, 0, 1) * sizes[i] * Math.cos(speed * distance + content[i]),
    0,
  );

/** Shares of the whole that scores get. @param {number[]} scores */
export function softmax(scores) {
  const highest = Math.max(...scores);
  const powers = scores.map((one) => Math.exp(one - highest));
  const all = powers.reduce((sum, one) => sum + one, 0);
  return powers.map((one) => one / all);
}

/** The widest angle of a pair between two words of a training text. @param {number} speed @param {number} trained */
export const widest = (speed, trained) => (trained - 1) * speed;

/**
 * Whether a distance turns a pair to where training never was: round the circle, more than one place
 * past its widest angle.
 * @param {number} speed @param {number} distance @param {number} trained
 */
export const isNew = (speed, distance, trained) =>
  widest(speed, trained) < TURN &&
  (distance * speed) % TURN > widest(speed, trained) + speed * 1.001;
