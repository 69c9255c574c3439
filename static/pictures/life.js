// The life of a picture that moves: made once for its place, told what the server says, drawn with
// every frame until it rests, heard by the server then, and cleared away. It stands on the stage of
// the course (course/page/stage.js and state.js). A picture `shuffle` is a module of this folder,
// shuffle.js, that exports one:
//
//   export default alive({
//     name: "shuffle",       // its elements stand in .posenc-picture.posenc-shuffle
//     style: SHUFFLE,        // its rules, after those of picture-style.js
//     glide: 80,             // ms in which two thirds of a way are gone
//     make(picture, data),   // once; returns the elements from top to bottom, `picture.svg` among them
//     take(picture, isNew),  // `picture.data` has come; isNew: more than places has changed since
//     build(picture, width, room), // where everything stands, its `height` too; room: height to use, or 0
//     aim(picture),          // the numbers that everything comes to rest at, by what the reader wants
//     play(picture),         // one frame of what moves by itself; returns whether it goes on
//     draw(picture),         // declares this moment, `picture.now` and `picture.size`, with lit-html's svg
//     tell(picture),         // the numbers and words of where everything comes to rest
//     rest(picture),         // goes to the end of what plays by itself, if anything, for a file
//     leave(picture),        // stops what it started itself, if anything
//   });
//
// bar.js has buttons, choices and the files of a picture, controls.js what is dragged or chosen within
// the drawing, tools.js paths and numbers.
//
// A picture holds `host`, `svg`, `sentence` (read aloud), `data` (from ui.charts.moving), `words`
// (data.interface), `write` (numbers as the reader's language has them), `want` (data.at, then what the
// reader does), `now` (on its way to what `aim` says) and `way`, which moves it. What the reader does
// changes `want` and calls `changed`, and `done` where it ends.

import { render } from "../../course/page/lit/lit.js";
import { drawing } from "../../course/page/stage.js";
import { motion } from "../../course/page/state.js";
import { foot } from "../embed.js";
import { STYLES, takeFile } from "../take.js";
import { BASE } from "./picture-style.js";
import {
  Exchange,
  element,
  fit,
  rootSize,
  roomOf,
  set,
  shape,
  watchSize,
  writer,
} from "./tools.js";

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
  const host = element("div", {
    class: `posenc-picture posenc-${kind.name}`,
    role: "figure",
  });
  const picture = {
    kind,
    host,
    data,
    words: data.interface,
    write: writer(data.separators),
    exchange: Exchange(),
    frame: 0,
    rest: 0,
    now: {},
    want: null,
    shown: "",
    svg: shape(host, "svg"),
    sentence: element("p", { class: "sentence", "aria-live": "polite" }),
  };
  const { svg } = picture;
  const dragged = (isHeld) => Object.assign(picture, { isHeld });
  const arrive = () => paint(picture); // its sliders are where the reader has moved them
  picture.stage = drawing(svg, { dragged, arrive });
  picture.way = motion(picture.now, () => wake(picture));
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
  const settings = JSON.stringify({
    ...data,
    at: null,
    echo: null,
    take: null,
  });
  const isNew = settings !== picture.shown;
  Object.assign(picture, { data, words: data.interface, shown: settings });
  const news = picture.exchange.hear(data);
  // The server may answer what was told before, while the reader has something new to tell.
  const hasMovedOn = picture.rest || picture.isHeld;
  if (news && !hasMovedOn) picture.want = news;
  picture.host.setAttribute("aria-label", data.alt);
  if (isNew && data.source.open) showFoot(picture);
  picture.kind.take?.(picture, isNew);
  if (isNew || !picture.place) settle(picture); // other words or pairs begin where they come to rest
  if (isNew) lay(picture);
  changed(picture);
}

// Everything is at once where it comes to rest.
export const settle = (picture) => picture.way.set(picture.kind.aim(picture));

// In somebody's page.
function showFoot(picture) {
  picture.foot?.remove();
  picture.foot = picture.host.appendChild(foot(picture.data.source));
}

// ---- size ------------------------------------------------------------------------------------

export function lay(picture) {
  const { kind, host, svg, data } = picture;
  host.style.setProperty("--posenc-width", host.clientWidth || 700); // for paper
  fit(host, svg, data.staged, (width, room) => measure(picture, width, room));
  picture.place = placeOf(picture);
  kind.tell(picture);
  paint(picture);
}

// Lays a picture out for a width and returns its height.
export function measure(picture, width, room) {
  picture.size = picture.kind.build(picture, width, room);
  const { height } = picture.size;
  set(picture.svg, { width, height });
  return height;
}

function resize(picture) {
  if (picture.host.clientWidth && picture.place !== placeOf(picture)) lay(picture);
}

const placeOf = ({ host, svg, data }) =>
  `${host.clientWidth} ${data.staged ? `${Math.round(roomOf(host, svg))} ${rootSize()}` : ""}`;

// ---- motion ----------------------------------------------------------------------------------

export function changed(picture) {
  const { kind, way } = picture;
  way.follow(kind.aim(picture), kind.glide);
  kind.tell(picture);
}

// Draw the next frame.
export function wake(picture) {
  picture.frame ||= requestAnimationFrame((time) => step(picture, time));
}

function step(picture, time) {
  const { kind, way } = picture;
  const plays = kind.play?.(picture);
  way.advance(time);
  picture.moves = plays || way.isMoving();
  paint(picture);
  picture.frame = 0;
  if (picture.moves) wake(picture);
}

export const paint = (picture) => render(picture.kind.draw(picture), picture.svg);

// Everything is where it comes to rest.
export function arrive(picture) {
  const { kind, way } = picture;
  kind.rest?.(picture);
  way.advance(Infinity);
  picture.moves = false;
  kind.tell(picture);
}

// ---- told at rest ------------------------------------------------------------------------------

// The reader has let go; after a key another one may follow, and the server waits.
export function done(picture, waits) {
  clearTimeout(picture.rest);
  picture.rest = setTimeout(() => report(picture), waits ? REST : 0);
}

function report(picture) {
  picture.rest = 0;
  if (picture.playing || picture.isHeld) return;
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
