// Where a number comes from: an output is clicked, and its row of weights, its column of V, its
// query and a key light up; each product of the formula lights the cells that it is made of.

import { guard, svg } from "../../course/page/lit/lit.js";
import { bar, files } from "./bar.js";
import { alive, changed, done, speak } from "./life.js";
import { ORIGIN } from "./origin-style.js";
import { box, clamp, element, fill, label, set, shortened } from "./tools.js";

const PHONE = 600; // pixels of the drawing
const NUMBER = 36; // pixels of a cell that has room for its number
const MOST_TERMS = 8; // that a formula prints
const MOST_WORD = 10; // letters of a word beside its row
const HEAD = 20;
// What is lit up: the whole rows and columns, then the cells of one product.
const LIT = ["q", "k", "weights", "v", "output"];

export default alive({
  name: "origin",
  style: ORIGIN,
  glide: 80,
  make,
  take,
  build,
  aim,
  draw,
  tell,
});

// ---- one picture -----------------------------------------------------------------------------

function make(picture) {
  set(picture.svg, { role: "group" });
  picture.formulas = element("div", { class: "formulas" });
  const words = element("div", { class: "words" }, picture.sentence);
  return [bar(files(picture)), picture.svg, picture.formulas, words];
}

function take(picture) {
  const { data, want } = picture;
  const words = data.words.length;
  want.row = clamp(want.row, 0, words - 1);
  want.col = clamp(want.col, 0, data.v[0].length - 1);
  want.key = clamp(want.key, 0, words - 1);
}

function onKey(picture, event) {
  const { want, data } = picture;
  const move = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
  }[event.key];
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  const row = clamp(want.row + move[0], 0, data.words.length - 1),
    col = clamp(want.col + move[1], 0, data.v[0].length - 1);
  go(picture, { row, col }, true);
}

function go(picture, change, takesFocus) {
  Object.assign(picture.want, change);
  picture.hint = null;
  changed(picture);
  const { row, col } = picture.want;
  const cell = `[data-row="${row}"][data-col="${col}"]`;
  if (takesFocus) picture.svg.querySelector(cell).focus({ preventScroll: true });
  done(picture, true);
}

// ---- where everything stands -------------------------------------------------------------------

// Five matrices in a row; on a phone query and key stand below.
function build({ data: { words, v } }, width, room) {
  const count = words.length,
    across = v[0].length;
  const phone = width < PHONE;
  const left = phone ? 54 : 84,
    gap = phone ? 12 : clamp(width / 24, 22, 44);
  const parts = phone
    ? [
        ["weights", count],
        ["v", across],
        ["output", across],
      ]
    : [
        ["q", across],
        ["k", across],
        ["weights", count],
        ["v", across],
        ["output", across],
      ];
  const cells = parts.reduce((sum, [, wide]) => sum + wide, 0);
  const wide = Math.min((width - left - gap * (parts.length - 1) - 2) / cells, 58);
  const rows = phone ? 2 : 1;
  const most = room ? (room - rows * (HEAD + 14)) / (rows * count) : 400 / count;
  const high = clamp(most, room ? 11 : 17, room ? 64 : 30);
  const size = { wide, high, left, places: {} };
  let x = left;
  for (const [name, columns] of parts) {
    size.places[name] = { x, y: HEAD, columns };
    x += columns * wide + gap;
  }
  if (phone) {
    const y = HEAD + count * high + HEAD + 14;
    size.places.q = { x: left, y, columns: across };
    size.places.k = { x: left + across * wide + 3 * gap, y, columns: across };
  }
  size.height = (phone ? size.places.q.y : HEAD) + count * high + 8;
  return size;
}

const boxOf = ({ places, wide, high }, name, row, col, rows = 1, columns = 1) => [
  places[name].x + col * wide,
  places[name].y + row * high,
  columns * wide,
  rows * high,
];

// ---- drawing ---------------------------------------------------------------------------------------

