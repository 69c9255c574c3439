// The drawing of a stretched text: the text over the trained length, a line and a dial for each of
// some clocks, all pairs in a row, and beside them the loss of a real model by position.

const { search } = new URL(import.meta.url);
const { TURN, box, clamp, disc, fill, line, sector, set, shape } = await import(
  "./tools.js" + search
);

const PHONE = 600; // pixels of the drawing
const TOP = { title: 12, bar: 30, high: 22 }; // of the text
const MARKS = { wide: 4, phone: 2 }; // in a trained length
const KEY = { sample: 22, gap: 5, next: 14, line: 15, wide: 330 }; // of what the lines are
const LEAST_ROW = 24;
const MOST_CELL = 14;

export const MOVING = [
  "text",
  "text-marks",
  "read",
  "read-new",
  "marks",
  "seen",
  "arcs",
  "new-arcs",
  "faces",
  "cells",
  "new-cells",
  "window",
  "plain",
  "band",
  "loss",
  "unread",
  "end",
];

// ---- sizes -----------------------------------------------------------------------------------

// For a width; `room` is the height that it has to do with, or 0.
function sizes(width, { clocks, theta }, room) {
  const phone = width < PHONE;
  const rows = clocks.length,
    cells = theta.length > rows ? 46 : 0,
    top = 78;
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
  return {
    width,
    phone,
    rows,
    row,
    r,
    left,
    right,
    top,
    bottom,
    cells,
    loss,
    height: phone ? loss.bottom + 54 : bottom + 52,
  };
}

const at = ({ data, size }, times) => size.left + (times / data.ends) * (size.right - size.left);
export const timesAt = ({ data, size }, x) =>
  ((x - size.left) / (size.right - size.left)) * data.ends;
const middleOf = ({ size }, row) => size.top + (row + 0.5) * size.row;

// ---- what stands still -----------------------------------------------------------------------

export function build(picture, width, room) {
  const { svg, back, front, data } = picture;
  const size = (picture.size = sizes(width, data, room));
  set(svg, { width, height: size.height });
  back.replaceChildren();
  front.replaceChildren();
  picture.drawn = ""; // the losses
  buildText(picture);
  buildClocks(picture);
  buildCells(picture);
  buildLoss(picture);
  set(picture.strip, {
    x: size.left - 8,
    y: TOP.bar - 16,
    width: size.right - size.left + 16,
    height: TOP.high + 20,
  });
  return size.height;
}

function buildText(picture) {
  const { back, data, size, words, write } = picture;
  const text = (x, y, said, more) => shape(back, "text", { x, y, ...more }, said);
  text(0, TOP.bar + 16, words.text, { class: "title" });
  const each = size.phone ? 2 : 1;
  for (let times = 0; times <= data.ends; times += data.ends / 8) {
    if ((times / (data.ends / 8)) % each) continue;
    const x = at(picture, times);
    text(x, TOP.title, write.whole(times * data.trained), {
      class: "small",
      "text-anchor": !times ? "start" : times === data.ends ? "end" : "middle",
    });
    shape(back, "path", { class: "axis", d: `M${x},${TOP.title + 4}V${TOP.bar - 2}` });
  }
  const x = at(picture, 0),
    wide = at(picture, 1) - x;
  shape(back, "rect", {
    class: "trained",
    x,
    y: TOP.bar - 2,
    width: wide,
    height: size.bottom - TOP.bar + 2,
    rx: 3,
  });
  text(0, size.top - 8, words.clocks, { class: "small" });
}

function buildClocks(picture) {
  const { back, data, size, words, write, clocks } = picture;
  clocks.setAttribute("aria-label", words.clocks);
  while (clocks.childElementCount > size.rows) clocks.lastChild.remove();
  while (clocks.childElementCount < size.rows)
    shape(shape(clocks, "g", { role: "radio", class: "clock" }), "rect", { rx: 4 });
  const faces = data.clocks.map((pair, row) => {
    const y = middleOf(picture, row),
      x = 2 * size.r + 8;
    const turns = (data.theta[pair] * data.trained) / TURN;
    set(clocks.children[row].firstChild, {
      x: 0,
      y: y - size.row / 2,
      width: size.right,
      height: size.row,
    });
    shape(
      back,
      "text",
      { class: "pair", x, y: y - 2 },
      size.phone ? write.whole(pair) : fill(words.pair, { pair: write.whole(pair) }),
    );
    shape(
      back,
      "text",
      { class: "small", x, y: y + 12 },
      fill(words.turns, { turns: turns >= 100 ? write.whole(turns) : write.short(turns, 2) }),
    );
    shape(back, "path", { class: "grid", d: `M${size.left},${y}H${size.right}` });
    return disc(size.r + 1, y, size.r);
  });
  picture.paths.faces.setAttribute("d", faces.join(""));
}

