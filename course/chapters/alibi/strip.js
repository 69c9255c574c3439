// The last words in a row: what each loses hangs below it, what it gets stands above.

import { slope } from "../../page/formulas/penalties.js";
import { clamp } from "../../page/shapes.js";
import { attention, columnX, queryOf } from "./scene.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./scene").Room} Room */

const MOST = 10; // words of a row
const HEADS = 8;
const SHARE = 24; // pixels above a bar, where its share is written

/** Of a straight line: as many as its slope has, so that its steps add up. @param {number} m */
const exact = (m) => clamp(Math.round(-Math.log2(m)), 2, 4);
/** @param {(value: number, digits?: number) => string} number @param {number} m */
export const short = (number, m) => number(m, exact(m));
/** @param {State} s */
export const fraction = (s) => `1/${2 ** Math.round(s.head)}`;

/** @param {Stage} stage @param {() => Room} room @param {(share: number) => string} percent */
export function buildStrip(stage, room, percent) {
  const { make, put, show, group, slider, grip, value, say, number, set, move, step, isGuessing } =
    stage;
  const times = (/** @type {number} */ n, /** @type {(i: number) => SVGElement} */ one) =>
    Array.from({ length: n }, (_, i) => one(i));
  const { state } = stage;

  const fan = group("fan");
  const rays = times(HEADS, () => make("line", { stroke: "var(--line)" }, fan));
  const rayNames = times(4, (i) =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, fan, `1/${2 ** (i + 1)}`),
  );
  const fall = group("fall");
  const drops = times(MOST, () => make("rect", { fill: "var(--line)" }, fall));
  const losses = times(MOST, () => make("text", { class: "t12 soft halo" }, fall));
  const line = make("path", { stroke: "var(--ink)", "stroke-width": 2, fill: "none" }, fall);
  const name = make("text", { class: "big", "text-anchor": "end" }, fall);
  const under = make("text", { class: "t14", "text-anchor": "end" }, fall);
  const end = slider(fall, {
    label: say("line_label"),
    keys: (by) => pull(by),
    move: ([, y]) => drag(y),
    end: () => settle(),
  });
  grip(end);

  const rise = group("bars light");
  const bars = times(MOST, () => make("rect", { fill: "var(--attention)" }, rise));
  const shares = times(MOST, () => make("text", { class: "t14", "text-anchor": "middle" }, rise));
  const riseName = make("text", { class: "t14 soft" }, rise);
  const pair = group("pair bars");
  const level = make(
    "path",
    { stroke: "var(--ink)", "stroke-dasharray": "2 4", fill: "none" },
    pair,
  );
  const bracket = slider(pair, {
    label: say("pair_label"),
    keys: (by) => look(state.pair - by),
    start: ([x]) => x - columnX(room(), state, queryOf(state) - state.pair),
    move: ([x], off) => {
      const { strip } = room();
      look((strip.left + (strip.count - 1) * strip.column - x + off) / strip.column);
    },
  });
  const hit = make("rect", { fill: "transparent", height: 58 }, bracket);
  const ring = make("rect", { class: "ring", height: 44, rx: 9 }, bracket);
  const hook = make(
    "path",
    { stroke: "var(--ink)", "stroke-width": 2.5, fill: "none", "stroke-linecap": "round" },
    bracket,
  );
  const ratio = make(
    "text",
    { class: "halo", "text-anchor": "middle", style: "font-weight:600" },
    bracket,
  );

  const last = () => room().strip.count - 1;

  /** @param {number} y The end of the line follows the hand. */
  function drag(y) {
    const { strip } = room();
    const lost = (y - strip.top) / strip.deep;
    set({ head: clamp(-Math.log2(Math.max(lost, 1e-9) / last()), 1, HEADS) });
  }
  /** @param {number} by */
  function pull(by) {
    set({ head: clamp(Math.round(state.head) + by, 1, HEADS) });
  }
  function settle() {
    move({ head: Math.round(state.head) }, 140);
  }
  /** @param {number} to */
  function look(to) {
    if (isGuessing()) return;
    set({ pair: clamp(Math.round(to), 0, last() - 1) });
    stage.seen.add(state.pair);
  }

  return (/** @type {State} */ s) => {
    const at = room();
    const { strip, isPhone, width: W, height: H } = at;
    const presence = s.strip * (1 - s.page);
    for (const node of [fall, fan]) show(node, presence);
    show(rise, presence * s.rise);
    show(pair, presence * s.rise);
    if (presence < 0.02) return;
    const m = slope(s.head);
    const { share } = attention(s);
    const own = share(0);
    const isFree = step() === "line";
    const middle = (/** @type {number} */ d) => columnX(at, s, queryOf(s) - d) + strip.column / 2;
    const far = strip.count - 1;
    const w = Math.min(46, strip.column * 0.62);
    const tall = (/** @type {number} */ d) => (share(d) / own) * strip.tall;
    for (let d = 0; d < MOST; d++) {
      const lost = m * d;
      const x = middle(d);
      const there = d < strip.count ? 1 : 0;
      put(drops[d], { x: x - w / 2, y: strip.top, width: w, height: lost * strip.deep });
      const isHeld = d === far && isFree; // a handle lies on the line's end
      put(losses[d], {
        x: x + (isHeld ? 0 : 2), // beside the line, which falls to the left
        y: strip.top + lost * strip.deep + (isHeld ? 30 : 18),
        "text-anchor": isHeld ? "middle" : "start",
        text: d ? number(-lost, isPhone && lost >= 10 ? 0 : exact(m)) : "0",
      });
      put(bars[d], { x: x - w / 2, y: strip.base - tall(d), width: w, height: tall(d) });
      put(shares[d], { x, y: strip.base - tall(d) - 7, text: percent(share(d)) });
      for (const node of [drops[d], losses[d], bars[d], shares[d]]) show(node, there);
    }
    const [x, y] = [middle(far), strip.top + m * far * strip.deep].map((one) => one.toFixed(1));
    put(line, { d: `M${middle(0)},${strip.top}L${x},${y}` });
    put(end, { transform: `translate(${x} ${y})` });
    put(end, { tabindex: isFree ? 0 : -1, style: isFree ? undefined : "pointer-events: none" });
    show(end, isFree ? 1 : 0);
    value(end, s.head, 1, HEADS, say("slope_at"));

    const isFanned = s.fan;
    rays.forEach((ray, i) => {
      put(ray, {
        x1: middle(0),
        y1: strip.top,
        x2: middle(far),
        y2: strip.top + (far * strip.deep) / 2 ** (i + 1),
      });
      show(ray, isFanned);
    });
    rayNames.forEach((text, i) => {
      put(text, {
        x: middle(far) - w / 2 - 6,
        y: strip.top + 4 + (far * strip.deep) / 2 ** (i + 1),
      });
      show(text, Math.abs(s.head - i - 1) < 0.35 ? 0 : isFanned);
    });
    const isWhole = Math.abs(s.head - Math.round(s.head)) < 0.02;
    const right = W - (isPhone ? 14 : 40);
    put(name, {
      x: right,
      y: H - (isPhone ? 36 : 62),
      text: `m = ${isWhole ? fraction(s) : number(m, 3)}`,
    });
    put(under, {
      x: right,
      y: H - (isPhone ? 14 : 34),
      text: say("each_step"),
    });
    const together = Array.from({ length: strip.count }, (_, d) => share(d)).reduce(
      (a, b) => a + b,
      0,
    );
    show(name, 1 - s.rise);
    show(under, 1 - s.rise);
    put(riseName, {
      x: strip.left,
      y: isPhone ? 14 : 22,
      text: say(isPhone ? "shares_short" : "shares", {
        shown: number(strip.count),
        together: percent(together),
      }),
    });

    const d = Math.min(s.pair, far - 1);
    const [a, b] = [middle(d + 1), middle(d)];
    const [high, low] = [strip.base - tall(d), strip.base - tall(d + 1)];
    const hookY = high - (isPhone ? 32 : 40);
    put(hook, { d: `M${a},${hookY + 9}V${hookY}H${b}V${hookY + 9}` });
    put(ratio, {
      x: (a + b) / 2,
      y: hookY - 9,
      text: `× ${number(Math.exp(-m), m > 0.04 ? 2 : 3)}`,
    });
    put(hit, { x: a - 8, width: b - a + 16, y: hookY - 32 });
    put(ring, { x: a - 8, width: b - a + 16, y: hookY - 30 });
    const isApart = low - high > SHARE; // else it would strike through what is written at the lower bar
    put(level, { d: isApart ? `M${b - w / 2},${high}H${a}V${low - SHARE}` : "" });
    value(bracket, d, 0, far - 1, say("pair_at"));
    const isPaired = step() === "softmax" && !isGuessing();
    put(bracket, {
      tabindex: isPaired ? 0 : -1,
      style: isPaired ? undefined : "pointer-events: none",
    });
  };
}
