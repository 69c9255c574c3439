// CoPE: words on a staircase, the counter that climbs it, the query at its foot.

import { clamp } from "../../page/shapes.js";
import {
  ASKS,
  BOB,
  COUNT,
  KINDS,
  LAST,
  ROWS,
  SECOND_STOP,
  centre,
  level,
  placesOf,
  short,
  tokenAt,
} from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** The words of the sentence. @param {Stage} stage */
export const sentence = ({ say }) => say("sentence").split(" ");

/** Size of a token's letters. @param {Room} room @param {number} token */
const letters = ({ isPhone, widths }, token) =>
  (isPhone ? 12 : clamp(widths[0] * 0.27, 14, 24)) * (KINDS[token] === "word" ? 1 : 1.5);
const font = (/** @type {number} */ size, /** @type {boolean} */ isMark) =>
  `font: ${isMark ? 700 : 400} ${size}px var(--heading)`;

/** @param {Stage} stage @param {Element} parent */
export function buildFloors({ make, put, show, group, say, number }, parent) {
  const floors = group("floors", parent);
  const lines = Array.from({ length: COUNT + 1 }, (_, n) => ({
    line: make("line", { stroke: "var(--line)" }, floors),
    name: make("text", { class: "t12 soft", "text-anchor": "end" }, floors, number(n)),
  }));
  const title = make("text", { class: "t12 soft", "text-anchor": "end" }, floors);
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const x = room.edge + (room.isPhone ? 20 : 30);
    lines.forEach(({ line, name }, n) => {
      const y = level(room, n);
      put(line, { x1: room.left, x2: room.edge + 6, y1: y, y2: y });
      put(name, { x, y: y + 4 });
      const isIn = clamp(s.zoom - n + 1, 0, 1) * clamp((y - 30) / 20, 0, 1);
      show(line, isIn);
      show(name, isIn);
    });
    put(title, { x: room.width - 8, y: level(room, Math.round(s.zoom)) - 14, text: say("floor") });
    show(title, room.isPhone || s.side > 0.02 || s.dial > 0.02 ? 0 : 1);
  };
}

/** @param {Stage} stage @param {Element} parent */
export function buildStairs(stage, parent) {
  const { make, put, show, group } = stage;
  const stairs = group("floors doors counter", parent);
  const words = group("words", parent);
  const texts = sentence(stage);
  const columns = texts.map((text) => ({
    block: make("rect", { fill: "var(--wash)" }, stairs),
    top: make("line", { stroke: "var(--soft)", "stroke-width": 2 }, stairs),
    riser: make("line", { stroke: "var(--content)", "stroke-width": 4 }, stairs),
    word: make("text", { class: "halo", "text-anchor": "middle" }, words, text),
  }));
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const places = placesOf(s);
    columns.forEach(({ block, top, riser, word }, j) => {
      const [x, w, y] = [room.starts[j], room.widths[j], level(room, places[j])];
      const before = level(room, places[j + 1] ?? 0);
      const seen = clamp(s.query - j + 1, 0, 1);
      put(block, { x, y, width: w + 0.5, height: Math.max(0, room.ground - y) });
      put(top, { x1: x - 0.5, x2: x + w + 0.5, y1: y, y2: y });
      put(riser, { x1: x + w, x2: x + w, y1: before, y2: y });
      put(word, {
        x: centre(room, j),
        y: y - (room.isPhone ? 6 : 9),
        style: font(letters(room, j), KINDS[j] !== "word"),
      });
      for (const node of [block, top]) show(node, seen);
      show(riser, before - y > 0.5 ? seen : 0);
      show(word, Math.round(s.query) === j ? 0 : 0.3 + 0.7 * seen);
    });
  };
}

/** The ends of a sentence that is to come to one floor. @param {Stage} stage @param {Element} parent */
export function buildPair({ make, put, show, group }, parent) {
  const pair = group("pair", parent);
  const line = make(
    "line",
    { stroke: "var(--ink)", "stroke-width": 2, "stroke-dasharray": "3 5" },
    pair,
  );
  const frames = [BOB, SECOND_STOP].map((token) => ({
    token,
    frame: make("rect", { fill: "none", stroke: "var(--ink)", "stroke-width": 2, rx: 8 }, pair),
  }));
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const places = placesOf(s);
    const h = room.isPhone ? 20 : 32;
    const tops = frames.map(({ token, frame }) => {
      const w = Math.max(room.widths[token], 26) - (room.isPhone ? 0 : 4);
      const y = level(room, places[token]) - h - (room.isPhone ? 1 : 0);
      put(frame, { x: centre(room, token) - w / 2, y, width: w, height: h });
      return y;
    });
    const [from, to] = frames.map(({ token }) => centre(room, token));
    put(line, { x1: from + room.widths[BOB] / 2, x2: to, y1: tops[0] - 5, y2: tops[0] - 5 });
    show(line, isSame(s) ? 1 : 0);
    show(pair, s.pair);
  };
}

