// Two neighbouring dials as the hands of one clock, and a map of all that the two can show together:
// where training had them, where they are now, and how far that is from the nearest place of training.

import { SPEEDS, TURNS, handsAt } from "./scalings.js";
import { TURN, clamp, degrees, pie, round, xy } from "../../page/shapes.js";
import { slows } from "./tests.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** The first of the two dials. */
export const LONG = 18;
/** Tokens of training in which it came round; the hundredth of a turn that is left would be a tick. */
const WHOLE = (TURN * Math.floor(TURNS[LONG])) / SPEEDS[LONG];
const SHORT = 0.66; // of the long hand's length

/** @param {State} s */
export const hands = (s) => handsAt(LONG, slows(s), s.length);
/** Degrees by which the short hand is off. @param {State} s */
export const offBy = (s) => Math.abs(degrees(hands(s).off));

/** An angle as a part of its turn. @param {number} angle */
const part = (angle) => angle / TURN - Math.floor(angle / TURN);

/**
 * The way of two hands over the map, from edge to edge.
 * @param {number[]} speeds Of the long and the short one, radians a word.
 * @param {number} length Words back.
 * @param {(long: number, short: number) => [number, number]} at
 */
export function way(speeds, length, at) {
  const turned = speeds.flatMap((speed) =>
    Array.from({ length: Math.floor((length * speed) / TURN) }, (_, k) => ((k + 1) * TURN) / speed),
  );
  const stops = [0, ...turned.sort((a, b) => a - b), length];
  return stops
    .slice(1)
    .map((to, k) => {
      const [wide, high] = speeds.map((speed) => Math.floor((speed * (stops[k] + to)) / 2 / TURN));
      const ends = [stops[k], to].map((words) =>
        xy(at((words * speeds[0]) / TURN - wide, (words * speeds[1]) / TURN - high)),
      );
      return `M${ends.join("L")}`;
    })
    .join("");
}

/** @param {Stage} stage */
export function buildPair({ make, put, show, group, say, number }) {
  const clock = group("hands");
  const rim = make("circle", { fill: "none", stroke: "var(--line)", "stroke-width": 1.5 }, clock);
  const map = group("map");
  const plate = make("rect", { fill: "none", stroke: "var(--line)", "stroke-width": 1.5 }, map);
  const axes = ["map_long", "map_short"].map(() => make("text", { class: "soft" }, map));
  const then = group("track");
  const trained = make(
    "path",
    { fill: "none", stroke: "var(--soft)", "stroke-width": 6, opacity: 0.4 },
    then,
  );
  const trainedName = make("text", {}, then);
  const here = group("map");
  const gone = make("path", { fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 }, here);
  const off = group("off");
  const gap = make("path", { fill: "none", stroke: "var(--new)", "stroke-width": 3 }, off);
  const point = make(
    "circle",
    { r: 7, fill: "var(--ink)", stroke: "var(--paper)", "stroke-width": 2 },
    off,
  );
  const wedge = make("path", { fill: "var(--new)", opacity: 0.4 }, off);
  const big = make("text", { class: "big new" }, off);
  const offName = make("text", {}, off);
  const offAt = make("text", {}, off);
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

  return (/** @type {State} */ s, /** @type {Room} */ { isPhone, clock: c, map: m }) => {
    const stays = s.clock * clamp(1 - 2 * s.crowd, 0, 1);
    for (const node of [clock, map, then, here, off, track, all]) show(node, stays);
    if (stays < 0.02) return;
    const now = hands(s);
    const hand = (/** @type {number} */ angle, /** @type {number} */ length) =>
      `M${xy([c.x, c.y])}L${xy(round(c, c.r * length, angle))}`;
    put(rim, { cx: c.x, cy: c.y, r: c.r });
    put(long, { d: hand(now.long, 0.94) });
    put(short, { d: hand(now.short, SHORT) });
    put(faint, { d: hand(now.short - now.off, SHORT) });
    put(wedge, { d: pie(c, c.r * SHORT, now.short - now.off, now.off) });
    const css = isPhone ? "t12" : "t14";
    put(big, { ...m.big, text: say("degrees", { degrees: number(offBy(s)) }) });
    put(offName, {
      x: m.big.x,
      y: m.big.y + (isPhone ? 18 : 26),
      class: css,
      text: say("hand_off"),
    });
    put(offAt, {
      x: m.big.x,
      y: m.big.y + (isPhone ? 34 : 46),
      class: css,
      text: say("back"),
    });

    // The map: further right the long hand has turned further, higher the short one.
    const at = (/** @type {number} */ wide, /** @type {number} */ high) =>
      /** @type {[number, number]} */ ([m.x + wide * m.side, m.y + (1 - high) * m.side]);
    put(plate, { x: m.x, y: m.y, width: m.side, height: m.side });
    const speeds = [SPEEDS[LONG], SPEEDS[LONG + 1]];
    const slow = slows(s);
    put(trained, { d: way(speeds, WHOLE, at) });
    const slowed = speeds.map((speed, k) => speed / slow[LONG + k]);
    put(gone, { d: way(slowed, Math.max(1, s.length), at) });
    const [px, py] = at(part(now.long), part(now.short));
    put(point, { cx: px.toFixed(1), cy: py.toFixed(1) });
    // Over the upper edge it goes on at the lower one.
    const low = part(now.short) - now.off / TURN;
    const pieces = [0, 1, -1].map((k) => [part(now.short) + k, low + k].map((y) => clamp(y, 0, 1)));
    put(gap, {
      d: pieces
        .filter(([a, b]) => a !== b)
        .map(([a, b]) => `M${xy(at(part(now.long), a))}L${xy(at(part(now.long), b))}`)
        .join(""),
    });
    put(axes[0], {
      x: m.x,
      y: m.y + m.side + (isPhone ? 15 : 20),
      class: `soft ${css}`,
      text: say("map_long"),
    });
    put(axes[1], {
      transform: `translate(${m.x - (isPhone ? 5 : 9)} ${m.y + m.side}) rotate(-90)`,
      class: `soft ${css}`,
      text: say("map_short"),
    });
    put(trainedName, {
      x: m.big.x,
      y: m.y + (isPhone ? 9 : 14),
      class: `soft ${css}`,
      text: say("map_trained"),
    });
  };
}
