// Values that turn: four words and their sum, an output that is not turned back, a matrix that moves, two orders, an indexer.

import data from "./data.js";
import { text, swap, word } from "./hands.js";
import { channels, cut, scores } from "./indexer.js";
import { gap } from "./latent.js";
import { moving } from "./moved.js";
import { orders } from "./orders.js";
import { bar, pairs, ruler } from "./pairs.js";
import { layout } from "./room.js";
import { CHANNELS, KEPT, WANTED, WORDS, chosen, rank } from "./scores.js";
import { strip } from "./strip.js";
import { sums } from "./sums.js";
import { PAIRS, STEP, WORDS as TEXT, off } from "./values.js";
import { svg } from "../../page/lit/lit.js";
import { clamp, degrees } from "../../page/shapes.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

const MUCH = 0.245; // what is written as 25%
const WIDEST = 0.81; // of two keys
const SCENES = ["sums", "pairs", "latent", "boxes", "index"];

export const start = {
  start: 0, // place of the first word
  swap: 0, // 1: the first word and the third have changed places
  own: 0, // 1: values are turned by their places
  place: 0, // of an output that is not turned back
  moved: 0, // 1: a matrix has gone from the words to the query
  at: 0, // place of one word
  near: 0, // channels are paired by halves, or by neighbours: 1
  cut: KEPT, // words that are chosen
  // from here on: how much of it is there
  strip: 0,
  sums: 0,
  two: 0,
  ghosts: 0,
  texts: 0,
  swaps: 0,
  pairs: 0,
  forgot: 0,
  latent: 0,
  boxes: 0,
  index: 0,
};

/** @type {Record<string, PictureStep>} */
export const steps = {
  turned: {
    at: { strip: 1, sums: 1, own: 1, ghosts: 1, texts: 1 },
    also: ["places", "dial", "q", "words", "ann"],
    after: { start: 2 },
    goal: (s) => s.start === 3,
  },
  apart: {
    at: { strip: 1, sums: 1, swaps: 1 },
    also: ["places", "dial", "q", "words", "ann"],
    after: { swap: 1 },
    slow: 1600,
    goal: (s) => s.swap === 0,
  },
  back: {
    at: { strip: 1, sums: 1, own: 1, two: 1, texts: 1, swaps: 1 },
    also: ["places", "dial", "shares", "words", "ann", "out"],
    after: { start: 2 },
    goal: (s) => s.swap === 1,
  },
  forget: {
    at: { pairs: 1, two: 1 },
    also: ["off", "place", "new"],
    after: { forgot: 1 },
    goal: (s) => off(s.place) >= MUCH,
  },
  latent: {
    at: { latent: 1 },
    also: ["scores", "k", "q", "words", "w", "works"],
    after: { moved: 1 },
    slow: 1600,
    goal: (s) => s.moved === 0,
  },
  boxes: {
    at: { strip: 1, boxes: 1 },
    also: ["places", "words", "ann", "gap", "k"],
    after: { at: 1 },
    goal: (s) => gap(Math.round(s.at)) > WIDEST,
  },
  indexer: {
    at: { index: 1 },
    also: ["q", "scores", "cut"],
    after: { near: 1 },
    slow: 1600,
    goal: (s) => s.near === 1 && chosen(true, s.cut).has(WANTED),
  },
};

/** @param {number} part @param {Stage["number"]} number */
function percent(part, number) {
  const p = 100 * part;
  return `${number(p, p === 0 || p >= 9.95 ? 0 : 1)}%`;
}
const { shared, latent } = data;

/** @type {Picture["told"]} */
export const told = {
  step: (_, { number }) => number(degrees(STEP)),
  turned: (_, { number }) => number(degrees(2 * STEP)),
  numbers: (_, { number }) => number(shared.numbers),
  turning: (_, { number }) => number(shared.turned),
  still: (_, { number }) => number(shared.numbers - shared.turned),
  pairs: (_, { number }) => number(PAIRS),
  place: (s, { number }) => number(Math.round(s.place)),
  off: (s, { number }) => percent(off(s.place), number),
  first: (s, { number }) => number(Math.round(s.start)),
  word_place: (s, { number }) => number(Math.round(s.at)),
  gap: (s, { number }) => number(gap(Math.round(s.at)), 2),
  words: (_, { number }) => number(TEXT.length),
  heads: (_, { number }) => number(latent.heads),
  latent: (_, { number }) => number(latent.numbers),
  beside: (_, { number }) => number(latent.turned),
  channels: (_, { number }) => number(CHANNELS),
  kept: (_, { number }) => number(KEPT),
  all: (_, { number }) => number(WORDS),
  wanted: (_, { number }) => number(WANTED),
  rank: (_, { number }) => number(rank(true)),
  chosen: (s, { number }) => number(Math.round(s.cut)),
};

/** @param {State} s */
function spoken(s) {
  if (s.index > 0.5) return chosen(s.near > 0.5, Math.round(s.cut)).has(WANTED) ? "say_chosen" : "say_not"; // prettier-ignore
  if (s.latent > 0.5) return s.moved > 0.5 ? "w_moved" : "w_words";
  if (s.boxes > 0.5) return "say_boxes";
  if (s.pairs > 0.5) return s.forgot > 0.5 ? "say_off" : "say_right";
  return s.swap > 0.5 ? "say_swapped" : "say_text";
}

/** The state with one scene gone before the next comes. @param {State} s @returns {State} */
function scenes(s) {
  const there = SCENES.map((name) => [name, clamp(2 * s[name] - 1, 0, 1)]);
  return { ...s, ...Object.fromEntries(there) };
}

/** @param {Stage} stage */
const build = (stage) => (/** @type {State} */ state, /** @type {Box} */ box) => {
  const s = scenes(state);
  const room = layout(box, s);
  return svg`
    ${strip(s, room, stage)}
    ${sums(s, room, stage)}
    ${pairs(s, room, stage)}
    ${moving(s, room, stage)}
    ${orders(s, room, stage)}
    ${bar(s, room, stage)}
    ${channels(s, room, stage)}
    ${scores(s, room, stage)}
    ${text(s, room, stage)}
    ${swap(s, room, stage)}
    ${word(s, room, stage)}
    ${ruler(s, room, stage)}
    ${cut(s, room, stage)}`;
};

export default { start, steps, told, spoken, build };
