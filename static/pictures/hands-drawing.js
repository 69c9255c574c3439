// The drawing of two hands: a strip of words, a dial for each pair, what each adds, and the sum
// against the distance. `build` lays it out for a width, `draw`
// declares one moment of it.

import { guard, svg } from "../../course/page/lit/lit.js";
import { call, radios, slider } from "./controls.js";
import { both, go, stop } from "./hands-moves.js";
import { changed, done } from "./life.js";
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
  shortened,
} from "./tools.js";

const PHONE = 600; // pixels of the drawing
const LARGE = 12; // dials with their numbers below; more are small ones in a grid
const MOST_WORD = 12; // letters of a word on the strip
const WORD_GAP = 17; // pixels between two slanted words that can be told apart
const BLUR = 1; // radians between two frames: a faster hand is drawn faint, and does not flicker
const COLUMNS = 260; // of the curve
const INSIDE = 12; // distances that a column of a long curve looks at
const DIALS = [
  "seen",
  "faces",
  "ghost",
  "arcs",
  "new-arcs",
  "key-fast",
  "query-fast",
  "key",
  "query",
];
const MIDDLE = { anchor: "middle" };

// ---- sizes -----------------------------------------------------------------------------------

const LEAST_TALL = 70; // pixels of the curve where there is little room
const LEAST_DIAL = 22;

// For a width; `room` is the height that it has to do with, or 0.
function sizes(width, data, room) {
  const first = sizesWith(width, data, 0, 0);
  if (!room || first.phone) return first;
  const tall = Math.max(first.curve.bottom - first.curve.top + room - first.height, LEAST_TALL);
  const second = sizesWith(width, data, tall, 0);
  const over = second.height - room;
  return over > 0 && first.dials.large
    ? sizesWith(width, data, tall, Math.max(first.dials.r - over / 2, LEAST_DIAL))
    : second;
}

function sizesWith(width, { pairs, length, words }, asked, most) {
  const phone = width < PHONE;
  const longest = Math.min(Math.max(0, ...words.map((word) => word.length)), MOST_WORD);
  const strip = {
    left: 26,
    right: width - (words.length ? 20 + 3 * longest : 26),
    track: words.length ? 16 + 5 * longest : 30,
  };
  strip.step = (strip.right - strip.left) / (length - 1);
  const top = strip.track + 90;
  const dials =
    pairs > LARGE ? smallDials(width, pairs, phone) : largeDials(width, pairs, phone, most);
  Object.assign(dials, { top, height: dials.down * Math.ceil(pairs / dials.across) });
  const panels = top + dials.height + 26;
  const tall = asked || (phone || width < 1000 ? 136 : 190);
  const sums = {
    left: 40,
    right: phone ? width - 12 : Math.round(width * 0.36),
    top: panels,
    bottom: panels + tall,
  };
  const curve = { ...sums, left: phone ? 40 : sums.right + 28, right: width - 12 };
  if (phone) Object.assign(curve, { top: sums.bottom + 56, bottom: sums.bottom + 56 + tall });
  return { width, phone, strip, dials, sums, curve, height: curve.bottom + 26 };
}

function largeDials(width, pairs, phone, most) {
  const rows = Math.ceil(pairs / (phone ? 4 : width < 1000 ? 8 : LARGE));
  const across = Math.ceil(pairs / rows);
  const cell = width / across;
  const r = Math.min(most || (phone ? 36 : 60), cell / 2 - 7);
  return { across, cell, r, down: 2 * r + 56, large: true };
}

function smallDials(width, pairs, phone) {
  const room = phone ? 480 : 290;
  const fits = (across) => Math.ceil(pairs / across) * (width / across + 13) <= room;
  const choices = [8, 12, 16, 24, 32, 48, 64].filter((across) => width / across >= 22);
  const across = choices.find(fits) ?? choices.at(-1);
  const cell = width / across;
  return {
    across,
    cell,
    r: Math.min(cell / 2 - 4, 30),
    down: Math.min(cell, 60) + 13,
    large: false,
  };
}

const centre = ({ dials: { across, cell, down, r, top, large } }, pair) => [
  ((pair % across) + 0.5) * cell,
  top + Math.floor(pair / across) * down + r + (large ? 4 : 2),
];

const stripX = ({ strip }, position) => strip.left + position * strip.step;

