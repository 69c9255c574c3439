// What a token costs, thousand by thousand, above the ribbon: what was measured, and what the reader drew.

import data from "./data.js";
import { clamp, mix, xy } from "../../page/shapes.js";
import {
  BLOCK,
  BLOCKS,
  INSIDE,
  LENGTH,
  LINES,
  NARROW,
  NEAREST,
  TRAINED,
  across,
  axis,
  blockOf,
  drawn,
  high,
  tokensAt,
} from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const STEPS = [0.1, 0.2, 0.5, 1, 2, 4]; // of the axis
const APART = 17; // pixels between labels
const HALO = 20; // pixels that a label needs above its curve
const LETTER = 7; // pixels
/** @type {Partial<Record<import("./room.js").Way, string>>} */
const DASHES = { window: "2 4", linear: "9 4", ntk: "5 3" };

/** The curves whose bits are said at the reader, by step. @type {Record<string, import("./room.js").Way[]>} */
const COMPARED = { breaks: ["none"], rival: ["none", "window"] };

/** A line of thousands, each as wide as it is. @param {[number, number][]} points Left ends, and the last right end. @param {number} last */
const stairs = (points, last) =>
  `M${points.map(([x, y], i) => `${xy([x, y])}H${(points[i + 1]?.[0] ?? last).toFixed(1)}`).join("L")}`;

/** @param {number[]} own */
const isFlat = (own) => own.every((bits) => bits === own[0]);

