// The sum of the values as a chain of arrows, with the output: turned and added, and turned back.

import { clamp } from "../../page/shapes.js";
import { tipOf, vectorPath } from "./strip.js";
import { ASKS, FURTHEST, STEP, parts, placesOf, total, turn } from "./values.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./room.js").Circle} Circle */
/** @typedef {import("./values.js").Vector} Vector */

const ORDER = [0, 2, 1, 3]; // of the chain: the largest first
const GHOST = 0.3;
const LONG = 1.15; // of a vector, in radii
const NAMED = 2; // links with room for a name
const BOLD = { style: "font-weight: 600" };

/** @param {Stage} stage @param {boolean} isBack */
function buildDial({ make, put, show, group, say }, isBack) {
  const all = make("g");
  const own = isBack ? "back" : "forth";
  const face = group(`dial ${own}`, all);
  const rim = make("circle", { fill: "none", stroke: "var(--line)", "stroke-width": 1.3 }, face);
  const cross = make("path", { fill: "none", stroke: "var(--line)", "stroke-width": 0.7 }, face);
  const out = make("path", { stroke: "var(--ink)", fill: "var(--ink)", "stroke-linejoin": "round" }, group(`out ${own}`, all)); // prettier-ignore
  const chain = group("v", all);
  const links = ORDER.map(
    () =>
    make("path", { stroke: "var(--content)", fill: "var(--content)", "stroke-linejoin": "round" }, chain), // prettier-ignore
  );
  const names = ORDER.slice(0, NAMED).map(() =>
    make("text", { class: "v halo", "text-anchor": "middle", ...BOLD }, chain),
  );
  const caption = make("text", { class: "t14 soft", "text-anchor": "middle" }, face, say(own)); // prettier-ignore

  return (/** @type {State} */ s, /** @type {Room} */ room, /** @type {number} */ presence) => {
    const { x, y, r } = isBack ? room.right : room.left;
    const circle = { x, y, r: r * LONG };
    const { isPhone, width } = room;
    put(rim, { cx: x.toFixed(1), cy: y.toFixed(1), r: r.toFixed(1) });
    put(cross, { d: `M${x - r},${y}h${2 * r}M${x},${y - r}v${2 * r}` });
    const each = parts(s, Number(isBack));
    const sum = total(each);
    const places = placesOf(s);
    /** @type {Vector} */
    let foot = [0, 0];
    ORDER.forEach((i, link) => {
      const [a, b] = each[i];
      put(links[link], {
        d: vectorPath(circle, each[i], isPhone ? 9 : 13, foot),
        "stroke-width": link < NAMED ? (isPhone ? 2.5 : 3.5) : 2,
      });
      if (link < NAMED) {
        // Beside its arrow, on the side away from the output.
        const middle = /** @type {Vector} */ ([foot[0] + a / 2, foot[1] + b / 2]);
        const side = sum[0] * middle[1] - sum[1] * middle[0] > 0 ? 1 : -1;
        const long = Math.hypot(a, b) || 1;
        const [outX, outY] = [(-b / long) * side, (-a / long) * side];
        const back = Math.round(places[ASKS] - places[i]);
        const name = isBack && !isPhone ? say("link", { word: say(`word_${i}`), back }) : say(`word_${i}`); // prettier-ignore
        const [tx, ty] = tipOf(circle, middle);
        const away = isPhone ? 18 : isBack ? 26 + 28 * Math.abs(outX) : 24;
        const half = 4 * name.length;
        put(names[link], {
          x: clamp(tx + outX * away, half + 4, width - half - 4).toFixed(1),
          y: (ty + outY * (isPhone ? 16 : 20) + 5).toFixed(1),
          text: name,
        });
      }
      foot = [foot[0] + a, foot[1] + b];
    });
    put(out, { d: vectorPath(circle, sum, isPhone ? 13 : 20), "stroke-width": isPhone ? 4 : 5.5 });
    put(caption, { x: x.toFixed(1), y: room.caption });
    show(caption, s.two);
    show(all, presence);
  };
}

/** @param {Stage} stage */
export function buildSums(stage) {
  const { make, put, show, group, say } = stage;
  const before = group("ghosts out");
  const ghosts = Array.from({ length: FURTHEST }, (_, place) => ({
    hand: make("path", { stroke: "var(--ink)", fill: "var(--ink)", "stroke-width": 2.5, "stroke-opacity": GHOST, "fill-opacity": GHOST }, before), // prettier-ignore
    name: make("text", { class: "t12 soft halo", "text-anchor": "middle" }, before, say("from", { place })), // prettier-ignore
  }));
  const [forth, back] = [buildDial(stage, false), buildDial(stage, true)];
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone } = room;
    const left = { ...room.left, r: room.left.r * LONG };
    const first = total(parts({ ...s, start: 0, swap: 0 }, 0));
    ghosts.forEach(({ hand, name }, place) => {
      const vector = turn(first, STEP * place);
      put(hand, { d: vectorPath(left, vector, isPhone ? 9 : 14) });
      const long = Math.hypot(...vector);
      const more = 1 + (isPhone ? 18 : 24) / (long * left.r);
      const [x, y] = tipOf(left, [vector[0] * more, vector[1] * more]);
      put(name, { x: x.toFixed(1), y: (y + 4).toFixed(1) });
      const isPast = s.start > place + 0.5 ? 1 : 0;
      show(hand, isPast);
      show(name, isPast);
    });
    show(before, s.ghosts * s.sums);
    forth(s, room, s.sums);
    back(s, room, s.sums * s.two);
  };
}
