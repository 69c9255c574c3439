// The KV cache under other speeds, of dynamic NTK or LongRoPE: a dial with a kept key, its ghost and the query, and how far each pair is off.

import { ahead, turnsOnRead } from "./cached.js";
import data from "./data.js";
import { TURN, arrow, clamp, pie, round, wrapped } from "../../page/shapes.js";
import {
  APART,
  FAR_KEYS,
  MOST_PAST,
  PAIRS,
  TRAINED,
  isListed,
  isLong,
  pairsOf,
  speedsNow,
  speedsThen,
} from "./room.js";
import { buildChoice } from "./track.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

export const FEW = 10; // degrees that a key may be off
export const WAYS = ["written", "read", "again", "fixed"];

/** How far the key that is looked at is off, pair by pair: half a turn at most. @param {State} s */
export const phases = (s) =>
  ahead(s.place, speedsThen(s), speedsNow(s)).map((phase) => wrapped(phase) * (1 - s.right));
/** @param {State} s */
export const pairOf = (s) => clamp(Math.round(s.pair), 0, pairsOf(s) - 1);
/** @param {State} s */
export const off = (s) => Math.abs(phases(s)[pairOf(s)]);
/** What a way out has cost since the prompt: keys turned in a head, tokens run through the model. @param {State} s */
export function costs(s, way = WAYS[wayOf(s)]) {
  const all = turnsOnRead(TRAINED, TRAINED + Math.round(s.past));
  return {
    turned: way === "read" || way === "again" ? all : Math.round(s.past),
    run: way === "again" ? all : Math.round(s.past),
  };
}
/** @param {State} s */
export const wayOf = (s) => clamp(Math.round(s.way), 0, WAYS.length - 1);
/** How much of a way out is there, while another one comes. @param {State} s @param {string} way */
export const isWay = (s, way) => clamp(1 - Math.abs(s.way - WAYS.indexOf(way)), 0, 1);

/** @param {Room} at @param {State} s */
function layout({ width, height, isPhone, strip }, s) {
  const top = (isPhone ? 4 : 34) + (isPhone ? 88 : 98) * s.ways;
  const room = strip.y - (isPhone ? 34 : 74) - top;
  const high = room - (isPhone ? 84 - 70 * s.ways : 64);
  const r = Math.max(20, Math.min(width * 0.19, high / 2 - (isPhone ? 8 : 14)));
  const dial = { x: (isPhone ? 26 : 60) + r, y: top + r + (isPhone ? 10 : 16), r };
  // On a phone the bars stand below the dial, and beside it where the ways out are above.
  const isBeside = !isPhone || s.ways > 0.5;
  const from = dial.x + r + (isPhone ? 34 : 60);
  const right = width - (isPhone ? 12 : 32);
  const beside = { x: from, y: top + 24, w: right - from, h: Math.max(20, 2 * r - 10) };
  const under = top + room - dial.y - r - 60;
  const below = { x: 12, y: dial.y + r + 34, w: width - 24, h: Math.max(16, under) };
  const bars = isBeside ? beside : below;
  const lists = { ...beside, h: isPhone ? r : beside.h * 0.34 };
  if (!isPhone) {
    bars.y += s.listed * (lists.h + 46);
    bars.h -= s.listed * (lists.h + 46);
  }
  return { top, dial, bars, lists, isBeside, height };
}

/** @param {Stage} stage @param {() => Room} room */
export function buildStale(stage, room) {
  const parts = [
    buildStrip(stage, room),
    buildDial(stage),
    buildLists(stage),
    buildBars(stage, room),
    buildWays(stage, room),
  ];
  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const own = layout(at, s);
    for (const draw of parts) draw(s, at, own);
  };
}

/** @typedef {ReturnType<typeof layout>} Own */

