// What the end of a text costs small models, by its length, each with a place of its own or with none.

import { buildAsked } from "./asked.js";
import { clamp, mix, xy } from "./shapes.js";

/** @typedef {import("./types").Box} Box */
/** @typedef {import("./types").Stage} Stage */
/** @typedef {import("./types").State} State */
/** @typedef {{ trained: number, bits: Record<string, Record<string, number>> }} Measured */

const LEAST = 1.5; // bits
const STRONG = { stroke: "var(--ink)", "stroke-width": 3 };
const WEAK = { stroke: "var(--soft)", "stroke-width": 1.8 };
/** NoPE tells no place, RoPE turns. @type {Record<string, string>} */
const DASHES = { nope: "9 5", rope: "14 4 3 4" };

/** Bits per byte of a model at a length between measured ones, by its name and the doublings of the
 * trained length. @param {Measured} measured
 */
export const bitsOf =
  ({ trained, bits }) =>
  (/** @type {string} */ name, /** @type {number} */ doublings) => {
    const at = (/** @type {number} */ n) => bits[name][String(trained * 2 ** n)];
    const low = Math.max(0, Math.ceil(doublings) - 1);
    return mix(at(low), at(low + 1), doublings - low);
  };

/** Heights moved apart until no two that `meet` are closer than `gap`.
 * @param {number[]} wanted @param {number} gap @param {(i: number, j: number) => boolean} meet
 */
export function apart(wanted, gap, meet) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const found = [...wanted];
  for (let round = 0; round < 40; round++)
    order.slice(1).forEach((one, i) => {
      const short = gap - (found[one] - found[order[i]]);
      if (short <= 0 || !meet(one, order[i])) return;
      found[order[i]] -= short / 2;
      found[one] += short / 2;
    });
  return found;
}

/**
 * There as much as the state's `far` says. Lines are drawn up to its `length`; those of `whole` to their
 * ends, at once, and where there are none, all once they are `known`.
 * @param {Stage} stage
 * @param {() => Box} room
 * @param {Measured} measured
 * @param {{ names: readonly string[], strong: readonly string[], whole: readonly string[], doublings: number, most: number }} which
 */
