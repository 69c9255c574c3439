// CoPE, further away: a text of a trained model, token by token, up to the last floor, and how often it miscounts.

import data from "./data.js";
import { between, positions } from "../../page/formulas/gates.js";
import { clamp, mix, xy } from "../../page/shapes.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("../../page/types").Box} Box */

export const LENGTHS = data.lengths;
export const LASTS = data.lasts;
export const TOP = LASTS[LASTS.length - 1]; // the last floor of training
const LONG = 2; // index of the length that was read with every last floor
export const COUNTED = [...data.tokens]
  .slice(data.tokens.lastIndexOf("r"))
  .filter((kind) => kind === "c").length; // after the last reset
const HIGHEST = 71; // the highest floor that is drawn
export const LIFTED = data.added.findIndex((push, floor) => floor && push < 0) - 1; // the highest floor with a push up
const FLOORS = [0, LIFTED, TOP];
const KINDS = /** @type {const} */ (["r", "c", "."]);
/** @type {Record<string, string>} */
const NAMES = { r: "r", c: "c", ".": "other" };
const COLORS = { r: "ink", c: "content", ".": "line" };
const MOST = 80; // per cent
const OPEN = [3, 33, 60]; // floors beside which a question mark stands
const ADDS = [-4, 0, 2]; // q·e that have a number

/** Index of the nearest measured length. @param {State} s */
export const lengthAt = (s) => clamp(Math.round(s.length), 0, LENGTHS.length - 1);
/** The nearest last floor that was measured. @param {State} s */
export const lastAt = (s) =>
  LASTS.reduce((a, b) => (Math.abs(b - s.last) < Math.abs(a - s.last) ? b : a));
/** Of a table by last floor and length. @param {Record<string, number[]>} table @param {State} s */
const measured = (table, s, last = lastAt(s)) => table[String(last)][lengthAt(s)];
/** @param {State} s */
export const wrong = (s) => measured(data.wrong, s);
/** @param {State} s */
export const wrongTrained = (s) => measured(data.wrong, s, TOP);
/** @param {State} s */
export const own = (s) => measured(data.own, s);

/** The doors of the last token, and where each token would stand without a last floor. @param {State} s */
function climb(s) {
  const at = lengthAt(s);
  const last = lastAt(s);
  const gates =
    at === LONG && last !== TOP
      ? data.held[/** @type {"63"} */ (String(last))]
      : data.gates[/** @type {"64"} */ (String(LENGTHS[at]))];
  return { gates, places: positions(gates, gates.length - 1) };
}
/** How many counts after the last reset stand so high that q·e lowers them. */
export const LOWERED = climb({ length: 0, last: TOP }).places.filter((place, j, all) => {
  const at = data.tokens.length - all.length + j;
  const isCounted = data.tokens[at] === "c" && at > data.tokens.lastIndexOf("r");
  return isCounted && between(place, data.added) < 0;
}).length;
/** The token that the counter has come to, back from the end of the first text, and its floor. @param {State} s */
export function counted(s) {
  const { gates, places } = climb(s);
  const token = clamp(gates.length - 1 - Math.round(s.back), 0, gates.length - 1);
  const kind = data.tokens[data.tokens.length - gates.length + token];
  return { token, kind, floor: places[token], push: between(places[token], data.added) };
}
/** How far back the last reset stands, and the first token that q·e lowers. */
export const RESET = data.tokens.length - 1 - data.tokens.lastIndexOf("r");
const SCALE = [0, 30]; // floors
const LITTLE = 0.25; // how far open, where all doors are open a little
/** Doors of the last token of the first text, as they could be. */
const GUESSES = /** @type {const} */ ([
  ["little", { r: LITTLE, c: LITTLE, ".": LITTLE }],
  ["both", { r: 1, c: 1, ".": 0 }],
  ["reset", { r: 1, c: 0, ".": 0 }],
]);

/** How many tokens are held on the last floor. @param {State} s */
export const held = (s) => climb(s).places.filter((place) => place > lastAt(s)).length;

