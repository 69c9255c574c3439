// The dials of a head, by the number that each turns with; and the light that falls on the patches.

import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { clamp, mix, pie, round, xy } from "../../page/shapes.js";
import { COLUMNS, ROWS, START } from "./ids.js";
import { cellOf, ring } from "./line.js";
import { DIALS, ORDERS, PAIRS, fastest, ofAxis, shares, turn } from "./pairs.js";
import { within } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @import { Order } from "./pairs.js" */
/** @typedef {[number, number]} Way */

const AXES = ["t", "row", "column"];
const COLOURS = ["soft", "row", "column"];
const UP = Math.PI / 2;
export const FROM = START + COLUMNS + 2; // the patch from which the dials turn
const BENT = 0.8; // so that a tenth of the brightest is seen
const SPAN = 44; // pixels of a patch that can hold its share

/** Rows and columns from one patch to another. @param {number} from @param {number} to @returns {Way} */
export function way(from, to) {
  const [[r, c], [r2, c2]] = [cellOf(from), cellOf(to)];
  return [r2 - r, c2 - c];
}

/** Degrees as they are told: more digits where there is little. @param {number} degrees @param {Stage["number"]} number */
export const degreesOf = (degrees, number) =>
  `${number(degrees, degrees === 0 || degrees >= 9.95 ? 0 : degrees >= 0.0995 ? 1 : 2)}°`;

