// The ruler of the places that the model is told, and the rails that add places.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, seen } from "../../page/parts.js";
import { clamp, xy } from "../../page/shapes.js";
import { FAR, GAPS, LAST, SECOND, STOPS, WORDS, placeOf, scaleOf, stopOf } from "./read.js";
import { full, railOf, spot, tickAt, wordAt } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** @param {State} s @param {Room} room @param {Stage} stage */
export function ruler(s, room, stage) {
  const { number } = stage;
  const { isPhone, ruler: y, shares } = room;
  const from = shares + (isPhone ? 22 : 16);
  const half = (from + y) / 2;
  const isEven = s.press < 0.02;
  const wide = (/** @type {number} */ i) => number(Math.round(placeOf(s, i))).length * 6.6;
  const space = tickAt(room, s, 1) - tickAt(room, s, 0);
  const isWhole = isEven && (isPhone || wide(LAST) < 2 * space);
  // Where long numbers would touch, every second stands lower.
  const drop = (/** @type {number} */ i) =>
    isEven && !isPhone && i % 2 && wide(i) + 12 > space ? 16 : 0;
  const hasNext = !isPhone && (full(room) * scaleOf(s)) / LAST > 20;
  const isNamed = (/** @type {number} */ i) =>
    isWhole || i === 0 || (i === 1 && hasNext) || (i === LAST && full(room) * scaleOf(s) > 70);
  const at = (/** @type {number} */ a, /** @type {number} */ c) => xy(spot(room, a, c));
  const pieces = s.gap > 0.02 ? [[0, SECOND - 1], [SECOND, LAST]] : [[0, LAST]]; // prettier-ignore
  const line = pieces.map((ends) => `M${ends.map((i) => at(tickAt(room, s, i), y)).join("L")}`);
  const place = (/** @type {unknown} */ _, /** @type {number} */ i) => {
    if (!isNamed(i)) return "";
    const told = placeOf(s, i);
    const [px, py] = spot(room, tickAt(room, s, i), y + (isPhone ? 14 + 30 * s.end : 22 + drop(i)));
    return svg`<text class=${`t12 soft central ${isPhone ? "" : "middle"}`} x=${px} y=${py}>${isEven ? number(Math.round(told)) : number(told, 1)}</text>`;
  };
  const threads = WORDS.map((_, i) => {
    const [word, tick] = [wordAt(room, i), tickAt(room, s, i)];
    return `M${at(word, from)}C${at(word, half)} ${at(tick, half)} ${at(tick, y - 8)}`;
  });
  const ticks = WORDS.map((_, i) => {
    const tick = tickAt(room, s, i);
    return `M${at(tick, y - 8)}L${at(tick, y + 6)}`;
  });
  return mark(
    "ruler",
    s.ruler * (isPhone ? 1 - s.apart : 1),
    svg`<path fill="none" stroke="var(--line)" stroke-width="1.2" d=${threads.join("")} />
      <path fill="none" stroke="var(--soft)" stroke-width="3" stroke-linecap="round" d=${line.join("")} />
      <path stroke="var(--soft)" stroke-width="1.5" d=${ticks.join("")} />
      ${WORDS.map(place)}
      ${seen(s.end, end(s, room, stage))}`,
  );
}

/** The ruler's end, which presses all places. @param {State} s @param {Room} room @param {Stage} stage */
function end(s, room, { say, set, move, handle }) {
  const { isPhone, start } = room;
  const press = (/** @type {number} */ to) => set({ press: clamp(to, 0, STOPS) });
  const along = (/** @type {[number, number]} */ at) => at[isPhone ? 1 : 0];
  const hold = handle({
    label: say("end_label"),
    now: scaleOf(s),
    min: 0,
    max: 1,
    text: say("end_at"),
    keys: (by) => press(stopOf(s) - Math.sign(by) * (isPhone ? -1 : 1)),
    start: (at) => along(at) - tickAt(room, s, LAST),
    move: (at, off) => press(STOPS * (1 - (along(at) - off - start) / full(room))),
    end: () => move({ press: stopOf(s) }, 160),
  });
  const at = spot(
    room,
    tickAt(room, s, LAST) + (isPhone ? 0 : 22),
    room.ruler + (isPhone ? 25 : 0),
  );
  return svg`<g ${hold} opacity=${s.end} transform=${moved(...at)}>${grip({ r: 13 })}
    <path fill="none" stroke="var(--paper)" stroke-width="2" stroke-linecap="round" d=${isPhone ? "M0,5v-10m-4,4l4,-4l4,4" : "M5,0h-10m4,-4l-4,4l4,4"} /></g>`;
}

/**
 * A rail whose knob adds places: to all words ("far"), or before the second sentence ("gap").
 * @param {State} s @param {Room} room @param {Stage} stage @param {"far" | "gap"} which
 */
export function rail(s, room, { say, number, set, move, handle }, which) {
  const { isPhone } = room;
  const values = which === "far" ? FAR : GAPS;
  const last = values.length - 1;
  const { x, y, w } = railOf(room, which, s);
  const at = (/** @type {number} */ stop) => x + (w * stop) / last;
  const to = (/** @type {number} */ stop) => set({ [which]: clamp(stop, 0, last) });
  const hold = handle({
    label: say(`${which}_label`),
    now: values[Math.round(s[which])],
    min: 0,
    max: values[last],
    text: say(`${which}_at`),
    keys: (by) => to(Math.round(s[which]) + Math.sign(by)),
    start: ([px]) => px - at(s[which]),
    move: ([px], off) => to((last * (px - off - x)) / w),
    end: () => move({ [which]: Math.round(s[which]) }, 160),
  });
  const isWoken = isPhone && s.woken > 0.5;
  const isNamed = (/** @type {number} */ stop) =>
    which === "far"
      ? !isPhone || stop % 5 === 0
      : stop % (isWoken ? 6 : 3) === 1 || (stop === 0 && !isWoken);
  const isBelow = isPhone && which === "far"; // between the two numbers
  const [nameX, nameY, anchor] = isBelow
    ? [x + w / 2, y + 24, "middle"]
    : isPhone
      ? [x + w, y - 20, "end"]
      : [x, y - 26, ""];
  const named = isPhone && !isBelow ? 1 - s.line : 1; // else the curve's name says it
  const name = say(`${which}_name${isPhone && !isBelow ? "_short" : ""}`);
  return mark(
    which,
    which === "far" ? s.rail : s.apart,
    svg`<line class="line" stroke-width="4" stroke-linecap="round" x1=${x} x2=${x + w} y1=${y} y2=${y} />
      ${seen(named, svg`<text class=${`t14 ${anchor}`} opacity=${named} x=${nameX} y=${nameY}>${name}</text>`)}
      ${values.map((value, stop) => (isNamed(stop) ? svg`<text class="t12 soft middle" x=${at(stop)} y=${y + (isPhone ? 24 : 26)}>${number(value)}</text>` : ""))}
      <g ${hold} transform=${moved(at(s[which]), y)}>${grip()}</g>`,
  );
}
