// Three scenes of the same five words: two of them change places, and below each word is what
// attention makes of it. They are played one after the other once; a reader who wants no motion sees
// how a scene ends.

const { search } = new URL(import.meta.url);
const load = (name) => import(name + search);
const [{ alive, changed, done }, tools, { bar, button, choice, files }, { IDEA }] =
  await Promise.all([
    load("./life.js"),
    load("./tools.js"),
    load("./bar.js"),
    load("./idea-style.js"),
  ]);
const { clamp, element, fill, hand, sector, set, shape, still } = tools;

const SCENE = 3300; // ms
const BACK = 0.22; // of a scene: the words are back where they were typed, and the places are marked
const SLIDE = [0.32, 0.74]; // of a scene: the words change places
const APART = 0.3; // of the way between two places: until a word has left its row
const PHONE = 600; // pixels of the drawing
const SAME = 1e-9; // below, a difference is rounding
const BLUE = [33, 102, 172],
  RED = [178, 24, 43];

export default alive({
  name: "idea",
  style: IDEA,
  make,
  take,
  build,
  aim() {},
  step,
  paint,
  tell,
  rest,
  leave: stop,
});

// ---- one picture -----------------------------------------------------------------------------

function make(picture, data) {
  const { svg, words } = picture;
  set(svg, { "aria-hidden": "true" });
  picture.back = shape(svg, "g");
  picture.rows = shape(svg, "g");
  picture.player = button(words.play, () => (picture.goes ? pause(picture) : goOn(picture)));
  picture.choice = choice("scene", words.scene, data.scenes, (id) => {
    picture.playing = false;
    show(
      picture,
      data.scenes.findIndex((scene) => scene.id === id),
      false,
    );
    picture.want.scene = id;
    done(picture, true);
  });
  return [
    bar(element("span", { class: "buttons" }, picture.player), picture.choice, files(picture)),
    svg,
    element("div", { class: "words" }, picture.sentence),
  ];
}

// All three are played when the picture is made; a scene of the address stands at its end.
function take(picture) {
  const { data, want } = picture;
  const asked = data.scenes.findIndex(({ id }) => id === want.scene);
  picture.reach = Math.max(
    ...data.scenes.flatMap(({ typed, shuffled }) => [...typed, ...shuffled].flat().map(Math.abs)),
  );
  picture.most = Math.max(...data.scenes.flatMap(({ typed, shuffled }) => gaps(typed, shuffled)));
  if (picture.scene === undefined && asked < 0 && !still.matches) play(picture, 0);
  else if (picture.scene === undefined || (asked >= 0 && asked !== picture.scene))
    Object.assign(picture, { scene: Math.max(asked, 0), before: null, moment: 1, goes: false });
}

const gaps = (typed, now) =>
  typed.map((row, word) => Math.max(...row.map((value, i) => Math.abs(now[word][i] - value))));

// ---- time ------------------------------------------------------------------------------------

// A scene from its beginning; one that follows another begins as that one ended.
function show(picture, scene, follows) {
  const moment = still.matches ? 1 : 0;
  Object.assign(picture, {
    scene,
    before: follows ? scene - 1 : null,
    moment,
    goes: !moment,
    time: performance.now(),
  });
  if (picture.size) changed(picture);
}

function play(picture, scene) {
  picture.playing = true;
  show(picture, scene, scene > 0);
}

function pause(picture) {
  picture.goes = false;
  changed(picture);
}

function goOn(picture) {
  // Without motion a press shows the next scene.
  if (picture.moment === 1)
    return play(picture, still.matches ? (picture.scene + 1) % picture.data.scenes.length : 0);
  Object.assign(picture, { playing: true, goes: true, time: performance.now() });
  changed(picture);
}

function stop(picture) {
  picture.goes = false;
}

function rest(picture) {
  Object.assign(picture, { playing: false, goes: false, moment: 1 });
}

