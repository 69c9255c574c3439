// A player of clocks: every pair of channels is a hand that turns with the position. Hand, square,
// formula, slider and address are written from one number, the position of this moment.

import { guard, svg } from "../../course/page/lit/lit.js";
import { bar, button, choice, files } from "./bar.js";
import { CLOCKS } from "./clocks-style.js";
import { radios } from "./controls.js";
import { alive, changed, done, settle, speak } from "./life.js";
import { clamp, disc, element, fill, hand, label, paths, set, still } from "./tools.js";

const SPEEDS = [1, 4, 16]; // positions in a second
const ACROSS = 4; // clocks in a row
const BLUR = 1; // radians between two frames: a faster hand is drawn faint, and does not flicker
const ADDRESS = 200; // ms between two changes of the address: browsers refuse more
const SQUARE = 9; // pixels from its middle to its side

export default alive({
  name: "clocks",
  style: CLOCKS,
  glide: 90,
  make,
  take,
  build,
  aim: ({ want }) => ({ position: want.position }),
  play: goesOn,
  draw,
  tell,
  leave,
});

// ---- one picture -----------------------------------------------------------------------------

function make(picture) {
  const { svg: drawing, words, write } = picture;
  set(drawing, { role: "group" });
  picture.speed = SPEEDS[1];
  picture.play = button(words.play, () => (picture.playing ? stop(picture) : play(picture)));
  picture.slider = element("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": words.position,
  });
  picture.slider.addEventListener("input", () =>
    go(picture, { position: Number(picture.slider.value) }),
  );
  picture.output = element("output", { "aria-live": "off" });
  picture.formula = element("p", { class: "formula" });
  const speeds = choice(
    "speed",
    words.speed,
    SPEEDS.map((speed) => ({ id: String(speed), label: write.whole(speed) })),
    (id) => {
      picture.speed = Number(id);
    },
  );
  speeds.querySelector(`input[value="${picture.speed}"]`).checked = true;
  const by = (steps) => () => go(picture, { position: picture.want.position + steps });
  return [
    bar(
      element(
        "span",
        { class: "buttons" },
        button(words.back, by(-1)),
        button(words.on, by(1)),
        picture.play,
      ),
      speeds,
      element("label", { class: "position" }, picture.slider, picture.output),
      files(picture),
    ),
    drawing,
    element("div", { class: "words" }, picture.formula, picture.sentence),
  ];
}

function take(picture, isNew) {
  const { data, want } = picture;
  want.position = clamp(want.position, 0, data.length - 1);
  picture.slider.max = data.length - 1;
  if (!isNew) return;
  stop(picture);
  picture.before = [];
}

function leave(picture) {
  picture.playing = false;
  clearTimeout(picture.writing);
  hideWhatIsOld(false);
}

function go(picture, change) {
  stop(picture);
  Object.assign(picture.want, change);
  picture.want.position = clamp(picture.want.position, 0, picture.data.length - 1);
  changed(picture);
  done(picture, true);
}

// ---- the player --------------------------------------------------------------------------------

function play(picture) {
  const { data, want } = picture;
  if (want.position >= data.length - 1) {
    want.position = 0;
    settle(picture);
  }
  Object.assign(picture, {
    playing: true,
    lastTime: performance.now(),
    since: picture.now.position,
  });
  picture.play.textContent = picture.words.pause;
  changed(picture);
}

// The hands rest at the nearest position.
function stop(picture) {
  if (!picture.playing) return;
  picture.playing = false;
  picture.play.textContent = picture.words.play;
  picture.want.position = Math.round(picture.now.position);
  changed(picture);
  done(picture, false);
}

// Where the player is: it goes on evenly, or from place to place where the reader wants no motion.
function goesOn(picture) {
  if (!picture.playing) return false;
  const time = performance.now();
  picture.since += ((time - picture.lastTime) / 1000) * picture.speed;
  picture.lastTime = time;
  const last = picture.data.length - 1;
  const position = Math.min(still.matches ? Math.floor(picture.since) : picture.since, last);
  picture.want.position = Math.round(position);
  picture.way.set({ position });
  if (position >= last) stop(picture);
  return picture.playing;
}

// ---- drawing -----------------------------------------------------------------------------------

function build({ data }, width, room) {
  const count = data.shown.length;
  const across = Math.min(ACROSS, count);
  const rows = Math.ceil(count / across);
  const cell = width / across;
  const most = room ? room / rows / 2 - 26 : 78;
  const r = Math.max(Math.min(cell / 2 - 14, most), 16);
  const high = 2 * r + 50;
  const centres = data.shown.map((_, i) => [
    ((i % across) + 0.5) * cell,
    Math.floor(i / across) * high + r + 12,
  ]);
  const faces = centres.map(([x, y]) => disc(x, y, r) + `M${x + r - 6},${y}h6`).join("");
  return { r, centres, faces, height: rows * high + 6 };
}

