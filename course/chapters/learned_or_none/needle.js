// One key that holds what the query wants, further and further back: with RoPE, and without positions.

import { svg } from "../../page/lit/lit.js";
import { widest } from "../../page/formulas/rotation.js";
import { at as moved, grip, seen, through } from "../../page/parts.js";
import { TURN, clamp, pie, round } from "../../page/shapes.js";
import { PAIRS, SPEEDS, TRAINED, likeness, unseen } from "./facts.js";
import { curve, heights, ruler } from "./plot.js";
import { alongX, powerAt, upY, words } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

export const FURTHEST = 6; // power of ten of words back
const NAME = 96; // pixels that the name of a point takes
const NEAR_TRAINED = 0.04; // powers of ten: a hand need not be exact
const LIMIT = Math.log10(TRAINED);
const SHOWN = Array.from({ length: PAIRS / 4 }, (_, i) => 4 * i + 3); // pairs, the slowest last

/** Words back of the key. @param {State} s */
export const backOf = (s) => (Math.abs(s.back - LIMIT) < 1e-6 ? TRAINED : words(s.back));

/** A power of ten, at the trained length where it is near. @param {number} power */
const snapped = (power) => {
  const to = clamp(power, 0, FURTHEST);
  return Math.abs(to - LIMIT) < NEAR_TRAINED ? LIMIT : to;
};

/** Every fourth dial in a row, fast ones first, with the angles that training showed. @param {Room} room @param {number} back @param {Stage} stage */
function dials({ plot, height, isPhone }, back, { say }) {
  const y = height - (isPhone ? 27 : 54);
  const gap = plot.w / SHOWN.length;
  const r = Math.min(18, gap * 0.45);
  const isNew = unseen(back);
  const dial = (/** @type {number} */ pair, /** @type {number} */ i) => {
    const [at, speed] = [{ x: plot.x + (i + 0.5) * gap, y }, SPEEDS[pair]];
    const seen = Math.min(TURN, widest(speed, TRAINED));
    const colour = `var(--${isNew[pair] ? "new" : "ink"})`;
    return svg`<g data-marks=${isNew[pair] ? "new" : "dials"}>
      <circle fill="none" stroke=${isNew[pair] ? colour : "var(--line)"} cx=${at.x} cy=${y} r=${r} />
      <path fill="var(--soft)" fill-opacity="0.35" d=${pie(at, r, TURN / 4, -seen)} />
      <path fill="none" stroke=${colour} stroke-width=${isPhone ? 1.6 : 2.4} stroke-linecap="round" d=${through([[at.x, y], round(at, r - 1, TURN / 4 - back * speed)])} /></g>`;
  };
  const line = y + r + (isPhone ? 13 : 18);
  return svg`${SHOWN.map(dial)}
    <g data-marks="dials"><text class="t12 soft" x=${plot.x} y=${line}>${say("fast")}</text>
      <text class="t12 soft middle" x=${plot.x + plot.w / 2} y=${line}>${say(isPhone ? "seen_short" : "seen")}</text></g>
    <g data-marks="dials"><text class="t12 soft end" x=${plot.x + plot.w} y=${line}>${say("slow")}</text></g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function needle(s, room, stage) {
  if (s.needle < 0.02) return "";
  const { say, number, handle, set } = stage;
  const { plot, isPhone } = room;
  const back = backOf(s);
  const score = likeness(SPEEDS, back);
  const x = alongX(room, back);
  const foot = plot.y + plot.h;
  const isLeft = x < plot.x + plot.w * 0.55;
  const side = isLeft ? "" : "end";
  const told = x + (isLeft ? 14 : -14);
  const limit = alongX(room, TRAINED);
  const beyond = limit < plot.x + plot.w ? clamp((s.to - 3) / 2, 0, 1) : 0;
  const hold = handle({
    label: say("back_label"),
    now: back,
    min: 1,
    max: 10 ** FURTHEST,
    text: say("back_at"),
    keys: (by) => {
      const next = back + by;
      const to = Math.max(back, next) <= 30 ? Math.log10(Math.max(1, next)) : s.back + 0.02 * by;
      const isPast = (to - LIMIT) * (s.back - LIMIT) < 0 || Math.abs(to - LIMIT) < 0.01; // stops there on the way
      set({ back: isPast && Math.abs(by) < 2 ? LIMIT : clamp(to, 0, FURTHEST) });
    },
    move: ([to]) => set({ back: snapped(powerAt(room, to)) }),
  });
  // Under the curve: at the right of the first points, then at the left, where the curve is higher.
  const isFirst = x < plot.x + NAME;
  const teeth = Array.from({ length: NAME + 1 }, (_, i) => {
    const at = 10 ** clamp(powerAt(room, x + (isFirst ? i : -i)), 0, s.to);
    return likeness(SPEEDS, at < 30 ? at : Math.round(at));
  });
  const under = Math.min(foot - 9, upY(room, Math.min(score, ...teeth)) + 24);
  const name = clamp(x, plot.x + 34, plot.x + plot.w - 34);
  return svg`<g opacity=${s.needle}>
    ${heights(room, [
      [0, number(0)],
      [1, number(1)],
    ])}
    ${seen(
      beyond,
      svg`<g data-marks="new" opacity=${beyond}>
      <rect fill="var(--new)" fill-opacity="0.07" x=${limit} y=${plot.y} width=${plot.x + plot.w - limit} height=${plot.h} />
      <path stroke="var(--new)" stroke-width="1.2" stroke-dasharray="3 4" d=${`M${limit},${plot.y}V${foot}`} />
      <text class="t14 new end halo" x=${limit - 6} y=${upY(room, 1) + (isPhone ? 17 : 22)}>${say(isPhone ? "trained_short" : "trained_at")}</text></g>`,
    )}
    <path class="line" stroke-dasharray="3 4" d=${`M${plot.x},${upY(room, 0)}h${plot.w}`} />
    <g data-marks="flat">${curve(room, () => 1, { stroke: "var(--content)", to: s.to })}</g>
    <g data-marks="rope">${curve(room, (d) => likeness(SPEEDS, d < 30 ? d : Math.round(d)), { also: Math.log10(back) < s.to ? [back] : [], stroke: "var(--ink)", to: s.to })}</g>
    ${ruler(room, stage, "back")}
    <g data-marks="dials">${dials(room, back, stage)}</g>
    <g data-marks="k"><g ${hold}>
      <rect fill="transparent" x=${plot.x - 14} y=${plot.y - 12} width=${plot.w + 28} height=${plot.h + 24} />
      <path stroke="var(--k)" stroke-width="2" d=${`M${x},${plot.y - 4}V${foot}`} />
      <g transform=${moved(x, plot.y - 8)}>${grip({ fill: "var(--k-fill)" })}</g></g>
      <text class="t14 k bold middle" x=${name} y=${plot.y - (isPhone ? 30 : 44)}>${say("back_at")}</text></g>
    <g data-marks="flat"><circle r="5" fill="var(--content)" cx=${x} cy=${upY(room, 1)} />
      <text class=${`t14 content bold halo ${side}`} x=${told} y=${upY(room, 1) - 9}>${say("flat_at")}</text></g>
    <g data-marks="rope"><circle r="6.5" fill="var(--ink)" stroke="var(--paper)" stroke-width="2.5" cx=${x} cy=${upY(room, score)} />
      <text class=${`t14 bold halo ${isFirst ? "" : "end"}`} x=${x + (isFirst ? 12 : -12)} y=${under}>${say("rope_at")}</text></g></g>`;
}
