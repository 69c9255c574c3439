// Two neighbouring dials as the hands of one clock, and the nearest place where training had the short one.

import { handsAt } from "../scalings.js";
import { clamp, degrees, mix, pie, round, xy } from "../shapes.js";
import { slows } from "./tests.js";

/** @typedef {import("../types").Stage} Stage */
/** @typedef {import("../types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** The first of the two dials. */
export const LONG = 18;
const SHORT = 0.66; // of the long hand's length

/** @param {State} s */
export const hands = (s) => handsAt(LONG, slows(s), s.length);
/** Degrees by which the short hand is off. @param {State} s */
export const offBy = (s) => Math.abs(degrees(hands(s).off));

/** Whether the hands are as far off as a task asks. @param {State} s */
export const isSquare = (s) => Math.abs(offBy(s) - 90) < 8;

/** @param {Stage} stage */
export function buildPair({ make, put, show, group, say, number }) {
  const clock = group("hands");
  const rim = make("circle", { fill: "none", stroke: "var(--line)", "stroke-width": 1.5 }, clock);
  const off = group("off");
  const wedge = make("path", { fill: "var(--new)", opacity: 0.4 }, off);
  const corner = make("path", { fill: "none", stroke: "var(--new)", "stroke-width": 2.5 }, off);
  const big = make("text", { class: "big new" }, off);
  const track = group("track");
  const faint = make(
    "path",
    { stroke: "var(--soft)", "stroke-width": 5, "stroke-dasharray": "3 5", fill: "none" },
    track,
  );
  const all = group("hands");
  const short = make(
    "path",
    { stroke: "var(--ink)", "stroke-width": 7, "stroke-linecap": "round", fill: "none" },
    all,
  );
  const long = make(
    "path",
    { stroke: "var(--ink)", "stroke-width": 3, "stroke-linecap": "round", fill: "none" },
    all,
  );
  const names = { off, long: all, short: all, faint: track };
  const says = Object.entries(names).map(([name, parent]) => ({
    name,
    node: make("text", {}, parent),
  }));

  return (/** @type {State} */ s, /** @type {Room} */ { isPhone, width, clock: c }) => {
    const stays = s.clock * clamp(1 - 2 * s.crowd, 0, 1);
    for (const node of [clock, off, track, all]) show(node, stays);
    if (stays < 0.02) return;
    const now = hands(s);
    const hand = (/** @type {number} */ angle, /** @type {number} */ part) =>
      `M${xy([c.x, c.y])}L${xy(round(c, c.r * part, angle))}`;
    put(rim, { cx: c.x, cy: c.y, r: c.r });
    put(long, { d: hand(now.long, 0.94) });
    put(short, { d: hand(now.short, SHORT) });
    put(faint, { d: hand(now.short - now.off, SHORT) });
    put(wedge, { d: pie(c, c.r * SHORT, now.short - now.off, now.off) });
    const side = c.r * 0.14;
    const [from, far, to] = [
      round(c, side, now.short - now.off),
      round(c, side * Math.SQRT2, now.short - now.off / 2),
      round(c, side, now.short),
    ];
    put(corner, { d: isSquare(s) ? `M${xy(from)}L${xy(far)}L${xy(to)}` : "" });
    const isTight = width < 720;
    const x = c.x + c.r + mix(isPhone ? 14 : isTight ? 20 : 44, isPhone ? 14 : 24, s.knees);
    const step = isPhone ? 17 : mix(28, 22, s.knees);
    const y = c.y - (isPhone ? 30 : mix(34, 28, s.knees));
    put(big, { x, y, text: say("degrees", { degrees: number(offBy(s)) }) });
    says.forEach(({ name, node }, k) => {
      const dial = number(LONG + (name === "long" ? 1 : 2));
      const text = say(isTight ? `hand_${name}_short` : `hand_${name}`, { dial });
      put(node, {
        x,
        y: y + (isPhone ? 2 : 6) + (k + 1) * step,
        class: isPhone ? "t12" : "t14",
        text,
      });
    });
  };
}
