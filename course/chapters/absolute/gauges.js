// Each number of a row between the least and the most that training had of it; what leaves is new.

import { clamp } from "../../page/shapes.js";
import { at, range, row, unseen } from "./model.js";
import { WIDTH, after } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {Stage} stage */
export function buildGauges({ make, put, show, group, say }) {
  const scene = make("g");
  const tracks = group("gauge", scene);
  const dots = group("row new", scene);
  const gauges = Array.from({ length: WIDTH }, () => ({
    track: make("rect", { fill: "var(--line)", rx: 3 }, tracks),
    stem: make("line", { stroke: "var(--new)", "stroke-width": 3 }, dots),
    dot: make("circle", {}, dots),
  }));
  const name = make("text", { class: "t14", "text-anchor": "end", style: "font-weight:600" }, dots);
  const news = make("text", { class: "t14", "text-anchor": "end" }, dots);
  const ends = ["fast", "slow"].map((end, i) =>
    make("text", { class: "t12 soft", "text-anchor": i ? "end" : "start" }, tracks, say(end)),
  );

  return (/** @type {State} */ s, /** @type {Room} */ { top, width, isPhone }) => {
    const presence = after(s.bits);
    show(scene, presence);
    if (presence < 0.02) return;
    const left = isPhone ? 14 : 120;
    const w = (width - left - (isPhone ? 14 : 50)) / WIDTH;
    // Of the room above: what training had, and how far outside of that a number is drawn.
    const [high, most] = isPhone ? [top * 0.3, 0.4] : [top * 0.36, 0.65];
    const middle = top * (isPhone ? 0.52 : 0.47);
    const areNew = unseen(s);
    const values = row(s.p);
    gauges.forEach(({ track, stem, dot }, i) => {
      const x = left + w * (i + 0.5);
      const [low, up] = range(i);
      const part = clamp((values[i] - low) / (up - low), -most, 1 + most);
      const y = middle + high * (0.5 - part);
      const edge = middle + high * (0.5 - clamp(part, 0, 1));
      const r = Math.min(6, w * 0.24);
      put(track, { x: x - w * 0.3, y: middle - high / 2, width: w * 0.6, height: high });
      put(stem, { x1: x, x2: x, y1: edge.toFixed(1), y2: y.toFixed(1) });
      show(stem, areNew[i] ? 1 : 0);
      put(dot, { cx: x, cy: y.toFixed(1), r, fill: areNew[i] ? "var(--new)" : "var(--ink)" });
    });
    const isNew = areNew.some(Boolean);
    put(name, {
      x: isPhone ? 70 : left - 12,
      y: isPhone ? 12 : middle - 6,
      text: say("row_of", { p: at(s) }),
    });
    put(news, {
      x: isPhone ? width - 14 : left - 12,
      y: isPhone ? 12 : middle + 18,
      text: say("new_ones"),
      style: `font-weight:600; fill: var(--${isNew ? "new" : "soft"})`,
    });
    ends.forEach((end, i) => {
      put(end, {
        x: left + w * (i ? WIDTH - 0.2 : 0.2),
        y: middle + high * (0.5 + (i || !isPhone ? most : 0)) + (isPhone ? 17 : 19), // new numbers go down
      });
    });
  };
}
