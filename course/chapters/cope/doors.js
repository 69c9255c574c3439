// CoPE: a door under every token, the product that opens it, what attention the token gets, and the doors of earlier queries.

import { buildAsked } from "../../page/asked.js";
import { dot, gatesIn, positions } from "../../page/formulas/gates.js";
import { clamp, xy } from "../../page/shapes.js";
import { sentence } from "./stairs.js";
import {
  ASKED,
  COUNT,
  FIRST_STOP,
  KEYS,
  ROWS,
  SECOND_STOP,
  centre,
  placesOf,
  replaced,
  sharesOf,
  short,
} from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const STEP = 20; // stops of a door: twentieths

/** @param {Stage} stage @param {Element} parent @param {() => Room} room */
export function buildDoors(stage, parent, room) {
  const { make, put, show, group, slider, value, say, number, state, set, move } = stage;
  const texts = sentence(stage);
  const open = (/** @type {number} */ token, /** @type {number} */ to) =>
    replaced(state.gates, token, Math.round(clamp(to, 0, 1) * STEP) / STEP);
  const holder = group("doors", parent);
  const doors = texts.map((text, j) => {
    let isTap = true;
    const door = slider(make("g", {}, holder), {
      label: say("door_label", { word: text }),
      keys: (by) => set({ gates: open(j, state.gates[j] + by / 10) }),
      start: ([, y]) => {
        isTap = true;
        return { y, was: state.gates[j] };
      },
      move: ([, y], { y: from, was }) => {
        if (Math.abs(y - from) > 4) isTap = false;
        if (!isTap) set({ gates: open(j, was + (from - y) / room().unit) });
      },
      end: () => {
        if (isTap) move({ gates: open(j, state.gates[j] < 0.5 ? 1 : 0) }, 300);
      },
    });
    return {
      door,
      opening: make("rect", { fill: "var(--content)", opacity: 0.35 }, door),
      leaf: make("rect", { fill: "var(--soft)", opacity: 0.75 }, door),
      frame: make("rect", { fill: "none", stroke: "var(--soft)", rx: 2 }, door),
      edge: make(
        "line",
        { stroke: "var(--ink)", "stroke-width": 4, "stroke-linecap": "round" },
        door,
      ),
      gate: make("text", { class: "t12 soft", "text-anchor": "middle" }, door),
      hit: make("rect", { fill: "transparent" }, door),
      ring: make("rect", { class: "ring", rx: 5 }, door),
    };
  });
  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const { ground, unit, isPhone } = at;
    const places = placesOf(s);
    const [y, h] = [ground + 4, Math.max(0, unit - 2)];
    const isFree = s.free > 0.5 && !stage.isGuessing();
    const digits = s.keys > 0.5 ? 3 : 2; // so that doors that are nearly shut add up to the floor
    doors.forEach(({ door, opening, leaf, frame, edge, gate, hit, ring }, j) => {
      const w = Math.min(at.widths[j] - 6, Math.max(26, h * 0.75), 46);
      const x = centre(at, j) - w / 2;
      const g = s.gates[j];
      const sill = y + (1 - g) * h;
      put(frame, { x, y, width: w, height: h });
      put(leaf, { x, y, width: w, height: Math.max(0, sill - y) });
      put(opening, { x: x + 1, y: sill, width: Math.max(0, w - 2), height: g * h });
      put(edge, { x1: x + 3, x2: x + w - 3, y1: sill, y2: sill });
      put(gate, {
        x: centre(at, j),
        y: y + h + (isPhone ? 13 : 17),
        text: short(number, g, isPhone ? 1 : digits),
      });
      put(hit, { x: at.starts[j], y: y - 8, width: at.widths[j], height: h + 30 });
      put(ring, { x: x - 4, y: y - 4, width: w + 8, height: h + 8 });
      put(door, { tabindex: isFree ? 0 : -1, style: isFree ? undefined : "pointer-events: none" });
      value(
        door,
        g,
        0,
        1,
        say("door_at", { gate: short(number, g, 2), place: short(number, places[j], 2) }),
      );
      show(door, 0.2 + 0.8 * clamp(s.query - j + 1, 0, 1));
    });
    show(holder, s.doors);
  };
}

