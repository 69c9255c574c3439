// The text as a ribbon: what the model was trained on, the reader, the window, the end of the text.

import { clamp, mix } from "../../page/shapes.js";
import { BLOCK, LENGTH, LONGEST, TRAINED, across, keysY, tokensAt } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const HEIGHT = 16;
const TICKS = [0, TRAINED, 2 * TRAINED, 4 * TRAINED];
/** Lengths of texts with keys. */
export const LENGTHS = [TRAINED, LENGTH, LONGEST];

/** Where the window ends: at the reader, or with the text. @param {State} s */
const windowEnd = (s) => mix(s.reader, s.length, s.keys);

/** @param {Stage} stage */
export function buildRibbon({
  make,
  put,
  show,
  group,
  slider,
  grip,
  value,
  say,
  number,
  state,
  set,
  isGuessing,
  svg,
}) {
  const text = group("text");
  const all = make(
    "rect",
    { rx: 4, height: HEIGHT, fill: "var(--wash)", stroke: "var(--line)" },
    text,
  );
  const trained = make("rect", { rx: 4, height: HEIGHT, fill: "var(--soft)" }, text);
  const edge = make("line", { stroke: "var(--line)", "stroke-dasharray": "3 4" }, text);
  const ticks = TICKS.map(() => make("text", { class: "t14 soft" }, text));
  const names = [
    make("text", { class: "t14 soft" }, text),
    make("text", { class: "t14 soft", "text-anchor": "end" }, text),
  ];
  const sight = group("window");
  const veil = make("rect", { height: HEIGHT + 2, fill: "var(--paper)", opacity: 0.72 }, sight);
  const frame = make(
    "rect",
    { rx: 5, height: HEIGHT + 8, fill: "none", stroke: "var(--ink)", "stroke-width": 2.5 },
    sight,
  );
  /** @type {Room} */
  let room;

  const read = (/** @type {number} */ token) => {
    if (!isGuessing()) set({ reader: clamp(token, 1, LENGTH) });
  };
  const reader = handle(group("reader"), "reader_label", {
    keys: (by) => read(Math.round(state.reader / 256) * 256 + by * 256),
    move: ([px]) => read(tokensAt(room, state, px)),
  });
  const plumb = make("line", { stroke: "var(--soft)", "stroke-dasharray": "2 4" }, group("reader"));
  const place = make("text", { class: "t14 halo", "text-anchor": "middle" }, group("reader"));
  svg.append(/** @type {Element} */ (reader.parentNode));

  const end = handle(group("text"), "end_label", {
    keys: (by) => {
      const at = LENGTHS.indexOf(nearest(state.length));
      set({ length: LENGTHS[clamp(at + by, 0, LENGTHS.length - 1)] });
    },
    move: ([px]) => set({ length: nearest(tokensAt(room, state, px)) }),
  });

  /** @param {Element} parent @param {string} label @param {{ keys: (by: number) => void, move: (at: [number, number]) => void }} hand */
  function handle(parent, label, { keys, move }) {
    const node = slider(parent, { label: say(label), keys, move });
    grip(node, { r: 10, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 3.5 });
    return node;
  }

  return (/** @type {State} */ s, /** @type {Room} */ now) => {
    room = now;
    const { isPhone, x, ribbon, top } = room;
    const far = 1 - Math.max(s.near, s.each);
    const y = ribbon - HEIGHT / 2;
    const [mid, last] = [across(room, s, TRAINED), across(room, s, s.length)];
    show(text, far);
    put(all, { x, y, width: last - x });
    put(trained, { x, y, width: Math.min(mid, last) - x });
    put(edge, { x1: mid, x2: mid, y1: mix(top, y, s.keys), y2: y });
    const at = across(room, s, s.reader);
    const under = ribbon + (isPhone ? 27 : 34);
    ticks.forEach((node, i) => {
      const px = across(room, s, TICKS[i]);
      const isFree = s.reads < 0.5 || Math.abs(px - at) > 56;
      const isIn = TICKS[i] <= Math.max(s.span, s.length) * 1.01 && TICKS[i] <= s.span * 1.01;
      put(node, {
        x: px,
        y: under,
        text: isIn && isFree ? number(TICKS[i]) : "",
        "text-anchor": i === 0 ? "start" : px > x + room.w - 30 ? "end" : "middle",
      });
    });
    put(names[0], { x, y: ribbon + 56, text: isPhone ? "" : say("trained") });
    put(names[1], { x: x + room.w, y: ribbon + 56, text: isPhone ? "" : say("beyond") });

    const stop = windowEnd(s);
    const from = across(room, s, Math.max(0, stop - TRAINED));
    const to = across(room, s, stop);
    show(sight, s.frame * far);
    const up = (y - keysY(room, 0) + room.row / 2 - 4) * s.keys; // the keys are within it too
    put(veil, { x: x - 1, y: y - 1, width: Math.max(0, from - x) });
    put(frame, {
      x: from - 2,
      y: y - 4 - up,
      width: Math.max(0, to - from) + 4,
      height: HEIGHT + 8 + up,
    });

    const readable = s.reads * far;
    for (const node of [reader, plumb, place])
      show(/** @type {Element} */ (node.parentNode), readable);
    put(reader, {
      transform: `translate(${at.toFixed(1)} ${ribbon})`,
      tabindex: canMove(s) ? 0 : -1,
      style: canMove(s) ? undefined : "pointer-events: none",
    });
    put(plumb, { x1: at, x2: at, y1: top, y2: ribbon - 14 });
    put(place, { x: clamp(at, x + 20, x + room.w - 20), y: under, text: say("token") });
    value(reader, Math.round(s.reader), 1, LENGTH, say("token_is"));

    show(end, s.end * far);
    const isFree = s.end > 0.5 && !isGuessing();
    put(end, {
      transform: `translate(${last.toFixed(1)} ${ribbon})`,
      tabindex: isFree ? 0 : -1,
      style: isFree ? undefined : "pointer-events: none",
    });
    value(end, s.length, TRAINED, LONGEST, say("length_is"));
  };

  /** @param {State} s */
  function canMove(s) {
    return s.reads > 0.5 && !isGuessing();
  }
}

/** @param {number} tokens */
export const nearest = (tokens) =>
  LENGTHS.reduce((best, one) => (Math.abs(one - tokens) < Math.abs(best - tokens) ? one : best));

/** The middle of a token's thousand, to put the reader there. @param {number} block */
export const middleOf = (block) => (block + 0.5) * BLOCK;
