// Beside the sentence: all heads, the words that come next, and what was measured by the gap.

import { asked } from "../../page/asked.js";
import { svg } from "../../page/lit/lit.js";
import { through } from "../../page/parts.js";
import { mix } from "../../page/shapes.js";
import data from "./data.js";
import { CLEAR, GAPS, WOKEN, back, backShare, firsts, nextWords, rests } from "./read.js";
import { plotOf } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @import { Point } from "../../page/shapes.js" */

const ROWS = 9; // heads of a layer
const LAYERS = data.firsts[0].length / ROWS;
const FURTHEST = 4; // words back that are listed
const REST = data.heads.rest[0] * ROWS + data.heads.rest[1];

/** One square a head: the darker, the more goes to the first word. @param {State} s @param {Room} room @param {Stage} stage */
export function heads(s, { width, height, isPhone, cell: size }, { say }) {
  if (s.map < 0.02) return "";
  const x = isPhone ? 8 : width - LAYERS * size - 16;
  const y = isPhone ? height - ROWS * size - 3 : 38;
  const left = (/** @type {number} */ head) => x + Math.floor(head / ROWS) * size;
  const top = (/** @type {number} */ head) => y + (head % ROWS) * size;
  const cell = (/** @type {number} */ share, /** @type {number} */ head) => {
    const isGrey = s.known > 0.5 && share < CLEAR;
    return svg`<rect rx="1" fill=${`var(--${isGrey ? "soft" : "attention"})`} opacity=${0.1 + (isGrey ? 0.3 : 0.9) * share * s.known} x=${left(head)} y=${top(head)} width=${size - 0.8} height=${size - 0.8} />`;
  };
  const short = isPhone ? "_short" : "";
  const label = say(s.known < 0.5 ? "heads" : `resting${short}`);
  const frame = (/** @type {string} */ colour, /** @type {number} */ thick) =>
    svg`<rect fill="none" stroke=${`var(--${colour})`} stroke-width=${thick} x=${left(REST) - 2} y=${top(REST) - 2} width=${size + 3.2} height=${size + 3.2} />`;
  return svg`<g data-marks="heads" opacity=${s.map}>
    ${firsts(s).map(cell)}
    ${frame("paper", 5)}${frame("ink", 2.5)}
    <text class="t14" x=${isPhone ? x + LAYERS * size + 10 : x} y=${isPhone ? y + 14 : 26}>${label}</text>
    ${s.known > 0.5 && s.press > 0.5 ? svg`<text class=${`t12 soft ${isPhone ? "" : "end"}`} x=${x + LAYERS * size + (isPhone ? 10 : 0)} y=${isPhone ? y + 32 : 26}>${say(`resting_before${short}`)}</text>` : ""}
    ${
      isPhone
        ? ""
        : svg`<text class="t14 soft" x=${x} y=${y + ROWS * size + 18}>${say("layers")}</text>
      <text class="t14" x=${left(REST)} y=${y + ROWS * size + 18}>${say("framed")}</text>`
    }</g>`;
}

/** How much the head gives on average to the words so and so many back. @param {State} s @param {Room} room @param {Stage} stage */
export function backs(s, { width, isPhone }, { say, number }) {
  if (s.backs < 0.02 || isPhone) return "";
  const x = width - 226;
  const most = back(s);
  const first = rests(s) ? 1 : Math.max(1, most - FURTHEST + 1); // the one that gets most is among them
  const rows = Array.from({ length: FURTHEST }, (_, i) => first + i).map((count, r) => {
    const y = 50 + 22 * r;
    const share = 100 * backShare(s, count);
    const css = count === most ? "bold" : "soft";
    return svg`<text class=${`t14 end ${css}`} x=${x + 14} y=${y}>${number(count)}</text>
      <rect fill="var(--attention)" rx="2" height="13" opacity=${count === most ? 1 : 0.5} x=${x + 24} y=${y - 11} width=${Math.max(1, share)} />
      <text class=${`t14 ${css}`} x=${x + 32 + share} y=${y}>${say("share", { share: number(share) })}</text>`;
  });
  return svg`<g data-marks="arcs" opacity=${s.backs}>
    <text class="t14 soft" x=${x} y="26">${say("backs")}</text>
    ${rows}</g>`;
}

