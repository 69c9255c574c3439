// What is taken hold of: the text, a word, the place of a word, the line, and a switch.

import { clamp } from "../../page/shapes.js";
import { scoreY } from "./indexer.js";
import { placeX } from "./room.js";
import { WORDS, above, level } from "./scores.js";
import { ASKS, FURTHEST, SLOTS, placesOf } from "./values.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const SNAPS = 160; // ms

/** The rectangle of a word. @param {Room} room @param {number} place @param {number} [out] */
function plate(room, place, out = 0) {
  const { strip, isPhone } = room;
  const wide = strip.slot - (isPhone ? 2 : 8) + 2 * out;
  return {
    x: (placeX(room, place) - wide / 2).toFixed(1),
    y: strip.y - out,
    width: wide.toFixed(1),
    height: strip.h + 2 * out,
  };
}

/** The whole text, by its first word's place: held by any word, or by the last. @param {Stage} stage @param {() => Room} room */
export function buildText(
  { make, put, show, group, slider, ring, value, say, state, set, move, isGuessing },
  room,
) {
  const holder = group("words");
  const to = (/** @type {number} */ start) => set({ start: clamp(start, 0, FURTHEST) });
  const handle = slider(holder, {
    label: say("text_label"),
    keys: (by) => !isGuessing() && to(Math.round(state.start) + by),
    start: ([x]) => state.start - x / room().strip.slot,
    move: ([x], begun) => !isGuessing() && to(begun + x / room().strip.slot),
    end: () => move({ start: Math.round(state.start) }, SNAPS),
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const rim = ring(make("rect", { fill: "none", stroke: "var(--ink)", "stroke-width": 2, rx: 8 }, handle)); // prettier-ignore
  return (/** @type {State} */ s) => {
    const { strip } = room();
    const at = placesOf(s);
    const isOne = s.two > 0.5; // the last word alone: the first is a handle of its own
    put(rim, plate(room(), at[ASKS], 3));
    const from = isOne ? at[ASKS] : s.start;
    put(hit, {
      x: (placeX(room(), from) - strip.slot / 2).toFixed(1),
      y: strip.y - 8,
      width: (strip.slot * (at[ASKS] - from + 1)).toFixed(1),
      height: strip.h + 2 * strip.r + 20,
    });
    const presence = s.texts * (1 - s.guessing);
    show(holder, presence);
    put(handle, { tabindex: presence > 0.5 ? 0 : -1 });
    value(handle, Math.round(s.start), 0, FURTHEST, say("text_at", { first: Math.round(s.start) }));
  };
}

/** The first word, which changes places with the third. @param {Stage} stage @param {() => Room} room */
export function buildSwap(
  { make, put, show, group, slider, ring, value, say, state, set, move, isGuessing },
  room,
) {
  const holder = group("ann");
  const to = (/** @type {number} */ swap) => set({ swap: clamp(swap, 0, 1) });
  const handle = slider(holder, {
    label: say("ann_label"),
    keys: (by) => !isGuessing() && move({ swap: by > 0 ? 1 : 0 }, 500),
    start: ([x]) => state.swap - x / (2 * room().strip.slot),
    move: ([x], begun) => !isGuessing() && to(begun + x / (2 * room().strip.slot)),
    end: () => move({ swap: Math.round(state.swap) }, SNAPS),
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const rim = ring(make("rect", { fill: "none", stroke: "var(--ink)", "stroke-width": 2, rx: 8 }, handle)); // prettier-ignore
  return (/** @type {State} */ s) => {
    const here = room();
    const [at] = placesOf(s);
    const box = plate(here, at, 3);
    put(rim, box);
    put(hit, { ...box, height: here.strip.h + 2 * here.strip.r + 20 });
    const presence = s.swaps * (1 - s.guessing);
    show(holder, presence);
    put(handle, { tabindex: presence > 0.5 ? 0 : -1 });
    value(handle, Math.round(s.swap), 0, 1, say("ann_at", { place: Math.round(at) }));
  };
}

/** One word, by its place. @param {Stage} stage @param {() => Room} room */
export function buildWord(
  { make, put, show, group, slider, ring, value, say, state, set, move, isGuessing },
  room,
) {
  const holder = group("ann");
  const to = (/** @type {number} */ at) => set({ at: clamp(at, 0, SLOTS - 1) });
  const handle = slider(holder, {
    label: say("word_label"),
    keys: (by) => !isGuessing() && to(Math.round(state.at) + by),
    start: ([x]) => state.at - x / room().strip.slot,
    move: ([x], begun) => !isGuessing() && to(begun + x / room().strip.slot),
    end: () => move({ at: Math.round(state.at) }, SNAPS),
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const rim = ring(make("rect", { fill: "none", stroke: "var(--ink)", "stroke-width": 2, rx: 8 }, handle)); // prettier-ignore
  return (/** @type {State} */ s) => {
    const here = room();
    put(rim, plate(here, s.at, 3));
    put(hit, plate(here, s.at, 6));
    const presence = s.boxes * (1 - s.guessing);
    show(holder, presence);
    put(handle, { tabindex: presence > 0.5 ? 0 : -1 });
    value(handle, Math.round(s.at), 0, SLOTS - 1, say("word_at", { place: Math.round(s.at) }));
  };
}

/** The line above which words are chosen. @param {Stage} stage @param {() => Room} room */
export function buildCut(
  { make, put, show, group, slider, grip, value, say, state, set, isGuessing },
  room,
) {
  const holder = group("cut");
  const to = (/** @type {number} */ cut) => set({ cut: clamp(Math.round(cut), 1, WORDS) });
  const handle = slider(holder, {
    label: say("cut_label"),
    keys: (by) => !isGuessing() && to(state.cut - by), // downward there are more
    move: ([, y]) => {
      if (isGuessing()) return;
      const here = room();
      const unit = scoreY(here, 0) - scoreY(here, 1);
      to(above(state.near > 0.5, (scoreY(here, 0) - y) / unit));
    },
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const line = make("path", { fill: "none", stroke: "var(--ink)", "stroke-width": 2, "stroke-dasharray": "5 4" }, handle); // prettier-ignore
  const knob = grip(handle);
  const finger = knob.parentNode?.querySelector("circle");
  const told = make("text", { class: "t14 halo", style: "font-weight: 600" }, holder);
  return (/** @type {State} */ s) => {
    const here = room();
    const { scores, isPhone } = here;
    const count = Math.round(s.cut);
    const y = scoreY(here, level(s.near > 0.5, count));
    put(line, { d: `M${scores.x},${y.toFixed(1)}h${scores.w}` });
    put(hit, { x: scores.x, y: scores.y - 8, width: scores.w, height: scores.h + 8 });
    for (const node of [knob, finger]) if (node) put(node, { cx: scores.x + 10, cy: y.toFixed(1) });
    put(told, { x: scores.x + 28, y: (y - (isPhone ? 7 : 9)).toFixed(1), text: say("count") });
    show(holder, s.index);
    put(handle, { tabindex: s.index * (1 - s.guessing) > 0.5 ? 0 : -1 });
    value(handle, count, 1, WORDS, say("count"));
  };
}

/** A switch at the foot: halves, or neighbours. @param {Stage} stage @param {() => Room} room */
export function buildStops(
  { make, put, show, group, slider, grip, value, say, state, set, move, isGuessing },
  room,
) {
  const holder = group("stops");
  const rail = make("path", { stroke: "var(--line)", "stroke-width": 3, fill: "none" }, holder);
  const turnTo = (/** @type {number} */ to) => {
    if (!isGuessing()) move({ near: clamp(Math.round(to), 0, 1) }, 500);
  };
  const handle = slider(holder, {
    label: say("near_label"),
    keys: (by) => turnTo(Math.round(state.near) + Math.sign(by)),
    move: ([x]) => !isGuessing() && set({ near: clamp((x - room().stops.x) / room().stops.w, 0, 1) }), // prettier-ignore
    end: () => turnTo(state.near),
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const knob = grip(handle);
  const finger = knob.parentNode?.querySelector("circle");
  const names = [0, 1].map((i) => make("text", { class: "t14" }, holder, say(`near_${i}`)));
  return (/** @type {State} */ s) => {
    const { stops, isPhone, width, pad } = room();
    put(rail, { d: `M${stops.x},${stops.y}h${stops.w}m0,-5v10m${-stops.w},0v-10` });
    for (const node of [knob, finger])
      if (node) put(node, { cx: (stops.x + stops.w * s.near).toFixed(1), cy: stops.y });
    put(hit, { x: stops.x - 40, y: stops.y - 14, width: stops.w + 80, height: 40 });
    names.forEach((node, i) =>
      put(node, {
        x: isPhone ? (i ? width - pad : pad) : stops.x + stops.w * i,
        "text-anchor": isPhone ? (i ? "end" : "start") : "middle",
        y: stops.y + (isPhone ? 25 : 31),
        "font-weight": Math.round(s.near) === i ? 700 : 400,
      }),
    );
    const presence = s.index * (1 - s.guessing);
    show(holder, s.index);
    put(handle, { tabindex: presence > 0.5 ? 0 : -1 });
    value(handle, Math.round(s.near), 0, 1, say(`near_${Math.round(s.near)}`));
  };
}
