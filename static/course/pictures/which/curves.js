// What was measured past the trained length: small models of all encodings, and a real one that is stretched.

import data from "../../data/which.js";
import { clamp, mix, xy } from "../../shapes.js";
import {
  ENCODINGS,
  MEASURES,
  METHODS,
  MOST,
  NAMES,
  along,
  alongX,
  apart,
  chosen,
  endOf,
  foundReal,
  frameWidth,
  hasRow,
  up,
  height,
  isFallen,
  isMeasured,
  isNamed,
  knownOf,
  measureOf,
  measured,
  reach,
  shortBy,
  upY,
} from "./room.js";

/** @typedef {import("../../types").Stage} Stage */
/** @typedef {import("../../types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./room.js").Names} Names */

const BITS = [2, 3, 4, 5];
const SHARES = [0, 50, 100];
const SHORTEST = -3; // doublings: of the real model's texts
const LAST = 2; // doublings: of its longest text
/** @type {Partial<Record<typeof METHODS[number], string>>} */
const DASHES = { none: "6 4", linear: "2 4" };

/** Whole doublings up to an end, and the end. @param {number} from @param {number} end */
function stops(from, end) {
  const whole = [];
  for (let i = from; i <= end; i++) whole.push(i);
  if (end > (whole.at(-1) ?? end)) whole.push(end);
  return whole;
}

/** Axes, what lies past the training, and whose numbers these are.
 * @param {Stage} stage
 */
export function buildAxes({ make, put, show, group, say, number }) {
  const past = make("rect", { fill: "var(--wash)" }, group("past"));
  const all = group("axis");
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, all);
  const ticks = ["small", "real"].map((whose) => {
    const [low, high, trained] =
      whose === "small" ? [0, 4, data.trained] : [SHORTEST, LAST, data.real.trained];
    return stops(low, high).map((i) => ({
      i,
      whose,
      node: make(
        "text",
        { class: "t12 soft", "text-anchor": "middle" },
        all,
        number(trained * 2 ** i),
      ),
    }));
  });
  const title = make("text", { class: "t12 soft" }, all);
  const left = (/** @type {string} */ text) =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, all, text);
  const shares = SHARES.map((share) => ({ share, node: left(`${share} %`) }));
  const bits = BITS.map((value) => ({ value, node: left(number(value)) }));
  const most = group("most");
  const mostLine = make(
    "path",
    { stroke: "var(--soft)", fill: "none", "stroke-dasharray": "5 5" },
    most,
  );
  const mostName = make("text", { class: "t12 soft", "text-anchor": "end" }, most, say("most"));
  const note = make("text", { class: "t12 soft" }, group("note"));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = clamp(2 * s.plot - 1, 0, 1);
    for (const node of [all, note]) show(node, presence);
    show(past, presence * s.real);
    if (!presence) return;
    const { plot, isPhone, foot } = room;
    const edge = alongX(room, s, 0);
    put(past, { x: edge, y: plot.y - 4, width: plot.x + plot.w - edge, height: plot.h + 4 });
    const isBits = clamp(s.measure - 1, 0, 1);
    const levels =
      isBits > 0.5 ? BITS.map((value) => up(2, value)) : SHARES.map((share) => share / 100);
    put(grid, { d: levels.map((level) => `M${plot.x},${upY(room, level)}h${plot.w}`).join("") });
    for (const { i, whose, node } of ticks.flat()) {
      const is = whose === "real" ? 2 * s.real - 1 : 1 - 2 * s.real;
      const isOdd = isPhone && Math.abs(i) % 2 === 1;
      put(node, { x: alongX(room, s, i), y: plot.y + plot.h + (isPhone ? 22 : 28) });
      show(node, isOdd ? 0 : clamp(is, 0, 1));
    }
    const whose = s.real > 0.5 ? "real_axis" : s.tuned > 0.5 ? "further_axis" : "small_axis";
    put(title, {
      x: plot.x,
      y: plot.y + plot.h + (isPhone ? 36 : 48),
      text: say(isPhone ? `${whose}_short` : whose),
    });
    for (const { share, node } of shares) {
      put(node, { x: plot.x - 13, y: upY(room, share / 100) + 4 });
      show(node, clamp(1 - 2 * isBits, 0, 1));
    }
    put(mostLine, { d: `M${plot.x},${upY(room, MOST / 100)}h${plot.w}` });
    put(mostName, { x: plot.x - 13, y: upY(room, MOST / 100) + 4 });
    show(most, presence * s.measures * clamp(1 - 2 * s.measure, 0, 1));
    for (const { value, node } of bits) {
      put(node, { x: plot.x - 13, y: upY(room, up(2, value)) + 4 });
      show(node, clamp(2 * isBits - 1, 0, 1));
    }
    put(note, { x: isPhone ? 8 : plot.x, y: foot, text: say(noteOf(s)) });
    show(note, isPhone ? 0 : presence);
  };
}

