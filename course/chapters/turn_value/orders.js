// A key made of a latent by W and turned by R, in both orders.

import { svg } from "../../page/lit/lit.js";
import { mark, seen, through, widthOf } from "../../page/parts.js";
import { xy } from "../../page/shapes.js";
import { LATENT, W, gap, keys, times } from "./latent.js";
import { tipOf, vector } from "./strip.js";
import { STEP, turn } from "./values.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Circle, Room } from "./room.js" */
/** @import { Vector } from "./values.js" */
/** `out`: a way from the tip to the name that is not the arrow’s own. @typedef {{ text: string, css: string, to: Vector, out?: Vector }} Name */

const REACH = 1.3; // length of the longest arrow, in radii, and room for its name
const [BEYOND, LINE, WIDE] = [17, 17, 42]; // pixels: from a tip to its name, of a line, of a name

/** @param {State} s @param {Room} room @param {Stage} stage */
export function orders(s, room, { say }) {
  if (s.boxes < 0.02) return "";
  const { made, turned } = keys(s.at);
  const isApart = gap(s.at) > 0.005;
  const [left, right] = room.keys;
  const way = (/** @type {Circle} */ of, /** @type {(by: number) => Vector} */ key) => {
    const circle = { ...of, r: of.r / REACH };
    const points = Array.from({ length: 73 }, (_, i) => tipOf(circle, key((i * Math.PI) / 36)));
    return svg`<path fill="none" stroke="var(--k)" stroke-width="1.5" stroke-dasharray="2 4" d=${through(points)} />`;
  };
  return svg`
    ${mark("ways", s.boxes * (1 - s.guessing), svg`${way(left, (by) => turn(times(W, LATENT), by))}${way(right, (by) => times(W, turn(LATENT, by)))}`)}
    ${mark(
      "boxes made",
      s.boxes,
      order(
        room,
        left,
        ["c", "W", "R", "RWc"],
        [
          { text: "c", css: "soft", to: LATENT },
          { text: "Wc", css: "soft", to: times(W, LATENT) },
          { text: "RWc", css: "k bold", to: made },
        ],
      ),
    )}
    ${mark("boxes turned", s.boxes, order(room, right, ["c", "R", "W", "WRc"], [{ text: "Rc", css: "soft", to: turn(LATENT, STEP * s.at) }, ...(isApart ? [{ text: "RWc", css: "k", to: made }] : []), { text: "WRc", css: "k bold", to: turned, out: isApart ? away(turned, made) : turned }]))}
    ${mark("gap new", s.boxes, apart(room, right, made, turned, say(isApart ? (room.isPhone ? "apart_short" : "apart") : "same"), isApart))}`;
}

/** What is done in which order, as boxes. @param {Room} room @param {Circle} of @param {string[]} boxes */
function boxesOf({ isPhone, orders: { title: y } }, of, boxes) {
  const [size, high, gap] = isPhone ? [12, 20, 14] : [15, 26, 26];
  const wide = boxes.map((one) => widthOf(one, size, 600) + (isPhone ? 12 : 20));
  const first = of.x - (wide.reduce((a, b) => a + b) + gap * (boxes.length - 1)) / 2;
  return boxes.map((one, i) => {
    const x = first + wide.slice(0, i).reduce((a, b) => a + b + gap, 0);
    const fill = i === 0 ? "soft" : i < boxes.length - 1 ? "ink" : "k";
    return svg`<rect rx="4" fill=${`var(--${fill})`} x=${x} y=${y - high / 2} width=${wide[i]} height=${high} />
      <text class="t14 bold paper middle central" x=${x + wide[i] / 2} y=${y + 1}>${one}</text>
      ${seen(i, svg`<path fill="none" stroke="var(--soft)" stroke-width="1.5" d=${`M${x - gap + 2},${y}h${gap - 5}m-4,-4l4,4l-4,4`} />`)}`;
  });
}

/** A vector, what is made of it first, and the key, which is named last. @param {Room} room @param {Circle} of @param {string[]} boxes @param {Name[]} names */
function order(room, of, boxes, names) {
  const { isPhone } = room;
  const circle = { ...of, r: of.r / REACH };
  const last = names.length - 1;
  const drawn = names.filter(({ css }, i) => i === last || css === "soft");
  const arrows = drawn.map(({ to, text }) => {
    const isKey = text === names[last].text;
    const [width, head] = isKey ? (isPhone ? [4, 12] : [5.5, 19]) : isPhone ? [2, 8] : [2.5, 13];
    return vector(circle, to, { name: isKey ? "k" : "soft", width, head });
  });
  return svg`
    ${boxesOf(room, of, boxes)}
    ${arrows}${atTips(circle, names)}`;
}

/** Names at the tips of their arrows, none over another. @param {Circle} circle @param {Name[]} names */
function atTips(circle, names) {
  const placed = names
    .map(({ text, css, to, out = to }) => {
      const [x, y] = tipOf(circle, to);
      const [dx, dy] = lengthened(out, out === to ? BEYOND : BEYOND + 8);
      return { text, css, x: x + dx, y: y - dy };
    })
    .filter(
      ({ text, x, y }, _, all) => text !== "Wc" || Math.hypot(x - all[2].x, y - all[2].y) > LINE,
    )
    .sort((a, b) => a.y - b.y);
  for (let i = 1; i < placed.length; i++) {
    const [above, one] = [placed[i - 1], placed[i]];
    const short = LINE - (one.y - above.y);
    if (short <= 0 || Math.abs(one.x - above.x) > WIDE) continue;
    above.y -= short / 2;
    one.y += short / 2;
  }
  return placed.map(
    ({ text, css, x, y }) =>
      svg`<text class=${`t14 halo central middle ${css}`} x=${x} y=${y}>${text}</text>`,
  );
}

/** Between the way of an arrow and the way from another’s tip to its own. @param {Vector} arrow @param {Vector} other @returns {Vector} */
function away(arrow, other) {
  const [a, b] = lengthened(arrow, 1);
  const [c, d] = lengthened([arrow[0] - other[0], arrow[1] - other[1]], 1);
  return [a + c, b + d];
}

/** @param {Vector} vector @param {number} to @returns {Vector} */
function lengthened([x, y], to) {
  const length = Math.hypot(x, y) || 1;
  return [(to * x) / length, (to * y) / length];
}

/** How far the other key is from this one. @param {Room} room @param {Circle} of @param {Vector} made @param {Vector} turned @param {string} text @param {boolean} isApart */
function apart({ isPhone, width, orders: { told } }, of, made, turned, text, isApart) {
  const circle = { ...of, r: of.r / REACH };
  const [from, to] = [tipOf(circle, made), tipOf(circle, turned)];
  const line = svg`
    <path stroke="var(--k)" stroke-width=${isPhone ? 2 : 3} stroke-dasharray="5 4" d=${`M${xy([of.x, of.y])}L${xy(from)}`} />
    <path stroke="var(--new)" stroke-width="3" d=${`M${xy(from)}L${xy(to)}`} />`;
  return svg`${seen(Number(isApart), line)}
    <text class=${`middle bold ${isApart ? "new" : ""}`} x=${isApart ? of.x : width / 2} y=${told}>${text}</text>`;
}
