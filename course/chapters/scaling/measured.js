// What a token costs a real model by its place in the text: the curve hangs below the text itself.

import measured from "./data.js";
import { clamp, mix, xy } from "../../page/shapes.js";
import { METHODS, TARGET, TRAINED, reach } from "./scalings.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {keyof typeof measured.six} Line */

const LETTER = 7.5; // pixels

/** In the order of the state's `lines`. @type {Line[]} */
export const LINES = ["none", "linear", "ntk", "yarn", "parts", "llama3", "window"];
export const NO_LINES = LINES.map(() => 0);
/** @param {Line[]} names */
export const lines = (...names) => LINES.map((name) => Number(names.includes(name)));

const SIX = measured.six.none.length; // thousands that six texts were read to
/** The place up to which six texts were read. */
export const MEASURED = SIX * 1024;

/** Bits a token in one thousand of the texts. @param {State} s @param {Line} name @param {number} i */
function bitsOf(s, name, i) {
  const one = measured.one[name][i];
  return i < SIX ? mix(measured.six[name][i], one, s.one) : one;
}

/** Bits a token at the end of the text. @param {State} s @param {Line} name */
export function bitsAt(s, name) {
  const last = s.one > 0.5 ? measured.places.length : SIX;
  const after = measured.places.findIndex((place) => place >= s.length);
  const i = clamp(after < 0 ? last - 1 : after, 1, last - 1);
  const [from, to] = [measured.places[i - 1], measured.places[i]];
  const t = clamp((s.length - from) / (to - from), 0, 1);
  return mix(bitsOf(s, name, i - 1), bitsOf(s, name, i), t);
}

/** Bits a token within the trained length, on average. */
export const INSIDE =
  measured.six.none.slice(0, SIX / 2).reduce((sum, bits) => sum + bits, 0) / (SIX / 2);
/** Bits a token beyond it, more than with a window of the trained length. @param {Line} name */
export const beyond = (name) => measured.beyond[name];

const BROKEN = 0.5; // bits above the window
/** The thousand of the text from which on a line breaks, after the last place without new angles. @param {"none" | "ntk"} name */
export function breaks(name) {
  const { places, one, six } = measured;
  const [last, bits] = name === "ntk" ? [reach(METHODS.ntk), one] : [TRAINED, six];
  const at = places.findIndex((its, i) => its > last && bits[name][i] - bits.window[i] > BROKEN);
  return places[at] - 512;
}

