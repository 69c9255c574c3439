// What a byte costs at every place, measured: a small model that adds sines to its words.

import { svg } from "../../page/lit/lit.js";
import { through } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import data from "./data.js";
import { at, bitsAt, range, row, unseen } from "./model.js";
import { FURTHER, PLACES, WIDTH, after, placeX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @import { Point } from "../../page/shapes.js" */

const MOST = 6; // bits
const LINES = [0, 2, 4, 6];
const LABEL = 40; // places beside the cut, below which its number stands

/** @param {State} s @param {Room} room @param {Stage} stage */
export function bits(s, room, stage) {
  const presence = after(s.bits);
  if (presence < 0.02) return "";
  const { say, number } = stage;
  const { left, right, top, foot, bottom, isPhone } = room;
  const head = top + (isPhone ? 22 : 34);
  const y = (/** @type {number} */ bits) => foot - (bits / MOST) * (foot - head);
  const x = (/** @type {number} */ place) => placeX(room, Math.min(place, FURTHER - 1));
  const edge = placeX(room, PLACES - 0.5);
  const read = data.bits.slice(0, Math.ceil(s.read));
  /** @param {number} side @returns {Point[]} */
  const points = (side) =>
    read.map((bits, place) => [x(place), y(bits + side * data.errors[place])]);
  const isLeft = s.p > FURTHER * 0.7;
  const beside = isLeft ? [s.p - LABEL, s.p + 1] : [s.p, s.p + LABEL];
  const now = placeX(room, s.p);
  const here = svg`
    <circle r="6" fill="var(--ink)" cx=${now} cy=${y(bitsAt(s.p))} />
    <text class=${`halo bold ${isLeft ? "end" : ""}`} x=${now + (isLeft ? -12 : 12)} y=${y(Math.min(...data.bits.slice(...beside))) + 24}>${say("bits_here")}</text>`;
  const isTold = s.read > PLACES + 1;
  const alone = y(data.bytesAlone);
  const size = isPhone ? "_short" : "";
  return svg`${gauges(s, room, stage)}<g opacity=${presence}>
    <g data-marks="curve">
      <rect fill="var(--new)" fill-opacity="0.08" x=${edge} y=${head} width=${Math.max(0, right - edge)} height=${foot - head} />
      <path class="line" d=${LINES.map((bits) => `M${left},${y(bits)}H${right}`).join("")} />
      ${LINES.map((bits) => svg`<text class="t12 soft end" x=${left - 7} y=${y(bits) + 4}>${number(bits)}</text>`)}
      <text class="t14 soft halo" x=${left} y=${top + (isPhone ? 2 : 8)}>${say(`bits_title${size}`)}</text>
      <path fill="var(--ink)" fill-opacity="0.14" d=${`${through([...points(1), ...points(-1).reverse()])}Z`} />
      <line stroke="var(--ink)" stroke-width="1.5" x1=${now} x2=${now} y1=${head} y2=${bottom} />
      <path fill="none" stroke="var(--ink)" stroke-width="3" d=${through(points(0))} />
      ${s.p < s.read ? here : ""}</g>
    <g data-marks="alone">${
      isTold
        ? svg`<line stroke="var(--soft)" stroke-dasharray="4 4" stroke-width="2" x1=${left} x2=${right} y1=${alone} y2=${alone} />
          <text class="t12 halo" x=${left + 8} y=${alone - 7}>${say(`alone${size}`)}</text>`
        : ""
    }</g>
    ${isPhone ? "" : svg`<text class="t12 soft end" x=${edge - 8} y=${head - 6}>${say("trained")}</text>`}
    <text class="t12 new" x=${edge + 8} y=${head - 6}>${say(`beyond${size}`)}</text></g>`;
}

/** Each number of a row between the least and the most that training had of it; what leaves is new.
 * @param {State} s @param {Room} room @param {Stage} stage
 */
function gauges(s, { top, width, isPhone }, { say }) {
  const left = isPhone ? 14 : 120;
  const w = (width - left - (isPhone ? 14 : 50)) / WIDTH;
  // Of the room above: what training had, and how far outside of that a number is drawn.
  const [high, most] = isPhone ? [top * 0.3, 0.25] : [top * 0.34, 0.5];
  const middle = top * (isPhone ? 0.52 : 0.47);
  const areNew = unseen(s);
  const x = (/** @type {number} */ i) => left + w * (i + 0.5);
  const dot = (/** @type {number} */ value, /** @type {number} */ i) => {
    const [low, up] = range(i);
    const part = clamp((value - low) / (up - low), -most, 1 + most);
    const y = middle + high * (0.5 - part);
    const edge = middle + high * (0.5 - clamp(part, 0, 1));
    return svg`${areNew[i] ? svg`<line stroke="var(--new)" stroke-width="3" x1=${x(i)} x2=${x(i)} y1=${edge} y2=${y} />` : ""}
      <circle fill=${`var(--${areNew[i] ? "new" : "ink"})`} r=${Math.min(6, w * 0.24)} cx=${x(i)} cy=${y} />`;
  };
  const endY = middle + high * (0.5 + most) + (isPhone ? 15 : 24); // below new numbers
  return svg`<g opacity=${after(s.bits)}>
    <g data-marks="gauge">
      ${areNew.map((_, i) => svg`<rect fill="var(--line)" rx="3" x=${x(i) - w * 0.3} y=${middle - high / 2} width=${w * 0.6} height=${high} />`)}
      <text class="t12 soft" x=${left + w * 0.2} y=${endY}>${say("fast")}</text>
      <text class="t12 soft end" x=${left + w * (WIDTH - 0.2)} y=${endY}>${say("slow")}</text></g>
    <g data-marks="entries new">
      ${row(s.p).map(dot)}
      <text class="t14 end bold" x=${isPhone ? 70 : left - 12} y=${isPhone ? 12 : middle - 6}>${say("row_of", { p: at(s) })}</text>
      <text class=${`t14 end bold ${areNew.some(Boolean) ? "new" : "soft"}`} x=${isPhone ? width - 14 : left - 12} y=${isPhone ? 12 : middle + 18}>${say("new_ones")}</text></g></g>`;
}
