// The drawing of two positions: a ruler, strips of colour, an odometer above dials, and the score.
// `build` lays it out for a width, `draw` declares one moment of it.

import { guard, svg } from "../../course/page/lit/lit.js";
import { wrap } from "../lines.js";
import { call, slider } from "./controls.js";
import { changed, done } from "./life.js";
import { stop } from "./odometer-moves.js";
import {
  TURN,
  box,
  clamp,
  disc,
  fill,
  hand,
  label,
  line,
  paths,
  pointerX,
  roundStep,
  sector,
  widthOf,
} from "./tools.js";
import { bitsOf, digitAt, dot, products, rowAt, termsOf } from "./waves.js";

const PHONE = 600; // pixels of the drawing
const LEVELS = 20; // shades of red, and as many of blue
const BLUE = [33, 102, 172],
  RED = [178, 24, 43];
const WHEEL = 22; // pixels of a digit's height
const LINE = 14; // pixels from one line of a label to the next
const MORE = 3; // dials of waves that are slower than every digit
const MOST_COLUMNS = 12; // digits and dials, where digits leave room
const NEAR = Math.SQRT2; // a wave that repeats within this factor of a digit stands below it
const BLUR = 1; // radians between two frames: a faster hand is drawn faint, and does not flicker
const CURVE = 260; // positions of a curve; more are a band
const DIALS = ["faces", "arcs", "fast-a", "fast-b", "hand-a", "hand-b"];
const COLOURS = Array.from({ length: 2 * LEVELS + 1 }, (_, i) => {
  const part = Math.abs(i - LEVELS) / LEVELS;
  const rgb = (i < LEVELS ? BLUE : RED).map((to) => Math.round(255 + (to - 255) * part));
  return `rgb(${rgb})`;
});
const STRIPS = ["a", "b", "gap", "first", "firstSum", "second", "secondSum"];

const SMALL = 11.5; // pixels of small letters

// ---- sizes -----------------------------------------------------------------------------------

export function build(picture, width, room) {
  const { data, host, want, words } = picture;
  picture.laid = want.words; // they decide how high the curve is
  const size = { ...sizes(picture, width, room), ...scaleOf(picture) };
  const { strips, one, curve, terms } = size;
  const end = Math.max(one.left + one.width, widthOf(host, words.one, SMALL));
  const across = Array.from({ length: data.theta.length }, (_, i) => strips.left + i * strips.wide);
  const cellsOf = (_, strip) =>
    across.map((x) => box(x, stripY(size, strip), strips.wide + 0.05, strips.row - 3));
  const single = [0, 1, 2].map((i) => box(one.left, stripY(size, i), one.width, strips.row - 3));
  Object.assign(strips, { end, cells: STRIPS.map(cellsOf), single });
  terms.zero = terms.left + 0.48 * (curve.right - terms.left);
  terms.scale = (0.32 * (curve.right - terms.left)) / size.most;
  return size;
}

function sizes(picture, width, room) {
  const first = sizesWith(picture, width, 0);
  return room > first.height ? sizesWith(picture, width, room - first.height) : first;
}

