// What a picture costs: tokens and positions, and a million tokens on a ruler of trained lengths.

import data from "./data.js";
import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { START, needed, next, positions } from "./ids.js";
import { at } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const LONGEST = 4.15; // trained lengths on the ruler
const TIMES = [1, 2, 3, 4];

/** @param {State} s @param {Room} room @param {Stage} stage */
export function cost(s, room, { say, number }) {
  if (s.cost < 0.02) return "";
  const { map, isPhone, side: x, ruler } = room;
  const [rows, columns] = [Math.round(s.rows), Math.round(s.columns)];
  const end = next(0, rows, columns);
  const isHigh = rows > columns;
  const colour = `var(--${isHigh ? "row" : "column"})`;
  const [tall, under] = isPhone ? [25, 16] : [40, 23];
  const top = map.y + (isPhone ? 16 : map.size * 0.1);
  const from = at(room, START, START);
  const side = isHigh
    ? `M${from.x - 4},${from.y}v${(end * map.cell).toFixed(1)}`
    : `M${from.x},${from.y - 4}h${(end * map.cell).toFixed(1)}`;
  const wide = (/** @type {number} */ many) => (ruler.w * many) / data.trained / LONGEST;
  const [line, thick] = isPhone ? [15, 7] : [18, 12];
  const used = positions(rows, columns);
  const values = {
    size: number(rows * columns),
    longer: number(Math.max(rows, columns)),
    positions: number(used),
    times: number(needed(rows, columns), 2),
    limit: number(data.trained),
  };
  /** @param {string} names @param {string} name @param {string} fill @param {number} length @param {number} i */
  const bar = (names, name, fill, length, i) => {
    const y = ruler.y + line - (isPhone ? 0 : 2) + i * (line + thick + (isPhone ? 3 : 8));
    return mark(
      names,
      s.cost,
      svg`<text class="t14" x=${ruler.x} y=${y}>${say(`${name}${isPhone ? "_short" : ""}`, values)}</text>
        <rect fill=${fill} rx="2" x=${ruler.x} y=${y + (isPhone ? 3 : 6)} width=${wide(length)} height=${thick} />`,
    );
  };
  const foot = room.height - (isPhone ? 15 : 28);
  const ticks = TIMES.map((times) => ({ times, x: ruler.x + wide(times * data.trained) }));
  const edge = `M${ticks[0].x.toFixed(1)},${foot - 9}v${-thick - (isPhone ? 4 : 8)}`;
  return svg`
    ${mark("words", isPhone ? 0 : s.cost, svg`<text class="t14" x=${map.x + START * map.cell + 6} y=${map.y + 1.5 * map.cell + 6}>${say("words_at")}</text>`)}
    ${mark(
      "tokens",
      s.cost,
      svg`<text x=${x} y=${top}>${`${rows} × ${columns}`}</text>
        <text class="big" x=${x} y=${top + tall}>${number(rows * columns)}</text>
        <text class="t14 soft" x=${x} y=${top + tall + under}>${say("tokens")}</text>`,
    )}
    ${mark(
      "positions",
      s.cost,
      svg`<text class="big" style=${`fill: ${colour}`} x=${x} y=${top + 2 * tall + under}>${number(end)}</text>
        <text class="t14 soft" x=${x} y=${top + 2 * (tall + under)}>${say("positions")}</text>
        <path fill="none" stroke-width="3" stroke=${colour} d=${side} />`,
    )}
    ${bar("tokens", "million", "var(--soft)", data.long, 0)}
    ${bar("positions", "places", "var(--ink)", used, 1)}
    ${mark(
      "trained",
      s.cost,
      svg`<path stroke="var(--paper)" stroke-width="5" d=${edge} /><path stroke="var(--ink)" stroke-width="2" stroke-dasharray="3 3" d=${edge} />
        <path fill="none" stroke="var(--ink)" stroke-width="1.5" d=${`M${ruler.x},${foot - 5}h${ruler.w}${ticks.map(({ x }) => `M${x.toFixed(1)},${foot - 9}v8`).join("")}`} />
        ${ticks.map(({ x, times }) => svg`<text class="t12 middle" x=${x} y=${room.height - (isPhone ? 4 : 13)}>${times > 1 ? `× ${times}` : say("trained", values)}</text>`)}`,
    )}`;
}
