// Past training: how many near names are found, and what the learned numbers do with the attention.

import { buildAsked } from "../../page/asked.js";
import { shares } from "../../page/formulas/distances.js";
import data from "./data.js";
import { mix } from "../../page/shapes.js";
import { BRACES, LAST, LONGEST, SHORTEST, lengthX, stripX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const ASKED = { length: 512, options: [95, 50, 5] }; // where the answer may lie
const LAST_NAMED = 140; // pixels: the name of the last brace fits into its part

/** What was measured at a length, or at the nearest one that was. @param {{ lengths: number[] }} curve @param {number} length */
const nearest = ({ lengths }, length) =>
  lengths.indexOf(
    lengths.reduce((a, b) =>
      Math.abs(Math.log(b / length)) < Math.abs(Math.log(a / length)) ? b : a,
    ),
  );

/** Words that the last query looks at. @param {State} s */
const looked = (s) => mix(s.length, Math.min(s.length, data.trained), s.window);

/** Attention of each brace, by the learned numbers alone. @param {State} s */
export const attention = (s) => shares(data.numbers, BRACES, looked(s));

/** Per cent of the near names that are found. @param {State} s */
export function found(s) {
  const curve = s.window > 0.5 ? data.near_window : data.near;
  return curve.mean[nearest(curve, s.length)];
}

/** @param {number} length */
export const measuredAt = (length) => data.near.lengths[nearest(data.near, length)];

/** @param {Stage} stage */
export function buildShares(stage) {
  const { make, put, show, group, say, number, isGuessing } = stage;
  const chart = group("curve window length");
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, chart);
  const title = make("text", { class: "t14 soft" }, chart);
  const heights = [100, 50, 0].map((value) => ({
    value,
    text: make(
      "text",
      { class: "t12 soft", "text-anchor": "end", "dominant-baseline": "central" },
      chart,
    ),
  }));
  const lengths = data.near.lengths.map((length) => ({
    length,
    text: make("text", { class: "t12 soft", "text-anchor": "middle" }, chart),
  }));
  const lines = [
    {
      curve: data.near_window,
      mark: "window",
      dash: "5 4",
      of: (/** @type {State} */ s) => s.window,
    },
    { curve: data.near, mark: "curve", dash: undefined, of: (/** @type {State} */ s) => s.lines },
  ].map(({ curve, mark, dash, of }) => {
    const its = group(mark, chart);
    return {
      curve,
      of,
      its,
      path: make(
        "path",
        { fill: "none", stroke: "var(--ink)", "stroke-width": 2.5, "stroke-dasharray": dash },
        its,
      ),
      dots: curve.lengths.map(() => make("circle", { r: 3.5, fill: "var(--ink)" }, its)),
      ranges: make("path", { stroke: "var(--ink)", "stroke-width": 2 }, its),
      name: make("text", { class: "t14", "dominant-baseline": "central" }, its),
    };
  });
  const here = make(
    "circle",
    { r: 8, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 3 },
    group("curve window"),
  );
  const asked = buildAsked(stage, chart);
  const flows = group("shares");
  const flow = make("path", { fill: "var(--attention)", opacity: 0.12 }, flows);
  const flowOne = make("path", { fill: "var(--attention)", opacity: 0.12 }, flows);
  const parts = BRACES.map(() => make("rect", { fill: "var(--attention)" }, flows));
  const name = make("text", { class: "t14 soft" }, group("strip shares far"));
  const unseen = make("text", { class: "t14 soft" }, group("strip window"));
  const last = make(
    "text",
    { class: "t14", "text-anchor": "middle", style: "font-weight:600" },
    group("far shares"),
  );
  const one = make("text", { class: "t14", "text-anchor": "end" }, group("shares"));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { plot: p, isPhone, strip, stripHigh, stripX: left, stripW, shares: y } = room;
    const there = s.chart > 0.5 ? (s.chart - 0.5) * 2 : 0;
    for (const node of [chart, here, flows, name, last, one]) show(node, there);
    show(unseen, s.window > 0.9 && s.length > 2 * SHORTEST - 1 ? there : 0);
    if (there < 0.02) return;
    const x = (/** @type {number} */ length) => lengthX(room, s, length);
    const up = (/** @type {number} */ value) => p.y + p.h * (1 - value / 100);
    put(grid, { d: [100, 50, 0].map((value) => `M${p.x},${up(value)}h${p.w}`).join("") });
    put(title, {
      x: p.x - (isPhone ? 34 : 44),
      y: p.y - (isPhone ? 10 : 22),
      text: say(isPhone ? "found_title_short" : "found_title"),
    });
    heights.forEach(({ value, text }) =>
      put(text, { x: p.x - 14, y: up(value), text: number(value) }),
    );
    lengths.forEach(({ length, text }) => {
      put(text, { x: x(length), y: p.y + p.h + (isPhone ? 44 : 62), text: number(length) });
    });
    for (const { curve, of, its, path, dots, ranges, name } of lines) {
      show(its, there * of(s));
      const points = curve.lengths.map(
        (length, n) => `${x(length).toFixed(1)},${up(curve.mean[n]).toFixed(1)}`,
      );
      put(path, { d: `M${points.join("L")}` });
      dots.forEach((dot, n) => put(dot, { cx: x(curve.lengths[n]), cy: up(curve.mean[n]) }));
      const range = (/** @type {number} */ length, /** @type {number} */ n) =>
        `M${x(length) - 5},${up(curve.low[n])}h10m-5,0V${up(curve.high[n])}m-5,0h10`;
      put(ranges, { d: curve.lengths.map(range).join("") });
      const isWindow = curve === data.near_window;
      const end = curve.mean[curve.mean.length - 1];
      put(name, {
        x: isPhone ? x(LONGEST) : x(LONGEST) + 14,
        y: up(end) + (isPhone ? (isWindow ? 16 : -14) : 0),
        "text-anchor": isPhone ? "end" : "start",
        text: isWindow && isPhone ? "" : say(isWindow ? "window_line" : "whole_line"),
      });
    }
    put(here, { cx: x(s.length).toFixed(1), cy: up(foundBetween(s)).toFixed(1) });
    show(here, isGuessing() && s.length > SHORTEST + 1 ? 0 : there);
    asked(
      ASKED.options.map((value) => [x(ASKED.length), up(value)]),
      there,
    );
    // Words above, attention below, and between them where the last brace's part goes.
    const given = attention(s);
    const words = s.length;
    let right = left + stripW;
    const high = stripHigh;
    const low = strip + stripHigh + 3;
    const farFrom = BRACES[LAST].from;
    given.forEach((share, b) => {
      const w = share * stripW;
      put(parts[b], {
        x: (right - w + Math.min(0.5, w / 4)).toFixed(1),
        y,
        width: Math.max(0, w - 1).toFixed(1),
        height: high,
        "fill-opacity": b === LAST ? 0.85 : b === 1 ? 1 : b % 2 ? 0.4 : 0.25,
      });
      if (b === 1) {
        put(flowOne, {
          d: `M${stripX(room, 1, words)},${low}H${stripX(room, 2, words)}L${right - w},${y - 3}H${right}Z`,
        });
        put(one, {
          x: left + stripW,
          y: y + high + (isPhone ? 15 : 20),
          text: say(isPhone ? "one_share_short" : "one_share"),
        });
      }
      right -= w;
    });
    const farLeft = stripX(room, looked(s), words);
    const farRight = stripX(room, farFrom, words);
    const width = given[LAST] * stripW;
    put(flow, { d: `M${farLeft},${low}H${farRight}L${left + width},${y - 3}H${left}Z` });
    const isInside = width > LAST_NAMED;
    put(last, {
      x: isInside ? left + width / 2 : left,
      y: isInside ? y + high / 2 + 5 : y + high + (isPhone ? 15 : 20),
      "text-anchor": isInside ? "middle" : "start",
      style: isInside ? "font-weight:600;fill:var(--paper)" : "font-weight:600",
      text: say("last_share"),
    });
    put(unseen, { x: left, y: strip + stripHigh / 2 + 5, text: say("unseen") });
    put(name, {
      x: left,
      y: strip - 8,
      text: say(isPhone ? "shares_title_short" : "shares_title"),
    });
  };
}

/** The height of the mark that moves along the curves; only its rests were measured. @param {State} s */
function foundBetween(s) {
  const along = (/** @type {typeof data.near} */ { lengths, mean }) => {
    const at = Math.log2(Math.max(SHORTEST, s.length) / SHORTEST);
    const n = Math.min(Math.floor(at), lengths.length - 2);
    return mix(mean[n], mean[n + 1], at - n);
  };
  return mix(along(data.near), along(data.near_window), s.window);
}