// `more` pixels of height are there to be used.
function sizesWith({ data, host, words }, width, more) {
  const phone = width < PHONE,
    label = phone ? 58 : 92;
  const ruler = { left: 20, right: width - 20, track: 20 };
  ruler.step = (ruler.right - ruler.left) / Math.max(data.length - 1, 1);
  const row = Math.round((phone ? 18 : 20) + Math.min(more / 14, 14));
  const one = { left: label, width: phone ? 46 : 66 };
  const left = label + one.width + (phone ? 6 : 14);
  const said = (text) => linesOf(host, text, width - (phone ? 0 : left));
  const strips = {
    left,
    row,
    wide: (width - left - 1) / data.theta.length,
    many: said(words.many),
    sum: said(words.sum),
  };
  strips.top = (phone ? 104 : 88) + (strips.many.length - 1) * LINE;
  strips.sums = strips.top + 3 * row + 22 + (strips.sum.length - 1) * LINE;
  const top = strips.sums + 4 * row + 34;
  const columns = columnsOf(data);
  const across = phone ? width - label : 0.58 * width - label;
  const cell = Math.min(across / columns.length, 58);
  const r = Math.max(Math.min(cell / 2 - 2, 22 + more / 20), 8);
  const wheels = { left: label, top, cell, columns, digits: top + 12 };
  wheels.dials = wheels.digits + 2 * (WHEEL + 3) + r + 6;
  const end = wheels.dials + r + 18;
  const tall = Math.max(end - top - 84, 84) + Math.min(more / 3, 160);
  const from = phone ? end + 30 : top;
  const curve = {
    left: phone ? 40 : 0.58 * width + 50,
    right: width - 12,
    top: from,
    bottom: from + tall - (phone ? 0 : 14),
  };
  const terms = { left: curve.left, top: curve.bottom + 24, row: 15 };
  return {
    width,
    phone,
    label,
    ruler,
    one,
    strips,
    wheels,
    r,
    curve,
    terms,
    height: Math.max(end, terms.top + 5 * terms.row + 4),
  };
}

// A small label, which may be longer in another language, in lines that have room.
const linesOf = (host, text, most) => wrap(text, (words) => widthOf(host, words, SMALL) <= most);

// From fast to slow: what a digit repeats after, its bit, and the wave that repeats nearly so.
function columnsOf({ length, waves }) {
  const bits = bitsOf(length);
  const periods = waves.map((theta) => TURN / theta);
  const near = (period) => {
    const away = periods.map((one) => Math.abs(Math.log(one / period)));
    const closest = away.indexOf(Math.min(...away));
    return away[closest] <= Math.log(NEAR) ? closest : -1;
  };
  const columns = Array.from({ length: 40 }, (_, bit) => ({
    period: 2 ** (bit + 1),
    bit: bit < bits ? bit : -1,
    wave: near(2 ** (bit + 1)),
  }));
  return columns
    .filter(({ bit, wave }) => bit >= 0 || wave >= 0)
    .slice(0, Math.max(bits, Math.min(bits + MORE, MOST_COLUMNS)));
}

// What the score can reach with these words: each of its four parts at its lowest and highest.
function scaleOf({ data, table, want }) {
  const { vectors } = data.contents[want.words];
  const [first, second] = vectors;
  const all = [first, second, rowAt(data, 0)];
  const ends = all.map((vector) => extremes(products(table, vector)));
  const same = dot(first, second);
  const sum = (end) => same + ends.reduce((total, one) => total + one[end], 0);
  const low = sum(0);
  const high = Math.max(sum(1), low + 1);
  const margin = 0.03 * (high - low);
  const most = Math.max(Math.abs(same), ...ends.flat().map(Math.abs), 1e-9);
  const words = Object.values(data.contents).flatMap((one) => one.vectors.flat().map(Math.abs));
  return { low: low - margin, high: high + margin, most, reach: Math.max(...words) + 1 };
}

