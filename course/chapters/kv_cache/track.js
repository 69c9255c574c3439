// The KV cache: a length on a logarithmic track, and a row of ways to choose from.

import { clamp } from "../../page/shapes.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */

/**
 * @typedef {{
 *   marks: string, label: string, ends: [number, number], ticks: [number, string][],
 *   at: () => { x: number, w: number, y: number }, set: (to: number, by: "hand" | "key") => void,
 *   now: () => number, step: number,
 * }} Track `ends`, `set` and `now` in powers of ten; `step`: the least that a key adds.
 */

/** @param {Stage} stage @param {Track} track */
export function buildTrack({ make, put, show, group, slider, grip, value }, track) {
  const { marks, label, ends, ticks, at, set, now, step } = track;
  const [low, high] = ends;
  const all = group(marks);
  const line = make(
    "line",
    { stroke: "var(--soft)", "stroke-width": 2, "stroke-linecap": "round" },
    all,
  );
  const signs = ticks.map(([value, text]) => ({
    power: Math.log10(value),
    tick: make("line", { stroke: "var(--soft)" }, all),
    text: make("text", { class: "t12 soft", "text-anchor": "middle" }, all, text),
  }));
  const x = (/** @type {number} */ power) => at().x + (at().w * (power - low)) / (high - low);
  /** @param {number} power @param {"hand" | "key"} by */
  const to = (power, by) => set(clamp(power, low, high), by);
  const handle = slider(group(marks), {
    label,
    keys: (by) => {
      const here = 10 ** now();
      const far = Math.max(step, here * 0.03) * by;
      to(Math.log10(Math.max(1, Math.round(here + far))), "key");
    },
    start: ([px]) => px - x(now()),
    move: ([px], off) => to(low + ((px - off - at().x) / at().w) * (high - low), "hand"),
  });
  grip(handle);
  const name = make(
    "text",
    { "text-anchor": "middle", class: "halo", style: "font-weight: 600" },
    all,
  );

  return (/** @type {State} */ s, /** @type {number} */ presence, /** @type {string} */ text) => {
    const { y, w } = at();
    const here = x(now());
    put(line, { x1: x(low), x2: x(high), y1: y, y2: y });
    signs.forEach(({ power, tick, text: sign }) => {
      put(tick, { x1: x(power), x2: x(power), y1: y + 4, y2: y + 10 });
      put(sign, { x: x(power), y: y + 23 });
    });
    put(handle, { transform: `translate(${here.toFixed(1)} ${y})` });
    const half = 4.2 * text.length;
    put(name, {
      x: clamp(here, at().x - 12 + half, at().x + w + 18 - half),
      y: y - (w < 420 ? 13 : 22),
      text,
    });
    value(handle, Math.round(10 ** now()), Math.round(10 ** low), Math.round(10 ** high), text);
    show(all, presence);
    show(handle, presence);
  };
}

/**
 * @typedef {{
 *   marks: string, label: string, names: string[], at: () => { x: number, y: number, w: number, isPhone: boolean },
 *   set: (to: number) => void, now: () => number,
 * }} Choice
 */

/** Ways side by side, one of them chosen. @param {Stage} stage @param {Choice} choice */
export function buildChoice({ make, put, show, group, slider, value }, choice) {
  const { marks, label, names, at, set, now } = choice;
  const last = names.length - 1;
  const chosen = () => clamp(Math.round(now()), 0, last);
  const handle = slider(group(marks), {
    label,
    keys: (by) => set(clamp(chosen() + Math.sign(by), 0, last)),
    move: ([x]) => set(clamp(Math.floor(((x - at().x) / at().w) * names.length), 0, last)),
  });
  const ring = make("rect", { class: "ring", rx: 11 }, handle);
  const chips = names.map((name) => ({
    chip: make("rect", { rx: 8, stroke: "var(--ink)", "stroke-width": 1.5 }, handle),
    text: make("text", { class: "t14", "text-anchor": "middle" }, handle, name),
  }));
  return (/** @type {State} */ s, /** @type {number} */ presence) => {
    const { x, y, w, isPhone } = at();
    const high = isPhone ? 26 : 34;
    const each = w / names.length;
    put(ring, { x: x - 2, y: y - 4, width: w + 4, height: high + 8 });
    chips.forEach(({ chip, text }, i) => {
      const isIt = i === chosen();
      put(chip, {
        x: x + i * each + 2,
        y,
        width: each - 4,
        height: high,
        fill: `var(--${isIt ? "ink" : "paper"})`,
      });
      put(text, {
        x: x + (i + 0.5) * each,
        y: y + high / 2 + 5,
        style: `fill: var(--${isIt ? "paper" : "ink"})`,
      });
    });
    value(handle, chosen(), 0, last, names[chosen()]);
    show(handle, presence);
  };
}
