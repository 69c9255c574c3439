// How alike the row of one place is to that of every other, in a table that a model has learned.

import { asked } from "../../page/asked.js";
import { svg } from "../../page/lit/lit.js";
import { xy } from "../../page/shapes.js";
import { at, likeness } from "./model.js";
import { AFTER_END, PLACES, after, placeX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const LINES = [-1, 0, 1];
const LAST = PLACES - 1;
// Which rows may be most like that of place 100: none, those beside it, or far ones.
const ASKED = [
  { place: 64, likeness: 0 },
  { place: 108, likeness: 0.5 },
  { place: 16, likeness: 0.5 },
];

/** @param {State} s @param {Room} room @param {Stage} stage */
export function alike(s, room, { say, number }) {
  const presence = after(s.table);
  if (presence < 0.02) return "";
  const { left, right, top, foot, isPhone } = room;
  const y = (/** @type {number} */ value) => (top + foot) / 2 - (value * (foot - top)) / 2;
  const wide = (placeX(room, 1) - placeX(room, 0)) * 0.8;
  const bar = (/** @type {number} */ place) => {
    const x = placeX(room, place) - wide / 2;
    return `M${xy([x, y(0)])}h${wide.toFixed(1)}V${y(likeness(at(s), place)).toFixed(1)}h${(-wide).toFixed(1)}Z`;
  };
  const isRow = at(s) < PLACES;
  const others = Array.from({ length: isRow ? PLACES : 0 }, (_, place) => place).filter(
    (place) => place !== at(s) && place < s.sweep,
  );
  const edge = placeX(room, PLACES - 0.5);
  const [lastX, low] = [placeX(room, LAST), y(-1)]; // of a row unlike those beside it
  const last = () => svg`
    <path stroke="var(--soft)" d=${`M${lastX},${y(Math.min(0, likeness(at(s), LAST))) + 4}V${low - 20}`} />
    <text class="t12 halo end" x=${edge - 2} y=${low - 7}>${say("last_row")}</text>`;
  const noneX = isRow ? placeX(room, (PLACES + AFTER_END) / 2) : (left + edge) / 2;
  return svg`<g opacity=${presence}>
    <g data-marks="new">
      <rect fill="var(--new)" fill-opacity="0.08" x=${edge} y=${top} width=${right - edge} height=${foot - top} />
      <text class=${`new middle bold ${isRow && isPhone ? "t12" : ""}`} x=${noneX} y=${y(0) - (isRow ? 0 : 10)}>${say(isRow ? "no_rows" : "no_row")}</text></g>
    <g data-marks="likeness">
      ${
        isRow
          ? svg`<path class="line" d=${LINES.map((line) => `M${left},${y(line)}H${edge}`).join("")} />
        ${LINES.map((line) => svg`<text class="t12 soft end" x=${left - 7} y=${y(line) + 4}>${number(line)}</text>`)}
        <text class="t14 soft" x=${left} y=${top - (isPhone ? 12 : 22)}>${say(isPhone ? "likeness_short" : "likeness")}</text>`
          : ""
      }
      <path fill="var(--ink)" fill-opacity="0.4" d=${others.map(bar).join("")} />
      <path fill="var(--ink)" d=${isRow ? bar(at(s)) : ""} />
      ${isRow && s.sweep > LAST ? last() : ""}</g>
    ${asked(
      ASKED.map((spot) => [placeX(room, spot.place), y(spot.likeness)]),
      presence * s.guessing,
    )}</g>`;
}
