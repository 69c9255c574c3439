// What a real model pays for keys of an older base, by how far past its prompt it has come.

import data from "./data.js";
import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, through } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "../kv_cache/room.js" */

/** @typedef {"frozen" | "fixed" | "none"} Way */

export const BLOCK = data.block;
export const BLOCKS = data.bits.none[0].length; // the first is the end of the prompt
export const PAST = BLOCK * (BLOCKS - 1);
const [LOW, HIGH] = [-0.4, 2]; // bits

/** What a token costs more than with the base of training, by block; of one text or on average of all. @param {Way} way @param {number} [text] */
export function more(way, text) {
  const of = text === undefined ? data.texts.map((_, i) => i) : [text];
  return data.bits.none[0].map(
    (_, b) =>
      of.reduce((sum, i) => sum + data.bits[way][i][b] - data.bits.none[i][b], 0) / of.length,
  );
}
/** @param {State} s */
export const blockOf = (s) => clamp(Math.round(s.block), 0, BLOCKS - 1);
/** Mean of the blocks past the prompt: lowest text, all, highest text. @param {Way} way */
export function past(way) {
  const mean = (/** @type {number[]} */ all) =>
    all.slice(1).reduce((sum, one) => sum + one, 0) / (BLOCKS - 1);
  const each = data.texts.map((_, i) => mean(more(way, i)));
  return [Math.min(...each), mean(more(way)), Math.max(...each)];
}

