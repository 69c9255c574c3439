// The last chapter: what is known of each encoding, and where its name stands, in the table or at its curve.

import data from "../../data/which.js";
import { clamp, mix } from "../../shapes.js";

/** @typedef {import("../../types").State} State */
/** @typedef {import("../../types").Box} Box */
/** @typedef {{ mean: number[], low: number[], high: number[] }} Ends */
/** @typedef {{ places: string[], trains: number, mirrored: string, models?: { near: number, bits: number }, learned?: number,
 *              near?: Ends, far?: Ends, bits?: Ends }} Encoding */
/** @typedef {{ x: number, y: number, w: number, h: number }} Rect */

/** @type {Record<string, Encoding>} */
export const ENCODINGS = data.encodings;
export const NAMES = Object.keys(ENCODINGS);
export const MEASURES = /** @type {const} */ (["near", "far", "bits"]);
export const LENGTHS = Math.log2(data.longest / data.trained); // doublings
export const FURTHER = 2; // doublings: the length of the training afterwards
export const METHODS = /** @type {const} */ (["none", "linear", "ntk", "yarn"]);
export const ROPE = NAMES.indexOf("rope");
/** The first of a family; the others are its relatives. */
export const HEADS = ["nope", "learned", "sinusoidal", "shaw", "t5", "alibi", "rope", "cope"];
/** Of which the choice is made where only a few are shown. */
const FEW = ["alibi", "kerple", "rope"];
const [FEWEST, DEAREST] = [2, 5.6]; // bits a byte, at the ends of the axis
export const MOST = 90; // per cent of the near keys: nine in ten

/** @param {string} name */
export const isMeasured = (name) => ENCODINGS[name].near !== undefined;
/** Whether a name stands at its curve. @param {string} name @param {State} s */
export const isNamed = (name, s) => isMeasured(name) && (s.few < 0.5 || FEW.includes(name));

/** A measure of an encoding after so many doublings; no key is far within the trained length.
 * @param {string} name @param {number} measure @param {number} doublings @param {keyof Ends} end
 */
export function measured(name, measure, doublings, end = "mean") {
  const kind = MEASURES[measure];
  const ends = /** @type {Ends} */ (ENCODINGS[name][kind]);
  return ends[end][kind === "far" ? Math.max(0, doublings - 1) : doublings];
}

/** A learned table ends with the trained length. @param {string} name @param {number} doublings */
export const hasRow = (name, doublings) => name !== "learned" || doublings <= 0;

/** Where a measure stands: 0 at the foot of the picture, 1 at its top. @param {number} measure @param {number} value */
export const up = (measure, value) =>
  MEASURES[measure] === "bits" ? (value - FEWEST) / (DEAREST - FEWEST) : value / 100;

/** The same between two measures, on the way from one to the other.
 * @param {string} name @param {State} s @param {number} doublings @param {keyof Ends} end
 */
export function height(name, s, doublings, end = "mean") {
  const from = Math.floor(clamp(s.measure, 0, MEASURES.length - 2));
  const at = (/** @type {number} */ measure) =>
    hasRow(name, doublings)
      ? up(measure, measured(name, measure, doublings, end))
      : Number(MEASURES[measure] === "bits"); // with the worst
  const plain = mix(at(from), at(from + 1), s.measure - from);
  return name === "rope" && doublings === FURTHER
    ? mix(plain, up(1, data.further.mean[0]), s.tuned)
    : plain;
}

/** @param {State} s */
export const measureOf = (s) => Math.round(s.measure);
/** No key is far in a text of the trained length. @param {State} s */
const shortest = (s) => clamp(1 - Math.abs(s.measure - 1), 0, 1) * (1 - s.real);
/** How far the curves go, in doublings. @param {State} s */
export const reach = (s) => Math.max(s.length, shortest(s));
/** Where a curve of the small models ends. @param {string} name @param {State} s */
export const endOf = (name, s) =>
  name === "rope" && s.tuned > 0 ? mix(reach(s), Math.min(reach(s), FURTHER), s.tuned) : reach(s);
/** Whether a curve ends before the others, 0 to 1. @param {string} name @param {State} s */
export const shortBy = (name, s) => clamp(reach(s) - endOf(name, s), 0, 1);
/** How far a curve has been seen. @param {string} name @param {State} s */
export const knownOf = (name, s) => (name === "rope" && s.tuned > 0 ? 0 : s.known);
/** @param {State} s */
export const doublingsOf = (s) => Math.round(reach(s));
/** @param {State} s */
export const chosen = (s) => NAMES[Math.round(s.row)];

/** What the real model found after so many doublings, per cent; undefined where it was not asked.
 * @param {string} method @param {number} doublings
 */
export function foundReal(method, doublings) {
  const { lengths, trained, found, asked } = data.real;
  const at = lengths.indexOf(trained * 2 ** doublings);
  const right = /** @type {Record<string, number[]>} */ (found)[method][at];
  return right === undefined
    ? undefined
    : (100 * right) / /** @type {Record<string, number[]>} */ (asked)[method][at];
}

