// RoPE: two words on a strip of places, and dials on which their query and key turn.

import head from "../data/rope.js";
import { invFreq, isNew, score as scoreOf, softmax, widest } from "../rotation.js";
import { TURN, arrow, clamp, degrees, mix, pie, round, spiral, wrapped, xy } from "../shapes.js";

/** @typedef {import("../types").Stage} Stage */
/** @typedef {import("../types").State} State */
/** @typedef {import("../types").Box} Box */

const PAIRS = 8;
const BASE = 1000;
const TRAINED = 16; // words
const LONGEST = 31; // the last place of the longest strip
const START = 0.55; // radians: where the key's arrow points at place 0
const SPEEDS = invFreq(PAIRS, BASE);
const REAL = invFreq(head.size.length, head.base); // of the real head
const ROW = [2, 1, 0]; // how far the three words of the worked row stand back
const WORDS = ["the", "red", "boat"]; // labels of the three

/** Radians a place of every pair that is added up. @param {State} s */
const speeds = (s) =>
  s.real < 0.01 ? SPEEDS : REAL.map((one, i) => mix(SPEEDS[i] ?? one, one, s.real));
/** Angle between query and key at distance 0: all dials agree at one distance, or the head's own.
 * @param {State} s */
const content = (s) =>
  s.real < 0.01
    ? SPEEDS.map((speed) => speed * s.bend)
    : REAL.map((_, i) => mix((SPEEDS[i] ?? 0) * s.bend, head.angle[i], s.real));
/** Product of the lengths of query and key in every pair. @param {State} s */
const sizes = (s) =>
  s.real < 0.01
    ? SPEEDS.map(() => 1)
    : REAL.map((_, i) => mix(i < PAIRS ? 1 : 0, head.size[i], s.real));
/** @param {State} s @param {number} distance */
const score = (s, distance = s.m - s.n) =>
  scoreOf(speeds(s), content(s), sizes(s), distance, s.real < 0.01 ? s.dials : REAL.length);
/** Angle from key to query on a dial. @param {number} i @param {State} s */
const wedge = (i, s) => content(s)[i] + speeds(s)[i] * (s.m - s.n);
/** The distance that the first dial prefers. @param {State} s */
const peak = (s) => ((-s.bend % TURN) + TURN) % TURN;
/** @param {State} s */
const newOnes = (s) => SPEEDS.filter((speed) => isNew(speed, s.m - s.n, TRAINED)).length;
/** The row of three words: scores divided by the root of two numbers. @param {State} s */
const row = (s) => ROW.map((back) => score({ ...s, dials: 1 }, back) / Math.SQRT2);

export const start = {
  m: 0, // place of the query
  n: 0, // place of the key
  bend: 0, // content: radians between query and key at distance 0, on the first dial
  dials: 1, // how many are added up
  view: 0, // 0: the dial alone, 1: a plot beside it, 2: all dials above the plot
  last: 12, // the last place of the strip
  bars: 0, // from here on: how much of it is there
  ghosts: 0,
  key: 0,
  shadow: 0,
  trail: 0,
  split: 0,
  curve: 0,
  trained: 0,
  lock: 0,
  row: 0,
  real: 0, // 0: the made-up head, 1: the real one
};

const HANDS = ["q", "k"];
const PAIR = { key: 1, shadow: 1, view: 1 };
const ALL = { key: 1, shadow: 1, curve: 1, view: 2, last: LONGEST, bend: -1 };

/** @type {Record<string, import("../types").PictureStep>} */
export const steps = {
  turn: {
    at: { bars: 1, ghosts: 1 },
    seen: [0],
    goal: (s) => Math.round(s.m) === 6,
  },
  second: {
    also: HANDS,
    at: { ...PAIR, m: 5, n: 4 },
    goal: (s) => score(s) < 0,
  },
  lock: {
    also: HANDS,
    at: { ...PAIR, m: 2, n: 1, trail: 1, lock: 1 },
    seen: [2],
    after: { m: 8, n: 7 },
    slow: 1400,
    goal: (_, seen) => seen.size >= 6,
  },
  content: {
    also: HANDS,
    at: { ...PAIR, m: 6, n: 3, split: 1, curve: 1, bend: 0.7 },
    goal: (s) => Math.abs(peak(s) - 1) < 0.06,
  },
  row: {
    also: [...HANDS, "arc", "content"],
    at: { ...PAIR, m: 9, n: 8, split: 1, bend: -1, lock: 1, row: 1 },
    goal: (s) => row(s)[0] > Math.max(row(s)[1], row(s)[2]) + 0.05,
  },
  slower: {
    also: HANDS,
    at: { ...ALL, m: 9, n: 8, split: 1, dials: 1 },
    goal: (s) => s.dials > PAIRS - 0.1,
  },
  real: {
    also: [...HANDS, "dials", "content"],
    at: { ...ALL, m: 14, n: 8, split: 1, dials: PAIRS, real: 1 },
    goal: (s) => Math.round(s.m - s.n) === 1,
  },
  unseen: {
    at: { ...ALL, m: 9, n: 4, dials: PAIRS, trained: 1 },
    also: [...HANDS, "new", "dials", "arc", "curve", "strip"],
    goal: (s) => newOnes(s) > 0,
  },
  won: {
    also: HANDS,
    at: { ...PAIR, m: 4, n: 4 },
    goal: (s) => Math.round(s.m) === 12 && Math.round(s.n) === 4,
  },
};

