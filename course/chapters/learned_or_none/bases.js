// Which base holds for which length: the edge, models as points, and the score under one base.

import { invFreq } from "../../page/formulas/rotation.js";
import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, through } from "../../page/parts.js";
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

/** @param {State} s @param {Room} room @param {Stage} stage */
export function bases(s, room, stage) {
  if (s.bases < 0.02) return "";
  const { say, number, handle, set, isGuessing } = stage;
  const { plot, isPhone, width } = room;
  const { top, foot } = chart(room);
  const y = (/** @type {number} */ power) =>
    foot - ((foot - top) * (power - lowest)) / (highest - lowest);
  const x = (/** @type {number} */ words) => clamp(alongX(room, words), plot.x, plot.x + plot.w);
  const power = onGrid(s.base);
  const speeds = invFreq(PAIRS, baseOf(power)); // so small a change as a rounding moves the edge
  const reach = reachOf(power);
  // The score about the edge: at most bases, so few words that they are one stroke.
  const dip = Array.from({ length: 2 * DIP + 1 }, (_, i) => reach - DIP + i).map(
    (back) => /** @type {[number, number]} */ ([x(back), upY(room, likeness(speeds, back))]),
  );
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
  const ticks = [3, 4, 5, 6, 7, 8].filter((one) => !isPhone || one === 4 || one === 6);
  const tick = (/** @type {number} */ one) => svg`
    <path class="line" d=${`M${plot.x + (isPhone ? 22 : 0)},${y(one)}H${right}`} />
    <text class=${`t12 soft ${isPhone ? "halo" : "end"}`} x=${isPhone ? 4 : plot.x - 8} y=${y(one) + 4}>${number(10 ** one)}</text>`;
  const [told, line] = [say("base_at"), plot.y - (isPhone ? 8 : 14)];
  return svg`<g opacity=${s.bases}>
    <g data-marks="ruler">${ticks.map(tick)}
      <path class="line" d=${[3, 4, 5, 6].map((one) => `M${x(10 ** one)},${top}V${foot}M${x(10 ** one)},${plot.y}v${plot.h}`).join("")} />
      <text class=${`t12 soft ${isPhone ? "" : "end"}`} x=${isPhone ? 4 : plot.x - 8} y=${top - (isPhone ? 8 : 16)}>${say("base_axis")}</text></g>
    <g data-marks="edge">
      <path fill="var(--soft)" fill-opacity="0.3" d=${`${through(edge)}H${plot.x}V${foot}Z`} />
      <text class="t12 halo" x=${rail + 18} y=${top + (isPhone ? 12 : 16)}>${say(isPhone ? "above_short" : "above")}</text></g>
    <g data-marks="target">${
      isGuessing()
        ? ""
        : svg`<path stroke="var(--soft)" stroke-dasharray="3 4" d=${`M${x(TARGET)},${top}V${plot.y + plot.h}`} />
      <text class="t12 soft middle" x=${x(TARGET)} y=${top - 6}>${number(TARGET)}</text>`
    }</g>
    <g data-marks="models">${data.models.map(model)}${isGuessing() ? "" : svg`<text class="t12 new end halo" x=${right} y=${foot - 8}>${say("past_edge")}</text>`}</g>
    <g data-marks="base"><g ${hold}>
      <rect fill="transparent" x=${plot.x - 20} y=${top} width=${plot.w} height=${foot - top} />
      <path class="line" stroke-width="3" d=${`M${rail},${top}V${foot}`} />
      <path stroke="var(--ink)" stroke-width="1.6" d=${`M${rail},${y(s.base)}H${x(reach)}`} />
      <circle r="5" fill="var(--new)" cx=${x(reach)} cy=${y(s.base)} />
      <g transform=${moved(rail, y(s.base))}>${grip({ r: isPhone ? 9 : 11 })}</g></g></g>
    <path class="line" stroke-dasharray="3 4" d=${`M${plot.x},${upY(room, 0)}h${plot.w}`} />
    ${heights(room, [
      [0, number(0)],
      [0.8, say("score_axis")],
    ])}
    <path stroke="var(--new)" stroke-dasharray="2 4" d=${`M${x(reach)},${y(s.base)}V${Math.min(...dip.map(([, at]) => at))}`} />
    <g data-marks="score">${curve(room, (d) => likeness(speeds, Math.round(d)), { by: 0.5, also: [reach], stroke: "var(--ink)", width: 1.2 })}
      <path fill="none" stroke="var(--new)" stroke-width="2.4" stroke-linejoin="round" d=${through(dip)} />
      <circle r="3.5" fill="var(--new)" cx=${x(reach)} cy=${upY(room, likeness(speeds, reach)) + 1} />
      <text class="t12 bold halo" x=${isPhone ? 6 : plot.x} y=${line}>${told}</text></g>
    <g data-marks="edge"><text class="t12 bold new end halo" x=${Math.min(width - 4, right + 14)} y=${line}>${say(isPhone ? "below_short" : "below")}</text></g>
    ${ruler(room, stage, "bases")}</g>`;
}
