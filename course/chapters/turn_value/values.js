// Values and their sum, turned by places or left alone; and what an output is off that is not turned back.

import { invFreq } from "../../page/formulas/rotation.js";
import { TURN, clamp } from "../../page/shapes.js";
import data from "./data.js";

/** @typedef {[number, number]} Vector */
/** @import { State } from "../../page/types" */

export const STEP = TURN / 9; // radians a place, of the pair that is drawn
export const SLOTS = 9; // places of the strip
export const FURTHEST = SLOTS - 4; // place of the first word
const degrees = TURN / 360;
/** Share of each word, and where its value points. */
export const WORDS = [
  { share: 0.35, angle: 25 * degrees },
  { share: 0.2, angle: 90 * degrees },
  { share: 0.25, angle: -25 * degrees },
  { share: 0.2, angle: -50 * degrees },
];
export const ASKS = WORDS.length - 1; // the word that asks, at the end

/** @param {Vector} vector @param {number} by Radians. @returns {Vector} */
export const turn = ([x, y], by) => [
  x * Math.cos(by) - y * Math.sin(by),
  x * Math.sin(by) + y * Math.cos(by),
];

/** Place of each word; two of them change places. @param {State} s */
export const placesOf = ({ start, swap }) => [start + 2 * swap, start + 1, start + 2 - 2 * swap, start + 3]; // prettier-ignore

/**
 * What each word adds to the sum: its value, by its share, as the state turns it.
 * @param {State} s `own`: by its own place, 0 or 1. @param {number} back By the place of the word that asks: 0 or 1.
 */
export function parts(s, back) {
  const places = placesOf(s);
  return WORDS.map(({ share, angle }, i) =>
    turn(
      [share * Math.cos(angle), share * Math.sin(angle)],
      STEP * s.own * (places[i] - back * places[ASKS]),
    ),
  );
}

/** @param {Vector[]} vectors @returns {Vector} */
export const total = (vectors) => [
  vectors.reduce((sum, [x]) => sum + x, 0),
  vectors.reduce((sum, [, y]) => sum + y, 0),
];

const { numbers, turned, base } = data.shared;
export const PAIRS = turned / 2;
/** Radians a place of each pair that turns. */
export const SPEEDS = invFreq(PAIRS, base);

/**
 * How far an output at a place is from the right one when nobody turns it back, in parts of its
 * length: |R(m) o − o| / |o| where all numbers of o are alike in size.
 * @param {number} place
 */
export const off = (place) =>
  Math.sqrt(
    (2 * SPEEDS.reduce((sum, speed) => sum + (2 * Math.sin((place * speed) / 2)) ** 2, 0)) /
      numbers,
  );

export const LAST = 1_000_000; // place of the ruler
/** Where a place stands on the ruler: 0 to 1. @param {number} place */
export const along = (place) => Math.log10(1 + place) / Math.log10(1 + LAST);
/** @param {number} share */
export const placeAt = (share) => Math.round(10 ** (clamp(share, 0, 1) * Math.log10(1 + LAST)) - 1);
