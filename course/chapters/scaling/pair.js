// Two neighbouring dials as the hands of one clock: where the short one stood in training with the long one
// where it is, how far it now is from there, and what that ramp costs the model.

import { handsAt } from "./scalings.js";
import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { clamp, degrees, pie, round, xy } from "../../page/shapes.js";
import { beyond } from "./measured.js";
import { slows } from "./tests.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** The first of the two dials. */
export const LONG = 19;
const SHORT = 0.66; // of the long hand's length
export const STEEP = 4; // turns at the knee of Llama 3.1's ramp
export const GENTLE = 32; // and at that of YaRN's paper
const COSTS = [beyond("llama3"), beyond("parts")]; // bits with a knee at STEEP and at GENTLE

/** @param {State} s */
const hands = (s) => handsAt(LONG, slows(s), s.length);
/** Degrees by which the short hand is off. @param {State} s */
export const offBy = (s) => Math.abs(degrees(hands(s).off));
/** Whether the knee is where the gentle ramp was measured. @param {State} s */
export const isGentle = (s) => Math.abs(s.fast - GENTLE) < 2;

/** @param {State} s @param {Room} room @param {Stage} stage */
export function pair(s, { width, isPhone, clock: c }, { say, number, seen }) {
  const stays = s.clock * clamp(1 - 2 * s.crowd, 0, 1);
  if (stays < 0.02) return "";
  const now = hands(s);
  const hand = (/** @type {number} */ angle, /** @type {number} */ length) =>
    `M${xy([c.x, c.y])}L${xy(round(c, c.r * length, angle))}`;
  const css = isPhone ? "t12" : "t14";
  /** A name where a hand points. @param {string} name @param {number} angle @param {number} [length] */
  const named = (name, angle, length = 1) => {
    const [x, y] = round(c, c.r * length + (isPhone ? 5 : 8), angle);
    const side = Math.abs(x - c.x) < 0.3 * c.r ? "middle" : x < c.x ? "end" : "";
    return svg`<text class=${`${css} halo ${side}`} x=${x} y=${y + (y < c.y - 0.7 * c.r ? -2 : y > c.y + 0.7 * c.r ? 12 : 5)}>${say(isPhone ? `${name}_short` : name)}</text>`;
  };
  const x = c.told;
  const isLow = isPhone && c.r < 50;
  const line = isLow ? 13 : isPhone ? 16 : 22;
  const top = c.y - (isLow ? 3.9 : isPhone ? 3.2 : 2.9) * line;
  const wide = width - x - (isPhone ? 14 : 60);
  const cost = (/** @type {number} */ bits, /** @type {number} */ i) => {
    const y = top + (isPhone ? 5.2 : 4.6 + 0.2 * i) * line + i * (isPhone ? 2 : 1.9) * line;
    if (isGentle(s)) seen.add("gentle");
    if (i && !seen.has("gentle")) return svg`<text class=${`${css} soft`} x=${x} y=${y}>${say("knee_open")}</text>`; // prettier-ignore
    const isHere = isGentle(s) || Math.abs(s.fast - STEEP) < 0.05; // no other knee was measured
    return svg`<text class=${`${css} ${isHere ? "" : "soft"}`} x=${x} y=${y}>${say(`knee_${i ? "gentle" : "steep"}`)}</text>
      <rect fill="var(--ink)" opacity=${isHere ? 1 : 0.25} x=${x} y=${y + 6} width=${(wide * bits) / COSTS[0]} height=${isPhone ? 5 : 7} />`;
  };
  return svg`
    ${mark("hands", stays, svg`<circle class="line" stroke-width="1.5" cx=${c.x} cy=${c.y} r=${c.r} />`)}
    ${mark("off", stays, svg`<path fill="var(--new)" opacity="0.4" d=${pie(c, c.r * SHORT, now.short - now.off, now.off)} />`)}
    ${mark(
      "track",
      stays,
      now.then.map(
        (angle) =>
          svg`<path fill="none" stroke="var(--soft)" stroke-width="5" stroke-dasharray="3 5" d=${hand(angle, SHORT)} />`,
      ),
    )}
    ${mark(
      "hands",
      stays,
      svg`<path class="hand" fill="none" stroke-width="7" d=${hand(now.short, SHORT)} />
        <path class="hand" fill="none" stroke-width="3" d=${hand(now.long, 0.94)} />
        ${named("hand_long", now.long)}${named("hand_short", now.short, SHORT)}`,
    )}
    ${mark(
      "off",
      stays,
      svg`<text class="big new" x=${x} y=${isLow ? top - 5 : top}>${say("degrees", { degrees: number(offBy(s)) })}</text>
        <text class=${css} x=${x} y=${top + line}>${say(isPhone ? "hand_off_short" : "hand_off")}</text>
        <text class=${css} x=${x} y=${top + 2 * line}>${say("hand_then")}</text>`,
    )}
    ${mark(
      "costs",
      stays,
      svg`<text class=${`soft ${css}`} x=${x} y=${top + (isPhone ? 4.1 : 3.6) * line}>${say(wide < 330 ? "at_two_short" : "at_two")}</text>
        ${COSTS.map(cost)}`,
    )}`;
}
