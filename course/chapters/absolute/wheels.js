// Digits on wheels that roll, and what is said of each lane beside them.

import { TURN, clamp, mix } from "../../page/shapes.js";
import { digit, rolled } from "../../page/formulas/sinusoids.js";
import { at, speed } from "./model.js";
import { after } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const FACES = [-1, 0, 1, 2]; // digits of a wheel that may be in its window

/** @param {Stage} stage */
export function buildWheels({ make, put, show, group, say, number }) {
  const scene = make("g");
  const wheels = [0, 1, 2].map((i) => {
    const wheel = group("wheels", scene);
    const clip = make("clipPath", { id: `wheel${i}` }, wheel);
    const hole = make("rect", { rx: 10 }, clip);
    const face = make("rect", { rx: 10, fill: "var(--wash)", stroke: "var(--line)" }, wheel);
    const inside = make("g", { "clip-path": `url(#wheel${i})` }, wheel);
    const digits = FACES.map(() => make("text", { "text-anchor": "middle" }, inside));
    const texts = group("", scene);
    const name = make("text", { class: "t14 soft halo" }, texts);
    const next = make("text", { class: "t14 halo", "text-anchor": "end" }, texts);
    return { wheel, hole, face, digits, texts, name, next };
  });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const isStairs = s.smooth < 0.5;
    const isGuess = s.sieve > s.lanes;
    const presence = after(Math.max(s.lanes, s.sieve));
    show(scene, presence);
    if (presence < 0.02) return;
    wheels.forEach(({ wheel, hole, face, digits, texts, name, next }, i) => {
      const { x, y, r } = room.dials[i];
      const lane = room.lanes[2 * i];
      const frame = { x: x - r * 0.66, y: y - r, width: r * 1.32, height: 2 * r };
      put(hole, frame);
      put(face, frame);
      const now = rolled(s.p, i);
      FACES.forEach((k, j) => {
        const face = Math.floor(now) + k;
        const isHere = Math.abs(face - now) < 0.5;
        show(digits[j], Math.abs(face - now) < 0.99 ? 1 : 0);
        put(digits[j], {
          x,
          y: y + (face - now) * r * 1.96 + r * 0.4,
          text: (face + 10) % 10,
          style: `font: 600 ${(r * 1.2).toFixed(0)}px var(--heading); fill: var(--${isHere ? "ink" : "soft"})`,
        });
      });
      show(wheel, (1 - s.smooth) * clamp(2 * s.lanes - 1, 0, 1));
      show(texts, s.sieve > 0.5 ? clamp(s.hands - i, 0, 1) : 1);
      const places = mix(10 ** (i + 1), TURN / speed(i, s), s.real);
      const turn = { places: number(places, s.real > 0.5 ? 1 : 0) };
      const size = room.isPhone ? "_short" : "";
      const above = lane.y - lane.h / 2 - (room.isPhone ? 5 : 10);
      put(name, {
        x: room.left,
        y: above,
        text: isStairs ? say(`digit_${i}`) : say(`turn_in${size}`, turn),
      });
      const jump = digit(at(s) + 1, i) - digit(at(s), i);
      const isFar = isStairs && Math.abs(jump) > 8;
      const sign = jump > 0 ? "+" : "";
      const degrees = (speed(i, s) * 360) / TURN;
      const step = isStairs
        ? sign + number(jump)
        : `${number(degrees, degrees < 1 ? 2 : degrees < 10 ? 1 : 0)}°`;
      put(next, {
        x: room.right,
        y: above,
        text: isGuess ? "" : say(`${isStairs ? "next_digit" : "next_turn"}${size}`, { step }),
        style: isFar ? "fill: var(--new); font-weight: 700" : "fill: var(--soft)",
      });
    });
  };
}
