// The numbers that the chapter on absolute positions shows, from its state.

import data from "./data.js";
import { invFreq } from "../../page/formulas/rotation.js";
import * as sinusoids from "../../page/formulas/sinusoids.js";
import { AFTER_END, BASE, FURTHER, GAP, PAIRS, PLACES } from "./room.js";

/** @import { State } from "../../page/types" */

export const SPEEDS = invFreq(PAIRS, BASE);
export const HIDDEN = 86; // the place that is guessed
export const TELL = 0.5; // radians: hands that are closer look alike
export const ENOUGH = 0.995; // similarity over which two words are hardly told apart
export const JUMP = 40; // a place at which a digit falls by nine
export const ROUND = 6; // places after which the fastest hand is all but round
export const TARGET = 53; // the place of the row that somebody cut out
const SEEN = 0.1; // from number to number, as bars
export const MIXED = { word: 4, place: 97 }; // the sum that is to be taken apart
export const NAMES = Object.keys(data.words);
export const WORDS = Object.values(data.words);
const [DOG, CAT] = WORDS;
const RANGE = sinusoids.trainedRange(SPEEDS, PLACES);

/** @param {State} s */
export const at = (s) => Math.round(s.p);

/** @param {number} place */
export const row = (place) => sinusoids.row(SPEEDS, place);

/** The cosine of two words to which the place itself was added. @param {State} s */
export const similarity = (s) =>
  sinusoids.cosine(
    DOG.map((x) => x + s.p),
    CAT.map((x) => x + s.p),
  );

/** @param {number} hands */
export const fitting = (hands) => sinusoids.alike(SPEEDS.slice(0, hands), HIDDEN, TELL, PLACES);

/** How many numbers of a place's row are those of the row that is looked for, as far as one sees. @param {number} place */
export const fits = (place) =>
  row(place).filter((value, i) => Math.abs(value - row(TARGET)[i]) < SEEN).length;

/** Of two rows so far from each other, at any place. @param {number} distance */
export const product = (distance) => sinusoids.dot(row(0), row(distance));

/** Radians a place of a hand; those of digits turn once in 10, 100 and 1000. @param {number} i @param {State} s */
export function speed(i, s) {
  const decimal = (2 * Math.PI) / 10 ** (i + 1);
  return decimal + (SPEEDS[i] - decimal) * s.real;
}

/** The sum that is given, and the one that is tried. @param {State} s */
export function mixed(s) {
  const given = row(MIXED.place).map((x, i) => x + WORDS[MIXED.word][i]);
  const word = WORDS[Math.round(s.word)];
  return { given, word, tried: row(s.p).map((x, i) => x + word[i]) };
}

/** How far the sum that is tried is from the given one, all numbers together. @param {State} s */
export function off(s) {
  const { given, tried } = mixed({ ...s, p: at(s) });
  return given.reduce((sum, x, i) => sum + Math.abs(x - tried[i]), 0);
}

/** The four parts of dog's score with cat. @param {number} place @param {number} matrices */
export const parts = (place, matrices) =>
  sinusoids.terms({
    words: [DOG, CAT],
    rows: [row(place), row(place + GAP)],
    matrices: /** @type {[number[][], number[][]]} */ (data.matrices),
    t: matrices,
  });

/** @param {number} column */
export const range = (column) => RANGE[column];

/** Which numbers of a row are where training never had them. @param {State} s */
export const unseen = (s) =>
  row(at(s)).map((x, i) => x < RANGE[i][0] - 1e-9 || x > RANGE[i][1] + 1e-9);

/** The cosine of two rows that a model has learned. @param {number} a @param {number} b */
export const likeness = (a, b) => data.likeness[Math.max(a, b)][Math.min(a, b)] / 100;

/** Bits that the byte after a place costs, measured. @param {number} place */
export const bitsAt = (place) => data.bits[Math.min(Math.round(place), data.bits.length - 1)];

/** Their mean over places. @param {number} from @param {number} until Not this one. */
export const meanBits = (from, until) =>
  data.bits.slice(from, until).reduce((sum, bits) => sum + bits, 0) / (until - from);

/** The last place to which the word can be dragged. @param {State} s */
export function lastPlace(s) {
  if (s.bits > 0.5) return FURTHER - 1;
  if (s.table > 0.5) return AFTER_END;
  if (s.terms > 0.5) return PLACES - 1 - GAP;
  return PLACES - 1 - (s.wedges > 0.5 ? Math.round(s.k) : 0);
}
