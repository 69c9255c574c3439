// A page of words that fades into a strip: all distances in a line, and T5's braces under it.

import { wordsIn } from "../../page/formulas/distances.js";
import { clamp, mix } from "../../page/shapes.js";
import { SENTENCE_FROM } from "./matrix.js";
import { BRACES, LAST, braceOf, inkOf, placeX, seenWords, shade, stripX } from "./room.js";
import { subscript } from "./table.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const KNOWN = 22; // braces that are drawn before the question is answered

/** How much of a brace is told. @param {State} s @param {number} brace */
const known = (s, brace) => (brace <= KNOWN ? 1 : s.told);

/** @param {State} s */
export const lastShare = (s) => wordsIn(BRACES[LAST], seenWords(s)) / seenWords(s);

/**
 * The page, broken into lines once for each width.
 * @param {string[]} words
 */
export function setter(words) {
  const context = /** @type {CanvasRenderingContext2D} */ (
    document.createElement("canvas").getContext("2d")
  );
  let key = "";
  /** @type {import("./room.js").Laid[]} */
  let laid = [];

  return (/** @type {Room} */ { width, size, margin, isPhone }) => {
    if (key === `${width} ${size}`) return laid;
    key = `${width} ${size}`;
    context.font = `${size}px "Source Sans", "Source Sans 3", system-ui, sans-serif`;
    const space = context.measureText(" ").width + (isPhone ? 2 : 5);
    let x = margin;
    let line = 0;
    laid = words.map((word) => {
      const w = context.measureText(word).width;
      if (x + w > width - margin) [x, line] = [margin, line + 1];
      const at = { x, w, line };
      x += w + space;
      return at;
    });
    return laid;
  };
}

/** The middle of a line. @param {Room} room @param {import("./room.js").Laid} word */
export const lineY = ({ pageTop, lineHigh }, { line }) => pageTop + (line + 0.5) * lineHigh;

/** @param {Stage} stage @param {string[]} page */
export function buildPage({ make, put, show, group }, page) {
  const tints = group("braces far page");
  const texts = group("page braces far q k");
  const words = page.map((word, n) => ({
    n,
    tint: make("rect", { rx: 4 }, tints),
    text: make("text", { "text-anchor": "middle", "dominant-baseline": "central" }, texts, word),
  }));

  return (
    /** @type {State} */ s,
    /** @type {Room} */ room,
    /** @type {import("./room.js").Laid[]} */ laid,
  ) => {
    const there = clamp(s.page * 2 - 1, 0, 1) * clamp(1 - s.chart * 1.6, 0, 1);
    show(tints, there);
    show(texts, clamp(s.page * 1.5, 0, 1) * clamp(1 - s.chart * 1.6, 0, 1));
    if (s.page < 0.02 || s.chart > 0.9) return;
    const query = Math.round(s.query);
    const own = braceOf(s.back);
    const high = room.lineHigh * (room.isPhone ? 0.86 : 0.76);
    const pad = room.isPhone ? 1.5 : 4;
    words.forEach(({ n, tint, text }) => {
      const at = laid[n];
      const distance = query - n;
      const brace = braceOf(distance);
      const isOwn = distance > 0 && brace === own;
      const y = lineY(room, at);
      const isQuery = n === query;
      put(tint, {
        x: (at.x - pad).toFixed(1),
        y: (y - high / 2).toFixed(1),
        width: (at.w + 2 * pad).toFixed(1),
        height: high.toFixed(1),
        fill: isQuery ? "var(--q-fill)" : isOwn ? "var(--past)" : inkOf(brace),
        "fill-opacity": isQuery
          ? 1
          : distance < 0
            ? 0
            : isOwn
              ? 0.92
              : (shade(brace) * known(s, brace)).toFixed(2),
      });
      const t = n >= SENTENCE_FROM ? s.page : 1;
      const fromX = placeX(room, n - SENTENCE_FROM);
      const isFlown = n < SENTENCE_FROM && s.page < 0.9;
      put(text, {
        x: mix(fromX, at.x + at.w / 2, t).toFixed(1),
        y: (mix(room.words, y, t) + 1).toFixed(1),
        fill: undefined,
        style: `font-size:${room.size}px;${isQuery ? "fill:#fff" : isOwn ? "fill:var(--paper)" : ""}`,
        opacity: isFlown ? 0 : distance < 0 ? 0.35 : 1,
      });
    });
  };
}

