// The map of rows and columns: words on its diagonal, what the ringed token has, and the word after the picture.

import { svg } from "../../page/lit/lit.js";
import { mark, seen } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { COLUMNS, ROWS, SHEETS, START, later, next } from "./ids.js";
import { cellOf, ring, tokenAt } from "./line.js";
import { ASIDE, at, patchAt, wordAt } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const AXES = /** @type {const} */ (["t", "row", "column"]);

/** t, row and column of a token before the next text. @param {number} token @returns {[number, number, number]} */
export const idsOf = (token) => {
  if (token < START) return [token, token, token];
  const [r, c] = cellOf(token);
  return [START, START + r, START + c];
};

/** @param {State} s @param {Room} room @param {Stage} stage */
export function map(s, room, { say }) {
  if (s.map < 0.02) return "";
  const { isPhone } = room;
  const { x, y, size, cell, extent } = room.map;
  const every = cell > (extent > 20 ? 22 : 15) ? 1 : cell > 8 ? 5 : 10;
  const count = Math.floor(extent + 0.01);
  const lines = Array.from({ length: every > 1 ? 0 : count + 1 }, (_, i) => (i * cell).toFixed(1));
  const grid = lines.map((d) => `M${x},${y}m${d},0v${size}M${x},${y}m0,${d}h${size}`);
  const past = Math.min(extent, START + Math.min(s.rows, s.columns)) * cell; // behind the picture
  const held = Math.round(s.at);
  const isNext = s.next > 0.5;
  const rect = isNext ? wordAt(room, s, 0, true) : tokenAt(room, s, held);
  const after = next(START, Math.round(s.rows), Math.round(s.columns));
  const [, row, column] = isNext ? [after, after, after] : idsOf(held);
  const shown = Math.max(s.held, s.next * clamp(2 * s.placed - 1, 0, 1));
  /** @param {"row" | "column"} name @param {number} hot @param {string} axis @param {string} guide */
  const side = (name, hot, axis, guide) => {
    const isRow = name === "row";
    const [titleX, titleY] = isRow
      ? [x - (isPhone ? 18 : 34), y + size + (isPhone ? 15 : 18)]
      : [x + size + 7, y - 6];
    const number = (/** @type {unknown} */ _, /** @type {number} */ i) => {
      const along = (i + 0.5) * cell;
      if (i % every !== 0 || (every > 1 && along + 8 >= size)) return "";
      if (s.pile > 0.5 && i >= START + (isRow ? ROWS : COLUMNS)) return ""; // sheets drawn aside are not there
      const css = shown > 0.5 && i === hot ? `t14 heavy ${name}` : "t12 soft";
      return svg`<text class=${`${css} ${isRow ? "end" : "middle"}`} x=${isRow ? x - 6 : x + along} y=${isRow ? y + along + 4.5 : y - 6}>${i}</text>`;
    };
    return mark(
      name,
      s.map,
      svg`<g fill="none" stroke=${`var(--${name})`} stroke-width="2.5"><path d=${axis} />
          ${shown < 0.02 ? "" : svg`<path opacity=${shown} d=${guide} />`}</g>
        <text class=${`t14 bold ${name}`} x=${titleX} y=${titleY}>${say(name)}</text>
        ${Array.from({ length: count }, number)}`,
    );
  };
  const [r, c] = held < START ? [0, 0] : cellOf(held);
  const [toRow, toColumn] = [rect.y + rect.h / 2, rect.x + rect.w / 2].map((one) => one.toFixed(1));
  return svg`
    ${mark(
      "map",
      s.map,
      svg`${seen(1 - s.pile, svg`<path class="line" opacity=${1 - s.pile} d=${grid.join("")} />`)}
        <path class="line" stroke-dasharray="3 5" d=${`M${x},${y}l${START * cell},${START * cell}M${x + past},${y + past}L${x + size},${y + size}`} />`,
    )}
    ${side("row", row, `M${x},${y}v${size}`, `M${x},${toRow}H${rect.x.toFixed(1)}`)}
    ${side("column", column, `M${x},${y}h${size}`, `M${toColumn},${y}V${rect.y.toFixed(1)}`)}
    ${mark("t", s.held, svg`<text class="t14 bold halo end" x=${x + (START + COLUMNS) * cell - 2} y=${y + START * cell - 6}>${say("one_t", { t: START })}</text>`)}
    ${mark("k", held >= START && r < ROWS - 1 ? s.held : 0, ring(patchAt(room, s, r + 1, c), "k", 3, -1))}`;
}

