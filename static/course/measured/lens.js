// Two prices on one axis, the lens that enlarges it, and the switch of YaRN's factor.

import data from "../data/measured.js";
import { clamp } from "../shapes.js";
import { TRAINED, across, high, times } from "./room.js";

/** @typedef {import("../types").Stage} Stage */
/** @typedef {import("../types").State} State */
/** @typedef {import("./room.js").Room} Room */

const KEY = 0.05; // of the lens's way
const PRICES = /** @type {const} */ (["linear", "yarn"]);
const PLACES = { linear: 0.28, yarn: 0.62 }; // of the trained length

/** Bits that a way costs more than as trained where nothing needed stretching. @param {"linear" | "yarn"} name */
export const price = (name) => data.levels[name][0] - data.levels.none[0];

/** How tall a price is drawn, in parts of the picture. @param {State} s @param {"linear" | "yarn"} name */
export const tall = (s, name) => (price(name) * times(s)) / 12;

/** @param {Stage} stage */
export function buildLens({ make, put, show, group, slider, grip, value, say, state, set }) {
  const gaps = PRICES.map((name) => {
    const node = group(`gap_${name}`);
    const path = make(
      "path",
      {
        fill: "none",
        stroke: "var(--new)",
        "stroke-width": 2.5,
        "clip-path": "url(#measured-plot)",
      },
      node,
    );
    return { name, node, path, text: make("text", { class: "halo new" }, node) };
  });
  const lens = group("lens");
  const track = make(
    "line",
    { stroke: "var(--line)", "stroke-width": 5, "stroke-linecap": "round" },
    lens,
  );
  /** @type {Room} */
  let room;
  const pull = (/** @type {number} */ zoom) => set({ zoom: clamp(zoom, 0, 1) });
  const hand = slider(lens, {
    label: say("lens_label"),
    keys: (by) => pull(state.zoom + by * KEY),
    move: ([, y]) => pull((room.bottom - y) / (room.bottom - room.top)),
  });
  grip(hand, { r: 10, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 3.5 });
  const enlarged = make("text", { class: "t14", "text-anchor": "middle" }, lens);

  return (/** @type {State} */ s, /** @type {Room} */ now) => {
    room = now;
    const { isPhone, top, bottom } = room;
    const presence = s.lens * (1 - s.less) * s.mean;
    for (const { name, node, path, text } of gaps) {
      show(node, presence);
      if (presence < 0.02) continue;
      const px = across(room, s, TRAINED * PLACES[name]);
      const [from, to] = [data.levels.none[0], data.levels[name][0]].map((bits) =>
        high(room, s, bits),
      );
      put(path, { d: `M${px - 7},${from.toFixed(1)}h14m-7,0V${to.toFixed(1)}m-7,0h14` });
      const isOut = to < top - 8;
      put(text, {
        x: px + 14,
        y: from - to < 26 ? to - 9 : clamp((from + to) / 2 + 5, top + 16, bottom),
        text: say(isOut ? `gap_${name}_out` : `gap_${name}`),
      });
    }
    show(lens, s.lens);
    const x = isPhone ? 12 : 30;
    const y = bottom - s.zoom * (bottom - top);
    put(track, { x1: x, x2: x, y1: top, y2: bottom });
    put(hand, { transform: `translate(${x} ${y.toFixed(1)})` });
    put(enlarged, { x, y: top - 24, text: isPhone ? "" : say("lens_times") });
    value(hand, s.zoom, 0, 1, say("lens_is"));
  };
}

const FACTORS = [2, 4];

/** The factors with which YaRN was measured. @param {Stage} stage */
export function buildFactor({
  make,
  put,
  show,
  group,
  slider,
  grip,
  value,
  say,
  number,
  state,
  move,
  isGuessing,
}) {
  const dial = group("factor");
  const track = make(
    "line",
    { stroke: "var(--line)", "stroke-width": 5, "stroke-linecap": "round" },
    dial,
  );
  const names = FACTORS.map((factor) =>
    make(
      "text",
      { class: "t14 soft", "text-anchor": factor === 2 ? "end" : "start" },
      dial,
      number(factor),
    ),
  );
  const title = make("text", { class: "t14 halo", "text-anchor": "end" }, dial);
  /** @type {[number, number]} */
  let ends = [0, 1];
  /** What it goes to: the picture may be on its way. */
  let wanted = 4;
  const turn = (/** @type {number} */ factor) => {
    if (isGuessing() || factor === wanted) return;
    wanted = factor;
    move({ factor }, 500);
  };
  const hand = slider(dial, {
    label: say("factor_label"),
    keys: (by) => turn(by > 0 ? 4 : 2),
    move: ([px]) => turn(px < (ends[0] + ends[1]) / 2 ? 2 : 4),
  });
  grip(hand, { r: 10, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 3.5 });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    if (state.factor === 2 || state.factor === 4) wanted = state.factor;
    show(dial, s.dial);
    const { isPhone, x, w, top } = room;
    const y = top + (isPhone ? 12 : 18);
    ends = [x + w - (isPhone ? 96 : 130), x + w - 32];
    const at = ends[0] + ((s.factor - 2) / 2) * (ends[1] - ends[0]);
    put(track, { x1: ends[0], x2: ends[1], y1: y, y2: y });
    put(names[0], { x: ends[0] - 20, y: y + 5 });
    put(names[1], { x: ends[1] + 20, y: y + 5 });
    put(title, { x: ends[0] - 38, y: y + 5, text: say("factor_name") });
    put(hand, {
      transform: `translate(${at.toFixed(1)} ${y})`,
      tabindex: isGuessing() ? -1 : 0,
      style: isGuessing() ? "pointer-events: none" : undefined,
    });
    value(hand, s.factor, 2, 4, say("factor_is"));
  };
}
