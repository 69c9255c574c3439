// CoPE: a door under every token, the product that opens it, what attention the token gets, and the doors of earlier queries.

import { asked } from "../../page/asked.js";
import { dot, gatesIn, positions } from "../../page/formulas/gates.js";
import { svg } from "../../page/lit/lit.js";
import { seen as there } from "../../page/parts.js";
import { clamp, xy } from "../../page/shapes.js";
import { sentence } from "./stairs.js";
import {
  ASKED,
  COUNT,
  FIRST_STOP,
  KEYS,
  LAST,
  ROWS,
  SECOND_STOP,
  centre,
  placesOf,
  replaced,
  sharesOf,
  short,
} from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const STEP = 20; // stops of a door: twentieths

/** @param {Stage} stage */
export function makeDoors(stage) {
  const { say, number, set, move, handle } = stage;
  const texts = sentence(stage);
  let isTap = true;

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    if (s.doors < 0.02) return "";
    const { ground, unit, isPhone } = room;
    const places = placesOf(s);
    const [y, h] = [ground + 4, Math.max(0, unit - 2)];
    const digits = isPhone ? 1 : s.keys > 0.5 ? 3 : 2; // so that doors that are nearly shut add up to the floor
    const door = (/** @type {string} */ word, /** @type {number} */ j) => {
      const g = s.gates[j];
      const open = (/** @type {number} */ to) =>
        replaced(s.gates, j, Math.round(clamp(to, 0, 1) * STEP) / STEP);
      const place = short(number, places[j], 2);
      const hold = handle({
        label: say("door_label", { word }),
        now: g,
        min: 0,
        max: 1,
        text: say("door_at", { gate: short(number, g, 2), place }),
        isOff: s.free <= 0.5,
        keys: (by) => set({ gates: open(s.gates[j] + by / 10) }),
        start: ([, from]) => {
          isTap = true;
          return { from, was: s.gates[j], unit }; // doors grow as the stairs get lower
        },
        move: ([, to], { from, was, unit: high }) => {
          if (Math.abs(to - from) > 4) isTap = false;
          if (!isTap) set({ gates: open(was + (from - to) / high) });
        },
        end: () => {
          if (isTap) move({ gates: open(s.gates[j] < 0.5 ? 1 : 0) }, 300);
        },
      });
      const w = Math.min(room.widths[j] - 6, Math.max(26, h * 0.75), 46);
      const x = centre(room, j) - w / 2;
      const sill = y + (1 - g) * h;
      return svg`<g ${hold} opacity=${0.2 + 0.8 * clamp(s.query - j + 1, 0, 1)}>
        <rect fill="var(--content)" opacity="0.35" x=${x + 1} y=${sill} width=${Math.max(0, w - 2)} height=${g * h} />
        <rect fill="var(--soft)" opacity="0.75" x=${x} y=${y} width=${w} height=${Math.max(0, sill - y)} />
        <rect fill="none" stroke="var(--soft)" rx="2" x=${x} y=${y} width=${w} height=${h} />
        <line stroke="var(--ink)" stroke-width="4" stroke-linecap="round" x1=${x + 3} x2=${x + w - 3} y1=${sill} y2=${sill} />
        <text class="t12 soft middle" x=${centre(room, j)} y=${y + h + (isPhone ? 13 : 17)}>${short(number, g, digits)}</text>
        <rect fill="transparent" x=${room.starts[j]} y=${y - 8} width=${room.widths[j]} height=${h + 30} />
        <rect class="ring" rx="5" x=${x - 4} y=${y - 4} width=${w + 8} height=${h + 8} /></g>`;
    };
    const legend = ["door_open", "door_shut"].map(
      (one, n) =>
        svg`<text class="t12 soft end" x=${room.width - 8} y=${y + h + 2 + 15 * n}>${say(one)}</text>`,
    );
    const told = s.free > 0.5 && !isPhone ? legend : "";
    return svg`<g data-marks="doors" opacity=${s.doors}>${texts.map(door)}${told}</g>`;
  };
}

/** Under each door the product of the query and the token's key. @param {State} s @param {Room} room @param {Stage} stage */
export function products(s, room, { number }) {
  if (s.keys < 0.02) return "";
  const { isPhone, ground, unit, foot, keys, width } = room;
  const y = ground + unit + foot + keys - (isPhone ? 6 : 12);
  const name = (/** @type {string} */ text, /** @type {number} */ y, /** @type {string} */ css) =>
    svg`<text class=${`${css} end`} x=${width - (isPhone ? 2 : 20)} y=${y}>${text}</text>`;
  return svg`<g data-marks="product" opacity=${s.keys}>
    ${KEYS.map((key, j) => svg`<text class="t14 middle" x=${centre(room, j)} y=${y}>${short(number, dot(s.q, key))}</text>`)}
    ${isPhone ? "" : name("σ(q·k)", ground + unit + 19, "t12")}
    ${name("q·k", y, isPhone ? "t12" : "t14")}</g>`;
}

/** An arrow of two numbers about a point. @param {number} x @param {number} y @param {number[]} numbers @param {number} scale @param {number} head */
export function vector(x, y, [right, up], scale, head) {
  const [dx, dy] = [right * scale, -up * scale];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [tx, ty] = [x + dx / 2, y + dy / 2];
  const [bx, by] = [tx - ux * head, ty - uy * head];
  const side = head * 0.5;
  return `M${xy([x - dx / 2, y - dy / 2])}L${xy([bx, by])}M${xy([tx, ty])}L${xy([bx - uy * side, by + ux * side])}L${xy([bx + uy * side, by - ux * side])}Z`;
}

