// What an output is off by that nobody turns back: its pairs as dials, and all of them along the places.

import { arrow, clamp, mix, pie, wrapped } from "../../page/shapes.js";
import data from "./data.js";
import { LAST, PAIRS, SPEEDS, along, off, placeAt } from "./values.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const GOLDEN = 2.4; // radians from hand to hand: no two point alike
const [MOST, HALF] = [0.6, 0.5]; // of the ruler's scale
const TICKS = [0, 1, 10, 100, 1000, 10000, 100000, LAST];
const FEW = [0, 10, 1000, 100000];
const BOLD = { style: "font-weight: 600" };
const BARS = /** @type {const} */ (["shared", "latent"]);

/** What is kept of a word: numbers that stay, and those that turn. @param {Stage} stage */
export function buildBar({ make, put, show, group, say }) {
  const node = group("bar");
  const still = make("rect", { rx: 3, fill: "var(--line)" }, node);
  const turned = make("rect", { rx: 3, fill: "var(--k)" }, group("bar k"));
  const names = BARS.map((name) =>
    ["still", "turned"].map((one, i) =>
      make(
        "text",
        { class: i ? "t14 k" : "t14 soft", "text-anchor": i ? "end" : "start" },
        group(i ? "bar k" : "bar"),
        say(`${name}_${one}`),
      ),
    ),
  );
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { x, y, w, h } = room.bar;
    const isLatent = s.boxes > 0.5;
    const { numbers, turned: some } = data[isLatent ? "latent" : "shared"];
    const part = isLatent ? numbers / (numbers + some) : (numbers - some) / numbers;
    const gap = isLatent ? 6 : 0;
    put(still, { x, y, width: (w * part - gap).toFixed(1), height: h });
    put(turned, { x: (x + w * part).toFixed(1), y, width: (w * (1 - part)).toFixed(1), height: h });
    const line = isLatent ? y + h + (room.isPhone ? 15 : 21) : y - (room.isPhone ? 6 : 9);
    const presence = Math.max(s.pairs, s.boxes);
    names.forEach((pair, one) =>
      pair.forEach((text, i) => {
        put(text, { x: i ? x + w : x, y: line });
        show(text, Number(Boolean(one) === isLatent));
      }),
    );
    for (const one of [node, ...[turned, ...names.flat()].map((text) => text.parentNode)])
      show(/** @type {Element} */ (one), presence);
  };
}

/** @param {Stage} stage */
export function buildPairs({ make, put, show, group, say }) {
  const all = group("dials");
  const ends = ["fastest", "slowest"].map((name, i) =>
    make("text", { class: "t12 soft", "text-anchor": i ? "start" : "end" }, all, say(name)),
  );
  const dials = Array.from({ length: PAIRS }, () => ({
    rim: make("circle", { fill: "none", stroke: "var(--line)", "stroke-width": 1.2 }, all),
    hand: make("path", { stroke: "var(--ink)", fill: "var(--ink)" }, all),
  }));
  const wrong = group("new dials");
  const astray = dials.map(() => ({
    part: make("path", { fill: "var(--new)", opacity: 0.22 }, wrong),
    hand: make("path", { stroke: "var(--new)", fill: "var(--new)" }, wrong),
  }));
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { grid, right, isPhone } = room;
    dials.forEach(({ rim, hand }, i) => {
      const [row, column] = [Math.floor(i / grid.columns), i % grid.columns];
      // The one dial of before becomes all of them.
      const r = mix(right.r, grid.size / 2 - (isPhone ? 1.5 : 4), s.pairs);
      const x = mix(right.x, grid.x + (column + 0.5) * grid.size, s.pairs);
      const y = mix(right.y, grid.y + (row + 0.5) * grid.size, s.pairs);
      const [angle, by] = [0.6 + GOLDEN * i, wrapped(s.place * SPEEDS[i])];
      const [long, head, width] = [{ x, y, r: r - 1 }, isPhone ? 5 : 9, isPhone ? 1.6 : 2.4];
      put(rim, { cx: x.toFixed(1), cy: y.toFixed(1), r: r.toFixed(1) });
      put(hand, { d: arrow(long, angle, head), "stroke-width": width });
      const { part, hand: other } = astray[i];
      const isOff = Math.abs(by) > 0.02;
      put(other, { d: isOff ? arrow(long, angle + by, head) : "", "stroke-width": width });
      put(part, { d: isOff ? pie(long, r * 0.8, Math.min(angle, angle + by), Math.abs(by)) : "" });
    });
    const last = grid.y + (Math.ceil(PAIRS / grid.columns) - 0.5) * grid.size + 4;
    put(ends[0], { x: grid.x - 10, y: grid.y + grid.size / 2 + 4 });
    put(ends[1], { x: grid.x + grid.columns * grid.size + 10, y: last });
    for (const end of ends) show(end, isPhone || grid.x < 80 ? 0 : s.pairs);
    show(all, clamp(6 * s.pairs, 0, 1));
    show(wrong, s.pairs * s.forgot);
  };
}

