// The shuffle: words slide to other places and take their rows of the output along. Without
// positions the rows stay what they are; with an encoding they change on the way, and bars grow.

const { search } = new URL(import.meta.url);
const load = (name) => import(name + search);
const [{ alive, changed, done, speak }, tools, { bar, button, files }, { SHUFFLE }] =
  await Promise.all([
    load("./life.js"),
    load("./tools.js"),
    load("./bar.js"),
    load("./shuffle-style.js"),
  ]);
const { clamp, element, fill, nearer, set, shape } = tools;

const GLIDE = 190; // ms in which two thirds of the way are gone
const PHONE = 600; // pixels of the drawing
const NUMBER = 38; // pixels of a cell that has room for its number
const SAME = 1e-9; // of the largest output: below, a difference is rounding
const MOST_WORD = 12; // letters of a word on its tile

export default alive({ name: "shuffle", style: SHUFFLE, make, build, aim, step, paint, tell });

// ---- one picture -----------------------------------------------------------------------------

function make(picture, data) {
  set(picture.svg, { "aria-hidden": "true" });
  picture.back = shape(picture.svg, "g");
  picture.lines = shape(picture.svg, "g");
  picture.rows = [];
  return [
    makeBar(picture, data),
    picture.svg,
    element("div", { class: "words" }, picture.sentence),
  ];
}

function makeBar(picture, data) {
  const { words } = picture;
  picture.move = button(words.shuffle, () => go(picture, { way: picture.want.way < 50 ? 100 : 0 }));
  picture.slider = element("input", { type: "range", min: 0, max: 100, "aria-label": words.way });
  picture.slider.addEventListener("input", () =>
    go(picture, { way: Number(picture.slider.value) }),
  );
  const options = data.encodings.map(({ id, label }) => element("option", { value: id }, label));
  picture.encoding = element("select", { "aria-label": words.encoding }, ...options);
  picture.encoding.addEventListener("change", () =>
    go(picture, { encoding: picture.encoding.value }),
  );
  const way = element(
    "label",
    { class: "way" },
    element("span", {}, words.typed),
    picture.slider,
    element("span", {}, words.shuffled),
  );
  const encoding = element(
    "label",
    { class: "encoding" },
    element("span", {}, words.encoding),
    picture.encoding,
  );
  return bar(picture.move, way, encoding, files(picture));
}

// ---- what the reader does -------------------------------------------------------------------------

function go(picture, change) {
  Object.assign(picture.want, change);
  changed(picture);
  done(picture, true);
}

const placeOf = ({ data }, word) => data.order.indexOf(word);
const placeAt = (picture, word) => {
  const part = picture.want.way / 100;
  return word + (placeOf(picture, word) - word) * part;
};
const chosen = ({ data, want }) =>
  data.encodings.find(({ id }) => id === want.encoding) ?? data.encodings[0];

// What every row comes to rest at: its place, its numbers, how far they are from those typed.
function goal(picture) {
  const { typed, shuffled } = chosen(picture),
    part = picture.want.way / 100;
  return picture.data.words.map((_, word) => {
    const values = typed[word].map((value, i) => value + (shuffled[word][i] - value) * part);
    const gaps = values.map((value, i) => Math.abs(value - typed[word][i]));
    return { place: placeAt(picture, word), values, gap: Math.max(...gaps) };
  });
}

const gapOf = ({ typed, shuffled }) =>
  Math.max(
    ...typed.flatMap((row, word) => row.map((value, i) => Math.abs(shuffled[word][i] - value))),
  );

const reachOf = ({ typed, shuffled }) =>
  Math.max(...[...typed, ...shuffled].flat().map(Math.abs), 1e-30);

function aim(picture) {
  picture.reach = reachOf(chosen(picture));
  picture.goal = goal(picture);
}

function step(picture, share) {
  const part = share(GLIDE);
  let moves = false;
  picture.goal.forEach((wanted, word) => {
    const row = picture.rows[word];
    const glide = (now, want, near) => {
      const next = nearer(now, want, part, near);
      moves ||= next !== want;
      return next;
    };
    row.place = glide(row.place, wanted.place, 0.002);
    row.values = wanted.values.map((value, i) =>
      glide(row.values[i], value, 0.002 * picture.reach),
    );
    row.gap = glide(row.gap, wanted.gap, 0.001 * picture.reach);
  });
  return moves;
}

// ---- drawing --------------------------------------------------------------------------------------

