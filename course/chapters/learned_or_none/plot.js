// The ruler of words with its ticks, and curves over it.

import { svg } from "../../page/lit/lit.js";
import { through } from "../../page/parts.js";
import { alongX, upY } from "./room.js";

/** @import { Stage } from "../../page/types" */
/** @import { Room } from "./room.js" */

const NARROW = 62; // pixels that a number of six digits takes

/** The ruler, named. @param {Room} room @param {Stage} stage @param {string} name @param {number[]} [ticks] Powers of ten. */
export function ruler(room, { say, number }, name, ticks = [0, 1, 2, 3, 4, 5, 6]) {
  const { plot, ends, isPhone } = room;
  const foot = plot.y + plot.h;
  const inside = ticks.filter((power) => power >= ends[0] - 0.01 && power <= ends[1] + 0.01);
  const step = (plot.w / (ends[1] - ends[0])) * (ticks[1] - ticks[0]) < NARROW ? 2 : 1;
  const last = inside.length - 1;
  return svg`<g data-marks="ruler">
    <path class="line" stroke-width="1.5" d=${`M${plot.x},${foot}h${plot.w}${inside.map((power) => `M${alongX(room, 10 ** power)},${foot}v5`).join("")}`} />
    ${inside.map((power, i) => ((last - i) % step ? "" : svg`<text class="t12 soft middle" x=${Math.min(alongX(room, 10 ** power), room.width - 31)} y=${foot + (isPhone ? 16 : 19)}>${number(Math.round(10 ** power))}</text>`))}
    <text class="t12 soft end" x=${plot.x + plot.w + 14} y=${foot + (isPhone ? 30 : 36)}>${say(`axis_${name}`)}</text></g>`;
}

/** Values beside the ruler. @param {Room} room @param {[number, string][]} values */
export const heights = (room, values) => {
  const { plot } = room;
  return svg`<g data-marks="ruler">${values.map(([value, text]) => svg`<text class="t12 soft end" x=${plot.x - 8} y=${upY(room, value) + 4}>${text}</text>`)}</g>`;
};

/** A line through the values of a function. @param {Room} room @param {(words: number) => number} of
 * @param {{ from?: number, to?: number, by?: number, also?: number[], stroke: string, width?: number, dash?: string }} look
 *   Ends are powers of ten; a point each so many pixels, and at some numbers of words besides.
 */
export function curve(
  room,
  of,
  { from, to, by = 2, also = [], stroke, width = 2.4, dash = "none" },
) {
  const { ends, plot } = room;
  const [low, high] = [Math.max(ends[0], from ?? ends[0]), Math.min(ends[1], to ?? ends[1])];
  const count = Math.max(1, Math.round((plot.w * (high - low)) / (ends[1] - ends[0]) / by));
  const even = Array.from(
    { length: count + 1 },
    (_, i) => 10 ** (low + ((high - low) * i) / count),
  );
  const points = [...even, ...also]
    .sort((a, b) => a - b)
    .map((words) => /** @type {[number, number]} */ ([alongX(room, words), upY(room, of(words))]));
  return svg`<path fill="none" stroke=${stroke} stroke-width=${width} stroke-dasharray=${dash} stroke-linejoin="round" d=${through(points)} />`;
}

/** A rail at the foot with its name. @param {Room} room @param {string} name @param {unknown} held @param {string} text */
export function rail({ width, height, isPhone, pad }, name, held, text) {
  const at = railOf({ width, height, isPhone, pad });
  return svg`<g data-marks=${name}>
    <path class="line" stroke-width="3" d=${`M${at.x},${at.y}h${at.w}`} />
    <text class="t14" x=${pad} y=${at.y + 5}>${text}</text>${held}</g>`;
}

/** Where the rail is. @param {Pick<Room, "width" | "height" | "isPhone" | "pad">} room */
export const railOf = ({ width, height, isPhone, pad }) => ({
  x: isPhone ? 124 : 250,
  w: width - (isPhone ? 124 : 250) - pad - 14,
  y: height - (isPhone ? 20 : 34),
});
