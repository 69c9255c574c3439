// Where a number comes from: an output is clicked, and its row of weights, its column of V, its
// query and a key light up; each product of the formula lights the cells that it is made of.

const { search } = new URL(import.meta.url);
const load = (name) => import(name + search);
const [{ alive, changed, done, speak }, tools, { bar, files }, { ORIGIN }] = await Promise.all([
  load("./life.js"),
  load("./tools.js"),
  load("./bar.js"),
  load("./origin-style.js"),
]);
const { box, clamp, element, fill, nearer, set, shape } = tools;

const GLIDE = 80; // ms in which two thirds of the way are gone
const PHONE = 600; // pixels of the drawing
const NUMBER = 36; // pixels of a cell that has room for its number
const MOST_TERMS = 8; // that a formula prints
const MOST_WORD = 10; // letters of a word beside its row
const HEAD = 20;
// What is lit up: the whole rows and columns, then the cells of one product.
const LIT = ["q", "k", "weights", "v", "output"];

export default alive({ name: "origin", style: ORIGIN, make, take, build, aim, step, paint, tell });

// ---- one picture -----------------------------------------------------------------------------

function make(picture) {
  const { svg } = picture;
  set(svg, { role: "group" });
  const joins = shape(svg, "g", { "aria-hidden": "true" }); // behind the cells, whose numbers stay clear
  picture.back = shape(svg, "g", { "aria-hidden": "true" });
  picture.joins = Object.fromEntries(
    ["q", "k", "w", "v"].map((name) => [
      name,
      shape(joins, "path", { class: `joins ${name}-joins` }),
    ]),
  );
  picture.grid = shape(svg, "g", { role: "grid" });
  const front = shape(svg, "g", { "aria-hidden": "true", "pointer-events": "none" });
  picture.lit = Object.fromEntries(
    LIT.map((name) => [name, shape(front, "rect", { class: `lit ${name}`, rx: 3 })]),
  );
  picture.products = shape(front, "path", { class: "product" });
  picture.formulas = element("div", { class: "formulas" });
  picture.grid.addEventListener("click", ({ target }) => {
    const cell = target.closest("[role=gridcell]");
    if (cell) go(picture, { row: Number(cell.dataset.row), col: Number(cell.dataset.col) }, true);
  });
  picture.grid.addEventListener("keydown", (event) => onKey(picture, event));
  return [
    bar(files(picture)),
    svg,
    picture.formulas,
    element("div", { class: "words" }, picture.sentence),
  ];
}

function take(picture, isNew) {
  const { data, want } = picture,
    words = data.words.length;
  want.row = clamp(want.row, 0, words - 1);
  want.col = clamp(want.col, 0, data.v[0].length - 1);
  want.key = clamp(want.key, 0, words - 1);
  if (isNew) picture.now = null;
}

function onKey(picture, event) {
  const { want, data } = picture;
  const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[
    event.key
  ];
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
  if (takesFocus)
    cellOf(picture, picture.want.row, picture.want.col).focus({ preventScroll: true });
  done(picture, true);
}

const cellOf = ({ grid }, row, col) => grid.children[row].children[col];

// ---- where everything stands -------------------------------------------------------------------

// Five matrices in a row; on a phone query and key stand below.
function sizes(width, { words, v }, room) {
  const count = words.length,
    across = v[0].length;
  const phone = width < PHONE;
  const label = phone ? 54 : 84,
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
  const wide = Math.min((width - label - gap * (parts.length - 1) - 2) / cells, 58);
  const rows = phone ? 2 : 1;
  const most = room ? (room - rows * (HEAD + 14)) / (rows * count) : 400 / count;
  const high = clamp(most, room ? 11 : 17, room ? 64 : 30);
  const size = { width, wide, high, label, places: {} };
  let x = label;
  for (const [name, columns] of parts) {
    size.places[name] = { x, y: HEAD, columns };
    x += columns * wide + gap;
  }
  if (phone) {
    const y = HEAD + count * high + HEAD + 14;
    size.places.q = { x: label, y, columns: across };
    size.places.k = { x: label + across * wide + 3 * gap, y, columns: across };
  }
  size.height = (phone ? size.places.q.y : HEAD) + count * high + 8;
  return size;
}

const boxOf = ({ size: { places, wide, high } }, name, row, col, rows = 1, columns = 1) => ({
  x: places[name].x + col * wide,
  y: places[name].y + row * high,
  width: columns * wide,
  height: rows * high,
});

function build(picture, width, room) {
  const { svg, back, grid, data } = picture;
  const size = (picture.size = sizes(width, data, room));
  set(svg, { width, height: size.height });
  back.replaceChildren();
  for (const name of LIT) buildMatrix(picture, name);
  for (const y of new Set(Object.values(size.places).map((place) => place.y)))
    labelRows(picture, y);
  grid.setAttribute("aria-label", picture.words.grid);
  picture.now = null;
  aim(picture);
  return size.height;
}

