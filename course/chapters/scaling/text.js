// The text that is read: a strip with its trained part, and its end, which is dragged.

import { TARGET, TRAINED } from "./scalings.js";
import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, seen } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { textX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const SNAP = 7; // pixels
const KEY = 256; // tokens of an arrow key

/** @param {State} s @param {Room} room @param {Stage} stage @param {boolean} canRead @param {number} most Tokens that a hand can read. */
export function text(s, room, stage, canRead, most) {
  const { say, number, set, handle } = stage;
  const { isPhone } = room;
  const { x, y, w } = room.ruler;
  const read = (/** @type {number} */ tokens) => set({ length: clamp(tokens, TRAINED, most) });
  const pulled = (/** @type {number} */ tokens) => {
    const near = (SNAP * TARGET) / w;
    return (
      [1, 2, 3, 4].map((k) => k * TRAINED).find((at) => Math.abs(at - tokens) < near) ?? tokens
    );
  };
  const end = handle({
    label: say("end_label"),
    now: Math.round(s.length),
    min: TRAINED,
    max: most,
    text: say("tokens", { tokens: number(s.length) }),
    keys: (by) => read(s.length + by * KEY),
    move: ([px]) => read(pulled(((px - x) / w) * TARGET)),
  });
  const [from, to] = [textX(room, TRAINED), textX(room, s.length)];
  const above = y - (isPhone ? 17 : 20); // free of the ring round the text's end
  const name = isPhone || s.crowd > 0.5 ? "trained_short" : "trained_on";
  const isNamed = s.factor <= 0.5 && !(s.crowd > 0.5 && w < 230);
  const readsAt = clamp(to + 8, from + (isPhone ? 100 : 116), x + w + 8);
  const reads = s.crowd > 0.5 ? x + w - 14 : isPhone ? x + w : readsAt;
  const knob = grip({ r: 10, fill: "var(--paper)", stroke: "var(--ink)", width: 3.5 });
  return mark(
    "text",
    1 - s.clock,
    svg`<rect rx="4" height="10" fill="var(--wash)" x=${x} y=${y - 5} width=${w} />
      <rect height="10" fill="var(--new)" opacity="0.35" x=${from} y=${y - 5} width=${Math.max(0, to - from)} />
      <rect rx="4" height="10" fill="var(--soft)" x=${x} y=${y - 5} width=${from - x} />
      ${isNamed ? svg`<text class="t14 soft halo" x=${x} y=${above}>${say(name)}</text>` : ""}
      ${/* A has an axis of lengths */ s.length > TRAINED + 40 && s.factor < 0.5 ? svg`<text class="t14 soft halo end" x=${reads} y=${above}>${say("reads")}</text>` : ""}
      ${seen(Number(canRead), svg`<g ${end} transform=${moved(to, y)}>${knob}</g>`)}`,
  );
}
