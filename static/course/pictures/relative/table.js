// The table under the ruler: a vector for each label, and a second one for what is handed on.

import { clipped } from "../../distances.js";
import { clamp, mix } from "../../shapes.js";
import { CELLS, LIMIT, hue, placeX, tableY, tint } from "./room.js";

/** @typedef {import("../../types").Stage} Stage */
/** @typedef {import("../../types").State} State */
/** @typedef {import("./room.js").Room} Room */

const DIGITS = "₀₁₂₃₄₅₆₇₈₉";
const PART = 0.46; // of the width that each of two tables has

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
  const heads = [0, 1].map(() => make("text", { class: "t14 soft" }, table));
  const rows = Array.from({ length: 2 * LIMIT + 1 }, (_, n) => {
    const whole = make("g", {}, table);
    const cells = () => Array.from({ length: CELLS }, () => make("rect", { rx: 2 }, whole));
    return {
      distance: n - LIMIT,
      whole,
      names: [0, 1].map(() =>
        make("text", { "text-anchor": "end", "dominant-baseline": "central", class: "t14" }, whole),
      ),
      parts: [cells(), cells()],
    };
  });
  const fetched = make(
    "path",
    { fill: "none", stroke: "var(--k)", "stroke-width": 2.5 },
    group("k table"),
  );
  const sums = [0, 1].map(() => {
    const line = make(
      "text",
      { "dominant-baseline": "central", style: "font-weight:600" },
      group("table k q shares"),
    );
    return { line, parts: ["q", "", "k", ""].map((css) => make("tspan", { class: css }, line)) };
  });
  const summed = make("text", { class: "t14 soft" }, group("table shares"));
  // Number by number, the row on the key.
  const added = group("table k");
  const ground = make("path", { fill: "none", stroke: "var(--soft)" }, added);
  const rise = make("g", {}, added);
  const link = make("path", { fill: "none", stroke: "var(--soft)" }, rise);
  const piles = Array.from({ length: CELLS }, () => ({
    key: make("rect", { fill: "var(--k-fill)" }, added),
    row: make("rect", {}, rise),
  }));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone, tableX: x, tableW: w, tableRow: h, tableTop, ruler, band, top } = room;
    const there = clamp(s.table * 2 - 1, 0, 1) * (1 - s.page) * (1 - Math.max(s.waves, s.number));
    for (const node of [table, fetched]) show(node, there);
    const isFetching = s.add > 0.5;
    show(sums[0].line, there);
    show(sums[1].line, there * s.twin);
    show(summed, there * s.twin);
    show(added, there * (1 - s.twin));
    show(rise, isFetching ? 1 : 0);
    if (there < 0.02) return;
    const chosen = reading(s);
    const second = x + w * (1 - PART);
    const widths = [mix(w, w * PART, s.twin) / CELLS, (w * PART) / CELLS];
    const high = Math.max(1, h - (h > 16 ? 4 : 2));
    rows.forEach(({ distance, whole, names, parts }) => {
      const isChosen = distance === chosen;
      show(whole, isFetching && !isChosen ? 0.7 : 1);
      const y = tableY(room, s, distance);
      names.forEach((name, part) => {
        put(name, {
          x: (part ? second : x) - 8,
          y: y + 1,
          text: isFetching ? `${"ac"[part]}${subscript(distance + LIMIT)}` : number(distance),
          style: isChosen ? "font-weight:700" : undefined,
        });
        show(name, part ? s.twin : 1);
      });
      parts.forEach((cells, part) =>
        cells.forEach((cell, n) => {
          put(cell, {
            x: ((part ? second : x) + n * widths[part] + 0.5).toFixed(1),
            width: Math.max(0.5, widths[part] - 1),
            y: (y - high / 2).toFixed(1),
            height: high.toFixed(1),
            fill: hue(distance),
            "fill-opacity": (0.1 + tint(distance) * shade(distance, n + CELLS * part)).toFixed(2),
          });
          show(cell, part ? s.twin : 1);
        }),
      );
    });
    // From the ruler, past the names, to the row that is fetched.
    const y = tableY(room, s, chosen);
    const box = (/** @type {number} */ from, /** @type {number} */ wide) =>
      `M${from},${y - h / 2 + 1}h${wide}v${h - 2}h${-wide}Z`;
    const key = placeX(room, s.key);
    const under = ruler + band / 2 + (top - ruler - band / 2) / 2;
    const aside = x - (isPhone ? 34 : 46);
    const cell = `M${key - room.cell / 2},${ruler - band / 2}h${room.cell}v${band}h${-room.cell}Z`;
    const down = `M${key},${ruler + band / 2}V${under}H${aside}V${y}h${isPhone ? 4 : 10}`;
    const on = `M${x + widths[0] * CELLS},${y}H${second - (isPhone ? 26 : 34)}`; // to the row of the values
    put(fetched, {
      d: `${cell}${isFetching ? down + box(x, widths[0] * CELLS) + (s.twin > 0.5 ? on + box(second, widths[1] * CELLS) : "") : ""}`,
    });
    const title = s.twin > 0.5 ? "table_keys" : "table_learned";
    const size = isPhone ? "_short" : "";
    [say(`${title}${size}`), say(`table_values${size}`)].forEach((text, part) => {
      put(heads[part], { x: part ? second : x, y: tableTop - (isPhone ? 5 : 12), text });
      put(heads[part], { class: isPhone ? "t12 soft" : "t14 soft" });
      show(heads[part], part ? s.twin : 1);
    });
    const row = subscript(chosen + LIMIT);
    const texts = [
      isFetching ? ["q", " · (", "k", ` + a${row})`] : ["", "", "k", ""],
      ["", `${say("share")} × (v + c${row})`, "", ""],
    ];
    const foot = tableTop + h * rows.length + (isPhone ? 10 : 24);
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
    sums.forEach(({ line, parts }, n) => {
      const isBeside = n === 0 && s.twin < 0.5;
      put(line, {
        x: isBeside ? pileX : n ? second : x,
        y: isBeside ? floor + (isPhone ? 14 : 24) : foot,
        class: isPhone ? "t14" : "",
      });
      parts.forEach((part, p) => put(part, { text: texts[n][p] }));
    });
    put(summed, {
      x: second,
      y: foot + (isPhone ? 20 : 30),
      text: say("summed"),
      class: isPhone ? "t12 soft" : "t14 soft",
    });
  };
}

/** @param {number} value @param {(value: number, digits?: number) => string} number */
export const signed = (value, number) => (value > 0 ? "+" : "") + number(value, 2);
