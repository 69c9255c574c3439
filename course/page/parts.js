// Pieces of which pictures are declared.

import { nothing, svg } from "./lit/lit.js";

const FINGER = 22; // pixels around the middle of a grip that are its own

/** What words light by names separated by blanks, as much of it as is there.
 * @param {string} names @param {number} presence @param {unknown} content
 */
export const mark = (names, presence, content) =>
  presence < 0.02
    ? nothing
    : svg`<g data-marks=${names} opacity=${presence.toFixed(2)}>${content}</g>`;

/** Content where a number from 0 to 1 says that it is seen.
 * @param {number} presence @param {unknown} content
 */
export const seen = (presence, content) => (presence < 0.02 ? nothing : content);

/** Where something is drawn around its own middle. @param {number} x @param {number} y */
export const at = (x, y) => `translate(${x.toFixed(1)} ${y.toFixed(1)})`;

/** A grip that a line goes through. */
export const HOLLOW = { r: 10, fill: "var(--paper)", stroke: "var(--ink)", width: 3.5 };

/** The round grip of a slider, with room for a finger and the line that shows the focus.
 * @param {{ r?: number, fill?: string, stroke?: string, width?: number }} look
 */
export const grip = ({ r = 11, fill = "var(--ink)", stroke = "var(--paper)", width = 2.5 } = {}) =>
  svg`
    <circle r=${FINGER} fill="transparent" />
    <circle r=${r} fill=${fill} stroke=${stroke} stroke-width=${width} />
    <circle class="ring" data-on=${fill === "var(--ink)" ? "ink" : nothing}
      r=${["var(--ink)", "var(--paper)"].includes(fill) ? r - 4 : r} />`;

/** A box that is held, with the line that shows the focus: within it where it is as dark as the line.
 * @param {{ x: number, y: number, width: number, height: number, rx: number, fill: string }} look
 */
export function pill({ x, y, width, height, rx, fill }) {
  const isDark = fill === "var(--ink)";
  const by = isDark ? 4 : 0;
  return svg`
    <rect x=${x} y=${y} width=${width} height=${height} rx=${rx} fill=${fill} />
    <rect class="ring" data-on=${isDark ? "ink" : nothing} x=${x + by} y=${y + by}
      width=${Math.max(0, width - 2 * by)} height=${Math.max(0, height - 2 * by)} rx=${rx - by} />`;
}

/** A path through points. @param {import("./shapes.js").Point[]} points */
export const through = (points) =>
  `M${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}`;

/** @type {CanvasRenderingContext2D | null} */
let pen = null;

/** Pixels that a text takes in the letters of the page. @param {string} text @param {number} size @param {number} weight */
export function widthOf(text, size, weight = 400) {
  pen ??= /** @type {CanvasRenderingContext2D} */ (
    document.createElement("canvas").getContext("2d")
  );
  pen.font = `${weight} ${size}px "Source Sans", "Source Sans 3", system-ui, sans-serif`;
  return pen.measureText(text).width;
}
