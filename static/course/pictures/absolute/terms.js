// The four parts of a score of two sums, over all places.

import { xy } from "../../shapes.js";
import { parts } from "./model.js";
import { GAP, PLACES, after, placeX } from "./room.js";

/** @typedef {import("../../types").Stage} Stage */
/** @typedef {import("../../types").State} State */
/** @typedef {import("./room.js").Room} Room */

const NAMES = ["words", "rows", "mixed", "other"];
const FLAT = 1e-6;

/** @param {Stage} stage */
export function buildTerms({ make, put, show, group, say, number }) {
  const scene = make("g");
  const lines = NAMES.map((name) => {
    const part = group(`terms ${name}`, scene);
    return {
      name,
      field: make("rect", { fill: "var(--wash)" }, part),
      zero: make("path", { stroke: "var(--line)" }, part),
      area: make("path", { fill: "var(--ink)", "fill-opacity": 0.14 }, part),
      nought: make("text", { class: "t12 soft", "text-anchor": "end" }, part, "0"),
      line: make("path", { fill: "none", stroke: "var(--ink)", "stroke-linejoin": "round" }, part),
      tip: make("circle", { r: 6, fill: "var(--ink)" }, part),
      label: make("text", { class: "t14", "text-anchor": "end", style: "font-weight:600" }, part),
      value: make("text", { "text-anchor": "end", style: "font-weight:600" }, part),
      verdict: make("text", { class: "t12 soft", "text-anchor": "end" }, part),
    };
  });
  const total = make(
    "text",
    { "text-anchor": "end", style: "font-weight:600" },
    group("total", scene),
  );
  /** @type {{ matrices: number, all: number[][] }} */
  const kept = { matrices: -1, all: [] };

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = after(s.terms);
    show(scene, presence);
    if (presence < 0.02) return;
    const { left, width, top, high, bottom, isPhone } = room;
    if (kept.matrices !== s.matrices)
      Object.assign(kept, {
        matrices: s.matrices,
        all: Array.from({ length: PLACES - GAP }, (_, place) => parts(place, s.matrices)),
      });
    const tall = high / NAMES.length;
    const most = Math.max(6, ...kept.all.flat().map(Math.abs));
    const now = parts(s.p, s.matrices);
    const end = placeX(room, PLACES - 1 - GAP);
    const x = width - (isPhone ? 6 : 18);
    const written = now.reduce((sum, part) => sum + Math.round(100 * part), 0) / 100;
    const score = { score: number(written, 2) };
    put(total, {
      x,
      y: bottom + (isPhone ? 3 : 6),
      text: say(isPhone ? "total_short" : "total", score),
    });
    lines.forEach(({ name, field, zero, area, nought, line, tip, label, value, verdict }, i) => {
      const middle = top + tall * (i + 0.5);
      const y = (/** @type {number} */ part) => middle - (part / most) * tall * 0.4;
      const values = kept.all.map((all) => all[i]);
      const isFlat = Math.max(...values) - Math.min(...values) < FLAT;
      put(field, { x: left, width: end - left, y: middle - tall * 0.45, height: tall * 0.9 });
      put(zero, { d: `M${left},${middle}H${end}` });
      put(nought, { x: left - 5, y: middle + 4 });
      const points = values.map((part, place) => xy([placeX(room, place), y(part)])).join("L");
      put(area, { d: `M${left},${middle}L${points}V${middle}Z` });
      put(line, {
        d: `M${points}`,
        "stroke-width": isFlat ? 3.5 : 2,
      });
      put(tip, { cx: placeX(room, s.p).toFixed(1), cy: y(now[i]).toFixed(1) });
      put(label, { x: left - 20, y: middle + 5, text: say(isPhone ? `${name}_short` : name) });
      put(value, {
        x,
        y: middle + (isPhone ? 5 : 0),
        text: number(now[i], 2),
      });
      put(verdict, {
        x,
        y: middle + 20,
        text: isPhone ? "" : say(isFlat ? "flat" : "moves"),
      });
    });
  };
}
