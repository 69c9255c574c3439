// The sum of the values as a chain of arrows, with the output: turned and added, and turned back.

import { svg } from "../../page/lit/lit.js";
import { mark, seen, widthOf } from "../../page/parts.js";
import { clamp, mix, round, spiral, xy } from "../../page/shapes.js";
import { tipOf, vector } from "./strip.js";
import { ASKS, FURTHEST, STEP, parts, placesOf, total, turn } from "./values.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Circle, Room } from "./room.js" */
/** @import { Vector } from "./values.js" */

// Of the chain, before two words change places and after; values left alone, and turned: on one side of the output.
const ORDERS = [
  [1, 0, 2, 3],
  [1, 0, 2, 3],
  [1, 3, 2, 0],
  [1, 0, 3, 2],
];
const FAR = [0, 2]; // links that say how far back their word is
const GHOST = 0.3;
const SMALL = 100; // radius of a dial with room for one name at its rim
const LONG = 0.95; // of a vector, in radii

/** @param {State} s @param {Room} room @param {Stage} stage */
export const sums = (s, room, stage) => svg`
  ${ghosts(s, room, stage)}
  ${dial(s, room, stage, false)}
  ${dial(s, room, stage, true)}`;

/** Where the output pointed before the text was moved on, named at the rim. @param {State} s @param {Room} room @param {Stage} stage */
function ghosts(s, { isPhone, left }, { say }) {
  const circle = { ...left, r: left.r * LONG };
  const first = total(parts({ ...s, start: 0, swap: 0 }, 0));
  const past = Array.from({ length: FURTHEST }, (_, place) => {
    const to = turn(first, STEP * place);
    const angle = Math.atan2(to[1], to[0]);
    const [x, y] = round(left, left.r - (isPhone ? 15 : 22), angle);
    const rim = round(left, left.r - (isPhone ? 24 : 34), angle);
    return seen(
      Number(s.start > place + 0.5),
      svg`${vector(circle, to, { width: 2.5, head: isPhone ? 9 : 14, opacity: GHOST })}
        <path stroke="var(--soft)" stroke-width="1.2" stroke-dasharray="2 4" d=${`M${xy(tipOf(circle, to))}L${xy(rim)}`} />
        ${place && left.r < SMALL ? "" : svg`<text class="t12 soft halo middle" x=${x} y=${y + 4}>${say("from", { place })}</text>`}`,
    );
  });
  return mark("ghosts out", s.ghosts * s.sums, past);
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {boolean} isBack */
function dial(s, room, { say }, isBack) {
  const { isPhone, width } = room;
  const { x, y, r } = isBack ? room.right : room.left;
  const own = isBack ? "back" : "forth";
  const circle = { x, y, r: r * LONG };
  const each = parts(s, Number(isBack));
  const sum = total(each);
  const places = placesOf(s);
  /** @param {number[]} order @param {number} i */
  const foot = (order, i) => total(order.slice(0, order.indexOf(i)).map((one) => each[one]));
  const links = ORDERS[0].map((i) => {
    const [a, b] = each[i];
    const feet = ORDERS.map((order) => foot(order, i));
    const from = /** @type {Vector} */ (
      [0, 1].map((at) => {
        const [alone, swapped, turned, both] = feet.map((one) => one[at]);
        return mix(mix(alone, swapped, s.swap), mix(turned, both, s.swap), s.own);
      })
    );
    const look = { name: "content", width: isPhone ? 2.5 : 3.5, head: isPhone ? 9 : 13, from }; // prettier-ignore
    // Beside its arrow, on the side away from the output.
    const middle = /** @type {Vector} */ ([from[0] + a / 2, from[1] + b / 2]);
    const side = sum[0] * middle[1] - sum[1] * middle[0] > 0 ? 1 : -1;
    const long = Math.hypot(a, b) || 1;
    const [outX, outY] = [(-b / long) * side, (-a / long) * side];
    const back = Math.round(places[ASKS] - places[i]);
    const name = say(`word_${i}`);
    const far = isBack && FAR.includes(i) && !isPhone ? say("link", { back }) : "";
    const [tx, ty] = tipOf(circle, middle);
    const half = widthOf(far || name, 16, 600) / 2 + 4;
    const away = half * Math.abs(outX) + (far ? 18 : 8) * Math.abs(outY) + 6; // its box is clear of the arrow
    const nx = clamp(tx + outX * away, half, width - half);
    const ny = ty + outY * away + (far ? -4 : 5);
    return svg`${vector(circle, each[i], look)}
      <text class="v halo bold middle" x=${nx} y=${ny}>${name}</text>
      ${far ? svg`<text class="t14 v halo middle" x=${nx} y=${ny + 19}>${far}</text>` : ""}`;
  });
  // Beside the output, on the side away from the chain.
  const [sx, sy] = sum;
  const far = Math.hypot(sx, sy);
  const [cornerX, cornerY] = each[ORDERS[0][0]];
  const side = sx * cornerY - sy * cornerX > 0 ? -1 : 1;
  const [midX, midY] = tipOf(circle, [sx * 0.55, sy * 0.55]);
  const outName = say(s.two > 0.5 ? "sum" : "output");
  const half = widthOf(outName, 16, 600) / 2;
  const out = [(-sy / far) * side, (-sx / far) * side];
  const [nameX, nameY] = [midX + out[0] * (half + 10), midY + out[1] * 18 + 5];
  // Where it pointed before two words changed places.
  const was = total(parts({ ...s, swap: 0 }, Number(isBack)));
  const isAlone = s.two < 0.5; // there it stays beneath the output
  const there = isAlone ? s.swaps * (1 - s.guessing) : clamp(20 * s.swap, 0, 1);
  const look = isAlone ? { width: isPhone ? 12 : 18, head: isPhone ? 20 : 30 } : { width: isPhone ? 6 : 8, head: isPhone ? 16 : 24 }; // prettier-ignore
  const before = mark(`out ${own}`, there, vector(circle, was, { ...look, opacity: 0.35 }));
  const [wasX, wasY] = round(
    circle,
    (Math.hypot(...was) + 0.16) * circle.r,
    Math.atan2(was[1], was[0]),
  );
  const all = svg`
    <g data-marks=${`dial ${own}`}>
      <circle class="line" stroke-width="1.3" cx=${x} cy=${y} r=${r} />
      <path class="line" stroke-width="0.7" d=${`M${x - r},${y}h${2 * r}M${x},${y - r}v${2 * r}`} />
      ${seen(s.two, svg`<text class="t14 soft middle" opacity=${s.two} x=${x} y=${room.caption}>${say(isBack && isPhone ? "back_short" : own, { place: Math.round(places[ASKS]) })}</text>`)}</g>
    ${isBack || isAlone ? before : ""}
    ${seen(isBack && !isPhone ? there * Number(!isAlone) : 0, svg`<text class="t14 soft halo middle" x=${wasX} y=${wasY + 5}>${say("was_before")}</text>`)}
    ${isBack ? seen(s.own, turnedBack(circle, total(parts(s, 0)), STEP * places[ASKS], r)) : ""}
    <g data-marks=${`out ${own}`}>${vector(circle, sum, { width: isPhone ? 4 : 5.5, head: isPhone ? 13 : 20 })}</g>
    <g data-marks="v">${links}</g>
    ${seen(there * Number(isAlone), svg`<text class="t14 soft middle" opacity=${there} x=${x} y=${room.caption}>${say("before_swap")}</text>`)}
    <g data-marks=${`out ${own}`}>${seen(Math.abs(2 * s.two - 1), svg`<text class="halo bold middle" opacity=${Math.abs(2 * s.two - 1)} x=${nameX} y=${nameY}>${outName}</text>`)}</g>`;
  const presence = s.sums * (isBack ? s.two : 1);
  return seen(presence, svg`<g opacity=${presence}>${all}</g>`);
}

/** How the sum is turned back: from where it pointed on the left, by an arc along the rim.
 * @param {Circle} circle @param {Vector} from @param {number} by @param {number} rim
 */
function turnedBack(circle, from, by, rim) {
  const angle = Math.atan2(from[1], from[0]);
  const [x, y] = round(circle, rim, angle - by);
  const [alongX, alongY] = [Math.sin(angle - by), Math.cos(angle - by)]; // clockwise
  const head = [1, -1].map((side) =>
    xy([x - 9 * alongX + 5 * side * alongY, y - 9 * alongY - 5 * side * alongX]),
  );
  return svg`<path fill="none" stroke="var(--soft)" stroke-width="1.5" stroke-dasharray="2 4" d=${`M${xy([circle.x, circle.y])}L${xy(round(circle, rim, angle))}`} />
    <path fill="none" stroke="var(--soft)" stroke-width="2" d=${`${spiral(circle, rim, angle, -by)}M${head[0]}L${xy([x, y])}L${head[1]}`} />`;
}
