// RoPE: a row of three words, from scores to shares of attention.

import { START } from "../../page/by_hand.js";
import { softmax } from "../../page/formulas/rotation.js";
import { arrow, clamp, round } from "../../page/shapes.js";
import { EDGE, KEY, shadowOn } from "./dial.js";
import { ROW, WORDS, row } from "./head.js";
import { placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
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
  const sums = heads.map(() => make("text", { class: "soft", "text-anchor": "end" }, table));
  const rule = make("path", { stroke: "var(--line)" }, table);
  const shadows = group("shadow");
  const keys = group("k");
  const others = [0, 2].map((i) => {
    const chip = make("g", {}, keys);
    make(
      "rect",
      { x: -24, width: 48, height: 26, rx: 7, fill: "var(--k-fill)", opacity: 0.75 },
      chip,
    );
    make(
      "text",
      { y: 18, "text-anchor": "middle", class: "t14", style: "fill:#fff" },
      chip,
      say(`${WORDS[i]}_word`),
    );
    const hand = make(
      "path",
      {
        stroke: "var(--k)",
        fill: "var(--k)",
        "stroke-width": KEY,
        "stroke-linejoin": "round",
      },
      keys,
    );
    const name = make(
      "text",
      { class: "k t14", "text-anchor": "middle", "dominant-baseline": "central" },
      keys,
      say(`${WORDS[i]}_word`),
    );
    const shadow = make("line", { stroke: "var(--ink)" }, shadows);
    return { chip, hand, name, shadow, back: ROW[i] };
  });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    show(table, s.row);
    show(keys, s.row);
    show(shadows, s.row);
    if (s.row < 0.02) return;
    const { isPhone, isTight, dial } = room;
    const scaled = row(s);
    const shares = softmax(scaled);
    const powers = scaled.map((one) => Math.round(1000 * Math.exp(one)));
    const x = room.panel.x;
    const free = room.width - x - 64; // beside the bars
    const wide = [0.34, 0.58, 0.8, 1].map((part) => part * Math.min(350, free));
    const isNarrow = free < 250;
    const columns = isNarrow ? [0.34, 0.54, 0.76, 1].map((part) => part * (free + 52)) : wide;
    const step = isPhone ? (isTight ? 22 : 28) : 40;
    const top = dial.y - 2 * step;
    heads.forEach((text, i) => {
      put(text, { x: x + columns[i], y: top, class: isPhone ? "t12 soft" : "t14 soft" });
    });
    const size = isPhone ? "t12" : "";
    rows.forEach(({ word, cells, bar }, i) => {
      const y = top + (i + 1) * step;
      put(word, { x, y, class: `k ${size}` });
      const values = [
        number(scaled[i] * Math.SQRT2, 2),
        number(scaled[i], 2),
        number(powers[i] / 1000, 3),
        `${number(100 * shares[i], 1)} %`,
      ];
      cells.forEach((cell, j) => put(cell, { x: x + columns[j], y, text: values[j], class: size }));
      const from = x + columns[3] + 14;
      const widest = Math.max(20, room.width - from - 20);
      put(bar, { x: from, y: y - 12, width: Math.min(widest, 160) * shares[i] });
      show(bar, isNarrow ? 0 : 1);
    });
    const foot = top + 4 * step;
    const all = powers.reduce((a, b) => a + b, 0) / 1000; // of what is written
    const totals = ["", say("row_sum"), number(all, 3), ""];
    sums.forEach((text, j) =>
      put(text, { x: x + columns[j], y: foot, text: totals[j], class: `soft ${size}` }),
    );
    put(rule, { d: `M${x + columns[1]},${foot - step * 0.6}H${x + columns[2]}` });
    others.forEach(({ chip, hand, name, shadow, back }) => {
      put(chip, {
        transform: `translate(${placeX(room, s.m - back).toFixed(1)} ${room.rail + 26})`,
      });
      show(chip, room.gap < 50 ? 0 : 1);
      const angle = START + s.m - back;
      put(hand, { d: arrow(dial, angle, isPhone ? 9 : 14) });
      put(shadow, shadowOn(dial, angle, START + s.m + s.bend));
      const [nameX, nameY] = round(dial, dial.r + 26, angle);
      const most = isPhone ? x - 28 : room.width; // the table begins there
      const isOut = nameX < EDGE || nameX > most; // then it stands beside its arrow
      put(name, {
        x: clamp(nameX, EDGE, most).toFixed(1),
        y: (nameY + (isOut ? (nameY < dial.y ? -15 : 15) : 0)).toFixed(1),
      });
    });
  };
}
