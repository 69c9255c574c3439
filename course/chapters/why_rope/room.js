// Where the pages of the three heads stand, and where each word is on them.

import { clamp, mix } from "../../page/shapes.js";

/** @import { Box, State } from "../../page/types" */
/** @import { Page, Rect } from "../../page/typeset" */
/** @import { Name } from "./heads.js" */

export const NAMES = /** @type {const} */ (["alibi", "t5", "rope"]);
export const FLATTEST = -10; // log2 of the slopes that can be chosen
export const STEEPEST = 1;

/**
 * @typedef {Box & {
 *   sheets: { name: Name, x: number, presence: number }[], top: number, line: number, page: { w: number, h: number },
 *   cells: Rect[], isGreek: boolean, gap: number, rail: { x: number, w: number, y: number },
 *   strip: { y: number, h: number },
 * }} Room
 */

/**
 * One page as wide as the picture, or two or three side by side; words fly from one to the next setting.
 * @param {Box} box @param {State} s @param {((rect: Rect) => Page)[]} typesets One for each number of pages.
 * @returns {Room}
 */
export function layout({ width: W, height: H, isPhone }, s, typesets) {
  const pad = isPhone ? 8 : 24;
  const between = isPhone ? 8 : 22;
  const line = isPhone ? 15 : 19; // of what is written above a page
  const top = isPhone ? 52 : 96;
  const foot = H - (isPhone ? 8 : 18);
  const strip = isPhone ? 44 : 80; // for a rail, buckets or dials
  const h = foot - strip - (isPhone ? 20 : 28) - top;
  const wide = (/** @type {number} */ count) => (W - 2 * pad - (count - 1) * between) / count;
  const few = clamp(Math.floor(s.pages), 1, NAMES.length);
  const many = Math.min(NAMES.length, Math.ceil(s.pages));
  const t = s.pages - few;
  const page = (/** @type {number} */ count) =>
    typesets[count - 1]({ x: 0, y: 0, w: wide(count), h });
  const [from, to] = [page(few), page(many)];
  const w = mix(wide(few), wide(many), t);
  const cells =
    few === many
      ? from.cells
      : from.cells.map((cell, i) => {
          const end = to.cells[i];
          const part = (/** @type {"x" | "y" | "w" | "h"} */ side) => mix(cell[side], end[side], t);
          return { x: part("x"), y: part("y"), w: part("w"), h: part("h") };
        });
  return {
    width: W,
    height: H,
    isPhone,
    sheets: NAMES.map((name, i) => ({
      name,
      x: pad + i * (w + between),
      presence: clamp(s.pages - i, 0, 1),
    })),
    top,
    line,
    page: { w, h },
    cells,
    isGreek: to.isGreek,
    gap: to.size * 0.35,
    rail: { x: isPhone ? 118 : 210, w: W - (isPhone ? 140 : 270), y: foot - (isPhone ? 14 : 26) },
    strip: { y: foot - strip, h: strip },
  };
}

/** Left edge of a slope on its rail. @param {Room} room @param {number} power */
export const powerX = ({ rail }, power) =>
  rail.x + (rail.w * (power - FLATTEST)) / (STEEPEST - FLATTEST);