/** @param {Stage} stage @param {(s: State) => string} shown The method whose line joins the others. */
export function buildMeasured({ make, put, show, group, say, number, step }, shown) {
  const panel = group("curve");
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, panel);
  const up = Array.from({ length: 4 }, () =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, panel),
  );
  const title = make("text", { class: "t14 soft" }, panel);
  const source = make("text", { class: "t12 soft", "text-anchor": "end" }, panel);
  // Under the names of the curves, whose halo is to cover them.
  const [border, line] = ["var(--new)", "var(--soft)"].map((stroke) =>
    make("line", { stroke, "stroke-dasharray": "3 4" }, group("curve")),
  );
  const drawn = LINES.map((name) => {
    const node = group(`curve line_${name}`);
    const isMain = name !== "window" && name !== "none";
    const path = make(
      "path",
      {
        fill: "none",
        stroke: isMain ? "var(--ink)" : "var(--soft)",
        "stroke-width": isMain ? 2.5 : 2,
        "stroke-dasharray": name === "window" ? "2 4" : name === "llama3" ? "7 4" : undefined,
        "stroke-linejoin": "round",
      },
      node,
    );
    const label = make("text", { class: `t14 halo ${isMain ? "" : "soft"}` }, node);
    return { name, node, isMain, path, label };
  });
  // The one text: what NTK-aware costs above the window, and from where on it breaks.
  const over = group("curve");
  const above = make("path", { fill: "var(--ink)", opacity: 0.12 }, over);
  const double = group("curve");
  const twice = make("line", { stroke: "var(--ink)", "stroke-dasharray": "7 4" }, double);
  const twiceName = make("text", { class: "t12 halo", "text-anchor": "end" }, double);
  const broken = group("curve");
  const borderName = make("text", { class: "t12 new halo", "text-anchor": "end" }, broken);
  const probe = group("curve");
  const dot = make(
    "circle",
    { r: 6, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 3 },
    probe,
  );
  const text = make("text", { class: "halo" }, probe);

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone } = room;
    const { x, w } = room.ruler;
    const { y: top, h } = room.measured;
    const presence = s.curve * clamp(1 - 2 * s.crowd, 0, 1);
    show(panel, presence);
    if (presence < 0.02) {
      drawn.forEach(({ node }) => show(node, 0));
      for (const node of [over, double, border, broken, line, probe]) show(node, 0);
      return;
    }
    const bottom = top + h - 6;
    const across = (/** @type {number} */ place) => x + (place / TARGET) * w;
    const high = (/** @type {number} */ bits) =>
      Math.max(top - 4, bottom - ((bits - s.low) / (s.high - s.low)) * (h - 22));
    const every = s.high - s.low > 6 ? 4 : isPhone ? 2 : 1;
    const ticks = [0, 1, 2, 3].map((i) => (Math.ceil(s.low / every) + i) * every);
    put(grid, {
      d: ticks
        .map((bits) => (bits <= s.high ? `M${x},${high(bits).toFixed(1)}h${w}` : ""))
        .join(""),
    });
    up.forEach((node, i) => {
      const isThere = ticks[i] <= s.high && high(ticks[i]) > top + 14;
      put(node, { x: x - 8, y: high(ticks[i]) + 4, text: isThere ? number(ticks[i]) : "" });
    });
    put(title, {
      x: x + 2,
      y: top + 9,
      text: say(isPhone ? "bits_short" : s.clock > 0.5 ? "bits_to" : "bits"),
    });
    const from = s.one > 0.5 ? "source_one" : "source";
    put(source, { x: x + w, y: top + 9, text: say(isPhone ? `${from}_short` : from) });
    // Of the one text as much as is read, of the six what a step shows.
    const isWide = s.one > 0.5;
    const end = isWide ? s.length : Math.min(MEASURED, s.until);
    const count = isWide
      ? measured.places.filter((place) => place < end).length
      : Math.round(end / 1024);
    // Bits of a line: at the middles of its thousands, and at the end of the one text.
    const placeAt = (/** @type {number} */ i) => (i < count ? measured.places[i] : end);
    const along = (/** @type {Line} */ name) => {
      const bits = Array.from({ length: count }, (_, i) => bitsOf(s, name, i));
      return isWide ? [...bits, bitsAt(s, name)] : bits;
    };
    const joined = shown(s);
    for (const [k, { name, node, isMain, path, label }] of drawn.entries()) {
      const isThere = Math.max(s.lines[k], Number(joined === name));
      show(node, isThere * presence);
      if (!isThere) continue;
      const bits = along(name);
      const last = { x: across(end), y: high(bits[bits.length - 1]) };
      put(path, {
        d: `M${bits.map((value, i) => xy([across(placeAt(i)), high(value)])).join("L")}H${last.x.toFixed(1)}`,
        stroke: isMain ? "var(--ink)" : "var(--soft)",
      });
      const called =
        (name === "none" && step() === "broken") || (name === "window" && h < 120 && isWide)
          ? ""
          : say(`line_${name}`);
      if (isWide && name !== "window") {
        // At the start, above as much of its curve as the name covers.
        const wide = Math.ceil((called.length * LETTER * TARGET) / (w * 1024));
        const y = Math.min(...bits.slice(0, wide + 1).map(high)) - 8;
        put(label, { x: across(wide * 512), y, "text-anchor": "middle", text: called });
        continue;
      }
      if (isWide) {
        put(label, { x: x + 4, y: high(2) - 6, "text-anchor": "start", text: called });
        continue;
      }
      put(label, {
        x: last.x + 8,
        y: clamp(last.y + (name === "window" ? 14 : 4), top + (isPhone ? 24 : 12), bottom),
        "text-anchor": "start",
        text: called,
      });
    }
    const window = along("window");
    const upper = along("ntk").map((bits, i) => Math.max(bits, window[i]));
    const edgeOf = (/** @type {number[]} */ all) =>
      all.map((bits, i) => xy([across(placeAt(i)), high(bits)]));
    put(above, {
      d: isWide ? `M${[...edgeOf(upper), ...edgeOf(window).reverse()].join("L")}Z` : "",
    });
    show(over, presence * s.one);
    const edge = across(breaks(isWide ? "ntk" : "none"));
    put(border, { x1: edge, x2: edge, y1: top + 16, y2: bottom });
    put(borderName, { x: edge - 6, y: top + (isPhone ? 27 : 30), text: say("breaks") });
    for (const node of [border, broken])
      show(node, presence * (isWide ? Number(s.length >= breaks("ntk")) : s.broken));
    put(twice, { x1: x, x2: x + w, y1: high(2 * INSIDE), y2: high(2 * INSIDE) });
    put(twiceName, { x: x + w, y: high(2 * INSIDE) - 6, text: say("twice") });
    show(double, presence * s.broken);
    const followed = s.one > 0.5 ? "ntk" : "none";
    const isMeasured = isWide || s.length <= count * 1024 + 1;
    const at = { x: across(s.length), y: high(bitsAt(s, followed)) };
    put(line, { x1: at.x, x2: at.x, y1: top + 16, y2: bottom });
    put(dot, { cx: at.x.toFixed(1), cy: at.y.toFixed(1) });
    put(text, {
      x: at.x - 12,
      y: at.y - 8,
      "text-anchor": "end",
      text: step() === "broken" && isMeasured && at.x > x + w * 0.27 ? say("bits_here") : "",
    });
    show(dot, isMeasured ? 1 : 0);
    for (const node of [line, probe]) show(node, s.probe * presence);
  };
}
