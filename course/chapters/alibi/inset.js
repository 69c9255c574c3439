// The line as far as the needle stands: its end is pulled up, and it bends.

import { bendThrough, penalty, slope } from "../../page/formulas/penalties.js";
import { clamp } from "../../page/shapes.js";
import { backOf } from "./scene.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./scene").Room} Room */

const DEEPEST = 30; // what is lost further down is not drawn
const LEAST = 0.005; // of bend: the first that keys give a straight line
const POINTS = 80; // of the line
const LEVELS = [0, DEEPEST];
const FREE = 24; // pixels beside the axis that the handle takes with its ring

/** What the needle's word loses. @param {State} s */
export const lostFar = (s) => penalty(slope(s.head), backOf(s), s.bend);

/** @param {Stage} stage @param {() => Room} room */
export function buildInset(
  { make, put, show, group, say, number, slider, grip, value, state, set },
  room,
) {
  const inset = group("inset fall");
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, inset);
  const levels = LEVELS.map((level) =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, inset, number(-level)),
  );
  const straight = make(
    "path",
    { stroke: "var(--soft)", "stroke-dasharray": "3 4", fill: "none" },
    inset,
  );
  const line = make("path", { stroke: "var(--ink)", "stroke-width": 2.5, fill: "none" }, inset);
  const ends = ["k", "q"].map((mark, i) =>
    make("text", { class: `t12 ${mark}`, "text-anchor": i ? "end" : "start" }, inset),
  );
  const further = make("text", { class: "t12 halo", "text-anchor": "end" }, inset);
  const lift = make(
    "path",
    { stroke: "var(--k)", "stroke-width": 2, "stroke-dasharray": "2 3" },
    group("k inset"),
  );
  const lifted = make("text", { class: "t12 k", "text-anchor": "end" }, group("k inset"));
  const end = slider(inset, {
    label: say("bend_label"),
    keys: (by) => {
      const bend = Math.max(state.bend, LEAST) * 1.25 ** by;
      set({ bend: bend < LEAST ? 0 : Math.min(bend, 1) });
    },
    move: ([x, y]) => {
      const { right, w, top, h } = plotOf(room());
      const back = clamp(((right - x) / w) * backOf(state), 1, backOf(state));
      set({ bend: bendThrough(slope(state.head), back, ((y - top) / h) * DEEPEST) });
    },
  });
  grip(end);

  const plotOf = (/** @type {Room} */ { rail, upper, row, height, isPhone }) => {
    const top = upper - (isPhone ? 8 : 10);
    return {
      left: rail.from,
      right: rail.to,
      w: rail.to - rail.from,
      top,
      h: height - top - row * 0.32,
    };
  };

  return (/** @type {State} */ s) => {
    show(inset, s.line);
    for (const node of [lift, lifted]) show(node, s.line);
    put(end, {
      tabindex: s.line > 0.5 ? 0 : -1,
      style: s.line > 0.5 ? undefined : "pointer-events: none",
    });
    if (s.line < 0.02) return;
    const { left, right, w, top, h } = plotOf(room());
    const far = backOf(s);
    const m = slope(s.head);
    const y = (/** @type {number} */ lost) => top + (h * lost) / DEEPEST;
    const x = (/** @type {number} */ back) => right - (w * back) / far;
    /** How far back a line can be seen. @param {number} bend */
    const seen = (bend) => (bend < 1e-9 ? DEEPEST / m : Math.expm1((DEEPEST * bend) / m) / bend);
    const path = (/** @type {number} */ bend) => {
      const last = Math.min(far, seen(bend));
      const along = Array.from({ length: POINTS + 1 }, (_, i) => (i / POINTS) ** 2 * last);
      return `M${along.map((back) => `${x(back).toFixed(1)},${y(penalty(m, back, bend)).toFixed(1)}`).join("L")}`;
    };
    put(grid, {
      d: `M${left},${top}H${right}M${left},${top}V${top + h}${LEVELS.map((level) => `M${left},${y(level)}h6`).join("")}`,
    });
    levels.forEach((text, i) => put(text, { x: left - FREE, y: y(LEVELS[i]) + 4 }));
    put(straight, { d: path(0) });
    put(line, { d: path(s.bend) });
    const last = Math.min(far, seen(s.bend));
    put(end, {
      transform: `translate(${x(last).toFixed(1)} ${y(penalty(m, last, s.bend)).toFixed(1)})`,
    });
    const room_for = x(last) - left > 150;
    put(further, { x: x(last) - FREE, y: top + h + 4, text: say("goes_on") });
    show(further, last < far && room_for ? 1 : 0);
    put(lift, { d: `M${left},${y(s.content)}h${w}` });
    put(lifted, { x: left - FREE, y: y(s.content) + 4, text: number(-s.content) });
    [say("needle_at"), say("query")].forEach((text, i) =>
      put(ends[i], { x: i ? right : left + FREE, y: top - 7, text }),
    );
    value(end, s.bend, 0, 1, say("bend_at"));
  };
}
