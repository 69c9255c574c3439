// The row that is cut out of the waves, number by number, and the one that is looked for.

import { TARGET, row } from "./model.js";
import { WIDTH, after } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {Stage} stage */
export function buildRow({ make, put, show, group, say, number }) {
  const scene = group("row");
  const axis = make("path", { stroke: "var(--soft)", fill: "none" }, scene);
  const bars = Array.from({ length: WIDTH }, () =>
    make("rect", { fill: "var(--ink)", "fill-opacity": 0.5 }, scene),
  );
  const wanted = Array.from({ length: WIDTH }, () =>
    make("rect", { fill: "none", stroke: "var(--ink)", "stroke-width": 2 }, group("wanted")),
  );
  const values = Array.from({ length: WIDTH }, () =>
    make("text", { class: "t12", "text-anchor": "end" }, scene),
  );
  const title = make(
    "text",
    { class: "t14", "text-anchor": "middle", style: "font-weight:600" },
    scene,
  );

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = after(s.rows);
    show(scene, presence);
    const { width, right, top, foot, bottom, isPhone } = room;
    const centre = right + (isPhone ? 36 : 84);
    const half = isPhone ? 26 : 56;
    const now = row(s.p);
    const other = row(TARGET);
    put(axis, { d: `M${centre},${top}V${foot}` });
    bars.forEach((bar, i) => {
      const { y, h } = room.lanes[i];
      const box = (/** @type {number} */ value) => ({
        x: (centre + Math.min(0, value) * half).toFixed(1),
        width: (Math.abs(value) * half).toFixed(1),
      });
      put(bar, { ...box(now[i]), y: y - h * 0.44, height: h * 0.88 });
      put(wanted[i], { ...box(other[i]), y: y - h * 0.55, height: h * 1.1 });
      show(wanted[i], presence);
      put(values[i], { x: width - (isPhone ? 4 : 12), y: y + 4, text: number(now[i], 2) });
    });
    put(title, {
      x: centre,
      y: bottom + (isPhone ? 20 : 6),
      text: isPhone ? "" : say("row_of"),
    });
  };
}
