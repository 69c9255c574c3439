// The table of all encodings: where each acts, what it trains, and what fails past its trained length.

import { HEADS, NAMES, ENCODINGS, chosen } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const PLACES = /** @type {const} */ (["embed", "rotate", "bias", "mix"]);
const MILLION = 1e6;

/** @param {Stage} stage */
export function buildTable({ make, put, show, group, say, seen, number, isGuessing }) {
  const line = make("text", {}, group("row"));
  const why = make("text", { class: "soft" }, group("fails"));
  const rules = make("path", { stroke: "var(--line)", fill: "none" }, group("names"));
  const places = group("places");
  const once = make("text", { class: "t12 soft", "text-anchor": "middle" }, places);
  const each = make("text", { class: "t12 soft", "text-anchor": "middle" }, places);
  const brace = make("path", { stroke: "var(--soft)", fill: "none" }, places);
  const heads = PLACES.map((place) => ({
    place,
    node: make("text", { class: "t14", "text-anchor": "middle" }, places),
  }));
  const dots = NAMES.flatMap((name, i) =>
    ENCODINGS[name].places.map((place) => ({
      place,
      i,
      node: make("circle", { fill: "var(--ink)" }, places),
    })),
  );
  const trains = group("trains");
  const trainsHead = make("text", { class: "t14", "text-anchor": "end" }, trains);
  const counts = NAMES.map(() => make("text", { class: "t14", "text-anchor": "end" }, trains));
  const fails = group("fails");
  const failsHead = make("text", { class: "t14" }, fails);
  const failures = NAMES.map((name) =>
    make("text", { class: "t14", "font-weight": name === "learned" ? 600 : 400 }, fails),
  );
  const count = (/** @type {number} */ value) =>
    value >= MILLION ? say("million", { count: number(value / MILLION, 1) }) : number(value);

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = Math.max(0, 1 - 2 * s.plot);
    show(rules, presence);
    for (const node of [line, why, places, trains, fails]) show(node, presence * (1 - s.bars));
    if (!presence) return;
    const { columns, isPhone, left, width, rows, row } = room;
    const baseline = isPhone ? 4 : 5;
    const size = isPhone ? "t12" : "t14";
    const y = room.line - (isPhone ? 1 : 20);
    put(line, { x: left, y, class: size, text: say(`adds_${chosen(s)}`) });
    const isTold = seen.has(chosen(s)) && !isGuessing();
    const told = isTold ? say(`why_${chosen(s)}`) : "";
    put(why, { x: left, y: y + (isPhone ? 14 : 20), class: `${size} soft`, text: told });
    const tops = NAMES.flatMap((name, i) => (HEADS.includes(name) ? [rows[i] - row / 2] : []));
    put(rules, { d: tops.map((y) => `M${left},${y.toFixed(1)}H${width - left / 2}`).join("") });
    const [first, second] = [room.heads - (isPhone ? 13 : 22), room.heads];
    heads.forEach(({ place, node }, i) => {
      const y = isPhone && i % 2 === 0 ? first : second; // in turn: a column is narrower than its name
      put(node, { x: columns[place], y, class: isPhone ? "t12" : "t14", text: say(place) });
    });
    for (const node of [once, each, brace]) show(node, isPhone ? 0 : 1);
    put(once, { x: columns.embed, y: first - 2, text: say("once") });
    put(each, { x: columns.bias, y: first - 2, text: say("each_layer") });
    put(brace, { d: `M${columns.rotate - 30},${first + 3}H${columns.mix + 30}` });
    for (const { place, i, node } of dots)
      put(node, { cx: columns[place], cy: rows[i], r: isPhone ? 4 : 6 });
    put(trainsHead, {
      x: columns.trains,
      y: second,
      text: say("trains"),
    });
    put(failsHead, { x: columns.fails, y: second, text: say(isPhone ? "fails_short" : "fails") });
    NAMES.forEach((name, i) => {
      const y = rows[i] + baseline;
      put(counts[i], { x: columns.trains, y, text: count(ENCODINGS[name].trains) });
      const isKnown = seen.has(name) && !isGuessing();
      const text = say(isKnown ? `fails_${name}` : "not_known");
      put(failures[i], { x: columns.fails, y, text, class: isKnown ? "t14" : "t14 soft" });
    });
  };
}
