// Two positions against each other: their rows of the sinusoidal table as strips of colour, beside
// what one number for each place would be; their binary digits and their waves on dials; a word with
// either row added; and the score of the two. All of it moves here while a position is dragged.

const { search } = new URL(import.meta.url);
const load = (name) => import(name + search);
const [life, tools, { bar, button, choice, files }, drawing, waves, { ODOMETER }] =
  await Promise.all([
    load("./life.js"),
    load("./tools.js"),
    load("./bar.js"),
    load("./odometer-drawing.js"),
    load("./waves.js"),
    load("./odometer-style.js"),
  ]);
const { alive, changed, done, lay, speak } = life;
const { clamp, element, fill, handle, nearer, pointerX, set, shape } = tools;
const { MOVING, build, paint, show } = drawing;
const { bitsOf, digitAt, rowAt, tableOf, termsOf } = waves;

const BEAT = 900; // ms between two steps of the player
const GLIDE = { place: 80, word: 120 }; // ms in which two thirds of a way are gone

export default alive({
  name: "odometer",
  style: ODOMETER,
  make,
  take,
  build,
  aim,
  step,
  paint,
  tell,
  leave: stop,
});

// ---- one picture -----------------------------------------------------------------------------

function make(picture, data) {
  const { svg, words } = picture;
  set(svg, { role: "group" });
  picture.back = shape(svg, "g", { "aria-hidden": "true" });
  const moving = shape(svg, "g", { "aria-hidden": "true" });
  picture.colours = shape(moving, "g");
  picture.over = shape(moving, "g");
  picture.paths = Object.fromEntries(
    MOVING.map((name) => [name, shape(moving, "path", { class: name })]),
  );
  picture.dot = shape(moving, "circle", { class: "dot", r: 6 });
  picture.ruler = shape(svg, "rect", { class: "catch", x: 0, y: 0 });
  picture.strips = shape(svg, "rect", { class: "catch strips", "aria-hidden": "true" });
  picture.handles = {
    a: makeHandle(picture, "a", words.firstHandle),
    b: makeHandle(picture, "b", words.secondHandle),
  };
  picture.followed = element("p", { class: "followed" });
  const numbers = makeNumbers(picture);
  wire(picture);
  return [
    makeBar(picture, data),
    numbers,
    svg,
    element("div", { class: "words" }, picture.followed, picture.sentence),
  ];
}

function makeHandle(picture, key, label) {
  const made = handle(picture.svg, {
    label,
    page: () => Math.max(2, Math.round(picture.data.length / 8)),
    done: (waits) => done(picture, waits),
    at: (event) => placeAt(picture, event),
    range: () => [0, picture.want[key], picture.data.length - 1],
    say: () => fill(picture.words.at, { place: picture.write.whole(picture.want[key]) }),
    move: (value) => go(picture, { [key]: value }),
  });
  made.classList.add(key);
  made.stem = shape(made, "path", { class: "stem" });
  made.head = shape(made, "g", { class: "head" });
  made.box = shape(made.head, "rect", { y: -12, height: 24, rx: 12 });
  made.text = shape(made.head, "text", { y: 4.5, "text-anchor": "middle" });
  return made;
}

const placeAt = ({ svg, size }, event) =>
  (pointerX(svg, event) - size.ruler.left) / size.ruler.step;

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
  picture.choice = choice(
    "words",
    words.words,
    Object.entries(data.contents).map(([id, { label }]) => ({ id, label })),
    (id) => {
      go(picture, { words: id });
      done(picture, true);
    },
  );
  return bar(
    element(
      "span",
      { class: "buttons" },
      button(words.bothBack, both(-1)),
      button(words.bothOn, both(1)),
      picture.player,
    ),
    picture.choice,
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

function wire(picture) {
  const { handles, ruler, strips } = picture;
  ruler.addEventListener("pointerdown", (event) => {
    const { a, b } = picture.want,
      place = placeAt(picture, event);
    handles[Math.abs(a - place) < Math.abs(b - place) ? "a" : "b"].grab(event);
  });
  for (const made of Object.values(handles))
    made.addEventListener("pointerdown", () => stop(picture));
  strips.addEventListener("click", (event) => {
    const { left, wide } = picture.size.strips;
    go(picture, {
      column: clamp(
        Math.floor((pointerX(picture.svg, event) - left) / wide),
        0,
        picture.data.theta.length - 1,
      ),
    });
    done(picture, true);
  });
}

// ---- what the server says ------------------------------------------------------------------------

function take(picture, isNew) {
  if (!isNew) return;
  const { data, want } = picture;
  const last = data.length - 1;
  Object.assign(want, { a: clamp(want.a, 0, last), b: clamp(want.b, 0, last) });
  picture.table = tableOf(data, data.length);
  picture.before = {};
  aim(picture);
  picture.now = {
    ...picture.goal,
    first: Float64Array.from(picture.goal.first),
    second: Float64Array.from(picture.goal.second),
  };
}

// ---- what moves ------------------------------------------------------------------------------------

function aim(picture) {
  const {
    data,
    want: { a, b, words },
  } = picture;
  const [first, second] = data.contents[words].vectors;
  picture.goal = { a, b, first, second };
  if (picture.laid && picture.laid !== words) lay(picture); // other words, another height of the curve
}

function step({ now, goal }, share) {
  let moves = false;
  const glide = (from, to, ms, near) => {
    const next = nearer(from, to, share(ms), near);
    moves ||= next !== to;
    return next;
  };
  for (const place of ["a", "b"]) now[place] = glide(now[place], goal[place], GLIDE.place, 0.004);
  for (const word of ["first", "second"])
    goal[word].forEach(
      (value, i) => (now[word][i] = glide(now[word][i], value, GLIDE.word, 0.004)),
    );
  return moves;
}

// ---- what the reader does ------------------------------------------------------------------------

function go(picture, change) {
  Object.assign(picture.want, change);
  changed(picture);
}

// The second position counts on, as an odometer does.
function play(picture) {
  const on = () => go(picture, { b: (picture.want.b + 1) % picture.data.length });
  picture.playing = setInterval(on, BEAT);
  picture.player.textContent = picture.words.pause;
  on();
}

function stop(picture) {
  clearInterval(picture.playing);
  picture.playing = 0;
  picture.player.textContent = picture.words.play;
}

// ---- numbers in words ------------------------------------------------------------------------------

// The numbers of these places, as posenc has them.
function numbersOf({ want: { a, b, words }, data }) {
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
    score: terms.reduce((sum, term) => sum + term, 0),
    one: Math.abs(a - b) / data.length,
    largest: Math.max(...rowA.map((value, i) => Math.abs(value - rowB[i]))),
  };
}

function tell(picture) {
  const { want, data, words, write, numbers, handles } = picture,
    found = numbersOf(picture);
  const column = clamp(want.column, 0, data.theta.length - 1),
    four = (value) => write.fixed(value, 4);
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
  for (const input of picture.choice.querySelectorAll("input"))
    input.checked = input.value === want.words;
  Object.values(handles).forEach((made) => made.announce());
  show(picture, found, column);
  picture.followed.textContent = fill(words.followed, said);
  const parts =
    want.a === want.b ? [words.same, words.score] : [words.stand, words.digits, words.score];
  speak(picture, parts.map((text) => fill(text, said)).join(" "));
}
