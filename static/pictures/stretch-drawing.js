// The drawing of a stretched text: the text over the trained length, a line and a dial for each of
// some clocks, all pairs in a row, and beside them the loss of a real model by position.

import { guard, svg } from "../../course/page/lit/lit.js";
import { radios, slider, call } from "./controls.js";
import { changed, done } from "./life.js";
import { TURN, box, clamp, disc, fill, label, line, paths, sector, widthOf } from "./tools.js";

const PHONE = 600; // pixels of the drawing
const TOP = { title: 12, bar: 30, high: 22 }; // of the text
const MARKS = { wide: 4, phone: 2 }; // in a trained length
const KEY = { sample: 22, gap: 5, next: 14, line: 15, wide: 330 }; // of what the lines are
const LEAST_ROW = 24;
const MOST_CELL = 14;
const SMALL = 11.5; // pixels of small letters

// ---- sizes -----------------------------------------------------------------------------------

// For a width; `room` is the height that it has to do with, or 0.
export function build(picture, width, room) {
  const { data, host, words } = picture;
  const phone = width < PHONE;
  const rows = data.clocks.length;
  const cells = data.theta.length > rows ? 46 : 0;
  const top = 78;
  const around = top + cells + 16 + (phone ? 300 : 0);
  const row = room
    ? clamp((room - around) / rows, LEAST_ROW, 46)
    : phone
      ? 40
      : clamp(330 / rows, 41, 56);
  const r = Math.min(row / 2 - 2.5, 24);
  const left = 2 * r + (phone ? 74 : 84);
  const right = phone ? width - 12 : Math.round(width * 0.63);
  const bottom = top + rows * row;
  const loss = phone
    ? { left: 34, right: width - 8, top: bottom + cells + 76, bottom: bottom + cells + 246 }
    : { left: right + 58, right: width - 8, top: 60, bottom: bottom - 4 };
  const values = data.measured.ways.flatMap(({ mean }) => mean);
  return {
    phone,
    row,
    r,
    left,
    right,
    top,
    bottom,
    cells,
    loss,
    low: Math.floor(Math.min(...values)),
    high: Math.ceil(Math.max(...values)),
    key: keyOf(host, words, loss),
    height: phone ? loss.bottom + 54 : bottom + 52,
  };
}

// Where it stands what the lines are: as trained, the window, the chosen one.
function keyOf(host, words, { left, right, bottom }) {
  const wide = (text) => KEY.sample + KEY.gap + widthOf(host, text, SMALL) + KEY.next;
  const [x, y] = [left - 24, bottom + 33];
  const second = x + wide(words.asTrained);
  const third = second + wide(words.window);
  return [[x, y], [second, y], right - left < KEY.wide ? [x, y + KEY.line] : [third, y]];
}

const at = ({ data, size }, times) => size.left + (times / data.ends) * (size.right - size.left);
const timesAt = ({ data, size }, x) => ((x - size.left) / (size.right - size.left)) * data.ends;
const middleOf = ({ size }, row) => size.top + (row + 0.5) * size.row;

// ---- the whole -------------------------------------------------------------------------------

export function draw(picture) {
  const { size, want, found, names } = picture;
  const still = (part) => guard([size], () => part(picture));
  return svg`
    <g aria-hidden="true">${still(drawText)}${still(drawClocks)}${still(drawCells)}${still(drawLoss)}</g>
    <g aria-hidden="true">
      ${paths({ ...textOf(picture), ...clocksOf(picture) })}
      ${guard([size, found], () => paths(cellsOf(picture)))}
      ${guard([size, want.method, want.factor], () => drawCurves(picture))}
      ${drawUnread(picture)}
    </g>
    ${guard([size, names, want.pair], () => drawChoice(picture))}
    ${drawEnd(picture)}`;
}

// ---- the text --------------------------------------------------------------------------------

function drawText(picture) {
  const { data, size, words, write } = picture;
  const number = widthOf(picture.host, write.whole(data.ends * data.trained), SMALL);
  const each = size.right - size.left < 8 * (1.5 * number + 8) ? 4 : 8; // the last one ends at the end
  const tick = (_, i) => {
    const times = (i * data.ends) / each;
    const x = at(picture, times);
    const anchor = i === each ? "end" : i ? "middle" : "start";
    return svg`${label(x, TOP.title, write.whole(times * data.trained), { anchor })}
      <path class="axis" d=${`M${x},${TOP.title + 4}V${TOP.bar - 2}`} />`;
  };
  const x = at(picture, 0);
  return svg`${label(0, TOP.bar + 16, words.text, { kind: "title" })}
    ${Array.from({ length: each + 1 }, tick)}
    <rect class="trained" x=${x} y=${TOP.bar - 2} width=${at(picture, 1) - x} height=${size.bottom - TOP.bar + 2} rx="3" />
    ${label(0, size.top - 8, words.clocks)}`;
}