// For a width; `room` is the height that it has to do with, or 0.
function build(picture, width, room) {
  const { svg, back, lines, data, words, write } = picture;
  const count = data.words.length,
    across = data.encodings[0].typed[0].length;
  const phone = width < PHONE;
  const row = room ? clamp((room - 30) / count, 22, 48) : clamp(300 / count, 22, 34),
    tile = phone ? 78 : 112,
    places = 26;
  const bar = phone ? 64 : Math.min(190, width * 0.22);
  const cells = Math.min(width - places - tile - bar - (phone ? 16 : 40), across * 84);
  const size = (picture.size = { row, tile, places, cells, wide: cells / across, top: 24, across });
  size.bars = places + tile + 10 + cells + (phone ? 6 : 18);
  size.bar = width - size.bars - 52;
  set(svg, { width, height: size.top + row * count + 6 });
  back.replaceChildren();
  const head = (x, text) => shape(back, "text", { class: "small", x, y: 13 }, text);
  head(places, words.word);
  head(places + tile + 10, words.output);
  head(size.bars, words.difference);
  for (let place = 0; place < count; place++) {
    shape(
      back,
      "text",
      { class: "small", x: 0, y: size.top + (place + 0.5) * row + 4 },
      write.whole(place),
    );
  }
  picture.largest = Math.max(...data.encodings.map(gapOf), 1e-30);
  lines.replaceChildren();
  // Words that were there before slide from where they stand.
  const fits = picture.rows.length === count && picture.rows[0].values.length === across;
  if (!fits) picture.rows = goal(picture);
  picture.reach = reachOf(chosen(picture));
  picture.rows.forEach((one, word) => Object.assign(one, drawRow(picture, word)));
  return size.top + row * count + 6;
}

function drawRow({ lines, data, size }, word) {
  const { row, tile, places, wide, across, bars } = size;
  const group = shape(lines, "g");
  const high = row - 6,
    text = data.words[word];
  shape(group, "rect", {
    class: "tile",
    x: places,
    y: 0,
    width: tile,
    height: high,
    rx: 6,
    style: `--hue: ${(data.words.indexOf(data.words[word]) * 137.5) % 360}`,
  });
  shape(
    group,
    "text",
    { class: "word", x: places + 10, y: high / 2 + 4.5 },
    text.length > MOST_WORD ? text.slice(0, MOST_WORD - 1) + "…" : text,
  );
  const cells = Array.from({ length: across }, (_, i) => {
    const x = places + tile + 10 + i * wide;
    return {
      box: shape(group, "rect", { x, y: 0, width: wide - 1.5, height: high, rx: 3 }),
      text: shape(group, "text", {
        class: "number",
        x: x + wide / 2 - 0.75,
        y: high / 2 + 4,
        "text-anchor": "middle",
      }),
    };
  });
  const bar = shape(group, "rect", {
    class: "bar-of-gap",
    x: bars,
    y: high / 2 - 5,
    height: 10,
    rx: 2,
  });
  const gap = shape(group, "text", { class: "gap", y: high / 2 + 4 });
  return { group, cells, bar, gapText: gap };
}

function paint(picture) {
  const { rows, size, reach, largest, want, write } = picture;
  const { typed, shuffled } = chosen(picture),
    isThere = !picture.moves && want.way % 100 === 0;
  rows.forEach(({ group, cells, bar, gapText, place, values, gap }, word) => {
    group.setAttribute("transform", `translate(0 ${(size.top + place * size.row + 3).toFixed(1)})`);
    cells.forEach(({ box, text }, i) => {
      const part = clamp(values[i] / reach, -1, 1);
      box.style.fill = `color-mix(in srgb, ${part < 0 ? "#2166ac" : "#b2182b"} ${(100 * Math.abs(part)).toFixed(0)}%, white)`;
      // On the way only those numbers are written that stay what they are.
      const isReal = isThere || Math.abs(shuffled[word][i] - typed[word][i]) < SAME * reach;
      const number = isReal && size.wide >= NUMBER ? write.fixed(values[i], 2) : "";
      if (text.textContent !== number) text.textContent = number;
      text.style.fill = Math.abs(part) > 0.6 ? "white" : "black";
    });
    const wide = clamp(gap / largest, 0, 1) * size.bar;
    bar.setAttribute("width", Math.max(wide, 1.5).toFixed(1));
    gapText.setAttribute("x", (size.bars + Math.max(wide, 1.5) + 5).toFixed(1));
    const number = gap < SAME * reach ? "0" : isThere ? write.short(gap, 2) : "";
    if (gapText.textContent !== number) gapText.textContent = number;
  });
}

// ---- in words -------------------------------------------------------------------------------------

function tell(picture) {
  const { want, words, write, slider, encoding, move } = picture;
  slider.value = want.way;
  slider.setAttribute(
    "aria-valuetext",
    want.way === 0 ? words.typed : want.way === 100 ? words.shuffled : `${want.way}%`,
  );
  encoding.value = want.encoding;
  move.textContent = want.way < 50 ? words.shuffle : words.back;
  const one = chosen(picture),
    largest = gapOf(one);
  const isPlain = want.encoding === "nope";
  const text =
    want.way === 0
      ? words.before
      : largest < SAME * picture.reach
        ? words.same
        : isPlain
          ? words.masked
          : words.changed;
  const sentence = fill(text, { encoding: one.label, difference: write.short(largest, 2) });
  speak(picture, sentence);
}
