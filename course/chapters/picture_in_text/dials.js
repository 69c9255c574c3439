// The dials of a head, by the number that each turns with; and the light that falls on the patches.

import { clamp, mix, pie, round, xy } from "../../page/shapes.js";
import { COLUMNS, ROWS, START } from "./ids.js";
import { around, buildRing, cellOf } from "./line.js";
import { DIALS, LENGTH, ORDERS, PAIRS, fastest, shares, turn } from "./pairs.js";
import { within } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {[number, number]} Way */

const AXES = ["t", "row", "column"];
const COLOURS = ["soft", "row", "column"];
const UP = Math.PI / 2;
export const FROM = START + COLUMNS + 2; // the patch from which the dials turn
const BENT = 0.8; // so that a tenth of the brightest is seen
const SPAN = 44; // pixels of a patch that can hold its share

/** Rows and columns from one patch to another. @param {number} from @param {number} to @returns {Way} */
export function way(from, to) {
  const [[r, c], [r2, c2]] = [cellOf(from), cellOf(to)];
  return [r2 - r, c2 - c];
}

/** Degrees as they are told: more digits where there is little. @param {number} degrees @param {Stage["number"]} number */
export const degreesOf = (degrees, number) =>
  `${number(degrees, degrees === 0 || degrees >= 9.95 ? 0 : degrees >= 0.0995 ? 1 : 2)}°`;

/** @param {Stage} stage */
export function buildDials({ make, put, show, group, say, number }) {
  const all = make("g");
  const layers = ORDERS.map((order) =>
    DIALS[order].axes.map((axis) => {
      const colour = `var(--${COLOURS[axis]})`;
      const holder = group(`dials ${AXES[axis]}`, all);
      const line = { stroke: colour, fill: "none", "stroke-linecap": "round" };
      return {
        holder,
        rim: make("circle", { stroke: colour, fill: colour, "stroke-width": 2, "fill-opacity": 0.13 }, holder), // prettier-ignore
        wedge: make("path", { fill: colour, opacity: 0.45 }, holder),
        hand: make("path", { ...line, "stroke-width": 2.4 }, holder),
      };
    }),
  );
  const ends = ["fastest", "slowest"].map(
    (name) =>
    make("text", { class: "t12 soft", "text-anchor": name === "slowest" ? "end" : "start" }, all, say(name)), // prettier-ignore
  );
  const start = group("k");
  const from = buildRing({ make, put }, start, "var(--k)", 4);
  const distance = make("text", { style: "font-weight: 600" }, group("q"));
  const lines = /** @type {const} */ (["row", "column"]).map((name) =>
    make("text", { class: name }, group(name)),
  );

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    for (const node of [all, start, distance, ...lines]) show(node, s.dials);
    if (s.dials < 0.02) return;
    const { dials: grid, aside, isPhone } = room;
    const by = way(FROM, clamp(Math.round(s.at), START, START + ROWS * COLUMNS - 1));
    const r = grid.size * 0.4;
    for (let i = 0; i < PAIRS; i++) {
      const centre = {
        x: grid.x + ((i % grid.columns) + 0.5) * grid.size,
        y: grid.y + (Math.floor(i / grid.columns) + 0.5) * grid.size,
      };
      const angle = mix(turn("blocks", i, by), turn("interleaved", i, by), s.il);
      const [low, high] = angle > 0 ? [UP - angle, UP] : [UP, UP - angle];
      const middle = { cx: centre.x.toFixed(1), cy: centre.y.toFixed(1), r: r.toFixed(1) };
      const part = Math.abs(angle) > 0.02 ? pie(centre, r * 0.9, low, high) : "";
      const hand = `M${xy([centre.x, centre.y])}L${xy(round(centre, r * 0.88, UP - angle))}`;
      layers.forEach((dials, order) => {
        put(dials[i].rim, middle);
        put(dials[i].wedge, { d: part });
        put(dials[i].hand, { d: hand });
        show(dials[i].holder, order ? s.il : 1 - s.il);
      });
    }
    const rows = PAIRS / grid.columns;
    put(ends[0], { x: grid.x, y: grid.y - 7 });
    put(ends[1], {
      x: grid.x + grid.columns * grid.size,
      y: isPhone ? grid.y - 7 : grid.y + rows * grid.size + 18,
    });
    from.place(within(aside, ...cellOf(FROM)));
    const order = s.il > 0.5 ? "interleaved" : "blocks";
    const x = isPhone ? aside.x + aside.w + 10 : aside.x;
    let y = isPhone ? 22 : aside.y + aside.h + 30;
    const [down, across] = by.map(Math.abs);
    const values = { down: number(down), across: number(across) };
    put(distance, { x, y, text: say(isPhone ? "distance_short" : "distance", values) });
    lines.forEach((line, i) => {
      const degrees = fastest(order, i + 1) * [down, across][i];
      y += isPhone ? 20 : 27;
      const name = `turns_${i ? "column" : "row"}${isPhone ? "_short" : ""}`;
      put(line, { x, y, text: say(name, { degrees: degreesOf(degrees, number) }) });
    });
  };
}

/** Share of each patch, on its way between the two orders. @param {State} s */
export function lightOf(s) {
  const query = Math.round(s.at) - START;
  const wanted = /** @type {Way} */ ([s.down, s.across]);
  const [a, b] = [shares("blocks", query, wanted), shares("interleaved", query, wanted)];
  return a.map((share, i) => mix(share, b[i], s.il));
}

/** @param {number} share @param {Stage["number"]} number */
export function percent(share, number) {
  const p = 100 * share;
  return `${number(p, p >= 9.95 ? 0 : p >= 0.995 ? 1 : 2)}%`;
}

/** @param {Stage} stage */
export function buildLight({ make, put, show, group, say, number }) {
  const all = group("light");
  const patches = Array.from({ length: ROWS * COLUMNS }, () => ({
    lamp: make("rect", { fill: "var(--attention)", rx: 5 }, all),
    text: make("text", { class: "t14 halo", "text-anchor": "middle" }, all),
  }));
  const told = make("text", { "text-anchor": "middle", style: "font-weight: 600" }, group("light"));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { big, isPhone, width } = room;
    const query = clamp(Math.round(s.at), START, START + ROWS * COLUMNS - 1) - START;
    const light = s.light > 0.01 ? lightOf({ ...s, at: query + START }) : [];
    const most = Math.max(...light, 1e-9);
    patches.forEach(({ lamp, text }, j) => {
      const rect = within(big, Math.floor(j / COLUMNS), j % COLUMNS);
      const share = light[j] ?? 0;
      put(lamp, { ...around(rect, -2), opacity: (0.85 * (share / most) ** BENT).toFixed(2) });
      const written = share < 0.00995 ? say("little") : percent(share, number);
      put(text, { x: (rect.x + rect.w / 2).toFixed(1), y: (rect.y + rect.h - 9).toFixed(1), text: j <= query && rect.w > SPAN ? written : "" }); // prettier-ignore
    });
    show(all, s.light);
    const wanted = query + s.down * COLUMNS + s.across;
    const values = {
      share: percent(light[Math.round(wanted)] ?? 0, number),
      length: number(LENGTH),
    };
    put(told, { x: width / 2, y: big.y + big.h + (isPhone ? 20 : 34), text: say(isPhone ? "gets_short" : "gets", values) }); // prettier-ignore
    show(told, s.light);
  };
}
