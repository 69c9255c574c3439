// Keys that small trained models found, over the text as one line.

import { buildAsked } from "../../page/asked.js";
import data from "./data.js";
import { clamp, mix } from "../../page/shapes.js";
import { LONGEST, alongX } from "./scene.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./scene").Room} Room */
/** @typedef {[number, number, number, number]} Found Words back; found, from the worst run to the best. */

const SHORTEST = Math.log2(data.trained);
const MOST = Math.log2(LONGEST);
const DOTS = 14;
const WIDE = 26; // pixels: half of a name, and a dot
/** @type {Record<string, Record<number, number[][]>>} */
const FOUND = data.recall;

/** @param {State} s */
export const textOf = (s) => 2 ** Math.round(s.text);
/** Per cent of the keys further back than training ever had them. @param {State} s */
export const farOf = (s) => /** @type {Record<number, number>} */ (data.far)[textOf(s)];
/** What may be found of the farthest key. */
const ANSWERS = [data.far[512], FOUND.alibi[LONGEST].slice(-1)[0][1], 100 / 32];
/** The farthest key. @param {State} s */
export const endOf = (s) => /** @type {number[]} */ (FOUND.alibi[textOf(s)].at(-1));

/** What is found in a text between two measured lengths: the same keys on their way. @param {string} name @param {number} text @returns {Found[]} */
function between(name, text) {
  const low = FOUND[name][2 ** Math.floor(text)];
  const high = FOUND[name][2 ** Math.ceil(text)];
  const t = text - Math.floor(text);
  const known = t > 0.5 || low.length === high.length ? high : low;
  return known.map(
    (end, i) =>
      /** @type {Found} */ (end.map((v, j) => mix((low[i] ?? end)[j], (high[i] ?? end)[j], t))),
  );
}

