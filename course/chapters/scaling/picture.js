// Scaling: a text that grows, beads and dials that are slowed for it, and the crowd that its tokens are.

import byHand from "./by_hand.js";
import { svg } from "../../page/lit/lit.js";
import { beads, knee, levelsOf } from "./beads.js";
import { crowd, held, isFull, makeDots, percent, ringed } from "./crowd.js";
import { dials } from "./dials.js";
import { factor } from "./factor.js";
import { INSIDE, MEASURED, NO_LINES, beyond, bitsAt, breaks, curves, lines } from "./measured.js";
import { layout } from "./room.js";
import { GENTLE, LONG, STEEP, isGentle, offBy, pair } from "./pair.js";
import { table } from "./table.js";
import { slows, tests } from "./tests.js";
import { text } from "./text.js";
import {
  FACTOR,
  METHODS,
  PAIRS,
  SPEEDS,
  TARGET,
  TENTH,
  TRAINED,
  level,
  nearness,
  neededFactor,
  newOnes,
  ramp,
  reach,
  score,
  share,
  yarnFactor,
} from "./scalings.js";
import { degrees } from "../../page/shapes.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */
/** @import { Method } from "./scalings.js" */
/** @import { Hand } from "./beads.js" */

const flat = (/** @type {number} */ u) => Array.from({ length: PAIRS }, () => u);
const NEAR = 0.95; // of neighbours' distance: what a line must keep
const SECOND = { low: 2.5, high: 11 }; // bits of the curve's axis

/** The line that the reader drew, for the steps that follow. @type {{ own: number[] }} */
const kept = { own: flat(0) };

export const start = {
  length: TRAINED, // tokens that are read
  u: flat(0), // by how much each pair is slowed: 0 as trained, 1 by the factor
  fast: 4, // turns at the knee of the ramp
  lead: 5, // of one key's score above all others
  A: 1,
  lines: NO_LINES, // of the measured curves: how much of each is there
  one: 0, // 0: the mean of six texts, 1: the one text that is longer
  until: MEASURED, // how far the curves are drawn
  ...SECOND,
  ownRing: 0, // 1: the ring is the key's own share at the trained length
  two: 0, // 1: a fast and a slow dial, large, each beside what is told of its kind
  // from here on: how much of it is there
  open: 0,
  tests: 0,
  score: 0,
  ghosts: 0,
  table: 0,
  clock: 0,
  curve: 0,
  probe: 0,
  broken: 0,
  crowd: 0,
  factor: 0,
  needed: 0,
  rule: 0,
};

const BEADS = { open: 1, tests: 1, length: TARGET };
const FAR = 10000; // tokens back
const CLOCK = { clock: 1, open: 1, u: ramp(STEEP, 1).map(level) };
const CROWD = { crowd: 1, open: 1, u: levelsOf("yarn") };

/** @param {State} s */
const passes = (s) => newOnes(slows(s), TARGET) === 0 && nearness(slows(s)) >= NEAR;

