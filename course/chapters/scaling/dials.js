// Eight of the dials under their beads: what training showed, what is new, one word on, and the
// text as each of them reads it.

import { SPEEDS, TARGET, TRAINED, TURNS, isNew, level, slowed, unseen } from "./scalings.js";
import { TURN, clamp, degrees, mix, pie, round, xy } from "../../page/shapes.js";
import { SHOWN, TWO, dialX, levelY, pairX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const NAMED = 164; // pixels: a strip that is long enough for its name

/** @param {Stage} stage */
export function buildDials({ make, put, show, group, say, number }) {
  const all = group("dials");
  const hairs = make("path", { stroke: "var(--line)", fill: "none" }, all);
  const dials = SHOWN.map((i) => {
    const part = (
      /** @type {string} */ marks,
      /** @type {import("../../page/types").Attributes} */ attributes,
    ) => make("path", attributes, group(marks));
    return {
      i,
      seen: part("dials shown", { fill: "color-mix(in oklab, var(--soft) 18%, var(--paper))" }),
      fresh: part("dials new", { fill: "var(--new)", opacity: 0.55 }),
      rim: part("dials", { fill: "none", stroke: "var(--line)", "stroke-width": 1.5 }),
      then: part("dials near", {
        fill: "none",
        stroke: "var(--soft)",
        "stroke-width": 1.5,
        "stroke-dasharray": "3 3",
      }),
      now: part("dials near", { fill: "var(--near)", opacity: 0.6 }),
      hand: part("dials", {
        stroke: "var(--ink)",
        "stroke-width": 2.5,
        fill: "none",
        "stroke-linecap": "round",
      }),
      strip: part("dials strips", { fill: "var(--wash)" }),
      grey: part("dials strips", { fill: "var(--soft)" }),
      red: part("dials strips new", { fill: "var(--new)" }),
      marks: part("dials strips", { stroke: "var(--ink)", "stroke-width": 1.5 }),
      strips: make(
        "text",
        { class: "t12 soft" },
        group("strips"),
        TWO.includes(i) ? say("strip") : "",
      ),
      text: make("text", { class: "t12" }, group("dials")),
    };
  });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone } = room;
    const { y, r, step, on } = room.dials;
    const stays =
      clamp(1 - 2 * s.crowd, 0, 1) * clamp(2 * on - 1, 0, 1) * (1 - Math.max(s.table, s.clock));
    const lies = (/** @type {number} */ i) =>
      y + (SHOWN.indexOf(i) % 2) * step + room.leaves * (room.height - y + 2 * r);
    const from = levelY(room, 0) + (isPhone ? 38 : 46);
    const hair = (/** @type {number} */ i) =>
      `M${pairX(room, i).toFixed(1)},${from}L${dialX(room, i).toFixed(1)},${(lies(i) - r).toFixed(1)}`;
    put(hairs, { d: y - r > from + 4 && s.two < 0.5 ? SHOWN.map(hair).join("") : "" });
    show(all, stays);
    for (const { i, text, strips, ...parts } of dials) {
      const cell = room.dials.two[TWO.indexOf(i)];
      const own = dialX(room, i);
      const c = { x: cell ? mix(own, cell.x + r, s.two) : own, y: lies(i), r };
      const here = cell ? stays : stays * (1 - s.two);
      const slow = slowed(s.u[i]);
      const shown = Math.min(TURN, (TRAINED - 1) * SPEEDS[i]);
      const isRed = isNew(i, slow, s.length);
      const one = SPEEDS[i] / slow;
      put(parts.rim, { d: pie(c, r, 0, TURN).replace(/^M[^L]*L/, "M") });
      put(parts.seen, { d: pie(c, r, 0, shown) });
      put(parts.fresh, { d: isRed ? pie(c, r, shown, unseen(i, slow, s.length)) : "" });
      put(parts.then, {
        d: SPEEDS[i] > 0.05 ? `M${xy([c.x, c.y])}L${xy(round(c, r, SPEEDS[i]))}` : "",
      });
      put(parts.now, {
        d: pie(c, r * 0.86, 0, one),
        opacity: clamp(level(slow) * 1.2, 0, 0.75).toFixed(2),
      });
      put(parts.hand, { d: `M${xy(round(c, r, 0))}L${xy([c.x, c.y])}L${xy(round(c, r, one))}` });
      // The text as a large dial reads it, at its right: its marks squeezed as it is slowed.
      const gap = isPhone ? 10 : 18;
      const left = c.x + r + gap;
      const wide = Math.max(0, (cell?.w ?? 0) - 2 * r - 2 * gap);
      const top = c.y + r - (isPhone ? 8 : 14);
      const high = isPhone ? 8 : 11;
      put(strips, { x: left, y: top - 9 });
      const at = (/** @type {number} */ tokens) => (Math.min(tokens, TARGET) / TARGET) * wide;
      const read = s.length / slow;
      const border = isRed ? Math.min(read, TRAINED) : read;
      const box = (/** @type {number} */ x, /** @type {number} */ w) =>
        `M${(left + x).toFixed(1)},${top.toFixed(1)}h${w.toFixed(1)}v${high.toFixed(1)}h${(-w).toFixed(1)}Z`;
      put(parts.strip, { d: box(0, wide) });
      put(parts.grey, { d: box(0, at(border)) });
      put(parts.red, { d: isRed ? box(at(border), at(read) - at(border)) : "" });
      const count = Math.floor(s.length / TRAINED + 1e-6);
      const ticks = Array.from({ length: count }, (_, k) => at(((k + 1) * TRAINED) / slow));
      put(parts.marks, {
        d: ticks
          .map((x) => `M${(left + x).toFixed(1)},${(top - 3).toFixed(1)}v${(high + 6).toFixed(1)}`)
          .join(""),
      });
      const turns = number(TURNS[i], TURNS[i] < 10 ? (TURNS[i] < 0.1 ? 2 : 1) : 0);
      const isLeft = isPhone && s.two > 0.5;
      put(text, {
        x: isLeft ? c.x - r : c.x,
        "text-anchor": isLeft ? "start" : "middle",
        y: c.y + r + (isPhone ? 13 : 17),
        text:
          s.open < 0.5
            ? say(isPhone ? "turns_short" : "turns", { turns })
            : say(s.two < 0.5 ? "slowed_by" : i ? "slow_by" : "fast_by", {
                times: number(slow, slow < 1.005 || slow > 3.995 ? 0 : 1),
                degrees: number(degrees(one)),
              }),
      });
      for (const node of Object.values(parts)) show(/** @type {Element} */ (node.parentNode), here);
      const isOpen = s.open * here;
      for (const node of [parts.then, parts.hand])
        show(/** @type {Element} */ (node.parentNode), isOpen);
      for (const node of [parts.strip, parts.grey, parts.red, parts.marks])
        show(/** @type {Element} */ (node.parentNode), isOpen * s.two);
      show(strips, wide < NAMED ? 0 : isOpen * s.two);
      show(/** @type {Element} */ (text.parentNode), here);
    }
  };
}
