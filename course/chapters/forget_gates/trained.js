// Gates that small models learned: over the letters of a text in one head, and of all heads by kinds of letters.

import { asked } from "../../page/asked.js";
import { svg } from "../../page/lit/lit.js";
import { clamp } from "../../page/shapes.js";
import data from "./data.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

export const KINDS = /** @type {const} */ (["end", "space", "letter", "other"]);
export const HEADS = data.kinds.length;
const LAYERS = 2;
const EACH = HEADS / data.trained; // heads of a model
const PER = EACH / LAYERS; // of a layer
const LINES = 3; // of the text as it is drawn
const HIDDEN = 2; // kinds that a question asks for, the first ones
const SKIPPED = data.text.search(/\s/u) + 1; // the end of a word
const TEXT = data.text.slice(SKIPPED);

/** First letters of the lines: they end between words, and the longest is as short as can be. */
const FIRST = (function breaks() {
  const words = TEXT.split(/(?<=\s)/u);
  for (let most = Math.ceil(TEXT.length / LINES); ; most++) {
    const lines = [""];
    for (const word of words)
      if ((lines[lines.length - 1] + word).length > most) lines.push(word);
      else lines[lines.length - 1] += word;
    if (lines.length <= LINES)
      return { most, at: lines.map((_, i) => lines.slice(0, i).join("").length) };
  }
})();

export const LOW = 0.1; // a mean gate that lets little through
export const HIGH = 0.9; // one that lets nearly all through
/** Heads that are wide open at line ends, and shut at spaces. */
export const OPEN_ENDS = data.kinds.filter(([end, space]) => end > HIGH && space < LOW).length;
export const [ENDS, OTHERS] = [0.2, 0.7]; // mean gates of a head that keeps a line

/** The head that is looked at. @param {State} s */
export const headOf = (s) => clamp(Math.round(s.head), 0, HEADS - 1);
/** Whether a head lets lines through and shuts at their end. @param {number} head */
export const keepsLines = (head) => {
  const [end, space, letter] = data.kinds[head];
  return end < ENDS && space > OTHERS && letter > OTHERS;
};

/** What tells a head apart. @param {number} head @param {Stage["number"]} number */
export const nameOf = (head, number) => ({
  model: number(Math.floor(head / EACH) + 1),
  layer: number(Math.floor((head % EACH) / PER) + 1),
  head_number: number((head % PER) + 1),
});

/** @param {State} s @param {Room} room @param {Stage} stage */
export function scene(s, room, stage) {
  if (s.trained < 0.02) return "";
  return svg`<g opacity=${s.trained.toFixed(2)}>
    ${text(s, room, stage)}
    ${table(s, room, stage)}</g>`;
}

/** Letters, and over each its gate. @param {State} s @param {Room} room @param {Stage} stage */
function text(s, room, { say, isGuessing }) {
  const {
    pad,
    width,
    isPhone,
    trained: { line, letters },
  } = room;
  const step = (width - 2 * pad) / FIRST.most;
  const high = line - letters * 1.3 - (isPhone ? 6 : 16);
  const known = isGuessing() ? 0 : s.known;
  const head = headOf(s);
  const at = (/** @type {number} */ i) => {
    const row = FIRST.at.filter((first) => first <= i).length - 1;
    return { x: pad + (i - FIRST.at[row]) * step, y: room.trained.y + row * line + high };
  };
  const gate = (/** @type {string} */ _, /** @type {number} */ i) => {
    const { x, y } = at(i);
    const open = high * data.gates[head][SKIPPED + i] * known;
    return svg`<rect fill="var(--content)" opacity="0.45" x=${x + step * 0.12} y=${y - open} width=${step * 0.76} height=${open} />
      <path stroke="var(--content)" stroke-width="2.5" d=${known > 0.02 ? `M${x + step * 0.12},${y - open}h${step * 0.76}` : ""} />`;
  };
  const style = `font: 400 ${letters}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace`;
  const letter = (/** @type {string} */ one, /** @type {number} */ i) => {
    const { x, y } = at(i);
    const isEnd = one === "\n";
    const sign = isEnd ? "¶" : one === " " ? "·" : one;
    return svg`<text class=${sign === one ? "middle" : "middle soft"} style=${style} x=${x + step / 2} y=${y + letters * 1.15}>${sign}</text>`;
  };
  const rows = FIRST.at.map((first) => at(first).y);
  const all = [...TEXT];
  return svg`
    <g data-marks="gates text"><path class="line" d=${rows.map((y) => `M${pad},${y}H${width - pad}`).join("")} />${all.map(gate)}</g>
    <g data-marks="text">${all.map(letter)}</g>
    <text class="t12 content" data-marks="gates text" x=${pad} y=${room.trained.y - (isPhone ? 6 : 14)}>${say(isPhone ? "each_gate_short" : "each_gate")}</text>
    ${asked([[width / 2, rows[1] - high / 2]], s.trained * s.guessing)}`;
}

