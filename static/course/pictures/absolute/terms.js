// A score of two sums: each part of the one meets each of the other, at every place.

import { xy } from "../../shapes.js";
import { NAMES, at, parts } from "./model.js";
import { GAP, PLACES, after } from "./room.js";

/** @typedef {import("../../types").Stage} Stage */
/** @typedef {import("../../types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** The parts, and where each stands: of the query a line, of the key a column. */
const PARTS = /** @type {const} */ ([
  ["words", 0, 0],
  ["rows", 1, 1],
  ["mixed", 0, 1],
  ["other", 1, 0],
]);
const BOTH = [0, 1];
const FLAT = 1e-6;
const BOLD = "font-weight:600";

/** @param {Stage} stage */
export function buildTerms({ make, put, show, group, say, number }) {
  const scene = make("g");
  /** @param {string} mark @param {string} anchor */
  const heads = (mark, anchor) => {
    const part = group(mark, scene);
    const text = (/** @type {string} */ look, /** @type {string} */ written) =>
      make("text", { class: look, "text-anchor": anchor, style: BOLD }, part, written);
    return {
      names: BOTH.map(() => text(mark, "")),
      plus: text("soft", "+"),
    };
  };
  const query = heads("q", "end");
  const key = heads("k", "middle");
  const through = make(
    "text",
    { class: "q t14", "text-anchor": "end" },
    group("q", scene),
    say("through_q"),
  );
  const panels = PARTS.map(([name]) => {
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
      first: make("text", { class: "t12 soft" }, part),
      last: make(
        "text",
        { class: "t12 soft", "text-anchor": "end" },
        part,
        number(PLACES - 1 - GAP),
      ),
      verdict: make("text", { class: "t14 soft" }, part),
    };
  });
  const total = make("text", { "text-anchor": "end", style: BOLD }, group("total", scene));
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
    const gap = isPhone ? 8 : 18;
    const w = (width - left - gap - (isPhone ? 8 : 28)) / 2;
    const h = (high - gap) / 2;
    const most = Math.max(6, ...kept.all.flat().map(Math.abs));
    const now = parts(s.p, s.matrices);
    const written = now.reduce((sum, part) => sum + Math.round(100 * part), 0) / 100;
    put(total, {
      x: width - (isPhone ? 6 : 28),
      y: bottom + (isPhone ? 3 : 6),
      text: say(isPhone ? "total_short" : "total", { score: number(written, 2) }),
    });
    const isThrough = !isPhone && s.matrices > 0.5; // each sum as a whole
    const [open, shut] = isThrough ? ["(", ")"] : ["", ""];
    const sideX = left - (isPhone ? 12 : 18);
    BOTH.forEach((i) => {
      const x = left + w / 2 + i * (w + gap);
      const y = top + h / 2 + i * (h + gap) + 5;
      put(query.names[i], { x: sideX, y, text: i ? say("row_of") + shut : open + NAMES[0] });
      put(key.names[i], {
        x,
        y: top - (isPhone ? 6 : 12),
        text: i
          ? `${say("row_of", { p: at(s) + GAP })}${shut}${isThrough ? ` ${say("through_k")}` : ""}`
          : open + NAMES[1],
      });
    });
    put(query.plus, { x: sideX, y: top + h + gap / 2 + 5 });
    put(key.plus, { x: left + w + gap / 2, y: top - (isPhone ? 6 : 12) });
    put(through, { x: sideX, y: top + h * 1.5 + gap + 27 });
    show(through, isThrough ? 1 : 0);
    PARTS.forEach(([, down, across], i) => {
      const { field, zero, nought, area, line, cut, tip, value, first, last, verdict } = panels[i];
      const [x0, y0] = [left + across * (w + gap), top + down * (h + gap)];
      const middle = y0 + h * (isPhone ? 0.6 : 0.56);
      const x = (/** @type {number} */ place) => x0 + (w * place) / (PLACES - 1 - GAP);
      const y = (/** @type {number} */ part) => middle - (part / most) * h * (isPhone ? 0.3 : 0.4);
      const values = kept.all.map((all) => all[i]);
      const isFlat = Math.max(...values) - Math.min(...values) < FLAT;
      put(field, { x: x0, width: w, y: y0, height: h });
      put(zero, { d: `M${x0},${middle}h${w}` });
      put(nought, { x: x0 - (isPhone ? 2 : 5), y: middle + 4 });
      show(nought, isPhone && across ? 0 : 1);
      const points = values.map((part, place) => xy([x(place), y(part)])).join("L");
      put(area, { d: `M${x0},${middle}L${points}V${middle}Z` });
      put(line, { d: `M${points}`, "stroke-width": isFlat ? 3.5 : 2 });
      put(cut, { d: `M${x(s.p).toFixed(1)},${y(now[i]).toFixed(1)}V${middle}` });
      put(tip, { cx: x(s.p).toFixed(1), cy: y(now[i]).toFixed(1) });
      put(value, { x: x0 + w - 8, y: y0 + (isPhone ? 14 : 21), text: number(now[i], 2) });
      put(first, { x: x0, y: y0 + h + 14, text: say("first_place") });
      put(last, { x: x0 + w, y: y0 + h + 14 });
      show(first, down);
      show(last, isPhone && across ? 0 : down); // there stands the score
      put(verdict, {
        x: x0 + 8,
        y: isPhone ? y0 + 14 : y0 + h - 10,
        text: say(isFlat ? "flat" : "moves"),
      });
    });
  };
}
