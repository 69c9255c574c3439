// What the head of this chapter sees, as a function of the picture's state.

import { WAYS, attend, orderOf } from "./attention.js";
import data from "./data.js";
import { clamp, mix } from "../../page/shapes.js";

/** @import { State } from "../../page/types" */
/** @import { Seen } from "./attention.js" */

export const [THE, DOG, BITES, OTHER_THE, MAN] = [0, 1, 2, 3, 4];
const KINDS = [0, 1, 2, 0, 3]; // both *the* are one word
export const COUNT = KINDS.length;
export const WIDTH = data.words[0].length; // numbers of an output
const HEAD = { words: KINDS.map((kind) => data.words[kind]), matrices: data.matrices };
export const TYPED = KINDS.map((_, word) => word);
export const OTHERS = [0, 4, 2, 3, 1]; // the man bites the dog
export const MIRRORED = [4, 3, 2, 1, 0];
export const NOTHING = 1e-9; // a rounding is no change
export const TOKENS = 12; // of the longer text

/** What lies between two rows of numbers. @param {number[][]} a @param {number[][]} b @param {number} t */
const blend = (a, b, t) => a.map((row, i) => row.map((x, j) => mix(x, b[i][j], t)));

/** Of a whole way or between two. @param {number[]} places @param {State} s @returns {Seen} */
function seenAt(places, { way, mask }) {
  const low = clamp(Math.floor(way), 0, WAYS.length - 1);
  const one = attend(HEAD, places, WAYS[low], mask);
  if (way - low < 1e-6) return one;
  const other = attend(HEAD, places, WAYS[low + 1], mask);
  const t = way - low;
  return {
    shares: blend(one.shares, other.shares, t),
    values: blend(one.values, other.values, t),
    outputs: blend(one.outputs, other.outputs, t),
  };
}

/**
 * @typedef {Seen & { typed: number[][], terms: number[], word: number, channel: number }} Now
 *   `typed`: outputs in the first order; `terms`: what the number that is looked at is a sum of.
 */

/** @param {State} s @returns {Now} */
export function nowOf(s) {
  const seen = seenAt(s.places, s);
  const { word, channel } = s.picked;
  return {
    ...seen,
    typed: seenAt(TYPED, s).outputs,
    terms: seen.shares[word].map((share, j) => share * seen.values[j][channel]),
    word,
    channel,
  };
}

/** The largest change of a number of a word. @param {Now} now @param {number} word */
export const changeOf = ({ outputs, typed }, word) =>
  Math.max(...outputs[word].map((x, channel) => Math.abs(x - typed[word][channel])));

/** @param {State} s */
export function change(s) {
  const now = nowOf(s);
  return Math.max(...TYPED.map((word) => changeOf(now, word)));
}

/** The order in words, for which the two *the* are one. @param {State} s */
export const reading = (s) =>
  orderOf(s.places)
    .map((word) => KINDS[word])
    .join();

/** Who bites and who is bitten; null if this is no sentence. @param {State} s */
export function story(s) {
  const [first, biter, verb, second, bitten] = orderOf(s.places);
  const isThe = (/** @type {number} */ word) => KINDS[word] === KINDS[THE];
  const isSentence = isThe(first) && isThe(second) && verb === BITES;
  return isSentence ? { biter, bitten } : null;
}
