// What the end of a text costs small models, by its length: one that is told no place, and four that are.

import { clamp, mix, xy } from "../../shapes.js";
import { LONG, MODELS, TRAINED, bits } from "./model.js";

/** @typedef {import("../../types").Stage} Stage */
/** @typedef {import("../../types").State} State */
/** @typedef {import("./room.js").Room} Room */

const DOUBLINGS = Math.log2(LONG / TRAINED);
const [LEAST, MOST] = [2, 5];
const LINES = [2, 3, 4, 5];

/** Heights moved apart until no two are closer than `gap`. @param {number[]} wanted @param {number} gap */
function apart(wanted, gap) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const found = [...wanted];
  for (let round = 0; round < 40; round++)
    order.slice(1).forEach((one, i) => {
      const short = gap - (found[one] - found[order[i]]);
      if (short <= 0) return;
      found[order[i]] -= short / 2;
      found[one] += short / 2;
    });
  return found;
}

/** @param {Stage} stage @param {() => Room} room */
export function buildMeasured(stage, room) {
  const { make, put, show, group, slider, value, say, number, state, set, move, isGuessing } =
    stage;
  const scene = group("");
  const curve = group("curve", scene);
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, curve);
  const scale = LINES.map((one) =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, curve, number(one)),
  );
  const title = make("text", { class: "t14 soft" }, curve);
  const lengths = [0, 1, 2].map((n) =>
    make("text", { class: "t12 soft", "text-anchor": "middle" }, curve, number(TRAINED * 2 ** n)),
  );
  const models = MODELS.map((name) => {
    const part = group(`curve ${name}`, scene);
    return {
      name,
      faint: make(
        "path",
        { fill: "none", stroke: "var(--soft)", "stroke-width": 1.5, opacity: 0.45 },
        part,
      ),
      line: make(
        "path",
        { fill: "none", stroke: "var(--ink)", "stroke-width": name === "nope" ? 4 : 2.2 },
        part,
      ),
      tip: make("circle", { r: 4.5, fill: "var(--ink)" }, part),
      text: make(
        "text",
        { class: "t14 halo", style: name === "nope" ? "font-weight: 700" : undefined },
        part,
      ),
    };
  });
  const handle = slider(group("length", scene), {
    label: say("length_label"),
    keys: (by) => set({ length: clamp(Math.round(state.length) + Math.sign(by), 0, DOUBLINGS) }),
    move: ([x]) => {
      const { left, right } = plotOf(room());
      set({ length: clamp(((x - left) / (right - left)) * DOUBLINGS, 0, DOUBLINGS) });
    },
    end: () => move({ length: Math.round(state.length) }, 140), // only there it was measured
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const stem = make(
    "path",
    { stroke: "var(--ink)", "stroke-width": 1.5, "stroke-dasharray": "3 4" },
    handle,
  );
  const ring = make("rect", { class: "ring", rx: 16, height: 32 }, handle);
  const pill = make("rect", { fill: "var(--ink)", rx: 13, height: 26 }, handle);
  const text = make(
    "text",
    { "text-anchor": "middle", style: "fill: var(--paper); font-weight: 700" },
    handle,
  );

  const plotOf = (/** @type {Room} */ { width, height, isPhone }) => ({
    left: isPhone ? 30 : 70,
    right: width - (isPhone ? 112 : 190),
    top: isPhone ? 32 : 80,
    foot: height - (isPhone ? 52 : 92),
  });

  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    show(scene, clamp(2 * s.far - 1, 0, 1));
    put(handle, {
      style: s.far > 0.5 && !isGuessing() ? undefined : "pointer-events: none",
      tabindex: s.far > 0.5 && !isGuessing() ? 0 : -1,
    });
    if (s.far < 0.5) return;
    const { isPhone } = at;
    const { left, right, top, foot } = plotOf(at);
    const x = (/** @type {number} */ n) => mix(left, right, n / DOUBLINGS);
    const y = (/** @type {number} */ b) => mix(foot, top, (b - LEAST) / (MOST - LEAST));
    put(grid, { d: LINES.map((one) => `M${left},${y(one)}H${right}`).join("") });
    scale.forEach((one, i) => put(one, { x: left - 7, y: y(LINES[i]) + 4 }));
    put(title, {
      x: isPhone ? 8 : left,
      y: isPhone ? 16 : 40,
      text: say(isPhone ? "bits_short" : "bits"),
    });
    lengths.forEach((one, n) => {
      put(one, { x: x(n), y: foot + (isPhone ? 15 : 20) });
      show(one, Math.abs(n - s.length) < 0.12 ? 0 : 1); // the handle says it
    });
    const heights = MODELS.map((name) => y(bits(name, s.length)));
    const labels = apart(heights, isPhone ? 14 : 19);
    models.forEach(({ name, faint, line, tip, text: label }, i) => {
      const until = [0, 1, 2].filter((n) => n < s.length);
      const points = [...until, s.length].map((n) => xy([x(n), y(bits(name, n))]));
      put(line, { d: `M${points.join("L")}` });
      put(faint, { d: `M${[0, 1, 2].map((n) => xy([x(n), y(bits(name, n))])).join("L")}` });
      show(faint, isGuessing() || s.known < 0.5 ? 0 : 1);
      put(tip, { cx: x(s.length), cy: heights[i] });
      put(label, {
        x: x(s.length) + (isPhone ? 8 : 14),
        y: labels[i] + 5,
        text: say(`model_${name}`, { bits: number(bits(name, s.length), 2) }),
      });
    });
    const wide = isPhone ? 46 : 58;
    const low = foot + (isPhone ? 20 : 34);
    put(stem, { d: `M${x(s.length)},${top}V${low}` });
    put(pill, { x: x(s.length) - wide / 2, y: low, width: wide });
    put(ring, { x: x(s.length) - wide / 2 - 3, y: low - 3, width: wide + 6 });
    put(hit, { x: left - 20, y: top, width: right - left + 40, height: at.height - top });
    put(text, { x: x(s.length), y: low + 18, text: say("length") });
    value(handle, TRAINED * 2 ** s.length, TRAINED, LONG, say("length_at"));
  };
}