function draw(picture) {
  const { data, size, now, moves, before, want } = picture;
  const { r, centres, faces } = size;
  const parts = { faces, hands: "", fast: "", tips: "", square: "" };
  data.shown.forEach((pair, i) => {
    const [x, y] = centres[i];
    const angle = now.position * data.theta[pair];
    const isFast = moves && Math.abs(angle - before[i]) > BLUR;
    before[i] = angle;
    parts[isFast ? "fast" : "hands"] += hand(x, y, r, angle);
    const [left, top] = [x + r * Math.cos(angle) - SQUARE, y - r * Math.sin(angle) - SQUARE];
    if (!isFast) parts.tips += disc(left + SQUARE, top + SQUARE, 5);
    if (pair === want.pair)
      parts.square = `M${left},${top}h${2 * SQUARE}v${2 * SQUARE}h${-2 * SQUARE}Z`;
  });
  paintWords(picture);
  return svg`<g aria-hidden="true">${paths(parts)}</g>
    ${guard([size, want.pair], () => drawChoice(picture))}`;
}

// The clocks with their names, one of which is chosen.
function drawChoice(picture) {
  const { data, size, want, words, write } = picture;
  const { r, centres } = size;
  const name = (pair, i) => {
    const [x, y] = centres[i];
    const put = (down, text, kind) => label(x, y + r + down, text, { kind, anchor: "middle" });
    return svg`${put(17, fill(words.pair, { pair: write.whole(pair) }), "pair")}
      ${put(32, fill(words.turn, { count: data.turns[i] }), "small")}`;
  };
  const dial = (pair, i) => ({
    name: fill(words.dial, { pair: write.whole(pair), count: data.turns[i] }),
    content: svg`<circle cx=${centres[i][0]} cy=${centres[i][1]} r=${r + 4} />`,
  });
  return svg`<g aria-hidden="true">${data.shown.map(name)}</g>
    ${radios({
      label: words.dials,
      kind: "dial",
      options: data.shown.map(dial),
      chosen: data.shown.indexOf(want.pair),
      across: ACROSS,
      choose(i) {
        picture.want.pair = data.shown[i];
        changed(picture);
        done(picture, true);
      },
    })}`;
}

// What says where the hands are, drawn with them.
function paintWords(picture) {
  const { data, now, want, words, write, slider, output, formula } = picture;
  const position = Math.round(now.position);
  const isWhole = now.position === position;
  const angle = now.position * data.theta[want.pair];
  const said = isWhole ? write.whole(position) : write.fixed(now.position, 2);
  slider.value = position;
  output.textContent = fill(words.at, { position: said });
  slider.setAttribute("aria-valuetext", output.textContent);
  formula.textContent = fill(words.formula, {
    pair: write.whole(want.pair),
    position: said,
    theta: write.short(data.theta[want.pair], 6),
    angle: write.fixed(angle, 4),
    cos: write.fixed(Math.cos(angle), 4),
    sin: write.fixed(Math.sin(angle), 4),
  });
  const at = `${position}, ${want.pair}`;
  hideWhatIsOld(at !== `${data.at.position}, ${data.at.pair}` || !isWhole);
  if (picture.addressed !== at) writeAddress(picture, at);
}

// ---- the address and the rest of the screen ----------------------------------------------------

// Steps and fields of the server are of the place where the hands rested last.
function hideWhatIsOld(isOld) {
  document.documentElement.classList.toggle("posenc-clocks-turn", isOld);
}

function writeAddress(picture, at) {
  const passed = performance.now() - (picture.wroteAt ?? -ADDRESS);
  clearTimeout(picture.writing);
  if (passed < ADDRESS) {
    picture.writing = setTimeout(() => paintWords(picture), ADDRESS - passed);
    return;
  }
  const isFirst = picture.addressed === undefined;
  Object.assign(picture, { wroteAt: performance.now(), addressed: at });
  if (isFirst) return; // the server has written the place where a picture begins
  const others = location.search
    .slice(1)
    .split("&")
    .filter((part) => part && !part.startsWith(`${picture.data.field}=`));
  const own = at === picture.data.first ? [] : [`${picture.data.field}=${at.replace(" ", "+")}`];
  const query = [...others, ...own].join("&");
  history.replaceState(
    history.state,
    "",
    location.pathname + (query && "?" + query) + location.hash,
  );
}

// ---- in words ----------------------------------------------------------------------------------

function tell(picture) {
  const { data, want, words, write } = picture;
  if (picture.playing) return;
  const angle = want.position * data.theta[want.pair];
  speak(
    picture,
    fill(words.rests, {
      pair: write.whole(want.pair),
      position: write.whole(want.position),
      turns: write.fixed(angle / (2 * Math.PI), 2),
    }),
  );
}
