// A text that is stretched: its end is dragged beyond the trained length, and a method squeezes the
// marks of some clocks or of all. Nothing is computed here but where lines end: the frequencies of
// every method come from the server, once.

import { bar, check, files, offer } from "./bar.js";
import { alive, changed, done, speak, wake } from "./life.js";
import { build, draw, lossOf } from "./stretch-drawing.js";
import { STRETCH } from "./stretch-style.js";
import { clamp, element, fill, set } from "./tools.js";

export default alive({
  name: "stretch",
  style: STRETCH,
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
  const { svg } = picture;
  set(svg, { role: "group" });
  picture.choices = { method: element("fieldset"), factor: element("fieldset") };
  picture.numbers = Object.fromEntries(
    ["length", "new"].map((name) => [name, element("output", { class: name, "aria-live": "off" })]),
  );
  picture.measured = element("p", { class: "measured" });
  return [
    bar(picture.choices.method, picture.choices.factor),
    element("div", { class: "numbers" }, ...Object.values(picture.numbers), files(picture)),
    svg,
    element("div", { class: "words" }, picture.sentence, picture.measured),
  ];
}

function take(picture, isNew) {
  const { data, want } = picture;
  want.times = clamp(want.times, 1, data.ends);
  if (!isNew) return;
  const factors = [...new Set(data.ways.map(({ factor }) => factor))];
  if (!factors.includes(want.factor)) want.factor = factors[0];
  const choose = (change) => {
    Object.assign(picture.want, change);
    changed(picture);
    done(picture, true);
  };
  // The offers change with the head: a single pair has fewer methods.
  const { words, write } = picture;
  const labels = factors.map((factor) => ({ id: String(factor), label: write.short(factor, 4) }));
  offer(picture, "method", words.method, data.methods, (method) => choose({ method }));
  offer(picture, "factor", words.factor, labels, (id) => choose({ factor: Number(id) }));
}

// ---- what moves ------------------------------------------------------------------------------

const wayOf = ({ data, want }) =>
  data.ways.find(({ method, factor }) => method === want.method && factor === want.factor);

// What every pair reads of a text: how far its marks stand apart, and how far it is turned.
function aim(picture) {
  const { data, want } = picture;
  const { theta } = wayOf(picture);
  const last = Math.round(want.times * data.trained) - 1;
  picture.found = theta.map((one, i) => ({
    reached: last * one,
    isNew: last * one > data.limit[i],
  }));
  picture.squeeze = theta.map((one, i) => one / data.theta[i]);
  return { times: want.times, squeeze: picture.squeeze };
}

// ---- in words --------------------------------------------------------------------------------

const lengthOf = ({ data, want, write }) => write.whole(want.times * data.trained);

function tell(picture) {
  const { data, want, words, write, found, numbers, choices } = picture;
  check(picture);
  choices.factor.disabled = want.method === "none";
  const count = found.filter(({ isNew }) => isNew).length;
  const places = {
    length: lengthOf(picture),
    times: write.short(want.times, 4),
    trained: write.whole(data.trained),
    count: write.whole(count),
    pairs: write.whole(found.length),
  };
  numbers.length.textContent = fill(words.lengthNow, places);
  numbers.new.classList.toggle("none", !count);
  numbers.new.replaceChildren(
    ...emphasised(fill(words.newCount, { ...places, count: "\n" }), places.count),
  );
  picture.measured.textContent = measuredOf(picture);
  speak(
    picture,
    [readOf(picture, places), count ? fill(words.new, places) : words.covered].join(" "),
    () => nameClocks(picture),
  );
}

// A text with its one number in bold where there is a line break.
function emphasised(text, number) {
  const [before, after] = text.split("\n");
  return [before, element("b", {}, number), after];
}

function readOf({ data, want, words, write, squeeze }, places) {
  if (want.method === "none") return want.times === 1 ? words.short : fill(words.plain, places);
  const slowed = (one) => write.short(1 / one, 3);
  const [fast, slow] = [slowed(squeeze[0]), slowed(squeeze.at(-1))];
  const method = data.methods.find(({ id }) => id === want.method).label;
  const text = fast === slow ? words.same : fast === write.short(1, 3) ? words.kept : words.both;
  return fill(text, { method, fast, slow });
}

function nameClocks(picture) {
  const { data, words, write, squeeze, found } = picture;
  picture.names = data.clocks.map((pair) => {
    const { reached, isNew } = found[pair];
    return fill(isNew ? words.clockNew : words.clock, {
      pair: write.whole(pair),
      seen: write.short((data.trained - 1) * data.theta[pair], 4),
      reached: write.short(reached, 4),
      slowed: write.short(1 / squeeze[pair], 3),
    });
  });
  wake(picture);
}

// ---- what was measured -----------------------------------------------------------------------

function measuredOf(picture) {
  const { data, want, words, write } = picture,
    { measured } = data;
  const plain = lossOf(measured, "none", 1),
    slide = lossOf(measured, "slide", 1);
  const one = want.method === "none" ? plain : lossOf(measured, want.method, want.factor);
  const named = (way) =>
    `${data.methods.find(({ id }) => id === way.method).label} ×${write.short(way.factor, 4)}`;
  const others = measured.ways
    .filter(({ method }) => method === want.method)
    .map(named)
    .join(", ");
  const places = {
    model: measured.title,
    texts: measured.texts,
    trained: write.whole(measured.trained),
    end: write.whole(measured.end),
    plain: write.fixed(plain.behind, 2),
    window: write.fixed(slide.behind, 2),
    way: named(want),
    ways: others,
  };
  const parts = [];
  if (!one) parts.push(fill(others ? words.unmeasuredBut : words.unmeasured, places));
  if (!one || want.method === "none") parts.push(fill(words.lostPlain, places));
  else {
    parts.push(
      fill(words.lost, {
        ...places,
        bits: write.fixed(one.behind, 2),
        gain: write.fixed(one.gain, 2),
        low: write.fixed(one.gainLow, 2),
        high: write.fixed(one.gainHigh, 2),
      }),
    );
  }
  if (want.times * measured.trained > measured.end) parts.push(fill(words.behind, places));
  return parts.join(" ");
}
