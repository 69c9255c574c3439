// A word and a row added, number by number, and tried against a given sum.

import { MIXED, NAMES, at, mixed, off } from "./model.js";
import { PLACES, WIDTH, after, placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** All gaps together of every word at every place, and the largest of them. */
const GAPS = NAMES.map((_, word) => Array.from({ length: PLACES }, (_, p) => off({ word, p })));
const MOST = Math.max(...GAPS.flat());
const entry = (/** @type {number} */ word, /** @type {number} */ place) => `${word} at ${place}`;
const FOUND = entry(MIXED.word, MIXED.place);

/** @param {Stage} stage */
export function buildSums(stage) {
  const { make, put, show, group, say, seen } = stage;
  const scene = make("g");
  const given = Array.from({ length: WIDTH }, () => ({
    box: make(
      "rect",
      { fill: "var(--wash)", stroke: "var(--soft)", "stroke-width": 1.5 },
      group("sum", scene),
    ),
    miss: make("line", { stroke: "var(--new)", "stroke-width": 5 }, group("off", scene)),
  }));
  const axis = make("path", { stroke: "var(--soft)", fill: "none" }, scene);
  const ticks = group("word", scene);
  const stems = group("row place", scene);
  const tips = group("row place dot sum", scene);
  const columns = Array.from({ length: WIDTH }, () => ({
    tick: make("line", { "stroke-width": 3, stroke: "var(--content)" }, ticks),
    stem: make("line", { "stroke-width": 2, stroke: "var(--ink)" }, stems),
    tip: make("circle", { fill: "var(--ink)" }, tips),
  }));
  // What is left over of the sums that were tried, place by place; once it is found, of all.
  const trail = group("off", scene);
  const ground = make("path", { fill: "none", stroke: "var(--line)" }, trail);
  const lines = NAMES.map(() => make("path", { fill: "none", stroke: "var(--new)" }, trail));
  const here = make("circle", { r: 5, fill: "var(--new)" }, trail);
  const text = make("text", { class: "t14" }, trail);

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = after(s.mix);
    show(scene, presence);
    if (presence < 0.02) return;
    const { sums: c, bottom, isPhone } = room;
    const { given: sum, word, tried } = mixed(s);
    const y = (/** @type {number} */ value) => c.base - value * c.unit;
    put(axis, { d: `M${c.x},${c.base}h${c.w * WIDTH}` });
    columns.forEach(({ tick, stem, tip }, i) => {
      const { box, miss } = given[i];
      const x = c.x + c.w * (i + 0.5);
      const [from, to] = [y(word[i]), y(tried[i]).toFixed(1)];
      put(box, {
        x: x - c.w * 0.4,
        width: c.w * 0.8,
        y: Math.min(y(sum[i]), c.base).toFixed(1),
        height: Math.abs(sum[i] * c.unit).toFixed(1),
      });
      show(box, s.given);
      put(miss, { x1: x, x2: x, y1: y(sum[i]).toFixed(1), y2: to });
      show(miss, s.given * (Math.abs(sum[i] - tried[i]) > 0.02 ? 1 : 0));
      put(tick, { x1: x - c.w * 0.32, x2: x + c.w * 0.32, y1: from, y2: from });
      put(stem, { x1: x, x2: x, y1: from, y2: to });
      for (const node of [tick, stem]) show(node, 1 - 0.6 * s.given); // unmixing goes by the sums
      put(tip, { cx: x, cy: to, r: Math.min(6, c.w * 0.2) });
    });
    const [chosen, place] = [Math.round(s.word), at(s)];
    if (s.given > 0.99) seen.add(entry(chosen, place));
    const floor = bottom - (isPhone ? 10 : 16);
    const high = floor - room.foot - (isPhone ? 16 : 24);
    const level = (/** @type {number} */ gap) => floor - (gap / MOST) * high;
    put(ground, { d: `M${room.left},${floor}H${room.right}` });
    const isFound = seen.has(FOUND);
    lines.forEach((line, i) => {
      const points = GAPS[i].map((gap, p) =>
        isFound || seen.has(entry(i, p))
          ? `M${(placeX(room, p) - 2).toFixed(1)},${level(gap).toFixed(1)}h4`
          : "",
      );
      put(line, { d: points.join(""), "stroke-width": i === chosen ? 4 : 2 });
      put(line, { opacity: i === chosen ? 1 : 0.35 });
    });
    put(here, { cx: placeX(room, place), cy: level(GAPS[chosen][place]) });
    put(text, { x: room.left, y: room.foot + (isPhone ? 10 : 14), text: say("left_over") });
    show(trail, s.given);
  };
}
