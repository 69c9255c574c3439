// What is set on a line: the slope, the needle's content, the length of the text.

import { clamp } from "../../page/shapes.js";
import { READ } from "./light.js";
import { SIDE, WORDS, isSeen, needOf, poolOf, queryOf } from "./scene.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./scene").Room} Room */

const HEADS = 8;
const FEWEST = 4; // pages along a side of the smallest map
const CONTENT = 220; // the highest score that can be given
/** Where a score stands on its rail, which has room for small ones. */
const along = (/** @type {number} */ score) => Math.sqrt(clamp(score, 0, CONTENT) / CONTENT);
const CATCHES = 0.01; // of the rail: a hand so near to what is needed means it
const AROUND = 1.5; // a needle that is lit with more than this many times what it needs was not aimed at

/** @param {Stage} stage @param {() => Room} room */
export function buildRails(stage, room) {
  const { make, put, show, group, slider, grip, value, say, set, move, state, step, isGuessing } =
    stage;

  /**
   * @param {string} marks
   * @param {[number, string][]} ticks
   * @param {{ label: string, to: (at: number) => void, keys: (by: number) => void, end?: () => void }} handle
   */
  function rail(marks, ticks, { label, to, keys, end }) {
    const holder = group(marks);
    const line = make("line", { stroke: "var(--line)", "stroke-width": 2 }, holder);
    const dots = ticks.map(() => make("circle", { r: 3, fill: "var(--soft)" }, holder));
    const texts = ticks.map(([, text]) =>
      make("text", { class: "t12 soft", "text-anchor": "middle" }, holder, text),
    );
    const name = make("text", { class: "t14", style: "font-weight:600" }, holder);
    const knob = slider(holder, {
      label,
      keys,
      move: ([x]) => {
        const { from, to: until } = room().rail;
        to(clamp((x - from) / (until - from), 0, 1));
      },
      end,
    });
    grip(knob);

    /** @param {number} y @param {number} at 0 to 1 @param {number} presence @param {string} text */
    function draw(y, at, presence, text) {
      show(holder, presence);
      if (presence < 0.02) return;
      const { rail: r, row, isPhone } = room();
      const place = (/** @type {number} */ t) => r.from + t * (r.to - r.from);
      put(line, { x1: r.from, x2: r.to, y1: y, y2: y });
      ticks.forEach(([t], i) => {
        put(dots[i], { cx: place(t), cy: y });
        const isLast = t === 1 && isPhone && ticks[i][1].length > 3; // it would leave the picture
        put(texts[i], {
          x: place(t) + (isLast ? 12 : 0),
          y: y + (isPhone ? 21 : Math.min(25, row * 0.48 - 6)),
        });
        put(texts[i], { "text-anchor": isLast ? "end" : "middle" });
      });
      const isClose = isPhone && state.contents > 0.5; // numbers of another rail stand above
      put(name, { x: isPhone ? r.to + 10 : r.from - 8, y: y - (isClose ? 14 : 20), text });
      put(name, { "text-anchor": isPhone ? "end" : "start" });
      put(knob, { transform: `translate(${place(at).toFixed(1)} ${y})` });
      const isFree = !isGuessing() && presence > 0.5;
      put(knob, { tabindex: isFree ? 0 : -1, style: isFree ? undefined : "pointer-events: none" });
    }
    return { holder, knob, draw };
  }

  /** Whether the needle has been lit in this head, and not by pulling everything to the end. */
  function noteLit() {
    const head = Math.round(state.head);
    const isWhole = Math.abs(state.head - head) < 0.05;
    if (isWhole && isSeen(state) && state.content <= needOf(state) * AROUND + 4)
      stage.seen.add(head);
  }
  const headOf = (/** @type {number} */ head) => ({ head: clamp(Math.round(head), 1, HEADS) });
  const slopes = rail(
    "slope",
    Array.from({ length: HEADS }, (_, i) => [i / (HEADS - 1), `${i + 1}`]),
    {
      label: say("slope_label"),
      to: (t) => set({ head: 1 + t * (HEADS - 1) }),
      keys: (by) => set(headOf(state.head + by)),
      end: () => move(headOf(state.head), 140),
    },
  );
  const give = (/** @type {number} */ content) => {
    set({ content: clamp(content, 0, CONTENT) });
    noteLit();
  };
  const contents = rail(
    "score k",
    [0, 2, 20, 100, 200].map((score) => [along(score), `${score}`]),
    {
      label: say("content_label"),
      to: (t) => {
        const need = needOf(state);
        give(Math.abs(t - along(need)) < CATCHES ? need : t * t * CONTENT);
      },
      keys: (by) =>
        give(Math.round((state.content + by * (state.content + by > 10 ? 2 : 0.5)) * 2) / 2),
    },
  );
  const needed = make("g", {}, contents.holder);
  make("path", { d: "M0,-12L-6,-21H6Z", fill: "var(--k)" }, needed);
  const neededText = make("text", { class: "t12 k", "text-anchor": "middle", y: -26 }, needed);
  const grow = Math.log(SIDE / FEWEST);
  const sideAt = (/** @type {number} */ words) =>
    Math.log(Math.sqrt(words / WORDS) / FEWEST) / grow;
  const lengths = rail(
    "length",
    [
      [0, say("ten_thousand")],
      [sideAt(1e5), say("hundred_thousand")],
      [1, say("million")],
    ],
    {
      label: say("length_label"),
      to: (t) => set({ zoom: FEWEST * Math.exp(t * grow) }),
      keys: (by) => set({ zoom: clamp(Math.round(state.zoom) + by, FEWEST, SIDE) }),
      end: () => move({ zoom: Math.round(state.zoom) }, 140),
    },
  );

  const readout = group("pool");
  const pole = make("path", { stroke: "var(--attention)", "stroke-width": 3.5 }, readout);
  const big = make("text", { class: "big" }, readout);
  const small = make("text", { class: "t14" }, readout);
  // How much full light is worth: the page shows shares of the brightest word.
  const full = group("full light");
  const fullBar = make("rect", { fill: "var(--attention)", width: 14, height: 14, rx: 2 }, full);
  const fullText = make("text", { class: "t14" }, full);
  const needle = group("k");
  const lines = [0, 1, 2].map((i) =>
    make("text", { class: i ? "t14" : "t14 k", style: i ? undefined : "font-weight:600" }, needle),
  );
  const needs = make("text", { class: "big k" }, needle);
  const why = make("text", { class: "t14" }, needle);

  return (/** @type {State} */ s) => {
    const at = room();
    const { rows, upper, isPhone, text: x } = at;
    const size = isPhone ? "_short" : "";
    slopes.draw(rows[0], (s.head - 1) / (HEADS - 1), s.slopes, say(`slope_of${size}`));
    value(slopes.knob, Math.round(s.head), 1, HEADS, say("slope_at"));
    lengths.draw(
      rows[0],
      clamp(Math.log(s.zoom / FEWEST) / grow, 0, 1),
      s.lengths,
      say(`words_of${size}`),
    );
    value(
      lengths.knob,
      Math.round(s.zoom) ** 2 * WORDS,
      FEWEST ** 2 * WORDS,
      SIDE ** 2 * WORDS,
      say("words_of"),
    );
    contents.draw(rows[1], along(s.content), s.contents * (1 - s.line), "");
    value(contents.knob, s.content, 0, CONTENT, say("content_at"));
    const need = needOf(s);
    put(needed, {
      transform: `translate(${at.rail.from + along(need) * (at.rail.to - at.rail.from)} ${rows[1]})`,
    });
    put(neededText, { text: say("needs") });

    show(readout, s.read);
    // As on the page, where it stands before the first of these words.
    const isBefore = poolOf(s) > queryOf(s) + 1;
    const foot = rows[0] + (isPhone ? 17 : 21);
    put(pole, { d: `M${x},${rows[0] - (isPhone ? 20 : 26)}V${foot + 3}` });
    show(pole, isBefore ? 0 : 1);
    put(big, { x: x + 10, y: rows[0] - 3, text: say(isPhone ? "pool_short" : "pool_words") });
    put(small, { x: x + 10, y: foot, text: say(isBefore ? `hold_before${size}` : `hold${size}`) });
    show(full, s.read * (1 - s.map));
    const [fullX, fullY] = [at.rail.from + (isPhone ? 0 : 232), rows[0] - 20];
    put(fullBar, { x: fullX, y: fullY - 12 });
    put(fullBar, { opacity: at.page.isGreek ? 1 : READ });
    put(fullText, {
      x: fullX + 20,
      y: fullY,
      text: say(at.width < 700 ? "full_short" : "full"),
    });
    show(needle, Math.max(s.contents, s.read_needle));
    const told = ["content_is", s.line > 0.5 ? "needs" : "has", s.line > 0.5 ? "has" : "own_has"];
    lines.forEach((line, i) => {
      put(line, {
        x,
        y: upper + (i - 1) * (isPhone ? 17 : 21) + 4,
        text: say(`${told[i]}${size}`),
      });
      show(line, s.contents);
    });
    put(needs, { x, y: rows[1] + 1, text: say("needs") });
    put(why, { x, y: rows[1] + (isPhone ? 20 : 24), text: say(`needs_why${size}`) });
    for (const node of [needs, why]) show(node, s.read_needle);
    if (step() === "needle" && !isGuessing()) noteLit();
  };
}