function step(picture) {
  if (!picture.goes) return false;
  const time = performance.now(),
    next = picture.scene + 1;
  picture.moment = Math.min(picture.moment + Math.min(time - picture.time, 60) / SCENE, 1);
  picture.time = time;
  if (picture.moment < 1) return true;
  if (picture.playing && next < picture.data.scenes.length) play(picture, next);
  else Object.assign(picture, { playing: false, goes: false });
  tell(picture);
  return picture.goes;
}

const ease = (part) => {
  const x = clamp(part, 0, 1);
  return x * x * (3 - 2 * x);
};

// Where every word is between its two places, its numbers, and how far they are from those typed.
function momentOf({ data, scene, before, moment }) {
  const here = data.scenes[scene],
    last = before === null ? null : data.scenes[before];
  const back = ease(moment / BACK),
    slid = ease((moment - SLIDE[0]) / (SLIDE[1] - SLIDE[0]));
  const isBack = moment >= SLIDE[0];
  const part = isBack ? slid : last ? 1 - back : 0;
  const from = isBack ? here.typed : last ? last.shuffled : here.typed;
  const to = isBack ? here.shuffled : here.typed,
    share = isBack ? slid : back;
  const values = from.map((row, word) =>
    row.map((value, i) => value + (to[word][i] - value) * share),
  );
  const left = last
    ? gaps(last.typed, last.shuffled).map((gap) => gap * (1 - back))
    : here.typed.map(() => 0);
  return { part, values, gap: isBack ? gaps(here.typed, values) : left, marks: back };
}

// ---- drawing -----------------------------------------------------------------------------------

function build(picture, width, room) {
  const { svg, back, rows, data, words, write } = picture;
  const phone = width < PHONE,
    count = data.words.length,
    cell = width / count;
  const times = room ? clamp((room - 10) / 190, 1, 1.8) : 1;
  const wide = Math.min(cell - (phone ? 6 : 28), 190),
    high = 34 * times;
  const size = (picture.size = {
    phone,
    cell,
    wide,
    high,
    marks: 26,
    mark: 44 * times,
    tile: 26 + 44 * times + 20,
  });
  size.output = size.tile + high + 6;
  size.bar = size.output + 24 * times + 8;
  size.above = size.tile - 6; // a whole card
  size.below = size.bar + 12 - size.tile; // as whole
  const height = size.bar + 12 + size.below;
  set(svg, { width, height });
  back.replaceChildren();
  picture.marks = data.scenes.map(() => shape(back, "g"));
  data.words.forEach((_, place) => {
    const x = (place + 0.5) * cell;
    shape(
      back,
      "text",
      { class: "small", x, y: 14, "text-anchor": "middle" },
      phone ? write.whole(place) : fill(words.place, { place: write.whole(place) }),
    );
    drawRow(picture, place, x);
    drawDial(picture, place, x);
    for (const marks of picture.marks.slice(1)) {
      const y = size.tile - 15;
      shape(marks, "path", { class: "arrow", d: `M${x},${y}v11m-4,-4l4,4l4,-4` });
    }
  });
  rows.replaceChildren();
  picture.columns = data.words.map((word, i) => drawWord(picture, word, i));
  // Who changes places passes over the others, as a card.
  picture.columns.forEach(({ group }, i) => data.order[i] !== i && rows.append(group));
  return height;
}

// The row of a place that is added.
function drawRow({ marks, data, size }, place, x) {
  const { wide, mark } = size,
    row = data.rows[place],
    each = wide / row.length,
    high = Math.min(mark * 0.5, 30);
  const y = size.marks + (mark - high) / 2;
  row.forEach((value, i) =>
    shape(marks[1], "rect", {
      x: x - wide / 2 + i * each,
      y,
      width: each + 0.05,
      height: high,
      fill: colour(value),
    }),
  );
  shape(marks[1], "rect", { class: "frame", x: x - wide / 2, y, width: wide, height: high });
}

