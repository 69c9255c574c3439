// The KV cache under other speeds, of dynamic NTK or LongRoPE: a dial with a kept key, its ghost and the query, and how far each pair is off.

import { ahead, turnsOnRead } from "./cached.js";
import data from "./data.js";
import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, seen as shown, widthOf } from "../../page/parts.js";
import { TURN, arrow, clamp, pie, round, wrapped } from "../../page/shapes.js";
import {
  APART,
  FAR_KEYS,
  MOST_PAST,
  TRAINED,
  isListed,
  isLong,
  pairsOf,
  speedsNow,
  speedsThen,
} from "./room.js";
import { choice } from "./track.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

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
  const top = (isPhone ? 4 : 34) + (isPhone ? 103 : 124) * s.ways;
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

/** @typedef {ReturnType<typeof layout>} Own */

/** @param {State} s @param {Room} room @param {Stage} stage */
export function stale(s, room, stage) {
  if (s.stale < 0.02) return "";
  const own = layout(room, s);
  return svg`${[strip, dial, lists, bars, ways].map((part) => part(s, room, stage, own))}`;
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {Own} own */
function dial(s, { isPhone, strip }, { say }, { dial }) {
  const now = speedsNow(s)[pairOf(s)];
  const angle = (TRAINED + s.past - 1) * now;
  const turned = s.place * now;
  const phase = phases(s)[pairOf(s)];
  const isOff = Math.abs(phase) > 0.02;
  const { x: cx, y: cy, r } = dial;
  const hand = (/** @type {number} */ angle) => arrow({ ...dial, r: r - 6 }, angle, isPhone ? 9 : 16); // prettier-ignore
  const solid = (/** @type {string} */ name, /** @type {number} */ angle) =>
    svg`<path stroke=${`var(--${name})`} fill=${`var(--${name})`} stroke-width="4.5" stroke-linejoin="round" d=${hand(angle)} />`;
  const angles = { q: angle, k: turned + phase, ghost: turned };
  const apart = isPhone ? 0.5 : 0.3; // of two names
  const isNear = (/** @type {number} */ a, /** @type {number} */ b) =>
    Math.abs(wrapped(a - b)) < apart;
  const name = (/** @type {keyof typeof angles} */ name) => {
    const out = name === "ghost" ? (isPhone ? 20 : 26) : isPhone ? 10 : 16;
    const isBesideQ = name !== "q" && isNear(angles[name], angles.q);
    const side = wrapped(angles[name] - angles.q) < 0 ? -apart : apart;
    const [x, y] = round(dial, r + out, isBesideQ ? angles.q + side : angles[name]);
    const isHidden = {
      q: false,
      k: false,
      ghost: !isOff || isNear(angles.ghost, angles.k) || x < 24,
    }[name];
    const css = { q: "q heavy", k: "k heavy", ghost: "k" }[name];
    return isHidden ? "" : svg`<text class=${`${css} middle`} x=${x} y=${Math.max(y, 8) + 5}>${say(`hand_${name}`)}</text>`; // prettier-ignore
  };
  const isUnder = !isPhone || s.ways > 0.5;
  const [x, y] = isUnder
    ? [cx - r, cy + r + (isPhone ? 34 : 46)]
    : [cx + r + 26, cy + s.listed * (r - 4)];
  // A low phone has no room for it between the dial and the shelf.
  const offBy = isUnder && y > strip.y - strip.r - 8 ? "" : say(isPhone ? "off_by_short" : "off_by"); // prettier-ignore
  return svg`<g data-marks="" opacity=${s.stale}>
    <circle fill="var(--paper)" stroke="var(--line)" stroke-width="1.5" cx=${cx} cy=${cy} r=${r} />
    <g data-marks="new"><path fill="var(--new)" opacity="0.25" d=${pie(dial, r * 0.92, turned, phase)} /></g>
    <g data-marks="ghost">${isOff ? svg`<path stroke="var(--k)" fill="var(--paper)" stroke-width="2" stroke-dasharray="6 5" stroke-linejoin="round" d=${hand(turned)} />` : ""}</g>
    <g data-marks="k">${solid("k", angles.k)}</g>
    <g data-marks="q">${solid("q", angles.q)}${name("q")}</g>
    <g data-marks="k">${name("k")}</g>
    <g data-marks="ghost">${name("ghost")}</g>
    <g data-marks="new ghost"><text class=${`t14 bold ${isOff ? "new" : "soft"}`} x=${x} y=${y}>${offBy}</text></g></g>`;
}

/** Small letters; a phone, held in the hand, gets larger ones. @param {boolean} isPhone */
const small = (isPhone) => `${isPhone ? "t14" : "t12"} soft`;

/** Which list the end of the text asks for. @param {State} s */
const listOf = (s) => (isLong(s) ? "list_long" : "list_short");

/** LongRoPE's two lists, a number for each dial; the one in use is the stronger.
 * @param {State} s @param {Room} room @param {Stage} stage @param {Own} own
 */
function lists(s, { isPhone }, { say, number }, { lists: { x, y: top, w, h } }) {
  const foot = top + h;
  const most = Math.log(data.phi3.long[data.phi3.long.length - 1]);
  const y = (/** @type {number} */ divided) => foot - (h * Math.log(divided)) / most;
  const list = (/** @type {string} */ name, /** @type {number[]} */ list) => {
    const steps = list.map((one) => `V${y(one).toFixed(1)}h${(w / list.length).toFixed(2)}`);
    const last = list[list.length - 1];
    const most_divided = number(last, last < 10 ? 1 : 0);
    return svg`<path fill="none" stroke="var(--ink)" stroke-width=${name === listOf(s) ? 3 : 1.2} d=${`M${x},${foot}${steps.join("")}`} />
      <text class="t12 halo end" x=${x + w} y=${y(last) + (name === "list_long" ? 16 : -8)}>${say(name === listOf(s) ? "list_end_used" : "list_end", { list: say(name), most_divided })}</text>`;
  };
  return mark(
    "lists",
    s.stale * s.listed,
    svg`<path class="line" d=${`M${x},${foot}h${w}`} />
      <text class=${small(isPhone)} x=${x} y=${top - 6}>${say("lists")}</text>
      ${[1, 10].map((divided) => svg`<text class="t12 soft end" x=${x - 6} y=${y(divided) + 4}>${isPhone ? "" : "÷"}${number(divided)}</text>`)}
      ${list("list_short", data.phi3.short)}${list("list_long", data.phi3.long)}`,
  );
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {Own} own */
function bars(s, { isPhone }, { say, set, handle }, { bars: at, isBeside }) {
  const floor = at.y + at.h;
  const width = at.w / pairsOf(s);
  const high = (/** @type {number} */ angle) => (at.h * Math.abs(angle)) / (TURN / 2);
  const look = (/** @type {number} */ to) =>
    set({ pair: clamp(Math.round(to), 0, pairsOf(s) - 1) });
  const hold = handle({
    label: say("pair_label"),
    now: pairOf(s),
    min: 0,
    max: pairsOf(s) - 1,
    text: say("pair_at"),
    keys: (by) => look(pairOf(s) + by),
    move: ([x]) => look(((x - at.x) / at.w) * pairsOf(s) - 0.5),
  });
  const bar = (/** @type {number} */ phase, /** @type {number} */ i) => {
    const wide = Math.max(1.2, width - 1.2);
    return `M${at.x + i * width + 0.6},${floor}v${-Math.max(1.5, high(phase * s.shown))}h${wide}V${floor}Z`;
  };
  const all = phases(s).map(bar);
  const level = (/** @type {string} */ name, /** @type {number} */ turns) => {
    const y = floor - high(turns * TURN);
    return shown(1 - s.right, svg`<g opacity=${1 - s.right}><path class="line" d=${`M${at.x},${y}h${at.w}`} /><text class=${`${small(isPhone)} end`} x=${at.x + at.w} y=${y - 4}>${say(name)}</text></g>`); // prettier-ignore
  };
  /** Where the bars are flat: what the layers above make their keys of. */
  const layers = () => {
    const way = WAYS[wayOf(s)];
    const short = isPhone || at.w < 400 ? "_short" : "";
    const w = Math.min(at.w, 320);
    const h = Math.min(40, at.h * 0.24);
    const gap = Math.min(40, at.h * 0.24);
    const low = at.y + at.h * 0.4 + gap / 2;
    const x = at.x + w / 2;
    const isWrong = way === "read";
    const box = (/** @type {string} */ name, /** @type {number} */ y, /** @type {boolean} */ isRed) =>
      svg`<rect rx="8" fill="var(--paper)" stroke=${`var(--${isRed ? "new" : "ink"})`} stroke-width="1.5" x=${at.x} y=${y} width=${w} height=${h} />
        <text class=${`t14 middle ${isRed ? "new" : ""}`} x=${x} y=${y + h / 2 + 5}>${say(`${name}${short}`)}</text>`; // prettier-ignore
    return svg`<g opacity=${s.right}>
      ${box("layer_first", low, false)}
      <path fill="none" stroke="var(--ink)" stroke-width="1.5" d=${`M${at.x + 20},${low}v${-gap + 2}m-5,7l5,-7l5,7`} />
      <text class=${`t14 ${isWrong ? "new" : ""}`} x=${at.x + 34} y=${low - gap / 2 + 5}>${say(`output_${way}${short}`)}</text>
      ${box(isWrong ? "layer_next_read" : "layer_next", low - gap - h, isWrong)}</g>`;
  };
  const x = at.x + (pairOf(s) + 0.5) * width;
  const middle = clamp(x, at.x + 24, at.x + at.w - 24);
  const end = (/** @type {string} */ name, /** @type {number} */ i) => {
    const both = widthOf(say(name), isPhone ? 14 : 12, 400) + widthOf(say("pair"), 14, 700) / 2;
    const isNear = Math.abs(middle - at.x - i * at.w) < both + 8;
    const y = floor + (isPhone ? 24 : 42); // below the mark's name
    return isPhone && (isNear || isBeside)
      ? ""
      : svg`<text class=${`${small(isPhone)} ${i ? "end" : ""}`} x=${at.x + i * at.w} y=${y}>${say(name)}</text>`;
  };
  const few = floor - high((FEW / 360) * TURN);
  const isFew = isListed(s); // a few degrees count there
  return svg`<g data-marks="bars" opacity=${s.stale}>
    ${isFew ? "" : level(s.ways < 0.5 && s.shown > 0.5 ? "quarter_turn_over" : "quarter_turn", 0.25)}
    ${level("half_turn", 0.5)}
    ${s.ways > 0.5 && wayOf(s) ? layers() : ""}
    ${isFew && !isPhone ? svg`<text class="t12 soft" x=${at.x + at.w + 4} y=${few + 4}>${say("few_degrees")}</text>` : ""}
    ${shown(s.right, svg`<text class=${small(isPhone)} opacity=${s.right} x=${at.x} y=${floor - 10}>${say("bars_right")}</text>`)}
    <text class=${small(isPhone)} opacity=${1 - s.right} x=${at.x} y=${at.y - (isBeside ? 14 : 4)}>${say(`${isFew ? "bars_listed" : s.ways > 0.5 ? "bars_layer" : "bars"}${isPhone || at.w < 400 ? "_short" : ""}`)}</text>
    ${["fastest", "slowest"].map(end)}
    <g data-marks="bars pair"><g ${hold}>
      <rect fill="transparent" x=${at.x} y=${at.y - 6} width=${at.w} height=${at.h + 34} />
      <path fill="var(--soft)" d=${all.filter((_, i) => i !== pairOf(s)).join("")} /><path fill="var(--new)" d=${all[pairOf(s)]} />
      <rect class="ring" rx="6" x=${middle - 28} y=${floor + 1} width="56" height="29" />
      ${isFew ? svg`<path stroke="var(--ink)" stroke-dasharray="3 3" d=${`M${at.x},${few}h${at.w}`} />` : ""}
      <path fill="var(--ink)" d=${`M${x},${floor + 3}l6,9h-12z`} />
      <text class="t14 middle bold" x=${middle} y=${floor + 25}>${say("pair")}</text></g></g></g>`;
}

/** The long text: its keys, of which one is looked at, and its end.
 * @param {State} s @param {Room} room @param {Stage} stage @param {Own} own
 */
function strip(s, { strip, width, isPhone }, { say, number, set, handle }, own) {
  const { x: left, y, w, r, gap, from, to } = strip;
  const look = (/** @type {number} */ j) =>
    set({ place: APART * clamp(Math.round(j), 0, FAR_KEYS - 1) });
  const key = handle({
    label: say("place_label"),
    now: s.place,
    min: 0,
    max: APART * (FAR_KEYS - 1),
    text: say("place_at"),
    keys: (by) => look(s.place / APART + Math.sign(by)),
    move: ([x]) => look((x - left) / gap - 0.5),
  });
  const x = (/** @type {number} */ past) => from + ((to - from) * past) / MOST_PAST;
  const write = (/** @type {number} */ past) =>
    set({ past: clamp(Math.round(past), 0, MOST_PAST) });
  const end = handle({
    label: say("end_label"),
    now: TRAINED + Math.round(s.past),
    min: TRAINED,
    max: TRAINED + MOST_PAST,
    text: say("end_said"),
    keys: (by) => write(s.past + by),
    start: ([px]) => px - x(s.past),
    move: ([px], away) => write(((px - away - from) / (to - from)) * MOST_PAST),
  });
  const isFixed = isWay(s, "fixed") > 0.5;
  const hasGrown = Math.round(s.past) > 0 && to - from > 150; // where there is room to say so
  const base = `base_${isFixed ? (isPhone ? "fixed_short" : "fixed") : hasGrown ? "grown" : "at"}`;
  const [cx, right] = [left + (s.place / APART + 0.5) * gap, width - (isPhone ? 4 : 20)];
  const name = (/** @type {unknown} */ _, /** @type {number} */ j) =>
    isPhone && j % 2
      ? ""
      : svg`<text class=${`${small(isPhone)} middle`} x=${left + (j + 0.5) * gap} y=${y + r + (isPhone ? 18 : 24)}>${number(j * APART)}</text>`;
  const over = y - r - 12; // of the row's name, where the dial's leaves it room
  const isNamed =
    !isPhone && own.dial.y + own.dial.r + 66 < over && widthOf(say("kept_keys"), 12, 400) < w;
  return svg`
    ${mark(
      "k shelf",
      s.stale,
      svg`${isNamed ? svg`<text class="t12 soft" x=${left} y=${over}>${say("kept_keys")}</text>` : ""}
        <path stroke="var(--ink)" stroke-width="3" stroke-linecap="round" d=${`M${left},${y + r + 4}h${w}`} />
        ${Array.from({ length: FAR_KEYS }, name)}`,
    )}
    ${mark(
      "k place",
      s.stale,
      svg`<g ${key}><rect fill="transparent" x=${left} y=${y - r - 4} width=${w} height=${2 * r + 8} />
        <circle fill="none" stroke="var(--ink)" stroke-width="2.5" cx=${cx} cy=${y} r=${r + 2} />
        <circle class="ring" cx=${cx} cy=${y} r=${r + 4} /></g>`,
    )}
    ${mark(
      "end",
      s.stale,
      svg`<path stroke="var(--line)" stroke-width="3" d=${`M${from},${y}H${to}`} />
        <text class="t14 end bold" x=${right} y=${y - (isPhone ? 18 : 24)}>${say("end_at")}</text>
        <text class="t14 end soft" x=${right} y=${y + (isPhone ? 29 : 42)}>${say(isListed(s) ? listOf(s) : base)}</text>`,
    )}
    ${mark(
      "end q",
      s.stale * (1 - s.guessing),
      svg`<g ${end} transform=${moved(x(s.past), y)}>${grip({ fill: "var(--q-fill)" })}
        <path d="M-6,0h12m-3,-3l3,3l-3,3m-6,0l-3,-3l3,-3" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" /></g>`,
    )}`;
}

/** Ways out, and below each what it has cost. @param {State} s @param {Room} room @param {Stage} stage */
function ways(s, { width, isPhone }, stage) {
  const { say, number, move, seen } = stage;
  const left = isPhone ? 6 : 190;
  const w = Math.min(width - left - 6, 640);
  const x = isPhone ? 8 : 28;
  const row = (/** @type {"turned" | "run" | "right"} */ name, /** @type {number} */ i) => {
    const y = isPhone ? 48 + 16 * i : 76 + 22 * i;
    const count = (/** @type {string} */ way, /** @type {number} */ j) => {
      const isNamed = isPhone && j === 0; // which leaves no column for names
      const count = name === "right" ? say(`right_${way}`) : number(costs(s, way)[name]);
      const isWrong = name === "right" && (way === "written" || way === "read");
      const isKnown = j === 0 || seen.has(j) || j === wayOf(s);
      if (!isKnown) return svg`<text class="t14 soft middle" x=${left + ((j + 0.5) * w) / WAYS.length} y=${y}>?</text>`; // prettier-ignore
      const css = `t14 ${isNamed ? "" : "middle"} ${j === wayOf(s) ? "bold" : ""} ${isWrong ? "new" : ""}`;
      return svg`<text class=${css} x=${isNamed ? x : left + ((j + 0.5) * w) / WAYS.length} y=${y}>${isNamed ? say(`cost_${name}_short`, { count }) : count}</text>`;
    };
    return svg`${isPhone ? "" : svg`<text class="t14" x=${x} y=${y}>${say(`cost_${name}`)}</text>`}${WAYS.map(count)}`;
  };
  const way = WAYS[wayOf(s)];
  const length = isPhone && way === "again" ? "_short" : "";
  return svg`
    ${choice(
      stage,
      "ways",
      s.stale * s.ways,
      {
        label: say("ways_label"),
        names: WAYS.map((way) => say(`way_${way}`)),
        now: s.way,
        set: (to) => {
          seen.add(to);
          move({ way: to, right: to ? 1 : 0 }, 700);
        },
      },
      { x: left, y: isPhone ? 5 : 20, w, isPhone },
    )}
    ${mark("cost", s.stale * s.ways, svg`${row("turned", 0)}${row("run", 1)}${row("right", 2)}`)}
    ${mark("ways", s.stale * s.ways, svg`<text class="t14" x=${x} y=${isPhone ? 97 : 143}>${say(`note_${way}${length}`)}</text>`)}`;
}