function extremes(values) {
  let low = Infinity,
    high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

// ---- the whole -------------------------------------------------------------------------------

export function draw(picture) {
  const { size, data, now, found } = picture;
  const [a, b] = [rowAt(data, now.a), rowAt(data, now.b)];
  const still = (part) => guard([size], () => part(picture));
  const { strips } = size;
  const choose = (event) => {
    const column = Math.floor((pointerX(picture.svg, event) - strips.left) / strips.wide);
    picture.want.column = clamp(column, 0, data.theta.length - 1);
    changed(picture);
    done(picture, true);
  };
  return svg`
    <g aria-hidden="true">
      ${[drawRuler, drawStrips, drawWheels, drawScore].map(still)}
      ${guard([size, found], () => drawNames(picture))}
    </g>
    <g aria-hidden="true">
      ${coloursOf(picture, a, b)}
      ${still(drawFrames)}${guard([size, found], () => drawNow(picture))}${drawDigits(picture)}
      ${paths(dialsOf(picture))}
      ${guard([size, now.a, now.first, now.second], () => paths(curvesOf(picture, a)))}
      ${drawTerms(picture, a, b)}
    </g>
    <rect class="catch" x="0" y="0" width=${size.width} height="56"
      @pointerdown=${(event) => callNearest(picture, event)} />
    <rect class="catch strips" aria-hidden="true" x=${strips.left} y=${strips.top}
      width=${size.width - strips.left} height=${strips.sums + 4 * strips.row - strips.top} @click=${choose} />
    ${drawHandles(picture)}`;
}

// ---- the ruler -------------------------------------------------------------------------------

const rulerX = ({ ruler }, place) => ruler.left + place * ruler.step;

function drawRuler({ data, size, write }) {
  const { ruler, phone } = size;
  const tick = (place) => {
    const x = rulerX(size, place);
    return svg`<path class="axis" d=${`M${x},${ruler.track - 4}v8`} />
      ${label(x, ruler.track - 9, write.whole(place), { anchor: "middle" })}`;
  };
  return svg`<path class="axis" d=${`M${ruler.left},${ruler.track}H${ruler.right}`} />
    ${ticks(data.length, phone ? 4 : 8).map(tick)}`;
}

// Places of some round steps from 0 on.
function ticks(length, most) {
  const least = length / most,
    unit = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((times) => times * unit).find((one) => one >= least),
  );
  return Array.from({ length: Math.ceil(length / step) }, (_, i) => i * step);
}

const placeAt = ({ size: { ruler } }, x) => (x - ruler.left) / ruler.step;

function callNearest(picture, event) {
  const { a, b } = picture.want;
  const place = placeAt(picture, pointerX(picture.svg, event));
  call(picture, Math.abs(a - place) < Math.abs(b - place) ? ".handle.a" : ".handle.b", event);
}

function drawHandles(picture) {
  const { now, want, data, size, words, write } = picture;
  const y = size.ruler.track + 24;
  const texts = { a: write.whole(want.a), b: write.whole(want.b) };
  const wide = (key) => Math.max(26, 12 + 8 * texts[key].length);
  const x = { a: rulerX(size, now.a), b: rulerX(size, now.b) };
  const apart = (wide("a") + wide("b")) / 4 + 1;
  const middle = (x.a + x.b) / 2;
  const isInOrder = now.a < now.b || (now.a === now.b && want.a <= want.b);
  const one = (key, name) => {
    const isLeft = (key === "a") === isInOrder;
    const head = isLeft ? Math.min(x[key], middle - apart) : Math.max(x[key], middle + apart);
    const at = clamp(head, wide(key) / 2 - 4, size.width - wide(key) / 2 + 4).toFixed(1);
    const its = slider(picture, {
      label: name,
      now: want[key],
      min: 0,
      max: data.length - 1,
      page: Math.max(2, Math.round(data.length / 8)),
      text: fill(words.at, { place: texts[key] }),
      at: (pixel) => placeAt(picture, pixel),
      to(value) {
        stop(picture);
        want[key] = value;
        changed(picture);
      },
    });
    return svg`<g class=${`handle ${key}`} ${its}>
      <path class="stem" d=${`M${x[key].toFixed(1)},${size.ruler.track - 3}L${at},${y}`} />
      <g class="head" transform=${`translate(${at} ${y})`}>
        <rect x=${-wide(key) / 2} y="-12" width=${wide(key)} height="24" rx="12" />
        <text y="4.5" text-anchor="middle">${texts[key]}</text>
      </g>
    </g>`;
  };
  return svg`${one("a", words.firstHandle)}${one("b", words.secondHandle)}`;
}

// ---- strips of colour ------------------------------------------------------------------------

const stripY = ({ strips }, strip) =>
  strip < 3 ? strips.top + strip * strips.row : strips.sums + (strip - 3) * strips.row;

