// RoPE: a row of three words, from scores to shares of attention.

import { softmax } from "../../rotation.js";
import { ROW, WORDS, row } from "./head.js";
import { placeX } from "./room.js";

/** @typedef {import("../../types").Stage} Stage */
/** @typedef {import("../../types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {Stage} stage */
export function buildRow({ make, put, show, group, say, number }) {
  const table = group("row");
  const heads = ["row_score", "row_scaled", "row_power", "row_share"].map((name) =>
    make("text", { class: "t14 soft", "text-anchor": "end" }, table, say(name)),
  );
  const rows = WORDS.map((name) => ({
    word: make("text", { class: "k", style: "font-weight:600" }, table, say(`${name}_word`)),
    cells: heads.map(() => make("text", { "text-anchor": "end" }, table)),
    bar: make("rect", { fill: "var(--attention)", height: 14, rx: 3 }, table),
  }));
  const keys = group("k");
  const others = [0, 2].map((i) => {
    const chip = make("g", {}, keys);
    make(
      "rect",
      { x: -24, width: 48, height: 26, rx: 7, fill: "var(--k-fill)", opacity: 0.75 },
      chip,
    );
    make("text", { y: 18, "text-anchor": "middle", class: "t14", style: "fill:#fff" }, chip, say(`${WORDS[i]}_word`)); // prettier-ignore
    return { chip, back: ROW[i] };
  });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    show(table, s.row);
    show(keys, room.isPhone ? 0 : s.row);
    if (s.row < 0.02) return;
    const { plot: p, isPhone, isTight } = room;
    const scaled = row(s);
    const shares = softmax(scaled);
    const x = room.panel.x;
    const free = room.width - x - 64; // beside the bars
    const wide =
      free > 350 ? [120, 200, 280, 350] : [0.34, 0.58, 0.8, 1].map((part) => part * free);
    const columns = isPhone ? [78, 0, 0, 122] : wide;
    const top = isPhone ? p.y - 6 : p.y + 8;
    const step = isPhone ? (isTight ? 22 : 26) : 40;
    heads.forEach((text, i) => {
      put(text, { x: x + columns[i], y: top });
      show(text, columns[i] ? 1 : 0);
    });
    rows.forEach(({ word, cells, bar }, i) => {
      const y = top + (i + 1) * step;
      put(word, { x, y });
      const values = [
        number(scaled[i] * Math.SQRT2, 2),
        number(scaled[i], 2),
        number(Math.exp(scaled[i]), 2),
        `${number(100 * shares[i])} %`,
      ];
      cells.forEach((cell, j) => {
        put(cell, { x: x + columns[j], y, text: values[j] });
        show(cell, columns[j] ? 1 : 0);
      });
      const from = x + columns[3] + 14;
      const widest = Math.max(20, room.width - from - 20);
      put(bar, { x: from, y: y - 12, width: Math.min(widest, 160) * shares[i] });
    });
    others.forEach(({ chip, back }) => {
      put(chip, {
        transform: `translate(${placeX(room, s.m - back).toFixed(1)} ${room.rail + 26})`,
      });
    });
  };
}
