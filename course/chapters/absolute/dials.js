// Hands: of the place that is held, of the hidden one, and of the ghost further on.

import { TURN, clamp, mix, pie, round } from "../../page/shapes.js";
import { HIDDEN, SPEEDS, TELL, speed } from "./model.js";
import { after } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {Stage} stage */
export function buildDials({ make, put, show, group, say, number }) {
  const dials = SPEEDS.map(() => {
    const whole = make("g");
    const alike = make(
      "path",
      { fill: "var(--ink)", "fill-opacity": 0.16 },
      group("hidden span", whole),
    );
    const wedge = make("path", { fill: "var(--ink)", "fill-opacity": 0.2 }, group("wedge", whole));
    const rim = make("circle", { fill: "none", stroke: "var(--line)", "stroke-width": 1.5 }, whole);
    const ghost = make(
      "line",
      {
        stroke: "var(--ink)",
        "stroke-width": 2.5,
        "stroke-dasharray": "2 6",
        "stroke-linecap": "round",
      },
      group("ghost", whole),
    );
    const own = group("hand hidden wheels", whole);
    const hand = make("line", { stroke: "var(--ink)", "stroke-linecap": "round" }, own);
    const tip = make("circle", { fill: "var(--ink)" }, own);
    const needle = make(
      "line",
      { stroke: "var(--soft)", "stroke-width": 2.5, "stroke-linecap": "round" },
      group("needle", whole),
    );
    const angle = make(
      "text",
      { "text-anchor": "middle", style: "font-weight:600" },
      group("wedge", whole),
    );
    const turn = make("text", { class: "t12 soft", "text-anchor": "middle" }, whole);
    return { whole, alike, wedge, rim, ghost, hand, tip, needle, angle, turn };
  });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const isWedges = clamp(2 * s.wedges - 1, 0, 1);
    dials.forEach((one, i) => {
      const c = room.dials[i];
      const isShown = s.lanes > 0 && s.smooth < 1 ? 1 - s.lanes * (1 - s.smooth) : 1;
      const isGuessed = s.sieve > 0.5 ? clamp(s.hands - i, 0, 1) : 1;
      show(one.whole, c.a * isShown * isGuessed);
      if (c.a < 0.02) return;
      const turning = i < 3 ? speed(i, s) : SPEEDS[i];
      const own = s.p * turning;
      const hidden = HIDDEN * SPEEDS[i];
      const angle = mix(own, hidden, s.sieve);
      const isLarge = c.r > 30;
      const end = round(c, c.r, angle);
      put(one.rim, { cx: c.x, cy: c.y, r: c.r });
      put(one.hand, {
        x1: c.x,
        y1: c.y,
        x2: end[0].toFixed(1),
        y2: end[1].toFixed(1),
        "stroke-width": isLarge ? 4 : 2.5,
      });
      put(one.tip, { cx: end[0].toFixed(1), cy: end[1].toFixed(1), r: isLarge ? 6 : 3.5 });
      show(one.tip, 1 - s.sieve);
      put(one.alike, { d: pie(c, c.r, angle - TELL, 2 * TELL) });
      show(one.alike, s.sieve);
      const [nx, ny] = round(c, c.r, own);
      put(one.needle, { x1: c.x, y1: c.y, x2: nx.toFixed(1), y2: ny.toFixed(1) });
      show(one.needle, after(s.sieve));
      const by = s.k * SPEEDS[i];
      put(one.wedge, { d: pie(c, c.r, own, Math.min(by, TURN - 0.001)) });
      show(one.wedge, isWedges);
      const [gx, gy] = round(c, c.r, own + by);
      put(one.ghost, { x1: c.x, y1: c.y, x2: gx.toFixed(1), y2: gy.toFixed(1) });
      show(one.ghost, isWedges);
      const wide = ((by % TURN) * 360) / TURN;
      const below = c.y + c.r + (room.isPhone ? 15 : 23);
      put(one.angle, {
        x: c.x,
        y: below,
        text: `${number(wide, wide < 1 ? 2 : wide < 10 ? 1 : 0)}°`,
        style: `font-weight:600;font-size:${room.isPhone ? 14 : 19}px`,
      });
      show(one.angle, isWedges);
      const places = TURN / SPEEDS[i];
      put(one.turn, {
        x: c.x,
        y: below + (room.isPhone ? 14 : 19),
        text: say(room.width < 700 ? "turn_in_short" : "turn_in", {
          places: number(places, places < 100 ? 1 : 0),
        }),
      });
      show(one.turn, isWedges);
    });
  };
}
