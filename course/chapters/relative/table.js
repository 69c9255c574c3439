// The table under the ruler: a vector for each label, which is added to the key.

import { clipped } from "../../page/formulas/distances.js";
import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { dot } from "../../page/formulas/sinusoids.js";
import { CELLS, LIMIT, hue, placeX, tableY } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const DIGITS = "₀₁₂₃₄₅₆₇₈₉";

/** @param {number} number */
export const subscript = (number) =>
  [...String(number)].map((digit) => DIGITS[Number(digit)]).join("");

/** The distance from the query to the key, as the ruler reads it. @param {State} s */
export const reading = (s) => clipped(Math.round(s.i), Math.round(s.key), Math.round(s.k));

/** A made-up vector, of a label or a word. @param {number} of */
const vector = (of) => Array.from({ length: CELLS }, (_, n) => Math.sin(7.3 * of + 2.4 * n));
/** The key with the row of its label. @param {State} s */
function sumOf(s) {
  const [key, row] = [vector(Math.round(s.key) + 0.1), vector(reading(s))];
  return { key, row, sum: key.map((x, n) => x + row[n]) };
}
/** @param {State} s */
const queryOf = (s) => vector(Math.round(s.i) + 0.3);
/** @param {State} s */
export const scoreOf = (s) => dot(queryOf(s), sumOf(s).sum);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function table(s, room, { say, number }) {
  const { isPhone, tableX: x, tableW: w, tableRow: h, tableTop, ruler, band, top } = room;
  const there = clamp(s.table * 2 - 1, 0, 1) * (1 - s.page) * (1 - Math.max(s.waves, s.number));
  if (there < 0.02) return "";
  const chosen = reading(s);
  const title = tableTop - (isPhone ? 5 : 12);
  // From the ruler, past the names, to the row that is fetched.
  const y = tableY(room, s, chosen);
  const key = placeX(room, s.key);
  const under = ruler + band / 2 + (top - ruler - band / 2) / 2;
  const aside = x - (isPhone ? 34 : 46);
  const cell = `M${key - room.cell / 2},${ruler - band / 2}h${room.cell}v${band}h${-room.cell}Z`;
  const down = `M${key},${ruler + band / 2}V${under}H${aside}V${y}h${isPhone ? 4 : 10}m-5,-5l5,5l-5,5`;
  const pileX = x + w + (isPhone ? 26 : 70);
  const pile = clamp((room.width - pileX - (isPhone ? 8 : 40)) / CELLS, 3, 36);
  const floor = tableTop + h * (2 * LIMIT + 1 - (isPhone ? 1.4 : 1));
  // The query's numbers, between 1 and −1; below, the sums between 2 and −2.
  const unit = (floor - tableTop - (isPhone ? 20 : 40)) / 6;
  const above = tableTop + unit;
  const zero = floor - 2 * unit;
  const { key: own, sum } = sumOf(s);
  const bar = (
    /** @type {string} */ fill,
    /** @type {number} */ from,
    /** @type {number} */ its,
    /** @type {number} */ n,
  ) =>
    svg`<rect fill=${fill} x=${pileX + n * pile + 1} width=${pile - 2} y=${from - Math.max(0, its) * unit} height=${Math.abs(its) * unit} />`;
  const half = pile / 2 - 1;
  // Number by number, the row beginning where the key ends.
  const piled = (/** @type {number} */ its, /** @type {number} */ n) => {
    const middle = pileX + (n + 0.5) * pile;
    const [from, to] = [zero - its * unit, zero - sum[n] * unit];
    return svg`<rect fill="var(--k-fill)" x=${middle - half} width=${half} y=${Math.min(zero, from)} height=${Math.abs(zero - from)} />
      <rect fill=${hue(chosen)} x=${middle} width=${half} y=${Math.min(from, to)} height=${Math.abs(from - to)} />
      <circle fill="var(--ink)" cx=${middle + half / 2} cy=${to} r=${Math.min(5, pile * 0.16)} />`;
  };
  /** Where the key ends and the row begins. @param {number} its @param {number} n */
  const joint = (its, n) => `M${pileX + n * pile + 1},${zero - its * unit}h${2 * half}`;
  const isRoomy = pile > 34; // for names of the bars
  const across = `h${pile * CELLS + 4}`;
  return svg`
    ${mark(
      "table",
      there,
      svg`<text class=${`${isPhone ? "t12" : "t14"} soft`} x=${x} y=${title}>${say(`table_learned${isPhone ? "_short" : ""}`)}</text>
        ${Array.from({ length: 2 * LIMIT + 1 }, (_, n) => rowOf(s, room, number, n - LIMIT))}`,
    )}
    ${mark("k table", there, svg`<path fill="none" stroke="var(--k)" stroke-width="2.5" d=${`${cell}${down}M${x},${y - h / 2 + 1}h${w}v${h - 2}h${-w}Z`} />`)}
    ${mark(
      "table k",
      there,
      svg`<path fill="none" stroke="var(--soft)" d=${`M${pileX - 3},${zero}${across}M${x + w},${y}H${pileX - (isPhone ? 12 : 32)}V${zero}h${isPhone ? 6 : 22}`} />
        ${own.map(piled)}
        <path stroke="var(--ink)" stroke-width="1.5" d=${own.map(joint).join("")} />`,
    )}
    ${mark(
      "table q",
      there,
      svg`${queryOf(s).map((its, n) => bar("var(--q-fill)", above, its, n))}
        <path fill="none" stroke="var(--soft)" d=${`M${pileX - 3},${above}${across}`} />`,
    )}
    ${mark(
      "table k q",
      there,
      isRoomy
        ? svg`<text class="t14 bold q" x=${pileX} y=${title}>${say("query_bars")}</text>
          <text class="t14 bold" x=${pileX} y=${zero - 2 * unit - 10}>${say("dots")} <tspan class="k">${say("key_bars")}</tspan> <tspan style=${`fill:${hue(chosen)}`}>${say("row_bars")}</tspan></text>`
        : svg`<text class="bold" x=${pileX} y=${title}>${say("score")}</text>`,
    )}
    ${mark(
      "table k q",
      there,
      svg`<text class=${`bold ${isPhone ? "t12" : ""}`} x=${pileX} y=${floor + (isPhone ? 14 : 24)}><tspan class="q">q</tspan> · (<tspan class="k">k</tspan> + ${say("row_at")})${isRoomy ? svg`<tspan>: ${say("score")}</tspan>` : ""}</text>`,
    )}`;
}

/** A label's row. @param {State} s @param {Room} room @param {Stage["number"]} number @param {number} distance */
function rowOf(s, room, number, distance) {
  const { tableX: x, tableW: w, tableRow: h } = room;
  const isChosen = distance === reading(s);
  const wide = w / CELLS;
  const high = Math.max(1, h - (h > 16 ? 4 : 2));
  const y = tableY(room, s, distance);
  return svg`<g opacity=${isChosen ? 1 : 0.7}>
    <text class=${`t14 end central ${isChosen ? "heavy" : ""}`} x=${x - 8} y=${y + 1}>${number(distance)}</text>
    <rect rx="3" fill=${hue(distance)} fill-opacity="0.14" x=${x} y=${y - high / 2} width=${w} height=${high} />
    ${vector(distance).map((its, n) => {
      const tall = (Math.abs(its) * high) / 2;
      return svg`<rect fill=${hue(distance)} x=${x + (n + 0.2) * wide} width=${Math.max(0.5, wide * 0.6)} y=${its > 0 ? y - tall : y} height=${tall} />`;
    })}</g>`;
}

/** @param {number} value @param {(value: number, digits?: number) => string} number */
export const signed = (value, number) => (value > 0 ? "+" : "") + number(value, 2);
