// What the end of a text costs small models, by its length, each with a place of its own or with none.

import { asked } from "./asked.js";
import { nothing, svg } from "./lit/lit.js";
import { mark, pill, through } from "./parts.js";
import { clamp, mix } from "./shapes.js";

/** @import { Box, Stage, State } from "./types" */
/** @import { Point } from "./shapes.js" */
/** @typedef {{ trained: number, bits: Record<string, Record<string, number>> }} Measured */

const LEAST = 1.5; // bits
/** NoPE tells no place, RoPE turns. @type {Record<string, string>} */
const DASHES = { nope: "9 5", rope: "14 4 3 4" };

/** Bits per byte of a model at a length between measured ones, by its name and the doublings of the
 * trained length. @param {Measured} measured
 */
export const bitsOf =
  ({ trained, bits }) =>
  (/** @type {string} */ name, /** @type {number} */ doublings) => {
    const at = (/** @type {number} */ n) => bits[name][String(trained * 2 ** n)];
    const low = Math.max(0, Math.ceil(doublings) - 1);
    return mix(at(low), at(low + 1), doublings - low);
  };

/** Heights moved apart until no two that `meet` are closer than `gap`.
 * @param {number[]} wanted @param {number} gap @param {(i: number, j: number) => boolean} meet
 */
export function apart(wanted, gap, meet) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const found = [...wanted];
  for (let round = 0; round < 40; round++)
    order.slice(1).forEach((one, i) => {
      const short = gap - (found[one] - found[order[i]]);
      if (short <= 0 || !meet(one, order[i])) return;
      found[order[i]] -= short / 2;
      found[one] += short / 2;
    });
  return found;
}

/**
 * There as much as the state's `far` says. Lines are drawn up to its `length`; those of `whole` to their
 * ends, at once, and where there are none, all once they are `known`.
 * @param {State} s
 * @param {Box} room
 * @param {Stage} stage
 * @param {Measured} measured
 * @param {{ names: readonly string[], strong: readonly string[], whole: readonly string[], doublings: number, most: number }} which
 */