/** @type {import("../types").Picture["told"]} */
export const told = {
  m: (s, { number }) => number(s.m),
  n: (s, { number }) => number(s.n),
  distance: (s, { number }) => apart(s.m - s.n, number),
  turned: (s, { number }) => number(degrees(s.m)),
  short: (s, { number }) => number(360 - degrees(s.m)),
  radian: (_, { number }) => number(degrees(1)),
  trained: (_, { number }) => number(TRAINED),
  turns_0: (_, { number }) => number(widest(SPEEDS[0], TRAINED) / TURN, 1),
  turns_1: (_, { number }) => number(widest(SPEEDS[1], TRAINED) / TURN, 1),
  wedge: (s, { number }) => `${number(degrees(wedge(0, s)))}°`,
  score: (s, { number }) => number(score(s), s.dials > 1.5 ? 1 : 2),
  content: (s, { number }) => `${number(degrees(s.bend))}°`,
  peak: (s, { number }) => apart(s.view > 1.5 ? -s.bend : peak(s), number),
  visited: (_, { seen, number }) => number(seen.size),
  best: (s, { number }) => number(score(s, -s.bend), 1),
  rival: (s, { number }) => number(score(s, 6 - s.bend), s.dials > 1.5 ? 1 : 2),
  rival_at: (s, { number }) => apart(6 - s.bend, number),
  dials: (s, { number }) => number(s.dials),
  new: (s, { number }) => number(newOnes(s)),
  the: (s, { number }) => number(100 * softmax(row(s))[0]),
  red: (s, { number }) => number(100 * softmax(row(s))[1]),
  boat: (s, { number }) => number(100 * softmax(row(s))[2]),
  layer: (_, { number }) => number(head.layer),
  head: (_, { number }) => number(head.head),
  pairs: (_, { number }) => number(head.size.length),
  head_angle: (_, { number }) => `${number(degrees(head.angle[0]))}°`,
  head_peak: (_, { number }) => number(-head.angle[0] / REAL[0], 1),
  share_1: (_, { number }) => number(100 * head.shares[1]),
  share_2: (_, { number }) => number(100 * head.shares[2]),
};

/** @param {number} distance @param {(value: number, digits?: number) => string} number */
function apart(distance, number) {
  const isWhole = Math.abs(distance - Math.round(distance)) < 0.03;
  return number(distance, isWhole ? 0 : 1);
}

/** @param {State} s */
function spoken(s) {
  if (s.row > 0.5) return "say_row";
  if (s.real > 0.5) return "say_both";
  if (s.trained > 0.5) return "say_new";
  if (s.split > 0.5) return "say_content";
  return s.key > 0.5 ? "say_both" : "say_query";
}

/** @param {State} s */
const controls = (s) => ({ m: Math.round(s.m), n: Math.round(s.n) });

/** @param {Stage} stage */
function build(stage) {
  const strip = buildStrip(stage);
  const dials = SPEEDS.map((_, i) => buildDial(stage, i));
  const bars = buildBars(stage);
  const panel = buildPanel(stage);
  const graph = buildGraph(stage);
  const table = buildRow(stage);
  const hands = buildHands(stage, () => room);
  /** @type {Room} */
  let room = layout({ width: 900, height: 600, isPhone: false }, start);

  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    room = layout(box, s);
    strip(s, room);
    dials.forEach((draw) => draw(s, room));
    bars(s, room);
    panel(s, room);
    graph(s, room);
    table(s, room);
    hands(s);
  };
}

// ------------------------------------------------------------------ where things stand

/**
 * @typedef {{ x: number, y: number, r: number }} Circle
 * @typedef {{ x: number, y: number, w: number, h: number }} Frame
 * @typedef {Box & {
 *   left: number, rail: number, gap: number, dial: Circle, dials: Circle[], panel: Frame, plot: Frame,
 *   sweep: Frame,
 * }} Room
 */

/** Three arrangements of the same things; in between while the view changes.
 * @param {Box} box @param {State} s @returns {Room} */
