// RoPE: the two numbers of an arrow, the score, and what the wedge is made of.

import { START } from "../../page/by_hand.js";
import { clamp, round, xy } from "../../page/shapes.js";
import { placeX } from "./room.js";
import { PAIRS, hundredths, score, written } from "./head.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {Stage} stage */
export function buildBars({ make, put, show, group, say, number }) {
  const bars = group("bars");
  const axes = make("path", { stroke: "var(--line)", fill: "none" }, bars);
  const barX = make("line", { stroke: "var(--q)", "stroke-width": 12 }, bars);
  const barY = make("line", { stroke: "var(--q)", "stroke-width": 12 }, bars);
  const drops = make("path", { stroke: "var(--q)", "stroke-dasharray": "2 4", fill: "none" }, bars);
  const values = [0, 1].map(() => make("text", { class: "q" }, bars));
  const names = ["first", "second"].map((name) =>
    make("text", { class: "t14 soft" }, bars, say(name)),
  );

  return (/** @type {State} */ s, /** @type {Room} */ { dial: c, isPhone }) => {
    const query = START + s.m + s.bend;
    const [x, y] = round(c, c.r, query);
    const left = c.x - c.r - (isPhone ? 34 : 56);
    const foot = c.y + c.r + (isPhone ? 38 : 46);
    put(barX, { x1: c.x, y1: foot, x2: x.toFixed(1), y2: foot });
    put(barY, { x1: left, y1: c.y, x2: left, y2: y.toFixed(1) });
    put(axes, {
      d: `M${c.x - c.r},${foot}h${2 * c.r}M${c.x},${foot - 10}v20M${left},${c.y - c.r}v${2 * c.r}M${left - 10},${c.y}h20M${c.x - c.r},${c.y}h${2 * c.r}M${c.x},${c.y - c.r}v${2 * c.r}`,
    });
    put(drops, { d: `M${xy([x, y])}V${foot}M${xy([x, y])}H${left}` });
    put(values[0], { x: c.x + c.r + 12, y: foot + 5, text: number(Math.cos(query), 2) });
    put(values[1], {
      x: left,
      y: c.y - c.r - 10,
      "text-anchor": "middle",
      text: number(Math.sin(query), 2),
    });
    const beside = isPhone ? { x: c.x - c.r - 8, "text-anchor": "end" } : { x: c.x + c.r + 62 };
    put(names[0], { ...beside, y: foot + 5 });
    put(names[1], { x: left, y: c.y + c.r + 20, "text-anchor": "middle" });
    show(bars, s.bars);
  };
}

// ------------------------------------------------------------------ the score, and what the wedge is made of

/** @param {Stage} stage */
export function buildPanel({ make, put, show, group, say, number }) {
  const panel = group("shadow dials");
  const value = make("text", { class: "big" }, panel);
  const under = make("text", { class: "t12 soft" }, panel);
  const scale = make("g", {}, panel);
  const ruler = make("path", { stroke: "var(--line)", fill: "none", "stroke-width": 2 }, scale);
  const bar = make("line", { stroke: "var(--ink)", "stroke-width": 10 }, scale);
  const ends = [-1, 0, 1].map((end) =>
    make("text", { class: "t12 soft", "text-anchor": "middle" }, scale, number(end)),
  );
  const sum = make("text", {}, group("content arc"));
  const parts = ["content", "soft", ""].map((css) => make("tspan", { class: css }, sum));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone, isTight, panel: at } = room;
    const hasRuler = !isTight || Math.max(s.curve, s.trail, s.row) < 0.5;
    const one = clamp(2 - s.view, 0, 1) * clamp(s.view * 2 - 1, 0, 1);
    const all = clamp(s.view * 2 - 3, 0, 1);
    // Beside the dials their sum; on a phone, where the key leaves room.
    const isLeft = isPhone && placeX(room, s.n) > room.width / 2;
    const beside = isPhone ? { x: isLeft ? 12 : room.width - 12, y: room.rail + 46 } : room.sum;
    const { x, y } = one ? at : beside;
    const rulerY = y + (isPhone ? 20 : 30);
    const middle = x + at.w / 2;
    const now = score(s);
    // What is written adds up.
    const drawn = Array.from({ length: PAIRS }, (_, i) => hundredths(i, s));
    const total = drawn.slice(0, Math.round(s.dials)).reduce((a, b) => a + b, 0);
    const signed = (/** @type {number} */ hundred) => number(hundred / 100, 2);
    const side = one || isLeft ? "start" : "end";
    for (const text of [value, under]) put(text, { x, "text-anchor": side });
    put(value, { y, class: isPhone && !one ? "" : "big" });
    put(value, {
      text: one ? say("score") : isPhone ? say("sum", { sum: signed(total) }) : signed(total),
    });
    const isAlone = 1 - s.row; // the score of one key
    show(value, one * isAlone + all);
    // A phone says there once what the numbers beside its dials are.
    const { x: dialsX, y: dialsY, h } = room.sweep;
    if (isPhone) put(under, { x: dialsX + 8, y: dialsY + h - 9, "text-anchor": "start" });
    else put(under, { y: y + 22 });
    put(under, { text: say(isPhone ? "turn_unit" : "score_of") });
    show(under, isTight ? 0 : all);
    put(ruler, {
      d: `M${x},${rulerY}h${at.w}M${middle},${rulerY - 8}v16M${x},${rulerY - 5}v10M${x + at.w},${rulerY - 5}v10`,
    });
    put(bar, { x1: middle, x2: middle + (clamp(now, -1, 1) * at.w) / 2, y1: rulerY, y2: rulerY });
    ends.forEach((end, i) => put(end, { x: x + (i * at.w) / 2, y: rulerY + 23 }));
    show(scale, hasRuler ? one * isAlone : 0);
    const isBent = s.split > 0.5;
    const values = Object.fromEntries(
      Object.entries(written(s)).map(([part, angle]) => [part, `${number(angle)}°`]),
    );
    const size = isPhone ? "_short" : "";
    put(parts[0], { text: isBent ? say(`sum_content${size}`, values) : "" });
    put(parts[1], { text: isBent ? say(`sum_distance${size}`, values) : say(`wedge_is${size}`) });
    put(parts[2], { text: isBent ? ` = ${values.wedge}` : values.distance });
    const isSplit = isPhone && isBent; // into two lines
    put(parts[1], { x: isSplit ? x : undefined, dy: isSplit ? 16 : undefined });
    put(sum, { x, y: rulerY + (isPhone ? (hasRuler ? 46 : 2) : 58) });
    show(sum, one * isAlone);
  };
}
