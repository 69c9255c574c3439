// Which base holds for which length: the edge, models as points, and the score under one base.

import { invFreq } from "../../page/formulas/rotation.js";
import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, through, widthOf } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import data from "./data.js";
import { BASES, EDGE, PAIRS, likeness, onGrid, reachOf } from "./facts.js";
import { ruler } from "./plot.js";
import { alongX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

export const TARGET = 131_072; // words
export const ASKED = "Llama 2"; // the model that is asked for

const { lowest, highest } = BASES;
const DIP = 12; // words about the edge

/** Base of a power of ten, as round as it is said. @param {number} power */
export function baseOf(power) {
  const unit = 10 ** (Math.floor(power) - 2);
  return Math.round(10 ** onGrid(power) / unit) * unit;
}

/** @param {Room} room */
const chart = ({ plot }) => ({ top: plot.y, foot: plot.y + plot.h });

/** Where the magnified score stands: right of Llama 2, where no base's area reaches. @param {Room} room */
function glass(room) {
  const { plot, isPhone } = room;
  const { top, foot } = chart(room);
  return {
    left: isPhone ? alongX(room, 4096) + 17 + widthOf(ASKED, 12, 600) : alongX(room, 20_000),
    right: plot.x + plot.w - (isPhone ? 0 : 8),
    upper: foot - ((foot - top) * (isPhone ? 2.3 : 2.2)) / (highest - lowest),
    lower: foot - (isPhone ? 4 : 10),
  };
}

/** A line down that leaves out the magnified score. @param {Room} room @param {number} x @param {number} from @param {number} to */
function down(room, x, from, to) {
  const { left, right, upper, lower } = glass(room);
  const isBehind = x > left && x < right;
  return isBehind ? `M${x},${from}V${Math.max(from, upper)}M${x},${lower}V${to}` : `M${x},${from}V${to}`; // prettier-ignore
}

/** The score about its first dip below 0, magnified.
 * @param {Room} room @param {number[]} speeds @param {number} reach @param {Stage} stage
 */
function lens(room, speeds, reach, { say, number }) {
  const { isPhone } = room;
  const { left, right, upper, lower } = glass(room);
  const [over, under] = [upper + (isPhone ? 24 : 34), lower - (isPhone ? 20 : 46)];
  const backs = Array.from({ length: 2 * DIP + 1 }, (_, i) => reach - DIP + i);
  const scores = backs.map((back) => likeness(speeds, back));
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const x = (/** @type {number} */ i) => left + 24 + ((right - left - 36) * i) / (2 * DIP);
  const y = (/** @type {number} */ score) => over + ((under - over) * (most - score)) / (most - least); // prettier-ignore
  const points = scores.map((score, i) => /** @type {[number, number]} */ ([x(i), y(score)]));
  return svg`<g data-marks="score dip">
    <rect rx="6" fill="var(--paper)" stroke="var(--line)" x=${left} y=${upper} width=${right - left} height=${lower - upper} />
    <text class="t14 bold new" x=${left + (isPhone ? 6 : 12)} y=${upper + (isPhone ? 15 : 21)}>${say(isPhone ? "below_short" : "below")}</text>
    <text class="t12 soft end" x=${left + 16} y=${y(0) + 4}>${number(0)}</text>
    <path stroke="var(--soft)" stroke-dasharray="3 4" d=${`M${x(0)},${y(0)}H${x(2 * DIP)}`} />
    ${isPhone ? "" : svg`<text class="t12 soft" x=${x(0)} y=${y(0) + 17}>${say("random")}</text>`}
    <path fill="none" stroke="var(--ink)" stroke-width="1.6" stroke-linejoin="round" d=${through(points)} />
    <circle r=${isPhone ? 3.5 : 5} fill="var(--new)" cx=${x(DIP)} cy=${y(scores[DIP])} />
    ${isPhone ? "" : [0, DIP, 2 * DIP].map((i) => svg`<text class="t12 soft middle" x=${x(i) + 12 - i} y=${lower - 9}>${number(backs[i])}</text>`)}</g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function bases(s, room, stage) {
  if (s.bases < 0.02) return "";
  const { say, number, handle, set, isGuessing } = stage;
  const { plot, isPhone } = room;
  const { top, foot } = chart(room);
  const y = (/** @type {number} */ power) =>
    foot - ((foot - top) * (power - lowest)) / (highest - lowest);
  const x = (/** @type {number} */ words) => clamp(alongX(room, words), plot.x, plot.x + plot.w);
  const power = onGrid(s.base);
  const speeds = invFreq(PAIRS, baseOf(power)); // so small a change as a rounding moves the edge
  const reach = reachOf(power);
  const edge = EDGE.map(([words, base]) => /** @type {[number, number]} */ ([x(words), y(base)]));
  const [rail, right] = [plot.x, plot.x + plot.w];
  const legend = plot.x + 26;
  const past = isPhone ? legend : legend + widthOf(say("above"), 12.5) + 56;
  const to = (/** @type {number} */ one) => set({ base: clamp(onGrid(one), lowest, highest) }); // prettier-ignore
  const hold = handle({
    label: say("base_label"),
    now: power,
    min: lowest,
    max: highest,
    text: say("base_at"),
    keys: (by) => to(s.base + by / BASES.each),
    move: ([, at]) => to(lowest + ((foot - at) / (foot - top)) * (highest - lowest)),
  });
  const model = (/** @type {typeof data.models[number]} */ { name, base, trained, edge: its }) => {
    const isInside = its > trained;
    const [mx, my] = [x(trained), y(Math.log10(base))];
    return svg`${isInside || isGuessing() ? "" : svg`<path stroke="var(--new)" stroke-width="3" d=${`M${x(its)},${my}H${mx}`} />`}
      <circle r="5" fill="var(--ink)" cx=${mx} cy=${my} />
      <text class=${`t14 bold halo ${isInside ? "end" : ""}`} x=${mx + (isInside ? -9 : 9)} y=${my + 5}>${name}</text>`;
  };
  const ticks = [3, 4, 5, 6, 7, 8].filter((one) => !isPhone || one < 8);
  const tick = (/** @type {number} */ one) => svg`
    <path class="line" d=${`M${plot.x},${y(one)}H${y(one) > glass(room).upper && y(one) < glass(room).lower ? glass(room).left : right}`} />
    ${isPhone && Math.abs(one - power) < 0.4 ? "" : svg`<text class=${`t12 soft ${isPhone ? "" : "end"}`} x=${plot.x + (isPhone ? 8 : -18)} y=${y(one) + (isPhone ? -4 : 4)}>${number(10 ** one)}</text>`}`;
  return svg`<g opacity=${s.bases}>
    <g data-marks="ruler">${ticks.map(tick)}
      <path class="line" d=${(isPhone ? [4, 5, 6] : [3, 4, 5, 6]).map((one) => `${down(room, x(10 ** one), top, foot)}`).join("")} />
      <text class=${`t12 soft ${isPhone ? "" : "end"}`} x=${isPhone ? 4 : plot.x - 8} y=${top - (isPhone ? 22 : 16)}>${say("base_axis")}</text></g>
    <g data-marks="edge">
      <path fill="var(--soft)" fill-opacity="0.3" d=${`${through(edge)}H${plot.x}V${foot}Z`} />
      <path fill="var(--soft)" fill-opacity="0.3" d=${`M${legend - 4},${top - (isPhone ? 33 : 27)}h-18v12h18z`} />
      <text class="t12" x=${legend} y=${top - (isPhone ? 23 : 16)}>${say("above")}</text></g>
    <g data-marks="target">${
      isGuessing()
        ? ""
        : svg`<path stroke="var(--soft)" stroke-dasharray="3 4" d=${down(room, x(TARGET), top, foot)} />
      <text class="t12 halo" x=${x(TARGET) + 6} y=${top + 15}>${number(TARGET)}</text>`
    }</g>
    <g data-marks="models">${data.models.map(model)}${
      isGuessing()
        ? ""
        : svg`<path stroke="var(--new)" stroke-width="3" d=${`M${past - 4},${top - (isPhone ? 11 : 21)}h-18`} />
      <text class="t12 new" x=${past} y=${top - (isPhone ? 7 : 16)}>${say("past_edge")}</text>`
    }</g>
    ${lens(room, speeds, reach, stage)}
    <g data-marks="base"><g ${hold}>
      <rect fill="transparent" x=${plot.x - 20} y=${top} width=${plot.w} height=${foot - top} />
      <path stroke="var(--paper)" stroke-width="9" d=${`M${rail},${top}V${foot}`} />
      <path stroke="var(--soft)" stroke-width="3" d=${`M${rail},${top}V${foot}`} />
      <path stroke="var(--ink)" stroke-width="1.6" d=${`M${rail},${y(s.base)}H${x(reach)}`} />
      <circle r="5" fill="var(--new)" cx=${x(reach)} cy=${y(s.base)} />
      <g transform=${moved(rail, y(s.base))}>${grip({ r: isPhone ? 9 : 11 })}</g></g>
      <text class="t14 bold halo" x=${rail + (isPhone ? 14 : 18)} y=${y(s.base) + (power > highest - 0.2 ? 20 : -9)}>${say("base_at")}</text></g>
    ${ruler(room, stage, "bases")}</g>`;
}