/** What is written beside the map: three numbers of a token and of the patch below it. @param {State} s @param {Room} room @param {Stage} stage */
export function beside(s, room, { say, number }) {
  const { map, isPhone, side } = room;
  const held = Math.round(s.at);
  const [rows, columns] = [Math.round(s.rows), Math.round(s.columns)];
  const isNext = s.next > 0.5;
  const after = next(START, rows, columns);
  const ids = isNext ? [after, after, after] : idsOf(held);
  const [t, row, column] = ids;
  const word = say("sentence").split(" ")[isNext ? START : held];
  const top = map.y + (isPhone ? 60 : map.size * 0.2);
  const placed = s.next * clamp(2 * s.placed - 1, 0, 1);
  const step = isPhone ? 17 : 28;
  const cssOf = (/** @type {string} */ axis) => (axis === "t" ? "soft" : axis);
  /** @param {"q" | "k"} names @param {number} y @param {string} title @param {number[]} ids @param {number} presence */
  const told = (names, y, title, ids, presence) =>
    presence < 0.02
      ? ""
      : svg`${mark(names, presence, svg`<text class=${`bold ${names}`} x=${side} y=${y}>${title}</text>`)}
        ${AXES.map((axis, i) =>
          mark(
            axis,
            presence,
            svg`<text class=${cssOf(axis)} x=${side} y=${y + (i + 1) * step}>${say(axis)}</text>
              <text class=${`bold ${cssOf(axis)}`} x=${side + (isPhone ? 58 : 84)} y=${y + (i + 1) * step}>${number(ids[i])}</text>`,
          ),
        )}`;
  const name = isNext || held < START ? say("word", { word }) : say("patch");
  const hasBelow = !isNext && held >= START && held < START + COLUMNS * (ROWS - 1);
  return svg`
    ${told("q", top, name, ids, Math.max(s.held, placed))}
    ${told("k", top + (isPhone ? 84 : 150), say("below"), [t, row + 1, column], hasBelow ? s.held : 0)}`;
}

/** The t of each sheet, and an axis of t along their lower right corners. @param {State} s @param {Room} room @param {Stage} stage */
export function film(s, room, { say, number }) {
  if (s.pile < 0.02) return "";
  const { isPhone } = room;
  const [right, up] = ASIDE[Number(isPhone)];
  const first = patchAt(room, s, ROWS - 1, COLUMNS - 1);
  const [x, y] = [first.x + first.w, first.y + first.h];
  const place = (/** @type {number} */ t) => [x + right * t, y - up * t];
  const most = later(SHEETS - 1, 2);
  const ticks = Array.from({ length: most + 1 }, (_, t) => {
    const [tx, ty] = place(t);
    return isPhone && t % 4
      ? ""
      : svg`<path stroke="var(--soft)" stroke-width="1.5" d=${`M${tx},${ty}v6`} />
        <text class="t12 soft middle" x=${tx + 2} y=${ty + 20}>${number(START + t)}</text>`;
  });
  const [endX, endY] = place(most);
  const axis = svg`<path stroke="var(--soft)" stroke-width="2" d=${`M${x},${y}L${endX},${endY}`} />${ticks}
    <text class="t14 bold soft" x=${endX + (isPhone ? 10 : 16)} y=${endY + 8}>${say("t")}</text>`;
  const tags = Array.from({ length: SHEETS }, (_, i) => {
    const text = say("t_is", { t: number(START + later(i, s.seconds)) });
    const wide = 16 + 7.4 * text.length;
    const corner = patchAt(room, s, 0, COLUMNS - 1, i);
    const [left, top] = isPhone
      ? [room.right - wide, room.map.y + 44 + 26 * i]
      : [corner.x + corner.w - wide, corner.y - 22];
    return svg`<rect rx="5" fill="var(--paper)" stroke="var(--soft)" x=${left} y=${top} width=${wide} height="21" />
      <text class="t14 middle bold" x=${left + wide / 2} y=${top + 15.5}>${text}</text>`;
  });
  return mark("t", s.pile, [axis, tags]);
}

/** A picture’s corner on the map. @param {Room} room @param {State} s */
export const cornerOf = (room, { rows, columns }) => at(room, START + rows, START + columns);
