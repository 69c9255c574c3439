// Which base holds for which length: the edge, models as points, and the score under one base.

import { invFreq } from "../../page/formulas/rotation.js";
import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, through, widthOf } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import data from "./data.js";
import { BASES, EDGE, PAIRS, likeness, onGrid, reachOf } from "./facts.js";
import { curve, heights, ruler } from "./plot.js";
import { alongX, upY } from "./room.js";

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
function chart({ plot, isPhone }) {
  const top = isPhone ? 20 : 40;
  return { top, foot: plot.y - (isPhone ? 32 : 58) };
}

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
  const { foot } = chart(room);
  const { left, right, upper, lower } = glass(room);
  const [over, under] = [upper + (isPhone ? 18 : 26), foot - (isPhone ? 10 : 40)];
  const backs = Array.from({ length: 2 * DIP + 1 }, (_, i) => reach - DIP + i);
  const scores = backs.map((back) => likeness(speeds, back));
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const x = (/** @type {number} */ i) => left + 24 + ((right - left - 36) * i) / (2 * DIP);
  const y = (/** @type {number} */ score) => over + ((under - over) * (most - score)) / (most - least); // prettier-ignore
  const points = scores.map((score, i) => /** @type {[number, number]} */ ([x(i), y(score)]));
  return svg`<g data-marks="dip">
    <rect rx="6" fill="var(--paper)" stroke="var(--line)" x=${left} y=${upper} width=${right - left} height=${lower - upper} />
    <text class="t12 bold new" x=${left + (isPhone ? 6 : 12)} y=${upper + (isPhone ? 13 : 17)}>${say(isPhone ? "below_short" : "below")}</text>
    <text class="t12 soft end" x=${left + 16} y=${y(0) + 4}>${number(0)}</text>
    <path stroke="var(--soft)" stroke-dasharray="3 4" d=${`M${x(0)},${y(0)}H${x(2 * DIP)}`} />
    <path fill="none" stroke="var(--ink)" stroke-width="1.6" stroke-linejoin="round" d=${through(points)} />
    <circle r=${isPhone ? 3.5 : 5} fill="var(--new)" cx=${x(DIP)} cy=${y(scores[DIP])} />
    ${isPhone ? "" : [0, DIP, 2 * DIP].map((i) => svg`<text class="t12 soft middle" x=${x(i) + 12 - i} y=${foot - 17}>${number(backs[i])}</text>`)}</g>`;
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
  const dip = upY(room, likeness(speeds, reach));
  const edge = EDGE.map(([words, base]) => /** @type {[number, number]} */ ([x(words), y(base)]));
  const [rail, right] = [plot.x + (isPhone ? 26 : 16), plot.x + plot.w];
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
      <text class=${`t12 bold halo ${isInside ? "end" : ""}`} x=${mx + (isInside ? -9 : 9)} y=${my + 5}>${name}</text>`;
  };
  const ticks = [3, 4, 5, 6, 7, 8].filter((one) => !isPhone || one < 8);
  const tick = (/** @type {number} */ one) => svg`
    <path class="line" d=${`M${plot.x + (isPhone ? 22 : 0)},${y(one)}H${y(one) > glass(room).upper && y(one) < glass(room).lower ? glass(room).left : right}`} />
    <text class=${`t12 soft ${isPhone ? "halo" : "end"}`} x=${isPhone ? 4 : plot.x - 8} y=${y(one) + 4}>${number(10 ** one)}</text>`;
  return svg`<g opacity=${s.bases}>
    <g data-marks="ruler">${ticks.map(tick)}
      <path class="line" d=${[3, 4, 5, 6].map((one) => `${down(room, x(10 ** one), top, foot)}M${x(10 ** one)},${plot.y}v${plot.h}`).join("")} />
      <text class=${`t12 soft ${isPhone ? "" : "end"}`} x=${isPhone ? 4 : plot.x - 8} y=${top - (isPhone ? 8 : 16)}>${say("base_axis")}</text></g>
    <g data-marks="edge">
      <path fill="var(--soft)" fill-opacity="0.3" d=${`${through(edge)}H${plot.x}V${foot}Z`} />
      <text class="t12 halo" x=${rail + 18} y=${top + (isPhone ? 12 : 16)}>${say(isPhone ? "above_short" : "above")}</text></g>
    <g data-marks="target">${
      isGuessing()
        ? ""
        : svg`<path stroke="var(--soft)" stroke-dasharray="3 4" d=${down(room, x(TARGET), top, plot.y + plot.h)} />
      <text class="t12 soft middle" x=${x(TARGET)} y=${top - 6}>${number(TARGET)}</text>`
    }</g>
    <g data-marks="models">${data.models.map(model)}${isGuessing() ? "" : svg`<text class="t12 new halo" x=${rail + 18} y=${top + (isPhone ? 28 : 36)}>${say("past_edge")}</text>`}</g>
    <path stroke="var(--new)" stroke-dasharray="2 4" d=${down(room, x(reach), y(s.base), dip)} />
    ${lens(room, speeds, reach, stage)}
    <g data-marks="base"><g ${hold}>
      <rect fill="transparent" x=${plot.x - 20} y=${top} width=${plot.w} height=${foot - top} />
      <path class="line" stroke-width="3" d=${`M${rail},${top}V${foot}`} />
      <path stroke="var(--ink)" stroke-width="1.6" d=${`M${rail},${y(s.base)}H${x(reach)}`} />
      <circle r="5" fill="var(--new)" cx=${x(reach)} cy=${y(s.base)} />
      <g transform=${moved(rail, y(s.base))}>${grip({ r: isPhone ? 9 : 11 })}</g></g></g>
    <path class="line" stroke-dasharray="3 4" d=${`M${plot.x},${upY(room, 0)}h${plot.w}`} />
    ${heights(room, [[0, number(0)]])}
    <g data-marks="score">${curve(room, (d) => likeness(speeds, Math.round(d)), { by: 0.5, also: [reach], stroke: "var(--ink)", width: 1.2 })}
      <circle r=${isPhone ? 3.5 : 5} fill="var(--new)" cx=${x(reach)} cy=${dip} />
      <text class="t12 bold halo" x=${isPhone ? 6 : plot.x} y=${plot.y - (isPhone ? 8 : 14)}>${say("score_axis")}</text></g>
    ${ruler(room, stage, "bases")}</g>`;
}
