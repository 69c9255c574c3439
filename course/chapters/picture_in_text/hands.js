// What is taken hold of: a token, where a head looks, the edges of the picture, seconds, and switches.

import { clamp } from "../../page/shapes.js";
import { COLUMNS, ROWS, SHEETS, START } from "./ids.js";
import { around, buildRing, cellOf, tokenAt } from "./line.js";
import { cornerOf } from "./map.js";
import { at, patchAt, within } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./room.js").Rect} Rect */

const LAST = START + ROWS * COLUMNS - 1; // token of the last patch
const NEAR = 26; // pixels around a corner that are its own
const PACE = { least: 0.5, most: 2, step: 0.25 }; // seconds from sheet to sheet
const SWITCHES = /** @type {const} */ ({ il: 2, rule: 3 });

/** @param {Rect} rect @param {[number, number]} point */
const far = ({ x, y, w, h }, [px, py]) =>
  Math.hypot(Math.max(x - px, 0, px - x - w), Math.max(y - py, 0, py - y - h));

/** The ring around a token; in the line step around its patch of the picture, too. @param {Stage} stage @param {() => Room} room */
export function buildToken(
  { make, put, show, group, slider, ring, value, say, state, set, seen },
  room,
) {
  // prettier-ignore
  const holder = group("q");
  const handle = slider(holder, {
    label: say("token_label"),
    keys: (by) => hold(Math.round(state.at) + by),
    move: (point) => hold(nearest(point)),
  });
  const hits = [0, 1, 2, 3, 4].map(() => make("rect", { fill: "transparent" }, handle));
  const twins = make("g", {}, handle);
  const copy = buildRing({ make, put }, twins, "var(--q)", 4);
  const own = buildRing({ make, put }, handle, "var(--q)", 4);
  ring(own.node);
  const least = () => (state.held > 0.5 ? 0 : START);

  /** @param {[number, number]} point */
  function nearest(point) {
    const here = room();
    const inPicture = state.source > 0.5 && point[1] < here.line.y - 30;
    let [best, closest] = [START, Infinity];
    for (let token = least(); token <= LAST; token++) {
      const rect = inPicture ? within(here.source, ...cellOf(token)) : tokenAt(here, state, token);
      const distance = far(rect, point);
      if (distance < closest) [best, closest] = [token, distance];
    }
    return best;
  }
  /** @param {number} token */
  function hold(token) {
    const to = clamp(token, least(), LAST);
    set({ at: to });
    seen.add("held");
    if (state.light > 0.5) set(looking(to, state.down, state.across));
  }
  return (/** @type {State} */ s) => {
    const here = room();
    const held = clamp(Math.round(s.at), 0, LAST);
    const isOut = Number(s.dials > 0.5 && held === START + COLUMNS + 2) * -5;
    own.place(tokenAt(here, s, held), isOut);
    copy.place(held < START ? null : within(here.source, ...cellOf(held)), -1);
    show(twins, s.source);
    const [a, b] = [patchAt(here, s, 0, 0), patchAt(here, s, ROWS - 1, COLUMNS - 1)];
    const picture = { x: a.x, y: a.y, width: b.x + b.w - a.x, height: b.y + b.h - a.y };
    const none = { width: 0, height: 0 };
    put(hits[0], picture);
    put(hits[1], s.source > 0.5 ? around(here.source) : none);
    for (let i = 0; i < START; i++) put(hits[2 + i], s.held > 0.5 ? around(tokenAt(here, s, i)) : none); // prettier-ignore
    const presence = Math.max(s.arcs, s.held, s.dials, s.light);
    show(holder, presence);
    put(handle, { tabindex: presence > 0.5 ? 0 : -1 });
    const [r, c] = cellOf(held);
    const told = held < START ? say("word", { word: say("sentence").split(" ")[held] }) : say("token_at", { row: r + 1, column: c + 1 }); // prettier-ignore
    value(handle, held, least(), LAST, told);
  };
}

/** A way that leads to a patch up to the query's own. @param {number} query Token. @param {number} down @param {number} across */
function looking(query, down, across) {
  const [r, c] = cellOf(query);
  const to = { down: clamp(down, -r, 0), across: clamp(across, -c, COLUMNS - 1 - c) };
  return to.down === 0 && to.across > 0 ? { ...to, across: 0 } : to;
}

