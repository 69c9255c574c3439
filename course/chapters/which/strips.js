// What small models of each encoding find as texts grow: a curve in each row of the table.

import data from "./data.js";
import { clamp, mix, xy } from "../../page/shapes.js";
import {
  DEAREST,
  ENCODINGS,
  FURTHER,
  HEADS,
  LENGTHS,
  MEASURES,
  NAMES,
  along,
  alongX,
  chosen,
  doublingsOf,
  firstOf,
  hasRow,
  height,
  isFallen,
  isThere,
  limit,
  measureOf,
  measured,
  TUNED,
  reach,
  rowOf,
  up,
} from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {State} s */
const there = (s) => clamp(2 * s.plot - 1, 0, 1) * clamp(1 - 2 * s.real, 0, 1);
const isBits = (/** @type {State} */ s) => MEASURES[measureOf(s)] === "bits";

/** The names, and the highlight over one of them. @param {Stage} stage */
export function buildNames({ make, put, show, group, say }) {
  const frame = make("rect", { fill: "var(--wash)", rx: 5 }, group("row"));
  const texts = NAMES.map((name) => ({
    name,
    node: make("text", { class: "t14" }, group(`names ${name}`), say(`name_${name}`)),
  }));
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = clamp(2 * (s.plot + s.bars) - 1, 0, 1) * (1 - clamp(2 * s.real, 0, 1));
    const { y, tall } = rowOf(room, s, chosen(s));
    const width = room.width - 1.4 * room.left;
    put(frame, { x: room.left - 6, y: y - tall / 2, width, height: tall });
    show(frame, presence);
    for (const { name, node } of texts) {
      const indent = HEADS.includes(name) || s.few > 0.5 ? 0 : room.isPhone ? 6 : 16;
      put(node, {
        x: room.left + indent,
        y: rowOf(room, s, name).y + (room.isPhone ? 4 : 5),
        style: name === chosen(s) ? "font-weight: 600" : undefined,
      });
      show(node, presence * (isThere(name, s) ? 1 : 0));
    }
  };
}

/** Lengths above the rows, and whose numbers these are. @param {Stage} stage */
export function buildRail({ make, put, show, group, say, number }) {
  const all = group("axis");
  const rail = make("path", { stroke: "var(--line)", "stroke-width": 3, fill: "none" }, all);
  const title = make("text", { class: "t12 soft" }, all);
  const measure = make("text", {}, all);
  const ticks = Array.from({ length: LENGTHS + 1 }, () =>
    make("text", { class: "t12 soft", "text-anchor": "middle" }, all),
  );
  const note = make("text", { class: "t12 soft" }, group("note"));
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = there(s);
    for (const node of [all, note]) show(node, presence);
    if (presence < 0.02) return;
    const { strip, isPhone, left, foot, heads } = room;
    const y = heads - (isPhone ? 16 : 20);
    put(rail, { d: `M${strip.x},${heads}h${strip.w}` });
    put(title, { x: left, y, text: say(isPhone ? "small_axis_short" : "small_axis") });
    put(measure, { x: left, y: isPhone ? 14 : 36, text: say(MEASURES[measureOf(s)]) });
    show(measure, presence * (1 - s.measures));
    ticks.forEach((node, i) => {
      const length = number(data.trained * 2 ** i);
      const text = i || isPhone ? length : say("tick_trained", { length });
      put(node, { x: alongX(room, s, i), y, text });
    });
    const { models, of } = ofChosen(s);
    const kind = models < of ? "note_some" : of > 1 ? "note_small" : "note_one";
    put(note, {
      x: isPhone ? left : strip.x,
      y: foot,
      text: say(hasRow(chosen(s), doublingsOf(s)) ? kind : "note_no_row"),
    });
  };
}

