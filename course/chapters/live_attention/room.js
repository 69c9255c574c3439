// Where things are: the sentence runs from left to right, on a phone from top to bottom.

import { clamp, mix } from "../../page/shapes.js";
import { COUNT, LAST, SECOND, STOPS } from "./read.js";

/** @import { Box, State } from "../../page/types" */

const BREAK = 1.5; // of the ruler, where the second sentence is moved on

/** @param {Box} box @param {State} s */
export function layout({ width, height, isPhone }, s) {
  // Of the map of all heads; on a wide screen the name of the head stands beside it.
  const cell = isPhone ? (height > 340 ? 7.5 : 4.6) : clamp((width - 250) / 30, 12, 16);
  const foot = isPhone
    ? Math.max(46 * s.rail, 16 * s.parts, (9 * cell + 5) * s.map, mix(26 * s.next, 42, s.apart))
    : 0;
  const along = isPhone ? height - 26 - foot : width - 40 - 24 * s.parts; // there with a scale at its end
  const slot = along / COUNT;
  const start = (isPhone ? 22 : 8) + slot / 2;
  if (isPhone) {
    const base = mix(mix(140, 92, s.apart) - 74 * s.parts, 6, s.line);
    const words = base + 36;
    return {
      width,
      height,
      isPhone,
      cell,
      slot,
      start,
      foot,
      base,
      words,
      shares: words + 47,
      ruler: words + 92,
      deep: base - 8,
      size: slot < 15 ? 12 : 13,
    };
  }
  const words = mix(height - 134, Math.min(height * 0.42, height - 260), s.parts);
  const base = words - 24;
  // The curve takes the room of the arcs.
  const top = mix(
    Math.max(
      78,
      124 * Math.max(s.next, s.backs),
      166 * s.apart,
      (9 * cell + 68) * s.map,
      clamp(height * 0.53, 274, 330) * s.woken,
    ),
    base - 20,
    s.line,
  );
  return {
    width,
    height,
    isPhone,
    cell,
    slot,
    start,
    foot,
    base,
    words,
    shares: words + 32,
    ruler: height - 48,
    deep: base - top,
    size: slot < 50 ? 14 : slot < 80 ? 17 : 20,
  };
}
/** @typedef {ReturnType<typeof layout>} Room */

/** A point by how far along the sentence and how far across it is. @param {Room} room @param {number} a @param {number} c @returns {[number, number]} */
export const spot = ({ isPhone }, a, c) => (isPhone ? [c, a] : [a, c]);
/** The middle of a word. @param {Room} room @param {number} i */
export const wordAt = ({ start, slot }, i) => start + i * slot;
/** Its place on the ruler, which breaks where places are left empty. @param {Room} room @param {State} s @param {number} i */
export function tickAt({ start, slot }, s, i) {
  const empty = BREAK * clamp(s.gap, 0, 1); // words' widths
  const near = (i * (LAST - empty)) / LAST + (i >= SECOND ? empty : 0);
  return start + near * slot * (1 - s.press / STOPS);
}
/** @param {Room} room */
export const full = ({ slot }) => slot * LAST;

/** Where a rail runs. @param {Room} room @param {"far" | "gap"} which @param {State} s */
export function railOf({ width, height, isPhone, base, deep }, which, s) {
  const x = mix(mix(24, 206, s.woken), 118, s.line); // on a phone, beside the sentence
  if (isPhone) return { x, y: height - 34, w: width - x - 28 };
  if (which === "far") return { x: width - 342, y: 50, w: 296 };
  return { x: 64, y: base - deep - 50, w: width - 64 - mix(300, 60, Math.max(s.line, s.woken)) };
}
/** Where the curve is drawn. @param {Room} room @param {State} s */
export function plotOf(room, s) {
  const rail = railOf(room, "gap", s);
  const y = (room.isPhone ? 44 : 56) + 38 * s.woken; // below what the head does
  return { x: rail.x, y, w: rail.w, h: Math.max(0, rail.y - y - (room.isPhone ? 56 : 50)) };
}
