// RoPE: where the strip, the dials, the panel and the plot stand, in each of its three views.

import { clamp, mix } from "../../page/shapes.js";
import { PAIRS } from "./head.js";

const COLUMNS = PAIRS / 2; // of dials

/** @import { Box, State } from "../../page/types" */

/**
 * @typedef {{ x: number, y: number, r: number }} Circle
 * @typedef {{ x: number, y: number, w: number, h: number }} Frame
 * @typedef {Box & {
 *   left: number, rail: number, gap: number, dial: Circle, dials: Circle[], panel: Frame, plot: Frame,
 *   sweep: Frame, sum: { x: number, y: number }, isTight: boolean,
 * }} Room
 */

/** Three arrangements of the same things; in between while the view changes.
 * @param {Box} box @param {State} s @returns {Room} */
export function layout({ width: W, height: H, isPhone }, s) {
  const left = isPhone ? 34 : 64;
  const rail = isPhone ? 46 : 58;
  const top = isPhone ? 104 : 134;
  const room = H - top;
  const isTight = isPhone && room < 260;
  const alone = isPhone ? Math.min(94, room * 0.34) : Math.min(H * 0.243, (room - 76) / 2);
  const beside = isPhone ? Math.min(78, room * 0.3) : Math.min(alone, W * 0.19);
  const edge = isPhone ? 24 : Math.max(52, (W - 2 * beside - 630) / 2);
  const panelX = edge + 2 * beside + (isPhone ? 30 : 74);
  const panelW = Math.min(520, W - panelX - (isPhone ? 16 : 36));
  const low = room * (isPhone ? 0.27 : 0.25);
  const graphTop = Math.min(140, room * 0.5 + (isTight ? 8 : 0));
  const second = 16 * s.split; // a line more of what the wedge is made of
  const plotX = isPhone ? 32 : 56;
  const plotY = H - low - 28;
  const gridX = isPhone ? 8 : 20;
  const column = (W - gridX - (isPhone ? 4 : W < 700 ? 144 : 168)) / COLUMNS; // beside them the sum
  const row = (plotY - top - (isTight ? 12 : isPhone ? 32 : 44)) / 2;
  const r = isPhone
    ? Math.min(row / 2 - 2, column / 2 - 23) // its words stand beside a dial
    : Math.min((row - 48) / 2, column * 0.36); // or below it
  const far = clamp(s.view - 1, 0, 1);
  const cell = (/** @type {number} */ i) => ({
    x: gridX + (i % COLUMNS) * column + (isPhone ? r + 2 : column / 2),
    y: top + Math.floor(i / COLUMNS) * row + r + (isPhone ? 2 : 0),
    r,
  });
  const coming = (/** @type {number} */ i) => ({
    ...cell(i),
    x: cell(i).x + (1 - far) * (W + i * 60),
  });
  const views = [
    {
      dial: { x: W / 2 + 16, y: top + (room - 62) / 2, r: alone },
      plot: { x: W, y: top + 190, w: panelW, h: 100 },
      panelX: W + 20,
    },
    {
      dial: {
        x: edge + beside,
        y: top + (isPhone ? beside + 28 + 14 * s.row : room * 0.47),
        r: beside,
      },
      plot: {
        x: panelX + 22,
        y: top + (isPhone ? graphTop + second : room * 0.44),
        w: panelW - 30,
        h: isPhone ? room - graphTop - second - 32 : room * 0.56 - 62,
      },
      panelX,
    },
    {
      dial: cell(0),
      plot: { x: plotX, y: plotY, w: W - plotX - (isPhone ? 16 : 40), h: low },
      panelX: W + 20,
    },
  ];
  const from = Math.min(1, Math.floor(s.view));
  const t = s.view - from;
  const between = (/** @type {(view: any) => number} */ pick) =>
    mix(pick(views[from]), pick(views[from + 1]), t);
  const gap = (W - 2 * left) / s.last;
  const dial = {
    x: between((v) => v.dial.x),
    y: between((v) => v.dial.y),
    r: between((v) => v.dial.r),
  };
  return {
    width: W,
    height: H,
    isPhone,
    isTight,
    left,
    rail,
    gap,
    dial,
    dials: [dial, ...Array.from({ length: PAIRS - 1 }, (_, i) => coming(i + 1))],
    panel: {
      x: between((v) => v.panelX),
      y: mix(dial.y - 20, top + (isPhone ? 26 : 40), Math.max(s.curve, s.trail, s.row)),
      w: panelW,
      h: 100,
    },
    plot: {
      x: between((v) => v.plot.x),
      y: between((v) => v.plot.y),
      w: between((v) => v.plot.w),
      h: between((v) => v.plot.h),
    },
    sweep: { x: gridX - 6, y: top - 6, w: COLUMNS * column + 8, h: row * 2 + (isTight ? -4 : 6) },
    sum: { x: W - 20, y: top + row - 22 },
  };
}

/** @param {Room} room @param {number} place */
export const placeX = (room, place) => room.left + place * room.gap;
