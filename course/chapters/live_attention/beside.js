// Beside the sentence: all heads, the words that come next, and what was measured by the gap.

import data from "./data.js";
import { buildAsked } from "../../page/asked.js";
import { CLEAR, GAPS, WOKEN, firsts, nextWords } from "./read.js";
import { mix } from "../../page/shapes.js";
import { plotOf } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const ROWS = 9; // heads of a layer
const LAYERS = data.firsts[0].length / ROWS;
const REST = data.heads.rest[0] * ROWS + data.heads.rest[1];

/** One square a head: the darker, the more goes to the first word. @param {Stage} stage */
export function buildHeads({ make, put, show, group, say }) {
  const all = group("heads");
  const cells = data.firsts[0].map(() => make("rect", { rx: 1 }, all));
  const mark = make("rect", { fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 }, all);
  const name = make("text", { class: "t14" }, all);
  const layers = make("text", { class: "t12 soft" }, all, say("layers"));
  return (/** @type {State} */ s, /** @type {Room} */ { width, height, isPhone, cell: size }) => {
    show(all, s.map);
    if (s.map < 0.02) return;
    const x = isPhone ? 8 : width - LAYERS * size - 16;
    const y = isPhone ? height - ROWS * size - 3 : 38;
    firsts(s).forEach((share, head) => {
      const [column, row] = [Math.floor(head / ROWS), head % ROWS];
      const opacity = 0.1 + 0.9 * share * s.known;
      const isGrey = s.known > 0.5 && share < CLEAR;
      put(cells[head], {
        x: x + column * size,
        y: y + row * size,
        width: size - 0.8,
        height: size - 0.8,
        fill: isGrey ? "var(--soft)" : "var(--attention)",
        opacity: opacity.toFixed(2),
      });
    });
    put(mark, {
      x: x + Math.floor(REST / ROWS) * size - 1.2,
      y: y + (REST % ROWS) * size - 1.2,
      width: size + 1.6,
      height: size + 1.6,
    });
    const label = say(s.known < 0.5 ? "heads" : isPhone ? "resting_short" : "resting");
    put(layers, { x, y: y + ROWS * size + 16 });
    show(layers, isPhone ? 0 : 1);
    put(name, { x: isPhone ? x + LAYERS * size + 10 : x, y: isPhone ? y + 24 : 26, text: label });
  };
}

/** The three likeliest next words; on a phone two, in a line or where the ruler was. @param {Stage} stage */
export function buildNext({ make, put, show, group, say, number }) {
  const all = group("next");
  const title = make("text", { class: "t14 soft" }, all);
  const rows = [0, 1, 2].map(() => ({
    word: make("text", {}, all),
    bar: make("rect", { fill: "var(--attention)", rx: 2, height: 13 }, all),
    share: make("text", { class: "t14 soft" }, all),
  }));
  return (/** @type {State} */ s, /** @type {Room} */ { width, height, isPhone, foot }) => {
    show(all, s.next);
    if (s.next < 0.02) return;
    const x = width - 226;
    const line = (/** @type {number} */ beside) =>
      mix(height - foot + 14, height - 136 + beside, s.apart);
    put(title, {
      x: isPhone ? mix(8, 214, s.apart) : x,
      y: isPhone ? line(0) : 26,
      text: say(isPhone ? "next_short" : "next"),
    });
    nextWords(s).forEach(([word, share], r) => {
      const y = 54 + 27 * r;
      const isThere = !isPhone || r < 2;
      const percent = say("share", { share: number(100 * share) });
      const style = `font-weight: ${r ? 400 : 700}`;
      put(rows[r].word, {
        x: isPhone ? mix(70 + 148 * r, 214, s.apart) : x,
        y: isPhone ? line(22 * (r + 1)) : y,
        style,
        text: !isThere ? "" : isPhone ? `${word} ${percent}` : word,
      });
      put(rows[r].bar, {
        x: x + 78,
        y: y - 11,
        width: isPhone ? 0 : Math.max(1, 100 * share),
        opacity: r ? 0.5 : 1,
      });
      put(rows[r].share, { x: x + 86 + 100 * share, y, text: isPhone ? "" : percent });
    });
  };
}

