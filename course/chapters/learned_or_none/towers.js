// Layers of five released models as towers, and a line through them.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import data from "./data.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** @type {{ name: string, layers: string[] }[]} */
export const TOWERS = data.towers;
export const MOST = Math.max(...TOWERS.map(({ layers }) => layers.length));
/** @type {Record<string, string>} */
const MARKS = { all: "all", near: "slim", none: "none" };
const SLIM = 0.4; // of a plate that sees near words alone

/** How many of the models know no positions at a layer. @param {number} layer From 1. */
export const without = (layer) =>
  TOWERS.filter(({ layers }) => layers[layer - 1] === "none").length;

/** A plate. @param {string} kind @param {number} x @param {number} y @param {number} w @param {number} h */
function plate(kind, x, y, w, h) {
  if (kind === "none")
    return svg`<rect data-marks="none" fill="var(--paper)" stroke="var(--content)" stroke-width="1.8" x=${x - 3} y=${y + 0.4} width=${w + 6} height=${h - 0.8} />`;
  const wide = kind === "near" ? w * SLIM : w;
  return svg`<rect data-marks=${MARKS[kind]} fill="var(--ink)" x=${x + (w - wide) / 2} y=${y} width=${wide} height=${h} />`;
}

/** @param {Room} room */
function place({ width, height, isPhone, pad }) {
  const [top, under] = isPhone ? [16, 88] : [34, 128];
  const room = width - 2 * pad - (isPhone ? 34 : 56);
  return {
    top,
    foot: height - under,
    from: pad,
    step: room / TOWERS.length,
    low: height - (isPhone ? 24 : 22),
  };
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function towers(s, room, stage) {
  if (s.towers < 0.02) return "";
  const { say, handle, set } = stage;
  const { width, isPhone, pad } = room;
  const { top, foot, from, step, low } = place(room);
  const h = (foot - top) / MOST;
  const w = Math.min(84, step * 0.72);
  const layer = Math.round(s.layer);
  const tower = (
    /** @type {typeof TOWERS[number]} */ { name, layers },
    /** @type {number} */ i,
  ) => {
    const middle = from + (i + 0.5) * step;
    const lines = isPhone ? name.split(/(?<=-)| /) : [name];
    const kind = layers[layer - 1];
    const told = kind ? say(`is_${kind}`) : "–";
    return svg`<g data-marks="towers">
      ${layers.map((one, at) => plate(one, middle - w / 2, foot - (at + 1) * h, w, Math.max(1.6, h - Math.min(3, h * 0.3))))}
      ${lines.map((line, at) => svg`<text class="t12 middle bold" x=${middle} y=${foot + (isPhone ? 14 : 20) + 13 * at}>${line}</text>`)}
      <g data-marks="line"><text class=${`t12 middle ${kind === "none" ? "bold" : "soft"}`} x=${middle} y=${foot + (isPhone ? 43 : 40)}>${told}</text></g></g>`;
  };
  const legend = (/** @type {string} */ kind, /** @type {number} */ i) => {
    const x = isPhone ? pad + (i % 2) * (width / 2 - pad) : pad + (i * (width - pad)) / 3;
    const y = isPhone ? low + Math.floor(i / 2) * 17 : low;
    return svg`${plate(kind, x, y - 9, 36, 8)}<g data-marks=${MARKS[kind]}><text class="t12 soft" x=${x + 43} y=${y}>${say(`${kind}${isPhone ? "_short" : ""}`)}</text></g>`;
  };
  const to = (/** @type {number} */ one) => set({ layer: clamp(Math.round(one), 1, MOST) }); // prettier-ignore
  const y = foot - (layer - 0.5) * h;
  const [left, right] = [pad - 4, width - (isPhone ? 12 : 34)];
  /** The line leaves out the plates that it cuts, so that they are seen. */
  const gaps = TOWERS.map(({ layers }, i) => {
    const kind = layers[layer - 1];
    const half = kind ? (kind === "near" ? w * SLIM : w) / 2 + 8 : 0;
    const middle = from + (i + 0.5) * step;
    return `H${middle - half}M${middle + half},${y}`;
  });
  const hold = handle({
    label: say("line_label"),
    now: layer,
    min: 1,
    max: MOST,
    text: say("line_at"),
    keys: (by) => to(layer + by),
    move: ([, at]) => to((foot - at) / h + 0.5),
  });
  return svg`<g opacity=${s.towers}>
    <path data-marks="line" stroke="var(--ink)" stroke-width="2" stroke-dasharray="5 4" d=${`M${left},${y}${gaps.join("")}H${right}`} />
    ${TOWERS.map(tower)}
    ${Object.keys(MARKS).map(legend)}
    <g data-marks="line"><g ${hold}>
      <rect fill="transparent" x=${left} y=${top} width=${right - left} height=${foot - top} />
      <g transform=${moved(right, y)}>${grip({ r: isPhone ? 9 : 11 })}</g></g>
      <text class="t14 bold end halo" x=${width - (isPhone ? 2 : 10)} y=${Math.max(14, y - 17)}>${say("line_at")}</text></g></g>`;
}
