// What the methods leave and cost: a row for each, filled when its name was pressed.

import { METHODS, TARGET, nearness, newOnes } from "./scalings.js";
import { clamp } from "../../page/shapes.js";
import { isOn } from "./beads.js";
import { beyond } from "./measured.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./scalings.js").Method} Method */
/** @typedef {import("./room.js").Room} Room */

const COLUMNS = /** @type {const} */ (["new", "near", "bits"]);
const AT = { new: 0.43, near: 0.69, bits: 1 }; // of the width, at their right ends

/** @param {Stage} stage @param {(name: Method) => void} laid */
export function buildTable({ make, put, show, group, say, number, seen, press }, laid) {
  const all = group("table");
  const lines = make("path", { stroke: "var(--line)", fill: "none" }, all);
  const heads = COLUMNS.map((name) =>
    make("text", { class: "soft", "text-anchor": "end" }, group(name, all)),
  );
  const rows = /** @type {Method[]} */ (Object.keys(METHODS)).map((name) => {
    const method = say(`name_${name}`);
    const button = press(group("names", all), () => laid(name), {
      "aria-label": say("lay", { method }),
    });
    const plate = make("rect", { rx: 8, stroke: "var(--ink)" }, button);
    const label = make("text", { "text-anchor": "middle" }, button, method);
    const cells = COLUMNS.map((column) =>
      make("text", { "text-anchor": "end" }, group(column, all)),
    );
    return { name, button, plate, label, cells };
  });

  return (
    /** @type {State} */ s,
    /** @type {Room} */ { isPhone, width, table: { x, y, w, h } },
  ) => {
    const stays = s.table * clamp(1 - 2 * s.crowd, 0, 1);
    show(all, stays);
    if (stays < 0.02) return;
    const left = isPhone ? x - 34 : x;
    const wide = w + x - left;
    const css = isPhone ? "t12" : "t14";
    const right = (/** @type {keyof typeof AT} */ name) => left + AT[name] * wide;
    const at = (/** @type {number} */ row) => y + (row + 0.5) * h + 5;
    put(lines, { d: rows.map((_, k) => `M${left},${y + (k + 1) * h}h${wide}`).join("") });
    COLUMNS.forEach((name, k) =>
      put(heads[k], {
        x: right(name),
        y: at(0),
        class: `soft ${css}`,
        text: say(width < 720 ? `column_${name}_short` : `column_${name}`),
      }),
    );
    rows.forEach(({ name, button, plate, label, cells }, k) => {
      const isLaid = isOn(s.u, name);
      const box = { width: isPhone ? 82 : 116, height: h - 6 };
      put(button, { tabindex: s.table > 0.8 ? 0 : -1 });
      put(plate, {
        x: left,
        y: y + (k + 1) * h + 3,
        ...box,
        fill: isLaid ? "var(--ink)" : "var(--paper)",
      });
      put(label, {
        x: left + box.width / 2,
        y: at(k + 1),
        class: css,
        style: isLaid ? "fill: var(--paper)" : undefined,
      });
      const slows = METHODS[name];
      const told = [
        number(newOnes(slows, TARGET)),
        say("percent", { percent: number(100 * nearness(slows)) }),
        `+${number(beyond(name), 2)}`,
      ];
      cells.forEach((node, i) =>
        put(node, { x: right(COLUMNS[i]), y: at(k + 1), text: seen.has(name) ? told[i] : "" }),
      );
    });
  };
}
