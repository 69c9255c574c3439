// CoPE: doors under the tokens of a sentence, a counter that climbs at open ones, and what the floors are for.

import byHand from "./by_hand.js";
import { around, between, gatesOf } from "../../page/formulas/gates.js";
import {
  COUNTED,
  LASTS,
  LENGTHS,
  LIFTED,
  LOWERED,
  RESET,
  TOP,
  buildCounted,
  counted,
  held,
  lastAt,
  lengthAt,
  own,
  wrong,
  wrongTrained,
} from "./counted.js";
import data from "./data.js";
import {
  ALL_DOORS,
  buildDoors,
  buildPile,
  buildProducts,
  buildShares,
  drawnDoors,
} from "./doors.js";
import {
  ANN,
  ASKS,
  BOB,
  COUNT,
  COUNTS,
  FELL,
  FIRST_STOP,
  KEYS,
  KINDS,
  LAST,
  OPEN,
  ROWS,
  SECOND_STOP,
  layout,
  openAt,
  placesOf,
  replaced,
  sharesOf,
  short,
} from "./room.js";
import { buildCounter, buildFloors, buildPair, buildQuery, buildStairs, isSame } from "./stairs.js";
import { FLOORS, LEARNED, buildDial, buildPush } from "./vectors.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("../../page/types").Box} Box */

const WANTED = 2.3; // the floor between two
const MOST_OF_IT = 0.9; // of the attention
const CUT = 15; // a last floor on which tokens stood in training
const SENTENCE = openAt(".");
const ACROSS = [-1.2, 0]; // with full stops, against commas, at a right angle to words

export const start = {
  gates: OPEN, // of the tokens of the sentence, for the query
  q: COUNTS.little, // the query's two numbers
  query: LAST, // index of the token that asks
  walker: ANN, // the token whose floor the counter says
  push: Array.from({ length: FLOORS }, () => 0), // q·e of the lowest floors
  zoom: COUNT, // floors that fit in
  length: 0, // index of the trained model's text
  last: TOP, // its last floor
  back: 0, // tokens from the end of that text to the counter
  side: 0, // from here on: how much of it is there; the room at the right
  counter: 1,
  walk: 0,
  doors: 1,
  free: 0,
  pair: 0,
  mix: 0,
  dial: 0,
  keys: 0,
  bars: 0,
  shares: 0,
  answered: 0,
  pile: 0,
  far: 0,
  known: 0,
  guesses: 0,
  lifts: 0,
  lifted: 0,
  longer: 0,
  cut: 0,
};

const FAR = { gates: SENTENCE, zoom: 3, counter: 0, far: 1 };

/** @type {Record<string, import("../../page/types").PictureStep>} */
export const steps = {
  tokens: {
    also: ["words"],
    at: { doors: 0, walker: LAST, walk: 1 },
    goal: (s) => Math.round(s.walker) === ANN,
  },
  doors: {
    also: ["words", "counter", "q"],
    at: { walker: FELL, free: 1, walk: 1 },
    after: { gates: replaced(OPEN, FELL, 0) },
    goal: (s) => [FELL, BOB].every((word) => s.gates[word] < 0.1),
  },
  count: {
    also: ["words", "q", "counter", "floors"],
    at: { walker: BOB, gates: [0, 0, ...OPEN.slice(FIRST_STOP)], free: 1, walk: 1, pair: 1 },
    goal: (s) => isSame(s) && placesOf(s)[BOB] > placesOf(s)[LAST] + 0.5,
  },
  opens: {
    also: ["words", "doors", "counter", "product"],
    at: { q: ACROSS, gates: gatesOf(ACROSS, KEYS), zoom: 6, dial: 1, keys: 1, walk: 1 },
    goal: (s) => KINDS.every((kind, j) => (kind === "," ? s.gates[j] > 0.9 : s.gates[j] < 0.1)),
  },
  score: {
    also: ["words", "doors", "floors", "q"],
    at: { q: COUNTS.stops, gates: ROWS[LAST], zoom: 3, side: 1, shares: 1, bars: 1, counter: 0 },
    after: { answered: 1 },
    slow: 700,
    goal: (s) => sharesOf(s, true)[FIRST_STOP] > MOST_OF_IT,
  },
  between: {
    also: ["words", "counter", "floors", "q"],
    at: { gates: SENTENCE, zoom: 3, side: 1, bars: 1, push: LEARNED, mix: 1, free: 1 },
    goal: (s) => Math.abs(placesOf(s)[ANN] - WANTED) < 0.051,
  },
  price: {
    also: ["words", "doors", "counter"],
    at: { query: 0, q: ASKS[0], gates: ROWS[0], zoom: 4, pile: 1 },
    seen: [0],
    goal: (_, seen) => seen.size === COUNT,
  },
  head: {
    also: ["q"],
    at: { ...FAR, guesses: 1 },
    after: { known: 1 },
    slow: 1800,
    goal: (s) => Math.round(s.back) === RESET,
  },
  lifts: {
    also: ["text", "doors", "q"],
    at: { ...FAR, guesses: 1, lifts: 1, known: 1 },
    after: { lifted: 1 },
    goal: (s) => counted(s).kind === "c" && counted(s).push < 0,
  },
  longer: {
    also: ["text", "shares", "push", "floors", "q"],
    at: { ...FAR, known: 1, lifted: 1, longer: 1 },
    goal: (s) => lengthAt(s) === LENGTHS.length - 1,
  },
  last: {
    also: ["text", "shares", "push", "floors", "q"],
    at: { ...FAR, known: 1, lifted: 1, cut: 1, length: 2 },
    after: { last: CUT },
    slow: 1800,
    goal: (s) => lastAt(s) === LASTS[0],
  },
};

