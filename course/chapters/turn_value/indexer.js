// A head of an indexer: which channels turn together, what it scores, and what the attention gets to see.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, seen } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import { CHANNELS, SCORES, WANTED, WORDS, above, chosen, level, pairOf } from "./scores.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const MOST = 2.05; // of a score
const TENS = [0, 10, 20, 30, 40, 50, 60];
const FREE = 45; // words back: no bar is beneath the grip there

/** Where a score stands. @param {Room} room @param {number} score */
const scoreY = ({ scores }, score) => scores.y + scores.h * (1 - score / MOST);
/** The left edge of a word, by how far back it is. @param {Room} room @param {number} back */
const wordX = ({ scores }, back) => scores.x + (WORDS - 1 - back) * scores.slot;

/** The channels with an arc from each to the one that turns with it. @param {State} s @param {Room} room @param {Stage} stage */
export function channels(s, { channels: { x, y, size, h }, isPhone, width }, { say }) {
  const middle = (/** @type {number} */ i) => x + (i + 0.5) * size;
  const arcs = Array.from({ length: CHANNELS / 2 }, (_, i) => {
    const [[a, b], [a2, b2]] = [pairOf(i, false), pairOf(i, true)];
    const [from, to] = [middle(mix(a, a2, s.near)), middle(mix(b, b2, s.near))];
    const high = Math.min(isPhone ? 30 : 58, (isPhone ? 12 : 22) + (to - from) * 0.3);
    return svg`<path fill="none" stroke=${`var(--${i ? "soft" : "ink"})`} stroke-width=${i ? 1.2 : 3} opacity=${i ? 0.45 : 1} d=${`M${from},${y - 2}Q${(from + to) / 2},${y - 2 - high} ${to},${y - 2}`} />`;
  });
  const partner = pairOf(0, s.near > 0.5)[1];
  const [one, made] = pairOf(0, false).map(middle);
  const before = svg`<path fill="none" stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="3 4" opacity=${s.near} d=${`M${one},${y - 2}Q${(one + made) / 2},${y - 2 - (isPhone ? 30 : 58)} ${made},${y - 2}`} />`;
  const cells = Array.from({ length: CHANNELS }, (_, i) => {
    const isFirst = i === 0 || i === partner;
    return svg`<rect rx="3" fill=${`var(--${isFirst ? "ink" : "line"})`} x=${x + i * size + 1} y=${y} width=${size - 2} height=${h} />
      <text class=${`t12 middle central ${isFirst ? "paper" : ""}`} x=${middle(i)} y=${y + h / 2 + 1}>${i + 1}</text>`;
  });
  return mark(
    "channels",
    s.index,
    svg`${seen(s.near, before)}${arcs.reverse()}${cells}
      <text class="t14 middle" x=${width / 2} y=${y + h + (isPhone ? 16 : 21)}>${say(s.near > 0.5 ? "near_1" : "near_0")}</text>`,
  );
}

/** Scores of all words; those above the line are chosen. @param {State} s @param {Room} room @param {Stage} stage */
export function scores(s, room, { say, number }) {
  const { scores: at, isPhone } = room;
  const best = chosen(s.near > 0.5, Math.round(s.cut));
  const foot = at.y + at.h;
  const wide = Math.max(1, at.slot - (isPhone ? 1 : 2));
  /** @param {boolean} isSeen */
  const bars = (isSeen) =>
    SCORES[0].map((score, back) => {
      if (best.has(back) !== isSeen) return "";
      const y = scoreY(room, mix(score, SCORES[1][back], s.near));
      return svg`<rect fill=${`var(--${isSeen ? "attention" : "line"})`} x=${wordX(room, back)} y=${y} width=${wide} height=${foot - y} />`;
    });
  const isSeen = best.has(WANTED);
  const [x, line] = [wordX(room, WANTED) + wide / 2, foot + (isPhone ? 30 : 38)];
  const own = wordX(room, 0) + wide;
  return svg`
    ${mark(
      "scores",
      s.index,
      svg`<text class="t14 soft" x=${at.x} y=${at.y - (isPhone ? 3 : 10)}>${say(isPhone ? "scores_short" : "scores")}</text>
        <text class="t14 bold attention end" x=${at.x + at.w} y=${at.y - (isPhone ? 3 : 10)}>${say(isPhone ? "sees_short" : "sees")}</text>
        ${[0, 1, 2].map((score) => svg`<text class="t12 soft end" x=${at.x - (isPhone ? 2 : 8)} y=${scoreY(room, score) + 4}>${number(score)}</text>`)}
        ${bars(false)}<path class="line" d=${`M${at.x},${foot}h${at.w}`} />`,
    )}
    ${mark("chosen", s.index, svg`${bars(true)}`)}
    ${mark(
      "k",
      s.index,
      svg`<path fill="none" stroke="var(--k)" stroke-width="3" d=${`M${x - wide / 2 - 1},${foot + 3}h${wide + 2}`} />
        <text class="t14 k bold middle" x=${x} y=${line}>${say(`${isSeen ? "is_chosen" : "is_not"}${isPhone ? "_short" : ""}`)}</text>`,
    )}
    ${mark(
      "q",
      s.index,
      svg`<path fill="none" class="line" stroke-width="1.5" d=${TENS.map((tens) => `M${wordX(room, tens) + wide / 2},${foot}v${isPhone ? 5 : 8}`).join("")} />
      ${TENS.map((tens) => svg`<text class=${`t12 middle ${tens === WANTED ? "k bold" : "soft"}`} x=${wordX(room, tens) + wide / 2} y=${foot + (isPhone ? 16 : 20)}>${number(tens)}</text>`)}
      <text class="t12 soft" x=${at.x} y=${line}>${say("words_back")}</text>
      <path stroke="var(--q)" stroke-width="3" d=${`M${own - wide},${foot + 3}h${wide}`} />
      <text class="t14 q end" x=${at.x + at.w} y=${line}>${say(at.w < 720 ? "asks_short" : "asks")}</text>`,
    )}`;
}

/** The line above which words are chosen. @param {State} s @param {Room} room @param {Stage} stage */
export function cut(s, room, { say, set, handle }) {
  if (s.index < 0.02) return "";
  const { scores: at } = room;
  const count = Math.round(s.cut);
  const to = (/** @type {number} */ one) => set({ cut: clamp(Math.round(one), 1, WORDS) });
  const hold = handle({
    label: say("cut_label"),
    now: count,
    min: 1,
    max: WORDS,
    text: say("count"),
    isMute: s.index < 0.5,
    keys: (by) => to(s.cut - by), // downward there are more
    move: ([, y]) => {
      const unit = scoreY(room, 0) - scoreY(room, 1);
      to(above(s.near > 0.5, (scoreY(room, 0) - y) / unit));
    },
  });
  const y = scoreY(room, level(s.near > 0.5, count));
  return mark(
    "cut",
    s.index,
    svg`<g ${hold}>
        <path fill="none" stroke="var(--ink)" stroke-width="2" stroke-dasharray="5 4" d=${`M${at.x},${y}h${at.w}`} />
        <rect fill="transparent" x=${at.x} y=${at.y - 8} width=${at.w} height=${at.h + 8} />
        <g transform=${moved(wordX(room, FREE), y)}>${grip()}</g></g>`,
  );
}
