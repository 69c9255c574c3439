// Short texts: what each encoding finds, as bars in the rows, each model as a dot, and what it makes of words in reverse.

import { ENCODINGS, LENGTHS, MEASURES, NAMES, along, hasRow, measured } from "./room.js";
import { clamp } from "../../page/shapes.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const NEAR = MEASURES.indexOf("near");
/** Whether a model learned nothing, while others of its encoding did. @param {string} name @param {number} found */
const isLeftOut = (name, found) =>
  ENCODINGS[name].learned > 0 && found < ENCODINGS[name].near.low[0] - 0.01;
/** What the one such model found, per cent. */
export const FAILED = NAMES.flatMap((name) =>
  ENCODINGS[name].each.filter((found) => isLeftOut(name, found)),
)[0];

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
  const each = NAMES.flatMap((name) => ENCODINGS[name].each.map((found) => ({ name, found })));
  const dots = each.map(({ name, found }) => ({
    name,
    found,
    node: make(
      "circle",
      { stroke: "var(--paper)", "stroke-width": 1.5 },
      group(isLeftOut(name, found) ? "dots failed" : "dots"),
    ),
  }));
  const sides = group("sides");
  const head = make("text", { class: "t14" }, sides);
  const told = NAMES.map(() => make("text", { class: "t14" }, sides));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    for (const node of [bars, sides]) show(node, s.bars);
    if (s.bars < 0.02) return;
    const { isPhone, left, name: wide, sides: end } = room;
    const x = left + wide + (isPhone ? 8 : 0);
    const w = end - x - (isPhone ? 50 : 84);
    const tall = room.row * (isPhone ? 0.4 : 0.36);
    put(title, { x: left, y: room.line, text: say(isPhone ? "bars_short" : "bars") });
    put(head, { x: end, y: room.heads, text: say(isPhone ? "sides_short" : "sides") });
    show(head, isGuessing() ? 0 : s.bars);
    const at = clamp(s.length, 0, LENGTHS);
    const isShort = at < 0.05;
    rows.forEach(({ name, back, bar, value }, i) => {
      const has = hasRow(name, Math.round(at));
      const found = has ? along((n) => measured(name, NEAR, n), at) : 0;
      const y = room.rows[i] - tall / 2;
      put(back, { x, y, width: has ? w : 0, height: tall });
      put(bar, { x, y, width: ((w * found) / 100).toFixed(1), height: tall });
      put(value, {
        x: has ? x + w + (isPhone ? 8 : 14) : x,
        y: room.rows[i] + (isPhone ? 4 : 5),
        class: has ? "t14" : "t14 soft",
        text: has ? `${number(found)} %` : say("fails_learned"),
      });
      put(told[i], {
        x: end,
        y: room.rows[i] + (isPhone ? 4 : 5),
        text: say(seen.has(name) ? `sides_${ENCODINGS[name].mirrored}` : "not_known"),
      });
      show(told[i], isGuessing() ? 0 : 1);
    });
    const count = { name: "", at: 0 };
    for (const { name, found, node } of dots) {
      count.at = count.name === name ? count.at + 1 : 0;
      count.name = name;
      put(node, {
        cx: x + (w * found) / 100,
        cy: room.rows[NAMES.indexOf(name)] + (count.at - 1) * tall * 0.55,
        r: isPhone ? 3.2 : 5,
        fill: isLeftOut(name, found) ? "var(--new)" : "var(--soft)",
      });
      show(node, isShort ? s.bars : 0);
    }
  };
}