export function lengths(
  s,
  { width, height, isPhone },
  { say, number, set, move, isGuessing, handle },
  measured,
  { names, strong, whole, doublings, most },
) {
  const presence = clamp(2 * s.far - 1, 0, 1);
  if (presence < 0.02) return "";
  const { trained } = measured;
  const bits = bitsOf(measured);
  const levels = Array.from({ length: most - 1 }, (_, i) => i + 2);
  const stops = Array.from({ length: doublings + 1 }, (_, n) => n);
  const [left, right] = [isPhone ? 30 : 70, width - (isPhone ? 112 : 190)];
  const [top, foot] = [isPhone ? 32 : 80, height - (isPhone ? 52 : 92)];
  const x = (/** @type {number} */ n) => mix(left, right, n / doublings);
  const y = (/** @type {number} */ b) => mix(foot, top, (b - LEAST) / (most - LEAST));
  // A name stands at the end of its line; those at one place stand apart.
  const isKnown = !whole.length && s.known > 0.99 && !isGuessing();
  const ends = names.map((name) => (whole.includes(name) || isKnown ? doublings : s.length));
  const heights = names.map((name, i) => y(bits(name, ends[i])));
  const labels = apart(heights, isPhone ? 14 : 19, (i, j) => Math.abs(ends[i] - ends[j]) < 1);
  // While the handle is elsewhere, those are named there, too.
  const isBack = isKnown && s.length < doublings - 0.5;
  // They stand in a list where no line goes, the highest first.
  const falling = [...names].sort((a, b) => bits(b, s.length) - bits(a, s.length));
  const below = isPhone ? 16 : 20;
  const named = (/** @type {string} */ name, /** @type {number} */ i) =>
    svg`<g data-marks=${`curve ${name}`}><text class=${`t14 halo ${strong.includes(name) ? "bold" : "soft"}`} x=${left + 26} y=${top + (i + 2) * below}>${say(`model_${name}`, { bits: number(bits(name, s.length), 2) })}</text></g>`;
  const model = (/** @type {string} */ name, /** @type {number} */ i) => {
    const end = ends[i];
    const isStrong = strong.includes(name);
    const colour = `var(--${isStrong ? "ink" : "soft"})`;
    const isAmong = !whole.includes(name) && whole.length > 0 && s.length < doublings - 0.5; // other lines go on here
    /** @param {number} n @param {number} r */
    const dot = (n, r) => svg`<circle r=${r} fill=${colour} cx=${x(n)} cy=${y(bits(name, n))} />`;
    /** @type {Point[]} */
    const line = [...stops.filter((n) => n < end), end].map((n) => [x(n), y(bits(name, n))]);
    return svg`<g data-marks=${`curve ${name}`}>
      <path fill="none" stroke=${colour} stroke-width=${isStrong ? 3 : 1.8} stroke-dasharray=${DASHES[name] ?? nothing} d=${through(line)} />
      ${stops.filter((n) => n <= end).map((n) => dot(n, 3.5))}
      ${dot(s.length, 4.5)}
      <text class=${`t14 halo ${isStrong ? "" : "soft"}`} x=${x(end) + (isPhone ? 8 : 14)} y=${labels[i] + (isAmong ? 22 : 5)}>${say(`model_${name}`, { bits: number(bits(name, end), 2) })}</text></g>`;
  };
  const [high, middle, less] = ["sinusoidal", "t5", "alibi"].map((name) => bits(name, 1));
  /** @type {Point[]} */
  const like = [high, (high + middle) / 2, less].map((b) => [x(1), y(b)]);
  const wide = isPhone ? 46 : 58;
  const low = foot + (isPhone ? 20 : 34);
  const go = (/** @type {number} */ to) => set({ length: clamp(to, 0, doublings) });
  const hold = handle({
    label: say("length_label"),
    now: trained * 2 ** s.length,
    min: trained,
    max: trained * 2 ** doublings,
    text: say("length_at"),
    keys: (by) => go(Math.round(s.length) + Math.sign(by)),
    move: ([at]) => go(((at - left) / (right - left)) * doublings),
    end: () => move({ length: Math.round(s.length) }, 140), // only there it was measured
  });
  return mark(
    "",
    presence,
    svg`
    <g data-marks="curve">
      <path class="line" d=${levels.map((one) => `M${left},${y(one)}H${right}`).join("")} />
      ${levels.map((one) => svg`<text class="t12 soft end" x=${left - 7} y=${y(one) + 4}>${number(one)}</text>`)}
      <text class="t14 soft" x=${isPhone ? 8 : left} y=${isPhone ? 16 : 40}>${say(isPhone ? "bits_short" : "bits")}</text>
      ${stops
        .filter((n) => Math.abs(n - s.length) >= 0.12) // the handle says it
        .map((n) => {
          const text = n || isPhone ? number(trained * 2 ** n) : say("trained");
          return svg`<text class=${`t12 soft ${n ? "middle" : ""}`} x=${x(n)} y=${foot + (isPhone ? 15 : 20)}>${text}</text>`;
        })}</g>
    ${names.map(model)}
    ${isBack ? svg`<text class="t14 halo" x=${left + 14} y=${top + below}>${say("length_at")}</text>${falling.map(named)}` : ""}
    ${asked(whole.length ? like : [[x(doublings), y((LEAST + most) / 2)]], presence * s.guessing)}
    <g data-marks="length"><g ${hold}>
      <rect fill="transparent" x=${left - 20} y=${top} width=${right - left + 40} height=${height - top} />
      <path stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="3 4" d=${`M${x(s.length)},${top}V${low}`} />
      ${pill({ x: x(s.length) - wide / 2, y: low, width: wide, height: 26, rx: 13, fill: "var(--ink)" })}
      <text class="middle paper" x=${x(s.length)} y=${low + 18}>${say("length")}</text></g></g>`,
  );
}
