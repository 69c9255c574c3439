// Where everything stands in the picture of ALiBi, and how bright a word is.

import { penalty, pool, slope, total } from "../../page/formulas/penalties.js";
import { clamp, mix } from "../../page/shapes.js";

/** @import { Box, State } from "../../page/types" */
/** @import { Page, Rect } from "../../page/typeset" */

export const WORDS = 624; // on a page
export const NEEDLE = 223; // the word of the page that is looked for
export const EARLIER = 10_000; // words before the page
export const SIDE = 41; // pages along a side of the largest map
export const PAGES = SIDE ** 2;
export const LONGEST = 2048; // tokens of the longest measured text
const LENS = 0.34; // of a page

/** @param {State} s */
const isMap = (s) => s.map > 0.5;
/** The query's word on its page. @param {State} s */
export const queryOf = (s) => Math.round(s.q);
/** Words that the query may look at, its own included. @param {State} s */
export const wordsOf = (s) =>
  isMap(s) ? Math.round(s.zoom) ** 2 * WORDS : EARLIER + queryOf(s) + 1;
/** From the query back to the needle. @param {State} s */
export const backOf = (s) => (isMap(s) ? Math.round(10 ** s.far) : queryOf(s) - NEEDLE);
/** @param {State} s */
export const poolOf = (s) => pool(slope(s.head), wordsOf(s));
/** @param {State} s */
export const needOf = (s) => penalty(slope(s.head), backOf(s), s.bend);
/** Whether the needle is as bright as the query's own word. @param {State} s */
export const isSeen = (s) => backOf(s) >= 0 && s.content >= needOf(s) - 1e-9;

/**
 * The attention of the query.
 * @param {State} s
 */
export function attention(s) {
  const m = slope(s.head);
  const back = backOf(s);
  const hasNeedle = s.needle > 0.5 && s.content > 0 && back >= 0;
  const lead = s.content - penalty(m, back, s.bend);
  const own = (/** @type {number} */ d) =>
    Math.exp(hasNeedle && d === back ? lead : -penalty(m, d, s.bend));
  const extra = hasNeedle ? Math.exp(lead) - Math.exp(-penalty(m, back, s.bend)) : 0;
  const all = total(m, wordsOf(s), s.bend) + extra;
  const brightest = Math.exp(hasNeedle ? Math.max(0, lead) : 0);
  return {
    /** Share of the word at a distance. */
    share: (/** @type {number} */ d) => own(d) / all,
    /** The same, the brightest word's being 1. */
    light: (/** @type {number} */ d) => (d < 0 ? 0 : own(d) / brightest),
    /** For a query that looks for nothing. */
    plain: (/** @type {number} */ d) => (d < 0 ? 0 : Math.exp(-penalty(m, d))),
  };
}

/**
 * @typedef {Box & {
 *   page: Page, map: Rect, ribbon: Rect, lens: Rect, plot: Rect, rows: number[], upper: number, row: number,
 *   strip: { count: number, left: number, column: number, y: number, top: number, deep: number, base: number, tall: number, size: number },
 *   rail: { from: number, to: number }, text: number, loupe: number,
 * }} Room
 */

/**
 * @param {Box} box
 * @param {State} s
 * @param {(rect: Rect) => Page} typeset
 * @returns {Room}
 */