function layout({ width: W, height: H, isPhone }, s) {
  const left = isPhone ? 34 : 64;
  const rail = isPhone ? 46 : 58;
  const top = isPhone ? 104 : 134;
  const room = H - top;
  const alone = isPhone ? Math.min(94, room * 0.34) : Math.min(H * 0.243, (room - 76) / 2);
  const beside = isPhone ? Math.min(78, room * 0.3) : Math.min(alone, W * 0.19);
  const small = isPhone ? Math.min(52, room * 0.22) : Math.min(room * 0.25, W * 0.17);
  const edge = isPhone ? 24 : Math.max(52, (W - 2 * beside - 630) / 2);
  const panelX = edge + 2 * beside + (isPhone ? 30 : 74);
  const panelW = Math.min(520, W - panelX - (isPhone ? 16 : 36));
  const corner = isPhone ? 24 : 52;
  const low = room * (isPhone ? 0.27 : 0.25);
  const plotX = isPhone ? 32 : 56;
  const views = [
    {
      dial: { x: W / 2 + 16, y: top + (room - 62) / 2, r: alone },
      plot: { x: W, y: top + 190, w: panelW, h: 100 },
      panelX: W + 20,
    },
    {
      dial: { x: edge + beside, y: top + (isPhone ? beside + 28 : room * 0.47), r: beside },
      plot: {
        x: panelX + 22,
        y: top + (isPhone ? Math.min(140, room * 0.5) : room * 0.44),
        w: panelW - 30,
        h: isPhone ? room - Math.min(140, room * 0.5) - 32 : room * 0.56 - 62,
      },
      panelX,
    },
    {
      dial: { x: corner + small, y: top + small + (isPhone ? 4 : 8), r: small },
      plot: { x: plotX, y: H - low - 28, w: W - plotX - (isPhone ? 16 : 40), h: low },
      panelX: W + 20,
    },
  ];
  const from = Math.min(1, Math.floor(s.view));
  const t = s.view - from;
  const between = (/** @type {(view: any) => number} */ pick) => mix(pick(views[from]), pick(views[from + 1]), t); // prettier-ignore
  const far = clamp(s.view - 1, 0, 1);
  const gridX = corner + 2 * small + (isPhone ? 20 : 56);
  const column = (W - gridX - (isPhone ? 10 : 20)) / 4;
  const r = Math.min(column * 0.4, small * 0.36);
  const row = small + (isPhone ? 10 : 17);
  const cell = (/** @type {number} */ i) => ({
    x: gridX + (((i - 1) % 4) + 0.5) * column + (1 - far) * (W * 0.5 + i * 60),
    y: top + (isPhone ? 0 : 10) + Math.floor((i - 1) / 4) * row + r,
    r,
  });
  const dial = {
    x: between((v) => v.dial.x),
    y: between((v) => v.dial.y),
    r: between((v) => v.dial.r),
  };
  return {
    width: W,
    height: H,
    isPhone,
    left,
    rail,
    gap: (W - 2 * left) / s.last,
    dial,
    dials: [dial, ...Array.from({ length: PAIRS }, (_, i) => cell(i + 1))],
    panel: {
      x: between((v) => v.panelX),
      y: mix(dial.y - 20, top + (isPhone ? 26 : 40), Math.max(s.curve, s.trail, s.row)),
      w: panelW,
      h: 100,
    },
    plot: {
      x: between((v) => v.plot.x),
      y: between((v) => v.plot.y),
      w: between((v) => v.plot.w),
      h: between((v) => v.plot.h),
    },
    sweep: { x: gridX - 8, y: top - 8, w: W - gridX, h: row * 2 + 8 },
  };
}

/** @param {Room} room @param {number} place */
const placeX = (room, place) => room.left + place * room.gap;

// ------------------------------------------------------------------ the strip of places

/** @param {Stage} stage */
function buildStrip({ make, put, show, group, say, svg }) {
  const seen = group("strip trained");
  const shaded = make("rect", { fill: "var(--wash)", rx: 6, height: 40 }, seen);
  const shadedText = make("text", { class: "soft t12" }, seen);
  const strip = group("strip", svg);
  const rail = make("line", { stroke: "var(--line)", "stroke-width": 2 }, strip);
  const ticks = Array.from({ length: LONGEST + 1 }, (_, i) => {
    const tick = make("g", {}, strip);
    make("circle", { r: 3, fill: "var(--soft)" }, tick);
    const name = make("text", { y: 19, "text-anchor": "middle", class: "t12 soft" }, tick, `${i}`);
    return { tick, name };
  });
  const distance = group("strip arc");
  const bar = make(
    "line",
    { stroke: "var(--ink)", "stroke-width": 4, "stroke-linecap": "round" },
    distance,
  );
  const text = make("text", { class: "t14 halo" }, distance);
  const lock = make("path", { fill: "var(--ink)", "fill-rule": "evenodd", d: "M-7-1H7V10H-7ZM-4-1V-5a4 4 0 0 1 8 0V-1H2.2V-5a2.2 2.2 0 0 0-4.4 0V-1Z" }, distance); // prettier-ignore

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { width, rail: y, left, isPhone } = room;
    const labelled = isPhone && s.last > 12 ? 5 : 1;
    put(rail, { x1: left, x2: width - left, y1: y, y2: y });
    ticks.forEach(({ tick, name }, i) => {
      put(tick, { transform: `translate(${placeX(room, i).toFixed(1)} ${y})` });
      show(tick, clamp(s.last - i + 1, 0, 1));
      put(name, { opacity: i % labelled ? 0 : 1 });
    });
    const end = placeX(room, TRAINED - 1);
    put(shaded, { x: placeX(room, 0) - 12, width: end - placeX(room, 0) + 24, y: y - 12 });
    put(shadedText, { x: end + 18, y: y - 8, text: isPhone ? "" : say("trained_on") });
    show(seen, s.trained);
    const [from, to] = [placeX(room, s.n), placeX(room, s.m)];
    put(bar, { x1: from.toFixed(1), x2: to.toFixed(1), y1: y, y2: y });
    const isLocked = s.lock > 0.5;
    const isLeft = from + 46 > width - 100;
    put(text, {
      x: isLeft ? from - 42 - (isLocked ? 22 : 0) : from + 46 + (isLocked ? 22 : 0),
      y: y + 47,
      "text-anchor": isLeft ? "end" : "start",
      text: say("apart"),
    });
    put(lock, { transform: `translate(${isLeft ? from - 52 : from + 54} ${y + 39})` });
    show(text, 1 - s.row);
    show(lock, s.lock * (1 - s.row));
    show(distance, s.key);
  };
}

// ------------------------------------------------------------------ a dial