/** The three likeliest next words; on a phone two, in a line or where the ruler was. @param {State} s @param {Room} room @param {Stage} stage */
export function next(s, { width, height, isPhone, foot }, { say, number }) {
  if (s.next < 0.02) return "";
  const x = width - 226;
  const line = (/** @type {number} */ beside) =>
    mix(height - foot + 14, height - 136 + beside, s.apart);
  const words = nextWords(s).map(([word, share], r) => {
    const y = 54 + 27 * r;
    const percent = say("share", { share: number(100 * share) });
    const css = r ? "" : "heavy";
    if (isPhone)
      return r > 1
        ? ""
        : svg`<text class=${css} x=${mix(70 + 148 * r, 214, s.apart)} y=${line(22 * (r + 1))}>${word} ${percent}</text>`;
    return svg`<text class=${css} x=${x} y=${y}>${word}</text>
      <rect fill="var(--attention)" rx="2" height="13" opacity=${r ? 0.5 : 1} x=${x + 78} y=${y - 11} width=${Math.max(1, 100 * share)} />
      <text class="t14 soft" x=${x + 86 + 100 * share} y=${y}>${percent}</text>`;
  });
  return svg`<g data-marks="next" opacity=${s.next}>
    <text class="t14 soft" x=${isPhone ? mix(8, 214, s.apart) : x} y=${isPhone ? line(0) : 26}>${say(isPhone ? "next_short" : "next")}</text>
    ${words}</g>`;
}

/** By the gap: how much the head gives the word that came next, or how likely it is that the model finds it.
 * @param {State} s @param {Room} room @param {Stage} stage
 */
export function curve(s, room, { say, number }) {
  const presence = Math.max(s.line, s.woken);
  if (presence < 0.02) return "";
  const isHead = s.woken > s.line;
  const shares = isHead ? WOKEN : data.found;
  const { x, y, w, h } = plotOf(room, s);
  const last = GAPS.length - 1;
  const px = (/** @type {number} */ stop) => x + (w * stop) / last;
  const py = (/** @type {number} */ share) => y + h * (1 - share);
  const seen = shares.map((_, stop) => stop).filter((stop) => stop <= s.curve * last + 1e-6);
  /** @returns {Point} */
  const point = (/** @type {number} */ stop, by = 0) => [
    px(stop),
    py(shares[stop] + by * data.error[stop]),
  ];
  const area = [
    ...seen.map((stop) => point(stop, 1)),
    ...[...seen].reverse().map((stop) => point(stop, -1)),
  ];
  const now = Math.min(Math.round(s.gap), seen.length - 1);
  const isLate = now > last / 2;
  const end = GAPS.indexOf(data.trained);
  const size = room.isPhone ? "_short" : "";
  const percent = (/** @type {number} */ share) => say("share", { share: number(100 * share) });
  const untrained = svg`<g data-marks="untrained">
    <rect fill="var(--wash)" x=${px(end)} y=${y} width=${x + w - px(end)} height=${h} />
    <text class="t14 soft end" x=${x + w - (room.isPhone ? 0 : 4)} y=${y + 16}>${say(`untrained${size}`)}</text></g>`;
  return svg`<g opacity=${presence}>
    ${isHead ? "" : untrained}
    <g data-marks="curve">
      <path class="line" d=${`M${x},${y}V${y + h}H${x + w}`} />
      ${isHead ? "" : svg`<path fill="var(--attention)" opacity="0.2" d=${`${through(area)}Z`} />`}
      <path fill="none" stroke="var(--attention)" stroke-width="2.5" stroke-linejoin="round" d=${through(seen.map((stop) => point(stop)))} />
      ${seen.map((stop) => svg`<circle r="2.8" fill="var(--attention)" cx=${px(stop)} cy=${py(shares[stop])} />`)}
      <circle r="5" fill="var(--attention)" cx=${px(now)} cy=${py(shares[now])} />
      <text class=${`t14 halo bold ${isLate ? "end" : ""}`} x=${px(now) + (isLate ? -10 : 10)} y=${py(shares[now]) - 10}>${percent(shares[now])}</text>
      <text class="t14" x=${room.isPhone ? x - 24 : 8} y=${y - 14}>${say((isHead ? "woken" : "found") + size)}</text>
      <path class="line" stroke-dasharray="3 4" d=${`M${x},${py(0.5)}h${w}`} />
      ${(isHead && room.isPhone ? [0, 1] : [0, 0.5, 1]).map((share) => svg`<text class="t12 soft end" x=${x - 6} y=${py(share) + 4}>${percent(share)}</text>`)}</g>
    ${asked(isHead ? [] : [[px(end / 2), py(0.5)]], s.line * s.guessing)}</g>`;
}