function buildCells(picture) {
  const { back, data, size, words, write } = picture;
  if (!size.cells) return;
  const y = size.bottom + 16;
  shape(
    back,
    "text",
    { class: "small", x: 0, y },
    fill(words.all, { pairs: write.whole(data.theta.length) }),
  );
  const wide = cellOf(size, data);
  const ticks = data.clocks.map((pair) => `M${((pair + 0.5) * wide).toFixed(1)},${y + 22}v4`);
  shape(back, "path", { class: "ticks", d: ticks.join("") });
}

const cellOf = ({ right }, { theta }) => Math.min(right / theta.length, MOST_CELL);

// ---- the losses ------------------------------------------------------------------------------

export const lossOf = ({ ways }, method, factor) =>
  ways.find((way) => way.method === method && way.factor === factor);
const lossX = ({ loss }, { end }, place) => loss.left + (place / end) * (loss.right - loss.left);
const lossY = ({ loss }, { low, high }, value) =>
  loss.bottom - ((value - low) / (high - low)) * (loss.bottom - loss.top);

function buildLoss(picture) {
  const {
      back,
      front,
      data: { measured },
      size,
      words,
      write,
    } = picture,
    { loss } = size;
  const values = measured.ways.flatMap(({ mean }) => mean);
  const scale = (picture.scale = {
    low: Math.floor(Math.min(...values)),
    high: Math.ceil(Math.max(...values)),
  });
  const put = (parent, x, y, said, more = {}) =>
    shape(parent, "text", { class: "small", x, y, ...more }, said);
  const heads = [
    fill(words.lossTitle, { model: measured.title }),
    words.lossAxis,
    fill(words.lossBand, { texts: measured.texts }),
  ];
  heads.forEach((said, i) =>
    put(back, loss.left - 24, loss.top - 43 + 16 * i, said, { class: i ? "small" : "title" }),
  );
  const edge = lossX(size, measured, measured.trained);
  shape(back, "rect", {
    class: "trained",
    x: loss.left,
    y: loss.top,
    width: edge - loss.left,
    height: loss.bottom - loss.top,
  });
  for (let value = scale.low; value <= scale.high; value += 2) {
    const y = lossY(size, scale, value);
    shape(back, "path", { class: "grid", d: `M${loss.left},${y}H${loss.right}` });
    put(back, loss.left - 6, y + 4, write.whole(value), { "text-anchor": "end" });
  }
  const parts = loss.right - loss.left < 260 ? 2 : 4;
  for (let place = 0; place <= measured.end; place += measured.end / parts) {
    const anchor = place === measured.end ? "end" : place ? "middle" : "start";
    put(back, lossX(size, measured, place), loss.bottom + 15, write.whole(place), {
      "text-anchor": anchor,
    });
  }
  picture.ways = drawKey(picture, front, loss);
  picture.ended = put(front, 0, loss.top + 12, words.ends);
}

// What the lines are; the third is the chosen one.
function drawKey({ words }, front, { left, right, bottom }) {
  let x = left - 24,
    y = bottom + 33;
  const place = (name, said) => {
    const made = shape(front, "g", { transform: `translate(${x} ${y})` });
    const sample = shape(made, "path", { class: name, d: `M0,-4h${KEY.sample}` });
    const text = shape(made, "text", { class: "small", x: KEY.sample + KEY.gap, y: 0 }, said);
    x += KEY.sample + KEY.gap + text.getComputedTextLength() + KEY.next;
    return { made, sample, text };
  };
  place("plain", words.asTrained);
  place("window", words.window);
  if (right - left < KEY.wide) [x, y] = [left - 24, y + KEY.line];
  return place("loss", "");
}

// ---- one moment ------------------------------------------------------------------------------

export function paint(picture) {
  if (!picture.now) return;
  paintText(picture);
  paintClocks(picture);
  paintCells(picture);
  paintLoss(picture);
}

function paintText(picture) {
  const { now, end } = picture;
  const from = at(picture, 0),
    to = at(picture, now.times),
    middle = TOP.bar + TOP.high / 2;
  redraw(picture, {
    text: box(from, TOP.bar + 4, to - from, TOP.high - 8),
    "text-marks": marks(picture, 1, middle, TOP.high / 2),
  });
  end.stem.setAttribute("d", `M${to.toFixed(1)},${TOP.bar - 4}v${TOP.high + 8}`);
  end.head.setAttribute("transform", `translate(${to.toFixed(1)} ${middle})`);
}

