// Reading further than trained, in numbers: by how much each pair of SmolLM2-135M is slowed, and
// what that does to its angles, to neighbours, and to two pairs together.

import { invFreq, widest } from "../../page/formulas/rotation.js";
import { TURN, clamp, wrapped } from "../../page/shapes.js";

export const PAIRS = 32; // head_dim 64
export const BASE = 100000;
export const TRAINED = 8192; // tokens
export const FACTOR = 4;
export const TARGET = FACTOR * TRAINED;

export const SPEEDS = invFreq(PAIRS, BASE);
/** In training, of each pair. */
export const TURNS = SPEEDS.map((speed) => (TRAINED * speed) / TURN);

/** The first pair that made no full turn in training. */
export const LATE = TURNS.findIndex((turns) => turns < 1);

/** How much a pair is slowed, on the scale that is drawn: 0 as trained, 1 by the factor. @param {number} u */
export const slowed = (u) => FACTOR ** u;
/** @param {number} slow */
export const level = (slow) => Math.log(slow) / Math.log(FACTOR);

/** The pair, in between two as well, that made so many turns in training. @param {number} turns */
export const pairAt = (turns) => (PAIRS * Math.log(TRAINED / (TURN * turns))) / Math.log(BASE);

/** By how much a pair is slowed that keeps a share of its speed, the rest divided by the factor. @param {number} keep */
const blend = (keep) => 1 / ((1 - keep) / FACTOR + keep);

/** YaRN as released: a ramp that is even in the number of the pair. */
export function yarn() {
  const [low, high] = [Math.floor(pairAt(32)), Math.ceil(pairAt(1))];
  return SPEEDS.map((_, i) => blend(1 - clamp((i - low) / (high - low), 0, 1)));
}

/**
 * A ramp that is even in the turns of training: NTK-by-parts from 32 to 1, Llama 3 from 4 to 1.
 * @param {number} fast Turns from which on a pair is kept.
 * @param {number} slow Turns up to which it is slowed by the whole factor.
 */
export const ramp = (fast, slow) =>
  TURNS.map((turns) => blend(clamp((turns - slow) / (fast - slow), 0, 1)));

/** How much each pair is slowed, by method. */
export const METHODS = {
  linear: SPEEDS.map(() => FACTOR),
  ntk: SPEEDS.map((_, i) => FACTOR ** (i / (PAIRS - 1))),
  yarn: yarn(),
};
/** @typedef {keyof typeof METHODS} Method */

/**
 * Radians that a text brings to a pair and training did not.
 * @param {number} i @param {number} slow @param {number} length
 */
export function unseen(i, slow, length) {
  const reached = Math.min(((length - 1) * SPEEDS[i]) / slow, TURN);
  return Math.max(0, reached - Math.min(widest(SPEEDS[i], TRAINED), TURN));
}

/** More than one place past the widest of training. @param {number} i @param {number} slow @param {number} length */
export const isNew = (i, slow, length) => unseen(i, slow, length) > SPEEDS[i] * (1 + 1e-9);

/** @param {number[]} slows @param {number} length */
export const newOnes = (slows, length) => slows.filter((slow, i) => isNew(i, slow, length)).length;

/** Squared distance of two points of a circle. @param {number} angle */
export const chord = (angle) => 2 - 2 * Math.cos(angle);

/** @param {number[]} slows */
const neighbours = (slows) => slows.reduce((sum, slow, i) => sum + chord(SPEEDS[i] / slow), 0);

/** How far neighbours stand apart, as a share of training. @param {number[]} slows */
export const nearness = (slows) => Math.sqrt(neighbours(slows) / neighbours(SPEEDS.map(() => 1)));

/** Half for dials that meet no new angle, half for neighbours where they were; of 100. @param {number[]} slows @param {number} length */
export function score(slows, length) {
  const all = SPEEDS.map(() => 1);
  const before = newOnes(all, length);
  const covered = before ? 1 - newOnes(slows, length) / before : 1;
  const least = 1 / FACTOR;
  return 50 * covered + 50 * clamp((nearness(slows) - least) / (1 - least), 0, 1);
}

/** Tokens up to which nothing is new. @param {number[]} slows */
export const reach = (slows) => Math.floor(TRAINED * Math.min(...slows.slice(LATE))) + 1;

/**
 * Dial `i` and the next as the long and the short hand of one clock: where they stand, where training
 * had the short hand whenever the long one stood there, and by how much it is off the nearest of these.
 * @param {number} i @param {number[]} slows @param {number} distance
 */
export function handsAt(i, slows, distance) {
  const [long, short] = [i, i + 1].map((j) => (distance * SPEEDS[j]) / slows[j]);
  const first = (long - TURN * Math.floor(long / TURN)) / SPEEDS[i]; // words back, in training
  const times = Math.floor((TRAINED - 1 - first) / (TURN / SPEEDS[i])) + 1;
  const then = Array.from(
    { length: times },
    (_, k) => (first + (k * TURN) / SPEEDS[i]) * SPEEDS[i + 1],
  );
  const offs = then.map((angle) => wrapped(short - angle));
  const off = offs.reduce((best, one) => (Math.abs(one) < Math.abs(best) ? one : best));
  return { long, short, then, off };
}

/** Softmax: the share of a key whose score leads all others by `lead`. @param {number} keys @param {number} lead */
export const share = (keys, lead) => 1 / (1 + (keys - 1) * Math.exp(-lead));

/** The A that gives such a key the share of the trained length. @param {number} keys @param {number} lead */
export const neededFactor = (keys, lead) =>
  Math.sqrt(1 + Math.log((keys - 1) / (TRAINED - 1)) / lead);

/** Of the logarithm, in YaRN's rule. */
export const TENTH = 0.1;
/** YaRN's A for a text of so many keys. @param {number} keys */
export const yarnFactor = (keys) => TENTH * Math.log(Math.max(1, keys / TRAINED)) + 1;
