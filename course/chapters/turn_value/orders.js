// A key made of a latent by W and turned by R, in both orders.

import { asked } from "../../page/asked.js";
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

/** @type {Record<string, string>} */
const FILLS = { q: "q", c: "soft" }; // of boxes
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
      order(room, left, ["q", "R", "W", "c"], say("as_rope"), [
        { text: "c", css: "soft", to: LATENT },
        { text: "Wc", css: "soft", to: times(W, LATENT) },
        { text: "RWc", css: "k bold", to: made },
      ]),
    )}
    ${mark("boxes turned", s.boxes, order(room, right, ["q", "W", "R", "c"], say("other_way"), [{ text: "Rc", css: "soft", to: turn(LATENT, STEP * s.at) }, ...(isApart ? [{ text: "RWc", css: "k", to: made }] : []), { text: "WRc", css: "k bold", to: turned, out: isApart ? away(turned, made) : turned }]))}
    ${asked(
      [left, right].map((of) => tipOf({ ...of, r: of.r / REACH }, keys(1).made)),
      s.boxes * s.guessing,
    )}
    ${mark("gap new", s.boxes, apart(room, right, made, turned, say(isApart ? (room.isPhone ? "apart_short" : "apart") : "same"), isApart))}`;
}

/** The score of a key in this order, and whether W can leave the key for the query. @param {Room} room @param {Circle} of @param {string[]} boxes */
function boxesOf({ isPhone, orders: { title: y } }, of, boxes) {
  const [size, high, gap, rise] = isPhone ? [13, 20, 6, 14] : [15, 28, 8, 24];
  const wide = boxes.map((one) => widthOf(one, size, 600) + (isPhone ? 12 : 20));
  const dot = isPhone ? 8 : 14; // behind q
  const first = of.x - (wide.reduce((a, b) => a + b) + gap * (boxes.length - 1) + dot) / 2;
  const starts = boxes.map(
    (_, i) => first + wide.slice(0, i).reduce((a, b) => a + b + gap, i ? dot : 0),
  );
  const [q, r, w] = ["q", "R", "W"].map((one) => {
    const i = boxes.indexOf(one);
    return starts[i] + wide[i] / 2;
  });
  const top = y - high / 2 - 3;
  const isStopped = r < w;
  const way = `M${w},${top}v${4 - rise}H${isStopped ? r : q}`;
  const end = isStopped
    ? `M${r - 5},${top - rise - 1}l10,10m0,-10l-10,10`
    : `M${q},${top + 4 - rise}V${top}m-4,-5l4,5l4,-5`;
  return svg`
    ${boxes.map(
      (
        one,
        i,
      ) => svg`<rect rx="4" fill=${`var(--${FILLS[one] ?? "ink"})`} x=${starts[i]} y=${y - high / 2} width=${wide[i]} height=${high} />
      <text class="t14 bold paper middle central" x=${starts[i] + wide[i] / 2} y=${y + 1}>${one}</text>`,
    )}
    <text class="bold middle central" x=${starts[1] - (gap + dot) / 2} y=${y}>·</text>
    <path fill="none" stroke="var(--ink)" stroke-width="2" d=${way} />
    <path fill="none" stroke=${`var(--${isStopped ? "new" : "ink"})`} stroke-width=${isStopped ? 3 : 2} d=${end} />`;
}

/** A vector, what is made of it first, and the key, which is named last. @param {Room} room @param {Circle} of @param {string[]} boxes @param {string} heading @param {Name[]} names */
function order(room, of, boxes, heading, names) {
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
    <text class="t14 middle" x=${of.x} y=${room.orders.title - (isPhone ? 34 : 54)}>${heading}</text>
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
    <text class=${`middle bold ${isApart ? "new" : ""}`} x=${isApart ? of.x : width / 2} y=${isApart || isPhone ? told : of.y}>${text}</text>`;
}
