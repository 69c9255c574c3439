// The last chapter: a table of all encodings, and what was measured of each in its row.

import data from "./data.js";
import {
  ENCODINGS,
  FURTHER,
  LENGTHS,
  MEASURES,
  METHODS,
  MOST,
  NAMES,
  ROPE,
  chosen,
  doublingsOf,
  foundReal,
  hasRow,
  isMeasured,
  layout,
  measureOf,
  measured,
} from "./room.js";
import { LAST, SHORTEST, buildReal } from "./real.js";
import { buildNames, buildRail, buildStrips, ofChosen } from "./strips.js";
import { buildFrame, buildLength, buildMeasures } from "./hands.js";
import { buildTable } from "./table.js";
import { buildBars } from "./bars.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("../../page/types").Box} Box */
/** @typedef {import("./room.js").Room} Room */

export const start = {
  row: ROPE, // the name in the frame
  plot: 0, // 0: the table, 1: the curves
  measure: 0, // of MEASURES
  length: 0, // of the text, in doublings of the trained length
  known: SHORTEST, // how far the real model's curves have been seen, in doublings
  low: 0, // the axis, in doublings
  high: LENGTHS,
  real: 0, // 1: the real model
  tuned: 0, // 1: what RoPE finds once it was trained further
  // from here on: how much of it is there
  measures: 0,
  few: 0, // 1: a few of the encodings
  bars: 0,
};

const PLOT = { plot: 1 };
const REVERSIBLE = NAMES.filter((name) => ENCODINGS[name].mirrored === "same");

/** @type {Record<string, import("../../page/types").PictureStep>} */
export const steps = {
  table: {
    at: { row: 0 },
    also: ["names", "row"],
    seen: ["nope", "learned"], // the answer's row, and the first
    after: { row: NAMES.indexOf("learned") },
    goal: (_, seen) => seen.size === NAMES.length,
  },
  curves: {
    at: { ...PLOT, measures: 1, length: 1 },
    also: ["axis", "names", "row", "note", "curves"],
    seen: ["near"],
    after: { length: 2 },
    slow: 2000,
    goal: (s, seen) => s.length > LENGTHS - 0.1 && MEASURES.every((one) => seen.has(one)),
  },
  tonight: {
    at: { ...PLOT, real: 1, low: SHORTEST, high: LAST },
    also: ["axis", "past", "note"],
    after: { length: LAST, known: LAST },
    slow: 2000,
    goal: (s) => s.length < SHORTEST + 0.1,
  },
  scratch: {
    at: { ...PLOT, measure: 1, length: 2, few: 1 },
    also: ["axis", "row", "note", "length", "rope", "alibi", "kerple"],
    after: { tuned: 1 },
    slow: 2000,
    goal: (s) => s.length > LENGTHS - 0.1,
  },
  short: {
    at: { bars: 1, length: LENGTHS },
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

/** @type {import("../../page/types").Picture["told"]} */
export const told = {
  all: (_, { number }) => number(NAMES.length),
  measured: (_, { number }) => number(MEASURED.length),
  chosen: (s, { say }) => say(`name_${chosen(s)}`),
  fails: (s, { say, seen }) => (seen.has(chosen(s)) ? say(`fails_${chosen(s)}`) : "…"),
  why: (s, { say, seen }) => (seen.has(chosen(s)) ? say(`why_${chosen(s)}`) : ""),
  red: (s, { say }) => say(`red_${MEASURES[measureOf(s)]}`),
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
  mean: (s, stage) => amount(ofChosen(s).mean, s, stage),
  low: (s, stage) => amount(ofChosen(s).low, s, stage),
  high: (s, stage) => amount(ofChosen(s).high, s, stage),
  models: (s, { number }) => number(ofChosen(s).models),
  of: (s, { number }) => number(ofChosen(s).of),
  finding_twice: (_, { number }) => number(finds(1)),
  most: (_, { number }) => number(MOST),
  rope_four: (_, { number }) => number(measured("rope", 0, 2)),
  alibi: (s, stage) => amount(found("alibi", s), s, stage),
  rope_far: (_, { number }) => number(measured("rope", 1, LENGTHS)),
  rope_bits: (_, { number }) => number(measured("rope", 2, LENGTHS), 2),
  hundred: (_, { number }) => number(data.updates),
  ...Object.fromEntries(
    METHODS.map((method) => [
      `${method}_here`,
      (/** @type {State} */ s, /** @type {Stage} */ { number }) =>
        number(foundReal(method, Math.round(s.length)) ?? NaN),
    ]),
  ),
  fewer_until: (_, { number }) => number(lengths[FEWER - 1]),
  alibi_four: (_, { number }) => number(measured("alibi", 1, 2)),
  reversible: (_, { number }) => number(REVERSIBLE.length),
  further: (_, { number }) => number(data.trained * 2 ** FURTHER),
  rope_before: (_, { number }) => number(measured("rope", 1, FURTHER)),
  rope_after: (_, { number }) => number(data.further.mean[0]),
  after_low: (_, { number }) => number(data.further.low[0]),
  after_high: (_, { number }) => number(data.further.high[0]),
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
  const all = [buildNames, buildRail, buildTable, buildBars, buildStrips, buildReal].map((one) =>
    one(stage),
  );
  const hands = [buildFrame, buildLength, buildMeasures].map((one) => one(stage, now));

  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    room = layout(box);
    for (const draw of all) draw(s, room);
    for (const draw of hands) draw(s);
  };
}

export default { start, steps, told, spoken, build };
