// RoPE: one dial: query and key as arrows, the wedge between them, the shadow.

import { START } from "../../page/by_hand.js";
import { isNew, widest } from "../../page/formulas/rotation.js";
import { TURN, arrow, clamp, mix, pie, round, spiral, wrapped, xy } from "../../page/shapes.js";
import { TRAINED, content, hundredths, sizes, speeds } from "./head.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

export const EDGE = 18; // half a name, from the edge of the picture
export const KEY = 8.5; // pixels of a key's arrow: wider than the query's, which may lie on it

/** The shadow of a query, beside its key and away from the query.
 * @param {import("./room.js").Circle} c @param {number} key @param {number} query
 */
export function shadowOn(c, key, query) {
  const away = clamp(c.r / 9, 9, 15);
  const side = away * clamp(60 * Math.sin(query - key + 0.02), -1, 1); // where both point alike, to one side
  const [sx, sy] = [side * Math.sin(key), side * Math.cos(key)];
  const [x, y] = round(c, Math.cos(query - key) * c.r, key);
  return { x1: c.x + sx, y1: c.y + sy, x2: x + sx, y2: y + sy, "stroke-width": away * 0.66 };
}

/** @param {Stage} stage @param {number} i */
export function buildDial({ make, put, show, group, say, number, seen, step }, i) {
  const isFirst = i === 0;
  const whole = make("g", { style: isFirst ? "" : "pointer-events: none" });
  const part = (
    /** @type {string} */ marks,
    /** @type {string} */ tag,
    /** @type {any} */ attributes,
  ) => make(tag, attributes, group(marks, whole));
  const hand = (/** @type {string} */ name) =>
    part(name, "path", {
      stroke: `var(--${name})`,
      fill: `var(--${name})`,
      "stroke-linejoin": "round",
    });
  const shaded = part("trained", "path", { fill: "var(--wash)" });
  const rim = part("dials q k arc bars shadow", "circle", {
    fill: "none",
    stroke: "var(--line)",
    "stroke-width": 1.5,
  });
  const ghostsOf = group("q", whole);
  const ghosts = Array.from({ length: isFirst ? 13 : 0 }, (_, place) => {
    const ghost = make("g", {}, ghostsOf);
    const line = make("line", { stroke: "var(--q)", "stroke-width": 2, opacity: 0.4 }, ghost);
    const name = make(
      "text",
      { class: "q t14 halo", "text-anchor": "middle", "dominant-baseline": "central" },
      ghost,
      `${place}`,
    );
    return { ghost, line, name };
  });
  const sector = part("wedge arc", "path", {});
  const beyond = part("new arc", "path", {
    stroke: "var(--new)",
    "stroke-width": isFirst ? 8 : 6,
    fill: "none",
  });
  const edge = part("arc", "path", { fill: "none" });
  const bent = part("content", "path", {
    stroke: "var(--content)",
    "stroke-width": isFirst ? 7 : 4,
    fill: "none",
  });
  const drop = part("shadow", "path", {
    stroke: "var(--soft)",
    "stroke-dasharray": "3 4",
    fill: "none",
  });
  const shadow = part("shadow", "line", { stroke: "var(--ink)" });
  const k = hand("k");
  const q = hand("q");
  const nameStyle = {
    style: "font-weight:700;font-size:18px",
    "text-anchor": "middle",
    "dominant-baseline": "central",
  };
  const names = isFirst
    ? ["k", "q"].map((name) => part(name, "text", { class: name, text: name, ...nameStyle }))
    : [];
  const label = part("dials", "text", { class: "t12 soft", "text-anchor": "middle" });
  const adds = part("dials", "text", { class: "t14", "text-anchor": "middle" });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const c = room.dials[i];
    const speed = speeds(s)[i];
    const angle = START + speed * s.n; // of the key
    const by = speed * (s.m - s.n);
    const own = content(s)[i];
    const long = Math.min(1, Math.sqrt(sizes(s)[i] / sizes(s)[0])); // of both arrows
    const query = angle + by + own;
    const on = isFirst ? 1 : clamp(s.dials - i, 0, 1);
    const isRed = s.trained > 0.5 && isNew(speed, s.m - s.n, TRAINED);
    const far = clamp(s.view - 1, 0, 1);
    const size = clamp(c.r / (isFirst ? 100 : 34), 0.4, 1);
    const reach = { ...c, r: c.r * mix(1, long, s.real) };
    const tip = Math.min(isFirst ? 18 * clamp(c.r / 110, 0.6, 1) : 11, c.r * 0.4, reach.r * 0.6);
    show(whole, isFirst ? 1 : clamp((s.view - 1) * 2, 0, 1));
    put(rim, { cx: c.x, cy: c.y, r: c.r, stroke: `var(--${isRed ? "new" : "line"})` });
    put(shaded, { d: pie(c, c.r, angle + own, Math.min(TURN, widest(speed, TRAINED))) });
    show(shaded, s.trained);
    put(q, { d: arrow(reach, query, tip), "stroke-width": (isFirst ? 5 : 3) * size });
    put(k, { d: arrow(reach, angle, tip), "stroke-width": (isFirst ? KEY : 5) * size });
    show(q, 0.2 + 0.8 * on);
    show(k, s.key * (0.2 + 0.8 * on));
    // The wedge: what the distance adds first, then what the words mean.
    const inner = c.r * 0.5;
    const grow = c.r * Math.min(0.16, 0.4 / Math.max(0.01, Math.abs(by) / TURN));
    const colour = isRed ? "var(--new)" : "var(--ink)";
    // In training the query started from its content, and its shade does.
    const from = angle + own * s.trained;
    const between = by + own * (1 - s.trained);
    const isThere = Math.abs(by) > 0.01;
    const isApart = Math.abs(between) > 0.01;
    put(sector, { d: isApart ? pie(c, inner, from, between, grow) : "", fill: colour });
    const wedge = s.shadow * on * (1 - s.row) * (isFirst ? 1 : 1 - s.real);
    show(sector, wedge * (isRed ? 0.45 : 0.12));
    put(edge, { d: isThere ? spiral(c, inner, from, by, grow) : "", stroke: colour });
    put(edge, { "stroke-width": (isFirst ? 3 : 2) * size });
    show(edge, wedge);
    const outer = inner + (grow * Math.abs(by)) / TURN + (isFirst ? 9 : 5);
    put(bent, { d: Math.abs(own) > 0.01 ? spiral(c, outer, angle + by, own) : "" });
    show(bent, s.split * wedge);
    const limit = widest(speed, TRAINED);
    put(beyond, { d: isRed ? spiral(c, c.r, angle + own + limit, (by % TURN) - limit) : "" });
    // The shadow of the query, beside the key.
    const isAlone = isFirst ? s.shadow * (2 - Math.max(1, s.view)) : 0;
    put(shadow, shadowOn(c, angle, query));
    show(shadow, isAlone);
    const shade = Math.cos(query - angle) * c.r;
    const foot = round(c, shade, angle);
    const back = shade < 0 ? `M${xy(round(c, 0, angle))}L${xy(foot)}` : ""; // the key's line, where no arrow is
    put(drop, { d: `${back}M${xy(round(c, c.r, query))}L${xy(foot)}` });
    show(drop, isAlone);
    const aside = room.isPhone ? { x: c.x + c.r + 4, "text-anchor": "start" } : { x: c.x };
    put(label, {
      ...aside,
      y: c.y + (room.isPhone ? -2 : c.r + 15),
      class: isRed ? "t12 new" : "t12 soft",
      text: say(room.isPhone ? "turn_short" : "turn_in", {
        places: number(TURN / speed, isFirst ? 1 : 0),
      }),
    });
    show(label, far);
    const share = hundredths(i, s);
    put(adds, {
      ...aside,
      y: c.y + (room.isPhone ? 13 : c.r + 32),
      text: (share > 0 ? "+" : "") + number(share / 100, 2),
    });
    show(adds, far * on);
    const narrow = Math.max(0.16, 20 / (c.r + 18)); // radians in which two letters do not fit
    const close = Math.max(0, narrow - Math.abs(wrapped(query - angle))) / 2;
    const push = s.key * close * (wrapped(query - angle) < 0 ? -1 : 1);
    names.forEach((name, j) => {
      const isRow = s.row > 0.5; // there each key has the name of its word
      const isTip = step() === "content" && j === 1;
      const out = isTip ? 30 : 18 + 22 * s.ghosts + 8 * s.row;
      const [x, y] = round(c, c.r + out, j ? query + push : angle - push);
      put(name, {
        x: clamp(
          x,
          isRow ? EDGE : EDGE / 2,
          isRow && room.isPhone ? room.panel.x - 28 : room.width - EDGE / 2,
        ).toFixed(1),
        y: y.toFixed(1),
        text: j ? "q" : isRow ? say("red_word") : "k",
      });
      const isRing = j === 1 && isRow; // the ring alone says it, among three names
      show(name, isRing ? 0 : (j ? 1 : s.key) * clamp(2 - s.view, 0, 1));
    });
    ghosts.forEach(({ ghost, line, name }, place) => {
      const to = START + s.bend + place;
      const [x1, y1] = round(c, c.r * 0.12, to);
      const [x2, y2] = round(c, c.r, to);
      put(line, { x1, y1, x2, y2 });
      const [x, y] = round(c, c.r + 16, to);
      put(name, { x, y });
      show(ghost, seen.has(place) ? s.ghosts : 0);
    });
  };
}
