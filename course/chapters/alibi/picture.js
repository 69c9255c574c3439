// ALiBi: the light that a query throws on the words before it, from a row of ten to a million.

import byHand from "./by_hand.js";
import data from "./data.js";
import { SERIF, typesetter } from "../../page/typeset.js";
import { svg } from "../../page/lit/lit.js";
import { buildLight } from "./light.js";
import { marks } from "./marks.js";
import { endOf, farOf, measured, textOf } from "./measured.js";
import { rails } from "./rails.js";
import {
  EARLIER,
  NEEDLE,
  SIDE,
  WORDS,
  attention,
  backOf,
  isSeen,
  layout,
  needOf,
  poolOf,
  queryOf,
  wordsOf,
} from "./scene.js";
import { inset, lostFar } from "./inset.js";
import { fraction, short, strip } from "./strip.js";
import { penalty, pool, slope } from "../../page/formulas/penalties.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

const [STEEPEST, FLATTEST] = [1, 8]; // heads
const LAST = WORDS - 1;
const WALKED = 60; // words: the query has been moved up the page

export const start = {
  head: STEEPEST,
  bend: 0, // of the line
  q: LAST, // the query's word on the page
  pair: 2, // the nearer of two neighbours, words back
  content: 0, // the needle's score
  zoom: 1, // pages along a side of the map
  far: Math.log10(256), // words back to the needle in the map
  text: 7, // log2 of the tokens of the measured text
  rows: 1, // rails below the page
  lens: 0, // 1: it shows the page of the query
  // from here on: how much of it is there
  strip: 0,
  fan: 0,
  rise: 0,
  page: 0,
  needle: 0,
  map: 0,
  ribbon: 0,
  line: 0,
  slopes: 0,
  contents: 0,
  lengths: 0,
  read: 0,
  read_needle: 0,
};

const STRIP = { strip: 1 };
const PAGE = { page: 1, slopes: 1, head: FLATTEST };
const MAP = { page: 1, map: 1, head: FLATTEST };
const LEAD = 14; // a content score that wins among ten thousand equal words
const FEW = 16; // pages along a side, so that each can be seen as a page

/** @type {Record<string, PictureStep>} */
export const steps = {
  line: {
    at: { ...STRIP, fan: 1, head: 2 },
    also: ["words"],
    goal: (s) => s.head < STEEPEST + 0.05,
  },
  softmax: {
    at: { ...STRIP },
    also: ["q", "words", "bars", "pair", "slope"],
    after: { rise: 1, slopes: 1 },
    goal: (s, seen) => [...seen].some((pair) => pair !== start.pair) && s.head > FLATTEST - 0.1,
  },
  lamp: {
    at: { ...PAGE, read: 1 },
    also: ["words", "slope", "full"],
    after: { head: STEEPEST },
    slow: 1600,
    goal: (s, seen) => {
      if (queryOf(s) < WORDS - WALKED) seen.add("walked");
      return seen.has("walked") && Math.abs(s.head - 5) < 0.05;
    },
  },
  needle: {
    at: { ...PAGE, rows: 2, needle: 1, contents: 1 },
    also: ["q", "light", "slope", "score"],
    goal: (_, seen) => seen.has(STEEPEST) && seen.has(FLATTEST),
  },
  million: {
    at: { ...MAP, zoom: 4, lens: 1, lengths: 1 },
    also: ["light", "pool"],
    after: { zoom: 12 },
    slow: 1600,
    goal: (s) => s.zoom > SIDE - 0.5,
    follows: true,
  },
  far: {
    at: { ...MAP, zoom: FEW, rows: 2, needle: 1, slopes: 1, read_needle: 1 },
    also: ["q", "light", "slope"],
    goal: (s) => backOf(s) >= 1e5,
    follows: true,
  },
  measured: {
    at: { ...MAP, zoom: FEW, ribbon: 1 },
    also: ["words", "begin"],
    after: { text: 11 },
    slow: 2400,
    goal: (s) => textOf(s) === 512,
  },
  bend: {
    at: { page: 1, rows: 3.5, needle: 1, contents: 1, content: LEAD, line: 1 },
    also: ["words", "light", "inset", "q"],
    goal: isSeen,
  },
};

