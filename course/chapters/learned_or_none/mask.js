// A layer that knows no positions and finds all scores alike: each word gets one share in n.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, through } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { heights } from "./plot.js";
import { upY } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const FIRST = 2; // place that can ask
export const LAST = 40;

/** The place of the word that asks. @param {State} s */
export const placeOf = (s) => Math.round(s.place);
/** By how much the share of the first word falls to the next place, in points. @param {number} n */
export const fall = (n) => 100 / (n * (n + 1));

/** @param {State} s @param {Room} room @param {Stage} stage */
export function mask(s, room, stage) {
  if (s.mask < 0.02) return "";
  const { say, number, handle, set, isGuessing } = stage;
  const { plot, isPhone } = room;
  const n = placeOf(s);
  const foot = plot.y + plot.h;
  const top = upY(room, 1 / n);
  const each = plot.w / LAST;
  const x = (/** @type {number} */ place) => plot.x + (place - 0.5) * each;
  const thick = Math.max(3, Math.min(14, each - 3));
  const places = Array.from({ length: LAST }, (_, i) => i + 1);
  const bar = (/** @type {number} */ i) => {
    const [name, fill] = i === n ? ["q", "var(--q-fill)"] : i === 1 ? ["k", "var(--k-fill)"] : ["shares", "var(--attention)"]; // prettier-ignore
    return svg`<rect data-marks=${name} fill=${fill} fill-opacity=${name === "shares" ? 0.5 : 1} x=${x(i) - thick / 2} y=${top} width=${thick} height=${foot - top} />`;
  };
  /** The mean at a place: so much of the first word's colour, and of the others'. @param {number} i */
  const mean = (i) =>
    svg`<rect style=${`fill: color-mix(in srgb, var(--k-fill) ${100 / i}%, color-mix(in srgb, var(--attention) 50%, var(--paper)))`} x=${x(i) - thick / 2} y=${plot.y - (isPhone ? 21 : 34)} width=${thick} height=${isPhone ? 9 : 14} />`;
  const isLeft = x(n) < plot.x + plot.w * 0.5;
  const line = Math.max(plot.y + 8, top - (isPhone ? 58 : 72));
  const to = (/** @type {number} */ one) => set({ place: clamp(Math.round(one), FIRST, LAST) }); // prettier-ignore
  const hold = handle({
    label: say("place_label"),
    now: n,
    min: FIRST,
    max: LAST,
    text: say("place_at"),
    keys: (by) => to(n + by),
    move: ([px]) => to((px - plot.x) / each + 0.5),
  });
  const side = isLeft ? "" : "end";
  const told = x(n) + (isLeft ? 18 : -18);
  const first = places.map((i) => /** @type {[number, number]} */ ([x(i), upY(room, 1 / i)]));
  return svg`<g opacity=${s.mask}>
    ${heights(room, [
      [0, `${number(0)}%`],
      [0.5, `${number(50)}%`],
      [1, `${number(100)}%`],
    ])}
    ${places.slice(0, n).map(bar)}
    ${
      isGuessing()
        ? ""
        : svg`<g data-marks="k first"><path fill="none" stroke="var(--k)" stroke-width="2" d=${through(first)} />
      <text class="t14 k bold halo" x=${x(1) + 14} y=${plot.y + (isPhone ? 6 : 10)}>${say("first")}</text></g>
    <g data-marks="means"><text class="t14 soft" x=${plot.x} y=${plot.y - (isPhone ? 27 : 44)}>${say("means")}</text>${places.map(mean)}
      <rect fill="none" stroke="var(--q)" stroke-width="2" x=${x(n) - thick / 2 - 2.5} y=${plot.y - (isPhone ? 23.5 : 36.5)} width=${thick + 5} height=${isPhone ? 14 : 19} /></g>`
    }
    <g data-marks="ruler">
      <path class="line" stroke-width="1.5" d=${`M${plot.x},${foot}h${plot.w}`} />
      ${[1, 10, 20, 30, 40].map((i) => svg`<text class="t12 soft middle" x=${x(i)} y=${foot + (isPhone ? 16 : 19)}>${number(i)}</text>`)}
      <text class="t12 soft end" x=${plot.x + plot.w + 14} y=${foot + (isPhone ? 30 : 36)}>${say("axis_mask")}</text></g>
    <g data-marks="q"><g ${hold}>
      <rect fill="transparent" x=${plot.x - 14} y=${plot.y - 14} width=${plot.w + 28} height=${plot.h + 24} />
      <g transform=${moved(x(n), top - 11)}>${grip({ fill: "var(--q-fill)" })}</g></g>
      <text class=${`t14 q bold halo ${side}`} x=${told} y=${line}>${say("place_at")}</text></g>
    <g data-marks="shares"><text class=${`t14 attention bold halo ${side}`} x=${told} y=${line + (isPhone ? 16 : 19)}>${say("each")}</text></g>
    <g data-marks="next"><text class=${`t14 soft halo ${side}`} x=${told} y=${line + (isPhone ? 31 : 38)}>${say("each_next")}</text></g></g>`;
}