/** @param {Stage} stage @param {() => Room} room */
export function buildMeasured(stage, room) {
  const { make, put, show, group, slider, grip, value, say, number, set, move, state, isGuessing } =
    stage;
  const trained = group("trained");
  const shade = make("rect", { fill: "var(--wash)" }, trained);
  const shadeText = make("text", { class: "t12 soft", "text-anchor": "end" }, trained);
  const graph = group("found sines");
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, graph);
  const up = [0, 50, 100].map((p) =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, graph, `${p} %`),
  );
  const title = make("text", { class: "t14 soft" }, graph);
  const ticks = [0, 512, 1024, 1536, 2048].map((back) => ({
    back,
    node: make("text", { class: "t12 soft", "text-anchor": "middle" }, graph, number(back)),
  }));
  const series = ["sines", "found"].map((mark, i) => {
    const holder = group(mark);
    const colour = i ? "var(--ink)" : "var(--soft)";
    return {
      name: i ? "alibi" : "sinusoidal",
      holder,
      line: make(
        "path",
        { stroke: colour, fill: "none", "stroke-dasharray": i ? undefined : "3 4" },
        holder,
      ),
      bars: Array.from({ length: DOTS }, () => make("path", { stroke: colour }, holder)),
      dots: Array.from({ length: DOTS }, () =>
        make(
          "circle",
          { r: 4.5, fill: i ? colour : "var(--paper)", stroke: colour, "stroke-width": 1.5 },
          holder,
        ),
      ),
      text: make("text", { class: i ? "t14 halo" : "t14 soft halo" }, holder),
    };
  });
  const axis = make("text", { class: "t14 soft", "text-anchor": "middle" }, graph);
  const far = make("text", { class: "t14", style: "font-weight:600" }, group("found"));
  const asked = buildAsked(stage, graph);
  const begin = group("begin");
  const knob = slider(begin, {
    label: say("begin_label"),
    keys: (by) => stretch(Math.round(state.text) - Math.sign(by), 0), // its beginning is on the left
    move: ([x]) => {
      const { plot } = room();
      const tokens = ((plot.x + plot.w - x) / plot.w) * LONGEST;
      if (!isGuessing()) set({ text: clamp(Math.log2(Math.max(tokens, 1)), SHORTEST, MOST) });
    },
    end: () => stretch(Math.round(state.text)),
  });
  grip(knob);
  const length = make("text", { class: "t14" }, begin);
  const stretch = (/** @type {number} */ to, ms = 250) => {
    if (!isGuessing()) move({ text: clamp(to, SHORTEST, MOST) }, ms);
  };

  return (/** @type {State} */ s) => {
    const at = room();
    const { plot: p, ribbon, isPhone } = at;
    const presence = clamp(s.ribbon * 2 - 1, 0, 1);
    for (const node of [trained, graph, far, begin]) show(node, presence);
    for (const { holder } of series) show(holder, presence);
    if (presence < 0.02) return;
    const y = (/** @type {number} */ percent) => p.y + p.h * (1 - percent / 100);
    const edge = alongX(at, data.trained);
    put(shade, { x: edge, y: p.y - 6, width: p.x + p.w - edge, height: p.h + 20 });
    put(shadeText, {
      x: p.x + p.w,
      y: p.y - 14,
      text: say(isPhone ? "trained_short" : "trained_on"),
    });
    put(grid, { d: [0, 50, 100].map((each) => `M${p.x},${y(each)}h${p.w}`).join("") });
    up.forEach((text, i) => put(text, { x: p.x - 8, y: y(i * 50) + 4 }));
    put(title, { x: 8, y: isPhone ? 16 : 26, text: say(isPhone ? "found_short" : "found_title") });
    put(far, {
      x: 8,
      y: isPhone ? 33 : 50,
      text: s.text > SHORTEST + 0.5 ? say(isPhone ? "far_short" : "far_found") : "",
    });
    const foot = ribbon.y + ribbon.h;
    for (const { back, node } of ticks)
      put(node, { x: alongX(at, back), y: foot + (isPhone ? 26 : 32) });
    put(axis, {
      x: p.x + p.w / 2,
      y: foot + (isPhone ? 46 : 58),
      text: say(isPhone ? "axis_short" : "axis"),
    });
    for (const { name, line, bars, dots, text } of series) {
      const points = between(name, s.text);
      const xs = points.map(([back]) => alongX(at, back));
      put(line, {
        d: `M${points.map(([, found], i) => `${xs[i].toFixed(1)},${y(found).toFixed(1)}`).join("L")}`,
      });
      for (let i = 0; i < DOTS; i++) {
        show(dots[i], i < points.length ? 1 : 0);
        show(bars[i], i < points.length ? 1 : 0);
        if (i >= points.length) continue;
        const [, found, low, high] = points[i];
        put(dots[i], { cx: xs[i].toFixed(1), cy: y(found).toFixed(1) });
        put(bars[i], { d: `M${xs[i].toFixed(1)},${y(low).toFixed(1)}V${y(high).toFixed(1)}` });
      }
      // Above all that stands where the name does; left of a short text, where there is room.
      const isShort = s.text < 9.5;
      const last = points.length - 1;
      const middle = xs[Math.min(9, last)];
      const around = points.filter((_, i) => Math.abs(xs[i] - middle) < WIDE);
      const top = Math.max(...around.map(([, , , high]) => high));
      put(text, {
        x: isShort ? xs[last] - 12 : middle,
        y: isShort ? y(points[last][1]) + 5 : y(top) - 10,
        "text-anchor": isShort ? "end" : "middle",
        text: say(`${name}_name`),
      });
      show(text, s.text > 8.5 ? 1 : 0);
    }
    asked(
      ANSWERS.map((percent) => [p.x + 14, y(percent)]),
      presence,
    );
    const x = alongX(at, 2 ** s.text);
    put(knob, { transform: `translate(${x.toFixed(1)} ${ribbon.y + ribbon.h / 2})` });
    put(knob, { tabindex: isGuessing() ? -1 : 0 });
    value(knob, -Math.round(s.text), -MOST, -SHORTEST, say("text_of"));
    const isRight = x > p.x + p.w * 0.2; // free of the axis' name
    put(length, {
      x: isRight ? p.x + p.w : clamp(x - 12, 8, at.width),
      y: foot + (isPhone ? 46 : 58),
      "text-anchor": isRight ? "end" : "start",
      text: say(isPhone ? "text_short" : "text_of"),
    });
  };
}
