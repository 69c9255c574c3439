// Where everything stands: one ruler of words for six of the seven pictures.

import { clamp } from "../../page/shapes.js";

/** @import { Box, State } from "../../page/types" */
/** @typedef {{ x: number, y: number, w: number, h: number }} Rect */

export const SCENES = /** @type {const} */ ([
  "towers",
  "mask",
  "needle",
  "crowd",
  "mixer",
  "bases",
  "drop",
]);
/** @typedef {typeof SCENES[number]} Scene */

/** Ends of the ruler as powers of ten, and the lowest and the highest value beside it. */
const ENDS = {
  towers: [0, 3, 0, 1],
  mask: [0, 3, 0, 1],
  needle: [0, 6, -0.3, 1.08],
  crowd: [3, 6, 0, 1],
  mixer: [0, Math.log10(4096), -1.1, 1.1],
  bases: [2.7, 6.2, 0, 1],
  drop: [Math.log10(105), Math.log10(2500), 0, 6],
};
/** What is above the plot and below it: pixels, and a part of the height. */
const WIDE = {
  towers: [70, 0, 70, 0],
  mask: [70, 0, 70, 0],
  needle: [84, 0, 132, 0],
  crowd: [92, 0, 128, 0],
  mixer: [70, 0.36, 64, 0],
  bases: [46, 0, 62, 0],
  drop: [64, 0, 132, 0],
};
const PHONE = {
  towers: [40, 0, 40, 0],
  mask: [40, 0, 40, 0],
  needle: [48, 0, 74, 0],
  crowd: [62, 0, 76, 0],
  mixer: [36, 0.36, 38, 0],
  bases: [46, 0, 38, 0],
  drop: [40, 0, 78, 0],
};

/** @typedef {Box & { pad: number, plot: Rect, ends: number[] }} Room */

/** @param {Box} box @param {State} s @returns {Room} */
export function layout({ width, height, isPhone }, s) {
  const sum = SCENES.reduce((all, name) => all + s[name], 0) || 1;
  /** Between two scenes, of numbers that each of them has. @param {(name: Scene) => number} of */
  const mixed = (of) => SCENES.reduce((all, name) => all + of(name) * s[name], 0) / sum;
  const sizes = isPhone ? PHONE : WIDE;
  const above = mixed((name) => sizes[name][0] + height * sizes[name][1]);
  const below = mixed((name) => sizes[name][2] + height * sizes[name][3]);
  const [left, right] = isPhone ? [44, 18] : [92, 44];
  return {
    width,
    height,
    isPhone,
    pad: isPhone ? 10 : 30,
    plot: { x: left, y: above, w: width - left - right, h: Math.max(24, height - above - below) },
    ends: [0, 1, 2, 3].map((i) => mixed((name) => ENDS[name][i])),
  };
}

/** Where a number of words is on the ruler. @param {Room} room @param {number} words */
export const alongX = ({ plot, ends }, words) =>
  plot.x + (plot.w * (Math.log10(words) - ends[0])) / (ends[1] - ends[0]);

/** The power of ten of a place on the ruler. @param {Room} room @param {number} x */
export const powerAt = ({ plot, ends }, x) =>
  ends[0] + clamp((x - plot.x) / plot.w, 0, 1) * (ends[1] - ends[0]);

/** Where a value is beside the ruler. @param {Room} room @param {number} value */
export const upY = ({ plot, ends }, value) =>
  plot.y + plot.h * (1 - (value - ends[2]) / (ends[3] - ends[2]));

/** Words of a power of ten, as round as they are said. @param {number} power */
export function words(power) {
  const exact = 10 ** power;
  const unit = exact < 100 ? 1 : 10 ** (Math.floor(power) - 2);
  return Math.round(exact / unit) * unit;
}

/** One scene gone before the next comes. @param {State} s @returns {State} */
export const apart = (s) => ({
  ...s,
  ...Object.fromEntries(SCENES.map((name) => [name, clamp(2 * s[name] - 1, 0, 1)])),
});
