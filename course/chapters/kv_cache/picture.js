// The KV cache: a typewriter above a shelf of keys and values, the shelf on a card, and keys of an older base.

import { runsAgain, baseAt } from "./cached.js";
import data from "./data.js";
import { degrees } from "../../page/shapes.js";
import { buildCard } from "./card.js";
import { BLOCKS, BLOCK, PAST, blockOf, buildPlot, more, past } from "./plot.js";
import {
  ALPHA,
  BASE,
  CARD,
  COUNT,
  FULL,
  GIB,
  MILLION,
  MOST_PAST,
  PAIRS,
  SINKS,
  SPEED,
  TRAINED,
  WINDOW,
  WORST,
  WORST_LISTED,
  arcOf,
  isLong,
  layout,
  modelOf,
  newest,
  pairsOf,
  picked,
  tokens,
  turnedTo,
  weights,
} from "./room.js";
import { buildLens, buildShelf, keptOf } from "./shelf.js";
import { FEW, WAYS, buildStale, costs, off, pairOf, phases, wayOf } from "./stale.js";
import { buildWork, stays, written } from "./work.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("../../page/types").Box} Box */

const LOG = Math.log10;
const WANTED_ARC = 4; // words back
const ASKED = 1000; // words, in a question
const SAVED = 99; // per cent
const ROUNDED = 0.05; // per cent: half of the last digit that is written
const ENOUGH = 210; // words: more than it takes to save that
const HALF_TURN = 0.1; // radians that half a turn may lack
const KEPT = Math.max(...data.models.flatMap(({ layers }) => layers.map(([, , last]) => last))); // tokens
/** Models that fit on the card with the shelf of a million tokens. */
const FITTING = data.models
  .map((_, model) => model)
  .filter((model) => !weights({ model, length: LOG(MILLION) }).isOver);

export const start = {
  typed: COUNT, // words
  pick: 3, // the key that is looked at
  amount: LOG(COUNT), // words whose work is drawn, in powers of ten
  length: LOG(COUNT), // tokens whose shelf is weighed
  model: 0, // index of it
  past: 0, // tokens after the prompt
  pair: 25,
  place: 4000, // of the key that is looked at, in the long text
  way: 0, // index of the way out
  right: 0, // 1: keys have the turn that they should have
  block: 0, // of the measured curve
  until: 1, // blocks that are drawn
  shown: 1, // how much of the bars is told
  listed: 0, // 1: LongRoPE's lists in place of a base that grows
  // from here on: how much of it is there
  spread: 0, // 1: the shelf has the picture for itself
  types: 0,
  asks: 0,
  values: 0,
  fan: 0,
  work: 0,
  lens: 0,
  counts: 0,
  window: 0,
  far: 0,
  squeeze: 0,
  stale: 0,
  ways: 0,
  plot: 0,
};

/** Bricks that the shelf saves, per cent. @param {State} s */
const saved = (s) => 100 - stays(s);

const STALE = { stale: 1, past: MOST_PAST, pair: WORST };