/** @param {Stage} stage */
export function buildStrips({ make, put, show, group, say, number }) {
  const most = group("most");
  const mostLine = make(
    "path",
    { stroke: "var(--soft)", fill: "none", "stroke-dasharray": "2 4" },
    most,
  );
  const strips = NAMES.map((name) => {
    const holder = group(`curves ${name}`);
    const text = (/** @type {Record<string, string>} */ look) => make("text", look, holder);
    return {
      name,
      holder,
      foot: make("path", { stroke: "var(--line)", fill: "none" }, holder),
      area: make("path", { opacity: 0.25 }, holder),
      line: make("path", { fill: "none", "stroke-width": 2.5, "stroke-linejoin": "round" }, holder),
      top: text({ class: "t12 soft", "text-anchor": "end" }),
      low: text({ class: "t12 soft", "text-anchor": "end" }),
      none: text({ class: "t14 soft" }),
      value: text({ class: "t14" }),
    };
  });
  const training = group("training");
  const trained = TUNED.map((name) => ({
    name,
    rise: make("path", { stroke: "var(--ink)", "stroke-width": 2, fill: "none" }, training),
    dot: make("circle", { r: 5, fill: "var(--ink)" }, training),
    after: make("text", { class: "t14 halo" }, training),
  }));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = there(s);
    const { strip, isPhone } = room;
    const from = firstOf(measureOf(s));
    const end = reach(s);
    /** Where a share of a row's height stands. @param {string} name @param {number} share */
    const level = (name, share) => {
      const { y, tall } = rowOf(room, s, name);
      const high = tall - (s.few > 0.5 ? 30 : 8);
      return y + high / 2 - share * high;
    };
    for (const { name, holder, foot, area, line, top, low, none, value } of strips) {
      show(holder, presence * (isThere(name, s) ? 1 : 0));
      if (presence < 0.02) continue;
      const [y0, y1] = [level(name, 0), level(name, 1)];
      const isOut = !hasRow(name, end);
      put(foot, { d: !isOut ? `M${strip.x},${y0.toFixed(1)}h${strip.w}` : "" });
      const last = name === "learned" ? 0 : end;
      const points = from <= last ? stops(from, last).map((i) => at(name, i)) : [];
      const color = isFallen(name, s) ? "var(--new)" : "var(--ink)";
      const path = points.map(xy).join("L");
      const [left, right] = [points[0]?.[0], points.at(-1)?.[0]];
      put(line, { d: path && `M${path}h0.1`, stroke: color });
      put(area, {
        d: path && `M${left},${y0.toFixed(1)}L${path}L${right},${y0.toFixed(1)}Z`,
        fill: color,
      });
      const isScaled = s.few > 0.5 || (name === chosen(s) && !isPhone);
      const ends = isBits(s) ? ["0", number(DEAREST, 1)] : ["0", "100 %"];
      put(low, { x: strip.x - 6, y: y0 + 2, text: ends[0] });
      put(top, { x: strip.x - 6, y: y1 + 9, text: ends[1] });
      for (const node of [top, low]) show(node, isScaled ? 1 : 0);
      const told = isOut ? say("fails_learned") : "";
      const middle = (y0 + y1) / 2 + (isPhone ? 4 : 5);
      put(none, {
        x: alongX(room, s, 0) + 12,
        y: middle,
        text: told,
        class: `t14 ${isOut ? "new" : "soft"}`,
      });
      const amount = !isOut ? measured(name, measureOf(s), doublingsOf(s)) : NaN;
      put(value, {
        x: strip.x + strip.w + (isPhone ? 10 : 18),
        y: middle,
        text: Number.isNaN(amount) ? "" : isBits(s) ? number(amount, 2) : `${number(amount)} %`,
        style: `font-weight: ${name === chosen(s) ? 600 : 400}; fill: ${color}`,
      });
    }
    const lines = NAMES.filter((name) => hasRow(name, end)).map((name) =>
      level(name, limit(name, s)).toFixed(1),
    );
    put(mostLine, { d: lines.map((y) => `M${strip.x},${y}h${strip.w}`).join("") });
    show(most, presence * s.measures);

    const x = alongX(room, s, FURTHER);
    for (const { name, rise, dot, after } of trained) {
      const [before, found] = [measured(name, 1, FURTHER), data.further[name].mean[0]].map((one) =>
        up(1, one),
      );
      const y = level(name, mix(before, found, s.tuned));
      const isUp = found - before > 0.1;
      put(rise, {
        d: isUp ? `M${x},${level(name, before)}V${y + 5}m-6,7l6,-8l6,8` : "",
      });
      put(dot, { cx: x, cy: y });
      const [mean, low, high] = /** @type {const} */ (["mean", "low", "high"]).map((end) =>
        number(data.further[name][end][0]),
      );
      put(after, {
        x: x + 12,
        y: y + (isUp ? 5 : -8),
        text: say(isPhone ? "trained_further_short" : "trained_further", { mean, low, high }),
      });
    }
    show(training, presence * s.few * clamp(5 * s.tuned, 0, 1));

    /** @param {string} name @param {number} doublings @returns {[number, number]} */
    function at(name, doublings) {
      const share = along((i) => height(name, s, i), doublings);
      return [alongX(room, s, doublings), level(name, share)];
    }
  };
}

/** Whole doublings up to an end, and the end. @param {number} from @param {number} end */
function stops(from, end) {
  const whole = [];
  for (let i = from; i <= end; i++) whole.push(i);
  if (end > (whole.at(-1) ?? end)) whole.push(end);
  return whole;
}

/** Of how many models a number of the chosen encoding is the mean. @param {State} s */
export function ofChosen(s) {
  const name = chosen(s);
  const { models, learned } = ENCODINGS[name];
  const of = (/** @type {"mean" | "low" | "high"} */ end) =>
    measured(name, measureOf(s), doublingsOf(s), end);
  return {
    models: isBits(s) ? models.bits : learned || models.near,
    of: isBits(s) ? models.bits : models.near,
    mean: of("mean"),
    low: of("low"),
    high: of("high"),
  };
}
