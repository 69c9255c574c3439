// What a real model pays for keys of an older base, by how far past its prompt it has come.

import data from "./data.js";
import { clamp, mix, xy } from "../../page/shapes.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("../kv_cache/room.js").Room} Room */

/** @typedef {"frozen" | "fixed" | "none"} Way */

export const BLOCK = data.block;
export const BLOCKS = data.bits.none[0].length; // the first is the end of the prompt
export const PAST = BLOCK * (BLOCKS - 1);
const [LOW, HIGH] = [-0.4, 2]; // bits

/** What a token costs more than with the base of training, by block; of one text or on average of all. @param {Way} way @param {number} [text] */
export function more(way, text) {
  const of = text === undefined ? data.texts.map((_, i) => i) : [text];
  return data.bits.none[0].map(
    (_, b) =>
      of.reduce((sum, i) => sum + data.bits[way][i][b] - data.bits.none[i][b], 0) / of.length,
  );
}
/** @param {State} s */
export const blockOf = (s) => clamp(Math.round(s.block), 0, BLOCKS - 1);
/** Mean of the blocks past the prompt: lowest text, all, highest text. @param {Way} way */
export function past(way) {
  const mean = (/** @type {number[]} */ all) =>
    all.slice(1).reduce((sum, one) => sum + one, 0) / (BLOCKS - 1);
  const each = data.texts.map((_, i) => mean(more(way, i)));
  return [Math.min(...each), mean(more(way)), Math.max(...each)];
}

/** @param {Room} room */
function layout({ width, height, isPhone }) {
  const x = isPhone ? 34 : 76;
  const y = isPhone ? 28 : 70;
  return { x, y, w: width - x - (isPhone ? 16 : 60), h: height - y - (isPhone ? 52 : 104) };
}