function draw(picture) {
  const { now, size, want } = picture;
  const boxes = LIT.map((name) => boxOf(size, name, ...now[name]));
  const [q, k, weights, v, output] = boxes;
  const { key, channel } = lookedAt(picture);
  const weight = boxOf(size, "weights", want.row, key);
  const joins = {
    q: [q, weight],
    k: [k, weight],
    w: [weights, output],
    v: [v, output],
  };
  const cells =
    channel === undefined
      ? [weight, boxOf(size, "v", key, want.col)]
      : [boxOf(size, "q", want.row, channel), boxOf(size, "k", key, channel)];
  const product = cells.map(([x, y, width, height]) => box(x, y, width - 1, height - 1)).join("");
  const lit = (name, i) => {
    const [x, y, width, height] = boxes[i];
    return svg`<rect class=${`lit ${name}`} rx="3" x=${x - 1} y=${y - 1} width=${width + 1} height=${height + 1} />`;
  };
  // Joins stand behind the cells, whose numbers stay clear.
  return svg`
    <g aria-hidden="true">
      ${Object.entries(joins).map(([name, ends]) => svg`<path class=${`joins ${name}-joins`} d=${join(...ends)} />`)}
    </g>
    <g aria-hidden="true">${guard([size], () => LIT.map((name) => drawMatrix(picture, name)))}</g>
    ${guard([size, want.row, want.col], () => drawGrid(picture))}
    <g aria-hidden="true" pointer-events="none">${LIT.map(lit)}<path class="product" d=${product} /></g>`;
}

// Its name and the words beside it; the cells of the output are those of the grid.
function drawMatrix({ data, size, words, write }, name) {
  const { x, y } = size.places[name];
  const row = (word, i) => {
    const middle = y + (i + 0.5) * size.high + 4;
    return label(size.left - 8, middle, shortened(word, MOST_WORD), {
      anchor: "end",
    });
  };
  const paint = painter(size, write, name, data[name]);
  return svg`${label(x, y - 7, words[name], { kind: "head" })}
    ${x === size.left ? data.words.map(row) : ""}
    ${name === "output" ? "" : data[name].map((values, i) => values.map((_, col) => paint(i, col)))}`;
}

function drawGrid(picture) {
  const { data, size, want, words, write } = picture;
  const paint = painter(size, write, "output", data.output);
  const cell = (value, row, col) => {
    const isChosen = row === want.row && col === want.col;
    const said = {
      word: wordOf(picture, row),
      col: write.whole(col),
      value: write.fixed(value, 4),
    };
    return svg`<g role="gridcell" class="cell" tabindex=${isChosen ? 0 : -1} aria-selected=${isChosen}
      data-row=${row} data-col=${col} aria-label=${fill(words.cell, said)}>${paint(row, col)}</g>`;
  };
  const choose = ({ target }) => {
    const { dataset } = target.closest("[role=gridcell]") ?? {};
    if (dataset) go(picture, { row: Number(dataset.row), col: Number(dataset.col) }, true);
  };
  return svg`<g role="grid" aria-label=${words.grid} @click=${choose} @keydown=${(event) => onKey(picture, event)}>
    ${data.output.map((values, row) => svg`<g role="row">${values.map((value, col) => cell(value, row, col))}</g>`)}
  </g>`;
}

// What draws a cell of a matrix, with its number where that has room.
function painter(size, write, name, matrix) {
  const reach = Math.max(...matrix.flat().map(Math.abs), 1e-30);
  return (row, col) => {
    const [x, y, width, height] = boxOf(size, name, row, col);
    const value = matrix[row][col];
    const part = value / reach;
    const number = svg`<text class="number" x=${x + width / 2} y=${y + height / 2 + 4} text-anchor="middle"
      style=${`fill: ${Math.abs(part) > 0.6 ? "white" : "black"}`}>${write.fixed(value, 2)}</text>`;
    return svg`<rect x=${x} y=${y} width=${width - 1.2} height=${height - 1.2} rx="2" style=${colourOf(name, part)} />
      ${size.wide < NUMBER ? "" : number}`;
  };
}

