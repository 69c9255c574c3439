// What a line does: new angles, neighbours, and a score.

import { FACTOR, nearness, newOnes, score, slowed } from "./scalings.js";
import { clamp, mix } from "../../page/shapes.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** By how much each pair is slowed. @param {State} s @returns {number[]} */
export const slows = (s) => s.u.map(slowed);

/** @param {Stage} stage */
export function buildTests({ make, put, show, group, say, number }) {
  const tests = ["new", "near", "score"].map((name) => {
    const node = group(name);
    const css = name === "new" || name === "near" ? name : "";
    return {
      name,
      node,
      value: make("text", { class: `big ${css}` }, node),
      says: [0, 1].map(() => make("text", { class: "t14" }, node)),
      back: make("rect", { height: 4, rx: 2, fill: "var(--line)" }, node),
      bar: make("rect", { height: 4, rx: 2, fill: "var(--ink)" }, node),
    };
  });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone } = room;
    const { x, y, w } = room.tests;
    const third = w / 3;
    const isTight = isPhone || third < 240;
    const all = slows(s);
    const count = newOnes(all, s.length);
    const near = nearness(all);
    const total = score(all, s.length);
    const least = 1 / FACTOR;
    /** @type {Record<string, [string, number, number, number]>} Text, part of the bar, place, presence. */
    const told = {
      new: [number(count), 1 - count / 12, 0, 1 - Math.max(s.table, s.clock)],
      near: [`${number(100 * near)}%`, clamp((near - least) / (1 - least), 0, 1), 1, s.tests],
      score: [number(total), total / 100, 2, s.score],
    };
    const stays = clamp(1 - 2 * s.crowd, 0, 1);
    for (const { name, node, value, says, back, bar } of tests) {
      const [text, part, slot, presence] = told[name];
      // Beside the large dial that is an example of it, or in a row above the beads.
      const { r, y: dialY, two } = room.dials;
      const cell = two[name === "near" ? 0 : 1];
      const left = mix(x + slot * third, cell.x + 2 * r + (isPhone ? 10 : 18), s.two);
      const base = mix(
        y + (isPhone ? 20 : isTight ? 28 : 30),
        dialY + (isPhone ? -8 : -r / 3),
        s.two,
      );
      const beside = isTight ? 0 : mix([62, 126, 84][slot], 0, s.two);
      put(value, {
        x: left,
        y: base,
        text,
        style: name === "new" && !count ? "fill: var(--ink)" : undefined,
      });
      says.forEach((node, k) => {
        const words = isTight ? (k ? "" : say(`test_${name}_short`)) : say(`test_${name}_${k}`);
        put(node, {
          x: left + beside,
          y: base + (isPhone ? 15 : isTight ? 23 : mix(-17, 24, s.two) + k * 18),
          text: words,
        });
      });
      const under = { x: left, y: base + (isPhone ? 20 : isTight ? 26 : 14) };
      const wide = third - (isPhone ? 10 : 34);
      show(back, s.score); // a bar is a part of the score
      show(bar, s.score);
      put(back, { ...under, width: wide });
      put(bar, { ...under, width: (wide * part).toFixed(1) });
      show(node, presence * stays);
    }
  };
}