/** @param {State} s */
export function isSame(s) {
  const places = placesOf(s);
  return Math.abs(places[BOB] - places[SECOND_STOP]) < 0.02;
}

/** @param {Stage} stage @param {Element} parent @param {() => Room} room */
export function buildCounter(stage, parent, room) {
  const { make, put, show, group, slider, ring, value, say, number, state, set, move } = stage;
  const texts = sentence(stage);
  const walk = (/** @type {number} */ to) => set({ walker: clamp(to, 0, LAST) });
  const settle = () => move({ walker: Math.round(state.walker) }, 140);
  const handle = slider(group("counter sum", parent), {
    label: say("counter_label"),
    keys: (by) => walk(Math.round(state.walker) + by),
    start: ([x]) => x - centre(room(), state.walker),
    move: ([x], off) => walk(tokenAt(room(), x - off)),
    end: settle,
  });
  const stem = make("line", { stroke: "var(--content)", "stroke-width": 2 }, handle);
  const hit = make("circle", { r: 24, fill: "transparent" }, handle);
  const disc = ring(make("circle", { fill: "var(--content)" }, handle));
  const text = make("text", { "text-anchor": "middle" }, handle);
  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const places = placesOf(s);
    const from = Math.min(LAST, Math.ceil(s.walker - 1e-6));
    const to = Math.max(0, from - 1);
    const climb = clamp((from - s.walker - 0.35) / 0.3, 0, 1); // the riser stands between two words
    const height = places[from] + (places[to] - places[from]) * climb;
    const r = at.isPhone ? 14 : 19;
    const x = centre(at, s.walker);
    const y = level(at, height) - (at.isPhone ? 24 : 38) - r;
    put(hit, { cx: x, cy: y });
    put(stem, { x1: x, x2: x, y1: y + r, y2: y + r + (at.isPhone ? 3 : 6) });
    put(disc, { cx: x, cy: y, r });
    const token = Math.round(s.walker);
    put(text, {
      x,
      y: y + 5,
      style: `font-size: ${at.isPhone ? 12.5 : 16}px; font-weight: 700; fill: var(--paper)`,
      text: short(number, places[token]),
    });
    put(handle, { "aria-valuenow": token });
    value(handle, token, 0, LAST, say("counter_at", { word: texts[token] }));
    const isFree = s.walk > 0.5;
    put(handle, { tabindex: isFree ? 0 : -1, style: isFree ? undefined : "pointer-events: none" });
    show(handle, s.counter);
  };
}

/** The token that asks; in one step it can be dragged. @param {Stage} stage @param {Element} parent @param {() => Room} room */
export function buildQuery(stage, parent, room) {
  const { make, put, group, slider, ring, value, say, state, seen, set, move } = stage;
  const texts = sentence(stage);
  function ask(/** @type {number} */ to) {
    const query = clamp(to, 0, LAST);
    if (query === state.query) return;
    for (let i = Math.min(state.query, query); i <= Math.max(state.query, query); i++) seen.add(i);
    set({ query, q: ASKS[query], walker: Math.min(state.walker, query) });
    move({ gates: ROWS[query] }, 300);
  }
  const handle = slider(group("q", parent), {
    label: say("query_label"),
    keys: (by) => ask(state.query + by),
    move: ([x]) => ask(Math.round(tokenAt(room(), x))),
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const pill = ring(make("rect", { fill: "var(--q-fill)", rx: 8 }, handle));
  const word = make("text", { "text-anchor": "middle" }, handle);
  const grip = make(
    "path",
    { fill: "none", stroke: "var(--q)", "stroke-width": 2.2, "stroke-linecap": "round" },
    handle,
  );
  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const token = Math.round(s.query);
    const height = at.isPhone ? 21 : 31;
    const width = Math.max(at.widths[token] - 2, KINDS[token] === "word" ? 32 : 20);
    const x = centre(at, s.query);
    const y = level(at, placesOf(s)[token]) - height - (at.isPhone ? 2 : 4);
    put(pill, { x: x - width / 2, y, width, height });
    put(hit, { x: x - 26, y: y - 10, width: 52, height: height + 20 });
    const size = letters(at, token) - (at.isPhone ? 0 : 2);
    put(word, {
      x,
      y: y + height * 0.69,
      style: `${font(size, KINDS[token] !== "word")}; fill: #fff`,
      text: texts[token],
    });
    const isFree = s.pile > 0.5;
    put(grip, {
      d: isFree
        ? `M${x - 7},${y - 8}h14M${x - 4},${y - 11}l-4,3l4,3M${x + 4},${y - 11}l4,3l-4,3`
        : "",
    });
    put(handle, { tabindex: isFree ? 0 : -1, style: isFree ? undefined : "pointer-events: none" });
    value(handle, token, 0, LAST, say("query_at", { word: texts[token], drawn: seen.size }));
  };
}
