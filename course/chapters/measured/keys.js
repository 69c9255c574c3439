// Keys in long texts: the passage around one, what was asked, and which were found.

import data from "./data.js";
import { interval } from "../../page/formulas/counts.js";
import { clamp, mix } from "../../page/shapes.js";
import { nearest } from "./ribbon.js";
import { BLOCK, TRAINED, across, keysY, tokensAt } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
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

/** Bits a token of a text of that length, on average. @param {number} length @param {Asked} way */
export function loss(length, way) {
  const bits = data.longest[way].slice(0, length / BLOCK);
  return bits.reduce((sum, each) => sum + each, 0) / bits.length;
}

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

/** Words in lines of at most so many letters. @param {string} text @param {number} letters */
function wrapped(text, letters) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines.length - 1;
    if (last >= 0 && lines[last].length + word.length < letters) lines[last] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}

const MOST_LINES = 12;

/** @param {Stage} stage */
export function buildKeys({
  svg,
  make,
  put,
  show,
  group,
  slider,
  ring,
  value,
  say,
  state,
  set,
  seen,
  step,
  isGuessing,
}) {
  /** @type {Room} */
  let room;
  const paper = group("passage");
  const funnel = make("path", { fill: "var(--wash)" }, paper);
  const plate = make("rect", { rx: 8, fill: "var(--wash)" }, paper);
  const texts = Array.from({ length: MOST_LINES }, () => make("text", {}, paper));
  const verdict = make("text", { "font-weight": 600 }, group("passage"));

  const rows = group("keys");
  const names = data.asked.map(() => make("text", { class: "soft", "text-anchor": "end" }, rows));
  const whose = make("text", { class: "t14" }, rows);
  const hand = slider(rows, {
    label: say("key_label"),
    keys: (by) => set({ key: clamp(Math.round(state.key) + by, 0, askedOf(state) - 1) }),
    move: ([px, py]) => {
      const length = lengthOf(state);
      const own = keysOf(state).places.map((place) => (place / length) * state.length);
      const token = tokensAt(room, state, px);
      const place = own.reduce(
        (best, one, i) => (Math.abs(one - token) < Math.abs(own[best] - token) ? i : best),
        0,
      );
      const text = clamp(Math.round((py - rowY(0)) / room.row), 0, textsOf(state) - 1);
      set({ key: text * PLACES + place });
    },
  });
  const plane = make("rect", { fill: "transparent" }, hand);
  const chosen = ring(
    make("circle", { fill: "none", stroke: "var(--ink)", "stroke-width": 2.5 }, hand),
  );
  const dots = Array.from({ length: COUNT }, () =>
    make("circle", { style: "pointer-events: none" }, rows),
  );
  svg.append(rows);

  /** @param {number} text */
  const rowY = (text) => keysY(room, text);

  return (/** @type {State} */ s, /** @type {Room} */ now) => {
    room = now;
    show(rows, s.keys);
    const presence = s.keys * s.passage;
    show(paper, presence);
    show(/** @type {Element} */ (verdict.parentNode), presence);
    if (s.keys < 0.02) return;
    const { isPhone, x, w, row } = room;
    const length = lengthOf(s);
    const { places } = keysOf(s);
    const here = cell(s);
    const at = (/** @type {number} */ place) =>
      across(room, s, (places[place] / length) * s.length);
    const gaps = places.slice(1).map((_, place) => at(place + 1) - at(place));
    const r = Math.min(isPhone ? 5 : 8, 0.4 * Math.min(...gaps)); // in a short text they are close
    const isCompared = step() === "count" && seen.has("ntk") && seen.has("yarn");
    dots.forEach((dot, i) => {
      const [text, place] = [Math.floor(i / PLACES), i % PLACES];
      const { found: all } = keysOf(s);
      const found = all[/** @type {Asked} */ (s.way)]?.[text]?.[place];
      const isChanged = isCompared && all.ntk[text]?.[place] !== all.yarn[text]?.[place];
      const isThere = text < textsOf(s);
      put(dot, {
        cx: at(place).toFixed(1),
        cy: rowY(text),
        r,
        fill: found === "1" ? "var(--ink)" : "var(--paper)",
        stroke: isChanged ? "var(--near)" : "var(--ink)",
        "stroke-width": isChanged ? 4 : 2,
        display: isThere ? undefined : "none",
      });
    });
    names.forEach((node, i) =>
      put(node, {
        x: x - (isPhone ? 14 : 17),
        y: rowY(i) + 5,
        class: isPhone ? "t12 soft" : "t14 soft",
        text: i < textsOf(s) ? say("text_name", { text: i + 1 }) : "",
      }),
    );
    // Above them, whose they are: the pressed name's.
    put(whose, { x: x - r, y: rowY(0) - r - (isPhone ? 6 : 14), text: say("found_with") });
    show(whose, 1 - s.passage);
    const [cx, cy] = [at(here.place), rowY(here.text)];
    put(chosen, { cx, cy, r: r + 4 });
    put(plane, { x: x - 6, y: rowY(0) - row / 2, width: w + 12, height: TEXTS * row });
    value(hand, here.text * PLACES + here.place, 0, askedOf(s) - 1, say("key_is"));
    const isFree = !isGuessing() && s.passage > 0.5; // else no passage shows what is chosen
    put(hand, { tabindex: isFree ? 0 : -1, style: isFree ? undefined : "pointer-events: none" });
    show(hand, s.passage);
    if (presence > 0.02) write(s, cx, cy);
  };

  /** @param {State} s @param {number} cx @param {number} cy */
  function write(s, cx, cy) {
    const { isPhone, width, height } = room;
    const left = isPhone ? 10 : room.x - 44;
    const wide = width - left - (isPhone ? 10 : 40);
    const isLow = isPhone && height < 330;
    const line = isPhone ? (isLow ? 15.5 : 17) : 30;
    const indent = isPhone ? 8 : 20;
    const letters = Math.floor((wide - 24 - indent) / (isPhone ? 7.3 : 8.4));
    const { before, key, after } = passage(s, isPhone ? 9 : 17);
    /** @type {[string, string][]} */
    const all = [
      ["head", say("stands")],
      ...wrapped(`${placeOf(s) ? "… " : ""}${before}`, letters)
        .slice(-1)
        .map((one) => ["soft", one]),
      ...wrapped(key, letters).map((one) => ["", one]),
      ...wrapped(`${after} …`, letters)
        .slice(0, 1)
        .map((one) => ["soft", one]),
      ["head", say("later")],
      ...wrapped(named(data.question, s), letters).map((one) => ["", one]),
    ]
      .filter(([, text]) => text)
      .map(([a, b]) => [String(a), String(b)]);
    const top = isPhone ? 6 : 20;
    let y = top + (isPhone ? 16 : 28);
    texts.forEach((node, i) => {
      const [css, text] = all[i] ?? ["", ""];
      if (css === "head" && i) y += isPhone ? 3 : 12;
      const look = { head: "t12 soft", soft: "soft" }[css] ?? "";
      put(node, {
        x: left + 12 + (css === "head" ? 0 : indent),
        y,
        class: look,
        text,
        "font-weight": css ? undefined : 600,
      });
      if (text) y += line;
    });
    put(verdict, {
      x: left + 12 + indent,
      y,
      text: say(isFound(s, s.way) ? "is_found" : "is_lost"),
    });
    const bottom = y + (isPhone ? 8 : 14);
    put(plate, { x: left, y: top, width: wide, height: bottom - top });
    put(funnel, { d: `M${cx - 22},${bottom - 1}h44L${cx + 3},${cy - 10}h-6Z` });
  }
}

