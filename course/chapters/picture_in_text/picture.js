// A picture in a text: patches in a line, on a map of rows and columns, under dials and under light.

import { svg } from "../../page/lit/lit.js";
import { cost } from "./cost.js";
import { FROM, degreesOf, dials, light, lightOf, percent, way } from "./dials.js";
import { edges, look, pace, stops, token } from "./hands.js";
import { COLUMNS, ROWS, START, WORDS, enough, needed, next, positions } from "./ids.js";
import { cellOf, line, words } from "./line.js";
import { beside, film, idsOf, map } from "./map.js";
import { fastest, shares } from "./pairs.js";
import { layout } from "./room.js";
import { buildScene } from "./scene.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

const MIDDLE = START + 2 * COLUMNS + 3; // a patch with others on all sides
const BESIDE = FROM + 1;
const BELOW = FROM + COLUMNS;
const STRETCH = 3; // the larger of the two factors that Qwen3-VL's makers name
const SIDE = enough(STRETCH);
const FULL = START + ROWS * COLUMNS; // of the next word, counted by tokens

export const start = {
  at: MIDDLE, // the token that is held
  rows: ROWS,
  columns: COLUMNS, // of the picture's patches
  seconds: 1, // from sheet to sheet of the film
  il: 0, // dials in blocks, or interleaved: 1
  down: -1, // rows and columns to where a head looks
  across: 0,
  extent: 12, // positions on the map
  // the places of the patches; together 1
  line: 0,
  map: 0,
  aside: 0,
  big: 0,
  // from here on: how much of it is there
  source: 0,
  arcs: 0,
  above: 0,
  held: 0,
  next: 0,
  placed: 1, // 0: the next word waits beside the map
  sizes: 0,
  cost: 0,
  pile: 0,
  tail: 0,
  dials: 0,
  light: 0,
  stops: 0,
};

/** Whether the patch before or behind it in the line is in another row. @param {number} row @param {number} column */
const isRowEnd = (row, column) =>
  (column === 0 && row > 0) || (column === COLUMNS - 1 && row >= 0 && row < ROWS - 1);

/** @type {Record<string, PictureStep>} */
export const steps = {
  line: {
    at: { line: 1, source: 1, arcs: 1, tail: 1 },
    also: ["words", "next", "patches", "line"],
    after: { above: 1 },
    goal: ({ at }, seen) => seen.has("held") && isRowEnd(...cellOf(at)),
  },
  three: {
    at: { map: 1, held: 1 },
    also: ["words", "patches", "map", "q", "k"],
    goal: ({ at }) => at === START,
  },
  next: {
    at: { map: 1, next: 1, placed: 0, tail: 1 },
    also: ["words", "patches", "map", "t", "q"],
    after: { placed: 1, sizes: 1 },
    goal: ({ rows, columns }) => next(START, rows, columns) === START + 4,
  },
  stretch: {
    at: { map: 1, cost: 1, sizes: 1, extent: 36 },
    also: ["words", "patches", "map", "row", "column", "trained", "edges"],
    after: { rows: SIDE, columns: SIDE },
    slow: 2000,
    goal: ({ rows, columns }) => needed(Math.round(rows), Math.round(columns)) <= 1,
  },
  video: {
    at: { map: 1, pile: 1 },
    also: ["words", "next", "patches", "map", "row", "column"],
    goal: (_, seen) => seen.has("slow"),
  },
  dials: {
    at: { aside: 1, dials: 1, at: BESIDE, stops: 1 },
    also: ["patches"],
    after: {},
    goal: ({ at, il }) => il === 1 && at === BELOW,
  },
  light: {
    at: { big: 1, light: 1, stops: 1, il: 1 },
    also: ["patches"],
    after: { il: 0 },
    slow: 1600,
    goal: ({ down, across, il }) => il === 1 && down === 0 && across === -1,
  },
};

/** @param {State} s @returns {[number, number]} */
const sizeOf = (s) => [Math.round(s.rows), Math.round(s.columns)];
/** @param {State} s */
const heldIds = (s) => idsOf(Math.round(s.at));

/** @type {Picture["told"]} */
export const told = {
  t: (s, { number }) => number(heldIds(s)[0]),
  row: (s, { number }) => number(heldIds(s)[1]),
  column: (s, { number }) => number(heldIds(s)[2]),
  start: (_, { number }) => number(START),
  count: (_, { number }) => number(ROWS * COLUMNS),
  in_row: (_, { number }) => number(COLUMNS),
  in_column: (_, { number }) => number(ROWS),
  past_rows: (_, { number }) => number(START + ROWS),
  past_columns: (_, { number }) => number(next(START, ROWS, COLUMNS)),
  past_patches: (_, { number }) => number(FULL),
  last_row: (_, { number }) => number(START + ROWS - 1),
  last_column: (_, { number }) => number(START + COLUMNS - 1),
  rows: (s, { number }) => number(s.rows),
  columns: (s, { number }) => number(s.columns),
  longer: (s, { number }) => number(Math.max(...sizeOf(s))),
  and: (s, { number }) => number(next(START, ...sizeOf(s))),
  tokens: (s, { number }) => number(sizeOf(s)[0] * sizeOf(s)[1]),
  words: (_, { number }) => number(WORDS),
  enough: (_, { number }) => number(SIDE),
  times_then: (_, { number }) => number(needed(SIDE, SIDE), 2),
  positions: (s, { number }) => number(positions(...sizeOf(s))),
  times: (s, { number }) => number(needed(...sizeOf(s)), 2),
  seconds: (s, { number }) => number(s.seconds, s.seconds % 0.5 ? 2 : s.seconds % 1 ? 1 : 0),
  one_column: (_, { number }) => degreesOf(fastest("blocks", 2), number),
  one_row: (_, { number }) => degreesOf(fastest("interleaved", 1), number),
  other_column: (_, { number }) => degreesOf(fastest("interleaved", 2), number),
  down: (s, { number }) => number(Math.abs(way(FROM, Math.round(s.at))[0])),
  across: (s, { number }) => number(Math.abs(way(FROM, Math.round(s.at))[1])),
  share: (s, { number }) => {
    const wanted = Math.round(s.at + s.down * COLUMNS + s.across) - START;
    return percent(lightOf(s)[wanted] ?? 0, number);
  },
  interleaved: (_, { number }) => percent(shares("interleaved", MIDDLE - START, [-1, 0])[MIDDLE - START - COLUMNS], number), // prettier-ignore
  even: (_, { number }) => number(MIDDLE - START + 1),
  in_blocks: (_, { number }) => percent(shares("blocks", MIDDLE - START, [-1, 0])[MIDDLE - START - COLUMNS], number), // prettier-ignore
};

/** @param {State} s */
function spoken(s) {
  if (s.light > 0.5) return "say_light";
  if (s.dials > 0.5) return "say_dials";
  if (s.pile > 0.5) return "say_film";
  if (s.cost > 0.5) return "say_cost";
  if (s.next > 0.5) return s.placed > 0.5 ? "say_next" : "say_waits";
  if (s.held > 0.5) return "say_token";
  return s.above > 0.5 ? "say_line" : "say_waits";
}

/** @param {Stage} stage */
function build(stage) {
  const scene = buildScene(stage);
  const parts = [light, map, words, line, dials, beside, cost, film];
  const hands = [token, look, edges, pace, stops];
  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    const room = layout(box, s);
    scene(s, room);
    return svg`${[...parts, ...hands].map((draw) => draw(s, room, stage))}`;
  };
}

export default { start, steps, told, spoken, build };
