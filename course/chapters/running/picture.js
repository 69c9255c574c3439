// For those who run models: a window, keys of an older base, the ways out, their price, LongRoPE's two lists, and a passage that is moved.

import { baseAt } from "../kv_cache/cached.js";
import { ALPHA, BASE, MOST_PAST, PAIRS, SINKS, SPEED, TRAINED, WINDOW, WORST, WORST_LISTED, isLong, layout, pairsOf, toldOfTurns } from "../kv_cache/room.js"; // prettier-ignore
import { keptOf, lens, makeShelf } from "../kv_cache/shelf.js";
import { FEW, WAYS, costs, off, pairOf, phases, stale, wayOf } from "../kv_cache/stale.js";
import { start as kept } from "../kv_cache/start.js";
import { svg } from "../../page/lit/lit.js";
import { TURN, degrees } from "../../page/shapes.js";
import data from "./data.js";
import { LAST, PLACES, costs as costsBehind, passage, putOf } from "./moved.js";
import { BLOCKS, BLOCK, PAST, blockOf, more, past, plot } from "./plot.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

const SEEN = 17; // a dial on which keys and their ghosts stand apart all along the text

/** @type {State} */
export const start = { ...kept, put: LAST, drawn: 1 };

/** @type {Record<string, PictureStep>} */
export const steps = {
  gap: {
    also: ["words", "shelf", "arc", "q", "pick", "turned"],
    at: { asks: 1, lens: 1, window: 1, pick: 10 },
    seen: [10],
    goal: (s, seen) => keptOf(s).every((j) => seen.has(j)),
  },
  stale: {
    also: ["new", "shelf", "end", "place"],
    at: { stale: 1, shown: 0 },
    after: { past: MOST_PAST, pair: WORST, shown: 1 },
    slow: 2000,
    goal: (s) => s.place === start.place && !over(s),
  },
  ways: {
    also: ["q", "k", "ghost", "shelf", "place", "bars", "pair", "end", "new", "cost"],
    at: { stale: 1, past: MOST_PAST, pair: SEEN, ways: 1 },
    goal: (s, seen) =>
      WAYS[wayOf(s)] === "fixed" &&
      Math.round(s.past) > 0 &&
      WAYS.every((_, i) => !i || seen.has(i)),
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
  passage: {
    also: ["zero", "missing", "put"],
    at: { moved: 1, drawn: 0 },
    after: { drawn: 1 },
    slow: 1200,
    goal: (s) => PLACES[putOf(s)] === 0,
  },
};

const baseOf = (/** @type {State} */ s) => baseAt(TRAINED + s.past, TRAINED, BASE, PAIRS, ALPHA);
/** The last kept key, one token past LongRoPE's short list. */
const SWITCHED = { ...start, listed: 1, past: 1 };
/** On how many dials the key is off by more than a quarter turn. @param {State} s */
const over = (s) => phases(s).filter((phase) => Math.abs(phase) > TURN / 4).length;
/** Blocks past the prompt after which one base costs next to nothing. */
const SETTLED = more("fixed").findIndex((_, b, all) => all.slice(b + 1).every((bits) => bits < 0.1)); // prettier-ignore
/** On how many dials the key is off by more than a few degrees. @param {State} s */
const offBy = (s) => phases(s).filter((phase) => Math.abs(degrees(phase)) > FEW).length;

/** @type {Picture["told"]} */
export const told = {
  typed: (s, { number }) => number(Math.round(s.typed)),
  speed: (_, { number }) => number(SPEED, 1),
  ...toldOfTurns,
  most_past: (_, { number }) => number(MOST_PAST),
  next_end: (_, { number }) => number(TRAINED + 1),
  window: (_, { number }) => number(WINDOW),
  sinks: (_, { number }) => number(SINKS),
  kept: (_, { number }) => number(WINDOW + SINKS),
  last: (_, { number }) => number(WINDOW + SINKS - 1),
  trained: (_, { number }) => number(TRAINED),
  past: (s, { number }) => number(s.past),
  end: (s, { number }) => number(TRAINED + s.past),
  base: (s, { number }) => number(baseOf(s)),
  base_then: (_, { number }) => number(BASE),
  few: (_, { number }) => number(FEW),
  off_listed: (_, { number }) => number(offBy(SWITCHED)),
  over: (s, { number }) => number(over(s)),
  off_now: (s, { number }) => number(offBy(s)),
  half_listed: (s, { number }) => number(pairsOf(s) / 2),
  pairs: (s, { number }) => number(pairsOf(s)),
  last_pair: (s, { number }) => number(pairsOf(s) - 1),
  pair: (s, { number }) => number(pairOf(s)),
  near: (s, { number }) => {
    let past = 0;
    while (past < MOST_PAST && !over({ ...s, past: past + 1 })) past += 1;
    return number(past);
  },
  place: (s, { number }) => number(s.place),
  worst: (_, { number }) => number(WORST),
  off: (s, { number }) => number((360 * off(s)) / TURN, off(s) < 0.001 ? 0 : 1),
  way: (s, { say }) => say(`way_${WAYS[wayOf(s)]}`),
  keys_turned: (s, { number }) => number(costs(s).turned),
  tokens_run: (s, { number }) => number(costs(s).run),
  all_turned: (s, { number }) => number(costs(s, "read").turned),
  prompt: (_, { number }) => number(data.trained),
  further: (_, { number }) => number(PAST),
  block: (s, { number }) => number(blockOf(s) * BLOCK),
  block_size: (_, { number }) => number(BLOCK),
  first_bits: (_, { number }) => number(more("frozen")[1], 1),
  fixed_first: (_, { number }) => number(more("fixed")[1], 1),
  settled: (_, { number }) => number(SETTLED * BLOCK),
  put: (s, { number }) => number(PLACES[putOf(s)]),
  put_most: (_, { number }) => number(PLACES[LAST]),
  passages: (_, { number }) => number(data.moved.ways.turned[0].length),
  put_bits: (s, { number }) => number(costsBehind("left")[putOf(s)], 2),
  left_last: (_, { number }) => number(costsBehind("left")[LAST], 2),
  missing_last: (_, { number }) => number(costsBehind("missing")[LAST], 2),
  bits: (s, { number }) => number(more("frozen")[blockOf(s)], 1),
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
  if (s.moved > 0.5) return s.drawn > 0.5 ? "say_put" : "say_missing";
  if (s.plot > 0.5) return blockOf(s) ? "say_price" : "say_prompt";
  if (s.stale > 0.5) return s.ways > 0.5 ? "say_way" : "say_off";
  return "say_arc";
}

/** @param {Stage} stage */
function build(stage) {
  const shelf = makeShelf(stage);
  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    const room = layout(box, s);
    return svg`
      ${stale(s, room, stage)}
      ${shelf(s, room)}
      ${lens(s, room, stage)}
      ${plot(s, room, stage)}
      ${passage(s, room, stage)}`;
  };
}

export default { start, steps, told, spoken, build };