/** Error along the places, with the place that is held. @param {Stage} stage @param {() => Room} room */
export function buildRuler(
  { make, put, show, group, slider, grip, value, say, number, state, set },
  room,
) {
  const all = group("off");
  const axis = make("path", { fill: "none", stroke: "var(--line)", "stroke-width": 1.3 }, all);
  const ticks = TICKS.map((tick) =>
    make("text", { class: "t12 soft", "text-anchor": "middle" }, all, number(tick)),
  );
  const title = make("text", { class: "t12 soft", "text-anchor": "middle" }, all, say("place_of"));
  const heights = [0, HALF].map((height) =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, all, `${number(100 * height)}%`),
  );
  const name = make("text", { class: "t14 soft" }, all);
  const curve = make("path", { fill: "none", stroke: "var(--new)", "stroke-width": 2 }, group("off new")); // prettier-ignore
  const holder = group("place");
  const to = (/** @type {number} */ place) => set({ place: Math.min(LAST, Math.max(0, place)) });
  const handle = slider(holder, {
    label: say("place_label"),
    keys: (by) => {
      const one = state.place + by;
      to(Math.max(state.place, one) <= 10 ? one : Math.round(state.place * 1.15 ** by));
    },
    move: ([x]) => to(placeAt((x - room().ruler.x) / room().ruler.w)),
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const knob = grip(handle);
  const finger = knob.parentNode?.querySelector("circle");
  const told = make("text", { class: "halo", "text-anchor": "middle", ...BOLD }, holder);
  return (/** @type {State} */ s) => {
    const { ruler, isPhone } = room();
    const { x, y, w, h } = ruler;
    const foot = y + h;
    const at = (/** @type {number} */ place) => x + w * along(place);
    const high = (/** @type {number} */ part) => foot - (h * part) / MOST;
    put(axis, { d: `M${x},${foot}h${w}M${x},${high(HALF).toFixed(1)}h${w}` });
    ticks.forEach((tick, i) => {
      put(tick, { x: at(TICKS[i]).toFixed(1), y: foot + 17 });
      show(tick, Number(!isPhone || FEW.includes(TICKS[i])));
    });
    put(title, { x: x + w / 2, y: foot + (isPhone ? 30 : 36) });
    heights.forEach((text, i) => put(text, { x: x - 8, y: high(i * HALF) + 4 }));
    put(name, { x, y: y - (isPhone ? 2 : 6), text: say(w < 520 ? "off_by_short" : "off_by") });
    const count = Math.max(2, Math.round(w / 2));
    const points = Array.from({ length: count + 1 }, (_, i) => {
      const place = 10 ** ((i / count) * Math.log10(1 + LAST)) - 1;
      return `${(x + (w * i) / count).toFixed(1)},${high(off(place)).toFixed(1)}`;
    });
    put(curve, { d: `M${points.join("L")}` });
    show(all, s.pairs);
    show(curve, s.forgot);
    show(holder, s.pairs * s.forgot);
    const [cx, cy] = [at(s.place), high(off(s.place))];
    for (const node of [knob, finger]) if (node) put(node, { cx: cx.toFixed(1), cy: cy.toFixed(1) }); // prettier-ignore
    put(hit, { x: x - 14, y: y - 4, width: w + 28, height: h + 26 });
    const text = say("at_place");
    const half = 4.2 * text.length;
    put(told, {
      x: Math.min(x + w - half + 20, Math.max(x + half - 10, cx)).toFixed(1),
      y: (cy + (isPhone ? 27 : 32) < foot - 4 ? cy + (isPhone ? 27 : 32) : cy - 18).toFixed(1),
      text,
    });
    put(handle, { tabindex: s.pairs * s.forgot > 0.5 ? 0 : -1 });
    value(handle, Math.round(s.place), 0, LAST, text);
  };
}
