// What is set on a line: the slope, the needle's content, the length of the text.

import { svg } from "../../page/lit/lit.js";
import { at as place, grip, mark, seen as shown } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { READ } from "./light.js";
import { SIDE, WORDS, isSeen, needOf, poolOf, queryOf } from "./scene.js";

/** @import { Grip, Stage, State } from "../../page/types" */
/** @import { Room } from "./scene" */

const HEADS = 8;
const FEWEST = 4; // pages along a side of the smallest map
const CONTENT = 220; // the highest score that can be given
/** Where a score stands on its rail, which has room for small ones. */
const along = (/** @type {number} */ score) => Math.sqrt(clamp(score, 0, CONTENT) / CONTENT);
const CATCHES = 0.01; // of the rail: a hand so near to what is needed means it
const SQUARES = [22, 16]; // pixels, of a light that is compared; on a phone
const AROUND = 1.5; // a needle that is lit with more than this many times what it needs was not aimed at
const GROW = Math.log(SIDE / FEWEST);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function rails(s, room, stage) {
  const { step, isGuessing } = stage;
  if (step() === "needle" && !isGuessing()) noteLit(s, stage);
  return svg`
    ${mark("slope", s.slopes, slopes(s, room, stage))}
    ${mark("score k", s.contents * (1 - s.line), contents(s, room, stage))}
    ${mark("length", s.lengths, lengths(s, room, stage))}
    ${mark("pool", s.read, pool(s, room, stage))}
    ${mark("full light", s.read * (1 - s.map), full(room, stage))}
    ${mark("k", Math.max(s.contents, s.read_needle), needle(s, room, stage))}
    ${mark("bright", s.read_needle, bright(s, room, stage))}`;
}

/**
 * @param {State} s @param {Room} room @param {Stage} stage
 * @param {{ y: number, at: number, presence: number, ticks: [number, string][], name: string, to: (at: number) => void }
 *   & Omit<Grip, "move">} rail `at` and `to` from 0 to 1.
 */
function rail(s, room, { handle }, { y, at, presence, ticks, name, to, ...grips }) {
  const { rail: r, row, isPhone } = room;
  const x = (/** @type {number} */ t) => r.from + t * (r.to - r.from);
  const isClose = isPhone && s.contents > 0.5; // numbers of another rail stand above
  const hold = handle({
    ...grips,
    isOff: presence <= 0.5,
    move: ([to_x]) => to(clamp((to_x - r.from) / (r.to - r.from), 0, 1)),
  });
  return svg`
    <line class="line" stroke-width="2" x1=${r.from} x2=${r.to} y1=${y} y2=${y} />
    ${ticks.map(([t, text]) => {
      const isLast = t === 1 && isPhone && text.length > 3; // it would leave the picture
      return svg`<circle r="3" fill="var(--soft)" cx=${x(t)} cy=${y} />
        <text class=${`t12 soft ${isLast ? "end" : "middle"}`} x=${x(t) + (isLast ? 12 : 0)} y=${y + (isPhone ? 21 : Math.min(25, row * 0.48 - 6))}>${text}</text>`;
    })}
    <text class=${`t14 bold ${isPhone ? "end" : ""}`} x=${isPhone ? r.to + 10 : r.from - 8} y=${y - (isClose ? 14 : 20)}>${name}</text>
    <g ${hold} transform=${place(x(at), y)}>${grip()}</g>`;
}

/** Note that the needle is lit in this head, and not by pulling everything to the end. @param {State} s @param {Stage} stage */
function noteLit(s, { seen }) {
  const head = Math.round(s.head);
  const isWhole = Math.abs(s.head - head) < 0.05;
  if (isWhole && isSeen(s) && s.content <= needOf(s) * AROUND + 4) seen.add(head);
}

/** @param {State} s @param {Room} room @param {Stage} stage */
function slopes(s, room, stage) {
  const { say, set, move } = stage;
  const headOf = (/** @type {number} */ head) => ({ head: clamp(Math.round(head), 1, HEADS) });
  return rail(s, room, stage, {
    y: room.rows[0],
    at: (s.head - 1) / (HEADS - 1),
    presence: s.slopes,
    ticks: Array.from({ length: HEADS }, (_, i) => [i / (HEADS - 1), `${i + 1}`]),
    name: say(room.isPhone ? "slope_of_short" : "slope_of"),
    label: say("slope_label"),
    now: Math.round(s.head),
    min: 1,
    max: HEADS,
    text: say("slope_at"),
    to: (t) => set({ head: 1 + t * (HEADS - 1) }),
    keys: (by) => set(headOf(s.head + by)),
    end: () => move(headOf(s.head), 140),
  });
}

