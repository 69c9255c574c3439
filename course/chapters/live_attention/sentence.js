// The sentence, its arcs, and the query that is dragged along it.

import { svg } from "../../page/lit/lit.js";
import { mark, pill, seen, widthOf } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import {
  COUNT,
  LAST,
  SECOND,
  WORDS,
  back,
  backShare,
  bestOf,
  copyShare,
  firstShare,
  headOf,
  query,
  rests,
  scaleOf,
  weight,
} from "./read.js";
import { full, spot, wordAt } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const SEEN = 0.045; // a share that is written
const CROSSED = 0.4; // of the ink of arcs that cross each other
const MUCH = 0.2; // a share that makes a word the key

/** @param {Room} room @param {number} i @param {number} j */
function arc(room, i, j) {
  const { base, deep, isPhone } = room;
  const [x0, y0] = spot(room, wordAt(room, j), base);
  const [x1, y1] = spot(room, wordAt(room, i), base);
  const half = (wordAt(room, i) - wordAt(room, j)) / 2;
  const high = deep * Math.min(1, 0.1 + (1.8 * half) / full(room));
  const [rx, ry] = isPhone ? [high, half] : [half, high];
  return `M${x1.toFixed(1)},${y1.toFixed(1)}A${rx.toFixed(1)},${ry.toFixed(1)} 0 0 ${isPhone ? 1 : 0} ${x0.toFixed(1)},${y0.toFixed(1)}`;
}

/** Every arc of the head to an earlier word; those of the query are lit. @param {State} s @param {Room} room */
export function arcs(s, room) {
  const thick = room.isPhone ? 5 : 8;
  const others = mix(1, CROSSED, s.heads[2]);
  const one = (/** @type {number} */ i) => (/** @type {unknown} */ _, /** @type {number} */ j) => {
    const share = weight(s, i, j);
    if (share < 0.01) return "";
    const opacity = i === query(s) ? 0.3 + 0.7 * share : (0.06 + 0.3 * share) * others;
    return svg`<path fill="none" stroke="var(--attention)" stroke-linecap="round" stroke-width=${0.6 + share * thick} opacity=${opacity} d=${arc(room, i, j)} />`;
  };
  return svg`<g data-marks="arcs">${WORDS.map((_, i) => WORDS.slice(0, i).map(one(i)))}</g>`;
}

/** Which head it is, and what it does. @param {State} s @param {Room} room @param {Stage} stage */
export function heading(s, { isPhone }, { say }) {
  // Beside the curve of one word, a mean over all would be a second number for it.
  const habit = s.habit * (1 - s.woken) * (isPhone ? 1 - s.parts : 1);
  const named = Math.min(1, s.heads[0] + s.heads[1] + s.heads[2]);
  return svg`<g data-marks="head">
    ${seen(named, svg`<text class="halo bold" opacity=${named} x="8" y=${isPhone ? 15 : 28}>${say(headOf(s))}</text>`)}
    ${seen(habit, svg`<text class="halo soft" opacity=${habit} x=${isPhone ? 122 : 8} y=${isPhone ? 15 : 52}>${say(habitOf(s))}</text>`)}</g>`;
}

/** The name of what a head does. @param {State} s */
export function habitOf(s) {
  const head = headOf(s);
  if (head === "copy" && copyShare(s) > 0.1) return "does_copy";
  if (head !== "previous" || rests(s)) return "does_rest";
  if (back(s) === 1 && scaleOf(s) > 0.98) return "does_previous";
  return back(s) === 1 ? "does_previous_pressed" : "does_back";
}
/** @param {State} s */
export const habitShare = (s) => {
  const name = habitOf(s);
  if (name === "does_copy") return copyShare(s);
  return name === "does_rest" ? firstShare(s) : backShare(s, back(s));
};

/** The words, the share of each, and the query. @param {Stage} stage */
export function makeWords({ say, number, set, seen: asked, handle }) {
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone, slot, size, start } = room;
    const now = query(s);
    const best = bestOf(s, now);
    const isAsked = s.line < 0.5; // beside the curve no arcs are drawn
    const ask = (/** @type {number} */ to) => {
      set({ query: clamp(Math.round(to), 0, LAST) });
      asked.add(query(s));
    };
    const hold = handle({
      label: say("query_label"),
      now,
      min: 0,
      max: LAST,
      text: say("query_at"),
      isOff: !isAsked,
      keys: (by) => ask(query(s) + by),
      move: ([x, y]) => ask(((isPhone ? y : x) - start) / slot),
    });
    const shareOf = (/** @type {number} */ i) => (i <= now ? weight(s, now, i) : 0);
    const word = (/** @type {string} */ text, /** @type {number} */ i) => {
      const [x, y] = spot(room, wordAt(room, i), room.words);
      const isKey = i === best && i !== now && shareOf(i) > MUCH;
      const isNow = i === now && isAsked;
      const colour = isNow ? "white" : isKey ? "k" : i > now ? "soft" : "";
      return svg`<text class=${`${colour} ${isKey || isNow ? "heavy" : ""} middle central`} style=${`font-size: ${size}px`} x=${x} y=${y}>${text}</text>`;
    };
    const share = (/** @type {unknown} */ _, /** @type {number} */ i) => {
      if (shareOf(i) < SEEN) return "";
      const [x, y] = spot(room, wordAt(room, i), room.shares);
      return svg`<text class="t14 halo attention bold middle central" x=${x} y=${y}>${say("share", { share: number(100 * shareOf(i)) })}</text>`;
    };
    // As wide as its word, so that it covers no other.
    const own = widthOf(WORDS[now], size, isAsked ? 700 : 400);
    const wide = isPhone ? 60 : Math.max(28, own + 6);
    const high = isPhone ? Math.min(24, slot + 3) : 30;
    const [x, y] = spot(room, wordAt(room, s.query), room.words);
    const box = { x: x - wide / 2, y: y - high / 2, width: wide, height: high };
    const [twinX, twinY] = spot(room, wordAt(room, now - SECOND), room.words);
    const twinWide = isPhone ? wide : widthOf(WORDS[Math.max(0, now - SECOND)], size, 400) + 10;
    const hasTwin = now >= SECOND ? s.heads[2] : 0; // in the first sentence
    const [hitX, hitY] = spot(room, start - slot / 2, room.words - (isPhone ? 34 : 24));
    const [hitW, hitH] = isPhone ? [68, slot * COUNT] : [slot * COUNT, 48];
    return svg`
      <g data-marks="words q"><g ${hold}>
        ${seen(1 - s.line, svg`<g opacity=${1 - s.line}>${pill({ ...box, rx: 8, fill: "var(--q-fill)" })}</g>`)}
        ${WORDS.map(word)}
        <rect fill="transparent" x=${hitX} y=${hitY} width=${hitW} height=${hitH} /></g></g>
      ${mark("twin", hasTwin, svg`<rect pointer-events="none" fill="none" stroke="var(--ink)" stroke-dasharray="3 3" rx="8" x=${twinX - twinWide / 2} y=${twinY - high / 2} width=${twinWide} height=${high} />`)}
      ${mark("shares", s.habit, WORDS.map(share))}`;
  };
}
