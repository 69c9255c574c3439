// Where everything stands: the strip of places, dials, the ruler, the bar, levels of a matrix, the scores.

import { clamp, mix } from "../../page/shapes.js";
import { CHANNELS } from "./scores.js";
import { PAIRS, SLOTS, WORDS } from "./values.js";

/** @import { Box, State } from "../../page/types" */
/** @typedef {{ x: number, y: number, r: number }} Circle */

const COLUMNS = [8, 11, 16]; // of dials, whichever makes them largest
const LEVELS = [0.2, 0.36, 0.55, 0.74, 0.86, 0.965]; // of the height: scores, keys, W, c, words, what is said

/**
 * @typedef {Box & {
 *   pad: number,
 *   strip: { x: number, y: number, slot: number, h: number, r: number, dial: number, label: number },
 *   left: Circle, right: Circle, caption: number,
 *   bar: { x: number, y: number, w: number, h: number },
 *   grid: { x: number, y: number, size: number, columns: number },
 *   ruler: { x: number, y: number, w: number, h: number },
 *   latent: {
 *     columns: number[], query: number, high: number, box: { w: number, h: number },
 *     levels: { score: number, key: number, w: number, c: number, word: number, told: number },
 *   } & Pick<Room, "pad" | "width" | "isPhone">,
 *   keys: [Circle, Circle], orders: { title: number, told: number },
 *   channels: { x: number, y: number, size: number, h: number },
 *   scores: { x: number, y: number, w: number, h: number, slot: number },
 * }} Room
 */

/** @param {Box} box @param {State} s @returns {Room} */
export function layout({ width: W, height: H, isPhone }, s) {
  const pad = isPhone ? 10 : 32;
  const slot = (W - 2 * pad) / SLOTS;
  const [y, h, gap] = isPhone ? [20, 26, 5] : [38, 34, 9];
  const r = Math.min(isPhone ? 15 : 32, slot / 2 - 3);
  const label = y + h + gap + 2 * r + (isPhone ? 14 : 19);
  const strip = { x: pad, y, slot, h, r, dial: y + h + gap + r, label };

  const [top, foot] = [label + (isPhone ? 12 : 26), H - (isPhone ? 24 : 44)];
  const dial = Math.min((foot - top) / 2, mix(W / 2, W / 4, s.two) - (isPhone ? 10 : 34), 172);
  const large = { y: (top + foot) / 2, r: dial };
  const left = { ...large, x: mix(W / 2, W / 4, s.two) };
  const right = { ...large, x: mix(W / 2, (3 * W) / 4, s.two) };

  const barH = isPhone ? 12 : 18;
  const bar = { x: pad, y: isPhone ? 24 : 44, w: W - 2 * pad, h: barH };
  const [rulerH, under] = isPhone ? [clamp(H * 0.26, 58, 86), 34] : [clamp(H * 0.2, 84, 130), 54];
  const ruler = {
    x: isPhone ? 44 : 84,
    y: H - under - rulerH,
    w: W - (isPhone ? 64 : 136),
    h: rulerH,
  };
  const gridTop = bar.y + barH + (isPhone ? 22 : 34);
  const gridH = ruler.y - (isPhone ? 24 : 46) - gridTop;
  const sizeOf = (/** @type {number} */ columns) =>
    Math.min((W - 2 * pad) / columns, gridH / Math.ceil(PAIRS / columns));
  const columns = COLUMNS.reduce((best, one) => (sizeOf(one) > sizeOf(best) ? one : best));
  const [size, rows] = [sizeOf(columns), Math.ceil(PAIRS / columns)];
  const grid = {
    x: (W - size * columns) / 2,
    y: gridTop + (gridH - size * rows) / 2,
    size,
    columns,
  };

  const box = isPhone ? { w: 60, h: 22 } : { w: 104, h: 34 };
  const column = (W - 2 * pad) / (WORDS.length + 1);
  const levels = LEVELS.map((part) => part * H);
  const latent = {
    width: W,
    isPhone,
    pad,
    columns: WORDS.map((_, i) => pad + (i + 0.5) * column),
    query: W - pad - column / 2,
    high: levels[0] - (isPhone ? 22 : 34),
    box,
    levels: {
      score: levels[0],
      key: levels[1],
      w: levels[2],
      c: levels[3],
      word: levels[4],
      told: levels[5],
    },
  };

  const orders = { title: y + h + (isPhone ? 50 : 76), told: H - (isPhone ? 12 : 22) };
  const [keyTop, keyFoot] = [orders.title + (isPhone ? 26 : 36), orders.told - (isPhone ? 34 : 44)];
  const key = {
    y: (keyTop + keyFoot) / 2,
    r: Math.min((keyFoot - keyTop) / 2, W / 4 - (isPhone ? 22 : 24)),
  };

  const cell = isPhone
    ? Math.min(20, (W - 2 * pad) / CHANNELS)
    : Math.min(44, (W - 2 * pad) / CHANNELS);
  const channels = {
    x: (W - cell * CHANNELS) / 2,
    y: isPhone ? 36 : 70,
    size: cell,
    h: isPhone ? 16 : 22,
  };
  const scoresTop = channels.y + channels.h + (isPhone ? 36 : 62);
  const scores = {
    x: pad,
    y: scoresTop,
    w: W - 2 * pad,
    h: H - (isPhone ? 40 : 54) - scoresTop,
    slot: (W - 2 * pad) / 64,
  };
  return {
    width: W,
    height: H,
    isPhone,
    pad,
    strip,
    left,
    right,
    caption: large.y + dial + (isPhone ? 17 : 27),
    bar,
    grid,
    ruler,
    latent,
    keys: [
      { ...key, x: W / 4 },
      { ...key, x: (3 * W) / 4 },
    ],
    orders,
    channels,
    scores,
  };
}

/** The middle of a place of the strip. @param {Room} room @param {number} place */
export const placeX = ({ strip }, place) => strip.x + (place + 0.5) * strip.slot;

/** The rectangle of a word. @param {Room} room @param {number} place @param {number} [out] */
export function plate(room, place, out = 0) {
  const { strip, isPhone } = room;
  const wide = strip.slot - (isPhone ? 2 : 8) + 2 * out;
  return {
    x: placeX(room, place) - wide / 2,
    y: strip.y - out,
    width: wide,
    height: strip.h + 2 * out,
  };
}
