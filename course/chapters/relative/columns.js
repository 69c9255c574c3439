// What belongs to each distance, under its place on the ruler: a computed row, or one learned number.

import { sinusoid } from "../../page/formulas/distances.js";
import data from "./data.js";
import { mix, xy } from "../../page/shapes.js";
import { CELLS, WORDS, placeX } from "./room.js";
import { reading, signed } from "./table.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const WIDTH = 16; // numbers of a computed row, of which half are drawn
const CURVE = 120; // points of a wave
const NAMED = 40; // pixels of a column in which its number fits
const [LOW, HIGH] = [-1, 1.75]; // learned numbers, with room for what is written at them

/** The fastest sines and cosines of a row. @param {number} back */
const drawnOf = (back) => sinusoid(back, WIDTH).filter((_, n) => n % (WIDTH / 2) < CELLS / 2);

/** @param {Stage} stage */
export function buildColumns({ make, put, show, group, say, number }) {
  const table = group("table");
  const title = make("text", { "text-anchor": "end" }, table);
  const names = Array.from({ length: CELLS }, (_, n) =>
    make(
      "text",
      { class: "t12 soft", "text-anchor": "end", "dominant-baseline": "central" },
      table,
      n < CELLS / 2 ? "sin" : "cos",
    ),
  );
  const zero = make("path", { stroke: "var(--line)", fill: "none" }, table);
  const curves = [1, 0.35].map((opacity) =>
    make(
      "path",
      { stroke: "var(--ink)", "stroke-opacity": opacity, "stroke-width": 1.5, fill: "none" },
      table,
    ),
  );
  const columns = Array.from({ length: WORDS }, (_, n) => {
    const back = WORDS - 1 - n;
    const whole = make("g", {}, table);
    return {
      back,
      row: drawnOf(back),
      whole,
      waves: Array.from({ length: CELLS }, () => make("rect", { fill: "var(--ink)" }, whole)),
      bar: make("rect", { fill: "var(--ink)" }, whole),
      value: make("text", { class: "t12" }, whole),
    };
  });
  const fetched = make(
    "path",
    { fill: "none", stroke: "var(--k)", "stroke-width": 2.5 },
    group("k table"),
  );
  const line = make("text", { style: "font-weight:600" }, group("table k q"));
  const parts = ["q", "", "k", ""].map((css) => make("tspan", { class: css }, line));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const there = Math.max(s.waves, s.number) * (1 - s.page);
    show(table, there);
    show(fetched, there);
    show(line, s.number * (1 - s.page));
    if (there < 0.02) return;
    const { isPhone, cell, field, left, ruler, band } = room;
    const chosen = -reading(s);
    const lane = field.h / CELLS;
    const up = (/** @type {number} */ value) => field.y + (field.h * (HIGH - value)) / (HIGH - LOW);
    const wide = cell * mix(0.7, 0.4, s.waves);
    const begin = placeX(room, Math.max(-0.5, s.i - s.k - 0.5));
    const end = placeX(room, s.i + 0.5);
    const levels = Array.from({ length: CELLS }, (_, n) => field.y + lane * (n + 0.5));
    const all = s.number > 0.5 ? [up(0)] : levels;
    names.forEach((name, n) => {
      put(name, { x: begin - 7, y: levels[n] });
      show(name, begin > 30 ? s.waves : 0);
    });
    put(zero, { d: all.map((y) => `M${begin},${y}H${end}`).join("") });
    // The waves from which rows are cut go on beyond the ruler's end.
    const wave = (/** @type {number} */ from, /** @type {number} */ to) => {
      const points = Array.from({ length: CURVE + 1 }, (_, n) => mix(from, to, n / CURVE));
      const rows = points.map((x) => drawnOf((end - x) / cell - 0.5));
      return levels
        .map((y, n) => points.map((x, i) => xy([x, y - lane * 0.45 * rows[i][n]])).join("L"))
        .map((line) => `M${line}`)
        .join("");
    };
    const free = begin - (isPhone ? 30 : 40); // up to the names
    put(curves[0], { d: wave(begin, end - cell / 2) });
    put(curves[1], { d: free > left ? wave(left, free) : "" });
    for (const curve of curves) show(curve, s.waves);
    columns.forEach(({ back, row, whole, waves, bar, value }) => {
      const x = placeX(room, s.i - back);
      const isThere = x > left && back < s.k + 0.5;
      show(whole, isThere ? 1 : 0);
      if (!isThere) return;
      const isChosen = back === chosen;
      waves.forEach((one, n) => {
        const high = (lane * 0.9 * Math.abs(row[n])) / 2;
        put(one, {
          x: (x - wide / 2).toFixed(1),
          width: wide.toFixed(1),
          y: (levels[n] - (row[n] > 0 ? high : 0)).toFixed(1),
          height: high.toFixed(1),
          "fill-opacity": isChosen ? 0.9 : 0.5,
          opacity: s.waves.toFixed(2),
        });
      });
      const its = data.numbers[back];
      const [from, to] = [up(0), up(mix(0, its, s.bars))];
      put(bar, {
        x: (x - wide / 2).toFixed(1),
        width: wide.toFixed(1),
        y: Math.min(from, to).toFixed(1),
        height: Math.abs(to - from).toFixed(1),
        "fill-opacity": isChosen ? 0.9 : 0.5,
        opacity: s.number.toFixed(2),
      });
      // Beyond its bar, or where that is too narrow upright on the other side of the line.
      const isUpright = cell <= NAMED;
      const [textX, textY] = isUpright
        ? [x + 4, from + (its > 0 ? 4 : -4)]
        : [x, to + (its > 0 ? -8 : 17)];
      put(value, {
        x: textX,
        y: textY,
        transform: isUpright ? `rotate(-90 ${textX} ${textY})` : undefined,
        "text-anchor": isUpright ? (its > 0 ? "end" : "start") : "middle",
        text: signed(its, number),
        style: isChosen ? "font-weight:700" : undefined,
      });
      show(value, s.bars > 0.9 ? 1 : 0);
    });
    const x = placeX(room, Math.max(s.key, s.i - s.k)) - cell / 2; // the end’s, for what lies beyond
    const top = ruler - band / 2;
    put(fetched, { d: `M${x},${top}h${cell}V${field.y + field.h}h${-cell}Z` });
    const size = isPhone ? "_short" : "";
    const foot = room.height - (isPhone ? 8 : 24);
    put(title, {
      x: room.width - (isPhone ? 8 : 28),
      y: foot,
      text: say(`${s.number > 0.5 ? "table_numbers" : "table_waves"}${size}`),
      class: isPhone ? "t12 soft" : "t14 soft",
    });
    const added = s.bars > 0.5 ? ` ${spaced(data.numbers[chosen], number)}` : " + b";
    const texts = ["q", " · ", "k", added];
    parts.forEach((part, n) => put(part, { text: texts[n] }));
    put(line, { x: left, y: foot, class: isPhone ? "t14" : "" });
  };
}

/** A number that is added in a formula. @param {number} value @param {(value: number, digits?: number) => string} number */
const spaced = (value, number) => `${value > 0 ? "+" : "−"} ${number(Math.abs(value), 2)}`;
