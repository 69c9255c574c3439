// Two words, and the place itself added to every number of theirs.

import { svg } from "../../page/lit/lit.js";
import { ENOUGH, NAMES, WORDS, at, similarity } from "./model.js";
import { WIDTH, after } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** @param {State} s @param {Room} room @param {Stage} stage */
export function words(s, { width, bottom, left, isPhone }, { say }) {
  const presence = after(s.words);
  if (presence < 0.02) return "";
  const gap = isPhone ? 34 : 130;
  const w = (width - 2 * left - gap) / 2;
  const top = isPhone ? 52 : 110;
  const base = bottom - (isPhone ? 44 : 100);
  const unit = (base - top) / (Math.max(1, s.p + 1) + 1); // each is drawn to fit
  const zero = base - unit;
  const level = zero - s.p * unit;
  const bar = w / WIDTH;
  const word = (/** @type {number} */ i) => {
    const x = left + i * (w + gap);
    const bars = (
      /** @type {(v: number) => number} */ from,
      /** @type {(v: number) => number} */ to,
    ) =>
      WORDS[i]
        .map((v, n) => `M${x + bar * (n + 0.14)},${from(v)}h${bar * 0.72}V${to(v)}h${-bar * 0.72}Z`)
        .join("");
    const name = at(s) ? say("with_place", { name: NAMES[i] }) : NAMES[i];
    return svg`
      <g data-marks="place"><path fill="var(--ink)" fill-opacity="0.55" d=${bars(
        () => zero,
        () => level,
      )} /></g>
      <g data-marks="word"><path fill="var(--content)" d=${bars(
        () => level,
        (v) => level - v * unit,
      )} /></g>
      <path stroke="var(--soft)" d=${`M${x},${zero}h${w}`} />
      <text class="middle bold" x=${x + w / 2} y=${base + (isPhone ? 18 : 30)}>${name}</text>`;
  };
  const middle = left + w + gap / 2;
  const isSame = similarity(s) > ENOUGH;
  return svg`<g opacity=${presence}>
    ${[0, 1].map(word)}
    <g data-marks="word">
      <path stroke="var(--content)" stroke-width="2" fill="none" d=${`M${middle - 5},${zero - unit}h10M${middle},${zero - unit}V${zero + unit}m-5,0h10`} />
      ${isPhone ? "" : svg`<text class="t12 content middle" x=${middle} y=${zero - unit - 10}>${say("range")}</text>`}</g>
    <g data-marks="alike">
      <text class=${`big ${isSame ? "new" : ""}`} x=${width / 2 + (isPhone ? 32 : 46)} y=${isPhone ? 28 : 60}>${say("alike")}</text>
      <text class="t14 soft end" x=${width / 2 + (isPhone ? 22 : 34)} y=${isPhone ? 26 : 56}>${say("similarity")}</text></g></g>`;
}
