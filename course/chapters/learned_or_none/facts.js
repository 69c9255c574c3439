// What the pictures compute: scores of like words, shares in a crowd, biases that a word mixes.

import { TURN } from "../../page/shapes.js";
import { invFreq, isNew } from "../../page/formulas/rotation.js";
import data from "./data.js";

export const PAIRS = data.edge.pairs;
/** Radians a place of SmolLM3's pairs. */
export const SPEEDS = invFreq(PAIRS, data.needle.base);
export const TRAINED = data.needle.trained;

/** Score of a key that is like the query, in parts of its score at distance 0; all pairs count alike.
 * @param {number[]} speeds @param {number} distance
 */
export const likeness = (speeds, distance) =>
  speeds.reduce((sum, speed) => sum + Math.cos(speed * distance), 0) / speeds.length;

/** Which of SmolLM3's pairs a distance turns to where training never was. @param {number} distance */
export const unseen = (distance) => SPEEDS.map((speed) => isNew(speed, distance, TRAINED));

export const FLOOR = 8192; // words from one tooth to the next
/** Factor of Llama 4's queries, in a text of n words. transformers 5.23, modeling_llama4.py. @param {number} words */
export const factor = (words) => 1 + 0.1 * Math.log1p(Math.floor(words / FLOOR));

export const SHORT = 8000;
export const LONG = 1_000_000;
/** Share of a key that leads all others by so much. @param {number} lead @param {number} words */
export const share = (lead, words) => 1 / (1 + (words - 1) * Math.exp(-lead));
/** The same under the factor. @param {number} lead @param {number} words */
export const scaled = (lead, words) => share(lead * factor(words), words);
/** The lead with which the share at the long length is what this lead's is at the short one. @param {number} lead */
export const needed = (lead) => lead + Math.log((LONG - 1) / (SHORT - 1));
/** How much better the odds are at the long length than at the short one, as a logarithm. @param {number} lead */
export const gained = (lead) => lead * factor(LONG) - needed(lead);

export const EXTENT = 1024; // words that profiles know
/** Three profiles that were made up, from 1 word back on; each is 1 at its highest. */
export const PROFILES = /** @type {const} */ ([
  (/** @type {number} */ d) => Math.exp(-d / 8),
  (/** @type {number} */ d) => Math.exp(-2 * Math.log(d / 100) ** 2),
  (/** @type {number} */ d) => (6.75 * d ** 2 * (EXTENT - d)) / EXTENT ** 3,
]);

/** Bias that so much of each profile makes. transformers 5.23, modeling_inkling.py.
 * @param {number[]} mix @param {number} distance
 */
export const bias = (mix, distance) =>
  distance < 0 || distance >= EXTENT
    ? 0
    : mix.reduce((sum, part, i) => sum + part * PROFILES[i](distance), 0);

/** The distance with the largest bias. @param {number[]} mix */
export function peak(mix) {
  let best = 1;
  for (let d = 2; d < EXTENT; d++) if (bias(mix, d) > bias(mix, best)) best = d;
  return best;
}

const { lowest, each, reach } = data.edge;
export const BASES = { lowest, highest: lowest + (reach.length - 1) / each, each };
/** A base of the grid, by its logarithm. @param {number} log */
export const onGrid = (log) => Math.round(log * each) / each;
/** First distance at which a like word scores below zero. @param {number} log Of the base. */
export const reachOf = (log) => reach[Math.round((log - lowest) * each)];
/** The same as points: distance and logarithm of the base. */
export const EDGE = reach.map(
  (distance, i) => /** @type {[number, number]} */ ([distance, lowest + i / each]),
);

/** Turns of the slowest pair within a text. @param {number} base @param {number} words */
export const turns = (base, words) => (words * base ** (-(PAIRS - 1) / PAIRS)) / TURN;

/** Bits after the rotation was left out, between two parts of further training.
 * @param {number} part From 0, as trained, by one for each. @param {number} length Index of the length.
 */
export function bitsAfter(part, length) {
  const rows = data.dropped.bits;
  const [from, to] = [Math.floor(part), Math.ceil(part)];
  return rows[from][length] + (rows[to][length] - rows[from][length]) * (part - from);
}