/** @param {number} share @param {Stage} stage @param {number} more Digits. */
function percent(share, { number, say }, more = 0) {
  const p = 100 * share;
  if (p < 0.00095) return say("hardly");
  return `${number(p, more + (p >= 9.95 ? 0 : p >= 0.995 ? 1 : p >= 0.0995 ? 2 : 3))}%`;
}

/** @param {number} m */
const ratio = (m) => Math.exp(-m);
/** @param {number} head */
const need = (head) => penalty(slope(head), LAST - NEEDLE);

/** @type {Picture["told"]} */
export const told = {
  slope: (s) => fraction(s),
  head: (s, { number }) => number(Math.round(s.head)),
  one_step: (s, { number }) => short(number, slope(s.head)),
  divisor: (_, { number }) => number(1 / ratio(slope(STEEPEST)), 2),
  fade: (s, { number }) => number(ratio(slope(s.head)), slope(s.head) > 0.04 ? 2 : 3),
  flat_fade: (_, { number }) => number(ratio(slope(FLATTEST)), 3),
  own: (s, stage) => percent(attention(s).share(0), stage),
  nearer: (s, { number }) => number(s.pair),
  farther: (s, { number }) => number(s.pair + 1),
  pool: (s, { number }) => number(poolOf(s)),
  pool_fifth: (_, { number }) => number(pool(slope(5), EARLIER)),
  pool_share: (s, stage) => percent(poolOf(s) / wordsOf(s), stage),
  words: (s, { number }) => number(wordsOf(s)),
  word: (s, { say }) => wordsIn(say)[queryOf(s)],
  back: (s, { number }) => number(Math.max(0, backOf(s))),
  need: (s, { number }) => amount(number, Math.max(0, needOf(s))),
  need_flat: (_, { number }) => number(need(FLATTEST), 2),
  need_steep: (_, { number }) => number(need(STEEPEST)),
  content: (s, { number }) => amount(number, s.content),
  share: (s, stage) => percent(attention(s).share(Math.max(0, backOf(s))), stage),
  text: (s, { number }) => number(textOf(s)),
  far: (s, { number }) => (textOf(s) > data.trained ? number(farOf(s)) : "–"),
  end_back: (s, { number }) => number(endOf(s)[0]),
  end_found: (s, { number }) => number(endOf(s)[1]),
  far_512: (_, { number }) => number(data.far[512]),
  far_longest: (_, { number }) => number(data.far[2048]),
  alibi_models: (_, { number }) => number(data.runs),
  longest_found: (_, { number }) => number(/** @type {number[]} */ (data.recall[2048].at(-1))[1]),
  lead: (_, { number }) => number(LEAD),
  brightness: (s, stage) => percent(Math.exp(-needOf(s)), stage),
  lost_far: (s, { number }) => amount(number, lostFar(s)),
  lost_one: (s, { number }) => number(penalty(slope(s.head), 1, s.bend), 2),
};

/** Three digits, as far as they say something. @param {(value: number, digits?: number) => string} number @param {number} value */
const amount = (number, value) =>
  number(value, value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2);

/** @param {Stage["say"]} say */
const wordsIn = (say) => say("story").trim().split(/\s+/);

/** @param {State} s */
function spoken(s) {
  if (s.ribbon > 0.5) return textOf(s) > data.trained ? "say_measured" : "say_trained";
  if (s.map > 0.5) return s.needle > 0.5 ? "say_far" : "say_map";
  if (s.line > 0.5) return "say_bend";
  if (s.page > 0.5) return s.needle > 0.5 ? (isSeen(s) ? "say_lit" : "say_dark") : "say_page";
  return s.rise > 0.5 ? "say_pair" : "say_slope";
}

/** @param {Stage} stage */
function build(stage) {
  const words = wordsIn(stage.say);
  const pen = /** @type {CanvasRenderingContext2D} */ (
    document.createElement("canvas").getContext("2d")
  );
  const setter = typesetter(words, pen);
  document.fonts.load(`16px ${SERIF}`).then(() => {
    setter.measure();
    stage.set({});
  });
  const light = buildLight(stage, words, setter.width);

  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    const room = layout(box, s, setter.typeset);
    light(s, room);
    return svg`
      <desc>${stage.say("story")}</desc>
      ${strip(s, room, stage, (share, more) => percent(share, stage, more))}
      ${inset(s, room, stage)}
      ${measured(s, room, stage)}
      ${marks(s, room, stage)}
      ${rails(s, room, stage)}`;
  };
}

export default { start, steps, told, spoken, byHand, build };