/** @param {State} s */
function noteOf(s) {
  if (s.real > 0.5) return "note_real";
  if (!isMeasured(chosen(s))) return "note_none";
  return hasRow(chosen(s), Math.round(endOf(chosen(s), s))) ? "note_small" : "note_no_row";
}

/** The curves of the small models; RoPE's becomes that of the real model.
 * @param {Stage} stage
 */
export function buildCurves({ make, put, show, group, say, number, isGuessing }) {
  const all = group("curves");
  const band = make("path", { fill: "var(--line)", opacity: 0.7 }, all);
  const lines = NAMES.filter(isMeasured).map((name) => {
    const holder = group(`curves ${name}`);
    const rest = make("path", { fill: "none", stroke: "var(--line)" }, holder); // further than the text
    const line = make("path", { fill: "none", "stroke-linejoin": "round" }, holder);
    const lead = make("path", { fill: "none", stroke: "var(--line)" }, holder);
    return { name, holder, rest, line, lead };
  });
  const methods = METHODS.map((method) => {
    const holder = group(`curves real ${method}`);
    const line = make("path", { fill: "none", stroke: "var(--ink)", "stroke-width": 2.5 }, holder);
    put(line, { "stroke-dasharray": DASHES[method] });
    const dots = stops(SHORTEST, 2).map((i) => ({
      i,
      node: make("circle", { r: 4, fill: "var(--ink)" }, holder),
    }));
    return { method, line, dots, text: make("text", { class: "t14 halo" }, holder) };
  });
  const atHandle = make("text", {}, group("curves real length"));

  return (/** @type {State} */ s, /** @type {Room} */ room, /** @type {Names} */ names) => {
    const presence = clamp(2 * s.plot - 1, 0, 1);
    const from = Math.abs(s.measure - 1) < 0.5 ? 1 : 0;
    const point = (
      /** @type {string} */ name,
      /** @type {number} */ i,
      end = /** @type {"mean" | "low" | "high"} */ ("mean"),
    ) =>
      /** @type {[number, number]} */ ([
        alongX(room, s, i),
        upY(
          room,
          along((at) => height(name, s, at, end), i),
        ),
      ]);
    for (const { name, holder, rest, line, lead } of lines) {
      const isChosen = name === chosen(s);
      const end = endOf(name, s);
      const has = hasRow(name, end);
      const way = (/** @type {number} */ to) =>
        path(hasRow(name, to) ? stops(from, to).map((i) => point(name, i)) : []);
      put(rest, { d: way(knownOf(name, s)) });
      put(line, {
        d: way(end),
        stroke: isFallen(name, s) ? "var(--new)" : isChosen ? "var(--ink)" : "var(--soft)",
        "stroke-width": isChosen ? 3 : 1.5,
      });
      const at = point(name, end);
      const lies = shortBy(name, s); // its name is below its end, not beside it
      const x = mix(names[name].x - 4, at[0], lies);
      const y = names[name].y - lies * room.gap * 0.6;
      put(lead, { d: `M${xy(at)}L${xy([x, y])}` });
      const isHere = isNamed(name, s);
      show(lead, isHere && has ? 1 : 0);
      show(holder, presence * clamp(1 - 2 * s.real, 0, 1) * (isHere ? 1 : 0));
    }
    const name = isMeasured(chosen(s)) ? chosen(s) : "rope";
    const whole = stops(from, endOf(name, s)).map(Math.floor);
    const low = whole.map((i) => point(name, i, "low"));
    const high = whole.map((i) => point(name, i, "high")).reverse();
    put(band, { d: low.length > 1 ? `M${[...low, ...high].map(xy).join("L")}Z` : "" });
    const hasBand = isMeasured(chosen(s)) && hasRow(name, endOf(name, s));
    show(band, presence * (1 - s.real) * (1 - s.tuned) * Number(hasBand));

    const shown = presence * clamp(2 * s.real - 1, 0, 1);
    const seen = Math.max(s.length, s.known); // the curves stay when the length goes back
    const ends = Object.fromEntries(METHODS.map((method) => [method, endReal(method, seen)]));
    const share = (/** @type {string} */ method, /** @type {number} */ i) =>
      along((at) => foundReal(method, at) ?? 0, i) / 100;
    const ys = Object.fromEntries(
      METHODS.map((method) => [method, upY(room, share(method, ends[method]))]),
    );
    // A curve that ends before the others has its name before its end.
    const isShort = (/** @type {string} */ method) => ends[method] < Math.min(seen, LAST) - 0.01;
    const labels = apart(
      Object.fromEntries(Object.entries(ys).filter(([method]) => !isShort(method))),
      room,
    );
    for (const { method, line, dots, text } of methods) {
      const end = ends[method];
      const side = isShort(method) ? -1 : 1;
      const way = (/** @type {number} */ to) =>
        path(stops(SHORTEST, to).map((i) => [alongX(room, s, i), upY(room, share(method, i))]));
      const isAnswer = method === "yarn" && !isGuessing();
      put(line, { d: way(end), "stroke-width": isAnswer ? 4.5 : 2 });
      for (const { i, node } of dots) {
        const found = foundReal(method, i) ?? 0;
        put(node, { cx: alongX(room, s, i), cy: upY(room, found / 100) });
        show(node, i <= end + 0.01 ? 1 : 0);
      }
      put(text, {
        x: alongX(room, s, end) + side * (room.isPhone ? 8 : 14),
        y: isShort(method) ? ys[method] - 10 : labels[method] + 4,
        "text-anchor": side < 0 ? "end" : "start",
        text: say("real", {
          method: say(method),
          percent: number(100 * share(method, Math.round(end))),
        }),
      });
      for (const node of [line, text]) show(node, shown);
      dots.forEach(({ i, node }) => show(node, i <= end + 0.01 ? shown : 0));
    }
    put(atHandle, {
      x: room.isPhone ? 8 : room.plot.x,
      y: room.isPhone ? 20 : 58,
      class: room.isPhone ? "t12" : "t14",
      text: say("say_real"),
    });
    show(atHandle, shown * clamp(2 * (seen - s.length), 0, 1)); // at their ends the curves tell it
  };
}

