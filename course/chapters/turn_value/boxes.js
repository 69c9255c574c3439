// A key made of a latent by W and turned by R, in both orders.

import { LATENT, W, gap, keys, rotation, times } from "./latent.js";
import { tipOf, vectorPath } from "./strip.js";
import { STEP, turn } from "./values.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const REACH = 1.25; // length of the longest arrow, in radii
const BOLD = { style: "font-weight: 600" };

/** @param {Stage} stage */
export function buildBoxes({ make, put, show, group, say, number }) {
  const sides = /** @type {const} */ (["made", "turned"]).map((name, i) => {
    const all = group(`boxes ${name}`);
    const boxes = (i ? ["R", "W"] : ["W", "R"]).map((letter) => ({
      letter,
      plate: make("rect", { rx: 6, fill: "var(--paper)", stroke: "var(--soft)", "stroke-width": 1.3 }, all), // prettier-ignore
      title: make("text", { "text-anchor": "middle", ...BOLD }, all, letter),
      cells: [0, 1, 2, 3].map(() => make("text", { class: "t12", "text-anchor": "middle" }, all)),
    }));
    const then = make("path", { stroke: "var(--soft)", fill: "none", "stroke-width": 1.5 }, all);
    const rim = make("circle", { fill: "none", stroke: "var(--line)", "stroke-width": 1.3 }, all);
    const arrowOf = (/** @type {string} */ colour, opacity = 1) =>
      make("path", { stroke: colour, fill: colour, "stroke-linejoin": "round", opacity }, all);
    return {
      name,
      all,
      boxes,
      then,
      rim,
      latent: arrowOf("var(--soft)"),
      between: arrowOf(i ? "var(--soft)" : "var(--k)", 0.4),
      key: arrowOf("var(--k)"),
      letter: make("text", { class: "soft halo", "text-anchor": "middle", style: "font-style: italic" }, all, "c"), // prettier-ignore
      caption: make("text", { class: "t14 soft", "text-anchor": "middle" }, all, say(name)),
    };
  });
  const apart = group("gap new");
  const other = make("circle", { fill: "none", stroke: "var(--k)", "stroke-width": 2, "stroke-dasharray": "3 3", r: 8 }, apart); // prettier-ignore
  const line = make("path", { stroke: "var(--new)", "stroke-width": 3, fill: "none" }, apart);
  const told = make("text", { class: "halo", "text-anchor": "middle", ...BOLD }, apart);

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { boxes: size, isPhone, width } = room;
    const both = keys(s.at);
    const tips = { made: both.made, turned: both.turned };
    const first = { made: times(W, LATENT), turned: turn(LATENT, STEP * s.at) };
    const matrices = /** @type {Record<string, number[][]>} */ ({ W, R: rotation(s.at) });
    const scaled = room.keys.map((one) => ({ ...one, r: one.r / REACH }));
    sides.forEach(({ name, all, boxes, then, rim, latent, between, key, letter, caption }, i) => {
      const circle = scaled[i];
      const { x, y } = circle;
      boxes.forEach(({ letter: of, plate, title, cells }, j) => {
        const middle = x + (j ? size.apart : -size.apart);
        put(plate, { x: (middle - size.w / 2).toFixed(1), y: size.y, width: size.w, height: size.h }); // prettier-ignore
        put(title, isPhone ? { x: middle.toFixed(1), y: size.y + 17 } : { x: middle.toFixed(1), y: size.y - 8 }); // prettier-ignore
        matrices[of].flat().forEach((one, c) => {
          put(cells[c], {
            x: (middle + ((c % 2) - 0.5) * size.w * 0.5).toFixed(1),
            y: size.y + size.h * (c < 2 ? 0.38 : 0.8),
            text: isPhone ? "" : number(one, 2),
          });
        });
      });
      const [from, to] = [x - size.apart + size.w / 2 + 5, x + size.apart - size.w / 2 - 5];
      const high = size.y + size.h / 2;
      put(then, { d: `M${from.toFixed(1)},${high}H${to.toFixed(1)}m-5,-4l5,4l-5,4` });
      put(rim, { cx: x.toFixed(1), cy: y.toFixed(1), r: room.keys[i].r.toFixed(1) });
      const thick = isPhone ? [2, 2, 4] : [2.5, 2.5, 5.5];
      const heads = isPhone ? 8 : 13;
      put(latent, { d: vectorPath(circle, LATENT, heads), "stroke-width": thick[0] });
      put(between, { d: vectorPath(circle, first[name], heads), "stroke-width": thick[1] });
      put(key, { d: vectorPath(circle, tips[name], isPhone ? 12 : 19), "stroke-width": thick[2] }); // prettier-ignore
      const [cx, cy] = tipOf(circle, /** @type {[number, number]} */ (LATENT.map((one) => one * 1.12))); // prettier-ignore
      put(letter, { x: cx.toFixed(1), y: cy.toFixed(1) });
      put(caption, { x: x.toFixed(1), y: y + room.keys[i].r + (isPhone ? 14 : 22) });
      show(letter, i ? 0 : 1); // at the right it would lie under the keys
      show(all, s.boxes);
    });
    const [from, to] = [tipOf(scaled[1], both.made), tipOf(scaled[1], both.turned)];
    put(other, { cx: from[0].toFixed(1), cy: from[1].toFixed(1) });
    put(line, { d: `M${from[0].toFixed(1)},${from[1].toFixed(1)}L${to[0].toFixed(1)},${to[1].toFixed(1)}` }); // prettier-ignore
    put(told, {
      x: width / 2,
      y: room.keys[0].y + 5 - (isPhone ? room.keys[0].r * 0.8 : 0),
      text: say("apart"),
      class: gap(s.at) < 0.005 ? "halo" : "halo new",
    });
    show(line, gap(s.at) > 0.005 ? 1 : 0);
    show(apart, s.boxes);
  };
}
