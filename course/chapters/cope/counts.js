// CoPE: how often small models miscount, by the length of the text, in texts of three kinds.

import { asked } from "../../page/asked.js";
import { apart } from "../../page/lengths.js";
import { svg } from "../../page/lit/lit.js";
import { through } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import data from "./data.js";

/** @import { Box, Stage, State } from "../../page/types" */
/** @import { Point } from "../../page/shapes.js" */
/** @typedef {"alibi" | "cope" | "rope"} Name */

export const { lengths: LENGTHS } = data;
const LAST = LENGTHS.length - 1;
/** @type {Name[]} */
const NAMES = ["alibi", "cope", "rope"];
export const KINDS = /** @type {const} */ (["trained", "between", "rare"]);
const MOST = 85; // per cent
const LEVELS = [0, 20, 40, 60, 80];
const LOOKS = {
  alibi: { stroke: "var(--ink)", width: 2, dashes: "none" },
  cope: { stroke: "var(--content)", width: 3.5, dashes: "none" },
  rope: { stroke: "var(--soft)", width: 2, dashes: "9 4 2 4" },
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

/** @param {State} s @param {Box} box @param {Stage} stage */
export function counts(s, box, stage) {
  const presence = clamp(2 * s.far - 1, 0, 1);
  if (presence < 0.02) return "";
  const { width, height, isPhone } = box;
  const { say, number } = stage;
  const left = isPhone ? 40 : 64;
  const right = width - (isPhone ? 118 : 190);
  const top = isPhone ? 86 : 132;
  const foot = height - (isPhone ? 26 : 58);
  const x = (/** @type {number} */ n) => mix(left + 12, right, n / LAST);
  const y = (/** @type {number} */ percent) => mix(foot, top, percent / MOST);
  const end = LAST * s.known;
  const points = LENGTHS.map((_, n) => n).filter((n) => n <= end + 1e-9);
  const next = points.length - 1;
  const heights = NAMES.map((name) => y(wrongOf(name, s.kind, Math.round(end))));
  const wanted = apart(heights, isPhone ? 15 : 19, () => true);
  const low = Math.max(0, Math.max(...wanted) + 10 - foot); // a name is kept off the lengths
  const places = wanted.map((place) => place - low);
  const model = (/** @type {Name} */ name, /** @type {number} */ i) => {
    const { stroke, width: thick, dashes } = LOOKS[name];
    const of = (/** @type {number} */ n) => y(wrongOf(name, s.kind, n));
    const tip = end > next ? mix(of(next), of(next + 1), end - next) : of(next);
    /** @type {Point[]} */
    const line = [
      ...points.map((n) => /** @type {[number, number]} */ ([x(n), of(n)])),
      [x(end), tip],
    ];
    const isWhole = s.known > 0.99;
    const told = isWhole ? say(isPhone ? `${name}_short` : name) : say(`name_${name}`);
    const [low, high] = [1, 2].map((which) => y(wrongOf(name, s.kind, LAST, which)));
    const aside = right + (i + 1) * (isPhone ? 4 : 7); // so that bars of two names can be told apart
    return svg`<g data-marks=${`curves ${name}`} opacity=${presence}>
      <path fill="none" stroke=${stroke} stroke-width=${thick} stroke-dasharray=${dashes} d=${through(line)} />
      ${isWhole ? svg`<path stroke=${stroke} stroke-width="3" d=${`M${aside},${low}V${high}`} />` : ""}
      <text class="t14 halo" x=${isWhole ? right + (isPhone ? 18 : 32) : x(end) + 12} y=${places[i] + 5}>${told}</text></g>`;
  };
  return svg`
    <g data-marks="curves" opacity=${presence}>
      <path class="line" d=${LEVELS.map((one) => `M${left},${y(one)}H${right}`).join("")} />
      ${LEVELS.map((one) => svg`<text class="t12 soft end" x=${left - 7} y=${y(one) + 4}>${one}%</text>`)}
      <text class="t14 soft" x=${isPhone ? 8 : left} y=${top - 14}>${say(isPhone ? "wrong_short" : "wrong")}</text>
      <text class="t14" x=${isPhone ? 8 : left} y=${top - (isPhone ? 33 : 38)}>${say(`mix_${KINDS[Math.round(s.kind)]}`)}</text>
      ${LENGTHS.map((length, n) => svg`<text class="t12 soft middle" x=${x(n)} y=${foot + (isPhone ? 16 : 22)}>${n || isPhone ? number(length) : say("tick_trained")}</text>`)}
      ${asked(
        [20, 40, 60].map((percent) => [x(LAST), y(percent)]),
        presence * s.guessing,
      )}</g>
    ${NAMES.map(model)}
    <g data-marks="kinds" opacity=${presence}>${KINDS.map((kind, i) => button(s, box, stage, kind, i, left))}</g>`;
}

/** A kind of texts. @param {State} s @param {Box} box @param {Stage} stage @param {string} kind @param {number} i @param {number} left */
function button(s, { width, isPhone }, stage, kind, i, left) {
  const { say, seen, move, isGuessing } = stage;
  const gap = isPhone ? 6 : 12;
  const wide = (Math.min(width - 16, isPhone ? width : 540) - 2 * gap) / KINDS.length;
  const [x, y, high] = [
    (isPhone ? 8 : left) + i * (wide + gap),
    isPhone ? 4 : 30,
    isPhone ? 30 : 36,
  ];
  const isNow = Math.round(s.kind) === i;
  const choose = () => {
    if (isGuessing()) return;
    seen.add(i);
    move({ kind: i }, 500);
  };
  return svg`<g ${stage.button(choose)} tabindex=${isGuessing() ? -1 : 0} aria-pressed=${isNow}>
    <rect rx="8" stroke="var(--line)" stroke-width="1.5" fill=${`var(--${isNow ? "ink" : "paper"})`} x=${x} y=${y} width=${wide} height=${high} />
    <text class="t14 middle" style=${`fill: var(--${isNow ? "paper" : "ink"})`} x=${x + wide / 2} y=${y + high / 2 + 5}>${say(isPhone ? `${kind}_short` : kind)}</text></g>`;
}
