// Two hands on every dial: the query's at m, the key's at n, and the arc between them, which is all
// that the score sees. Everything moves here; the server is told once when the reader lets go.

import { bar, button, check, choice, files, offer } from "./bar.js";
import { build, curveOf, draw } from "./hands-drawing.js";
import { addUp, both, go, play, stop } from "./hands-moves.js";
import { HANDS } from "./hands-style.js";
import { alive, done, lay, speak, wake } from "./life.js";
import { TURN, clamp, element, fill, set } from "./tools.js";

export default alive({
  name: "hands",
  style: HANDS,
  glide: 70,
  make,
  take,
  build,
  aim,
  draw,
  tell,
  leave,
});

// ---- one picture -----------------------------------------------------------------------------

function make(picture, data) {
  set(picture.svg, { role: "group" });
  picture.followed = element("p", { class: "followed" });
  const words = element("div", { class: "words" }, picture.followed, picture.sentence);
  return [makeBar(picture, data), makeNumbers(picture), picture.svg, words];
}

function leave(picture) {
  stop(picture);
  clearInterval(picture.adding);
}

// Another length or head: places stay where they are possible, and nothing glides there.
function take(picture, isNew) {
  const { data } = picture;
  if (!isNew) return;
  picture.upto = data.pairs;
  picture.before = { key: [], query: [] };
  Object.assign(picture.want, within(picture, picture.want));
  // A single pair of channels has fewer methods.
  offer(picture, "method", picture.words.method, data.methods, chooses(picture, "method"));
  Object.assign(picture, { curve: null, laid: picture.want.content });
}

function within({ data }, want) {
  const last = data.length - 1;
  const m = clamp(want.m, 0, last);
  const method = data.methods.some(({ id }) => id === want.method)
    ? want.method
    : data.methods[0].id;
  return { m, n: clamp(want.n, 0, m), pair: clamp(want.pair, 0, data.pairs - 1), method };
}

// ---- what moves ------------------------------------------------------------------------------

function aim(picture) {
  const { want, data, upto } = picture;
  const { label, ...content } = data.contents[want.content];
  const method = data.methods.find(({ id }) => id === want.method);
  const asked = `${want.method} ${want.content} ${upto}`;
  Object.assign(picture, { content, method, found: numbersOf(want, data, content, method) });
  if (picture.curve?.asked !== asked) {
    const none = curveOf(picture, data.methods[0], data.pairs);
    picture.curve = { asked, none, ...curveOf(picture, method, upto) };
  }
  if (picture.laid !== want.content) lay(picture);
  const { low, high } = picture.curve;
  const { theta, factor } = method;
  return { m: want.m, n: want.n, factor, theta, ...content, low, high };
}

// ---- buttons and numbers -------------------------------------------------------------------------

function makeBar(picture, data) {
  const { words } = picture;
  const move = (by) => () => {
    stop(picture);
    both(picture, by);
    done(picture, true);
  };
  const buttons = (picture.buttons = {
    back: button(words.bothBack, move(-1)),
    on: button(words.bothOn, move(1)),
    play: button(words.play, () => {
      if (!picture.playing) return play(picture);
      stop(picture);
      done(picture, false);
    }),
    add: button(words.addUp, () => addUp(picture)),
  });
  picture.choices = {
    method: element("fieldset"),
    content: choice(
      "content",
      words.content,
      Object.entries(data.contents).map(([id, { label }]) => ({ id, label })),
      chooses(picture, "content"),
    ),
  };
  return bar(
    element("span", { class: "buttons" }, buttons.back, buttons.on, buttons.play, buttons.add),
    picture.choices.method,
    picture.choices.content,
  );
}

const chooses = (picture, name) => (id) => {
  go(picture, { [name]: id });
  done(picture, true);
};

function makeNumbers(picture) {
  const names = ["query", "key", "distance", "score"];
  picture.numbers = Object.fromEntries(
    names.map((name) => [name, element("output", { class: name, "aria-live": "off" })]),
  );
  return element("div", { class: "numbers" }, ...Object.values(picture.numbers), files(picture));
}

// ---- numbers in words ------------------------------------------------------------------------------

function placesOf({ want, write, data }) {
  const word = (place) => data.words[place] ?? "";
  return {
    m: write.whole(want.m),
    n: write.whole(want.n),
    distance: write.whole(want.m - want.n),
    query: word(want.m),
    key: word(want.n),
  };
}

// The numbers of this place, as posenc has them.
function numbersOf(want, data, content, { theta, factor }) {
  const distance = want.m - want.n;
  const terms = theta.map(
    (one, i) =>
      factor ** 2 *
      (content.dot[i] * Math.cos(distance * one) + content.cross[i] * Math.sin(distance * one)),
  );
  const score = terms.reduce((sum, term) => sum + term, 0) + content.passed;
  const fresh = theta.map((one, i) => (distance * one) % TURN > data.limit[i]);
  return { distance, terms, score, fresh, unseen: fresh.filter(Boolean).length };
}

function tell(picture) {
  const { want, data, words, write, numbers, method, found } = picture;
  const places = { ...placesOf(picture), score: write.fixed(found.score, 4) };
  for (const [name, letter, text, word] of [
    ["query", "q", `m = ${places.m}`, places.query],
    ["key", "k", `n = ${places.n}`, places.key],
  ])
    numbers[name].replaceChildren(element("b", {}, letter), ` ${text} `, element("i", {}, word));
  numbers.distance.textContent = `m − n = ${places.distance}`;
  numbers.score.replaceChildren("(Rₘq)·(Rₙk) = ", element("b", {}, places.score));
  check(picture);
  const values = (pair) => valuesOf(picture, method, found, pair);
  picture.followed.textContent = fill(words.followed, values(want.pair));
  speak(picture, sentenceOf(picture, method, found, places), () => {
    picture.names = Array.from({ length: data.pairs }, (_, pair) =>
      fill(found.fresh[pair] ? words.dialNew : words.dial, values(pair)),
    );
    wake(picture);
  });
}

function valuesOf({ want, write }, { theta }, { distance, terms }, pair) {
  const arc = distance * theta[pair];
  return {
    pair: write.whole(pair),
    theta: write.short(theta[pair], 6),
    arc: write.fixed(arc, 4),
    query: write.fixed(want.m * theta[pair], 4),
    key: write.fixed(want.n * theta[pair], 4),
    cosine: write.fixed(Math.cos(arc), 4),
    term: write.fixed(terms[pair], 4),
  };
}

function sentenceOf(
  { want, data, words, write, content },
  { factor },
  { distance, unseen },
  places,
) {
  const parts = [fill(words.stand, places)];
  const counts = { count: write.whole(unseen), pairs: write.whole(data.pairs) };
  if (unseen) parts.push(fill(words.unseen, counts));
  else if (distance > data.trained && want.method !== "none") parts.push(words.slowed);
  else parts.push(words.covered);
  if (factor !== 1) parts.push(fill(words.factor, { factor: write.fixed(factor ** 2, 4) }));
  if (content.passed) parts.push(fill(words.passed, { passed: write.fixed(content.passed, 4) }));
  return parts.join(" ");
}
