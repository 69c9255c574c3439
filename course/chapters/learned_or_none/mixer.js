// Three profiles over the distance, and how much of each a word mixes into its bias.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, seen, through, widthOf } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { EXTENT, PROFILES, bias } from "./facts.js";
import { curve, heights, ruler } from "./plot.js";
import { alongX, upY } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const PARTS = /** @type {const} */ (["near", "middle", "far"]);
const FURTHEST = Math.log10(4096);
const STEP = 0.05;
/** Words back between which a bias shall be highest. */
export const HIGHEST = [60, 160];
/** What another word mixes. */
const OTHER = [-0.7, 0, 0.5];

/** How much of each profile. @param {State} s */
export const mixOf = (s) => PARTS.map((name) => s[name]);

/** One profile in a small panel, with the grip that says how much of it is taken.
 * @param {State} s @param {Room} room @param {Stage} stage @param {number} i
 */
function panel(s, { plot, isPhone }, { say, number, set, handle }, i) {
  const [top, foot] = [isPhone ? 24 : 40, plot.y - (isPhone ? 26 : 48)];
  const [wide, x] = [(plot.w / 3) * 0.78, plot.x + ((i + 0.08) * plot.w) / 3];
  const middle = (top + foot) / 2;
  const name = PARTS[i];
  const part = s[name];
  const along = (/** @type {number} */ back) =>
    x + 16 + ((wide - 16) * Math.log10(back)) / Math.log10(EXTENT);
  /** So much of the profile. @param {number} much */
  const points = (much) =>
    Array.from({ length: 61 }, (_, at) => {
      const back = EXTENT ** (at / 60);
      const value = much * PROFILES[i](back);
      return /** @type {[number, number]} */ ([along(back), middle - (value * (foot - top)) / 2]);
    });
  const ticks = [1, 10, 100].map((back) => svg`<text class="t12 soft middle" x=${along(back)} y=${foot + 14}>${number(back)}</text>`); // prettier-ignore
  const to = (/** @type {number} */ one) => set({ [name]: clamp(Math.round(one / STEP) * STEP, -1, 1) }); // prettier-ignore
  const hold = handle({
    label: say("mix_label", { profile: i + 1 }),
    now: part,
    min: -1,
    max: 1,
    text: say("mix_at", { profile: i + 1, part: number(part, 2) }),
    keys: (by) => to(part + by * STEP),
    move: ([, y]) => to((middle - y) / ((foot - top) / 2)),
  });
  return svg`<g data-marks="profiles">
      <path class="line" d=${`M${x},${middle}h${wide}M${x},${top}V${foot}`} />
      ${[1, 0, -1].map((value) => svg`<text class="t12 soft end" x=${x - (isPhone ? 14 : 20)} y=${middle - (value * (foot - top)) / 2 + 4}>${number(value)}</text>`)}
      ${isPhone ? "" : svg`${ticks}<text class="t12 soft end" x=${x + wide} y=${foot + 14}>${say("profile_end")}</text>`}
      <path fill="none" stroke="var(--soft)" stroke-dasharray="2 3" stroke-width="2" d=${through(points(1))} />
      <path fill="none" stroke="var(--ink)" stroke-width="1.8" d=${through(points(part))} /></g>
    <g data-marks="mix">
      <text class="t14" x=${x} y=${top - (isPhone ? 11 : 18)}>${i ? (part < 0 ? "− " : "+ ") : ""}${say(isPhone ? "mix_short" : "mix_at", { profile: i + 1, part: number(i ? Math.abs(part) : part, isPhone ? 1 : 2) })}</text>
      <g ${hold}><rect fill="transparent" x=${x - 16} y=${top - 6} width="36" height=${foot - top + 12} />
      <g transform=${moved(x, middle - (part * (foot - top)) / 2)}>${grip({ fill: "var(--q-fill)", r: isPhone ? 9 : 11 })}</g></g></g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function mixer(s, room, stage) {
  if (s.mixer < 0.02) return "";
  const { say, number, isGuessing } = stage;
  const { plot, isPhone } = room;
  const mix = mixOf(s);
  const [from, to] = HIGHEST.map((back) => alongX(room, back));
  const end = alongX(room, EXTENT);
  const isOut = end < plot.x + plot.w ? clamp((s.to - 3.02) * 3, 0, 1) : 0;
  const until = Math.min(s.to, FURTHEST);
  const name = plot.y - (isPhone ? 6 : 12);
  return svg`<g opacity=${s.mixer}>
    ${[0, 1, 2].map((i) => panel(s, room, stage, i))}
    ${heights(room, [
      [-1, number(-1)],
      [0, number(0)],
      [1, number(1)],
    ])}
    <path class="line" stroke-dasharray="3 4" d=${`M${plot.x},${upY(room, 0)}h${plot.w}`} />
    ${
      isGuessing()
        ? ""
        : svg`<g data-marks="target"><rect fill="var(--content)" fill-opacity="0.12" x=${from} y=${plot.y} width=${to - from} height=${plot.h} />
      <text class="t14 content middle halo" x=${(from + to) / 2} y=${plot.y + plot.h - 6}>${say("highest")}</text></g>`
    }
    ${seen(
      isOut,
      svg`<g data-marks="end" opacity=${isOut}>
      <rect fill="var(--wash)" x=${end} y=${plot.y} width=${plot.x + plot.w - end} height=${plot.h} />
      <text class="t14 bold end halo" x=${plot.x + plot.w - 4} y=${isPhone ? plot.y + plot.h - 6 : plot.y + 18}>${say("end")}</text></g>`,
    )}
    <g data-marks="other">${curve(room, (n) => bias(OTHER, n), { stroke: "var(--soft)", to: until, width: 1.6, dash: "5 4" })}
      <path stroke="var(--soft)" stroke-width="1.6" stroke-dasharray="5 4" d=${`M${plot.x + plot.w - widthOf(say("other"), isPhone ? 12.5 : 14) - 34},${name - 4}h26`} />
      <text class="t14 soft end" x=${plot.x + plot.w} y=${name}>${say("other")}</text></g>
    <g data-marks="bias">${curve(room, (n) => bias(mix, n), { stroke: "var(--ink)", to: until, width: 2.8 })}
      <text class="t14 bold" x=${plot.x - (isPhone ? 30 : 0)} y=${name}>${say("sum")}</text></g>
    ${ruler(room, stage, "mixer")}</g>`;
}