/** @param {Stage} stage @param {() => Room} room */
export function buildPlot(stage, room) {
  const { make, put, show, group, slider, grip, value, say, number, state, set, seen, isGuessing } =
    stage;
  const at = () => layout(room());
  const x = (/** @type {number} */ block) => at().x + ((block + 0.5) / BLOCKS) * at().w;
  const y = (/** @type {number} */ bits) => at().y + at().h * ((HIGH - bits) / (HIGH - LOW));
  const axes = group("zero");
  const prompt = make("rect", { fill: "var(--wash)" }, group("prompt"));
  const zero = make("line", { stroke: "var(--ink)", "stroke-dasharray": "4 4" }, axes);
  const zeroText = make("text", { class: "t12" }, axes);
  const title = make("text", { class: "t12 soft" }, axes);
  const below = make("text", { class: "t12 soft", "text-anchor": "middle" }, axes);
  const promptText = make("text", { class: "t12 soft", "text-anchor": "middle" }, group("prompt"));
  const up = [0, 1, 2].map((bits) => ({
    bits,
    text: make("text", { class: "t12 soft", "text-anchor": "end" }, axes, bits ? `+${bits}` : "0"),
  }));
  const along = Array.from({ length: BLOCKS }, (_, i) => i * BLOCK).filter(
    (n) => n && n % 512 === 0,
  );
  const signs = along.map((n) =>
    make(
      "text",
      { class: "t12 soft", "text-anchor": n < PAST ? "middle" : "end" },
      axes,
      number(n),
    ),
  );
  // What may be answered, until it is.
  const answers = [0, 0.1, 1].map((bits, i) => ({
    bits,
    line: make("line", { stroke: "var(--soft)", "stroke-dasharray": "2 6" }, axes),
    text: make("text", { class: "t14 soft", "text-anchor": "end" }, axes, say(`answer_${i}`)),
  }));
  const ways = /** @type {Way[]} */ (["fixed", "frozen"]).map((way) => {
    const parent = group(way === "frozen" ? "new" : "fixed");
    const color = way === "frozen" ? "var(--new)" : "var(--ink)";
    return {
      way,
      texts: data.texts.map((_, i) => ({
        i,
        line: make("path", { fill: "none", stroke: color, opacity: 0.35 }, parent),
      })),
      mean: make("path", { fill: "none", stroke: color, "stroke-width": 3 }, parent),
      dots: data.bits[way][0].map(() => make("circle", { r: 4.5, fill: color }, parent)),
      name: make(
        "text",
        { class: `t14 halo ${way === "frozen" ? "new" : ""}`, "text-anchor": "end" },
        parent,
        say(`curve_${way}`),
      ),
      parent,
    };
  });
  const go = (/** @type {number} */ block) => {
    if (isGuessing()) return;
    const to = clamp(Math.round(block), 0, BLOCKS - 1);
    seen.add(to);
    set({ block: to });
  };
  const handle = slider(group("new block"), {
    label: say("block_label"),
    keys: (by) => go(blockOf(state) + Math.sign(by)),
    move: ([px]) => go(((px - at().x) / at().w) * BLOCKS - 0.5),
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const here = make("line", { stroke: "var(--ink)", "stroke-dasharray": "2 4" }, handle);
  const knob = make("g", {}, handle);
  grip(knob);
  const text = make("text", { class: "halo", style: "font-weight: 600" }, handle);

  return (/** @type {State} */ s, /** @type {Room} */ { isPhone }) => {
    const own = at();
    const floor = own.y + own.h;
    const edge = x(0.5);
    put(prompt, { x: own.x, y: own.y, width: edge - own.x, height: own.h });
    put(promptText, {
      x: (own.x + edge) / 2,
      y: floor + (isPhone ? 15 : 20),
      text: say(isPhone ? "prompt_short" : "prompt"),
    });
    put(zero, { x1: own.x, x2: own.x + own.w, y1: y(0), y2: y(0) });
    put(zeroText, {
      x: edge + 8,
      y: y(0) + 16,
      text: say(isPhone ? "as_trained_short" : "as_trained"),
    });
    put(title, {
      x: isPhone ? 6 : own.x - 30,
      y: own.y - (isPhone ? 10 : 22),
      text: say(isPhone ? "more_short" : "more"),
    });
    put(below, {
      x: (edge + own.x + own.w) / 2,
      y: floor + (isPhone ? 32 : 44),
      text: say("past"),
    });
    up.forEach(({ bits, text: sign }) => put(sign, { x: own.x - 8, y: y(bits) + 4 }));
    signs.forEach((sign, i) =>
      put(sign, { x: x(along[i] / BLOCK + 0.5), y: floor + (isPhone ? 15 : 20) }),
    );
    answers.forEach(({ bits, line, text: answer }) => {
      put(line, { x1: edge, x2: own.x + own.w, y1: y(bits), y2: y(bits) });
      put(answer, { x: own.x + own.w, y: y(bits) + (bits ? -8 : 18) });
      for (const node of [line, answer]) show(node, s.guessing);
    });
    ways.forEach(({ way, texts, mean, dots, name, parent }) => {
      const line = (/** @type {number[]} */ all) => {
        const points = all
          .slice(0, Math.max(1, Math.ceil(s.until)))
          .map((bits, b) => xy([x(b), y(clamp(bits, LOW, HIGH))]));
        return `M${points.join("L")}`;
      };
      for (const one of texts) put(one.line, { d: line(more(way, one.i)) });
      put(mean, { d: line(more(way)) });
      dots.forEach((dot, b) => {
        put(dot, { cx: x(b), cy: y(more(way)[b]) });
        show(dot, b < Math.ceil(s.until) ? 1 : 0);
      });
      const last = more(way)[BLOCKS - 1];
      put(name, { x: x(BLOCKS - 1) - 12, y: y(last) + (way === "frozen" ? -36 : 30) });
      show(name, s.until > BLOCKS - 1 ? 1 : 0);
      show(parent, s.plot * (way === "fixed" ? clamp(s.until - 1, 0, 1) : 1));
    });
    const b = blockOf(s);
    const px = x(s.block);
    const from = Math.floor(clamp(s.block, 0, BLOCKS - 2));
    const all = more("frozen");
    const py = y(mix(all[from], all[from + 1], s.block - from));
    put(hit, { x: own.x, y: own.y, width: own.w, height: own.h });
    put(here, { x1: px, x2: px, y1: own.y, y2: floor });
    put(knob, { transform: `translate(${px.toFixed(1)} ${py.toFixed(1)})` });
    const isUnder = b > 0 && more("fixed")[b] > all[b]; // the other curve
    const side = isUnder || px < own.x + 70 ? 1 : -1; // of the line through the knob
    put(text, {
      x: px + side * 9,
      y: py + (isUnder ? 24 : -16),
      "text-anchor": side < 0 ? "end" : "start",
      text: say("block_at"),
    });
    value(handle, b * BLOCK, 0, PAST, say(b ? "block_said" : "block_prompt"));
    show(handle, s.plot);
    for (const one of [axes, prompt, promptText]) show(one, s.plot);
  };
}