// Weights are shares, from white to dark; the others are red and blue.
function colourOf(name, part) {
  const colour = name === "weights" ? "#5a5a5a" : part < 0 ? "#2166ac" : "#b2182b";
  return `fill: color-mix(in srgb, ${colour} ${(100 * Math.min(Math.abs(part), 1)).toFixed(0)}%, white)`;
}

// ---- what is lit up ------------------------------------------------------------------------------

// The chosen key, or that of the product which is pointed at; with a channel, one of q · k.
const lookedAt = ({ want, hint }) => ({ key: want.key, ...hint });

// Rows and columns of its frames: where they begin, and how many.
function aim(picture) {
  const { data, want } = picture;
  const { key } = lookedAt(picture);
  const [count, across] = [data.words.length, data.v[0].length];
  return {
    q: [want.row, 0, 1, across],
    k: [key, 0, 1, across],
    weights: [want.row, 0, 1, count],
    v: [0, want.col, count, 1],
    output: [want.row, want.col, 1, 1],
  };
}

// A curve from the side of one rectangle to the side of another that looks at it.
function join([x, y, width, height], [toX, toY, toWidth, toHeight]) {
  const [start, end] = [
    [x + width, y + height / 2],
    [toX, toY + toHeight / 2],
  ];
  if (start[0] <= end[0]) {
    const middle = (start[0] + end[0]) / 2;
    return `M${start}C${middle},${start[1]} ${middle},${end[1]} ${end}`;
  }
  const boxes = [
    [x + width / 2, y, height],
    [toX + toWidth / 2, toY, toHeight],
  ].sort((one, other) => one[1] - other[1]);
  const [[upper, top, high], [lower, low]] = boxes;
  const middle = (top + high + low) / 2;
  return `M${upper},${top + high}C${upper},${middle} ${lower},${middle} ${lower},${low}`;
}

// ---- formulas and words ----------------------------------------------------------------------------

const wordOf = ({ data }, place) => `“${data.words[place]}”`;

function tell(picture) {
  const { want } = picture;
  const asked = JSON.stringify([want.row, want.col, want.key]) + picture.shown;
  if (picture.written !== asked) {
    picture.written = asked;
    const held =
      picture.formulas.contains(document.activeElement) && document.activeElement.dataset.name;
    picture.formulas.replaceChildren(...formulasOf(picture));
    if (held)
      picture.formulas.querySelector(`[data-name="${held}"]`)?.focus({ preventScroll: true });
  }
  light(picture);
  speak(picture, sentenceOf(picture));
}

function formulasOf(picture) {
  const { data, want, words } = picture;
  const said = {
    word: wordOf(picture, want.row),
    key: wordOf(picture, want.key),
    col: picture.write.whole(want.col),
  };
  const first = formula(fill(words.sum, said), sumOf(picture));
  if (data.logits[want.row][want.key] === null)
    return [first, formula(fill(words.hidden, said), [])];
  const isBiased = data.bias[want.row].some((one) => one);
  const rest = fill(isBiased ? words.biased : words.scaled, {
    width: data.q[0].length,
  });
  return [
    first,
    formula(fill(words.weight, said), shareOf(picture)),
    formula(fill(words.score, { ...said, rest }), scoreOf(picture)),
  ];
}

const formula = (what, parts) =>
  element(
    "div",
    { class: "formula" },
    element("span", { class: "what" }, what),
    ...parts.map((part) => (typeof part === "string" ? element("span", {}, part) : part)),
  );
const number = (name, text) => element("span", { class: name }, text);

// A product that lights its cells while it is pointed at or has the focus; pressed, its key is chosen.
function term(picture, name, hint, [left, one], [right, other], said) {
  const made = element(
    "button",
    { type: "button", "data-name": name, "aria-label": said },
    number(left, one),
    " · ",
    number(right, other),
  );
  const look = (at) => () => {
    picture.hint = at;
    changed(picture);
  };
  for (const event of ["pointerenter", "focus"]) made.addEventListener(event, look(hint));
  for (const event of ["pointerleave", "blur"]) made.addEventListener(event, look(null));
  made.addEventListener("click", () => hint.channel === undefined && go(picture, hint));
  return made;
}

