// Layers of released models: what each sees of a text, and what it knows of places.

import data from "./data.js";
import { buildRows } from "./hands.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @type {{ name: string, layers: number[][] }[]} */
export const MODELS = data.models;
const MOST = Math.max(...MODELS.map(({ layers }) => layers.length));
const PENALTY = -1; // stands where a base would
const SHORT = 0.36; // height of a layer with a window beside that of others
const KINDS = ["whole", "local", "hollow", "wedge"];

/** Bases by which a model's layers turn, in the order of its layers. @param {number} i */
export const bases = (i) => [...new Set(MODELS[i].layers.map(([, base]) => base))].filter((base) => base > 0); // prettier-ignore
/** Tokens of its window; 0 without. @param {number} i */
export const windowOf = (i) => Math.max(...MODELS[i].layers.map(([window]) => window));
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

/** @param {Stage} stage @param {() => Room} room */
export function buildLayers(stage, room) {
  const { make, put, show, group, say, number, isGuessing } = stage;
  const frame = buildRows(
    stage,
    { mark: "models", name: "model", key: "model", count: MODELS.length, shown: "today" },
    (i) => place(room(), i),
  );
  const all = group("models");
  put(all, { "pointer-events": "none" }); // what takes the hand is below
  const rows = MODELS.map(({ name, layers }) => ({
    name: make("text", { class: "t14" }, all, name),
    told: make("text", { class: "t14 soft", "text-anchor": "end" }, all),
    bars: layers.map(([window, base]) => ({
      window,
      base,
      node: make(
        "path",
        {
          fill: base ? "var(--ink)" : "none",
          stroke: "var(--ink)",
          "stroke-width": base ? 0 : 1.2,
          "pointer-events": "none",
        },
        group(base === PENALTY ? "wedge" : base === 0 ? "hollow" : window ? "local" : "whole"),
      ),
    })),
  }));
  const head = make("text", { class: "t12 soft", "text-anchor": "end" }, all, say("bases"));
  const legend = KINDS.map((kind) => ({
    kind,
    sign: make(
      "path",
      {
        fill: kind === "hollow" ? "none" : "var(--ink)",
        stroke: "var(--ink)",
        "stroke-width": kind === "hollow" ? 1.2 : 0,
      },
      group(kind),
    ),
    text: make("text", { class: "t12 soft" }, group(kind)),
  }));

  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const presence = s.today;
    frame(s);
    for (const { name, told, bars } of rows)
      for (const node of [name, told, ...bars.map((one) => one.node)]) show(node, presence);
    for (const { sign, text } of legend) for (const node of [sign, text]) show(node, presence);
    show(head, at.isPhone ? 0 : presence);
    if (presence < 0.02) return;
    const { isPhone, left, height, width } = at;
    put(head, { x: width - left, y: 24 });
    const from = left + (isPhone ? 0 : 104);
    const end = width - left - (isPhone ? 0 : 150);
    const step = Math.min(9, (end - from) / MOST);
    rows.forEach(({ name, told, bars }, i) => {
      const { y, h } = place(at, i);
      const foot = y + h - (isPhone ? 3 : h * 0.17);
      const tall = isPhone ? h - 19 : h * 0.66;
      const line = isPhone ? y + 12 : y + h / 2 + 5;
      const isHere = i === Math.round(s.model);
      put(name, { x: left, y: line, style: isHere ? "font-weight: 600" : undefined });
      const by = bases(i).map((base) => number(base));
      put(told, {
        x: width - left,
        y: line,
        text: by.length ? by.join(isPhone ? ", " : " / ") : say("alibi_base"),
      });
      bars.forEach(({ window, base, node }, layer) =>
        put(node, {
          d: shape(from + layer * step, foot, step * 0.68, tall * (window ? SHORT : 1), base),
        }),
      );
    });
    const y = height - (isPhone ? 22 : 30);
    legend.forEach(({ kind, sign, text }, i) => {
      const x = isPhone ? left + (i % 2) * (width / 2 - left) : left + (i * (width - left)) / 4;
      const foot = isPhone ? y + Math.floor(i / 2) * 16 : y;
      const base = { wedge: PENALTY, hollow: 0 }[kind] ?? 1;
      put(sign, { d: shape(x, foot, 6, kind === "local" ? 5 : 12, base) });
      const hidden = kind === "hollow" && isGuessing();
      put(text, {
        x: x + 14,
        y: foot,
        text: hidden ? "?" : say(isPhone ? `${kind}_short` : kind),
      });
    });
  };
}
