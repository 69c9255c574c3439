// A layer that knows no positions and finds all scores alike: each word gets one share in n.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { curve, heights, ruler } from "./plot.js";
import { alongX, powerAt, upY } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const FIRST = 2; // place that can ask
const ROOM = 190; // pixels for the name of the bars
export const LAST = 3; // power of ten of the last place

/** The place of the word that asks. @param {State} s */
export const placeOf = (s) => Math.round(10 ** s.place);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function mask(s, room, stage) {
  if (s.mask < 0.02) return "";
  const { say, number, handle, set } = stage;
  const { plot, isPhone } = room;
  const n = placeOf(s);
  const foot = plot.y + plot.h;
  const top = upY(room, 1 / n);
  const thick = clamp(plot.w / 120, 2, 6); // of each bar, as close as they come
  const bar = (/** @type {number} */ i) => {
    const [name, fill] = i === n ? ["q", "var(--q-fill)"] : i === 1 ? ["k", "var(--k-fill)"] : ["shares", "var(--attention)"]; // prettier-ignore
    return svg`<rect data-marks=${name} fill=${fill} fill-opacity=${name === "shares" ? 0.5 : 1} x=${alongX(room, i) - thick / 2} y=${Math.min(top, foot - 1.5)} width=${thick} height=${Math.max(1.5, foot - top)} />`;
  };
  let last = -99;
  const drawn = Array.from({ length: n }, (_, i) => i + 1).filter((i) => {
    const x = alongX(room, i);
    if (i > 1 && i < n && Math.min(x - last, alongX(room, n) - x) < thick + 2) return false;
    last = x;
    return true;
  });
  const x = alongX(room, n);
  const isLeft = x < plot.x + plot.w * 0.5;
  const line = Math.max(plot.y + 8, top - (isPhone ? 58 : 72));
  const hold = handle({
    label: say("place_label"),
    now: n,
    min: FIRST,
    max: 10 ** LAST,
    text: say("place_at"),
    keys: (by) => {
      const next = n + by;
      set({ place: clamp(Math.max(n, next) <= 30 ? Math.log10(Math.max(FIRST, next)) : s.place + 0.02 * by, Math.log10(FIRST), LAST) }); // prettier-ignore
    },
    move: ([to]) =>
      set({ place: Math.log10(Math.max(FIRST, Math.round(10 ** powerAt(room, to)))) }),
  });
  const side = isLeft ? "" : "end";
  const told = x + (isLeft ? 18 : -18);
  return svg`<g opacity=${s.mask}>
    ${heights(room, [
      [0, `${number(0)}%`],
      [0.5, `${number(50)}%`],
      [1, `${number(100)}%`],
    ])}
    <g data-marks="shares">${curve(room, (m) => 1 / m, { stroke: "var(--line)", width: 1.6 })}</g>
    ${drawn.map(bar)}
    ${x - plot.x > ROOM ? svg`<g data-marks="shares"><text class="t12 attention middle halo" x=${(plot.x + x) / 2} y=${top - 9}>${drawn.length < n ? say("bars_some", { drawn: number(drawn.length) }) : say("bars")}</text></g>` : ""}
    ${ruler(room, stage, "mask")}
    <g data-marks="k"><text class="t14 k bold" x=${plot.x - 8} y=${plot.y - (isPhone ? 10 : 18)}>${say("first")}</text></g>
    <g data-marks="q"><g ${hold}>
      <rect fill="transparent" x=${plot.x - 14} y=${plot.y - 14} width=${plot.w + 28} height=${plot.h + 24} />
      <g transform=${moved(x, top - 11)}>${grip({ fill: "var(--q-fill)" })}</g></g>
      <text class=${`t14 q bold halo ${side}`} x=${told} y=${line}>${say("place_at")}</text>
      <text class=${`t14 halo ${side}`} x=${told} y=${line + (isPhone ? 16 : 19)}>${say("each")}</text>
      <text class=${`t14 soft halo ${side}`} x=${told} y=${line + (isPhone ? 31 : 38)}>${say("each_next")}</text></g></g>`;
}
