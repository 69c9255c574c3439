// What the reader moves: the frame over the names, the length of the text, and what is measured.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, widthOf } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import { MEASURES, NAMES, alongX, chosen, isThere, rowOf } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** The frame over one of the names. @param {State} s @param {Room} room @param {Stage} stage */
export function frame(s, room, { say, seen, move, handle }) {
  if (s.real >= 0.5 || s.plot + s.bars <= 0.5) return "";
  const middle = (/** @type {string} */ name) => rowOf(room, s, name).y;
  /** From top to bottom as they stand now. */
  const names = NAMES.filter((name) => isThere(name, s)).sort((a, b) => middle(a) - middle(b));
  /** @param {string} name */
  function choose(name) {
    const [from, to] = [chosen(s), name].map((one) => names.indexOf(one));
    for (const passed of names.slice(Math.min(from, to), Math.max(from, to) + 1)) seen.add(passed);
    move({ row: NAMES.indexOf(name) }, 0);
  }
  const hold = handle({
    label: say("frame_label"),
    now: names.indexOf(chosen(s)),
    min: 0,
    max: names.length - 1,
    text: say("frame_at"),
    keys: (by) => choose(names[clamp(names.indexOf(chosen(s)) - by, 0, names.length - 1)]),
    move: ([, y]) => {
      const off = (/** @type {string} */ name) => Math.abs(middle(name) - y);
      choose(names.reduce((a, b) => (off(b) < off(a) ? b : a)));
    },
  });
  const { y, tall } = rowOf(room, s, chosen(s));
  const [x, width] = [room.left - 6, room.width - 1.4 * room.left];
  return svg`<g data-marks="row names"><g ${hold}>
    <rect fill="transparent" x=${x} y=${room.rows[0] - room.row / 2} width=${width} height=${room.row * NAMES.length} />
    <rect class="ring" rx="5" x=${x} y=${y - tall / 2} width=${width} height=${tall} /></g></g>`;
}

/**
 * A highlight over one of some rows that are no encodings: the models, or the lines of the table.
 * @param {State} s @param {Stage} stage @param {{ mark: string, name: string, key: string, shown: string }} of
 * @param {{ x: number, y: number, w: number, h: number }[]} places
 */
export function choice(s, stage, { mark, name, key, shown }, places) {
  const { say, seen, move, handle } = stage;
  const count = places.length;
  /** @param {number} i */
  function choose(i) {
    const to = clamp(i, 0, count - 1);
    const from = Math.round(s[key]);
    // What lies between was passed on the way.
    for (let at = Math.min(from, to); at <= Math.max(from, to); at++) seen.add(at);
    move({ [key]: to }, 0);
  }
  const at = Math.round(s[key]);
  const hold = handle({
    label: say(`${name}_label`),
    now: at,
    min: 0,
    max: count - 1,
    text: say(`${name}_at`),
    keys: (by) => choose(Math.round(s[key]) - by),
    move: ([, to]) => {
      const off = places.map(({ y, h }) => Math.abs(y + h / 2 - to));
      choose(off.indexOf(Math.min(...off)));
    },
  });
  const { x, y, w, h } = places[at];
  const { y: first } = places[0];
  const last = places[count - 1];
  return svg`<g data-marks=${mark} opacity=${s[shown]}>
    <rect fill="var(--wash)" rx="5" x=${x} y=${y} width=${w} height=${h} />
    <g ${hold}>
      <rect fill="transparent" x=${x} y=${first} width=${w} height=${last.y + last.h - first} />
      <rect class="ring" rx="5" x=${x} y=${y} width=${w} height=${h} /></g></g>`;
}

/** How long the text is. @param {State} s @param {Room} room @param {Stage} stage */
export function length(s, room, { say, set, move, handle }) {
  const presence = clamp(2 * s.plot - 1, 0, 1);
  const read = (/** @type {number} */ doublings, /** @type {number} */ ms) =>
    move({ length: clamp(doublings, s.low, s.high) }, ms);
  const hold = handle({
    label: say("length_label"),
    now: Math.round(s.length),
    min: s.low,
    max: s.high,
    text: say("length_at"),
    keys: (by) => read(Math.round(s.length) + Math.sign(by), 250),
    move: ([to]) => {
      const [from, until] = [s.low, s.high].map((end) => alongX(room, s, end));
      const doublings = s.low + ((to - from) / (until - from)) * (s.high - s.low);
      set({ length: clamp(doublings, s.low, s.high) });
    },
    end: () => read(Math.round(s.length), 200),
  });
  const x = alongX(room, s, s.length);
  const y = mix(room.heads, room.rail, s.real); // above the rows, or below the curves
  const last = mix(room.rows[NAMES.length - 1] + room.row / 2, room.plot.y, s.real);
  return mark(
    "length",
    presence,
    svg`<g ${hold}>
      <path class="line" stroke-width="3" opacity=${s.real} d=${`M${room.plot.x},${room.rail}h${room.plot.w}`} />
      <path stroke="var(--ink)" stroke-dasharray="2 4" d=${`M${x},${y}V${last}`} />
      <g transform=${moved(x, y)}>${grip({ r: 10 })}</g></g>`,
  );
}

/** What is measured: words side by side, one of which is chosen. @param {Stage} stage */
export function makeMeasures({ say, seen, move, handle }) {
  let aim = 0; // the word that is chosen, or that the picture moves to
  let was = NaN;
  /** @param {number} i */
  function turn(i) {
    const wanted = clamp(i, 0, MEASURES.length - 1);
    seen.add(MEASURES[wanted]);
    if (wanted !== aim) move({ measure: wanted }, 700);
    aim = wanted;
  }
  return (/** @type {State} */ s, /** @type {Room} */ { isPhone, left }) => {
    const presence = s.measures * clamp(2 * s.plot - 1, 0, 1);
    if (presence < 0.02) return "";
    if (s.measure !== was && Number.isInteger(s.measure)) aim = s.measure;
    was = s.measure;
    const now = Math.round(s.measure);
    const y = isPhone ? 16 : 36;
    const gap = isPhone ? 14 : 30;
    const names = MEASURES.map((name) => say(isPhone ? `${name}_short` : name));
    const wide = names.map((name, i) => widthOf(name, isPhone ? 13 : 14, i === now ? 600 : 400));
    const x = (/** @type {number} */ i) =>
      left + wide.slice(0, i).reduce((sum, one) => sum + one + gap, 0);
    const hold = handle({
      label: say("measure_label"),
      now,
      min: 0,
      max: MEASURES.length - 1,
      text: say("measure_at"),
      keys: (by) => turn(aim + Math.sign(by)),
      start: ([at]) => turn(names.filter((_, i) => x(i) <= at + 8).length - 1),
      move: () => undefined,
    });
    const all = x(names.length) - left;
    return svg`<g data-marks="measure"><g ${hold} opacity=${presence}>
      <rect fill="transparent" x=${left - 8} y=${y - 20} width=${all} height="32" />
      <rect class="ring" rx="8" x=${left - 6} y=${y - 14} width=${all - gap + 12} height="24" />
      <path stroke="var(--ink)" stroke-width="2.5" d=${`M${x(now)},${y + 6}h${wide[now]}`} />
      ${names.map((name, i) => svg`<text class=${`t14 ${i === now ? "bold" : ""}`} style="cursor: pointer" x=${x(i)} y=${y}>${name}</text>`)}</g></g>`;
  };
}