/** @param {Stage} stage */
export function buildStrip({ make, put, show, group, say, number, svg, isGuessing }) {
  const strip = group("braces strip", svg);
  const parts = BRACES.map((brace, b) => {
    const its = b === LAST ? group("far braces", strip) : make("g", {}, strip);
    return {
      b,
      brace,
      its,
      block: make("rect", { rx: 2 }, its),
      curl: make("path", { fill: "none", "stroke-linecap": "round" }, its),
    };
  });
  const own = make(
    "text",
    { "text-anchor": "middle", style: "font-weight:600;fill:var(--past)" },
    group("braces k"),
  );
  const here = make("line", { stroke: "var(--k)", "stroke-width": 3 }, group("k"));
  const marks = Array.from({ length: 6 }, () =>
    make("text", { class: "t12 soft", "text-anchor": "middle" }, group("strip braces")),
  );
  const extent = group("page strip");
  const span = make("path", { fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 }, extent);
  const spanName = make("text", { class: "t14", "text-anchor": "end" }, extent, say("this_page"));
  const long = group("length far");
  const share = make("text", { class: "big" }, long);
  const under = make("text", { class: "t14 soft" }, long);

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone, strip: y, stripHigh: high, height } = room;
    const there = clamp(s.page * 2 - 1, 0, 1);
    show(strip, there);
    for (const node of [here, ...marks]) show(node, there * (1 - s.chart));
    show(own, there * (1 - s.chart) * (1 - s.far));
    show(extent, there * s.far * (1 - s.chart));
    show(long, s.far * (1 - s.chart));
    if (there < 0.02) return;
    // What is drawn fills the strip: at first the near braces alone.
    const words = mix(Math.min(BRACES[KNOWN].to + 1, seenWords(s)), seenWords(s), s.told);
    const shown = s.window > 0 ? mix(words, Math.min(words, 128), s.window) : words;
    const chosen = braceOf(s.back);
    const isWaiting = isGuessing() && s.far < 0.5 && s.chart < 0.5;
    const deep = (isPhone ? 7 : 13) * (1 - s.chart);
    const low = y + high + 4;
    parts.forEach(({ b, brace, its, block, curl }) => {
      const until = Math.min(brace.to + 1, shown);
      show(its, brace.from < until ? 1 : 0);
      if (brace.from >= until) return;
      const [right, left] = [stripX(room, brace.from, words), stripX(room, until, words)];
      const w = right - left;
      const isOwn = b === chosen && s.chart < 0.5;
      put(block, {
        x: (left + Math.min(0.5, w / 4)).toFixed(1),
        y,
        width: Math.max(0.4, w - 1).toFixed(1),
        height: high,
        fill: isOwn ? "var(--past)" : inkOf(b),
        "fill-opacity": (isOwn ? 0.95 : known(s, b) * (shade(b) + 0.12)).toFixed(2),
      });
      const middle = (left + right) / 2;
      const bend = Math.min(5, w / 2);
      const isDrawn = w > 4 && deep > 1 && (known(s, b) > 0.5 || isOwn);
      put(curl, {
        d: isDrawn
          ? `M${left + 1.5},${low}Q${left + 1.5},${low + deep / 2} ${left + bend},${low + deep / 2}H${right - bend}Q${right - 1.5},${low + deep / 2} ${right - 1.5},${low}M${middle},${low + deep / 2}V${low + deep}`
          : "",
        stroke: isOwn ? "var(--past)" : "var(--soft)",
        "stroke-width": isOwn ? 2.5 : 1,
      });
    });
    const x = stripX(room, s.back + 0.5, words);
    put(here, { x1: x, x2: x, y1: y - 3, y2: y + high + 3 });
    const right = stripX(room, 0, words);
    put(span, {
      d: `M${stripX(room, Math.min(s.query + 1, words), words)},${y - 4}v-4H${right}v4`,
    });
    put(spanName, { x: right, y: y - 13 });
    const text =
      isWaiting && chosen > KNOWN
        ? ""
        : say(isPhone ? "brace_short" : "brace", { b: `b${subscript(chosen)}` });
    const room_for = isPhone ? 96 : 150;
    put(own, { x: clamp(x, room_for, room.width - room_for), y: y - (isPhone ? 6 : 12), text });
    const steps =
      words < 400
        ? [0, 16, 32, 64, 96, 128]
        : words < 2000
          ? [0, 128, 500, 1000, 1500]
          : [0, 1000, 2500, 5000, 7500];
    const isRoom = !isPhone || (height > 320 && s.far < 0.5);
    let used = Infinity;
    marks.forEach((mark, n) => {
      const at = stripX(room, (steps[n] ?? 0) + 0.5, words);
      const isThere =
        isRoom &&
        n < steps.length &&
        steps[n] < words &&
        at < used - (isPhone ? 44 : 62) &&
        at > 20 &&
        !(isWaiting && steps[n] > 32);
      show(mark, isThere ? there * (1 - s.chart) : 0);
      if (!isThere) return;
      used = at;
      put(mark, {
        x: Math.min(at, room.width - (isPhone ? 18 : 24)).toFixed(1),
        y: low + deep + (isPhone ? 13 : 17),
        text: steps[n] ? say("back_at", { words: number(steps[n]) }) : say("query"),
        class: steps[n] ? "t12 soft" : "t12 q",
      });
    });
    const aside = room.width - (isPhone ? 138 : 300);
    put(share, {
      x: aside,
      y: room.track + (isPhone ? 8 : 11),
      text: say("percent", { value: percent(lastShare(s), number) }),
    });
    put(under, {
      x: aside + (isPhone ? 70 : 98),
      y: room.track + 5,
      text: say(isPhone ? "in_last_short" : "in_last"),
    });
    put(share, { style: lastShare(s) > 0.95 ? "fill:var(--new)" : undefined });
  };
}

/** @param {number} share @param {(value: number, digits?: number) => string} number */
export const percent = (share, number) => number(100 * share);
