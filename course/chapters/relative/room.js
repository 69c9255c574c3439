// Where things stand: the sentence with its ruler and rows, the table beside it, the page, the strip.

import { braces, t5Bucket } from "../../page/formulas/distances.js";
import { clamp, mix } from "../../page/shapes.js";

/** @import { Box, State } from "../../page/types" */

export const WORDS = 16; // of the sentence, the last of the page
export const PAGE = 149;
const MOST_LINES = 10; // of the page, beside the words
export const LIMIT = 4; // Shaw's k in the steps that have a table
export const LEAST_ROW = 12; // pixels: a label fits; without it, colours tell it
const TIGHT = 34; // pixels of a cell in which no word fits
export const CELLS = 8; // numbers of a row that are drawn
export const SHORTEST = 128; // words: what the measured model was trained on
export const LONGEST = 2048;
export const LONG_TEXT = 10000;
export const BRACES = braces();
export const LAST = BRACES.length - 1;

/** The number of the brace of a distance. @param {number} distance */
export const braceOf = (distance) => t5Bucket(Math.max(0, Math.round(distance)));

/** Words that the query sees, its own included. @param {State} s */
export const seenWords = (s) => s.length - (PAGE - 1 - s.query);

/** @typedef {{ x: number, w: number, line: number }} Laid A word of the page. */
/**
 * @typedef {Box & {
 *   isTight: boolean,
 *   left: number, cell: number, words: number, ruler: number, band: number, top: number, row: number,
 *   field: { y: number, h: number }, tableX: number, tableW: number, tableTop: number, tableRow: number,
 *   size: number, lineHigh: number, margin: number, pageTop: number,
 *   strip: number, stripHigh: number, stripX: number, stripW: number, shares: number, sharesHigh: number, track: number,
 *   plot: { x: number, y: number, w: number, h: number },
 * }} Room
 */

/** @param {Box} box @param {State} s @returns {Room} */
export function layout({ width: W, height: H, isPhone }, s) {
  const isLow = H < 320;
  const left = isPhone ? 14 : mix(92, 44, s.table);
  const cell = (W - left - (isPhone ? 6 : 28)) / WORDS;
  const words = isPhone ? 46 : 66;
  const ruler = words + (isPhone ? 24 : 44);
  const top = ruler + (isPhone ? 20 : 36);
  const foot = (isPhone ? 6 : 18) + s.count * (isPhone ? 28 : 48);
  const free = H - top - foot;
  const tableTop = top + (isPhone ? 22 : 44);
  const tableFoot = isPhone ? 6 : 24;
  const size = isPhone ? 12 : clamp(Math.min(W / 46, H / 33), 15, 26);
  const edge = isPhone ? 14 : 40;
  const chart = s.chart;
  const far = s.far;
  const pageTop = isPhone ? 6 : mix(36, 22, far);
  const onPage = H - (isPhone ? mix(isLow ? 24 : 42, isLow ? 52 : 78, far) : mix(84, 138, far));
  const inChart = H - (isPhone ? (isLow ? 34 : 40) : 84);
  const track = H - (isPhone ? 16 : 32);
  const plotTop = isPhone ? (isLow ? 40 : 48) : 58;
  const plotHigh = inChart - (isPhone ? (isLow ? 66 : 82) : 118) - plotTop;
  return {
    width: W,
    height: H,
    isPhone,
    isTight: isPhone || cell < TIGHT,
    left,
    cell,
    words,
    ruler,
    band: isPhone ? 24 : 34,
    top,
    row: mix(free / WORDS, Math.min(isPhone ? 52 : 96, free / 4), s.four),
    field: { y: top, h: H - top - (isPhone ? 30 : 60) },
    tableX: isPhone ? 40 : 110,
    tableW: isPhone ? W - 176 : W * 0.42, // beside it the score
    tableTop,
    tableRow: Math.min(isPhone ? 26 : 52, (H - tableTop - tableFoot) / (2 * s.k + 1)),
    size,
    lineHigh: isPhone
      ? isLow
        ? mix(14.6, 13.3, far)
        : 17.5
      : clamp(Math.min(H / 13, (onPage - pageTop - 22) / MOST_LINES), 27, 70),
    margin: isPhone ? (isLow ? 8 : 12) : 40,
    pageTop: pageTop - chart * H * 0.7,
    strip: onPage,
    stripHigh: isPhone ? 10 : 20,
    stripX: edge,
    stripW: W - 2 * edge,
    shares: inChart,
    sharesHigh: isPhone ? 14 : 28,
    track: mix(track, plotTop + plotHigh + (isPhone ? 19 : 28), chart),
    plot: {
      x: isPhone ? 44 : 84,
      y: plotTop,
      w: W - (isPhone ? 44 + 26 : 84 + 150),
      h: Math.max(20, plotHigh),
    },
  };
}

/** Middle of a word's cell. @param {Room} room @param {number} place */
export const placeX = ({ left, cell }, place) => left + cell * (place + 0.5);

/** Left edge of a distance on the strip; the query stands at its right end. @param {Room} room @param {number} distance @param {number} words */
export const stripX = ({ stripX: x, stripW: w }, distance, words) => x + w - (w * distance) / words;

/** Of the row of a distance in the table: its middle. @param {Room} room @param {State} s @param {number} distance */
export const tableY = ({ tableTop, tableRow }, s, distance) =>
  tableTop + (distance + s.k + 0.5) * tableRow;

/** The track on which the length of the text is dragged, from its shortest to its longest.
 * @param {Room} room @param {State} s
 */
export function lengthTrack({ isPhone, width: W, plot }, s) {
  const isChart = s.chart > 0.5;
  return {
    x: mix(isPhone ? 52 : 120, plot.x, s.chart),
    w: mix(W - (isPhone ? 226 : 480), plot.w, s.chart),
    from: isChart ? SHORTEST : PAGE,
    to: isChart ? LONGEST : LONG_TEXT,
  };
}

/** @param {Room} room @param {State} s @param {number} length */
export function lengthX(room, s, length) {
  const { x, w, from, to } = lengthTrack(room, s);
  return x + (w * Math.log(clamp(length, from, to) / from)) / Math.log(to / from);
}

/** How strongly the cell of a distance is coloured: near is strong. @param {number} distance */
export const tint = (distance) =>
  distance === 0 ? 0.2 : 0.56 * 0.84 ** (Math.abs(distance) - 1) + 0.05;

/** One colour for the past, one for what comes after. @param {number} distance */
export const hue = (distance) =>
  distance === 0 ? "var(--ink)" : distance < 0 ? "var(--past)" : "var(--later)";

/** How strongly the words of a brace are coloured: two tints take turns, the last is grey. @param {number} brace */
export const shade = (brace) => (brace === LAST ? 0.2 : brace % 2 ? 0.42 : 0.14);

/** @param {number} brace */
export const inkOf = (brace) => (brace === LAST ? "var(--soft)" : "var(--past)");
