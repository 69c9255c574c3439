// Where everything stands: words and their lights, gates, the road, the stick, the memory, keys, layers.

import { clamp, mix } from "../../page/shapes.js";
import { COUNT, LAST, broken, distances, lights } from "./gates.js";

/** @import { Box, State } from "../../page/types" */
/** @typedef {{ x: number, y: number, w: number, h: number }} Rect */

const SPAN = 3.8; // of the road, as wide as the picture
export const WRITERS = 3; // words that write along keys of their own
export const MOST = 4; // largest value of the memory

/**
 * @typedef {Box & {
 *   pad: number, column: number, top: number, base: number, word: number, letters: number,
 *   doors: Rect, product: number,
 *   road: number, roadWords: number, roadRow: number, nature: number,
 *   stick: Rect, stickWord: number,
 *   trained: { y: number, line: number, letters: number, top: number, cell: number, side: number },
 *   quarter: { x: number, y: number, r: number }, times: number,
 *   keys: { base: number, r: number, y: number, column: number },
 *   towers: { y: number, size: number, gap: number, legend: number },
 * }} Room
 */

/** @param {Box} box @returns {Room} */
export function layout({ width: W, height: H, isPhone }) {
  const pad = isPhone ? 6 : 24;
  const column = (W - 2 * pad) / COUNT;
  const top = isPhone ? 20 : 40;
  const base = Math.round(H * (isPhone ? 0.35 : 0.44));
  const word = base + (isPhone ? 17 : 27);
  const doorTop = word + (isPhone ? 9 : 22);
  const product = H - (isPhone ? 6 : 26);
  const doorH = Math.min(product - doorTop - (isPhone ? 50 : 60), 190);
  const road = Math.round(H * (isPhone ? 0.6 : 0.72));
  const stickY = isPhone ? 24 : 84;
  const stickH = isPhone ? 38 : 110;

  const line = isPhone ? Math.min(44, H * 0.158) : Math.min(98, H * 0.16);
  const trainedTop = isPhone ? 18 : 42;
  const tableTop = trainedTop + 3 * line + (isPhone ? 28 : 44);
  const kind = Math.min(isPhone ? 26 : 46, (H - tableTop - (isPhone ? 24 : 46)) / 4);

  const quarterTop = isPhone ? 92 : 136;
  const r = Math.min(H - quarterTop - (isPhone ? 34 : 52), W - (isPhone ? 130 : 330));
  const quarter = { x: (W - r) / 2 + (isPhone ? 14 : -40), y: quarterTop + r, r };

  const keyColumn = (W - 2 * pad) / (WRITERS + 1);
  const keyR = Math.min(isPhone ? 26 : 52, keyColumn * 0.44);
  const keyY = H - keyR - (isPhone ? 6 : 20);
  const legend = H - (isPhone ? 50 : 74);
  const cell = (legend - (isPhone ? 60 : 106)) / 12;
  return {
    width: W,
    height: H,
    isPhone,
    pad,
    column,
    top,
    base,
    word,
    letters: isPhone ? 14 : clamp(column * 0.25, 16, 22),
    doors: { x: 0, y: doorTop, w: isPhone ? 20 : Math.min(38, column * 0.5), h: doorH },
    product,
    road,
    roadWords: road + (isPhone ? 62 : 66),
    roadRow: isPhone ? 20 : 32,
    nature: (W - 2 * pad - column) / SPAN,
    stick: { x: pad, y: stickY, w: W - 2 * pad, h: stickH },
    stickWord: Math.round(H * (isPhone ? 0.64 : 0.62)),
    trained: {
      y: trainedTop,
      line,
      letters: isPhone ? 12.5 : clamp(column * 0.22, 13, 18),
      top: tableTop,
      cell: kind,
      side: isPhone ? 86 : 110,
    },
    quarter,
    times: isPhone ? 46 : 66,
    keys: { base: keyY - keyR - (isPhone ? 30 : 48), r: keyR, y: keyY, column: keyColumn },
    towers: { y: legend - (isPhone ? 15 : 26), size: cell * 0.84, gap: cell * 0.16, legend },
  };
}

/** The middle of a word's column. @param {Room} room @param {number} j */
export const columnX = ({ pad, column }, j) => pad + (j + 0.5) * column;
/** Where a word's gate stands: at its left. @param {Room} room @param {number} j */
export const gateX = ({ pad, column }, j) => pad + j * column;

/** Where a word is on the road. @param {Room} room @param {number} distance */
export const roadX = (room, distance) => columnX(room, LAST) - room.nature * distance;

/** Lights as bars: in columns, along the road, or as parts of the stick. @param {State} s @param {Room} room */
export function bars(s, room) {
  const light = lights(s.gates);
  const far = distances(s.gates);
  const { parts } = broken(s.shares.map((/** @type {number} */ one) => one * s.known));
  let right = room.width - room.pad;
  const segments = /** @type {Rect[]} */ ([]);
  for (let j = LAST - 1; j >= 0; j--) {
    const w = parts[j] * room.stick.w;
    segments[j] = { x: right - w, y: room.stick.y, w, h: room.stick.h };
    right -= w;
  }
  segments[LAST] = { x: room.width - room.pad, y: room.stick.y, w: 0, h: room.stick.h };
  const wide = room.column * (room.isPhone ? 0.7 : 0.6);
  return light.map((one, j) => {
    const shown = j === LAST ? one : one * (s.doors > 0.5 ? s.known : 1);
    const high = (room.base - room.top) * shown;
    const column = { x: columnX(room, j) - wide / 2, y: room.base - high, w: wide, h: high };
    const tall = (room.road - room.top) * one;
    const thin = room.isPhone ? 6 : 10;
    const along = { x: roadX(room, far[j]) - thin / 2, y: room.road - tall, w: thin, h: tall };
    const rect = between(column, along, s.road);
    return { ...between(rect, segments[j], s.stick), light: one, part: parts[j] ?? 0, far: far[j] };
  });
}

/** @param {Rect} a @param {Rect} b @param {number} t @returns {Rect} */
const between = (a, b, t) => ({
  x: mix(a.x, b.x, t),
  y: mix(a.y, b.y, t),
  w: mix(a.w, b.w, t),
  h: mix(a.h, b.h, t),
});

/** Where the names of words stand: below their places on the road, in two rows by turns. @param {State} s @param {Room} room @returns {[number, number][]} */
export function wordsAt(s, room) {
  return distances(s.gates).map((far, j) => {
    const x = mix(columnX(room, j), roadX(room, far), s.road);
    const low = room.roadWords + (j % 2) * room.roadRow;
    const y = mix(mix(room.word, low, s.road), room.stickWord, s.stick);
    return [mix(x, columnX(room, j), s.stick), y];
  });
}
