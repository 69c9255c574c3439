// Where everything stands: the line, the map of rows and columns, the picture beside the dials, and alone.

import { clamp } from "../../page/shapes.js";
import { COLUMNS, ROWS, START, later, next } from "./ids.js";

/** @import { Box, State } from "../../page/types" */
/** @typedef {{ x: number, y: number, w: number, h: number }} Rect */

const LATE = 0.4; // part of the flight after which the last patch starts
const PATCHES = ROWS * COLUMNS;
export const ASIDE = [
  [38, 11],
  [12, 4],
]; // pixels to the right and up, for each t of a sheet: wide, and on a phone

/**
 * @typedef {Box & {
 *   map: { x: number, y: number, size: number, cell: number, extent: number },
 *   side: number, right: number, foot: number, line: { x: number, y: number, word: number, patch: number, h: number },
 *   source: Rect, aside: Rect, big: Rect, dials: { x: number, y: number, size: number, columns: number },
 *   ruler: { x: number, y: number, w: number }, stops: { x: number, y: number, w: number },
 * }} Room
 */

/** @param {Box} box @param {State} s @returns {Room} */
export function layout({ width: W, height: H, isPhone }, s) {
  const pad = isPhone ? 8 : 20;
  const foot = Math.max(s.stops * (isPhone ? 50 : 74), s.cost * (isPhone ? 76 : 114));
  const [least, y] = isPhone ? [22, 22] : [38, 36];
  const column = isPhone ? 112 : clamp(W * 0.29, 180, 256);
  const size = Math.min(H - y - foot - (isPhone ? 20 : 26), W - least - column);
  const x = least + Math.max(0, W - least - size - column) / 2;
  const { extent } = s;
  const lineY = H * (isPhone ? 0.72 : 0.75);
  const word = isPhone ? 14 : W < 700 ? 38 : 46;
  const patch = (W - 2 * pad - 2 * START * word) / PATCHES;
  const high = lineY - (isPhone ? 64 : 84);
  const sourceW = Math.min(W * 0.66, high * 1.5);
  const asideW = isPhone ? Math.min(W * 0.44, (H - 160) * 1.5) : Math.min(W * 0.4, 360);
  const aside = {
    x: pad,
    y: isPhone ? 4 : Math.max(8, (H - foot - asideW / 1.5) / 2 - 50),
    w: asideW,
    h: asideW / 1.5,
  };
  const dialsX = isPhone ? pad : aside.x + aside.w + 72; // room for the names of blocks
  const columns = isPhone ? 16 : 8;
  const dialsY = isPhone ? aside.y + aside.h + 22 : 34;
  const dial = Math.min(
    (W - dialsX - pad) / columns,
    (H - dialsY - foot - (isPhone ? 2 : 30)) / (64 / columns),
  );
  const bigW = Math.min(W - 2 * pad, (H - foot - (isPhone ? 34 : 66)) * 1.5);
  return {
    width: W,
    height: H,
    isPhone,
    map: { x, y, size, cell: size / extent, extent },
    side: x + size + (isPhone ? 9 : 26),
    right: W - pad,
    foot,
    line: { x: pad, y: lineY, word, patch, h: isPhone ? 22 : Math.min(34, patch + 8) },
    source: { x: (W - sourceW) / 2, y: isPhone ? 6 : 14, w: sourceW, h: sourceW / 1.5 },
    aside,
    big: { x: (W - bigW) / 2, y: isPhone ? 6 : 16, w: bigW, h: bigW / 1.5 },
    dials: { x: dialsX, y: dialsY, size: dial, columns },
    ruler: { x: pad, y: H - foot, w: W - 2 * pad },
    stops: {
      x: isPhone ? 40 : W * 0.14,
      y: H - (isPhone ? 36 : 52),
      w: W - (isPhone ? 80 : W * 0.28),
    },
  };
}

/** A place of the map. @param {Room} room @param {number} row @param {number} column @returns {Rect} */
export const at = ({ map }, row, column) => ({
  x: map.x + column * map.cell,
  y: map.y + row * map.cell,
  w: map.cell,
  h: map.cell,
});

/** A patch of a picture that lies in a box. @param {Rect} box @param {number} r @param {number} c @returns {Rect} */
export const within = (box, r, c) => ({
  x: box.x + (c * box.w) / COLUMNS,
  y: box.y + (r * box.h) / ROWS,
  w: box.w / COLUMNS,
  h: box.h / ROWS,
});

/** How much a rectangle is in each of the places. @param {[number, Rect][]} parts @returns {Rect} */
function blend(parts) {
  const all = { x: 0, y: 0, w: 0, h: 0 };
  for (const [part, rect] of parts)
    for (const side of /** @type {const} */ (["x", "y", "w", "h"])) all[side] += part * rect[side];
  return all;
}

/** How far a sheet lies behind the first, in pixels. @param {Room} room @param {State} s @param {number} sheet */
function behind({ isPhone }, s, sheet) {
  const t = later(sheet, s.seconds);
  return { x: t * ASIDE[Number(isPhone)][0] * s.pile, y: -t * ASIDE[Number(isPhone)][1] * s.pile };
}

/** The patch of a sheet, wherever it is on its way. @param {Room} room @param {State} s @param {number} r @param {number} c @param {number} sheet @returns {Rect} */
export function patchAt(room, s, r, c, sheet = 0) {
  const { line } = room;
  const n = r * COLUMNS + c;
  const waits = LATE * (1 - n / PATCHES);
  const inLine = clamp(s.line * (1 + LATE) - waits, 0, 1);
  const others = s.map + s.aside + s.big;
  const rest = others > 0.001 ? (1 - inLine) / others : 0;
  const onMap = at(room, START + r, START + c);
  const back = behind(room, s, sheet);
  return blend([
    [
      inLine,
      { x: line.x + START * line.word + n * line.patch, y: line.y, w: line.patch, h: line.h },
    ],
    [rest * s.map, { ...onMap, x: onMap.x + back.x, y: onMap.y + back.y }],
    [rest * s.aside, within(room.aside, r, c)],
    [rest * s.big, within(room.big, r, c)],
  ]);
}

/** A word before the picture, or after it. @param {Room} room @param {State} s @param {number} i @param {boolean} isAfter @returns {Rect} */
export function wordAt(room, s, i, isAfter) {
  const { line, map, isPhone } = room;
  const before = line.x + (isAfter ? START * line.word + PATCHES * line.patch : 0);
  const number = isAfter ? next(START, s.rows, s.columns) + i : i;
  const there = at(room, number, number);
  const waiting = {
    x: room.side + i * (isPhone ? 22 : map.cell + 6),
    y: map.y + (isPhone ? 18 : 34),
    w: map.cell,
    h: map.cell,
  };
  const onMap = isAfter ? blend([[s.placed, there], [1 - s.placed, waiting]]) : there; // prettier-ignore
  return blend([
    [s.line, { x: before + i * line.word, y: line.y, w: line.word, h: line.h }],
    [1 - s.line, onMap],
  ]);
}
