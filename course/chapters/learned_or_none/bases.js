// Which base holds for which length: the edge, and models as points.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, through, widthOf } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import data from "./data.js";
import { BASES, EDGE, onGrid, reachOf } from "./facts.js";
import { ruler } from "./plot.js";
import { alongX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

export const TARGET = 131_072; // words
export const ASKED = "Llama 2"; // the model that is asked for

const { lowest, highest } = BASES;

/** Base of a power of ten, as round as it is said. @param {number} power */
export function baseOf(power) {
  const unit = 10 ** (Math.floor(power) - 2);
  return Math.round(10 ** onGrid(power) / unit) * unit;
}

/** @param {Room} room */
const chart = ({ plot }) => ({ top: plot.y, foot: plot.y + plot.h });

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
      <text class=${`t14 bold ${isInside ? "end" : "halo"}`} x=${mx + (isInside ? -9 : 9)} y=${my + 5}>${name}</text>`;
  };
  const ticks = [3, 4, 5, 6, 7, 8].filter((one) => !isPhone || one < 8);
  const tick = (/** @type {number} */ one) => svg`
    <path class="line" d=${`M${plot.x},${y(one)}H${right}`} />
    ${isPhone && Math.abs(one - power) < 0.4 ? "" : svg`<text class=${`t12 soft ${isPhone ? "" : "end"}`} x=${plot.x + (isPhone ? 8 : -18)} y=${y(one) + (isPhone ? -4 : 4)}>${number(10 ** one)}</text>`}`;
  return svg`<g opacity=${s.bases}>
    <g data-marks="ruler">${ticks.map(tick)}
      <path class="line" d=${(isPhone ? [4, 5, 6] : [3, 4, 5, 6]).map((one) => `M${x(10 ** one)},${top}V${foot}`).join("")} />
      <text class=${`t12 soft ${isPhone ? "" : "end"}`} x=${isPhone ? 4 : plot.x - 8} y=${top - (isPhone ? 22 : 16)}>${say("base_axis")}</text></g>
    <g data-marks="edge">
      <path fill="var(--soft)" fill-opacity="0.3" d=${`${through(edge)}H${plot.x}V${foot}Z`} />
      <path fill="var(--soft)" fill-opacity="0.3" d=${`M${legend - 4},${top - (isPhone ? 33 : 27)}h-18v12h18z`} />
      <text class="t12" x=${legend} y=${top - (isPhone ? 23 : 16)}>${say("above")}</text></g>
    <g data-marks="target">${
      isGuessing()
        ? ""
        : svg`<path stroke="var(--soft)" stroke-dasharray="3 4" d=${`M${x(TARGET)},${top}V${foot}`} />
      <text class="t12 halo" x=${x(TARGET) + 6} y=${top + 15}>${number(TARGET)}</text>`
    }</g>
    <g data-marks="models">${data.models.map(model)}${
      isGuessing()
        ? ""
        : svg`<path stroke="var(--new)" stroke-width="3" d=${`M${past - 4},${top - (isPhone ? 11 : 21)}h-18`} />
      <text class="t12 new" x=${past} y=${top - (isPhone ? 7 : 16)}>${say("past_edge")}</text>`
    }</g>
    <g data-marks="base"><g ${hold}>
      <rect fill="transparent" x=${plot.x - 20} y=${top} width=${plot.w} height=${foot - top} />
      <path stroke="var(--paper)" stroke-width="9" d=${`M${rail},${top}V${foot}`} />
      <path stroke="var(--soft)" stroke-width="3" d=${`M${rail},${top}V${foot}`} />
      <path stroke="var(--ink)" stroke-width="1.6" d=${`M${rail},${y(s.base)}H${x(reach)}m0,-8v16`} />
      <g transform=${moved(rail, y(s.base))}>${grip({ r: isPhone ? 9 : 11 })}</g></g>
      <text class="t14 bold halo" x=${rail + (isPhone ? 14 : 18)} y=${y(s.base) + (power > highest - 0.2 ? 20 : -9)}>${say("base_at")}</text></g>
    ${ruler(room, stage, "bases")}</g>`;
}
