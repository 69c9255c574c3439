// The three ways as columns, and what the course has shown of each as lines, which the reader recalls.

import { svg } from "../../page/lit/lit.js";
import data from "./data.js";
import { clamp } from "../../page/shapes.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {"add" | "subtract" | "turn"} Way */

/** @type {Way[]} */
export const WAYS = ["add", "subtract", "turn"];
export const LINES = /** @type {const} */ (["back", "longer", "after", "kernel", "files"]);
/** Ways for which a line holds, and those for which it was tried and does not. @type {Record<typeof LINES[number], [Way[], Way[]]>} */
const HOLDS = {
  back: [["turn"], ["subtract"]],
  longer: [["subtract"], ["add", "turn"]],
  after: [["turn"], []],
  kernel: [["add", "turn"], ["subtract"]],
  files: [[], []],
};
const FILES = Object.values(data.files).reduce((sum, one) => sum + one);

/** @param {Room} room @param {number} i */
function place({ height, isPhone }, i) {
  const top = isPhone ? 44 : 96;
  const h = Math.min(isPhone ? 58 : 92, (height - (isPhone ? 6 : 20) - top) / LINES.length);
  return { y: top + i * h, h };
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function table(s, room, stage) {
  if (s.table < 0.02) return "";
  const { say, seen, move, handle, isGuessing } = stage;
  const { isPhone, left, width } = room;
  const end = isPhone ? "_short" : "";
  const wide = (width - 2 * left) / WAYS.length;
  const x = (/** @type {number} */ i) => left + i * wide;
  const places = LINES.map((_, i) => place(room, i));
  const [at, column] = [Math.round(s.line), Math.round(s.column)];
  /** @param {number} i @param {number} k */
  function choose(i, k) {
    if (isGuessing()) return;
    const to = clamp(i, 0, LINES.length - 1);
    seen.add(to);
    move({ line: to, column: clamp(k, 0, WAYS.length - 1) }, 0);
  }
  const hold = handle({
    label: say("line_label"),
    now: at,
    min: 0,
    max: LINES.length - 1,
    text: say("line_at"),
    isOff: isGuessing(),
    keys: (by) => choose(at - by, column),
    move: ([px, py]) => {
      const off = places.map(({ y, h }) => Math.abs(y + h / 2 - py));
      choose(off.indexOf(Math.min(...off)), Math.floor((px - left) / wide));
    },
  });
  const head = (/** @type {Way} */ way, /** @type {number} */ i) =>
    svg`<g data-marks=${`ways ${way}`}>
      <text class="bold" x=${x(i)} y=${isPhone ? 16 : 40}>${say(`way_${way}`)}</text>
      <text class=${isPhone ? "t12 soft" : "t14 soft"} x=${x(i)} y=${isPhone ? 33 : 66}>${say(`members_${way}${end}`)}</text></g>`;
  const line = (/** @type {typeof LINES[number]} */ name, /** @type {number} */ i) => {
    const { y, h } = places[i];
    const isKnown = seen.has(i) && !isGuessing();
    const [holds, fails] = HOLDS[name];
    const cell = (/** @type {Way} */ way, /** @type {number} */ k) => {
      const [r, middle] = [isPhone ? 6 : 8, y + h * 0.7];
      const from = x(k) + r + 2;
      const css = isPhone ? "t12" : "t14";
      if (!isKnown)
        return svg`<rect class="line" fill="none" rx="5" x=${x(k) - 6} y=${y + h * 0.43} width=${wide - 4} height=${h * 0.53} /><circle class="line" stroke-width="1.5" r=${r + 2} cx=${from + 2} cy=${middle} /><text class="t12 soft middle" x=${from + 2} y=${middle + 4}>?</text>`;
      const isTried = holds.includes(way) || fails.includes(way);
      const disc = svg`<circle fill=${holds.includes(way) ? "var(--ink)" : "none"} stroke="var(--ink)" stroke-width="2" r=${r} cx=${from} cy=${middle} />`;
      const bar = svg`<rect fill="var(--ink)" x=${x(k)} y=${middle - r} width=${((wide - 56) * data.files[way]) / FILES} height=${2 * r} />`;
      const beside =
        name === "files" ? x(k) + ((wide - 56) * data.files[way]) / FILES + 8 : from + r + 8;
      return svg`${name === "files" ? bar : isTried ? disc : ""}
        <text class=${`${css} ${holds.includes(way) ? "bold" : isTried || name === "files" ? "" : "soft"}`} x=${isTried || name === "files" ? beside : x(k)} y=${middle + 5}>${say(`cell_${name}_${way}${end}`)}</text>`;
    };
    return svg`<g data-marks=${`lines ${name}`}><text class=${isPhone ? "t12" : "t14"} x=${left} y=${y + h * 0.33}>${say(`line_${name}${end}`)}</text></g>
      ${WAYS.map((way, k) => svg`<g data-marks=${`lines ${name} ${way}`}>${cell(way, k)}</g>`)}`;
  };
  const { y: first } = places[0];
  const last = places[LINES.length - 1];
  const ring = { x: x(column) - 6, y: places[at].y + places[at].h * 0.43, w: wide - 4 };
  return svg`<g opacity=${s.table}>
    <g data-marks="lines">
      ${seen.size ? svg`<rect fill="var(--wash)" rx="5" x=${ring.x} y=${ring.y} width=${ring.w} height=${places[at].h * 0.53} />` : ""}
      <path class="line" d=${places.map(({ y }) => `M${left},${y}h${width - 2 * left}`).join("")} /></g>
    <g pointer-events="none">${WAYS.map(head)}${LINES.map(line)}</g>
    <g data-marks="lines"><g ${hold} style="cursor: pointer">
      <rect fill="transparent" x=${left - 6} y=${first} width=${width - 2 * left + 12} height=${last.y + last.h - first} />
      <rect class="ring" rx="5" x=${ring.x} y=${ring.y} width=${ring.w} height=${places[at].h * 0.53} /></g></g></g>`;
}
