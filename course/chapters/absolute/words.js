// Two words, and the place itself added to every number of theirs.

import { NAMES, WORDS, at, similarity } from "./model.js";
import { WIDTH, after } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {Stage} stage */
export function buildWords({ make, put, show, group, say }) {
  const scene = make("g");
  const words = [0, 1].map(() => ({
    places: make("path", { fill: "var(--ink)", "fill-opacity": 0.55 }, group("place", scene)),
    own: make("path", { fill: "var(--content)" }, group("word", scene)),
    zero: make("path", { stroke: "var(--soft)", fill: "none" }, scene),
    name: make("text", { "text-anchor": "middle", style: "font-weight:600" }, scene),
  }));
  const range = group("word", scene);
  const bracket = make(
    "path",
    { stroke: "var(--content)", "stroke-width": 2, fill: "none" },
    range,
  );
  const rangeText = make("text", { class: "t12 content", "text-anchor": "middle" }, range);
  const value = make("text", { class: "big" }, group("alike", scene));
  const title = make("text", { class: "t14 soft", "text-anchor": "end" }, group("alike", scene));

  return (/** @type {State} */ s, /** @type {Room} */ { width, bottom, left, isPhone }) => {
    const presence = after(s.words);
    show(scene, presence);
    if (presence < 0.02) return;
    const gap = isPhone ? 34 : 130;
    const w = (width - 2 * left - gap) / 2;
    const top = isPhone ? 52 : 110;
    const base = bottom - (isPhone ? 44 : 100);
    const unit = (base - top) / (Math.max(1, s.p + 1) + 1); // each is drawn to fit
    const zero = base - unit;
    words.forEach(({ places, own, zero: axis, name }, i) => {
      const x = left + i * (w + gap);
      const bar = w / WIDTH;
      const bars = (/** @type {(v: number) => [number, number]} */ ends) =>
        WORDS[i]
          .map((v, column) => {
            const [from, to] = ends(v);
            const at = (x + bar * (column + 0.14)).toFixed(1);
            return `M${at},${from.toFixed(1)}h${(bar * 0.72).toFixed(1)}V${to.toFixed(1)}h${(-bar * 0.72).toFixed(1)}Z`;
          })
          .join("");
      const level = zero - s.p * unit;
      put(places, { d: bars(() => [zero, level]) });
      put(own, { d: bars((v) => [level, level - v * unit]) });
      put(axis, { d: `M${x},${zero.toFixed(1)}h${w}` });
      const label = at(s) ? say("with_place", { name: NAMES[i] }) : NAMES[i];
      put(name, { x: x + w / 2, y: base + (isPhone ? 18 : 30), text: label });
    });
    const middle = left + w + gap / 2;
    put(bracket, {
      d: `M${middle - 5},${zero - unit}h10M${middle},${zero - unit}V${zero + unit}m-5,0h10`,
    });
    put(rangeText, { x: middle, y: zero - unit - 10, text: isPhone ? "" : say("range") });
    const isSame = similarity(s) > 0.995;
    put(title, {
      x: width / 2 + (isPhone ? 22 : 34),
      y: isPhone ? 26 : 56,
      text: say("similarity"),
    });
    put(value, {
      x: width / 2 + (isPhone ? 32 : 46),
      y: isPhone ? 28 : 60,
      text: say("alike"),
      style: isSame ? "fill: var(--new)" : undefined,
    });
  };
}
