// The drawing of two hands: a strip of words, a dial for each pair, what each adds, and the sum
// against the distance. `build` lays it out for a width, `paint` draws one moment of it.

const { search } = new URL(import.meta.url);
const { TURN, box, clamp, disc, fill, hand, line, sector, set, shape } = await import(
  "./tools.js" + search
);

const PHONE = 600; // pixels of the drawing
const LARGE = 12; // dials with their numbers below; more are small ones in a grid
const MOST_WORD = 12; // letters of a word on the strip
const WORD_GAP = 17; // pixels between two slanted words that can be told apart
const BLUR = 1; // radians between two frames: a faster hand is drawn faint, and does not flicker
const COLUMNS = 260; // of the curve
const INSIDE = 12; // distances that a column of a long curve looks at

export const MOVING = [
  "seen",
  "faces",
  "ghost",
  "arcs",
  "new-arcs",
  "key-fast",
  "query-fast",
  "key",
  "query",
  "level",
  "bars",
  "new-bars",
  "join",
  "plain",
  "band",
  "wave",
  "curve",
];

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
  const top = strip.track + 74;
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

export const stripX = ({ strip }, position) => strip.left + position * strip.step;

// ---- what stands still ----------------------------------------------------------------------------

export function build(picture, width, room) {
  const { svg, back, data } = picture;
  const size = (picture.size = sizes(width, data, room));
  set(svg, { width, height: size.height });
  svg.style.setProperty("--wide", size.dials.large ? "3.5px" : size.dials.r > 18 ? "2px" : "1.4px");
  back.replaceChildren();
  picture.drawn = ""; // the curve
  drawStrip(picture);
  drawFaces(picture);
  drawLabels(picture);
  rescale(picture);
  placeRadios(picture);
  return size.height;
}

function drawStrip({ back, data, size, words, write }) {
  const { strip, phone } = size;
  const half = strip.step / 2;
  const trained = Math.min(data.trained, data.length);
  const end = stripX(size, trained - 1) + Math.min(half, 12);
  shape(back, "rect", {
    class: "trained",
    x: strip.left - 12,
    y: strip.track - 5,
    width: end - strip.left + 12,
    height: 10,
    rx: 5,
  });
  shape(back, "path", { class: "axis", d: `M${strip.left},${strip.track}H${strip.right}` });
  const each = Math.ceil(WORD_GAP / strip.step);
  data.words.slice(0, data.length).forEach((word, place) => {
    if (place % each) return;
    const x = stripX(size, place),
      y = strip.track - 10;
    shape(
      back,
      "text",
      {
        class: place < data.trained ? "" : "beyond",
        x,
        y,
        transform: `rotate(-45 ${x} ${y})`,
      },
      word.length > MOST_WORD ? word.slice(0, MOST_WORD - 1) + "…" : word,
    );
  });
  for (const place of ticks(data.length, data.words.length ? data.length : phone ? 4 : 8)) {
    const x = stripX(size, place);
    shape(back, "path", { class: "axis", d: `M${x},${strip.track - 4}v8` });
    if (data.words.length) continue;
    shape(
      back,
      "text",
      { class: "small", x, y: strip.track - 11, "text-anchor": "middle" },
      write.whole(place),
    );
  }
  const label = shape(
    back,
    "text",
    { class: "small", x: strip.left - 12, y: strip.track + 61 },
    words.trained,
  );
  strip.labelEnd = strip.left + label.getComputedTextLength();
}

function drawFaces({ data, size, paths }) {
  const { r, large } = size.dials;
  const faces = Array.from({ length: data.pairs }, (_, pair) => {
    const [x, y] = centre(size, pair);
    return disc(x, y, r) + (large ? `M${x + r - 5},${y}h5` : "");
  });
  paths.faces.setAttribute("d", faces.join(""));
}

function drawLabels(picture) {
  const { back, data, size, words, write, labels } = picture;
  const { sums, curve, dials } = size;
  const title = (panel, text) =>
    shape(back, "text", { class: "title", x: panel.left - 34, y: panel.top - 10 }, text);
  title(sums, words.sums);
  picture.title = title(curve, words.curve);
  for (const place of ticks(data.length, 4)) {
    const x = curveX(size, data, place);
    shape(
      back,
      "text",
      { class: "small", x, y: curve.bottom + 15, "text-anchor": "middle" },
      write.whole(place),
    );
  }
  shape(
    back,
    "text",
    { class: "small", x: curve.right, y: curve.bottom + 15, "text-anchor": "end" },
    "m − n",
  );
  if (data.trained < data.length) {
    const x = curveX(size, data, data.trained - 0.5);
    shape(back, "rect", {
      class: "beyond-area",
      x,
      y: curve.top,
      width: curve.right - x,
      height: curve.bottom - curve.top,
    });
    shape(back, "path", { class: "edge", d: `M${x},${curve.top}V${curve.bottom}` });
    shape(back, "text", { class: "small", x: x + 5, y: curve.top + 12 }, words.beyond);
  }
  labels.length = 0;
  for (let pair = 0; pair < data.pairs; pair++) {
    const [x, y] = centre(size, pair);
    const say = (down, more, text) =>
      shape(back, "text", { x, y: y + dials.r + down, "text-anchor": "middle", ...more }, text);
    if (!dials.large) {
      if (dials.cell >= 30 || pair % dials.across === 0)
        say(11, { class: "tiny" }, write.whole(pair));
      continue;
    }
    say(15, { class: "pair" }, fill(words.pair, { pair: write.whole(pair) }));
    labels.push({ turn: say(30, { class: "small" }), term: say(46, { class: "term" }) });
  }
}

