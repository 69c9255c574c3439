// The words in their tiles, and the line that they and the patches stand in: who is how far from whom.

import { clamp, xy } from "../../page/shapes.js";
import { AFTER, AHEAD, COLUMNS, ROWS, SHEETS, START, apart } from "./ids.js";
import { at, patchAt, within, wordAt } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./room.js").Rect} Rect */

const PATCHES = ROWS * COLUMNS;

/** Row and column of a token that is a patch. @param {number} token @returns {[number, number]} */
export const cellOf = (token) => [Math.floor((token - START) / COLUMNS), (token - START) % COLUMNS];

/** Where a token is. @param {Room} room @param {State} s @param {number} token @returns {Rect} */
export const tokenAt = (room, s, token) =>
  token < START ? wordAt(room, s, token, false) : patchAt(room, s, ...cellOf(token));

/** A ring around a rectangle. @param {Rect} rect @param {number} [out] */
export const around = ({ x, y, w, h }, out = 0) => ({
  x: (x - out).toFixed(1),
  y: (y - out).toFixed(1),
  width: (w + 2 * out).toFixed(1),
  height: (h + 2 * out).toFixed(1),
});

/**
 * A ring that is seen on any picture: it has a rim of the page's colour.
 * @param {Pick<Stage, "make" | "put">} stage @param {Element} parent @param {string} colour @param {number} width
 */
export function buildRing({ make, put }, parent, colour, width = 3) {
  const rim = make("rect", { fill: "none", stroke: "var(--paper)", "stroke-width": width + 3, rx: 5 }, parent); // prettier-ignore
  const node = make("rect", { fill: "none", stroke: colour, "stroke-width": width, rx: 5 }, parent);
  /** @param {Rect | null} rect @param {number} [out] */
  const place = (rect, out) => {
    for (const one of [rim, node]) put(one, rect ? around(rect, out) : { width: 0, height: 0 });
  };
  return { node, place };
}

/** @param {Stage} stage */
export function buildWords({ make, put, show, group, say, number, state }) {
  const words = say("sentence").split(" ");
  /** @param {string} mark @param {string} text */
  function tile(mark, text) {
    const node = group(mark);
    const plate = make("rect", { rx: 5, fill: "var(--wash)", stroke: "var(--line)" }, node);
    const name = make("text", { "text-anchor": "middle" }, node, text);
    return { node, plate, name, text };
  }
  const before = words.slice(0, START).map((text) => tile("words", text));
  const after = words.slice(START).map((text, i) => tile(i ? "words" : "next", text));
  const ahead = Array.from({ length: SHEETS * AHEAD }, () => tile("words t", ""));
  const joined = [0, 1].map(
    (i) =>
    make("text", { class: "t12 halo", "text-anchor": i ? "end" : "start" }, group("words line"), words.slice(i * START, i * START + AFTER).join(" ")), // prettier-ignore
  );

  /** @param {ReturnType<typeof tile>} tile @param {Rect} rect @param {number} presence @param {string} beside What a phone writes, and where: "right", "left" or "". */
  function place({ node, plate, name, text }, rect, presence, beside) {
    const { x, y, w, h } = rect;
    const isSmall = w < 34;
    const size = isSmall ? Math.max(4, Math.min(w, h) - 3) : w - 2;
    const high = isSmall ? size : h - 2;
    put(plate, {
      x: (x + (w - size) / 2).toFixed(1),
      y: (y + (h - high) / 2).toFixed(1),
      width: size.toFixed(1),
      height: high.toFixed(1),
      rx: isSmall ? 2 : 5,
      fill: isSmall ? "var(--soft)" : "var(--wash)",
    });
    const side = beside === "left" ? -1 : 1;
    put(name, {
      x: (isSmall ? x + w / 2 + side * (w / 2 + (w < 12 ? 13 : 4)) : x + w / 2).toFixed(1),
      y: (y + h / 2 + 5).toFixed(1),
      "text-anchor": isSmall ? (side < 0 ? "end" : "start") : "middle",
      class: isSmall ? "t12 halo" : w < 46 ? "t14" : "",
      text: isSmall && !beside ? "" : text,
    });
    show(node, presence);
  }

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const here = s.line + s.map;
    const isLine = s.line > 0.5;
    const chain = s.pile * clamp(s.rule - 1, 0, 1);
    before.forEach((one, i) => place(one, wordAt(room, s, i, false), here, isLine || room.map.cell < 17 ? "" : "right")); // prettier-ignore
    after.forEach(
      (one, i) =>
      place(one, wordAt(room, s, i, true), here * s.tail * (1 - s.pile) + chain, isLine || i ? "" : s.placed < 0.5 ? "" : "right"), // prettier-ignore
    );
    ahead.forEach((one, i) => {
      const [sheet, k] = [Math.floor(i / AHEAD), i % AHEAD];
      const spot = apart(sheet) - AHEAD + k;
      place(one, at(room, spot, spot), chain, k ? "" : "left");
      put(one.name, { text: k ? "" : say("time", { seconds: number(sheet * state.seconds, state.seconds % 0.5 ? 2 : state.seconds % 1 ? 1 : 0) }) }); // prettier-ignore
    });
    const { line, right } = room;
    joined.forEach((one, i) => {
      put(one, { x: i ? right : line.x, y: line.y - 8 });
      show(one, line.word < 34 ? clamp(2 * s.line - 1, 0, 1) * s.arcs : 0);
    });
  };
}

