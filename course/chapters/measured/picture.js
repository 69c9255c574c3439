// Measured: one text as a ribbon, what its tokens cost above it as a model reads it in several ways,
// and the keys that were hidden in such a text.

import data from "./data.js";
import { odds, probability } from "../../page/formulas/counts.js";
import { svg } from "../../page/lit/lit.js";
import { makeCurves } from "./curves.js";
import { each, more, shown } from "./each.js";
import { makeFactor } from "./factor.js";
import {
  COUNT,
  askedOf,
  count,
  counts,
  differing,
  isFound,
  isKept,
  keys,
  lengthOf,
  nameOf,
  numberOf,
  placeOf,
} from "./keys.js";
import { ribbon } from "./ribbon.js";
import {
  BLOCK,
  BLOCKS,
  INSIDE,
  LENGTH,
  LONGEST,
  NO_LINES,
  TRAINED,
  blockOf,
  drawn,
  layout,
  lines,
} from "./room.js";
import { DEAREST, TOKENS, tokens, wordAt } from "./tokens.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */
/** @import { Asked } from "./keys.js" */

const [WITHIN] = data.levels.none;
const LAST = data.bits.none[BLOCKS - 1];
const FLAT = Array.from({ length: BLOCKS - INSIDE }, () => WITHIN);
const WAYS = /** @type {const} */ (["linear", "ntk", "yarn"]);
const SURE = 0.1; // bits of a token that the model was sure of
const CLOSE = 2; // bits by which a curve that is drawn may be off
/** What the reader drew, for when the step opens again. */
const kept = { own: FLAT };

export const start = {
  word: 9, // index of the token of the sentence that is looked at
  near: 0, // 1: the first words of a text; 0: all of it
  paid: 1, // of the bars of the sentence
  reader: LENGTH, // token
  reads: 0, // how much of the reader is there; below, too, where nothing else is said
  span: LENGTH, // tokens from left to right
  length: LENGTH, // tokens of the text
  lines: NO_LINES,
  until: LENGTH, // token up to which the model as trained has read
  slid: LENGTH, // the same with a window
  frame: 0, // of the window
  own: FLAT, // bits that the reader drew
  drawn: 0,
  band: 0,
  less: 0, // how much of the window's bits is taken away
  factor: 4, // of YaRN
  dial: 0,
  each: 0, // 1: the texts one by one; 0: their mean
  keys: 0,
  key: 0, // which key is looked at
  way: "none", // in which the keys are asked for
  passage: 1, // the text around the key; 0: the counts
  end: 0,
};

const off = (/** @type {State} */ s, /** @type {number} */ i) =>
  Math.abs(s.own[i - INSIDE] - data.bits.none[i]);
const furthest = (/** @type {State} */ s) => Math.max(...FLAT.map((_, i) => off(s, i + INSIDE)));

/** @type {Record<string, PictureStep>} */
export const steps = {
  bit: {
    also: ["tokens", "bars", "axis"],
    at: { near: 1, paid: 0, word: 4 },
    after: { paid: 1 },
    isRight: (s) => wordAt(s) === DEAREST,
    goal: (s) => wordAt(s) > 0 && TOKENS[wordAt(s)].bits < SURE,
  },
  breaks: {
    also: ["text", "axis", "line_none", "draw", "reader"],
    get at() {
      return { lines: lines("none"), until: TRAINED, drawn: 1, own: kept.own, band: 1 };
    },
    after: { until: LENGTH, reads: 1, reader: TRAINED - BLOCK / 2 }, // where nothing was drawn
    slow: 2400,
    isRight: (s) => furthest(s) <= CLOSE,
    goal: (s) => s.reader > TRAINED && off(s, blockOf(s.reader)) > furthest(s) - 0.01,
  },
  rival: {
    also: ["text", "axis", "line_none", "reader"],
    at: { lines: lines("none"), slid: TRAINED, reader: TRAINED },
    after: { lines: lines("none", "window"), slid: LENGTH, reads: 1, frame: 1, reader: LENGTH },
    slow: 1600,
    goal: (s) => s.reader < TRAINED + 200,
  },
  methods: {
    also: ["texts", "line_none", "way", "ways"],
    at: { lines: lines("none"), each: 1 },
    after: { lines: lines("none", "yarn") },
    seen: ["yarn"],
    goal: (_, seen) => seen.size === WAYS.length,
  },
  forgetting: {
    also: ["text", "axis", "curve", "factor", "zero"],
    at: { lines: lines("window", "ntk", "yarn"), less: 1, dial: 1 },
    goal: (s) => s.factor === 2,
  },
  needle: {
    also: ["text", "keys", "passage"],
    at: { keys: 1, length: TRAINED, key: 1 },
    after: { length: LENGTH, frame: 1 },
    slow: 2000,
    goal: (s) => s.length === LENGTH && isKept(s),
  },
  count: {
    also: ["text", "keys", "counts"],
    at: { keys: 1, passage: 0, way: "yarn" },
    after: { way: "linear" },
    slow: 700,
    goal: (_, seen) => seen.has("ntk") && seen.has("yarn"),
  },
  longer: {
    also: ["text", "keys", "counts"],
    at: { keys: 1, passage: 0, way: "yarn", span: LONGEST },
    after: { length: LONGEST, end: 1 },
    slow: 1400,
    goal: (s) => s.end > 0.99 && lengthOf(s) === TRAINED,
  },
};

