// Absolute positions: one ruler of places, and what each place adds to the word that stands there.

import byHand from "./by_hand.js";
import data from "./data.js";
import { svg } from "../../page/lit/lit.js";
import { clamp } from "../../page/shapes.js";
import { bits } from "./bits.js";
import { dials } from "./dials.js";
import { handles } from "./handles.js";
import { lanes } from "./lanes.js";
import { alike } from "./likeness.js";
import * as model from "./model.js";
import { FURTHER, GAP, PLACES, VIEWS, WIDTH, roomOf } from "./room.js";
import { cutOut, ruler } from "./ruler.js";
import { sieve } from "./sieve.js";
import { sums } from "./sums.js";
import { terms } from "./terms.js";
import { wheels } from "./wheels.js";
import { words } from "./words.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

const FEW = 10; // places: over so many a pair is dragged along

export const start = {
  ...Object.fromEntries(VIEWS.map((view) => [view, 0])), // how much of each view is there
  p: 0, // the place
  k: GAP, // how much further on the ghost stands
  smooth: 1, // 0: digits, 1: waves
  real: 1, // 0: hands that turn once in 10, 100 and 1000 places, 1: the table's
  hands: 1, // how many the guess goes by
  sweep: 0, // up to which place it is told which look alike
  above: 0, // 1: the waves from above, as a table
  matrices: 0, // 1: the learned matrices are between
  word: 0, // index of the word that is tried
  given: 0, // 1: a sum is given, to be unmixed
  read: PLACES, // up to which place the measured curve is drawn
};

/** @type {Record<string, PictureStep>} */
export const steps = {
  number: {
    at: { words: 1 },
    goal: (s) => model.similarity(s) > model.ENOUGH,
  },
  digits: {
    at: { lanes: 1, p: 36, smooth: 0, real: 0 },
    also: ["wave", "hand"],
    goal: (s, seen) => s.smooth > 0.97 && seen.has("digits") && seen.has("waves"),
  },
  guess: {
    at: { sieve: 1, p: 20 },
    also: ["left"],
    after: { sweep: PLACES },
    slow: 1600,
    goal: (s) => s.hands > 2.5 && model.at(s) === model.HIDDEN,
  },
  row: {
    at: { rows: 1, p: 20 },
    also: ["hand", "lever"],
    goal: (s) => model.at(s) === model.TARGET,
  },
  turn: {
    at: { wedges: 1, p: 8 },
    after: { p: 116 },
    slow: 2400,
    goal: (s) => Math.round(s.k) === model.ROUND,
    follows: true,
  },
  add: {
    at: { mix: 1, p: 20, word: 0 },
    after: { given: 1 },
    goal: (s) => Math.round(s.word) === model.MIXED.word && model.at(s) === model.MIXED.place,
  },
  matrices: {
    at: { terms: 1, p: 20 },
    also: ["q", "k", "lever"],
    after: { matrices: 1 },
    slow: 1600,
    goal: (_, seen) => [0, 1].every((matrices) => dragged(seen, matrices) >= FEW),
  },
  beyond: {
    at: { bits: 1, p: 100 },
    also: ["new", "entries"],
    after: { read: FURTHER, p: 200 },
    slow: 2200,
    goal: (s) => model.at(s) === PLACES,
  },
  learned: {
    at: { table: 1, p: 100 },
    also: ["likeness", "new"],
    after: { sweep: PLACES },
    slow: 1600,
    goal: (s) => model.at(s) >= PLACES,
  },
};

/** Over how many places the pair was dragged, with the matrices (1) or without. @param {Set<string>} seen @param {number} matrices */
function dragged(seen, matrices) {
  const all = [...seen].map((one) => one.split(" at ").map(Number));
  const places = all.filter(([setting]) => setting === matrices).map(([, place]) => place);
  return Math.max(...places) - Math.min(...places);
}

const SOON = 10; // places after which the bits have climbed

