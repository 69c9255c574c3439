// The last chapter: a table of all encodings whose names become the ends of their measured curves.

import data from "../data/which.js";
import {
  ENCODINGS,
  MEASURES,
  METHODS,
  MOST,
  NAMES,
  ROPE,
  chosen,
  doublingsOf,
  endOf,
  foundReal,
  hasRow,
  isMeasured,
  layout,
  measureOf,
  measured,
  places,
} from "./which/room.js";
import { buildAxes, buildCurves, buildNames, ofChosen } from "./which/curves.js";
import { buildFrame, buildLength, buildMeasures, buildTraining } from "./which/hands.js";
import { buildTable } from "./which/table.js";
import { buildBars } from "./which/bars.js";

/** @typedef {import("../types").Stage} Stage */
/** @typedef {import("../types").State} State */
/** @typedef {import("../types").Box} Box */
/** @typedef {import("./which/room.js").Room} Room */

const LONGEST = 4; // doublings
const SHORTEST = -3; // doublings of the real model's trained length: its shortest text
const LAST_READ = 2; // and its longest

export const start = {
  row: ROPE, // the name in the frame
  plot: 0, // 0: the table, 1: the curves
  measure: 0, // of MEASURES
  length: 0, // of the text, in doublings of the trained length
  known: SHORTEST, // how far the curves have been seen, in doublings
  low: 0, // the axis, in doublings
  high: LONGEST,
  real: 0, // 1: the real model
  tuned: 0, // 1: trained further
  // from here on: how much of it is there
  measures: 0,
  training: 0,
  few: 0, // 1: names at a few of the curves
  bars: 0,
};

const PLOT = { plot: 1 };
const REVERSIBLE = NAMES.filter((name) => ENCODINGS[name].mirrored === "same");

/** @type {Record<string, import("../types").PictureStep>} */
export const steps = {
  table: {
    at: { row: 0 },
    also: ["names", "row"],
    seen: ["nope", "learned"], // the answer's row, and the first
    after: { row: NAMES.indexOf("learned") },
    goal: (_, seen) => seen.size === NAMES.length,
  },
  curves: {
    at: { ...PLOT, measures: 1, length: 1, known: 1 },
    also: ["axis", "names", "row", "note", "curves"],
    seen: ["near"],
    after: { length: 2, known: 2 },
    slow: 2000,
    goal: (s, seen) => s.length > LONGEST - 0.1 && MEASURES.every((one) => seen.has(one)),
  },
  tonight: {
    at: { ...PLOT, real: 1, low: SHORTEST, high: LAST_READ },
    also: ["axis", "past", "note"],
    after: { length: LAST_READ, known: LAST_READ },
    slow: 2000,
    goal: (s) => s.length < SHORTEST + 0.1,
  },
  scratch: {
    at: { ...PLOT, measure: 1, length: 2, known: 2, training: 1, few: 1 },
    also: ["axis", "row", "note", "length", "rope", "alibi", "kerple"],
    after: { tuned: 1 },
    slow: 2000,
    goal: (s) => s.length > LONGEST - 0.1,
  },
  short: {
    at: { bars: 1, length: LONGEST },
    also: ["row", "names"],
    after: { length: 0 },
    slow: 1600,
    goal: (_, seen) => REVERSIBLE.every((name) => seen.has(name)),
  },
};

const MEASURED = NAMES.filter(isMeasured);
/** @param {number} doublings */
const finds = (doublings) => MEASURED.filter((name) => measured(name, 0, doublings) >= MOST).length;
/** @param {string} name @param {State} s */
const found = (name, s) => measured(name, measureOf(s), doublingsOf(s));

/** Of the real model's texts, the short ones, in which YaRN finds fewer keys than nothing does. */
const { lengths, found: right } = data.real;
const FEWER = lengths.filter((_, i) => right.yarn[i] < right.none[i]).length;

/** @param {number} value @param {State} s @param {Stage} stage */
const amount = (value, s, { number }) =>
  MEASURES[measureOf(s)] === "bits" ? number(value, 2) : `${number(value)} %`;