/** @type {Record<string, import("../../page/types").PictureStep>} */
export const steps = {
  shelf: {
    also: ["words", "attention"],
    at: { typed: 3, spread: 1, types: 1, asks: 1, values: 1, fan: 1 },
    goal: (s) => s.typed > COUNT - 0.01,
  },
  work: {
    also: ["words", "k", "v", "hundred"],
    at: { work: 1, values: 1 },
    after: { amount: LOG(ASKED) },
    slow: 2200,
    goal: (s) => saved(s) >= SAVED - ROUNDED && written(s) < ENOUGH,
  },
  turned: {
    also: ["words", "shelf", "caret"],
    at: { typed: 9, pick: 1, types: 1, asks: 1, lens: 1, counts: 1 },
    goal: (s) => newest(s) - picked(s) === WANTED_ARC,
  },
  gap: {
    also: ["words", "shelf", "arc", "q", "pick"],
    at: { asks: 1, lens: 1, window: 1, pick: 10 },
    goal: (s, seen) => keptOf(s).every((j) => seen.has(j)),
  },
  card: {
    also: ["shelf"],
    at: { far: 1 },
    after: { length: LOG(4096) },
    slow: 1600,
    goal: (s) => Math.abs(tokens(s) - FULL) < FULL * 0.01,
  },
  squeeze: {
    also: ["card", "model", "k", "v", "shelf", "length"],
    at: { far: 1, squeeze: 1, length: LOG(MILLION) },
    goal: (s, seen) => FITTING.every((i) => seen.has(i)),
  },
  stale: {
    also: ["new", "shelf", "end", "place"],
    at: { stale: 1, shown: 0 },
    after: { past: MOST_PAST, pair: WORST, shown: 1 },
    slow: 2000,
    goal: (s) => Math.abs(off(s) - Math.PI) < HALF_TURN,
  },
  ways: {
    also: ["q", "k", "ghost", "shelf", "place", "bars", "pair", "end", "new"],
    at: { ...STALE, ways: 1 },
    goal: (s) => WAYS[wayOf(s)] === "fixed" && Math.round(s.past) > 0,
  },
  price: {
    also: ["zero", "block"],
    at: { plot: 1 },
    after: { until: BLOCKS, block: BLOCKS - 1 },
    slow: 2000,
    goal: (s) => blockOf(s) === 1,
  },
  lists: {
    also: ["q", "k", "ghost", "new", "shelf", "pair", "bars"],
    at: { stale: 1, listed: 1, shown: 0, pair: WORST_LISTED },
    after: { past: 1, shown: 1 },
    slow: 1200,
    goal: (s) => isLong(s) && s.place === 0,
  },
};

/** @param {State} s */
const weightOf = ({ cache }, /** @type {Stage["number"]} */ number) => {
  if (cache < 0.1) return `${number(cache * 1024, cache * 1024 < 10 ? 1 : 0)}\u00a0MiB`;
  return `${number(cache, cache < 10 ? 2 : 1)}\u00a0GiB`;
};
const LLAMA = data.llama2;
const baseOf = (/** @type {State} */ s) => baseAt(TRAINED + s.past, TRAINED, BASE, PAIRS, ALPHA);
/** The last kept key, one token past LongRoPE's short list. */
const SWITCHED = { ...start, listed: 1, past: 1 };
/** On how many dials the key is off by more than a few degrees. @param {State} s */
const offBy = (s) => phases(s).filter((phase) => Math.abs(degrees(phase)) > FEW).length;