/** Where a curve of the real model ends. @param {string} method @param {number} length */
function endReal(method, length) {
  let last = LAST;
  while (foundReal(method, last) === undefined) last -= 1;
  return Math.min(length, last);
}

/** A line through points, if they are two or more. @param {[number, number][]} points */
const path = (points) => (points.length > 1 ? `M${points.map(xy).join("L")}` : "");

/** The names, each with its number once it stands at its curve.
 * @param {Stage} stage
 */
export function buildNames({ make, put, show, group, say, number }) {
  const frame = make("rect", { fill: "var(--wash)", rx: 5 }, group("row"));
  const texts = NAMES.map((name) => ({
    name,
    holder: group(`names ${name}`),
    node: make("text", { class: "t14" }),
  }));
  for (const { holder, node } of texts) holder.append(node);

  return (/** @type {State} */ s, /** @type {Room} */ room, /** @type {Names} */ names) => {
    const measure = measureOf(s);
    const at = names[chosen(s)];
    const tall = mix(room.row, room.gap, s.plot);
    put(frame, { x: at.x - 6, y: at.y - tall / 2, width: frameWidth(room, s), height: tall });
    const hidden = clamp(2 * s.real, 0, 1);
    show(frame, 1 - hidden);
    for (const { name, node } of texts) {
      const { x, y } = names[name];
      const value = isMeasured(name) ? valueOf(name, measure, s) : 0;
      const has = hasRow(name, Math.round(endOf(name, s)));
      const told = has
        ? `${say(`name_${name}`)} ${number(value, MEASURES[measure] === "bits" ? 2 : 0)}`
        : say("no_row", { name: say(`name_${name}`) });
      const isTold = s.plot > 0.5 && isMeasured(name);
      put(node, {
        x,
        y: y + (room.isPhone ? 4 : 5),
        text: isTold ? told : say(`name_${name}`),
        class: "t14 halo",
        style: `${isFallen(name, s) && isTold ? "fill: var(--new);" : ""}${name === chosen(s) ? "font-weight: 600; stroke: var(--wash)" : ""}`,
      });
      show(node, (isNamed(name, s) ? 1 : 1 - clamp(2 * s.plot, 0, 1)) * (1 - hidden));
    }
  };
}

/** @param {string} name @param {number} measure @param {State} s */
function valueOf(name, measure, s) {
  if (name === "rope" && s.tuned > 0.5) return data.further.mean[0];
  return measured(name, measure, Math.round(endOf(name, s)));
}

/** Numbers of the chosen curve, for words and notes. @param {State} s */
export function ofChosen(s) {
  const name = isMeasured(chosen(s)) ? chosen(s) : "rope";
  const measure = measureOf(s);
  const at = Math.round(endOf(name, s));
  const isBits = MEASURES[measure] === "bits";
  const { models, learned } = /** @type {Required<import("./room.js").Encoding>} */ (
    ENCODINGS[name]
  );
  return {
    isBits,
    models: isBits ? models.bits : learned || models.near,
    of: isBits ? models.bits : models.near,
    mean: valueOf(name, measure, s),
    low: measured(name, measure, at, "low"),
    high: measured(name, measure, at, "high"),
    reach: reach(s),
  };
}