/** @type {Record<string, PictureStep>} */
export const steps = {
  further: {
    also: ["text", "new", "dials"],
    goal: (s) => s.length > TARGET - 60,
  },
  broken: {
    also: ["text", "curve", "new"],
    at: { curve: 1, lines: lines("none"), until: TRAINED },
    after: {
      until: MEASURED,
      length: MEASURED,
      probe: 1,
      broken: 1,
      lines: lines("none", "window"),
    },
    slow: 2200,
    goal: (s) => s.probe > 0.9 && Math.abs(bitsAt(s, "none") - 2 * INSIDE) < 0.45,
  },
  all: {
    also: ["new", "near", "dials"],
    at: { ...BEADS, two: 1 },
    goal: (s) => Math.min(...s.u) > 0.998,
  },
  draw: {
    also: ["beads", "axis", "dials"],
    at: { ...BEADS, score: 1 },
    goal: passes,
  },
  others: {
    also: ["beads", "axis", "names", "near", "new", "costs"],
    get at() {
      return { ...BEADS, tests: 0, ghosts: 1, table: 1, u: kept.own };
    },
    goal: (_, seen) => seen.size === 3,
  },
  reach: {
    also: ["text", "beads", "new", "rival", "half"],
    at: {
      ...BEADS,
      tests: 0,
      curve: 1,
      length: MEASURED,
      u: levelsOf("ntk"),
      one: 1,
      probe: 1,
      low: -0.7,
      high: 1.6,
    },
    goal: (s) => s.length >= breaks("ntk") + 200, // some of the red is there
  },
  knees: {
    also: ["beads", "axis", "off", "costs", "two", "knee"],
    at: { ...CLOCK, length: FAR },
    goal: isGentle,
  },
  crowd: {
    byHand: false,
    also: ["text", "share"],
    at: CROWD,
    after: { length: TARGET },
    slow: 2200,
    goal: (s) => s.length > TARGET - 60 && isFull(s),
  },
  factor: {
    byHand: false,
    also: ["dots", "gold", "ring", "text", "share"],
    at: { ...CROWD, length: TARGET, factor: 1 },
    goal: (s) => s.length > TARGET - 60 && isFull(s),
  },
  rule: {
    byHand: false,
    also: ["gold", "dots", "text", "share", "A"],
    at: {
      ...CROWD,
      length: TARGET,
      factor: 1,
      A: yarnFactor(TARGET),
      rule: 1,
      needed: 1,
      ownRing: 1,
    },
    goal: (_, seen) => seen.has("weak") && seen.has("strong"),
  },
};

const BITS = 2; // digits
const GETS_BY = 2000; // tokens after the trained length, in a question
const NTK = METHODS.ntk;

/** @type {Picture["told"]} */
export const told = {
  pairs: (_, { number }) => number(PAIRS),
  trained: (_, { number }) => number(TRAINED),
  target: (_, { number }) => number(TARGET),
  measured: (_, { number }) => number(MEASURED),
  length: (s, { number }) => number(s.length),
  new: (s, { number }) => number(newOnes(slows(s), s.length)),
  near: (s, { number }) => `${number(100 * nearness(slows(s)))}%`,
  gets_by: (_, { number }) => number(GETS_BY),
  kept: (_, { number }) => `${number(100 * NEAR)}%`,
  score: (s, { number }) => number(score(slows(s), s.length)),
  score_none: (_, { number }) => number(score(flat(1), TARGET)),
  one_word: (_, { number }) => `${number(degrees(SPEEDS[0]))}°`,
  one_slowed: (_, { number }) => `${number(degrees(SPEEDS[0] / FACTOR))}°`,
  inside: (_, { number }) => number(INSIDE, 2),
  bits: (s, { number }) => number(bitsAt(s, "none"), 1),
  double: (_, { number }) => number(2 * INSIDE, 2),
  ...Object.fromEntries(
    /** @type {const} */ (["parts", "llama3"]).map((name) => [
      `beyond_${name}`,
      (/** @type {State} */ _, /** @type {Stage} */ { number }) => number(beyond(name), BITS),
    ]),
  ),
  reach: (_, { number }) => number(reach(NTK)),
  ntk_breaks: (_, { number }) => number(breaks("ntk")),
  none_breaks: (_, { number }) => number(breaks("none")),
  breaks_here: (s, { number }) => number(breaks(s.one > 0.5 ? "ntk" : "none")),
  fast: (s, { number }) => number(s.fast, s.fast % 1 ? 1 : 0),
  off: (s, { number }) => `${number(offBy(s))}°`,
  off_steep: (s, { number }) => `${number(offBy({ ...s, u: CLOCK.u }))}°`,
  steep: (_, { number }) => number(STEEP),
  gentle: (_, { number }) => number(GENTLE),
  slow_long: (s, { number }) => number(slows(s)[LONG], 2),
  slow_short: (s, { number }) => number(slows(s)[LONG + 1]), // by the whole factor, at any knee
  lead: (s, { number }) => number(s.lead, s.lead % 1 ? 1 : 0),
  times_A: (s, { number }) => number(s.lead * s.A ** 2, 1),
  ahead: (_, { number }) => number(Math.exp(5)),
  share: (s, { number }) => `${percent(held(s), number)}%`,
  share_trained: (_, { number }) => `${percent(share(TRAINED, 5), number)}%`,
  share_half: (_, { number }) => `${percent(share(2 * TRAINED, 5), number)}%`,
  share_target: (_, { number }) => `${percent(share(TARGET, 5), number)}%`,
  ringed: (s, { number }) => `${percent(ringed(s), number)}%`,
  weak_trained: (_, { number }) => `${percent(share(TRAINED, 3), number)}%`,
  weak_target: (_, { number }) => `${percent(share(TARGET, 3 * yarnFactor(TARGET) ** 2), number)}%`,
  strong_trained: (_, { number }) => `${percent(share(TRAINED, 8), number)}%`,
  strong_target: (_, { number }) =>
    `${percent(share(TARGET, 8 * yarnFactor(TARGET) ** 2), number)}%`,
  more_lead: (_, { number }) => number(Math.log(FACTOR), 2),
  lead_needed: (_, { number }) => number(5 + Math.log(FACTOR), 2),
  A: (s, { number }) => number(s.A, 3),
  squared: (s, { number }) => number(s.A ** 2, 2),
  needed_squared: (_, { number }) => number(neededFactor(TARGET, 5) ** 2, 1),
  needed_five: (_, { number }) => number(neededFactor(TARGET, 5), 3),
  needed: (s, { number }) => number(neededFactor(s.length, s.lead), 3),
  tenth: (_, { number }) => number(TENTH, 1),
  rule_A: (_, { number }) => number(yarnFactor(TARGET), 3),
};