/** @type {import("../../page/types").Picture["told"]} */
export const told = {
  typed: (s, { number }) => number(Math.round(s.typed)),
  count: (_, { number }) => number(COUNT),
  twelve_again: (_, { number }) => number(runsAgain(COUNT)),
  saved: () => `${SAVED}`,
  words: (s, { number }) => number(written(s)),
  stays: (s, { number }) => number(stays(s), 1),
  again: (s, { number }) => number(runsAgain(written(s))),
  once: (s, { number }) => number(written(s)),
  asked: (_, { number }) => number(ASKED),
  again_asked: (_, { number }) => number(runsAgain(ASKED)),
  times: (s, { number }) => number(runsAgain(written(s)) / written(s)),
  speed: (_, { number }) => number(SPEED, 1),
  wanted_arc: (_, { number }) => number(WANTED_ARC * SPEED),
  back: (s, { number }) => number(newest(s) - picked(s)),
  query_at: (s, { number }) => number(Math.round(turnedTo(s, newest(s)))),
  query_turn: (s, { number }) => number(turnedTo(s, newest(s)) * SPEED, 1),
  key_at: (s, { number }) => number(Math.round(turnedTo(s, picked(s)))),
  key_turn: (s, { number }) => number(turnedTo(s, picked(s)) * SPEED, 1),
  arc: (s, { number }) => number(arcOf(s), 1),
  arc_words: (s, { number }) => number(arcOf(s) / SPEED),
  picked: (s, { say }) => say("sentence").split(" ")[picked(s)],
  turned: (s, { number }) => number(newest(s) + 1),
  unturned: (s, { number }) => number(runsAgain(newest(s) + 1)),
  window: (_, { number }) => number(WINDOW),
  window_tokens: (_, { number }) => number(KEPT),
  sinks: (_, { number }) => number(SINKS),
  kept: (_, { number }) => number(WINDOW + SINKS),
  last: (_, { number }) => number(WINDOW + SINKS - 1),
  card: (_, { number }) => number(CARD),
  layers: (_, { number }) => number(LLAMA.layers),
  heads: (_, { number }) => number(LLAMA.heads),
  width: (_, { number }) => number(LLAMA.width),
  full: (_, { number }) => number(FULL),
  outweighs: (_, { number }) => number(CARD / (data.models[0].bytes / GIB) - 1, 1),
  name: (s) => modelOf(s).name,
  tokens: (s, { number }) => number(tokens(s)),
  weight: (s, { number }) => weightOf(weights(s), number),
  model_gib: (s, { number }) => number(weights(s).model, 1),
  // Of what is written, so that it adds up.
  total: (s, { number }) => number(Number(weights(s).model.toFixed(1)) + weights(s).cache, 1),
  cards: (s, { number }) => number(Math.ceil((weights(s).model + weights(s).cache) / CARD)),
  trained: (_, { number }) => number(TRAINED),
  past: (s, { number }) => number(s.past),
  end: (s, { number }) => number(TRAINED + s.past),
  base: (s, { number }) => number(baseOf(s)),
  few: (_, { number }) => number(FEW),
  off_listed: (_, { number }) => number(offBy(SWITCHED)),
  off_now: (s, { number }) => number(offBy(s)),
  half_listed: (s, { number }) => number(pairsOf(s) / 2),
  pairs: (s, { number }) => number(pairsOf(s)),
  last_pair: (s, { number }) => number(pairsOf(s) - 1),
  pair: (s, { number }) => number(pairOf(s)),
  place: (s, { number }) => number(s.place),
  worst: (_, { number }) => number(WORST),
  off: (s, { number }) => number(off(s), 2),
  way: (s, { say }) => say(`way_${WAYS[wayOf(s)]}`),
  keys_turned: (s, { number }) => number(costs(s).turned),
  tokens_run: (s, { number }) => number(costs(s).run),
  all_turned: (s, { number }) => number(costs(s, "read").turned),
  prompt: (_, { number }) => number(data.trained),
  further: (_, { number }) => number(PAST),
  block: (s, { number }) => number(blockOf(s) * BLOCK),
  block_size: (_, { number }) => number(BLOCK),
  frozen_last: (_, { number }) => number(more("frozen")[BLOCKS - 1], 1),
  bits: (s, { number }) => number(more("frozen")[blockOf(s)], 1),
  fixed_prompt: (_, { number }) => number(more("fixed")[0], 1),
  ...Object.fromEntries(
    /** @type {const} */ (["frozen", "fixed"]).flatMap((way) =>
      ["low", "mean", "high"].map((name, i) => [
        `${way}_${name}`,
        (/** @type {State} */ _, /** @type {Stage} */ { number }) => number(past(way)[i], 1),
      ]),
    ),
  ),
};

/** @param {State} s */
function spoken(s) {
  if (s.plot > 0.5) return blockOf(s) ? "say_price" : "say_prompt";
  if (s.stale > 0.5) return s.ways > 0.5 ? "say_way" : "say_off";
  if (s.far > 0.5) return "say_weight";
  if (s.work > 0.5) return "say_work";
  return s.lens > 0.5 ? "say_arc" : "say_typed";
}

/** @param {Stage} stage */
function build(stage) {
  /** @type {import("./room.js").Room} */
  let room = layout({ width: 900, height: 600, isPhone: false }, start);
  const now = () => room;
  const parts = [
    buildCard(stage, now),
    buildStale(stage, now),
    buildShelf(stage, now),
    buildWork(stage, now),
    buildLens(stage, now),
    buildPlot(stage, now),
  ];
  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    room = layout(box, s);
    for (const draw of parts) draw(s, room);
  };
}

export default { start, steps, told, spoken, build };
