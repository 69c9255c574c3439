// A real model, as trained and stretched: how many keys it finds as texts grow.

import { svg } from "../../page/lit/lit.js";
import { seen, through } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import data from "./data.js";
import { ASKED_REAL, METHODS, along, alongX, apart, foundReal, upY } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @typedef {typeof METHODS[number]} Method */

const COUNTS = [0, ASKED_REAL / 2, ASKED_REAL]; // keys, at the axis
export const SHORTEST = -3; // doublings of its trained length: its shortest text
export const LAST = 2; // and its longest
/**
 * Where a name stands: at which doublings of its curve, how far aside, and by which end. YaRN's is at its end.
 * @type {Partial<Record<Method, { height: number, x: number, aside: number[], anchor: string }>>}
 */
const NAMED = {
  none: { height: 0.5, x: 0.5, aside: [-10, 5], anchor: "end" },
  linear: { height: -1.5, x: -1.5, aside: [0, -10], anchor: "middle" },
  ntk: { height: 1.85, x: LAST, aside: [10, 5], anchor: "" },
};
/** Drawn pale, so that not all lines are alike. @param {Method} method */
const color = (method) => `var(--${method === "linear" || method === "none" ? "soft" : "ink"})`;
/** @type {Partial<Record<Method, string>>} */
const DASHES = { none: "6 4", linear: "2 4", ntk: "14 4" };
/** Whose counts in short texts are told once they are asked for, and whether above the dots.
 * @type {Partial<Record<Method, boolean>>} */
const COUNTED = { none: true, yarn: false };

/** @param {number} end */
const stops = (end) => {
  const whole = Array.from({ length: Math.floor(end) - SHORTEST + 1 }, (_, i) => SHORTEST + i);
  return Number.isInteger(end) ? whole : [...whole, end];
};

/** @param {State} s @param {Room} room @param {Stage} stage */
export function real(s, room, stage) {
  const presence = clamp(2 * s.real - 1, 0, 1);
  if (presence < 0.02) return "";
  const { say, number } = stage;
  const { plot, isPhone, left, foot } = room;
  const known = Math.max(s.length, s.known); // the curves stay when the length goes back
  const edge = alongX(room, s, 0);
  const low = plot.y + plot.h;
  const size = isPhone ? "_short" : "";
  const ticks = stops(LAST).filter((i) => !isPhone || i % 2 === 0);
  // At their ends the curves tell it, and in short texts the counts at the dots.
  const isHere = presence * clamp(2 * (known - s.length), 0, 1) * clamp(2 * s.length + 1, 0, 1);
  return svg`
    <g data-marks="past" opacity=${presence}><rect fill="var(--wash)" x=${edge} y=${plot.y - 4} width=${plot.x + plot.w - edge} height=${plot.h + 4} /></g>
    <g data-marks="axis" opacity=${presence}>
      <path class="line" d=${COUNTS.map((count) => `M${plot.x},${upY(room, count / ASKED_REAL)}h${plot.w}`).join("")} />
      ${ticks.map((i) => svg`<text class="t12 soft middle" x=${alongX(room, s, i)} y=${low + (isPhone ? 40 : 48)}>${number(data.real.trained * 2 ** i)}</text>`)}
      <text class="t12 soft" x=${plot.x} y=${low + (isPhone ? 54 : 68)}>${say(`real_axis${size}`)}</text>
      ${COUNTS.map((count) => svg`<text class="t12 soft end" x=${plot.x - 16} y=${upY(room, count / ASKED_REAL) + 4}>${number(count)}</text>`)}
      ${isPhone ? "" : svg`<text class="t12 soft" x="30" y=${plot.y - 28}>${say("real_keys")}</text>`}</g>
    <g data-marks="note" opacity=${presence}><text class="t12 soft" x=${isPhone ? left : plot.x} y=${foot}>${say(`note_real${size}`)}</text></g>
    ${curves(s, room, stage, presence, known)}
    <g data-marks="curves length">${seen(isHere, svg`<text class=${isPhone ? "t12" : "t14"} opacity=${isHere} x=${isPhone ? 8 : plot.x} y=${isPhone ? 20 : 42}>${say("say_real")}</text>`)}</g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {number} presence @param {number} known */
function curves(s, room, { say, number, isGuessing }, presence, known) {
  const { isPhone } = room;
  const found = (/** @type {Method} */ method, /** @type {number} */ i) =>
    along((at) => foundReal(method, at), i);
  const y = (/** @type {Method} */ method, /** @type {number} */ i) =>
    upY(room, found(method, i) / ASKED_REAL);
  const isWhole = known > LAST - 0.01;
  const free = METHODS.filter((method) => !isWhole || !(method in NAMED));
  const labels = apart(Object.fromEntries(free.map((one) => [one, y(one, known)])), room);
  return METHODS.map((method) => {
    const isAnswer = method === "yarn" && !isGuessing();
    const named = isWhole ? NAMED[method] : undefined;
    const count = number(found(method, Math.round(known)));
    const [x, at, anchor, name] =
      named === undefined
        ? [alongX(room, s, known) + (isPhone ? 14 : 20), labels[method] + 4, "", say("real", { method: say(method), count })] // prettier-ignore
        : [alongX(room, s, named.x) + named.aside[0], y(method, named.height) + named.aside[1], named.anchor, say(method)]; // prettier-ignore
    const above = COUNTED[method];
    const counts = () =>
      stops(LAST)
        .filter((i) => i < 0)
        .map(
          (i) =>
            svg`<text class=${`${isPhone ? "t12" : "t14"} halo bold ${i === SHORTEST && !above ? "" : "middle"}`} x=${alongX(room, s, i) + (i === SHORTEST && !above ? 5 : 0)} y=${y(method, i) + (above ? -9 : 20)}>${number(found(method, i))}</text>`,
        );
    return svg`<g data-marks=${`curves ${method}`} opacity=${presence}>
      <path fill="none" stroke=${color(method)} stroke-dasharray=${DASHES[method] ?? "none"} stroke-width=${isAnswer ? 4.5 : 2} d=${through(stops(known).map((i) => [alongX(room, s, i), y(method, i)]))} />
      ${stops(LAST)
        .filter((i) => i <= known + 0.01)
        .map(
          (i) =>
            svg`<circle r="4" fill=${color(method)} cx=${alongX(room, s, i)} cy=${y(method, Math.min(i, known))} />`,
        )}
      ${above !== undefined && isWhole && s.length < 0 ? counts() : ""}
      <text class=${`t14 halo ${anchor}`} x=${x} y=${at}>${name}</text></g>`;
  });
}