/** @param {Box} box @param {State} s */
function layout({ width, height, isPhone }, s) {
  const below = Math.max(s.longer, s.cut); // how much of the measured curve is there
  const left = isPhone ? 8 + 16 * s.guesses : 40; // with room for a scale of floors
  // Beside the text stands what each floor adds; on a phone nothing, where doors are guessed.
  const edge = width - (isPhone ? 108 - 94 * s.guesses * (1 - s.lifts) : 236);
  const top = isPhone ? 22 : 40;
  const high = isPhone ? Math.min(70, height * 0.2) : height * 0.2;
  const plotY = height - below * (high + (isPhone ? 24 : 30));
  const share = plotY - (isPhone ? 16 : 26) - below * (isPhone ? 22 : 40);
  const doors = mix(isPhone ? 30 : 64, 0, below); // none beside the measured curve
  const tokens = mix(isPhone ? 12 : 24, isPhone ? 5 : 9, below); // height of their strip
  const ground = share - (isPhone ? 18 : 36) - tokens - doors - (isPhone ? 12 : 16);
  const unit = (ground - top) / HIGHEST;
  const plot = { x: isPhone ? 36 : 66, y: plotY, w: width - (isPhone ? 90 : 190), h: high };
  return { width, height, isPhone, left, edge, top, ground, unit, doors, tokens, share, plot };
}
/** @typedef {ReturnType<typeof layout>} Far */

/** Where the room of what each floor adds ends. @param {Far} far */
const rightOf = ({ width, isPhone }) => width - (isPhone ? 4 : 16);
/** @param {Far} far @param {number} floor */
const level = ({ ground, unit }, floor) => ground - floor * unit;
/** Where the name of a kind of token begins, below the text. @param {Far} far @param {number} kind */
const legendOf = ({ left, ground, doors, tokens, isPhone }, kind) => ({
  x: left + kind * (isPhone ? 84 : 92),
  y: ground + 9 + doors + tokens + (isPhone ? 12 : 17),
});
/** @param {Far} far @param {number} length Index of it. */
const plotX = ({ plot }, length) => plot.x + ((length + 0.25) / (LENGTHS.length - 0.5)) * plot.w;
/** @param {Far} far @param {number} percent */
const plotY = ({ plot }, percent) => plot.y + plot.h * (1 - percent / MOST);

/** @param {Stage} stage */
export function buildCounted(stage) {
  const all = stage.make("g");
  /** @type {Far} */
  let far = layout({ width: 900, height: 600, isPhone: false }, stage.state);
  const parts = [guesses, means, text, counter, push, last, share, plot].map((build) =>
    build(stage, all, () => far),
  );
  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    stage.show(all, s.far);
    stage.put(all, { style: s.far < 0.5 ? "pointer-events: none" : undefined });
    if (s.far < 0.02) return;
    far = layout(box, s);
    for (const draw of parts) draw(s, far);
  };
}

// ------------------------------------------------------------------ the text

/** The doors of three guesses; later a scale of floors for the stairs.
 * @param {Stage} stage @param {Element} parent
 */
