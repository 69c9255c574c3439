// A key made of a latent by W and turned by R, in both orders.

import { svg } from "../../page/lit/lit.js";
import { mark, seen } from "../../page/parts.js";
import { round, xy } from "../../page/shapes.js";
import { LATENT, W, gap, keys, times } from "./latent.js";
import { tipOf, vector } from "./strip.js";
import { STEP, turn } from "./values.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./room.js").Circle} Circle */
/** @typedef {import("./values.js").Vector} Vector */
/** @typedef {{ text: string, css: string, to: Vector }} Name */

const REACH = 1.25; // length of the longest arrow, in radii

/** @param {State} s @param {Room} room @param {Stage} stage */
export function orders(s, room, { say }) {
  if (s.boxes < 0.02) return "";
  const { made, turned } = keys(s.at);
  const isApart = gap(s.at) > 0.005;
  const [left, right] = room.keys;
  const c = { text: "c", css: "soft", to: LATENT };
  return svg`
    ${mark("boxes made", s.boxes, order(room, left, say(room.isPhone ? "made_short" : "made"), [c, { text: "Wc", css: "soft", to: times(W, LATENT) }, { text: "RWc", css: "k bold", to: made }]))}
    ${mark("boxes turned", s.boxes, order(room, right, say(room.isPhone ? "turned_short" : "turned"), [c, { text: "Rc", css: "soft", to: turn(LATENT, STEP * s.at) }, ...(isApart ? [{ text: "RWc", css: "k", to: made }] : []), { text: "WRc", css: "k bold", to: turned }]))}
    ${mark("gap new", s.boxes, apart(room, right, made, turned, say(isApart ? "apart" : "same"), isApart))}`;
}

/** A vector, what is made of it first, and the key, which is named last. @param {Room} room @param {Circle} of @param {string} title @param {Name[]} names */
function order({ isPhone, orders: { title: line } }, of, title, names) {
  const circle = { ...of, r: of.r / REACH };
  const wide = isPhone ? [2, 2, 4] : [2.5, 2.5, 5.5];
  const drawn = [names[0], names[1], names[names.length - 1]];
  const arrows = drawn.map(
    ({ to }, i) =>
    vector(circle, to, { name: i === 2 ? "k" : "soft", width: wide[i], head: isPhone ? (i === 2 ? 12 : 8) : i === 2 ? 19 : 13, opacity: i === 1 ? 0.55 : 1 }), // prettier-ignore
  );
  return svg`
    <text class="t14 middle" x=${of.x} y=${line}>${title}</text>
    <circle class="line" stroke-width="1.3" cx=${of.x} cy=${of.y} r=${of.r} />
    ${arrows}${around(of, names)}`;
}

/** Names around a dial, each where its arrow points, none over another. @param {Circle} of @param {Name[]} names */
function around(of, names) {
  const narrow = 19 / (of.r + 14); // radians between two lines
  const sorted = names
    .map((name) => ({ ...name, angle: Math.atan2(name.to[1], name.to[0]) }))
    .sort((a, b) => a.angle - b.angle);
  const first = names.at(-1)?.text; // keeps its place
  const at = sorted.findIndex(({ text }) => text === first);
  for (let i = at + 1; i < sorted.length; i++)
    sorted[i].angle = Math.max(sorted[i].angle, sorted[i - 1].angle + narrow);
  for (let i = at - 1; i >= 0; i--)
    sorted[i].angle = Math.min(sorted[i].angle, sorted[i + 1].angle - narrow);
  return sorted.map(({ text, css, angle }) => {
    const [x, y] = round(of, of.r + 12, angle);
    const side = Math.cos(angle) > 0.3 ? "" : Math.cos(angle) < -0.3 ? "end" : "middle";
    return svg`<text class=${`t14 halo central ${css} ${side}`} x=${x} y=${y}>${text}</text>`;
  });
}

/** How far the other key is from this one. @param {Room} room @param {Circle} of @param {Vector} made @param {Vector} turned @param {string} text @param {boolean} isApart */
function apart({ isPhone, orders: { told } }, of, made, turned, text, isApart) {
  const circle = { ...of, r: of.r / REACH };
  const [from, to] = [tipOf(circle, made), tipOf(circle, turned)];
  const line = svg`
    <path stroke="var(--k)" stroke-width=${isPhone ? 2 : 3} stroke-dasharray="5 4" d=${`M${xy([of.x, of.y])}L${xy(from)}`} />
    <path stroke="var(--new)" stroke-width="3" d=${`M${xy(from)}L${xy(to)}`} />`;
  return svg`${seen(Number(isApart), line)}
    <text class=${`middle bold ${isApart ? "new" : ""}`} x=${of.x} y=${told}>${text}</text>`;
}
