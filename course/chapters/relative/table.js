// The table under the ruler: a vector for each label, which is added to the key.

import { clipped } from "../../page/formulas/distances.js";
import { clamp } from "../../page/shapes.js";
import { dot } from "../../page/formulas/sinusoids.js";
import { CELLS, LIMIT, hue, placeX, tableY } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const DIGITS = "₀₁₂₃₄₅₆₇₈₉";

/** @param {number} number */
export const subscript = (number) =>
  [...String(number)].map((digit) => DIGITS[Number(digit)]).join("");

/** The distance from the query to the key, as the ruler reads it. @param {State} s */
export const reading = (s) => clipped(Math.round(s.i), Math.round(s.key), Math.round(s.k));

/** A made-up vector, of a label or a word. @param {number} of */
const vector = (of) => Array.from({ length: CELLS }, (_, n) => Math.sin(7.3 * of + 2.4 * n));
/** The key with the row of its label. @param {State} s */
function sumOf(s) {
  const [key, row] = [vector(Math.round(s.key) + 0.1), vector(reading(s))];
  return { key, row, sum: key.map((x, n) => x + row[n]) };
}
/** @param {State} s */
const queryOf = (s) => vector(Math.round(s.i) + 0.3);
/** Of the query with that. @param {State} s */
export const scoreOf = (s) => dot(queryOf(s), sumOf(s).sum);