export function build(picture, width, room) {
  const { svg: drawing, data, want } = picture;
  const size = sizes(width, data, room);
  const { large, r } = size.dials;
  const face = (_, pair) => {
    const [x, y] = centre(size, pair);
    return disc(x, y, r) + (large ? `M${x + r - 5},${y}h5` : "");
  };
  const faces = Array.from({ length: data.pairs }, face).join("");
  drawing.style.setProperty("--wide", large ? "3.5px" : r > 18 ? "2px" : "1.4px");
  picture.laid = want.content; // which decides how high the curve is
  return { ...size, faces, scale: scaleOf(data, data.contents[want.content]) };
}

// ---- the whole ------------------------------------------------------------------------------------

export function draw(picture) {
  const { size, now, want, found, names, upto } = picture;
  const { arcs, terms } = dialsOf(picture);
  const { bars, sum } = sumsOf(picture, terms);
  const [x, y] = [curveX(picture, now.m - now.n), height(size, sum, size.curve)];
  const join = size.phone ? "" : `M${endOf(picture).toFixed(1)},${y.toFixed(1)}H${x.toFixed(1)}`;
  const curves = [size, now.low, now.theta, now.dot, now.factor, want.pair, want.method];
  return svg`
    <g aria-hidden="true">
      ${guard([size, want.m, want.n], () => drawStrip(picture))}
      ${guard([size], () => [drawPanels, drawScale].map((part) => part(picture)))}
      ${guard([size, found], () => drawLabels(picture))}${drawTitle(picture)}
    </g>
    <g aria-hidden="true">
      ${paths({ ...arcs, ...bars, join })}
      ${guard(curves, () => paths(curvesOf(picture)))}
      <circle class="dot" r="6" cx=${x} cy=${y} />
    </g>
    <rect class="catch" x="0" y="0" width=${size.width} height=${size.strip.track + 34}
      @pointerdown=${(event) => callNearest(picture, event)} />
    ${drawHandles(picture)}
    ${guard([size, names, want.pair], () => drawChoice(picture))}
    ${guard([size, upto], () => drawUpto(picture))}`;
}

// ---- the strip ------------------------------------------------------------------------------------

// Where words are too close, each second one is left out, or more, but for the words of both hands.
function drawStrip({ data, size, words, write, want: { m, n } }) {
  const { strip, phone } = size;
  const trained = Math.min(data.trained, data.length);
  const end = stripX(size, trained - 1) + Math.min(strip.step / 2, 12);
  const each = Math.ceil(WORD_GAP / strip.step);
  const isClear = (place, hand) => Math.abs(place - hand) >= each;
  const isNamed = (place) =>
    place === m ||
    (isClear(place, m) && (place === n || (place % each === 0 && isClear(place, n))));
  const named = (word, place) => {
    if (!isNamed(place)) return "";
    const [x, y] = [stripX(size, place), strip.track - 10];
    return svg`<text class=${place < data.trained ? "" : "beyond"} x=${x} y=${y}
      transform=${`rotate(-45 ${x} ${y})`}>${shortened(word, MOST_WORD)}</text>`;
  };
  const tick = (place) => {
    const x = stripX(size, place);
    return svg`<path class="axis" d=${`M${x},${strip.track - 4}v8`} />
      ${data.words.length ? "" : label(x, strip.track - 11, write.whole(place), MIDDLE)}`;
  };
  const count = data.words.length ? data.length : phone ? 4 : 8;
  return svg`
    <rect class="trained" x=${strip.left - 12} y=${strip.track - 5} width=${end - strip.left + 12} height="10" rx="5" />
    <path class="axis" d=${`M${strip.left},${strip.track}H${strip.right}`} />
    ${data.words.slice(0, data.length).map(named)}
    ${ticks(data.length, count).map(tick)}
    ${label(strip.left - 12, strip.track + 82, words.trained)}`;
}

// Presses beside them call the nearer hand.
function callNearest(picture, event) {
  const { size, want, svg: drawing } = picture;
  const x = pointerX(drawing, event);
  const away = (key) => Math.abs(stripX(size, want[key]) - x);
  call(picture, away("n") < away("m") ? ".handle.key" : ".handle.query", event);
}

