// What is dragged: the place, the ghost, the lever, the word that is tried, the number of hands.

import { clamp } from "../../page/shapes.js";
import { NAMES, at, lastPlace } from "./model.js";
import { WIDTH, after, placeOf, placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {{ room: () => Room, place: (to: number) => void, settle: () => void }} Hand */

const MOST_APART = 40;
const MOST_HANDS = 3;
/** What the lever changes, by step. */
const LEVERS = /** @type {const} */ ({ digits: "smooth", row: "above", matrices: "matrices" });

/** @param {Stage} stage @param {Hand} hand */
export function buildHandles(stage, hand) {
  const parts = [
    buildGhost(stage, hand),
    buildPlace(stage, hand),
    buildLever(stage, hand),
    buildNames(stage, hand),
    buildHands(stage, hand),
  ];
  return (/** @type {State} */ s, /** @type {Room} */ room) =>
    parts.forEach((draw) => draw(s, room));
}

/** @param {Stage} stage @param {Hand} hand */
function buildPlace(
  { make, put, group, slider, ring, value, say, state, isGuessing },
  { room, place, settle },
) {
  const handle = slider(group(""), {
    label: say("place_label"),
    keys: (by) => {
      place(at(state) + by);
      settle();
    },
    start: ([x]) => x - placeX(room(), state.p),
    move: ([x], off) => place(placeOf(room(), x - off)),
    end: settle,
  });
  make("rect", { x: -26, y: -20, width: 52, height: 44, fill: "transparent" }, handle);
  ring(make("rect", { x: -24, y: -14, width: 48, height: 28, rx: 14, fill: "var(--ink)" }, handle));
  const text = make(
    "text",
    { y: 5, "text-anchor": "middle", style: "fill: var(--paper); font-weight: 700" },
    handle,
  );

  return (/** @type {State} */ s, /** @type {Room} */ now) => {
    const x = clamp(placeX(now, s.p), 26, now.width - 26); // whole
    put(handle, { transform: `translate(${x.toFixed(1)} ${now.bottom + 16})` });
    const isShut = isGuessing() && s.sieve < 0.5;
    put(handle, { style: isShut ? "pointer-events: none" : undefined });
    put(text, { text: at(s) });
    value(handle, at(s), 0, lastPlace(s), say("say_place"));
  };
}

/** @param {Stage} stage @param {Hand} hand */
function buildGhost(
  { make, put, show, group, slider, ring, value, say, state, set, isGuessing },
  { room, settle },
) {
  const furthest = (/** @type {State} */ { p }) => Math.min(MOST_APART, 127 - Math.round(p));
  const further = (/** @type {number} */ k) => {
    if (!isGuessing()) set({ k: clamp(k, 1, furthest(state)) });
  };
  const ghost = slider(group("ghost"), {
    label: say("ghost_label"),
    keys: (by) => further(Math.round(state.k) + by),
    move: ([x]) => further(placeOf(room(), x) - state.p),
    end: settle,
  });
  const stem = make("path", { stroke: "var(--ink)", "stroke-dasharray": "2 4" }, ghost);
  make("rect", { x: -24, y: -18, width: 48, height: 40, fill: "transparent" }, ghost);
  const pill = { x: -20, y: -13, width: 40, height: 26, rx: 13, fill: "var(--paper)" };
  const dashes = { stroke: "var(--ink)", "stroke-width": 2, "stroke-dasharray": "3 4" };
  ring(make("rect", { ...pill, ...dashes }, ghost));
  const text = make("text", { y: 5, "text-anchor": "middle", style: "font-weight: 700" }, ghost);

  return (/** @type {State} */ s, /** @type {Room} */ now) => {
    const lift = now.isPhone ? 18 : 28;
    const x = placeX(now, s.p + s.k);
    put(ghost, { transform: `translate(${x.toFixed(1)} ${now.bottom - lift})` });
    put(stem, { d: `M0,13V${lift}` });
    put(text, { text: `+${Math.round(s.k)}` });
    value(ghost, Math.round(s.k), 1, furthest(s), say("further_on"));
    show(ghost, after(s.wedges));
  };
}

/** One lever: from digits to waves, from the side to above, from bare sums to learned matrices. @param {Stage} stage @param {Hand} hand */
function buildLever(
  { make, put, show, group, slider, grip, value, say, state, seen, set, move, step, isGuessing },
  { room },
) {
  const of = () => LEVERS[/** @type {keyof typeof LEVERS} */ (step())];
  const push = (/** @type {number} */ to) =>
    of() && !isGuessing() && set({ [of()]: clamp(to, 0, 1) });
  const rail = (/** @type {Room} */ { width, isPhone }) => ({
    x: width / 2 + (isPhone ? 20 : 50),
    half: isPhone ? 50 : 110,
    y: isPhone ? 18 : 32,
  });
  const whole = group("lever");
  const line = make(
    "line",
    { stroke: "var(--line)", "stroke-width": 4, "stroke-linecap": "round" },
    whole,
  );
  const ends = [0, 1].map((i) =>
    make("text", { class: "t14", "text-anchor": i ? "start" : "end" }, whole),
  );
  const knob = slider(whole, {
    label: say("lever_label"),
    keys: (by) => of() && !isGuessing() && move({ [of()]: by > 0 ? 1 : 0 }, 500),
    move: ([x]) => {
      const at = rail(room());
      push((x - at.x) / (2 * at.half) + 0.5);
    },
    end: () => of() && move({ [of()]: Math.round(state[of()]) }, 250),
  });
  grip(knob, { r: 13, stroke: "none" });

  return (/** @type {State} */ s, /** @type {Room} */ now) => {
    const name = of();
    const presence = Math.max(after(s.lanes), after(s.rows), after(s.terms));
    const isEarly = name === "above" && !seen.has("found"); // no word has named it
    show(whole, name && !isEarly ? presence : 0);
    if (!name) return;
    const { x, half, y } = rail(now);
    put(line, { x1: x - half, x2: x + half, y1: y, y2: y });
    ends.forEach((end, i) => {
      put(end, { x: x + (i ? 1 : -1) * (half + 28), y: y + 5, text: say(`${name}_${i}`) });
    });
    put(knob, { transform: `translate(${(x + (2 * s[name] - 1) * half).toFixed(1)} ${y})` });
    value(knob, s[name], 0, 1, say(`${name}_${Math.round(s[name])}`));
    put(knob, { style: isGuessing() ? "pointer-events: none" : undefined });
  };
}

/** The words that may have been added. @param {Stage} stage @param {Hand} hand */
function buildNames({ make, put, show, group, slider, value, say, state, set }, { room }) {
  const column = () => (room().sums.w * WIDTH) / NAMES.length; // over the numbers below
  const choose = (/** @type {number} */ i) => set({ word: clamp(i, 0, NAMES.length - 1) });
  const names = slider(group("word names"), {
    label: say("names_label"),
    keys: (by) => choose(Math.round(state.word) + Math.sign(by)),
    move: ([x]) => choose(Math.floor((x - room().sums.x) / column())),
  });
  const ring = make("rect", { class: "ring", rx: 10 }, names);
  const chips = NAMES.map((name) => ({
    chip: make("rect", { rx: 8, stroke: "var(--content)" }, names),
    text: make("text", { "text-anchor": "middle" }, names, name),
  }));

  return (/** @type {State} */ s, /** @type {Room} */ { isPhone, sums }) => {
    const high = isPhone ? 30 : 36;
    const y = isPhone ? 6 : 24;
    put(ring, { x: sums.x - 4, y: y - 4, width: sums.w * WIDTH + 8, height: high + 8 });
    chips.forEach(({ chip, text }, i) => {
      const isChosen = Math.round(s.word) === i;
      const w = Math.min(column() - 8, 110);
      const x = sums.x + column() * (i + 0.5);
      put(chip, {
        x: x - w / 2,
        y,
        width: w,
        height: high,
        fill: isChosen ? "var(--content)" : "var(--paper)",
      });
      put(text, {
        x,
        y: y + high / 2 + 5,
        style: `font-weight:600; fill: var(--${isChosen ? "paper" : "content"})`,
      });
    });
    value(names, Math.round(s.word), 0, NAMES.length - 1, NAMES[Math.round(s.word)]);
    show(names, after(s.mix));
  };
}

/** Dashed circles where the next hand will be. @param {Stage} stage @param {Hand} hand */
function buildHands(
  { make, put, show, group, slider, ring, value, say, state, move, isGuessing },
  { room },
) {
  const to = (/** @type {number} */ hands) => {
    if (!isGuessing()) move({ hands: clamp(hands, 1, MOST_HANDS) }, 500);
  };
  const more = slider(group("more"), {
    label: say("hands_label"),
    keys: (by) => to(Math.round(state.hands) + Math.sign(by)),
    move: () => undefined,
    end: () => to(Math.round(state.hands) + 1),
  });
  const face = make("g", {}, more);
  const circle = ring(
    make(
      "circle",
      {
        fill: "var(--paper)",
        stroke: "var(--soft)",
        "stroke-width": 1.5,
        "stroke-dasharray": "4 5",
      },
      face,
    ),
  );
  const sign = make(
    "text",
    { class: "soft", "text-anchor": "middle", style: "font-size:26px" },
    face,
    "+",
  );
  const name = make("text", { class: "t12", "text-anchor": "middle" }, face, say("add_hand"));

  return (/** @type {State} */ s) => {
    const hands = Math.round(s.hands);
    const { x, y, r } = room().dials[Math.min(hands, MOST_HANDS - 1)];
    put(circle, { cx: x, cy: y, r: Math.max(0, r) });
    put(sign, { x, y: y + 9 });
    put(name, { x, y: y + r + 16 });
    value(more, hands, 1, MOST_HANDS, say("hands_shown", { hands }));
    const isOpen = hands < MOST_HANDS && Math.abs(s.hands - hands) < 0.05;
    show(face, isOpen ? 1 : 0);
    show(more, s.sweep > 1 ? after(s.sieve) : 0); // it keeps the focus while hands are added
  };
}
