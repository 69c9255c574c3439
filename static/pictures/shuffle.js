// The shuffle: words slide to other places and take their rows of the output along. Without
// positions the rows stay what they are; with an encoding they change on the way, and bars grow.

import { svg } from "../../course/page/lit/lit.js";
import { bar, button, files } from "./bar.js";
import { alive, changed, done, speak } from "./life.js";
import { SHUFFLE } from "./shuffle-style.js";
import { clamp, element, fill, set, shortened } from "./tools.js";

const PHONE = 600; // pixels of the drawing
const NUMBER = 38; // pixels of a cell that has room for its number
const SAME = 1e-9; // of the largest output: below, a difference is rounding
const MOST_WORD = 12; // letters of a word on its tile

export default alive({ name: "shuffle", style: SHUFFLE, glide: 190, make, build, aim, draw, tell });

// ---- one picture -----------------------------------------------------------------------------

function make(picture, data) {
  set(picture.svg, { "aria-hidden": "true" });
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

const chosen = ({ data, want }) =>
  data.encodings.find(({ id }) => id === want.encoding) ?? data.encodings[0];

// Of every row: its place, its numbers, how far they are from those typed.
function aim({ data, want }) {
  const { typed, shuffled } = chosen({ data, want });
  const part = want.way / 100;
  const between = (from, to) => from + (to - from) * part;
  const values = typed.map((row, word) => row.map((one, i) => between(one, shuffled[word][i])));
  return {
    places: data.words.map((_, word) => between(word, data.order.indexOf(word))),
    values,
    gaps: values.map((row, word) => furthest(row, typed[word])),
  };
}

const furthest = (row, other) => Math.max(...row.map((value, i) => Math.abs(value - other[i])));

const gapOf = ({ typed, shuffled }) =>
  Math.max(...typed.map((row, word) => furthest(row, shuffled[word])));

const reachOf = ({ typed, shuffled }) =>
  Math.max(...[...typed, ...shuffled].flat().map(Math.abs), 1e-30);

// ---- drawing --------------------------------------------------------------------------------------

// For a width; `room` is the height that it has to do with, or 0.
function build({ data }, width, room) {
  const count = data.words.length;
  const across = data.encodings[0].typed[0].length;
  const isPhone = width < PHONE;
  const row = room ? clamp((room - 30) / count, 22, 48) : clamp(300 / count, 22, 34);
  const tile = isPhone ? 78 : 112;
  const places = 26;
  const bar = isPhone ? 64 : Math.min(190, width * 0.22);
  const left = places + tile + 10;
  const cells = Math.min(width - places - tile - bar - (isPhone ? 16 : 40), across * 84);
  const bars = left + cells + (isPhone ? 6 : 18);
  const top = 24;
  const largest = Math.max(...data.encodings.map(gapOf), 1e-30);
  const bound = { left, bars, bar: width - bars - 52, largest };
  return { row, tile, places, wide: cells / across, top, ...bound, height: top + row * count + 6 };
}

function draw(picture) {
  const { data, words, write, now, size } = picture;
  const reach = reachOf(chosen(picture));
  const head = (x, text) => svg`<text class="small" x=${x} y="13">${text}</text>`;
  const place = (_, i) =>
    svg`<text class="small" x="0" y=${size.top + (i + 0.5) * size.row + 4}>${write.whole(i)}</text>`;
  return svg`<g>
      ${head(size.places, words.word)}${head(size.left, words.output)}${head(size.bars, words.difference)}
      ${data.words.map(place)}
    </g>
    <g>${now.places.map((_, word) => drawRow(picture, word, reach))}</g>`;
}

function drawRow(picture, word, reach) {
  const { data, write, now, want, size, moves } = picture;
  const { typed, shuffled } = chosen(picture);
  const isThere = !moves && want.way % 100 === 0;
  const high = size.row - 6;
  const text = data.words[word];
  const cell = (value, i) => {
    const x = size.left + i * size.wide;
    const part = clamp(value / reach, -1, 1);
    const share = `${(100 * Math.abs(part)).toFixed(0)}%`;
    // On the way only those numbers are written that stay what they are.
    const isReal = isThere || Math.abs(shuffled[word][i] - typed[word][i]) < SAME * reach;
    return svg`<rect x=${x} y="0" width=${size.wide - 1.5} height=${high} rx="3"
        style=${`fill: color-mix(in srgb, ${part < 0 ? "#2166ac" : "#b2182b"} ${share}, white)`} />
      <text class="number" x=${x + size.wide / 2 - 0.75} y=${high / 2 + 4} text-anchor="middle"
        style=${`fill: ${Math.abs(part) > 0.6 ? "white" : "black"}`}>${isReal && size.wide >= NUMBER ? write.fixed(value, 2) : ""}</text>`;
  };
  const gap = now.gaps[word];
  const wide = Math.max(clamp(gap / size.largest, 0, 1) * size.bar, 1.5);
  const said = gap < SAME * reach ? "0" : isThere ? write.short(gap, 2) : "";
  const y = size.top + now.places[word] * size.row + 3;
  return svg`<g transform=${`translate(0 ${y.toFixed(1)})`}>
    <rect class="tile" x=${size.places} y="0" width=${size.tile} height=${high} rx="6"
      style=${`--hue: ${(data.words.indexOf(text) * 137.5) % 360}`} />
    <text class="word" x=${size.places + 10} y=${high / 2 + 4.5}>${shortened(text, MOST_WORD)}</text>
    ${now.values[word].map(cell)}
    <rect class="bar-of-gap" x=${size.bars} y=${high / 2 - 5} width=${wide.toFixed(1)} height="10" rx="2" />
    <text class="gap" x=${(size.bars + wide + 5).toFixed(1)} y=${high / 2 + 4}>${said}</text>
  </g>`;
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
      : largest < SAME * reachOf(one)
        ? words.same
        : isPlain
          ? words.masked
          : words.changed;
  const sentence = fill(text, { encoding: one.label, difference: write.short(largest, 2) });
  speak(picture, sentence);
}