/** Under each door the product of the query and the token's key. @param {Stage} stage @param {Element} parent */
export function buildProducts({ make, put, show, group, number }, parent) {
  const sums = group("product", parent);
  const products = KEYS.map(() => make("text", { class: "t14", "text-anchor": "middle" }, sums));
  const names = ["σ(q·k)", "q·k"].map((name) => make("text", {}, sums, name));
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const y = room.ground + room.unit + room.foot + room.keys - 6;
    KEYS.forEach((key, j) => {
      put(products[j], { x: centre(room, j), y, text: short(number, dot(s.q, key)) });
    });
    names.forEach((name, k) =>
      put(name, {
        x: room.width - (room.isPhone ? 2 : 4),
        y: k ? y : room.ground + room.unit + 19,
        class: k && !room.isPhone ? "t14" : "t12",
        "text-anchor": "end",
      }),
    );
    show(names[0], room.isPhone ? 0 : 1);
    show(sums, s.keys);
  };
}

/** An arrow of two numbers about a point. @param {number} x @param {number} y @param {number[]} numbers @param {number} scale @param {number} head */
export function vector(x, y, [right, up], scale, head) {
  const [dx, dy] = [right * scale, -up * scale];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [tx, ty] = [x + dx / 2, y + dy / 2];
  const [bx, by] = [tx - ux * head, ty - uy * head];
  const side = head * 0.5;
  return `M${xy([x - dx / 2, y - dy / 2])}L${xy([bx, by])}M${xy([tx, ty])}L${xy([bx - uy * side, by + ux * side])}L${xy([bx + uy * side, by - ux * side])}Z`;
}

/** What share of the attention each token gets. @param {Stage} stage @param {Element} parent */
export function buildShares(stage, parent) {
  const { make, put, show, group, say, number, isGuessing } = stage;
  const shares = group("shares", parent);
  const base = make("line", { stroke: "var(--line)" }, shares);
  const title = make("text", { class: "t12 soft" }, shares);
  const bars = KEYS.map(() => ({
    bar: make("rect", { fill: "var(--attention)" }, shares),
    plain: make(
      "line",
      { stroke: "var(--ink)", "stroke-width": 2, "stroke-dasharray": "2 3" },
      shares,
    ),
    text: make("text", { class: "t14", "text-anchor": "middle" }, shares),
  }));
  const asked = buildAsked(stage, shares);
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone, left, edge } = room;
    const foot =
      room.ground + room.unit + room.foot + room.keys + room.shares - (isPhone ? 18 : 24);
    const high = room.shares * (isPhone ? 0.42 : 0.62);
    const plain = sharesOf(s, false);
    const now = sharesOf(s, true);
    put(base, { x1: left, x2: edge, y1: foot, y2: foot });
    put(title, { x: left, y: foot - high - 4, text: say("attention") });
    show(title, isPhone ? 0 : 1);
    const isHidden = isGuessing();
    bars.forEach(({ bar, plain: line, text }, j) => {
      const width = Math.min(room.widths[j] - 4, 40);
      const x = centre(room, j);
      const share = isHidden ? 0 : now[j] * s.answered;
      put(bar, { x: x - width / 2, width, y: foot - share * high, height: share * high });
      put(line, {
        x1: x - width / 2 - 4,
        x2: x + width / 2 + 4,
        y1: foot - plain[j] * high,
        y2: foot - plain[j] * high,
      });
      const isStop = j === FIRST_STOP || j === SECOND_STOP;
      show(line, isStop && Math.abs(plain[j] - now[j]) > 0.01 ? s.answered : 0);
      put(text, { x, y: foot + (isPhone ? 14 : 18), text: `${number(100 * now[j])}\u00a0%` });
      show(text, isStop || now[j] > 0.045 ? s.answered : 0);
    });
    asked(
      [FIRST_STOP, SECOND_STOP].map((stop) => [centre(room, stop), foot - 16]),
      s.shares,
    );
    show(shares, s.shares);
  };
}

