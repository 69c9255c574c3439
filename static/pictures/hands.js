// Two hands on every dial: the query's at m, the key's at n, and the arc between them, which is all
// that the score sees. Everything moves here; the server is told once when the reader lets go.

const { search } = new URL(import.meta.url);
const load = (name) => import(name + search);
const [life, tools, drawing, { bar, button, choice, files }, { HANDS }] = await Promise.all([
  load("./life.js"),
  load("./tools.js"),
  load("./hands-drawing.js"),
  load("./bar.js"),
  load("./hands-style.js"),
]);
const { alive, changed, done, lay, speak } = life;
const { TURN, checkRadio, clamp, element, fill, handle, nearer, pointerX, radioGroup, set, shape } =
  tools;
const { MOVING, build, curveOf, paint, stripX } = drawing;

const BEAT = 700; // ms between two steps of the player
const GLIDE = { place: 70, look: 110 }; // ms in which two thirds of a way are gone

export default alive({
  name: "hands",
  style: HANDS,
  make,
  take,
  build: buildAll,
  aim,
  step,
  paint,
  tell,
  leave,
});

// ---- one picture -----------------------------------------------------------------------------

function make(picture, data) {
  const { svg } = picture;
  set(svg, { role: "group" });
  Object.assign(picture, {
    scale: {},
    labels: [],
    before: {},
    bends: false,
    back: shape(svg, "g", { "aria-hidden": "true" }),
  });
  const moving = shape(svg, "g", { "aria-hidden": "true" });
  picture.paths = Object.fromEntries(
    MOVING.map((name) => [name, shape(moving, "path", { class: name })]),
  );
  picture.dot = shape(moving, "circle", { class: "dot", r: 6 });
  picture.strip = shape(svg, "rect", { class: "catch", x: 0, y: 0 });
  picture.handles = makeHandles(picture);
  picture.radios = shape(svg, "g", { role: "radiogroup" });
  svg.append(picture.handles.upto); // the keyboard goes from the words to the dials to their sum
  picture.followed = element("p", { class: "followed" });
  const above = [makeBar(picture, data), makeNumbers(picture)];
  wire(picture);
  return [...above, svg, element("div", { class: "words" }, picture.followed, picture.sentence)];
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
  picture.before = { key: new Float64Array(data.pairs), query: new Float64Array(data.pairs) };
  Object.assign(picture.want, within(picture, picture.want));
  offerMethods(picture);
  picture.content = data.contents[picture.want.content];
  settle(picture);
}

function within({ data }, want) {
  const last = data.length - 1;
  const m = clamp(want.m, 0, last);
  const method = data.methods.some(({ id }) => id === want.method)
    ? want.method
    : data.methods[0].id;
  return { m, n: clamp(want.n, 0, m), pair: clamp(want.pair, 0, data.pairs - 1), method };
}

function buildAll(picture, width, room) {
  const height = build(picture, width, room),
    { size } = picture;
  picture.laid = picture.want.content; // which decides how high the curve is
  set(picture.strip, { width: size.width, height: size.strip.track + 34 });
  return height;
}

// ---- what moves ------------------------------------------------------------------------------

const methodOf = ({ data, want }) => data.methods.find(({ id }) => id === want.method);

// What the picture comes to rest at.
function goal(picture) {
  const { want, upto, data } = picture,
    { theta, factor } = methodOf(picture);
  const { label, ...content } = picture.content;
  const asked = `${want.method} ${want.content} ${upto}`;
  if (picture.curve?.asked !== asked) {
    picture.curve = {
      asked,
      ...curveOf(picture, methodOf(picture), upto),
      none: curveOf(picture, data.methods[0], data.pairs),
    };
  }
  const { low, high } = picture.curve;
  return { m: want.m, n: want.n, factor, theta, ...content, low, high };
}

function settle(picture) {
  picture.curve = null;
  picture.goal = goal(picture);
  picture.now = Object.fromEntries(
    Object.entries(picture.goal).map(([name, value]) => [name, copy(value)]),
  );
}

const copy = (value) => (typeof value === "number" ? value : Float64Array.from(value));

function aim(picture) {
  picture.content = picture.data.contents[picture.want.content];
  const goals = goal(picture);
  if (goals.low.length !== picture.now.low.length)
    Object.assign(picture.now, { low: copy(goals.low), high: copy(goals.high) });
  picture.goal = goals;
  if (picture.laid !== picture.want.content) lay(picture);
}