/** @param {Stage} stage @param {number} i */
function buildDial({ make, put, show, group, say, number, seen, step }, i) {
  const isFirst = i === 0;
  const whole = make("g", { style: isFirst ? "" : "pointer-events: none" });
  const part = (/** @type {string} */ marks, /** @type {string} */ tag, /** @type {any} */ attributes) => make(tag, attributes, group(marks, whole)); // prettier-ignore
  const hand = (/** @type {string} */ name) => part(name, "path", { stroke: `var(--${name})`, fill: `var(--${name})`, "stroke-linejoin": "round" }); // prettier-ignore
  const shaded = part("trained", "path", { fill: "var(--wash)" });
  const rim = part("dials q k arc bars shadow", "circle", { fill: "none", stroke: "var(--line)", "stroke-width": 1.5 }); // prettier-ignore
  const ghostsOf = group("q", whole);
  const ghosts = Array.from({ length: isFirst ? 13 : 0 }, (_, place) => {
    const ghost = make("g", {}, ghostsOf);
    const line = make("line", { stroke: "var(--q)", "stroke-width": 2, opacity: 0.4 }, ghost);
    const name = make("text", { class: "q t14", "text-anchor": "middle", "dominant-baseline": "central" }, ghost, `${place}`); // prettier-ignore
    return { ghost, line, name };
  });
  const sector = part("arc", "path", {});
  const beyond = part("new arc", "path", { stroke: "var(--new)", "stroke-width": isFirst ? 8 : 6, fill: "none" }); // prettier-ignore
  const edge = part("arc", "path", { "stroke-width": isFirst ? 3 : 2, fill: "none" });
  const bent = part("content", "path", { stroke: "var(--content)", "stroke-width": isFirst ? 7 : 4, fill: "none" }); // prettier-ignore
  const drop = part("shadow", "path", {
    stroke: "var(--soft)",
    "stroke-dasharray": "3 4",
    fill: "none",
  });
  const shadow = part("shadow", "line", { stroke: "var(--ink)", "stroke-width": 10 });
  const k = hand("k");
  const q = hand("q");
  const nameStyle = { style: "font-weight:700;font-size:18px", "text-anchor": "middle", "dominant-baseline": "central" }; // prettier-ignore
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
    const size = clamp(c.r / (isFirst ? 100 : 34), 0.6, 1);
    const tip = isFirst ? 18 * clamp(c.r / 110, 0.6, 1) : Math.min(9, c.r * 0.3);
    show(whole, isFirst ? 1 : clamp((s.view - 1) * 2, 0, 1));
    put(rim, { cx: c.x, cy: c.y, r: c.r });
    put(shaded, { d: pie(c, c.r, angle + own, Math.min(TURN, widest(speed, TRAINED))) });
    show(shaded, s.trained);
    const reach = { ...c, r: c.r * mix(1, long, s.real) };
    put(q, { d: arrow(reach, query, tip), "stroke-width": (isFirst ? 5 : 3) * size });
    put(k, { d: arrow(reach, angle, tip), "stroke-width": (isFirst ? 8.5 : 5) * size });
    show(q, 0.2 + 0.8 * on);
    show(k, s.key * (0.2 + 0.8 * on));
    // The wedge: what the distance adds first, then what the words mean.
    const inner = c.r * 0.5;
    const grow = c.r * Math.min(0.16, 0.4 / Math.max(0.01, Math.abs(by) / TURN));
    const colour = isRed ? "var(--new)" : "var(--ink)";
    const isThere = Math.abs(by) > 0.01;
    put(sector, { d: isThere ? pie(c, inner, angle, by, grow) : "", fill: colour });
    show(sector, s.shadow * on * (isRed ? 0.45 : 0.12));
    put(edge, { d: isThere ? spiral(c, inner, angle, by, grow) : "", stroke: colour });
    show(edge, s.shadow * on);
    const outer = inner + (grow * Math.abs(by)) / TURN + (isFirst ? 9 : 5);
    put(bent, { d: Math.abs(own) > 0.01 ? spiral(c, outer, angle + by, own) : "" });
    show(bent, s.split * on * (isFirst ? 1 : 0.8) * mix(1, long, s.real));
    const limit = widest(speed, TRAINED);
    put(beyond, { d: isRed ? spiral(c, c.r, angle + own + limit, (by % TURN) - limit) : "" });
    // The shadow of the query, beside the key.
    const isAlone = isFirst ? s.shadow * (2 - Math.max(1, s.view)) : 0;
    const foot = round(c, Math.cos(query - angle) * c.r, angle);
    const side = 15 * clamp(Math.sin(query - angle) * 4, -1, 1);
    const [sx, sy] = [side * Math.sin(angle), side * Math.cos(angle)];
    put(shadow, { x1: c.x + sx, y1: c.y + sy, x2: foot[0] + sx, y2: foot[1] + sy });
    show(shadow, isAlone);
    put(drop, {
      d: `M${xy(round(c, -c.r, angle))}L${xy(round(c, c.r, angle))}M${xy(round(c, c.r, query))}L${xy(foot)}`,
    });
    show(drop, isAlone);
    put(label, {
      x: c.x,
      y: c.y + c.r + (room.isPhone ? 14 : 17),
      class: isRed ? "t12 new" : "t12 soft",
      text: say(isFirst && !room.isPhone ? "turn_in" : "turn_short", {
        places: number(TURN / speed, isFirst ? 1 : 0),
      }),
    });
    show(label, far);
    const share = sizes(s)[i] * Math.cos(query - angle);
    put(adds, {
      x: c.x,
      y: c.y + c.r + 35,
      text: (share > 0.005 ? "+" : "") + number(share, 2),
    });
    show(adds, room.isPhone || isFirst ? 0 : far * on);
    const close = Math.max(0, 0.16 - Math.abs(wrapped(query - angle))) / 2;
    const push = s.key * close * (wrapped(query - angle) < 0 ? -1 : 1);
    names.forEach((name, j) => {
      const isTip = ["content", "row"].includes(step()) && j === 1;
      const [x, y] = round(
        c,
        c.r + (isTip ? 30 : 18 + 22 * s.ghosts),
        j ? query + push : angle - push,
      );
      put(name, { x: x.toFixed(1), y: y.toFixed(1) });
      show(name, (j ? 1 : s.key) * clamp(2 - s.view, 0, 1));
    });
    ghosts.forEach(({ ghost, line, name }, place) => {
      const to = START + place;
      const [x1, y1] = round(c, c.r * 0.12, to);
      const [x2, y2] = round(c, c.r, to);
      put(line, { x1, y1, x2, y2 });
      const [x, y] = round(c, c.r + 16, to);
      put(name, { x, y });
      show(ghost, seen.has(place) ? s.ghosts : 0);
    });
  };
}

