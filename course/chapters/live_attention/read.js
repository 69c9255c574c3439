// What the model said about the sentence, at a stop and on the way to the next.

import data from "./data.js";
import { mostBack, shareBack, shareFirst } from "./habits.js";
import { mix } from "../../page/shapes.js";

/** @import { State } from "../../page/types" */

/** In a triangle that is written row by row. @param {number} i @param {number} j */
const at = (i, j) => (i * (i + 1)) / 2 + j;

export const WORDS = data.words;
export const COUNT = WORDS.length;
export const LAST = COUNT - 1;
export const SECOND = data.second; // first word of the sentence that is said again
export const STOPS = data.pressed.previous.length - 1;
export const GAPS = data.gaps;
export const FAR = [0, ...[1, 2, 3, 4, 5].map((power) => 10 ** power)];
/** What the resting head gives the word that came next, from the last word, by the gap. */
export const WOKEN = data.apart.rest.map((weights) => weights[at(LAST, SECOND - 2)]);
export const HEADS = /** @type {const} */ (["previous", "rest", "copy"]);
export const CLEAR = 0.4; // share from which on a habit is what a head does

/** Between the two nearest stops. @param {number[][]} stops @param {number} stop @param {number} i @param {number} j */
function blended(stops, stop, i, j) {
  const low = Math.floor(stop);
  const high = Math.min(stops.length - 1, low + 1);
  return mix(stops[low][at(i, j)], stops[high][at(i, j)], stop - low);
}

/** Of the query i to the key j. @param {State} s @param {number} i @param {number} j */
export function weight(s, i, j) {
  let sum = 0;
  HEADS.forEach((name, head) => {
    if (s.heads[head] < 1e-3) return;
    const apart = s.gap > 0 && name !== "previous" ? data.apart[name] : null;
    sum +=
      s.heads[head] *
      (apart ? blended(apart, s.gap, i, j) : blended(data.pressed[name], s.press, i, j));
  });
  return sum;
}
/** @param {State} s */
const of = (s) => (/** @type {number} */ i, /** @type {number} */ j) => weight(s, i, j);

/** Which head is drawn. @param {State} s */
export const headOf = (s) => HEADS[s.heads.indexOf(Math.max(...s.heads))];
/** @param {State} s */
export const query = (s) => Math.round(s.query);
/** @param {State} s */
export const stopOf = (s) => Math.round(s.press);
/** @param {State} s */
export const gapOf = (s) => GAPS[Math.round(s.gap)];
/** By what all distances are multiplied. @param {State} s */
export const scaleOf = (s) => 1 - s.press / STOPS;
/** The places that are added to all words. @param {State} s */
export const farOf = (s) => (s.far < 0.02 ? 0 : 10 ** s.far);

/** The place that the model is told for a word. @param {State} s @param {number} i */
export function placeOf(s, i) {
  const gap = i >= SECOND && s.gap > 0.02 ? between(s.gap) : 0;
  return i * scaleOf(s) + farOf(s) + gap;
}
/** @param {number} stop */
const between = (stop) =>
  mix(GAPS[Math.floor(stop)], GAPS[Math.ceil(stop)], stop - Math.floor(stop));

/** The key that a query looks at most. @param {State} s @param {number} i */
export function bestOf(s, i) {
  let best = 0;
  for (let j = 1; j <= i; j++) if (weight(s, i, j) > weight(s, i, best)) best = j;
  return best;
}

/** @param {State} s */
export const back = (s) => mostBack(of(s), COUNT);
/** @param {State} s @param {number} count */
export const backShare = (s, count) => shareBack(of(s), COUNT, count);
/** @param {State} s */
export const firstShare = (s) => shareFirst(of(s), COUNT);
/** Whether the head gives the first word more than any word so and so many back. @param {State} s */
export const rests = (s) => firstShare(s) > backShare(s, back(s));
/** Mean attention of the second sentence to the word after the same word in the first. @param {State} s */
export function copyShare(s) {
  let sum = 0;
  for (let i = SECOND; i < COUNT; i++) sum += weight(s, i, i - SECOND + 1);
  return sum / (COUNT - SECOND);
}

/** A part of the score of head 16.0 as it was trained. @param {"content" | "position"} part @param {number} i @param {number} j */
export const scoreOf = (part, i, j) => data.scores[part][at(i, j)];
/** @param {number} i @param {number} j */
export const sumOf = (i, j) => scoreOf("content", i, j) + scoreOf("position", i, j);
/** How many of the heads rest on the first word. @param {State} s */
export const resting = (s) => clear(firsts(s));
/** @param {number[]} shares */
const clear = (shares) => shares.filter((share) => share >= CLEAR).length;
/** Share that each head gives to the first word. @param {State} s */
export const firsts = (s) => data.firsts[stopOf(s)];

/** The likeliest next words and how likely they are. @param {State} s @returns {[string, number][]} */
export const nextWords = (s) =>
  /** @type {any} */ (s.gap > 0.02 ? data.nextApart[Math.round(s.gap)] : data.next[stopOf(s)]);
