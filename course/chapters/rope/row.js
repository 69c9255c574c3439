// RoPE: a row of three words, from scores to shares of attention.

import { START } from "../../page/by_hand.js";
import { softmax } from "../../page/formulas/rotation.js";
import { svg } from "../../page/lit/lit.js";
import { at } from "../../page/parts.js";
import { arrow, clamp, round } from "../../page/shapes.js";
import { EDGE, KEY, WIDE, hand, keyName, shadow } from "./dial.js";
import { ROW, WORDS, row as scores } from "./head.js";
import { placeX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** @param {State} s @param {Room} room @param {Stage} stage */
export function row(s, room, stage) {
  if (s.row < 0.02) return "";
  const { say, number } = stage;
  const { isPhone, isTight, dial } = room;
  const scaled = scores(s);
  const shares = softmax(scaled);
  const powers = scaled.map((one) => Math.round(1000 * Math.exp(one)));
  const x = room.panel.x;
  const free = room.width - x - 64; // beside the bars
  const isNarrow = free < 250;
  const columns = isNarrow
    ? [0.34, 0.54, 0.76, 1].map((part) => part * (free + 52))
    : [0.34, 0.58, 0.8, 1].map((part) => part * Math.min(350, free));
  const step = isPhone ? (isTight ? 22 : 28) : 40;
  const top = dial.y - 2 * step;
  const foot = top + 4 * step;
  const from = x + columns[3] + 14;
  const widest = Math.min(Math.max(20, room.width - from - 20), 160);
  const size = isPhone ? "t12" : "";
  /** @param {string[]} texts @param {number} y @param {string} css */
  const cells = (texts, y, css) =>
    texts.map(
      (text, j) => svg`<text class=${`${css} end`} x=${x + columns[j]} y=${y}>${text}</text>`,
    );
  const heads = ["row_score", "row_scaled", "row_power", "row_share"].map((name) => say(name));
  const all = number(powers.reduce((a, b) => a + b, 0) / 1000, 3); // of what is written
  return svg`
    <g data-marks="shares" opacity=${s.row}>
      ${cells(heads, top, isPhone ? "t12 soft" : "t14 soft")}
      ${WORDS.map((name, i) => {
        const y = top + (i + 1) * step;
        const score = number(scaled[i] * Math.SQRT2, 2);
        const share = `${number(100 * shares[i], 1)}%`;
        return svg`
          <text x=${x} y=${y} class=${`k bold ${size}`}>${say(`${name}_word`)}</text>
          ${cells([score, number(scaled[i], 2), number(powers[i] / 1000, 3), share], y, size)}
          ${isNarrow ? "" : svg`<rect x=${from} y=${y - 12} width=${widest * shares[i]} height="14" rx="3" fill="var(--attention)" />`}`;
      })}
      ${cells(["", say("row_sum"), all, ""], foot, `soft ${size}`)}
      <path class="line" d=${`M${x + columns[1]},${foot - step * 0.6}H${x + columns[2]}`} /></g>
    <g data-marks="shadow" opacity=${s.row}>${[0, 2].map((i) => shadow(dial, START + s.m - ROW[i], START + s.m + s.bend))}</g>
    <g data-marks="k" opacity=${s.row}>${[0, 2].map((i) => other(s, room, stage, i))}</g>`;
}

/** A key beside that of the pair. @param {State} s @param {Room} room @param {Stage} stage @param {number} i */
function other(s, room, stage, i) {
  const { isPhone, dial, gap, panel } = room;
  const angle = START + s.m - ROW[i];
  const name = stage.say(`${WORDS[i]}_word`);
  const edge = isPhone ? EDGE : WIDE;
  const [x, y] = round(dial, dial.r + 26, angle);
  const most = isPhone ? panel.x - 28 : room.width; // the table begins there
  const isOut = x < edge || x > most; // then it stands beside its arrow
  const chip = svg`<g transform=${at(placeX(room, s.m - ROW[i]), room.rail + 26)}>
    <rect x="-24" width="48" height="26" rx="7" fill="var(--k-fill)" opacity="0.75" />
    <text y="18" class="t14 white middle">${name}</text></g>`;
  return svg`${gap < 50 ? "" : chip}
    ${hand("k", arrow(dial, angle, isPhone ? 9 : 14), KEY)}
    <text class="k t14 halo middle central" x=${clamp(x, edge, most)} y=${y + (isOut ? (y < dial.y ? -1 : 1) * (isPhone ? 15 : 23) : 0)}>${keyName(s, room, stage, i)}</text>`;
}
