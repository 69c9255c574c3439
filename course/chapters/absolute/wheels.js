// Digits on wheels that roll, and what is said of each lane beside them.

import { digit, rolled } from "../../page/formulas/sinusoids.js";
import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { TURN, clamp, mix } from "../../page/shapes.js";
import { at, speed } from "./model.js";
import { after } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const FACES = [-1, 0, 1, 2]; // digits of a wheel that may be in its window

/** @param {State} s @param {Room} room @param {Stage} stage */
export function wheels(s, room, stage) {
  const presence = after(Math.max(s.lanes, s.sieve));
  if (presence < 0.02) return "";
  const turning = (1 - s.smooth) * clamp(2 * s.lanes - 1, 0, 1);
  return svg`<g opacity=${presence}>${[0, 1, 2].map((i) => {
    const named = s.sieve > 0.5 ? clamp(s.hands - i, 0, 1) : 1;
    return svg`${mark("wheels", turning, wheel(s, room, i))}${mark("", named, names(s, room, stage, i))}`;
  })}</g>`;
}

/** @param {State} s @param {Room} room @param {number} i */
function wheel(s, room, i) {
  const { x, y, r } = room.dials[i];
  const now = rolled(s.p, i);
  const hole = (/** @type {string} */ look) =>
    svg`<rect rx="10" class=${look} x=${x - r * 0.66} y=${y - r} width=${r * 1.32} height=${2 * r} />`;
  const faces = FACES.map((k) => Math.floor(now) + k).filter((face) => Math.abs(face - now) < 0.99);
  const digitOf = (/** @type {number} */ face) => {
    const colour = Math.abs(face - now) < 0.5 ? "ink" : "soft";
    const style = `font: 600 ${(r * 1.2).toFixed(0)}px var(--heading); fill: var(--${colour})`;
    return svg`<text class="middle" style=${style} x=${x} y=${y + (face - now) * r * 1.96 + r * 0.4}>${(face + 10) % 10}</text>`;
  };
  return svg`<clipPath id=${`wheel${i}`}>${hole("")}</clipPath>${hole("wheel")}
    <g clip-path=${`url(#wheel${i})`}>${faces.map(digitOf)}</g>`;
}

/** What is said of a lane. @param {State} s @param {Room} room @param {Stage} stage @param {number} i */
function names(s, room, { say, number }, i) {
  const isStairs = s.smooth < 0.5;
  const lane = room.lanes[2 * i];
  const size = room.isPhone ? "_short" : "";
  const y = lane.y - lane.h / 2 - (room.isPhone ? 5 : 10);
  const places = mix(10 ** (i + 1), TURN / speed(i, s), s.real);
  const turn = { places: number(places, s.real > 0.5 ? 1 : 0) };
  const jump = digit(at(s) + 1, i) - digit(at(s), i);
  const isFar = isStairs && Math.abs(jump) > 8;
  const degrees = (speed(i, s) * 360) / TURN;
  const step = isStairs
    ? (jump > 0 ? "+" : "") + number(jump)
    : `${number(degrees, degrees < 1 ? 2 : degrees < 10 ? 1 : 0)}°`;
  const next = say(`${isStairs ? "next_digit" : "next_turn"}${size}`, { step });
  return svg`
    <text class="t14 soft halo" x=${room.left} y=${y}>${isStairs ? say(`digit_${i}`) : say(`${s.sieve > 0.5 ? "tip" : "turn_in"}${size}`, turn)}</text>
    ${s.sieve > s.lanes ? "" : svg`<text class=${`t14 halo end ${isFar ? "new heavy" : "soft"}`} x=${room.right} y=${y}>${next}</text>`}`;
}
