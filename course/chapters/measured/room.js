// Where the things of Measured stand: one text as a ribbon, what its tokens cost above it, and the
// axis of bits, which a lens enlarges.

import data from "./data.js";
import { clamp, mix } from "../../page/shapes.js";

/** @import { Box, State } from "../../page/types" */
/** @typedef {keyof typeof data.bits} Way */
/** @typedef {Box & { x: number, w: number, top: number, bottom: number, wide: number, ribbon: number, row: number }} Room */

export const BLOCK = 1024; // tokens in each step of a curve
export const TRAINED = data.trained;
export const LENGTH = data.length;
export const BLOCKS = LENGTH / BLOCK;
export const INSIDE = TRAINED / BLOCK;
export const LONGEST = 32_768;
const HIGHEST = 12; // bits of the axis
export const NEAREST = 16; // of the axis of the sentence
/** Pixels of a picture in which words need all the room. */
export const NARROW = 720;
const LESS = [-0.18, 0.52]; // bits: the axis, less the window

/** In the order of the state's `lines`. @type {Way[]} */
export const LINES = ["none", "window", "linear", "ntk", "yarn"];
export const NO_LINES = LINES.map(() => 0);
/** @param {Way[]} names */
export const lines = (...names) => LINES.map((name) => Number(names.includes(name)));

const UPRIGHT = 74; // pixels of words that stand upright below their bars

/** @param {Box} box @param {State} s @returns {Room} */
export function layout({ width, height, isPhone }, s) {
  const x = isPhone ? 52 : 92;
  const ribbon = height - (isPhone ? 40 : 84);
  const w = width - x - (isPhone ? 16 : 136);
  return {
    width,
    height,
    isPhone,
    x,
    w,
    wide: isPhone ? w : w + (width < NARROW ? 116 : 30), // of words; what bits mean stands at their right
    top: isPhone ? 26 : 58,
    bottom: ribbon - (isPhone ? 14 + UPRIGHT * s.near : 24),
    ribbon,
    row: isPhone ? (height < 330 ? 15 : 18) : 30,
  };
}

/** @param {Room} room @param {State} s @param {number} tokens */
export const across = ({ x, w }, s, tokens) => x + (tokens / s.span) * w;
/** @param {Room} room @param {State} s @param {number} px */
export const tokensAt = ({ x, w }, s, px) => ((px - x) / w) * s.span;

/** The lowest and the highest bits of the axis. @param {State} s @returns {[number, number]} */
export function axis(s) {
  const [from, to] = LESS;
  return [mix(0, from, s.less), mix(mix(HIGHEST, NEAREST, s.near), to, s.less)];
}

/** @param {Room} room @param {State} s @param {number} bits */
export function high({ top, bottom }, s, bits) {
  const [from, to] = axis(s);
  return bottom - ((bits - from) / (to - from)) * (bottom - top);
}

/** Where the keys of a text stand, in rows above the ribbon. @param {Room} room @param {number} text */
export const keysY = ({ isPhone, ribbon, row }, text) =>
  ribbon - (isPhone ? 22 : 34) - (data.asked.length - 1 - text) * row;

/** In which thousand a token is. @param {number} token */
export const blockOf = (token) => clamp(Math.ceil(token / BLOCK) - 1, 0, BLOCKS - 1);

/** Numbers that a factor between the two that were measured mixes. @param {Way} name @param {State} s */
const shareOfTwo = (name, s) => (name === "yarn" ? (4 - s.factor) / 2 : 0);

/** Bits of a thousand. @param {Way} name @param {State} s @param {number} i */
const plainly = (name, s, i) => mix(data.bits[name][i], data.bits.yarn2[i], shareOfTwo(name, s));

/** As drawn: less what the window pays, as far as the state says. @param {Way} name @param {State} s @param {number} i */
export const drawn = (name, s, i) => plainly(name, s, i) - s.less * plainly("window", s, i);
