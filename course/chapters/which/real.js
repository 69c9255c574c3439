// A real model, as trained and stretched: how many keys it finds as texts grow.

import data from "./data.js";
import { clamp, xy } from "../../page/shapes.js";
import { METHODS, WIDE, along, alongX, apart, foundReal, surelyReal, upY } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const SHARES = [0, 50, 100];
export const SHORTEST = -3; // doublings of its trained length: its shortest text
export const LAST = 2; // and its longest
/** Where a curve has its name, in doublings: there it is far from the others. YaRN's has it at its end.
 * @type {Partial<Record<typeof METHODS[number], number>>} */
const NAMED = { none: 0.25, linear: -1.5, ntk: 1.78 };
/** @type {Partial<Record<typeof METHODS[number], string>>} */
const DASHES = { none: "6 4", linear: "2 4", ntk: "14 4" };
const BESIDE = { phone: 6, wide: 9 }; // pixels from the interval of one method to that of the next

/** @param {number} end */
const stops = (end) => {
  const whole = Array.from({ length: Math.floor(end) - SHORTEST + 1 }, (_, i) => SHORTEST + i);
  return Number.isInteger(end) ? whole : [...whole, end];
};

/** @param {Stage} stage */
export function buildReal({ make, put, show, group, say, number, isGuessing }) {
  const past = make("rect", { fill: "var(--wash)" }, group("past"));
  const axis = group("axis");
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, axis);
  const ticks = stops(LAST).map((i) => ({
    i,
    node: make(
      "text",
      { class: "t12 soft", "text-anchor": "middle" },
      axis,
      number(data.real.trained * 2 ** i),
    ),
  }));
  const title = make("text", { class: "t12 soft" }, axis);
  const shares = SHARES.map((share) => ({
    share,
    node: make("text", { class: "t12 soft", "text-anchor": "end" }, axis, `${share} %`),
  }));
  const keys = make("text", { class: "t12 soft" }, axis);
  const note = make("text", { class: "t12 soft" }, group("note"));
  const methods = METHODS.map((method) => {
    const holder = group(`curves ${method}`);
    const line = make("path", { fill: "none", stroke: "var(--ink)" }, holder);
    put(line, { "stroke-dasharray": DASHES[method] });
    const dots = stops(LAST).map((i) => ({
      i,
      node: make("circle", { r: 4, fill: "var(--ink)" }, holder),
    }));
    return { method, holder, line, dots, text: make("text", { class: "t14 halo" }, holder) };
  });
  const surely = METHODS.map((method) => ({
    method,
    node: make(
      "path",
      {
        fill: "none",
        stroke: "var(--ink)",
        "stroke-width": 3,
        "stroke-dasharray": DASHES[method] ?? "none", // as its curve
      },
      group("surely"),
    ),
  }));
  const wide = group("wide");
  const widePoint = make("circle", { r: 5, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 2.5 }, wide); // prettier-ignore
  const wideSurely = make(
    "path",
    { stroke: "var(--ink)", "stroke-width": 3 },
    group("surely wide"),
  );
  const wideName = make("text", { class: "t14 halo", "text-anchor": "end" }, wide);
  const atHandle = make("text", {}, group("curves length"));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = clamp(2 * s.real - 1, 0, 1);
    for (const node of [past, axis, note]) show(node, presence);
    for (const { holder } of methods) show(holder, presence);
    for (const { node } of surely) show(node, presence);
    const seen = Math.max(s.length, s.known); // the curves stay when the length goes back
    const isTried = seen > WIDE.doublings - 0.01 && !isGuessing();
    for (const node of [widePoint, wideSurely, wideName]) show(node, isTried ? presence : 0);
    show(atHandle, presence * clamp(2 * (seen - s.length), 0, 1)); // at their ends the curves tell it
    if (presence < 0.02) return;
    const { plot, isPhone, left, foot } = room;
    const edge = alongX(room, s, 0);
    put(past, { x: edge, y: plot.y - 4, width: plot.x + plot.w - edge, height: plot.h + 4 });
    put(grid, {
      d: SHARES.map((share) => `M${plot.x},${upY(room, share / 100)}h${plot.w}`).join(""),
    });
    for (const { i, node } of ticks) {
      put(node, { x: alongX(room, s, i), y: plot.y + plot.h + (isPhone ? 22 : 28) });
      show(node, isPhone && Math.abs(i) % 2 === 1 ? 0 : 1);
    }
    for (const { share, node } of shares)
      put(node, { x: plot.x - 16, y: upY(room, share / 100) + 4 });
    put(title, {
      x: plot.x,
      y: plot.y + plot.h + (isPhone ? 36 : 48),
      text: say(isPhone ? "real_axis_short" : "real_axis"),
    });
    put(keys, { x: 30, y: plot.y - 18, text: say("real_keys") });
    show(keys, isPhone ? 0 : 1);
    const noted = isPhone ? "note_real_short" : "note_real";
    put(note, { x: isPhone ? left : plot.x, y: foot, text: say(noted) });

    const ends = Object.fromEntries(METHODS.map((method) => [method, endOf(method, seen)]));
    const share = (/** @type {string} */ method, /** @type {number} */ i) =>
      along((at) => foundReal(method, at) ?? 0, i) / 100;
    const ys = Object.fromEntries(
      METHODS.map((method) => [method, upY(room, share(method, ends[method]))]),
    );
    // A curve that ends before the others has its name before its end.
    const isShort = (/** @type {string} */ method) => ends[method] < Math.min(seen, LAST) - 0.01;
    const isNamed = (/** @type {string} */ method) => seen > LAST - 0.01 && method in NAMED;
    const labels = apart(
      Object.fromEntries(
        Object.entries(ys).filter(([method]) => !isShort(method) && !isNamed(method)),
      ),
      room,
    );
    for (const { method, line, dots, text } of methods) {
      const end = ends[method];
      const side = isShort(method) ? -1 : 1;
      const points = stops(end).map((i) => xy([alongX(room, s, i), upY(room, share(method, i))]));
      const isAnswer = method === "yarn" && !isGuessing();
      put(line, { d: `M${points.join("L")}`, "stroke-width": isAnswer ? 4.5 : 2 });
      for (const { i, node } of dots) {
        put(node, { cx: alongX(room, s, i), cy: upY(room, share(method, Math.min(i, end))) });
        show(node, i <= end + 0.01 ? 1 : 0);
      }
      const named = NAMED[method] ?? LAST;
      if (isNamed(method)) {
        const isRight = isPhone && method === "ntk"; // no room before it
        put(text, {
          x: alongX(room, s, named) + (method === "linear" ? 0 : isRight ? 8 : -10),
          y: upY(room, share(method, named)) + (method === "linear" ? -10 : 4),
          "text-anchor": isRight || method === "linear" ? "start" : "end",
          text: say(method),
        });
        continue;
      }
      put(text, {
        x: alongX(room, s, end) + side * (isPhone ? 14 : 20),
        y: isShort(method) ? ys[method] - 10 : labels[method] + 4,
        "text-anchor": side < 0 ? "end" : "start",
        text: say("real", {
          method: say(method),
          percent: number(100 * share(method, Math.round(end))),
        }),
      });
    }
    // At the length, side by side: those of a length on the way stand where it comes to rest.
    const at = Math.round(s.length);
    surely.forEach(({ method, node }, i) => {
      const both = surelyReal(method, at);
      const beside = isPhone ? BESIDE.phone : BESIDE.wide;
      const x = alongX(room, s, at) + (i - (METHODS.length - 1) / 2) * beside;
      put(node, { d: both && `M${x},${upY(room, both[0])}V${upY(room, both[1])}` });
    });
    // NTK-aware with the factor that it needs, at the one length where it was tried.
    const wideX = alongX(room, s, WIDE.doublings) - (isPhone ? 16 : 26);
    put(widePoint, { cx: wideX, cy: upY(room, WIDE.found / 100) });
    put(wideSurely, { d: `M${wideX},${upY(room, WIDE.surely[0])}V${upY(room, WIDE.surely[1])}` });
    put(wideName, {
      x: wideX - 12,
      y: isPhone ? upY(room, WIDE.surely[0]) : upY(room, WIDE.found / 100) + 4,
      text: say(isPhone ? "wide_short" : "wide"),
    });
    put(atHandle, {
      x: isPhone ? 8 : plot.x,
      y: isPhone ? 20 : 42,
      class: isPhone ? "t12" : "t14",
      text: say("say_real"),
    });
  };
}

/** Where a curve ends. @param {string} method @param {number} length */
function endOf(method, length) {
  let last = LAST;
  while (foundReal(method, last) === undefined) last -= 1;
  return Math.min(length, last);
}
