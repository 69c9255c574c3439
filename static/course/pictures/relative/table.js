// The table beside the rows: a vector for each label, two of them, computed ones, or one number.

import { clipped, sinusoid } from "../../distances.js";
import data from "../../data/relative.js";
import { clamp, mix } from "../../shapes.js";
import { CELLS, WORDS, hue, tableY, tint } from "./room.js";

/** @typedef {import("../../types").Stage} Stage */
/** @typedef {import("../../types").State} State */
/** @typedef {import("./room.js").Room} Room */

const WIDTH = 16; // numbers of a computed row, of which half are drawn
const TWO_NAMED = 140; // pixels: the names of two tables fit beside each other
const DIGITS = "₀₁₂₃₄₅₆₇₈₉";
const TALLEST = Math.max(...data.numbers);

/** @param {number} number */
export const subscript = (number) =>
  [...String(number)].map((digit) => DIGITS[Number(digit)]).join("");

/** The distance from the query to the key, as the ruler reads it. @param {State} s */
export const reading = (s) => clipped(Math.round(s.i), Math.round(s.key), Math.round(s.k));

/** The fastest sines and cosines of a row. @param {number} distance */
const drawnOf = (distance) =>
  sinusoid(distance, WIDTH).filter((_, n) => n % (WIDTH / 2) < CELLS / 2);

