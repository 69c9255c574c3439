// The table under the ruler: a vector for each label, which is added to the key.

import { clipped } from "../../distances.js";
import { clamp } from "../../shapes.js";
import { CELLS, LIMIT, hue, placeX, tableY, tint } from "./room.js";

/** @typedef {import("../../types").Stage} Stage */
/** @typedef {import("../../types").State} State */
/** @typedef {import("./room.js").Room} Room */

const DIGITS = "₀₁₂₃₄₅₆₇₈₉";

/** @param {number} number */
export const subscript = (number) =>
  [...String(number)].map((digit) => DIGITS[Number(digit)]).join("");

/** The distance from the query to the key, as the ruler reads it. @param {State} s */
export const reading = (s) => clipped(Math.round(s.i), Math.round(s.key), Math.round(s.k));

/** A number of a vector, for the eye: each cell has its own, between a half and 1. @param {number} distance @param {number} n */
const shade = (distance, n) => 0.72 + 0.28 * Math.sin(7.3 * distance + 2.4 * n);

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
      cells: Array.from({ length: CELLS }, () => make("rect", { rx: 2 }, whole)),
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
    row: make("rect", {}, added),
  }));
  const score = make("text", { style: "font-weight:600" }, group("table k q"));
  const parts = ["q", "", "k", ""].map((css) => make("tspan", { class: css }, score));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone, tableX: x, tableW: w, tableRow: h, tableTop, ruler, band, top } = room;
    const there = clamp(s.table * 2 - 1, 0, 1) * (1 - s.page) * (1 - Math.max(s.waves, s.number));
    for (const node of [table, fetched, added, score]) show(node, there);
    if (there < 0.02) return;
    const chosen = reading(s);
    const wide = w / CELLS;
    const high = Math.max(1, h - (h > 16 ? 4 : 2));
    rows.forEach(({ distance, whole, name, cells }) => {
      const isChosen = distance === chosen;
      show(whole, isChosen ? 1 : 0.7);
      const y = tableY(room, s, distance);
      put(name, { x: x - 8, y: y + 1, style: isChosen ? "font-weight:700" : undefined });
      cells.forEach((cell, n) =>
        put(cell, {
          x: (x + n * wide + 0.5).toFixed(1),
          width: Math.max(0.5, wide - 1),
          y: (y - high / 2).toFixed(1),
          height: high.toFixed(1),
          fill: hue(distance),
          "fill-opacity": (0.1 + tint(distance) * shade(distance, n)).toFixed(2),
        }),
      );
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
    const unit = (floor - tableTop - (isPhone ? 44 : 70)) / 2;
    const word = Math.round(s.key);
    put(ground, { d: `M${pileX - 3},${floor}h${pile * CELLS + 4}` });
    put(link, {
      d: `M${x + w},${y}H${pileX - (isPhone ? 12 : 32)}V${floor - unit}h${isPhone ? 6 : 22}`,
    });
    piles.forEach(({ key: lower, row: upper }, n) => {
      const [own, more] = [shade(word + 3.1, n) * unit, shade(chosen, n) * unit];
      const box = { x: pileX + n * pile, width: pile - 2 };
      put(lower, { ...box, y: floor - own, height: own });
      put(upper, { ...box, y: floor - own - more, height: more - 1 });
      put(upper, { fill: hue(chosen), "fill-opacity": 0.2 + tint(chosen) });
    });
    const texts = ["q", " · (", "k", ` + ${say("row_at")})`];
    parts.forEach((part, n) => put(part, { text: texts[n] }));
    put(score, { x: pileX, y: floor + (isPhone ? 14 : 24), class: isPhone ? "t12" : "" });
  };
}

/** @param {number} value @param {(value: number, digits?: number) => string} number */
export const signed = (value, number) => (value > 0 ? "+" : "") + number(value, 2);
