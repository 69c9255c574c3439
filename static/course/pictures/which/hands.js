// What the reader moves: the frame over the names, the length of the text, and switches.

import { clamp } from "../../shapes.js";
import { MEASURES, NAMES, alongX, chosen, frameWidth, isNamed, places } from "./room.js";

/** @typedef {import("../../types").Stage} Stage */
/** @typedef {import("../../types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** The frame over one of the names. @param {Stage} stage @param {() => Room} room */
export function buildFrame(
  { make, put, show, group, slider, value, say, seen, state, move, isGuessing },
  room,
) {
  /** Names from top to bottom as they stand now. */
  const order = (at = places(room(), state)) => {
    const there = NAMES.filter((name) => state.plot < 0.5 || isNamed(name, state));
    return there.sort((a, b) => at[a].y - at[b].y);
  };
  /** @param {string} name */
  function choose(name) {
    if (state.plot < 0.5) {
      if (isGuessing()) return;
      // What lies between was passed on the way.
      const [from, to] = [Math.round(state.row), NAMES.indexOf(name)].sort((a, b) => a - b);
      for (const passed of NAMES.slice(from, to + 1)) seen.add(passed);
    } else seen.add(name);
    move({ row: NAMES.indexOf(name) }, state.plot < 0.5 ? 150 : 0);
  }
  const handle = slider(group("row names"), {
    label: say("frame_label"),
    keys: (by) => {
      const names = order();
      choose(names[clamp(names.indexOf(chosen(state)) - by, 0, names.length - 1)]);
    },
    move: ([, y]) => {
      const at = places(room(), state);
      choose(order().reduce((a, b) => (Math.abs(at[b].y - y) < Math.abs(at[a].y - y) ? b : a)));
    },
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const ring = make("rect", { class: "ring", rx: 5 }, handle);
  return (/** @type {State} */ s) => {
    const at = room();
    const names = places(at, s);
    const isTable = s.plot < 0.5;
    const x = isTable ? 0 : names[chosen(s)].x - 6;
    const inOrder = order(names);
    const ys = inOrder.map((name) => names[name].y);
    const tall = isTable ? at.row : at.gap;
    put(hit, {
      x,
      y: ys[0] - tall,
      width: at.width - x,
      height: ys[ys.length - 1] - ys[0] + 2 * tall,
    });
    put(ring, {
      x: names[chosen(s)].x - 6,
      y: names[chosen(s)].y - tall / 2,
      width: frameWidth(at, s),
      height: tall,
    });
    show(handle, s.real > 0.5 ? 0 : 1);
    value(handle, inOrder.indexOf(chosen(s)), 0, inOrder.length - 1, say("frame_at"));
  };
}

/** How long the text is. @param {Stage} stage @param {() => Room} room */
export function buildLength(
  { make, put, show, group, slider, value, say, state, set, move, isGuessing },
  room,
) {
  /** @param {number} doublings @param {number} ms */
  const read = (doublings, ms) => {
    if (!isGuessing()) move({ length: clamp(doublings, state.low, state.high) }, ms);
  };
  const handle = slider(group("length"), {
    label: say("length_label"),
    keys: (by) => read(Math.round(state.length) + Math.sign(by), 250),
    move: ([x]) => {
      if (isGuessing()) return;
      const { plot } = room();
      const doublings = state.low + ((x - plot.x) / plot.w) * (state.high - state.low);
      set({ length: clamp(doublings, state.low, state.high) });
    },
    end: () => read(Math.round(state.length), 200),
  });
  const here = make("line", { stroke: "var(--ink)", "stroke-dasharray": "2 4" }, handle);
  const hit = make("circle", { r: 22, fill: "transparent" }, handle);
  const ring = make("circle", { r: 16, class: "ring" }, handle);
  const knob = make(
    "circle",
    { r: 10, fill: "var(--ink)", stroke: "var(--paper)", "stroke-width": 2.5 },
    handle,
  );
  return (/** @type {State} */ s) => {
    const at = room();
    const [x, y] = [alongX(at, s, s.length), at.plot.y + at.plot.h];
    put(here, { x1: x, x2: x, y1: at.plot.y, y2: y });
    for (const node of [hit, ring, knob]) put(node, { cx: x, cy: y });
    const presence = clamp(2 * s.plot - 1, 0, 1);
    show(handle, presence);
    put(handle, { tabindex: isGuessing() ? -1 : 0 });
    value(handle, Math.round(s.length), state.low, s.high, say("length_at"));
  };
}

/**
 * Words side by side, one of which is chosen.
 * @param {Stage} stage @param {() => Room} room
 * @param {{ mark: string, names: readonly string[], at: (s: State) => number, to: (i: number) => State, there: (s: State) => number }} of
 */
export function buildSwitch(
  { make, put, show, group, slider, value, say, seen, move, isGuessing },
  room,
  { mark, names, at, to, there },
) {
  let ends = names.map(() => 0); // where each word begins
  let aim = 0; // the word that is chosen, or that the picture moves to
  let was = NaN;
  /** @param {number} i */
  function turn(i) {
    if (isGuessing()) return;
    const wanted = clamp(i, 0, names.length - 1);
    seen.add(names[wanted]);
    if (wanted !== aim) move(to(wanted), 700);
    aim = wanted;
  }
  const handle = slider(group(mark), {
    label: say(`${mark}_label`),
    keys: (by) => turn(aim + Math.sign(by)),
    start: ([x]) => turn(ends.filter((end) => end <= x + 8).length - 1),
    move: () => undefined,
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const ring = make("rect", { class: "ring", rx: 8 }, handle);
  const line = make("line", { stroke: "var(--ink)", "stroke-width": 2.5 }, handle);
  const words = names.map((name) => {
    const node = make("text", { class: "t14", style: "cursor: pointer" }, handle);
    return { name, node: /** @type {SVGTextElement} */ (node) };
  });
  return (/** @type {State} */ s) => {
    const { plot, isPhone, left } = room();
    const presence = there(s) * clamp(2 * s.plot - 1, 0, 1);
    show(handle, presence);
    if (presence < 0.02) return;
    if (at(s) !== was && Number.isInteger(at(s))) aim = at(s);
    was = at(s);
    const y = isPhone ? 16 : 44;
    let x = isPhone ? left : plot.x;
    const from = x;
    ends = words.map(({ name, node }, i) => {
      const isHere = i === Math.round(at(s));
      put(node, {
        x,
        y,
        text: say(isPhone ? `${name}_short` : name),
        style: `cursor: pointer; font-weight: ${isHere ? 600 : 400}`,
      });
      const begins = x;
      const wide = node.getComputedTextLength();
      if (isHere) put(line, { x1: x, x2: x + wide, y1: y + 6, y2: y + 6 });
      x += wide + (isPhone ? 14 : 30);
      return begins;
    });
    put(hit, { x: from - 8, y: y - 22, width: x - from, height: 36 });
    put(ring, { x: from - 8, y: y - 20, width: x - from - 4, height: 34 });
    put(handle, { tabindex: isGuessing() ? -1 : 0 });
    value(handle, Math.round(at(s)), 0, names.length - 1, say(`${mark}_at`));
  };
}

/** @param {Stage} stage @param {() => Room} room */
export const buildMeasures = (stage, room) =>
  buildSwitch(stage, room, {
    mark: "measure",
    names: MEASURES,
    at: (s) => s.measure,
    to: (i) => ({ measure: i }),
    there: (s) => s.measures,
  });

/** @param {Stage} stage @param {() => Room} room */
export const buildTraining = (stage, room) =>
  buildSwitch(stage, room, {
    mark: "training",
    names: ["trained_only", "trained_further"],
    at: (s) => s.tuned,
    to: (i) => ({ tuned: i }),
    there: (s) => s.training,
  });
