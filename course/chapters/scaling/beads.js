// Each pair a bead: further right the fewer turns it made in training, higher the more it is slowed.

import {
  BASE,
  METHODS,
  PAIRS,
  SPEEDS,
  TRAINED,
  TURNS,
  chord,
  isNew,
  level,
  pairAt,
  ramp,
  slowed,
} from "./scalings.js";
import { TURN, clamp, mix, xy } from "../../page/shapes.js";
import { LONG } from "./pair.js";
import { SHOWN, levelY, pairX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./scalings.js").Method} Method */
/** @typedef {import("./room.js").Room} Room */

const REACH = 3; // pairs beside a stroke's end that it pulls along
const AXIS = [1000, 100, 32, 10, 1, 0.1]; // turns
const SAME = 0.03; // levels: two lines that are one
const NAMES = { linear: 2, ntk: 10, yarn: 18 }; // pairs at which a method's name stands
const OWN = 25; // and that of the reader's own

/** Whether a line lies on a method's. @param {number[]} u @param {Method} name */
export const isOn = (u, name) => levelsOf(name).every((one, i) => Math.abs(one - u[i]) < SAME);
/** @param {Method} name */
export const levelsOf = (name) => METHODS[name].map(level);

/** Near a line that means something, a hand means it. @param {number} u */
const snapped = (u) => (u > 0.94 ? 1 : u < 0.02 ? 0 : clamp(u, 0, 1));

/**
 * A line after a stroke: the pairs that it passed, and those beside its ends pulled along.
 * @param {number[]} before @param {Map<number, number>} passed
 */
function stroked(before, passed) {
  const [first, last] = [Math.min(...passed.keys()), Math.max(...passed.keys())];
  return before.map((was, i) => {
    const now = passed.get(i);
    if (now !== undefined) return now;
    const edge = i < first ? first : last;
    const off = Math.abs(i - edge);
    const pull = off < REACH ? Math.cos((Math.PI * off) / (2 * REACH)) ** 2 : 0;
    return snapped(was + ((passed.get(edge) ?? 0) - before[edge]) * pull);
  });
}

/**
 * @param {Stage} stage
 * @param {{ mode: () => "" | "all" | "free", reshaped: (u: number[]) => void }} hand
 */
export function buildBeads(stage, { mode, reshaped }) {
  const { make, put, show, group, say, slider, ring, value, number, state, isGuessing } = stage;
  /** @type {Room} */
  let room;
  const graph = group("beads axis");
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, graph);
  const ground = make("path", { stroke: "var(--line)", fill: "none" }, graph);
  const rows = [1, 2, 3, 4].map(() =>
    make("text", { class: "t14 soft", "text-anchor": "end" }, graph),
  );
  const turns = AXIS.map((count) => {
    const text = number(count, count < 1 ? 1 : 0);
    const look = { class: "t14 soft", "text-anchor": "middle" };
    return make("text", look, graph, text);
  });
  const ends = ["start", "end", "middle"].map((side) =>
    make("text", { class: "t14 soft", "text-anchor": side }, graph),
  );

  // Drawing: the hand passes beads; in the step of one line for all it lifts them together.
  /** @type {{ before: number[], passed: Map<number, number>, last: { i: number, u: number } | null } | null} */
  let stroke = null;
  const area = slider(group("beads"), {
    label: say("line_label"),
    keys: (by) => change(() => state.u.map((/** @type {number} */ u) => snapped(u + by * 0.05))),
    start: () => {
      stroke = { before: state.u.slice(), passed: new Map(), last: null };
    },
    move: ([x, y]) => change(() => drawnAt(x, y)),
  });
  const plane = make("rect", { fill: "transparent", style: "cursor: crosshair" }, area);
  make("rect", { class: "ring", rx: 8 }, area);
  const hint = make(
    "text",
    { class: "soft halo", "text-anchor": "middle", style: "pointer-events: none" },
    area,
    say("draw_here"),
  );

  function change(/** @type {() => number[]} */ made) {
    if (mode() && !isGuessing()) reshaped(made());
  }
  function drawnAt(/** @type {number} */ x, /** @type {number} */ y) {
    const { graph } = room;
    const u = snapped(1 - (y - graph.y) / graph.h);
    if (mode() === "all" || !stroke) return state.u.map(() => u);
    const i = clamp(Math.round(((x - graph.x) / graph.w) * (PAIRS - 1)), 0, PAIRS - 1);
    const from = stroke.last ?? { i, u };
    const far = Math.abs(i - from.i);
    for (let k = 0; k <= far; k++)
      stroke.passed.set(from.i + Math.sign(i - from.i) * k, far ? mix(from.u, u, k / far) : u);
    stroke.last = { i, u };
    return stroked(stroke.before, stroke.passed);
  }

  // Of the two dials that are the hands of a clock.
  const two = group("two");
  const rings = ["two_long", "two_short"].map((name) => ({
    name,
    ring: make("circle", { fill: "none", stroke: "var(--new)", "stroke-width": 2.5 }, two),
    text: make("text", { class: "t14 new halo" }, two),
  }));

  const string = group("beads new near");
  string.style.pointerEvents = "none";
  const thread = make(
    "path",
    { fill: "none", stroke: "var(--ink)", "stroke-width": 2, "stroke-linejoin": "round" },
    string,
  );
  const stems = SPEEDS.map(() => make("line", { "stroke-width": 4 }, string));
  const beads = SPEEDS.map(() => make("circle", {}, string));
  const ghosts = /** @type {Method[]} */ (Object.keys(NAMES)).map((name) => buildGhost(name));
  const own = make("text", { class: "t14 halo", "text-anchor": "middle" }, string, say("yours"));
  const turnsOf = (/** @type {number} */ i) => number(TURNS[i], TURNS[i] < 10 ? 1 : 0);
  const handles = SHOWN.map((i) => {
    const node = slider(group("beads"), {
      label: say("bead_label", { dial: number(i + 1), turns: turnsOf(i) }),
      keys: (by) => change(() => bent(i, by * 0.04)),
    });
    node.style.pointerEvents = "none";
    const dot = ring(make("circle", { r: 8, fill: "var(--paper)", "stroke-width": 3 }, node));
    return { i, node, dot };
  });
  const bent = (/** @type {number} */ i, /** @type {number} */ by) =>
    state.u.map((/** @type {number} */ u, /** @type {number} */ j) => {
      const off = Math.abs(i - j);
      const pull = mode() === "all" ? 1 : off < 5 ? Math.cos((Math.PI * off) / 10) ** 2 : 0;
      return snapped(u + by * pull);
    });

  function buildGhost(/** @type {Method} */ name) {
    const node = group("ghosts");
    const path = make(
      "path",
      { fill: "none", stroke: "var(--soft)", "stroke-width": 2, "stroke-dasharray": "6 5" },
      node,
    );
    const label = make(
      "text",
      { class: "t14 soft halo", "text-anchor": "middle" },
      node,
      say(`name_${name}`),
    );
    return { name, node, path, label, us: levelsOf(name) };
  }

  return (/** @type {State} */ s, /** @type {Room} */ now) => {
    room = now;
    const { isPhone, graph: g } = room;
    const stays = clamp(1 - 2 * s.crowd, 0, 1);
    const base = levelY(room, 0);
    const sinks = room.leaves * (room.height - base + 40);
    for (const node of [graph, string, area])
      put(node, { transform: sinks ? `translate(0 ${sinks.toFixed(1)})` : undefined });
    const y = (/** @type {number} */ times) => levelY(room, level(times));
    const across = (/** @type {number} */ times) =>
      `M${g.x - 8},${y(times).toFixed(1)}h${g.w + 16}`;
    put(grid, { d: [2, 3, 4].map(across).join(""), opacity: s.open });
    put(ground, { d: across(1) });
    rows.forEach((node, i) => {
      const isSmall = (g.h < 90 && (i === 1 || i === 2)) || (g.h < 24 && i);
      const text = i
        ? say("slowed_by", { times: number(i + 1) })
        : say(isPhone ? "as_trained_short" : "as_trained");
      put(node, { x: g.x - 14, y: y(i + 1) + 5, text, opacity: i ? (isSmall ? 0 : s.open) : 1 });
    });
    turns.forEach((node, k) => {
      const isLeftOut = isPhone && (s.two > 0.5 || AXIS[k] === 1000 || AXIS[k] === 10);
      put(node, { x: pairX(room, pairAt(AXIS[k])), y: base + 22, opacity: isLeftOut ? 0 : 1 });
    });
    ends.forEach((node, k) => {
      const name = ["fast_end", isPhone ? "slow_end_short" : "slow_end", "turns_axis"][k];
      const isLeftOut = isPhone && (s.two > 0.5 || k === 2);
      const x = [g.x - 10, g.x + g.w + 10, g.x + g.w / 2][k];
      put(node, { x, y: base + (isPhone ? 35 : 42), text: isLeftOut ? "" : say(name) });
    });
    show(graph, stays);
    ghosts.forEach(({ name, node, path, label, us }) => {
      put(path, { d: `M${us.map((u, i) => xy([pairX(room, i), levelY(room, u)])).join("L")}` });
      const at = NAMES[name];
      const isLinear = name === "linear";
      put(label, {
        x: pairX(room, at) - (isLinear ? 0 : isPhone ? 34 : 44),
        y: levelY(room, us[at]) + (isLinear ? 20 : -8),
      });
      show(node, s.ghosts * stays);
    });
    // The reader's own line, until it is laid on one of the others.
    const isOwn =
      s.ghosts > 0.5 && Math.max(...s.u) > 0.05 && !ghosts.some(({ name }) => isOn(s.u, name));
    const highest = Math.max(...s.u.slice(OWN - 2, OWN + 3));
    put(own, { x: pairX(room, OWN), y: levelY(room, highest) - 14 });
    show(own, isOwn ? stays : 0);
    const canDraw = mode() !== "" && !isGuessing();
    put(area, { style: canDraw ? undefined : "pointer-events: none", tabindex: canDraw ? 0 : -1 });
    const frame = { x: g.x - 9, y: g.y - 10, width: g.w + 18, height: g.h + 19 };
    put(plane, frame);
    put(/** @type {Element} */ (area.querySelector(".ring")), frame);
    const most = Math.max(...s.u);
    value(
      area,
      Number(slowed(most).toFixed(2)),
      1,
      4,
      say("slowed_times", { times: number(slowed(most), 1) }),
    );
    put(hint, {
      x: g.x + g.w / 2,
      y: levelY(room, 0.64),
      opacity: s.ghosts < 0.02 && mode() === "free" && canDraw && most < 0.05 ? 1 : 0,
    });
    show(area, mode() ? s.open * stays : 0);
    put(thread, {
      d: `M${s.u.map((/** @type {number} */ u, /** @type {number} */ i) => xy([pairX(room, i), levelY(room, u)])).join("L")}`,
    });
    beads.forEach((bead, i) => {
      const u = s.u[i];
      const isRed = isNew(i, slowed(u), s.length);
      const lost = Math.sqrt(
        Math.max(0, chord(SPEEDS[i]) - chord(SPEEDS[i] / slowed(u))) / chord(1),
      );
      const fill = isRed
        ? "fill: var(--new)"
        : `fill: color-mix(in oklab, var(--near) ${Math.round(100 * clamp(lost, 0, 1))}%, var(--ink))`;
      const at = { x: pairX(room, i).toFixed(1), y: levelY(room, u).toFixed(1) };
      put(bead, { cx: at.x, cy: at.y, r: isPhone ? 3.6 : 5, style: fill });
      put(stems[i], {
        x1: at.x,
        x2: at.x,
        y1: at.y,
        y2: base.toFixed(1),
        style: fill.replace("fill", "stroke"),
        opacity: isRed ? 0.3 : 0.08,
      });
    });
    show(string, stays);
    rings.forEach(({ name, ring, text }, k) => {
      const [x, y] = [pairX(room, LONG + k), levelY(room, s.u[LONG + k])];
      put(ring, { cx: x.toFixed(1), cy: y.toFixed(1), r: isPhone ? 6.5 : 9 });
      // Beside the ramp that rises from the left: above it, and below it.
      put(text, {
        x: x + (k ? 12 : -12),
        y: y + (k ? 18 : -10),
        "text-anchor": k ? "start" : "end",
        text: k || base - y > 40 ? say(name) : "", // the knee has a name there
      });
    });
    show(two, s.clock * stays);
    handles.forEach(({ i, node, dot }) => {
      const isRed = isNew(i, slowed(s.u[i]), s.length);
      put(node, {
        transform: `translate(${pairX(room, i).toFixed(1)} ${(levelY(room, s.u[i]) + sinks).toFixed(1)})`,
        tabindex: canDraw ? 0 : -1,
      });
      put(dot, { r: isPhone ? 5.5 : 8, stroke: isRed ? "var(--new)" : "var(--ink)" });
      value(node, slowed(s.u[i]), 1, 4, say("slowed_times", { times: number(slowed(s.u[i]), 1) }));
      show(node, canDraw ? s.open * stays : 0);
    });
  };
}