function guesses({ make, put, show, group, say }, parent) {
  const count = LENGTHS[0];
  const tokens = [...data.tokens.slice(-count)];
  const scale = group("floors", parent);
  const grid = make("path", { fill: "none", stroke: "var(--line)" }, scale);
  const floors = SCALE.map((floor) =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, scale, String(floor)),
  );
  const title = make("text", { class: "t12 soft" }, scale, say("floor"));
  const all = group("guesses", parent);
  const rows = GUESSES.map(([name, open]) => ({
    isSo: name === "both",
    open: tokens.map((kind) => open[/** @type {"r"} */ (kind)]),
    doors: make("path", { fill: "var(--content)" }, all),
    base: make("path", { fill: "none", stroke: "var(--line)" }, all),
    text: make("text", { class: "t14" }, all, say(`guess_${name}`)),
  }));
  // What the head has to know lies between the last reset and the end.
  const since = group("reset", parent);
  const border = make(
    "line",
    { stroke: "var(--ink)", "stroke-width": 1.5, "stroke-dasharray": "3 4" },
    since,
  );
  const borderText = make("text", { class: "t12 halo" }, since, say("last_reset"));
  return (/** @type {State} */ s, /** @type {Far} */ far) => {
    show(all, s.guesses * (1 - s.lifts));
    show(since, s.guesses);
    show(scale, s.lifts);
    const { left, edge, ground, isPhone } = far;
    const width = (edge - left) / count;
    put(grid, {
      d: SCALE.map((floor) => `M${left},${level(far, floor).toFixed(1)}H${rightOf(far)}`).join(""),
    });
    floors.forEach((node, i) => put(node, { x: left - 6, y: level(far, SCALE[i]) + 4 }));
    const top = level(far, SCALE[1]);
    put(title, { x: left, y: top - 14 });
    const [from, each] = [far.top - 8, (ground - 26 - far.top) / rows.length];
    rows.forEach(({ isSo, open, doors, base, text }, k) => {
      const stays = isSo ? 1 : 1 - 0.6 * s.known;
      const foot = from + (k + 1) * each - 4;
      const high = each - (isPhone ? 20 : 30);
      const bar = (/** @type {number} */ gate, /** @type {number} */ j) =>
        gate
          ? `M${(left + j * width).toFixed(1)},${foot.toFixed(1)}v${(-gate * high).toFixed(1)}h${(width - 1.5).toFixed(1)}V${foot.toFixed(1)}z`
          : "";
      put(doors, { d: open.map(bar).join(""), opacity: (0.5 * stays).toFixed(2) });
      put(base, { d: `M${left},${foot}H${edge}` });
      put(text, { x: left, y: foot - high - 5, opacity: stays.toFixed(2) });
    });
    const x = left + tokens.lastIndexOf("r") * width;
    put(border, { x1: x, x2: x, y1: from, y2: ground + 9 + far.doors + far.tokens });
    put(borderText, { x: x + 6, y: from + 6 });
  };
}

/** How far the doors are open on average, by what stands there, on the scale of the doors.
 * @param {Stage} stage @param {Element} parent
 */
function means({ make, put, show, group, say, number }, parent) {
  const all = group("means", parent);
  const title = make("text", { class: "t12 soft" }, all);
  const bars = KINDS.map((kind, i) => ({
    open: data.open[i],
    bar: make("rect", { fill: "var(--content)", opacity: 0.5 }, all),
    value: make("text", { class: "t12" }, all, number(data.open[i], 2)),
    name: make("text", { class: "t12", "text-anchor": "middle" }, all, say(`kind_${NAMES[kind]}`)),
  }));
  return (/** @type {State} */ s, /** @type {Far} */ far) => {
    const [step, wide] = [62, 38];
    const left = far.edge + 34; // free of the counter's handle
    const foot = far.ground + 6 + far.doors;
    show(all, s.known * s.guesses * (1 - s.lifts));
    for (const { bar, name } of bars)
      for (const node of [bar, name]) show(node, far.isPhone ? 0 : 1);
    if (far.isPhone) {
      // No room beside the text: the numbers stand with the names below it.
      const { x, y } = legendOf(far, 0);
      put(title, { x, y: y + 16, text: say("means_short") });
      bars.forEach(({ value }, i) =>
        put(value, { x: legendOf(far, i).x + 50, y, "text-anchor": "start" }),
      );
      return;
    }
    put(title, { x: left, y: foot - far.doors - 22, text: say("means") });
    bars.forEach(({ open, bar, value, name }, i) => {
      const x = left + i * step + wide / 2;
      put(bar, {
        x: x - wide / 2,
        width: wide,
        y: foot - open * far.doors,
        height: open * far.doors,
      });
      put(value, { x, y: foot - open * far.doors - 5, "text-anchor": "middle" });
      put(name, { x, y: foot + 15 });
    });
  };
}

/** Tokens, their doors, and the stairs that they make.
 * @param {Stage} stage @param {Element} parent
 */
