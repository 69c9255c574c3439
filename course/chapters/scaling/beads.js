// Each pair a bead: further right the fewer turns it made in training, higher the more it is slowed.

import {
  BASE,
  METHODS,
  PAIRS,
  SPEEDS,
  TRAINED,
  TURNS,
  chord,
  isNew,
  level,
  pairAt,
  ramp,
  slowed,
} from "./scalings.js";
import { letters } from "../../../static/lines.js";
import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, seen, through } from "../../page/parts.js";
import { TURN, clamp, mix } from "../../page/shapes.js";
import { LONG } from "./pair.js";
import { SHOWN, TWO, levelY, pairX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Method } from "./scalings.js" */
/** @import { Room } from "./room.js" */
/** @import { Point } from "../../page/shapes.js" */

const REACH = 3; // pairs beside a stroke's end that it pulls along
const AXIS = [1000, 100, 32, 10, 1, 0.1]; // turns
const SAME = 0.03; // levels: two lines that are one
const NAMES = { linear: 2, ntk: 10, yarn: 18 }; // pairs at which a method's name stands
const OWN = 25; // and that of the reader's own

/** Whether a line lies on a method's. @param {number[]} u @param {Method} name */
export const isOn = (u, name) => levelsOf(name).every((one, i) => Math.abs(one - u[i]) < SAME);
/** @param {Method} name */
export const levelsOf = (name) => METHODS[name].map(level);

/** Near a line that means something, a hand means it. @param {number} u */
const snapped = (u) => (u > 0.94 ? 1 : u < 0.02 ? 0 : clamp(u, 0, 1));

/**
 * A line after a stroke: the pairs that it passed, and those beside its ends pulled along.
 * @param {number[]} before @param {Map<number, number>} passed
 */
function stroked(before, passed) {
  const [first, last] = [Math.min(...passed.keys()), Math.max(...passed.keys())];
  return before.map((was, i) => {
    const now = passed.get(i);
    if (now !== undefined) return now;
    const edge = i < first ? first : last;
    const off = Math.abs(i - edge);
    const pull = off < REACH ? Math.cos((Math.PI * off) / (2 * REACH)) ** 2 : 0;
    return snapped(was + ((passed.get(edge) ?? 0) - before[edge]) * pull);
  });
}

/**
 * A line after an arrow key on a bead, and on those beside it, or on all.
 * @param {number[]} u @param {number} by @param {number} [i]
 */
export const lifted = (u, by, i) =>
  u.map((was, j) => {
    const off = i === undefined ? 0 : Math.abs(i - j);
    const pull = off < 5 ? Math.cos((Math.PI * off) / 10) ** 2 : 0;
    return clamp(was + by * pull, 0, 1);
  });

/** @typedef {{ mode: "" | "all" | "free", reshaped: (u: number[]) => void }} Hand */
/** @typedef {{ before: number[], passed: Map<number, number>, last: { i: number, u: number } | null }} Stroke */

