// What a fused kernel reads of one head, drawn to scale: queries, keys, values, and a bias that is a matrix.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

export const WIDTH = 128; // numbers of a query, a key or a value
export const SHORTEST = 7; // log2 of tokens
export const LONGEST = 16;
const BYTES = 2; // of a number
const UNITS = ["bytes", "KiB", "MiB", "GiB"];

/** Bytes of queries, keys and values. @param {number} tokens */
export const vectors = (tokens) => 3 * tokens * WIDTH * BYTES;
/** Bytes of a number for every pair of tokens. @param {number} tokens */
export const matrix = (tokens) => tokens * tokens * BYTES;
/** The tokens with which both are as large. */
export const EQUAL = 3 * WIDTH;

/** @param {number} bytes @param {Stage["number"]} number */
export function written(bytes, number) {
  const unit = Math.floor(Math.log2(bytes) / 10);
  const amount = bytes / 1024 ** unit;
  return `${number(amount, amount < 9.95 && !Number.isInteger(amount) ? 1 : 0)} ${UNITS[unit]}`;
}

/** @param {State} s */
export const tokensOf = (s) => Math.round(2 ** s.tokens);

/** @param {Room} room */
const rail = ({ width, height, isPhone }) => ({
  x: isPhone ? 118 : 250,
  w: width - (isPhone ? 140 : 310),
  y: height - (isPhone ? 18 : 34),
});

/** @param {State} s @param {Room} at @param {Stage} stage */
export function kernel(s, at, stage) {
  if (s.fused < 0.02) return "";
  const { say, number, isGuessing } = stage;
  const { width, isPhone, left } = at;
  const n = tokensOf(s);
  const { x: from, w, y } = rail(at);
  const line = isPhone ? 16 : 22;
  const top = isPhone ? 30 : 60;
  const room = y - (isPhone ? 26 : 44) - 3 * line - top;
  const gap = isPhone ? 16 : 26;
  const scale = Math.min((width - 2 * left - 3 * gap) / (3 * WIDTH + n), room / n);
  const [thin, tall] = [Math.max(1, WIDTH * scale), n * scale];
  const start = (width - 3 * (thin + gap) - tall) / 2;
  const vector = (/** @type {string} */ name, /** @type {number} */ i) => {
    const x = start + i * (thin + gap);
    return svg`<g data-marks=${`qkv ${name}`}>
      <rect fill=${`var(--${name === "v" ? "content" : name})`} x=${x} y=${top} width=${thin} height=${tall} />
      <text class="t14 middle" x=${x + thin / 2} y=${top - 8}>${name}</text></g>`;
  };
  const x = start + 3 * (thin + gap);
  const isWide = tall > 150; // enough for the names of the whole and of its masked half
  const name = isGuessing() ? "?" : say("matrix", { bytes: written(matrix(n), number) });
  const below = top + room + (isPhone ? 4 : 14);
  const size = isPhone ? "_short" : "";
  const told = (/** @type {string} */ mark, /** @type {number} */ i) =>
    svg`<g data-marks=${mark}><text class="t14" x=${left} y=${below + (i + 2) * line}>${say(`${mark}${size}`)}</text></g>`;
  const on = from + (w * (s.tokens - SHORTEST)) / (LONGEST - SHORTEST);
  return svg`<g opacity=${s.fused}>
    ${["q", "k", "v"].map(vector)}
    <g data-marks="qkv"><text class="t14 halo" x=${left} y=${below + line}>${say(`vectors${size}`, { bytes: written(vectors(n), number) })}</text></g>
    <g data-marks="bias">
      <rect fill="var(--wash)" x=${x} y=${top} width=${tall} height=${tall} />
      <path fill="var(--line)" d=${`M${x},${top}v${tall}h${tall}Z`} />
      <text class=${`t14 ${isWide ? "middle" : "end"}`} x=${isWide ? x + tall / 2 : x + tall} y=${top - 8}>${name}</text>
      ${isWide ? svg`<text class="t12 soft middle" x=${x + tall * 0.66} y=${top + tall * 0.22}>${say("masked")}</text>` : ""}</g>
    ${["turned", "slope"].map(told)}
    <g data-marks="tokens">
      <path class="line" stroke-width="3" d=${`M${from},${y}h${w}`} />
      <text class="t14" x=${left} y=${y + 5}>${say(`tokens_name${size}`)}</text>
      <g ${tokens(s, at, stage)} transform=${moved(on, y)}>${grip()}</g></g></g>`;
}

/** @param {State} s @param {Room} at @param {Stage} stage */
function tokens(s, at, { say, set, move, handle }) {
  const { x: from, w } = rail(at);
  const read = (/** @type {number} */ to) => set({ tokens: clamp(to, SHORTEST, LONGEST) });
  return handle({
    label: say("tokens_label"),
    now: s.tokens,
    min: SHORTEST,
    max: LONGEST,
    text: say("tokens_at"),
    isOff: s.fused <= 0.5,
    keys: (by) => {
      const to = Math.round(8 * s.tokens + by) / 8;
      read(Math.abs(to - Math.log2(EQUAL)) < 1 / 16 ? Math.log2(EQUAL) : to);
    },
    move: ([x]) => read(SHORTEST + ((x - from) / w) * (LONGEST - SHORTEST)),
    end: () => {
      // Where both are as large a hand need not be exact.
      if (Math.abs(s.tokens - Math.log2(EQUAL)) < 0.12) move({ tokens: Math.log2(EQUAL) }, 150);
    },
  });
}