function text({ make, put, show, group, say }, parent) {
  const stairs = group("text floors", parent);
  const fill = make("path", { fill: "var(--wash)" }, stairs);
  const edge = make("path", { fill: "none", stroke: "var(--soft)", "stroke-width": 1.5 }, stairs);
  const lifted = make("path", { fill: "var(--attention)", opacity: 0.4 }, group("lifted", parent));
  const free = make(
    "path",
    { fill: "none", stroke: "var(--soft)", "stroke-width": 1.5, "stroke-dasharray": "3 4" },
    group("text last free", parent),
  );
  const doors = make("path", { fill: "var(--content)", opacity: 0.5 }, group("doors", parent));
  const label = make("text", { class: "t12 halo" }, group("doors", parent), say("own_doors"));
  const strip = group("text", parent);
  const kinds = KINDS.map((kind) => ({
    kind,
    path: make("path", { fill: `var(--${COLORS[kind]})` }, strip),
    swatch: make("rect", { fill: `var(--${COLORS[kind]})`, width: 9, height: 9 }, strip),
    name: make("text", { class: "t12" }, strip),
  }));
  const query = make("circle", { r: 5, fill: "var(--q-fill)" }, group("q", parent));
  const queryText = make("text", { class: "t12 q", "text-anchor": "end" }, group("q", parent));

  return (/** @type {State} */ s, /** @type {Far} */ far) => {
    const { left, ground, isPhone } = far;
    const { gates, places } = climb(s);
    const count = gates.length;
    const width = (far.edge - left) / LENGTHS[0] / 2 ** s.length; // of a token
    const x = (/** @type {number} */ j) => far.edge - (count - j) * width;
    const known = s.known;
    show(stairs, Math.max(s.lifts, s.longer, s.cut));
    const top = (/** @type {number} */ j, last = s.last) =>
      level(far, Math.min(places[j] * known, last)).toFixed(1);
    const from = Math.max(0, Math.ceil(count - (far.edge - left) / width));
    let steps = "";
    let beyond = "";
    for (let j = count - 1; j >= from; j--) {
      steps += `V${top(j)}H${x(j).toFixed(1)}`;
      if (places[j] * known > s.last && places[j] < HIGHEST)
        beyond += `${beyond ? "V" : `M${x(j + 1).toFixed(1)} `}${top(j, HIGHEST)}H${x(j).toFixed(1)}`;
    }
    put(edge, { d: `M${far.edge},${ground}${steps}` });
    put(fill, { d: `M${far.edge},${ground}${steps}V${ground}Z` });
    put(free, { d: beyond });
    // Tokens on floors that are lifted.
    const isUp = (/** @type {number} */ j) => between(Math.min(places[j], s.last), data.added) > 0;
    put(lifted, {
      d: places
        .map((_, j) =>
          j >= from && isUp(j) ? `M${x(j)},${ground}V${top(j)}h${width}V${ground}Z` : "",
        )
        .join(""),
    });
    show(lifted, s.lifted * s.lifts);
    const foot = ground + 6 + far.doors;
    const gap = width > 4 ? 1.5 : 0;
    const bar = (/** @type {number} */ j, /** @type {number} */ y, /** @type {number} */ h) =>
      j < from ? "" : `M${x(j).toFixed(1)},${y}v${h.toFixed(1)}h${(width - gap).toFixed(1)}V${y}z`;
    put(doors, { d: gates.map((gate, j) => bar(j, foot, -far.doors * gate * known)).join("") });
    put(label, { x: left, y: ground + 1 });
    show(label, s.guesses * known * (1 - s.lifts));
    const first = data.tokens.length - count;
    kinds.forEach(({ kind, path, swatch, name }, i) => {
      const isIt = (/** @type {number} */ j) => data.tokens[first + j] === kind;
      put(path, { d: gates.map((_, j) => (isIt(j) ? bar(j, foot + 3, far.tokens) : "")).join("") });
      const at = legendOf(far, i);
      put(swatch, { x: at.x, y: at.y - 9 });
      put(name, { x: at.x + 13, y: at.y, text: say(`kind_${NAMES[kind]}`) });
    });
    const { y: below } = legendOf(far, 0);
    put(query, { cx: far.edge - 5, cy: below - 4 });
    put(queryText, { x: far.edge - 14, y: below, text: say("seen_from") });
    show(queryText, isPhone ? 0 : 1);
  };
}