// ------------------------------------------------------------------ the two numbers of the arrow

/** @param {Stage} stage */
function buildBars({ make, put, show, group, say, number }) {
  const bars = group("bars");
  const axes = make("path", { stroke: "var(--line)", fill: "none" }, bars);
  const barX = make("line", { stroke: "var(--q)", "stroke-width": 12 }, bars);
  const barY = make("line", { stroke: "var(--q)", "stroke-width": 12 }, bars);
  const drops = make("path", { stroke: "var(--q)", "stroke-dasharray": "2 4", fill: "none" }, bars);
  const values = [0, 1].map(() => make("text", { class: "q" }, bars));
  const names = [0, 1].map(() => make("text", { class: "t14 soft" }, bars));

  return (/** @type {State} */ s, /** @type {Room} */ { dial: c, isPhone }) => {
    const query = START + s.m + s.bend;
    const [x, y] = round(c, c.r, query);
    const left = c.x - c.r - (isPhone ? 34 : 56);
    const foot = c.y + c.r + (isPhone ? 38 : 46);
    put(barX, { x1: c.x, y1: foot, x2: x.toFixed(1), y2: foot });
    put(barY, { x1: left, y1: c.y, x2: left, y2: y.toFixed(1) });
    put(axes, {
      d: `M${c.x - c.r},${foot}h${2 * c.r}M${c.x},${foot - 10}v20M${left},${c.y - c.r}v${2 * c.r}M${left - 10},${c.y}h20M${c.x - c.r},${c.y}h${2 * c.r}M${c.x},${c.y - c.r}v${2 * c.r}`,
    });
    put(drops, { d: `M${xy([x, y])}V${foot}M${xy([x, y])}H${left}` });
    put(values[0], { x: c.x + c.r + 12, y: foot + 5, text: number(Math.cos(query), 2) });
    put(values[1], { x: left, y: c.y - c.r - 10, "text-anchor": "middle", text: number(Math.sin(query), 2) }); // prettier-ignore
    put(names[0], { x: c.x + c.r + 62, y: foot + 5, text: isPhone ? "" : say("first") });
    put(names[1], { x: left, y: c.y + c.r + 20, "text-anchor": "middle", text: isPhone ? "" : say("second") }); // prettier-ignore
    show(bars, s.bars);
  };
}

// ------------------------------------------------------------------ the score, and what the wedge is made of

/** @param {Stage} stage */
function buildPanel({ make, put, show, group, say, number }) {
  const panel = group("shadow dials");
  const value = make("text", { class: "big" }, panel);
  const under = make("text", { class: "t12 soft" }, panel);
  const scale = make("g", {}, panel);
  const ruler = make("path", { stroke: "var(--line)", fill: "none", "stroke-width": 2 }, scale);
  const bar = make("line", { stroke: "var(--ink)", "stroke-width": 10 }, scale);
  const ends = [-1, 0, 1].map((end) => make("text", { class: "t12 soft", "text-anchor": "middle" }, scale, number(end))); // prettier-ignore
  const sum = make("text", {}, group("content arc"));
  const parts = ["content", "soft", ""].map((css) => make("tspan", { class: css }, sum));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone, panel: at } = room;
    const one = clamp(2 - s.view, 0, 1) * clamp(s.view * 2 - 1, 0, 1);
    const all = clamp(s.view * 2 - 3, 0, 1);
    const cell = room.dials[PAIRS];
    const x = one
      ? at.x
      : Math.min(cell.x - (isPhone ? 20 : 42), room.width - (isPhone ? 66 : 112));
    const y = one ? at.y : cell.y + 6;
    const rulerY = y + (isPhone ? 20 : 30);
    const middle = x + at.w / 2;
    const now = score(s);
    put(value, { x, y, text: one ? say("score") : number(now, 1) });
    show(value, one + all);
    put(under, { x, y: y + 22, text: say(isPhone ? "score_short" : "score_of") });
    show(under, all);
    put(ruler, {
      d: `M${x},${rulerY}h${at.w}M${middle},${rulerY - 8}v16M${x},${rulerY - 5}v10M${x + at.w},${rulerY - 5}v10`,
    });
    put(bar, { x1: middle, x2: middle + (clamp(now, -1, 1) * at.w) / 2, y1: rulerY, y2: rulerY });
    ends.forEach((end, i) => put(end, { x: x + (i * at.w) / 2, y: rulerY + 23 }));
    show(scale, one);
    const angle = (/** @type {number} */ radians) => `${number(degrees(radians))}°`;
    const isBent = s.split > 0.5;
    const values = {
      content: angle(s.bend),
      distance: angle(s.m - s.n),
      wedge: angle(wedge(0, s)),
    };
    const size = isPhone ? "_short" : "";
    put(parts[0], { text: isBent ? say(`sum_content${size}`, values) : "" });
    put(parts[1], { text: isBent ? say(`sum_distance${size}`, values) : say(`wedge_is${size}`) });
    put(parts[2], { text: isBent ? ` = ${values.wedge}` : values.distance });
    put(sum, { x, y: rulerY + (isPhone ? 46 : 58) });
    show(sum, one);
  };
}

