// One number of an output as a sum: each word's share times its value, laid on one another in the order of the words.

import { clamp, mix } from "../../page/shapes.js";
import { TYPED } from "./model.js";
import { half } from "./outputs.js";
import { placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./model.js").Now} Now */

/** How far blocks of one sign reach, in the number that has most: one scale for all. @param {Now} now @param {number} sign */
const highest = ({ shares, values }, sign) =>
  Math.max(
    ...shares.flatMap((row) =>
      values[0].map((_, channel) =>
        row.reduce(
          (sum, share, word) => sum + Math.max(0, sign * share * values[word][channel]),
          0,
        ),
      ),
    ),
  );

/** @param {Stage} stage */
export function buildChain({ make, put, show, group, say, number }) {
  const scene = group("chain");
  const zero = make("path", { stroke: "var(--line)" }, scene);
  const nought = make("text", { class: "t12 soft halo", "text-anchor": "end" }, scene, number(0));
  const unit = make("path", { stroke: "var(--soft)", "stroke-width": 2, fill: "none" }, scene);
  const one = make("text", { class: "t12 soft halo" }, scene, number(1));
  const steps = make(
    "path",
    { stroke: "var(--soft)", "stroke-dasharray": "2 4", fill: "none" },
    scene,
  );
  const blocks = TYPED.map(() =>
    make("rect", { fill: "var(--content)", "fill-opacity": 0.75 }, scene),
  );
  const end = make("path", { stroke: "var(--ink)", "stroke-width": 2.5 }, scene);
  const sum = make(
    "text",
    { class: "halo", "text-anchor": "end", style: "font-weight: 700" },
    scene,
  );
  const values = group("content", scene);
  const texts = TYPED.map(() =>
    [0, 1].map(() => make("text", { class: "t14 content", "text-anchor": "middle" }, values)),
  );
  return (/** @type {State} */ s, /** @type {Room} */ at, /** @type {Now} */ now) => {
    show(scene, clamp(2 * s.chain - 1, 0, 1));
    if (s.chain < 0.5) return;
    const { top, foot } = at.chain;
    const [up, down] = [highest(now, 1), -highest(now, -1)];
    const y = (/** @type {number} */ level) => mix(foot, top, (level - down) / (up - down));
    const wide = half(at) * 0.8;
    const ends = TYPED.map((word) => {
      const sums = now.terms.map((term, other) => {
        const passed = clamp((s.places[word] - s.places[other] + 1) / 2, 0, 1);
        return other === word ? 0 : term * passed; // the two exchange their places little by little
      });
      const from = sums.reduce((a, b) => a + b, 0);
      return [from, from + now.terms[word]];
    });
    put(zero, { d: `M${at.left},${y(0)}H${at.width - at.left}` });
    put(nought, { x: at.width - at.left, y: y(0) - 5 });
    // As long as 1.
    const way = up > -down ? 1 : -1;
    put(unit, {
      d: `M${at.left},${y(0)}h8M${at.left + 4},${y(0)}V${y(way)}M${at.left},${y(way)}h8`,
    });
    blocks.forEach((block, word) => {
      const [from, to] = ends[word].map(y);
      const x = placeX(at, s.places[word]);
      put(block, {
        x: x - wide,
        y: Math.min(from, to),
        width: 2 * wide,
        height: Math.max(1.5, Math.abs(to - from)),
      });
      const [value, term] = [now.values[word][s.picked.channel], now.terms[word]];
      const share = `${number(100 * now.shares[now.word][word], 1)} %`;
      const line = at.isPhone ? 14 : 19;
      const low = at.height - (at.isPhone ? 5 : 14);
      put(texts[word][0], {
        x,
        y: low - line,
        text: `${at.isPhone ? "" : share} × ${number(value, 2)}`,
      });
      put(texts[word][1], { x, y: low, text: `= ${number(term, 3)}` }); // so that they add up to the sum
    });
    put(steps, {
      d: ends
        .map(([, to], word) =>
          s.places[word] > TYPED.length - 1.5
            ? ""
            : `M${placeX(at, s.places[word]) + wide},${y(to)}h${at.slot - 2 * wide}`,
        )
        .join(""),
    });
    const total = now.outputs[now.word][now.channel];
    const isCrossed = Math.abs(y(way / 2) - y(total)) < 14; // by the sum's line
    put(one, { x: at.left + 11, y: y(isCrossed ? way : way / 2) + 4 });
    put(end, { d: `M${at.left},${y(total)}H${at.width - at.left}` });
    const last = TYPED.reduce((a, b) => (s.places[b] > s.places[a] ? b : a));
    const isBelow = now.terms[last] < 0; // away from the last block
    const right = at.width - at.left;
    put(sum, { x: right, y: y(total) + (isBelow ? 19 : -8), text: say("sum") });
    show(nought, Math.abs(y(total) - y(0)) > 42 ? 1 : 0); // no room for both
  };
}
