// One number of an output as a sum: each word's share times its value, laid on one another in the order of the words.

import { svg } from "../../page/lit/lit.js";
import { clamp, mix } from "../../page/shapes.js";
import { TYPED } from "./model.js";
import { half } from "./outputs.js";
import { placeX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @import { Now } from "./model.js" */

const LABEL = 18; // pixels: the sum is written beyond the blocks

/** How far all blocks of one sign reach: in any order the others stay between. @param {Now} now @param {number} sign */
const reach = ({ terms }, sign) => terms.reduce((sum, term) => sum + Math.max(0, sign * term), 0);

/** @param {State} s @param {Room} at @param {Stage} stage @param {Now} now */
export function chain(s, at, { say, number }, now) {
  const presence = clamp(2 * s.chain - 1, 0, 1);
  if (presence < 0.02) return "";
  const { top, foot } = at.chain;
  const [left, right] = [at.left, at.width - at.left];
  const [up, down] = [reach(now, 1), -reach(now, -1)];
  const y = (/** @type {number} */ level) =>
    mix(foot - LABEL, top + LABEL / 2, (level - down) / (up - down));
  const wide = half(at) * 0.8;
  const ends = TYPED.map((word) => {
    const sums = now.terms.map((term, other) => {
      const passed = clamp((s.places[word] - s.places[other] + 1) / 2, 0, 1);
      return other === word ? 0 : term * passed; // the two exchange their places little by little
    });
    const from = sums.reduce((a, b) => a + b, 0);
    return [from, from + now.terms[word]];
  });
  const total = y(now.outputs[now.word][now.channel]);
  const last = TYPED.reduce((a, b) => (s.places[b] > s.places[a] ? b : a));
  const isBelow = now.terms[last] < 0; // away from the last block
  const steps = ends.map(([, to], word) =>
    s.places[word] > TYPED.length - 1.5
      ? ""
      : `M${placeX(at, s.places[word]) + wide},${y(to)}h${at.slot - 2 * wide}`,
  );
  const block = (/** @type {number} */ word) => {
    const [from, to] = ends[word].map(y);
    return svg`<rect fill="var(--content)" fill-opacity="0.75" x=${placeX(at, s.places[word]) - wide} y=${Math.min(from, to)} width=${2 * wide} height=${Math.max(1.5, Math.abs(to - from))} />`;
  };
  const low = at.height - (at.isPhone ? 5 : 14);
  const product = (/** @type {number} */ word) => {
    const x = placeX(at, s.places[word]);
    const term = number(now.terms[word], 3); // so that they add up to the sum
    if (at.isPhone) return svg`<text class="t14 content middle" x=${x} y=${low}>${term}</text>`;
    const share = number(100 * now.shares[now.word][word], 1);
    const value = number(now.values[word][s.picked.channel], 2);
    return svg`
      <text class="t14 content middle" x=${x} y=${low - 19}>${share}% × ${value}</text>
      <text class="t14 content middle" x=${x} y=${low}>= ${term}</text>`;
  };
  return svg`<g data-marks="chain" opacity=${presence}>
    <path class="line" d=${`M${left},${y(0)}H${right}`} />
    ${at.isPhone ? "" : svg`<text class="t14 end" x=${left - 6} y=${y(0) + 5}>${number(0)}</text>`}
    ${at.isPhone && Math.abs(total - y(0)) > 42 ? svg`<text class="t12 soft halo end" x=${right} y=${y(0) - 5}>${number(0)}</text>` : ""}
    <path stroke="var(--soft)" stroke-dasharray="2 4" fill="none" d=${steps.join("")} />
    ${TYPED.map(block)}
    <path stroke="var(--ink)" stroke-width="2.5" d=${`M${left},${total}H${right}`} />
    <text class="halo end heavy" x=${right} y=${total + (isBelow ? 19 : -8)}>${say("sum")}</text>
    <g data-marks="content">${TYPED.map(product)}${at.isPhone ? "" : svg`<text class="t14 content middle" x=${placeX(at, 0)} y=${low - 42}>${say("product")}</text>`}</g></g>`;
}
