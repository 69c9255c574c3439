// CoPE: how often small models miscount, by the length of the text, in texts of three kinds.

import { buildAsked } from "../../page/asked.js";
import { apart } from "../../page/lengths.js";
import { clamp, mix, xy } from "../../page/shapes.js";
import data from "./data.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("../../page/types").Box} Box */
/** @typedef {"alibi" | "cope16" | "cope64" | "rope"} Name */

export const { lengths: LENGTHS } = data;
const LAST = LENGTHS.length - 1;
/** @type {Name[]} */
const NAMES = ["alibi", "cope16", "cope64", "rope"];
export const KINDS = /** @type {const} */ (["trained", "between", "rare"]);
const MOST = 85; // per cent
const LEVELS = [0, 20, 40, 60, 80];
/** @type {Record<Name, Record<string, string | number | undefined>>} */
const LOOKS = {
  alibi: { stroke: "var(--ink)", "stroke-width": 2 },
  cope16: { stroke: "var(--content)", "stroke-width": 3.5 },
  cope64: { stroke: "var(--content)", "stroke-width": 2.5, "stroke-dasharray": "7 5" },
  rope: { stroke: "var(--soft)", "stroke-width": 2, "stroke-dasharray": "9 4 2 4" },
};

/**
 * Per cent wrong: the mean, or of the best or worst model; between two kinds of text on its way.
 * @param {Name} name @param {number} kind @param {number} at Of the lengths.
 */
export function wrongOf(name, kind, at = LAST, which = 0) {
  const of = (/** @type {number} */ one) => data.wrong[name][one][at][which];
  const low = Math.floor(clamp(kind, 0, KINDS.length - 1));
  return mix(of(low), of(Math.min(low + 1, KINDS.length - 1)), kind - low);
}

/** @param {Stage} stage */
export function buildCounts(stage) {
  const { make, put, show, group, say, number, seen, move, press, isGuessing } = stage;
  const scene = group("curves");
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, scene);
  const scale = LEVELS.map((one) =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, scene, `${one} %`),
  );
  const title = make("text", { class: "t14 soft" }, scene);
  const ticks = LENGTHS.map(() =>
    make("text", { class: "t12 soft", "text-anchor": "middle" }, scene),
  );
  const models = NAMES.map((name) => {
    const part = group(`curves ${name}`);
    return {
      name,
      part,
      line: make("path", { ...LOOKS[name], fill: "none" }, part),
      bars: make("path", { stroke: LOOKS[name].stroke, fill: "none" }, part),
      text: make("text", { class: "t14 halo", fill: LOOKS[name].stroke }, part),
    };
  });
  const buttons = KINDS.map((kind, i) => {
    const choose = () => {
      if (isGuessing()) return;
      seen.add(i);
      move({ kind: i }, 500);
    };
    const button = press(group("kinds"), choose);
    const plate = make("rect", { rx: 8, stroke: "var(--line)", "stroke-width": 1.5 }, button);
    const text = make("text", { class: "t14", "text-anchor": "middle" }, button);
    return { kind, button, plate, text };
  });
  const asked = buildAsked(stage, scene);

  return (/** @type {State} */ s, /** @type {Box} */ { width, height, isPhone }) => {
    const presence = clamp(2 * s.far - 1, 0, 1);
    for (const { part } of models) show(part, presence);
    for (const { button } of buttons) show(/** @type {Element} */ (button.parentNode), presence);
    show(scene, presence);
    if (presence < 0.02) return;
    const left = isPhone ? 40 : 64;
    const right = width - (isPhone ? 118 : 190);
    const top = isPhone ? 74 : 122;
    const foot = height - (isPhone ? 26 : 58);
    const x = (/** @type {number} */ n) => mix(left, right, n / LAST);
    const y = (/** @type {number} */ percent) => mix(foot, top, percent / MOST);
    put(grid, { d: LEVELS.map((one) => `M${left},${y(one)}H${right}`).join("") });
    scale.forEach((one, i) => put(one, { x: left - 7, y: y(LEVELS[i]) + 4 }));
    put(title, {
      x: isPhone ? 8 : left,
      y: top - (isPhone ? 16 : 24),
      text: say(isPhone ? "wrong_short" : "wrong"),
    });
    ticks.forEach((one, n) =>
      put(one, {
        x: x(n),
        y: foot + (isPhone ? 16 : 22),
        text: n || isPhone ? number(LENGTHS[n]) : say("tick_trained"),
      }),
    );
    const end = LAST * s.known;
    const heights = NAMES.map((name) => y(wrongOf(name, s.kind)));
    const places = apart(heights, isPhone ? 15 : 19, () => true);
    models.forEach(({ name, line, bars, text }, i) => {
      const points = LENGTHS.map((_, n) => n).filter((n) => n <= end + 1e-9);
      const next = points.length - 1;
      const part = end - next;
      const of = (/** @type {number} */ n) => y(wrongOf(name, s.kind, n));
      /** @type {import("../../page/shapes").Point} */
      const tip = [x(end), part > 0 ? mix(of(next), of(next + 1), part) : of(next)];
      put(line, { d: `M${[...points.map((n) => xy([x(n), of(n)])), xy(tip)].join("L")}` });
      put(bars, {
        d: points
          .map((n) => {
            const [low, high] = [1, 2].map((which) => y(wrongOf(name, s.kind, n, which)));
            return `M${x(n)},${low.toFixed(1)}V${high.toFixed(1)}`;
          })
          .join(""),
      });
      put(text, {
        x: right + (isPhone ? 6 : 12),
        y: places[i] + 5,
        text: say(isPhone ? `${name}_short` : name),
      });
      show(text, s.known > 0.99 ? 1 : 0);
    });
    const gap = isPhone ? 6 : 12;
    const wide = (Math.min(width - 16, isPhone ? width : 540) - 2 * gap) / KINDS.length;
    const tall = isPhone ? 30 : 36;
    buttons.forEach(({ kind, button, plate, text }, i) => {
      const start = (isPhone ? 8 : left) + i * (wide + gap);
      const isNow = Math.round(s.kind) === i;
      put(plate, { x: start, y: isPhone ? 4 : 30, width: wide, height: tall });
      put(plate, { fill: isNow ? "var(--ink)" : "var(--paper)" });
      put(text, {
        x: start + wide / 2,
        y: (isPhone ? 4 : 30) + tall / 2 + 5,
        text: say(isPhone ? `${kind}_short` : kind),
        style: `fill: var(${isNow ? "--paper" : "--ink"})`,
      });
      put(button, { tabindex: isGuessing() ? -1 : 0, "aria-pressed": isNow ? "true" : "false" });
    });
    asked(
      [5, 40, 75].map((percent) => [x(LAST), y(percent)]),
      presence,
    );
  };
}
