// The texts one by one: what a token costs as trained and in one way of stretching, and what that saves.

import { pieces } from "../../../static/lines.js";
import { svg } from "../../page/lit/lit.js";
import { mix, xy } from "../../page/shapes.js";
import data from "./data.js";
import { BLOCKS, INSIDE, LINES, lines } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @typedef {"linear" | "ntk" | "yarn"} Stretched */

/** @type {Stretched[]} */
const STRETCHED = ["linear", "ntk", "yarn"];
const COLUMNS = 3;
const ROWS = Math.ceil(data.texts.length / COLUMNS);
const HIGHEST = 12; // bits of the axis
const TICKS = [4, 8];
const WIDE = 900; // pixels of a picture that has room for the whole heading

/** Bits a token that a way costs more than as trained in one text, beyond the trained length. @param {Stretched} way @param {number} text */
export const more = (way, text) =>
  data.each[way][text]
    .slice(INSIDE)
    .reduce((sum, bits, i) => sum + bits - data.each.none[text][INSIDE + i], 0) /
  (BLOCKS - INSIDE);

/** How much of each way is there; while one gives way to another, of both. @param {State} s */
const weights = (s) => STRETCHED.map((way) => s.lines[LINES.indexOf(way)]);
/** The way that is shown, "" for none. @param {State} s @returns {Stretched | ""} */
export function shown(s) {
  const all = weights(s);
  const most = Math.max(...all);
  return most < 0.5 ? "" : STRETCHED[all.indexOf(most)];
}

