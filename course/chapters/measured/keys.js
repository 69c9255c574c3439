// Keys in long texts: the passage around one, what was asked, and which were found.

import { interval } from "../../page/formulas/counts.js";
import { letters, wrap } from "../../../static/lines.js";
import { svg } from "../../page/lit/lit.js";
import { mark, seen as there } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import data from "./data.js";
import { LENGTHS, nearest } from "./ribbon.js";
import { NARROW, TRAINED, across, keysY, tokensAt } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @typedef {"none" | "linear" | "ntk" | "yarn"} Asked */
/** @typedef {{ places: number[], filler: number[], found: Record<Asked, string[]> }} Keys */

/** @type {Asked[]} */
export const ASKED = ["none", "linear", "ntk", "yarn"];
const TEXTS = data.asked.length;
const PLACES = data.asked[0].length;
/** Keys in all texts. */
export const COUNT = TEXTS * PLACES;
/** @type {Record<string, Keys>} */
const KEYS = data.keys;

/** @param {State} s */
export const lengthOf = (s) => nearest(s.length);
/** @param {State} s @returns {Keys} */
const keysOf = (s) => KEYS[lengthOf(s)];
/** @param {State} s */
export const textsOf = (s) => keysOf(s).found.none.length;
/** @param {State} s */
export const askedOf = (s) => textsOf(s) * PLACES;
/** Of which text, and the how manieth in it. @param {State} s */
const cell = (s) => {
  const at = clamp(Math.round(s.key), 0, askedOf(s) - 1);
  return { text: Math.floor(at / PLACES), place: at % PLACES };
};
/** @param {State} s */
export const placeOf = (s) => keysOf(s).places[cell(s).place];
/** @param {State} s */
export const nameOf = (s) => data.asked[cell(s).text][cell(s).place][0];
/** @param {State} s */
export const numberOf = (s) => data.asked[cell(s).text][cell(s).place][1];
/** Whether a way finds the key that is looked at. @param {State} s @param {Asked} way */
export const isFound = (s, way) => keysOf(s).found[way][cell(s).text][cell(s).place] === "1";
/** How many keys a way finds. @param {number} length @param {Asked} way */
export const count = (length, way) => KEYS[length].found[way].join("").replaceAll("0", "").length;
/** How many keys one way finds and the other does not. @param {number} length @param {Asked} one @param {Asked} other */
export function differing(length, one, other) {
  const [a, b] = [one, other].map((way) => KEYS[length].found[way].join(""));
  return [...a].filter((found, i) => found !== b[i]).length;
}
/** Its interval, in per cent. @param {number} length @param {Asked} way */
export const between = (length, way) =>
  interval(count(length, way), KEYS[length].found[way].length * PLACES).map((one) => 100 * one);

const isWithin = (/** @type {State} */ s, /** @type {number} */ place) =>
  place >= lengthOf(s) - TRAINED;
/** Whether a window would still hold the key. @param {State} s */
export const isKept = (s) => isWithin(s, placeOf(s));

/** @param {string} text @param {State} s */
const named = (text, s) => text.replaceAll("{name}", nameOf(s)).replaceAll("{number}", numberOf(s));
const cycled = (/** @type {number} */ i) =>
  data.filler[((i % data.filler.length) + data.filler.length) % data.filler.length];

/** The passage around a key, as it stood in the text. @param {State} s @param {number} tokens Of filler to each side. */
export function passage(s, tokens) {
  const { filler, places } = keysOf(s);
  const { place } = cell(s);
  const from = filler[place];
  const room = Math.min(tokens, places[place]);
  const pieces = (/** @type {number} */ first, /** @type {number} */ size) =>
    Array.from({ length: size }, (_, i) => cycled(first + i))
      .join("")
      .trim();
  return {
    before: pieces(from - room, room),
    key: named(data.key, s),
    after: pieces(from, tokens),
  };
}