function textOf(picture) {
  const [from, to] = [at(picture, 0), at(picture, picture.now.times)];
  return {
    text: box(from, TOP.bar + 4, to - from, TOP.high - 8),
    "text-marks": marks(picture, 1, TOP.bar + TOP.high / 2, TOP.high / 2),
  };
}

// Some marks in each trained length, a longer one at its end.
function marks(picture, squeeze, y, high) {
  const each = picture.size.phone ? MARKS.phone : MARKS.wide;
  const count = Math.floor(picture.now.times * each + 1e-9) + 1;
  const mark = (_, i) => {
    const half = i % each ? 0.5 * high : high;
    const x = at(picture, (i / each) * squeeze);
    return `M${x.toFixed(1)},${(y - half).toFixed(1)}v${(2 * half).toFixed(1)}`;
  };
  return Array.from({ length: count }, mark).join("");
}

// Its end, which is dragged.
function drawEnd(picture) {
  const { data, size, now, want, words, write } = picture;
  const x = at(picture, now.times).toFixed(1);
  const length = write.whole(want.times * data.trained);
  const its = slider(picture, {
    label: words.end,
    now: want.times * data.ticks,
    min: data.ticks,
    max: data.ends * data.ticks,
    page: data.ticks,
    text: fill(words.endAt, { length, times: write.short(want.times, 4) }),
    at: (pixel) => timesAt(picture, pixel) * data.ticks,
    to(value) {
      want.times = value / data.ticks;
      changed(picture);
    },
  });
  return svg`
    <rect class="catch" x=${size.left - 8} y=${TOP.bar - 16} width=${size.right - size.left + 16} height=${TOP.high + 20}
      @pointerdown=${(event) => call(picture, ".handle", event)} />
    <g class="handle" ${its}>
      <path class="stem" d=${`M${x},${TOP.bar - 4}v${TOP.high + 8}`} />
      <g class="head" transform=${`translate(${x} ${TOP.bar + TOP.high / 2})`}>
        <rect x="-9" y="-13" width="18" height="26" rx="5" /><path d="M-3,-5V5M3,-5V5" />
      </g>
    </g>`;
}

// ---- clocks ----------------------------------------------------------------------------------

function drawClocks(picture) {
  const { data, size, words, write } = picture;
  const clock = (pair, row) => {
    const [x, y] = [2 * size.r + 8, middleOf(picture, row)];
    const turns = (data.theta[pair] * data.trained) / TURN;
    const number = write.whole(pair);
    const name = size.phone ? number : fill(words.pair, { pair: number });
    const count = turns >= 100 ? write.whole(turns) : write.short(turns, 2);
    return svg`${label(x, y - 2, name, { kind: "pair" })}
      ${label(x, y + 12, fill(words.turns, { turns: count }))}
      <path class="grid" d=${`M${size.left},${y}H${size.right}`} />`;
  };
  return data.clocks.map(clock);
}

function clocksOf(picture) {
  const { now, data, size } = picture;
  const { r } = size;
  const parts = {
    read: "",
    "read-new": "",
    marks: "",
    seen: "",
    arcs: "",
    "new-arcs": "",
    faces: "",
  };
  const last = now.times * data.trained - 1;
  const from = at(picture, 0);
  data.clocks.forEach((pair, row) => {
    const y = middleOf(picture, row);
    const [theta, limit, squeeze] = [data.theta[pair], data.limit[pair], now.squeeze[pair]];
    const reached = last * theta * squeeze;
    const isNew = reached > limit;
    const to = at(picture, now.times * squeeze);
    const border = isNew ? Math.min(to, at(picture, 1)) : to;
    parts.read += box(from, y - 3, border - from, 6);
    if (isNew) parts["read-new"] += box(border, y - 3, to - border, 6);
    parts.marks += marks(picture, squeeze, y, Math.min(9, size.row / 3));
    parts.seen += sector(r + 1, y, r - 1, 0, Math.min((data.trained - 1) * theta, TURN));
    parts.arcs += sector(r + 1, y, 0.66 * r, 0, Math.min(reached, isNew ? limit : TURN, TURN));
    if (isNew) parts["new-arcs"] += sector(r + 1, y, 0.66 * r, limit, Math.min(reached, TURN));
    parts.faces += disc(r + 1, y, r);
  });
  return parts;
}

function drawChoice(picture) {
  const { data, size, want, words, names = [] } = picture;
  const option = (_, row) => ({
    name: names[row],
    content: svg`<rect x="0" y=${middleOf(picture, row) - size.row / 2} width=${size.right} height=${size.row} rx="4" />`,
  });
  return radios({
    label: words.clocks,
    kind: "clock",
    options: data.clocks.map(option),
    chosen: data.clocks.indexOf(want.pair),
    choose(row) {
      picture.want.pair = data.clocks[row];
      changed(picture);
      done(picture, true);
    },
  });
}

// ---- all pairs -------------------------------------------------------------------------------

const cellOf = ({ size, data }) => Math.min(size.right / data.theta.length, MOST_CELL);

