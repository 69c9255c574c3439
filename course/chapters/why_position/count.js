// Counting: a token that begins every text, and its share for each token that asks under a causal mask.

import { asked } from "../../page/asked.js";
import { svg } from "../../page/lit/lit.js";
import { clamp } from "../../page/shapes.js";
import { COUNT, TOKENS } from "./model.js";
import { tokenDrop, tokenX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** @param {State} s @param {Room} at @param {Stage} stage */
export function count(s, at, stage) {
  const presence = clamp(2 * s.count - 1, 0, 1);
  if (presence < 0.02) return "";
  const { say, number, isGuessing } = stage;
  const { isPhone, ground, width } = at;
  const [first, ...more] = say("longer").split(" ");
  const letters = `font: 600 ${at.letters.toFixed(1)}px var(--heading)`;
  const word = (/** @type {string} */ text, /** @type {number} */ token) =>
    svg`<text class="middle" style=${letters} x=${tokenX(at, token)} y=${ground + at.letters * 0.32 + (token && tokenDrop(at, token))}>${text}</text>`;
  const foot = ground - at.letters - (isPhone ? 18 : 26);
  const top = isPhone ? 22 : 50;
  const step = (width - 2 * at.edge) / TOKENS;
  const w = step * 0.72;
  const left = (/** @type {number} */ token) => tokenX(at, token) - w / 2;
  const height = (/** @type {number} */ n) => (foot - top) / n;
  const query = Math.round(s.query);
  const asks = Array.from({ length: query }, (_, i) => i);
  const isTold = !isGuessing(); // the picture does not answer first
  const bar = (/** @type {number} */ i) =>
    svg`<rect fill="var(--attention)" fill-opacity=${i ? 0.2 : 1} x=${left(i)} y=${foot - height(query)} width=${w} height=${height(query)} />`;
  // Above the query's own dot; on a phone right of it, where the others are lower.
  const isLast = isPhone && tokenX(at, query) + 130 > width;
  const levelY = Math.max(16, foot - height(query) - (isLast ? 26 : 12));
  const levelX = tokenX(at, query - 1) + (isPhone && !isLast ? step * 0.3 : 0);
  const anchor = isPhone ? (isLast ? "end" : "") : "middle";
  const named = query > 1; // else the share stands there
  return svg`<g opacity=${presence}>
    <g data-marks="first">${word(first, 0)}</g>
    <g data-marks="words">${more.map((text, i) => word(text, 1 + COUNT + i))}</g>
    ${isPhone ? "" : Array.from({ length: TOKENS }, (_, i) => svg`<text class="t12 soft middle" x=${tokenX(at, i)} y=${ground + at.letters * 0.32 + 20}>${number(i + 1)}</text>`)}
    <g data-marks="shares">
      ${named ? svg`<text class="t12 soft middle" x=${tokenX(at, 0)} y=${top - 9}>${number(100)}%</text><text class="t12 soft" x=${left(1)} y=${top - 9}>${isTold ? say(isPhone ? "share_axis_short" : "share_axis") : ""}</text>` : ""}
      ${isPhone ? "" : svg`<text class="t12 soft end" x=${left(0) - 4} y=${foot}>${number(0)}%</text>`}
      <path fill="var(--wash)" d=${(isTold ? asks : [0]).map((i) => `M${left(i)},${foot}V${top}h${w}V${foot}`).join("")} />
      ${asked([[tokenX(at, 0), (top + foot) / 2]], Number(!isTold))}
      ${isTold ? asks.slice(1).map(bar) : ""}</g>
    ${
      isTold
        ? svg`<g data-marks="dots">
          ${Array.from({ length: TOKENS }, (_, i) => svg`<circle fill="var(--attention)" r="3.5" cx=${tokenX(at, i)} cy=${foot - height(i + 1)} />`)}</g>`
        : ""
    }
    <g data-marks="shares first">${isTold ? bar(0) : ""}
      ${isTold ? svg`<text class=${`attention halo heavy ${anchor}`} x=${levelX} y=${levelY}>${say("first_share")}</text>` : ""}</g>
    <g data-marks="q">${asking(s, at, stage, top)}</g></g>`;
}

/** The token that asks. @param {State} s @param {Room} at @param {Stage} stage @param {number} top */
function asking(s, at, { say, number, set, handle }, top) {
  const { edge, width, height, ground, letters } = at;
  const step = (width - 2 * edge) / TOKENS;
  const query = Math.round(s.query);
  const hold = handle({
    label: say("query_label"),
    now: query,
    min: 1,
    max: TOKENS,
    text: say("query_at", { n: query, share: number(100 / query, 1) }),
    keys: (by) => set({ query: clamp(Math.round(s.query) + by, 1, TOKENS) }),
    move: ([x]) => set({ query: clamp(Math.ceil((x - edge) / step), 1, TOKENS) }),
  });
  const isEnd = query > TOKENS - 2;
  const arrow = `M${tokenX(at, query - 1)},${ground - letters * 0.6}l-9,-14h18Z`;
  return svg`<g ${hold}>
    <rect fill="transparent" x=${edge} y=${top} width=${width - 2 * edge} height=${height - top} />
    <path fill="var(--q)" d=${arrow} /><path class="ring" d=${arrow} />
    <text class=${`t12 q ${isEnd ? "end" : ""}`} x=${tokenX(at, query - 1) + (isEnd ? -13 : 13)} y=${ground - letters * 0.6 - 3}>${say("query")}</text></g>`;
}
