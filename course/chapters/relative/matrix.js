// The sentence, the ruler under it, and the rows that the ruler has printed.

import { clipped } from "../../page/formulas/distances.js";
import { clamp, mix } from "../../page/shapes.js";
import { LEAST_ROW, PAGE, WORDS, hue, placeX, tint } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const MIDDLE = { "text-anchor": "middle", "dominant-baseline": "central" };

/** @param {Stage} stage @param {string[]} sentence @param {string[]} names Words of the small model. */
export function buildSentence({ make, put, show, group, step }, sentence, names) {
  const words = sentence.map((word, j) => {
    const whole = group("words q k");
    return { word, j, whole, text: make("text", MIDDLE, whole, word) };
  });

  return (/** @type {State} */ s, /** @type {Room} */ room, /** @type {number[]} */ nouns) => {
    const { isPhone, isTight, words: y } = room;
    const query = Math.round(s.i);
    words.forEach(({ whole, text, j }) => {
      const isQuery = j === query;
      const isNoun = step() === "anywhere" && nouns.includes(query) && j === query - 1;
      const isKey = isNoun || (s.table > 0.5 && s.waves < 0.5 && j === Math.round(s.key));
      const x = placeX(room, j);
      put(text, {
        transform: `translate(${x.toFixed(1)} ${y + (isTight ? 8 : 0)}) rotate(${isTight ? -90 : 0})`,
        "text-anchor": isTight ? "start" : "middle",
        class: `${isQuery ? "q" : isKey ? "k" : ""} ${isPhone ? "t14" : s.table > 0.5 ? "t12" : ""}`,
        style: isQuery || isKey ? "font-weight:700" : undefined,
        text: s.number > 0.5 ? names[j] : sentence[j],
      });
      show(whole, (1 - s.page) * (j > query ? 1 - 0.65 * s.mask : 1));
    });
  };
}

/** @param {Stage} stage */
export function buildRuler({ make, put, show, group, say, number, svg }) {
  const ruler = group("ruler");
  const clip = make("clipPath", { id: "relative-ruler" }, make("defs", {}, svg));
  const inside = make("rect", { x: 0, y: 0 }, clip);
  const body = make("g", { "clip-path": "url(#relative-ruler)" }, ruler);
  const ground = make("rect", { fill: "var(--wash)" }, body);
  const slid = make("g", {}, body); // moved as one, in every frame of a drag
  const beyond = [-1, 1].map((side) => make("rect", { fill: hue(side) }, slid));
  const cells = Array.from({ length: 2 * WORDS - 1 }, (_, n) => ({
    distance: n - WORDS + 1,
    box: make("rect", {}, slid),
    text: make("text", { ...MIDDLE, class: "t14" }, slid),
  }));
  const edges = make("path", { stroke: "var(--soft)", fill: "none" }, body);
  const far = make("text", { ...MIDDLE }, slid); // what the key reads beyond the end
  const ends = ["or_more", "or_more_ahead"].map((name, side) => ({
    name,
    sign: side ? 1 : -1,
    text: make(
      "text",
      { class: "t14", "text-anchor": side ? "start" : "end", "dominant-baseline": "central" },
      slid,
    ),
  }));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { ruler: middle, band, cell, width, isPhone } = room;
    const y = middle - band / 2;
    const right = placeX(room, WORDS - 0.5);
    const masked = mix(right, placeX(room, s.i + 0.5), s.mask);
    put(inside, { x: room.left, width: Math.max(0, masked - room.left), height: room.height });
    put(ground, { x: -20, y, width: width + 40, height: band });
    const zero = placeX(room, s.i);
    put(slid, { transform: `translate(${zero.toFixed(1)} 0)` });
    const reach = (s.k + 0.5) * cell;
    [-reach, reach].forEach((from, side) => {
      put(beyond[side], { x: from < 0 ? -width : 0, y, width, height: band, opacity: tint(s.k) });
      put(beyond[side], { transform: `translate(${from.toFixed(1)} 0)` });
    });
    const k = Math.round(s.k);
    cells.forEach(({ distance, box, text }) => {
      const off = cell * distance;
      const x = zero + off;
      const isThere = Math.abs(distance) <= k && x > room.left - cell && x < right + cell;
      const isWhole = x > room.left + cell * 0.4 && x < masked - cell * 0.4;
      show(box, isThere ? 1 : 0);
      show(text, isThere && isWhole ? 1 : 0);
      if (!isThere) return;
      put(box, {
        x: (off - cell / 2 + 0.5).toFixed(1),
        y,
        width: Math.max(0, cell - 1).toFixed(1),
        height: band,
        fill: hue(distance),
        "fill-opacity": tint(distance),
      });
      put(text, { x: off.toFixed(1), y: middle + 1, text: number(distance) });
      put(text, { class: isPhone ? "t12" : "t14" });
    });
    put(edges, { d: `M-20,${y}H${width + 20}M-20,${y + band}H${width + 20}` });
    const away = Math.round(s.key) - Math.round(s.i);
    put(far, { x: (away * cell).toFixed(1), y: middle + 1, class: isPhone ? "t12" : "t14" });
    put(far, { text: number(Math.sign(away) * k) });
    show(far, s.table > 0.5 && Math.abs(away) > k ? 1 : 0);
    for (const { name, sign, text } of ends) {
      const end = sign < 0 ? zero - room.left : masked - zero;
      const gap = isPhone ? 10 : 18;
      const isLong = !isPhone && end > reach + gap + 110;
      const wide = isLong ? 110 : isPhone ? 52 : 64;
      const near = (sign * (s.key - s.i) - 0.5) * cell; // the key's cell, beyond which it gives way
      const isFramed = s.table > 0.5 && near + cell > reach && near < reach + gap + wide;
      const from = isFramed ? near + cell + gap / 2 : reach + gap;
      put(text, { x: sign * from, y: middle + 1, class: isPhone ? "t12" : "t14" });
      put(text, { text: say(isLong ? name : "or_more_short") });
      show(text, end > from + wide && k < WORDS - 1 ? 1 : 0);
    }
    show(ruler, 1 - s.page);
  };
}

