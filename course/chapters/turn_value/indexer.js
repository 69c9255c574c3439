// A head of an indexer: which channels turn together, what it scores, and what the attention gets to see.

import { mix } from "../../page/shapes.js";
import { CHANNELS, SCORES, WANTED, WORDS, chosen, pairOf } from "./scores.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const MOST = 2.05; // of a score
const BOLD = { style: "font-weight: 600" };

/** Where a score stands. @param {Room} room @param {number} score */
export const scoreY = ({ scores }, score) => scores.y + scores.h * (1 - score / MOST);

/** @param {Stage} stage */
export function buildIndexer({ make, put, show, group, say }) {
  const top = group("channels");
  const arcs = Array.from({ length: CHANNELS / 2 }, () =>
    make("path", { fill: "none", stroke: "var(--ink)", "stroke-width": 1.8 }, top),
  );
  const cells = Array.from({ length: CHANNELS }, () => make("rect", { rx: 3, fill: "var(--line)" }, top)); // prettier-ignore
  const title = make("text", { class: "t14 soft", "text-anchor": "middle" }, top);
  const all = group("scores");
  const name = make("text", { class: "t14 soft" }, all, say("scores"));
  const bars = SCORES[0].map(() => make("rect", { fill: "var(--k)" }, all));
  const row = group("chosen");
  const lamps = SCORES[0].map(() => make("rect", { rx: 2 }, row));
  const wanted = group("k");
  const ringed = make("rect", { fill: "none", stroke: "var(--k)", "stroke-width": 3, rx: 4 }, wanted); // prettier-ignore
  const told = make("text", { class: "halo", "text-anchor": "middle", ...BOLD }, wanted);
  const asks = group("q");
  const own = make("text", { class: "t14 q", "text-anchor": "end" }, asks, say("asks"));
  const under = make("path", { fill: "none", stroke: "var(--q)", "stroke-width": 2.5 }, asks);

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { channels, scores, isPhone, width } = room;
    const { x, y, size } = channels;
    const isNear = s.near > 0.5;
    cells.forEach((cell, i) =>
      put(cell, {
        x: (x + i * size + 1).toFixed(1),
        y,
        width: size - 2,
        height: isPhone ? 10 : 15,
      }),
    );
    arcs.forEach((node, i) => {
      const [[a, b], [a2, b2]] = [pairOf(i, false), pairOf(i, true)];
      const [from, to] = [mix(a, a2, s.near), mix(b, b2, s.near)].map((at) => x + (at + 0.5) * size); // prettier-ignore
      const high = Math.min(isPhone ? 40 : 80, (isPhone ? 14 : 26) + (to - from) * 0.4);
      put(node, { d: `M${from.toFixed(1)},${y - 2}Q${((from + to) / 2).toFixed(1)},${(y - 2 - high).toFixed(1)} ${to.toFixed(1)},${y - 2}` }); // prettier-ignore
    });
    put(title, { x: width / 2, y: y + (isPhone ? 25 : 36), text: say(isPhone ? "pairs_short" : "pairs") }); // prettier-ignore
    show(top, s.index);

    const seen = chosen(isNear, Math.round(s.cut));
    const foot = scores.y + scores.h;
    const placeOf = (/** @type {number} */ back) => scores.x + (WORDS - 1 - back) * scores.slot;
    const wide = Math.max(1, scores.slot - (isPhone ? 1 : 2));
    const [under8, high] = isPhone ? [5, 13] : [8, 20];
    for (let back = 0; back < WORDS; back++) {
      const score = mix(SCORES[0][back], SCORES[1][back], s.near);
      const at = { x: placeOf(back).toFixed(1), width: wide.toFixed(1) };
      const isSeen = seen.has(back);
      put(bars[back], { ...at, y: scoreY(room, score).toFixed(1), height: (foot - scoreY(room, score)).toFixed(1), opacity: isSeen ? 1 : 0.35 }); // prettier-ignore
      put(lamps[back], {
        ...at,
        y: foot + under8,
        height: high,
        fill: isSeen ? "var(--attention)" : "var(--line)",
        opacity: isSeen ? 0.85 : 0.5,
      });
    }
    put(name, { x: scores.x, y: scores.y - (isPhone ? 2 : 8) });
    show(name, isPhone ? 0 : 1);
    const middle = placeOf(WANTED) + wide / 2;
    put(ringed, {
      x: (placeOf(WANTED) - 4).toFixed(1),
      y: foot + under8 - 4,
      width: (wide + 8).toFixed(1),
      height: high + 8,
    });
    const line = foot + under8 + high + (isPhone ? 18 : 24);
    put(told, {
      x: middle.toFixed(1),
      y: line,
      text: say(seen.has(WANTED) ? "is_chosen" : "is_not"),
    });
    put(own, { x: scores.x + scores.w, y: line });
    show(own, middle + 175 < scores.x + scores.w ? 1 : 0); // room for half a name and a name
    put(under, { d: `M${placeOf(0).toFixed(1)},${foot + under8 + high + 4}h${wide.toFixed(1)}` });
    for (const node of [all, row, wanted, asks]) show(node, s.index);
  };
}