/** @param {State} s @param {Room} room @param {Stage} stage @param {Hand} hand */
export function beads(s, room, stage, { mode, reshaped }) {
  const stays = clamp(1 - 2 * s.crowd, 0, 1);
  if (stays < 0.02) return "";
  const { say, number, handle, isGuessing } = stage;
  const { isPhone, graph: g } = room;
  const canDraw = mode !== "" && !isGuessing();
  const base = levelY(room, 0);
  const sinks = room.leaves * (room.height - base + 40);
  const moves = moved(0, sinks);
  const change = (/** @type {number[]} */ u) => canDraw && reshaped(u);
  const times = (/** @type {number} */ u) => say("slowed_times", { times: number(slowed(u), 1) });

  /** The hand passes beads; in the step of one line for all it lifts them together. @param {[number, number]} point @param {Stroke} stroke */
  function drawnAt([x, y], stroke) {
    const u = snapped(1 - (y - g.y) / g.h);
    if (mode === "all") return s.u.map(() => u);
    const i = clamp(Math.round(((x - g.x) / g.w) * (PAIRS - 1)), 0, PAIRS - 1);
    const from = stroke.last ?? { i, u };
    const far = Math.abs(i - from.i);
    for (let k = 0; k <= far; k++)
      stroke.passed.set(from.i + Math.sign(i - from.i) * k, far ? mix(from.u, u, k / far) : u);
    stroke.last = { i, u };
    return stroked(stroke.before, stroke.passed);
  }
  const most = Math.max(...s.u);
  const area = handle({
    label: say("line_label"),
    now: Number(slowed(most).toFixed(2)),
    min: 1,
    max: 4,
    text: times(most),
    isOff: !canDraw,
    keys: (by) => change(lifted(s.u, by * 0.05)),
    start: () => ({ before: s.u.slice(), passed: new Map(), last: null }),
    move: (point, stroke) => change(drawnAt(point, stroke)),
  });
  const frame = (/** @type {string} */ css) =>
    svg`<rect class=${css} fill="transparent" rx="8" x=${g.x - 9} y=${g.y - 10} width=${g.w + 18} height=${g.h + 19} />`;
  const isHinted = s.ghosts < 0.02 && mode === "free" && canDraw && most < 0.05;
  const hint = svg`<text class="soft halo middle" pointer-events="none" x=${g.x + g.w / 2} y=${levelY(room, 0.64)}>${say("draw_here")}</text>`;

  /** @type {Point[]} */
  const places = s.u.map((/** @type {number} */ u, /** @type {number} */ i) => [
    pairX(room, i),
    levelY(room, u),
  ]);
  const isRed = (/** @type {number} */ i) => isNew(i, slowed(s.u[i]), s.length);
  const bead = (/** @type {[number, number]} */ [x, y], /** @type {number} */ i) => {
    const slow = slowed(s.u[i]);
    const lost = Math.sqrt(Math.max(0, chord(SPEEDS[i]) - chord(SPEEDS[i] / slow)) / chord(1));
    const fill = isRed(i)
      ? "var(--new)"
      : `color-mix(in oklab, var(--near) ${Math.round(100 * clamp(lost, 0, 1))}%, var(--ink))`;
    return {
      stem: svg`<path stroke-width="4" stroke=${fill} opacity=${isRed(i) ? 0.3 : 0.08} d=${`M${x},${y}V${base}`} />`,
      dot: svg`<circle fill=${fill} cx=${x} cy=${y} r=${isPhone ? 3.6 : 5} />`,
    };
  };
  const all = places.map(bead);
  const methods = /** @type {Method[]} */ (Object.keys(NAMES));
  // The reader's own line, until it is laid on one of the others.
  const isOwn = s.ghosts > 0.5 && most > 0.05 && !methods.some((name) => isOn(s.u, name));
  const highest = Math.max(...s.u.slice(OWN - 2, OWN + 3));
  return svg`
    ${mark("beads axis", stays, svg`<g transform=${moves}>${axis(s, room, stage)}</g>`)}
    ${mark("beads", mode ? s.open * stays : 0, svg`<g ${area} transform=${moves}><g style="cursor: crosshair">${frame("")}</g>${frame("ring")}${isHinted ? hint : ""}</g>`)}
    ${mark(
      "two",
      s.clock * stays,
      ["two_long", "two_short"].map((name, k) => two(s, room, stage, name, k)),
    )}
    <g pointer-events="none">${mark(
      "beads new near",
      stays,
      svg`<g transform=${moves}><path fill="none" stroke="var(--ink)" stroke-width="2" stroke-linejoin="round" d=${through(places)} />
        ${all.map(({ stem }) => stem)}${all.map(({ dot }) => dot)}
        ${isOwn ? svg`<text class="t14 halo middle" x=${pairX(room, OWN)} y=${levelY(room, highest) - 14}>${say("yours")}</text>` : ""}</g>`,
    )}</g>
    ${/* Which beads the two large dials are of; once these can be moved they are rings of their own. */ mark("beads", canDraw ? 0 : s.two * s.open * stays, svg`<g transform=${moves}>${TWO.map((i) => svg`<circle fill="none" stroke-width="3" stroke=${`var(--${isRed(i) ? "new" : "ink"})`} cx=${places[i][0]} cy=${places[i][1]} r=${isPhone ? 6.5 : 9} />`)}</g>`)}
    ${methods.map((name) => mark("ghosts", s.ghosts * stays, ghost(room, stage, name)))}
    ${SHOWN.map((i) => {
      const hold = handle({
        label: say("bead_label", {
          dial: number(i + 1),
          turns: number(TURNS[i], TURNS[i] < 10 ? 1 : 0),
        }),
        now: slowed(s.u[i]),
        min: 1,
        max: 4,
        text: times(s.u[i]),
        isMute: !canDraw || (s.two >= 0.5 && !TWO.includes(i)),
        keys: (by) => change(lifted(s.u, by * 0.04, mode === "all" ? undefined : i)),
      });
      const [x, y] = places[i];
      const r = isPhone ? 5.5 : 8;
      const dot = svg`<circle fill="var(--paper)" stroke-width="3" stroke=${`var(--${isRed(i) ? "new" : "ink"})`} r=${r} /><circle class="ring" r=${r - 4} />`;
      const isShown = s.two < 0.5 || TWO.includes(i); // else its dial is not drawn
      const presence = canDraw && isShown ? s.open * stays : 0;
      return svg`<g pointer-events="none">${mark("beads", presence, svg`<g ${hold} transform=${moved(x, y + sinks)}>${dot}</g>`)}</g>`;
    })}`;
}

const LETTER = 7; // pixels of one, on average