export function layout({ width: W, height: H, isPhone }, s, typeset) {
  const isNarrow = W < 700;
  const pad = isPhone ? 10 : isNarrow ? 16 : 24;
  const row = isPhone ? clamp(H * 0.155, 46, 50) : isNarrow ? 60 : 66;
  const loupe = isPhone ? 34 : 0;
  const top = isPhone ? 8 : 16;
  const below = s.rows * row + 4 + (isPhone ? 12 : 8) * s.contents + (isPhone ? 0 : 12) * s.read;
  const hasLens = clamp(s.lens, 0, 1);
  const label = isPhone ? 26 : 30;
  const high =
    (H - top - below - hasLens * (label + 8) - loupe * (1 - s.map)) / (1 + LENS * hasLens);
  const page = typeset({ x: pad, y: top, w: W - 2 * pad, h: high });
  const lens = {
    x: W - pad - page.w * LENS,
    y: top + high + label,
    w: page.w * LENS,
    h: high * LENS,
  };

  const middle = isPhone ? 0.54 : 0.48; // of a row
  const count = isPhone ? 6 : isNarrow ? 8 : 10;
  const left = isPhone ? 26 : 40;
  const bottom = isPhone ? 52 : 84; // under the longest penalty
  const low = mix(isPhone ? 58 : 92, H * (isPhone ? 0.52 : 0.54), s.rise);
  const steepest = (count - 1) / 2;
  const y = low + 22;

  const plot = {
    x: isPhone ? 48 : 64,
    y: isPhone ? 44 : 78,
    w: W - (isPhone ? 66 : 110),
    h: H - (isPhone ? 44 : 78) - (isPhone ? 92 : 128),
  };
  const ribbon = { x: plot.x, y: plot.y + plot.h + 14, w: plot.w, h: isPhone ? 14 : 20 };
  return {
    width: W,
    height: H,
    isPhone,
    page,
    map: page,
    ribbon,
    plot,
    row,
    rows: [0, 1].map((i) => H - row * (i + middle)),
    upper: H - row * (Math.max(1, s.rows - 1) + middle), // the topmost of them
    lens,
    strip: {
      count,
      left,
      column: (W - 2 * left) / count,
      y: low,
      top: y,
      deep: mix((H - y - bottom) / steepest, (H - y - row - 34) / steepest, s.rise),
      base: low - 22,
      tall: Math.max(0, low - 22 - (isPhone ? 76 : 94)),
      size: isPhone ? 13.5 : isNarrow ? 16 : 18,
    },
    rail: { from: isPhone ? 150 : isNarrow ? 246 : 320, to: W - (isPhone ? 22 : 40) },
    text: isPhone ? 12 : pad + 4,
    loupe: top + high + 4,
  };
}

/** Left edge of a word's column. @param {Room} room @param {State} s @param {number} i */
export const columnX = ({ strip }, s, i) =>
  strip.left + (strip.count - 1 - (queryOf(s) - i)) * strip.column;

/** A word on its way from the strip to the page. @param {Room} room @param {State} s @param {number} i */
export function wordBox(room, s, i) {
  const { strip, page } = room;
  const to = { ...page.cells[i], size: page.size };
  if (s.page > 0.999) return to;
  const x = columnX(room, s, i) + 3;
  return {
    x: mix(x, to.x, s.page),
    y: mix(strip.y - 17, to.y, s.page),
    w: mix(strip.column - 6, to.w, s.page),
    h: mix(34, to.h, s.page),
    size: mix(strip.size, to.size, s.page),
  };
}

/** How large a page is in the map. @param {State} s */
export const mapScale = (s) => 1 / mix(1, s.zoom, s.map);

/** Corner of a page of the map; the last one stands at the bottom right. @param {Room} room @param {State} s @param {number} back Pages. */
export function pageAt({ map }, s, back) {
  const z = mapScale(s);
  const side = Math.max(1, Math.round(s.zoom));
  const x = map.x + map.w - ((back % side) + 1) * map.w * z;
  const y = map.y + map.h - (Math.floor(back / side) + 1) * map.h * z;
  return { x, y, w: map.w * z, h: map.h * z };
}

/** Middle of a word in the map, by its distance from the last one. @param {Room} room @param {State} s @param {number} distance @returns {[number, number]} */
export function mapPoint(room, s, distance) {
  const { map } = room;
  const at = pageAt(room, s, Math.floor(distance / WORDS));
  const cell = room.page.cells[WORDS - 1 - (distance % WORDS)];
  const z = mapScale(s);
  return [at.x + (cell.x - map.x + cell.w / 2) * z, at.y + (cell.y - map.y + cell.h / 2) * z];
}

/** Pages back of a point of the map, and where on its page it is. @param {Room} room @param {State} s @param {[number, number]} point */
export function pageOf({ map }, s, [x, y]) {
  const z = mapScale(s);
  const side = Math.round(s.zoom);
  const across = clamp((map.x + map.w - x) / (map.w * z), 0, side - 0.01);
  const up = clamp((map.y + map.h - y) / (map.h * z), 0, side - 0.01);
  const back = Math.floor(up) * side + Math.floor(across);
  return { back, x: map.x + map.w * (1 - (across % 1)), y: map.y + map.h * (1 - (up % 1)) };
}

/** Place of a distance along the measured text. @param {Room} room @param {number} distance */
export const alongX = ({ plot }, distance) => plot.x + plot.w * (1 - distance / LONGEST);