// Places of some round steps from 0 on.
function ticks(length, most) {
  const step = Math.max(1, Math.ceil(length / most));
  return Array.from({ length: Math.ceil(length / step) }, (_, i) => i * step);
}

// One dial is chosen at a time: arrows go from one to the next, as among radio buttons.
function placeRadios(picture) {
  const { radios, size, data } = picture;
  while (radios.childElementCount > data.pairs) radios.lastChild.remove();
  while (radios.childElementCount < data.pairs) {
    const radio = shape(radios, "g", { role: "radio", class: "dial" });
    shape(radio, "circle");
  }
  [...radios.children].forEach((radio, pair) => {
    const [cx, cy] = centre(size, pair);
    set(radio.firstChild, { cx, cy, r: size.dials.r + (size.dials.large ? 3.5 : 2) });
  });
}

// ---- the height of the curve ------------------------------------------------------------------------

const curveX = ({ curve }, { length }, distance) =>
  curve.left + (distance / Math.max(length - 1, 1)) * (curve.right - curve.left);
const height = ({ sums }, { low, high }, value, panel = sums) =>
  panel.bottom - ((value - low) / (high - low)) * (panel.bottom - panel.top);

// Lowest and highest value that the curve and the sums on their way reach, with any method.
function rescale({ back, data, size, write, content, scale }) {
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
  Object.assign(scale, { low: low - margin, high: high + margin });
  const step = roundStep((high - low) / 3);
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9 * step; value += step) {
    for (const panel of size.phone ? [size.sums, size.curve] : [size.sums]) {
      const y = height(size, scale, value, panel);
      shape(back, "path", {
        class: Math.abs(value) < step / 2 ? "axis" : "grid",
        d: `M${panel.left},${y}H${size.curve.right}`,
      });
      shape(
        back,
        "text",
        { class: "small", x: panel.left - 6, y: y + 4, "text-anchor": "end" },
        write.short(Math.round(value / step) * step, 6),
      );
    }
  }
}

function roundStep(size) {
  const unit = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].find((times) => times * unit >= size) * unit;
}

const wave = ({ dot, cross }, pair, angle) =>
  dot[pair] * Math.cos(angle) + cross[pair] * Math.sin(angle);

// Lowest and highest sum in each column of the curve; between the distances of a short text the
// curve is drawn as well, a long one has many distances in one column.
export function curveOf({ data, content }, { theta, factor }, upto) {
  const last = data.length - 1;
  const isShort = last <= COLUMNS;
  const columns = isShort ? last * Math.ceil(COLUMNS / last) + 1 : COLUMNS;
  const low = new Float64Array(columns),
    high = new Float64Array(columns);
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

// ---- one moment ---------------------------------------------------------------------------------

export function paint(picture) {
  paintStrip(picture);
  const terms = paintDials(picture);
  paintSums(picture, terms);
}

function paintStrip({ now, size, handles }) {
  const { strip } = size;
  const q = stripX(size, now.m),
    k = stripX(size, now.n),
    middle = (q + k) / 2;
  const heads = { query: Math.max(q, middle + 14), key: Math.min(k, middle - 14) };
  const y = strip.track + 22;
  for (const [name, tip] of [
    ["query", q],
    ["key", k],
  ]) {
    const made = handles[name];
    set(made.stem, { d: `M${tip.toFixed(1)},${strip.track - 3}L${heads[name].toFixed(1)},${y}` });
    made.head.setAttribute("transform", `translate(${heads[name].toFixed(1)} ${y})`);
  }
  const x = clamp(middle, strip.labelEnd + 50, size.width - 50); // beside the words at the left
  set(handles.both.stem, {
    d: `M${heads.key.toFixed(1)},${y + 15}v5H${heads.query.toFixed(1)}v-5M${middle.toFixed(1)},${y + 20}L${x.toFixed(1)},${y + 24}`,
  });
  handles.both.head.setAttribute("transform", `translate(${x.toFixed(1)} ${y + 35})`);
}

function paintDials({ now, before, moves, data, size, paths }) {
  const { r, large } = size.dials;
  const parts = Object.fromEntries(
    ["seen", "ghost", "arcs", "new-arcs", "key-fast", "query-fast", "key", "query"].map((name) => [
      name,
      "",
    ]),
  );
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
    parts.seen += sector(x, y, r - (large ? 1.5 : 1), start, start + Math.min(data.limit[i], TURN));
    const name = isNew ? "new-arcs" : "arcs";
    parts[name] += sector(x, y, 0.62 * r, start, start + (arc > TURN ? arc % TURN : arc));
    if (arc > TURN) parts.ghost += disc(x, y, 0.62 * r);
    if (now.queryAngle[i] !== now.keyAngle[i]) parts.ghost += hand(x, y, 0.62 * r, start);
    for (const [hands, angle, share] of [
      ["key", key, now.keySize[i]],
      ["query", query, now.querySize[i]],
    ]) {
      const isFast = moves && Math.abs(angle - before[hands][i]) > BLUR;
      parts[isFast ? hands + "-fast" : hands] += hand(
        x,
        y,
        Math.max(0.12, share) * (r - (large ? 6 : 2)),
        angle,
      );
      before[hands][i] = angle;
    }
    terms.push([now.factor ** 2 * wave(now, i, arc), isNew]);
  }
  redraw(paths, parts);
  return terms;
}

