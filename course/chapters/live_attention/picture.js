// Live attention: a sentence that a real model reads, the arcs of three heads, and places that are pressed or moved.

import { svg } from "../../page/lit/lit.js";
import data from "./data.js";
import { backs, curve, heads, next } from "./beside.js";
import { UNFIT, parts } from "./parts.js";
import {
  CLEAR,
  FAR,
  GAPS,
  LAST,
  SECOND,
  STOPS,
  WOKEN,
  WORDS,
  back,
  backShare,
  bestOf,
  farOf,
  firstShare,
  gapOf,
  nextWords,
  query,
  resting,
  rests,
  scaleOf,
  scoreOf,
  stopOf,
  weight,
} from "./read.js";
import { layout } from "./room.js";
import { rail, ruler } from "./ruler.js";
import { arcs, habitShare, heading, makeWords } from "./sentence.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

const PREVIOUS = [1, 0, 0];
const REST = [0, 1, 0];
const COPY = [0, 0, 1];
const NONE = [0, 0, 0];
const ANSWER = WORDS[SECOND - 2]; // what came next in the first sentence
const THREE = 3; // words back
const UNSURE = 0.65; // of the attention
/** The first gap that the word is not found across half of the time. */
const HALF = data.found.findIndex((share, stop) => stop > 0 && share < 0.5);

export const start = {
  heads: PREVIOUS, // how much of each head is drawn
  query: LAST, // place of the query in the sentence
  press: 0, // stop of the ruler: all distances times 1 - press / 10
  far: 0, // places added to all words, as a power of ten
  gap: 0, // stop of the gap before the second sentence
  curve: 0, // how far the curve is drawn
  known: 0, // 1: how many heads rest is told
  // from here on: how much of it is there
  habit: 1,
  parts: 0,
  backs: 0,
  ruler: 0,
  end: 0,
  rail: 0,
  map: 0,
  next: 0,
  apart: 0,
  line: 0,
  woken: 0,
};

/** @type {Record<string, PictureStep>} */
export const steps = {
  look: {
    also: ["words", "arcs", "head", "q"],
    at: { query: 4, habit: 0 },
    after: { habit: 1 },
    slow: 400,
    goal: (s) => weight(s, query(s), best(s)) < UNSURE,
  },
  parts: {
    also: ["words", "arcs", "head", "shares", "q"],
    at: { parts: 1 },
    goal: (s) => scoreOf("content", query(s), best(s)) < UNFIT,
  },
  shift: {
    also: ["words", "arcs", "head", "shares"],
    at: { ruler: 1, rail: 1 },
    after: { far: FAR.length - 1 },
    slow: 2600,
    goal: (s) => s.far < 0.02,
  },
  press: {
    also: ["words", "arcs", "head", "shares"],
    at: { query: 14, ruler: 1, end: 1, backs: 1 }, // a word that itself comes to look three back
    goal: (s) => back(s) === THREE && !rests(s),
  },
  rest: {
    also: ["words", "arcs", "head", "ruler", "shares"],
    at: { heads: REST, ruler: 1, end: 1, map: 1 },
    after: { known: 1 },
    goal: (s) => stopOf(s) === STOPS,
  },
  copy: {
    also: ["words", "arcs", "head", "shares"],
    at: { heads: COPY, ruler: 1, end: 1, next: 1 },
    goal: (s) => nextWords(s)[0][0] !== ANSWER,
  },
  apart: {
    also: ["words", "arcs", "head", "shares", "ruler"],
    at: { heads: REST, ruler: 1, apart: 1, woken: 1 },
    after: { curve: 1 },
    slow: 1800,
    goal: (s) => s.curve > 0.5 && Math.round(s.gap) === WOKEN.indexOf(Math.max(...WOKEN)),
  },
  beyond: {
    also: ["words", "gap", "ruler", "untrained"],
    at: { heads: NONE, habit: 0, ruler: 1, apart: 1, line: 1 },
    after: { curve: 1, gap: GAPS.length - 1 },
    slow: 2600,
    goal: (s) => s.curve > 0.5 && Math.round(s.gap) === HALF,
  },
};

/** By what distances are multiplied when the head looks three words back. */
const atThree = () =>
  scaleOf({
    press: Array.from({ length: STOPS }, (_, press) => press).find(
      (press) => back({ ...start, press }) === THREE,
    ),
  });

/** @param {(value: number, digits?: number) => string} number @param {number} share */
const percent = (number, share) => `${number(100 * share)}%`;
/** @param {State} s */
const best = (s) => bestOf(s, query(s));

/** @type {Picture["told"]} */
export const told = {
  query: (s) => WORDS[query(s)],
  key: (s) => WORDS[best(s)],
  key_share: (s, { number }) => percent(number, weight(s, query(s), best(s))),
  habit: (s, { number }) => percent(number, habitShare(s)),
  previous: (s, { number }) => percent(number, backShare(s, 1)),
  content: (s, { number }) => number(scoreOf("content", query(s), best(s)), 2),
  position: (s, { number }) => number(scoreOf("position", query(s), best(s)), 2),
  far: (s, { number }) => number(Math.round(farOf(s))),
  all_heads: (_, { number }) => number(data.firsts[0].length),
  far_most: (_, { number }) => number(data.far),
  unfit: (_, { number }) => number(UNFIT, 1),
  unsure: (_, { number }) => percent(number, UNSURE),
  at_three: (_, { number }) => number(atThree(), 1),
  three: (_, { number }) =>
    `${THREE}\u00a0×\u00a0${number(atThree(), 1)}\u00a0=\u00a0${number(THREE * atThree(), 1)}`,
  back: (s) => `${back(s)}`,
  scale: (s, { number }) => number(scaleOf(s), 1),
  places: (s, { number }) => number(back(s) * scaleOf(s), 1),
  resting: (s) => `${resting(s)}`,
  clear: (_, { number }) => percent(number, CLEAR),
  resting_trained: () => `${resting(start)}`,
  first: (s, { number }) => percent(number, firstShare(s)),
  last_first: (s, { number }) => percent(number, weight(s, LAST, 0)),
  copied: (s, { number }) => percent(number, weight(s, LAST, SECOND - 2)),
  next: (s) => nextWords(s)[0][0],
  next_share: (s, { number }) => percent(number, nextWords(s)[0][1]),
  answer: () => ANSWER,
  gap: (s, { number }) => number(gapOf(s)),
  trained: (_, { number }) => number(data.trained),
  texts: (_, { number }) => number(data.texts),
  found: (s, { number }) => percent(number, data.found[Math.round(s.gap)]),
  half: (_, { number }) => number(GAPS[HALF]),
};

/** @param {State} s */
function spoken(s) {
  if (s.line > 0.5) return s.curve > 0.5 ? "say_curve" : "say_waiting";
  if (s.apart > 0.5) return s.curve > 0.5 ? "say_gap" : "say_waiting";
  if (s.next > 0.5) return "say_next";
  if (s.habit < 0.5) return "say_waiting";
  return s.parts > 0.5 ? "say_parts" : "say_query";
}

/** @param {Stage} stage */
function build(stage) {
  const words = makeWords(stage);
  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    const room = layout(box, s);
    return svg`
      ${arcs(s, room)}
      ${ruler(s, room, stage)}
      ${parts(s, room, stage)}
      ${heads(s, room, stage)}
      ${backs(s, room, stage)}
      ${curve(s, room, stage)}
      ${next(s, room, stage)}
      ${rail(s, room, stage, "far")}
      ${rail(s, room, stage, "gap")}
      ${heading(s, room, stage)}
      ${words(s, room)}`;
  };
}

export default { start, steps, told, spoken, build };