/** @param {Stage} stage */
export function buildCurves({
  svg,
  make,
  put,
  show,
  group,
  slider,
  value,
  say,
  number,
  state,
  set,
  isGuessing,
  step,
}) {
  const clip = make("clipPath", { id: "measured-plot" }, make("defs", {}, svg));
  const inside = make("rect", {}, clip);
  const clipped = { "clip-path": "url(#measured-plot)" };
  const panel = group("axis");
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, panel);
  const zero = make(
    "path",
    { stroke: "var(--ink)", fill: "none", "stroke-width": 1.5 },
    group("zero"),
  );
  const sides = ["dearer_than", "gains"].map((name) =>
    make("text", { class: "t14 soft halo" }, group("zero"), say(name)),
  );
  const odds = Array.from({ length: NEAREST / 2 - 1 }, (_, i) =>
    make("text", { class: "t14 soft" }, panel, say("odds", { odds: number(4 ** (i + 1)) })),
  );
  const up = Array.from({ length: 18 }, () =>
    make("text", { class: "t14 soft", "text-anchor": "end" }, panel),
  );
  const title = make("text", { class: "t14 soft" }, panel);
  const source = make("text", { class: "t14 soft", "text-anchor": "end" }, panel);

  const bands = group("band");
  const band = make("path", { fill: "var(--ink)", opacity: 0.1, ...clipped }, bands);

  // Where the reader draws.
  const paper = group("draw");
  /** @type {Room} */
  let room;
  let stroke = -1;
  const hand = slider(paper, {
    label: say("draw_label"),
    keys: (by) => draw((own) => own.map((bits, i) => bits + (by * (i + 1)) / (2 * own.length))),
    start: () => {
      stroke = -1;
    },
    move: ([px, py]) => {
      const [low, top] = axis(state);
      const bits = low + ((room.bottom - py) / (room.bottom - room.top)) * (top - low);
      const at = clamp(blockOf(tokensAt(room, state, px)) - INSIDE, 0, INSIDE - 1);
      const from = stroke < 0 ? at : stroke;
      draw((own) => {
        const [a, b] = [Math.min(from, at), Math.max(from, at)];
        // Those in between as well: a quick hand leaves some out.
        return own.map((old, i) => (i === at || (i > a && i < b) ? bits : old));
      });
      stroke = at;
    },
  });
  const plane = make(
    "rect",
    { rx: 8, fill: "var(--wash)", opacity: 0.6, style: "cursor: crosshair" },
    hand,
  );
  const ring = make("rect", { rx: 8, class: "ring" }, hand);
  const hint = make(
    "text",
    { class: "soft halo", "text-anchor": "middle", style: "pointer-events: none" },
    paper,
  );
  const own = make(
    "path",
    { fill: "none", stroke: "var(--near)", "stroke-width": 3, style: "pointer-events: none" },
    paper,
  );

  /** @param {(own: number[]) => number[]} changed */
  function draw(changed) {
    if (!isGuessing()) return;
    const [low, top] = axis(state);
    set({ own: changed(state.own).map((bits) => clamp(bits, low, top)) });
  }

  const curves = LINES.map((name) => {
    const node = group(`curve line_${name}`);
    const path = make(
      "path",
      {
        fill: "none",
        stroke: name === "window" ? "var(--soft)" : "var(--ink)",
        "stroke-width": name === "none" ? 3.5 : 2.5,
        "stroke-dasharray": DASHES[name],
        ...clipped,
      },
      node,
    );
    const dot = make(
      "circle",
      { r: 5, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 2.5 },
      node,
    );
    const label = make("text", { class: "t14 halo" }, node);
    return { name, node, path, dot, label };
  });

  const ownName = make("text", { class: "t14 near halo", "text-anchor": "end" }, group("draw"));
  const readings = [0, 1].map(() => make("text", { class: "halo" }, group("reader")));

  return (/** @type {State} */ s, /** @type {Room} */ now) => {
    room = now;
    const { isPhone, x, w, top, bottom } = room;
    const presence = 1 - Math.max(s.keys, s.each);
    const far = presence * (1 - s.near);
    put(inside, { x: x - 2, y: top - 6, width: w + 4, height: bottom - top + 8 });
    show(panel, presence);
    drawAxis(s, presence);
    const [low, most] = axis(s);
    const steps = (/** @type {import("./room.js").Way} */ name, /** @type {number} */ count) =>
      Array.from(
        { length: count },
        (_, i) =>
          /** @type {[number, number]} */ ([
            across(room, s, i * BLOCK),
            high(room, s, drawn(name, s, i)),
          ]),
      );

    const its = s.band * far * s.lines[LINES.indexOf("none")];
    show(bands, its);
    if (its > 0.02) {
      const count = Math.ceil(s.until / BLOCK);
      const side = (/** @type {typeof Math.min} */ ofTexts) =>
        Array.from(
          { length: count },
          (_, i) =>
            /** @type {[number, number]} */ ([
              across(room, s, i * BLOCK),
              high(room, s, ofTexts(...data.each.none.map((text) => text[i]))),
            ]),
        );
      const last = across(room, s, count * BLOCK);
      const back = side(Math.min)
        .map(([px, py], i, all) => `L${xy([all[i + 1]?.[0] ?? last, py])}H${px.toFixed(1)}`)
        .reverse()
        .join("");
      put(band, { d: `${stairs(side(Math.max), last)}${back}Z` });
    }

    show(paper, s.drawn * far);
    const from = across(room, s, TRAINED);
    const to = across(room, s, LENGTH);
    const area = { x: from, y: top, width: to - from, height: bottom - top };
    put(plane, { ...area, opacity: isGuessing() ? 0.6 : 0 });
    put(ring, area);
    put(hand, {
      style: isGuessing() ? undefined : "pointer-events: none",
      tabindex: isGuessing() ? 0 : -1,
    });
    value(hand, s.own[s.own.length - 1], low, most, say("drawn_is"));
    put(hint, {
      x: (from + to) / 2,
      y: top + (isPhone ? 24 : 44),
      text: isGuessing() && isFlat(s.own) ? say("draw_here") : "",
    });
    const points = s.own.map((/** @type {number} */ bits, /** @type {number} */ i) => [
      across(room, s, TRAINED + i * BLOCK),
      high(room, s, bits),
    ]);
    put(own, { d: stairs(points, to) });
    const isLower = s.own[s.own.length - 1] < drawn("none", s, BLOCKS - 1);
    const ownEnd = points[points.length - 1][1];
    const isAbove = (isGuessing() || isLower) && ownEnd > 44; // else the source stands there
    put(ownName, { x: to - 4, y: ownEnd + (isAbove ? -9 : 19), text: say("yours") });
    show(ownName, s.drawn * far);

    drawCurves(s, far, steps);
  };

  /** @param {State} s @param {number} presence */
  function drawAxis(s, presence) {
    const { isPhone, x, w, top, bottom } = room;
    const [low, most] = axis(s);
    const lines = (bottom - top) / (isPhone ? 34 : 52);
    const every = STEPS.find((one) => (most - low) / one <= lines) ?? 4;
    const first = Math.ceil(low / every - 1e-9);
    const marks = up
      .map((_, i) => (first + i) * every)
      .map((bits) => (bits <= most + 1e-9 ? bits : NaN));
    const right = x + mix(w, room.wide, s.near);
    put(grid, {
      d:
        marks
          .filter((bits) => bits === bits)
          .map((bits) => `M${x},${high(room, s, bits).toFixed(1)}H${right}`)
          .join("") || "M0,0",
    });
    /** The words of a text have the room of the heading: the highest number says what is counted. @param {string} text @param {number} above */
    const named = (text, above) =>
      s.near > 0.5 && !(above === above) ? say("bits_word", { word_bits: text }) : text;
    up.forEach((node, i) => {
      const bits = marks[i];
      const isThere = bits === bits;
      const sign = isThere && s.less > 0.5 && bits > 1e-9 ? "+" : "";
      put(node, {
        x: x - 8,
        y: isThere ? high(room, s, bits) + 5 : 0,
        text: isThere ? named(sign + number(bits, every < 1 ? 1 : 0), marks[i + 1]) : "",
      });
    });
    show(/** @type {Element} */ (zero.parentNode), presence * s.less);
    put(zero, { d: `M${x},${high(room, s, 0).toFixed(1)}H${right}` });
    sides.forEach((node, i) => {
      put(node, { x: x + 8, y: high(room, s, i ? 0 : 0.4) + (i ? 22 : -10) });
      show(/** @type {Element} */ (node.parentNode), isPhone ? 0 : presence * s.less);
    });
    odds.forEach((node, i) => {
      put(node, { x: right + 10, y: high(room, s, 2 * (i + 1)) + 5 });
      show(node, room.width < NARROW ? 0 : clamp(2 * s.near - 1, 0, 1));
    });
    const name = s.less > 0.5 ? "bits_less" : "bits";
    const heading = s.near > 0.5 ? "" : say(isPhone ? `${name}_short` : name);
    put(title, { x: isPhone ? 8 : x - 36, y: isPhone ? 15 : top - 30, text: heading });
    put(source, {
      x: isPhone ? x + w : right,
      y: isPhone ? 15 : top - 30,
      text: s.near > 0.5 ? "" : say(isPhone ? "source_short" : "source"),
    });
  }

  /** @param {State} s @param {number} far @param {(name: import("./room.js").Way, count: number) => [number, number][]} steps */
  function drawCurves(s, far, steps) {
    const { isPhone, x, w, top, bottom } = room;
    /** @type {{ says: string, bits: number }[]} */
    const read = [];
    /** @type {{ label: SVGElement, level: number, high: number, low: number, y: number, says: string, x: number, isEarly: boolean }[]} */
    const labels = [];
    for (const [k, { name, node, path, dot, label }] of curves.entries()) {
      const its = s.lines[k] * far;
      show(node, its);
      if (its < 0.02) continue;
      const until = name === "none" ? s.until : name === "window" ? s.slid : LENGTH;
      const count = clamp(Math.ceil(until / BLOCK), 1, BLOCKS);
      const last = across(room, s, until);
      const points = steps(name, count);
      put(path, { d: stairs(points, last) });
      const at = blockOf(s.reader);
      const isRead = s.reads > 0.5 && at < count && COMPARED[step()]?.includes(name);
      put(dot, {
        cx: across(room, s, s.reader),
        cy: isRead ? points[at][1] : 0,
        display: isRead ? undefined : "none",
      });
      const says = say(`line_${name}`);
      if (isRead) read.push({ says, bits: drawn(name, s, at) });
      const level = points[count - 1][1];
      const isEarly = last < x + w - 40;
      const under = Math.ceil((says.length * LETTER * BLOCKS) / w); // thousands that the name covers
      const levels = points.slice(-under - 1).map(([, y]) => clamp(y, top + 18, bottom));
      labels.push({
        label,
        level,
        high: Math.min(...levels),
        low: Math.max(...levels),
        y: clamp(level, top + (isPhone ? 20 : 4), bottom) + (isEarly ? 20 : isPhone ? -6 : 5),
        says: level < top - 8 ? `↑ ${says}` : says,
        x: last,
        isEarly,
      });
    }
    if (step() === "breaks" && s.reads > 0.5 && s.reader > TRAINED) {
      read.push({ says: say("yours"), bits: s.own[blockOf(s.reader) - INSIDE] });
    }
    // Where no curve comes, the dearer first.
    read.sort((a, b) => b.bits - a.bits);
    readings.forEach((node, i) => {
      const text = read[i] && !isGuessing() ? `${read[i].says} ${number(read[i].bits, 1)}` : "";
      put(node, { x: x + 10, y: top + 18 + APART * i, text });
    });
    // At the end of each curve, and never upon one another; on a phone beside the curves, not on them.
    labels.sort((a, b) => a.level - b.level);
    labels.forEach((one, i) => {
      const above = labels[i - 1];
      if (above && one.y < above.y + APART) one.y = above.y + APART;
      if (!isPhone || one.isEarly) return;
      // Above its curve as far as the name reaches; where another curve is there, below it.
      const isFree = !above || one.high - HALO > above.low;
      one.y =
        isFree && (!above || one.high - 6 > above.y + APART)
          ? one.high - 6
          : Math.max(one.low + 15, above.y + APART);
    });
    for (let i = labels.length - 1; i >= 0; i--)
      labels[i].y = Math.min(
        labels[i].y,
        i === labels.length - 1 ? bottom + 3 : labels[i + 1].y - APART,
      );
    for (const { label, y, says, x: last, isEarly } of labels) {
      const isInside = isPhone && !isEarly;
      put(label, {
        x: isInside ? Math.min(last, x + w) - 3 : last + 8,
        y,
        "text-anchor": isInside ? "end" : "start",
        text: says,
      });
    }
  }
}