// o = Σ α · v: every term up to eight, else the eight largest and the rest in one.
function sumOf(picture) {
  const { data, want, words, write } = picture,
    weights = data.weights[want.row];
  const seen = data.words.map((_, key) => key).filter((key) => data.logits[want.row][key] !== null);
  const part = (key) => weights[key] * data.v[key][want.col];
  const largest = [...seen]
    .sort((a, b) => Math.abs(part(b)) - Math.abs(part(a)))
    .slice(0, MOST_TERMS);
  const shown = seen.filter((key) => largest.includes(key)),
    hidden = seen.filter((key) => !largest.includes(key));
  const terms = shown.map((key) => {
    const said = {
      weight: write.fixed(weights[key], 4),
      key: wordOf(picture, key),
      value: write.fixed(data.v[key][want.col], 4),
    };
    return term(
      picture,
      `word-${key}`,
      { key },
      ["w", said.weight],
      ["v", bracketed(said.value)],
      fill(words.term, said),
    );
  });
  const parts = between(terms, "+");
  if (hidden.length)
    parts.push(
      "+",
      fill(words.more, {
        count: write.whole(hidden.length),
        rest: write.fixed(
          hidden.reduce((sum, key) => sum + part(key), 0),
          4,
        ),
      }),
    );
  const added = data.mixed[want.row][want.col];
  if (added) parts.push("+", fill(words.added, { rest: write.fixed(added, 4) }));
  return [...parts, "=", element("b", {}, write.fixed(data.output[want.row][want.col], 4))];
}

// α = e^l / Σ e^l
function shareOf({ data, want, write }) {
  const logits = data.logits[want.row],
    seen = logits.filter((one) => one !== null);
  const power = (logit) => element("span", {}, "e", element("sup", {}, write.fixed(logit, 4)));
  const terms = between(seen.slice(0, MOST_TERMS).map(power), "+");
  if (seen.length > MOST_TERMS) terms.push("+", "…");
  return [
    power(logits[want.key]),
    "/ (",
    ...terms,
    ")",
    "=",
    element("b", {}, write.fixed(data.weights[want.row][want.key], 4)),
  ];
}

// l = (Σ q · k) / √d + b
function scoreOf(picture) {
  const { data, want, words, write } = picture,
    query = data.q[want.row],
    key = data.k[want.key];
  const terms = query.map((one, channel) => {
    const said = {
      channel: write.whole(channel),
      query: write.fixed(one, 4),
      value: write.fixed(key[channel], 4),
    };
    const hint = { key: want.key, channel };
    return term(
      picture,
      `channel-${channel}`,
      hint,
      ["q", said.query],
      ["k", bracketed(said.value)],
      fill(words.product, said),
    );
  });
  const parts = ["(", ...between(terms, "+"), `) / √${query.length}`];
  const bias = data.bias[want.row][want.key];
  if (bias) parts.push(bias < 0 ? "−" : "+", write.fixed(Math.abs(bias), 4));
  return [...parts, "=", element("b", {}, write.fixed(data.logits[want.row][want.key], 4))];
}

const bracketed = (text) => (text.startsWith("−") ? `(${text})` : text);
const between = (parts, sign) => parts.flatMap((part, i) => (i ? [sign, part] : [part]));

// The product whose cells are lit is marked in its formula.
function light(picture) {
  const { key, channel } = lookedAt(picture);
  const name = channel === undefined ? `word-${key}` : `channel-${channel}`;
  for (const made of picture.formulas.querySelectorAll("button"))
    made.classList.toggle("lit-now", made.dataset.name === name);
}

function sentenceOf(picture) {
  const { data, want, words, write } = picture,
    { row, col, key } = want;
  const weight = data.weights[row][key],
    value = data.v[key][col];
  return fill(words.sentence, {
    word: wordOf(picture, row),
    key: wordOf(picture, key),
    col: write.whole(col),
    value: write.fixed(data.output[row][col], 4),
    count: write.whole(data.logits[row].filter((one) => one !== null).length),
    part: write.fixed(weight * value, 4),
    weight: write.fixed(weight, 4),
    v: write.fixed(value, 4),
  });
}
