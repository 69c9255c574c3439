// The words on their places, with the value of each below it, and their shares.

import { arrow, round } from "../../page/shapes.js";
import { placeX } from "./room.js";
import { ASKS, SLOTS, STEP, WORDS, placesOf } from "./values.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const INK = 0.9; // of a share, as colour
const BOLD = { style: "font-weight: 600" };

/** @param {Stage} stage */
export function buildStrip({ make, put, show, group, say, number }) {
  const places = group("places");
  const line = make("path", { stroke: "var(--line)", fill: "none" }, places);
  const numbers = Array.from({ length: SLOTS }, (_, i) =>
    make("text", { class: "t12 soft", "text-anchor": "middle" }, places, String(i)),
  );
  // Behind the others: the one that stays in the middle while two change places.
  const made = [1, 2, 0, 3].map((i) => {
    const asks = i === ASKS;
    const word = group(asks ? "words q" : i ? "words" : "words ann");
    const value = group("v");
    const share = group("shares");
    return {
      i,
      word,
      plate: make("rect", { rx: 7, fill: "var(--paper)" }, word),
      tint: make("rect", { rx: 7, fill: "var(--attention)" }, share),
      name: make("text", { "text-anchor": "middle", ...BOLD }, group(asks ? "words q" : i ? "words" : "words ann"), say(`word_${i}`)), // prettier-ignore
      edge: make("rect", { rx: 7, fill: "none", stroke: asks ? "var(--q)" : "var(--line)", "stroke-width": asks ? 2.5 : 1.3 }, word), // prettier-ignore
      rim: make("circle", { fill: "none", stroke: "var(--line)", "stroke-width": 1.2 }, value),
      hand: make("path", { stroke: "var(--content)", fill: "var(--content)", "stroke-linejoin": "round" }, value), // prettier-ignore
      value,
      share,
      part: make("text", { class: "t12 soft", "text-anchor": "middle" }, share),
    };
  });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { strip, isPhone, pad, width } = room;
    const { y, h, r, dial, label, slot } = strip;
    const middle = y + h / 2;
    put(line, { d: `M${pad},${y + h}H${width - pad}` });
    numbers.forEach((node, i) => put(node, { x: placeX(room, i).toFixed(1), y: y - 7 }));
    show(places, s.strip);
    const at = placesOf(s);
    const wide = slot - (isPhone ? 2 : 8);
    const all = s.strip * (1 - s.boxes);
    for (const { i, word, plate, tint, name, edge, rim, hand, value, share, part } of made) {
      const x = placeX(room, i ? at[i] : at[i] * (1 - s.boxes) + s.at * s.boxes);
      const box = { x: (x - wide / 2).toFixed(1), y, width: wide.toFixed(1), height: h };
      for (const node of [plate, tint, edge]) put(node, box);
      put(tint, { "fill-opacity": (INK * WORDS[i].share).toFixed(2) });
      put(name, { x: x.toFixed(1), y: middle + 5 });
      put(rim, { cx: x.toFixed(1), cy: dial, r: r.toFixed(1) });
      const angle = WORDS[i].angle + STEP * s.own * at[i];
      put(hand, { d: arrow({ x, y: dial, r: r - 3 }, angle, isPhone ? 7 : 11), "stroke-width": isPhone ? 2 : 3 }); // prettier-ignore
      put(part, { x: x.toFixed(1), y: label, text: `${number(100 * WORDS[i].share)}%` });
      const isThere = i ? all : s.strip;
      show(word, isThere);
      show(/** @type {Element} */ (name.parentNode), isThere);
      show(value, all);
      show(share, all);
    }
  };
}

/** @param {import("./room.js").Circle} circle @param {import("./values.js").Vector} vector In parts of its radius. @param {number} head @param {import("./values.js").Vector} [from] */
export function vectorPath({ x, y, r }, [vx, vy], head, from = [0, 0]) {
  const long = Math.hypot(vx, vy) * r;
  if (long < 1) return "";
  const foot = { x: x + from[0] * r, y: y - from[1] * r, r: long };
  return arrow(foot, Math.atan2(vy, vx), Math.min(head, long * 0.5));
}

/** A point of a circle, by a vector. @param {import("./room.js").Circle} circle @param {import("./values.js").Vector} vector */
export const tipOf = ({ x, y, r }, [vx, vy]) => round({ x, y }, Math.hypot(vx, vy) * r, Math.atan2(vy, vx)); // prettier-ignore
