// The waves, each in a lane over the ruler: as stairs of digits, as ribbons, or from above.

import { digit } from "../../page/formulas/sinusoids.js";
import { guard, svg } from "../../page/lit/lit.js";
import { mark, seen } from "../../page/parts.js";
import { clamp, mix, xy } from "../../page/shapes.js";
import { SPEEDS, speed } from "./model.js";
import { PLACES, placeX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** @param {number} column @param {number} place @param {State} s */
export function height(column, place, s) {
  const i = column >> 1;
  const angle = place * (i < 3 ? speed(i, s) : SPEEDS[i]);
  const wave = column % 2 ? Math.cos(angle) : Math.sin(angle);
  return s.smooth < 1 && i < 3 ? mix(digit(place, i) / 4.5 - 1, wave, s.smooth) : wave;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function lanes(s, room, { number, canvas }) {
  drawCells(canvas(), s, room);
  const { left, isPhone } = room;
  const scaled = isPhone ? 0 : clamp(2 * s.lanes - 1, 0, 1) * Math.abs(1 - 2 * s.smooth);
  const named = clamp(2 * s.rows - 1, 0, 1);
  const end = (/** @type {number} */ column) => (/** @type {number} */ side) => {
    const { y, h } = room.lanes[column];
    const value = s.smooth < 0.5 ? (side > 0 ? 9 : 0) : side;
    return svg`<text class="t12 soft end" x=${left - 7} y=${y - (side * h) / 2 + 4}>${number(value)}</text>`;
  };
  const [keyX, keyY] = isPhone ? [4, room.bottom + 12] : [left, 22]; // of tones
  const tone = (/** @type {number} */ value, /** @type {number} */ i) => {
    const x = keyX + i * (isPhone ? 27 : 44);
    return svg`<rect stroke="var(--soft)" fill="var(--ink)" fill-opacity=${(value + 1) / 2} x=${x} y=${keyY} width="11" height="11" />
      <text class="t12" x=${x + 15} y=${keyY + 10}>${number(value)}</text>`;
  };
  return svg`
    ${mark("entries", s.above * s.rows, [1, -1].map(tone))}
    ${room.lanes.map((_, column) => lane(s, room, column))}
    ${mark(
      "wave",
      scaled,
      [0, 2, 4].map((column) => [1, -1].map(end(column))),
    )}
    ${room.lanes.map(({ y }, column) =>
      mark(
        column % 2 ? "cosine" : "sine",
        named,
        svg`<text class="t12 soft end" x=${left - (isPhone ? 5 : 12)} y=${y + 4}>${column % 2 ? "cos" : "sin"}</text>`,
      ),
    )}`;
}

/** @param {State} s @param {Room} room @param {number} column */
function lane(s, room, column) {
  const { left, last } = room;
  const { y, h, a } = room.lanes[column];
  const isFaded = s.sieve > 0.5 ? 0.3 * clamp(s.hands - (column >> 1), 0, 1) : 1;
  const presence = a * isFaded * (s.rows > 0.5 && column % 2 ? 0.75 : 1);
  if (presence < 0.02) return "";
  const ribbon = 1 - s.above * s.rows;
  const level = y + ((1 - s.smooth) * h) / 2; // digits stand on 0, waves swing
  const points = () => {
    const count = Math.round(last * (column < 4 || s.smooth < 1 ? 5 : 1));
    return Array.from({ length: count + 1 }, (_, j) => {
      const place = (j / count) * last;
      return xy([placeX(room, place), y - (height(column, place, s) * h) / 2]);
    }).join("L");
  };
  const drawn = () => {
    const line = points();
    return svg`<g opacity=${ribbon}>
      <path fill="var(--ink)" fill-opacity="0.14" d=${`M${left},${level}L${line}V${level}Z`} />
      <path fill="none" stroke="var(--ink)" stroke-linejoin="round" stroke-width=${h > 50 ? 2.5 : 1.5} d=${`M${line}`} /></g>`;
  };
  const key = [room.left, room.right, last, y, h, s.smooth, s.real, ribbon]; // many points
  return svg`<g data-marks=${`wave entries ${column % 2 ? "cosine" : "sine"}`} opacity=${presence}>
    ${ribbon < 0.02 ? "" : guard(key, drawn)}
    ${seen(1 - s.sieve, svg`<circle opacity=${1 - s.sieve} fill=${`var(--${ribbon < 0.5 ? "paper" : "ink"})`} r=${h > 50 ? 7 : 3.5} cx=${placeX(room, s.p)} cy=${y - (height(column, s.p, s) * h) / 2} />`)}</g>`;
}

/** The table as papers print it: dark is high. @param {HTMLCanvasElement} canvas @param {State} s @param {Room} room */
function drawCells(canvas, s, room) {
  const share = s.above * s.rows;
  canvas.style.display = share < 0.02 ? "none" : "";
  if (share < 0.02) return;
  const ink = getComputedStyle(canvas).color;
  const key = [
    share,
    room.left,
    room.right,
    room.width,
    room.height,
    room.foot,
    ink,
    devicePixelRatio,
  ].join();
  if (canvas.dataset.key === key) return;
  canvas.dataset.key = key;
  canvas.width = room.width * devicePixelRatio;
  canvas.height = room.height * devicePixelRatio;
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  brush.scale(devicePixelRatio, devicePixelRatio);
  brush.fillStyle = ink;
  room.lanes.forEach(({ y, h }, column) => {
    const [top, foot] = [y - h / 1.6, y + h / 1.6].map(Math.round);
    for (let place = 0; place < PLACES; place++) {
      const from = Math.round(placeX(room, place - 0.5));
      brush.globalAlpha = (share * (height(column, place, s) + 1)) / 2;
      brush.fillRect(from, top, Math.round(placeX(room, place + 0.5)) - from, foot - top);
    }
  });
}
