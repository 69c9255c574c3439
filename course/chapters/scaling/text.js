// The text that is read: a strip with its trained part, and its end, which is dragged.

import { TARGET, TRAINED } from "./scalings.js";
import { clamp } from "../../page/shapes.js";
import { textX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const SNAP = 7; // pixels
const KEY = 256; // tokens of an arrow key

/** @param {Stage} stage @param {(s: State) => boolean} canRead */
export function buildText(
  { make, put, show, group, slider, grip, value, say, number, state, set, isGuessing },
  canRead,
) {
  const text = group("text");
  const all = make("rect", { rx: 4, height: 10, fill: "var(--wash)" }, text);
  const beyond = make("rect", { height: 10, fill: "var(--new)", opacity: 0.35 }, text);
  const trained = make("rect", { rx: 4, height: 10, fill: "var(--soft)" }, text);
  const trainedText = make("text", { class: "t14 soft halo" }, text);
  const reads = make("text", { class: "t14 soft halo", "text-anchor": "end" }, text);
  /** @type {Room} */
  let room;
  const read = (/** @type {number} */ tokens) => {
    if (!isGuessing()) set({ length: clamp(tokens, TRAINED, TARGET) });
  };
  const pulled = (/** @type {number} */ tokens) => {
    const near = (SNAP * TARGET) / room.ruler.w;
    return (
      [1, 2, 3, 4].map((k) => k * TRAINED).find((at) => Math.abs(at - tokens) < near) ?? tokens
    );
  };
  const end = slider(text, {
    label: say("end_label"),
    keys: (by) => read(state.length + by * KEY),
    move: ([x]) => read(pulled(((x - room.ruler.x) / room.ruler.w) * TARGET)),
  });
  grip(end, { r: 10, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 3.5 });

  return (/** @type {State} */ s, /** @type {Room} */ now) => {
    room = now;
    const { x, y, w } = room.ruler;
    const [from, to] = [textX(room, TRAINED), textX(room, s.length)];
    put(all, { x, y: y - 5, width: w });
    put(trained, { x, y: y - 5, width: from - x });
    put(beyond, { x: from, y: y - 5, width: Math.max(0, to - from) });
    const above = y - (room.isPhone ? 17 : 20); // free of the ring round the text's end
    const name = room.isPhone || s.crowd > 0.5 ? "trained_short" : "trained_on";
    put(trainedText, {
      x,
      y: above,
      text: s.factor > 0.5 || (s.crowd > 0.5 && w < 230) ? "" : say(name),
    });
    const least = from + (room.isPhone ? 100 : 116);
    put(reads, {
      x: s.crowd > 0.5 ? x + w - 14 : room.isPhone ? x + w : clamp(to + 8, least, x + w + 8),
      y: above,
      text: s.length > TRAINED + 40 && s.factor < 0.5 ? say("reads") : "", // A has an axis of lengths
    });
    show(text, 1 - s.clock);
    const can = canRead(s) && !isGuessing();
    put(end, {
      transform: `translate(${to.toFixed(1)} ${y})`,
      tabindex: can ? 0 : -1,
      style: can ? undefined : "pointer-events: none",
    });
    value(end, Math.round(s.length), TRAINED, TARGET, say("tokens", { tokens: number(s.length) }));
    show(end, canRead(s) ? 1 : 0);
  };
}
