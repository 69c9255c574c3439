// CoPE: doors under the tokens of a sentence, a counter that climbs at open ones, and what the floors are for.

import byHand from "./by_hand.js";
import { gatesOf } from "../../page/formulas/gates.js";
import { svg } from "../../page/lit/lit.js";
import { KINDS as TEXTS, LENGTHS, counts, wrongOf } from "./counts.js";
import { ALL_DOORS, drawnDoors, makeDoors, pile, products, shares } from "./doors.js";
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
  LENGTH,
  OPEN,
  ROWS,
  SECOND_STOP,
  layout,
  placesOf,
  replaced,
  sharesOf,
  short,
} from "./room.js";
import { before, counter, floors, isSame, pair, query, stairs } from "./stairs.js";
import { FLOORS, dial, push } from "./vectors.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

const MOST_OF_IT = 0.9; // of the attention
const ACROSS = [-LENGTH, 0]; // with full stops, against commas, at a right angle to words

export const start = {
  gates: OPEN, // of the tokens of the sentence, for the query
  q: COUNTS.little, // the query's two numbers
  query: LAST, // index of the token that asks
  walker: ANN, // the token whose floor the counter says
  push: Array.from({ length: FLOORS }, () => 0), // q·e of the lowest floors
  zoom: COUNT, // floors that fit in
  kind: 0, // of the texts that were counted in
  side: 0, // from here on: how much of it is there; the room at the right
  counter: 1,
  walk: 0,
  doors: 1,
  free: 0,
  pair: 0,
  before: 0, // the stairs with all doors open
  dial: 0,
  keys: 0,
  bars: 0,
  shares: 0,
  answered: 0,
  pile: 0,
  far: 0,
  known: 0,
};

/** @type {Record<string, PictureStep>} */
export const steps = {
  tokens: {
    also: ["words"],
    at: { doors: 0, walker: LAST, walk: 1 },
    goal: (s) => Math.round(s.walker) === ANN,
  },
  doors: {
    also: ["words", "counter", "q"],
    at: { walker: FELL, free: 1, walk: 1, before: 1 },
    after: { gates: replaced(OPEN, FELL, 0) },
    goal: (s) => [FELL, BOB].every((word) => s.gates[word] < 0.1),
  },
  count: {
    also: ["words", "q", "floors", "counter"],
    at: { gates: [0, 0, ...OPEN.slice(FIRST_STOP)], zoom: 4, free: 1, pair: 1, walker: BOB },
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
  price: {
    also: ["words", "doors", "counter", "floors"],
    at: { query: 0, q: ASKS[0], gates: ROWS[0], zoom: 4, pile: 1 },
    seen: [0],
    goal: (_, seen) => seen.size === COUNT,
  },
  measured: {
    also: ["curves"],
    at: { far: 1, counter: 0, known: 1 / 3 }, // up to the second length
    after: { known: 1 },
    slow: 1800,
    seen: [0],
    goal: (_, seen) => seen.has(1) && seen.has(2),
  },
};

const percent = (/** @type {number} */ share) => 100 * share;

/** @type {Picture["told"]} */
export const told = {
  floor: (s, { number }) => short(number, placesOf(s)[Math.round(s.walker)]),
  ann: (s, { number }) => short(number, placesOf(s)[ANN], 2),
  tokens: (_, { number }) => number(COUNT),
  share_near: (s, { number }) => `${number(percent(sharesOf(s, true)[SECOND_STOP]))}%`,
  share_far: (s, { number }) => `${number(percent(sharesOf(s, true)[FIRST_STOP]))}%`,
  drawn: (_, { seen, number }) => number(drawnDoors(seen)),
  doors: (_, { number }) => number(ALL_DOORS),
  wanted_share: (_, { number }) => `${number(percent(MOST_OF_IT))}%`,
  trained_length: (_, { number }) => number(LENGTHS[0]),
  second: (_, { number }) => number(LENGTHS[1]),
  longest: (_, { number }) => number(LENGTHS[LENGTHS.length - 1]),
  kind_name: (s, { say }) => say(TEXTS[Math.round(s.kind)]),
  ...Object.fromEntries(
    /** @type {const} */ (["alibi", "cope", "rope"]).flatMap((name) =>
      ["", "_trained", "_between", "_rare"].map((kind, i) => [
        `${name}${kind || "_here"}`,
        (/** @type {State} */ s, /** @type {Stage} */ { number }) =>
          number(wrongOf(name, i ? i - 1 : s.kind), 1),
      ]),
    ),
  ),
};

/** @param {State} s */
function spoken(s) {
  if (s.far > 0.5) return s.known > 0.5 ? "say_measured" : "say_shorter";
  if (s.shares > 0.5) return s.answered > 0.5 ? "say_shares" : "say_waiting";
  if (s.pile > 0.5) return "say_pile";
  return "say_floor";
}

/** @param {Stage} stage */
function build(stage) {
  const doors = makeDoors(stage);
  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    const room = layout(box, s);
    // The sentence shrinks, and what was measured takes its place.
    const scale = 1 - 0.85 * s.far;
    const at = `translate(${room.edge * (1 - scale)} ${room.ground * (1 - scale)}) scale(${scale})`;
    const near =
      () => svg`<g transform=${at} opacity=${1 - s.far} pointer-events=${s.far > 0.5 ? "none" : "auto"}>
      ${floors(s, room, stage)}
      ${stairs(s, room, stage)}
      ${before(s, room, stage)}
      ${doors(s, room)}
      ${products(s, room, stage)}
      ${shares(s, room, stage)}
      ${pile(s, room, stage)}
      ${pair(s, room)}
      ${push(s, room, stage)}
      ${dial(s, room, stage)}
      ${query(s, room, stage)}
      ${counter(s, room, stage)}</g>`;
    return svg`${s.far < 0.98 ? near() : ""}${counts(s, box, stage)}`;
  };
}

export default { start, steps, told, spoken, byHand, build };