// ------------------------------------------------------------------ a row of three words, by hand

/** @param {Stage} stage */
function buildRow({ make, put, show, group, say, number }) {
  const table = group("row");
  const heads = ["row_score", "row_scaled", "row_power", "row_share"].map((name) =>
    make("text", { class: "t14 soft", "text-anchor": "end" }, table, say(name)),
  );
  const rows = WORDS.map((name) => ({
    word: make("text", { class: "k", style: "font-weight:600" }, table, say(`${name}_word`)),
    cells: heads.map(() => make("text", { "text-anchor": "end" }, table)),
    bar: make("rect", { fill: "var(--attention)", height: 14, rx: 3 }, table),
  }));
  const keys = group("k");
  const others = [0, 2].map((i) => {
    const chip = make("g", {}, keys);
    make(
      "rect",
      { x: -24, width: 48, height: 26, rx: 7, fill: "var(--k-fill)", opacity: 0.75 },
      chip,
    );
    make("text", { y: 18, "text-anchor": "middle", class: "t14", style: "fill:#fff" }, chip, say(`${WORDS[i]}_word`)); // prettier-ignore
    return { chip, back: ROW[i] };
  });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    show(table, s.row);
    show(keys, room.isPhone ? 0 : s.row);
    if (s.row < 0.02) return;
    const { plot: p, isPhone } = room;
    const scaled = row(s);
    const shares = softmax(scaled);
    const x = room.panel.x;
    const free = room.width - x - 64; // beside the bars
    const wide =
      free > 350 ? [120, 200, 280, 350] : [0.34, 0.58, 0.8, 1].map((part) => part * free);
    const columns = isPhone ? [78, 0, 0, 122] : wide;
    const top = isPhone ? p.y - 10 : p.y + 8;
    const step = isPhone ? 26 : 40;
    heads.forEach((text, i) => {
      put(text, { x: x + columns[i], y: top });
      show(text, columns[i] ? 1 : 0);
    });
    rows.forEach(({ word, cells, bar }, i) => {
      const y = top + (i + 1) * step;
      put(word, { x, y });
      const values = [
        number(scaled[i] * Math.SQRT2, 2),
        number(scaled[i], 2),
        number(Math.exp(scaled[i]), 2),
        `${number(100 * shares[i])} %`,
      ];
      cells.forEach((cell, j) => {
        put(cell, { x: x + columns[j], y, text: values[j] });
        show(cell, columns[j] ? 1 : 0);
      });
      const from = x + columns[3] + 14;
      const widest = Math.max(20, room.width - from - 20);
      put(bar, { x: from, y: y - 12, width: Math.min(widest, 160) * shares[i] });
    });
    others.forEach(({ chip, back }) => {
      put(chip, {
        transform: `translate(${placeX(room, s.m - back).toFixed(1)} ${room.rail + 26})`,
      });
    });
  };
}

// ------------------------------------------------------------------ the score against the distance

