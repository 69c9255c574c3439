// The words in their tiles, and the line that they and the patches stand in: who is how far from whom.

import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { clamp, xy } from "../../page/shapes.js";
import { AFTER, COLUMNS, ROWS, START } from "./ids.js";
import { patchAt, within, wordAt } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Rect, Room } from "./room.js" */

const PATCHES = ROWS * COLUMNS;

/** Row and column of a token that is a patch. @param {number} token @returns {[number, number]} */
export const cellOf = (token) => [Math.floor((token - START) / COLUMNS), (token - START) % COLUMNS];

/** Where a token is. @param {Room} room @param {State} s @param {number} token @returns {Rect} */
export const tokenAt = (room, s, token) =>
  token < START ? wordAt(room, s, token, false) : patchAt(room, s, ...cellOf(token));

/**
 * A ring around a rectangle that is seen on any picture: it has a rim of the page's colour.
 * @param {Rect} rect @param {string} colour @param {number} [width] @param {number} [out]
 */
export function ring({ x, y, w, h }, colour, width = 3, out = 0) {
  const box = (
    /** @type {string} */ css,
    /** @type {string} */ stroke,
    /** @type {number} */ wide,
  ) =>
    svg`<rect class=${css} fill="none" stroke=${stroke} stroke-width=${wide} rx="5" x=${x - out} y=${y - out} width=${w + 2 * out} height=${h + 2 * out} />`;
  return svg`${box("", "var(--paper)", width + 3)}${box("", `var(--${colour})`, width)}`;
}

/** What shows that a ring has the focus. @param {Rect} rect @param {number} [out] */
export const focus = ({ x, y, w, h }, out = 0) =>
  svg`<rect class="ring" rx="5" x=${x - out} y=${y - out} width=${w + 2 * out} height=${h + 2 * out} />`;

/** What takes the hand. @param {Rect} rect */
export const hit = ({ x, y, w, h }) =>
  svg`<rect fill="transparent" x=${x} y=${y} width=${w} height=${h} />`;

/** @param {State} s @param {Room} room @param {Stage} stage */
export function words(s, room, { say }) {
  const words = say("sentence").split(" ");
  const here = s.line + s.map;
  const isLine = s.line > 0.5;
  const { line, right, map } = room;
  /** @param {string} names @param {string} text @param {Rect} rect @param {number} presence @param {string} beside What a phone writes, and where: "right", "left" or "". */
  function tile(names, text, { x, y, w, h }, presence, beside) {
    const isSmall = w < 34;
    const size = isSmall ? Math.max(4, Math.min(w, h) - 3) : w - 2;
    const high = isSmall ? size : h - 2;
    const side = beside === "left" ? -1 : 1;
    const at = x + w / 2 + (isSmall ? side * (w / 2 + (w < 12 ? 13 : 4)) : 0);
    const css = isSmall ? `t12 halo ${side < 0 ? "end" : ""}` : `middle ${w < 46 ? "t14" : ""}`;
    return mark(
      names,
      presence,
      svg`<rect stroke="var(--line)" fill=${`var(--${isSmall ? "soft" : "wash"})`} rx=${isSmall ? 2 : 5} x=${x + (w - size) / 2} y=${y + (h - high) / 2} width=${size} height=${high} />
        ${isSmall && !beside ? "" : svg`<text class=${css} x=${at} y=${y + h / 2 + 5}>${text}</text>`}`,
    );
  }
  const joined = (/** @type {number} */ i) =>
    mark(
      "words line",
      line.word < 34 ? clamp(2 * s.line - 1, 0, 1) * s.arcs : 0,
      svg`<text class=${`t12 halo ${i ? "end" : ""}`} x=${i ? right : line.x} y=${line.y - 8}>${words.slice(i * START, i * START + AFTER).join(" ")}</text>`,
    );
  const [before, after] = [words.slice(0, START), words.slice(START)];
  return svg`
    ${before.map((text, i) => tile("words", text, wordAt(room, s, i, false), here, isLine || map.cell < 17 ? "" : "right"))}
    ${after.map((text, i) =>
      tile(
        i ? "words" : "next",
        text,
        wordAt(room, s, i, true),
        here * s.tail,
        isLine || i || s.placed < 0.5 || map.cell < 17 ? "" : "right",
      ),
    )}
    ${joined(0)}${joined(1)}`;
}

/** The line under the tiles: the place of each, and how far two of them are apart. @param {State} s @param {Room} room @param {Stage} stage */
export function line(s, room, { say }) {
  if (s.arcs < 0.02) return "";
  const { line, source, right, isPhone } = room;
  const held = Math.round(s.at);
  const [r, c] = cellOf(held);
  const middle = (/** @type {number} */ token) => {
    const { x, w } = token < START + PATCHES ? tokenAt(room, s, token) : wordAt(room, s, token - START - PATCHES, true); // prettier-ignore
    return x + w / 2;
  };
  const foot = line.y + line.h;
  const above = held - COLUMNS;
  const number = (/** @type {unknown} */ _, /** @type {number} */ i) => {
    const isAbove = i === above && r > 0 && s.above > 0.5;
    const css = i === held ? "t14 q heavy" : isAbove ? "t14 k heavy" : "t12 soft";
    return line.patch >= 19 || i === held || isAbove
      ? svg`<text class=${`${css} middle`} x=${middle(i)} y=${foot + 15}>${i}</text>`
      : "";
  };
  const [x1, x2] = [middle(held - 1), middle(held)];
  const y = foot + (isPhone ? 19 : 24);
  const from = middle(Math.max(START, above));
  const top = line.y - 3;
  const high = isPhone ? 24 : 40;
  const arc = `M${xy([from, top])}C${xy([from, top - high * 1.3])} ${xy([x2, top - high * 1.3])} ${xy([x2, top])}`; // prettier-ignore
  const one = within(source, ...cellOf(held - 1));
  const isEnd = c === COLUMNS - 1 && r < ROWS - 1; // whose next in the line begins another row
  const next = within(source, r + 1, 0);
  const x3 = middle(held + 1);
  return svg`
    ${mark("line", s.arcs, Array.from({ length: START + PATCHES + AFTER }, number))}
    ${mark(
      "line",
      s.arcs,
      svg`<path fill="none" stroke="var(--ink)" stroke-width="2" d=${`M${xy([x1, y])}v7H${x2.toFixed(1)}v-7${isEnd ? `m0,7H${x3.toFixed(1)}v-7` : ""}`} />
        <text class="t14 middle bold" x=${clamp(isEnd ? x2 : (x1 + x2) / 2, 34, right - 26)} y=${y + (isPhone ? 20 : 25)}>${say(isEnd ? "apart_both" : "apart_one")}</text>
        ${held === START ? "" : svg`<rect fill="none" stroke="var(--ink)" stroke-width="1.5" rx="3" x=${one.x + 1} y=${one.y + 1} width=${one.w - 2} height=${one.h - 2} />`}
        ${isEnd ? svg`<rect fill="none" stroke="var(--ink)" stroke-width="1.5" rx="3" x=${next.x + 1} y=${next.y + 1} width=${next.w - 2} height=${next.h - 2} />` : ""}`,
    )}
    ${mark(
      "k",
      s.above * s.arcs * Number(r > 0),
      svg`<path fill="none" stroke="var(--k)" stroke-width="2.5" d=${arc} />
        <text class="k halo middle bold" x=${(from + x2) / 2} y=${line.y - high - 10}>${say("apart_row")}</text>
        ${ring(within(source, r - 1, c), "k", 3, -1)}${ring(tokenAt(room, s, above), "k")}`,
    )}`;
}