/** Goes back from the query and adds up the doors; on the stairs it points at what its floor adds.
 * @param {Stage} stage @param {Element} parent @param {() => Far} room
 */
function counter({ make, put, show, group, slider, grip, value, say, state, set }, parent, room) {
  const passed = make("path", { fill: "var(--content)" }, group("counter doors", parent));
  const pointing = group("counter push", parent);
  const thread = make(
    "path",
    { fill: "none", stroke: "var(--ink)", "stroke-dasharray": "2 4" },
    pointing,
  );
  const back = (/** @type {number} */ to) =>
    set({ back: clamp(Math.round(to), 0, LENGTHS[0] - 1) });
  const handle = slider(group("counter text", parent), {
    label: say("back_label"),
    keys: (by) => back(state.back - by),
    move: ([px]) => {
      const { edge, left } = room();
      back(((edge - px) / (edge - left)) * LENGTHS[0] - 0.5);
    },
  });
  const stem = make("line", { stroke: "var(--ink)", "stroke-width": 2 }, handle);
  const knob = make("g", {}, handle);
  grip(knob, { r: 8 });
  const text = make("text", { class: "t14 halo", style: "font-weight: 600" }, handle);
  return (/** @type {State} */ s, /** @type {Far} */ far) => {
    const there = s.guesses * mix(s.known, s.lifted, s.lifts);
    for (const node of [passed, pointing, handle]) show(node, there);
    const isFree = there > 0.5;
    put(handle, { tabindex: isFree ? 0 : -1, style: isFree ? undefined : "pointer-events: none" });
    const { token, floor } = counted(s);
    value(handle, token, 0, LENGTHS[0] - 1, say("back_at"));
    if (there < 0.02) return;
    const width = (far.edge - far.left) / LENGTHS[0];
    const foot = far.ground + 6 + far.doors;
    const x = far.left + (token + 0.5) * width;
    const bars = climb(s).gates.map((gate, j) =>
      j < token
        ? ""
        : `M${(far.left + j * width).toFixed(1)},${foot}v${(-far.doors * gate).toFixed(1)}h${(width - 1.5).toFixed(1)}V${foot}z`,
    );
    put(passed, { d: bars.join("") });
    const onStairs = level(far, floor);
    const top = mix(far.ground - 8, onStairs, s.lifts);
    const bottom = foot + 3 + far.tokens / 2;
    put(knob, { transform: `translate(${x.toFixed(1)} ${bottom})` });
    put(thread, { d: `M${x},${onStairs}H${rightOf(far)}` });
    show(pointing, there * s.lifts);
    const isLeft = x > far.left + (far.edge - far.left) * 0.6;
    const isTitled = x < far.left + 150; // where other names stand
    const above = s.lifts > 0.5 ? (isTitled ? -20 : 8) : isTitled ? 10 : -4;
    // On the stairs, above all that it stands over to its left.
    const over = clamp(token - Math.ceil((far.isPhone ? 108 : 128) / width), 0, token);
    const free = s.lifts > 0.5 && isLeft ? level(far, climb(s).places[over]) : top;
    const y = Math.min(top, free) - above;
    put(stem, { x1: x, x2: x, y1: Math.min(top, y + 4), y2: bottom });
    put(text, {
      x: x + (isLeft ? -7 : 7),
      y,
      "text-anchor": isLeft ? "end" : "start",
      text: say(s.lifts > 0.5 ? "back_push" : "back_sum"),
    });
  };
}

// ------------------------------------------------------------------ what each floor adds