/** @param {Stage} stage */
export function buildLine({ make, put, show, group, say }) {
  const numbers = group("line");
  const all = Array.from({ length: START + PATCHES + AFTER }, (_, i) =>
    make("text", { class: "t12 soft", "text-anchor": "middle" }, numbers, String(i)),
  );
  const left = group("line");
  const bracket = make("path", { fill: "none", stroke: "var(--ink)", "stroke-width": 2 }, left);
  const one = make("text", { class: "t14", "text-anchor": "middle", style: "font-weight: 600" }, left, say("apart_one")); // prettier-ignore
  const before = make("rect", { fill: "none", stroke: "var(--ink)", "stroke-width": 1.5, rx: 3 }, left); // prettier-ignore
  const up = group("k");
  const arc = make("path", { fill: "none", stroke: "var(--k)", "stroke-width": 2.5 }, up);
  const six = make("text", { class: "k halo", "text-anchor": "middle", style: "font-weight: 600" }, up); // prettier-ignore
  const rings = [0, 1].map(() => buildRing({ make, put }, up, "var(--k)"));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { line, source, right, isPhone } = room;
    const held = Math.round(s.at);
    const [r, c] = cellOf(held);
    const isRoomy = line.patch >= 19;
    const middle = (/** @type {number} */ token) => {
      const { x, w } = token < START + PATCHES ? tokenAt(room, s, token) : wordAt(room, s, token - START - PATCHES, true); // prettier-ignore
      return x + w / 2;
    };
    const foot = line.y + line.h;
    const above = held - COLUMNS;
    all.forEach((node, i) => {
      const isHeld = i === held;
      const isAbove = i === above && r > 0 && s.above > 0.5;
      put(node, {
        x: middle(i).toFixed(1),
        y: foot + 15,
        class: isHeld ? "t14 q" : isAbove ? "t14 k" : "t12 soft",
        "font-weight": isHeld || isAbove ? 700 : undefined,
      });
      show(node, isRoomy || isHeld || isAbove ? 1 : 0);
    });
    show(numbers, s.arcs);
    const [x1, x2] = [middle(held - 1), middle(held)];
    const y = foot + (isPhone ? 19 : 24);
    put(bracket, { d: `M${xy([x1, y])}v7H${x2.toFixed(1)}v-7` });
    put(one, { x: clamp((x1 + x2) / 2, 34, right - 26).toFixed(1), y: y + (isPhone ? 20 : 25) });
    const isFirst = held === START;
    put(
      before,
      isFirst ? { width: 0, height: 0 } : around(within(source, ...cellOf(held - 1)), -1),
    );
    show(left, s.arcs);
    const hasAbove = s.above * s.arcs * Number(r > 0);
    const from = middle(Math.max(START, above));
    const high = isPhone ? 24 : 40;
    put(arc, { d: `M${xy([from, line.y - 3])}C${xy([from, line.y - 3 - high * 1.3])} ${xy([x2, line.y - 3 - high * 1.3])} ${xy([x2, line.y - 3])}` }); // prettier-ignore
    put(six, { x: ((from + x2) / 2).toFixed(1), y: (line.y - high - 10).toFixed(1), text: say("apart_row") }); // prettier-ignore
    if (r > 0) {
      rings[0].place(within(source, r - 1, c), -1);
      rings[1].place(tokenAt(room, s, above));
    }
    show(up, hasAbove);
  };
}