function drawCells(picture) {
  const { data, size, words, write } = picture;
  if (!size.cells) return "";
  const y = size.bottom + 16;
  const tick = (pair) => `M${((pair + 0.5) * cellOf(picture)).toFixed(1)},${y + 22}v4`;
  return svg`${label(0, y, fill(words.all, { pairs: write.whole(data.theta.length) }))}
    <path class="ticks" d=${data.clocks.map(tick).join("")} />`;
}

function cellsOf(picture) {
  const { size, found } = picture;
  const parts = { cells: "", "new-cells": "" };
  if (!size.cells) return parts;
  const wide = cellOf(picture);
  found.forEach(({ isNew }, pair) => {
    const cell = box(pair * wide, size.bottom + 22, Math.max(wide - 1.5, 0.8 * wide), 14);
    parts[isNew ? "new-cells" : "cells"] += cell;
  });
  return parts;
}

// ---- the losses ------------------------------------------------------------------------------

export const lossOf = ({ ways }, method, factor) =>
  ways.find((way) => way.method === method && way.factor === factor);
const lossX = ({ size: { loss }, data: { measured } }, place) =>
  loss.left + (place / measured.end) * (loss.right - loss.left);
const lossY = ({ size: { loss, low, high } }, value) =>
  loss.bottom - ((value - low) / (high - low)) * (loss.bottom - loss.top);

function drawLoss(picture) {
  const { data, size, words, write } = picture;
  const { loss, low, high } = size;
  const { measured } = data;
  const heads = [
    fill(words.lossTitle, { model: measured.title }),
    words.lossAxis,
    fill(words.lossBand, { texts: measured.texts }),
  ];
  const head = (text, i) =>
    label(loss.left - 24, loss.top - 43 + 16 * i, text, { kind: i ? "small" : "title" });
  const level = (_, i) => {
    const y = lossY(picture, low + 2 * i);
    return svg`<path class="grid" d=${`M${loss.left},${y}H${loss.right}`} />
      ${label(loss.left - 6, y + 4, write.whole(low + 2 * i), { anchor: "end" })}`;
  };
  const parts = loss.right - loss.left < 260 ? 2 : 4;
  const tick = (_, i) => {
    const place = (i * measured.end) / parts;
    const anchor = i === parts ? "end" : i ? "middle" : "start";
    return label(lossX(picture, place), loss.bottom + 15, write.whole(place), { anchor });
  };
  return svg`${heads.map(head)}
    <rect class="trained" x=${loss.left} y=${loss.top} width=${lossX(picture, measured.trained) - loss.left} height=${loss.bottom - loss.top} />
    ${Array.from({ length: Math.floor((high - low) / 2) + 1 }, level)}
    ${Array.from({ length: parts + 1 }, tick)}`;
}

function drawCurves(picture) {
  const { data, want, words, write, size } = picture;
  const { measured } = data;
  const along = (values) =>
    measured.middle.map((place, i) => [lossX(picture, place), lossY(picture, values[i])]);
  const isPlain = want.method === "none";
  const one = isPlain ? null : lossOf(measured, want.method, want.factor);
  const { label: title, color } = data.methods.find(({ id }) => id === want.method);
  const way = `${title} ×${write.short(want.factor, 4)}`;
  const band = (high, low) => `${line(high)}${line(low.reverse()).replace("M", "L")}Z`;
  const key = (name, i, text, isDrawn = true) =>
    svg`<g transform=${`translate(${size.key[i].join(" ")})`}>
      ${isDrawn ? svg`<path class=${name} d=${`M0,-4h${KEY.sample}`} style=${i === 2 ? `stroke: ${color}` : ""} />` : ""}
      ${label(KEY.sample + KEY.gap, 0, text)}</g>`;
  return svg`
    <path class="window" d=${line(along(lossOf(measured, "slide", 1).mean))} />
    <path class="plain" d=${line(along(lossOf(measured, "none", 1).mean))} />
    <path class="band" d=${one ? band(along(one.high), along(one.low)) : ""} style=${`fill: ${color}`} />
    <path class="loss" d=${one ? line(along(one.mean)) : ""} style=${`stroke: ${color}`} />
    ${key("plain", 0, words.asTrained)}${key("window", 1, words.window)}
    ${isPlain ? "" : key("loss", 2, one ? way : fill(words.absent, { way }), one)}`;
}

// What is not read of it: the text ends before.
function drawUnread(picture) {
  const { data, now, size, words } = picture;
  const { loss } = size;
  const { trained, end: last } = data.measured;
  const end = lossX(picture, Math.min(now.times * trained, last));
  return end < loss.right - 0.5
    ? svg`<path class="unread" d=${box(end, loss.top, loss.right - end, loss.bottom - loss.top)} />
      <path class="end" d=${`M${end.toFixed(1)},${loss.top}V${loss.bottom}`} />
      ${label((end - 5).toFixed(1), loss.top + 12, words.ends, { anchor: "end" })}`
    : "";
}