function paintSums(picture, terms) {
  const { now, data, size, scale, paths, handles, upto, dot } = picture;
  const { sums, curve, phone } = size;
  const wide = (sums.right - sums.left) / data.pairs,
    gap = Math.min(3, wide / 5);
  let bars = "",
    fresh = "",
    level = "",
    sum = now.passed;
  terms.slice(0, upto).forEach(([term, isNew], i) => {
    const from = height(size, scale, sum),
      to = height(size, scale, sum + term);
    const x = sums.left + i * wide;
    const bar = box(
      x + gap,
      Math.min(from, to),
      wide - 2 * gap,
      Math.max(Math.abs(to - from), 0.6),
    );
    if (isNew) fresh += bar;
    else bars += bar;
    level += `M${(x + wide - gap).toFixed(1)},${to.toFixed(1)}h${(2 * gap).toFixed(1)}`;
    sum += term;
  });
  const end = sums.left + upto * wide;
  const x = curveX(size, data, now.m - now.n),
    y = height(size, scale, sum, curve);
  const join = phone ? "" : `M${end.toFixed(1)},${y.toFixed(1)}H${x.toFixed(1)}`;
  redraw(paths, { bars, "new-bars": fresh, level, join });
  set(dot, { cx: x, cy: y });
  handles.upto.stem.setAttribute("d", `M${end.toFixed(1)},${sums.top}V${sums.bottom}`);
  handles.upto.head.setAttribute("transform", `translate(${end.toFixed(1)} ${sums.bottom + 8})`);
  const asked = `${picture.curve.asked} ${picture.want.pair}`;
  if (!picture.bends && picture.drawn === asked) return; // places alone move nothing of the curve
  paintCurve(picture);
  picture.drawn = picture.bends ? "" : asked;
}

function paintCurve({ now, data, size, scale, paths, want, curve: { none } }) {
  const { curve } = size;
  const along = (values) =>
    Array.from(values, (value, i) => [
      curve.left + (i / (values.length - 1)) * (curve.right - curve.left),
      height(size, scale, value, curve),
    ]);
  const low = along(now.low),
    high = along(now.high);
  const isBand = data.length - 1 > COLUMNS;
  redraw(paths, {
    curve: isBand ? "" : line(high),
    band: isBand ? line(high) + line(low.reverse()).replace("M", "L") + "Z" : "",
    plain: want.method === "none" || isBand ? "" : line(along(none.high)),
    wave: waveOf(now, want.pair, data, size, scale),
  });
}

// A path that is written again is drawn again, even where it is the same.
function redraw(paths, parts) {
  for (const [name, d] of Object.entries(parts)) {
    if (paths[name].getAttribute("d") !== d) paths[name].setAttribute("d", d);
  }
}

// What the chosen pair alone adds, where its wave is longer than a few pixels.
function waveOf(now, pair, data, size, scale) {
  const last = data.length - 1;
  if ((now.theta[pair] * last) / TURN > COLUMNS / 8) return "";
  return line(
    Array.from({ length: COLUMNS }, (_, i) => {
      const distance = (i / (COLUMNS - 1)) * last;
      const value = now.factor ** 2 * wave(now, pair, distance * now.theta[pair]);
      return [curveX(size, data, distance), height(size, scale, value, size.curve)];
    }),
  );
}