// Some marks in each trained length, a longer one at its end.
function marks(picture, squeeze, y, high) {
  const parts = [],
    each = picture.size.phone ? MARKS.phone : MARKS.wide;
  for (let mark = 0; mark <= picture.now.times * each + 1e-9; mark++) {
    const half = mark % each ? 0.5 * high : high;
    parts.push(
      `M${at(picture, (mark / each) * squeeze).toFixed(1)},${(y - half).toFixed(1)}v${(2 * half).toFixed(1)}`,
    );
  }
  return parts.join("");
}

function paintClocks(picture) {
  const { now, data, size } = picture,
    { r } = size;
  const parts = { read: "", "read-new": "", marks: "", seen: "", arcs: "", "new-arcs": "" };
  const last = now.times * data.trained - 1,
    from = at(picture, 0);
  data.clocks.forEach((pair, row) => {
    const y = middleOf(picture, row),
      theta = data.theta[pair],
      limit = data.limit[pair];
    const squeeze = now.squeeze[pair],
      reached = last * theta * squeeze,
      isNew = reached > limit;
    const to = at(picture, now.times * squeeze),
      border = isNew ? Math.min(to, at(picture, 1)) : to;
    parts.read += box(from, y - 3, border - from, 6);
    if (isNew) parts["read-new"] += box(border, y - 3, to - border, 6);
    parts.marks += marks(picture, squeeze, y, Math.min(9, size.row / 3));
    const shown = Math.min((data.trained - 1) * theta, TURN);
    parts.seen += sector(r + 1, y, r - 1, 0, shown);
    parts.arcs += sector(r + 1, y, 0.66 * r, 0, Math.min(reached, isNew ? limit : TURN, TURN));
    if (isNew) parts["new-arcs"] += sector(r + 1, y, 0.66 * r, limit, Math.min(reached, TURN));
  });
  redraw(picture, parts);
}

function paintCells(picture) {
  const { data, size, found } = picture;
  const parts = { cells: "", "new-cells": "" };
  if (size.cells) {
    const wide = cellOf(size, data);
    found.forEach(({ isNew }, pair) => {
      parts[isNew ? "new-cells" : "cells"] += box(
        pair * wide,
        size.bottom + 22,
        Math.max(wide - 1.5, 0.8 * wide),
        14,
      );
    });
  }
  redraw(picture, parts);
}

function paintLoss(picture) {
  const {
      data: { measured },
      now,
      size,
      front,
      ended,
    } = picture,
    { loss } = size;
  const end = lossX(size, measured, Math.min(now.times * measured.trained, measured.end));
  const isInside = end < loss.right - 0.5;
  redraw(picture, {
    unread: isInside ? box(end, loss.top, loss.right - end, loss.bottom - loss.top) : "",
    end: isInside ? `M${end.toFixed(1)},${loss.top}V${loss.bottom}` : "",
  });
  set(ended, { x: (end - 5).toFixed(1), "text-anchor": "end" });
  there(ended, front, isInside);
  const asked = `${picture.want.method} ${picture.want.factor}`;
  if (picture.drawn === asked) return;
  picture.drawn = asked;
  paintCurves(picture);
}

function paintCurves(picture) {
  const {
    data: { measured, methods },
    want,
    size,
    scale,
    paths,
    words,
    write,
    front,
    ways,
  } = picture;
  const along = (values) =>
    measured.middle.map((place, i) => [
      lossX(size, measured, place),
      lossY(size, scale, values[i]),
    ]);
  const one = want.method === "none" ? null : lossOf(measured, want.method, want.factor);
  const { label, color } = methods.find(({ id }) => id === want.method);
  const band =
    one && line(along(one.high)) + line(along(one.low).reverse()).replace("M", "L") + "Z";
  redraw(picture, {
    plain: line(along(lossOf(measured, "none", 1).mean)),
    window: line(along(lossOf(measured, "slide", 1).mean)),
    loss: one ? line(along(one.mean)) : "",
    band: band || "",
  });
  for (const made of [paths.loss, ways.sample]) made.style.stroke = color;
  paths.band.style.fill = color;
  const way = `${label} ×${write.short(want.factor, 4)}`;
  ways.text.textContent = one ? way : fill(words.absent, { way });
  there(ways.sample, ways.made, one);
  there(ways.made, front, want.method !== "none");
}

// What is hidden is not there, for those who read the drawing as well.
function there(made, parent, isThere) {
  if (!isThere) made.remove();
  else if (!made.isConnected) parent.append(made);
}

// A path that is written again is drawn again, even where it is the same.
function redraw({ paths }, parts) {
  for (const [name, d] of Object.entries(parts)) {
    if (paths[name].getAttribute("d") !== d) paths[name].setAttribute("d", d);
  }
}
