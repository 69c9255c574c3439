// The ruler of places at the foot, and the cut through everything above it.

import { FURTHER, placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const EVERY = [16, 32]; // places between two numbers: else, on a phone
const TENS = [10, 20]; // where they are digits

/** @param {Stage} stage */
export function buildRuler({ make, put, show, group, say, number }) {
  const ruler = group("");
  const rail = make("path", { stroke: "var(--line)", fill: "none" }, ruler);
  const numbers = Array.from({ length: FURTHER / EVERY[0] }, () =>
    make("text", { class: "t12 soft", "text-anchor": "middle" }, ruler),
  );
  const title = make("text", { class: "t12 soft", "text-anchor": "end" }, ruler, say("place"));
  const cut = make("path", { stroke: "var(--ink)", "stroke-width": 1.5, fill: "none" }, ruler);

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { left, right, bottom, last, isPhone } = room;
    const every = last > 150 ? 32 : (s.lanes > 0.5 ? TENS : EVERY)[isPhone ? 1 : 0];
    const tick = last > 150 ? 4 : 1;
    const ticks = Array.from({ length: Math.floor(last / tick) + 1 }, (_, i) => {
      const x = placeX(room, i * tick).toFixed(1);
      return `M${x},${bottom}v${(i * tick) % every ? -3 : -7}`;
    });
    put(rail, { d: `M${left},${bottom}H${right}${ticks.join("")}` });
    put(title, { x: left - 8, y: bottom - 4 });
    show(title, isPhone ? 0 : 1); // no room left of the ruler
    const handle = placeX(room, s.p);
    numbers.forEach((text, i) => {
      const place = i * every;
      const x = placeX(room, place);
      const isFree = Math.abs(x - handle) > (isPhone ? 34 : 42);
      put(text, { x: x.toFixed(1), y: bottom + 22, text: place <= last + 1 ? number(place) : "" });
      show(text, isFree && x < right + 4 ? 1 : 0);
    });
    // Through what stands above, but not through names of lanes; a curve has a cut of its own.
    const isOver = [s.words, s.wedges, s.mix, s.terms, s.bits, s.table].some(
      (share) => share > 0.5,
    );
    const areNamed = Math.max(s.lanes, s.sieve) > 0.5;
    const seen = s.sieve > 0.5 ? 2 * Math.round(s.hands) : room.lanes.length;
    const tops = areNamed ? room.lanes.slice(0, seen).filter(({ a }) => a > 0.5) : [];
    const through = tops.map(({ y, h }) => `M${handle.toFixed(1)},${y - h / 2}v${h}`).join("");
    const below = areNamed ? bottom - 14 : Math.max(0, room.top - 6);
    const top = isOver ? bottom - 10 : below;
    put(cut, { d: `${through}M${handle.toFixed(1)},${top}V${bottom}` });
  };
}
