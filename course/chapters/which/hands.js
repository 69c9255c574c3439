// What the reader moves: the frame over the names, the length of the text, and what is measured.

import { clamp, mix } from "../../page/shapes.js";
import { MEASURES, NAMES, alongX, chosen, isThere, rowOf } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** The frame over one of the names. @param {Stage} stage @param {() => Room} room */
export function buildFrame(
  { make, put, show, group, slider, value, say, seen, state, move, isGuessing },
  room,
) {
  const middle = (/** @type {string} */ name) => rowOf(room(), state, name).y;
  /** Names from top to bottom as they stand now. */
  const order = () =>
    NAMES.filter((name) => isThere(name, state)).sort((a, b) => middle(a) - middle(b));
  /** @param {string} name */
  function choose(name) {
    if (isGuessing()) return;
    seen.add(name);
    move({ row: NAMES.indexOf(name) }, 0);
  }
  const handle = slider(group("row names"), {
    label: say("frame_label"),
    keys: (by) => {
      const names = order();
      choose(names[clamp(names.indexOf(chosen(state)) - by, 0, names.length - 1)]);
    },
    move: ([, y]) => {
      const off = (/** @type {string} */ name) => Math.abs(middle(name) - y);
      choose(order().reduce((a, b) => (off(b) < off(a) ? b : a)));
    },
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const ring = make("rect", { class: "ring", rx: 5 }, handle);
  return (/** @type {State} */ s) => {
    const at = room();
    const { y, tall } = rowOf(at, s, chosen(s));
    const [x, width] = [at.left - 6, at.width - 1.4 * at.left];
    const top = at.rows[0] - at.row / 2;
    put(hit, { x, y: top, width, height: at.row * NAMES.length });
    put(ring, { x, y: y - tall / 2, width, height: tall });
    show(handle, s.real < 0.5 && s.plot + s.bars > 0.5 ? 1 : 0);
    const names = order();
    value(handle, names.indexOf(chosen(s)), 0, names.length - 1, say("frame_at"));
  };
}

/**
 * A highlight over one of some rows that are no encodings: the models, or the lines of the table.
 * @param {Stage} stage @param {{ mark: string, name: string, key: string, count: number, shown: string }} of
 * @param {(i: number) => { x: number, y: number, w: number, h: number }} place
 */
export function buildRows(
  { make, put, show, group, slider, value, say, seen, state, move, isGuessing },
  { mark, name, key, count, shown },
  place,
) {
  const wash = make("rect", { fill: "var(--wash)", rx: 5 }, group(mark));
  /** @param {number} i */
  function choose(i) {
    if (isGuessing()) return;
    const to = clamp(i, 0, count - 1);
    const from = Math.round(state[key]);
    // What lies between was passed on the way.
    for (let at = Math.min(from, to); at <= Math.max(from, to); at++) seen.add(at);
    move({ [key]: to }, 0);
  }
  const handle = slider(group(mark), {
    label: say(`${name}_label`),
    keys: (by) => choose(Math.round(state[key]) - by),
    move: ([, y]) => {
      const off = (/** @type {number} */ i) => Math.abs(place(i).y + place(i).h / 2 - y);
      choose(Array.from({ length: count }, (_, i) => i).reduce((a, b) => (off(b) < off(a) ? b : a))); // prettier-ignore
    },
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const ring = make("rect", { class: "ring", rx: 5 }, handle);
  return (/** @type {State} */ s) => {
    show(wash, s[shown]);
    show(handle, s[shown] > 0.5 ? 1 : 0);
    put(handle, { tabindex: s[shown] > 0.5 && !isGuessing() ? 0 : -1 });
    if (s[shown] < 0.02) return;
    const at = Math.round(s[key]);
    const { x, y, w, h } = place(at);
    const [first, last] = [place(0), place(count - 1)];
    put(hit, { x, y: first.y, width: w, height: last.y + last.h - first.y });
    for (const node of [wash, ring]) put(node, { x, y, width: w, height: h });
    value(handle, at, 0, count - 1, say(`${name}_at`));
  };
}

/** How long the text is. @param {Stage} stage @param {() => Room} room */
export function buildLength(
  { make, put, show, group, slider, ring, value, say, state, set, move, isGuessing },
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
      const [from, to] = [state.low, state.high].map((end) => alongX(room(), state, end));
      const doublings = state.low + ((x - from) / (to - from)) * (state.high - state.low);
      set({ length: clamp(doublings, state.low, state.high) });
    },
    end: () => read(Math.round(state.length), 200),
  });
  const here = make("line", { stroke: "var(--ink)", "stroke-dasharray": "2 4" }, handle);
  const hit = make("circle", { r: 22, fill: "transparent" }, handle);
  const look = { r: 10, fill: "var(--ink)", stroke: "var(--paper)", "stroke-width": 2.5 };
  const knob = ring(make("circle", look, handle));
  return (/** @type {State} */ s) => {
    const at = room();
    const x = alongX(at, s, s.length);
    const y = mix(at.heads, at.plot.y + at.plot.h, s.real); // above the rows, or below the curves
    const last = at.rows[NAMES.length - 1] + at.row / 2;
    put(here, { x1: x, x2: x, y1: y, y2: mix(last, at.plot.y, s.real) });
    for (const node of [hit, knob]) put(node, { cx: x, cy: y });
    const presence = clamp(2 * s.plot - 1, 0, 1);
    show(handle, presence);
    put(handle, { tabindex: isGuessing() ? -1 : 0 });
    value(handle, Math.round(s.length), state.low, s.high, say("length_at"));
  };
}

/** What is measured: words side by side, one of which is chosen. @param {Stage} stage @param {() => Room} room */
export function buildMeasures(
  { make, put, show, group, slider, value, say, seen, move, isGuessing },
  room,
) {
  let ends = MEASURES.map(() => 0); // where each word begins
  let aim = 0; // the word that is chosen, or that the picture moves to
  let was = NaN;
  /** @param {number} i */
  function turn(i) {
    if (isGuessing()) return;
    const wanted = clamp(i, 0, MEASURES.length - 1);
    seen.add(MEASURES[wanted]);
    if (wanted !== aim) move({ measure: wanted }, 700);
    aim = wanted;
  }
  const handle = slider(group("measure"), {
    label: say("measure_label"),
    keys: (by) => turn(aim + Math.sign(by)),
    start: ([x]) => turn(ends.filter((end) => end <= x + 8).length - 1),
    move: () => undefined,
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const ring = make("rect", { class: "ring", rx: 8 }, handle);
  const line = make("line", { stroke: "var(--ink)", "stroke-width": 2.5 }, handle);
  const words = MEASURES.map((name) => {
    const node = make("text", { class: "t14", style: "cursor: pointer" }, handle);
    return { name, node: /** @type {SVGTextElement} */ (node) };
  });
  return (/** @type {State} */ s) => {
    const { isPhone, left } = room();
    const presence = s.measures * clamp(2 * s.plot - 1, 0, 1);
    show(handle, presence);
    if (presence < 0.02) return;
    if (s.measure !== was && Number.isInteger(s.measure)) aim = s.measure;
    was = s.measure;
    const y = isPhone ? 16 : 36;
    const gap = isPhone ? 14 : 30;
    let x = left;
    const from = x;
    ends = words.map(({ name, node }, i) => {
      const isHere = i === Math.round(s.measure);
      put(node, {
        x,
        y,
        text: say(isPhone ? `${name}_short` : name),
        style: `cursor: pointer; font-weight: ${isHere ? 600 : 400}`,
      });
      const begins = x;
      const wide = node.getComputedTextLength();
      if (isHere) put(line, { x1: x, x2: x + wide, y1: y + 6, y2: y + 6 });
      x += wide + gap;
      return begins;
    });
    put(hit, { x: from - 8, y: y - 20, width: x - from, height: 32 });
    put(ring, { x: from - 6, y: y - 14, width: x - gap - from + 12, height: 24 });
    put(handle, { tabindex: isGuessing() ? -1 : 0 });
    value(handle, Math.round(s.measure), 0, MEASURES.length - 1, say("measure_at"));
  };
}