/** Mean gates by kinds of letters: a column for each head, which is chosen. @param {State} s @param {Room} room @param {Stage} stage */
function table(s, room, { say, set, number, handle, isGuessing }) {
  const {
    pad,
    width,
    isPhone,
    trained: { top, cell, side },
  } = room;
  const known = isGuessing() ? 0 : s.known;
  const [gap, wide] = isPhone ? [3, 8] : [7, 20]; // between layers, and between models
  const gaps = data.trained * (LAYERS - 1) * gap + (data.trained - 1) * wide;
  const column = (width - 2 * pad - side - gaps) / HEADS;
  const x = (/** @type {number} */ head) => {
    const models = Math.floor(head / EACH);
    return pad + side + head * column + models * wide + (Math.floor(head / PER) - models) * gap;
  };
  const now = headOf(s);
  const choose = (/** @type {number} */ head) =>
    set({ head: clamp(Math.round(head), 0, HEADS - 1) });
  const gate = (
    /** @type {number} */ value,
    /** @type {number} */ head,
    /** @type {number} */ row,
  ) => {
    const [y, high] = [top + row * cell, cell - (isPhone ? 4 : 8)];
    const there = row < HIDDEN ? known : 1;
    const open = high * value * there;
    const isLow = value < LOW && known > 0.98;
    return svg`<rect fill=${isLow ? "var(--soft)" : "none"} fill-opacity="0.3" stroke="var(--line)" x=${x(head) + 1} y=${y} width=${column - 2} height=${high} />
      <rect fill="var(--content)" opacity="0.55" x=${x(head) + 1} y=${y + high - open} width=${column - 2} height=${open} />
      ${there > 0.02 ? svg`<path stroke="var(--content)" stroke-width="2" d=${`M${x(head) + 1},${y + high - open}h${column - 2}`} />` : ""}`;
  };
  const kind = (/** @type {string} */ name, /** @type {number} */ row) => {
    const y = top + row * cell + cell / 2 + 2;
    return svg`<text class="t12" x=${pad} y=${y}>${say(`kind_${name}`)}</text>
      ${known > 0.98 || row >= HIDDEN ? svg`<text class="t12 content end" x=${pad + side - 9} y=${y}>${number(data.kinds[now][row], 2)}</text>` : ""}`;
  };
  const above = (/** @type {number} */ first, /** @type {number} */ heads) =>
    (x(first) + x(first + heads - 1) + column) / 2;
  const model = (/** @type {unknown} */ _, /** @type {number} */ m) =>
    svg`<text class="t12 middle" x=${above(m * EACH, EACH)} y=${top - (isPhone ? 19 : 25)}>${say("model", { model: number(m + 1) })}</text>`;
  const layer = (/** @type {unknown} */ _, /** @type {number} */ l) =>
    svg`<text class="t12 soft middle" x=${above(l * PER, PER)} y=${top - (isPhone ? 7 : 9)}>${say("layer", { layer: number((l % LAYERS) + 1) })}</text>`;
  const slider = handle({
    label: say("head_label"),
    now: now + 1,
    min: 1,
    max: HEADS,
    text: say("head_at", nameOf(now, number)),
    keys: (by) => choose(headOf(s) + by),
    move: ([to]) => {
      const near = Array.from({ length: HEADS }, (_, head) => Math.abs(x(head) + column / 2 - to));
      choose(near.indexOf(Math.min(...near)));
    },
  });
  const high = KINDS.length * cell - (isPhone ? 4 : 8);
  return svg`
    <g data-marks="table">
      ${Array.from({ length: data.trained }, model)}
      ${Array.from({ length: data.trained * LAYERS }, layer)}
      <text class="t12 content" x=${pad} y=${top - (isPhone ? 7 : 9)}>${say(isPhone ? "mean_gate_short" : "mean_gate")}</text>
      ${KINDS.map(kind)}
      ${data.kinds.map((values, head) => values.map((value, row) => gate(value, head, row)))}</g>
    <g data-marks="head"><g ${slider}>
      <rect fill="transparent" x=${pad + side} y=${top - 4} width=${width - 2 * pad - side} height=${high + 8} />
      <rect fill="none" stroke="var(--ink)" stroke-width="2" rx="3" x=${x(now) - 1.5} y=${top - 3.5} width=${column + 3} height=${high + 7} />
      <rect class="ring" rx="5" x=${x(now) - 4} y=${top - 6} width=${column + 8} height=${high + 12} /></g>
      ${
        known > 0.98
          ? svg`<text class="t14" x=${pad + side} y=${top + high + (isPhone ? 18 : 30)}>${say(isPhone ? "head_phone" : "head_short", nameOf(now, number))}</text>
        <text class="t14 soft end" x=${width - pad} y=${top + high + (isPhone ? 18 : 30)}>${say(isPhone ? "low_gate_short" : "low_gate")}</text>`
          : ""
      }</g>`;
}
