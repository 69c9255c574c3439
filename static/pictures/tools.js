// What every picture that moves here is made of: elements, sizes, paths, numbers.

import { svg } from "../../course/page/lit/lit.js";
import { TURN } from "../../course/page/shapes.js";
import { writer as numbers } from "../../course/page/words.js";
import { rootSize, usualType } from "../chart/enlarge.js";
import { widthIn } from "../lines.js";
import { set } from "../svg.js";

export { through as line } from "../../course/page/parts.js";
export { TURN, clamp } from "../../course/page/shapes.js";
export { told as fill } from "../../course/page/words.js";
export { SVG, set, shape } from "../svg.js";
export { rootSize };

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  set(made, attributes);
  made.append(...children);
  return made;
}

// ---- motion ------------------------------------------------------------------------------------

export const still = matchMedia("(prefers-reduced-motion: reduce)");

// ---- size ----------------------------------------------------------------------------------------

const SMALLEST = 13; // pixels of a letter in static/stage.css
const READABLE = 12; // and of one in a frame that is too low for the picture: there it scrolls
const EDGE = 12; // pixels below a picture that is shown alone
const TRIES = 4;

// Draws a picture as wide as its place; where it is shown alone, in letters for the last row and
// as high as the window leaves: `draw` takes a width and a height (0: its own) and returns a height.
export function fit(host, svg, isAlone, draw) {
  const whole = host.clientWidth || 700;
  const room = isAlone ? roomOf(host, svg) : 0;
  let times = isAlone ? rootSize() / SMALLEST : usualType().times;
  let height = draw(whole / times, room / times);
  for (let i = 0; i < TRIES && room && height * times > room && times > READABLE / SMALLEST; i++) {
    times = Math.max(room / height, READABLE / SMALLEST);
    height = draw(whole / times, room / times);
  }
  set(svg, {
    viewBox: `0 0 ${whole / times} ${height}`,
    width: whole,
    height: height * times,
  });
}

// Pixels that the window leaves to a drawing.
export function roomOf(host, svg) {
  const around = host.offsetHeight - svg.getBoundingClientRect().height;
  return Math.max(innerHeight - host.getBoundingClientRect().top - around - EDGE, 120);
}

// Calls back when the place has another size.
export function watchSize(host, changed) {
  const soon = () => requestAnimationFrame(changed);
  const sizes = new ResizeObserver(soon);
  sizes.observe(host);
  for (const around of document.querySelectorAll(".st-key-alone_line, .st-key-first"))
    sizes.observe(around);
  const events = ["resize", "posenc-look"];
  for (const event of events) addEventListener(event, soon);
  return () => {
    sizes.disconnect();
    for (const event of events) removeEventListener(event, soon);
  };
}

// Pixels that a text takes in the letters of a picture.
export const widthOf = (host, text, size) =>
  widthIn(text, `${size}px ${getComputedStyle(host).fontFamily}`);

// Where a pointer is in a drawing that may be enlarged.
export function pointerX(svg, event) {
  const { left, width } = svg.getBoundingClientRect();
  return ((event.clientX - left) / width) * (svg.viewBox.baseVal?.width || width);
}

// ---- what reader and server tell each other ---------------------------------------------------------

// The server says where things stand (`at`) and which report of this picture it has heard last
// (`echo`). What answers an older report than the last one, or says nothing new, is left aside.
export function Exchange() {
  let last, heard, said;
  return {
    hear({ at, echo }) {
      const now = JSON.stringify([at, echo]);
      const isNews = now !== heard && (last === undefined || echo === last);
      if (last === undefined) last = echo;
      heard = now;
      // What was reported comes back late: meanwhile the reader may have moved on.
      if (!isNews || JSON.stringify(at) === said) return null;
      said = JSON.stringify(at);
      return { ...at };
    },
    tell(state, send) {
      const now = JSON.stringify(state);
      if (now === said) return;
      said = now;
      last = Date.now();
      send("report", { ...state, at: last });
    },
  };
}

// A step of an axis that is at least as large: 1, 2 or 5 times a power of ten.
export function roundStep(size) {
  const unit = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].find((times) => times * unit >= size) * unit;
}

// ---- paths: angles grow counterclockwise from the right, as on paper -----------------------------

const pixel = (value) => value.toFixed(1);
const tip = (x, y, r, angle) =>
  `${pixel(x + r * Math.cos(angle))},${pixel(y - r * Math.sin(angle))}`;

export const hand = (x, y, r, angle) => `M${pixel(x)},${pixel(y)}L${tip(x, y, r, angle)}`;
export const disc = (x, y, r) =>
  `M${pixel(x - r)},${pixel(y)}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0Z`;
export const box = (x, y, width, height) =>
  `M${pixel(x)},${pixel(y)}h${pixel(width)}v${pixel(height)}h${pixel(-width)}Z`;

export function sector(x, y, r, from, to) {
  const wide = Math.abs(to - from);
  if (wide < 1e-4) return "";
  if (wide >= TURN - 1e-4) return disc(x, y, r);
  const side = `${wide > Math.PI ? 1 : 0} ${to > from ? 0 : 1}`;
  return `M${pixel(x)},${pixel(y)}L${tip(x, y, r, from)}A${r},${r} 0 ${side} ${tip(x, y, r, to)}Z`;
}

export const label = (x, y, text, { kind = "small", anchor = "start" } = {}) =>
  svg`<text class=${kind} x=${x} y=${y} text-anchor=${anchor}>${text}</text>`;

// By their names, which style them.
export const paths = (parts) =>
  Object.entries(parts).map(([name, d]) => svg`<path class=${name} d=${d} />`);

// ---- words and numbers: the texts come from the server, in the reader's language ------------------

// Of a word, as many letters as have room.
export const shortened = (word, most) =>
  word.length > most ? word.slice(0, most - 1) + "…" : word;

export function writer(separators) {
  const fixed = numbers(separators);
  const short = (value, digits) => {
    const text = String(Number(value.toPrecision(digits)));
    if (text.includes("e")) return text.replace("-", "−").replace(".", separators[1]);
    return fixed(Number(text), text.split(".")[1]?.length);
  };
  return { whole: (value) => fixed(Math.round(value)), fixed, short };
}
