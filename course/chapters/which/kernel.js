// What a fused kernel reads of one head, drawn to scale: queries, keys, values, and a bias that is a matrix.

import { t5Bucket } from "../../page/formulas/distances.js";
import { clamp } from "../../page/shapes.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

export const WIDTH = 128; // numbers of a query, a key or a value
export const SHORTEST = 7; // log2 of tokens
export const LONGEST = 16;
const BYTES = 2; // of a number
const UNITS = ["bytes", "KiB", "MiB", "GiB"];

/** Bytes of queries, keys and values. @param {number} tokens */
export const vectors = (tokens) => 3 * tokens * WIDTH * BYTES;
/** Bytes of a number for every pair of tokens. @param {number} tokens */
export const matrix = (tokens) => tokens * tokens * BYTES;
/** The tokens with which both are as large. */
export const EQUAL = 3 * WIDTH;

/** @param {number} bytes @param {Stage["number"]} number */
export function written(bytes, number) {
  const unit = Math.floor(Math.log2(bytes) / 10);
  const amount = bytes / 1024 ** unit;
  return `${number(amount, amount < 9.95 && !Number.isInteger(amount) ? 1 : 0)} ${UNITS[unit]}`;
}

/** Distances at which a bucket of T5 begins. */
const EDGES = Array.from({ length: 128 }, (_, d) => d).filter((d) => d && t5Bucket(d) !== t5Bucket(d - 1)); // prettier-ignore

/** @param {State} s */
export const tokensOf = (s) => Math.round(2 ** s.tokens);

/** @param {Room} room */
const rail = ({ width, height, isPhone }) => ({
  x: isPhone ? 118 : 250,
  w: width - (isPhone ? 140 : 310),
  y: height - (isPhone ? 18 : 34),
});

/** @param {Stage} stage @param {() => Room} room */
export function buildKernel(
  { make, put, show, group, slider, grip, value, say, state, set, move, number, isGuessing },
  room,
) {
  const strips = ["q", "k", "v"].map((name) => ({
    node: make("rect", { fill: `var(--${name === "v" ? "soft" : name})` }, group(`qkv ${name}`)),
    text: make("text", { class: "t14", "text-anchor": "middle" }, group(`qkv ${name}`), name),
  }));
  const size = make("text", { class: "t14 halo" }, group("qkv"));
  const bias = group("bias");
  const square = make("rect", { fill: "var(--wash)" }, bias);
  const seen = make("path", { fill: "var(--line)" }, bias);
  const edges = make("path", { stroke: "var(--paper)", fill: "none" }, bias);
  const inside = make("text", { class: "t14", "text-anchor": "middle" }, bias);
  const lines = ["turned", "slope"].map((mark) => ({
    mark,
    node: make("text", { class: "t14 soft" }, group(mark)),
  }));
  const foot = group("tokens");
  const track = make("path", { stroke: "var(--line)", "stroke-width": 3, fill: "none" }, foot);
  const told = make("text", { class: "t14" }, foot);
  const read = (/** @type {number} */ to) =>
    isGuessing() || set({ tokens: clamp(to, SHORTEST, LONGEST) });
  const handle = slider(foot, {
    label: say("tokens_label"),
    keys: (by) => read(Math.round(8 * state.tokens + by) / 8),
    move: ([x]) => {
      const { x: from, w } = rail(room());
      read(SHORTEST + ((x - from) / w) * (LONGEST - SHORTEST));
    },
    end: () => {
      // Where both are as large a hand need not be exact.
      if (Math.abs(state.tokens - Math.log2(EQUAL)) < 0.12) move({ tokens: Math.log2(EQUAL) }, 150);
    },
  });
  const knob = grip(handle);
  const hit = knob.parentNode?.querySelector("circle");

  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const presence = s.fused;
    for (const { node, text } of strips) for (const one of [node, text]) show(one, presence);
    for (const node of [size, bias, foot, ...lines.map((one) => one.node)]) show(node, presence);
    put(handle, { tabindex: presence > 0.5 && !isGuessing() ? 0 : -1 });
    if (presence < 0.02) return;
    const { width, isPhone, left } = at;
    const n = tokensOf(s);
    const { x: from, w, y } = rail(at);
    const line = isPhone ? 16 : 22;
    const top = isPhone ? 30 : 60;
    const room = y - (isPhone ? 26 : 44) - 3 * line - top;
    const gap = isPhone ? 16 : 26;
    const scale = Math.min((width - 2 * left - 3 * gap) / (3 * WIDTH + n), room / n);
    const [thin, tall] = [Math.max(1, WIDTH * scale), n * scale];
    const start = (width - 3 * (thin + gap) - tall) / 2;
    strips.forEach(({ node, text }, i) => {
      const x = start + i * (thin + gap);
      put(node, { x, y: top, width: thin, height: tall });
      put(text, { x: x + thin / 2, y: top - 8 });
    });
    const x = start + 3 * (thin + gap);
    put(square, { x, y: top, width: tall, height: tall });
    put(seen, { d: `M${x},${top}v${tall}h${tall}Z` }); // the other half is masked
    const near = EDGES.filter((edge) => edge < n).map((edge) => edge * scale);
    put(edges, { d: near.map((y) => `M${x},${top + y}L${x + tall - y},${top + tall}`).join("") });
    const isIn = tall > 150; // in the half that is masked, or above
    put(inside, {
      x: isIn ? x + tall * 0.64 : x + tall,
      y: isIn ? top + tall * 0.22 + 5 : top - 8,
      "text-anchor": isIn ? "middle" : "end",
      text: isGuessing() ? "?" : say("matrix", { bytes: written(matrix(n), number) }),
    });
    const below = top + room + (isPhone ? 4 : 14);
    put(size, {
      x: left,
      y: below + line,
      text: say(isPhone ? "vectors_short" : "vectors", { bytes: written(vectors(n), number) }),
    });
    lines.forEach(({ mark, node }, i) => {
      put(node, {
        x: left,
        y: below + (i + 2) * line,
        text: say(isPhone ? `${mark}_short` : mark),
      });
    });
    put(track, { d: `M${from},${y}h${w}` });
    const on = from + (w * (s.tokens - SHORTEST)) / (LONGEST - SHORTEST);
    for (const node of [knob, hit]) if (node) put(node, { cx: on, cy: y });
    put(told, { x: left, y: y + 5, text: say(isPhone ? "tokens_name_short" : "tokens_name") });
    value(handle, s.tokens, SHORTEST, LONGEST, say("tokens_at"));
  };
}
