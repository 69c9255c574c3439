// RoPE: the strip of places, and the distance of the two words on it.

import { clamp } from "../../page/shapes.js";
import { LONGEST, TRAINED } from "./head.js";
import { placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {Stage} stage */
export function buildStrip({ make, put, show, group, say }) {
  const seen = group("strip trained");
  const shaded = make("rect", { fill: "var(--wash)", rx: 6, height: 40 }, seen);
  const shadedText = make("text", { class: "soft t12", "text-anchor": "end" }, seen);
  const strip = group("strip");
  const rail = make("line", { stroke: "var(--line)", "stroke-width": 2 }, strip);
  const ticks = Array.from({ length: LONGEST + 1 }, (_, i) => {
    const tick = make("g", {}, strip);
    make("circle", { r: 3, fill: "var(--soft)" }, tick);
    const name = make("text", { y: 19, "text-anchor": "middle", class: "t12 soft" }, tick, `${i}`);
    return { tick, name };
  });
  const distance = group("strip arc");
  const bar = make(
    "line",
    { stroke: "var(--ink)", "stroke-width": 4, "stroke-linecap": "round" },
    distance,
  );
  const text = make("text", { class: "t14 halo" }, distance);
  const lock = make(
    "path",
    {
      fill: "var(--ink)",
      "fill-rule": "evenodd",
      d: "M-7-1H7V10H-7ZM-4-1V-5a4 4 0 0 1 8 0V-1H2.2V-5a2.2 2.2 0 0 0-4.4 0V-1Z",
    },
    distance,
  );

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { width, rail: y, left, isPhone } = room;
    const labelled = isPhone && s.last > 12 ? 5 : 1;
    put(rail, { x1: left, x2: width - left, y1: y, y2: y });
    ticks.forEach(({ tick, name }, i) => {
      put(tick, { transform: `translate(${placeX(room, i).toFixed(1)} ${y})` });
      show(tick, clamp(s.last - i + 1, 0, 1));
      put(name, { opacity: i % labelled ? 0 : 1 });
    });
    const [first, end] = [s.n, Math.min(s.n + TRAINED - 1, s.last)].map((at) => placeX(room, at));
    put(shaded, { x: first - 12, width: end - first + 24, y: y - 12 });
    put(shadedText, { x: end + 12, y: y + 45, text: isPhone ? "" : say("trained_on") }); // no tag hangs there
    show(seen, s.trained);
    const [from, to] = [placeX(room, s.n), placeX(room, s.m)];
    put(bar, { x1: from.toFixed(1), x2: to.toFixed(1), y1: y, y2: y });
    const isLocked = s.lock > 0.5;
    const isLeft = from + 46 > width - 100;
    put(text, {
      x: isLeft ? from - 42 - (isLocked ? 22 : 0) : from + 46 + (isLocked ? 22 : 0),
      y: y + 47,
      "text-anchor": isLeft ? "end" : "start",
      text: say("apart"),
    });
    put(lock, { transform: `translate(${isLeft ? from - 52 : from + 54} ${y + 39})` });
    show(text, isPhone && s.view > 1.5 ? 0 : 1 - s.row);
    show(lock, s.lock * (1 - s.row));
    show(distance, s.key);
  };
}
