// RoPE: the score against the distance, or place by place.

import { clamp, mix, xy } from "../../page/shapes.js";
import { LONGEST, TRAINED, peak, score } from "./head.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {Stage} stage */
export function buildGraph({ make, put, show, group, say, number, seen, step }) {
  const graph = group("curve trail");
  const beyond = make("rect", { fill: "var(--new)" }, graph);
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, graph);
  const along = Array.from({ length: 7 }, () =>
    make("text", { class: "t12 soft", "text-anchor": "middle" }, graph),
  );
  const up = [0, 1, 2].map(() => make("text", { class: "t12 soft", "text-anchor": "end" }, graph));
  const title = make("text", { class: "t14 soft" }, graph);
  const level = make("line", { stroke: "var(--soft)", "stroke-dasharray": "3 4" }, graph);
  const aim = make("g", {}, graph);
  const aimLine = make(
    "path",
    { stroke: "var(--content)", "stroke-dasharray": "4 4", "stroke-width": 2 },
    aim,
  );
  const aimText = make("text", { class: "t14 content", "text-anchor": "middle" }, aim);
  const curve = make(
    "path",
    { fill: "none", stroke: "var(--ink)", "stroke-width": 2.5, "stroke-linejoin": "round" },
    graph,
  );
  const dots = Array.from({ length: LONGEST + 1 }, () =>
    make("circle", { r: 3, fill: "var(--ink)" }, graph),
  );
  const beyondText = make("text", { class: "t14 new halo" }, graph); // over the curve, where that is high
  const trail = Array.from({ length: 13 }, () =>
    make("circle", { r: 5, fill: "var(--ink)" }, graph),
  );
  const here = make(
    "circle",
    { r: 7, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 3 },
    graph,
  );
  const hereText = make("text", { class: "t14 halo" }, graph);
  const rival = make("text", { class: "t14 halo" }, graph);

  return (/** @type {State} */ s, /** @type {Room} */ { plot: p, isPhone, isTight }) => {
    const presence = Math.max(s.curve, s.trail);
    show(graph, presence);
    if (presence < 0.02) return;
    const isTrail = s.trail > 0.5;
    const isWide = s.view > 1.5;
    const distance = s.m - s.n;
    const samples = Array.from({ length: Math.ceil(s.last) * 5 + 1 }, (_, i) => score(s, i / 5));
    const high = mix(s.dials, Math.max(...samples), s.real);
    const lowest = Math.min(0, ...samples);
    // As far below as above while dials are added, so that heights stay shares of the peak.
    const low = isTrail || !isWide ? -1 : mix(-s.dials, lowest, clamp(s.real + s.trained, 0, 1));
    const x = (/** @type {number} */ value) => p.x + (value / s.last) * p.w;
    const y = (/** @type {number} */ value) => p.y + ((high - value) / (high - low)) * p.h;
    put(grid, { d: `M${p.x},${y(0)}h${p.w}M${p.x},${y(high)}V${y(low)}` });
    const every = s.last > 20 ? 5 : isPhone ? 4 : 2;
    along.forEach((text, i) => {
      const value = i * every;
      put(text, {
        x: x(value),
        y: p.y + p.h + 18,
        text: value <= s.last + 0.1 ? number(value) : "",
      });
    });
    const isShare = isWide && Math.max(s.real, s.trained) < 0.01; // while dials are added
    [0, high, low].forEach((value, i) => {
      const text = number(isShare ? (100 * value) / high : value);
      put(up[i], { x: p.x - 8, y: y(value) + 4, text });
      const isNarrow = isPhone && text.length > 3;
      show(up[i], isNarrow || (i && Math.abs(y(value) - y(0)) < 16) ? 0 : 1);
    });
    const above = p.y - (isPhone ? 22 : 31);
    const name = isTrail ? "by_place" : isShare ? "by_share" : "by_distance";
    put(title, { x: p.x - 6, y: above, text: say(isPhone ? `${name}_short` : name) });
    show(title, isTight && isWide ? 0 : 1);
    put(curve, {
      d: isTrail ? "" : `M${samples.map((value, i) => xy([x(i / 5), y(value)])).join("L")}`,
    });
    dots.forEach((dot, i) => {
      put(dot, { cx: x(i).toFixed(1), cy: y(score(s, i)).toFixed(1) });
      show(dot, isTrail || i > s.last + 0.5 || (isPhone && isWide) ? 0 : 1);
    });
    const kept = y(score(s));
    put(level, { x1: p.x, x2: p.x + p.w, y1: kept, y2: kept });
    show(level, isTrail && seen.size > 1 ? s.trail : 0);
    trail.forEach((dot, i) => {
      put(dot, { cx: x(i), cy: kept });
      show(dot, isTrail && seen.has(i) ? 1 : 0);
    });
    put(beyond, {
      x: x(TRAINED),
      y: y(high),
      width: Math.max(0, p.x + p.w - x(TRAINED)),
      height: p.h,
    });
    show(beyond, s.trained * 0.1);
    put(beyondText, {
      x: x(TRAINED) + 8,
      y: isPhone ? y(high) + 14 : above,
      text: say(isPhone ? "beyond_short" : "beyond"),
    });
    show(beyondText, s.trained);
    put(aimLine, { d: `M${x(1)},${y(high) - 4}V${y(low)}` });
    put(aimText, { x: x(1), y: y(high) - 12, text: say("one_back") });
    show(aimText, !isPhone && Math.abs(peak(s) - 1) > 1.2 ? 1 : 0); // no room beside title and peak
    show(aim, step() === "content" ? s.curve : 0);
    const now = score(s);
    const at = x(isTrail ? s.m : distance);
    const isLeft = at > p.x + p.w * 0.8;
    put(here, { cx: at.toFixed(1), cy: y(now).toFixed(1) });
    const isBest = s.real > 0.99 && Math.abs(distance - 1) < 0.05;
    put(hereText, {
      x: at + (isLeft ? -13 : 13),
      y: y(now) + (isBest ? -2 : 20),
      "text-anchor": isLeft ? "end" : "start",
      text: isBest ? say("share_here") : number(now, 2),
    });
    show(hereText, isTrail || isBest ? 1 : 0);
    put(rival, {
      x: x(isPhone ? 10 : 7), // right of the title
      y: y(score(s, 7)) - 12,
      "text-anchor": isPhone ? "start" : "middle",
      text: say("rival_at"),
    });
    const isRival = step() === "slower" && Math.abs(distance - 7) > 2 && Math.abs(s.bend + 1) < 0.5;
    show(rival, isRival && s.real < 0.01 ? s.curve : 0);
  };
}