/** @param {Stage} stage @param {Element} parent */
function push({ make, put, show, group, say, number }, parent) {
  const trained = group("trained", parent);
  const seen = "color-mix(in oklab, var(--soft) 22%, var(--paper))"; // not the stairs' own
  const band = make("rect", { fill: seen }, trained);
  const bandText = make("text", { class: "t12 soft", "text-anchor": "end" }, trained);
  const all = group("push trained", parent);
  const axis = make("line", { stroke: "var(--line)" }, all);
  const bars = make("path", { fill: "var(--ink)" }, all);
  const cut = make("path", { fill: "var(--line)" }, all);
  const title = make("text", { class: "t12 soft", "text-anchor": "end" }, all);
  const sides = [
    make("text", { class: "t12 soft", "text-anchor": "end" }, all, say("lowers")),
    make("text", { class: "t12 soft" }, all, say("lifts")),
  ];
  const scaleOf = ADDS.map((adds) =>
    make("text", { class: "t12 soft", "text-anchor": "middle" }, all, number(adds)),
  );
  const ends = FLOORS.map(() =>
    make("text", { class: "t12 soft halo", "text-anchor": "end" }, all),
  );
  const open = OPEN.map(() =>
    make("text", { class: "t14 halo", "text-anchor": "middle" }, all, "?"),
  );
  return (/** @type {State} */ s, /** @type {Far} */ far) => {
    const { isPhone, ground, unit } = far;
    const right = rightOf(far);
    const zero = far.edge + (right - far.edge) * 0.58;
    const scale = (zero - far.edge - (isPhone ? 22 : 40)) / 5;
    const tick = 2 * (1 - s.lifted); // of each floor, until the answer
    const floors = data.added.map((value, n) => {
      const y = level(far, n);
      const h = Math.max(1, unit * 0.62);
      const from = (zero - Math.sign(value) * tick).toFixed(1);
      const d = `M${from},${(y - h / 2).toFixed(1)}H${(zero + value * scale * s.lifted + Math.sign(value) * tick).toFixed(1)}v${h.toFixed(1)}H${from}z`;
      return { d, isKept: n <= s.last + 0.5 };
    });
    put(band, {
      x: far.edge + (isPhone ? 22 : 34),
      y: level(far, data.reached),
      width: Math.max(0, right - far.edge - (isPhone ? 22 : 34)),
      height: data.reached * unit,
    });
    put(bandText, {
      x: right - (isPhone ? 0 : 4),
      y: level(far, data.reached) + 16,
      text: say(isPhone ? "met_short" : "met"),
    });
    put(axis, { x1: zero, x2: zero, y1: far.top + 4, y2: ground });
    put(bars, { d: floors.map(({ d, isKept }) => (isKept ? d : "")).join("") });
    put(cut, { d: floors.map(({ d, isKept }) => (isKept ? "" : d)).join("") });
    put(title, {
      x: right,
      y: isPhone ? 13 : 20,
      text: say(isPhone ? "push_short" : "push_floors"),
    });
    sides.forEach((side, i) => put(side, { x: zero + (i ? 5 : -5), y: ground + 18 }));
    scaleOf.forEach((node, i) => {
      put(node, { x: zero + ADDS[i] * scale, y: ground + 34 });
      show(node, isPhone ? 0 : 1);
    });
    FLOORS.forEach((floor, i) => {
      const y = level(far, floor) + 4;
      const isThere = floor !== LIFTED || far.unit * LIFTED > 14;
      put(ends[i], { x: far.edge + (isPhone ? 19 : 28), y, text: isThere ? String(floor) : "" });
    });
    show(ends[1], s.lifted);
    show(ends[2], s.last > TOP - 5 ? 1 : 0);
    open.forEach((node, i) => {
      put(node, { x: zero + (isPhone ? 14 : 26), y: level(far, OPEN[i]) + 5 });
      show(node, 1 - s.lifted);
    });
    show(all, Math.max(s.lifts, s.lifted));
    show(trained, s.known * Math.max(s.longer, s.cut));
  };
}

// ------------------------------------------------------------------ the last floor

