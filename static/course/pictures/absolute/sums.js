// A word and a row added, number by number: tried against a given sum, scored, and read beyond training.

import { clamp, mix } from "../../shapes.js";
import { NAMES, WORDS, at, mixed, range, row, unseen } from "./model.js";
import { GAP, WIDTH, after } from "./room.js";

/** @typedef {import("../../types").Stage} Stage */
/** @typedef {import("../../types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./room.js").Columns} Columns */

/** @param {Stage} stage */
export function buildSums(stage) {
  const { make, put, show, group, say } = stage;
  const scene = make("g");
  const given = Array.from({ length: WIDTH }, () => ({
    gauge: make("rect", { fill: "var(--line)" }, group("gauge", scene)),
    box: make(
      "rect",
      { fill: "var(--wash)", stroke: "var(--soft)", "stroke-width": 1.5 },
      group("sum", scene),
    ),
    miss: make("line", { stroke: "var(--new)", "stroke-width": 5 }, group("off", scene)),
  }));
  const own = buildColumns(stage, scene, "word q");
  const other = buildColumns(stage, scene, "k");
  const text = make("text", { "text-anchor": "middle" }, group("off", scene));
  const tags = group("", scene);
  const names = [0, 1].map((i) =>
    make("text", { class: i ? "k" : "q", style: "font-weight:600" }, group(i ? "k" : "q", tags)),
  );
  const beside = ["word", "row", "new"].map((mark) =>
    make(
      "text",
      { class: "t14", "text-anchor": "end", style: "font-weight:600" },
      group(mark, tags),
    ),
  );

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = after(Math.max(s.mix + s.terms + s.bits, 0));
    show(scene, presence);
    if (presence < 0.02) return;
    const { sums: c, width, bottom, isPhone } = room;
    const isMix = clamp(2 * s.mix - 1, 0, 1);
    const isBits = clamp(2 * s.bits - 1, 0, 1);
    const isTerms = clamp(2 * s.terms - 1, 0, 1);
    const { given: sum, word, tried } = mixed(s);
    const words = s.mix > 0.5 ? word : WORDS[0];
    const total = s.mix > 0.5 ? tried : row(s.p).map((x, i) => x + words[i]);
    const news = s.bits > 0.5 ? unseen(s) : [];
    const outlined = tried.map((x, i) => mix(x, sum[i], s.given));
    const y = (/** @type {number} */ value) => c.base - value * c.unit;
    given.forEach(({ gauge, box, miss }, i) => {
      const x = c.x + c.w * (i + 0.5);
      const [low, high] = range(i);
      put(gauge, {
        x: x - c.w * 0.3,
        width: c.w * 0.6,
        y: y(words[i] + high) - 2,
        height: (high - low) * c.unit + 4,
      });
      show(gauge, isBits);
      put(box, {
        x: x - c.w * 0.4,
        width: c.w * 0.8,
        y: Math.min(y(outlined[i]), c.base).toFixed(1),
        height: Math.abs(outlined[i] * c.unit).toFixed(1),
      });
      show(box, isMix);
      put(miss, { x1: x, x2: x, y1: y(outlined[i]).toFixed(1), y2: y(tried[i]).toFixed(1) });
      show(miss, isMix * s.given * (Math.abs(sum[i] - tried[i]) > 0.02 ? 1 : 0));
    });
    own(c, words, total, {
      news,
      parts: 1 - 0.6 * isMix * s.given, // unmixing goes by the sums
      colour: mix(0, 1, isTerms) > 0.5 ? "var(--q)" : "var(--content)",
    });
    other.show(isTerms);
    other(
      room.others,
      WORDS[1],
      row(s.p + GAP).map((x, i) => x + WORDS[1][i]),
      { news: [], parts: 1, colour: "var(--k)" },
    );
    put(text, { x: width / 2, y: bottom - (isPhone ? 8 : 22), text: say("left_over") });
    show(text, isMix * s.given);
    [room.sums, room.others].forEach((columns, i) => {
      put(names[i], {
        x: columns.x + 4,
        y: isPhone ? 14 : 20,
        text: say("word_and_row", { name: NAMES[i], place: at(s) + i * GAP }),
      });
      show(names[i], isTerms);
    });
    ["word", "row", "new"].forEach((name, i) => {
      const lines = { word: NAMES[0], row: say("plus_row"), new: say("new_ones") };
      put(beside[i], {
        x: isPhone ? width - 14 : c.x - 12,
        y: isPhone ? 12 : c.base + (i - 1) * 24 + 5,
        text: !isPhone || i === 2 ? lines[/** @type {"word" | "row" | "new"} */ (name)] : "",
        style: `font-weight:600; fill: var(--${["content", "ink", news.some(Boolean) ? "new" : "soft"][i]})`,
      });
      show(beside[i], isBits);
    });
  };
}

/** Sixteen ticks of a word, and what a row adds to each. @param {Stage} stage @param {Element} parent @param {string} mark */
function buildColumns({ make, put, show, group }, parent, mark) {
  const scene = make("g", {}, parent);
  const axis = make("path", { stroke: "var(--soft)", fill: "none" }, scene);
  const ticks = group(mark, scene);
  const stems = group("row place", scene);
  const tips = group("row place dot sum", scene);
  const columns = Array.from({ length: WIDTH }, () => ({
    tick: make("line", { "stroke-width": 3 }, ticks),
    stem: make("line", { "stroke-width": 2 }, stems),
    tip: make("circle", {}, tips),
  }));

  /** @param {Columns} c @param {number[]} word @param {number[]} sum @param {{ news: boolean[], parts: number, colour: string }} look */
  function draw({ x: left, w, base, unit }, word, sum, { news, parts, colour }) {
    put(axis, { d: `M${left},${base}h${w * WIDTH}` });
    columns.forEach(({ tick, stem, tip }, i) => {
      const x = left + w * (i + 0.5);
      const from = base - word[i] * unit;
      const to = base - sum[i] * unit;
      const fill = news[i] ? "var(--new)" : "var(--ink)";
      put(tick, { x1: x - w * 0.32, x2: x + w * 0.32, y1: from, y2: from, stroke: colour });
      put(stem, { x1: x, x2: x, y1: from, y2: to.toFixed(1), stroke: fill });
      for (const node of [tick, stem]) show(node, parts);
      put(tip, { cx: x, cy: to.toFixed(1), r: Math.min(6, w * 0.2), fill });
    });
  }
  return Object.assign(draw, { show: (/** @type {number} */ presence) => show(scene, presence) });
}