/** @param {Stage} stage */
function buildDial({ make, put, show, group, say }) {
  const all = group("");
  const rim = make(
    "circle",
    { fill: "var(--paper)", stroke: "var(--line)", "stroke-width": 1.5 },
    all,
  );
  const wedge = make("path", { fill: "var(--new)", opacity: 0.25 }, group("new", all));
  const hand = (/** @type {string} */ name, /** @type {string} */ mark, more = {}) =>
    make(
      "path",
      {
        stroke: `var(--${name})`,
        fill: `var(--${name})`,
        "stroke-width": 4.5,
        "stroke-linejoin": "round",
        ...more,
      },
      group(mark, all),
    );
  const ghost = hand("k", "ghost", {
    "stroke-width": 2,
    "stroke-dasharray": "6 5",
    fill: "var(--paper)",
  });
  const key = hand("k", "k");
  const query = hand("q", "q");
  const names = ["q", "k", "ghost"].map((name) =>
    make(
      "text",
      {
        class: name === "q" ? "q" : "k",
        "text-anchor": "middle",
        style: name === "ghost" ? "" : "font-weight: 700",
      },
      group(name, all),
      say(`hand_${name}`),
    ),
  );
  const offBy = make(
    "text",
    { class: "t14 new", style: "font-weight: 600" },
    group("new ghost", all),
  );

  return (
    /** @type {State} */ s,
    /** @type {Room} */ { isPhone, strip },
    /** @type {Own} */ { dial },
  ) => {
    const now = speedsNow(s)[pairOf(s)];
    const angle = (TRAINED + s.past - 1) * now;
    const turned = s.place * now;
    const phase = phases(s)[pairOf(s)];
    const isOff = Math.abs(phase) > 0.02;
    const { r } = dial;
    put(rim, { cx: dial.x, cy: dial.y, r });
    put(wedge, { d: pie(dial, r * 0.92, turned, phase) });
    const head = isPhone ? 9 : 16;
    put(ghost, { d: arrow({ ...dial, r: r - 6 }, turned, head) });
    put(key, { d: arrow({ ...dial, r: r - 6 }, turned + phase, head) });
    put(query, { d: arrow({ ...dial, r: r - 6 }, angle, head) });
    show(ghost, isOff ? 1 : 0);
    const angles = [angle, turned + phase, turned];
    const isNear = (/** @type {number} */ a, /** @type {number} */ b) =>
      Math.abs(wrapped(a - b)) < (isPhone ? 0.5 : 0.3);
    names.forEach((name, i) => {
      const [x, y] = round(
        dial,
        r + (isPhone ? (i === 2 ? 12 : 10) : i === 2 ? 26 : 16),
        angles[i],
      );
      put(name, { x, y: y + 5 });
      const isHidden =
        i === 2 &&
        (!isOff ||
          isNear(angles[2], angles[1]) ||
          isNear(angles[2], angles[0]) ||
          x < 24 ||
          y < 14);
      show(name, isHidden || (i === 1 && isNear(angles[1], angles[0])) ? 0 : 1);
    });
    const isUnder = !isPhone || s.ways > 0.5;
    const [x, y] = isUnder
      ? [dial.x - r, dial.y + r + (isPhone ? 34 : 46)]
      : [dial.x + r + 26, dial.y + s.listed * (r - 4)];
    put(offBy, {
      x,
      y,
      class: `t14 ${isOff ? "new" : "soft"}`,
      text: say(isPhone ? "off_by_short" : "off_by"),
    });
    // A low phone has no room for it between the dial and the shelf.
    show(offBy, isUnder && y > strip.y - strip.r - 8 ? 0 : 1);
    show(all, s.stale);
  };
}

/** Small letters; a phone, held in the hand, gets larger ones. @param {boolean} isPhone */
const small = (isPhone) => `${isPhone ? "t14" : "t12"} soft`;

/** Which list the end of the text asks for. @param {State} s */
const listOf = (s) => (isLong(s) ? "list_long" : "list_short");