/** Numbers that no state changes, and with how many digits they are told. @type {Record<string, [number, number]>} */
const FIXED = {
  places: [PLACES, 0],
  width: [WIDTH, 0],
  before: [model.JUMP - 1, 0],
  jump: [model.JUMP, 0],
  radian: [180 / Math.PI, 0],
  one: [model.fitting(1).length, 0],
  two: [model.fitting(2).length, 0],
  three: [model.fitting(3).length, 0],
  wanted: [model.TARGET, 0],
  enough: [model.ENOUGH, 3],
  inside: [model.meanBits(PLACES / 2, PLACES), 1],
  outside: [model.meanBits(PLACES + SOON, FURTHER), 1],
  first_bits: [model.bitsAt(PLACES), 1],
  soon: [SOON, 0],
  texts: [data.texts, 0],
  alone: [data.bytesAlone, 2],
  sums: [model.NAMES.length * PLACES, 0],
};

/** @type {Picture["told"]} */
export const told = {
  ...Object.fromEntries(
    Object.entries(FIXED).map(([name, [value, digits]]) => [
      name,
      (/** @type {State} */ _, /** @type {Stage} */ { number }) => number(value, digits),
    ]),
  ),
  p: (s, { number }) => number(model.at(s)),
  alike: (s, { number }) =>
    number(Math.min(model.similarity(s), 0.9999), model.similarity(s) > model.ENOUGH ? 4 : 2),
  left: (s, { number }) => number(model.fitting(Math.round(s.hands)).length),
  gap: (s, { number }) => number(s.k),
  product: (s, { number }) => number(model.product(Math.round(s.k)), 2),
  word: (s) => model.NAMES[Math.round(s.word)],
  given_word: () => model.NAMES[model.MIXED.word],
  given_place: (_, { number }) => number(model.MIXED.place),
  off: (s, { number }) => number(model.off(s), 1),
  first_new: (s, { number }) => number(model.unseen({ ...s, p: PLACES }).filter(Boolean).length),
  new: (s, { number }) => number(model.unseen(s).filter(Boolean).length),
  bits: (s, { number }) => number(model.bitsAt(s.p), 2),
  ...Object.fromEntries(
    ["words", "rows", "mixed", "other"].map((name, i) => [
      `part_${name}`,
      (/** @type {State} */ s, /** @type {Stage} */ { number }) =>
        number(model.parts(model.at(s), s.matrices)[i], 2),
    ]),
  ),
};

/** @param {State} s */
function spoken(s) {
  const [view] = [...VIEWS].sort((a, b) => s[b] - s[a]);
  if (view === "lanes") return s.smooth < 0.5 ? "say_digits" : "say_place";
  if (view === "sieve") return s.sweep > 0 ? "say_left" : "say_place";
  if (view === "table" && model.at(s) >= PLACES) return "say_no_row";
  return (
    {
      words: "say_alike",
      wedges: "say_wedges",
      mix: "say_off",
      terms: "say_parts",
      bits: "say_new",
    }[view] ?? "say_place"
  );
}

/** @param {Stage} stage */
function build(stage) {
  const { state, seen, set, move } = stage;

  /** @param {number} to */
  function place(to) {
    const p = clamp(to, 0, model.lastPlace(state));
    const [low, high] = [Math.min(p, state.p), Math.max(p, state.p)].map(Math.round);
    if (low < model.JUMP && high >= model.JUMP) seen.add(state.smooth < 0.5 ? "digits" : "waves");
    if (Math.round(p) === model.TARGET) seen.add("found");
    if (state.terms > 0.5)
      for (const one of [state.p, p])
        seen.add(`${Math.round(state.matrices)} at ${Math.round(one)}`);
    set({ p });
  }
  const settle = () => move({ p: Math.round(state.p), k: Math.round(state.k) }, 120);

  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    const room = roomOf(box, s);
    return svg`
      ${terms(s, room, stage)}
      ${bits(s, room, stage)}
      ${alike(s, room, stage)}
      ${lanes(s, room, stage)}
      ${ruler(s, room, stage)}
      ${words(s, room, stage)}
      ${wheels(s, room, stage)}
      ${dials(s, room, stage)}
      ${sieve(s, room, stage)}
      ${cutOut(s, room, stage)}
      ${sums(s, room, stage)}
      ${handles(s, room, stage, { place, settle })}`;
  };
}

export default { start, steps, told, spoken, byHand, build };