function drawHandles(picture) {
  const { now, size, want, data, words, write } = picture;
  const { strip } = size;
  const last = data.length - 1;
  const [q, k] = [stripX(size, now.m), stripX(size, now.n)];
  const middle = (q + k) / 2;
  const y = strip.track + 22;
  const heads = { query: Math.max(q, middle + 14), key: Math.min(k, middle - 14) };
  const places = {
    page: Math.max(2, Math.round(data.length / 8)),
    at: (x) => (x - strip.left) / strip.step,
  };
  const said = (place) =>
    fill(data.words[place] ? words.atWord : words.atPlace, {
      place: write.whole(place),
      word: data.words[place] ?? "",
    });
  // The query sees its own word and those before it: neither hand goes past the other.
  const one = (name, key, tip, [min, max]) => {
    const its = slider(picture, {
      ...places,
      label: name === "key" ? words.keyHandle : words.queryHandle,
      now: want[key],
      min,
      max,
      text: said(want[key]),
      to(value) {
        stop(picture);
        go(picture, { [key]: value });
      },
    });
    return svg`<g class=${`handle ${name}`} ${its}>
      <path class="stem" d=${`M${tip.toFixed(1)},${strip.track - 3}L${heads[name].toFixed(1)},${y}`} />
      <g class="head" transform=${`translate(${heads[name].toFixed(1)} ${y})`}>
        <circle r="13" /><text y="5" text-anchor="middle">${name[0]}</text>
      </g>
    </g>`;
  };
  const x = clamp(middle, 48, size.width - 48);
  const distance = write.whole(want.m - want.n);
  const together = slider(picture, {
    ...places,
    label: words.bothHandle,
    now: want.m,
    min: want.m - want.n,
    max: last,
    text: fill(words.bothAt, { m: write.whole(want.m), n: write.whole(want.n), distance }),
    to(value) {
      stop(picture);
      both(picture, value - want.m);
    },
  });
  const stem = `M${heads.key.toFixed(1)},${y + 15}v5H${heads.query.toFixed(1)}v-5M${middle.toFixed(1)},${y + 20}v4`;
  return svg`${one("key", "n", k, [0, want.m])}${one("query", "m", q, [want.n, last])}
    <g class="handle both" ${together}>
      <path class="stem" d=${stem} />
      <g class="head" transform=${`translate(${x.toFixed(1)} ${y + 35})`}>
        <rect x="-46" y="-12" width="92" height="24" rx="12" />
        <text y="4.5" text-anchor="middle">m − n = ${distance}</text>
      </g>
    </g>`;
}

// ---- dials ----------------------------------------------------------------------------------------

function drawLabels({ data, size, words, write, found, method }) {
  const { dials } = size;
  return Array.from({ length: data.pairs }, (_, pair) => {
    const [x, y] = centre(size, pair);
    const put = (down, kind, text) => label(x, y + dials.r + down, text, { ...MIDDLE, kind });
    const isNamed = dials.cell >= 30 || pair % dials.across === 0;
    if (!dials.large) return isNamed ? put(11, "tiny", write.whole(pair)) : "";
    const turn = TURN / method.theta[pair];
    const count = turn >= 100 ? write.whole(turn) : write.short(turn, 3);
    const term = (found.terms[pair] >= 0 ? "+" : "") + write.fixed(found.terms[pair], 4);
    return svg`${put(15, "pair", fill(words.pair, { pair: write.whole(pair) }))}
      ${put(30, "small", fill(words.turn, { count }))}
      ${put(46, found.fresh[pair] ? "term new" : "term", term)}`;
  });
}

// One dial is chosen at a time: arrows go from one to the next, as among radio buttons.
function drawChoice(picture) {
  const { size, data, want, words, write, names = [] } = picture;
  const r = size.dials.r + (size.dials.large ? 3.5 : 2);
  const option = (_, pair) => {
    const [cx, cy] = centre(size, pair);
    return { name: names[pair], content: svg`<circle cx=${cx} cy=${cy} r=${r} />` };
  };
  return radios({
    label: fill(words.dials, { pairs: write.whole(data.pairs) }),
    kind: "dial",
    options: Array.from({ length: data.pairs }, option),
    chosen: want.pair,
    across: size.dials.across,
    choose(pair) {
      picture.want.pair = pair;
      changed(picture);
      done(picture, true);
    },
  });
}