/** @type {import("../types").Picture["told"]} */
export const told = {
  all: (_, { number }) => number(NAMES.length),
  measured: (_, { number }) => number(MEASURED.length),
  shown: (_, { number, seen }) => number(seen.size),
  chosen: (s, { say }) => say(`name_${chosen(s)}`),
  fails: (s, { say, seen }) => (seen.has(chosen(s)) ? say(`fails_${chosen(s)}`) : "…"),
  measure: (s, { say }) => say(MEASURES[measureOf(s)]),
  trained: (s, { number }) => number(s.real > 0.5 ? data.real.trained : data.trained),
  text: (s, { number }) => number(data.trained * 2 ** Math.round(s.length)),
  length: (s, { number }) =>
    number(
      s.real > 0.5
        ? data.real.trained * 2 ** Math.round(s.length)
        : data.trained * 2 ** Math.round(endOf(chosen(s), s)),
    ),
  target: (_, { number }) => number(data.real.trained * 2 ** LAST_READ),
  shortest: (_, { number }) => number(data.real.trained * 2 ** SHORTEST),
  mean: (s, stage) => amount(ofChosen(s).mean, s, stage),
  low: (s, stage) => amount(s.tuned > 0.5 ? data.further.low[0] : ofChosen(s).low, s, stage),
  high: (s, stage) => amount(s.tuned > 0.5 ? data.further.high[0] : ofChosen(s).high, s, stage),
  models: (s, { number }) => number(ofChosen(s).models),
  of: (s, { number }) => number(ofChosen(s).of),
  finding_twice: (_, { number }) => number(finds(1)),
  most: (_, { number }) => number(MOST),
  rope_four: (_, { number }) => number(measured("rope", 0, 2)),
  rope: (s, stage) => amount(found("rope", s), s, stage),
  alibi: (s, stage) => amount(found("alibi", s), s, stage),
  kerple: (s, stage) => amount(found("kerple", s), s, stage),
  rope_far: (_, { number }) => number(measured("rope", 1, LONGEST)),
  rope_bits: (_, { number }) => number(measured("rope", 2, LONGEST), 2),
  rope_said: (s, { number }) =>
    `${number(s.tuned > 0.5 ? data.further.mean[0] : measured("rope", 1, 2))} %`,
  hundred: (_, { number }) => number(data.updates),
  ...Object.fromEntries(
    METHODS.map((method) => [
      `${method}_here`,
      (/** @type {State} */ s, /** @type {Stage} */ { number }) =>
        number(foundReal(method, Math.round(s.length)) ?? NaN),
    ]),
  ),
  fewer_until: (_, { number }) => number(lengths[FEWER - 1]),
  more_from: (_, { number }) => number(lengths[FEWER]),
  alibi_four: (_, { number }) => number(measured("alibi", 1, 2)),
  longest: (_, { number }) => number(data.longest),
  reversible: (_, { number }) => number(REVERSIBLE.length),
  rope_before: (_, { number }) => number(measured("rope", 1, 2)),
  rope_after: (_, { number }) => number(data.further.mean[0]),
  factor: (_, { number }) => number(data.real.factor),
  yarn_right: (_, { number }) => number(/** @type {number} */ (data.real.found.yarn.at(-1))),
  yarn_asked: (_, { number }) => number(/** @type {number} */ (data.real.asked.yarn.at(-1))),
  yarn_short: (_, { number }) => number(data.real.found.yarn[0]),
  none_short: (_, { number }) => number(data.real.found.none[0]),
  asked_short: (_, { number }) => number(data.real.asked.yarn[0]),
};

/** @param {State} s */
function spoken(s) {
  if (s.plot < 0.5 && s.bars < 0.5) return "say_row";
  if (s.real > 0.5) return "say_real";
  if (!isMeasured(chosen(s))) return "say_none";
  return hasRow(chosen(s), doublingsOf(s)) ? "say_curve" : "say_no_row";
}

/** @param {Stage} stage */
function build(stage) {
  /** @type {Room} */
  let room = layout({ width: 900, height: 600, isPhone: false });
  const now = () => room;
  const axes = buildAxes(stage);
  const curves = buildCurves(stage);
  const names = buildNames(stage);
  const table = buildTable(stage);
  const bars = buildBars(stage);
  const hands = [buildFrame, buildLength, buildMeasures, buildTraining].map((one) =>
    one(stage, now),
  );

  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    room = layout(box);
    const at = places(room, s);
    axes(s, room);
    names(s, room, at);
    table(s, room);
    bars(s, room);
    curves(s, room, at);
    for (const draw of hands) draw(s);
  };
}

export default { start, steps, told, spoken, build };
