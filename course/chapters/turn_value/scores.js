// A head of an indexer, with its channels paired by halves or by neighbours: what it scores, what is chosen.

import { invFreq } from "../../page/formulas/rotation.js";

export const WORDS = 64;
export const CHANNELS = 16;
export const WANTED = 20; // words back
export const KEPT = 9;
const HALF = CHANNELS / 2;
const SPEEDS = invFreq(HALF, 10000);
// Laid out in halves: each pair of the query is turned back by the wanted distance, keys point ahead.
const QUERY = [
  ...SPEEDS.map((speed) => Math.cos(WANTED * speed)),
  ...SPEEDS.map((speed) => -Math.sin(WANTED * speed)),
];
const KEY = [...SPEEDS.map(() => 1), ...SPEEDS.map(() => 0)];

/** The two channels of a pair. @param {number} i @param {boolean} isNear Neighbours rather than halves. @returns {[number, number]} */
export const pairOf = (i, isNear) => (isNear ? [2 * i, 2 * i + 1] : [i, i + HALF]);

/** Score of the word so many back: ReLU of the product of both turned vectors, as indexers have it. @param {number} back @param {boolean} isNear */
function score(back, isNear) {
  const sum = SPEEDS.reduce((all, speed, i) => {
    const [a, b] = pairOf(i, isNear);
    const [cos, sin] = [Math.cos(speed * back), Math.sin(speed * back)];
    return all + (QUERY[a] * cos - QUERY[b] * sin) * KEY[a] + (QUERY[a] * sin + QUERY[b] * cos) * KEY[b]; // prettier-ignore
  }, 0);
  return Math.max(0, sum) / Math.sqrt(CHANNELS);
}

/** Scores of all words by how far back they are: by halves, by neighbours. */
export const SCORES = [false, true].map((isNear) =>
  Array.from({ length: WORDS }, (_, back) => score(back, isNear)),
);
const ORDERS = SCORES.map((scores) =>
  scores.map((_, back) => back).sort((a, b) => scores[b] - scores[a] || a - b),
);
/** Which words are chosen, as words back. @param {boolean} isNear @param {number} count */
export const chosen = (isNear, count) => new Set(ORDERS[Number(isNear)].slice(0, count));
/** Place of the wanted word among all, from 1. @param {boolean} isNear */
export const rank = (isNear) => ORDERS[Number(isNear)].indexOf(WANTED) + 1;
/** A score between the last that is chosen and the first that is not. @param {boolean} isNear @param {number} count */
export function level(isNear, count) {
  const [scores, order] = [SCORES[Number(isNear)], ORDERS[Number(isNear)]];
  const last = scores[order[count - 1]];
  return count < WORDS ? (last + scores[order[count]]) / 2 : last;
}
/** How many are chosen above a score. @param {boolean} isNear @param {number} height */
export const above = (isNear, height) =>
  SCORES[Number(isNear)].filter((one) => one >= height).length;
