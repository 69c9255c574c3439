// Which places a hidden hand leaves: light that falls through the lanes, one hand after the other.

import { apart } from "../../page/formulas/sinusoids.js";
import { svg } from "../../page/lit/lit.js";
import { seen } from "../../page/parts.js";
import { clamp, xy } from "../../page/shapes.js";
import { HIDDEN, SPEEDS, TELL, fitting } from "./model.js";
import { PLACES, after, placeX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const HANDS = [0, 1, 2];
const MOST_NAMED = 3; // places whose numbers fit

/** @param {State} s @param {Room} room @param {Stage} stage */
export function sieve(s, room, { say, number }) {
  const presence = after(s.sieve);
  if (presence < 0.02) return "";
  const { left, bottom, foot, isPhone } = room;
  const w = placeX(room, 1) - placeX(room, 0);
  const bars = (/** @type {number[]} */ places, /** @type {number} */ y, /** @type {number} */ h) =>
    places
      .map((place) => `M${xy([placeX(room, place) - w * 0.42, y])}h${w * 0.84}v${h}h${-w * 0.84}Z`)
      .join("");
  const all = Array.from({ length: PLACES }, (_, place) => place);
  const lit = (/** @type {number} */ i) => {
    const { y, h } = room.lanes[2 * i];
    const kept = new Set(fitting(i + 1));
    const fits = all.filter(
      (place) => place < s.sweep && apart(place * SPEEDS[i], HIDDEN * SPEEDS[i]) <= TELL,
    );
    const drawn = (/** @type {boolean} */ isIn) =>
      bars(
        fits.filter((place) => kept.has(place) === isIn),
        y - h * 0.42,
        h * 0.84,
      );
    const on = clamp(s.hands - i, 0, 1);
    return seen(
      on,
      svg`<path fill="var(--ink)" fill-opacity=${0.28 * on} d=${drawn(false)} />
        <path fill="var(--ink)" fill-opacity=${on} d=${drawn(true)} />`,
    );
  };
  const hands = Math.round(s.hands);
  const fits = fitting(hands);
  const stays = all.filter((place) => place >= s.sweep || fits.includes(place));
  const y = foot + (isPhone ? 12 : 18);
  const h = bottom - y - (isPhone ? 14 : 20);
  const lane = room.lanes[2 * (hands - 1)];
  const rays = fits
    .filter((place) => place < s.sweep)
    .map((place) => `M${placeX(room, place)},${lane.y + lane.h * 0.42}V${y}`);
  const isNamed = hands > 1 && !isPhone;
  const named = stays.slice(0, MOST_NAMED).filter((place) => isNamed && Math.abs(place - s.p) > 6);
  const isMany = hands > 1;
  const first = room.lanes[0];
  const over = first.y - first.h / 2 - (isPhone ? 5 : 10);
  const beside = left - (isPhone ? 6 : 18);
  return svg`<g data-marks="left" opacity=${presence}>
    ${HANDS.map(lit)}
    <path stroke="var(--soft)" d=${rays.join("")} />
    <path fill="var(--ink)" d=${bars(stays, y, h)} />
    ${isMany ? svg`<text class="t14 soft halo end" x=${room.right} y=${over}>${say(isPhone ? "fitting_short" : "fitting")}</text>` : ""}
    ${named.map((place) => svg`<text class="t12 middle bold" x=${placeX(room, place)} y=${y + h + 13}>${number(place)}</text>`)}
    <text class="big end" x=${beside} y=${y + (isPhone ? 20 : 34)}>${number(stays.length)}</text>
    <text class=${`${isPhone ? "t12" : "t14"} soft end`} x=${beside} y=${y + (isPhone ? 36 : 60)}>${say("places_left", { left: number(stays.length) })}</text></g>`;
}