/** The ring around the patch that a head looks for. @param {Stage} stage @param {() => Room} room */
export function buildLook({ make, put, show, group, slider, ring, value, say, state, set }, room) {
  const holder = group("k");
  const handle = slider(holder, {
    label: say("look_label"),
    keys: (by) => look(wanted() + by),
    move: (point) => look(nearest(point)),
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const wish = buildRing({ make, put }, handle, "var(--k)", 4);
  ring(wish.node);
  const query = () => clamp(Math.round(state.at), START, LAST);
  const wanted = () => query() + Math.round(state.down) * COLUMNS + Math.round(state.across);
  /** @param {[number, number]} point */
  function nearest(point) {
    const box = room().big;
    let [best, closest] = [START, Infinity];
    for (let token = START; token <= query(); token++) {
      const distance = far(within(box, ...cellOf(token)), point);
      if (distance < closest) [best, closest] = [token, distance];
    }
    return best;
  }
  /** @param {number} token */
  function look(token) {
    const [[r, c], [toR, toC]] = [cellOf(query()), cellOf(clamp(token, START, query()))];
    set({ down: toR - r, across: toC - c });
  }
  return (/** @type {State} */ s) => {
    const [r, c] = cellOf(query());
    const rect = within(room().big, r + s.down, c + s.across);
    put(hit, around(rect));
    wish.place(rect, s.down || s.across ? 0 : -6);
    show(holder, s.light);
    put(handle, { tabindex: s.light > 0.5 ? 0 : -1 });
    value(handle, wanted(), START, query(), say("look_at", { up: -Math.round(s.down), left: -Math.round(s.across) })); // prettier-ignore
  };
}

/** The edges of the picture and its corner. @param {Stage} stage @param {() => Room} room */
export function buildEdges(
  { make, put, show, group, slider, ring, grip, value, say, state, set, seen },
  room,
) {
  // prettier-ignore
  const holder = group("edges");
  const most = () => (state.cost > 0.5 ? 40 : 6);
  /** @param {number} rows @param {number} columns */
  function size(rows, columns) {
    const to = [rows, columns].map((one) => clamp(Math.round(one), 1, most()));
    set({ rows: to[0], columns: to[1] });
    if (Math.min(...to) === 40) seen.add("large");
  }
  /** @param {[number, number]} point */
  const rowAt = ([, y]) => (y - room().map.y) / room().map.cell - START;
  /** @param {[number, number]} point */
  const columnAt = ([x]) => (x - room().map.x) / room().map.cell - START;
  const rows = slider(holder, {
    label: say("rows_label"),
    keys: (by) => size(state.rows + by, state.columns),
    move: (point) => size(rowAt(point), state.columns),
  });
  const rowsHit = make("rect", { fill: "transparent" }, rows);
  const bar = { fill: "var(--ink)", stroke: "var(--paper)", "stroke-width": 2, rx: 4 };
  const rowsBar = ring(make("rect", bar, rows));
  const columns = slider(holder, {
    label: say("columns_label"),
    keys: (by) => size(state.rows, state.columns + by),
    start: (point) => {
      const { x, y } = cornerOf(room(), state);
      const by = /** @type {[number, number]} */ ([x - point[0], y - point[1]]);
      return { by, isCorner: Math.hypot(...by) < NEAR };
    },
    move: (point, { by, isCorner }) => {
      /** @type {[number, number]} */
      const to = isCorner ? [point[0] + by[0], point[1] + by[1]] : point;
      size(isCorner ? rowAt(to) : state.rows, columnAt(to));
    },
  });
  const columnsHit = make("rect", { fill: "transparent" }, columns);
  const columnsBar = ring(make("rect", bar, columns));
  const corner = grip(columns, { r: 9 });
  const finger = corner.parentNode?.querySelector("circle");
  return (/** @type {State} */ s) => {
    const here = room();
    const from = at(here, START, START);
    const { x, y } = cornerOf(here, s);
    const [wide, high] = [x - from.x, y - from.y];
    const long = here.isPhone ? 18 : 26;
    put(rowsBar, { x: from.x + wide / 2 - long / 2, y: y - 4, width: long, height: 9 });
    put(columnsBar, { x: x - 4, y: from.y + high / 2 - long / 2, width: 9, height: long });
    put(rowsHit, { x: from.x, y: y - 8, width: wide, height: 24 });
    put(columnsHit, { x: x - 8, y: from.y, width: 24, height: high });
    for (const node of [corner, finger])
      if (node) put(node, { cx: x.toFixed(1), cy: y.toFixed(1) });
    const isTiny = Math.min(wide, high) < 60;
    show(rowsBar, isTiny ? 0 : 1);
    show(columnsBar, isTiny ? 0 : 1);
    show(holder, s.sizes);
    for (const [handle, now, name] of /** @type {const} */ ([
      [rows, s.rows, "rows_at"],
      [columns, s.columns, "columns_at"],
    ])) {
      // prettier-ignore
      put(handle, { tabindex: s.sizes > 0.5 ? 0 : -1 });
      value(handle, Math.round(now), 1, most(), say(name));
    }
  };
}

/** The last sheet, by when it was filmed. @param {Stage} stage @param {() => Room} room */
export function buildPace(
  { put, show, group, slider, grip, value, say, state, set, seen, make },
  room,
) {
  // prettier-ignore
  const holder = group("pace");
  const pace = (/** @type {number} */ seconds) => {
    set({ seconds: clamp(Math.round(seconds / PACE.step) * PACE.step, PACE.least, PACE.most) });
    if (state.rule === 1 && state.seconds === 2) seen.add("slow");
  };
  const handle = slider(holder, {
    label: say("pace_label"),
    keys: (by) => pace(state.seconds + by * PACE.step),
    move: ([x]) => {
      const here = room();
      const first = patchAt(here, { ...state, seconds: 0 }, 0, COLUMNS - 1, SHEETS - 1);
      pace((x - first.x - first.w) / (here.isPhone ? 12 : 38) / 4);
    },
  });
  const knob = grip(handle);
  const finger = knob.parentNode?.querySelector("circle");
  const text = make("text", { class: "halo", style: "font-weight: 600" }, holder);
  return (/** @type {State} */ s) => {
    const here = room();
    const last = patchAt(here, s, 1, COLUMNS - 1, SHEETS - 1);
    const middle = { x: last.x + last.w, y: last.y + last.h };
    for (const node of [knob, finger]) if (node) put(node, { cx: middle.x, cy: middle.y });
    const lowest = patchAt(here, s, ROWS - 1, 0);
    put(text, {
      x: lowest.x,
      y: lowest.y + lowest.h + (here.isPhone ? 18 : 30),
      text: say("pace"),
    });
    const isOn = Math.round(s.rule) < 2;
    show(holder, isOn ? s.pile : 0);
    put(handle, { tabindex: isOn && s.pile > 0.5 ? 0 : -1 });
    value(handle, s.seconds, PACE.least, PACE.most, say("pace"));
  };
}

/** A switch at the foot with a stop for each way. @param {Stage} stage @param {() => Room} room @param {"il" | "rule"} name */
export function buildStops(
  { make, put, show, group, slider, grip, value, say, state, set, move, seen, isGuessing },
  room,
  name,
) {
  // prettier-ignore
  const holder = group("stops");
  const last = SWITCHES[name] - 1;
  const rail = make("path", { stroke: "var(--line)", "stroke-width": 3, fill: "none" }, holder);
  const turnTo = (/** @type {number} */ to) => {
    if (isGuessing()) return;
    const stop = clamp(Math.round(to), 0, last);
    seen.add(`${name}${stop}`);
    if (stop !== state[name]) move({ [name]: stop }, 500);
  };
  const handle = slider(holder, {
    label: say(`${name}_label`),
    keys: (by) => turnTo(Math.round(state[name]) + Math.sign(by)),
    move: ([x]) => set({ [name]: last * clamp((x - room().stops.x) / room().stops.w, 0, 1) }),
    end: () => turnTo(state[name]),
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const knob = grip(handle);
  const finger = handle.querySelector("circle");
  const names = Array.from({ length: last + 1 }, (_, i) =>
    make("text", { class: "t14" }, holder, say(`${name}_${i}`)),
  );
  return (/** @type {State} */ s) => {
    const { stops, isPhone, width, right } = room();
    const stopX = (/** @type {number} */ stop) => stops.x + (stops.w * stop) / last;
    put(rail, { d: `M${stops.x},${stops.y}h${stops.w}${names.map((_, i) => `M${stopX(i)},${stops.y - 5}v10`).join("")}` }); // prettier-ignore
    for (const node of [knob, finger])
      if (node) put(node, { cx: stopX(s[name]).toFixed(1), cy: stops.y });
    put(hit, { x: stops.x - 40, y: stops.y - 16, width: stops.w + 80, height: 44 });
    names.forEach((node, i) =>
      put(node, {
        x: isPhone && i === 0 ? width - right : isPhone && i === last ? right : stopX(i),
        "text-anchor": isPhone && i === 0 ? "start" : isPhone && i === last ? "end" : "middle",
        y: stops.y + (isPhone ? 25 : 31),
        "font-weight": Math.round(s[name]) === i ? 700 : 400,
      }),
    );
    const presence = s.stops * Number(name === "rule" ? s.pile > 0.5 : s.pile <= 0.5);
    show(holder, presence);
    put(handle, { tabindex: presence > 0.5 ? 0 : -1 });
    value(handle, Math.round(s[name]), 0, last, say(`${name}_${Math.round(s[name])}`));
  };
}
