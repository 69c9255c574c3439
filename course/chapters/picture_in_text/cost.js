// What a picture costs: tokens and positions, and a million tokens on a ruler of trained lengths.

import data from "./data.js";
import { START, needed, next, positions } from "./ids.js";
import { at } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const BOLD = { style: "font-weight: 600" };
const LONGEST = 4.15; // trained lengths on the ruler
const TIMES = [1, 2, 3, 4];

/** @param {Stage} stage */
export function buildCost({ make, put, show, group, say, number }) {
  const [tokens, places] = [group("tokens"), group("positions")];
  const shape = make("text", {}, tokens);
  const count = make("text", { class: "big" }, tokens);
  const countOf = make("text", { class: "t14 soft" }, tokens, say("tokens"));
  const length = make("text", { class: "big" }, places);
  const lengthOf = make("text", { class: "t14 soft" }, places, say("positions"));
  const side = make("path", { fill: "none", "stroke-width": 3 }, places);
  const following = group("next");
  const after = [0, 1, 2].map((i) => make("text", { class: i ? "" : "q", ...BOLD }, following));

  const ruler = [group("tokens"), group("positions")].map((node, i) => ({
    node,
    text: make("text", { class: "t14" }, node),
    bar: make("rect", { fill: i ? "var(--ink)" : "var(--soft)", rx: 2 }, node),
  }));
  const scale = group("trained");
  const axis = make("path", { fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 }, scale);
  const ticks = TIMES.map((times) =>
    make("text", { class: "t12", "text-anchor": "middle" }, scale, times > 1 ? `× ${times}` : ""),
  );

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { map, isPhone, side: x } = room;
    const [rows, columns] = [Math.round(s.rows), Math.round(s.columns)];
    const end = next(0, rows, columns);
    const isHigh = rows > columns;
    const colour = isHigh ? "row" : "column";
    const step = isPhone ? 17 : 27;
    const tall = isPhone ? 25 : 40;
    const under = isPhone ? 16 : 23;
    let y = map.y + (isPhone ? 16 : map.size * 0.1);
    const down = (/** @type {number} */ by) => (y += by);
    put(shape, { x, y, text: `${rows} × ${columns}` });
    put(count, { x, y: down(tall), text: number(rows * columns) });
    put(countOf, { x, y: down(under) });
    put(length, { x, y: down(tall), text: number(end), style: `fill: var(--${colour})` });
    put(lengthOf, { x, y: down(under) });
    const words = [
      say("word", { word: say("sentence").split(" ")[START] }),
      say("as_token", { token: number(START + rows * columns) }),
      say("as_position", { position: number(START + end) }),
    ];
    after.forEach((node, i) => {
      put(node, { x, y: down(i ? step - 4 : step + (isPhone ? 0 : 12)), text: words[i] });
      show(node, isPhone && map.size < 150 ? 0 : 1);
    });
    const from = at(room, START, START);
    put(side, {
      d: isHigh
        ? `M${from.x - 4},${from.y}v${(end * map.cell).toFixed(1)}`
        : `M${from.x},${from.y - 4}h${(end * map.cell).toFixed(1)}`,
      stroke: `var(--${colour})`,
    });
    for (const node of [tokens, places, following]) show(node, s.cost);

    const { ruler: at_ } = room;
    const wide = (/** @type {number} */ many) => (at_.w * many) / data.trained / LONGEST;
    const [line, thick] = isPhone ? [15, 7] : [18, 12];
    const lengths = [data.long, positions(rows, columns)];
    const values = { positions: number(lengths[1]), times: number(needed(rows, columns), 2) };
    ruler.forEach(({ node, text, bar }, i) => {
      const top = at_.y + line - (isPhone ? 0 : 2) + i * (line + thick + (isPhone ? 3 : 8));
      put(text, { x: at_.x, y: top, text: say(`${i ? "places" : "million"}${isPhone ? "_short" : ""}`, values) }); // prettier-ignore
      put(bar, { x: at_.x, y: top + (isPhone ? 3 : 6), width: wide(lengths[i]).toFixed(1), height: thick }); // prettier-ignore
      show(node, s.cost);
    });
    const foot = room.height - (isPhone ? 15 : 22);
    put(axis, { d: `M${at_.x},${foot - 5}h${at_.w}${TIMES.map((times) => `M${(at_.x + wide(times * data.trained)).toFixed(1)},${foot - 9}v8`).join("")}` }); // prettier-ignore
    ticks.forEach((node, i) => {
      put(node, {
        x: (at_.x + wide(TIMES[i] * data.trained)).toFixed(1),
        y: room.height - (isPhone ? 4 : 7),
      });
      if (!i) put(node, { text: say("trained") });
    });
    show(scale, s.cost);
  };
}
