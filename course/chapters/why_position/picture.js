// Why position: words that are dragged into another order, and what attention makes of them.

import byHand from "./by_hand.js";
import { WAYS, orderOf } from "./attention.js";
import data from "./data.js";
import { bitsOf, lengths } from "../../page/lengths.js";
import { svg } from "../../page/lit/lit.js";
import { chain } from "./chain.js";
import { count } from "./count.js";
import * as model from "./model.js";
import { links, outputs } from "./outputs.js";
import { roomOf } from "./room.js";
import { telling } from "./telling.js";
import { ways } from "./ways.js";
import * as words from "./words.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

const TRAINED = data.trained;
const bits = bitsOf(data);
const SUBTRACT = WAYS.indexOf("subtract");
const WANTED = 10; // the token that gives the first one a tenth
/** Small models, and the longest of their texts. */
const MEASURED = /** @type {const} */ ({
  names: ["nope", "sinusoidal", "t5", "alibi", "rope"],
  strong: ["nope", "alibi", "rope"],
  whole: [],
  doublings: 2,
  most: 5,
});

export const start = {
  places: model.TYPED, // of the words
  picked: { word: model.BITES, channel: 3 }, // the query, and the number of its output that is looked at
  way: 0, // how places are told: an index of WAYS, or between two
  mask: 0,
  most: 1.3, // the longest bar that fits in
  query: 4, // the token of the longer text that asks
  length: 0, // of the measured texts, in doublings
  known: 0, // 1: the measured curves may be seen
  laid: 0, // how far the numbers of one *the* have gone to the other's
  free: 1, // 1: words can be dragged; from here on: how much of it is there
  asking: 0,
  story: 0,
  nums: 0,
  links: 0,
  compare: 0,
  chain: 0,
  twins: 0,
  switch: 0,
  count: 0,
  far: 0,
};

const SHARES = { nums: 1, links: 1, asking: 1 };
const TELLING = { nums: 1, compare: 1, switch: 1, most: 1.8 };

/** @type {Record<string, PictureStep>} */
export const steps = {
  story: {
    at: { story: 1 },
    goal: (s) => model.story(s)?.biter === model.MAN,
  },
  bag: {
    also: ["words"],
    at: SHARES,
    after: { places: model.OTHERS, compare: 1 },
    slow: 1800,
    goal: (_, seen) => orders(seen) > 2,
  },
  sum: {
    also: ["words", "k", "outputs"],
    at: { ...SHARES, chain: 1 },
    after: { places: model.MIRRORED },
    slow: 2400,
    goal: (_, seen) => orders(seen) > 1,
  },
  twins: {
    also: ["words", "outputs", "k", "q"],
    at: { nums: 1, twins: 1, picked: { word: model.THE, channel: 3 } },
    after: { laid: 1, links: 1, asking: 1 },
    slow: 1000,
    goal: (_, seen) => seen.has(`word ${model.OTHER_THE}`),
  },
  mask: {
    also: ["words", "outputs", "new", "k", "q"],
    at: { ...SHARES, mask: 1, most: 2 },
    after: { places: [1, 0, 2, 3, 4], compare: 1 },
    slow: 1800,
    goal: (s) => model.changeOf(model.nowOf(s), model.BITES) > model.NOTHING,
  },
  count: {
    also: ["words", "first", "shares", "dots"],
    at: { count: 1, free: 0 },
    goal: (s) => Math.round(s.query) === WANTED,
  },
  tell: {
    also: ["words", "outputs", "q"],
    at: { ...TELLING, places: model.OTHERS },
    goal: (_, seen) => WAYS.slice(1).every((way) => seen.has(way)),
  },
  mirror: {
    also: ["words", "outputs", "new", "ways", "places", "q"],
    at: { ...TELLING, places: model.MIRRORED, compare: 0 },
    after: { way: SUBTRACT, compare: 1 },
    slow: 1600,
    goal: (s) => s.mask > 0.9 && Math.round(s.way) === SUBTRACT && model.change(s) > model.NOTHING,
  },
  ahead: {
    also: ["curve", "length"],
    at: { far: 1, free: 0 },
    after: { length: 2, known: 1 },
    slow: 1600,
    goal: (s) => s.known > 0.9 && bits("rope", s.length) < bits("nope", s.length),
  },
};

/** How many orders were dropped. @param {Set<string>} seen */
const orders = (seen) => [...seen].filter((one) => one.includes(",")).length;
/** With a digit after the point where there is one. @param {Stage["number"]} number @param {number} value */
const short = (number, value) => number(value, Number.isInteger(value) ? 0 : 1);

/** @type {Picture["told"]} */
export const told = {
  change: (s, { number }) => number(model.change(s), 2),
  word: (s, stage) => words.wordsOf(stage)[s.picked.word],
  output: (s, { number }) => number(model.nowOf(s).outputs[s.picked.word][s.picked.channel], 2),
  query: (s, { number }) => number(s.query),
  first: (s, { number }) => short(number, 100 / Math.round(s.query)),
  sentence: (s, stage) =>
    orderOf(s.places)
      .map((word) => words.wordsOf(stage)[word])
      .join(" "),
  trained: (_, { number }) => number(TRAINED),
  means: (s, { say }) => (s.known > 0.5 ? say("means") : ""),
  long: (_, { number }) => number(TRAINED * 2 ** MEASURED.doublings),
  length: (s, { number }) => number(TRAINED * 2 ** s.length),
};

/** @param {State} s */
function spoken(s) {
  if (s.far > 0.5) return "say_measured";
  if (s.count > 0.5) return "say_count";
  if (s.chain > 0.5) return "say_sum";
  if (s.story > 0.5) return model.story(s) ? "say_story" : "say_nobody";
  return s.compare > 0.5 ? "say_change" : "say_order";
}

/** @param {Stage} stage */
function build(stage) {
  const cards = words.makeCards(stage);
  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    const room = roomOf(box, s);
    const now = model.nowOf(s);
    return svg`
      ${outputs(s, room, stage, now)}
      ${links(s, room, stage, now)}
      ${chain(s, room, stage, now)}
      ${words.told(s, room, stage)}
      ${words.places(s, room, stage)}
      ${telling(s, room, stage)}
      ${count(s, room, stage)}
      ${cards(s, room)}
      ${ways(s, room, stage)}
      ${lengths(s, room, stage, data, MEASURED)}`;
  };
}

export default { start, steps, told, spoken, byHand, build };
