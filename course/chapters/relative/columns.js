// What belongs to each distance, under its place on the ruler: a computed row, or one learned number.

import { asked } from "../../page/asked.js";
import { sinusoid } from "../../page/formulas/distances.js";
import { svg } from "../../page/lit/lit.js";
import { mark, through } from "../../page/parts.js";
import { mix } from "../../page/shapes.js";
import data from "./data.js";
import { CELLS, WORDS, placeX } from "./room.js";
import { reading, signed } from "./table.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const WIDTH = 16; // numbers of a computed row, of which half are drawn
const CURVE = 120; // points of a wave
const ASKED = [0, 1, 15]; // back: where the highest number may stand
const NAMED = 40; // pixels of a column in which its number fits
const [LOW, HIGH] = [-1, 1.75]; // learned numbers, with room for what is written at them

/** The fastest sines and cosines of a row, in pairs, the fastest first. @param {number} back */
function drawnOf(back) {
  const row = sinusoid(back, WIDTH);
  return Array.from({ length: CELLS }, (_, n) => row[(n >> 1) + (n % 2) * (WIDTH / 2)]);
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function columns(s, room, { say, number }) {
  const there = Math.max(s.waves, s.number) * (1 - s.page);
  if (there < 0.02) return "";
  const { isPhone, cell, field, left, ruler, band, width, height } = room;
  const chosen = -reading(s);
  const lane = field.h / CELLS;
  const levels = Array.from({ length: CELLS }, (_, n) => field.y + lane * (n + 0.5));
  const zero = field.y + (field.h * HIGH) / (HIGH - LOW);
  const begin = placeX(room, Math.max(-0.5, s.i - s.k - 0.5));
  const end = placeX(room, s.i + 0.5);
  const key = placeX(room, Math.max(s.key, s.i - s.k)) - cell / 2; // the end’s, for what lies beyond
  const top = ruler - band / 2;
  const foot = height - (isPhone ? 8 : 24);
  const title = `${s.number > 0.5 ? "table_numbers" : "table_waves"}${isPhone ? "_short" : ""}`;
  const added = s.bars > 0.5 ? ` ${spaced(data.numbers[chosen], number)}` : " + b";
  const crossed = svg`<tspan class="q">q</tspan> · <tspan class="k">k</tspan>`;
  const small = `bold ${isPhone ? "t14" : ""}`;
  // The waves from which rows are cut go on beyond the ruler's end.
  const wave = (/** @type {number} */ from, /** @type {number} */ to) => {
    const points = Array.from({ length: CURVE + 1 }, (_, n) => mix(from, to, n / CURVE));
    const rows = points.map((x) => drawnOf((end - x) / cell - 0.5));
    return levels
      .map((y, n) => through(points.map((x, i) => [x, y - lane * 0.45 * rows[i][n]])))
      .join("");
  };
  const waves = () => svg`<g opacity=${s.waves}>
    ${left > 30 ? levels.map((y, n) => svg`<text class="t12 soft end central" x=${left - 7} y=${y}>${n % 2 ? "cos" : "sin"}</text>`) : ""}
    <path class="wave" d=${wave(begin, end - cell / 2)} />
    ${begin > left ? svg`<path class="wave" stroke-opacity="0.35" d=${wave(left, begin)} />` : ""}</g>`;
  return svg`
    <g data-marks="table" opacity=${there}>
      <text class=${`${isPhone ? "t12" : "t14"} soft end`} x=${width - (isPhone ? 8 : 28)} y=${foot}>${say(title)}</text>
      <path class="line" d=${(s.number > 0.5 ? [zero] : levels).map((y) => `M${begin},${y}H${end}`).join("")} />
      ${s.waves > 0.02 && begin > left ? svg`<path class="line" opacity=${s.waves} d=${levels.map((y) => `M${left},${y}H${begin}`).join("")} />` : ""}
      ${s.waves < 0.02 ? "" : waves()}
      ${Array.from({ length: WORDS }, (_, n) => WORDS - 1 - n)
        .filter((back) => placeX(room, s.i - back) > left && back < s.k + 0.5)
        .map((back) => column(s, room, number, back, back === chosen, levels, zero))}
      ${asked(
        ASKED.map((back) => [placeX(room, s.i - back), zero]),
        s.number * s.guessing,
      )}</g>
    ${mark("k table", there, svg`<path fill="none" stroke="var(--k)" stroke-width="2.5" d=${`M${key},${top}h${cell}V${field.y + field.h}h${-cell}Z`} />`)}
    ${mark(
      "table k q",
      s.number * (1 - s.page),
      svg`<text class=${small} x=${left} y=${foot}>${isPhone ? "" : `${say("score_of")} `}${crossed}${added}</text>`,
    )}`;
}

/** @param {State} s @param {Room} room @param {Stage["number"]} number @param {number} back @param {boolean} isChosen @param {number[]} levels @param {number} zero */
function column(s, room, number, back, isChosen, levels, zero) {
  const { cell, field } = room;
  const x = placeX(room, s.i - back);
  const wide = cell * mix(0.7, 0.4, s.waves);
  const lane = field.h / CELLS;
  const strong = isChosen ? 0.9 : 0.5;
  const row = drawnOf(back);
  const its = data.numbers[back];
  const to = zero - (field.h * its * s.bars) / (HIGH - LOW);
  // Beyond its bar, or where that is too narrow upright on the other side of the line.
  const isUpright = cell <= NAMED;
  const [textX, textY] = isUpright
    ? [x + 4, zero + (its > 0 ? 4 : -4)]
    : [x, to + (its > 0 ? -8 : 17)];
  const anchor = isUpright ? (its > 0 ? "end" : "") : "middle";
  const bar = (
    /** @type {number} */ y,
    /** @type {number} */ high,
    /** @type {number} */ opacity,
  ) =>
    svg`<rect fill="var(--ink)" fill-opacity=${strong} opacity=${opacity} x=${x - wide / 2} width=${wide} y=${y} height=${high} />`;
  const wave = (/** @type {number} */ y, /** @type {number} */ n) => {
    const high = (lane * 0.9 * Math.abs(row[n])) / 2;
    return bar(y - (row[n] > 0 ? high : 0), high, s.waves);
  };
  return svg`${s.waves < 0.02 ? "" : levels.map(wave)}
    ${s.number < 0.02 ? "" : bar(Math.min(zero, to), Math.abs(to - zero), s.number)}
    ${s.bars > 0.9 ? svg`<text class=${`t12 ${anchor} ${isChosen ? "heavy" : ""}`} x=${textX} y=${textY} transform=${`rotate(${isUpright ? -90 : 0} ${textX} ${textY})`}>${signed(its, number)}</text>` : ""}`;
}

/** A number that is added in a formula. @param {number} value @param {(value: number, digits?: number) => string} number */
const spaced = (value, number) => `${value > 0 ? "+" : "−"} ${number(Math.abs(value), 2)}`;
