// CoPE: q·e of each floor, and the query that opens doors.

import { gatesOf } from "../../page/formulas/gates.js";
import { svg } from "../../page/lit/lit.js";
import { clamp } from "../../page/shapes.js";
import { vector } from "./doors.js";
import { KEY, KEYS, LENGTH, level, replaced } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

export const FLOORS = 4; // whose q·e is drawn
const MOST = 6; // the largest q·e that can be drawn

/** q·e of the lowest floors, as bars that can be dragged. @param {State} s @param {Room} room @param {Stage} stage */
export function push(s, room, { say, number, set, handle, isGuessing }) {
  const presence = isGuessing() ? 0 : s.bars;
  if (presence < 0.02) return "";
  const { edge, side, isPhone, width, ground } = room;
  const gap = isPhone ? 34 : 54;
  const x0 = edge + gap + (side - gap) * 0.26;
  const unit = (width - x0 - (isPhone ? 22 : 44)) / MOST;
  const top = level(room, FLOORS - 1);
  const r = isPhone ? 7 : 10;
  const pull = (/** @type {number} */ floor, /** @type {number} */ to) =>
    set({ push: replaced(s.push, floor, clamp(to, -2, MOST)) });
  const bar = (/** @type {number} */ its, /** @type {number} */ n) => {
    const hold = handle({
      label: say("push_label", { floor: n }),
      now: its,
      min: -2,
      max: MOST,
      keys: (by) => pull(n, Math.round(4 * s.push[n] + by) / 4),
      start: ([x]) => x - x0 - s.push[n] * unit,
      move: ([x], off) => pull(n, Math.round((10 * (x - off - x0)) / unit) / 10),
    });
    const y = level(room, n);
    const x = x0 + its * unit;
    return svg`<g ${hold}>
      <rect fill="transparent" x=${x0 - 30} y=${y - 15} width=${width - x0 + 30} height="30" />
      <rect fill="var(--ink)" x=${Math.min(x, x0)} y=${y - 4} width=${Math.abs(x - x0)} height="8" />
      <circle fill="var(--paper)" stroke="var(--ink)" stroke-width="3" cx=${x} cy=${y} r=${r} />
      <circle class="ring" cx=${x} cy=${y} r=${r - 4} />
      <text class="t14 halo middle" x=${x} y=${y - r - 5}>${number(its, 1)}</text></g>`;
  };
  return svg`<g data-marks="push" opacity=${presence}>
    <path class="line" d=${`M${x0},${top - 16}V${ground + 10}`} />
    <text class="t12 soft" x=${x0 - (isPhone ? 20 : 34)} y=${top - (isPhone ? 24 : 40)}>${say("push")}</text>
    <text class=${`${isPhone ? "t12" : "t14"} soft end`} x=${x0 - 8} y=${ground + 28}>${say("lowers")}</text>
    <text class=${`${isPhone ? "t12" : "t14"} soft`} x=${x0 + 8} y=${ground + 28}>${say("lifts")}</text>
    ${s.push.map(bar)}</g>`;
}

/** The query as an arrow of two numbers among the keys. @param {State} s @param {Room} room @param {Stage} stage */
export function dial(s, { dial: at, isPhone }, { say, number, set, handle }) {
  if (s.dial < 0.02) return "";
  const unit = at.r / LENGTH;
  function turn(/** @type {number} */ right, /** @type {number} */ up) {
    const fit = LENGTH / (Math.hypot(right, up) || 1);
    const q = [right * fit, up * fit];
    set({ q, gates: gatesOf(q, KEYS) });
  }
  const angle = Math.atan2(s.q[1], s.q[0]);
  const degrees = (angle * 180) / Math.PI;
  const hold = handle({
    label: say("tip_label"),
    now: degrees,
    min: -175,
    max: 180,
    text: say("tip_at", { degrees: number(degrees) }),
    keys: (by) => {
      const to = Math.atan2(s.q[1], s.q[0]) - (by * Math.PI) / 36;
      turn(Math.cos(to), Math.sin(to));
    },
    move: ([x, y]) => turn((x - at.x) / unit, (at.y - y) / unit),
  });
  /** Beyond the tip of an arrow. @param {number[]} numbers @param {number} by Pixels. */
  const tip = ([right, up], by = 0) => {
    const out = unit * (1 + by / (Math.hypot(right, up) * unit || 1));
    return [at.x + right * out, at.y - up * out];
  };
  /** Above an arrow, inside the circle on which q's tip runs. @param {number[]} numbers */
  const beside = ([right, up]) => {
    const isAside = Math.abs(right) > 1;
    const x = isAside ? 0.6 * right * unit + Math.sign(right) * (isPhone ? 5 : 10) : right * unit;
    return [at.x + x, at.y - up * unit - (!isPhone ? 8 : isAside ? 4 : 10)];
  };
  const from = (/** @type {number[]} */ [right, up], /** @type {number} */ head) =>
    vector(at.x + (right * unit) / 2, at.y - (up * unit) / 2, [right, up], unit, head);
  const key = (/** @type {[string, number[]]} */ [kind, numbers]) => {
    const name = { ".": "stops", ",": "commas" }[kind] ?? "words";
    const [x, y] = beside(numbers);
    return svg`<path fill="var(--k)" stroke="var(--k)" stroke-width="3" stroke-linejoin="round" d=${from(numbers, isPhone ? 7 : 10)} />
      <text class=${`k halo middle ${isPhone ? "t12" : "t14"}`} x=${x} y=${y}>${say(name)}</text>`;
  };
  const [x, y] = tip(s.q);
  const [nameX, nameY] = tip(s.q, isPhone ? 17 : 22);
  const r = isPhone ? 7 : 9;
  return svg`
    <g data-marks="k" opacity=${s.dial}>
      <circle fill="var(--paper)" stroke="var(--line)" stroke-width="1.5" cx=${at.x} cy=${at.y} r=${at.r} />
      ${Object.entries(KEY).map(key)}</g>
    <g data-marks="q"><g ${hold} opacity=${s.dial}>
      <path fill="var(--q)" stroke="var(--q)" stroke-width="4.5" stroke-linejoin="round" d=${from(s.q, 1)} />
      <circle r="24" fill="transparent" cx=${x} cy=${y} />
      <circle fill="var(--paper)" stroke="var(--q)" stroke-width="3" cx=${x} cy=${y} r=${r} />
      <circle class="ring" cx=${x} cy=${y} r=${r - 4} />
      <text class="q heavy middle" x=${nameX} y=${nameY + 5}>q</text></g></g>`;
}