/** LongRoPE's two lists, a number for each dial; the one in use is the stronger. @param {Stage} stage */
function buildLists({ make, put, show, group, say, number }) {
  const all = group("lists");
  const base = make("line", { stroke: "var(--line)" }, all);
  const title = make("text", { class: "t12 soft" }, all, say("lists"));
  const signs = [1, 10].map((divided) => ({
    divided,
    text: make("text", { class: "t12 soft", "text-anchor": "end" }, all, number(divided)),
  }));
  const lists = Object.entries({ list_short: data.phi3.short, list_long: data.phi3.long }).map(
    ([name, list]) => ({
      name,
      list,
      line: make("path", { fill: "none", stroke: "var(--ink)" }, all),
      text: make("text", { class: "t12 halo", "text-anchor": "end" }, all),
    }),
  );
  const most = Math.log(data.phi3.long[data.phi3.long.length - 1]);
  return (
    /** @type {State} */ s,
    /** @type {Room} */ { isPhone },
    /** @type {Own} */ { lists: at },
  ) => {
    const foot = at.y + at.h;
    put(base, { x1: at.x, x2: at.x + at.w, y1: foot, y2: foot });
    put(title, { x: at.x, y: at.y - 6, class: small(isPhone) });
    const y = (/** @type {number} */ divided) => foot - (at.h * Math.log(divided)) / most;
    for (const { divided, text } of signs) put(text, { x: at.x - 6, y: y(divided) + 4 });
    lists.forEach(({ name, list, line, text }) => {
      const width = at.w / list.length;
      const steps = list.map((one) => `V${y(one).toFixed(1)}h${width.toFixed(2)}`).join("");
      put(line, {
        d: `M${at.x},${foot}${steps}`,
        "stroke-width": name === listOf(s) ? 3 : 1.2,
      });
      const last = list[list.length - 1];
      put(text, {
        x: at.x + at.w,
        y: y(last) + (name === "list_long" ? 16 : -8),
        text: say("list_end", { list: say(name), most_divided: number(last, last < 10 ? 1 : 0) }),
      });
    });
    show(all, s.stale * s.listed);
  };
}