/** @param {Stage} stage @param {Element} parent @param {() => Far} room */
function last({ make, put, show, group, slider, value, say, state, seen, move }, parent, room) {
  function hold(/** @type {number} */ index) {
    const to = LASTS[clamp(index, 0, LASTS.length - 1)];
    if (to === lastAt(state)) return;
    seen.add(to);
    move({ last: to }, 200);
  }
  const nearest = (/** @type {number} */ floor) =>
    LASTS.indexOf(LASTS.reduce((a, b) => (Math.abs(b - floor) < Math.abs(a - floor) ? b : a)));
  const handle = slider(group("last", parent), {
    label: say("last_label"),
    keys: (by) => hold(LASTS.indexOf(lastAt(state)) + Math.sign(by)),
    move: ([, y]) => hold(nearest((room().ground - y) / room().unit)),
  });
  const hit = make("rect", { fill: "transparent", height: 40 }, handle);
  const line = make("line", { stroke: "var(--ink)", "stroke-width": 2.5 }, handle);
  const ring = make("rect", { class: "ring", rx: 6, width: 30, height: 38 }, handle);
  const grip = make(
    "path",
    { fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 2 },
    handle,
  );
  const text = make("text", { class: "t14 halo", style: "font-weight: 600" }, handle);
  return (/** @type {State} */ s, /** @type {Far} */ far) => {
    const y = level(far, s.last);
    const x = far.edge - 16;
    put(hit, { x: far.left, width: far.edge - far.left, y: y - 20 });
    put(line, { x1: far.left, x2: far.edge + (far.isPhone ? 6 : 8), y1: y, y2: y });
    put(ring, { x: x - 15, y: y - 19 });
    put(grip, { d: `M${x - 9},${y - 3}l9,-11l9,11zM${x - 9},${y + 3}l9,11l9,-11z` });
    put(text, { x: far.left, y: y - 8, text: say("last_floor") });
    const isFree = s.cut > 0.5;
    show(grip, isFree ? 1 : 0);
    put(handle, { tabindex: isFree ? 0 : -1, style: isFree ? undefined : "pointer-events: none" });
    value(handle, lastAt(s), LASTS[0], TOP, say("last_at"));
    show(handle, s.known * Math.max(s.longer, s.cut));
  };
}

// ------------------------------------------------------------------ attention, and what was measured

/** @param {Stage} stage @param {Element} parent */
function share({ make, put, show, group, say }, parent) {
  const all = group("shares", parent);
  const frame = make("rect", { fill: "none", stroke: "var(--attention)" }, all);
  const bar = make("rect", { fill: "var(--attention)" }, all);
  const text = make("text", { class: "t14" }, all);
  return (/** @type {State} */ s, /** @type {Far} */ far) => {
    const height = far.isPhone ? 10 : 16;
    const width = (far.edge - far.left) * (far.isPhone ? 0.4 : 0.45);
    put(frame, { x: far.left, y: far.share, width, height });
    put(bar, { x: far.left, y: far.share, width: width * own(s), height });
    put(text, {
      x: far.left + width + 8,
      y: far.share + height - (far.isPhone ? 1 : 3),
      text: say(far.isPhone ? "own_short" : "own"),
    });
    show(all, s.lifted);
  };
}