// The angle of a place, of its fastest pair.
function drawDial({ marks, data, size }, place, x) {
  const r = size.mark / 2 - 1,
    y = size.marks + size.mark / 2,
    angle = data.angles[place];
  shape(marks[2], "circle", { class: "face", cx: x, cy: y, r });
  shape(marks[2], "path", { class: "turned", d: sector(x, y, r, 0, angle) });
  shape(marks[2], "path", { class: "hand", d: hand(x, y, r - 4, angle) });
}

function drawWord({ rows, data, size }, word, i) {
  const { wide, high, tile, output, bar: y } = size,
    left = -wide / 2;
  const group = shape(rows, "g");
  const hue = (data.words.indexOf(word) * 137.5) % 360;
  const card = { x: left - 5, y: tile - 5, width: wide + 10, height: y + 12 - tile, rx: 9 };
  shape(group, "rect", { class: "card", ...card });
  shape(group, "rect", {
    class: "tile",
    x: left,
    y: tile,
    width: wide,
    height: high,
    rx: 7,
    style: `--hue: ${hue}`,
  });
  shape(
    group,
    "text",
    { class: "word", x: 0, y: tile + high / 2 + 5, "text-anchor": "middle" },
    word,
  );
  const values = data.scenes[0].typed[i],
    each = wide / values.length,
    tall = y - output - 8;
  const cells = values.map((_, n) =>
    shape(group, "rect", { x: left + n * each, y: output, width: each + 0.05, height: tall }),
  );
  shape(group, "rect", { class: "frame", x: left, y: output, width: wide, height: tall });
  const gap = shape(group, "rect", { class: "bar-of-gap", x: left, y, height: 7, rx: 2 });
  return { group, cells, gap, text: shape(group, "text", { class: "gap", x: left, y: y + 23 }) };
}

function colour(part) {
  const to = part < 0 ? BLUE : RED,
    share = Math.min(Math.abs(part), 1);
  return `rgb(${to.map((value) => Math.round(255 + (value - 255) * share))})`;
}

function paint(picture) {
  const { data, size, columns, marks, scene, before, reach, most } = picture;
  const { part, values, gap, marks: there } = momentOf(picture);
  marks.forEach((group, i) =>
    group.setAttribute(
      "opacity",
      i === scene ? there.toFixed(2) : i === before ? (1 - there).toFixed(2) : 0,
    ),
  );
  columns.forEach(({ group, cells, gap: bar, text }, word) => {
    // Who passes, passes above the others or below them, so that every word can be read.
    const way = data.order.indexOf(word) - word;
    const off = ease(part / APART) * ease((1 - part) / APART);
    const lift = off * (way < 0 ? -size.above : way > 0 ? size.below : 0);
    const gone = way * ease((part - APART / 2) / (1 - APART));
    group.setAttribute(
      "transform",
      `translate(${((word + 0.5 + gone) * size.cell).toFixed(1)} ${lift.toFixed(1)})`,
    );
    cells.forEach((cell, i) => cell.setAttribute("fill", colour(values[word][i] / reach)));
    bar.setAttribute("width", Math.max((gap[word] / most) * size.wide, 1.5).toFixed(1));
    const said = off > 0.05 && way ? "" : gapText(picture, word, gap[word]); // another word is there
    if (text.textContent !== said) text.textContent = said;
  });
}

// Numbers are written where the words stand; on the way only that nothing changes.
function gapText({ words, write, moment, size }, word, gap) {
  if (moment < SLIDE[size.phone ? 1 : 0]) return ""; // a phone has no room for them side by side
  if (gap < SAME) return words.unchanged;
  if (moment < 1) return "";
  const difference = write.short(gap, 2);
  return size.phone ? difference : fill(words.changed, { difference });
}

// ---- in words ------------------------------------------------------------------------------------

function tell(picture) {
  const { data, words, scene, player, goes } = picture,
    { id } = data.scenes[scene];
  for (const input of picture.choice.querySelectorAll("input")) input.checked = input.value === id;
  player.textContent = goes ? words.pause : words.play;
  picture.said = words[id];
  if (picture.sentence.textContent !== words[id]) picture.sentence.textContent = words[id];
}
