// What tokens behind a cached passage cost a real model, by the place that the passage was moved to.

import data from "./data.js";
import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, through } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "../kv_cache/room.js" */

/** @typedef {"turned" | "left" | "missing"} Kept */

export const PLACES = data.moved.places;
export const LAST = PLACES.length - 1;
const MOST = PLACES[LAST];
const [LOW, HIGH] = [-0.2, 2.4]; // bits

/** What a token costs more than behind the passage read anew, by place, on average. @param {Kept} kept */
export const costs = (kept) =>
  data.moved.ways[kept].map((all) => all.reduce((sum, one) => sum + one, 0) / all.length);
/** @param {State} s */
export const putOf = (s) => clamp(Math.round(s.put), 0, LAST);

/** @param {Room} room */
function layout({ width, height, isPhone }) {
  const x = isPhone ? 34 : 76;
  const y = isPhone ? 28 : 70;
  return { x, y, w: width - x - (isPhone ? 66 : 140), h: height - y - (isPhone ? 72 : 124) };
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function passage(s, room, { say, number, set, seen, handle }) {
  if (s.moved < 0.02) return "";
  const { isPhone } = room;
  const at = layout(room);
  const x = (/** @type {number} */ place) => at.x + (place / MOST) * at.w;
  const y = (/** @type {number} */ bits) => at.y + at.h * ((HIGH - bits) / (HIGH - LOW));
  const floor = at.y + at.h;
  const short = isPhone ? "_short" : "";
  const go = (/** @type {number} */ put) => {
    const to = clamp(put, 0, LAST);
    seen.add(to);
    set({ put: to });
  };
  const nearest = (/** @type {number} */ place) => {
    const apart = PLACES.map((one) => Math.abs(one - place));
    return apart.indexOf(Math.min(...apart));
  };
  const hold = handle({
    label: say("put_label"),
    now: PLACES[putOf(s)],
    min: 0,
    max: MOST,
    text: say("put_said"),
    keys: (by) => go(putOf(s) + Math.sign(by)),
    move: ([px]) => go(nearest(((px - at.x) / at.w) * MOST)),
  });
  const curve = (/** @type {Kept} */ kept, /** @type {number} */ there) => {
    const color = { turned: "ink", left: "new", missing: "soft" }[kept];
    const points = (/** @type {number[]} */ all) =>
      all.map((bits, i) => /** @type {[number, number]} */ ([x(PLACES[i]), y(clamp(bits, LOW, HIGH))])); // prettier-ignore
    const [low, high] = [Math.min, Math.max].map((end) => data.moved.ways[kept].map((all) => end(...all))); // prettier-ignore
    const mean = costs(kept);
    return mark(
      kept === "left" ? "new" : kept,
      s.moved * there,
      svg`<path fill=${`var(--${color})`} fill-opacity="0.13" d=${`${through([...points(low), ...points(high).reverse()])}Z`} />
        <path fill="none" stroke=${`var(--${color})`} stroke-width="3" d=${through(points(mean))} />
        <text class=${`t14 halo end ${color}`} x=${x(MOST) - 8} y=${y(mean[LAST]) + (kept === "turned" ? (isPhone ? -7 : 24) : -12)}>${say(`kept_${kept}`)}</text>`,
    );
  };
  const from = Math.floor(clamp(s.put, 0, LAST - 1));
  const part = clamp(s.put, 0, LAST) - from;
  const left = costs("left");
  const [px, py] = [
    x(mix(PLACES[from], PLACES[from + 1], part)),
    y(mix(left[from], left[from + 1], part)),
  ];
  const [wide, thick] = [isPhone ? 60 : 70, 18];
  const strip = floor + (isPhone ? 42 : 62); // below the axis: the text up to the passage
  const side = px < at.x + 90 ? 1 : -1; // of the line through the knob
  return svg`
    ${mark(
      "zero",
      s.moved,
      svg`<path stroke="var(--ink)" stroke-dasharray="4 4" d=${`M${at.x},${y(0)}h${at.w}`} />
        <text class="t12 soft" x=${isPhone ? 6 : at.x - 30} y=${at.y - (isPhone ? 10 : 22)}>${say(`behind${short}`)}</text>
        ${[0, 1, 2].map((bits) => svg`<text class="t12 soft end" x=${at.x - 8} y=${y(bits) + 4}>${bits ? `+${bits}` : "0"}</text>`)}`,
    )}
    ${mark(
      "moved",
      s.moved,
      svg`<text class="t12 soft middle" x=${at.x + at.w / 2} y=${floor + (isPhone ? 32 : 44)}>${say("before")}</text>
        ${PLACES.filter((place) => place % 256 === 0).map((place) => svg`<text class=${`t12 soft ${place < MOST ? "middle" : "end"}`} x=${x(place)} y=${floor + (isPhone ? 15 : 20)}>${number(place)}</text>`)}`,
    )}
    ${mark(
      "moved",
      s.moved,
      svg`<rect fill="var(--wash)" stroke="var(--line)" x=${at.x} y=${strip} width=${px - at.x} height=${thick} />
        <rect fill="var(--content)" x=${px} y=${strip} width=${wide} height=${thick} rx="3" />
        <text class="t12 middle" style="fill: var(--paper)" x=${px + wide / 2} y=${strip + thick - 5}>${say("passage")}</text>
        ${isPhone ? "" : svg`<rect fill="none" stroke="var(--ink)" stroke-dasharray="3 3" x=${px + wide + 4} y=${strip} width="48" height=${thick} rx="3" /><text class="t12 middle" x=${px + wide + 28} y=${strip + thick - 5}>${say("next")}</text>`}
        ${px - at.x < 110 ? "" : svg`<text class="t12 soft middle" x=${(at.x + px) / 2} y=${strip + thick - 5}>${say("another")}</text>`}`,
    )}
    ${curve("missing", 1)}${curve("turned", s.drawn)}${curve("left", s.drawn)}
    ${mark(
      "new put",
      s.moved * s.drawn,
      svg`<g ${hold}>
        <rect fill="transparent" x=${at.x} y=${at.y} width=${at.w} height=${at.h} />
        <path stroke="var(--ink)" stroke-dasharray="2 4" d=${`M${px},${at.y}V${floor}`} />
        <g transform=${moved(px, py)}>${grip()}</g>
        <text class=${`halo bold ${side < 0 ? "end" : ""}`} x=${px + side * 9} y=${py - 44}>${say("put_at")}</text></g>`,
    )}`;
}
