// A memory of one number of the values: an arrow between two keys, what it reads, and how far the text was read.

import { svg } from "../../page/lit/lit.js";
import { at, grip, seen, through } from "../../page/parts.js";
import { arrow, clamp, round } from "../../page/shapes.js";
import { ANN, BOB, FADES, LAST, WRITES, dot, memory, ray } from "./gates.js";
import { sentence, token } from "./lights.js";
import { MOST, columnX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Point } from "../../page/shapes.js" */
/** @import { Room } from "./room.js" */

const NEAR = 5; // degrees at which a query that is dragged snaps to a key
const SPOKEN = new Set([ANN, BOB, LAST, ...WRITES.map(({ token }) => token)]);

/** What the query reads: the shadow of the memory on its line. @param {State} s */
export const read = (s) => dot(memory(s.read), ray(s.query));

/** @param {State} s @param {Room} room @param {Stage} stage */
export function scene(s, room, stage) {
  if (s.memory < 0.02) return "";
  return svg`<g opacity=${s.memory.toFixed(2)}>
    ${text(s, room, stage)}
    ${quarter(s, room, stage)}</g>`;
}

/** Of how much was read: a place on the line under the words. @param {Room} room */
const stops = (room) => [room.pad, ...WRITES.map(({ token }) => columnX(room, token))];

/** The words, and how far they were read. @param {State} s @param {Room} room @param {Stage} stage */
function text(s, room, stage) {
  const { say, set, handle, number } = stage;
  const { isPhone, times, top } = room;
  const places = stops(room);
  const n = Math.min(WRITES.length - 1, Math.floor(s.read));
  const x = places[n] + (places[n + 1] - places[n]) * (s.read - n);
  const y = isPhone ? top + 5 : top - 8;
  const one = (/** @type {string} */ word, /** @type {number} */ j) =>
    svg`<g opacity=${SPOKEN.has(j) ? 1 : 0.45}>${token(room, word, columnX(room, j), y, j === LAST)}</g>`;
  const written = ({ token: j, name, value } = WRITES[0]) =>
    svg`<text class="t14 k middle" x=${columnX(room, j)} y=${times + (isPhone ? 28 : 32)}>${say(isPhone ? "written_short" : "written", { name: sentence(stage)[name], value: number(value) })}</text>`;
  const to = (/** @type {number} */ value) =>
    set({ read: clamp(Math.round(20 * value) / 20, 0, WRITES.length) });
  const slider = handle({
    label: say("read_label"),
    now: s.read,
    min: 0,
    max: WRITES.length,
    text: say("read_at", { verbs: number(Math.floor(s.read + 0.01)), value: number(read(s), 2) }),
    keys: (by) => to(s.read + 0.1 * by),
    move: ([there]) =>
      to(
        places
          .slice(1)
          .reduce((sum, stop, i) => sum + clamp((there - places[i]) / (stop - places[i]), 0, 1), 0),
      ),
  });
  return svg`
    <g data-marks="words">${sentence(stage).map(one)}</g>
    <g data-marks="written">${WRITES.map(written)}</g>
    <g data-marks="read">
      <path class="line" stroke-width="3" d=${`M${places[0]},${times}H${places[places.length - 1]}`} />
      <path stroke="var(--ink)" stroke-width="3" d=${`M${places[0]},${times}H${x}`} />
      <g ${slider} transform=${at(x, times)}>${grip({ r: 9 })}</g></g>`;
}

