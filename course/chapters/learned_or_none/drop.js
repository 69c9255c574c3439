// Bits of a small model whose rotation is left out, over longer texts, and what further training mends.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, seen, through, widthOf } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import data from "./data.js";
import { bitsAfter } from "./facts.js";
import { heights, rail, railOf, ruler } from "./plot.js";
import { alongX, upY } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const { lengths, rope, nope, parts } = data.dropped;
const TICKS = lengths.map((length) => Math.log10(length));
const LAST = parts.length - 1;

/** @param {State} s @param {Room} room @param {Stage} stage */
export function drop(s, room, stage) {
  if (s.drop < 0.02) return "";
  const { say, number, handle, set, move } = stage;
  const { isPhone, plot } = room;
  const points = (/** @type {(length: number) => number} */ bits) =>
    lengths.map((length, i) => /** @type {[number, number]} */ ([alongX(room, length), upY(room, bits(i))])); // prettier-ignore
  const now = points((i) => bitsAfter(s.train, i));
  const [rotated, never] = [points((i) => rope[i]), points((i) => nope[i])];
  const end = lengths.length - 1;
  const trained = alongX(room, lengths[0]);
  const at = railOf(room);
  const to = (/** @type {number} */ part) => move({ train: clamp(Math.round(part), 0, LAST) }, 500); // prettier-ignore
  const hold = handle({
    label: say("train_label"),
    now: Math.round(s.train),
    min: 0,
    max: LAST,
    text: say("train_at"),
    keys: (by) => to(Math.round(s.train) + Math.sign(by)),
    move: ([x]) => set({ train: clamp(((x - at.x) / at.w) * LAST, 0, LAST) }),
    end: () => to(s.train),
  });
  const held = svg`<path class="line" stroke-width="3" d=${parts.map((_, i) => `M${at.x + (at.w * i) / LAST},${at.y - 5}v10`).join("")} />
    <g ${hold}><rect fill="transparent" x=${at.x - 16} y=${at.y - 16} width=${at.w + 32} height="32" />
    <g transform=${moved(at.x + (at.w * s.train) / LAST, at.y)}>${grip()}</g></g>`;
  const before = parts.map((_, i) => i).filter((i) => i < s.train - 0.01);
  /** Bits at the shortest length, beside a line's first point. @param {number} part */
  const first = (part) =>
    svg`${part === Math.round(part) && part < s.train - 0.5 ? svg`<text class="t14 content halo" x=${trained + 4} y=${upY(room, bitsAfter(part, 0)) - 9}>${say(`out_${part}`)}</text>` : ""}
      <text class="t14 content end halo" x=${trained - 9} y=${upY(room, bitsAfter(part, 0)) + 4}>${number(bitsAfter(part, 0), 2)}</text>`;
  const gap = isPhone ? 14 : 18;
  const under = s.train > 0.5 ? 1 : 0; // where its name is clear of the other lines
  return svg`<g opacity=${s.drop}>
    ${heights(
      room,
      [0, 2, 4, 6].map((bits) => [bits, number(bits)]),
    )}
    ${ruler(room, stage, "drop", TICKS)}
    <g data-marks="ruler"><path class="line" stroke-dasharray="3 4" d=${`M${trained},${plot.y}v${plot.h}`} />
      <text class="t12 soft" x=${trained + 6} y=${plot.y + plot.h - 10}>${say("trained")}</text></g>
    <g data-marks="ruler"><text class="t14" x=${isPhone ? 6 : plot.x} y=${plot.y - (isPhone ? 14 : 22)}>${say("bits")}</text></g>
    <g data-marks="never"><path fill="none" stroke="var(--soft)" stroke-width="1.8" stroke-dasharray="5 4" d=${through(never)} />
      <path stroke="var(--soft)" stroke-width="1.8" stroke-dasharray="5 4" d=${`M${never[end][0] - widthOf(say("never"), isPhone ? 12.5 : 14) - 34},${never[end][1] + gap}h26`} />
      <text class="t14 soft end halo" x=${never[end][0]} y=${never[end][1] + gap + 4}>${say("never")}</text></g>
    <g data-marks="rope"><path fill="none" stroke="var(--ink)" stroke-width="2.4" d=${through(rotated)} />
      <text class="t14 bold halo" x=${rotated[2][0]} y=${rotated[2][1] + gap + 4}>${say("rope_line")}</text></g>
    ${seen(
      s.out,
      svg`<g data-marks="out" opacity=${s.out}>
      ${before.map((part) => svg`<g><path fill="none" stroke="var(--content)" stroke-opacity="0.45" stroke-width="1.6" d=${through(points((i) => bitsAfter(part, i)))} />${first(part)}</g>`)}
      ${first(s.train)}
      <path fill="none" stroke="var(--content)" stroke-width="3" d=${through(now)} />
      ${now.map(([x, y]) => svg`<circle r="4.5" fill="var(--content)" cx=${x} cy=${y} />`)}
      <text class="t14 bold content halo" x=${now[under][0] + (under ? 8 : 0)} y=${now[under][1] + (under ? 24 : -11)}>${say("out_line")}</text></g>`,
    )}
    ${rail(room, "train", held, say(isPhone ? "train_at_short" : "train_at"))}
    <g data-marks="train">${isPhone ? "" : parts.map((_, i) => svg`<text class=${`t12 soft ${i === 0 ? "" : i === LAST ? "end" : "middle"}`} x=${at.x + (at.w * i) / LAST} y=${at.y + 26}>${say(`part_${i}`)}</text>`)}</g></g>`;
}
