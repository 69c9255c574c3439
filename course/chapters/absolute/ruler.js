// The ruler of places at the foot, the cut through everything above it, and the row that is cut out of the waves.

import { svg } from "../../page/lit/lit.js";
import { TARGET, fits, row } from "./model.js";
import { FURTHER, after, placeX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const EVERY = [16, 32]; // places between two numbers: else, on a phone
const TENS = [10, 20]; // where they are digits

/** @param {State} s @param {Room} room @param {Stage} stage */
export function ruler(s, room, { say, number }) {
  const { left, right, bottom, last, isPhone } = room;
  const every = last > 150 ? 32 : (s.lanes > 0.5 ? TENS : EVERY)[isPhone ? 1 : 0];
  const tick = last > 150 ? 4 : 1;
  const ticks = Array.from({ length: Math.floor(last / tick) + 1 }, (_, i) => {
    const x = placeX(room, i * tick).toFixed(1);
    return `M${x},${bottom}v${(i * tick) % every ? -3 : -7}`;
  });
  const x = placeX(room, s.p);
  const named = Array.from({ length: FURTHER / EVERY[0] }, (_, i) => i * every).filter((place) => {
    const isFree =
      Math.abs(placeX(room, place) - x) > (isPhone ? 34 : 42) + (s.terms > 0.5 ? 12 : 0);
    return place <= last + 1 && isFree && placeX(room, place) < right + 4;
  });
  // Through what stands above, but not through names of lanes; a curve has a cut of its own.
  const isOver = [s.words, s.wedges, s.mix, s.terms, s.bits, s.table].some((share) => share > 0.5);
  const areNamed = Math.max(s.lanes, s.sieve) > 0.5;
  const shown = s.sieve > 0.5 ? 2 * Math.round(s.hands) : room.lanes.length;
  const tops = areNamed ? room.lanes.slice(0, shown).filter(({ a }) => a > 0.5) : [];
  const through = tops.map(({ y, h }) => `M${x},${y - h / 2}v${h}`).join("");
  const below = areNamed ? bottom - 14 : Math.max(0, room.top - 6);
  return svg`
    <path class="line" d=${`M${left},${bottom}H${right}${ticks.join("")}`} />
    ${named.map((place) => svg`<text class="t12 soft middle" x=${placeX(room, place)} y=${bottom + 22}>${number(place)}</text>`)}
    ${isPhone ? "" : svg`<text class="t12 soft end" x=${left - 8} y=${bottom - 4}>${say("place")}</text>`}
    <path stroke="var(--ink)" stroke-width="1.5" fill="none" d=${`${through}M${x},${isOver ? bottom - 10 : below}V${bottom}`} />`;
}

/** The row that is cut out, number by number, and the one that is looked for. @param {State} s @param {Room} room @param {Stage} stage */
export function cutOut(s, room, { say, number, seen }) {
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
    <g data-marks="entries" opacity=${presence}>
      <path stroke="var(--soft)" d=${`M${centre},${top}V${foot}`} />
      ${lanes.map(({ y, h, i }) => box(now[i], y, h * 0.88, "bar"))}
      ${lanes.map(({ y, i }) => svg`<text class="t12 end" x=${width - (isPhone ? 8 : 28)} y=${y + 4}>${number(now[i], 2)}</text>`)}
      ${isPhone ? "" : svg`<text class="t14 middle bold" x=${centre} y=${bottom + 6}>${say("row_of")}</text>`}
      ${isPhone && seen.has("found") ? "" : svg`<text class="t14 bold end" x=${width - (isPhone ? 8 : 28)} y=${top - (isPhone ? 4 : 12)}>${say(isPhone ? "fit_short" : "fit", { count: fits(s.p), width: now.length })}</text>`}</g>
    <g data-marks="wanted" opacity=${presence}>${lanes.map(({ y, h, i }) => box(row(TARGET)[i], y, h * 1.1, "frame"))}</g>`;
}
