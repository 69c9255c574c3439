// The KV cache: the typed words, each one's query, and the shelf with its key and its value.

import { isKept } from "./cached.js";
import { softmax } from "../../page/formulas/rotation.js";
import { arrow, clamp, mix, pie, spiral, wrapped } from "../../page/shapes.js";
import {
  APART,
  COUNT,
  FAR_KEYS,
  NUMBERED,
  SINKS,
  SPEED,
  TRAINED,
  WINDOW,
  arcOf,
  isOn,
  newest,
  picked,
  placeOfKey,
  speedsNow,
  speedsThen,
  turnBetween,
  turnedTo,
} from "./room.js";
import { isWay } from "./stale.js";
import { detailOf } from "./work.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const SHARPNESS = 2; // of the invented score of two arrows
const NUMBERS = 6; // of a value
const MADE = "color-mix(in srgb, var(--k) 30%, var(--paper))"; // a key of this step
/** Invented, from -1 to 1. @param {number} j @param {number} c */
const number = (j, c) =>
  2 * ((Math.sin((9.1 * j + 3.3 * c) * 127.1 + 11.7) * 43758.5453) % 1) -
  Math.sign(Math.sin((9.1 * j + 3.3 * c) * 127.1 + 11.7));
const VALUES = Array.from({ length: COUNT }, (_, j) =>
  Array.from({ length: NUMBERS }, (_, c) => number(j, c)),
);
const easeIn = (/** @type {number} */ t) => t * t * (3 - 2 * t);

/** How much of a word is typed: its key is falling until then. @param {State} s @param {number} j */
const come = (s, j) => clamp(s.typed - j, 0, 1);
/** Shares of the newest word's attention. @param {State} s */
const shares = (s) =>
  softmax(
    Array.from({ length: newest(s) + 1 }, (_, j) => SHARPNESS * Math.cos(SPEED * (newest(s) - j))),
  );

/** The shelf of twelve words goes where more are counted. @param {State} s */
const hereOf = (s) => mix(1, detailOf(s), s.work);

/** How much of the turn of a word is shown: none in a window while it is asked for. @param {State} s @param {number} j */
const isTold = (s, j) => (j < SINKS ? 1 : 1 - s.window * s.guessing);

/** @param {Stage} stage @param {() => Room} room */
export function buildShelf(stage, room) {
  const parts = [
    buildBoards(stage),
    buildFan(stage),
    buildValues(stage),
    buildQueries(stage),
    buildKeys(stage),
    buildNames(stage),
    buildWords(stage, room),
  ];
  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    for (const draw of parts) draw(s, at, clamp(1 - s.far - s.stale - s.plot, 0, 1) * hereOf(s));
  };
}

/** @param {Stage} stage */
function buildBoards({ make, put, show, group }) {
  const shelf = group("shelf");
  const boards = [0, 1].map(() =>
    make("line", { stroke: "var(--ink)", "stroke-width": 3, "stroke-linecap": "round" }, shelf),
  );
  return (/** @type {State} */ s, /** @type {Room} */ at, /** @type {number} */ near) => {
    const right = at.left + COUNT * at.slot;
    [at.k, at.v].forEach((y, i) => {
      put(boards[i], { x1: at.left, x2: right, y1: y + at.r + 4, y2: y + at.r + 4 });
      show(boards[i], near * (i ? s.values : 1));
    });
  };
}

/** @param {Stage} stage */
function buildNames({ make, put, show, group, say }) {
  const names = ["q", "k", "v"].map((name) =>
    make("text", { class: `t14 halo ${name}` }, group(name), say(`row_${name}`)),
  );
  return (/** @type {State} */ s, /** @type {Room} */ at, /** @type {number} */ near) => {
    nameSpots(s, at).forEach(([x, y, anchor], i) => {
      put(names[i], { x, y, "text-anchor": anchor });
      show(names[i], near * [s.asks, 1, s.values][i] * (at.isPhone ? s.spread : 1));
    });
  };
}
/** Where the rows' names stand: in the margin; on a phone, which has none, at the query and the shelves, where these are apart. @param {State} s @param {Room} at */
function nameSpots(s, at) {
  if (!at.isPhone) return [at.q, at.k, at.v].map((y) => [8, y + 5, "start"]);
  const m = newest(s);
  const side = m < COUNT - 2 ? 1 : -1;
  return [
    [at.at(m) + side * (at.r + 6), at.q + 5, side > 0 ? "start" : "end"],
    [at.left, at.k + at.r + 20, "start"],
    [at.left + COUNT * at.slot, at.v - at.r - 6, "end"],
  ];
}

