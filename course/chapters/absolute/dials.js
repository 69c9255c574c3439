// Hands: of the place that is held, of the hidden one, and of the ghost further on.

import { apart } from "../../page/formulas/sinusoids.js";
import { svg } from "../../page/lit/lit.js";
import { mark, seen } from "../../page/parts.js";
import { TURN, clamp, mix, pie, round } from "../../page/shapes.js";
import { HIDDEN, SPEEDS, TELL, speed } from "./model.js";
import { after } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Dial, Room } from "./room.js" */

/** @param {State} s @param {Room} room @param {Stage} stage */
export const dials = (s, room, stage) => SPEEDS.map((_, i) => dial(s, room, stage, i));

/** @param {State} s @param {Room} room @param {Stage} stage @param {number} i */
function dial(s, room, { say, number }, i) {
  const c = room.dials[i];
  const isShown = s.lanes > 0 && s.smooth < 1 ? 1 - s.lanes * (1 - s.smooth) : 1;
  const isGuessed = s.sieve > 0.5 ? clamp(s.hands - i, 0, 1) : 1;
  const presence = c.a * isShown * isGuessed;
  if (presence < 0.02) return "";
  const isWedges = clamp(2 * s.wedges - 1, 0, 1);
  const own = s.p * (i < 3 ? speed(i, s) : SPEEDS[i]);
  const angle = mix(own, HIDDEN * SPEEDS[i], s.sieve);
  const by = s.k * SPEEDS[i];
  const isLarge = c.r > 30;
  const [x, y] = round(c, c.r, angle);
  /** @param {string} marks @param {string} css @param {number} width @param {number} to @param {number} there */
  const hand = (marks, css, width, to, there) => {
    const [x2, y2] = round(c, c.r, to);
    return mark(
      marks,
      there,
      svg`<line class=${css} stroke-width=${width} x1=${c.x} y1=${c.y} x2=${x2} y2=${y2} />`,
    );
  };
  // While a turn is ten digits, they stand round the dial.
  const isTens = s.lanes * (1 - s.real);
  const digit = (/** @type {number} */ k) => {
    const [dx, dy] = round(c, c.r * 0.8, (TURN * k) / 10);
    return svg`<text class="t12 soft halo middle" x=${dx} y=${dy + 4}>${number(k)}</text>`;
  };
  return svg`<g opacity=${presence}>
    ${seen(isTens, isLarge ? svg`<g opacity=${isTens}>${Array.from({ length: 10 }, (_, k) => digit(k))}</g>` : "")}
    ${mark("hidden span", s.sieve, svg`<path fill="var(--ink)" fill-opacity="0.16" d=${pie(c, c.r, angle - TELL, 2 * TELL)} />`)}
    ${mark("wedge", isWedges, svg`<path fill="var(--ink)" fill-opacity="0.2" d=${pie(c, c.r, own, Math.min(by, TURN - 0.001))} />`)}
    <circle class="line" stroke-width="1.5" cx=${c.x} cy=${c.y} r=${c.r} />
    ${hand("ghost", "hand ghost", 2.5, own + by, isWedges)}
    <g data-marks="hand hidden wheels">
      <line class="hand" stroke-width=${s.sieve > 0.5 ? 6 : isLarge ? 4 : 2.5} x1=${c.x} y1=${c.y} x2=${x} y2=${y} />
      ${seen(1 - s.sieve, svg`<circle fill="var(--ink)" opacity=${1 - s.sieve} cx=${x} cy=${y} r=${isLarge ? 6 : 3.5} />`)}</g>
    ${hand("needle", "hand needle", 2.5, own, after(s.sieve))}
    ${seen(after(s.sieve), named(s, room, c, own, angle, number))}
    ${seen(isWedges, svg`<g opacity=${isWedges}>${told(room, c, i, by, say, number)}</g>`)}</g>`;
}

/** At the tips, a question mark for the hidden place and the number of the place that is held; one for both where they look alike.
 * @param {State} s @param {Room} room @param {Dial} c @param {number} own @param {number} hidden @param {Stage["number"]} number
 */
function named(s, room, c, own, hidden, number) {
  const isAlike = apart(own, hidden) <= TELL;
  const half = (room.isPhone ? 11 : 14) * (isAlike ? 1.7 : 1); // of what is written
  const name = (
    /** @type {string} */ text,
    /** @type {number} */ angle,
    /** @type {string} */ css,
  ) => {
    const [x, y] = round(c, c.r + (room.isPhone ? 9 : 13), angle);
    return svg`<text class=${`middle ${room.isPhone ? "t12" : "t14"} ${css}`} x=${clamp(x, half, room.left - half)} y=${y + 5}>${text}</text>`;
  };
  const held = number(Math.round(s.p));
  return svg`<g data-marks="needle">${name(isAlike ? `${held} ≈ ?` : held, own, isAlike ? "bold" : "")}</g>
    ${isAlike ? "" : svg`<g data-marks="hidden">${name("?", hidden, "bold")}</g>`}`;
}

/** How wide a wedge is, and how soon its hand is round. @param {Room} room @param {Dial} c @param {number} i @param {number} by @param {Stage["say"]} say @param {Stage["number"]} number */
function told(room, c, i, by, say, number) {
  const wide = ((by % TURN) * 360) / TURN;
  const y = c.y + c.r + (room.isPhone ? 15 : 23);
  const places = TURN / SPEEDS[i];
  const turn = { places: number(places, places < 100 ? 1 : 0) };
  return svg`
    <g data-marks="wedge"><text class="middle bold" style=${`font-size:${room.isPhone ? 14 : 19}px`} x=${c.x} y=${y}>${number(wide, wide < 1 ? 2 : wide < 10 ? 1 : 0)}°</text></g>
    <text class="t12 soft middle" x=${c.x} y=${y + (room.isPhone ? 14 : 19)}>${say(room.width < 700 ? "turn_in_short" : "turn_in", turn)}</text>`;
}
