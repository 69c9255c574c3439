// The sentence, the ruler under it, and the rows that the ruler has printed.

import { clipped } from "../../page/formulas/distances.js";
import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import { LEAST_ROW, PAGE, WORDS, hue, placeX, tint } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** The words of the page that are those of the sentence. */
export const SENTENCE_FROM = PAGE - WORDS;

/** @param {State} s @param {Room} room @param {Stage} stage @param {string[]} words @param {number[]} nouns */
export function sentence(s, room, { step }, words, nouns) {
  const { isPhone, isTight } = room;
  const query = Math.round(s.i);
  const isNoun = step() === "anywhere" && nouns.includes(query);
  const size = isPhone ? "t14" : s.table > 0.5 ? "t12" : "";
  return words.map((word, j) => {
    const isAdjective = isNoun && j === query - 1;
    const isKey = isAdjective || (s.table > 0.5 && s.waves < 0.5 && j === Math.round(s.key));
    const css = j === query ? "q heavy" : isKey ? "k heavy" : "";
    const place = `translate(${placeX(room, j)} ${room.words + (isTight ? 8 : 0)}) rotate(${isTight ? -90 : 0})`;
    return mark(
      "words q k",
      (1 - s.page) * (j > query ? 1 - 0.65 * s.mask : 1),
      svg`<text class=${`${css} ${size} central ${isTight ? "" : "middle"}`} transform=${place}>${word}</text>`,
    );
  });
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function ruler(s, room, { say, number }) {
  if (s.page > 0.98) return "";
  const { ruler: middle, band, cell, width, left, height, isPhone } = room;
  const y = middle - band / 2;
  const zero = placeX(room, s.i);
  const right = placeX(room, WORDS - 0.5);
  const masked = mix(right, placeX(room, s.i + 0.5), s.mask);
  const reach = (s.k + 0.5) * cell;
  const k = Math.round(s.k);
  const size = isPhone ? "t12" : "t14";
  const away = Math.round(s.key) - Math.round(s.i);
  const distances = Array.from({ length: 2 * k + 1 }, (_, n) => n - k).filter((distance) => {
    const x = zero + cell * distance;
    return x > left - cell && x < right + cell;
  });
  const one = (/** @type {number} */ distance) => {
    const off = cell * distance;
    const isWhole = zero + off > left + cell * 0.4 && zero + off < masked - cell * 0.4;
    return svg`<rect x=${off - cell / 2 + 0.5} y=${y} width=${Math.max(0, cell - 1)} height=${band} fill=${hue(distance)} fill-opacity=${tint(distance)} />
      ${isWhole ? svg`<text class=${`${size} middle central`} x=${off} y=${middle + 1}>${number(distance)}</text>` : ""}`;
  };
  const end = (/** @type {-1 | 1} */ sign) => {
    const space = sign < 0 ? zero - left : masked - zero;
    const gap = isPhone ? 10 : 18;
    const near = (sign * (s.key - s.i) - 0.5) * cell; // the key's cell, beyond which it gives way
    const from = (/** @type {number} */ wide) =>
      s.table > 0.5 && near + cell > reach && near < reach + gap + wide
        ? near + cell + gap / 2
        : reach + gap;
    const wide = (isPhone ? [120, 62] : [124, 70]).find((one) => space > from(one) + one);
    if (!wide || k >= WORDS - 1) return "";
    const whole = sign < 0 ? "beyond_back" : "beyond_ahead";
    return svg`<text class=${`${size} central ${sign < 0 ? "end" : ""}`} x=${sign * from(wide)} y=${middle + 1}>${say(wide > 100 ? whole : "beyond_short")}</text>`;
  };
  // What stands on it is moved as one, in every frame of a drag.
  return svg`<g data-marks="ruler" opacity=${1 - s.page}>
    <clipPath id="relative-ruler"><rect x=${left} y="0" width=${Math.max(0, masked - left)} height=${height} /></clipPath>
    <g clip-path="url(#relative-ruler)">
      <rect fill="var(--wash)" x="-20" y=${y} width=${width + 40} height=${band} />
      <g transform=${`translate(${zero} 0)`}>
        ${[-1, 1].map((side) => svg`<rect fill=${hue(side)} opacity=${tint(s.k)} x=${side < 0 ? -reach - width : reach} y=${y} width=${width} height=${band} />`)}
        ${distances.map(one)}
        ${
          s.table > 0.5 && Math.abs(away) > k // what the key reads beyond the end
            ? svg`<text class=${`${size} middle central`} x=${away * cell} y=${middle + 1}>${number(Math.sign(away) * k)}</text>`
            : ""
        }
        ${end(-1)}${end(1)}</g>
      <path stroke="var(--soft)" fill="none" d=${`M-20,${y}H${width + 20}M-20,${y + band}H${width + 20}`} /></g></g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {string[]} words @param {number[]} nouns */
export function matrix(s, room, { say, number, step, seen, isGuessing }, words, nouns) {
  const { left, cell, top, row, isPhone } = room;
  const query = Math.round(s.i);
  const k = Math.round(s.k);
  const isSlide = step() === "slide";
  const isAnywhere = step() === "anywhere";
  if (isSlide && !isGuessing() && Math.abs(s.i - query) < 0.02) seen.add(query);
  const there = (1 - s.page) * clamp(1 - 2 * s.table, 0, 1);
  if (there < 0.02) return "";
  /** Top of a row: of each word, or of the nouns alone. @param {number} i */
  const rowY = (i) => top + row * (s.four > 0.5 ? nouns.indexOf(i) : i);
  const isDrawn = (/** @type {number} */ i) =>
    s.four > 0.5 ? nouns.includes(i) && seen.has(i) : !isSlide || seen.has(i);
  const all = words.map((_, i) => i);
  const blank = all.filter((i) => !isDrawn(i) && rowY(i) >= top); // not printed yet
  const one = (/** @type {number} */ i) => (/** @type {unknown} */ _, /** @type {number} */ j) => {
    const distance = clipped(i, j, k);
    const isOff = isAnywhere && distance !== -1 && i !== query;
    const presence = (isOff ? 0.35 : 1) * (j > i ? 1 - s.mask : 1);
    const text = presence > 0.02 && row > LEAST_ROW ? number(distance) : "";
    const css = `${isPhone ? "t12" : "t14"} middle central ${isAnywhere && distance === -1 ? "heavy" : ""}`;
    // Not opacity, which draws each of the many cells in a layer of its own.
    return svg`<rect rx="2" x=${left + cell * j + 0.5} y="0.5" width=${Math.max(0, cell - 1)} height=${Math.max(0, row - 1)} fill=${hue(distance)} fill-opacity=${tint(distance) * presence} />
      <text class=${css} x=${left + cell * (j + 0.5)} y=${row / 2 + 1} fill-opacity=${presence}>${text}</text>`;
  };
  // A row slides out of the ruler when it is printed.
  const printed = (/** @type {number} */ i) => {
    const y = isDrawn(i) ? rowY(i) : room.ruler - row / 2;
    const style = `transform: translateY(${y.toFixed(1)}px); opacity: ${isDrawn(i) ? 1 : 0}; transition: transform ${isDrawn(i) ? 0.38 : 0}s cubic-bezier(.4,0,.7,1), opacity .1s`;
    const isNamed = !isPhone && rowY(i) >= top;
    return svg`<g style=${style}>${words.map(one(i))}</g>
      ${isNamed ? svg`<text class=${`t14 ${i === query ? "q" : "soft"} end central`} x=${left - 14} y=${rowY(i) + row / 2}>${words[i]}</text>` : ""}`;
  };
  const cells = (/** @type {number[]} */ queries) =>
    queries
      .filter((i) => i && isDrawn(i))
      .map((i) => `M${left + cell * (i - 1)},${rowY(i)}h${cell}v${row}h${-cell}Z`)
      .join("");
  const foot = room.height - (isPhone ? 10 : 22);
  const current = s.four > 0.5 ? rowY(query) : top + row * s.i;
  return svg`
    <g data-marks="row diagonal matrix" opacity=${there}>
      <path class="line" d=${blank.map((i) => `M${left},${rowY(i)}h${cell * WORDS}v${row - 2}H${left}Z`).join("")} />
      ${all.map(printed)}</g>
    ${mark("row q", isDrawn(query) ? there : 0, svg`<rect fill="none" stroke="var(--q)" stroke-width="2" x=${left} y=${current} width=${cell * WORDS} height=${row} />`)}
    ${mark("diagonal", isSlide && seen.size === WORDS ? there : 0, svg`<path fill="none" stroke="var(--ink)" stroke-width="2" d=${cells(all)} />`)}
    ${mark("k diagonal", isAnywhere ? there : 0, svg`<path fill="none" stroke="var(--k)" stroke-width="3" d=${cells(nouns)} />`)}
    ${mark(
      "count",
      s.count,
      svg`<text class="big end" x=${left + (isPhone ? 60 : 62)} y=${foot}>${number(2 * k + 1)}</text>
        <text class="soft" x=${left + (isPhone ? 70 : 74)} y=${foot}>${say("labels")}</text>`,
    )}`;
}
