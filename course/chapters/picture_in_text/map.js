// The map of rows and columns: words on its diagonal, what the ringed token has, and the word after the picture.

import { clamp, mix } from "../../page/shapes.js";
import { COLUMNS, ROWS, SHEETS, START, apart, later, next } from "./ids.js";
import { buildRing, cellOf, tokenAt } from "./line.js";
import { at, patchAt, wordAt } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const MOST = 50; // numbers on an axis
const AXES = /** @type {const} */ (["t", "row", "column"]);
const BOLD = { style: "font-weight: 600" };

/** t, row and column of a token before the next text. @param {number} token @returns {[number, number, number]} */
export const idsOf = (token) => {
  if (token < START) return [token, token, token];
  const [r, c] = cellOf(token);
  return [START, START + r, START + c];
};

/** @param {Stage} stage */
export function buildMap({ make, put, show, group, say }) {
  const grid = make("path", { fill: "none", stroke: "var(--line)", opacity: 0.5 }, group("map"));
  const diagonal = make("path", { fill: "none", stroke: "var(--line)", "stroke-dasharray": "3 5" }, group("map")); // prettier-ignore
  const sides = /** @type {const} */ (["row", "column"]).map((name) => {
    const node = group(name);
    return {
      name,
      node,
      axis: make("path", { fill: "none", stroke: `var(--${name})`, "stroke-width": 2.5 }, node),
      guide: make("path", { fill: "none", stroke: `var(--${name})`, "stroke-width": 2.5 }, node),
      title: make("text", { class: `t14 ${name}`, ...BOLD }, node, say(name)),
      numbers: Array.from({ length: MOST }, (_, i) => make("text", { class: "t12 soft" }, node, String(i))), // prettier-ignore
    };
  });
  const up = group("k");
  const above = buildRing({ make, put }, up, "var(--k)");

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { map, isPhone } = room;
    const { x, y, size, cell, extent } = map;
    const every = cell > (extent > 20 ? 22 : 15) ? 1 : cell > 8 ? 5 : 10;
    const count = Math.floor(extent + 0.01);
    const lines = Array.from({ length: count + 1 }, (_, i) => (i * cell).toFixed(1));
    put(grid, { d: every > 1 ? "" : lines.map((d) => `M${x},${y}m${d},0v${size}M${x},${y}m0,${d}h${size}`).join("") }); // prettier-ignore
    const past = Math.min(extent, START + Math.min(s.rows, s.columns)) * cell; // behind the picture
    put(diagonal, {
      d: `M${x},${y}l${START * cell},${START * cell}M${x + past},${y + past}L${x + size},${y + size}`,
    });
    const held = Math.round(s.at);
    const isNext = s.next > 0.5;
    const rect = isNext ? wordAt(room, s, 0, true) : tokenAt(room, s, held);
    const [, row, column] = isNext ? Array(3).fill(next(START, Math.round(s.rows), Math.round(s.columns))) : idsOf(held); // prettier-ignore
    const shown = Math.max(s.held, s.next * clamp(2 * s.placed - 1, 0, 1));
    const [middleX, middleY] = [rect.x + rect.w / 2, rect.y + rect.h / 2];
    const ways = {
      row: {
        axis: `M${x},${y}v${size}`,
        guide: `M${x},${middleY.toFixed(1)}H${rect.x.toFixed(1)}`,
      },
      column: {
        axis: `M${x},${y}h${size}`,
        guide: `M${middleX.toFixed(1)},${y}V${rect.y.toFixed(1)}`,
      },
    };
    for (const { name, node, axis, guide, title, numbers } of sides) {
      const isRow = name === "row";
      put(axis, { d: ways[name].axis });
      put(guide, { d: ways[name].guide });
      show(guide, shown);
      put(
        title,
        isRow
          ? { x: x - (isPhone ? 18 : 34), y: y + size + (isPhone ? 15 : 18) }
          : { x: x + size + 7, y: y - 6 },
      );
      numbers.forEach((number, i) => {
        const isHot = shown > 0.5 && i === (isRow ? row : column);
        const along = (i + 0.5) * cell;
        const isThere = i < count && i % every === 0 && (every === 1 || along + 8 < size);
        put(number, {
          x: (isRow ? x - 6 : x + along).toFixed(1),
          y: (isRow ? y + along + 4.5 : y - 6).toFixed(1),
          "text-anchor": isRow ? "end" : "middle",
          class: isHot ? `t14 ${name}` : "t12 soft",
          "font-weight": isHot ? 700 : undefined,
        });
        show(number, isThere ? 1 : 0);
      });
      show(node, s.map);
    }
    show(grid, s.map);
    show(diagonal, s.map);
    const [r, c] = held < START ? [0, 0] : cellOf(held);
    above.place(patchAt(room, s, Math.max(0, r - 1), c), -1);
    show(up, r > 0 ? s.held : 0);
  };
}

