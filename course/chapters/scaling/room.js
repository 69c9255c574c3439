// Where the things of the scaling picture stand: the text above, beads and dials below it; for the
// crowd the text goes down to the foot and becomes the axis of the factor.

import { PAIRS, TARGET } from "./scalings.js";
import { clamp, mix } from "../../page/shapes.js";

/** @import { Box, State } from "../../page/types" */
/** @typedef {{ x: number, y: number, w: number, h: number }} Frame */
/**
 * @typedef {Box & {
 *   ruler: { x: number, y: number, w: number }, measured: Frame, tests: { x: number, y: number, w: number },
 *   graph: Frame, table: Frame, clock: { x: number, y: number, r: number, told: number }, dials: { y: number, r: number, step: number, on: number, below: number, two: { x: number, w: number }[] },
 *   crowd: { x: number, y: number, r: number }, side: { x: number, y: number }, factor: Frame,
 *   leaves: number,
 * }} Room
 */

/** Pairs that have a dial. */
export const SHOWN = [0, 4, 9, 13, 18, 22, 27, 31];
/** The fast and the slow one of them that stand for their kind. */
export const TWO = [0, 22];

/** @param {Box} box @param {State} s @returns {Room} */
export function layout({ width, height, isPhone }, s) {
  const x = isPhone ? 44 : 96;
  const w = width - x - (isPhone ? 20 : 56);
  const isLow = isPhone && height < 330;
  // From above: text, measured curve, tests, beads with their axis, dials.
  const under = isPhone ? 40 : 64;
  const testsH = isPhone ? (isLow ? 40 : 46) : 60;
  const axis = isPhone ? 42 - 26 * s.two : 48;
  // On a phone there is no room for a curve and all dials.
  const squeezed = isPhone
    ? Math.max(isLow ? 1 : 0, s.curve) * s.open * (1 - Math.max(s.two, s.clock))
    : 0;
  const on = 1 - Math.max(squeezed, s.one); // of the dials
  const small = mix(
    Math.min(w * 0.056, height * (isPhone ? 0.12 : mix(0.12, 0.08, s.curve)), 54),
    Math.min(w * 0.058, height * 0.066, 46),
    s.open,
  );
  // Before the beads are slowed there is room for two rows of large dials.
  const rows = isLow ? 0 : (1 - s.open) * (1 - s.curve);
  const r = mix(
    mix(small, Math.min(w * 0.095, height * 0.115), rows),
    Math.min(height * (isPhone ? 0.12 : 0.17), width * (isPhone ? 1 : 0.11)),
    s.two,
  );
  const clockR = isPhone ? Math.min(height * 0.15, 60) : Math.min(height * 0.16, 110);
  const clockEdge = isPhone ? 18 : 24; // names of hands
  const row = isPhone ? 26 : 34;
  const step = rows * (2 * r + 34);
  const dialsH = mix(
    mix(
      on * (2 * r + step + mix(isPhone ? 26 : 36, isPhone ? 22 : 36, s.two)),
      2 * clockR + 2 * clockEdge + (isPhone ? 0 : 10),
      s.clock,
    ),
    4 * row + (isPhone ? 0 : 16),
    s.table,
  );
  const beads = axis + (isPhone ? 18 : 40);
  const closed = height - under - testsH - beads - dialsH;
  const part = isPhone ? (isLow ? 0.24 : 0.26) : mix(0.22, 0.42, s.one);
  const curve = s.curve * mix(clamp(closed - 20, 50, 280), height * part, s.open);
  const testsY = under + curve + (isPhone ? 4 : 10) * s.curve;
  const top =
    testsY + mix(testsH, isPhone ? 4 : 14, Math.max(s.two, s.table, s.clock)) + (isPhone ? 8 : 14);
  const low = height - dialsH - axis;
  const left = isPhone ? 10 : x - 30; // of the two cells of the large dials
  const block = axis + (isPhone ? 12 : 30) + dialsH; // closed: beads, axis and dials are one block
  const bottom = mix(top + Math.max(8, (height - top - block) / 2), low, s.open);
  const clockX = (isPhone ? 40 : x + 50) + clockR;
  const clock = {
    x: clockX,
    y: height - clockEdge - clockR,
    r: clockR,
    told: clockX + clockR + (isPhone ? 48 : 110),
  };
  // The crowd: at the left, and what is said and drawn about it at the right of it or below.
  const R = isPhone
    ? mix(Math.min(width * 0.31, (height - 74) / 2), Math.min(88, height * 0.235), s.factor)
    : Math.min(height / 2 - 26, width * 0.27);
  const centre = { x: (isPhone ? 12 : 26) + R, y: isPhone ? R + 8 : height / 2, r: R };
  const sideX = centre.x + R + (isPhone ? 16 : 44);
  const factorX = isPhone ? 40 : sideX + 34;
  const footY = height - (isPhone ? 26 : 56);
  const crowdX = isPhone ? mix(24, 40, s.factor) : mix(sideX, factorX, s.factor);
  const crowdW = width - crowdX - (isPhone ? 20 : 44);
  return {
    width,
    height,
    isPhone,
    ruler: {
      x: mix(x, crowdX, s.crowd),
      y: mix(isPhone ? 30 : 42, footY, s.crowd),
      w: mix(w, crowdW, s.crowd),
    },
    measured: { x, y: under, w, h: curve },
    tests: { x: isPhone ? 14 : x, y: testsY, w: width - (isPhone ? 24 : x + 30) },
    graph: { x, y: top, w, h: Math.max(0, bottom - top) },
    dials: {
      y:
        mix(
          bottom + axis + (isPhone ? 8 : 26),
          height - 2 * r - (isPhone ? mix(20, 28, s.two) : 30),
          s.open,
        ) + r,
      r,
      step,
      on,
      below: s.open,
      two: [0, 1].map((k) => ({ x: mix(left, width - 12, k / 2), w: (width - 12 - left) / 2 })),
    },
    clock,
    table: { x, y: height - 4 * row - (isPhone ? 0 : 8), w, h: row },
    crowd: centre,
    side: { x: sideX, y: isPhone ? 40 : mix(height / 2 - 40, 84, s.factor) },
    factor: {
      x: crowdX,
      y: isPhone ? 2 * R + 38 : 244,
      w: crowdW,
      h: footY - (isPhone ? 24 : 30) - (isPhone ? 2 * R + 38 : 244),
    },
    leaves: s.crowd,
  };
}

/** @param {Room} room @param {number} tokens */
export const textX = ({ ruler }, tokens) => ruler.x + (tokens / TARGET) * ruler.w;
/** @param {Room} room @param {number} i */
export const pairX = ({ graph }, i) => graph.x + (i / (PAIRS - 1)) * graph.w;
/** Dials stand evenly while they are large, then each below its bead. @param {Room} room @param {number} i */
export function dialX(room, i) {
  const { width, isPhone, dials } = room;
  const left = isPhone ? 8 + dials.r : 105;
  const right = width - dials.r - (isPhone ? 10 : 40);
  const even = mix(left, right, SHOWN.indexOf(i) / (SHOWN.length - 1));
  return mix(even, Math.min(pairX(room, i), width - dials.r - 3), dials.below);
}
/** @param {Room} room @param {number} u */
export const levelY = ({ graph }, u) => graph.y + (1 - u) * graph.h;