/** @param {State} s */
const mixture = (s) => around(Math.min(placesOf(s)[ANN], FLOORS - 1));
const percent = (/** @type {number} */ share) => 100 * share;

/** @type {import("../../page/types").Picture["told"]} */
export const told = {
  floor: (s, { number }) => short(number, placesOf(s)[Math.round(s.walker)]),
  ann: (s, { number }) => short(number, placesOf(s)[ANN], 2),
  tokens: (_, { number }) => number(COUNT),
  wanted: (_, { number }) => number(WANTED, 1),
  low: (s) => `${mixture(s).low}`,
  high: (s) => `${mixture(s).high}`,
  low_share: (s, { number }) => `${number(percent(1 - mixture(s).share))}\u00a0%`,
  high_share: (s, { number }) => `${number(percent(mixture(s).share))}\u00a0%`,
  low_product: (s, { number }) => number(LEARNED[mixture(s).low], 1),
  high_product: (s, { number }) => number(LEARNED[mixture(s).high], 1),
  product: (s, { number }) => number(between(placesOf(s)[ANN], LEARNED), 1),
  first_floor: (_, { number }) => number(counted({ ...start, back: LENGTHS[0] - 1 }).floor, 0),
  back_floor: (s, { number }) => number(counted(s).floor, 1),
  back_push: (s, { number }) => number(counted(s).push, 1),
  lifted: (_, { number }) => number(LIFTED),
  lowered: (_, { number }) => number(LOWERED),
  share_near: (s, { number }) => `${number(percent(sharesOf(s, true)[SECOND_STOP]))}\u00a0%`,
  share_far: (s, { number }) => `${number(percent(sharesOf(s, true)[FIRST_STOP]))}\u00a0%`,
  drawn: (_, { seen, number }) => number(drawnDoors(seen)),
  doors: (_, { number }) => number(ALL_DOORS),
  wanted_share: (_, { number }) => `${number(percent(MOST_OF_IT))}\u00a0%`,
  counts: (_, { number }) => number(COUNTED),
  top: () => `${TOP}`,
  cut_last: () => `${CUT}`,
  own: (s, { number }) => `${number(percent(own(s)))}\u00a0%`,
  reached: (_, { number }) => number(data.reached),
  length: (s, { number }) => number(LENGTHS[lengthAt(s)]),
  trained_length: (_, { number }) => number(LENGTHS[0]),
  longest: (_, { number }) => number(LENGTHS[LENGTHS.length - 1]),
  held: (s, { number }) => number(held(s)),
  last: (s) => `${lastAt(s)}`,
  wrong: (s, { number }) => `${number(wrong(s), 1)}\u00a0%`,
  wrong_cut: (s, { number }) => `${number(wrong({ ...s, last: CUT }), 1)}\u00a0%`,
  wrong_trained: (s, { number }) => `${number(wrongTrained(s), 1)}\u00a0%`,
};

/** @param {State} s */
function spoken(s) {
  if (s.far > 0.5 && s.guesses > 0.5) {
    if (s.lifts > 0.5 && s.lifted < 0.5) return "say_floors";
    return s.known > 0.5 ? "say_counter" : "say_waiting";
  }
  if (s.far > 0.5) return "say_text";
  if (s.shares > 0.5) return s.answered > 0.5 ? "say_shares" : "say_waiting";
  if (s.pile > 0.5) return "say_pile";
  return s.mix > 0.5 ? "say_mix" : "say_floor";
}

/** @param {Stage} stage */
function build(stage) {
  const near = stage.make("g");
  /** @type {import("./room.js").Room} */
  let room = layout({ width: 900, height: 600, isPhone: false }, start);
  const now = () => room;
  const parts = [
    buildFloors(stage, near),
    buildStairs(stage, near),
    buildDoors(stage, near, now),
    buildProducts(stage, near),
    buildShares(stage, near),
    buildPile(stage, near),
    buildPair(stage, near),
    buildPush(stage, near, now),
    buildDial(stage, near, now),
    buildQuery(stage, near, now),
    buildCounter(stage, near, now),
  ];
  const counted = buildCounted(stage);

  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    room = layout(box, s);
    // Further away: the sentence shrinks to the end of a longer text.
    const scale = 1 - 0.85 * s.far;
    const at = `translate(${room.edge * (1 - scale)} ${room.ground * (1 - scale)}) scale(${scale})`;
    stage.put(near, { transform: s.far > 0.005 ? at : undefined });
    stage.put(near, { style: s.far > 0.5 ? "pointer-events: none" : undefined });
    stage.show(near, 1 - s.far);
    if (s.far < 0.98) for (const draw of parts) draw(s, room);
    counted(s, box);
  };
}

export default { start, steps, told, spoken, byHand, build };