/** By the gap: how much the head gives the word that came next, or how likely it is that the model finds it. @param {Stage} stage */
export function buildCurve(stage) {
  const { make, put, show, group, say, number } = stage;
  const holder = make("g");
  const untrained = make("rect", { fill: "var(--wash)" }, group("untrained", holder));
  const untrainedName = make(
    "text",
    { class: "t12 soft", "text-anchor": "end" },
    group("untrained", holder),
  );
  const all = group("curve", holder);
  const axis = make("path", { fill: "none", stroke: "var(--line)" }, all);
  const band = make("path", { fill: "var(--attention)", opacity: 0.2 }, all);
  const line = make(
    "path",
    { fill: "none", stroke: "var(--attention)", "stroke-width": 2.5, "stroke-linejoin": "round" },
    all,
  );
  const dot = make("circle", { r: 5, fill: "var(--attention)" }, all);
  const here = make("text", { class: "t14 halo", style: "font-weight: 600" }, all);
  const name = make("text", { class: "t14" }, all);
  const ends = [0, 1].map(() => make("text", { class: "t12 soft", "text-anchor": "end" }, all));
  const asked = buildAsked(stage, holder);
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const stays = Math.max(s.line, s.woken);
    show(holder, stays);
    if (stays < 0.02) return;
    const isHead = s.woken > s.line;
    const shares = isHead ? WOKEN : data.found;
    const { x, y, w, h } = plotOf(room, s);
    const last = GAPS.length - 1;
    const px = (/** @type {number} */ stop) => x + (w * stop) / last;
    const py = (/** @type {number} */ share) => y + h * (1 - share);
    const until = s.curve * last;
    const seen = shares.map((_, stop) => stop).filter((stop) => stop <= until + 1e-6);
    const point = (/** @type {number} */ stop, by = 0) =>
      `${px(stop).toFixed(1)},${py(shares[stop] + by * data.error[stop]).toFixed(1)}`;
    put(axis, { d: `M${x},${y}V${y + h}H${x + w}` });
    put(line, { d: `M${seen.map((stop) => point(stop)).join("L")}` });
    put(band, {
      opacity: isHead ? 0 : 0.2,
      d: `M${[...seen.map((stop) => point(stop, 1)), ...[...seen].reverse().map((stop) => point(stop, -1))].join("L")}Z`,
    });
    const now = Math.min(Math.round(s.gap), seen.length - 1);
    put(dot, { cx: px(now), cy: py(shares[now]) });
    const isLate = now > last / 2;
    put(here, {
      x: px(now) + (isLate ? -10 : 10),
      y: py(shares[now]) - 10,
      "text-anchor": isLate ? "end" : "start",
      text: say("share", { share: number(100 * shares[now]) }),
    });
    const end = GAPS.indexOf(data.trained);
    const beyond = px(end);
    // Where it may come down: at once, on the way, or where training ended.
    asked(isHead ? [] : [1, end / 2, end].map((stop) => [px(stop), py(0.5)]), s.line);
    put(untrained, { x: beyond, y, width: isHead ? 0 : x + w - beyond, height: h });
    put(untrainedName, {
      x: x + w - (room.isPhone ? 0 : 4),
      y: y + 14,
      text: isHead ? "" : say(room.isPhone ? "untrained_short" : "untrained"),
    });
    put(name, {
      x: room.isPhone ? x - 24 : 8,
      y: y - 14,
      text: say((isHead ? "woken" : "found") + (room.isPhone ? "_short" : "")),
    });
    [0, 1].forEach((share) =>
      put(ends[share], {
        x: x - 6,
        y: py(share) + 4,
        text: say("share", { share: number(100 * share) }),
      }),
    );
  };
}