/** From the query to every key, and from the values to their sum. @param {Stage} stage */
function buildFan({ make, put, show, group, say }) {
  const all = group("attention");
  const line = () => make("line", { stroke: "var(--attention)", "stroke-linecap": "round" }, all);
  const lines = VALUES.map(() => ({ up: line(), down: line() }));
  const sum = group("v");
  const bars = VALUES[0].map(() => make("rect", { fill: "var(--ink)" }, sum));
  const name = make("text", { class: "t14 soft", "text-anchor": "end" }, sum, say("sum"));
  return (/** @type {State} */ s, /** @type {Room} */ at, /** @type {number} */ near) => {
    const m = newest(s);
    const parts = shares(s);
    const there = near * s.fan * come(s, m) ** 3;
    const x = at.at(m);
    lines.forEach(({ up, down }, j) => {
      const share = parts[j] ?? 0;
      put(up, { x1: x, y1: at.q + at.r, x2: at.at(j), y2: at.k - at.r - 2 });
      put(down, { x1: at.at(j), y1: at.v + at.r + 7, x2: x, y2: at.out - at.r });
      for (const one of [up, down]) {
        put(one, { "stroke-width": (1 + 14 * share).toFixed(1) });
        show(one, j <= m ? there * clamp(0.15 + 2 * share, 0, 0.85) : 0);
      }
    });
    const mixed = VALUES[0].map((_, c) =>
      parts.reduce((all, share, j) => all + share * VALUES[j][c], 0),
    );
    strip(put, bars, x, at.out, at.r, mixed);
    put(name, { x: x - at.r - 8, y: at.out + 5 });
    show(sum, there);
  };
}

/** @param {Stage["put"]} put @param {Element[]} bars @param {number} x @param {number} y @param {number} r @param {number[]} values */
function strip(put, bars, x, y, r, values) {
  const width = (2 * r - 2) / NUMBERS;
  values.forEach((value, c) => {
    const h = value * r * 0.85;
    put(bars[c], {
      x: x - r + 1 + c * width,
      y: h > 0 ? y - h : y,
      width: Math.max(1, width - 1.5),
      height: Math.abs(h),
    });
  });
}

/** @param {Stage} stage */
function buildValues({ make, put, show, group }) {
  const all = group("v shelf");
  const each = VALUES.map((values) => {
    const whole = make("g", {}, all);
    return { whole, bars: values.map(() => make("rect", { fill: "var(--content)" }, whole)) };
  });
  return (/** @type {State} */ s, /** @type {Room} */ at, /** @type {number} */ near) => {
    each.forEach(({ whole, bars }, j) => {
      const here = come(s, j);
      strip(put, bars, at.at(j), mix(at.q, at.v, easeIn(here)), at.r, VALUES[j]);
      show(whole, near * s.values * here);
    });
  };
}

/** One is in use; the others leave an empty circle. @param {Stage} stage */
function buildQueries({ make, put, show, group }) {
  const all = group("q");
  const each = VALUES.map(() => ({
    gone: make(
      "circle",
      { fill: "none", stroke: "var(--line)", "stroke-width": 1.5, "stroke-dasharray": "3 5" },
      all,
    ),
    rim: make("circle", { fill: "var(--paper)", stroke: "var(--line)", "stroke-width": 1.5 }, all),
    hand: make(
      "path",
      { stroke: "var(--q)", fill: "var(--q)", "stroke-width": 3, "stroke-linejoin": "round" },
      all,
    ),
  }));
  return (/** @type {State} */ s, /** @type {Room} */ at, /** @type {number} */ near) => {
    each.forEach(({ gone, rim, hand }, j) => {
      const next = come(s, j + 1);
      const circle = { x: at.at(j), y: at.q, r: Math.max(1, at.r - 3) };
      for (const one of [gone, rim]) put(one, { cx: circle.x, cy: circle.y, r: at.r });
      put(hand, {
        d: arrow(circle, turnedTo(s, j) * SPEED * easeIn(come(s, j)), at.isPhone ? 7 : 11),
      });
      show(gone, near * s.asks * next);
      show(rim, near * s.asks * (come(s, j) - next));
      show(hand, near * s.asks * (come(s, j) - next) * isTold(s, j));
    });
  };
}

