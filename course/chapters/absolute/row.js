// The row that is cut out of the waves, number by number, and the one that is looked for.

import { svg } from "../../page/lit/lit.js";
import { TARGET, fits, row } from "./model.js";
import { after } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {State} s @param {Room} room @param {Stage} stage */
export function cutOut(s, room, { say, number }) {
  const presence = after(s.rows);
  if (presence < 0.02) return "";
  const { width, right, top, foot, bottom, isPhone } = room;
  const centre = right + (isPhone ? 36 : 84);
  const half = isPhone ? 26 : 56;
  const now = row(s.p);
  const lanes = room.lanes.map((lane, i) => ({ ...lane, i }));
  const box = (
    /** @type {number} */ value,
    /** @type {number} */ y,
    /** @type {number} */ h,
    /** @type {string} */ css,
  ) =>
    svg`<rect class=${css} x=${centre + Math.min(0, value) * half} width=${Math.abs(value) * half} y=${y - h / 2} height=${h} />`;
  return svg`
    <g data-marks="row" opacity=${presence}>
      <path stroke="var(--soft)" d=${`M${centre},${top}V${foot}`} />
      ${lanes.map(({ y, h, i }) => box(now[i], y, h * 0.88, "bar"))}
      ${lanes.map(({ y, i }) => svg`<text class="t12 end" x=${width - (isPhone ? 4 : 12)} y=${y + 4}>${number(now[i], 2)}</text>`)}
      ${isPhone ? "" : svg`<text class="t14 middle bold" x=${centre} y=${bottom + 6}>${say("row_of")}</text>`}
      <text class="t14 bold end" x=${width - (isPhone ? 4 : 12)} y=${top - (isPhone ? 4 : 12)}>${say(isPhone ? "fit_short" : "fit", { count: fits(s.p), width: now.length })}</text></g>
    <g data-marks="wanted" opacity=${presence}>${lanes.map(({ y, h, i }) => box(row(TARGET)[i], y, h * 1.1, "frame"))}</g>`;
}