/** What share of the attention each token gets. @param {State} s @param {Room} room @param {Stage} stage */
export function shares(s, room, { say, number, isGuessing }) {
  if (s.shares < 0.02) return "";
  const { isPhone, left, edge } = room;
  const foot = room.ground + room.unit + room.foot + room.keys + room.shares - (isPhone ? 18 : 24);
  const high = room.shares * (isPhone ? 0.42 : 0.62);
  const plain = sharesOf(s, false);
  const now = sharesOf(s, true);
  const isMoved = Math.abs(plain[FIRST_STOP] - now[FIRST_STOP]) > 0.01;
  const bar = (/** @type {unknown} */ _, /** @type {number} */ j) => {
    const width = Math.min(room.widths[j] - 4, 40);
    const x = centre(room, j);
    const share = isGuessing() ? 0 : now[j] * s.answered;
    const isStop = j === FIRST_STOP || j === SECOND_STOP;
    const isOff = isStop && Math.abs(plain[j] - now[j]) > 0.01;
    const isTold = isStop || now[j] > 0.045;
    return svg`
      <rect fill="var(--attention)" x=${x - width / 2} width=${width} y=${foot - share * high} height=${share * high} />
      ${there(isOff ? s.answered : 0, svg`<path stroke="var(--ink)" stroke-width="2" stroke-dasharray="2 3" opacity=${s.answered} d=${`M${x - width / 2 - 4},${foot - plain[j] * high}H${x + width / 2 + 4}`} />`)}
      ${there(isTold ? s.answered : 0, svg`<text class="t14 middle" opacity=${s.answered} x=${x} y=${foot + (isPhone ? 14 : 18)}>${number(100 * now[j])}%</text>`)}`;
  };
  return svg`<g data-marks="shares" opacity=${s.shares}>
    <path class="line" d=${`M${left},${foot}H${edge}`} />
    <text class="t12 soft" x=${left} y=${foot - high - 4}>${say(isMoved ? "attention_moved" : "attention")}</text>
    ${KEYS.map(bar)}
    ${asked(
      [FIRST_STOP, SECOND_STOP].map((stop) => [centre(room, stop), foot - 16]),
      s.shares * s.guessing,
    )}</g>`;
}

/** The doors of every query that has asked, their sum, and what the query counts. @param {State} s @param {Room} room @param {Stage} stage */
export function pile(s, room, stage) {
  if (s.pile < 0.02) return "";
  const { seen, say, number } = stage;
  const { isPhone, row: h } = room;
  const texts = sentence(stage);
  const counts = texts.map((word, i) => say(`counts_${ASKED[i]}`, { word }));
  const top = room.ground + room.unit + room.foot + (isPhone ? 2 : 6);
  const full = h - (isPhone ? 2 : 4);
  const right = room.width - (isPhone ? 4 : 14);
  const width = (/** @type {number} */ j) => Math.min(room.widths[j] - 4, 40);
  const left = (/** @type {number} */ j) => centre(room, j) - width(j) / 2;
  const row = (/** @type {string} */ text, /** @type {number} */ i) => {
    const y = top + i * h;
    const isAsked = seen.has(i); // a row that nobody has asked for yet is an outline
    const gates = ROWS[i].slice(0, i + 1);
    const frame = gates.map((_, j) => `M${xy([left(j), y])}h${width(j)}v${full}h${-width(j)}z`);
    const shut = gates.map(
      (gate, j) => `M${xy([left(j), y])}h${width(j)}v${(1 - gate) * full}h${-width(j)}z`,
    );
    const open = gates.map(
      (gate, j) => `M${xy([left(j), y + full])}h${width(j)}v${-gate * full}h${-width(j)}z`,
    );
    return svg`<g opacity=${isAsked ? 1 : 0.4}>
      ${isAsked ? svg`<path fill="var(--soft)" opacity="0.6" d=${shut.join("")} />` : ""}
      <path fill="none" stroke="var(--soft)" stroke-width=${Math.round(s.query) === i ? 2 : 1} stroke-dasharray=${isAsked ? "none" : "2 3"} d=${frame.join("")} />
      ${isAsked ? svg`<path fill="var(--content)" opacity="0.5" d=${open.join("")} />` : ""}
      ${isPhone ? "" : svg`<text class=${`t12 ${Math.round(s.query) === i ? "q" : "soft"}`} x=${room.starts[i] + room.widths[i] + 4} y=${y + full - 2}>${isAsked ? text : ""}</text>`}</g>`;
  };
  const sum = (/** @type {unknown} */ _, /** @type {number} */ i) => {
    if (!seen.has(i)) return "";
    const [position] = positions(ROWS[i], i);
    return svg`<text class=${`t12 content ${isPhone ? "" : "end"}`} x=${isPhone ? left(i) + width(i) + 4 : left(0) - 8} y=${top + i * h + full - 1}>${short(number, position, isPhone ? 1 : 2)}</text>`;
  };
  return svg`
    <g data-marks="pile" opacity=${s.pile}>
      ${counts.map(row)}
      ${isPhone ? svg`<text class="t12 q end" x=${right} y=${top + 10}>${counts[Math.round(s.query)]}</text>` : ""}
      <text class="t14 end" x=${isPhone ? right : room.starts[LAST]} y=${top + (isPhone ? 27 : 14)}>${say("drawn")}</text></g>
    <g data-marks="sum" opacity=${s.pile}>
      ${counts.map(sum)}
      ${isPhone ? "" : svg`<text class="t14 content end" x=${left(0) - 8} y=${top - 6}>${say("sum")}</text>`}</g>`;
}

/** Doors that were drawn. @param {Set<number>} seen */
export const drawnDoors = (seen) => [...seen].reduce((sum, i) => sum + i + 1, 0);
export const ALL_DOORS = gatesIn(COUNT);