/** What a hand has passed since it pointed up. @param {{ x: number, y: number }} centre @param {number} r @param {number} angle */
export const turned = (centre, r, angle) => pie(centre, r, UP, -angle);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function dials(s, room, { say, number, isGuessing }) {
  if (s.dials < 0.02) return "";
  const { dials: grid, aside, isPhone } = room;
  const by = way(FROM, clamp(Math.round(s.at), START, START + ROWS * COLUMNS - 1));
  const r = grid.size * 0.4;
  const centreOf = (/** @type {number} */ i) => ({
    x: grid.x + ((i % grid.columns) + 0.5) * grid.size,
    y: grid.y + (Math.floor(i / grid.columns) + 0.5) * grid.size,
  });
  const dial = Array.from({ length: PAIRS }, (_, i) => {
    const centre = centreOf(i);
    const angle = mix(turn("blocks", i, by), turn("interleaved", i, by), s.il);
    return {
      rim: `M${xy([centre.x - r, centre.y])}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
      wedge: Math.abs(angle) > 0.02 ? turned(centre, r * 0.9, angle) : "",
      hand: `M${xy([centre.x, centre.y])}L${xy(round(centre, r * 0.88, UP - angle))}`,
    };
  });
  /** The dials of a number, in one of the two orders. @param {Order} order @param {number} axis */
  function layer(order, axis) {
    const own = dial.filter((_, i) => DIALS[order].axes[i] === axis);
    const all = (/** @type {"rim" | "wedge" | "hand"} */ name) => own.map((one) => one[name]).join(""); // prettier-ignore
    const colour = `var(--${COLOURS[axis]})`;
    return mark(
      `dials ${AXES[axis]}`,
      order === "blocks" ? 1 - s.il : s.il,
      svg`<path stroke=${colour} fill=${colour} stroke-width="2" fill-opacity="0.13" d=${all("rim")} />
        <path fill=${colour} opacity="0.45" d=${all("wedge")} />
        <path stroke=${colour} fill="none" stroke-linecap="round" stroke-width="2.4" d=${all("hand")} />`,
    );
  }
  const rows = PAIRS / grid.columns;
  const end = grid.x + grid.columns * grid.size;
  const order = s.il > 0.5 ? "interleaved" : "blocks";
  const x = isPhone ? aside.x + aside.w + 10 : aside.x;
  const y = isPhone ? 22 : aside.y + aside.h + 30;
  const [down, across] = by.map(Math.abs);
  const values = { down: number(down), across: number(across) };
  const turns = (/** @type {"row" | "column"} */ name, /** @type {number} */ i) => {
    const isAsked = i === 1 && isGuessing();
    const degrees = isAsked ? "?" : degreesOf(fastest(order, i + 1) * [down, across][i], number);
    return mark(name, s.dials, svg`<text class=${`bold ${name}`} x=${x} y=${y + (i + 1) * (isPhone ? 20 : 27)}>${say(`turns_${name}${isPhone ? "_short" : ""}`, { degrees })}</text>`); // prettier-ignore
  };
  const first = (/** @type {number} */ axis) => centreOf(ofAxis(order, axis)[0]);
  const ringed = (/** @type {number} */ axis) => {
    const { x: cx, y: cy } = first(axis);
    return mark(`dials ${AXES[axis]}`, s.dials, svg`<circle fill="none" stroke=${`var(--${COLOURS[axis]})`} stroke-width=${isPhone ? 2 : 3} cx=${cx} cy=${cy} r=${grid.size / 2 - 0.5} />`); // prettier-ignore
  };
  // Beside the first dial of a block; on a phone above them all.
  const name = (/** @type {string} */ axis, /** @type {number} */ i) =>
    svg`<text class=${`t14 bold end central ${COLOURS[i]}`} opacity=${1 - s.il} x=${grid.x - 8} y=${centreOf(ofAxis("blocks", i)[0]).y}>${say(axis)}</text>`;
  const legend = () =>
    svg`<text class="t12 bold middle" x=${(grid.x + end) / 2} y=${grid.y - 7}>${AXES.map((axis, i) => svg`<tspan class=${COLOURS[i]} dx=${i ? 8 : 0}>${say(axis)}</tspan>`)}</text>`;
  return svg`
    ${ringed(1)}${ringed(2)}
    <g opacity=${s.dials}>
      ${ORDERS.map((order) => AXES.map((_, axis) => layer(order, axis)))}
      ${isPhone ? legend() : AXES.map(name)}
      <text class="t12 soft" x=${grid.x} y=${grid.y - 7}>${say("fastest")}</text>
      <text class="t12 soft end" x=${end} y=${isPhone ? grid.y - 7 : grid.y + rows * grid.size + 18}>${say("slowest")}</text></g>
    ${mark("k", s.dials, ring(within(aside, ...cellOf(FROM)), "k", 4))}
    ${mark("q", s.dials, svg`<text class="bold" x=${x} y=${y}>${say(isPhone ? "distance_short" : "distance", values)}</text>`)}
    ${turns("row", 0)}${turns("column", 1)}
    ${mark("t", s.dials, svg`<text class="soft" x=${x} y=${y + 3 * (isPhone ? 20 : 27)}>${say(`turns_t${isPhone ? "_short" : ""}`)}</text>`)}`;
}

/** Share of each patch, on its way between the two orders. @param {State} s */
export function lightOf(s) {
  const query = Math.round(s.at) - START;
  const wanted = /** @type {Way} */ ([s.down, s.across]);
  const [a, b] = [shares("blocks", query, wanted), shares("interleaved", query, wanted)];
  return a.map((share, i) => mix(share, b[i], s.il));
}

/** @param {number} share @param {Stage["number"]} number */
export function percent(share, number) {
  const p = 100 * share;
  return `${number(p, p >= 9.95 ? 0 : p >= 0.995 ? 1 : 2)}%`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function light(s, room, { say, number }) {
  if (s.light < 0.02) return "";
  const { big, isPhone, width } = room;
  const query = clamp(Math.round(s.at), START, START + ROWS * COLUMNS - 1) - START;
  const light = lightOf({ ...s, at: query + START });
  const most = Math.max(...shares("interleaved", query, /** @type {Way} */ ([s.down, s.across]))); // one scale for both orders
  const patch = (/** @type {number} */ share, /** @type {number} */ j) => {
    const { x, y, w, h } = within(big, ...cellOf(START + j));
    const written = share < 0.00995 ? say("little") : percent(share, number);
    return svg`<rect fill="var(--attention)" rx="5" opacity=${(0.85 * (share / most) ** BENT).toFixed(2)} x=${x + 2} y=${y + 2} width=${w - 4} height=${h - 4} />
      ${w > SPAN ? svg`<text class="t14 halo middle" x=${x + w / 2} y=${y + h / 2 + 5}>${written}</text>` : ""}`;
  };
  const box = (/** @type {unknown} */ _, /** @type {number} */ j) => {
    const { x, y, w, h } = within(big, ...cellOf(START + j));
    return svg`<rect fill="none" stroke="var(--line)" rx="5" x=${x + 2} y=${y + 2} width=${w - 4} height=${h - 4} />
      ${j > query && w > SPAN ? svg`<text class="t12 soft middle" x=${x + w / 2} y=${y + h / 2 + 4}>${say("masked")}</text>` : ""}`;
  };
  const wanted = Math.round(query + s.down * COLUMNS + s.across);
  const values = { share: percent(light[wanted] ?? 0, number) };
  return svg`
    ${mark("light", s.light, [Array.from({ length: ROWS * COLUMNS }, box), light.map(patch)])}
    ${mark("light", s.light, svg`<text class="middle bold" x=${width / 2} y=${big.y + big.h + (isPhone ? 20 : 34)}>${say(isPhone ? "gets_short" : "gets", values)}</text>`)}`;
}
