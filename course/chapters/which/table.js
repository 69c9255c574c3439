// The three ways as columns, and what the course has shown of them as lines: each holds for one way, which the reader presses.

import { svg } from "../../page/lit/lit.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @typedef {"add" | "subtract" | "turn"} Way */

/** @type {Way[]} */
export const WAYS = ["add", "subtract", "turn"];
export const LINES = /** @type {const} */ (["back", "longer", "error"]);
/** The way for which a line holds. @type {Record<typeof LINES[number], Way>} */
const HOLDS = { back: "turn", longer: "subtract", error: "add" };

const UNTRIED = "back_add"; // neither right nor wrong
const cellOf = (/** @type {string} */ line, /** @type {Way} */ way) => `${line}_${way}`;

/** Whether the way of a line was found. @param {Set<unknown>} seen @param {typeof LINES[number]} line */
export const isFound = (seen, line) => seen.has(cellOf(line, HOLDS[line]));

/** @param {Room} room @param {number} i */
function place({ height, isPhone }, i) {
  const top = isPhone ? 44 : 96;
  const h = Math.min(isPhone ? 92 : 156, (height - (isPhone ? 6 : 20) - top) / LINES.length);
  return { y: top + i * h, h };
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function table(s, room, stage) {
  if (s.table < 0.02) return "";
  const { say, seen, move, button } = stage;
  const { isPhone, left, width } = room;
  const end = isPhone ? "_short" : "";
  const gap = isPhone ? 6 : 14;
  const wide = (width - 2 * left + gap) / WAYS.length;
  const x = (/** @type {number} */ k) => left + k * wide;
  const css = isPhone ? "t12" : "t14";
  const head = (/** @type {Way} */ way, /** @type {number} */ k) =>
    svg`<g data-marks=${`ways ${way}`}>
      <text class="bold" x=${x(k)} y=${isPhone ? 16 : 40}>${say(`way_${way}`)}</text>
      <text class=${`${css} soft`} x=${x(k)} y=${isPhone ? 33 : 66}>${say(`members_${way}${end}`)}</text></g>`;
  const line = (/** @type {typeof LINES[number]} */ name, /** @type {number} */ i) => {
    const { y, h } = place(room, i);
    const cell = (/** @type {Way} */ way, /** @type {number} */ k) => {
      const isPressed = seen.has(cellOf(name, way));
      const isRight = isPressed && HOLDS[name] === way;
      const isOpen = isPressed || isFound(seen, name);
      const choose = () => {
        seen.add(cellOf(name, way));
        move({ line: i, column: k }, 0);
      };
      const [top, high] = [y + h * 0.42, h * 0.46];
      const middle = top + high / 2 + 5;
      const isWrong = isPressed && !isRight && cellOf(name, way) !== UNTRIED;
      const verdict = isRight ? "✓ " : isWrong ? "✗ " : "";
      const told = isOpen ? verdict + say(`cell_${name}_${way}${end}`) : say(`way_${way}`);
      const look = isWrong ? "new" : isOpen ? "" : "soft";
      return svg`<g data-marks=${`lines ${name} ${way}`}>
        <g ${button(choose)} aria-label=${say("cell_label", { line: say(`line_${name}`), way: say(`way_${way}`) })} aria-pressed=${isPressed}>
          <rect rx="8" stroke-width="1.5" stroke=${isOpen && !isRight ? "none" : "var(--soft)"} fill=${isRight ? "var(--ink)" : isOpen ? "var(--wash)" : "var(--paper)"} x=${x(k)} y=${top} width=${wide - gap} height=${high} />
          <text class=${`${css} middle ${look}`} style=${isRight ? "fill: var(--paper)" : ""} x=${x(k) + (wide - gap) / 2} y=${middle}>${told}</text></g></g>`;
    };
    return svg`<g data-marks=${`lines ${name}`}><text class=${isPhone ? "t12" : ""} x=${left} y=${y + h * 0.3}>${say(`line_${name}${end}`)}</text></g>
      ${WAYS.map(cell)}`;
  };
  return svg`<g opacity=${s.table}>${WAYS.map(head)}${LINES.map(line)}</g>`;
}

/** What the cell says that was pressed last; nothing before. @param {State} s @param {Stage} stage */
export function pressed(s, { say, seen }) {
  const [line, way] = [LINES[Math.round(s.line)], WAYS[Math.round(s.column)]];
  if (!seen.has(cellOf(line, way))) return "…";
  const cell = cellOf(line, way);
  const verdict = HOLDS[line] === way ? "✓" : cell === UNTRIED ? "–" : "✗";
  return `${say(`way_${way}`)} ${verdict} ${say(`cell_${line}_${way}`)}`;
}