/** The same dials on the shelf, in the card's band, and along the long text. @param {Stage} stage */
function buildKeys({ make, put, show, group }) {
  const all = group("k shelf");
  put(all, { "pointer-events": "none" }); // what takes the hand is below them
  const each = VALUES.map(() => ({
    rim: make("circle", { fill: "var(--paper)", stroke: "var(--line)", "stroke-width": 1.5 }, all),
    ghost: make(
      "path",
      { stroke: "var(--k)", fill: "none", "stroke-width": 1.5, "stroke-dasharray": "3 3" },
      all,
    ),
    hand: make(
      "path",
      { stroke: "var(--k)", fill: "var(--k)", "stroke-width": 3, "stroke-linejoin": "round" },
      all,
    ),
  }));
  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const [then, now] = [speedsThen, speedsNow].map((all) => all(s)[Math.round(s.pair)]);
    const gone = clamp(s.window, 0, 1);
    const unturned = isWay(s, "read");
    const isAnew = isWay(s, "again") > 0.5;
    each.forEach(({ rim, ghost, hand }, j) => {
      const here = s.stale > 0.5 ? 1 : come(s, j);
      const { x, y, r } = placeOfKey(at, s, j);
      const falls = j >= SINKS ? gone * easeIn(come(s, j + WINDOW)) : 0;
      const from = mix(at.q, y, easeIn(here)) + falls * 40;
      const circle = { x, y: from, r: Math.max(1, r - 2) };
      const place = j * APART;
      const near = turnedTo(s, j) * SPEED * easeIn(here);
      const far = turnBetween(mix(place * then, place * now, s.right), 0, unturned);
      const kept = turnBetween(near, far, s.stale);
      put(rim, { cx: x, cy: from, r: Math.max(0.5, r), fill: isAnew ? MADE : "var(--paper)" });
      put(hand, { d: arrow(circle, kept, Math.min(11, r * 0.5)) });
      put(ghost, { d: arrow(circle, place * now, Math.min(8, r * 0.4)) });
      const isThere =
        hereOf(s) * (1 - s.plot) * here * (1 - falls) * (j < FAR_KEYS ? 1 : 1 - s.stale);
      show(rim, isThere * (s.far > 0.9 ? 0 : 1));
      show(hand, isThere * (s.far > 0.9 ? 0 : 1) * isTold(s, j));
      const isOff = Math.abs(wrapped(place * (then - now))) > 0.05;
      const left = isOff ? 1 - s.right : 0;
      show(ghost, 0.8 * isThere * s.stale * Math.max(left, place ? unturned : 0));
    });
  };
}

