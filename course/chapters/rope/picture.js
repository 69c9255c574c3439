// RoPE: two words on a strip of places, and dials on which their query and key turn.

import byHand from "./by_hand.js";
import head from "./data.js";
import { BEND } from "../../page/by_hand.js";
import { bitsOf, lengths } from "../../page/lengths.js";
import { softmax } from "../../page/formulas/rotation.js";
import { svg } from "../../page/lit/lit.js";
import { clamp, degrees } from "../../page/shapes.js";
import { dial } from "./dial.js";
import { graph } from "./graph.js";
import { hands } from "./hands.js";
import {
  FAR,
  LONGEST,
  NEAR,
  PAIRS,
  SPEEDS,
  TRAINED,
  newOnes,
  peak,
  row as scores,
  score,
  written,
} from "./head.js";
import { bars, panel } from "./panel.js";
import { layout } from "./room.js";
import { row } from "./row.js";
import { strip } from "./strip.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

export const start = {
  m: 0, // place of the query
  n: 0, // place of the key
  bend: 0, // content: radians between query and key at distance 0, on the first dial
  dials: 1, // how many are added up
  view: 0, // 0: the dial alone, 1: a plot beside it, 2: all dials above the plot
  last: 12, // the last place of the strip
  bars: 0, // from here on: how much of it is there
  ghosts: 0,
  key: 0,
  shadow: 0,
  trail: 0,
  split: 0,
  curve: 0,
  trained: 0,
  lock: 0,
  row: 0,
  real: 0, // 0: the made-up head, 1: the real one
  far: 0, // 1: what small models paid, in place of all that
  length: 0, // of their texts, in doublings
};

const BYTES = head.trained;
const bits = bitsOf(head);
const HANDS = ["q", "k"];
/** Small models, and the longest of their texts. */
const MEASURED = /** @type {const} */ ({
  names: ["sinusoidal", "t5", "alibi", "rope"],
  strong: ["rope"],
  whole: ["sinusoidal", "t5", "alibi"],
  doublings: 4,
  most: 6,
});
const PAIR = { key: 1, shadow: 1, view: 1 };
const ALL = { key: 1, shadow: 1, curve: 1, view: 2, last: LONGEST, bend: -1 };

/** @type {Record<string, PictureStep>} */
export const steps = {
  turn: {
    at: { bars: 1, ghosts: 1, bend: BEND },
    seen: [0],
    goal: (s) => Math.round(s.m) === 6,
  },
  second: {
    also: [...HANDS, "arc", "strip"],
    at: { ...PAIR, m: 5, n: 4 },
    goal: (s) => score(s) < 0,
  },
  lock: {
    also: [...HANDS, "trail", "strip"],
    at: { ...PAIR, m: 2, n: 1, trail: 1, lock: 1 },
    seen: [2],
    after: { m: 8, n: 7 },
    slow: 1400,
    goal: (_, seen) => seen.size >= 6,
  },
  content: {
    also: [...HANDS, "shadow"],
    at: { ...PAIR, m: 8, n: 7, split: 1, curve: 1, bend: -3 },
    goal: (s) => Math.abs(peak(s) - 1) < 0.01,
  },
  row: {
    also: HANDS,
    at: { ...PAIR, m: 9, n: 8, split: 1, bend: BEND, lock: 1, row: 1 },
    goal: (s) => softmax(scores(s))[0] >= 0.5,
  },
  slower: {
    also: HANDS,
    at: { ...ALL, m: 9, n: 8, split: 1, dials: 1 },
    goal: (s) => s.dials > PAIRS - 0.1,
  },
  real: {
    also: [...HANDS, "dials"],
    at: { ...ALL, m: 14, n: 8, split: 1, dials: PAIRS, real: 1 },
    goal: (s) => Math.round(s.m - s.n) === 1,
  },
  unseen: {
    at: { ...ALL, m: 9, n: 4, dials: PAIRS, bend: 0, trained: 1 },
    also: [...HANDS, "new", "dials", "arc", "curve", "strip"],
    goal: (s) => newOnes(s) > 0,
  },
  cost: {
    at: { far: 1 },
    also: ["rope", "length"],
    after: { length: 1 },
    slow: 1600,
    goal: (s) => bits("rope", s.length) > bits("sinusoidal", s.length),
  },
};

/** The score at the second peak of the first dial, in % of that at the peak. @param {State} s */
const rivalOf = (s) => (100 * score(s, FAR)) / score(s, NEAR);

/** @type {Picture["told"]} */
export const told = {
  m: (s, { number }) => number(s.m),
  n: (s, { number }) => number(s.n),
  distance: (s, { number }) => apart(s.m - s.n, number),
  turned: (s, { number }) => number(degrees(s.m)),
  short: (s, { number }) => number(360 - degrees(s.m)),
  radian: (_, { number }) => number(degrees(1)),
  trained: (_, { number }) => number(TRAINED),
  pairs: (_, { number }) => number(head.size.length),
  wedge: (s, { number }) => `${number(written(s).wedge)}°`,
  score: (s, { number }) => number(score(s), s.dials > 1.5 ? 1 : 2),
  content: (s, { number }) => `${number(degrees(s.bend))}°`,
  peak: (s, { number }) => apart(s.view > 1.5 ? -s.bend : peak(s), number),
  visited: (_, { seen, number }) => number(seen.size),
  rival: (s, { number }) => number(rivalOf(s)),
  rival_four: (s, { number }) => number(rivalOf({ ...s, dials: 4 })),
  dials: (s, { number }) => number(s.dials),
  new: (s, { number }) => number(newOnes(s)),
  the: (s, { number }) => number(100 * softmax(scores(s))[0], 1),
  red: (s, { number }) => number(100 * softmax(scores(s))[1], 1),
  boat: (s, { number }) => number(100 * softmax(scores(s))[2], 1),
  ours: (_, { number }) => number(BYTES),
  twice: (_, { number }) => number(2 * BYTES),
  bits_trained: (_, { number }) => number(bits("rope", 0), 2),
  bits_twice: (_, { number }) => number(bits("rope", 1), 2),
  length: (s, { number }) => number(BYTES * 2 ** s.length),
  share_1: (_, { number }) => number(100 * head.shares[1]),
};

/** @param {number} distance @param {(value: number, digits?: number) => string} number */
function apart(distance, number) {
  const isWhole = Math.abs(distance - Math.round(distance)) < 0.03;
  return number(distance, isWhole ? 0 : 1);
}

/** @param {State} s */
function spoken(s) {
  if (s.far > 0.5) return "say_measured";
  if (s.row > 0.5) return "say_row";
  if (s.real > 0.5) return "say_both";
  if (s.trained > 0.5) return "say_new";
  if (s.split > 0.5) return "say_content";
  return s.key > 0.5 ? "say_both" : "say_query";
}

/** @param {Stage} stage */
const build = (stage) => (/** @type {State} */ s, /** @type {Box} */ box) => {
  const room = layout(box, s);
  const presence = clamp(1 - 2 * s.far, 0, 1); // of what the curves at the end take the place of
  const scene = () =>
    svg`<g opacity=${presence}>
      ${strip(s, room, stage)}
      ${SPEEDS.map((_, i) => dial(s, room, stage, i))}
      ${bars(s, room, stage)}
      ${panel(s, room, stage)}
      ${graph(s, room, stage)}
      ${row(s, room, stage)}
      ${hands(s, room, stage)}</g>`;
  return svg`${presence < 0.02 ? "" : scene()}${lengths(s, room, stage, head, MEASURED)}`;
};

export default { start, steps, told, spoken, byHand, build };