/** @param {Stage} stage */
export function buildTable({ make, put, show, group, say, number }) {
  const table = group("table");
  const title = make("text", {}, table);
  const rows = Array.from({ length: 2 * LIMIT + 1 }, (_, n) => {
    const whole = make("g", {}, table);
    return {
      distance: n - LIMIT,
      whole,
      name: make(
        "text",
        { "text-anchor": "end", "dominant-baseline": "central", class: "t14" },
        whole,
        number(n - LIMIT),
      ),
      ground: make("rect", { rx: 3, "fill-opacity": 0.14 }, whole),
      cells: vector(n - LIMIT).map(() => make("rect", {}, whole)),
    };
  });
  const fetched = make(
    "path",
    { fill: "none", stroke: "var(--k)", "stroke-width": 2.5 },
    group("k table"),
  );
  // Number by number, the row on the key.
  const added = group("table k");
  const ground = make("path", { fill: "none", stroke: "var(--soft)" }, added);
  const link = make("path", { fill: "none", stroke: "var(--soft)" }, added);
  const piles = Array.from({ length: CELLS }, () => ({
    key: make("rect", { fill: "var(--k-fill)" }, added),
    row: make("line", { "stroke-width": 4 }, added),
    head: make("circle", { fill: "var(--ink)" }, added),
  }));
  const query = group("table q");
  const asked = Array.from({ length: CELLS }, () => make("rect", { fill: "var(--q-fill)" }, query));
  const level = make("path", { fill: "none", stroke: "var(--soft)" }, query);
  const value = make("text", { style: "font-weight:600" }, group("table k q"));
  const score = make("text", { style: "font-weight:600" }, group("table k q"));
  const parts = ["q", "", "k", ""].map((css) => make("tspan", { class: css }, score));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone, tableX: x, tableW: w, tableRow: h, tableTop, ruler, band, top } = room;
    const there = clamp(s.table * 2 - 1, 0, 1) * (1 - s.page) * (1 - Math.max(s.waves, s.number));
    for (const node of [table, fetched, added, query, score, value]) show(node, there);
    if (there < 0.02) return;
    const chosen = reading(s);
    const wide = w / CELLS;
    const high = Math.max(1, h - (h > 16 ? 4 : 2));
    rows.forEach(({ distance, whole, name, ground: field, cells }) => {
      const isChosen = distance === chosen;
      show(whole, isChosen ? 1 : 0.7);
      const y = tableY(room, s, distance);
      put(name, { x: x - 8, y: y + 1, style: isChosen ? "font-weight:700" : undefined });
      put(field, { x, width: w, y: (y - high / 2).toFixed(1), height: high.toFixed(1) });
      put(field, { fill: hue(distance) });
      vector(distance).forEach((its, n) => {
        const tall = (Math.abs(its) * high) / 2;
        put(cells[n], {
          x: (x + (n + 0.2) * wide).toFixed(1),
          width: Math.max(0.5, wide * 0.6),
          y: (its > 0 ? y - tall : y).toFixed(1),
          height: tall.toFixed(1),
          fill: hue(distance),
        });
      });
    });
    // From the ruler, past the names, to the row that is fetched.
    const y = tableY(room, s, chosen);
    const key = placeX(room, s.key);
    const under = ruler + band / 2 + (top - ruler - band / 2) / 2;
    const aside = x - (isPhone ? 34 : 46);
    const cell = `M${key - room.cell / 2},${ruler - band / 2}h${room.cell}v${band}h${-room.cell}Z`;
    const down = `M${key},${ruler + band / 2}V${under}H${aside}V${y}h${isPhone ? 4 : 10}`;
    put(fetched, { d: `${cell}${down}M${x},${y - h / 2 + 1}h${w}v${h - 2}h${-w}Z` });
    put(title, {
      x,
      y: tableTop - (isPhone ? 5 : 12),
      text: say(`table_learned${isPhone ? "_short" : ""}`),
      class: isPhone ? "t12 soft" : "t14 soft",
    });
    const pileX = x + w + (isPhone ? 26 : 70);
    const pile = clamp((room.width - pileX - (isPhone ? 8 : 40)) / CELLS, 3, 36);
    const floor = tableTop + h * (rows.length - (isPhone ? 1.4 : 1));
    // The query's numbers, between 1 and −1; below, the sums between 2 and −2.
    const unit = (floor - tableTop - (isPhone ? 20 : 40)) / 6;
    const above = tableTop + unit;
    const zero = floor - 2 * unit;
    put(level, { d: `M${pileX - 3},${above}h${pile * CELLS + 4}` });
    queryOf(s).forEach((its, n) => {
      put(asked[n], {
        x: pileX + n * pile + 1,
        width: pile - 2,
        y: above - Math.max(0, its) * unit,
        height: Math.abs(its) * unit,
      });
    });
    put(ground, { d: `M${pileX - 3},${zero}h${pile * CELLS + 4}` });
    put(link, {
      d: `M${x + w},${y}H${pileX - (isPhone ? 12 : 32)}V${zero}h${isPhone ? 6 : 22}`,
    });
    const { key: own, row: more, sum } = sumOf(s);
    piles.forEach(({ key: bar, row: stem, head }, n) => {
      const middle = pileX + (n + 0.5) * pile;
      const [from, to] = [zero - own[n] * unit, zero - sum[n] * unit].map((one) => one.toFixed(1));
      put(bar, {
        x: pileX + n * pile + 1,
        width: pile - 2,
        y: Math.min(zero, Number(from)),
        height: Math.abs(own[n]) * unit,
      });
      put(stem, { x1: middle, x2: middle, y1: from, y2: to, stroke: hue(chosen) });
      show(stem, Math.abs(more[n]) > 0.01 ? 1 : 0);
      put(head, { cx: middle, cy: to, r: Math.min(6, pile * 0.22) });
    });
    put(value, { x: pileX, y: tableTop - (isPhone ? 5 : 12), text: say("score") });
    const texts = ["q", " · (", "k", ` + ${say("row_at")})`];
    parts.forEach((part, n) => put(part, { text: texts[n] }));
    put(score, { x: pileX, y: floor + (isPhone ? 14 : 24), class: isPhone ? "t12" : "" });
  };
}

/** @param {number} value @param {(value: number, digits?: number) => string} number */
export const signed = (value, number) => (value > 0 ? "+" : "") + number(value, 2);
