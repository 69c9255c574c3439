// Eight of the dials under their beads: what training showed, what is new, one word on, and how far
// the text turns a large one.

import { SPEEDS, TRAINED, TURNS, isNew, level, slowed, unseen } from "./scalings.js";
import { svg } from "../../page/lit/lit.js";
import { mark, through } from "../../page/parts.js";
import { TURN, clamp, degrees, mix, pie, round, xy } from "../../page/shapes.js";
import { SHOWN, TWO, dialX, levelY, pairX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @import { Circle } from "../../page/shapes.js" */

const POINTS = 80; // of the way that a text turns a dial

/** @param {State} s @param {Room} room @param {Stage} stage */
export function dials(s, room, stage) {
  const { y, r, step, on } = room.dials;
  const stays =
    clamp(1 - 2 * s.crowd, 0, 1) * clamp(2 * on - 1, 0, 1) * (1 - Math.max(s.table, s.clock));
  if (stays < 0.02) return "";
  const lies = (/** @type {number} */ i) =>
    y + (SHOWN.indexOf(i) % 2) * step + room.leaves * (room.height - y + 2 * r);
  const base = levelY(room, 0);
  /** On a phone below what stands there, at the ends of the axis. */
  const from = () => base + (room.isPhone ? 38 : 8);
  const hair = (/** @type {number} */ i) =>
    `M${pairX(room, i).toFixed(1)},${from()}L${dialX(room, i).toFixed(1)},${(lies(i) - r).toFixed(1)}`;
  const hairs = y - r > base + 50 && s.open < 0.5 ? SHOWN.map(hair).join("") : "";
  return svg`
    ${mark("dials", stays, svg`<path class="line" d=${hairs} />`)}
    ${mark("dials", room.isPhone ? 0 : stays * (1 - s.open) * (1 - s.curve), svg`<text class="t14 soft end" x=${room.graph.x + room.graph.w} y=${room.tests.y + 36}>${stage.say("hand_end")}</text>`)}
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
      : say(s.two < 0.5 ? "slowed_by" : i ? `slow_by${isPhone ? "_short" : ""}` : "fast_by", {
          times: number(slow, slow < 1.005 || slow > 3.995 ? 0 : 1),
          degrees: number(degrees(i ? s.length * one : one)),
        });
  const centre = xy([c.x, c.y]);
  return svg`
    ${mark("dials shown", here, svg`<path fill="color-mix(in oklab, var(--soft) 18%, var(--paper))" d=${pie(c, r, 0, shown)} />`)}
    ${mark("dials new", isRed ? here : 0, svg`<path fill="var(--new)" opacity="0.55" d=${pie(c, r, shown, unseen(i, slow, s.length))} />`)}
    ${mark("dials", here, svg`<circle class="line" stroke-width="1.5" cx=${c.x} cy=${c.y} r=${r} />`)}
    ${mark("dials", (1 - s.open) * (1 - s.curve) * here, svg`<path class="hand" fill="none" stroke-width="2.5" d=${`M${centre}L${xy(round(c, r, (s.length - 1) * one))}`} />`)}
    ${mark("dials near", SPEEDS[i] > 0.05 ? s.open * here : 0, svg`<path fill="none" stroke="var(--soft)" stroke-width="1.5" stroke-dasharray="3 3" d=${`M${centre}L${xy(round(c, r, SPEEDS[i]))}`} />`)}
    ${mark("dials near", here, svg`<path fill="var(--near)" opacity=${clamp(level(slow) * 1.2, 0, 0.75).toFixed(2)} d=${pie(c, r * 0.86, 0, one)} />`)}
    ${mark("dials", s.open * here, svg`<path class="hand" fill="none" stroke-width="2.5" d=${`M${xy(round(c, r, 0))}L${centre}L${xy(round(c, r, one))}`} />`)}
    ${i === TWO[1] ? mark("dials slow", s.open * here * s.two, way(c, s.length * one)) : ""}
    ${mark("dials", here, svg`<text class=${`${s.two > 0.5 && !isPhone ? "t14" : "t12"} ${isLeft ? "" : "middle"}`} x=${isLeft ? c.x - r : c.x} y=${y + r + (isPhone ? 13 : 17)}>${told}</text>`)}`;
}

/** The way that the text's last token has turned a dial: a line that winds outwards.
 * @param {Circle} dial @param {number} angle
 */
function way(dial, angle) {
  const points = Array.from({ length: POINTS + 1 }, (_, k) => {
    const part = (angle * k) / POINTS;
    return round(dial, dial.r * (0.5 + (0.2 * part) / TURN), part);
  });
  const [x, y] = points[POINTS];
  return svg`<path fill="none" stroke="var(--ink)" stroke-width="2" d=${through(points)} />
    <circle r="4" fill="var(--ink)" cx=${x} cy=${y} />`;
}
