// The last step: what each encoding finds, as bars in the table's rows, and what it makes of words in reverse.

import {
  ENCODINGS,
  LENGTHS,
  MEASURES,
  NAMES,
  along,
  hasRow,
  isMeasured,
  measured,
} from "./room.js";
import { clamp } from "../../page/shapes.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const NEAR = MEASURES.indexOf("near");

/** @param {Stage} stage */
export function buildBars({ make, put, show, group, say, seen, number, isGuessing }) {
  const bars = group("bars");
  const title = make("text", {}, bars);
  const rows = NAMES.map((name) => ({
    name,
    back: make("rect", { fill: "var(--line)", opacity: 0.5, rx: 2 }, bars),
    bar: make("rect", { fill: "var(--ink)", rx: 2 }, bars),
    value: make("text", { class: "t14" }, bars),
  }));
  const sides = group("sides");
  const head = make("text", { class: "t14" }, sides);
  const told = NAMES.map(() => make("text", { class: "t14" }, sides));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    for (const node of [bars, sides]) show(node, s.bars);
    if (s.bars < 0.02) return;
    const { isPhone, left, name: wide, columns } = room;
    const x = left + wide + (isPhone ? 8 : 0);
    const w = columns.fails - x - (isPhone ? 50 : 84);
    const tall = room.row * (isPhone ? 0.4 : 0.36);
    put(title, { x: left, y: room.line, text: say(isPhone ? "bars_short" : "bars") });
    put(head, { x: columns.fails, y: room.heads, text: say(isPhone ? "sides_short" : "sides") });
    show(head, isGuessing() ? 0 : s.bars);
    rows.forEach(({ name, back, bar, value }, i) => {
      const at = clamp(s.length, 0, LENGTHS);
      const is = isMeasured(name) && hasRow(name, Math.round(at));
      const found = is ? along((n) => measured(name, NEAR, n), at) : 0;
      const y = room.rows[i] - tall / 2;
      put(back, { x, y, width: is ? w : 0, height: tall });
      put(bar, { x, y, width: ((w * found) / 100).toFixed(1), height: tall });
      put(value, {
        x: is ? x + w + 8 : x,
        y: room.rows[i] + (isPhone ? 4 : 5),
        class: is ? "t14" : "t14 soft",
        text: is ? `${number(found)} %` : say(isMeasured(name) ? "fails_learned" : "not_measured"),
      });
      put(told[i], {
        x: columns.fails,
        y: room.rows[i] + (isPhone ? 4 : 5),
        text: say(seen.has(name) ? `sides_${ENCODINGS[name].mirrored}` : "not_known"),
      });
      show(told[i], isGuessing() ? 0 : 1);
    });
  };
}
