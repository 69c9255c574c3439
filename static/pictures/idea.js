// Three scenes of the same five words: two of them change places, and below each word is what
// attention makes of it. They are played one after the other once; a reader who wants no motion sees
// how a scene ends.

import { svg } from "../../course/page/lit/lit.js";
import { bar, button, choice, files } from "./bar.js";
import { IDEA } from "./idea-style.js";
import { alive, changed, done } from "./life.js";
import { clamp, element, fill, hand, sector, set, still } from "./tools.js";

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
  aim: () => ({}),
  play: goesOn,
  draw,
  tell,
  rest,
  leave: stop,
});

// ---- one picture -----------------------------------------------------------------------------

function make(picture, data) {
  const { words } = picture;
  set(picture.svg, { "aria-hidden": "true" });
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
    picture.svg,
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

function goesOn(picture) {
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

// Who changes places passes over the others, as a card. Alone on a screen it is as high as that, and
// who passes below covers what is below the others' words for so long.
function build({ data }, width, room) {
  const phone = width < PHONE;
  const cell = width / data.words.length;
  const times = room ? clamp((room - 80) / 136, 1, 3) : 1; // so that its height is the room's
  const wide = Math.min(cell - (phone ? 6 : 28), Math.max(190, 0.72 * cell));
  const [high, mark] = [34 * times, Math.min(44 * times, wide)];
  const tile = 26 + mark + 20;
  const output = tile + high + 6;
  const bar = output + 24 * times + 8;
  const card = bar + 12 - tile; // its height
  const drop = room ? high + 8 : card;
  const longest = Math.max(...data.words.map((word) => word.length));
  const letters = room ? clamp((1.4 * wide) / longest, 13, 9 * times) : wide > 190 ? 19 : 15;
  const passed = data.words.map((_, i) => i).sort((a, b) => moves(data, a) - moves(data, b));
  return {
    phone,
    cell,
    wide,
    high,
    mark,
    tile,
    output,
    bar,
    drop,
    letters,
    passed,
    height: bar + 12 + drop,
  };
}

const moves = ({ order }, word) => Number(order[word] !== word);

function draw(picture) {
  const { data, size, scene, before, words, write } = picture;
  const moment = momentOf(picture);
  const there = (i) => (i === scene ? moment.marks : i === before ? 1 - moment.marks : 0);
  const each = (drawn) =>
    data.words.map((_, place) => drawn(picture, place, (place + 0.5) * size.cell));
  const name = (_, place, x) => {
    const number = write.whole(place);
    const said = size.phone ? number : fill(words.place, { place: number });
    return svg`<text class="small" x=${x} y="14" text-anchor="middle">${said}</text>`;
  };
  const arrow = (_, place, x) =>
    svg`<path class="arrow" d=${`M${x},${size.tile - 15}v11m-4,-4l4,4l4,-4`} />`;
  return svg`<g>
      ${each(name)}
      <g opacity=${there(1).toFixed(2)}>${each(drawRow)}${each(arrow)}</g>
      <g opacity=${there(2).toFixed(2)}>${each(drawDial)}${each(arrow)}</g>
    </g>
    <g>${size.passed.map((word) => drawWord(picture, word, moment))}</g>`;
}

// The row of a place that is added.
function drawRow({ data, size: { wide, mark } }, place, x) {
  const row = data.rows[place];
  const high = Math.min(mark * 0.5, 30);
  const y = 26 + (mark - high) / 2;
  return svg`${cells(row, { x: x - wide / 2, y, wide, high })}
    <rect class="frame" x=${x - wide / 2} y=${y} width=${wide} height=${high} />`;
}

const cells = (row, { x, y, wide, high }) =>
  row.map((value, i) => {
    const each = wide / row.length;
    return svg`<rect x=${x + i * each} y=${y} width=${each + 0.05} height=${high} fill=${colour(value)} />`;
  });

// The angle of a place, of its fastest pair.
function drawDial({ data, size: { mark } }, place, x) {
  const [r, y, angle] = [mark / 2 - 1, 26 + mark / 2, data.angles[place]];
  return svg`<circle class="face" cx=${x} cy=${y} r=${r} />
    <path class="turned" d=${sector(x, y, r, 0, angle)} />
    <path class="hand" d=${hand(x, y, r - 4, angle)} />`;
}

// Who passes, passes above the others or below them, so that every word can be read.
function drawWord(picture, word, { part, values, gap }) {
  const { data, size, reach, most } = picture;
  const { wide, high, tile, output, bar, letters } = size;
  const left = -wide / 2;
  const way = data.order.indexOf(word) - word;
  const off = ease(part / APART) * ease((1 - part) / APART);
  const lift = off * (way < 0 ? 6 - tile : way > 0 ? size.drop : 0);
  const gone = way * ease((part - APART / 2) / (1 - APART));
  const said = off > 0.05 && way ? "" : gapText(picture, word, gap[word]); // another word is there
  const text = data.words[word];
  const place = `translate(${((word + 0.5 + gone) * size.cell).toFixed(1)} ${lift.toFixed(1)})`;
  const box = { x: left, y: output, wide, high: bar - output - 8 };
  return svg`<g transform=${place}>
    <rect class="card" x=${left - 5} y=${tile - 5} width=${wide + 10} height=${bar + 12 - tile} rx="9" />
    <rect class="tile" x=${left} y=${tile} width=${wide} height=${high} rx="7"
      style=${`--hue: ${(data.words.indexOf(text) * 137.5) % 360}`} />
    <text class="word" x="0" y=${tile + high / 2 + letters / 3} text-anchor="middle"
      style=${`font-size: ${letters}px !important`}>${text}</text>
    ${cells(
      values[word].map((value) => value / reach),
      box,
    )}
    <rect class="frame" x=${left} y=${output} width=${wide} height=${box.high} />
    <rect class="bar-of-gap" x=${left} y=${bar} width=${Math.max((gap[word] / most) * wide, 1.5).toFixed(1)} height="7" rx="2" />
    <text class="gap" x=${left} y=${bar + 23}>${said}</text>
  </g>`;
}

function colour(part) {
  const to = part < 0 ? BLUE : RED;
  const share = Math.min(Math.abs(part), 1);
  return `rgb(${to.map((value) => Math.round(255 + (value - 255) * share))})`;
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