/** Whether a curve is asked for nine in ten near keys and finds fewer. @param {string} name @param {State} s */
export function isFallen(name, s) {
  const isAsked = isMeasured(name) && s.measures > 0.5 && s.measure < 0.5;
  return isAsked && along((i) => height(name, s, i), endOf(name, s)) < MOST / 100;
}

/** Heights between two doublings. @param {(doublings: number) => number} at @param {number} doublings */
export function along(at, doublings) {
  const from = Math.floor(doublings);
  return doublings === from ? at(from) : mix(at(from), at(from + 1), doublings - from);
}

/**
 * @typedef {Box & {
 *   left: number, line: number, heads: number, rows: number[], row: number, name: number,
 *   columns: Record<string, number>, plot: Rect, gap: number, foot: number,
 * }} Room
 */

const PLACES = ["embed", "rotate", "bias", "mix"];

/** @param {Box} box @returns {Room} */
export function layout({ width, height, isPhone }) {
  const left = isPhone ? 10 : 30;
  const line = isPhone ? 13 : 36; // what the chosen one does
  const heads = isPhone ? 41 : 84;
  const first = heads + (isPhone ? 6 : 14);
  const row = Math.min(46, (height - first - (isPhone ? 2 : 16)) / NAMES.length);
  const rows = NAMES.map((_, i) => first + (i + 0.5) * row);
  const name = isPhone ? 88 : Math.min(160, width * 0.2);
  const right = width - (isPhone ? 4 : 24);
  const fails = isPhone ? 100 : Math.min(170, width * 0.24);
  const trains = isPhone ? 62 : 90;
  const from = left + name;
  const each = (right - fails - trains - from) / PLACES.length;
  const columns = Object.fromEntries(PLACES.map((place, i) => [place, from + (i + 0.5) * each]));
  Object.assign(columns, { trains: right - fails - (isPhone ? 10 : 34), fails: right - fails });
  const top = isPhone ? 36 : 84;
  const plot = {
    x: isPhone ? 52 : 70,
    y: top,
    w: width - (isPhone ? 162 : 250),
    h: height - top - (isPhone ? 50 : 92),
  };
  return {
    width,
    height,
    isPhone,
    left,
    line,
    heads,
    rows,
    row,
    name,
    columns,
    plot,
    gap: isPhone ? 12.5 : 20,
    foot: height - (isPhone ? 3 : 16),
  };
}

/** @param {Room} room @param {State} s @param {number} doublings */
export const alongX = ({ plot }, s, doublings) =>
  plot.x + ((doublings - s.low) / (s.high - s.low)) * plot.w;
/** @param {Room} room @param {number} share */
export const upY = ({ plot }, share) => plot.y + plot.h * (1 - share);

/**
 * Heights of labels, as near to their curves as they can be without touching.
 * @param {Record<string, number>} wanted @param {Room} room @returns {Record<string, number>}
 */
export function apart(wanted, { plot, gap }) {
  const names = Object.keys(wanted).sort((a, b) => wanted[a] - wanted[b]);
  const ys = names.map((name) => wanted[name]);
  for (let i = 1; i < ys.length; i++) ys[i] = Math.max(ys[i], ys[i - 1] + gap);
  let most = plot.y + plot.h - 8;
  for (let i = ys.length - 1; i >= 0 && ys[i] > most; i--, most -= gap) ys[i] = most;
  return Object.fromEntries(names.map((name, i) => [name, ys[i]]));
}

/** Width of the frame over a name. @param {Room} room @param {State} s */
export const frameWidth = ({ width, left, isPhone }, s) =>
  mix(width - 1.4 * left, isPhone ? 96 : 150, s.plot);

/** Where each name stands: in its row, or where its curve ends. @param {Room} room @param {State} s */
export function places(room, s) {
  const ends = NAMES.filter((name) => isNamed(name, s)).map((name) => {
    const end = endOf(name, s);
    return [
      name,
      upY(
        room,
        along((i) => height(name, s, i), end),
      ),
    ];
  });
  const ys = apart(Object.fromEntries(ends), room);
  return Object.fromEntries(
    NAMES.map((name, i) => {
      const y = ys[name] ?? room.rows[i];
      const [beside, below] = room.isPhone ? [14, 56] : [22, 56];
      const lies = shortBy(name, s); // below its end, where no other curve is
      const x = alongX(room, s, endOf(name, s)) + mix(beside, -beside - 8, lies);
      const indent = HEADS.includes(name) ? 0 : room.isPhone ? 6 : 16;
      return [
        name,
        { x: mix(room.left + indent, x, s.plot), y: mix(room.rows[i], y + lies * below, s.plot) },
      ];
    }),
  );
}
/** @typedef {ReturnType<typeof places>} Names */