/** @param {State} s */
const spoken = (s) => (s.crowd > 0.5 ? "say_crowd" : s.clock > 0.5 ? "say_clock" : "say_beads");

/** @param {Stage} stage */
function build(stage) {
  const { state, seen, set, move, step, isGuessing } = stage;
  const dots = makeDots(stage);
  /** @param {Method} name */
  function laid(name) {
    if (isGuessing()) return;
    seen.add(name);
    move({ u: levelsOf(name) });
  }

  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    const at = step();
    const is = (/** @type {string[]} */ ...names) => names.includes(at);
    if (is("rule")) follow(s);
    const room = layout(box, s);
    dots(s, room);
    const canRead = is("further", "reach", "crowd", "rule") || (is("broken") && s.probe > 0.5);
    /** @type {Hand["mode"]} */
    const mode = is("all") ? "all" : is("draw", "others") ? "free" : "";
    const reshaped = (/** @type {number[]} */ u) => {
      set({ u });
      if (is("draw", "others")) kept.own = u.slice();
    };
    return svg`
      ${crowd(s, room, stage, is("crowd", "rule"))}
      ${curves(s, room, stage)}
      ${dials(s, room, stage)}
      ${beads(s, room, stage, { mode, reshaped })}
      ${table(s, room, stage, laid)}
      ${pair(s, room, stage)}
      ${knee(s, room, stage)}
      ${tests(s, room, stage)}
      ${factor(s, room, stage, is("factor"))}
      ${text(s, room, stage, canRead, is("broken") ? MEASURED : TARGET)}`;
  };

  /** In the last step A follows the rule, and the step sees which leads were tried. @param {State} s */
  function follow(s) {
    if (s.rule < 0.99) return;
    state.A = yarnFactor(s.length);
    if (s.length < TARGET - 60) return;
    if (s.lead < 3.05) seen.add("weak");
    if (s.lead > 7.95) seen.add("strong");
  }
}

export default { start, steps, told, spoken, byHand, build };
