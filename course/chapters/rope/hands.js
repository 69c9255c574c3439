// RoPE: what is dragged: words, the tip of an arrow, the peak, the dials that are added up.

import { START } from "../../page/by_hand.js";
import { svg } from "../../page/lit/lit.js";
import { at, grip, pill } from "../../page/parts.js";
import { clamp, degrees, round, wrapped } from "../../page/shapes.js";
import { PAIRS, ROW, peak } from "./head.js";
import { placeX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** @param {State} s @param {Room} room @param {Stage} stage */
export const hands = (s, room, stage) => svg`
  ${sweep(s, room, stage)}
  ${s.key < 0.02 ? "" : word(s, room, stage, "n", "k")}
  ${word(s, room, stage, "m", "q")}
  ${tip(s, room, stage)}
  ${top(s, room, stage)}`;

// One word moves, the other too if the distance is locked; the query never stands before the key.
/** @param {State} s @param {"m" | "n"} which */
function ends({ m, n, last, lock, key, row }, which) {
  if (lock < 0.5) return which === "m" ? [key > 0.5 ? n : 0, last] : [0, m];
  const first = row > 0.5 ? ROW[0] : m - n; // a row has words before both
  const before = which === "m" ? 0 : m - n;
  return [first - before, last - before];
}

/** @param {State} s @param {Stage} stage @param {"m" | "n"} which @param {number} to */
function place(s, { set, seen }, which, to) {
  const was = s.m;
  const [low, high] = ends(s, which).map(Math.round);
  const there = clamp(to, low, high);
  const other = which === "m" ? "n" : "m";
  set({ [which]: there, ...(s.lock > 0.5 && { [other]: s[other] + there - s[which] }) });
  const [from, until] = [Math.min(was, s.m), Math.max(was, s.m)];
  for (let i = Math.ceil(from - 0.04); i <= until + 0.04; i++) seen.add(i);
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {"m" | "n"} which @param {"q" | "k"} mark */
function word(s, room, stage, which, mark) {
  const { say, move, handle } = stage;
  const x = placeX(room, s[which]);
  const y = room.rail + (mark === "k" ? 26 : room.isPhone ? -42 : -48);
  const [min, max] = ends(s, which).map(Math.round);
  const settle = () => move({ m: Math.round(s.m), n: Math.round(s.n) }, 140);
  const hold = handle({
    label: say(`${mark}_label`),
    now: Math.round(s[which]),
    min,
    max,
    text: say(`${mark}_at`),
    keys: (by) => {
      place(s, stage, which, Math.round(s[which]) + by);
      settle();
    },
    start: ([from]) => from - x,
    move: ([to], off) => place(s, stage, which, (to - off - room.left) / room.gap),
    end: settle,
  });
  const stem = mark === "q" ? 30 : room.rail - y + 6; // that of the key ends above its number
  return svg`<g data-marks=${mark}><g ${hold} transform=${at(x, y)} opacity=${mark === "k" ? s.key : 1}>
    <line stroke=${`var(--${mark})`} stroke-width="2" y1=${stem} y2=${room.rail - y} />
    <rect x="-38" y="-5" width="76" height="44" fill="transparent" />
    ${pill({ x: -30, y: 0, width: 60, height: 32, rx: 8, fill: `var(--${mark}-fill)` })}
    <text y="21" class="middle white bold">${say(`${mark}_word`)}</text></g></g>`;
}

/** The dials that are added up. @param {State} s @param {Room} room @param {Stage} stage */
function sweep(s, { sweep: box, dials, isPhone }, { say, set, move, step, handle }) {
  if (step() !== "slower" || s.view <= 1.5) return "";
  const count = Math.round(s.dials);
  const next = dials[Math.min(count, PAIRS - 1)];
  const off = next.r * 0.75;
  const hold = handle({
    label: say("sweep_label"),
    now: count,
    min: 1,
    max: PAIRS,
    keys: (by) => set({ dials: clamp(Math.round(s.dials) + Math.sign(by), 1, PAIRS) }),
    move: ([x, y]) => {
      const away = dials.slice(0, PAIRS).map((c) => Math.hypot(c.x - x, c.y - y) - c.r);
      move({ dials: away.indexOf(Math.min(...away)) + 1 }, 250);
    },
  });
  const isMore = count < PAIRS && Math.abs(s.dials - count) < 0.05;
  // Free of the next dial's words.
  const plus = svg`<g transform=${at(next.x - off, next.y + (isPhone ? off : -off))}>
    <circle r=${isPhone ? 9 : 12} fill="var(--paper)" stroke="var(--ink)" stroke-width="1.5" />
    <path d="M-5,0H5M0,-5V5" stroke="var(--ink)" stroke-width="2" /></g>`;
  return svg`<g data-marks="dials"><g ${hold}>
    <rect class="ring" rx="12" style="fill: transparent" x=${box.x} y=${box.y} width=${box.w} height=${box.h} />
    ${isMore ? plus : ""}</g></g>`;
}

/** Content: where the query's arrow points. @param {State} s @param {Room} room @param {Stage} stage */
function tip(s, { dial }, { say, set, step, handle }) {
  if (!["content", "row"].includes(step()) || s.split < 0.02) return "";
  /** Where it cancels one place, a hand means it. @param {number} radians @param {number} within */
  function bend(radians, within) {
    const to = wrapped(radians);
    set({ bend: step() === "content" && Math.abs(to + 1) < within ? -1 : to });
  }
  const hold = handle({
    label: say("tip_label"),
    now: degrees(s.bend),
    min: -180,
    max: 179,
    text: say("content_at"),
    keys: (by) => bend(((degrees(s.bend) + by) * Math.PI) / 180, 0.008),
    move: ([x, y]) => bend(Math.atan2(dial.y - y, x - dial.x) - START - s.m, 0.12),
  });
  const isRow = step() === "row"; // no room for a name beside it
  const look = { r: isRow ? 13 : 11, fill: "var(--paper)", stroke: "var(--q)", width: 4 };
  return svg`<g data-marks="q"><g ${hold} opacity=${s.split} transform=${at(...round(dial, dial.r, START + s.m + s.bend))}>${grip(look)}${isRow ? svg`<text class="q bold middle" y="5">q</text>` : ""}</g></g>`;
}

/** The peak. @param {State} s @param {Room} room @param {Stage} stage */
function top(s, { plot: p }, { number, step }) {
  if (step() !== "content" || s.curve < 0.02) return "";
  const best = peak(s);
  const isRight = best > s.last * 0.9;
  return svg`<g data-marks="curve" opacity=${s.curve} transform=${at(p.x + (best / s.last) * p.w, p.y - 13)}>
    <path d="M0 9L-9-7H9Z" fill="var(--content)" />
    <text y="3" class=${`content bold ${isRight ? "end" : ""}`} x=${isRight ? -12 : 12}>${number(best, 1)}</text></g>`;
}