/** @param {Stage} stage */
function buildGraph({ make, put, show, group, say, number, seen, step }) {
  const graph = group("curve trail");
  const beyond = make("rect", { fill: "var(--new)" }, graph);
  const grid = make("path", { stroke: "var(--line)", fill: "none" }, graph);
  const along = Array.from({ length: 7 }, () => make("text", { class: "t12 soft", "text-anchor": "middle" }, graph)); // prettier-ignore
  const up = [0, 1].map(() => make("text", { class: "t12 soft", "text-anchor": "end" }, graph));
  const title = make("text", { class: "t14 soft" }, graph);
  const beyondText = make("text", { class: "t14 new" }, graph);
  const level = make("line", { stroke: "var(--soft)", "stroke-dasharray": "3 4" }, graph);
  const aim = make("g", {}, graph);
  const aimLine = make("path", { stroke: "var(--content)", "stroke-dasharray": "4 4", "stroke-width": 2 }, aim); // prettier-ignore
  const aimText = make("text", { class: "t14 content" }, aim);
  const curve = make("path", { fill: "none", stroke: "var(--ink)", "stroke-width": 2.5, "stroke-linejoin": "round" }, graph); // prettier-ignore
  const dots = Array.from({ length: LONGEST + 1 }, () => make("circle", { r: 3, fill: "var(--ink)" }, graph)); // prettier-ignore
  const trail = Array.from({ length: 13 }, () =>
    make("circle", { r: 5, fill: "var(--ink)" }, graph),
  );
  const here = make("circle", { r: 7, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 3 }, graph); // prettier-ignore
  const hereText = make("text", { class: "t14 halo" }, graph);
  const rival = make("text", { class: "t14 halo", "text-anchor": "middle" }, graph);

  return (/** @type {State} */ s, /** @type {Room} */ { plot: p, isPhone }) => {
    const presence = Math.max(s.curve, s.trail);
    show(graph, presence);
    if (presence < 0.02) return;
    const isTrail = s.trail > 0.5;
    const isWide = s.view > 1.5;
    const distance = s.m - s.n;
    const samples = Array.from({ length: Math.ceil(s.last) * 5 + 1 }, (_, i) => score(s, i / 5));
    const high = mix(s.dials, Math.max(...samples), s.real);
    const low = isTrail || !isWide ? -1 : Math.min(0, ...samples);
    const x = (/** @type {number} */ value) => p.x + (value / s.last) * p.w;
    const y = (/** @type {number} */ value) => p.y + ((high - value) / (high - low)) * p.h;
    put(grid, { d: `M${p.x},${y(0)}h${p.w}M${p.x},${y(high)}V${y(low)}` });
    const every = s.last > 20 ? 5 : isPhone ? 4 : 2;
    along.forEach((text, i) => {
      const value = i * every;
      put(text, {
        x: x(value),
        y: p.y + p.h + 18,
        text: value <= s.last + 0.1 ? number(value) : "",
      });
    });
    [high, 0].forEach((value, i) => {
      put(up[i], { x: p.x - 8, y: y(value) + 4, text: number(value) });
      show(up[i], i && y(0) - y(high) < 14 ? 0 : 1);
    });
    const above = p.y - (isPhone ? 22 : 34);
    const name = isTrail ? "by_place" : "by_distance";
    put(title, { x: p.x - 6, y: above, text: say(isPhone ? `${name}_short` : name) });
    put(curve, {
      d: isTrail ? "" : `M${samples.map((value, i) => xy([x(i / 5), y(value)])).join("L")}`,
    });
    dots.forEach((dot, i) => {
      put(dot, { cx: x(i).toFixed(1), cy: y(score(s, i)).toFixed(1) });
      show(dot, isTrail || i > s.last + 0.5 || (isPhone && isWide) ? 0 : 1);
    });
    const kept = y(score(s));
    put(level, { x1: p.x, x2: p.x + p.w, y1: kept, y2: kept });
    show(level, isTrail && seen.size > 1 ? s.trail : 0);
    trail.forEach((dot, i) => {
      put(dot, { cx: x(i), cy: kept });
      show(dot, isTrail && seen.has(i) ? 1 : 0);
    });
    put(beyond, {
      x: x(TRAINED),
      y: y(high),
      width: Math.max(0, p.x + p.w - x(TRAINED)),
      height: p.h,
    });
    show(beyond, s.trained * 0.1);
    put(beyondText, {
      x: x(TRAINED) + 8,
      y: above,
      text: say(isPhone ? "beyond_short" : "beyond"),
    });
    show(beyondText, s.trained);
    put(aimLine, { d: `M${x(1)},${y(high) - 4}V${y(low)}` });
    put(aimText, { x: x(1) + 8, y: y(low) - 6, text: say("one_back") });
    show(aim, step() === "content" ? s.curve : 0);
    const now = score(s);
    const at = x(isTrail ? s.m : distance);
    const isLeft = at > p.x + p.w * 0.8;
    put(here, { cx: at.toFixed(1), cy: y(now).toFixed(1) });
    put(hereText, {
      x: at + (isLeft ? -13 : 13),
      y: y(now) + (y(now) > p.y + p.h * 0.7 ? -12 : isWide ? 24 : 20),
      "text-anchor": isLeft ? "end" : "start",
      text: isWide ? say("score_at") : number(now, 2),
    });
    show(hereText, step() === "content" || (isWide && distance < 4) ? 0 : 1);
    put(rival, {
      x: x(7),
      y: y(score(s, 7)) - 12,
      text: say("rival_at", { rival: number(score(s, 7), 1) }),
    });
    const isRival = step() === "slower" && Math.abs(distance - 7) > 2 && Math.abs(s.bend + 1) < 0.5;
    show(rival, isRival && s.real < 0.01 ? s.curve : 0);
  };
}

// ------------------------------------------------------------------ what is dragged

