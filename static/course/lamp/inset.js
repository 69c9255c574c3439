// The line that bends, as far as a word 400 back.

import { penalty, slope } from "../penalties.js";

/** @typedef {import("../types").Stage} Stage */
/** @typedef {import("../types").State} State */
/** @typedef {import("./scene").Room} Room */

export const FAR = 400; // words back
const POINTS = 80; // of the line

/** What a word far back loses. @param {State} s */
export const lostFar = (s) => penalty(slope(s.head), FAR, s.bend);

/** @param {Stage} stage @param {() => Room} room */
export function buildInset({ make, put, show, group, say, step }, room) {
  const inset = group("inset fall");
  const axes = make("path", { stroke: "var(--line)", fill: "none" }, inset);
  const straight = make(
    "path",
    { stroke: "var(--soft)", "stroke-dasharray": "3 4", fill: "none" },
    inset,
  );
  const line = make("path", { stroke: "var(--ink)", "stroke-width": 2, fill: "none" }, inset);
  const dot = make("circle", { r: 5, fill: "var(--ink)" }, inset);
  const value = make("text", { class: "big", "text-anchor": "end" }, inset);
  const ends = [1, 0].map((t) =>
    make("text", { class: "t12 soft", "text-anchor": t ? "start" : "end" }, inset),
  );

  return (/** @type {State} */ s) => {
    const { width: W, height: H, isPhone } = room();
    show(inset, step() === "bend" ? s.rise * s.strip : 0);
    const [w, h] = isPhone ? [W * 0.34, 36] : [W * 0.34, Math.min(110, H * 0.17)];
    const [left, right] = [W - w - (isPhone ? 14 : 40), W - (isPhone ? 14 : 40)];
    const top = H - h - (isPhone ? 12 : 26);
    const m = slope(s.head);
    const point = (/** @type {number} */ back, bend = s.bend) =>
      `${(right - (w * back) / FAR).toFixed(1)},${(top + (h * penalty(m, back, bend)) / (m * FAR)).toFixed(1)}`;
    const along = Array.from({ length: POINTS + 1 }, (_, i) => (i / POINTS) * FAR);
    put(axes, { d: `M${right},${top}H${left}V${top + h}` });
    put(straight, { d: `M${point(0, 0)}L${point(FAR, 0)}` });
    put(line, { d: `M${along.map((back) => point(back)).join("L")}` });
    const [x, y] = point(FAR).split(",");
    put(dot, { cx: x, cy: y });
    put(value, { x: left - 12, y: Math.min(Number(y) + 8, H - 10), text: say("lost") });
    [say("back_400"), say("query")].forEach((text, i) =>
      put(ends[i], { x: i ? right : left, y: top - 6, text }),
    );
  };
}
