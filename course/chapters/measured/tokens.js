// The first words of a text, token by token: how many bits each costs.

import { svg } from "../../page/lit/lit.js";
import { mark, seen } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import data from "./data.js";
import { high } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @typedef {{ text: string, bits: number, likeliest: string, least: number }} Token */

/** The first token is given. @type {Token[]} */
export const TOKENS = data.sentence.map(([text, bits = 0, likeliest = "", least = 0]) => ({
  text: String(text).trim(),
  bits: Number(bits),
  likeliest: String(likeliest).trim(),
  least: Number(least),
}));
const LAST = TOKENS.length - 1;
const most = Math.max(...TOKENS.map(({ bits }) => bits));
export const DEAREST = TOKENS.findIndex(({ bits }) => bits === most);
/** @param {State} s */
export const wordAt = (s) => clamp(Math.round(s.word), 1, LAST);

const GAP = 6; // pixels between words

/** Left edges of the words, and the last right edge with its gap. @param {Room} room */
function spread({ x, wide, isPhone }) {
  const end = x + wide + GAP;
  if (isPhone) return [...TOKENS.map((_, i) => x + (i * wide) / TOKENS.length), end];
  const letters = TOKENS.map(({ text }) => Math.max(1.4, text.length));
  const each = (wide - GAP * TOKENS.length) / letters.reduce((sum, one) => sum + one, 0);
  let left = x;
  const edges = letters.map((count) => {
    const from = left;
    left += count * each + GAP;
    return from;
  });
  return [...edges, end];
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function tokens(s, room, stage) {
  if (s.near < 0.02) return "";
  const { say } = stage;
  const { isPhone, x, top, bottom } = room;
  const edges = spread(room);
  const presence = clamp(2 * s.near - 1, 0, 1);
  const right = x + room.wide;
  const now = wordAt(s);
  const y = bottom + (isPhone ? 10 : 24);
  const gathered = s.near ** 3;
  const bar = isPhone ? 12 : 16;
  const middle = (/** @type {number} */ i) => (edges[i] + edges[i + 1] - GAP) / 2;
  const up = (/** @type {number} */ i) => high(room, s, TOKENS[i].bits * s.paid);
  const text = (/** @type {Token} */ token, /** @type {number} */ i) => {
    const [dx, dy] = isPhone ? [-4, 0] : [0, 5];
    return svg`<text class=${`${isPhone ? "" : "middle"} ${i ? "" : "soft"}`} transform=${`translate(${middle(i) + dx} ${y + dy}) rotate(${isPhone ? 90 : 0})`}>${token.text}</text>`;
  };
  const rect = (/** @type {Token} */ _, /** @type {number} */ i) =>
    svg`<rect rx="2" fill=${`var(--${i === now ? "ink" : "soft"})`} x=${mix(x, middle(i) - bar / 2, gathered)} width=${Math.max(1, bar * gathered)} y=${up(i)} height=${Math.max(0, bottom - up(i))} />`;
  const wide = edges[now + 1] - edges[now] - GAP;
  const box = isPhone
    ? { x: middle(now) - 10, y: y - 7, width: 20, height: 94 }
    : { x: edges[now] - 3, y: y - 15, width: wide + 6, height: 30 };
  const names = s.paid < 0.5 ? ["came"] : isPhone ? ["guess_short"] : ["guess_0", "guess_1"];
  return svg`
    <g data-marks="bars" opacity=${s.near}>
      ${TOKENS.map(rect)}
      ${seen(s.paid, svg`<text class="halo middle" opacity=${s.paid} x=${clamp(middle(now), x + 30, right - 30)} y=${up(now) - 8}>${say("bits_word")}</text>`)}</g>
    ${mark(
      "tokens",
      presence,
      svg`<g ${word(s, stage, edges)}>
          <rect fill="transparent" x=${x} y=${y - 20} width=${right - x} height=${isPhone ? 110 : 40} />
          <rect rx="5" fill="var(--wash)" stroke="var(--soft)" stroke-width="1.5" x=${box.x} y=${box.y} width=${box.width} height=${box.height} />
          <rect class="ring" rx="5" x=${box.x} y=${box.y} width=${box.width} height=${box.height} /></g>
        <g pointer-events="none">${TOKENS.map(text)}</g>
        ${names.map((name, i) => svg`<text class=${isPhone ? "t14" : ""} x=${isPhone ? 10 : x} y=${isPhone ? 16 : top - 34 + i * 18}>${say(name)}</text>`)}`,
    )}`;
}

/** @param {State} s @param {Stage} stage @param {number[]} edges */
const word = (s, { say, set, handle }, edges) =>
  handle({
    label: say("word_label"),
    now: wordAt(s),
    min: 1,
    max: LAST,
    text: TOKENS[wordAt(s)].text,
    isFree: true,
    keys: (by) => set({ word: clamp(Math.round(s.word) + by, 1, LAST) }),
    move: ([x]) => set({ word: clamp(edges.filter((left) => left <= x).length - 1, 1, LAST) }),
  });
