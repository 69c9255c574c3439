// RoPE: what is dragged: words, the tip of an arrow, the peak, the dials that are added up.

import { START } from "../../page/by_hand.js";
import { clamp, degrees, round, wrapped } from "../../page/shapes.js";
import { PAIRS, ROW, peak } from "./head.js";
import { placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @type {["q" | "k", "m" | "n"][]} */
const PLACES = [
  ["q", "m"],
  ["k", "n"],
];

/** @param {Stage} stage @param {() => Room} room */
export function buildHands(
  {
    make,
    put,
    show,
    group,
    say,
    slider,
    ring,
    grip,
    value,
    number,
    state,
    set,
    move,
    seen,
    step,
    isGuessing,
  },
  room,
) {
  // One word moves, the other too if the distance is locked; the query never stands before the key.
  function ends(/** @type {"m" | "n"} */ which) {
    const { m, n, last } = state;
    if (state.lock < 0.5) return which === "m" ? [state.key > 0.5 ? n : 0, last] : [0, m];
    const first = state.row > 0.5 ? ROW[0] : m - n; // a row has words before both
    const before = which === "m" ? 0 : m - n;
    return [first - before, last - before];
  }
  function place(/** @type {"m" | "n"} */ which, /** @type {number} */ to) {
    if (isGuessing()) return;
    const was = state.m;
    const [low, high] = ends(which).map(Math.round);
    const there = clamp(to, low, high);
    const [other, by] = [which === "m" ? "n" : "m", there - state[which]];
    set({ [which]: there, ...(state.lock > 0.5 && { [other]: state[other] + by }) });
    const [from, until] = [Math.min(was, state.m), Math.max(was, state.m)];
    for (let i = Math.ceil(from - 0.04); i <= until + 0.04; i++) seen.add(i);
  }
  const settle = () => move({ m: Math.round(state.m), n: Math.round(state.n) }, 140);

  function word(/** @type {"m" | "n"} */ which, /** @type {"q" | "k"} */ mark) {
    const handle = slider(group(mark), {
      label: say(`${mark}_label`),
      keys: (by) => {
        place(which, Math.round(state[which]) + by);
        settle();
      },
      start: ([x]) => x - placeX(room(), state[which]),
      move: ([x], off) => place(which, (x - off - room().left) / room().gap),
      end: settle,
    });
    const stem = make("line", { stroke: `var(--${mark})`, "stroke-width": 2 }, handle);
    make("rect", { x: -38, y: -5, width: 76, height: 44, fill: "transparent" }, handle);
    ring(
      make("rect", { x: -30, width: 60, height: 32, rx: 8, fill: `var(--${mark}-fill)` }, handle),
    );
    make(
      "text",
      { y: 21, "text-anchor": "middle", style: "fill:#fff;font-weight:600" },
      handle,
      say(`${mark}_word`),
    );
    return { handle, stem };
  }
  const sweep = slider(group("dials"), {
    label: say("sweep_label"),
    keys: (by) => set({ dials: clamp(Math.round(state.dials) + Math.sign(by), 1, PAIRS) }),
    move: ([x, y]) => add(nearest(room(), x, y) + 1),
  });
  const area = make("rect", { class: "ring", rx: 12, style: "fill: transparent" }, sweep);
  const more = make("g", {}, sweep);
  const plus = make(
    "circle",
    { fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 1.5 },
    more,
  );
  make("path", { d: "M-5,0H5M0,-5V5", stroke: "var(--ink)", "stroke-width": 2 }, more);
  const add = (/** @type {number} */ count) => move({ dials: clamp(count, 1, PAIRS) }, 250);
  const words = { k: word("n", "k"), q: word("m", "q") };
  const bend = (/** @type {number} */ radians) => set({ bend: wrapped(radians) });
  const tip = slider(group("q"), {
    label: say("tip_label"),
    keys: (by) => bend(((degrees(state.bend) + by) * Math.PI) / 180),
    move: ([x, y]) => bend(Math.atan2(room().dial.y - y, x - room().dial.x) - START - state.m),
  });
  grip(tip, { fill: "var(--paper)", stroke: "var(--q)", "stroke-width": 4 });
  const prefer = (/** @type {number} */ distance) => set({ bend: -clamp(distance, 0, 12) });
  const top = slider(group("curve"), {
    label: say("top_label"),
    keys: (by) => prefer(Math.round(-state.bend) + Math.sign(by)),
    move: ([x]) => prefer(((x - room().plot.x) / room().plot.w) * state.last),
    end: () => move({ bend: Math.round(state.bend) }, 140),
  });
  make("circle", { r: 20, fill: "transparent" }, top);
  ring(make("path", { d: "M0 9L-9-7H9Z", fill: "var(--content)" }, top));
  const topText = make("text", { y: 3, class: "content", style: "font-weight:600" }, top);

  return (/** @type {State} */ s) => {
    const at = room();
    const tops = { q: at.rail - (at.isPhone ? 42 : 48), k: at.rail + 26 };
    for (const [name, which] of PLACES) {
      const { handle, stem } = words[name];
      const y = tops[name];
      put(handle, { transform: `translate(${placeX(at, s[which]).toFixed(1)} ${y})` });
      // Below the rail stand the numbers: the stem of the key ends above its own.
      put(stem, { y1: name === "q" ? 30 : at.rail - y + 6, y2: at.rail - y });
      put(handle, { style: isGuessing() ? "pointer-events: none" : undefined });
      const [low, high] = ends(which).map(Math.round);
      value(handle, Math.round(s[which]), low, high, say(`${name}_at`));
    }
    show(words.k.handle, s.key);
    const [x, y] = round(at.dial, at.dial.r, START + s.m + s.bend);
    put(tip, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    value(tip, degrees(s.bend), -180, 179, say("content_at"));
    show(tip, ["content", "row"].includes(step()) ? s.split : 0);
    const { sweep: box } = at;
    put(area, { x: box.x, y: box.y, width: box.w, height: box.h });
    const count = Math.round(s.dials);
    const next = at.dials[Math.min(count, PAIRS - 1)];
    const off = next.r * 0.75;
    const [plusX, plusY] = [next.x - off, next.y + (at.isPhone ? off : -off)]; // free of its words
    put(more, { transform: `translate(${plusX.toFixed(1)} ${plusY.toFixed(1)})` });
    put(plus, { r: at.isPhone ? 9 : 12 });
    show(more, count < PAIRS && Math.abs(s.dials - count) < 0.05 ? 1 : 0);
    value(sweep, count, 1, PAIRS);
    show(sweep, step() === "slower" && s.view > 1.5 ? 1 : 0);
    const isWide = s.view > 1.5;
    const best = isWide ? -s.bend : peak(s);
    const p = at.plot;
    put(top, {
      transform: `translate(${(p.x + (best / s.last) * p.w).toFixed(1)} ${(p.y - 13).toFixed(1)})`,
    });
    put(top, { style: step() === "slower" ? undefined : "pointer-events: none" });
    put(top, { tabindex: step() === "slower" ? 0 : -1 });
    value(top, best, 0, 12);
    const isRight = best > s.last * 0.9;
    put(topText, {
      text: isWide ? "" : number(best, 1),
      x: isRight ? -12 : 12,
      "text-anchor": isRight ? "end" : "start",
    });
    show(top, s.curve * (["content", "slower"].includes(step()) ? 1 : 0));
  };
}

/** @param {Room} room @param {number} x @param {number} y */
function nearest({ dials }, x, y) {
  const distances = dials.slice(0, PAIRS).map((c) => Math.hypot(c.x - x, c.y - y) - c.r);
  return distances.indexOf(Math.min(...distances));
}
