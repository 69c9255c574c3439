// The life of a picture that moves: made once for its place, told what the server says, drawn with
// every frame until it rests, heard by the server then, and cleared away. A picture `shuffle` is a
// module of this folder, shuffle.js, that exports one:
//
//   export default alive({
//     name: "shuffle",       // its elements stand in .posenc-picture.posenc-shuffle
//     style: SHUFFLE,        // its rules, after those of picture-style.js
//     make(picture, data),   // once; returns the elements from top to bottom, `picture.svg` among them
//     take(picture, isNew),  // `picture.data` has come; isNew: more than places has changed since
//     build(picture, width, room), // lays the drawing out, returns its height; room: height to use, or 0
//     aim(picture),          // sets what everything comes to rest at, by what the reader wants
//     step(picture, share),  // one frame nearer; returns whether anything still moves
//     paint(picture),        // draws this moment
//     tell(picture),         // the numbers and words of where everything comes to rest
//     rest(picture),         // goes to the end of what plays by itself, if anything, for a file
//     leave(picture),        // stops what it started itself, if anything
//   });
//
// Modules are loaded all at once and with the `search` of their importer's address, which changes
// with every file of this folder. bar.js has buttons, choices and the files of a picture, tools.js
// SVG elements, handles to drag and numbers.
//
// A picture holds `host`, `svg`, `sentence` (read aloud), `data` (from ui.charts.moving), `words`
// (data.interface), `write` (numbers as the reader's language has them), `want` (data.at, then what the
// reader does) and `moves`. What the reader does changes `want` and calls `changed`, and `done` where
// it ends; `share(ms)` is the part of a way that a frame goes, if two thirds take so many ms: all of
// it where the reader wants no motion.

const { search } = new URL(import.meta.url);
const load = (name) => import(name + search);
const [tools, { BASE }, { foot }, { STYLES, takeFile }] = await Promise.all([
  load("./tools.js"),
  load("./picture-style.js"),
  load("../embed.js"),
  load("../take.js"),
]);
const { Exchange, clamp, element, fit, rootSize, roomOf, shape, still, watchSize, writer } = tools;

const REST = 400; // ms after the last key before server and screen reader are told

export function alive(kind) {
  const pictures = new WeakMap();
  return ({ data, parentElement, setStateValue, setTriggerValue }) => {
    const picture = pictures.get(parentElement) ?? create(kind, parentElement, data);
    pictures.set(parentElement, picture);
    picture.send = setStateValue;
    picture.ask = setTriggerValue;
    take(picture, data);
    return () => {
      destroy(picture);
      pictures.delete(parentElement);
    };
  };
}

function create(kind, parent, data) {
  const host = element("div", { class: `posenc-picture posenc-${kind.name}`, role: "figure" });
  const picture = {
    kind,
    host,
    lay,
    data,
    words: data.interface,
    write: writer(data.separators),
    exchange: Exchange(),
    frame: 0,
    moves: false,
    rest: 0,
    want: null,
    shown: "",
    svg: shape(host, "svg"),
    sentence: element("p", { class: "sentence", "aria-live": "polite" }),
  };
  if (!data.staged) host.style.minHeight = data.height + "px";
  parent.append(host);
  host.append(element("style", {}, BASE + kind.style + STYLES), ...kind.make(picture, data));
  picture.unwatch = watchSize(host, () => resize(picture));
  return picture;
}

function destroy(picture) {
  picture.unwatch();
  picture.kind.leave?.(picture);
  clearTimeout(picture.rest);
  clearTimeout(picture.hush);
  cancelAnimationFrame(picture.frame);
  picture.host.remove();
}

// Settings are always taken; of places, only news.
function take(picture, data) {
  if (data.take.file) takeFile(picture.host, data.take);
  const settings = JSON.stringify({ ...data, at: null, echo: null, take: null });
  const isNew = settings !== picture.shown;
  Object.assign(picture, { data, words: data.interface, shown: settings });
  const news = picture.exchange.hear(data);
  // The server may answer what was told before, while the reader has something new to tell.
  const hasMovedOn = picture.rest || picture.host.querySelector(".held");
  if (news && !hasMovedOn) picture.want = news;
  picture.host.setAttribute("aria-label", data.alt);
  if (isNew && data.source.open) showFoot(picture);
  picture.kind.take?.(picture, isNew);
  if (isNew) lay(picture);
  changed(picture);
}

// In somebody's page.
function showFoot(picture) {
  picture.foot?.remove();
  picture.foot = picture.host.appendChild(foot(picture.data.source));
}

// ---- size ------------------------------------------------------------------------------------

export function lay(picture) {
  const { kind, host, svg, data } = picture;
  host.style.setProperty("--posenc-width", host.clientWidth || 700); // for paper
  fit(host, svg, data.staged, (width, room) => kind.build(picture, width, room));
  picture.place = placeOf(picture);
  kind.tell(picture);
  kind.paint(picture);
}

function resize(picture) {
  if (picture.host.clientWidth && picture.place !== placeOf(picture)) lay(picture);
}

const placeOf = ({ host, svg, data }) =>
  `${host.clientWidth} ${data.staged ? `${Math.round(roomOf(host, svg))} ${rootSize()}` : ""}`;

// ---- motion ----------------------------------------------------------------------------------

export function changed(picture) {
  picture.kind.aim(picture);
  picture.kind.tell(picture);
  if (picture.frame) return;
  picture.last = performance.now();
  picture.frame = requestAnimationFrame((time) => step(picture, time));
}

function step(picture, time) {
  const passed = clamp(time - picture.last, 1, 60);
  picture.last = time;
  picture.moves = picture.kind.step(picture, (ms) =>
    still.matches ? 1 : 1 - Math.exp(-passed / ms),
  );
  picture.kind.paint(picture);
  picture.frame = picture.moves ? requestAnimationFrame((next) => step(picture, next)) : 0;
}

// ---- told at rest ------------------------------------------------------------------------------

// The reader has let go; after a key another one may follow, and the server waits.
export function done(picture, waits) {
  clearTimeout(picture.rest);
  picture.rest = setTimeout(() => report(picture), waits ? REST : 0);
}

function report(picture) {
  picture.rest = 0;
  if (picture.playing || picture.host.querySelector(".held")) return;
  picture.exchange.tell(picture.want, picture.send);
}

// What a screen reader hears waits as well; `also` is for names that nobody hears meanwhile.
export function speak(picture, sentence, also = () => {}) {
  clearTimeout(picture.hush);
  picture.said = sentence;
  picture.hush = setTimeout(
    () => {
      also();
      if (picture.sentence.textContent !== sentence) picture.sentence.textContent = sentence;
    },
    picture.sentence.textContent ? REST : 0,
  );
}