// Where every strip is: those of many numbers, then those of one.
const placesOf = (size) => [
  ...STRIPS.map((_, i) => ({ x: size.strips.left, i, wide: size.width - size.strips.left - 1 })),
  ...[0, 1, 2].map((i) => ({ x: size.one.left, i, wide: size.one.width })),
];

const bands = (size, kind) =>
  placesOf(size).map(
    ({ x, i, wide }) =>
      svg`<rect class=${kind} x=${x} y=${stripY(size, i)} width=${wide} height=${size.strips.row - 3} />`,
  );

function drawStrips({ size, words }) {
  const { strips, width, phone } = size;
  const several = (lines, x, y, anchor) =>
    lines.map((text, i) => label(x, y - (lines.length - 1 - i) * LINE, text, { anchor }));
  return svg`${label(strips.end, strips.top - 7, words.one, { anchor: "end" })}
    ${phone ? several(strips.many, width, strips.top - 22, "end") : several(strips.many, strips.left, strips.top - 7)}
    ${several(strips.sum, phone ? 0 : strips.left, strips.sums - 6)}
    ${bands(size, "strip")}`;
}

// All cells of one colour are one path, whichever strip they are in.
function coloursOf({ now, data, size }, a, b) {
  const { strips, reach } = size;
  const { first, second } = now;
  const levels = Array(2 * LEVELS + 1).fill("");
  const put = (cell, value) => {
    const level = Math.round(clamp(value, -1, 1) * LEVELS);
    if (level) levels[level + LEVELS] += cell;
  };
  for (let i = 0; i < a.length; i++) {
    put(strips.cells[0][i], a[i]);
    put(strips.cells[1][i], b[i]);
    put(strips.cells[2][i], (b[i] - a[i]) / 2);
    put(strips.cells[3][i], first[i] / reach);
    put(strips.cells[4][i], (first[i] + a[i]) / reach);
    put(strips.cells[5][i], second[i] / reach);
    put(strips.cells[6][i], (second[i] + b[i]) / reach);
  }
  put(strips.single[0], now.a / data.length);
  put(strips.single[1], now.b / data.length);
  put(strips.single[2], (now.b - now.a) / data.length / 2);
  return levels.map((d, i) => svg`<path fill=${COLOURS[i]} shape-rendering="crispEdges" d=${d} />`);
}

// What is written on them: the names at the left, the numbers of one, the chosen column.
function drawNames({ want, data, size, write }) {
  const { strips, wheels } = size;
  const { texts } = data.contents[want.words];
  const place = { a: write.whole(want.a), b: write.whole(want.b) };
  const names = [
    [place.a, "first"],
    [place.b, "second"],
    [`${place.b} − ${place.a}`, ""],
    [texts[0], ""],
    [`${texts[0]} + ${place.a}`, "first"],
    [texts[1], ""],
    [`${texts[1]} + ${place.b}`, "second"],
  ];
  const name = ([text, kind], strip) =>
    label(0, stripY(size, strip) + (strips.row - 3) / 2 + 4, text, { kind });
  const digits = (key, i) => {
    const y = wheels.digits + i * (WHEEL + 3) + 16;
    return label(0, y, place[key], { kind: i ? "second" : "first" });
  };
  return svg`${names.map(name)}${["a", "b"].map(digits)}`;
}

function drawNow({ want, data, size, write, found }) {
  const { strips, one } = size;
  const high = strips.row - 3;
  const numbers = [want.a, want.b, want.b - want.a].map((value) => value / data.length);
  const number = (value, i) =>
    svg`<text class="one" x=${one.left + one.width / 2} y=${stripY(size, i) + high / 2 + 4} text-anchor="middle"
      style=${`fill: ${Math.abs(value) / (i === 2 ? 2 : 1) > 0.6 ? "white" : "black"}`}>${write.fixed(value, 4)}</text>`;
  const x = strips.left + found.column * strips.wide;
  const frame = (y, count) =>
    box(x, y - 1, Math.max(strips.wide, 1), (count - 1) * strips.row + high + 2);
  return svg`${numbers.map(number)}
    <path class="chosen" d=${frame(strips.top, 3) + frame(strips.sums, 4)} />`;
}

