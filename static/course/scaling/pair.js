// The two dials that are furthest off together: where they stand, and dashed the nearest that training showed.

import { SPEEDS } from "../scalings.js";
import { clamp, pie, round, wrapped, xy } from "../shapes.js";
import { levelY, pairX } from "./room.js";
import { apart, slows } from "./tests.js";

/** @typedef {import("../types").Stage} Stage */
/** @typedef {import("../types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** Radians from where training had one of the two to where it stands. @param {State} s @param {number} k */
export function beside(s, k) {
  const { at, distance, then } = apart(s);
  return wrapped(SPEEDS[at + k] * (distance / slows(s)[at + k] - then));
}

/** @param {Stage} stage */
export function buildPair({ make, put, show, group, say }) {
  const all = group("together");
  const plate = make("rect", { rx: 8, fill: "var(--paper)" }, all);
  const hairs = make("path", { stroke: "var(--line)", fill: "none" }, all);
  const dials = [0, 1].map(() => ({
    rim: make("circle", { fill: "var(--paper)", stroke: "var(--line)", "stroke-width": 1.5 }, all),
    wedge: make("path", { fill: "var(--new)", opacity: 0.4 }, all),
    then: make("path", { stroke: "var(--soft)", "stroke-width": 2, "stroke-dasharray": "4 4", fill: "none" }, all), // prettier-ignore
    now: make("path", { stroke: "var(--ink)", "stroke-width": 3, "stroke-linecap": "round", fill: "none" }, all), // prettier-ignore
  }));
  const texts = [0, 1].map(() => make("text", { "text-anchor": "end" }, all));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const stays = s.knees * clamp(1 - 2 * s.crowd, 0, 1);
    show(all, stays);
    if (stays < 0.02) return;
    const { isPhone, graph, width } = room;
    const { at, then } = apart(s);
    // In the row of the other dials; on a phone, which has none, under the beads at the right.
    const r = isPhone ? Math.min(21, graph.h * 0.19) : room.dials.r;
    const y = isPhone ? levelY(room, 0.46) : room.dials.y;
    const middle = isPhone ? width - 2 * r - 26 : (pairX(room, at) + pairX(room, at + 1)) / 2;
    const centres = [-1, 1].map((side) => ({ x: middle + side * (r + 5), y, r }));
    const box = { x: middle - 2 * r - 14, y: y - r - 6, width: 4 * r + 28, height: 2 * r + 32 };
    put(plate, isPhone ? box : { width: 0, height: 0 });
    const from = levelY(room, 0) + 46;
    put(hairs, { d: isPhone ? "" : centres.map((c, k) => `M${xy([pairX(room, at + k), from])}L${xy([c.x, y - r])}`).join("") }); // prettier-ignore
    dials.forEach(({ rim, wedge, then: old, now }, k) => {
      const c = centres[k];
      const was = then * SPEEDS[at + k];
      const off = beside(s, k);
      put(rim, { cx: c.x, cy: c.y, r });
      put(wedge, { d: pie(c, r * 0.92, was, off) });
      put(old, { d: `M${xy([c.x, c.y])}L${xy(round(c, r, was))}` });
      put(now, { d: `M${xy([c.x, c.y])}L${xy(round(c, r, was + off))}` });
    });
    texts.forEach((node, k) => {
      const [x, up] = isPhone ? [middle + 2 * r + 8, y + r + 18] : [centres[0].x - r - 18, y - 4 + 22 * k]; // prettier-ignore
      put(node, { x, y: up, class: isPhone ? "t12" : "t14", text: isPhone ? (k ? say("dashed_short") : "") : say(k ? "dashed" : "words_back") }); // prettier-ignore
    });
  };
}
