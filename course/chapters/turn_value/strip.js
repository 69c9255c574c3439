// The words on their places, with the value of each below it, and their shares.

import { svg } from "../../page/lit/lit.js";
import { at as moved, mark, seen } from "../../page/parts.js";
import { arrow, round, spiral, xy } from "../../page/shapes.js";
import { placeX, plate } from "./room.js";
import { ASKS, SLOTS, STEP, WORDS, placesOf } from "./values.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Circle, Room } from "./room.js" */
/** @import { Vector } from "./values.js" */

const INK = 0.9; // of a share, as colour
const LAYERS = [1, 2, 0, 3]; // behind the others: the one that stays while two change places
const ORIGIN = /** @type {Vector} */ ([0, 0]);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function strip(s, room, { say }) {
  const { strip: at, pad, width, isPhone } = room;
  const numbers = Array.from({ length: SLOTS }, (_, i) => {
    const text = i ? i : say("first_place");
    return svg`<text class="t12 soft middle" x=${placeX(room, i)} y=${at.y - 7}>${text}</text>`;
  });
  return svg`
    ${mark("places", s.strip, svg`<path class="line" d=${`M${pad},${at.y + at.h}H${width - pad}`} />${numbers}`)}
    ${mark("v", s.sums * s.own * (isPhone ? 1 - s.two : 1), svg`<text class="t14 v" x=${pad} y=${at.label + (isPhone ? 18 : 26)}>${say(isPhone ? "before_turn_short" : "before_turn")}</text>`)}
    ${LAYERS.map((i) => word(s, room, say, i))}`;
}

/** A word of the strip; where one word is moved alone, the first. @param {State} s @param {Room} room @param {Stage["say"]} say @param {number} i */
function word(s, room, say, i) {
  const { strip: at, isPhone } = room;
  const place = i ? placesOf(s)[i] : placesOf(s)[i] * (1 - s.boxes) + s.at * s.boxes;
  const x = placeX(room, place);
  const [box, all] = [plate(room, place), s.strip * (1 - s.boxes)];
  const asks = i === ASKS;
  const { share, angle } = WORDS[i];
  const rect = (/** @type {string} */ fill, stroke = "none", width = 0, opacity = 1) =>
    svg`<rect rx="7" fill=${fill} fill-opacity=${opacity} stroke=${stroke} stroke-width=${width}
      x=${box.x} y=${box.y} width=${box.width} height=${box.height} />`;
  const part = say(i || isPhone ? "part" : "part_first", { share: Math.round(100 * share) });
  const by = STEP * s.own * place;
  const hand = arrow({ x: 0, y: 0, r: at.r - 3 }, angle + by, isPhone ? 7 : 11);
  const [ux, uy] = round({ x: 0, y: 0 }, at.r - 3, angle);
  const turned = svg`
    <path stroke="var(--content)" stroke-width="1.5" stroke-dasharray="2 3" d=${`M0,0L${xy([ux, uy])}`} />
    <path fill="none" stroke="var(--soft)" stroke-width="1.5" d=${spiral({ x: 0, y: 0 }, at.r * 0.55, angle, by)} />`;
  const names = asks ? "words q" : i ? "words" : "words ann";
  const there = i ? all : s.strip;
  return svg`
    ${mark(names, there, rect("var(--paper)"))}
    ${mark("shares", all, rect("var(--attention)", "none", 0, INK * share))}
    ${mark(
      names,
      there,
      svg`${rect("none", `var(--${asks ? "q" : "line"})`, asks ? 2.5 : 1.3)}
        <text class="bold middle" x=${x} y=${at.y + at.h / 2 + 5}>${say(`word_${i}`)}</text>`,
    )}
    ${mark(
      "v",
      all,
      svg`<g transform=${moved(x, at.dial)}>
        <circle class="line" stroke-width="1.2" r=${at.r} />
        ${seen(Number(s.own * place > 0.02), turned)}
        <path stroke="var(--content)" fill="var(--content)" stroke-linejoin="round" stroke-width=${isPhone ? 2 : 3} d=${hand} /></g>`,
    )}
    ${mark("shares", all, svg`<text class="t12 soft middle" x=${x} y=${at.label}>${part}</text>`)}`;
}

/** An arrow in parts of a circle's radius. @param {Circle} circle @param {Vector} vector @param {number} head */
function vectorPath({ x, y, r }, [vx, vy], head, from = ORIGIN) {
  const long = Math.hypot(vx, vy) * r;
  if (long < 1) return "";
  const foot = { x: x + from[0] * r, y: y - from[1] * r, r: long };
  return arrow(foot, Math.atan2(vy, vx), Math.min(head, long * 0.5));
}

/**
 * @param {Circle} circle @param {Vector} vector
 * @param {{ name?: string, width: number, head: number, from?: Vector, opacity?: number }} look
 */
export const vector = (circle, vector, { name = "ink", width, head, from = ORIGIN, opacity = 1 }) =>
  seen(
    opacity,
    svg`<path stroke=${`var(--${name})`} fill=${`var(--${name})`} stroke-linejoin="round" opacity=${opacity}
      stroke-width=${width} d=${vectorPath(circle, vector, head, from)} />`,
  );

/** A point of a circle, by a vector. @param {Circle} circle @param {Vector} vector */
export const tipOf = ({ x, y, r }, [vx, vy]) => round({ x, y }, Math.hypot(vx, vy) * r, Math.atan2(vy, vx)); // prettier-ignore