function dialsOf({ now, before, moves, data, size }) {
  const { r, large } = size.dials;
  const arcs = Object.fromEntries(DIALS.map((name) => [name, ""]));
  arcs.faces = size.faces;
  const distance = now.m - now.n;
  const terms = [];
  for (let i = 0; i < data.pairs; i++) {
    const [x, y] = centre(size, i);
    const theta = now.theta[i];
    const start = now.queryAngle[i] + now.n * theta; // of the query, if it stood where the key stands
    const query = now.queryAngle[i] + now.m * theta,
      key = now.keyAngle[i] + now.n * theta;
    const arc = distance * theta,
      isNew = arc % TURN > data.limit[i];
    arcs.seen += sector(x, y, r - (large ? 1.5 : 1), start, start + Math.min(data.limit[i], TURN));
    const name = isNew ? "new-arcs" : "arcs";
    arcs[name] += sector(x, y, 0.62 * r, start, start + (arc > TURN ? arc % TURN : arc));
    if (arc > TURN) arcs.ghost += disc(x, y, 0.62 * r);
    if (now.queryAngle[i] !== now.keyAngle[i]) arcs.ghost += hand(x, y, 0.62 * r, start);
    for (const [hands, angle, share] of [
      ["key", key, now.keySize[i]],
      ["query", query, now.querySize[i]],
    ]) {
      const isFast = moves && Math.abs(angle - before[hands][i]) > BLUR;
      const long = Math.max(0.12, share) * (r - (large ? 6 : 2));
      arcs[isFast ? hands + "-fast" : hands] += hand(x, y, long, angle);
      before[hands][i] = angle;
    }
    terms.push([now.factor ** 2 * wave(now, i, arc), isNew]);
  }
  return { arcs, terms };
}

// ---- what each pair adds, and the curve -----------------------------------------------------------

const curveX = ({ size: { curve }, data: { length } }, distance) =>
  curve.left + (distance / Math.max(length - 1, 1)) * (curve.right - curve.left);
const height = ({ sums, scale: { low, high } }, value, panel = sums) =>
  panel.bottom - ((value - low) / (high - low)) * (panel.bottom - panel.top);

function drawPanels(picture) {
  const { data, size, words, write } = picture;
  const { sums, curve } = size;
  const tick = (place) =>
    label(curveX(picture, place), curve.bottom + 15, write.whole(place), MIDDLE);
  const x = curveX(picture, data.trained - 0.5);
  const beyond = svg`
    <rect class="beyond-area" x=${x} y=${curve.top} width=${curve.right - x} height=${curve.bottom - curve.top} />
    <path class="edge" d=${`M${x},${curve.top}V${curve.bottom}`} />
    ${label(x + 5, curve.top + 12, words.beyond)}`;
  return svg`${label(sums.left - 34, sums.top - 10, words.sums, { kind: "title" })}
    ${ticks(data.length, 4).map(tick)}
    ${label(curve.right, curve.bottom + 15, "m − n", { anchor: "end" })}
    ${data.trained < data.length ? beyond : ""}`;
}

// Lowest and highest value that the curve and the sums on their way reach, with any method.
function scaleOf(data, content) {
  let low = Math.min(0, content.passed),
    high = Math.max(0, content.passed);
  for (const { theta, factor } of data.methods) {
    for (let column = 0; column < COLUMNS; column++) {
      let sum = content.passed;
      const distance = (column / (COLUMNS - 1)) * (data.length - 1);
      for (let i = 0; i < data.pairs; i++) {
        sum += factor ** 2 * wave(content, i, distance * theta[i]);
        low = Math.min(low, sum);
        high = Math.max(high, sum);
      }
    }
  }
  const margin = 0.06 * (high - low || 1);
  const step = roundStep((high - low) / 3);
  const levels = [];
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9 * step; value += step)
    levels.push(Math.round(value / step) * step);
  return { low: low - margin, high: high + margin, levels };
}

function drawScale({ size, write }) {
  const { sums, curve, scale, phone } = size;
  const level = (value) =>
    (phone ? [sums, curve] : [sums]).map((panel) => {
      const y = height(size, value, panel);
      return svg`<path class=${value ? "grid" : "axis"} d=${`M${panel.left},${y}H${curve.right}`} />
        ${label(panel.left - 6, y + 4, write.short(value, 6), { anchor: "end" })}`;
    });
  return scale.levels.map(level);
}

const wave = ({ dot, cross }, pair, angle) =>
  dot[pair] * Math.cos(angle) + cross[pair] * Math.sin(angle);

