// A score of two sums: each part of the one meets each of the other, at every place.

import { xy } from "../../page/shapes.js";
import { NAMES, at, parts } from "./model.js";
import { GAP, PLACES, after, placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** The parts, one below the other: of the query its word (0) or its row (1), of the key the same. */
const PARTS = /** @type {const} */ ([
  ["words", 0, 0],
  ["rows", 1, 1],
  ["mixed", 0, 1],
  ["other", 1, 0],
]);
const ALL = Array.from({ length: PLACES - GAP }, (_, place) => place);
const [LEAST, MOST] = reach();
const FLAT = 1e-6;
const BOLD = "font-weight:600";

/** The least and the most of any part, with the matrices and without: one scale for all. */
function reach() {
  const values = ALL.flatMap((place) => [...parts(place, 0), ...parts(place, 1)]);
  return [Math.min(...values), Math.max(...values)];
}

/** @param {Stage} stage */
export function buildTerms({ make, put, show, group, say, number }) {
  const scene = make("g");
  /** A product: the query's side, a dot, the key's side. @param {Element} [part] */
  const product = (part) => {
    const text = (/** @type {string} */ look, /** @type {string} */ anchor, mark = look) =>
      make("text", { class: look, "text-anchor": anchor, style: BOLD }, part ?? group(mark, scene));
    return { q: text("q", "end"), dot: text("soft", "middle", "q k"), k: text("k", "start") };
  };
  const sums = product();
  const lanes = PARTS.map(([name]) => {
    const part = group(`terms ${name}`, scene);
    return {
      field: make("rect", { fill: "var(--wash)", rx: 4 }, part),
      zero: make("path", { stroke: "var(--line)" }, part),
      nought: make("text", { class: "t12 soft", "text-anchor": "end" }, part, number(0)),
      area: make("path", { fill: "var(--ink)", "fill-opacity": 0.14 }, part),
      line: make("path", { fill: "none", stroke: "var(--ink)", "stroke-linejoin": "round" }, part),
      cut: make("path", { stroke: "var(--ink)", "stroke-opacity": 0.4 }, part),
      tip: make("circle", { r: 6, fill: "var(--ink)" }, part),
      value: make("text", { "text-anchor": "end", style: BOLD }, part),
      verdict: make("text", { class: "t14 soft", "text-anchor": "end" }, part),
      ...product(part),
    };
  });
  const whole = group("total", scene);
  const rule = make("path", { stroke: "var(--ink)", "stroke-width": 1.5 }, whole);
  const total = make("text", { "text-anchor": "end", style: BOLD }, whole);
  /** @type {{ matrices: number, all: number[][] }} */
  const kept = { matrices: -1, all: [] };

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = after(s.terms);
    show(scene, presence);
    if (presence < 0.02) return;
    const { left, right, width, top, high, bottom, isPhone } = room;
    if (kept.matrices !== s.matrices)
      Object.assign(kept, {
        matrices: s.matrices,
        all: ALL.map((place) => parts(place, s.matrices)),
      });
    const now = parts(s.p, s.matrices);
    const rows = [at(s), at(s) + GAP].map((p) => say("row_of", { p }));
    /** @param {Record<"q" | "dot" | "k", SVGElement>} nodes @param {string[]} texts @param {number} x @param {number} y */
    const write = (nodes, [q, k], x, y) => {
      const space = isPhone ? 6 : 9;
      put(nodes.q, { x: x - space, y, text: q });
      put(nodes.dot, { x, y, text: "·" });
      put(nodes.k, { x: x + space, y, text: k });
    };
    const sides = NAMES.slice(0, 2).map((name, i) => `(${name} + ${rows[i]})`);
    const through = isPhone // has no room for words
      ? sides.map((side, i) => `${"QK"[i]}${side}`)
      : ["through_q", "through_k"].map((name, i) => `${sides[i]} ${say(name)}`);
    write(sums, s.matrices > 0.5 ? through : sides, width / 2, top - (isPhone ? 8 : 20));
    const gap = isPhone ? 4 : 10;
    const each = (high + gap) / PARTS.length;
    const above = isPhone ? 16 : 0; // there a phone has the names
    const h = each - gap - above;
    const edge = width - (isPhone ? 4 : 28);
    PARTS.forEach(([, query, key], i) => {
      const { field, zero, nought, area, line, cut, tip, value, verdict } = lanes[i];
      const y0 = top + each * i + above;
      const y = (/** @type {number} */ part) => y0 + 4 + ((h - 8) * (MOST - part)) / (MOST - LEAST);
      const middle = y(0);
      const values = kept.all.map((all) => all[i]);
      const isFlat = Math.max(...values) - Math.min(...values) < FLAT;
      put(field, { x: left, width: right - left, y: y0, height: h });
      put(zero, { d: `M${left},${middle}H${right}` });
      put(nought, { x: left - (isPhone ? 3 : 6), y: middle + 4 });
      const points = values.map((part, place) => xy([placeX(room, place), y(part)])).join("L");
      const last = placeX(room, values.length - 1).toFixed(1);
      put(area, { d: `M${left},${middle}L${points}L${last},${middle}Z` });
      put(line, { d: `M${points}`, "stroke-width": isFlat ? 3.5 : 2 });
      const x = placeX(room, s.p).toFixed(1);
      put(cut, { d: `M${x},${y0}v${h}` });
      put(tip, { cx: x, cy: y(now[i]).toFixed(1) });
      put(value, { x: edge, y: y0 + h / 2 + 5, text: number(now[i], 2) });
      const centre = y0 + h / 2;
      const names = [query, key].map((isRow, side) => (isRow ? rows[side] : NAMES[side]));
      write(lanes[i], names, left + (isPhone ? 56 : -96), isPhone ? y0 - 4 : centre - 4);
      put(verdict, {
        x: isPhone ? right : left - 22,
        y: isPhone ? y0 - 4 : centre + 17,
        text: say(isFlat ? "flat" : "moves"),
      });
    });
    const written = now.reduce((sum, part) => sum + Math.round(100 * part), 0) / 100;
    put(rule, { d: `M${edge - (isPhone ? 46 : 84)},${bottom - 12}H${edge}` });
    put(total, {
      x: edge,
      y: bottom + (isPhone ? 6 : 8),
      text: say(isPhone ? "total_short" : "total", { score: number(written, 2) }),
    });
  };
}
