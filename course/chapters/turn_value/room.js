// Where everything stands: the strip of places, dials, the ruler, the bar, the scores.

import { clamp, mix } from "../../page/shapes.js";
import { PAIRS, SLOTS } from "./values.js";
import { CHANNELS } from "./scores.js";

/** @typedef {import("../../page/types").State} State */
/** @typedef {import("../../page/types").Box} Box */
/** @typedef {{ x: number, y: number, r: number }} Circle */

const COLUMNS = [8, 11, 16]; // of dials, whichever makes them largest

/**
 * @typedef {Box & {
 *   pad: number,
 *   strip: { x: number, y: number, slot: number, h: number, r: number, dial: number, label: number },
 *   left: Circle, right: Circle, caption: number,
 *   bar: { x: number, y: number, w: number, h: number },
 *   grid: { x: number, y: number, size: number, columns: number },
 *   ruler: { x: number, y: number, w: number, h: number },
 *   boxes: { y: number, w: number, h: number, apart: number }, keys: [Circle, Circle],
 *   channels: { x: number, y: number, size: number },
 *   scores: { x: number, y: number, w: number, h: number, slot: number },
 *   stops: { x: number, y: number, w: number },
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

  const isBelow = s.boxes > 0.5;
  const barH = isPhone ? 12 : 18;
  const bar = {
    x: pad,
    y: isBelow ? H - (isPhone ? 34 : 52) : isPhone ? 24 : 44,
    w: W - 2 * pad,
    h: barH,
  };
  const [rulerH, under] = isPhone ? [clamp(H * 0.26, 58, 86), 34] : [clamp(H * 0.2, 84, 130), 54];
  const ruler = {
    x: isPhone ? 44 : 84,
    y: H - under - rulerH,
    w: W - (isPhone ? 64 : 136),
    h: rulerH,
  };
  const gridTop = (isPhone ? 24 : 44) + barH + (isPhone ? 12 : 20);
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

  const boxH = isPhone ? 24 : 54;
  const boxes = {
    y: y + h + (isPhone ? 10 : 34),
    w: isPhone ? 30 : clamp(W * 0.14, 92, 120),
    h: boxH,
    apart: isPhone ? 34 : clamp(W * 0.097, 62, 86),
  };
  const keyTop = boxes.y + boxH + (isPhone ? 6 : 14);
  const keyFoot = H - (isPhone ? 56 : 92);
  const keyR = Math.min((keyFoot - keyTop) / 2, W / 4 - (isPhone ? 16 : 44));
  const key = { y: (keyTop + keyFoot) / 2, r: keyR };

  const cell = isPhone ? Math.min(18, (W - 2 * pad) / CHANNELS) : 26;
  const channels = { x: (W - cell * CHANNELS) / 2, y: isPhone ? 26 : 54, size: cell };
  const scoresTop = channels.y + (isPhone ? 44 : 78);
  const scores = {
    x: pad,
    y: scoresTop,
    w: W - 2 * pad,
    h: H - (isPhone ? 92 : 142) - scoresTop,
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
    boxes,
    keys: [
      { ...key, x: W / 4 },
      { ...key, x: (3 * W) / 4 },
    ],
    channels,
    scores,
    stops: {
      x: isPhone ? 50 : W * 0.2,
      y: H - (isPhone ? 30 : 42),
      w: W - (isPhone ? 100 : W * 0.4),
    },
  };
}

/** The middle of a place of the strip. @param {Room} room @param {number} place */
export const placeX = ({ strip }, place) => strip.x + (place + 0.5) * strip.slot;