// Lowest and highest sum in each column of the curve; between the distances of a short text the
// curve is drawn as well, a long one has many distances in one column.
export function curveOf({ data, content }, { theta, factor }, upto) {
  const last = data.length - 1;
  const isShort = last <= COLUMNS;
  const columns = isShort ? last * Math.ceil(COLUMNS / last) + 1 : COLUMNS;
  const [low, high] = [Array(columns), Array(columns)];
  const gap = last / (columns - 1);
  const inside = isShort ? 1 : Math.min(INSIDE, Math.ceil(gap));
  const at = (distance) => {
    let sum = content.passed;
    for (let i = 0; i < upto; i++) sum += factor ** 2 * wave(content, i, distance * theta[i]);
    return sum;
  };
  for (let column = 0; column < columns; column++) {
    const some = Array.from({ length: inside }, (_, i) => {
      const distance = (column + i / inside) * gap;
      return at(isShort ? distance : Math.min(last, Math.round(distance)));
    });
    low[column] = Math.min(...some);
    high[column] = Math.max(...some);
  }
  return { low, high };
}

// Places of some round steps from 0 on.
function ticks(length, most) {
  const step = Math.max(1, Math.ceil(length / most));
  return Array.from({ length: Math.ceil(length / step) }, (_, i) => i * step);
}

function sumsOf({ now, data, size, upto }, terms) {
  const { sums } = size;
  const wide = (sums.right - sums.left) / data.pairs;
  const gap = Math.min(3, wide / 5);
  const bars = { level: "", bars: "", "new-bars": "" };
  let sum = now.passed;
  terms.slice(0, upto).forEach(([term, isNew], i) => {
    const [from, to] = [height(size, sum), height(size, sum + term)];
    const x = sums.left + i * wide;
    const high = Math.max(Math.abs(to - from), 0.6);
    bars[isNew ? "new-bars" : "bars"] += box(x + gap, Math.min(from, to), wide - 2 * gap, high);
    bars.level += `M${(x + wide - gap).toFixed(1)},${to.toFixed(1)}h${(2 * gap).toFixed(1)}`;
    sum += term;
  });
  return { bars, sum };
}

// Where the bars end that are added up.
const endOf = ({ size: { sums }, data, upto }) =>
  sums.left + (upto * (sums.right - sums.left)) / data.pairs;

// How many of them are added up is dragged, too.
function drawUpto(picture) {
  const { size, data, upto, words, write } = picture;
  const { sums } = size;
  const said = { count: write.whole(upto), pairs: write.whole(data.pairs) };
  const end = endOf(picture).toFixed(1);
  const its = slider(picture, {
    label: words.uptoHandle,
    now: upto,
    min: 1,
    max: data.pairs,
    page: Math.max(1, Math.round(data.pairs / 4)),
    text: fill(words.uptoAt, said),
    at: (x) => ((x - sums.left) / (sums.right - sums.left)) * data.pairs,
    to(value) {
      clearInterval(picture.adding);
      picture.upto = value;
      changed(picture);
    },
    end() {},
  });
  return svg`<g class="handle upto" ${its}>
    <path class="stem" d=${`M${end},${sums.top}V${sums.bottom}`} />
    <g class="head" transform=${`translate(${end} ${sums.bottom + 8})`}><path d="M-7,0L0,-7L7,0V9H-7Z" /></g>
  </g>`;
}

function drawTitle({ size: { curve }, data, upto, words, write }) {
  const said = { count: write.whole(upto), pairs: write.whole(data.pairs) };
  const title = upto < data.pairs ? fill(words.part, said) : words.curve;
  return label(curve.left - 34, curve.top - 10, title, { kind: "title" });
}

function curvesOf(picture) {
  const { now, data, size, want, curve: found } = picture;
  const { curve } = size;
  const along = (values) =>
    values.map((value, i) => [
      curve.left + (i / (values.length - 1)) * (curve.right - curve.left),
      height(size, value, curve),
    ]);
  const [low, high] = [along(now.low), along(now.high)];
  const isBand = data.length - 1 > COLUMNS;
  const isPlain = want.method === "none" || isBand;
  return {
    plain: isPlain ? "" : line(along(found.none.high)),
    band: isBand ? line(high) + line(low.reverse()).replace("M", "L") + "Z" : "",
    wave: waveOf(picture),
    curve: isBand ? "" : line(high),
  };
}

// What the chosen pair alone adds, where its wave is longer than a few pixels.
function waveOf(picture) {
  const { now, want, data, size } = picture;
  const last = data.length - 1;
  const theta = now.theta[want.pair];
  if ((theta * last) / TURN > COLUMNS / 8) return "";
  return line(
    Array.from({ length: COLUMNS }, (_, i) => {
      const distance = (i / (COLUMNS - 1)) * last;
      const value = now.factor ** 2 * wave(now, want.pair, distance * theta);
      return [curveX(picture, distance), height(size, value, size.curve)];
    }),
  );
}
