// A player of clocks: every pair of channels is a hand that turns with the position. Hand, square,
// formula, slider and address are written from one number, the position of this moment.

const { search } = new URL(import.meta.url);
const load = (name) => import(name + search);
const [{ alive, changed, done, speak }, tools, { bar, button, choice, files }, { CLOCKS }] =
  await Promise.all([
    load("./life.js"),
    load("./tools.js"),
    load("./bar.js"),
    load("./clocks-style.js"),
  ]);
const { checkRadio, clamp, disc, element, fill, hand, nearer, radioGroup, set, shape, still } =
  tools;

const GLIDE = 90; // ms in which two thirds of the way are gone
const SPEEDS = [1, 4, 16]; // positions in a second
const ACROSS = 4; // clocks in a row
const BLUR = 1; // radians between two frames: a faster hand is drawn faint, and does not flicker
const ADDRESS = 200; // ms between two changes of the address: browsers refuse more
const SQUARE = 9; // pixels from its middle to its side

export default alive({
  name: "clocks",
  style: CLOCKS,
  make,
  take,
  build,
  aim,
  step,
  paint,
  tell,
  leave,
});

// ---- one picture -----------------------------------------------------------------------------

function make(picture) {
  const { svg, words, write } = picture;
  set(svg, { role: "group" });
  const back = shape(svg, "g", { "aria-hidden": "true" });
  picture.paths = Object.fromEntries(
    ["faces", "hands", "fast", "tips", "square"].map((name) => [
      name,
      shape(back, "path", { class: name }),
    ]),
  );
  picture.labels = shape(svg, "g", { "aria-hidden": "true" });
  picture.radios = shape(svg, "g", { role: "radiogroup", "aria-label": words.dials });
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
  radioGroup(
    picture.radios,
    () => ACROSS,
    (index) => {
      Object.assign(picture.want, { pair: picture.data.shown[index] });
      changed(picture);
      done(picture, true);
    },
  );
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
    svg,
    element("div", { class: "words" }, picture.formula, picture.sentence),
  ];
}

function take(picture, isNew) {
  const { data, want } = picture;
  want.position = clamp(want.position, 0, data.length - 1);
  picture.slider.max = data.length - 1;
  if (!isNew) return;
  stop(picture);
  picture.now = want.position;
  picture.before = new Float64Array(data.shown.length);
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
  if (want.position >= data.length - 1) want.position = picture.now = 0;
  Object.assign(picture, { playing: true, lastTime: performance.now(), since: picture.now });
  picture.play.textContent = picture.words.pause;
  changed(picture);
}

// The hands rest at the nearest position.
function stop(picture) {
  if (!picture.playing) return;
  picture.playing = false;
  picture.play.textContent = picture.words.play;
  picture.want.position = Math.round(picture.now);
  changed(picture);
  done(picture, false);
}

// Where the player is: it goes on evenly, or from place to place where the reader wants no motion.
function played(picture) {
  const time = performance.now();
  picture.since += ((time - picture.lastTime) / 1000) * picture.speed;
  picture.lastTime = time;
  const last = picture.data.length - 1;
  picture.now = Math.min(still.matches ? Math.floor(picture.since) : picture.since, last);
  picture.want.position = Math.round(picture.now);
  if (picture.now < last) return true;
  stop(picture);
  return false;
}

function aim() {}

function step(picture, share) {
  if (picture.playing) return played(picture);
  const { want } = picture;
  picture.now = nearer(picture.now, want.position, share(GLIDE), 0.002);
  return picture.now !== want.position;
}

// ---- drawing -----------------------------------------------------------------------------------

function build(picture, width, room) {
  const { svg, data, labels, radios, words, write } = picture,
    count = data.shown.length;
  const across = Math.min(ACROSS, count),
    rows = Math.ceil(count / across);
  const cell = width / across,
    most = room ? room / rows / 2 - 26 : 78;
  const r = Math.max(Math.min(cell / 2 - 14, most), 16);
  const high = 2 * r + 50;
  const size = (picture.size = { r, height: rows * high + 6 });
  size.centre = (index) => [
    ((index % across) + 0.5) * cell,
    Math.floor(index / across) * high + r + 12,
  ];
  set(svg, { width, height: size.height });
  labels.replaceChildren();
  radios.replaceChildren();
  const faces = data.shown.map((pair, index) => {
    const [x, y] = size.centre(index);
    const put = (down, text, name) =>
      shape(labels, "text", { class: name, x, y: y + r + down, "text-anchor": "middle" }, text);
    put(17, fill(words.pair, { pair: write.whole(pair) }), "pair");
    put(32, fill(words.turn, { count: data.turns[index] }), "small");
    const radio = shape(radios, "g", {
      role: "radio",
      class: "dial",
      "aria-label": fill(words.dial, { pair: write.whole(pair), count: data.turns[index] }),
    });
    shape(radio, "circle", { cx: x, cy: y, r: r + 4 });
    return disc(x, y, r) + `M${x + r - 6},${y}h6`;
  });
  picture.paths.faces.setAttribute("d", faces.join(""));
  return size.height;
}

function paint(picture) {
  const { data, size, paths, now, moves, before, want } = picture;
  const parts = { hands: "", fast: "", tips: "", square: "" };
  data.shown.forEach((pair, index) => {
    const [x, y] = size.centre(index),
      angle = now * data.theta[pair];
    const isFast = moves && Math.abs(angle - before[index]) > BLUR;
    before[index] = angle;
    parts[isFast ? "fast" : "hands"] += hand(x, y, size.r, angle);
    const tip = [x + size.r * Math.cos(angle), y - size.r * Math.sin(angle)];
    if (!isFast) parts.tips += disc(tip[0], tip[1], 5);
    if (pair === want.pair)
      parts.square = `M${tip[0] - SQUARE},${tip[1] - SQUARE}h${2 * SQUARE}v${2 * SQUARE}h${-2 * SQUARE}Z`;
  });
  for (const [name, d] of Object.entries(parts)) paths[name].setAttribute("d", d);
  paintWords(picture);
}

// What says where the hands are, drawn with them.
function paintWords(picture) {
  const { data, now, want, words, write, slider, output, formula } = picture;
  const position = Math.round(now),
    isWhole = now === position,
    angle = now * data.theta[want.pair];
  const said = isWhole ? write.whole(now) : write.fixed(now, 2);
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
  const { data, radios, want, words, write, size } = picture;
  if (!size) return;
  checkRadio(radios, data.shown.indexOf(want.pair));
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
