// The last chapter: what was measured of each encoding, what a kernel reads, what released models do, and the three ways.

import { svg } from "../../page/lit/lit.js";
import data from "./data.js";
import { bars } from "./bars.js";
import { frame, length, makeMeasures } from "./hands.js";
import { EQUAL, kernel, matrix, tokensOf, vectors, written } from "./kernel.js";
import { TWO, MODELS, bases, layers } from "./layers.js";
import { LAST, SHORTEST, real } from "./real.js";
import { FURTHER, LENGTHS, MEASURES, METHODS, MOST, NAMES, ROPE, chosen, doublingsOf, foundReal, hasRow, layout, measureOf, measured } from "./room.js"; // prettier-ignore
import { names, ofChosen, rail, strips } from "./strips.js";
import { LINES, isFound, pressed, table } from "./table.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

const ASKED = 32768; // tokens of a text that a question speaks of

export const start = {
  row: ROPE, // the name in the frame
  measure: 0, // of MEASURES
  length: 0, // of the text, in doublings of the trained length
  known: SHORTEST, // how far the real model's curves have been seen, in doublings
  low: 0, // the axis, in doublings
  high: LENGTHS,
  real: 0, // 1: the real model
  tuned: 0, // 1: what RoPE finds once it was trained further
  tokens: Math.log2(2048), // of the text that a kernel reads, log2
  model: 0, // the one in the frame
  line: 0, // of the table, that the reader pressed last
  column: 0,
  // from here on: how much of it is there
  plot: 0,
  measures: 0,
  few: 0, // 1: a few of the encodings
  bars: 0,
  fused: 0,
  today: 0,
  table: 0,
};

const PLOT = { plot: 1 };

/** @type {Record<string, PictureStep>} */
export const steps = {
  curves: {
    at: { ...PLOT, measures: 1, length: 1, row: NAMES.indexOf("t5") }, // not the row that is asked for
    also: ["axis", "names", "row", "note", "curves"],
    after: { length: 2, row: ROPE },
    slow: 2000,
    goal: (s, seen) => s.length > LENGTHS - 0.1 && seen.has("far"),
  },
  short: {
    at: { bars: 1, length: LENGTHS },
    also: ["row", "names"],
    after: { length: 0 },
    slow: 1600,
    goal: (s) => chosen(s) === "nope",
  },
  scratch: {
    at: { ...PLOT, measure: 1, length: 2, few: 1 },
    also: ["axis", "row", "note", "length", "rope", "alibi", "kerple"],
    after: { tuned: 1 },
    slow: 2000,
    goal: (s) => s.length > LENGTHS - 0.1,
  },
  tonight: {
    at: { ...PLOT, real: 1, low: SHORTEST, high: LAST },
    also: ["axis", "past", "note"],
    after: { length: LAST, known: LAST },
    slow: 2000,
    goal: (s) => s.length < SHORTEST + 0.1,
  },
  fused: {
    at: { fused: 1 },
    also: ["tokens", "q", "k", "v", "slope"],
    after: { tokens: Math.log2(ASKED) },
    slow: 2000,
    goal: (s) => tokensOf(s) === EQUAL,
  },
  today: {
    at: { today: 1 },
    also: ["models", "wedge", "whole", "local", "hollow"],
    goal: (s) => Math.round(s.model) === TWO,
  },
  table: {
    at: { table: 1 },
    also: ["ways", "lines"],
    goal: (_, seen) => LINES.every((line) => isFound(seen, line)),
  },
};

/** @param {number} doublings */
const finds = (doublings) => NAMES.filter((name) => measured(name, 0, doublings) >= MOST).length;

/** Of the real model's texts, the short ones, in which YaRN finds fewer keys than nothing does. */
const { lengths, found: right } = data.real;
const FEWER = lengths.filter((_, i) => right.yarn[i] < right.none[i]).length;
/** Sum over these texts. @param {number[]} counts */
const upTo = (counts) => counts.slice(0, FEWER).reduce((sum, one) => sum + one);

