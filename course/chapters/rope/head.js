// RoPE: the made-up head of eight pairs and the real one; their angles and scores.

import head from "./data.js";
import { invFreq, score as scoreOf, widest } from "../../page/formulas/rotation.js";
import { TURN, degrees, mix } from "../../page/shapes.js";

/** @import { State } from "../../page/types" */

export const PAIRS = 8;
export const BASE = 1000;
export const TRAINED = 16; // words
export const LONGEST = 31; // the last place of the longest strip
export const SPEEDS = invFreq(PAIRS, BASE);
/** The dials of the real head that move its score most; the others add nearly the same at every distance. */
export const MOVING = [0, 1, 2, 3, 6, 8, 10, 12];
export const ALL = invFreq(head.size.length, head.base);
export const REAL = MOVING.map((i) => ALL[i]);
const ANGLE = MOVING.map((i) => head.angle[i]);
const SIZE = MOVING.map((i) => head.size[i]);
export const [NEAR, FAR] = [1, 7]; // distances that the first dial hardly tells apart: six radians
export const ROW = [2, 1, 0]; // how far the three words of the worked row stand back
export const WORDS = ["the", "red", "boat"]; // labels of the three

/** Radians a place of every pair that is added up. @param {State} s */
export const speeds = (s) =>
  s.real < 0.01 ? SPEEDS : REAL.map((one, i) => mix(SPEEDS[i], one, s.real));
/** Angle between query and key at distance 0: all dials agree at one distance, or the head's own.
 * @param {State} s */
export const content = (s) =>
  s.real < 0.01
    ? SPEEDS.map((speed) => speed * s.bend)
    : SPEEDS.map((speed, i) => mix(speed * s.bend, ANGLE[i], s.real));
/** Product of the lengths of query and key in every pair. @param {State} s */
export const sizes = (s) =>
  s.real < 0.01 ? SPEEDS.map(() => 1) : SIZE.map((size) => mix(1, size, s.real));
/** @param {State} s @param {number} distance */
export const score = (s, distance = s.m - s.n) =>
  scoreOf(speeds(s), content(s), sizes(s), distance, s.dials);
/** Angle from key to query on a dial. @param {number} i @param {State} s */
export const wedge = (i, s) => content(s)[i] + speeds(s)[i] * (s.m - s.n);
/** Whole degrees of the first dial's wedge: its parts as they are written, and their sum. @param {State} s */
export function written(s) {
  const [content, distance] = [degrees(s.bend), degrees(s.m - s.n)];
  return { content, distance, wedge: content + distance };
}
/** What a dial adds to the score, in hundredths, as it is written. @param {number} i @param {State} s */
export const hundredths = (i, s) => Math.round(100 * sizes(s)[i] * Math.cos(wedge(i, s)));
/** The distance that the first dial prefers. @param {State} s */
export const peak = (s) => ((-s.bend % TURN) + TURN) % TURN;
/** Whether a distance turns a dial past its widest angle in training, which was no full turn.
 * @param {number} speed @param {number} distance
 */
export const isNew = (speed, distance) => {
  const limit = widest(speed, TRAINED);
  return limit < TURN && (distance * speed) % TURN > limit + 1e-9;
};
/** @param {State} s */
export const newOnes = (s) => SPEEDS.filter((speed) => isNew(speed, s.m - s.n)).length;
/** The row of three words: scores divided by the root of two numbers. @param {State} s */
export const row = (s) => ROW.map((back) => score({ ...s, dials: 1 }, back) / Math.SQRT2);
