// Layers of released models: what each sees of a text, and what it knows of places.

import { svg } from "../../page/lit/lit.js";
import data from "./data.js";
import { choice } from "./hands.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** @type {{ name: string, layers: number[][] }[]} */
export const MODELS = data.models;
const MOST = Math.max(...MODELS.map(({ layers }) => layers.length));
const PENALTY = -1; // stands where a base would
const SHORT = 0.36; // height of a layer with a window beside that of others
const KINDS = ["whole", "local", "hollow", "wedge"];

/** Bases by which a model's layers turn, in the order of its layers. @param {number} i */
export const bases = (i) => [...new Set(MODELS[i].layers.map(([, base]) => base))].filter((base) => base > 0); // prettier-ignore
/** How many of its layers know no positions. @param {number} i */
export const without = (i) => MODELS[i].layers.filter(([, base]) => base === 0).length;

/** The model whose layers turn by two bases. */
export const TWO = MODELS.findIndex((_, i) => bases(i).length > 1);

/** @param {Room} room @param {number} i */
function place({ width, height, isPhone, left }, i) {
  const top = isPhone ? 4 : 30;
  const foot = height - (isPhone ? 40 : 62);
  const h = (foot - top) / MODELS.length;
  return { x: left - 6, y: top + i * h, w: width - 2 * left + 12, h };
}

/** A layer as a path: a bar, or a wedge that falls. @param {number} x @param {number} foot @param {number} w @param {number} h @param {number} base */
const shape = (x, foot, w, h, base) =>
  base === PENALTY
    ? `M${x},${foot}V${foot - h}L${x + w},${foot}Z`
    : `M${x},${foot}V${foot - h}H${x + w}V${foot}Z`;

/** @param {State} s @param {Room} room @param {Stage} stage */
export function layers(s, room, stage) {
  if (s.today < 0.02) return "";
  const { say, seen, number, isGuessing } = stage;
  const { isPhone, left, height, width } = room;
  const from = left + (isPhone ? 0 : 104);
  const end = width - left - (isPhone ? 0 : 150);
  const step = Math.min(9, (end - from) / MOST);
  const places = MODELS.map((_, i) => place(room, i));
  const row = (/** @type {typeof MODELS[number]} */ { name, layers }, /** @type {number} */ i) => {
    const { y, h } = places[i];
    const foot = y + h - (isPhone ? 3 : h * 0.17);
    const tall = isPhone ? h - 19 : h * 0.66;
    const line = isPhone ? y + 12 : y + h / 2 + 5;
    const by = bases(i).map((base) => number(base));
    const isTold = seen.has(i) || Math.round(s.model) === i; // the highlight has been there
    const told = by.length ? by.join(isPhone ? ", " : " / ") : say("alibi_base");
    const bar = (/** @type {number[]} */ [window, base], /** @type {number} */ layer) =>
      drawn(
        kindOf(window, base),
        shape(from + layer * step, foot, step * 0.68, tall * (window ? SHORT : 1), base),
      );
    const count = () =>
      svg`<text class="t12 soft" x=${from + layers.length * step + 6} y=${line}>${say("count", { layers: number(layers.length) })}</text>`;
    return svg`<g data-marks="models">
        <text class=${`t14 ${i === Math.round(s.model) ? "bold" : ""}`} x=${left} y=${line}>${name}</text>
        ${isPhone ? "" : count()}
        <text class="t14 soft end" x=${width - left} y=${line}>${isGuessing() ? "" : isTold ? told : "?"}</text></g>
      ${layers.map(bar)}`;
  };
  const low = height - (isPhone ? 22 : 30);
  const legend = (/** @type {string} */ kind, /** @type {number} */ i) => {
    const x = isPhone ? left + (i % 2) * (width / 2 - left) : left + (i * (width - left)) / 4;
    const y = isPhone ? low + Math.floor(i / 2) * 16 : low;
    const base = { wedge: PENALTY, hollow: 0 }[kind] ?? 1;
    const isHidden = kind === "hollow" && isGuessing();
    return svg`${drawn(kind, shape(x, y, 9, kind === "local" ? 6 : 16, base))}
      <g data-marks=${kind}><text class=${isPhone ? "t12" : "t14"} x=${x + 16} y=${y}>${isHidden ? "?" : say(isPhone ? `${kind}_short` : kind)}</text></g>`;
  };
  const rows = { mark: "models", name: "model", key: "model", shown: "today" };
  return svg`
    ${choice(s, stage, rows, places)}
    <g opacity=${s.today} pointer-events="none">
      ${MODELS.map(row)}
      ${isPhone ? "" : svg`<g data-marks="models"><text class="t12 soft end" x=${width - left} y="24">${isGuessing() ? "" : say("bases")}</text><text class="t12 soft" x=${from} y="24">${say("first")}</text></g>`}
      ${KINDS.map(legend)}</g>`; // what takes the hand is below
}

/** @param {number} window @param {number} base */
const kindOf = (window, base) =>
  base === PENALTY ? "wedge" : base === 0 ? "hollow" : window ? "local" : "whole";

/** A layer. @param {string} kind @param {string} d */
const drawn = (kind, d) =>
  svg`<g data-marks=${kind}><path fill=${kind === "hollow" ? "none" : "var(--ink)"} stroke="var(--ink)" stroke-width=${kind === "hollow" ? 1.2 : 0} d=${d} /></g>`;