/** @param {Stage} stage @param {Element} parent @param {() => Far} room */
function plot(
  { make, put, show, group, slider, ring, value, say, number, state, seen, move },
  parent,
  room,
) {
  const all = group("wrong", parent);
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, all);
  const title = make("text", { class: "t12 soft" }, all);
  const up = [0, 40, MOST].map((percent) => ({
    percent,
    node: make("text", { class: "t12 soft", "text-anchor": "end" }, all, `${percent}`),
  }));
  const along = LENGTHS.map((length) =>
    make("text", { class: "t12 soft", "text-anchor": "middle" }, all, number(length)),
  );
  const trained = make(
    "path",
    { fill: "none", stroke: "var(--soft)", "stroke-width": 2, "stroke-dasharray": "4 4" },
    all,
  );
  const trainedText = make("text", { class: "t12 soft" }, all);
  const curve = make("path", { fill: "none", stroke: "var(--ink)", "stroke-width": 2.5 }, all);
  const dots = LENGTHS.map(() => make("circle", { r: 4, fill: "var(--ink)" }, all));
  const read = (/** @type {number} */ length) => {
    const to = clamp(length, 0, LENGTHS.length - 1);
    if (to === lengthAt(state) && Math.abs(state.length - to) < 0.4) return;
    for (let i = 0; i <= to; i++) seen.add(i);
    move({ length: to }, 300);
  };
  const handle = slider(group("length wrong", parent), {
    label: say("length_label"),
    keys: (by) => read(lengthAt(state) + Math.sign(by)),
    move: ([x]) => {
      const { plot: at } = room();
      read(Math.round(((x - at.x) / at.w) * (LENGTHS.length - 0.5) - 0.25));
    },
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const here = make("line", { stroke: "var(--ink)", "stroke-dasharray": "2 4" }, handle);
  const look = { r: 9, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 3 };
  const grip = ring(make("circle", look, handle));
  const text = make("text", { class: "t14 halo", style: "font-weight: 600" }, handle);

  return (/** @type {State} */ s, /** @type {Far} */ far) => {
    const { plot: p, isPhone } = far;
    const at = lastAt(s);
    const line = (/** @type {number} */ last) =>
      data.wrong[/** @type {"63"} */ (String(last))].map((percent, i) =>
        xy([plotX(far, i), plotY(far, percent)]),
      );
    const points = data.wrong[/** @type {"63"} */ (String(at))];
    put(grid, { d: `M${p.x},${p.y}V${p.y + p.h}h${p.w}` });
    put(title, {
      x: isPhone ? p.x : p.x - 26,
      y: p.y - (isPhone ? 7 : 14),
      text: say(isPhone ? "wrong_short" : "wrong"),
    });
    up.forEach(({ percent, node }) => put(node, { x: p.x - 7, y: plotY(far, percent) + 4 }));
    along.forEach((node, i) => {
      put(node, { x: plotX(far, i), y: p.y + p.h + (isPhone ? 20 : 23) });
      show(node, s.known);
    });
    put(trained, { d: `M${line(TOP).join("L")}` });
    show(trained, at === TOP ? 0 : 1);
    const end = LENGTHS.length - 1;
    put(trainedText, {
      x: plotX(far, end) + (isPhone ? 0 : 8),
      y: plotY(far, data.wrong["63"][end]) + (isPhone ? -8 : 4),
      "text-anchor": isPhone ? "end" : "start",
      text: say("trained_last"),
    });
    show(trainedText, at === TOP ? 0 : 1);
    put(curve, { d: `M${line(at).join("L")}` });
    dots.forEach((dot, i) => {
      const isRead = s.cut > 0.5 || seen.has(i) || i === lengthAt(s);
      put(dot, { cx: plotX(far, i), cy: plotY(far, points[i]) });
      show(dot, isRead ? 1 : 0);
    });
    show(curve, s.cut);
    const [x, i] = [plotX(far, s.length), lengthAt(s)];
    const from = Math.floor(clamp(s.length, 0, end - 1));
    const y = plotY(far, mix(points[from], points[from + 1], s.length - from));
    put(hit, { x: p.x, y: p.y - 8, width: p.w, height: p.h + 30 });
    put(here, { x1: x, x2: x, y1: p.y, y2: p.y + p.h });
    put(grip, { cx: x, cy: y });
    show(grip, s.longer);
    put(text, { x: x + 15, y: y + (points[i] > 20 ? 20 : -8), text: say("wrong_at") });
    const isFree = s.longer > 0.5;
    put(handle, { tabindex: isFree ? 0 : -1, style: isFree ? undefined : "pointer-events: none" });
    value(handle, LENGTHS[i], LENGTHS[0], LENGTHS[end], say("length_at"));
    show(all, s.known * Math.max(s.longer, s.cut));
    show(handle, s.known * Math.max(s.longer, s.cut));
  };
}
