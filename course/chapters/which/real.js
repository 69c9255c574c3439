// A real model, as trained and stretched: how many keys it finds as texts grow.

import { svg } from "../../page/lit/lit.js";
import { seen, through } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import data from "./data.js";
import { METHODS, WIDE, along, alongX, apart, foundReal, upY } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const SHARES = [0, 50, 100];
export const SHORTEST = -3; // doublings of its trained length: its shortest text
export const LAST = 2; // and its longest
/** Where a name lies on its curve, in doublings: there it is far from the others. YaRN's is at its end.
 * @type {Partial<Record<typeof METHODS[number], number>>} */
const NAMED = { none: 0.35, linear: -1.5, ntk: 1.7 };
/** @type {Partial<Record<typeof METHODS[number], string>>} */
const DASHES = { none: "6 4", linear: "2 4", ntk: "14 4" };

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
  const isHere = presence * clamp(2 * (known - s.length), 0, 1); // at their ends the curves tell it
  return svg`
    <g data-marks="past" opacity=${presence}><rect fill="var(--wash)" x=${edge} y=${plot.y - 4} width=${plot.x + plot.w - edge} height=${plot.h + 4} /></g>
    <g data-marks="axis" opacity=${presence}>
      <path class="line" d=${SHARES.map((share) => `M${plot.x},${upY(room, share / 100)}h${plot.w}`).join("")} />
      ${ticks.map((i) => svg`<text class="t12 soft middle" x=${alongX(room, s, i)} y=${low + (isPhone ? 40 : 48)}>${number(data.real.trained * 2 ** i)}</text>`)}
      <text class="t12 soft" x=${plot.x} y=${low + (isPhone ? 54 : 68)}>${say(`real_axis${size}`)}</text>
      ${SHARES.map((share) => svg`<text class="t12 soft end" x=${plot.x - 16} y=${upY(room, share / 100) + 4}>${share}%</text>`)}
      ${isPhone ? "" : svg`<text class="t12 soft" x="30" y=${plot.y - 18}>${say("real_keys")}</text>`}</g>
    <g data-marks="note" opacity=${presence}><text class="t12 soft" x=${isPhone ? left : plot.x} y=${foot}>${say(`note_real${size}`)}</text></g>
    ${curves(s, room, stage, presence, known)}
    ${known > WIDE.doublings - 0.01 && !stage.isGuessing() ? wide(s, room, say, presence) : ""}
    <g data-marks="curves length">${seen(isHere, svg`<text class=${isPhone ? "t12" : "t14"} opacity=${isHere} x=${isPhone ? 8 : plot.x} y=${isPhone ? 20 : 42}>${say("say_real")}</text>`)}</g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {number} presence @param {number} known */
function curves(s, room, { say, number, isGuessing }, presence, known) {
  const { isPhone } = room;
  const share = (/** @type {string} */ method, /** @type {number} */ i) =>
    along((at) => foundReal(method, at) ?? 0, i) / 100;
  const y = (/** @type {string} */ method, /** @type {number} */ i) => upY(room, share(method, i));
  const ends = Object.fromEntries(METHODS.map((method) => [method, endOf(method, known)]));
  // A curve that ends before the others has its name before its end.
  const isShort = (/** @type {string} */ method) => ends[method] < Math.min(known, LAST) - 0.01;
  const isNamed = (/** @type {string} */ method) => known > LAST - 0.01 && method in NAMED;
  const free = METHODS.filter((method) => !isShort(method) && !isNamed(method));
  const labels = apart(Object.fromEntries(free.map((one) => [one, y(one, ends[one])])), room);
  return METHODS.map((method) => {
    const end = ends[method];
    const isAnswer = method === "yarn" && !isGuessing();
    const side = isShort(method) ? -1 : 1;
    const percent = number(100 * share(method, Math.round(end)));
    let [x, at, anchor, name] = [
      alongX(room, s, end) + side * (isPhone ? 14 : 20),
      isShort(method) ? y(method, end) - 10 : labels[method] + 4,
      side < 0 ? "end" : "",
      say("real", { method: say(method), percent }),
    ];
    if (isNamed(method)) {
      const named = NAMED[method] ?? LAST;
      x = alongX(room, s, named);
      at = y(method, named) + (method === "linear" ? -10 : 5);
      [anchor, name] = ["middle", say(method)];
    }
    return svg`<g data-marks=${`curves ${method}`} opacity=${presence}>
      <path fill="none" stroke="var(--ink)" stroke-dasharray=${DASHES[method] ?? "none"} stroke-width=${isAnswer ? 4.5 : 2} d=${through(stops(end).map((i) => [alongX(room, s, i), y(method, i)]))} />
      ${stops(LAST)
        .filter((i) => i <= end + 0.01)
        .map(
          (i) =>
            svg`<circle r="4" fill="var(--ink)" cx=${alongX(room, s, i)} cy=${y(method, Math.min(i, end))} />`,
        )}
      <text class=${`t14 halo ${anchor}`} x=${x} y=${at}>${name}</text></g>`;
  });
}

/** NTK-aware with the factor that it needs, at the one length where it was tried.
 * @param {State} s @param {Room} room @param {Stage["say"]} say @param {number} presence
 */
function wide(s, room, say, presence) {
  const { isPhone } = room;
  const x = alongX(room, s, WIDE.doublings);
  const y = upY(room, WIDE.found / 100);
  const name = say(isPhone ? "wide_short" : "wide");
  return svg`<g data-marks="wide" opacity=${presence}>
    <circle r="6" fill="var(--paper)" stroke="var(--ink)" stroke-width="2.5" cx=${x} cy=${y} />
    <text class="t14 halo" x=${x + (isPhone ? 14 : 20)} y=${y + 5}>${name}</text></g>`;
}

/** Where a curve ends. @param {string} method @param {number} length */
function endOf(method, length) {
  let last = LAST;
  while (foundReal(method, last) === undefined) last -= 1;
  return Math.min(length, last);
}