/** Words in lines of at most so many letters. @param {string} text @param {number} most */
const wrapped = (text, most) => wrap(text, (line) => letters(line) <= most);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function keys(s, room, stage) {
  if (s.keys < 0.02) return "";
  const { say, seen, step } = stage;
  const { isPhone, x, row } = room;
  const length = lengthOf(s);
  const { places, found: all } = keysOf(s);
  const here = cell(s);
  const at = (/** @type {number} */ place) => across(room, s, (places[place] / length) * s.length);
  const gaps = places.slice(1).map((_, place) => at(place + 1) - at(place));
  const r = Math.min(isPhone ? 5 : 8, 0.36 * Math.min(...gaps)); // in a short text they are close
  const isCompared = step() === "count" && seen.has("ntk") && seen.has("yarn");
  const texts = data.asked.slice(0, textsOf(s)).map((_, text) => text);
  const dot =
    (/** @type {number} */ text) => (/** @type {unknown} */ _, /** @type {number} */ i) => {
      const isFound = all[/** @type {Asked} */ (s.way)]?.[text]?.[i] === "1";
      const isChanged = isCompared && all.ntk[text]?.[i] !== all.yarn[text]?.[i];
      return svg`<circle fill=${`var(--${isFound ? "ink" : "paper"})`} stroke=${`var(--${isChanged ? "near" : "ink"})`} stroke-width=${isChanged ? 4 : 2} r=${r} cx=${at(i)} cy=${keysY(room, text)} />`;
    };
  const [cx, cy] = [at(here.place), keysY(room, here.text)];
  const first = keysY(room, 0);
  // Above them, whose they are: the pressed name's.
  const isBoth = isCompared && ["ntk", "yarn"].includes(s.way);
  const says = isBoth ? `found_both${isPhone ? "_short" : ""}` : "found_with";
  const whose = svg`<text class=${isPhone && isBoth ? "t12" : "t14"} opacity=${1 - s.passage} x=${x - r} y=${first - r - (isPhone ? 6 : 14)}>${say(says)}</text>`;
  const chosen = svg`<g ${choose(s, room, stage)} opacity=${s.passage}>
    <rect fill="transparent" x=${x - 6} y=${first - row / 2} width=${room.w + 12} height=${TEXTS * row} />
    <circle fill="none" stroke="var(--ink)" stroke-width="2.5" cx=${cx} cy=${cy} r=${r + 4} />
    <circle class="ring" cx=${cx} cy=${cy} r=${r + 6} /></g>`;
  return svg`
    ${mark("passage", s.keys * s.passage, written(s, room, stage, cx, cy))}
    <g data-marks="keys" opacity=${s.keys}>
      ${texts.map((text) => svg`<text class=${`${isPhone ? "t12" : "t14"} soft end`} x=${x - (isPhone ? 14 : 17)} y=${keysY(room, text) + 5}>${say("text_name", { text: text + 1 })}</text>`)}
      ${there(1 - s.passage, whose)}
      ${there(s.passage, chosen)}
      <g pointer-events="none">${texts.map((text) => places.map(dot(text)))}</g></g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
function choose(s, room, { say, set, handle }) {
  const here = cell(s);
  return handle({
    label: say("key_label"),
    now: here.text * PLACES + here.place,
    min: 0,
    max: askedOf(s) - 1,
    text: say("key_is"),
    isOff: s.passage <= 0.5, // else no passage shows what is chosen
    keys: (by) => set({ key: clamp(Math.round(s.key) + by, 0, askedOf(s) - 1) }),
    move: ([px, py]) => {
      const own = keysOf(s).places.map((place) => (place / lengthOf(s)) * s.length);
      const away = own.map((one) => Math.abs(one - tokensAt(room, s, px)));
      const text = clamp(Math.round((py - keysY(room, 0)) / room.row), 0, textsOf(s) - 1);
      set({ key: text * PLACES + away.indexOf(Math.min(...away)) });
    },
  });
}

/** The passage. @param {State} s @param {Room} room @param {Stage} stage @param {number} cx @param {number} cy */
function written(s, room, { say }, cx, cy) {
  const { isPhone, width, height } = room;
  const left = isPhone ? 10 : room.x - 44;
  const wide = width - left - (isPhone ? 10 : 40);
  const isLow = isPhone && height < 330;
  const line = isPhone ? (isLow ? 15.5 : 17) : 30;
  const indent = isPhone ? 8 : 20;
  const most = Math.floor((wide - 24 - indent) / (isPhone ? 7.3 : 8.4));
  const { before, key, after } = passage(s, isPhone ? 9 : 17);
  const styled = (/** @type {string} */ css, /** @type {string[]} */ texts) =>
    texts.filter(Boolean).map((text) => ({ css, text }));
  const all = [
    ...styled("head", [say("stands")]),
    ...styled("soft", wrapped(`${placeOf(s) ? "… " : ""}${before}`, most).slice(-1)),
    ...styled("bold", wrapped(key, most)),
    ...styled("soft", wrapped(`${after} …`, most).slice(0, 1)),
    ...styled("head", [say("later")]),
    ...styled("bold", wrapped(named(data.question, s), most)),
    ...styled("bold", [say(isFound(s, s.way) ? "is_found" : "is_lost")]),
  ];
  const top = isPhone ? 6 : 20;
  const heads = (/** @type {number} */ i) =>
    all.slice(1, i + 1).filter(({ css }) => css === "head").length;
  const y = (/** @type {number} */ i) =>
    top + (isPhone ? 16 : 28) + i * line + heads(i) * (isPhone ? 3 : 12);
  const bottom = y(all.length - 1) + (isPhone ? 8 : 14);
  return svg`
    <path fill="var(--wash)" d=${`M${cx - 22},${bottom - 1}h44L${cx + 3},${cy - 10}h-6Z`} />
    <rect rx="8" fill="var(--wash)" x=${left} y=${top} width=${wide} height=${bottom - top} />
    ${all.map(({ css, text }, i) => svg`<text class=${css === "head" ? "t12 soft" : css} x=${left + 12 + (css === "head" ? 0 : indent)} y=${y(i)}>${text}</text>`)}`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function counts(s, room, stage) {
  const presence = s.keys * (1 - s.passage);
  if (presence < 0.02) return "";
  const { number } = stage;
  const { isPhone, x, w, width, row, ribbon } = room;
  const top = isPhone ? 10 : 34;
  const bottom = ribbon - 2.8 * row - (isPhone ? 52 : 90);
  const each = Math.min(76, (bottom - top) / ASKED.length);
  const left = isPhone ? 100 : x + 96;
  const right = isPhone ? width - 76 : x + w;
  const at = (/** @type {number} */ percent) => mix(left, right, percent / 100);
  const y = (/** @type {number} */ i) => top + (i + 0.5) * each;
  const foot = top + each * ASKED.length;
  const levels = [0, 50, 100];
  return svg`
    <g data-marks="counts" opacity=${presence}>
      <path class="line" d=${levels.map((one) => `M${at(one)},${top}V${foot}`).join("")} />
      ${levels.map((one) => svg`<text class="t14 soft middle" x=${at(one)} y=${foot + (isPhone ? 15 : 20)}>${number(one)}%</text>`)}</g>
    ${ASKED.map((name, i) => svg`<g data-marks=${`counts of_${name}`} opacity=${presence}>${found(s, room, stage, name, y(i), each, at)}</g>`)}`;
}

/** How many keys a way finds. @param {State} s @param {Room} room @param {Stage} stage @param {Asked} name @param {number} y @param {number} each @param {(percent: number) => number} at */
function found(s, { isPhone, width }, stage, name, y, each, at) {
  const { number, say, seen, set, step, isGuessing } = stage;
  const length = lengthOf(s);
  const its = count(length, name);
  const [low, high] = between(length, name);
  const isKnown = !(isGuessing() && step() === "count" && name === "linear");
  const isNow = s.way === name;
  const wide = isPhone ? 82 : 116;
  const choose = () => {
    if (isGuessing()) return;
    seen.add(name);
    set({ way: name });
  };
  const isTold = step() === "longer" && !isGuessing() && ["ntk", "yarn"].includes(name);
  // The shortest is asked for: its ring comes once the text was that short.
  const others = isTold
    ? LENGTHS.filter((one) => one !== length && (one > TRAINED || seen.has(one)))
    : [];
  const other = (/** @type {number} */ one) => {
    const cx = at((100 * count(one, name)) / (KEYS[one].found[name].length * PLACES));
    const under = LENGTHS.indexOf(one) % 2; // neighbours may be as near as one key
    return svg`
      <circle r="4.5" fill="var(--paper)" stroke="var(--soft)" stroke-width="1.5" cx=${cx} cy=${y} />
      ${each < 50 ? "" : svg`<text class=${`t12 soft halo ${cx > at(0) ? "middle" : ""}`} x=${cx} y=${y + (under ? 20 : -10)}>${width < NARROW ? number(one) : say("length_is", { length: number(one) })}</text>`}`;
  };
  const dot = () => svg`
    <line stroke="var(--ink)" stroke-width="5" stroke-linecap="round" opacity=${isNow ? 0.5 : 0.2} x1=${at(low)} x2=${at(high)} y1=${y} y2=${y} />
    ${others.map(other)}
    <circle r="6" fill=${`var(--${isNow ? "ink" : "soft"})`} cx=${at((100 * its) / askedOf(s))} cy=${y} />
    <text class="t14" x=${at(100) + (isPhone ? 10 : 14)} y=${y + 5}>${say("found_of", { found_here: its, asked_here: askedOf(s) })}</text>`;
  return svg`
    <g ${stage.button(choose)} tabindex=${isGuessing() ? -1 : 0} aria-pressed=${isNow} aria-label=${say("ask_label", { method: say(`line_${name}`) })}>
      <rect rx="8" stroke="var(--line)" stroke-width="1.5" fill=${`var(--${isNow ? "ink" : "paper"})`} x=${at(0) - wide - 10} y=${y - Math.min(17, each / 2 - 2)} width=${wide - (isPhone ? 4 : 10)} height=${Math.min(34, each - 4)} />
      <text class=${`${isPhone ? "t12" : "t14"} middle`} style=${isNow ? "fill: var(--paper)" : ""} x=${at(0) - 12 - wide / 2 - (isPhone ? 0 : 3)} y=${y + 5}>${say(`line_${name}`)}</text></g>
    ${isKnown ? dot() : ""}`;
}