function step(picture, share) {
  const span = Math.max(picture.data.length, 1);
  let moves = false,
    bends = false;
  for (const [name, wanted] of Object.entries(picture.goal)) {
    const isPlace = name === "m" || name === "n";
    const near = isPlace || name !== "theta" ? 0.004 : 0.004 / span;
    const part = share(isPlace ? GLIDE.place : GLIDE.look);
    if (typeof wanted === "number") {
      picture.now[name] = nearer(picture.now[name], wanted, part, near);
      moves ||= picture.now[name] !== wanted;
    } else {
      const values = picture.now[name];
      for (let i = 0; i < values.length; i++) {
        values[i] = nearer(values[i], wanted[i], part, near);
        bends ||= values[i] !== wanted[i];
      }
    }
  }
  picture.bends = bends;
  return moves || bends;
}

// ---- what the reader does ----------------------------------------------------------------------

function go(picture, change) {
  const { want, data } = picture,
    last = data.length - 1;
  Object.assign(want, change);
  want.m = clamp(want.m, 0, last);
  want.n = clamp(want.n, 0, want.m);
  changed(picture);
}

function both(picture, by) {
  const { want, data } = picture;
  const shift = clamp(by, -want.n, data.length - 1 - want.m);
  go(picture, { m: want.m + shift, n: want.n + shift });
}

function play(picture) {
  picture.playing = setInterval(() => {
    const { want, data } = picture;
    if (want.m < data.length - 1) both(picture, 1);
    else both(picture, -want.n);
  }, BEAT);
  both(picture, 1);
  picture.buttons.play.textContent = picture.words.pause;
}

function stop(picture) {
  clearInterval(picture.playing);
  picture.playing = 0;
  picture.buttons.play.textContent = picture.words.play;
}

function addUp(picture) {
  clearInterval(picture.adding);
  picture.upto = 1;
  changed(picture);
  const pause = Math.min(600, 4000 / picture.data.pairs);
  picture.adding = setInterval(() => {
    if (picture.upto >= picture.data.pairs) return clearInterval(picture.adding);
    picture.upto += 1;
    changed(picture);
  }, pause);
}

// ---- handles, buttons, words ---------------------------------------------------------------------

function makeHandles(picture) {
  const { svg, words } = picture;
  const place = (event) => {
    const { strip } = picture.size;
    return (pointerX(svg, event) - strip.left) / strip.step;
  };
  const page = () => Math.max(2, Math.round(picture.data.length / 8));
  const last = () => picture.data.length - 1;
  const finish = (waits) => done(picture, waits);
  // The query sees its own word and those before it: neither hand goes past the other.
  const range = {
    n: () => [0, picture.want.n, picture.want.m],
    m: () => [picture.want.n, picture.want.m, last()],
  };
  const one = (name, label, key) =>
    withHead(
      handle(svg, {
        label,
        page,
        at: place,
        done: finish,
        range: range[key],
        say: () => valueText(picture, key),
        move: (value) => go(picture, { [key]: value }),
      }),
      name,
      (head) => {
        shape(head, "circle", { r: 13 });
        shape(head, "text", { y: 5, "text-anchor": "middle" }, name[0] === "q" ? "q" : "k");
      },
    );
  const together = withHead(
    handle(svg, {
      label: words.bothHandle,
      page,
      at: place,
      done: finish,
      range: () => [picture.want.m - picture.want.n, picture.want.m, last()],
      say: () => fill(words.bothAt, placesOf(picture)),
      move: (value) => both(picture, value - picture.want.m),
    }),
    "both",
    (head) => {
      shape(head, "rect", { x: -46, y: -12, width: 92, height: 24, rx: 12 });
      shape(head, "text", { y: 4.5, "text-anchor": "middle" });
    },
  );
  const upto = withHead(
    handle(svg, {
      label: words.uptoHandle,
      page: () => Math.max(1, Math.round(picture.data.pairs / 4)),
      done: () => {},
      at: (event) => {
        const { sums } = picture.size;
        return ((pointerX(svg, event) - sums.left) / (sums.right - sums.left)) * picture.data.pairs;
      },
      range: () => [1, picture.upto, picture.data.pairs],
      say: () =>
        fill(words.uptoAt, {
          count: picture.write.whole(picture.upto),
          pairs: picture.write.whole(picture.data.pairs),
        }),
      move: (value) => {
        clearInterval(picture.adding);
        picture.upto = value;
        changed(picture);
      },
    }),
    "upto",
    (head) => shape(head, "path", { d: "M-7,0L0,-7L7,0V9H-7Z" }),
  );
  return {
    key: one("key", words.keyHandle, "n"),
    query: one("query", words.queryHandle, "m"),
    both: together,
    upto,
  };
}

