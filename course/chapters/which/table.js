// The three ways as columns, and what the course has shown of each as lines.

import { buildRows } from "./hands.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

export const WAYS = /** @type {const} */ (["add", "subtract", "turn"]);
export const LINES = /** @type {const} */ (["where", "back", "longer", "after", "kernel", "files"]);
/** Columns that a line speaks for. @type {Record<typeof LINES[number], readonly (typeof WAYS[number])[]>} */
const BEST = {
  where: [],
  back: ["turn"],
  longer: ["subtract"],
  after: [],
  kernel: ["add", "turn"],
  files: [],
};

/** @param {Room} room @param {number} i */
function place({ width, height, isPhone, left }, i) {
  const top = isPhone ? 50 : 112;
  const h = Math.min(isPhone ? 54 : 78, (height - (isPhone ? 6 : 24) - top) / LINES.length);
  return { x: left - 6, y: top + i * h, w: width - 2 * left + 12, h };
}

/** @param {Stage} stage @param {() => Room} room */
export function buildTable(stage, room) {
  const { make, put, show, group, say, seen, isGuessing } = stage;
  const frame = buildRows(
    stage,
    { mark: "lines", name: "line", key: "line", count: LINES.length, shown: "table" },
    (i) => place(room(), i),
  );
  const heads = WAYS.map((way) => ({
    way,
    title: make("text", { style: "font-weight: 600" }, group(`ways ${way}`)),
    members: make("text", { class: "t12 soft" }, group(`ways ${way}`)),
  }));
  const rules = make("path", { stroke: "var(--line)", fill: "none" }, group("lines"));
  const through = { class: "t14", "pointer-events": "none" }; // what takes the hand is below
  const lines = LINES.map((line) => ({
    line,
    name: make("text", { ...through, class: "t12 soft" }, group(`lines ${line}`)),
    cells: WAYS.map((way) => ({
      way,
      node: make("text", through, group(`lines ${line} ${way}`)),
    })),
  }));

  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const presence = s.table;
    frame(s);
    show(rules, presence);
    for (const { title, members } of heads) for (const node of [title, members]) show(node, presence); // prettier-ignore
    for (const { name, cells } of lines)
      for (const node of [name, ...cells.map((one) => one.node)]) show(node, presence);
    if (presence < 0.02) return;
    const { isPhone, left, width } = at;
    const end = isPhone ? "_short" : "";
    const wide = (width - 2 * left) / WAYS.length;
    const x = (/** @type {number} */ i) => left + i * wide;
    heads.forEach(({ way, title, members }, i) => {
      put(title, { x: x(i), y: isPhone ? 18 : 46, text: say(`way_${way}`) });
      put(members, { x: x(i), y: isPhone ? 36 : 70, text: say(`members_${way}${end}`) });
    });
    const tops = LINES.map((_, i) => place(at, i).y);
    put(rules, { d: tops.map((y) => `M${left},${y.toFixed(1)}h${width - 2 * left}`).join("") });
    lines.forEach(({ line, name, cells }, i) => {
      const { y, h } = place(at, i);
      const isKnown = seen.has(i) && !isGuessing();
      put(name, { x: left, y: y + h * 0.38, text: say(`line_${line}${end}`) });
      cells.forEach(({ way, node }, column) =>
        put(node, {
          x: x(column),
          y: y + h * (isPhone ? 0.8 : 0.74),
          text: isKnown ? say(`cell_${line}_${way}${end}`) : "?",
          class: isKnown ? "t14" : "t14 soft",
          style: isKnown && BEST[line].includes(way) ? "font-weight: 600" : undefined,
        }),
      );
    });
  };
}