/** @type {Picture["told"]} */
export const told = {
  chosen: (s, { say }) => say(`name_${chosen(s)}`),
  measure: (s, { say }) => say(MEASURES[measureOf(s)]),
  trained: (s, { number }) => number(s.real > 0.5 ? data.real.trained : data.trained),
  long: (_, { number }) => number(data.trained * 2 ** LENGTHS),
  text: (s, { number }) => number(data.trained * 2 ** Math.round(s.length)),
  length: (s, { number }) =>
    number(
      s.real > 0.5
        ? data.real.trained * 2 ** Math.round(s.length)
        : data.trained * 2 ** doublingsOf(s),
    ),
  target: (_, { number }) => number(data.real.trained * 2 ** LAST),
  shortest: (_, { number }) => number(data.real.trained * 2 ** SHORTEST),
  mean: (s, { number }) => `${number(ofChosen(s).mean)}%`,
  low: (s, { number }) => `${number(ofChosen(s).low)}%`,
  high: (s, { number }) => `${number(ofChosen(s).high)}%`,
  models: (s, { number }) => number(ofChosen(s).models),
  of: (s, { number }) => number(ofChosen(s).of),
  finding_twice: (_, { number }) => number(finds(1)),
  most: (_, { number }) => number(MOST),
  rope_four: (_, { number }) => number(measured("rope", 0, 2)),
  alibi_far: (_, { number }) => number(measured("alibi", 1, LENGTHS)),
  sines_long: (_, { number }) => number(measured("sinusoidal", 0, LENGTHS)),
  rope_long: (_, { number }) => number(measured("rope", 0, LENGTHS)),
  rope_far: (_, { number }) => number(measured("rope", 1, LENGTHS)),
  small_far: (_, { number }) => number(measured("rope_base128", 1, LENGTHS)),
  nope: (_, { number }) => number(measured("nope", 0, 0)),
  chance: (_, { number }) => number(data.chance),
  hundred: (_, { number }) => number(data.updates),
  ...Object.fromEntries(
    METHODS.map((method) => [
      `${method}_here`,
      (/** @type {State} */ s, /** @type {Stage} */ { number }) =>
        number(foundReal(method, Math.round(s.length))),
    ]),
  ),
  fewer_until: (_, { number }) => number(lengths[FEWER - 1]),
  further: (_, { number }) => number(data.trained * 2 ** FURTHER),
  rope_before: (_, { number }) => number(measured("rope", 1, FURTHER)),
  rope_after: (_, { number }) => number(data.further.rope.mean[0]),
  factor: (_, { number }) => number(data.real.factor),
  yarn_right: (_, { number }) => number(/** @type {number} */ (data.real.found.yarn.at(-1))),
  yarn_upto: (_, { number }) => number(upTo(right.yarn)),
  none_upto: (_, { number }) => number(upTo(right.none)),
  asked_upto: (_, { number }) => number(FEWER * data.real.asked.yarn[0]),
  asked_short: (_, { number }) => number(data.real.asked.yarn[0]),
  asked_tokens: (_, { number }) => number(ASKED),
  ten_asked: (_, { number }) => written(10 * vectors(ASKED), number),
  vectors_asked: (_, { number }) => written(vectors(ASKED), number),
  matrix_asked: (_, { number }) => written(matrix(ASKED), number),
  tokens: (s, { number }) => number(tokensOf(s)),
  matrix: (s, { number }) => written(matrix(tokensOf(s)), number),
  vectors: (s, { number }) => written(vectors(tokensOf(s)), number),
  model: (s) => MODELS[Math.round(s.model)].name,
  bases: (s, { number, say }) =>
    bases(Math.round(s.model))
      .map((base) => number(base))
      .join(", ") || say("alibi_base"),
  local_base: (_, { number }) => number(bases(TWO)[0]),
  whole_base: (_, { number }) => number(bases(TWO)[1]),
  line: (s, { say }) => say(`line_${LINES[Math.round(s.line)]}`),
  cell: pressed,
};

/** @param {State} s */
function spoken(s) {
  if (s.fused > 0.5) return "say_kernel";
  if (s.today > 0.5) return "say_model";
  if (s.table > 0.5) return "say_line";
  if (s.real > 0.5) return "say_real";
  return hasRow(chosen(s), doublingsOf(s)) ? "say_curve" : "say_no_row";
}

/** @param {Stage} stage */
function build(stage) {
  const measures = makeMeasures(stage);
  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    const room = layout(box);
    return svg`
      ${[names, rail, bars, strips, real, kernel, layers, table, frame, length].map((draw) => draw(s, room, stage))}
      ${measures(s, room)}`;
  };
}

export default { start, steps, told, spoken, build };