const signed = (/** @type {Stage} */ { number }, /** @type {number} */ bits) =>
  (bits > 0 ? "+" : "") + number(bits, 2);
const percent = (/** @type {Stage["number"]} */ number, /** @type {number} */ share) =>
  `${number(100 * share, share > 0.0095 ? 0 : 3)}%`;
/** @param {State} s @param {string} way */
const its = (s, way) => /** @type {Asked} */ (way || s.way);

/** @type {Picture["told"]} */
export const told = {
  word: (s) => TOKENS[wordAt(s)].text,
  word_bits: (s, { number }) => number(TOKENS[wordAt(s)].bits, TOKENS[wordAt(s)].bits < 1 ? 2 : 1),
  word_share: (s, { number }) => percent(number, probability(TOKENS[wordAt(s)].bits)),
  likeliest: (s) => TOKENS[wordAt(s)].likeliest,
  likeliest_share: (s, { number }) => percent(number, probability(TOKENS[wordAt(s)].least)),
  dearest: () => TOKENS[DEAREST].text,
  dearest_bits: (_, { number }) => number(TOKENS[DEAREST].bits, 1),
  dearest_odds: (_, { number }) => number(Math.round(odds(TOKENS[DEAREST].bits) / 1000) * 1000),
  before: (s) =>
    (wordAt(s) > 3 ? "… " : "") +
    TOKENS.slice(Math.max(0, wordAt(s) - 3), wordAt(s))
      .map(({ text }) => text)
      .join(" "),
  sure: (_, { number }) => number(SURE, 1),
  trained: (_, { number }) => number(TRAINED),
  length: (s, { number }) => number(lengthOf(s)),
  whole: (_, { number }) => number(LENGTH),
  longest: (_, { number }) => number(LONGEST),
  token: (s, { number }) => number(s.reader),
  within: (_, { number }) => number(WITHIN, 2),
  last: (_, { number }) => number(LAST, 2),
  close: (_, { number }) => number(CLOSE),
  furthest: (s, { number }) => number(furthest(s), 1),
  drawn: (s, { number }) => number(s.own[s.own.length - 1], 1),
  off: (s, { number }) => number(off(s, Math.max(INSIDE, blockOf(s.reader))), 1),
  window_last: (_, { number }) => number(data.bits.window[BLOCKS - 1], 1),
  dearer: (_, { number }) => number(data.texts.filter((_, i) => more("linear", i) > 0).length),
  shown: (s, { say }) => say(`line_${shown(s) || "none"}`),
  each: (s, stage) => {
    const way = shown(s);
    return way ? data.texts.map((_, i) => signed(stage, more(way, i))).join(", ") : "";
  },
  over_yarn: (s, stage) => signed(stage, data.levels.yarn[1] - data.levels.window[1]),
  over_yarn2: (s, stage) => signed(stage, data.levels.yarn2[1] - data.levels.window[1]),
  factor: (s, { number }) => number(s.factor),
  at_none: (s, { number }) => number(drawn("none", s, blockOf(s.reader)), 1),
  at_window: (s, { number }) => number(drawn("window", s, blockOf(s.reader)), 1),
  name: nameOf,
  number: numberOf,
  place: (s, { number }) => number(placeOf(s)),
  back: (s, { number }) => number(lengthOf(s) - placeOf(s)),
  asked: (s, { number }) => number(askedOf(s)),
  all_asked: (_, { number }) => number(COUNT),
  way: (s, { say }) => say(`line_${s.way}`),
  other: (s, { say }) => say(`line_${s.way === "ntk" ? "yarn" : "ntk"}`),
  found: (s, { number }) => number(Math.max(0, count(lengthOf(s), its(s, "")))),
  found_before: (_, { number }) => number(count(TRAINED, "none")),
  found_ntk: (_, { number }) => number(count(LENGTH, "ntk")),
  differ: (_, { number }) => number(differing(LENGTH, "ntk", "yarn")),
  far_ntk: (_, { number }) => number(count(LONGEST, "ntk")),
  far_yarn: (_, { number }) => number(count(LONGEST, "yarn")),
};

/** @param {State} s */
function spoken(s) {
  if (s.each > 0.5) return shown(s) ? "say_each" : "say_texts";
  if (s.near > 0.5) return s.paid > 0.5 ? "say_word" : "say_waiting";
  if (s.keys > 0.5) return isFound(s, its(s, "")) ? "say_found" : "say_lost";
  if (s.less > 0.5) return "say_factor";
  if (s.drawn > 0.5 && s.until < LENGTH) return "say_drawn";
  return s.reads > 0.5 ? "say_reader" : "say_text";
}

/** @param {Stage} stage */
function build(stage) {
  const { step, isGuessing } = stage;
  const curves = makeCurves(stage);
  const factor = makeFactor(stage);
  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    if (step() === "breaks" && isGuessing()) kept.own = s.own;
    const room = layout(box, s);
    return svg`
      ${curves(s, room)}
      ${each(s, room, stage)}
      ${tokens(s, room, stage)}
      ${factor(s, room)}
      ${counts(s, room, stage)}
      ${keys(s, room, stage)}
      ${ribbon(s, room, stage)}`;
  };
}

export default { start, steps, told, spoken, build };