/** @param {Room} room */
function layout({ width, height, isPhone }) {
  const x = isPhone ? 34 : 76;
  const y = isPhone ? 28 : 70;
  return { x, y, w: width - x - (isPhone ? 16 : 60), h: height - y - (isPhone ? 52 : 104) };
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function plot(s, room, { say, number, set, seen, handle }) {
  if (s.plot < 0.02) return "";
  const { isPhone } = room;
  const at = layout(room);
  const x = (/** @type {number} */ block) => at.x + ((block + 0.5) / BLOCKS) * at.w;
  const y = (/** @type {number} */ bits) => at.y + at.h * ((HIGH - bits) / (HIGH - LOW));
  const floor = at.y + at.h;
  const edge = x(0.5);
  const short = isPhone ? "_short" : "";
  const go = (/** @type {number} */ block) => {
    const to = clamp(Math.round(block), 0, BLOCKS - 1);
    seen.add(to);
    set({ block: to });
  };
  const b = blockOf(s);
  const hold = handle({
    label: say("block_label"),
    now: b * BLOCK,
    min: 0,
    max: PAST,
    text: say(b ? "block_said" : "block_prompt"),
    keys: (by) => go(blockOf(s) + Math.sign(by)),
    move: ([px]) => go(((px - at.x) / at.w) * BLOCKS - 0.5),
  });
  // What may be answered, until it is.
  const answer = (/** @type {number} */ bits, /** @type {number} */ i) =>
    svg`<path opacity=${s.guessing} stroke="var(--soft)" stroke-dasharray="2 6" d=${`M${edge},${y(bits)}H${at.x + at.w}`} />
      <text opacity=${s.guessing} class="t14 soft end" x=${at.x + at.w} y=${y(bits) + (bits ? -8 : 18)}>${say(`answer_${i}`)}</text>`;
  // Below each dot its tokens; where there is no room, below some.
  const sign = (/** @type {unknown} */ _, /** @type {number} */ i) => {
    const [from_token, to_token] = [(i - 1) * BLOCK + 1, i * BLOCK].map((n) => number(n));
    const isLast = i === BLOCKS - 1;
    return i === 0 || (at.w < 600 && ![1, 4].includes(i) && !isLast)
      ? ""
      : svg`<text class=${`t12 soft ${isPhone && isLast ? "end" : "middle"}`} x=${isPhone && isLast ? at.x + at.w + 8 : x(i)} y=${floor + (isPhone ? 15 : 20)}>${say("range", { from_token, to_token })}</text>`;
  };
  const last = Math.max(1, Math.ceil(s.until));
  const curve = (/** @type {Way} */ way) => {
    const color = way === "frozen" ? "new" : "ink";
    const mean = more(way);
    const points = (/** @type {number[]} */ all) =>
      all.slice(0, last).map((bits, b) => /** @type {[number, number]} */ ([x(b), y(clamp(bits, LOW, HIGH))])); // prettier-ignore
    const texts = data.texts.map((_, i) => more(way, i));
    const high = Math.max(...texts.map((all) => all[1]));
    const dot = (/** @type {number} */ bits, /** @type {number} */ b) =>
      svg`<circle r="4.5" fill=${`var(--${color})`} cx=${x(b)} cy=${y(bits)} />`;
    return mark(
      way === "frozen" ? "new" : way,
      s.plot * (way === "fixed" ? clamp(s.until - 1, 0, 1) : 1),
      svg`${texts.map((all) => svg`<path fill="none" opacity="0.55" stroke=${`var(--${color})`} stroke-width="1.2" d=${through(points(all))} />`)}
        <path fill="none" stroke=${`var(--${color})`} stroke-width="3" d=${through(points(mean))} />
        ${mean.slice(0, Math.ceil(s.until)).map(dot)}
        ${s.until > BLOCKS - 1 ? svg`<text class=${`t14 halo end ${color}`} x=${x(BLOCKS - 1) - 12} y=${y(mean[BLOCKS - 1]) + (way === "frozen" ? -36 : 30)}>${say(`curve_${way}`)}</text>` : ""}
        ${way === "fixed" ? svg`<text class="t12 halo" x=${x(1) + 8} y=${y(high) + 4}>${say("one_text")}</text>` : ""}`,
    );
  };

  const px = x(s.block);
  const from = Math.floor(clamp(s.block, 0, BLOCKS - 2));
  const all = more("frozen");
  const py = y(mix(all[from], all[from + 1], s.block - from));
  const isUnder = b > 0 && more("fixed")[b] > all[b]; // the other curve
  const side = b === 0 || isUnder ? 1 : -1; // of the line through the knob
  return svg`
    ${mark(
      "zero",
      s.plot,
      svg`<path stroke="var(--ink)" stroke-dasharray="4 4" d=${`M${at.x},${y(0)}h${at.w}`} />
        <text class="t12" x=${x(1) + 10} y=${Math.min(y(0) + 30, floor - 5)}>${say(`as_trained${short}`)}</text>
        <text class="t12 soft" x=${isPhone ? 6 : at.x - 30} y=${at.y - (isPhone ? 10 : 22)}>${say(`more${short}`)}</text>
        <text class="t12 soft middle" x=${(edge + at.x + at.w) / 2} y=${floor + (isPhone ? 32 : 44)}>${say("past")}</text>
        ${[0, 1, 2].map((bits) => svg`<text class="t12 soft end" x=${at.x - 8} y=${y(bits) + 4}>${bits ? `+${bits}` : "0"}</text>`)}
        ${data.bits.none[0].map(sign)}
        ${s.guessing < 0.02 ? "" : [0, 0.1, 1].map(answer)}`,
    )}
    ${mark(
      "prompt",
      s.plot,
      svg`<rect fill="var(--wash)" x=${at.x} y=${at.y} width=${edge - at.x} height=${at.h} />
        <text class="t12 soft middle" x=${(at.x + edge) / 2} y=${floor + (isPhone ? 15 : 20)}>${say(`prompt${short}`)}</text>`,
    )}
    ${curve("fixed")}${curve("frozen")}
    ${mark(
      "new block",
      s.plot,
      svg`<g ${hold}>
        <rect fill="transparent" x=${at.x} y=${at.y} width=${at.w} height=${at.h} />
        <path stroke="var(--ink)" stroke-dasharray="2 4" d=${`M${px},${at.y}V${floor}`} />
        <g transform=${moved(px, py)}>${grip()}</g>
        <text class=${`halo bold ${side < 0 ? "end" : ""}`} x=${px + side * 9} y=${py + (isUnder ? 24 : -16)}>${say("block_at")}</text></g>`,
    )}`;
}