export function buildLengths(stage, room, measured, { names, strong, whole, doublings, most }) {
  const { trained } = measured;
  const bits = bitsOf(measured);
  const { make, put, show, group, slider, ring, value, say, number, state, set, move, isGuessing } =
    stage;
  const levels = Array.from({ length: most - 1 }, (_, i) => i + 2);
  const stops = Array.from({ length: doublings + 1 }, (_, n) => n);
  const scene = group("");
  const curve = group("curve", scene);
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, curve);
  const scale = levels.map((one) =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, curve, number(one)),
  );
  const title = make("text", { class: "t14 soft" }, curve);
  const lengths = stops.map((n) =>
    make("text", { class: "t12 soft" }, curve, number(trained * 2 ** n)),
  );
  const models = names.map((name) => {
    const part = group(`curve ${name}`, scene);
    const isStrong = strong.includes(name);
    const look = isStrong ? STRONG : WEAK;
    return {
      name,
      isWhole: whole.includes(name),
      line: make("path", { ...look, fill: "none", "stroke-dasharray": DASHES[name] }, part),
      measured: stops.map(() => make("circle", { r: 3.5, fill: look.stroke }, part)),
      tip: make("circle", { r: 4.5, fill: look.stroke }, part),
      text: make("text", { class: `t14 halo ${isStrong ? "" : "soft"}` }, part),
    };
  });
  const asked = buildAsked(stage, scene);
  const handle = slider(group("length", scene), {
    label: say("length_label"),
    keys: (by) => set({ length: clamp(Math.round(state.length) + Math.sign(by), 0, doublings) }),
    move: ([x]) => {
      const { left, right } = plotOf(room());
      set({ length: clamp(((x - left) / (right - left)) * doublings, 0, doublings) });
    },
    end: () => move({ length: Math.round(state.length) }, 140), // only there it was measured
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const stem = make(
    "path",
    { stroke: "var(--ink)", "stroke-width": 1.5, "stroke-dasharray": "3 4" },
    handle,
  );
  const pill = ring(make("rect", { fill: "var(--ink)", rx: 13, height: 26 }, handle));
  const text = make(
    "text",
    { "text-anchor": "middle", style: "fill: var(--paper); font-weight: 700" },
    handle,
  );

  const plotOf = (/** @type {Box} */ { width, height, isPhone }) => ({
    left: isPhone ? 30 : 70,
    right: width - (isPhone ? 112 : 190),
    top: isPhone ? 32 : 80,
    foot: height - (isPhone ? 52 : 92),
  });

  return (/** @type {State} */ s, /** @type {Box} */ at) => {
    show(scene, clamp(2 * s.far - 1, 0, 1));
    put(handle, {
      style: s.far > 0.5 && !isGuessing() ? undefined : "pointer-events: none",
      tabindex: s.far > 0.5 && !isGuessing() ? 0 : -1,
    });
    if (s.far < 0.5) return;
    const { isPhone } = at;
    const { left, right, top, foot } = plotOf(at);
    const x = (/** @type {number} */ n) => mix(left, right, n / doublings);
    const y = (/** @type {number} */ b) => mix(foot, top, (b - LEAST) / (most - LEAST));
    /** @param {number} n @param {number} b @returns {import("./shapes.js").Point} */
    const xyOf = (n, b) => [x(n), y(b)];
    put(grid, { d: levels.map((one) => `M${left},${y(one)}H${right}`).join("") });
    scale.forEach((one, i) => put(one, { x: left - 7, y: y(levels[i]) + 4 }));
    put(title, {
      x: isPhone ? 8 : left,
      y: isPhone ? 16 : 40,
      text: say(isPhone ? "bits_short" : "bits"),
    });
    lengths.forEach((one, n) => {
      put(one, { x: x(n), y: foot + (isPhone ? 15 : 20), "text-anchor": n ? "middle" : "start" });
      if (!n) put(one, { text: isPhone ? number(trained) : say("trained") });
      show(one, Math.abs(n - s.length) < 0.12 ? 0 : 1); // the handle says it
    });
    // A name stands at the end of its line; those at one place stand apart.
    const isKnown = !whole.length && s.known > 0.99 && !isGuessing();
    const ends = models.map(({ isWhole }) => (isWhole || isKnown ? doublings : s.length));
    const heights = models.map(({ name }, i) => y(bits(name, ends[i])));
    const labels = apart(heights, isPhone ? 14 : 19, (i, j) => Math.abs(ends[i] - ends[j]) < 1);
    models.forEach(({ name, isWhole, line, measured, tip, text: label }, i) => {
      const path = (/** @type {number} */ end) =>
        [...stops.filter((n) => n < end), end].map((n) => xy([x(n), y(bits(name, n))])).join("L");
      put(line, { d: `M${path(ends[i])}` });
      measured.forEach((dot, n) => {
        put(dot, { cx: x(n), cy: y(bits(name, n)) });
        show(dot, n <= ends[i] ? 1 : 0);
      });
      put(tip, { cx: x(s.length), cy: y(bits(name, s.length)) });
      const isAmong = !isWhole && whole.length > 0 && s.length < doublings - 0.5; // other lines go on here
      put(label, {
        x: x(ends[i]) + (isPhone ? 8 : 14),
        y: labels[i] + (isAmong ? 22 : 5),
        text: say(`model_${name}`, { bits: number(bits(name, ends[i]), 2) }),
      });
    });
    const [high, middle, less] = [bits("sinusoidal", 1), bits("t5", 1), bits("alibi", 1)];
    const like = [high, (high + middle) / 2, less].map((b) => xyOf(1, b));
    asked(whole.length ? like : [xyOf(doublings, (LEAST + most) / 2)], clamp(2 * s.far - 1, 0, 1));
    const wide = isPhone ? 46 : 58;
    const low = foot + (isPhone ? 20 : 34);
    put(stem, { d: `M${x(s.length)},${top}V${low}` });
    put(pill, { x: x(s.length) - wide / 2, y: low, width: wide });
    put(hit, { x: left - 20, y: top, width: right - left + 40, height: at.height - top });
    put(text, { x: x(s.length), y: low + 18, text: say("length") });
    value(handle, trained * 2 ** s.length, trained, trained * 2 ** doublings, say("length_at"));
  };
}
