// A text that is stretched: its end is dragged beyond the trained length, and a method squeezes the
// marks of some clocks or of all. Nothing is computed here but where lines end: the frequencies of
// every method come from the server, once.

const { search } = new URL(import.meta.url);
const load = (name) => import(name + search);
const [{ alive, changed, done, speak }, tools, { bar, choice, files }, drawing, { STRETCH }] =
  await Promise.all([
    load("./life.js"),
    load("./tools.js"),
    load("./bar.js"),
    load("./stretch-drawing.js"),
    load("./stretch-style.js"),
  ]);
const { checkRadio, clamp, element, fill, handle, nearer, pointerX, radioGroup, set, shape } =
  tools;
const { MOVING, build, lossOf, paint, timesAt } = drawing;

const GLIDE = { end: 60, marks: 150 }; // ms in which two thirds of a way are gone

export default alive({
  name: "stretch",
  style: STRETCH,
  make,
  take,
  build,
  aim,
  step,
  paint,
  tell,
});

// ---- one picture -----------------------------------------------------------------------------

function make(picture) {
  const { svg } = picture;
  set(svg, { role: "group" });
  picture.back = shape(svg, "g", { "aria-hidden": "true" });
  const moving = shape(svg, "g", { "aria-hidden": "true" });
  picture.paths = Object.fromEntries(
    MOVING.map((name) => [name, shape(moving, "path", { class: name })]),
  );
  picture.front = shape(svg, "g", { "aria-hidden": "true" });
  picture.clocks = shape(svg, "g", { role: "radiogroup" });
  radioGroup(
    picture.clocks,
    () => 1,
    (row) => {
      go(picture, { pair: picture.data.clocks[row] });
      done(picture, true);
    },
  );
  picture.strip = shape(svg, "rect", { class: "catch" });
  picture.end = makeEnd(picture);
  picture.strip.addEventListener("pointerdown", (event) => picture.end.grab(event));
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

function makeEnd(picture) {
  const steps = () => picture.data.ticks;
  const made = handle(picture.svg, {
    label: picture.words.end,
    page: steps,
    done: (waits) => done(picture, waits),
    at: (event) => timesAt(picture, pointerX(picture.svg, event)) * steps(),
    range: () => [steps(), picture.want.times * steps(), picture.data.ends * steps()],
    say: () =>
      fill(picture.words.endAt, {
        length: lengthOf(picture),
        times: picture.write.short(picture.want.times, 4),
      }),
    move: (value) => go(picture, { times: value / steps() }),
  });
  made.stem = shape(made, "path", { class: "stem" });
  made.head = shape(made, "g", { class: "head" });
  shape(made.head, "rect", { x: -9, y: -13, width: 18, height: 26, rx: 5 });
  shape(made.head, "path", { d: "M-3,-5V5M3,-5V5" });
  return made;
}

function take(picture, isNew) {
  const { data, want } = picture;
  want.times = clamp(want.times, 1, data.ends);
  if (!isNew) return;
  const factors = [...new Set(data.ways.map(({ factor }) => factor))];
  if (!factors.includes(want.factor)) want.factor = factors[0];
  offer(picture, "method", picture.words.method, data.methods);
  offer(
    picture,
    "factor",
    picture.words.factor,
    factors.map((factor) => ({ id: String(factor), label: picture.write.short(factor, 4) })),
  );
  picture.now = null; // another head begins where it comes to rest
  aim(picture);
}

// The offers change with the head: a single pair has fewer methods.
function offer(picture, name, legend, options) {
  const offered = options.map(({ label }) => label).join();
  if (picture.choices[name].dataset.offered === offered) return;
  const made = choice(name, legend, options, (id) => {
    go(picture, { [name]: name === "factor" ? Number(id) : id });
    done(picture, true);
  });
  made.dataset.offered = offered;
  picture.choices[name].replaceWith(made);
  picture.choices[name] = made;
}

function go(picture, change) {
  Object.assign(picture.want, change);
  changed(picture);
}

// ---- what moves ------------------------------------------------------------------------------

const wayOf = ({ data, want }) =>
  data.ways.find(({ method, factor }) => method === want.method && factor === want.factor);

// What every pair reads of a text: how far its marks stand apart, and how far it is turned.
function aim(picture) {
  const { data, want } = picture,
    { theta } = wayOf(picture);
  const squeeze = theta.map((one, i) => one / data.theta[i]);
  picture.goal = { times: want.times, squeeze };
  picture.now ??= { times: want.times, squeeze: Float64Array.from(squeeze) };
  const last = Math.round(want.times * data.trained) - 1;
  picture.found = theta.map((one, i) => ({
    reached: last * one,
    isNew: last * one > data.limit[i],
  }));
}

function step(picture, share) {
  const { now, goal, data } = picture;
  let moves = false;
  const glide = (from, to, part, near) => {
    const next = nearer(from, to, part, near);
    moves ||= next !== to;
    return next;
  };
  now.times = glide(now.times, goal.times, share(GLIDE.end), 0.0005 * data.ends);
  goal.squeeze.forEach((to, i) => {
    now.squeeze[i] = glide(now.squeeze[i], to, share(GLIDE.marks), 0.0005);
  });
  return moves;
}

// ---- in words --------------------------------------------------------------------------------

const lengthOf = ({ data, want, write }) => write.whole(want.times * data.trained);

function tell(picture) {
  const { data, want, words, write, found, numbers, choices } = picture;
  for (const [name, group] of Object.entries(choices)) {
    for (const input of group.querySelectorAll("input"))
      input.checked = input.value === String(want[name]);
  }
  choices.factor.disabled = want.method === "none";
  picture.end.announce();
  checkRadio(picture.clocks, data.clocks.indexOf(want.pair));
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

function readOf({ data, want, words, write, goal }, places) {
  if (want.method === "none") return want.times === 1 ? words.short : fill(words.plain, places);
  const slowed = (squeeze) => write.short(1 / squeeze, 3);
  const fast = slowed(goal.squeeze[0]),
    slow = slowed(goal.squeeze.at(-1));
  const method = data.methods.find(({ id }) => id === want.method).label;
  const text = fast === slow ? words.same : fast === write.short(1, 3) ? words.kept : words.both;
  return fill(text, { method, fast, slow });
}

function nameClocks({ data, words, write, clocks, goal, found }) {
  data.clocks.forEach((pair, row) => {
    const { reached, isNew } = found[pair];
    const said = {
      pair: write.whole(pair),
      seen: write.short((data.trained - 1) * data.theta[pair], 4),
      reached: write.short(reached, 4),
      slowed: write.short(1 / goal.squeeze[pair], 3),
    };
    clocks.children[row].setAttribute(
      "aria-label",
      fill(isNew ? words.clockNew : words.clock, said),
    );
  });
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