/** @param {Stage} stage @param {() => Room} room */
function buildWords(
  { make, put, show, group, slider, ring, value, say, state, set, move, step },
  room,
) {
  const sentence = say("sentence").split(" ");
  const all = group("words");
  const paper = make("line", { stroke: "var(--line)" }, all);
  const words = sentence.map(() =>
    make(
      "text",
      { class: "word", "text-anchor": "middle", style: "font-family: var(--heading)" },
      all,
    ),
  );
  const type = (/** @type {number} */ to) => {
    playing = false;
    set({ typed: clamp(to, 1, COUNT) });
  };
  let playing = false;
  const settle = () => move({ typed: Math.round(state.typed) }, 150);
  /** Word by word, until the end or until somebody does something else. @param {string} at */
  function play(at) {
    if (!playing || step() !== at || state.typed >= COUNT) {
      playing = false;
      return;
    }
    move({ typed: Math.min(COUNT, Math.round(state.typed) + 1) }, 380);
    setTimeout(() => play(at), 430);
  }
  const handle = slider(group("caret"), {
    label: say("caret_label"),
    keys: (by) => {
      playing = false;
      move({ typed: clamp(Math.round(state.typed) + by, 1, COUNT) }, 350);
    },
    start: ([x]) => x - room().at(state.typed - 0.5),
    move: ([x], off) => type((x - off - room().left) / room().slot),
    end: settle,
  });
  const caret = make("rect", { fill: "var(--ink)", width: 2.5, y: -20 }, handle);
  make("rect", { x: -26, y: -4, width: 52, height: 40, fill: "transparent" }, handle);
  const pill = ring(make("rect", { fill: "var(--ink)", rx: 8, x: -22, width: 44 }, handle));
  const sign = make(
    "path",
    { fill: "none", stroke: "var(--paper)", "stroke-width": 2, "stroke-linecap": "round" },
    handle,
  );
  const button = make(
    "g",
    { role: "button", tabindex: 0, "aria-label": say("play"), class: "grab" },
    group("caret"),
  );
  make("rect", { x: -22, y: -8, width: 44, height: 40, fill: "transparent" }, button);
  const face = make(
    "rect",
    { x: -19, width: 38, rx: 8, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 1.5 },
    button,
  );
  const triangle = make("path", { fill: "var(--ink)" }, button);
  const toggle = () => {
    playing = !playing;
    play(step());
  };
  button.addEventListener("click", toggle);
  button.addEventListener("keydown", (event) => event.key === "Enter" && toggle());

  return (/** @type {State} */ s, /** @type {Room} */ at, /** @type {number} */ near) => {
    put(paper, { x1: at.left, x2: at.left + COUNT * at.slot, y1: at.words + 7, y2: at.words + 7 });
    show(paper, near);
    words.forEach((word, j) => {
      const letters = Math.ceil(come(s, j) * sentence[j].length);
      put(word, {
        x: at.at(j),
        y: at.words,
        text: sentence[j].slice(0, letters),
        style: `font-family: var(--heading)${at.isPhone ? "" : `; font-size: ${Math.min(21, at.slot * 0.36)}px`}`,
      });
      show(word, near * (isOn(s, j) || come(s, j) === 0 ? 1 : 0.45));
    });
    const x = at.left + s.typed * at.slot;
    const high = at.isPhone ? 18 : 22;
    const shift = Math.min(0, at.width - (at.isPhone ? 26 : 30) - x);
    put(handle, { transform: `translate(${x.toFixed(1)} ${at.pill})` });
    put(caret, {
      x: -1,
      y: at.words - at.pill - (at.isPhone ? 14 : 20),
      height: at.isPhone ? 19 : 27,
    });
    put(pill, { height: high, x: -22 + shift });
    put(sign, { d: `M${shift - 8},${high / 2}h16m-4,-4l4,4l-4,4m-8,0l-4,-4l4,-4` });
    value(handle, Math.round(s.typed), 1, COUNT, say("typed_at"));
    const canType = near > 0.9 ? s.types : 0;
    show(handle, canType);
    const side = x + (x > at.width - 100 ? -54 : 54);
    put(button, { transform: `translate(${side.toFixed(1)} ${at.pill})` });
    put(face, { height: high });
    put(triangle, {
      d: playing
        ? `M-5,${high / 2 - 5}h3v10h-3zM2,${high / 2 - 5}h3v10h-3z`
        : `M-4,${high / 2 - 6}l10,6l-10,6z`,
    });
    show(button, s.typed < COUNT - 0.01 ? canType : 0);
  };
}