/** The quarter between both keys. @param {State} s @param {Room} room @param {Stage} stage */
function quarter(s, room, { say, set, handle, number }) {
  const {
    quarter: { x, y, r },
    isPhone,
  } = room;
  const unit = r / (MOST + 0.6);
  const point = ([right, up] = [0, 0]) => /** @type {Point} */ ([x + unit * right, y - unit * up]);
  const now = memory(s.read);
  const tip = point(now);
  const turn = (s.query * Math.PI) / 180;
  const value = read(s);
  const shadow = point([value * Math.cos(turn), value * Math.sin(turn)]);
  const end = round({ x, y }, r, turn);
  const length = Math.hypot(...now);
  const size = { x, y, r: length * unit };
  const turnTo = (/** @type {number} */ degrees) =>
    set({ query: Math.round(clamp(degrees, 0, 90)) });
  const near = (/** @type {number} */ degrees) =>
    degrees > 90 - NEAR ? 90 : degrees < NEAR ? 0 : degrees;
  const slider = handle({
    label: say("query_label"),
    now: s.query,
    min: 0,
    max: 90,
    text: say("query_at", { degrees: number(s.query), value: number(value, 2) }),
    keys: (by) => turnTo(s.query + 2 * by),
    move: ([px, py]) => turnTo(near((Math.atan2(y - py, px - x) * 180) / Math.PI)),
  });
  const passed = Math.max(0, Math.round(20 * (s.read - 1)));
  const way = Array.from({ length: passed + 1 }, (_, n) => point(memory(1 + n / 20)));
  const leg = (/** @type {string} */ text, /** @type {Point} */ [lx, ly], isRight = false) =>
    svg`<text class=${`t14 halo ${isRight ? "" : "middle"}`} x=${lx} y=${ly}>${text}</text>`;
  const [, one, two] = WRITES;
  const [high, low] = [WRITES[0].value * FADES, WRITES[0].value * FADES ** 2];
  const up = ([lx, ly] = point()) => /** @type {Point} */ ([lx, ly - 5]);
  const trace = svg`<path fill="none" stroke="var(--soft)" stroke-width="2.5" d=${through(way)} />
    ${s.read < 2 ? "" : svg`<text class="t14 halo end" x=${x - 24} y=${point([0, (WRITES[0].value + high) / 2])[1] + 4}>${say("fades")}</text>${leg(say("writes", { value: number(one.value) }), up(point([one.value / 2, high])))}`}
    ${s.read < 3 ? "" : svg`${leg(say("fades"), point([one.value + 0.08, (high + low) / 2 - 0.04]), true)}${leg(say("writes", { value: number(two.value) }), up(point([two.value * (isPhone ? 0.74 : 0.6), low])))}`}`;
  const ring = (/** @type {unknown} */ _, /** @type {number} */ n) => {
    const to = unit * (n + 1);
    return svg`<path fill="none" class="line" d=${`M${x},${y - to}A${to},${to} 0 0 1 ${x + to},${y}`} />
      <text class="t12 soft end" x=${x - 8} y=${y - to + 4}>${number(n + 1)}</text>
      <text class="t12 soft middle" x=${x + to} y=${y + (isPhone ? 15 : 19)}>${number(n + 1)}</text>`;
  };
  const [bx, by] = point([now[0], 0]);
  const [ax, ay] = point([0, now[1]]);
  const dots = svg`<path fill="none" stroke="var(--k)" stroke-width="1.5" stroke-dasharray="3 4" d=${`M${ax},${ay}H${tip[0]}V${by}`} />
    `;
  const both = [[ax, ay], [bx, by]].map(([cx, cy]) => svg`<circle fill="var(--k)" stroke="var(--paper)" stroke-width="1.5" r="6" cx=${cx} cy=${cy} />`); // prettier-ignore
  const [qx, qy] = round({ x, y }, r + (isPhone ? 2 : 4), turn);
  const toldX = Math.min(qx + 19, room.width - 96); // beside q, or over it where there is no room
  const toldY = qy + 5 - clamp(2 * (qx + 19 - toldX), 0, 23);
  const [sx, sy] = [
    x + 0.6 * (tip[0] - x) + (now[1] / (length || 1)) * 20,
    y + 0.6 * (tip[1] - y) + (now[0] / (length || 1)) * 20,
  ];
  return svg`
    <g>${Array.from({ length: MOST }, ring)}</g>
    <g data-marks="k">
      <path stroke="var(--k)" stroke-width="2.5" d=${`M${x},${y}V${y - r}M${x},${y}H${x + r}`} />
      <text class="k bold end" x=${x - 20} y=${y - r + 5}>${say("key_ann")}</text>
      <text class="k bold" x=${x + r * 0.93} y=${y + (isPhone ? 28 : 36)}>${say("key_bob")}</text></g>
    ${seen(length > 0.05 ? 1 : 0, svg`<g data-marks="shadows">${dots}</g>`)}
    <g data-marks="s">${seen(passed ? 1 : 0, trace)}</g>
    <g data-marks="q">
      <path stroke="var(--q)" stroke-width="2" d=${`M${x},${y}L${end[0]},${end[1]}`} />
      <path stroke="var(--q)" stroke-width="1.5" stroke-dasharray="3 4" d=${`M${tip[0]},${tip[1]}L${shadow[0]},${shadow[1]}`} />
      <path stroke="var(--q)" stroke-width="8" opacity="0.55" d=${`M${x},${y}L${shadow[0]},${shadow[1]}`} />
      <circle fill="var(--q)" r="5" cx=${shadow[0]} cy=${shadow[1]} />
      <text class="q bold halo" x=${toldX} y=${toldY}>${say("reads", { value: number(value, 2) })}</text></g>
    <g data-marks="s">
      ${seen(
        length > 0.05 ? 1 : 0,
        svg`<path stroke="var(--ink)" fill="var(--ink)" stroke-width=${isPhone ? 3.5 : 5} stroke-linejoin="round" d=${arrow(size, Math.atan2(now[1], now[0]), isPhone ? 13 : 19)} />
        <text class="heavy halo middle" x=${sx} y=${sy + 5}>S</text>`,
      )}</g>
    ${seen(length > 0.05 ? 1 : 0, svg`<g data-marks="shadows">${both}</g>`)}
    <g data-marks="q"><g ${slider} transform=${at(qx, qy)}>${grip({ fill: "var(--q-fill)" })}
      <text class="t12 bold middle white" y="3">${say("asks")}</text></g></g>`;
}