/** @param {State} s @param {Room} room @param {Stage} stage */
function contents(s, room, stage) {
  const { say, set } = stage;
  const need = needOf(s);
  const y = room.rows[1];
  const give = (/** @type {number} */ content) => {
    set({ content: clamp(content, 0, CONTENT) });
    noteLit(s, stage);
  };
  const { from, to } = room.rail;
  return svg`${rail(s, room, stage, {
    y,
    at: along(s.content),
    presence: s.contents * (1 - s.line),
    ticks: [0, 2, 20, 50, 100, 150, 200].map((score) => [along(score), `${score}`]),
    name: "",
    label: say("content_label"),
    now: s.content,
    min: 0,
    max: CONTENT,
    text: say("content_at"),
    to: (t) => give(Math.abs(t - along(needOf(s))) < CATCHES ? needOf(s) : t * t * CONTENT),
    keys: (by) => give(Math.round((s.content + by * (s.content + by > 10 ? 2 : 0.5)) * 2) / 2),
  })}
    ${room.isPhone ? "" : svg`<text class="t14 bold end" x=${from - 18} y=${y + 5}>${say("content")}</text>`}
    <g transform=${place(from + along(need) * (to - from), y)}>
    <path d="M0,-12L-6,-21H6Z" fill="var(--k)" />
    <text class="t12 k middle" y="-26">${say("needs")}</text></g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
function lengths(s, room, stage) {
  const { say, set, move } = stage;
  const sideAt = (/** @type {number} */ words) =>
    Math.log(Math.sqrt(words / WORDS) / FEWEST) / GROW;
  return rail(s, room, stage, {
    y: room.rows[0],
    at: clamp(Math.log(s.zoom / FEWEST) / GROW, 0, 1),
    presence: s.lengths,
    ticks: [
      [0, say("ten_thousand")],
      [sideAt(1e5), say("hundred_thousand")],
      [1, say("million")],
    ],
    name: say(room.isPhone ? "words_of_short" : "words_of"),
    label: say("length_label"),
    now: Math.round(s.zoom) ** 2 * WORDS,
    min: FEWEST ** 2 * WORDS,
    max: SIDE ** 2 * WORDS,
    text: say("words_of"),
    to: (t) => set({ zoom: FEWEST * Math.exp(t * GROW) }),
    keys: (by) => set({ zoom: clamp(Math.round(s.zoom) + by, FEWEST, SIDE) }),
    end: () => move({ zoom: Math.round(s.zoom) }, 140),
  });
}

/** @param {State} s @param {Room} room @param {Stage} stage */
function pool(s, { rows: [y], isPhone, text: x }, { say }) {
  const size = isPhone ? "_short" : "";
  // As on the page, where it stands before the first of these words.
  const isBefore = poolOf(s) > queryOf(s) + 1;
  const foot = y + (isPhone ? 17 : 21);
  return svg`
    ${isBefore ? "" : svg`<path stroke="var(--ink)" stroke-width="4" d=${`M${x},${y - (isPhone ? 20 : 26)}V${foot + 3}`} />`}
    <text class="big" x=${x + 10} y=${y - 3}>${say(isPhone ? "pool_short" : "pool_words")}</text>
    <text class="t14" x=${x + 10} y=${foot}>${say(isBefore ? `hold_before${size}` : `hold${size}`)}</text>`;
}

/** How much full light is worth: the page shows shares of the brightest word. @param {Room} room @param {Stage} stage */
function full({ rail: r, rows, page, isPhone, width }, { say }) {
  const [x, y] = [r.from + (isPhone ? 0 : 232), rows[0] - (isPhone ? 15 : 20)];
  return svg`<rect fill="var(--attention)" width="14" height="14" rx="2" x=${x} y=${y - 12} opacity=${page.isGreek ? 1 : READ} />
    <text class="t14" x=${x + 20} y=${y}>${say(width < 700 ? "full_short" : "full")}</text>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
function needle(s, { rows, upper, isPhone, text: x }, { say }) {
  const size = isPhone ? "_short" : "";
  const told = ["content_is", s.line > 0.5 ? "needs" : "has", s.line > 0.5 ? "has" : "own_has"];
  return svg`
    ${shown(
      s.contents,
      told.map(
        (name, i) =>
          svg`<text class=${i ? "t14" : "t14 k bold"} opacity=${s.contents} x=${x} y=${upper + (i - 1) * (isPhone ? 17 : 21) + 4}>${say(`${name}${size}`)}</text>`,
      ),
    )}
    ${shown(
      s.read_needle,
      svg`<g opacity=${s.read_needle}>
        <text class="big k" x=${x} y=${rows[1] + 1}>${say("needs")}</text>
        <text class="t14" x=${x} y=${rows[1] + (isPhone ? 20 : 24)}>${say(`needs_why${size}`)}</text></g>`,
    )}`;
}

/** How bright the needle is by its distance alone, beside the query's own word. @param {State} s @param {Room} room @param {Stage} stage */
function bright(s, { rail: r, rows, isPhone }, { say }) {
  const x = r.from + (isPhone ? 0 : 40);
  const size = isPhone ? "_short" : "";
  const side = SQUARES[Number(isPhone)];
  const squares = /** @type {const} */ ([
    ["full_own", 1],
    ["light_of", Math.exp(-needOf(s))],
  ]);
  return squares.map(([name, light], i) => {
    const y = rows[1] + (isPhone ? [1, 20] : [-10, 16])[i];
    const top = y - side / 2 - 5;
    return svg`<rect fill="var(--wash)" width=${side} height=${side} x=${x} y=${top} />
      <rect fill="var(--attention)" stroke="var(--soft)" fill-opacity=${light.toFixed(3)} width=${side} height=${side} x=${x} y=${top} />
      <text class="t14" x=${x + side + 8} y=${y}>${say(`${name}${size}`)}</text>`;
  });
}