const drawFrames = ({ size }) => bands(size, "frame");

// ---- digits above dials ----------------------------------------------------------------------

const columnX = ({ wheels: { left, cell } }, column) => left + (column + 0.5) * cell;

function drawWheels({ size, words, write, data }) {
  const { wheels, r, phone } = size;
  const { columns, cell } = wheels;
  const column = ({ period, wave }, i) => {
    if (cell < 34 && i % 2) return "";
    const put = (y, text) =>
      label(columnX(size, i), y, text, { kind: cell < 34 ? "tiny" : "small", anchor: "middle" });
    const turn = TURN / data.waves[wave];
    const said = turn >= 100 ? write.whole(turn) : write.short(turn, 3);
    return svg`${put(wheels.top + 5, write.whole(period))}
      ${wave >= 0 ? put(wheels.dials + r + 13, said) : ""}`;
  };
  return svg`${label(0, wheels.top - 14, words.odometer, { kind: "title" })}
    ${phone ? "" : label(0, wheels.top + 5, words.repeats)}
    ${columns.map(column)}`;
}

// Digits roll behind a window as high as one of them.
function drawDigits({ now, size, found, id }) {
  const { wheels } = size;
  const columns = wheels.columns.filter(({ bit }) => bit >= 0);
  const wide = Math.min(wheels.cell - 4, 26);
  return ["a", "b"].map((key, i) => {
    const y = wheels.digits + i * (WHEEL + 3);
    const frame = ({ bit }, column) =>
      svg`<rect class=${found.bits[bit] ? "wheel differs" : "wheel"} x=${columnX(size, column) - wide / 2} y=${y + 0.5} width=${wide} height=${WHEEL - 1} rx="3" />`;
    const wheel = ({ bit }, column) => {
      const { digit, next, share } = digitAt(now[key], bit);
      const one = (value, down) =>
        label(columnX(size, column), y + 16 + down, value, { kind: "digit", anchor: "middle" });
      const to = `translate(0 ${(-share * WHEEL).toFixed(1)})`;
      return svg`<g transform=${to}>${one(digit, 0)}${one(next, WHEEL)}</g>`;
    };
    return svg`<clipPath id=${`${id}-${i}`}><rect x="0" y=${y} width=${size.width} height=${WHEEL} /></clipPath>
      <g>${columns.map(frame)}</g>
      <g clip-path=${`url(#${id}-${i})`}>${columns.map(wheel)}</g>`;
  });
}

function dialsOf(picture) {
  const { now, data, size, before, moves } = picture;
  const parts = Object.fromEntries(DIALS.map((name) => [name, ""]));
  size.wheels.columns.forEach(({ wave }, column) => {
    if (wave < 0) return;
    const theta = data.waves[wave];
    const [x, y] = [columnX(size, column), size.wheels.dials];
    const from = Math.min(now.a, now.b) * theta;
    const arc = Math.abs(now.a - now.b) * theta;
    parts.faces += disc(x, y, size.r);
    parts.arcs += sector(x, y, 0.62 * size.r, from, from + (arc > TURN ? arc % TURN : arc));
    for (const key of ["a", "b"]) {
      const isFast = moves && Math.abs(now[key] - before[key]) * theta > BLUR;
      const long = size.r - (key === "a" ? 3 : 6);
      parts[`${isFast ? "fast" : "hand"}-${key}`] += hand(x, y, long, now[key] * theta);
    }
  });
  Object.assign(before, { a: now.a, b: now.b });
  return parts;
}

// ---- the score -------------------------------------------------------------------------------

const curveX = ({ curve }, { length }, place) =>
  curve.left + (place / Math.max(length - 1, 1)) * (curve.right - curve.left);
const curveY = ({ low, high, curve }, value) =>
  curve.bottom - ((value - low) / (high - low)) * (curve.bottom - curve.top);

function drawScore({ data, size, words, write }) {
  const { curve, low, high } = size;
  const tick = (place) =>
    label(curveX(size, data, place), curve.bottom + 14, write.whole(place), { anchor: "middle" });
  const step = roundStep((high - low) / 2.5);
  const first = Math.ceil(low / step);
  const level = (_, i) => {
    const value = (first + i) * step;
    const y = curveY(size, value);
    return svg`<path class="axis" stroke-opacity="0.45" d=${`M${curve.left},${y.toFixed(1)}H${curve.right}`} />
      ${label(curve.left - 6, y + 4, write.short(value, 6), { anchor: "end" })}`;
  };
  return svg`${label(curve.left - 40, curve.top - 14, words.curve, { kind: "title" })}
    ${ticks(data.length, 4).map(tick)}
    ${Array.from({ length: Math.floor(high / step) - first + 1 }, level)}`;
}

// The score against every place of the second word; dashed, what words and distance alone would say.
function curvesOf({ now, data, size, table }, a) {
  const same = dot(now.first, now.second);
  const mixed = dot(a, now.second);
  const toWord = products(table, now.first);
  const toPlace = products(table, a);
  const point = (value, place) => [curveX(size, data, place), curveY(size, value)];
  const whole = Array.from(toWord, (value, place) => same + mixed + value + toPlace[place]);
  const places = Array.from(toPlace, (value, place) => point(same + value, place));
  const isBand = data.length > CURVE;
  return {
    here: `M${curveX(size, data, now.a).toFixed(1)},${size.curve.top}V${size.curve.bottom}`,
    places: isBand ? "" : line(places),
    band: isBand ? bandOf(whole, point) : "",
    curve: isBand ? "" : line(whole.map(point)),
  };
}

// Lowest and highest value of each column of a curve with many places.
function bandOf(values, point) {
  const each = values.length / CURVE,
    low = [],
    high = [];
  for (let column = 0; column < CURVE; column++) {
    const [least, most] = extremes(
      values.slice(Math.floor(column * each), Math.ceil((column + 1) * each)),
    );
    low.push(point(least, column * each));
    high.push(point(most, column * each));
  }
  return `${line(high)}${line(low.reverse()).replace("M", "L")}Z`;
}

// Its four parts, and their sum.
function drawTerms({ now, want, data, size, found, write }, a, b) {
  const { curve, terms } = size;
  const parts = termsOf(now.first, now.second, a, b);
  const score = parts.reduce((sum, part) => sum + part, 0);
  const bar = (part, i) =>
    box(
      terms.zero + Math.min(part, 0) * terms.scale,
      terms.top + i * terms.row + 4,
      Math.max(Math.abs(part) * terms.scale, 0.6),
      terms.row - 6,
    );
  const [one, other] = data.contents[want.words].texts;
  const [first, second] = [write.whole(want.a), write.whole(want.b)];
  const names = [
    `${one} · ${other}`,
    `${one} · ${second}`,
    `${first} · ${other}`,
    `${first} · ${second}`,
    `(${one} + ${first}) · (${other} + ${second})`,
  ];
  const row = (name, i) => {
    const y = terms.top + (i + 0.5) * terms.row + 4;
    const value = write.fixed(i < 4 ? found.terms[i] : found.score, 2);
    return svg`${label(terms.left, y, name)}${label(curve.right, y, value, { kind: "value", anchor: "end" })}`;
  };
  return svg`<path class="terms" d=${parts.map(bar).join("")} />
    <circle class="dot" r="6" cx=${curveX(size, data, now.b).toFixed(1)} cy=${curveY(size, score).toFixed(1)} />
    ${guard([size, found], () => names.map(row))}`;
}