/** @param {State} s @param {Room} room @param {Stage} stage */
function axis(s, room, { say, number }) {
  const { isPhone, graph: g } = room;
  const base = levelY(room, 0);
  const y = (/** @type {number} */ times) => levelY(room, level(times));
  const across = (/** @type {number} */ times) => `M${g.x - 8},${y(times).toFixed(1)}h${g.w + 16}`;
  const row = (/** @type {number} */ times) => {
    const isSmall = (g.h < 90 && (times === 2 || times === 3)) || (g.h < 24 && times > 1);
    const isShort = isPhone || LETTER * letters(say("as_trained")) > g.x - 14;
    const name = isShort ? "as_trained_short" : "as_trained";
    const text = times > 1 ? say("slowed_by", { times: number(times) }) : say(name);
    const presence = isSmall ? 0 : s.open;
    return svg`<text class="t14 soft end" opacity=${presence} x=${g.x - 14} y=${y(times) + 5}>${text}</text>`;
  };
  const turns = (/** @type {number} */ count) =>
    isPhone && (s.two > 0.5 || count === 1000 || count === 10)
      ? ""
      : svg`<text class="t14 soft halo middle" x=${pairX(room, pairAt(count))} y=${base + 22}>${number(count, count < 1 ? 1 : 0)}</text>`;
  /** @param {string} name @param {number} x @param {string} css */
  const end = (name, x, css) =>
    svg`<text class=${`t14 soft halo ${css}`} x=${x} y=${base + mix(isPhone ? 22 : -16, isPhone ? 35 : 42, s.open)}>${say(name)}</text>`;
  return svg`
    <path class="line" opacity=${s.open} d=${[2, 3, 4].map(across).join("")} />
    <path class="line" d=${across(1)} />
    ${[1, 2, 3, 4].map(row)}
    ${/* Else the dials below say it. */ seen(s.open, AXIS.map(turns))}
    ${
      isPhone && s.two > 0.5
        ? ""
        : svg`${end("fast_end", g.x - 10, "")}${end("slow_end", g.x + g.w + 10, "end")}
    ${seen(/* The knee names them, too. */ isPhone ? 1 - s.clock : s.open, end("turns_axis", g.x + g.w / 2, "middle"))}`
    }`;
}

/** One of the two dials that are the hands of a clock. @param {State} s @param {Room} room @param {Stage} stage @param {string} name @param {number} k */
function two(s, room, { say }, name, k) {
  const [x, y] = [pairX(room, LONG + k), levelY(room, s.u[LONG + k])];
  const isNamed = k || levelY(room, 0) - y > 40; // the knee has a name there
  // Beside the ramp that rises from the left: above it, and below it.
  return svg`<circle fill="none" stroke="var(--new)" stroke-width="2.5" cx=${x} cy=${y} r=${room.isPhone ? 6.5 : 9} />
    ${isNamed ? svg`<text class=${`t14 new halo ${k ? "" : "end"}`} x=${x + (k ? 12 : -12)} y=${y + (k ? 18 : -10)}>${say(room.isPhone ? `${name}_short` : name)}</text>` : ""}`;
}

/** The line of a method. @param {Room} room @param {Stage} stage @param {Method} name */
function ghost(room, { say }, name) {
  const us = levelsOf(name);
  const at = NAMES[/** @type {keyof typeof NAMES} */ (name)];
  const isLinear = name === "linear";
  const x = pairX(room, at) - (isLinear ? 0 : room.isPhone ? 6 : 18);
  return svg`<path fill="none" stroke="var(--soft)" stroke-width="2" stroke-dasharray="6 5" d=${through(us.map((u, i) => [pairX(room, i), levelY(room, u)]))} />
    <text class=${`t14 soft halo ${isLinear ? "middle" : "end"}`} x=${x} y=${levelY(room, us[at]) + (isLinear ? 20 : -8)}>${say(`${room.isPhone ? "name" : "ghost"}_${name}`)}</text>`;
}

/** The knee of the ramp, dragged. @param {State} s @param {Room} room @param {Stage} stage */
export function knee(s, room, { say, number, set, handle }) {
  const { x, w } = room.graph;
  function turn(/** @type {number} */ turns) {
    const to = clamp(turns, 2, 100);
    const fast = [32, 4].find((one) => Math.abs(Math.log(to / one)) < 0.06) ?? to;
    set({ fast, u: ramp(fast, 1).map(level) });
  }
  const turns = say("turns", { turns: number(s.fast, s.fast < 9.95 && s.fast % 1 ? 1 : 0) });
  const hold = handle({
    label: say("knee_label"),
    now: s.fast,
    min: 2,
    max: 100,
    text: turns,
    isMute: s.clock <= 0.5,
    keys: (by) => turn(s.fast * 1.12 ** -by),
    move: ([px]) => turn((TRAINED / TURN) * BASE ** (-((px - x) / w) * ((PAIRS - 1) / PAIRS))),
  });
  return mark(
    "knee",
    s.clock * clamp(1 - 2 * s.crowd, 0, 1),
    svg`<g ${hold} transform=${moved(pairX(room, pairAt(s.fast)), levelY(room, 0))}>${grip({ r: 12 })}
      <text class="t14 halo end" x="-20" y="-14">${say("knee", { turns })}</text></g>`,
  );
}
