// A, for each length of the text: what a key needs, what YaRN's rule gives, and A itself, dragged.

import { interval } from "../../page/formulas/counts.js";
import data from "./data.js";
import { TARGET, TRAINED, neededFactor, yarnFactor } from "./scalings.js";
import { clamp, xy } from "../../page/shapes.js";
import { held, keys, ringed } from "./crowd.js";
import { textX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** The highest A of the frame: what the weakest lead needs is within it. */
export const HIGH = 1.24;
const MOST = HIGH - 0.01; // the knob stays below the frame
const POINTS = 40;
const FOUND = { with: data.keys.yarn, without: data.keys.yarn_no_temperature };

/** @param {Stage} stage @param {{ canTurn: () => boolean }} hand */
export function buildFactor(
  { make, put, show, group, say, slider, grip, value, number, state, set, isGuessing },
  { canTurn },
) {
  /** @type {Room} */
  let room;
  const graph = group("A rule needed");
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, graph);
  const up = [1, 1.1, 1.2].map((a) =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, graph, number(a, 1)),
  );
  const along = [1, 2, 3, 4].map((k) =>
    make(
      "text",
      { class: "t12 soft", "text-anchor": "middle" },
      graph,
      say("times", { times: number(k) }),
    ),
  );
  const title = make("text", { class: "t14 soft" }, graph);
  const needed = group("needed");
  const neededPath = make(
    "path",
    { stroke: "var(--attention)", "stroke-width": 3, fill: "none" },
    needed,
  );
  const gap = make("line", { stroke: "var(--attention)", "stroke-width": 3 }, needed);
  const wanted = make("circle", { r: 5, fill: "var(--attention)" }, needed);
  const neededText = make("text", { class: "t14 halo", style: "fill: var(--attention)" }, needed);
  const rule = group("rule");
  const rulePath = make("path", { stroke: "var(--ink)", "stroke-width": 2, fill: "none" }, rule);
  const ruleText = make("text", { class: "t14 halo" }, rule);
  const sum = make("text", { class: "t14" }, group("A q k"));
  const parts = ["", "q", "", "k", "", "q", "", "k"].map((css) =>
    make("tspan", { class: css, style: css ? "font-weight: 600" : undefined }, sum),
  );
  const stem = make(
    "line",
    { stroke: "var(--ink)", "stroke-width": 1.5, "stroke-dasharray": "2 4" },
    group("A"),
  );
  const numbers = group("found");
  const rows = Object.entries(FOUND).map(([name, count]) => ({
    share: count / data.asked,
    ends: interval(count, data.asked),
    text: make("text", { class: "t14" }, numbers, say(`found_${name}`)),
    scale: make("line", { stroke: "var(--line)", "stroke-width": 4 }, numbers),
    bar: make("line", { stroke: "var(--ink)", "stroke-width": 2 }, numbers),
    dot: make("circle", { r: 4.5, fill: "var(--ink)" }, numbers),
  }));
  const knob = slider(group("A"), {
    label: say("A_label"),
    keys: (by) => turn(Math.round((state.A + by * 0.005) * 200) / 200),
    start: ([, y]) => y - high(state.A),
    move: ([, y], off) => {
      const { factor: f } = room;
      turn(HIGH - ((y - off - f.y) / f.h) * (HIGH - 1));
    },
  });
  grip(knob, { r: 10 });
  const text = make("text", { class: "t14 halo", style: "font-weight: 600" }, knob);

  const high = (/** @type {number} */ a) =>
    room.factor.y + ((HIGH - a) / (HIGH - 1)) * room.factor.h;
  function turn(/** @type {number} */ to) {
    if (isGuessing() || !canTurn()) return;
    const A = clamp(to, 1, MOST);
    const isNear = Math.abs(held({ ...state, A }) / ringed(state) - 1) < 0.03;
    set({ A: isNear ? neededFactor(keys(state), state.lead) : A });
  }
  const curve = (/** @type {(keys: number) => number} */ a) =>
    `M${Array.from({ length: POINTS + 1 }, (_, i) => {
      const tokens = TRAINED + ((TARGET - TRAINED) * i) / POINTS;
      return xy([textX(room, tokens), high(a(tokens))]);
    }).join("L")}`;

  return (/** @type {State} */ s, /** @type {Room} */ now) => {
    room = now;
    const { isPhone, factor: f, side } = room;
    const presence = s.factor * clamp(2 * s.crowd - 1, 0, 1);
    const right = f.x + f.w;
    const long = isPhone ? [f.w, 5, 5] : [f.w, f.w, f.w]; // names have the room of lines
    put(grid, { d: long.map((w, i) => `M${f.x},${high(1 + i / 10).toFixed(1)}h${w}`).join("") });
    up.forEach((node, i) => put(node, { x: f.x - 8, y: high(1 + i / 10) + 4 }));
    along.forEach((node, i) =>
      put(node, { x: textX(room, (i + 1) * TRAINED), y: room.ruler.y + (isPhone ? 22 : 24) }),
    );
    put(title, {
      x: f.x - 26,
      y: f.y - (isPhone ? 2 : 16),
      text: say("A_axis"),
    });
    show(graph, presence);
    put(neededPath, { d: curve((count) => neededFactor(count, s.lead)) });
    put(rulePath, { d: curve(yarnFactor) });
    const at = (isPhone ? 0.6 : 0.44) * TARGET; // where the curves are named
    const isAbove = neededFactor(at, s.lead) > yarnFactor(at);
    const place = (
      /** @type {Element} */ node,
      /** @type {number} */ a,
      /** @type {boolean} */ above,
    ) =>
      put(node, {
        x: textX(room, at) + (above ? -6 : 8),
        y: clamp(high(a) + (above ? -10 : isPhone ? 18 : 24), f.y + 22, f.y + f.h - 6),
        "text-anchor": above ? "end" : "start",
      });
    place(neededText, neededFactor(at, s.lead), isAbove);
    place(ruleText, yarnFactor(at), !isAbove);
    put(ruleText, { text: say("rule") });
    put(neededText, { text: say("needs") });
    show(needed, s.needed * presence);
    show(rule, s.rule * presence);
    const A = number(s.A, 3);
    const squared = number(s.A ** 2, 2);
    ["(A ", "q", ") · (A ", "k", ") = A² ", "q", " · ", "k"].forEach((part, i) =>
      put(parts[i], { text: part }),
    );
    put(sum, { x: side.x, y: side.y + (isPhone ? 76 : 104) });
    put(parts[4], { text: isPhone ? `) = ${squared} ` : `) = ${squared} × ` });
    show(/** @type {Element} */ (sum.parentNode), presence);
    const from = side.x + (isPhone ? 104 : 116);
    const wide = right - from;
    rows.forEach(({ share, ends, text: words, scale, bar, dot }, i) => {
      const y = side.y + (isPhone ? 98 : 128) + i * (isPhone ? 17 : 20);
      put(words, { x: side.x, y: y + 5 });
      put(scale, { x1: from, x2: from + wide, y1: y, y2: y });
      put(bar, { x1: from + ends[0] * wide, x2: from + ends[1] * wide, y1: y, y2: y });
      put(dot, { cx: from + share * wide, cy: y });
    });
    show(numbers, s.rule * presence);
    const x = textX(room, s.length);
    const count = Math.max(TRAINED, keys(s)); // a distance of an earlier step may be none
    const wants = high(neededFactor(count, s.lead));
    put(gap, { x1: x, x2: x, y1: high(s.A), y2: wants });
    put(wanted, { cx: x.toFixed(1), cy: wants.toFixed(1) });
    put(stem, { x1: x, x2: x, y1: high(s.A), y2: room.ruler.y - 12 });
    show(/** @type {Element} */ (stem.parentNode), presence);
    const can = canTurn() && !isGuessing();
    put(knob, {
      transform: `translate(${x.toFixed(1)} ${high(s.A).toFixed(1)})`,
      tabindex: can ? 0 : -1,
      style: can ? undefined : "pointer-events: none",
    });
    const isOver = can && held(s) > 1.03 * ringed(s);
    put(text, {
      opacity: 1 - s.rule, // the rule's own name tells it
      text: isOver ? say("over", { one: say("A_is", { A }) }) : say("A_is", { A }),
      x: x > right - 120 ? -18 : 18,
      y: high(s.A) < f.y + 24 ? 24 : -12, // below the title
      "text-anchor": x > right - 120 ? "end" : "start",
    });
    value(knob, s.A, 1, MOST, say("A_is", { A }));
    show(knob, presence);
  };
}
