// A score of two sums: each part of the one meets each of the other, at every place.

import { svg } from "../../page/lit/lit.js";
import { mark, seen } from "../../page/parts.js";
import { xy } from "../../page/shapes.js";
import { NAMES, at, parts } from "./model.js";
import { GAP, PLACES, after, placeX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** The parts, one below the other: of the query its word (0) or its row (1), of the key the same. */
const PARTS = /** @type {const} */ ([
  ["words", 0, 0],
  ["rows", 1, 1],
  ["mixed", 0, 1],
  ["other", 1, 0],
]);
const ALL = Array.from({ length: PLACES - GAP }, (_, place) => place);
const [LEAST, MOST] = reach();
const FLAT = 1e-6;
const BARE = ALL.map((place) => parts(place, 0));

/** The least and the most of any part, with the matrices and without: one scale for all. */
function reach() {
  const values = ALL.flatMap((place) => [...parts(place, 0), ...parts(place, 1)]);
  return [Math.floor(Math.min(...values)), Math.ceil(Math.max(...values))];
}

/** A product: the query's side, a dot, the key's side. @param {[string, string]} sides @param {number} x @param {number} y @param {boolean} isPhone @param {string[]} marks */
function product([q, k], x, y, isPhone, marks = []) {
  const space = isPhone ? 6 : 9;
  const side = (
    /** @type {string} */ text,
    /** @type {string} */ css,
    /** @type {number} */ at,
    /** @type {number} */ i,
  ) => {
    const node = svg`<text class=${`bold ${css}`} x=${at} y=${y}>${text}</text>`;
    return marks[i] ? mark(marks[i], 1, node) : node;
  };
  return [
    side(q, "q end", x - space, 0),
    side("·", "soft middle", x, 1),
    side(k, "k", x + space, 2),
  ];
}

/** Its numbers are drawn again when the matrices change. @type {{ matrices: number, all: number[][] }} */
const kept = { matrices: -1, all: [] };

/** @param {State} s @param {Room} room @param {Stage} stage */
export function terms(s, room, { say, number }) {
  const presence = after(s.terms);
  if (presence < 0.02) return "";
  const { width, top, high, bottom, isPhone } = room;
  if (kept.matrices !== s.matrices) {
    kept.matrices = s.matrices;
    kept.all = ALL.map((place) => parts(place, s.matrices));
  }
  const now = parts(s.p, s.matrices);
  const rows = [at(s), at(s) + GAP].map((p) => say("row_of", { p }));
  const sides = NAMES.slice(0, 2).map((name, i) => `(${name} + ${rows[i]})`);
  const through = isPhone // has no room for words
    ? sides.map((side, i) => `${"QK"[i]}${side}`)
    : ["through_q", "through_k"].map((name, i) => `${sides[i]} ${say(name)}`);
  const [q, k] = s.matrices > 0.5 ? through : sides;
  const gap = isPhone ? 4 : 10;
  const each = (high + gap) / PARTS.length;
  const above = isPhone ? 16 : 0; // there a phone has the names
  const edge = width - (isPhone ? 4 : 28);
  const written = now.reduce((sum, part) => sum + Math.round(100 * part), 0) / 100;
  return svg`<g opacity=${presence}>
    ${product([q, k], width / 2, top - (isPhone ? 8 : 20), isPhone, ["q", "q k", "k"])}
    ${PARTS.map((part, i) => {
      const box = { y: top + each * i + above, h: each - gap - above, edge };
      return svg`<g data-marks=${`terms ${part[0]}`}>${lane(s, room, { say, number }, i, now[i], rows, box)}</g>`;
    })}
    <g data-marks="total">
      <path stroke="var(--ink)" stroke-width="1.5" d=${`M${edge - (isPhone ? 46 : 84)},${bottom - 12}H${edge}`} />
      <text class="end bold" x=${edge} y=${bottom + (isPhone ? 6 : 8)}>${say(isPhone ? "total_short" : "total", { score: number(written, 2) })}</text></g></g>`;
}

/** A part at every place. @param {State} s @param {Room} room @param {Pick<Stage, "say" | "number">} stage @param {number} i @param {number} now @param {string[]} rows @param {{ y: number, h: number, edge: number }} box */
function lane(s, room, { say, number }, i, now, rows, { y: y0, h, edge }) {
  const { left, right, isPhone } = room;
  const [, query, key] = PARTS[i];
  const y = (/** @type {number} */ part) => y0 + 4 + ((h - 8) * (MOST - part)) / (MOST - LEAST);
  const values = kept.all.map((all) => all[i]);
  const isFlat = Math.max(...values) - Math.min(...values) < FLAT;
  const line = (/** @type {number[]} */ all) =>
    all.map((part, place) => xy([placeX(room, place), y(part)])).join("L");
  const points = line(values);
  const x = placeX(room, s.p);
  const centre = y0 + h / 2;
  const names = [query, key].map((isRow, side) => (isRow ? rows[side] : NAMES[side]));
  const [nameX, nameY] = isPhone ? [left + 56, y0 - 4] : [left - 96, centre - 4];
  const [toldX, toldY] = isPhone ? [right, y0 - 4] : [left - 22, centre + 17];
  return svg`
    <rect fill="var(--wash)" rx="4" x=${left} y=${y0} width=${right - left} height=${h} />
    <path class="line" d=${`M${left},${y(0)}H${right}`} />
    ${[0, MOST].filter((part) => !part || y(0) - y(MOST) > 28).map((part) => svg`<text class="t12 soft end" x=${left - (isPhone ? 3 : 6)} y=${y(part) + (part ? 8 : 4)}>${number(part)}</text>`)}
    <path fill="var(--ink)" fill-opacity="0.14" d=${`M${left},${y(0)}L${points}L${placeX(room, values.length - 1)},${y(0)}Z`} />
    <path fill="none" stroke="var(--ink)" stroke-linejoin="round" stroke-width=${isFlat ? 3.5 : 2} d=${`M${points}`} />
    ${seen(
      s.matrices,
      svg`<g opacity=${s.matrices}><path fill="none" stroke="var(--soft)" stroke-width="1.5" stroke-dasharray="5 4" d=${`M${line(BARE.map((all) => all[i]))}`} />
      ${i ? "" : svg`<text class="t12 soft end" x=${isPhone ? right - 52 : edge} y=${isPhone ? y0 - 4 : y0 + 12}>${say("bare")}</text>`}</g>`,
    )}
    <path stroke="var(--ink)" stroke-opacity="0.4" d=${`M${x},${y0}v${h}`} />
    <circle r="6" fill="var(--ink)" cx=${x} cy=${y(now)} />
    <text class="end bold" x=${edge} y=${centre + 5}>${number(now, 2)}</text>
    <text class="t14 soft end" x=${toldX} y=${toldY}>${say(isFlat ? "flat" : "moves")}</text>
    ${product([names[0], names[1]], nameX, nameY, isPhone)}`;
}