/** One key and the query side by side. @param {Stage} stage @param {() => Room} room */
export function buildLens(stage, room) {
  const { make, put, show, group, slider, ring, value, say, state, set, seen, isGuessing } = stage;
  const pick = (/** @type {number} */ j) => {
    if (isGuessing()) return;
    const kept = VALUES.map((_, i) => i).filter((i) => isOn(state, i));
    const to = kept.reduce((best, i) => (Math.abs(i - j) < Math.abs(best - j) ? i : best), kept[0]);
    for (const one of kept) if (one === to) seen.add(one);
    set({ pick: to });
  };
  const step = (/** @type {number} */ by) => {
    const kept = VALUES.map((_, i) => i).filter((i) => isOn(state, i));
    const at = kept.indexOf(picked(state));
    pick(kept[clamp(at + Math.sign(by), 0, kept.length - 1)]);
  };
  const lens = group("arc");
  const rim = make(
    "circle",
    { fill: "var(--paper)", stroke: "var(--line)", "stroke-width": 1.5 },
    lens,
  );
  const wedge = make("path", { fill: "var(--ink)", opacity: 0.1 }, lens);
  const arc = make("path", { fill: "none", stroke: "var(--ink)", "stroke-width": 2.5 }, lens);
  // The key is broader, so that both are seen where they agree.
  const hands = ["k", "q"].map((name, i) =>
    make(
      "path",
      {
        stroke: `var(--${name})`,
        fill: `var(--${name})`,
        "stroke-width": i ? 3.5 : 8,
        "stroke-linejoin": "round",
      },
      group(name),
    ),
  );
  const asked = make("text", { class: "big soft", "text-anchor": "middle" }, lens, "?");
  const texts = ["q", "k", "arc", "turns"].map((name) =>
    make("text", { class: name, style: name === "arc" ? "font-weight: 600" : "" }, group(name)),
  );
  const numbers = group("numbers");
  const signs = VALUES.map(() => make("text", { class: "t12", "text-anchor": "middle" }, numbers));
  const handle = slider(group("pick"), {
    label: say("pick_label"),
    keys: step,
    move: ([x]) => pick((x - room().left) / room().slot - 0.5),
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const hold = ring(
    make("circle", { fill: "none", stroke: "var(--ink)", "stroke-width": 2.5 }, handle),
  );
  const thread = make(
    "path",
    { fill: "none", stroke: "var(--ink)", "stroke-dasharray": "2 4" },
    handle,
  );

  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const { isPhone } = at;
    const stays = s.lens * (1 - s.window * s.guessing); // an arc that is asked for is not shown
    const r = Math.max(
      10,
      Math.min((at.bottom - at.below - 8) / 2, at.width * (isPhone ? 0.26 : 0.21)),
    );
    const circle = { x: at.left + r + (isPhone ? 6 : 30), y: at.below + 8 + r, r };
    const angle = turnedTo(s, newest(s)) * SPEED;
    put(rim, { cx: circle.x, cy: circle.y, r });
    put(wedge, { d: pie(circle, r * 0.6, angle - arcOf(s), arcOf(s)) });
    put(arc, { d: spiral(circle, r * 0.6, angle - arcOf(s), arcOf(s)) });
    [angle - arcOf(s), angle].forEach((one, i) => {
      put(hands[i], { d: arrow({ ...circle, r: r - 6 - 4 * i }, one, isPhone ? 12 : 18) });
      show(hands[i], stays);
    });
    const x = circle.x + r + (isPhone ? 12 : 44);
    const line = Math.min(isPhone ? 24 : 38, r * 0.5);
    const isOpen = s.window > 0.5 && isGuessing();
    /** @type {Record<string, string>} */
    const open = isOpen ? { query_at: "?", key_at: "?", arc_words: "?" } : {};
    texts.forEach((text, i) => {
      const name = ["lens_q", "lens_k", "lens_arc", "lens_turns"][i];
      const length = s.window > 0.5 && i < 3 ? "_window" : at.width < 760 ? "_short" : "";
      put(text, {
        x,
        y: circle.y + (i - 1.1) * line,
        text: say(name + length, open),
      });
      show(text, i === 3 ? stays * s.counts : s.lens);
    });
    put(asked, { x: circle.x, y: circle.y + 12 });
    show(asked, s.lens - stays);
    for (const node of [wedge, arc]) show(node, stays);
    show(lens, s.lens);
    const on = { cx: at.at(picked(s)), cy: at.k };
    const high = Math.max(20, at.r + 4);
    put(hit, { x: at.left, y: at.k - high, width: COUNT * at.slot, height: 2 * high });
    put(hold, { ...on, r: at.r + 2 });
    const foot = at.k + at.r + 4 + NUMBERED * s.window;
    put(thread, { d: `M${on.cx},${foot + 5 * s.window}L${circle.x},${circle.y - r}` });
    const kept = keptOf(s);
    signs.forEach((sign, j) => {
      put(sign, { x: at.at(j), y: foot, text: `${kept.indexOf(j)}` });
      show(sign, kept.includes(j) ? 1 : 0);
    });
    show(numbers, s.lens * s.window);
    value(handle, picked(s), 0, newest(s), say("pick_at"));
    put(handle, { style: isGuessing() ? "pointer-events: none" : undefined });
    show(handle, stays);
  };
}

/** Words that a window of the typed ones holds. @param {State} s */
export const keptOf = (s) =>
  VALUES.map((_, j) => j).filter((j) => j <= newest(s) && isKept(j, newest(s) + 1, WINDOW, SINKS));
export { TRAINED };
