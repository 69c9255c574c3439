// The three ways as columns, and what the course has shown of each as lines.

import { svg } from "../../page/lit/lit.js";
import { choice } from "./hands.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

export const WAYS = /** @type {const} */ (["add", "subtract", "turn"]);
export const LINES = /** @type {const} */ (["where", "back", "longer", "after", "kernel", "files"]);
/** Columns that a line speaks for. @type {Record<typeof LINES[number], readonly (typeof WAYS[number])[]>} */
const BEST = {
  where: [],
  back: ["turn"],
  longer: ["subtract"],
  after: [],
  kernel: ["add", "turn"],
  files: [],
};

/** @param {Room} room @param {number} i */
function place({ width, height, isPhone, left }, i) {
  const top = isPhone ? 50 : 112;
  const h = Math.min(isPhone ? 54 : 78, (height - (isPhone ? 6 : 24) - top) / LINES.length);
  return { x: left - 6, y: top + i * h, w: width - 2 * left + 12, h };
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function table(s, room, stage) {
  if (s.table < 0.02) return "";
  const { say, seen, isGuessing } = stage;
  const { isPhone, left, width } = room;
  const end = isPhone ? "_short" : "";
  const wide = (width - 2 * left) / WAYS.length;
  const x = (/** @type {number} */ i) => left + i * wide;
  const places = LINES.map((_, i) => place(room, i));
  const head = (/** @type {string} */ way, /** @type {number} */ i) =>
    svg`<g data-marks=${`ways ${way}`}>
      <text class="bold" x=${x(i)} y=${isPhone ? 18 : 46}>${say(`way_${way}`)}</text>
      <text class="t12 soft" x=${x(i)} y=${isPhone ? 36 : 70}>${say(`members_${way}${end}`)}</text></g>`;
  const line = (/** @type {typeof LINES[number]} */ name, /** @type {number} */ i) => {
    const { y, h } = places[i];
    const isKnown = seen.has(i) && !isGuessing();
    const cell = (/** @type {typeof WAYS[number]} */ way, /** @type {number} */ column) => {
      const css = !isKnown ? "soft" : BEST[name].includes(way) ? "bold" : "";
      return svg`<g data-marks=${`lines ${name} ${way}`}><text class=${`t14 ${css}`} x=${x(column)} y=${y + h * (isPhone ? 0.8 : 0.74)}>${isKnown ? say(`cell_${name}_${way}${end}`) : "?"}</text></g>`;
    };
    return svg`<g data-marks=${`lines ${name}`}><text class="t12 soft" x=${left} y=${y + h * 0.38}>${say(`line_${name}${end}`)}</text></g>
      ${WAYS.map(cell)}`;
  };
  const rows = { mark: "lines", name: "line", key: "line", shown: "table" };
  return svg`
    ${choice(s, stage, rows, places)}
    <g opacity=${s.table} pointer-events="none">
      ${WAYS.map(head)}
      <g data-marks="lines"><path class="line" d=${places.map(({ y }) => `M${left},${y}h${width - 2 * left}`).join("")} /></g>
      ${LINES.map(line)}</g>`; // what takes the hand is below
}
