// Eight of the dials under their beads: what training showed, what is new, one word on, and the
// text as each of them reads it.

import { SPEEDS, TARGET, TRAINED, TURNS, isNew, level, slowed, unseen } from "./scalings.js";
import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { TURN, clamp, degrees, mix, pie, round, xy } from "../../page/shapes.js";
import { SHOWN, TWO, dialX, levelY, pairX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const NAMED = 164; // pixels: a strip that is long enough for its name

/** @param {State} s @param {Room} room @param {Stage} stage */
export function dials(s, room, stage) {
  const { y, r, step, on } = room.dials;
  const stays =
    clamp(1 - 2 * s.crowd, 0, 1) * clamp(2 * on - 1, 0, 1) * (1 - Math.max(s.table, s.clock));
  if (stays < 0.02) return "";
  const lies = (/** @type {number} */ i) =>
    y + (SHOWN.indexOf(i) % 2) * step + room.leaves * (room.height - y + 2 * r);
  const from = levelY(room, 0) + (room.isPhone ? 38 : 8); // behind what stands below the beads
  const hair = (/** @type {number} */ i) =>
    `M${pairX(room, i).toFixed(1)},${from}L${dialX(room, i).toFixed(1)},${(lies(i) - r).toFixed(1)}`;
  const hairs = y - r > levelY(room, 0) + 50 && s.two < 0.5 ? SHOWN.map(hair).join("") : "";
  return svg`
    ${mark("dials", stays, svg`<path class="line" d=${hairs} />`)}
    ${SHOWN.map((i) => dial(s, room, stage, i, lies(i), stays))}`;
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {number} i @param {number} y @param {number} stays */
function dial(s, room, { say, number }, i, y, stays) {
  const { isPhone } = room;
  const { r } = room.dials;
  const cell = room.dials.two[TWO.indexOf(i)];
  const own = dialX(room, i);
  const c = { x: cell ? mix(own, cell.x + r, s.two) : own, y, r };
  const here = cell ? stays : stays * (1 - s.two);
  if (here < 0.02) return "";
  const slow = slowed(s.u[i]);
  const shown = Math.min(TURN, (TRAINED - 1) * SPEEDS[i]);
  const isRed = isNew(i, slow, s.length);
  const one = SPEEDS[i] / slow;
  const isLeft = isPhone && s.two > 0.5;
  const turns = number(TURNS[i], TURNS[i] < 10 ? (TURNS[i] < 0.1 ? 2 : 1) : 0);
  const told =
    s.open < 0.5
      ? say(isPhone ? "turns_short" : "turns", { turns })
      : say(s.two < 0.5 ? "slowed_by" : i ? "slow_by" : "fast_by", {
          times: number(slow, slow < 1.005 || slow > 3.995 ? 0 : 1),
          degrees: number(degrees(one)),
        });
  const centre = xy([c.x, c.y]);
  return svg`
    ${mark("dials shown", here, svg`<path fill="color-mix(in oklab, var(--soft) 18%, var(--paper))" d=${pie(c, r, 0, shown)} />`)}
    ${mark("dials new", isRed ? here : 0, svg`<path fill="var(--new)" opacity="0.55" d=${pie(c, r, shown, unseen(i, slow, s.length))} />`)}
    ${mark("dials", here, svg`<circle class="line" stroke-width="1.5" cx=${c.x} cy=${c.y} r=${r} />`)}
    ${mark("dials near", SPEEDS[i] > 0.05 ? s.open * here : 0, svg`<path fill="none" stroke="var(--soft)" stroke-width="1.5" stroke-dasharray="3 3" d=${`M${centre}L${xy(round(c, r, SPEEDS[i]))}`} />`)}
    ${mark("dials near", here, svg`<path fill="var(--near)" opacity=${clamp(level(slow) * 1.2, 0, 0.75).toFixed(2)} d=${pie(c, r * 0.86, 0, one)} />`)}
    ${mark("dials", s.open * here, svg`<path class="hand" fill="none" stroke-width="2.5" d=${`M${xy(round(c, r, 0))}L${centre}L${xy(round(c, r, one))}`} />`)}
    ${cell ? strip(s, isPhone, say, c, cell.w, s.open * here * s.two, slow, isRed) : ""}
    ${mark("dials", here, svg`<text class=${`t12 ${isLeft ? "" : "middle"}`} x=${isLeft ? c.x - r : c.x} y=${y + r + (isPhone ? 13 : 17)}>${told}</text>`)}`;
}

/** The text as a large dial reads it, at its right: its marks squeezed as it is slowed.
 * @param {State} s @param {boolean} isPhone @param {Stage["say"]} say @param {import("../../page/shapes.js").Circle} dial
 * @param {number} room @param {number} presence @param {number} slow @param {boolean} isRed
 */
function strip(s, isPhone, say, { x, y, r }, room, presence, slow, isRed) {
  const gap = isPhone ? 10 : 18;
  const left = x + r + gap;
  const wide = Math.max(0, room - 2 * r - 2 * gap);
  const top = y + r - (isPhone ? 8 : 14);
  const high = isPhone ? 8 : 11;
  const at = (/** @type {number} */ tokens) => (Math.min(tokens, TARGET) / TARGET) * wide;
  const read = s.length / slow;
  const border = isRed ? Math.min(read, TRAINED) : read;
  /** @param {string} names @param {string} fill @param {number} from @param {number} to */
  const box = (names, fill, from, to) =>
    mark(names, presence, svg`<rect fill=${`var(--${fill})`} x=${left + from} y=${top} width=${to - from} height=${high} />`); // prettier-ignore
  const count = Math.floor(s.length / TRAINED + 1e-6);
  const ticks = Array.from({ length: count }, (_, k) => left + at(((k + 1) * TRAINED) / slow));
  const marks = ticks.map((x) => `M${x.toFixed(1)},${(top - 3).toFixed(1)}v${high + 6}`);
  return svg`
    ${box("dials strips", "wash", 0, wide)}
    ${box("dials strips", "soft", 0, at(border))}
    ${isRed ? box("dials strips new", "new", at(border), at(read)) : ""}
    ${mark("dials strips", presence, svg`<path stroke="var(--ink)" stroke-width="1.5" d=${marks.join("")} />`)}
    ${mark("strips", wide < NAMED ? 0 : presence, svg`<text class="t12 soft" x=${left} y=${top - 9}>${say("strip")}</text>`)}`;
}
