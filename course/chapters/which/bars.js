// Short texts: what each encoding finds, as bars in the rows, and each model as a dot.

import { svg } from "../../page/lit/lit.js";
import { clamp } from "../../page/shapes.js";
import { ENCODINGS, LENGTHS, MEASURES, NAMES, along, chosen, hasRow, measured } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const NEAR = MEASURES.indexOf("near");
/** Whether a model learned nothing, while others of its encoding did. @param {string} name @param {number} found */
const isLeftOut = (name, found) =>
  ENCODINGS[name].learned > 0 && found < ENCODINGS[name].near.low[0] - 0.01;
/** The one such model: its encoding, and what it found, per cent. */
export const [FAILED] = NAMES.flatMap((name) =>
  ENCODINGS[name].each.filter((found) => isLeftOut(name, found)).map((found) => ({ name, found })),
);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function bars(s, room, { say, number }) {
  if (s.bars < 0.02) return "";
  const { isPhone, left, name: wide, width } = room;
  const x = left + wide + (isPhone ? 8 : 0);
  const w = width - x - (isPhone ? 60 : 110);
  const tall = room.row * (isPhone ? 0.4 : 0.36);
  const at = clamp(s.length, 0, LENGTHS);
  const textY = (/** @type {number} */ i) => room.rows[i] + (isPhone ? 4 : 5);
  const row = (/** @type {string} */ name, /** @type {number} */ i) => {
    if (!hasRow(name, Math.round(at)))
      return svg`<text class="t14 soft" x=${x} y=${textY(i)}>${say("fails_learned")}</text>`;
    const found = along((n) => measured(name, NEAR, n), at);
    const y = room.rows[i] - tall / 2;
    return svg`
      <rect fill="var(--line)" opacity="0.5" rx="2" x=${x} y=${y} width=${w} height=${tall} />
      <rect fill="var(--ink)" rx="2" x=${x} y=${y} width=${(w * found) / 100} height=${tall} />
      <text class="t14" x=${x + w + (isPhone ? 8 : 14)} y=${textY(i)}>${number(found)}%</text>`;
  };
  const dots = (/** @type {string} */ name, /** @type {number} */ i) =>
    ENCODINGS[name].each.map((found, k) => {
      const isOut = isLeftOut(name, found);
      const y = room.rows[i] + (k - 1) * tall * 0.55;
      return svg`<g data-marks=${isOut ? "dots failed" : "dots"}><circle stroke="var(--paper)" stroke-width="1.5" fill=${`var(--${isOut ? "new" : "soft"})`} opacity=${s.bars} r=${isPhone ? 3.2 : 5} cx=${x + (w * found) / 100} cy=${y} /></g>`;
    });
  /** What the failed one finds, below its row's bar. */
  const failed = () =>
    svg`<g data-marks="dots failed"><text class="t12 bold new" x=${x + (w * FAILED.found) / 100 + 8} y=${room.rows[NAMES.indexOf(FAILED.name)] + tall / 2 + 13}>${number(FAILED.found)}%</text></g>`;
  return svg`
    <g data-marks="bars" opacity=${s.bars}>
      <text x=${left} y=${room.line}>${say(isPhone ? "bars_short" : "bars")}</text>
      ${NAMES.map(row)}
      <path stroke="var(--soft)" stroke-dasharray="2 4" d=${`M${x + 0.9 * w},${room.rows[0] - room.row / 2}V${room.rows[NAMES.length - 1] + room.row / 2}`} />
      <text class="t12 soft middle" x=${x + 0.9 * w} y=${room.rows[0] - room.row / 2 - 4}>${say("most")}</text></g>
    ${at < 0.05 ? NAMES.map(dots) : ""}${at < 0.05 && chosen(s) === FAILED.name && !isPhone ? failed() : ""}`;
}