/** @param {Stage} stage @param {string[]} sentence */
export function buildMatrix(
  { make, put, show, group, say, number, step, seen, isGuessing },
  sentence,
) {
  const matrix = group("row diagonal matrix");
  const sheet = make("path", { fill: "none", stroke: "var(--line)" }, matrix); // what is not printed yet
  const rows = sentence.map((word, i) => {
    const whole = make("g", {}, matrix); // slides out of the ruler when it is printed
    return {
      i,
      whole,
      name: make(
        "text",
        { class: "t14 soft", "text-anchor": "end", "dominant-baseline": "central" },
        matrix,
        word,
      ),
      cells: sentence.map((_, j) => ({
        box: make("rect", { rx: 2 }, whole),
        text: make("text", { ...MIDDLE, class: "t14" }, whole),
        j,
      })),
    };
  });
  const current = make(
    "rect",
    { fill: "none", stroke: "var(--q)", "stroke-width": 2 },
    group("row q"),
  );
  const diagonal = make(
    "path",
    { fill: "none", stroke: "var(--ink)", "stroke-width": 2 },
    group("diagonal"),
  );
  const found = make(
    "path",
    { fill: "none", stroke: "var(--k)", "stroke-width": 3 },
    group("k diagonal"),
  );
  const count = group("count");
  const big = make("text", { class: "big", "text-anchor": "end" }, count);
  const under = make("text", { class: "soft" }, count);
  let drawn = ""; // what the cells follow, when they were last drawn: they are many

  return (/** @type {State} */ s, /** @type {Room} */ room, /** @type {number[]} */ nouns) => {
    const { left, cell, top, row, isPhone } = room;
    const query = Math.round(s.i);
    const k = Math.round(s.k);
    const isSlide = step() === "slide";
    if (isSlide && !isGuessing() && Math.abs(s.i - query) < 0.02) seen.add(query);
    const there = (1 - s.page) * clamp(1 - 2 * s.table, 0, 1);
    show(matrix, there);
    if (there < 0.02) {
      for (const node of [current, diagonal, found, count]) show(node, 0);
      return;
    }
    const isAnywhere = step() === "anywhere";
    const chosen = isAnywhere ? -1 : null; // the distance whose cells are lit
    /** Top of a row: of each word, or of the nouns alone. @param {number} i */
    const rowY = (i) => top + row * (s.four > 0.5 ? nouns.indexOf(i) : i);
    const isDrawn = (/** @type {number} */ i) =>
      s.four > 0.5 ? nouns.includes(i) && seen.has(i) : !isSlide || seen.has(i);
    const now = [
      left,
      cell,
      top,
      row,
      k,
      chosen,
      query,
      s.mask,
      seen.size,
      room.ruler,
      s.four > 0.5,
    ].join();
    if (now !== drawn) drawRows();
    drawn = now;

    function drawRows() {
      const blank = rows.filter(({ i }) => !isDrawn(i) && rowY(i) >= top);
      put(sheet, {
        d: blank.map(({ i }) => `M${left},${rowY(i)}h${cell * WORDS}v${row - 2}H${left}Z`).join(""),
      });
      rows.forEach(({ i, whole, name, cells }) => {
        const isPrinted = isDrawn(i);
        const y = isPrinted ? rowY(i) : room.ruler - row / 2;
        put(whole, {
          style: `transform: translateY(${y.toFixed(1)}px); opacity: ${isPrinted ? 1 : 0}; transition: transform ${isPrinted ? 0.38 : 0}s cubic-bezier(.4,0,.7,1), opacity .1s`,
        });
        put(name, {
          x: left - 14,
          y: rowY(i) + row / 2,
          class: i === query ? "t14 q" : "t14 soft",
          opacity: isPhone || rowY(i) < top ? 0 : 1,
        });
        cells.forEach(({ box, text, j }) => {
          const distance = clipped(i, j, k);
          const isOff = chosen !== null && distance !== chosen && i !== query;
          const presence = (isOff ? 0.35 : 1) * (j > i ? 1 - s.mask : 1);
          put(box, {
            x: (left + cell * j + 0.5).toFixed(1),
            y: 0.5,
            width: Math.max(0, cell - 1).toFixed(1),
            height: Math.max(0, row - 1).toFixed(1),
            fill: hue(distance),
            // Not opacity, which draws each of the many cells in a layer of its own.
            "fill-opacity": (tint(distance) * presence).toFixed(3),
          });
          put(text, {
            class: isPhone ? "t12" : "t14",
            x: (left + cell * (j + 0.5)).toFixed(1),
            y: (row / 2 + 1).toFixed(1),
            text: presence > 0.02 && row > LEAST_ROW ? number(distance) : "",
            "fill-opacity": presence.toFixed(2),
            style: distance === chosen ? "font-weight:700" : undefined,
          });
        });
      });
    }

    put(current, { x: left, width: cell * WORDS, height: row });
    put(current, {
      transform: `translate(0 ${(s.four > 0.5 ? rowY(query) : top + row * s.i).toFixed(1)})`,
    });
    show(current, isDrawn(query) ? there : 0);
    const cellAt = (/** @type {number} */ i, /** @type {number} */ j) =>
      `M${left + cell * j},${rowY(i)}h${cell}v${row}h${-cell}Z`;
    const cellsOf = (/** @type {number[]} */ queries) =>
      queries
        .filter((i) => i && isDrawn(i))
        .map((i) => cellAt(i, i - 1))
        .join("");
    put(diagonal, { d: cellsOf(rows.map(({ i }) => i)) });
    show(diagonal, isSlide && seen.size === WORDS ? there : 0);
    put(found, { d: cellsOf(nouns) });
    show(found, isAnywhere ? there : 0);
    const foot = room.height - (isPhone ? 10 : 22);
    put(big, { x: left + (isPhone ? 60 : 62), y: foot, text: number(2 * k + 1) });
    put(under, { x: left + (isPhone ? 70 : 74), y: foot, text: say("labels") });
    show(count, s.count);
  };
}

/** The words of the page that are those of the sentence. */
export const SENTENCE_FROM = PAGE - WORDS;