function buildMatrix(picture, name) {
  const { back, grid, data, size, words, write } = picture,
    { x, y, columns } = size.places[name];
  shape(back, "text", { class: "head", x, y: y - 7 }, words[name]);
  const isOutput = name === "output";
  const reach = Math.max(...data[name].flat().map(Math.abs), 1e-30);
  if (isOutput) grid.replaceChildren();
  data[name].forEach((values, row) => {
    const line = isOutput ? shape(grid, "g", { role: "row" }) : back;
    values.slice(0, columns).forEach((value, col) => {
      const place = boxOf(picture, name, row, col);
      const cell = isOutput
        ? shape(line, "g", {
            role: "gridcell",
            class: "cell",
            tabindex: -1,
            "data-row": row,
            "data-col": col,
            "aria-label": fill(words.cell, {
              word: wordOf(picture, row),
              col: write.whole(col),
              value: write.fixed(value, 4),
            }),
          })
        : line;
      shape(cell, "rect", {
        x: place.x,
        y: place.y,
        width: place.width - 1.2,
        height: place.height - 1.2,
        rx: 2,
        style: colourOf(name, value / reach),
      });
      if (size.wide < NUMBER) return;
      const text = shape(
        cell,
        "text",
        {
          class: "number",
          x: place.x + place.width / 2,
          y: place.y + place.height / 2 + 4,
          "text-anchor": "middle",
        },
        write.fixed(value, 2),
      );
      text.style.fill = Math.abs(value / reach) > 0.6 ? "white" : "black";
    });
  });
}

// Weights are shares, from white to dark; the others are red and blue.
function colourOf(name, part) {
  const colour = name === "weights" ? "#5a5a5a" : part < 0 ? "#2166ac" : "#b2182b";
  return `fill: color-mix(in srgb, ${colour} ${(100 * Math.min(Math.abs(part), 1)).toFixed(0)}%, white)`;
}

function labelRows({ back, data, size }, y) {
  data.words.forEach((word, row) => {
    const text = word.length > MOST_WORD ? word.slice(0, MOST_WORD - 1) + "…" : word;
    shape(
      back,
      "text",
      {
        class: "small",
        x: size.label - 8,
        y: y + (row + 0.5) * size.high + 4,
        "text-anchor": "end",
      },
      text,
    );
  });
}

// ---- what is lit up ------------------------------------------------------------------------------

// The chosen key, or that of the product which is pointed at; with a channel, one of q · k.
const lookedAt = ({ want, hint }) => ({ key: want.key, ...hint });

function aim(picture) {
  const { data, want } = picture,
    count = data.words.length,
    across = data.v[0].length,
    { key } = lookedAt(picture);
  if (!picture.size) return;
  picture.goal = {
    q: boxOf(picture, "q", want.row, 0, 1, across),
    k: boxOf(picture, "k", key, 0, 1, across),
    weights: boxOf(picture, "weights", want.row, 0, 1, count),
    v: boxOf(picture, "v", 0, want.col, count, 1),
    output: boxOf(picture, "output", want.row, want.col),
  };
  picture.now ??= structuredClone(picture.goal);
}

function step(picture, share) {
  const { now, goal } = picture,
    part = share(GLIDE);
  let moves = false;
  for (const name of LIT) {
    for (const side of Object.keys(goal[name])) {
      now[name][side] = nearer(now[name][side], goal[name][side], part, 0.2);
      moves ||= now[name][side] !== goal[name][side];
    }
  }
  return moves;
}

function paint(picture) {
  const { now, lit, joins, products, want } = picture,
    { key, channel } = lookedAt(picture);
  for (const name of LIT) {
    const { x, y, width, height } = now[name];
    set(lit[name], { x: x - 1, y: y - 1, width: width + 1, height: height + 1 });
  }
  const weight = boxOf(picture, "weights", want.row, key);
  joins.q.setAttribute("d", join(now.q, weight));
  joins.k.setAttribute("d", join(now.k, weight));
  joins.w.setAttribute("d", join(now.weights, now.output));
  joins.v.setAttribute("d", join(now.v, now.output));
  const cells =
    channel === undefined
      ? [weight, boxOf(picture, "v", key, want.col)]
      : [boxOf(picture, "q", want.row, channel), boxOf(picture, "k", key, channel)];
  products.setAttribute(
    "d",
    cells.map(({ x, y, width, height }) => box(x, y, width - 1, height - 1)).join(""),
  );
}

// A curve from the side of one rectangle to the side of another that looks at it.
function join(from, to) {
  const right = { x: from.x + from.width, y: from.y + from.height / 2 };
  const end = { x: to.x, y: to.y + to.height / 2 };
  if (right.x <= end.x) {
    const bend = (end.x - right.x) / 2;
    return `M${right.x},${right.y}C${right.x + bend},${right.y} ${end.x - bend},${end.y} ${end.x},${end.y}`;
  }
  const [top, low] = from.y < to.y ? [from, to] : [to, from];
  const x = top.x + top.width / 2,
    y = top.y + top.height,
    toX = low.x + low.width / 2;
  return `M${x},${y}C${x},${(y + low.y) / 2} ${toX},${(y + low.y) / 2} ${toX},${low.y}`;
}

// ---- formulas and words ----------------------------------------------------------------------------

const wordOf = ({ data }, place) => `“${data.words[place]}”`;

function tell(picture) {
  const { want, grid } = picture;
  [...grid.children].forEach((line, row) =>
    [...line.children].forEach((cell, col) => {
      const isChosen = row === want.row && col === want.col;
      set(cell, { tabindex: isChosen ? 0 : -1, "aria-selected": isChosen });
    }),
  );
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
  const rest = fill(isBiased ? words.biased : words.scaled, { width: data.q[0].length });
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
