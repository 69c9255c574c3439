// What each way does with the places: a row of numbers for each word, a loss for each step, a turn.

import { WAYS } from "./attention.js";
import { penalty, slope } from "../../page/formulas/penalties.js";
import { invFreq } from "../../page/formulas/rotation.js";
import { svg } from "../../page/lit/lit.js";
import { through } from "../../page/parts.js";
import { arrow, clamp, mix, pie } from "../../page/shapes.js";
import { row } from "../../page/formulas/sinusoids.js";
import { TYPED, WIDTH } from "./model.js";
import { half } from "./outputs.js";
import { placeX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const SPEEDS = invFreq(WIDTH / 2, 10000);
const M = slope(1);

/** How far the switch is on a way. @param {State} s @param {(typeof WAYS)[number]} way */
export const isOn = (s, way) => s.switch * clamp(1 - Math.abs(s.way - WAYS.indexOf(way)), 0, 1);

/** @param {State} s @param {Room} at @param {Stage} stage */
export function telling(s, at, { say, number }) {
  if (s.switch < 0.02) return "";
  const draw = { add: added, subtract: lost, turn: turned };
  return svg`<g data-marks="ways" opacity=${s.switch}>${WAYS.slice(1).map((way) => {
    const presence = isOn(s, way);
    if (presence < 0.02) return "";
    const drawn = draw[/** @type {keyof typeof draw} */ (way)](s, at, number);
    return svg`<g opacity=${presence}>${drawn}
      <text class="t14 middle" x=${at.width / 2} y=${at.telling.caption}>${say(`does_${way}`)}</text></g>`;
  })}</g>`;
}

/** @param {State} s @param {Room} at */
const added = (s, at) =>
  TYPED.map((word) => {
    const x = placeX(at, s.places[word]);
    const middle = at.telling.top + at.telling.high / 2;
    const [wide, w] = [half(at), (2 * half(at)) / WIDTH];
    return svg`<text class="t14 soft end" x=${x - wide - 2} y=${middle + 5}>+</text>
      ${row(SPEEDS, s.places[word]).map((its, channel) => {
        const tall = (its * at.telling.high) / 2;
        return svg`<rect fill="var(--soft)" x=${x - wide + w * (channel + 0.14)} y=${Math.min(middle, middle - tall)} width=${w * 0.72} height=${Math.max(1, Math.abs(tall))} />`;
      })}`;
  });

/** @param {State} s @param {Room} at @param {Stage["number"]} number */
function lost(s, at, number) {
  const { top, high } = at.telling;
  const query = s.places[s.picked.word];
  const lossAt = (/** @type {number} */ place) => penalty(M, Math.abs(place - query));
  const deepAt = (/** @type {number} */ place) =>
    (lossAt(place) / penalty(M, TYPED.length - 1)) * (high - 14);
  const corners = [0, query, mix(TYPED.length - 1, query, s.mask)];
  return svg`${TYPED.map((word) => {
    const place = s.places[word];
    const x = placeX(at, place);
    const seen = 1 - s.mask * clamp(place - query, 0, 1);
    if (seen < 0.02) return "";
    return svg`<rect fill="var(--line)" opacity=${seen} x=${x - half(at)} y=${top} width=${2 * half(at)} height=${deepAt(place)} />
      <text class="t14 halo middle" opacity=${seen} x=${x} y=${top + deepAt(place) + (at.isPhone ? 13 : 17)}>${number(-lossAt(place), lossAt(place) % 1 ? 1 : 0)}</text>`;
  })}<path stroke="var(--ink)" stroke-width="2" fill="none" d=${through(corners.map((place) => [placeX(at, place), top + deepAt(place)]))} />`;
}

/** @param {State} s @param {Room} at */
const turned = (s, at) =>
  TYPED.map((word) => {
    const place = s.places[word];
    const { top, high } = at.telling;
    const dial = { x: placeX(at, place), y: top + high / 2, r: high / 2 };
    return svg`<circle class="line" stroke-width="1.5" cx=${dial.x} cy=${dial.y} r=${dial.r} />
      <path fill="var(--line)" d=${place > 0.01 ? pie(dial, dial.r * 0.55, 0, place) : ""} />
      <path fill="var(--ink)" stroke="var(--ink)" stroke-width="2" d=${arrow(dial, place, at.isPhone ? 7 : 11)} />`;
  });
