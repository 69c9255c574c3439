// Two positions against each other: their rows of the sinusoidal table as strips of colour, beside
// what one number for each place would be; their binary digits and their waves on dials; a word with
// either row added; and the score of the two. All of it moves here while a position is dragged.

import { bar, button, check, choice, files } from "./bar.js";
import { alive, changed, done, lay, speak } from "./life.js";
import { build, draw } from "./odometer-drawing.js";
import { play, stop } from "./odometer-moves.js";
import { ODOMETER } from "./odometer-style.js";
import { clamp, element, fill, set } from "./tools.js";
import { bitsOf, digitAt, rowAt, tableOf, termsOf } from "./waves.js";

export default alive({
  name: "odometer",
  style: ODOMETER,
  glide: 80,
  make,
  take,
  build,
  aim,
  draw,
  tell,
  leave: stop,
});

// ---- one picture -----------------------------------------------------------------------------

function make(picture, data) {
  set(picture.svg, { role: "group" });
  picture.id = `wheels-${Math.random().toString(36).slice(2)}`;
  picture.followed = element("p", { class: "followed" });
  const words = element("div", { class: "words" }, picture.followed, picture.sentence);
  return [makeBar(picture, data), makeNumbers(picture), picture.svg, words];
}

function makeBar(picture, data) {
  const { words } = picture;
  const both = (by) => () => {
    const { a, b } = picture.want;
    const shift = clamp(by, -Math.min(a, b), data.length - 1 - Math.max(a, b));
    stop(picture);
    go(picture, { a: a + shift, b: b + shift });
    done(picture, true);
  };
  picture.player = button(words.play, () => {
    if (!picture.playing) return play(picture);
    stop(picture);
    done(picture, false);
  });
  picture.choices = {
    words: choice(
      "words",
      words.words,
      Object.entries(data.contents).map(([id, { label }]) => ({ id, label })),
      (id) => {
        go(picture, { words: id });
        done(picture, true);
      },
    ),
  };
  return bar(
    element(
      "span",
      { class: "buttons" },
      button(words.bothBack, both(-1)),
      button(words.bothOn, both(1)),
      picture.player,
    ),
    picture.choices.words,
    files(picture),
  );
}

function makeNumbers(picture) {
  const names = ["first", "second", "one", "many", "score"];
  picture.numbers = Object.fromEntries(
    names.map((name) => [name, element("output", { class: name, "aria-live": "off" })]),
  );
  return element("div", { class: "numbers" }, ...Object.values(picture.numbers));
}

// ---- what the server says ------------------------------------------------------------------------

function take(picture, isNew) {
  if (!isNew) return;
  const { data, want } = picture;
  const last = data.length - 1;
  Object.assign(want, { a: clamp(want.a, 0, last), b: clamp(want.b, 0, last) });
  picture.table = tableOf(data, data.length);
  Object.assign(picture, { before: {}, laid: want.words });
}

// ---- what moves ------------------------------------------------------------------------------------

function aim(picture) {
  const { data, want } = picture;
  const [first, second] = data.contents[want.words].vectors;
  picture.found = numbersOf(picture);
  if (picture.laid !== want.words) lay(picture); // other words, another height of the curve
  return { a: want.a, b: want.b, first, second };
}

// ---- what the reader does ------------------------------------------------------------------------

function go(picture, change) {
  Object.assign(picture.want, change);
  changed(picture);
}

// ---- numbers in words ------------------------------------------------------------------------------

// The numbers of these places, as posenc has them.
function numbersOf({ want: { a, b, words, column }, data }) {
  const [first, second] = data.contents[words].vectors;
  const rowA = rowAt(data, a),
    rowB = rowAt(data, b);
  const terms = termsOf(first, second, rowA, rowB);
  const bits = Array.from(
    { length: bitsOf(data.length) },
    (_, bit) => digitAt(a, bit).digit !== digitAt(b, bit).digit,
  );
  return {
    rowA,
    rowB,
    terms,
    bits,
    column: clamp(column, 0, data.theta.length - 1),
    score: terms.reduce((sum, term) => sum + term, 0),
    one: Math.abs(a - b) / data.length,
    largest: Math.max(...rowA.map((value, i) => Math.abs(value - rowB[i]))),
  };
}

function tell(picture) {
  const { want, data, words, write, numbers, found } = picture;
  const { column } = found;
  const four = (value) => write.fixed(value, 4);
  const said = {
    a: write.whole(want.a),
    b: write.whole(want.b),
    one: four(found.one),
    largest: four(found.largest),
    width: write.whole(data.theta.length),
    length: write.whole(data.length),
    score: four(found.score),
    count: write.whole(found.bits.filter(Boolean).length),
    bits: write.whole(found.bits.length),
    word: four(found.terms[0]),
    place: four(found.terms[3]),
    column: write.whole(column),
    first: four(found.rowA[column]),
    second: four(found.rowB[column]),
    difference: four(found.rowB[column] - found.rowA[column]),
  };
  numbers.first.replaceChildren("p = ", element("b", {}, said.a));
  numbers.second.replaceChildren("p = ", element("b", {}, said.b));
  for (const name of ["one", "many", "score"])
    numbers[name].textContent = fill(words[`${name}Number`], said);
  check(picture);
  picture.followed.textContent = fill(words.followed, said);
  const parts =
    want.a === want.b ? [words.same, words.score] : [words.stand, words.digits, words.score];
  speak(picture, parts.map((text) => fill(text, said)).join(" "));
}