/** The knee of the ramp, dragged. @param {Stage} stage */
export function buildKnee(stage) {
  const { make, put, show, group, say, slider, grip, value, number, state, set, isGuessing } =
    stage;
  /** @type {Room} */
  let room;
  const knee = slider(group("knee"), {
    label: say("knee_label"),
    keys: (by) => turn(state.fast * 1.12 ** -by),
    move: ([x]) =>
      turn(
        (TRAINED / TURN) * BASE ** (-((x - room.graph.x) / room.graph.w) * ((PAIRS - 1) / PAIRS)),
      ),
  });
  grip(knee, { r: 12 });
  const text = make("text", { class: "t14 halo", "text-anchor": "end", x: -20, y: -14 }, knee);
  function turn(/** @type {number} */ turns) {
    if (isGuessing()) return;
    const to = clamp(turns, 2, 100);
    const fast = [32, 4].find((one) => Math.abs(Math.log(to / one)) < 0.06) ?? to;
    set({ fast, u: ramp(fast, 1).map(level) });
  }

  return (/** @type {State} */ s, /** @type {Room} */ now) => {
    room = now;
    const x = pairX(room, pairAt(s.fast));
    put(knee, {
      transform: `translate(${x.toFixed(1)} ${levelY(room, 0).toFixed(1)})`,
      tabindex: s.clock > 0.5 && !isGuessing() ? 0 : -1,
    });
    const turns = say("turns", { turns: number(s.fast, s.fast < 9.95 && s.fast % 1 ? 1 : 0) });
    put(text, { text: turns });
    value(knee, s.fast, 2, 100, turns);
    show(knee, s.clock * clamp(1 - 2 * s.crowd, 0, 1));
  };
}
