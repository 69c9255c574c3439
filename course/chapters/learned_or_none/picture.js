// Layers that know no positions, biases that words mix, bases and lengths: seven pictures on one ruler.

import data from "./data.js";
import { ASKED, TARGET, baseOf, bases } from "./bases.js";
import { crowd, percent } from "./crowd.js";
import { drop } from "./drop.js";
import { EXTENT, FLOOR, LONG, SHORT, SPEEDS, TRAINED, factor, gained, likeness, onGrid, peak, reachOf, scaled, share } from "./facts.js"; // prettier-ignore
import { fall, mask, placeOf } from "./mask.js";
import { HIGHEST, mixOf, mixer } from "./mixer.js";
import { backOf, needle } from "./needle.js";
import { apart, layout } from "./room.js";
import { towers, without } from "./towers.js";
import { svg } from "../../page/lit/lit.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

const FAR = 300_000; // words back
const EVEN = 0.12; // of two odds, as a logarithm: the shares look the same
const SMALL = 8; // a lead

export const start = {
  layer: 1, // that the line goes through
  place: 4, // of the word that asks
  back: Math.log10(3), // words to the key
  lead: SMALL, // of the wanted key
  near: 1, // how much of each profile
  middle: 0,
  far: 0,
  base: 5, // power of ten
  train: 0, // further training: none, a tenth of RoPE's, as much
  to: 6.2, // power of ten up to which curves are drawn
  // from here on: how much of it is there
  out: 0,
  towers: 0,
  mask: 0,
  needle: 0,
  crowd: 0,
  mixer: 0,
  bases: 0,
  drop: 0,
};

/** @type {Record<string, PictureStep>} */
export const steps = {
  layers: {
    at: { towers: 1 },
    also: ["towers", "line"],
    goal: (s) => without(Math.round(s.layer)) >= 3,
  },
  mask: {
    at: { mask: 1 },
    also: ["ruler", "next", "first", "means", "k"],
    goal: (s) => fall(placeOf(s)) < 1,
  },
  needle: {
    at: { needle: 1, to: 1 },
    also: ["ruler", "dials"],
    after: { back: Math.log10(FAR), to: 6.2 },
    slow: 2400,
    goal: (s) => backOf(s) === TRAINED,
  },
  crowd: {
    at: { crowd: 1, to: Math.log10(SHORT) },
    also: ["ruler", "plain"],
    after: { to: 6.2 },
    slow: 1600,
    goal: (s) => Math.abs(gained(s.lead)) < EVEN,
  },
  mix: {
    at: { mixer: 1, far: 1, near: 0.5, to: 3 },
    also: ["ruler"],
    after: { to: 6.2 },
    goal: (s) => {
      const best = peak(mixOf(s));
      return best >= HIGHEST[0] && best <= HIGHEST[1];
    },
  },
  base: {
    at: { bases: 1 },
    also: ["ruler"],
    after: { base: 6 },
    goal: (s) => reachOf(onGrid(s.base)) >= TARGET,
  },
  drop: {
    at: { drop: 1 },
    also: ["ruler"],
    after: { out: 1 },
    goal: (s) => s.train === data.dropped.parts.length - 1,
  },
};

const { dropped } = data;
const ofModel = (/** @type {string} */ name) => data.models.find((one) => one.name === name) ?? data.models[0]; // prettier-ignore

/** @type {Picture["told"]} */
export const told = {
  layer: (s, { number }) => number(Math.round(s.layer)),
  chunk: (_, { number }) => number(data.chunk),
  place: (s, { number }) => number(placeOf(s)),
  each: (s, { number }) => percent(1 / placeOf(s), number),
  next_place: (s, { number }) => number(placeOf(s) + 1),
  next_each: (s, { number }) => percent(1 / (placeOf(s) + 1), number),
  fall: (s, { number }) => number(fall(placeOf(s)), 1),
  trained: (_, { number }) => number(TRAINED),
  back: (s, { number }) => number(backOf(s)),
  far: (_, { number }) => number(FAR),
  score: (s, { number }) => number(likeness(SPEEDS, backOf(s)), 2),
  far_score: (_, { number }) => number(likeness(SPEEDS, FAR), 2),
  lead: (s, { number }) => number(s.lead, 1),
  small: (_, { number }) => number(SMALL),
  short: (_, { number }) => number(SHORT),
  long: (_, { number }) => number(LONG),
  heavier: (_, { number }) => number(Math.exp(SMALL * factor(LONG) - SMALL)),
  more: (_, { number }) => number(LONG / SHORT),
  short_others: (_, { number }) => number(SHORT - 1),
  tooth: (_, { number }) => number(FLOOR),
  factor_long: (_, { number }) => number(factor(LONG), 2),
  small_scaled: (_, { number }) => number(SMALL * factor(LONG), 1),
  small_short: (_, { number }) => percent(share(SMALL, SHORT), number),
  small_long: (_, { number }) => percent(scaled(SMALL, LONG), number),
  lead_short: (s, { number }) => percent(share(s.lead, SHORT), number),
  extent: (_, { number }) => number(EXTENT),
  peak: (s, { number }) => number(peak(mixOf(s))),
  base: (s, { number }) => number(baseOf(s.base)),
  reach: (s, { number }) => number(reachOf(onGrid(s.base))),
  target: (_, { number }) => number(TARGET),
  asked_edge: (_, { number }) => number(ofModel(ASKED).edge),
  asked_trained: (_, { number }) => number(ofModel(ASKED).trained),
  bits_rope: (_, { number }) => number(dropped.rope[0], 2),
  bits_out: (_, { number }) => number(dropped.bits[0][0], 2),
  shortest: (_, { number }) => number(dropped.lengths[0]),
  part: (s, { say }) => say(`part_${Math.round(s.train)}`),
};

/** @param {State} s */
function spoken(s) {
  if (s.towers > 0.5) return "say_layer";
  if (s.mask > 0.5) return "say_place";
  if (s.needle > 0.5) return "say_back";
  if (s.crowd > 0.5) return "say_lead";
  if (s.mixer > 0.5) return "say_mix";
  return s.bases > 0.5 ? "say_base" : "say_train";
}

/** @param {Stage} stage */
function build(stage) {
  const scenes = [towers, mask, needle, crowd, mixer, bases, drop];
  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    const room = layout(box, s);
    const there = apart(s);
    return svg`${scenes.map((scene) => scene(there, room, stage))}`;
  };
}

export default { start, steps, told, spoken, build };