/** @param {Stage} stage @param {() => Room} room */
function buildHands(
  { make, put, show, group, say, slider, value, number, state, set, move, seen, step, isGuessing },
  room,
) {
  // prettier-ignore
  // One word moves, the other too if the distance is locked; the query never stands before the key.
  function place(/** @type {"m" | "n"} */ which, /** @type {number} */ to) {
    if (isGuessing()) return;
    const last = Math.round(state.last);
    const gap = state.m - state.n;
    const was = state.m;
    if (state.lock > 0.5) {
      const m = clamp(which === "m" ? to : to + gap, gap, last);
      set({ m, n: m - gap });
    } else if (which === "m") set({ m: clamp(to, state.key > 0.5 ? state.n : 0, last) });
    else set({ n: clamp(to, 0, state.m) });
    const [from, until] = [Math.min(was, state.m), Math.max(was, state.m)];
    for (let i = Math.ceil(from - 0.04); i <= until + 0.04; i++) seen.add(i);
  }
  const settle = () => move({ m: Math.round(state.m), n: Math.round(state.n) }, 140);

  function word(/** @type {"m" | "n"} */ which, /** @type {"q" | "k"} */ mark) {
    const handle = slider(group(mark), {
      label: say(`${mark}_label`),
      keys: (by) => {
        place(which, Math.round(state[which]) + by);
        settle();
      },
      start: ([x]) => x - placeX(room(), state[which]),
      move: ([x], off) => place(which, (x - off - room().left) / room().gap),
      end: settle,
    });
    const stem = make("line", { stroke: `var(--${mark})`, "stroke-width": 2 }, handle);
    make("rect", { x: -38, y: -5, width: 76, height: 44, fill: "transparent" }, handle);
    make("rect", { class: "ring", x: -34, y: -3, width: 68, height: 38, rx: 11 }, handle);
    make("rect", { x: -30, width: 60, height: 32, rx: 8, fill: `var(--${mark}-fill)` }, handle);
    make("text", { y: 21, "text-anchor": "middle", style: "fill:#fff;font-weight:600" }, handle, say(`${mark}_word`)); // prettier-ignore
    return { handle, stem };
  }
  const sweep = slider(group("dials"), {
    label: say("sweep_label"),
    keys: (by) => add(Math.round(state.dials) + Math.sign(by)),
    move: ([x, y]) => add(nearest(room(), x, y) + 1),
  });
  const area = make("rect", { class: "ring", rx: 12, style: "fill: transparent" }, sweep);
  const add = (/** @type {number} */ count) => move({ dials: clamp(count, 1, PAIRS) }, 250);
  const words = { k: word("n", "k"), q: word("m", "q") };
  const bend = (/** @type {number} */ radians) => set({ bend: wrapped(radians) });
  const tip = slider(group("q"), {
    label: say("tip_label"),
    keys: (by) => bend(state.bend + (by * Math.PI) / 180),
    move: ([x, y]) => bend(Math.atan2(room().dial.y - y, x - room().dial.x) - START - state.m),
  });
  make("circle", { r: 24, fill: "transparent" }, tip);
  make("circle", { r: 17, class: "ring" }, tip);
  make("circle", { r: 11, fill: "var(--paper)", stroke: "var(--q)", "stroke-width": 4 }, tip);
  const prefer = (/** @type {number} */ distance) => set({ bend: -clamp(distance, 0, 12) });
  const top = slider(group("curve"), {
    label: say("top_label"),
    keys: (by) => prefer(Math.round(-state.bend) + Math.sign(by)),
    move: ([x]) => prefer(((x - room().plot.x) / room().plot.w) * state.last),
    end: () => move({ bend: Math.round(state.bend) }, 140),
  });
  make("circle", { r: 20, fill: "transparent" }, top);
  make("circle", { r: 15, class: "ring" }, top);
  make("path", { d: "M0 9L-9-7H9Z", fill: "var(--content)" }, top);
  const topText = make("text", { y: 3, class: "content", style: "font-weight:600" }, top);

  return (/** @type {State} */ s) => {
    const at = room();
    const last = Math.round(s.last);
    const tops = { q: at.rail - (at.isPhone ? 42 : 48), k: at.rail + 26 };
    for (const [name, which] of /** @type {["q" | "k", "m" | "n"][]} */ ([
      ["q", "m"],
      ["k", "n"],
    ])) {
      // prettier-ignore
      const { handle, stem } = words[name];
      const y = tops[name];
      put(handle, { transform: `translate(${placeX(at, s[which]).toFixed(1)} ${y})` });
      put(stem, { y1: name === "q" ? 30 : 0, y2: at.rail - y });
      put(handle, { style: isGuessing() ? "pointer-events: none" : undefined });
      value(handle, Math.round(s[which]), 0, last, say(`${name}_at`));
    }
    show(words.k.handle, s.key);
    const [x, y] = round(at.dial, at.dial.r, START + s.m + s.bend);
    put(tip, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    value(tip, degrees(s.bend), -180, 180, say("content_at"));
    show(tip, ["content", "row"].includes(step()) ? s.split : 0);
    const { sweep: box } = at;
    put(area, { x: box.x, y: box.y, width: box.w, height: box.h });
    value(sweep, Math.round(s.dials), 1, PAIRS);
    show(sweep, step() === "slower" && s.view > 1.5 ? 1 : 0);
    const isWide = s.view > 1.5;
    const best = isWide ? -s.bend : peak(s);
    const p = at.plot;
    put(top, { transform: `translate(${(p.x + (best / s.last) * p.w).toFixed(1)} ${(p.y - 13).toFixed(1)})` }); // prettier-ignore
    put(top, { style: step() === "slower" ? undefined : "pointer-events: none" });
    put(top, { tabindex: step() === "slower" ? 0 : -1 });
    value(top, best, 0, 12);
    const isRight = best > s.last * 0.9;
    put(topText, { text: isWide ? "" : number(best, 1), x: isRight ? -12 : 12, "text-anchor": isRight ? "end" : "start" }); // prettier-ignore
    show(top, s.curve * (["content", "slower"].includes(step()) ? 1 : 0));
  };
}

/** @param {Room} room @param {number} x @param {number} y */
function nearest({ dials }, x, y) {
  const distances = dials.slice(0, PAIRS).map((c) => Math.hypot(c.x - x, c.y - y) - c.r);
  return distances.indexOf(Math.min(...distances));
}

export default { start, steps, told, spoken, controls, build };
