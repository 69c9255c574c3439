// The line as far as the needle stands: its end is pulled up, and it bends.

import { bendThrough, penalty, slope } from "../../page/formulas/penalties.js";
import { svg } from "../../page/lit/lit.js";
import { at, grip, through } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { backOf } from "./scene.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./scene" */

const DEEPEST = 30; // what is lost further down is not drawn
const LEAST = 0.005; // of bend: the first that keys give a straight line
const POINTS = 80; // of the line
const LEVELS = [0, DEEPEST];
const FREE = 24; // pixels beside the axis that the handle takes with its ring

/** What the needle's word loses. @param {State} s */
export const lostFar = (s) => penalty(slope(s.head), backOf(s), s.bend);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function inset(s, { rail, upper, row, height, isPhone }, { say, number, set, handle }) {
  if (s.line < 0.02) return "";
  const [left, right] = [rail.from, rail.to];
  const w = right - left;
  const top = upper - (isPhone ? 8 : 10);
  const h = height - top - row * 0.32;
  const far = backOf(s);
  const m = slope(s.head);
  const y = (/** @type {number} */ lost) => top + (h * lost) / DEEPEST;
  const x = (/** @type {number} */ back) => right - (w * back) / far;
  /** How far back a line can be seen. @param {number} bend */
  const seen = (bend) => (bend < 1e-9 ? DEEPEST / m : Math.expm1((DEEPEST * bend) / m) / bend);
  const last = Math.min(far, seen(s.bend));
  const path = (/** @type {number} */ bend) => {
    const end = Math.min(far, seen(bend));
    const along = Array.from({ length: POINTS + 1 }, (_, i) => (i / POINTS) ** 2 * end);
    return through(along.map((back) => [x(back), y(penalty(m, back, bend))]));
  };
  const ticks = LEVELS.map((level) => `M${left},${y(level)}h6`).join("");
  const hold = handle({
    label: say("bend_label"),
    now: s.bend,
    min: 0,
    max: 1,
    text: say("bend_at"),
    isOff: s.line <= 0.5,
    keys: (by) => {
      const bend = Math.max(s.bend, LEAST) * 1.25 ** by;
      set({ bend: bend < LEAST ? 0 : Math.min(bend, 1) });
    },
    move: ([toX, toY]) => {
      const back = clamp(((right - toX) / w) * backOf(s), 1, backOf(s));
      set({ bend: bendThrough(slope(s.head), back, ((toY - top) / h) * DEEPEST) });
    },
  });
  return svg`
    <g data-marks="inset fall" opacity=${s.line}>
      <path class="line" d=${`M${left},${top}H${right}M${left},${top}V${top + h}${ticks}`} />
      ${LEVELS.map((level) => svg`<text class="t12 soft end" x=${left - FREE} y=${y(level) + 4}>${number(-level)}</text>`)}
      <path stroke="var(--soft)" stroke-dasharray="3 4" fill="none" d=${path(0)} />
      <path class="curve" d=${path(s.bend)} />
      <path fill="none" stroke="var(--k)" stroke-width="2" d=${`M${left},${top}v-11h${FREE - 5}`} />
      <text class="t12 k" x=${left + FREE} y=${top - 7}>${say("needle_at")}</text>
      <text class="t12 q end" x=${right} y=${top - 7}>${say("query")}</text>
      ${last < far && x(last) - left > 150 ? svg`<text class="t12 halo end" x=${x(last) - FREE} y=${top + h + 4}>${say("goes_on")}</text>` : ""}
      <g ${hold} transform=${at(x(last), y(penalty(m, last, s.bend)))}>${grip()}</g></g>
    <g data-marks="k inset" opacity=${s.line}>
      <path stroke="var(--k)" stroke-width="2" stroke-dasharray="2 3" d=${`M${left},${y(s.content)}h${w}`} />
      <text class="t12 k end" x=${left - FREE} y=${y(s.content) + 4}>${number(-s.content)}</text></g>`;
}
