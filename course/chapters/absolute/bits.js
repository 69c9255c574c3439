// What a byte costs at every place, measured: a small model that adds sines to its words.

import data from "./data.js";
import { xy } from "../../page/shapes.js";
import { bitsAt } from "./model.js";
import { FURTHER, PLACES, after, placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const MOST = 6; // bits
const LINES = [0, 2, 4, 6];
const LABEL = 40; // places beside the cut, below which its number stands

/** @param {Stage} stage */
export function buildBits({ make, put, show, group, say, number }) {
  const scene = make("g");
  const curve = group("curve", scene);
  const beyond = make("rect", { fill: "var(--new)", "fill-opacity": 0.08 }, curve);
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, curve);
  const scale = LINES.map((bits) =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, curve, number(bits)),
  );
  const title = make("text", { class: "t14 soft halo" }, curve);
  const alone = group("alone", scene);
  const level = make(
    "line",
    { stroke: "var(--soft)", "stroke-dasharray": "4 4", "stroke-width": 2 },
    alone,
  );
  const band = make("path", { fill: "var(--ink)", "fill-opacity": 0.14 }, curve);
  const cut = make("line", { stroke: "var(--ink)", "stroke-width": 1.5 }, curve);
  const line = make("path", { fill: "none", stroke: "var(--ink)", "stroke-width": 3 }, curve);
  const tip = make("circle", { r: 6, fill: "var(--ink)" }, curve);
  const value = make("text", { class: "halo", style: "font-weight:600" }, curve);
  const levelText = make("text", { class: "t12 halo" }, group("alone", scene));
  const limits = group("", scene);
  const inside = make("text", { class: "t12 soft", "text-anchor": "end" }, limits);
  const outside = make("text", { class: "t12 new" }, limits);

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = after(s.bits);
    show(scene, presence);
    if (presence < 0.02) return;
    const { left, right, top, foot, isPhone } = room;
    const head = top + (isPhone ? 22 : 34);
    const y = (/** @type {number} */ bits) => foot - (bits / MOST) * (foot - head);
    const x = (/** @type {number} */ place) => placeX(room, Math.min(place, FURTHER - 1));
    const edge = placeX(room, PLACES - 0.5);
    put(beyond, { x: edge, y: head, width: Math.max(0, right - edge), height: foot - head });
    put(grid, { d: LINES.map((bits) => `M${left},${y(bits)}H${right}`).join("") });
    scale.forEach((text, i) => put(text, { x: left - 7, y: y(LINES[i]) + 4 }));
    put(title, {
      x: left,
      y: top + (isPhone ? 2 : 8),
      text: say(isPhone ? "bits_title_short" : "bits_title"),
    });
    const read = data.bits.slice(0, Math.ceil(s.read));
    const points = (/** @type {number} */ side) =>
      read.map((bits, place) => xy([x(place), y(bits + side * data.errors[place])]));
    put(line, { d: `M${points(0).join("L")}` });
    put(band, { d: `M${[...points(1), ...points(-1).reverse()].join("L")}Z` });
    const isRead = s.p < s.read;
    const now = bitsAt(s.p);
    const isLeft = s.p > FURTHER * 0.7;
    put(cut, { x1: placeX(room, s.p), x2: placeX(room, s.p), y1: head, y2: room.bottom });
    put(tip, { cx: placeX(room, s.p).toFixed(1), cy: y(now).toFixed(1) });
    const beside = isLeft ? [s.p - LABEL, s.p + 1] : [s.p, s.p + LABEL];
    put(value, {
      x: placeX(room, s.p) + (isLeft ? -12 : 12),
      y: y(Math.min(...data.bits.slice(...beside))) + 24,
      "text-anchor": isLeft ? "end" : "start",
      text: say("bits_here"),
    });
    show(tip, isRead ? 1 : 0);
    show(value, isRead ? 1 : 0);
    put(level, { x1: left, x2: right, y1: y(data.bytesAlone), y2: y(data.bytesAlone) });
    put(levelText, {
      x: left + 8,
      y: y(data.bytesAlone) - 7,
      text: say(isPhone ? "alone_short" : "alone"),
    });
    const isTold = s.read > PLACES + 1 ? 1 : 0;
    show(level, isTold);
    show(levelText, isTold);
    put(inside, { x: edge - 8, y: head - 6, text: isPhone ? "" : say("trained") });
    put(outside, { x: edge + 8, y: head - 6, text: say(isPhone ? "beyond_short" : "beyond") });
  };
}