/** The doors of every query that has asked, their sum, and what the query counts.
 * @param {Stage} stage @param {Element} parent
 */
export function buildPile(stage, parent) {
  const { make, put, show, group, seen, say, number } = stage;
  const counts = sentence(stage).map((word, i) => say(`counts_${ASKED[i]}`, { word }));
  const pile = group("pile", parent);
  const sums = group("sum", parent);
  const rows = counts.map((text, i) => {
    const row = make("g", {}, pile);
    const [position] = positions(ROWS[i], i);
    return {
      row,
      sum: make(
        "text",
        { class: "t12", "text-anchor": "end", fill: "var(--content)" },
        sums,
        short(number, position),
      ),
      frame: make("path", { fill: "none", stroke: "var(--soft)", "stroke-width": 1 }, row),
      open: make("path", { fill: "var(--content)", opacity: 0.5 }, row),
      name: make("text", { class: "t12 q" }, row, text),
    };
  });
  const sumName = make("text", { class: "t12 soft", "text-anchor": "end" }, sums, say("sum"));
  const asks = make("text", { class: "t12 q", "text-anchor": "end" }, pile);
  const count = make("text", { class: "t14", "text-anchor": "end" }, pile);
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone, row: h } = room;
    const top = room.ground + room.unit + room.foot + (isPhone ? 2 : 6);
    rows.forEach(({ row, sum, frame, open, name }, i) => {
      const y = top + i * h;
      const width = (/** @type {number} */ j) => Math.min(room.widths[j] - 4, 40);
      const cells = ROWS[i]
        .slice(0, i + 1)
        .map((gate, j) => ({ gate, w: width(j), x: centre(room, j) - width(j) / 2 }));
      const full = h - (isPhone ? 2 : 4);
      put(frame, {
        d: cells
          .map(({ x, w }) => `M${xy([x, y])}h${w.toFixed(1)}v${full}h${(-w).toFixed(1)}z`)
          .join(""),
      });
      put(open, {
        d: cells
          .map(
            ({ x, w, gate }) =>
              `M${xy([x, y + full])}h${w.toFixed(1)}v${(-gate * full).toFixed(1)}h${(-w).toFixed(1)}z`,
          )
          .join(""),
      });
      put(frame, { "stroke-width": Math.round(s.query) === i ? 2 : 1 });
      put(name, { x: room.starts[i] + room.widths[i] + 2, y: y + full - 2 });
      const { x, w } = cells[isPhone ? i : 0];
      const anchor = isPhone ? "start" : "end";
      put(sum, { x: isPhone ? x + w + 4 : x - 8, y: y + full - 1, "text-anchor": anchor });
      // A row that nobody has asked for yet is an outline.
      const isAsked = seen.has(i);
      show(name, !isPhone && isAsked ? 1 : 0);
      for (const node of [sum, open]) show(node, isAsked ? 1 : 0);
      show(row, isAsked ? 1 : 0.4);
    });
    put(sumName, { x: room.starts[0] + room.widths[0] / 2 - 28, y: top - 8 });
    show(sumName, isPhone ? 0 : 1);
    const right = room.width - (isPhone ? 4 : 14);
    put(asks, { x: right, y: top + 10, text: counts[Math.round(s.query)] });
    show(asks, isPhone ? 1 : 0);
    put(count, { x: right, y: top + (isPhone ? 27 : 14), text: say("drawn") });
    for (const part of [pile, sums]) show(part, s.pile);
  };
}

/** Doors that were drawn. @param {Set<number>} seen */
export const drawnDoors = (seen) => [...seen].reduce((sum, i) => sum + i + 1, 0);
export const ALL_DOORS = gatesIn(COUNT);
