// How alike the row of one place is to that of every other, in a table that a model has learned.

import { buildAsked } from "../../page/asked.js";
import { xy } from "../../page/shapes.js";
import { at, likeness } from "./model.js";
import { AFTER_END, PLACES, after, placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const LINES = [-1, 0, 1];
// Which rows may be most like that of place 100: none, those beside it, or far ones.
const ASKED = [
  { place: 64, likeness: 0 },
  { place: 108, likeness: 0.5 },
  { place: 16, likeness: 0.5 },
];

/** @param {Stage} stage */
export function buildLikeness(stage) {
  const { make, put, show, group, say, number } = stage;
  const scene = make("g");
  const beyond = group("new", scene);
  const field = make("rect", { fill: "var(--new)", "fill-opacity": 0.08 }, beyond);
  const none = make(
    "text",
    { class: "new", "text-anchor": "middle", style: "font-weight:600" },
    beyond,
  );
  const rows = group("likeness", scene);
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, rows);
  const scale = LINES.map((line) =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, rows, number(line)),
  );
  const title = make("text", { class: "t14 soft" }, rows);
  const others = make("path", { fill: "var(--ink)", "fill-opacity": 0.4 }, rows);
  const own = make("path", { fill: "var(--ink)" }, rows);
  const asked = buildAsked(stage, scene);

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = after(s.table);
    show(scene, presence);
    if (presence < 0.02) return;
    const { left, right, top, foot, isPhone } = room;
    const y = (/** @type {number} */ value) => (top + foot) / 2 - (value * (foot - top)) / 2;
    const wide = (placeX(room, 1) - placeX(room, 0)) * 0.8;
    const bar = (/** @type {number} */ place) => {
      const x = placeX(room, place) - wide / 2;
      return `M${xy([x, y(0)])}h${wide.toFixed(1)}V${y(likeness(at(s), place)).toFixed(1)}h${(-wide).toFixed(1)}Z`;
    };
    const isRow = at(s) < PLACES;
    asked(
      ASKED.map((spot) => [placeX(room, spot.place), y(spot.likeness)]),
      presence,
    );
    const told = Array.from({ length: isRow ? PLACES : 0 }, (_, place) => place);
    put(others, {
      d: told
        .filter((place) => place !== at(s) && place < s.sweep)
        .map(bar)
        .join(""),
    });
    put(own, { d: isRow ? bar(at(s)) : "" });
    const edge = placeX(room, PLACES - 0.5);
    put(grid, { d: LINES.map((line) => `M${left},${y(line)}H${edge.toFixed(1)}`).join("") });
    scale.forEach((text, i) => put(text, { x: left - 7, y: y(LINES[i]) + 4 }));
    put(title, {
      x: left,
      y: top - (isPhone ? 12 : 22),
      text: isRow ? say(isPhone ? "likeness_short" : "likeness") : "",
    });
    put(field, { x: edge, y: top, width: right - edge, height: foot - top });
    put(none, {
      x: isRow ? placeX(room, (PLACES + AFTER_END) / 2) : (left + edge) / 2,
      y: y(0) - (isRow ? 0 : 10),
      class: isRow && isPhone ? "new t12" : "new",
      text: say(isRow ? "no_rows" : "no_row"),
    });
  };
}
