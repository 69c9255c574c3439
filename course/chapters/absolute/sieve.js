// Which places a hidden hand leaves: light that falls through the lanes, one hand after the other.

import { clamp } from "../../page/shapes.js";
import { apart } from "../../page/formulas/sinusoids.js";
import { HIDDEN, SPEEDS, TELL, fitting } from "./model.js";
import { PLACES, after, placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const HANDS = [0, 1, 2];
const MOST_NAMED = 3; // places whose numbers fit

/** @param {Stage} stage */
export function buildSieve({ make, put, show, group, say, number }) {
  const scene = make("g");
  const found = group("left", scene);
  const bars = HANDS.map(() => ({
    out: make("path", { fill: "var(--ink)", "fill-opacity": 0.28 }, found),
    in: make("path", { fill: "var(--ink)" }, found),
  }));
  const rays = make("path", { stroke: "var(--soft)", fill: "none" }, found);
  const strip = make("path", { fill: "var(--ink)" }, found);
  const names = Array.from({ length: MOST_NAMED }, () =>
    make("text", { class: "t12", "text-anchor": "middle", style: "font-weight:600" }, found),
  );
  const count = make("text", { class: "big", "text-anchor": "end" }, found);
  const countText = make("text", { "text-anchor": "end" }, found);

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = after(s.sieve);
    show(scene, presence);
    if (presence < 0.02) return;
    const { left, bottom, foot, isPhone } = room;
    const w = placeX(room, 1) - placeX(room, 0);
    const bar = (/** @type {number} */ place, /** @type {number} */ y, /** @type {number} */ h) =>
      `M${(placeX(room, place) - w * 0.42).toFixed(1)},${y.toFixed(1)}h${(w * 0.84).toFixed(1)}v${h.toFixed(1)}h${(-w * 0.84).toFixed(1)}Z`;
    HANDS.forEach((i) => {
      const lane = room.lanes[2 * i];
      const kept = new Set(fitting(i + 1));
      const fits = Array.from({ length: PLACES }, (_, place) => place).filter(
        (place) => place < s.sweep && apart(place * SPEEDS[i], HIDDEN * SPEEDS[i]) <= TELL,
      );
      const drawn = (/** @type {boolean} */ isIn) =>
        fits
          .filter((place) => kept.has(place) === isIn)
          .map((place) => bar(place, lane.y - lane.h * 0.42, lane.h * 0.84))
          .join("");
      put(bars[i].in, { d: drawn(true) });
      put(bars[i].out, { d: drawn(false) });
      const on = clamp(s.hands - i, 0, 1);
      show(bars[i].in, on);
      show(bars[i].out, on);
    });
    const hands = Math.round(s.hands);
    const fits = fitting(hands);
    const stays = Array.from({ length: PLACES }, (_, place) => place).filter(
      (place) => place >= s.sweep || fits.includes(place),
    );
    const y = foot + (isPhone ? 12 : 18);
    const h = bottom - y - (isPhone ? 14 : 20);
    const lane = room.lanes[2 * (hands - 1)];
    const from = lane.y + lane.h * 0.42;
    put(rays, {
      d: fits
        .filter((place) => place < s.sweep)
        .map((place) => `M${placeX(room, place).toFixed(1)},${from.toFixed(1)}V${y}`)
        .join(""),
    });
    put(strip, { d: stays.map((place) => bar(place, y, h)).join("") });
    names.forEach((name, i) => {
      const place = stays[i] ?? 0;
      const isThere = hands > 1 && i < stays.length && Math.abs(place - s.p) > 6;
      put(name, { x: placeX(room, place).toFixed(1), y: y + h + 13, text: number(place) });
      show(name, isThere && !isPhone ? 1 : 0);
    });
    const beside = left - (isPhone ? 6 : 18);
    put(count, { x: beside, y: y + (isPhone ? 20 : 34), text: number(stays.length) });
    put(countText, {
      x: beside,
      class: isPhone ? "t12 soft" : "t14 soft",
      y: y + (isPhone ? 36 : 60),
      text: say(stays.length === 1 ? "place_left" : "places_left"),
    });
  };
}