/** @param {Stage} stage */
export function buildCounts(stage) {
  const { make, put, show, group, say, number, seen, set, step, press, isGuessing } = stage;
  const panel = group("counts");
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, panel);
  const ticks = [0, 50, 100].map((percent) =>
    make("text", { class: "t14 soft", "text-anchor": "middle" }, panel, `${number(percent)} %`),
  );
  const lost = group("loss");
  const lostName = make("text", { class: "t12 soft", "text-anchor": "end" }, lost);
  const rows = ASKED.map((name) => {
    const node = group(`counts of_${name}`);
    const choose = () => {
      if (isGuessing()) return;
      seen.add(name);
      set({ way: name });
    };
    const button = press(node, choose, {
      "aria-label": say("ask_label", { method: say(`line_${name}`) }),
    });
    const plate = make("rect", { rx: 8, stroke: "var(--line)", "stroke-width": 1.5 }, button);
    const text = make("text", { "text-anchor": "middle" }, button, say(`line_${name}`));
    const whisker = make(
      "line",
      { stroke: "var(--ink)", "stroke-width": 5, "stroke-linecap": "round" },
      node,
    );
    const dot = make("circle", { r: 6 }, node);
    const found = make("text", { class: "t14" }, node);
    const bits = make("text", { class: "t14", "text-anchor": "end" }, lost);
    return { name, node, button, plate, text, whisker, dot, found, bits };
  });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = s.keys * (1 - s.passage);
    show(panel, presence);
    const { isPhone, x, w, width, row, ribbon } = room;
    const length = lengthOf(s);
    const isLast = step() === "longer";
    const top = isPhone ? (isLast ? 22 : 10) : 34;
    const bottom = ribbon - 2.8 * row - (isPhone ? 52 : 90);
    const each = Math.min(76, (bottom - top) / ASKED.length);
    const left = isPhone ? 100 : x + 96;
    const right = isPhone ? width - (isLast ? 100 : 76) : x + w;
    const at = (/** @type {number} */ percent) => mix(left, right, percent / 100);
    const foot = top + each * ASKED.length;
    show(lost, presence * Number(isLast && !isGuessing()));
    put(lostName, {
      x: width - (isPhone ? 6 : 20),
      y: top - (isPhone ? 8 : 4),
      text: say(isPhone ? "loss_short" : "loss"),
    });
    put(grid, { d: [0, 50, 100].map((one) => `M${at(one)},${top}V${foot}`).join("") });
    ticks.forEach((node, i) => put(node, { x: at(50 * i), y: foot + (isPhone ? 15 : 20) }));
    rows.forEach(({ name, node, button, plate, text, whisker, dot, found, bits }, i) => {
      show(node, presence);
      if (presence < 0.02) return;
      const y = top + (i + 0.5) * each;
      const its = count(length, name);
      const isKnown = !(isGuessing() && step() === "count" && name === "linear");
      const [low, high] = between(length, name);
      const here = isKnown ? say("found_of", { found_here: its, asked_here: askedOf(s) }) : "";
      const isNow = s.way === name;
      put(bits, { x: width - (isPhone ? 6 : 20), y: y + 5, text: number(loss(length, name), 2) });
      const wide = isPhone ? 82 : 116;
      put(plate, {
        x: left - wide - 10,
        y: y - Math.min(17, each / 2 - 2),
        width: wide - (isPhone ? 4 : 10),
        height: Math.min(34, each - 4),
        fill: isNow ? "var(--ink)" : "var(--paper)",
      });
      put(text, {
        x: left - 12 - wide / 2 - (isPhone ? 0 : 3),
        y: y + 5,
        class: isPhone ? "t12" : "t14",
        style: isNow ? "fill: var(--paper)" : undefined,
      });
      put(button, { tabindex: isGuessing() ? -1 : 0, "aria-pressed": isNow ? "true" : "false" });
      put(whisker, {
        x1: at(low),
        x2: at(high),
        y1: y,
        y2: y,
        opacity: isNow ? 0.5 : 0.2,
        display: isKnown ? undefined : "none",
      });
      put(dot, { fill: isNow ? "var(--ink)" : "var(--soft)" });
      put(dot, { cx: at((100 * its) / askedOf(s)), cy: y, display: isKnown ? undefined : "none" });
      put(found, { x: right + (isPhone ? 10 : 14), y: y + 5, text: here });
    });
  };
}
