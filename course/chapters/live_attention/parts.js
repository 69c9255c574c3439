// The scores of one query in two parts: what the content alone would give, and what the rotation adds.

import { svg } from "../../page/lit/lit.js";
import { LAST, WORDS, bestOf, query, scoreOf, sumOf } from "./read.js";
import { wordAt } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const all = WORDS.flatMap((_, i) =>
  WORDS.slice(0, i + 1).map((__, j) => [scoreOf("content", i, j), sumOf(i, j)]),
);
export const UNFIT = -2.5; // the content score of two words that suit each other badly
const SCALE = [5, 0, -5, -10, -15];
const HIGH = Math.max(0, ...all.flat());
const LOW = Math.min(0, ...all.flat());

/** @param {State} s @param {Room} room @param {Stage} stage */
export function parts(s, room, { say, number }) {
  if (s.parts < 0.02) return "";
  const { isPhone, slot, shares, width, height } = room;
  // Across the sentence: down on a wide screen, to the left on a phone.
  const [near, far] = isPhone ? [shares + 30, width - 12] : [shares + 30, height - 56];
  const unit = (far - near) / (HIGH - LOW);
  const level = (/** @type {number} */ value) =>
    isPhone ? near + (value - LOW) * unit : near + (HIGH - value) * unit;
  const thick = isPhone ? Math.min(6, slot * 0.36) : Math.min(15, slot * 0.28);
  const edge = [wordAt(room, 0) - slot / 2, wordAt(room, LAST) + slot * 0.36]; // beside it, the scale
  const across = (/** @type {number} */ at) =>
    isPhone ? `M${at},${edge[0]}V${edge[1]}` : `M${edge[0]},${at}H${edge[1]}`;
  const beside = (
    /** @type {number} */ value,
    /** @type {string} */ css,
    /** @type {string} */ text,
  ) =>
    svg`<text class=${`t14 ${css} middle`} x=${isPhone ? level(value) : edge[1] + 18} y=${isPhone ? edge[1] + 13 : level(value) + 4}>${text}</text>`;
  const i = query(s);
  const best = bestOf(s, i);
  const seen = WORDS.slice(0, i + 1).map((_, j) => j);
  // The position's bar begins where the content's ends, and ends at the score.
  const bar = (/** @type {number} */ lane) => (/** @type {number} */ j) => {
    const content = scoreOf("content", i, j);
    const ends = lane ? [content, sumOf(i, j)] : [0, content];
    const [from, to] = ends.map(level).sort((one, other) => one - other);
    const a = wordAt(room, j) + (lane - 1) * thick;
    const [x, y, w, h] = isPhone ? [from, a, to - from, thick] : [a, from, thick, to - from];
    return svg`<rect fill=${`var(--${lane ? "soft" : "content"})`} rx="1.5" opacity=${j === best ? 1 : 0.35} x=${x} y=${y} width=${w} height=${h} />`;
  };
  const half = isPhone ? slot * 0.42 : slot * 0.34;
  const sum = (/** @type {number} */ j) => {
    const [a, c] = [wordAt(room, j), level(sumOf(i, j))];
    return isPhone ? `M${c},${a - half}V${a + half}` : `M${a - half},${c}H${a + half}`;
  };
  /** Where the green bar ends and the grey one begins. @param {number} j */
  const joint = (j) => {
    const [a, c] = [wordAt(room, j), level(scoreOf("content", i, j))];
    return isPhone ? `M${c},${a - thick}V${a + thick}` : `M${a - thick},${c}H${a + thick}`;
  };
  const total = sumOf(i, best);
  const out = (total > 0 ? Math.max : Math.min)(total, scoreOf("content", i, best)); // beyond both bars
  // The same for the key that gets most, in numbers.
  const y = isPhone ? 15 : height - 14;
  const at = (/** @type {number} */ column) =>
    isPhone ? width - [196, 142, 96, 44][column] : [8, 84, 240, 400][column];
  const short = isPhone ? "_short" : "";
  const part = (/** @type {"content" | "position"} */ name, /** @type {number} */ lane) =>
    svg`<g data-marks=${name}>${seen.map(bar(lane))}
      <text class=${`t14 ${lane ? "soft" : "content"}`} x=${at(1 + lane)} y=${y}>${say(`part_${name}${short}`, { [name]: number(scoreOf(name, i, best), 2) })}</text></g>`;
  return svg`<g opacity=${s.parts}>
    <g data-marks="content position score"><path stroke="var(--soft)" d=${across(level(0))} /></g>
    <g data-marks="unfit">
      <path stroke="var(--content)" stroke-dasharray="4 4" d=${across(level(UNFIT))} />
      ${beside(UNFIT, "content", say("unfit_at"))}</g>
    <g data-marks="score">
      ${SCALE.filter((value) => value >= LOW && value <= HIGH).map((value) => beside(value, "soft", number(value)))}
      ${isPhone ? "" : svg`<text class="t14 soft end" x=${edge[1] + 30} y=${level(0) - 16}>${say("part_axis")}</text>`}</g>
    ${part("content", 0)}${part("position", 1)}
    <g data-marks="content position"><path stroke="var(--ink)" stroke-width="1.5" d=${seen.map(joint).join("")} /></g>
    <g data-marks="score">
      <path stroke="var(--attention)" stroke-width="3" stroke-linecap="round" d=${seen.map(sum).join("")} />
      ${isPhone ? "" : svg`<text class="t14 halo attention bold middle central" x=${wordAt(room, best)} y=${level(out) + (total > 0 ? -11 : 12)}>${number(total, 1)}</text>`}
      <text class="t14 attention bold" x=${at(3)} y=${y}>${say(`part_score${short}`, { score: number(total, 2) })}</text></g>
    <text class="t14 k bold" x=${at(0)} y=${y}>${WORDS[best]}</text></g>`;
}