/** A name of at most two words. @param {string} name */
function shortened(name) {
  const words = pieces(name);
  return words.length > 2 ? `${words.slice(0, 2).join("").trimEnd()} …` : name;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function each(s, room, stage) {
  if (s.each < 0.02) return "";
  const { say, number } = stage;
  const { isPhone, width, height } = room;
  const top = isPhone ? 42 : 74;
  const bottom = height - (isPhone ? 4 : 24);
  const [left, right] = [isPhone ? 24 : 60, width - (isPhone ? 8 : 40)];
  const [gapX, gapY] = isPhone ? [10, 6] : [26, 22];
  const head = isPhone ? 16 : 22;
  const foot = isPhone ? 6 : 10;
  const w = (right - left - gapX * (COLUMNS - 1)) / COLUMNS;
  const h = (bottom - top - gapY * (ROWS - 1)) / ROWS;
  const rowY = (/** @type {number} */ row) => top + row * (h + gapY) + head;
  const high = h - foot - 3 - head;
  const ticks = Array.from({ length: ROWS }, (_, row) =>
    TICKS.map((tick) => ({ tick, y: rowY(row) + high * (1 - tick / HIGHEST) + 4 })),
  ).flat();
  const title = say(shown(s) && width > WIDE ? "bits_and_more" : "bits_short");
  return svg`<g opacity=${s.each}>
    <g data-marks="texts">
      <text class="t14 soft end" x=${right} y=${isPhone ? 24 : 40}>${title}</text>
      ${ticks.map(({ tick, y }) => svg`<text class="t12 soft end" x=${left - 5} y=${y}>${number(tick)}</text>`)}</g>
    ${data.texts.map((_, i) => {
      const y = rowY(Math.floor(i / COLUMNS));
      // Out of the one picture of all texts.
      return text(s, room, stage, i, {
        x: mix(room.x, left + (i % COLUMNS) * (w + gapX), s.each),
        wide: mix(room.w, w, s.each),
        y: mix(room.top, y, s.each),
        base: mix(room.bottom, y + high, s.each),
        foot,
      });
    })}
    ${STRETCHED.map((way, k) => button(s, room, stage, way, k, left))}</g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {number} i @param {{ x: number, wide: number, y: number, base: number, foot: number }} box */
function text(s, { isPhone }, { say, number }, i, { x, wide, y, base, foot }) {
  const all = weights(s);
  const there = all.reduce((sum, one) => sum + one, 0);
  const way = shown(s);
  const plain = data.each.none[i];
  const high = (/** @type {number} */ its) => base - (its / HIGHEST) * (base - y);
  const across = (/** @type {number} */ block) => x + (block / BLOCKS) * wide;
  const bitsOf = (/** @type {number} */ block) =>
    STRETCHED.reduce((sum, one, k) => sum + all[k] * data.each[one][i][block], 0) / there;
  const blocks = Array.from({ length: BLOCKS }, (_, block) => block);
  const stairs = (/** @type {(block: number) => number} */ its) =>
    `M${blocks.map((block) => `${xy([across(block), high(its(block))])}H${across(block + 1)}`).join("L")}`;
  const area = (/** @type {boolean} */ isDearer) =>
    blocks
      .filter((block) => bitsOf(block) > plain[block] === isDearer)
      .map(
        (block) =>
          `M${xy([across(block), high(plain[block])])}H${across(block + 1)}V${high(bitsOf(block))}H${across(block)}Z`,
      )
      .join("");
  const its = way ? more(way, i) : 0;
  const under = Math.min(...blocks.slice(-5).map((block) => Math.min(bitsOf(block), plain[block])));
  const size = isPhone ? "t12" : "t14";
  const name = say(`text_${data.texts[i]}`);
  const above = y - (isPhone ? 4 : 8);
  return svg`
    <g data-marks="texts">
      <path class="line" d=${TICKS.map((tick) => `M${x},${high(tick)}h${wide}`).join("")} />
      <path stroke="var(--soft)" stroke-dasharray="3 4" d=${`M${across(INSIDE)},${y}V${base}`} />
      ${i ? "" : svg`<text class=${`soft ${size}`} x=${across(INSIDE) + 4} y=${y + 10}>${say("trained_end")}</text>`}
      <rect rx="3" fill="var(--wash)" stroke="var(--line)" x=${x} y=${base + 3} width=${wide} height=${foot} />
      <rect rx="3" fill="var(--soft)" x=${x} y=${base + 3} width=${wide / 2} height=${foot} />
      <text class=${size} x=${x} y=${above}>${isPhone ? shortened(name) : name}</text></g>
    ${
      there > 0.02
        ? svg`<g data-marks="saved"><path fill="var(--near)" opacity="0.3" d=${area(false)} /></g>
          <g data-marks="dearer"><path fill="var(--new)" opacity="0.3" d=${area(true)} /></g>
          <g data-marks="way"><path fill="none" stroke="var(--ink)" stroke-width="1.5" d=${stairs(bitsOf)} />
            ${i || !way ? "" : svg`<text class=${`halo end ${size}`} x=${x + wide - 3} y=${high(under) + (isPhone ? 13 : 17)}>${say(`line_${way}`)}</text>`}</g>`
        : ""
    }
    <g data-marks="line_none"><path fill="none" stroke="var(--ink)" stroke-width="3" d=${stairs((block) => plain[block])} />
      ${i ? "" : svg`<text class=${`halo end ${size}`} x=${across(INSIDE) - 4} y=${high(Math.min(...plain.slice(0, INSIDE))) + (isPhone ? 13 : 17)}>${say("line_none")}</text>`}</g>
    <g data-marks="saved dearer">${way ? svg`<text class=${`${size} bold end ${its < 0 ? "near" : "new"}`} x=${x + wide} y=${above}>${its < 0 ? "" : "+"}${number(its, Math.abs(its) < 0.05 ? 2 : 1)}</text>` : ""}</g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {Stretched} way @param {number} k @param {number} left */
function button(s, { isPhone }, stage, way, k, left) {
  const { say, seen, move, isGuessing } = stage;
  const isNow = shown(s) === way;
  const wide = isPhone ? 84 : 116;
  const x = left + (isPhone ? -16 : 0) + k * (wide + (isPhone ? 6 : 10));
  const y = isPhone ? 4 : 18;
  const choose = () => {
    if (isGuessing()) return;
    seen.add(way);
    move({ lines: lines("none", way) }, 500);
  };
  return svg`<g data-marks="ways"><g ${stage.button(choose)} tabindex=${isGuessing() || s.each < 0.5 ? -1 : 0} aria-pressed=${isNow} aria-label=${say("show_label", { method: say(`line_${way}`) })}>
    <rect rx="8" stroke="var(--line)" stroke-width="1.5" fill=${`var(--${isNow ? "ink" : "paper"})`} x=${x} y=${y} width=${wide} height=${isPhone ? 30 : 34} />
    <text class="t14 middle" style=${isNow ? "fill: var(--paper)" : ""} x=${x + wide / 2} y=${y + (isPhone ? 20 : 22)}>${say(`line_${way}`)}</text></g></g>`;
}
