// The waves, each in a lane over the ruler: as stairs of digits, as ribbons, or from above.

import { digit } from "../../page/formulas/sinusoids.js";
import { clamp, mix, xy } from "../../page/shapes.js";
import { SPEEDS, speed } from "./model.js";
import { PLACES, WIDTH, placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {number} column @param {number} place @param {State} s */
export function height(column, place, s) {
  const i = column >> 1;
  const angle = place * (i < 3 ? speed(i, s) : SPEEDS[i]);
  const wave = column % 2 ? Math.cos(angle) : Math.sin(angle);
  return s.smooth < 1 && i < 3 ? mix(digit(place, i) / 4.5 - 1, wave, s.smooth) : wave;
}

/** @param {Stage} stage */
export function buildLanes({ make, put, show, group, number, canvas }) {
  const whole = make("g");
  const lanes = Array.from({ length: WIDTH }, (_, column) => {
    const lane = group(`wave row ${column % 2 ? "cosine" : "sine"}`, whole);
    const ribbon = make("path", { fill: "var(--ink)", "fill-opacity": 0.14 }, lane);
    const line = make(
      "path",
      { fill: "none", stroke: "var(--ink)", "stroke-linejoin": "round" },
      lane,
    );
    const tip = make("circle", { fill: "var(--ink)" }, lane);
    return { lane, ribbon, line, tip, key: "" };
  });
  const ends = [0, 2, 4].flatMap((column) =>
    [1, -1].map((end) => ({
      column,
      end,
      node: make("text", { class: "t12 soft", "text-anchor": "end" }, group("wave")),
    })),
  );
  const names = lanes.map((_, column) =>
    make(
      "text",
      { class: "t12 soft", "text-anchor": "end" },
      group(column % 2 ? "cosine" : "sine"),
    ),
  );

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { left, right, last, isPhone } = room;
    const isDots = 1 - s.sieve;
    const ribbonShare = 1 - s.above * s.rows;
    lanes.forEach((one, column) => {
      const { y, h, a } = room.lanes[column];
      const isFaded = s.sieve > 0.5 ? 0.3 * clamp(s.hands - (column >> 1), 0, 1) : 1;
      show(one.lane, a * isFaded * (s.rows > 0.5 && column % 2 ? 0.75 : 1));
      if (a < 0.02) return;
      const key = [left, right, last, y, h, s.smooth, s.real].join();
      if (key !== one.key) {
        one.key = key;
        const count = Math.round(last * (column < 4 || s.smooth < 1 ? 5 : 1));
        const points = Array.from({ length: count + 1 }, (_, j) => {
          const place = (j / count) * last;
          return xy([placeX(room, place), y - (height(column, place, s) * h) / 2]);
        });
        put(one.line, { d: `M${points.join("L")}` });
        const level = (y + ((1 - s.smooth) * h) / 2).toFixed(1); // digits stand on 0, waves swing
        put(one.ribbon, { d: `M${left.toFixed(1)},${level}L${points.join("L")}V${level}Z` });
      }
      show(one.line, ribbonShare);
      show(one.ribbon, ribbonShare);
      put(one.line, { "stroke-width": h > 50 ? 2.5 : 1.5 });
      put(one.tip, {
        cx: placeX(room, s.p).toFixed(1),
        cy: (y - (height(column, s.p, s) * h) / 2).toFixed(1),
        r: h > 50 ? 7 : 3.5,
        fill: ribbonShare < 0.5 ? "var(--paper)" : "var(--ink)",
      });
      show(one.tip, isDots);
    });
    for (const { column, end, node } of ends) {
      const { y, h } = room.lanes[column];
      const digit = end > 0 ? 9 : 0;
      put(node, {
        x: left - 7,
        y: y - (end * h) / 2 + 4,
        text: number(s.smooth < 0.5 ? digit : end),
      });
      show(node, isPhone ? 0 : clamp(2 * s.lanes - 1, 0, 1) * Math.abs(1 - 2 * s.smooth));
    }
    names.forEach((name, column) => {
      put(name, {
        x: left - (isPhone ? 5 : 12),
        y: room.lanes[column].y + 4,
        text: column % 2 ? "cos" : "sin",
      });
      show(name, clamp(2 * s.rows - 1, 0, 1));
    });
    drawCells(canvas(), s, room);
  };
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
