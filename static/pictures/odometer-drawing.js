// The drawing of two positions: a ruler, strips of colour, an odometer above dials, and the score.
// `build` lays it out for a width, `paint` draws one moment of it, `show` the numbers at rest.

const { search } = new URL(import.meta.url);
const load = (name) => import(name + search);
const [
  { TURN, box, clamp, disc, fill, hand, line, sector, set, shape },
  { wrap },
  { bitsOf, digitAt, dot, products, rowAt, termsOf },
] = await Promise.all([load("./tools.js"), load("../lines.js"), load("./waves.js")]);

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
const STRIPS = ["a", "b", "gap", "first", "firstSum", "second", "secondSum"];

export const MOVING = [
  "faces",
  "arcs",
  "fast-a",
  "fast-b",
  "hand-a",
  "hand-b",
  "axis",
  "here",
  "places",
  "band",
  "curve",
  "terms",
];

// ---- sizes -----------------------------------------------------------------------------------

function sizes(picture, width, room) {
  const first = sizesWith(picture, width, 0);
  return room > first.height ? sizesWith(picture, width, room - first.height) : first;
}

// `more` pixels of height are there to be used.
function sizesWith({ data, back, words }, width, more) {
  const phone = width < PHONE,
    label = phone ? 58 : 92;
  const ruler = { left: 20, right: width - 20, track: 20 };
  ruler.step = (ruler.right - ruler.left) / Math.max(data.length - 1, 1);
  const row = Math.round((phone ? 18 : 20) + Math.min(more / 14, 14));
  const one = { left: label, width: phone ? 46 : 66 };
  const left = label + one.width + (phone ? 6 : 14);
  const said = (text) => linesOf(back, text, width - (phone ? 0 : left));
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
function linesOf(parent, text, most) {
  const tried = shape(parent, "text", { class: "small" });
  const lines = wrap(text, (words) => {
    tried.textContent = words;
    return tried.getComputedTextLength() <= most;
  });
  tried.remove();
  return lines;
}

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

// ---- what stands still ----------------------------------------------------------------------------

export function build(picture, width, room) {
  const { svg, back, over, ruler, strips } = picture;
  const size = (picture.size = sizes(picture, width, room));
  set(svg, { width, height: size.height });
  back.replaceChildren();
  over.replaceChildren();
  picture.drawn = "";
  drawRuler(picture);
  drawStrips(picture);
  drawWheels(picture);
  drawScore(picture);
  set(ruler, { width, height: 56 });
  set(strips, {
    x: size.strips.left,
    y: size.strips.top,
    width: width - size.strips.left,
    height: size.strips.sums + 4 * size.strips.row - size.strips.top,
  });
  return size.height;
}

const rulerX = ({ ruler }, place) => ruler.left + place * ruler.step;

function drawRuler({ back, data, size, write }) {
  const { ruler, phone } = size;
  shape(back, "path", { class: "axis", d: `M${ruler.left},${ruler.track}H${ruler.right}` });
  for (const place of ticks(data.length, phone ? 4 : 8)) {
    const x = rulerX(size, place);
    shape(back, "path", { class: "axis", d: `M${x},${ruler.track - 4}v8` });
    shape(
      back,
      "text",
      { class: "small", x, y: ruler.track - 9, "text-anchor": "middle" },
      write.whole(place),
    );
  }
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

const stripY = ({ strips }, strip) =>
  strip < 3 ? strips.top + strip * strips.row : strips.sums + (strip - 3) * strips.row;

function drawStrips(picture) {
  const { back, over, data, size, words, colours } = picture;
  const { strips, one, width, phone } = size,
    high = strips.row - 3,
    length = data.theta.length;
  const single = shape(
    back,
    "text",
    { class: "small", y: strips.top - 7, "text-anchor": "end" },
    words.one,
  );
  set(single, { x: Math.max(one.left + one.width, single.getComputedTextLength()) });
  const label = (lines, at) =>
    lines.forEach((text, i) =>
      shape(back, "text", { class: "small", ...at, y: at.y - (lines.length - 1 - i) * LINE }, text),
    );
  label(
    strips.many,
    phone
      ? { x: width, y: strips.top - 22, "text-anchor": "end" }
      : { x: strips.left, y: strips.top - 7 },
  );
  label(strips.sum, { x: phone ? 0 : strips.left, y: strips.sums - 6 });
  picture.names = STRIPS.map((_, strip) =>
    shape(back, "text", { x: 0, y: stripY(size, strip) + high / 2 + 4 }),
  );
  const places = [
    ...STRIPS.map((_, strip) => [strips.left, strip, width - strips.left - 1]),
    ...[0, 1, 2].map((strip) => [one.left, strip, one.width]),
  ];
  for (const [x, strip, wide] of places) {
    shape(back, "rect", { class: "strip", x, y: stripY(size, strip), width: wide, height: high });
    shape(over, "rect", { class: "frame", x, y: stripY(size, strip), width: wide, height: high });
  }
  picture.ones = [0, 1, 2].map((strip) =>
    shape(over, "text", {
      class: "one",
      x: one.left + one.width / 2,
      y: stripY(size, strip) + high / 2 + 4,
      "text-anchor": "middle",
    }),
  );
  picture.chosen = shape(over, "path", { class: "chosen" });
  picture.cells = STRIPS.map((_, strip) =>
    Array.from({ length }, (_, i) =>
      box(strips.left + i * strips.wide, stripY(size, strip), strips.wide + 0.05, high),
    ),
  );
  picture.oneCells = [0, 1, 2].map((strip) => box(one.left, stripY(size, strip), one.width, high));
  if (!colours.childElementCount) {
    for (let level = -LEVELS; level <= LEVELS; level++) {
      const part = Math.abs(level) / LEVELS,
        to = level < 0 ? BLUE : RED;
      const rgb = to.map((value) => Math.round(255 + (value - 255) * part));
      shape(colours, "path", { fill: `rgb(${rgb})`, "shape-rendering": "crispEdges" });
    }
  }
  picture.levels = Array(2 * LEVELS + 1).fill("");
  picture.reach =
    Math.max(
      ...Object.values(data.contents).flatMap(({ vectors }) => vectors.flat().map(Math.abs)),
    ) + 1;
}

function drawWheels(picture) {
  const { back, over, size, words, write, paths, data } = picture;
  const { wheels, r, phone } = size,
    { columns, cell, left } = wheels;
  const x = (column) => left + (column + 0.5) * cell,
    wide = Math.min(cell - 4, 26);
  shape(back, "text", { class: "title", x: 0, y: wheels.top - 14 }, words.odometer);
  if (!phone) shape(back, "text", { class: "small", x: 0, y: wheels.top + 5 }, words.repeats);
  picture.digitNames = ["first", "second"].map((name, i) =>
    shape(back, "text", { class: name, x: 0, y: wheels.digits + i * (WHEEL + 3) + 16 }),
  );
  const id = `wheels-${Math.random().toString(36).slice(2)}`;
  picture.wheels = ["a", "b"].map((_, i) => {
    const y = wheels.digits + i * (WHEEL + 3);
    const clip = shape(over, "clipPath", { id: `${id}-${i}` });
    shape(clip, "rect", { x: 0, y, width: size.width, height: WHEEL });
    const frames = shape(over, "g"),
      row = shape(over, "g", { "clip-path": `url(#${id}-${i})` });
    return columns
      .filter(({ bit }) => bit >= 0)
      .map(({ bit }, column) => {
        const frame = shape(frames, "rect", {
          class: "wheel",
          x: x(column) - wide / 2,
          y: y + 0.5,
          width: wide,
          height: WHEEL - 1,
          rx: 3,
        });
        const digits = shape(row, "g");
        const at = { class: "digit", x: x(column), "text-anchor": "middle" };
        return {
          bit,
          frame,
          digits,
          now: shape(digits, "text", { ...at, y: y + 16 }),
          next: shape(digits, "text", { ...at, y: y + 16 + WHEEL }),
        };
      });
  });
  columns.forEach(({ period, wave }, column) => {
    const text = (y, words) =>
      shape(
        back,
        "text",
        { class: cell < 34 ? "tiny" : "small", x: x(column), y, "text-anchor": "middle" },
        words,
      );
    if (cell >= 34 || column % 2 === 0) text(wheels.top + 5, write.whole(period));
    const turn = TURN / data.waves[wave];
    if (wave >= 0 && (cell >= 34 || column % 2 === 0))
      text(wheels.dials + r + 13, turn >= 100 ? write.whole(turn) : write.short(turn, 3));
  });
  picture.dials = columns
    .map(({ wave }, column) => ({ wave, x: x(column) }))
    .filter(({ wave }) => wave >= 0);
  paths.faces.setAttribute("d", picture.dials.map(({ x }) => disc(x, wheels.dials, r)).join(""));
}

function drawScore(picture) {
  const { back, data, size, words, write } = picture,
    { curve, terms } = size;
  shape(back, "text", { class: "title", x: curve.left - 40, y: curve.top - 14 }, words.curve);
  rescale(picture);
  for (const place of ticks(data.length, 4)) {
    shape(
      back,
      "text",
      {
        class: "small",
        x: curveX(size, data, place),
        y: curve.bottom + 14,
        "text-anchor": "middle",
      },
      write.whole(place),
    );
  }
  const step = roundStep((picture.high - picture.low) / 2.5);
  for (let value = Math.ceil(picture.low / step) * step; value <= picture.high; value += step) {
    const y = curveY(picture, value);
    shape(back, "path", {
      class: "axis",
      "stroke-opacity": 0.45,
      d: `M${curve.left},${y.toFixed(1)}H${curve.right}`,
    });
    shape(
      back,
      "text",
      { class: "small", x: curve.left - 6, y: y + 4, "text-anchor": "end" },
      write.short(Math.round(value / step) * step, 6),
    );
  }
  terms.zero = terms.left + 0.48 * (curve.right - terms.left);
  terms.scale = (0.32 * (curve.right - terms.left)) / picture.most;
  picture.terms = Array.from({ length: 5 }, (_, i) => {
    const y = terms.top + (i + 0.5) * terms.row + 4;
    return [
      shape(back, "text", { class: "small", x: terms.left, y }),
      shape(back, "text", { class: "value", x: curve.right, y, "text-anchor": "end" }),
    ];
  });
}

// ---- the height of the curve ------------------------------------------------------------------------

// What the score can reach with these words: each of its four parts at its lowest and highest.
function rescale(picture) {
  const { data, table, want } = picture,
    [first, second] = data.contents[want.words].vectors;
  const ends = [
    products(table, first),
    products(table, second),
    products(table, rowAt(data, 0)),
  ].map(extremes);
  const sum = (end) => dot(first, second) + ends.reduce((total, one) => total + one[end], 0);
  const low = sum(0),
    high = Math.max(sum(1), low + 1),
    margin = 0.03 * (high - low);
  const most = Math.max(Math.abs(dot(first, second)), ...ends.flat().map(Math.abs), 1e-9);
  Object.assign(picture, { low: low - margin, high: high + margin, most, laid: want.words });
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

function roundStep(size) {
  const unit = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].find((times) => times * unit >= size) * unit;
}

const curveX = ({ curve }, { length }, place) =>
  curve.left + (place / Math.max(length - 1, 1)) * (curve.right - curve.left);
const curveY = ({ low, high, size: { curve } }, value) =>
  curve.bottom - ((value - low) / (high - low)) * (curve.bottom - curve.top);

// ---- one moment ---------------------------------------------------------------------------------

export function paint(picture) {
  const { now, data } = picture;
  const a = rowAt(data, now.a),
    b = rowAt(data, now.b);
  paintHandles(picture);
  paintStrips(picture, a, b);
  paintWheels(picture);
  paintDials(picture);
  paintScore(picture, a, b);
}

function paintHandles({ now, want, size, handles }) {
  const { ruler } = size,
    y = ruler.track + 24;
  const x = { a: rulerX(size, now.a), b: rulerX(size, now.b) };
  const wide = (key) => Math.max(26, 12 + 8 * handles[key].text.textContent.length);
  const apart = (wide("a") + wide("b")) / 4 + 1,
    middle = (x.a + x.b) / 2,
    order = now.a < now.b || (now.a === now.b && want.a <= want.b) ? ["a", "b"] : ["b", "a"];
  const heads = {
    [order[0]]: Math.min(x[order[0]], middle - apart),
    [order[1]]: Math.max(x[order[1]], middle + apart),
  };
  for (const key of ["a", "b"]) {
    const made = handles[key],
      at = clamp(heads[key], wide(key) / 2 - 4, size.width - wide(key) / 2 + 4);
    redraw(made.stem, `M${x[key].toFixed(1)},${ruler.track - 3}L${at.toFixed(1)},${y}`);
    made.head.setAttribute("transform", `translate(${at.toFixed(1)} ${y})`);
  }
}

// All cells of one colour are one path, whichever strip they are in.
function paintStrips(picture, a, b) {
  const {
    now: { first, second, ...places },
    data: { length },
    cells,
    oneCells,
    levels,
    reach,
    colours,
  } = picture;
  levels.fill("");
  const put = (cell, value) => {
    const level = Math.round(clamp(value, -1, 1) * LEVELS);
    if (level) levels[level + LEVELS] += cell;
  };
  for (let i = 0; i < a.length; i++) {
    put(cells[0][i], a[i]);
    put(cells[1][i], b[i]);
    put(cells[2][i], (b[i] - a[i]) / 2);
    put(cells[3][i], first[i] / reach);
    put(cells[4][i], (first[i] + a[i]) / reach);
    put(cells[5][i], second[i] / reach);
    put(cells[6][i], (second[i] + b[i]) / reach);
  }
  put(oneCells[0], places.a / length);
  put(oneCells[1], places.b / length);
  put(oneCells[2], (places.b - places.a) / length / 2);
  levels.forEach((d, i) => redraw(colours.children[i], d));
}

function paintWheels({ now, wheels }) {
  wheels.forEach((row, i) => {
    for (const { bit, digits, now: shown, next: coming } of row) {
      const { digit, next, share } = digitAt(i ? now.b : now.a, bit);
      write(shown, digit);
      write(coming, next);
      const to = `translate(0 ${(-share * WHEEL).toFixed(1)})`;
      if (digits.getAttribute("transform") !== to) digits.setAttribute("transform", to);
    }
  });
}

function write(text, value) {
  if (text.textContent !== String(value)) text.textContent = value;
}

function paintDials({ now, data, size, paths, dials, before, moves }) {
  const parts = Object.fromEntries(
    ["arcs", "hand-a", "hand-b", "fast-a", "fast-b"].map((name) => [name, ""]),
  );
  for (const { wave, x } of dials) {
    const theta = data.waves[wave],
      y = size.wheels.dials;
    const from = Math.min(now.a, now.b) * theta,
      wide = Math.abs(now.a - now.b) * theta;
    parts.arcs += sector(x, y, 0.62 * size.r, from, from + (wide > TURN ? wide % TURN : wide));
    for (const key of ["a", "b"]) {
      const isFast = moves && Math.abs(now[key] - before[key]) * theta > BLUR;
      parts[`${isFast ? "fast" : "hand"}-${key}`] += hand(
        x,
        y,
        size.r - (key === "a" ? 3 : 6),
        now[key] * theta,
      );
    }
  }
  Object.assign(before, { a: now.a, b: now.b });
  for (const [name, d] of Object.entries(parts)) redraw(paths[name], d);
}

function paintScore(picture, a, b) {
  const { now, data, size, paths, dot: mark } = picture,
    { terms } = size;
  const asked = [now.a, ...now.first, ...now.second].join();
  if (picture.drawn !== asked) paintCurve(picture, a);
  picture.drawn = asked;
  const parts = termsOf(now.first, now.second, a, b),
    score = parts.reduce((sum, part) => sum + part, 0);
  set(mark, { cx: curveX(size, data, now.b).toFixed(1), cy: curveY(picture, score).toFixed(1) });
  redraw(
    paths.terms,
    parts
      .map((part, i) =>
        box(
          terms.zero + Math.min(part, 0) * terms.scale,
          terms.top + i * terms.row + 4,
          Math.max(Math.abs(part) * terms.scale, 0.6),
          terms.row - 6,
        ),
      )
      .join(""),
  );
}

// The score against every place of the second word; dashed, what words and distance alone would say.
function paintCurve(picture, a) {
  const { now, data, size, paths, table } = picture;
  const same = dot(now.first, now.second),
    mixed = dot(a, now.second);
  const toWord = products(table, now.first),
    toPlace = products(table, a);
  const point = (value, place) => [curveX(size, data, place), curveY(picture, value)];
  const whole = Array.from(toWord, (value, place) => same + mixed + value + toPlace[place]);
  const isBand = data.length > CURVE;
  redraw(paths.curve, isBand ? "" : line(whole.map(point)));
  redraw(
    paths.places,
    isBand ? "" : line(Array.from(toPlace, (value, place) => point(same + value, place))),
  );
  redraw(paths.band, isBand ? bandOf(whole, point) : "");
  redraw(
    paths.here,
    `M${curveX(size, data, now.a).toFixed(1)},${size.curve.top}V${size.curve.bottom}`,
  );
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

// A path that is written again is drawn again, even where it is the same.
function redraw(path, d) {
  if (path.getAttribute("d") !== d) path.setAttribute("d", d);
}

// ---- at rest ---------------------------------------------------------------------------------------

export function show(picture, { terms, bits, score }, column) {
  const {
    want,
    data,
    size,
    write: say,
    handles,
    names,
    ones,
    chosen,
    wheels,
    digitNames,
  } = picture;
  const { texts } = data.contents[want.words],
    { strips } = size;
  const place = { a: say.whole(want.a), b: say.whole(want.b) };
  for (const key of ["a", "b"]) {
    const made = handles[key];
    write(made.text, place[key]);
    const wide = Math.max(26, 12 + 8 * place[key].length);
    set(made.box, { x: -wide / 2, width: wide });
  }
  const labels = [
    place.a,
    place.b,
    `${place.b} − ${place.a}`,
    texts[0],
    `${texts[0]} + ${place.a}`,
    texts[1],
    `${texts[1]} + ${place.b}`,
  ];
  names.forEach((name, i) => {
    write(name, labels[i]);
    name.setAttribute("class", ["first", "second", "", "", "first", "", "second"][i]);
  });
  const one = [want.a, want.b, want.b - want.a].map((value) => value / data.length);
  ones.forEach((text, i) => {
    write(text, say.fixed(one[i], 4));
    text.style.fill = Math.abs(one[i]) / (i === 2 ? 2 : 1) > 0.6 ? "white" : "black";
  });
  const x = strips.left + column * strips.wide,
    high = strips.row - 3;
  chosen.setAttribute(
    "d",
    [
      [strips.top, 3],
      [strips.sums, 4],
    ]
      .map(([y, count]) =>
        box(x, y - 1, Math.max(strips.wide, 1), count * strips.row - strips.row + high + 2),
      )
      .join(""),
  );
  digitNames.forEach((name, i) => write(name, place[i ? "b" : "a"]));
  for (const row of wheels)
    for (const { bit, frame } of row) frame.classList.toggle("differs", bits[bit]);
  const parts = [
    `${texts[0]} · ${texts[1]}`,
    `${texts[0]} · ${place.b}`,
    `${place.a} · ${texts[1]}`,
    `${place.a} · ${place.b}`,
    fill("{first} · {second}", { first: `(${labels[4]})`, second: `(${labels[6]})` }),
  ];
  picture.terms.forEach(([label, value], i) => {
    write(label, parts[i]);
    write(value, say.fixed(i < 4 ? terms[i] : score, 2));
  });
}