function withHead(made, name, draw) {
  made.classList.add(name);
  made.stem = shape(made, "path", { class: "stem" });
  made.head = shape(made, "g", { class: "head" });
  draw(made.head);
  return made;
}

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

// A single pair of channels has fewer methods.
function offerMethods(picture) {
  const { data, words, choices } = picture;
  const offered = data.methods.map(({ id }) => id).join();
  if (picture.offered === offered) return;
  picture.offered = offered;
  const made = choice("method", words.method, data.methods, chooses(picture, "method"));
  choices.method.replaceWith(made);
  choices.method = made;
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

function wire(picture) {
  const { strip, handles, radios } = picture;
  strip.addEventListener("pointerdown", (event) => {
    const x = pointerX(picture.svg, event);
    const away = (key) => Math.abs(stripX(picture.size, picture.want[key]) - x);
    (away("n") < away("m") ? handles.key : handles.query).grab(event);
  });
  for (const made of Object.values(handles))
    made.addEventListener("pointerdown", () => stop(picture));
  radioGroup(
    radios,
    () => picture.size.dials.across,
    (pair) => {
      go(picture, { pair });
      done(picture, true);
    },
  );
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

function valueText(picture, key) {
  const place = picture.want[key],
    word = picture.data.words[place];
  const { words, write } = picture;
  return fill(word ? words.atWord : words.atPlace, { place: write.whole(place), word });
}

// The numbers of this place, as posenc has them.
function numbersOf({ want, data, content }, { theta, factor }) {
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
  const { want, data, words, write, numbers, labels, handles } = picture;
  const method = methodOf(picture),
    found = numbersOf(picture, method);
  const places = { ...placesOf(picture), score: write.fixed(found.score, 4) };
  for (const [name, text, word] of [
    ["query", `m = ${places.m}`, places.query],
    ["key", `n = ${places.n}`, places.key],
  ]) {
    numbers[name].replaceChildren(
      element("b", {}, name === "query" ? "q" : "k"),
      ` ${text} `,
      element("i", {}, word),
    );
  }
  numbers.distance.textContent = `m − n = ${places.distance}`;
  numbers.score.replaceChildren("q·k = ", element("b", {}, places.score));
  handles.both.head.lastChild.textContent = `m − n = ${places.distance}`;
  const turns = (theta) => (2 * Math.PI) / theta;
  labels.forEach(({ turn, term }, i) => {
    const positions = turns(method.theta[i]);
    turn.textContent = fill(words.turn, {
      count: positions >= 100 ? write.whole(positions) : write.short(positions, 3),
    });
    term.textContent = (found.terms[i] >= 0 ? "+" : "") + write.fixed(found.terms[i], 4);
    term.classList.toggle("new", found.fresh[i]);
  });
  for (const [name, group] of Object.entries(picture.choices)) {
    for (const input of group.querySelectorAll("input")) input.checked = input.value === want[name];
  }
  Object.values(handles).forEach((made) => made.announce());
  const some = { count: write.whole(picture.upto), pairs: write.whole(data.pairs) };
  picture.title.textContent = picture.upto < data.pairs ? fill(words.part, some) : words.curve;
  const values = (pair) => valuesOf(picture, method, found, pair);
  picture.followed.textContent = fill(words.followed, values(want.pair));
  tellChosen(picture);
  speak(picture, sentenceOf(picture, method, found, places), () => {
    [...picture.radios.children].forEach((radio, pair) => {
      radio.setAttribute(
        "aria-label",
        fill(found.fresh[pair] ? words.dialNew : words.dial, values(pair)),
      );
    });
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

function tellChosen({ want, radios, words, write, data }) {
  if (radios.dataset.chosen === `${want.pair} ${data.pairs}`) return;
  radios.dataset.chosen = `${want.pair} ${data.pairs}`;
  radios.setAttribute("aria-label", fill(words.dials, { pairs: write.whole(data.pairs) }));
  checkRadio(radios, want.pair);
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
