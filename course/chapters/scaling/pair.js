// Two neighbouring dials as the hands of one clock, and a map of all that the two can show together:
// where training had them, where they are now, and how far that is from the nearest place of training.

import { SPEEDS, TURNS, handsAt } from "./scalings.js";
import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
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

/** @param {State} s @param {Room} room @param {Stage} stage */
export function pair(s, { isPhone, clock: c, map: m }, { say, number }) {
  const stays = s.clock * clamp(1 - 2 * s.crowd, 0, 1);
  if (stays < 0.02) return "";
  const now = hands(s);
  const hand = (/** @type {number} */ angle, /** @type {number} */ length) =>
    `M${xy([c.x, c.y])}L${xy(round(c, c.r * length, angle))}`;
  const css = isPhone ? "t12" : "t14";
  // The map: further right the long hand has turned further, higher the short one.
  const at = (/** @type {number} */ wide, /** @type {number} */ high) =>
    /** @type {[number, number]} */ ([m.x + wide * m.side, m.y + (1 - high) * m.side]);
  const speeds = [SPEEDS[LONG], SPEEDS[LONG + 1]];
  const slow = slows(s);
  const slowed = speeds.map((speed, k) => speed / slow[LONG + k]);
  const [px, py] = at(part(now.long), part(now.short));
  // Over the upper edge it goes on at the lower one.
  const low = part(now.short) - now.off / TURN;
  const gap = [0, 1, -1]
    .map((k) => [part(now.short) + k, low + k].map((y) => clamp(y, 0, 1)))
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => `M${xy(at(part(now.long), a))}L${xy(at(part(now.long), b))}`);
  return svg`
    ${mark("hands", stays, svg`<circle class="line" stroke-width="1.5" cx=${c.x} cy=${c.y} r=${c.r} />`)}
    ${mark(
      "map",
      stays,
      svg`<rect class="line" stroke-width="1.5" x=${m.x} y=${m.y} width=${m.side} height=${m.side} />
        <text class=${`soft ${css}`} x=${m.x} y=${m.y + m.side + (isPhone ? 15 : 20)}>${say("map_long")}</text>
        <text class=${`soft ${css}`} transform=${`translate(${m.x - (isPhone ? 5 : 9)} ${m.y + m.side}) rotate(-90)`}>${say("map_short")}</text>`,
    )}
    ${mark(
      "track",
      stays,
      svg`<path fill="none" stroke="var(--soft)" stroke-width="6" opacity="0.4" d=${way(speeds, WHOLE, at)} />
        <text class=${`soft ${css}`} x=${m.big.x} y=${m.y + (isPhone ? 9 : 14)}>${say("map_trained")}</text>`,
    )}
    ${mark("map", stays, svg`<path fill="none" stroke="var(--ink)" stroke-width="1.5" d=${way(slowed, Math.max(1, s.length), at)} />`)}
    ${mark(
      "off",
      stays,
      svg`<path fill="none" stroke="var(--new)" stroke-width="3" d=${gap.join("")} />
        <circle r="7" fill="var(--ink)" stroke="var(--paper)" stroke-width="2" cx=${px} cy=${py} />
        <path fill="var(--new)" opacity="0.4" d=${pie(c, c.r * SHORT, now.short - now.off, now.off)} />
        <text class="big new" x=${m.big.x} y=${m.big.y}>${say("degrees", { degrees: number(offBy(s)) })}</text>
        <text class=${css} x=${m.big.x} y=${m.big.y + (isPhone ? 18 : 26)}>${say("hand_off")}</text>
        <text class=${css} x=${m.big.x} y=${m.big.y + (isPhone ? 34 : 46)}>${say("back")}</text>`,
    )}
    ${mark("track", stays, svg`<path fill="none" stroke="var(--soft)" stroke-width="5" stroke-dasharray="3 5" d=${hand(now.short - now.off, SHORT)} />`)}
    ${mark(
      "hands",
      stays,
      svg`<path class="hand" fill="none" stroke-width="7" d=${hand(now.short, SHORT)} />
        <path class="hand" fill="none" stroke-width="3" d=${hand(now.long, 0.94)} />`,
    )}`;
}