/** @param {Stage} stage */
export function buildTable({ make, put, show, group, say, number }) {
  const table = group("table");
  const heads = ["start", "end"].map((side) => make("text", { class: "t14 soft", "text-anchor": side }, table)); // prettier-ignore
  const zero = make("line", { stroke: "var(--line)" }, table);
  const rows = Array.from({ length: 2 * WORDS - 1 }, (_, n) => {
    const distance = n - WORDS + 1;
    const whole = make("g", {}, table);
    const cells = () => Array.from({ length: CELLS }, () => make("rect", { rx: 2 }, whole));
    return {
      distance,
      waves: drawnOf(-distance),
      whole,
      name: make(
        "text",
        { "text-anchor": "end", "dominant-baseline": "central", class: "t14" },
        whole,
      ),
      keys: cells(),
      values: cells(),
      bar: make("rect", { fill: "var(--ink)" }, whole),
    };
  });
  const fetched = make(
    "path",
    { fill: "none", stroke: "var(--k)", "stroke-width": 2.5 },
    group("k table"),
  );
  const value = make(
    "text",
    { "dominant-baseline": "central", class: "t14 halo" },
    group("k table"),
  );
  const sums = [0, 1].map(() => {
    const line = make("text", { style: "font-weight:600" }, group("table k q"));
    return { line, parts: ["q", "", "k", ""].map((css) => make("tspan", { class: css }, line)) };
  });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone, tableX: x, tableW: w, tableRow: h, tableTop } = room;
    const there = clamp(s.table * 2 - 1, 0, 1) * (1 - s.page);
    show(table, there);
    for (const { line } of sums) show(line, 0);
    for (const node of [fetched, value]) show(node, 0);
    if (there < 0.02) return;
    const chosen = reading(s);
    const isFetching = s.add > 0.5 || s.waves > 0.5 || s.bars > 0.5;
    const half = mix(w, w * 0.46, s.twin);
    const widths = { keys: half / CELLS, values: (w * 0.46) / CELLS };
    const low = -0.9; // the lowest number and some room
    const numberX = (/** @type {number} */ to) => x + (w * (to - low)) / (TALLEST - low);
    rows.forEach(({ distance, waves, whole, name, keys, values, bar }) => {
      const presence = clamp(s.k - Math.abs(distance) + 1, 0, 1) * (distance > 0 ? 1 - s.mask : 1);
      const isChosen = isFetching && distance === chosen;
      show(whole, presence * (isFetching && !isChosen ? 0.7 : 1));
      if (presence < 0.02) return;
      const y = tableY(room, s, distance);
      const high = Math.max(1, h - (h > 16 ? 4 : 2));
      const isNamed =
        h >= 13 || isChosen || (distance % 5 === 0 && Math.abs(distance - chosen) * h >= 14);
      put(name, {
        x: x - 8,
        y: y + 1,
        text: isNamed ? nameOf(s, distance, number) : "",
        style: isChosen ? "font-weight:700" : undefined,
      });
      // A learned number is a tint; a sine is a bar, up or down, as in the chapter of sines.
      const paint = (/** @type {number} */ n) => ({
        y: (y - mix(high, high * Math.max(0, waves[n]), s.waves) / 2).toFixed(1),
        height: mix(high, (high * Math.abs(waves[n])) / 2, s.waves).toFixed(1),
        fill: s.waves > 0.5 ? "var(--ink)" : hue(distance),
        "fill-opacity": mix(tint(distance), 0.75, s.waves).toFixed(2),
      });
      keys.forEach((cell, n) => {
        put(cell, { x: (x + n * widths.keys + 0.5).toFixed(1), width: Math.max(0.5, widths.keys - 1), ...paint(n) }); // prettier-ignore
        put(cell, { opacity: (1 - s.number).toFixed(2) });
      });
      values.forEach((cell, n) => {
        put(cell, { x: (x + w * 0.54 + n * widths.values + 0.5).toFixed(1), width: Math.max(0.5, widths.values - 1), ...paint(n) }); // prettier-ignore
        put(cell, { opacity: s.twin.toFixed(2) });
      });
      const its = data.numbers[Math.max(0, -distance)];
      const [from, to] = [numberX(0), numberX(its * s.bars)];
      put(bar, {
        x: Math.min(from, to).toFixed(1),
        width: Math.abs(to - from).toFixed(1),
        y: (y - high / 2).toFixed(1),
        height: high.toFixed(1),
        "fill-opacity": isChosen ? 0.9 : 0.5,
        opacity: s.number.toFixed(2),
      });
    });
    const bottom = tableTop + h * mix(2 * s.k + 1, s.k + 1, s.mask);
    put(zero, { x1: numberX(0), x2: numberX(0), y1: tableTop, y2: bottom });
    show(zero, s.number);
    const y = tableY(room, s, chosen);
    const box = (/** @type {number} */ from, /** @type {number} */ wide) =>
      `M${from},${y - h / 2 + 1}h${wide}v${h - 2}h${-wide}Z`;
    put(fetched, {
      d: box(x, mix(half, w, s.number)) + (s.twin > 0.5 ? box(x + w * 0.54, w * 0.46) : ""),
    });
    show(fetched, isFetching ? there : 0);
    const its = data.numbers[Math.max(0, -chosen)];
    put(value, { x: numberX(Math.max(0, its)) + 6, y: y + 1, text: signed(its, number) });
    if (its > 1) put(value, { x: numberX(0) - 6, "text-anchor": "end" });
    else put(value, { "text-anchor": "start" });
    show(value, s.bars > 0.9 ? there : 0);
    const title = s.number > 0.5 ? "table_numbers" : s.waves > 0.5 ? "table_waves" : s.twin > 0.5 ? "table_keys" : "table_learned"; // prettier-ignore
    const isShort = isPhone || (s.twin > 0.5 && w < TWO_NAMED);
    put(heads[0], {
      x,
      y: tableTop - (isPhone ? 4 : 10),
      text: say(isShort ? `${title}_short` : title),
    });
    for (const head of heads) put(head, { class: isPhone ? "t12 soft" : "t14 soft" });
    put(heads[1], { x: x + w, y: tableTop - (isPhone ? 4 : 10), text: say(isShort ? "table_values_short" : "table_values") }); // prettier-ignore
    show(heads[1], s.twin);
    const row = nameOf(s, chosen, number);
    const texts = s.number > 0.5
      ? [["q", " · ", "k", ` ${signed(its, number)}`]]
      : s.waves > 0.5
        ? [["q", " · (", "k", ` + W r${subscript(-chosen)})`]]
        : [["q", " · (", "k", ` + ${row})`], ["", isPhone ? "" : say("handed_on"), "", ` v + c${subscript(chosen + Math.round(s.k))}`]]; // prettier-ignore
    const gap = isPhone ? 19 : 30;
    sums.forEach(({ line, parts }, n) => {
      const isThere = n < texts.length && (n === 0 ? isFetching && (s.bars > 0.5 || s.number < 0.5) : s.twin > 0.5); // prettier-ignore
      show(line, isThere ? there : 0);
      if (!isThere) return;
      put(line, { x: x - (isPhone ? 22 : 0), y: bottom + gap * (n + 1) - (isPhone ? 2 : 0) });
      put(line, { class: isPhone ? "t14" : "" });
      parts.forEach((part, p) => put(part, { text: texts[n][p] }));
    });
  };
}

/** @param {number} value @param {(value: number, digits?: number) => string} number */
export const signed = (value, number) =>
  (value > 0 ? "+ " : "") + number(value, 2).replace("−", "− ");

/** @param {State} s @param {number} distance @param {(value: number, digits?: number) => string} number */
const nameOf = (s, distance, number) =>
  s.add > 0.5 ? `a${subscript(distance + Math.round(s.k))}` : number(distance);