/** What is written beside the map: three numbers of a token and of the patch above it. @param {Stage} stage */
export function buildBeside({ make, put, show, group, say, number }) {
  const words = say("sentence").split(" ");
  const made = (/** @type {string} */ mark, /** @type {string} */ css) => {
    const title = make("text", { class: css, ...BOLD }, group(mark));
    const rows = AXES.map((axis) => {
      const holder = group(axis);
      return {
        holder,
        name: make("text", { class: axis === "t" ? "soft" : axis }, holder, say(axis)),
        value: make("text", { class: axis === "t" ? "soft" : axis, ...BOLD }, holder),
      };
    });
    return { title, rows };
  };
  const [own, other] = [made("q", "q"), made("k", "k")];
  const lists = AXES.map((axis) => {
    const holder = group(axis);
    return { axis, holder, text: make("text", { class: `t14 ${axis === "t" ? "soft" : axis}` }, holder) }; // prettier-ignore
  });

  /** @param {ReturnType<typeof made>} of @param {Room} room @param {number} y @param {string} text @param {number[]} ids @param {number} presence */
  function tell({ title, rows }, { side, isPhone }, y, text, ids, presence) {
    const step = isPhone ? 17 : 28;
    put(title, { x: side, y, text });
    show(/** @type {Element} */ (title.parentNode), presence);
    rows.forEach(({ holder, name, value }, i) => {
      put(name, { x: side, y: y + (i + 1) * step });
      put(value, { x: side + (isPhone ? 58 : 84), y: y + (i + 1) * step, text: number(ids[i]) });
      show(holder, presence);
    });
  }

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { map, isPhone, side } = room;
    const held = Math.round(s.at);
    const [rows, columns] = [Math.round(s.rows), Math.round(s.columns)];
    const isNext = s.next > 0.5;
    const after = next(START, rows, columns);
    const ids = isNext ? [after, after, after] : idsOf(held);
    const name = isNext || held < START ? say("word", { word: words[isNext ? START : held] }) : say("patch"); // prettier-ignore
    const top = map.y + (isPhone ? 60 : map.size * 0.2);
    const placed = s.next * clamp(2 * s.placed - 1, 0, 1);
    tell(own, room, top, name, ids, Math.max(s.held, placed));
    const [t, row, column] = ids;
    const hasAbove = !isNext && held >= START + COLUMNS;
    tell(other, room, top + (isPhone ? 84 : 150), say("above"), [t, row - 1, column], hasAbove ? s.held : 0); // prettier-ignore
    const span = (/** @type {number} */ most) => (most ? `${START}…${START + most}` : `${START}`);
    const told = {
      before: "0 1 2",
      after: `${after} ${after + 1} ${after + 2}`,
    };
    const inside = [`${START} × ${number(rows * columns)}`, span(rows - 1), span(columns - 1)];
    lists.forEach(({ axis, holder, text }, i) => {
      put(text, { x: side, y: top + 160 + i * 26, text: say("list", { ...told, name: say(axis), inside: inside[i] }) }); // prettier-ignore
      show(holder, isPhone || room.width - side < 205 ? 0 : placed);
    });
  };
}

/** The t of each sheet. @param {Stage} stage */
export function buildFilm({ make, put, show, group, say, number }) {
  const chips = Array.from({ length: SHEETS }, () => {
    const node = group("t");
    const plate = make("rect", { rx: 5, fill: "var(--paper)", stroke: "var(--soft)", height: 21 }, node); // prettier-ignore
    return { node, plate, name: make("text", { class: "t14", "text-anchor": "middle", ...BOLD }, node) }; // prettier-ignore
  });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const chain = clamp(s.rule - 1, 0, 1);
    chips.forEach(({ node, plate, name }, i) => {
      const rule = Math.round(s.rule);
      const t = rule === 2 ? apart(i) : START + later(rule, i, s.seconds);
      const text = say("t_is", { t: number(t) });
      const wide = 16 + 7.4 * text.length;
      const corner = patchAt(room, s, 0, COLUMNS - 1, i);
      const lower = patchAt(room, s, ROWS - 1, COLUMNS - 1, i);
      const [left, top] = room.isPhone
        ? [room.right - wide, room.map.y + 44 + 26 * i]
        : [corner.x + corner.w - wide, corner.y - 22];
      const x = mix(left, lower.x + lower.w + 6, chain);
      const y = mix(top, lower.y + lower.h - 21, chain);
      put(plate, { x: x.toFixed(1), y: y.toFixed(1), width: wide.toFixed(1) });
      put(name, { x: (x + wide / 2).toFixed(1), y: (y + 15.5).toFixed(1), text });
      show(node, s.pile);
    });
  };
}

/** A picture’s corner on the map. @param {Room} room @param {State} s */
export const cornerOf = (room, { rows, columns }) => at(room, START + rows, START + columns);
