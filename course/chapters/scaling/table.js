// What the methods leave: a row for each, filled when its name was pressed.

import { METHODS, TARGET, nearness, newOnes } from "./scalings.js";
import { svg } from "../../page/lit/lit.js";
import { clamp } from "../../page/shapes.js";
import { isOn } from "./beads.js";
import { beyond } from "./measured.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Method } from "./scalings.js" */
/** @import { Room } from "./room.js" */

const COLUMNS = /** @type {const} */ (["new", "near", "costs"]);
const NEAR = 0.95; // of the gap: what passes
const AT = { new: 0.42, near: 0.66, costs: 1 }; // of the width, at their right ends

/** @param {State} s @param {Room} room @param {Stage} stage @param {(name: Method) => void} laid */
export function table(s, room, stage, laid) {
  const stays = s.table * clamp(1 - 2 * s.crowd, 0, 1);
  if (stays < 0.02) return "";
  const { say, number, seen, button } = stage;
  const { isPhone, width } = room;
  const { x, y, w, h } = room.table;
  const left = isPhone ? x - 34 : x;
  const wide = w + x - left;
  const css = isPhone ? "t12" : "t14";
  const right = (/** @type {keyof typeof AT} */ name) => left + AT[name] * wide;
  const at = (/** @type {number} */ row) => y + (row + 0.5) * h + 5;
  const head = (/** @type {keyof typeof AT} */ name) =>
    svg`<g data-marks=${name}><text class=${`soft end ${css}`} x=${right(name)} y=${at(0)}>${say(`column_${name}${width < 800 ? "_short" : ""}`)}</text></g>`;
  const row = (/** @type {Method} */ name, /** @type {number} */ k) => {
    const method = say(`name_${name}`);
    const [fill, ink] = isOn(s.u, name) ? ["ink", "paper"] : ["paper", "ink"];
    const box = isPhone ? 82 : 116;
    const slows = METHODS[name];
    const told = {
      new: number(newOnes(slows, TARGET)),
      near: say("percent", { percent: number(100 * nearness(slows)) }),
      costs: `+${number(beyond(/** @type {"linear" | "ntk" | "yarn"} */ (name)), 2)}`,
    };
    const fails = { new: newOnes(slows, TARGET) > 0, near: nearness(slows) < NEAR, costs: false };
    const cell = (/** @type {keyof typeof AT} */ column) =>
      svg`<g data-marks=${column}>${seen.has(name) ? svg`<text class=${`end ${fails[column] ? "new bold" : ""}`} x=${right(column)} y=${at(k + 1)}>${told[column]}</text>` : ""}</g>`;
    return svg`
      <g data-marks="names"><g ${button(() => laid(name))} tabindex=${s.table > 0.8 ? 0 : -1} aria-label=${say("lay", { method })}>
        <rect rx="8" stroke="var(--ink)" fill=${`var(--${fill})`} x=${left} y=${y + (k + 1) * h + 3} width=${box} height=${h - 6} />
        <text class=${`${css} middle`} style=${`fill: var(--${ink})`} x=${left + box / 2} y=${at(k + 1)}>${method}</text></g></g>
      ${COLUMNS.map(cell)}`;
  };
  const methods = /** @type {Method[]} */ (Object.keys(METHODS));
  return svg`<g data-marks="table" opacity=${stays}>
    <path class="line" d=${methods.map((_, k) => `M${left},${y + (k + 1) * h}h${wide}`).join("")} />
    ${COLUMNS.map(head)}
    ${methods.map(row)}</g>`;
}
