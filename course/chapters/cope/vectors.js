// CoPE: q·e of each floor, and the query that opens doors.

import { gatesOf } from "../../page/formulas/gates.js";
import { clamp } from "../../page/shapes.js";
import { vector } from "./doors.js";
import { KEY, KEYS, LONGEST, level, replaced } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

export const FLOORS = 4; // whose q·e is drawn
const MOST = 6; // the largest q·e that can be drawn

const KNOB = { fill: "var(--paper)", "stroke-width": 3 };

/** q·e of the lowest floors, as bars that can be dragged.
 * @param {Stage} stage @param {Element} parent @param {() => Room} room
 */
export function buildPush(stage, parent, room) {
  const { make, put, show, group, slider, ring, value, say, number, state, set } = stage;
  const zero = (/** @type {Room} */ { edge, side, isPhone }) =>
    edge + (isPhone ? 34 : 54) + (side - (isPhone ? 34 : 54)) * 0.26;
  const scale = (/** @type {Room} */ at) => (at.width - zero(at) - (at.isPhone ? 22 : 44)) / MOST;
  const pull = (/** @type {number} */ floor, /** @type {number} */ to) =>
    set({ push: replaced(state.push, floor, clamp(to, -2, MOST)) });
  const all = group("push", parent);
  const axis = make("line", { stroke: "var(--line)" }, all);
  const title = make("text", { class: "t12 soft" }, all);
  const sides = ["lowers", "lifts"].map((side, i) =>
    make("text", { class: "t12 soft", "text-anchor": i ? "start" : "end" }, all, say(side)),
  );
  const bars = Array.from({ length: FLOORS }, (_, n) => {
    const handle = slider(all, {
      label: say("push_label", { floor: n }),
      keys: (by) => pull(n, Math.round(4 * state.push[n] + by) / 4),
      start: ([x]) => x - zero(room()) - state.push[n] * scale(room()),
      move: ([x], off) => pull(n, Math.round(10 * ((x - off - zero(room())) / scale(room()))) / 10),
    });
    return {
      handle,
      hit: make("rect", { fill: "transparent" }, handle),
      bar: make("rect", { fill: "var(--ink)" }, handle),
      grip: ring(make("circle", { ...KNOB, stroke: "var(--ink)" }, handle)),
      text: make("text", { class: "t14 halo", "text-anchor": "middle" }, handle),
    };
  });
  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const x0 = zero(at);
    const r = at.isPhone ? 7 : 10;
    put(axis, { x1: x0, x2: x0, y1: level(at, FLOORS - 1) - 16, y2: at.ground + 10 });
    put(title, {
      x: x0 - (at.isPhone ? 20 : 34),
      y: level(at, FLOORS - 1) - (at.isPhone ? 24 : 40),
      text: say("push"),
    });
    bars.forEach(({ handle, hit, bar, grip, text }, n) => {
      const y = level(at, n);
      const x = x0 + s.push[n] * scale(at);
      put(hit, { x: x0 - 30, y: y - 15, width: at.width - x0 + 30, height: 30 });
      put(bar, { x: Math.min(x, x0), y: y - 4, width: Math.abs(x - x0), height: 8 });
      put(grip, { cx: x, cy: y, r });
      put(text, { x, y: y - r - 5, text: number(s.push[n], 1) });
      value(handle, s.push[n], -2, MOST);
    });
    sides.forEach((side, i) => put(side, { x: x0 + (i ? 8 : -8), y: at.ground + 26 }));
    show(all, stage.isGuessing() ? 0 : s.bars);
  };
}

/** The query as an arrow of two numbers among the keys. @param {Stage} stage @param {Element} parent @param {() => Room} room */
export function buildDial(stage, parent, room) {
  const { make, put, show, group, slider, ring, value, say, number, state, set } = stage;
  const dial = group("k", parent);
  const rim = make(
    "circle",
    { fill: "var(--paper)", stroke: "var(--line)", "stroke-width": 1.5 },
    dial,
  );
  const keys = Object.entries(KEY).map(([kind, key]) => ({
    key,
    isMark: kind !== "word",
    arrow: make(
      "path",
      { fill: "var(--k)", stroke: "var(--k)", "stroke-width": 3, "stroke-linejoin": "round" },
      dial,
    ),
    name: make(
      "text",
      { class: "k halo", "text-anchor": "middle" },
      dial,
      kind === "word" ? say("words") : kind,
    ),
  }));
  function turn(/** @type {number} */ right, /** @type {number} */ up) {
    const fit = Math.min(1, LONGEST / (Math.hypot(right, up) || 1));
    const q = [right * fit, up * fit];
    set({ q, gates: gatesOf(q, KEYS) });
  }
  const tip = slider(group("q", parent), {
    label: say("tip_label"),
    keys: (by) => {
      const length = Math.max(3, Math.hypot(state.q[0], state.q[1])); // long enough to open doors
      const angle = Math.atan2(state.q[1], state.q[0]) - (by * Math.PI) / 36;
      turn(length * Math.cos(angle), length * Math.sin(angle));
    },
    move: ([x, y]) => {
      const { dial: at } = room();
      turn(((x - at.x) * LONGEST) / at.r, ((at.y - y) * LONGEST) / at.r);
    },
  });
  const arrow = make(
    "path",
    { fill: "var(--q)", stroke: "var(--q)", "stroke-width": 4.5, "stroke-linejoin": "round" },
    tip,
  );
  const hit = make("circle", { r: 24, fill: "transparent" }, tip);
  const grip = ring(make("circle", { ...KNOB, stroke: "var(--q)" }, tip));
  const name = make(
    "text",
    { class: "q", "text-anchor": "middle", style: "font-weight: 700" },
    tip,
    "q",
  );
  return (/** @type {State} */ s, /** @type {Room} */ { dial: at, isPhone }) => {
    const scale = at.r / LONGEST;
    const from = (/** @type {number[]} */ numbers, /** @type {number} */ head) =>
      vector(
        at.x + (numbers[0] * scale) / 2,
        at.y - (numbers[1] * scale) / 2,
        numbers,
        scale,
        head,
      );
    put(rim, { cx: at.x, cy: at.y, r: at.r });
    keys.forEach(({ key, isMark, arrow: one, name: text }) => {
      put(one, { d: from(key, isPhone ? 7 : 10) });
      const far = 1 + (isMark ? 12 : 8) / (Math.hypot(key[0], key[1]) * scale);
      const size = isMark ? (isPhone ? 20 : 26) : isPhone ? 12 : 14;
      put(text, {
        x: at.x + key[0] * scale * far,
        y: at.y - key[1] * scale * far,
        style: `font-size: ${size}px; font-weight: ${isMark ? 700 : 400}`,
      });
    });
    const [x, y] = [at.x + s.q[0] * scale, at.y - s.q[1] * scale];
    put(arrow, { d: from(s.q, 1) });
    put(hit, { cx: x, cy: y });
    put(grip, { cx: x, cy: y, r: isPhone ? 7 : 9 });
    const out = 1 + (isPhone ? 17 : 22) / (Math.hypot(s.q[0], s.q[1]) * scale || 1);
    put(name, { x: at.x + s.q[0] * scale * out, y: at.y - s.q[1] * scale * out + 5 });
    const degrees = (Math.atan2(s.q[1], s.q[0]) * 180) / Math.PI;
    value(tip, degrees, -175, 180, say("tip_at", { degrees: number(degrees) }));
    show(dial, s.dial);
    show(tip, s.dial);
  };
}
