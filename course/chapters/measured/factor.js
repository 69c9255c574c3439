// The switch of YaRN's factor.

import { svg } from "../../page/lit/lit.js";
import { HOLLOW, at, grip } from "../../page/parts.js";
import { mix } from "../../page/shapes.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** The factors with which YaRN was measured. @param {Stage} stage */
export function makeFactor({ say, number, move, handle }) {
  let wanted = 4; // what it goes to: the picture may be on its way
  const turn = (/** @type {number} */ factor) => {
    if (factor === wanted) return;
    wanted = factor;
    move({ factor }, 500);
  };

  return (/** @type {State} */ s, /** @type {Room} */ { isPhone, x, w, top }) => {
    if (s.factor === 2 || s.factor === 4) wanted = s.factor;
    if (s.dial < 0.02) return "";
    const y = top + (isPhone ? 28 : 50);
    const [from, to] = [x + w - (isPhone ? 96 : 130), x + w - 32];
    const hold = handle({
      label: say("factor_label"),
      now: s.factor,
      min: 2,
      max: 4,
      text: say("factor_is"),
      keys: (by) => turn(by > 0 ? 4 : 2),
      move: ([px]) => turn(px < (from + to) / 2 ? 2 : 4),
    });
    return svg`<g data-marks="factor" opacity=${s.dial}>
      <line class="line" stroke-width="5" stroke-linecap="round" x1=${from} x2=${to} y1=${y} y2=${y} />
      <text class="t14 soft end" x=${from - 20} y=${y + 5}>${number(2)}</text>
      <text class="t14 soft" x=${to + 20} y=${y + 5}>${number(4)}</text>
      <text class="t14 halo end" x=${from - 38} y=${y + 5}>${say("factor_name")}</text>
      <g ${hold} transform=${at(mix(from, to, (s.factor - 2) / 2), y)}>${grip(HOLLOW)}</g></g>`;
  };
}