/** @param {Stage} stage @param {() => Room} room */
function buildBars({ make, put, show, group, slider, value, say, state, set, isGuessing }, room) {
  const all = group("bars");
  const levels = [0.25, 0.5].map((turns) => ({
    turns,
    line: make("line", { stroke: "var(--line)" }, all),
    text: make(
      "text",
      { class: "t12 soft", "text-anchor": "end" },
      all,
      say(turns < 0.5 ? "quarter_turn" : "half_turn"),
    ),
  }));
  const fewText = make("text", { class: "t12 soft" }, all, say("few_degrees"));
  const title = make("text", { class: "t12 soft" }, all);
  const ends = ["start", "end"].map((anchor) =>
    make("text", { class: "t12 soft", "text-anchor": anchor }, all),
  );
  const look = (/** @type {number} */ to) =>
    !isGuessing() && set({ pair: clamp(Math.round(to), 0, pairsOf(state) - 1) });
  const handle = slider(group("bars pair", all), {
    label: say("pair_label"),
    keys: (by) => look(pairOf(state) + by),
    move: ([x]) => {
      const { bars } = layout(room(), state);
      look(((x - bars.x) / bars.w) * pairsOf(state) - 0.5);
    },
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const each = Array.from({ length: PAIRS }, () => make("rect", {}, handle));
  const ring = make("rect", { class: "ring", rx: 6 }, handle);
  const few = make("line", { stroke: "var(--ink)", "stroke-dasharray": "3 3" }, handle); // over the bars
  const mark = make("path", { fill: "var(--ink)" }, handle);
  const name = make(
    "text",
    { class: "t14", "text-anchor": "middle", style: "font-weight: 600" },
    handle,
  );

  return (/** @type {State} */ s, /** @type {Room} */ { isPhone }, /** @type {Own} */ own) => {
    const { bars, isBeside } = own;
    const floor = bars.y + bars.h;
    const width = bars.w / pairsOf(s);
    const found = phases(s);
    const high = (/** @type {number} */ angle) => (bars.h * Math.abs(angle)) / (TURN / 2);
    put(hit, { x: bars.x, y: bars.y - 6, width: bars.w, height: bars.h + 34 });
    each.forEach((bar, i) => {
      const h = Math.max(1.5, high((found[i] ?? 0) * s.shown));
      put(bar, {
        x: bars.x + i * width + 0.6,
        width: Math.max(1.2, width - 1.2),
        y: floor - h,
        height: h,
        fill: i === pairOf(s) ? "var(--new)" : "var(--soft)",
        display: i < found.length ? undefined : "none",
      });
    });
    levels.forEach(({ turns, line, text }) => {
      const y = floor - high(turns * TURN);
      put(line, { x1: bars.x, x2: bars.x + bars.w, y1: y, y2: y });
      put(text, { x: bars.x + bars.w, y: y - 4, class: small(isPhone) });
      const isThere = turns > 0.25 || !isListed(s); // a few degrees count there
      show(line, isThere ? 1 : 0);
      show(text, isThere ? 1 : 0);
    });
    const y = floor - high((FEW / 360) * TURN);
    put(few, { x1: bars.x, x2: bars.x + bars.w, y1: y, y2: y });
    put(fewText, { x: bars.x + bars.w + 4, y: y + 4 });
    show(few, isListed(s) ? 1 : 0);
    show(fewText, isListed(s) && !isPhone ? 1 : 0);
    put(title, {
      x: bars.x,
      y: bars.y - (isBeside ? 14 : 4),
      class: small(isPhone),
      text: say(isListed(s) ? "bars_listed" : isPhone ? "bars_short" : "bars"),
    });
    const x = bars.x + (pairOf(s) + 0.5) * width;
    ends.forEach((end, i) => {
      const isNear = Math.abs(x - bars.x - i * bars.w) < (isPhone ? 96 : 110);
      const y = floor + (isNear ? 42 : 24); // below the mark's name
      put(end, {
        x: bars.x + i * bars.w,
        y,
        class: small(isPhone),
        text: say(i ? "slowest" : "fastest"),
      });
      show(end, isPhone && (isNear || isBeside) ? 0 : 1);
    });
    put(mark, { d: `M${x},${floor + 3}l6,9h-12z` });
    const middle = clamp(x, bars.x + 24, bars.x + bars.w - 24);
    put(name, { x: middle, y: floor + 25, text: say("pair") });
    put(ring, { x: middle - 28, y: floor + 1, width: 56, height: 29 });
    value(handle, pairOf(s), 0, pairsOf(s) - 1, say("pair_at"));
    show(all, s.stale);
  };
}

/** The long text: its keys, of which one is looked at, and its end. @param {Stage} stage @param {() => Room} room */
function buildStrip(stage, room) {
  const { make, put, show, group, slider, ring, grip, value, say, number, state, set, isGuessing } =
    stage;
  const all = group("k shelf");
  const board = make(
    "line",
    { stroke: "var(--ink)", "stroke-width": 3, "stroke-linecap": "round" },
    all,
  );
  const names = Array.from({ length: FAR_KEYS }, (_, j) =>
    make("text", { class: "t12 soft", "text-anchor": "middle" }, all, number(j * APART)),
  );
  const look = (/** @type {number} */ j) =>
    !isGuessing() && set({ place: APART * clamp(Math.round(j), 0, FAR_KEYS - 1) });
  const key = slider(group("k place"), {
    label: say("place_label"),
    keys: (by) => look(state.place / APART + Math.sign(by)),
    move: ([x]) => look((x - room().strip.x) / room().strip.gap - 0.5),
  });
  const hit = make("rect", { fill: "transparent" }, key);
  const hold = ring(
    make("circle", { fill: "none", stroke: "var(--ink)", "stroke-width": 2.5 }, key),
  );

  const tail = group("end");
  const line = make("line", { stroke: "var(--line)", "stroke-width": 3 }, tail);
  const write = (/** @type {number} */ past) =>
    !isGuessing() && set({ past: clamp(Math.round(past), 0, MOST_PAST) });
  const x = (/** @type {number} */ past) =>
    room().strip.from + ((room().strip.to - room().strip.from) * past) / MOST_PAST;
  const end = slider(group("end q"), {
    label: say("end_label"),
    keys: (by) => write(state.past + by),
    start: ([px]) => px - x(state.past),
    move: ([px], away) => {
      const { strip } = room();
      write(((px - away - strip.from) / (strip.to - strip.from)) * MOST_PAST);
    },
  });
  grip(end, { fill: "var(--q-fill)" });
  make(
    "path",
    {
      d: "M-6,0h12m-3,-3l3,3l-3,3m-6,0l-3,-3l3,-3",
      fill: "none",
      stroke: "#fff",
      "stroke-width": 2,
      "stroke-linecap": "round",
    },
    end,
  );
  const texts = ["", "soft"].map((name) =>
    make(
      "text",
      { class: `t14 ${name}`, "text-anchor": "end", style: name ? "" : "font-weight: 600" },
      tail,
    ),
  );

  return (/** @type {State} */ s, /** @type {Room} */ { strip, width, isPhone }) => {
    put(board, {
      x1: strip.x,
      x2: strip.x + strip.w,
      y1: strip.y + strip.r + 4,
      y2: strip.y + strip.r + 4,
    });
    names.forEach((name, j) => {
      put(name, {
        x: strip.x + (j + 0.5) * strip.gap,
        y: strip.y + strip.r + (isPhone ? 18 : 24),
        class: small(isPhone),
      });
      show(name, isPhone && j % 2 ? 0 : 1);
    });
    const at = { cx: strip.x + (s.place / APART + 0.5) * strip.gap, cy: strip.y };
    put(hit, { x: strip.x, y: strip.y - strip.r - 4, width: strip.w, height: 2 * strip.r + 8 });
    put(hold, { ...at, r: strip.r + 2 });
    put(line, { x1: strip.from, x2: strip.to, y1: strip.y, y2: strip.y });
    put(end, { transform: `translate(${x(s.past).toFixed(1)} ${strip.y})` });
    put(texts[0], {
      x: width - (isPhone ? 4 : 20),
      y: strip.y - (isPhone ? 18 : 24),
      text: say("end_at"),
    });
    const isFixed = isWay(s, "fixed") > 0.5;
    const baseNow = isFixed ? (isPhone ? "fixed_short" : "fixed") : "at";
    put(texts[1], {
      x: width - (isPhone ? 4 : 20),
      y: strip.y + (isPhone ? 29 : 42),
      text: say(isListed(s) ? listOf(s) : `base_${baseNow}`),
    });
    value(key, s.place, 0, APART * (FAR_KEYS - 1), say("place_at"));
    value(end, TRAINED + Math.round(s.past), TRAINED, TRAINED + MOST_PAST, say("end_said"));
    for (const one of [all, key, tail]) show(one, s.stale);
    show(end, s.stale * (1 - s.guessing));
  };
}

/** Ways out, and below each what it has cost. @param {Stage} stage @param {() => Room} room */
function buildWays(stage, room) {
  const { make, put, show, group, say, number, state, move, seen } = stage;
  const at = () => {
    const { width, isPhone } = room();
    const x = isPhone ? 6 : 190;
    return { x, y: isPhone ? 5 : 20, w: Math.min(width - x - 6, 640), isPhone };
  };
  const choice = buildChoice(stage, {
    marks: "ways",
    label: say("ways_label"),
    names: WAYS.map((way) => say(`way_${way}`)),
    at,
    set: (to) => {
      seen.add(to);
      move({ way: to, right: to ? 1 : 0 }, 700);
    },
    now: () => state.way,
  });
  const cost = group("cost");
  const rows = /** @type {const} */ (["turned", "run"]).map((name) => ({
    name,
    text: make("text", { class: "t14" }, cost),
    counts: WAYS.map(() => make("text", { class: "t14", "text-anchor": "middle" }, cost)),
  }));
  const note = make("text", { class: "t14" }, group("ways"));
  return (/** @type {State} */ s, /** @type {Room} */ { isPhone }) => {
    const { x: left, w } = at();
    const x = isPhone ? 8 : 28;
    rows.forEach(({ name, text, counts }, i) => {
      const y = isPhone ? 50 + 16 * i : 78 + 22 * i;
      put(text, { x, y, text: isPhone ? "" : say(`cost_${name}`) });
      counts.forEach((node, j) => {
        const isNamed = isPhone && j === 0; // which leaves no column for names
        const count = number(costs(s, WAYS[j])[name]);
        put(node, {
          x: isNamed ? x : left + ((j + 0.5) * w) / WAYS.length,
          y,
          "text-anchor": isNamed ? "start" : "middle",
          text: isNamed ? say(`cost_${name}_short`, { count }) : count,
          style: j === wayOf(s) ? "font-weight: 600" : undefined,
        });
      });
    });
    const way = WAYS[wayOf(s)];
    const length = isPhone && (way === "read" || way === "again") ? "_short" : "";
    put(note, { x, y: isPhone ? 82 : 124, text: say(`note_${way}${length}`) });
    for (const one of [cost, note]) show(one, s.stale * s.ways);
    choice(s, s.stale * s.ways);
  };
}
