// The KV cache: bricks of work, with the shelf and without.

import { runsAgain } from "./cached.js";
import { svg } from "../../page/lit/lit.js";
import { mark, seen } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import { COUNT } from "./room.js";
import { track } from "./track.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const [LEAST, MOST] = [Math.log10(COUNT), 3];
const EACH = 100; // words in a band

/** Words of the text whose work is drawn. @param {State} s */
export const written = (s) => Math.round(10 ** s.amount);

/** Of 100 bricks, those that are needed with the shelf. @param {State} s */
export const stays = (s) => (100 * written(s)) / runsAgain(written(s));

/** How much of single bricks is there, and of the shelf above them. @param {State} s */
export const detailOf = (s) => clamp(2 - 10 ** s.amount / 24, 0, 1);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function work(s, room, stage) {
  if (s.work < 0.02) return "";
  const { say, number, set } = stage;
  const { isPhone, width, height } = room;
  const [left, right] = [room.left, room.left + COUNT * room.slot];
  const rail = { x: left + 12, w: width - left - (isPhone ? 40 : 60), y: height - (isPhone ? 28 : 50) }; // prettier-ignore
  const floor = rail.y - (isPhone ? 26 : 44);
  const detail = detailOf(s);
  const top = mix(room.words - 10, room.below + (isPhone ? 2 : 8), detail);
  const high = floor - top;
  const n = 10 ** s.amount;
  const [wide, tall] = [(right - left) / n, high / n];
  const brick = (/** @type {number} */ j, /** @type {number} */ row) =>
    `M${(left + j * wide + 1).toFixed(1)},${(floor - row * tall - 1).toFixed(1)}h${(wide - 2).toFixed(1)}v${(2 - tall).toFixed(1)}h${(2 - wide).toFixed(1)}z`;
  const columns = detail ? Array.from({ length: Math.round(n) }, (_, j) => j) : [];
  const pale = columns.flatMap((j) => Array.from({ length: j }, (_, row) => brick(j, row + 1)));
  const dark = columns.map((j) => brick(j, 0));
  const thin = Math.max(1.5, tall);
  const isRoomy = right - left > 640; // else the hundred bricks stand beside the triangle's tip
  // Where single bricks are too small, bands tell how many there are.
  const bands = Array.from({ length: Math.ceil(n / EACH / 2) }, (_, i) => {
    const [from, to] = [2 * i * EACH, Math.min(n, (2 * i + 1) * EACH)];
    return `M${left + from * wide},${floor}v${-from * tall}L${left + to * wide},${floor - to * tall}V${floor}Z`;
  });
  /** @param {number} i */
  const counter = (i) => {
    const y = top + (isPhone ? 11 : 24) + i * (isPhone ? 30 : 66);
    const count = number(i ? written(s) : runsAgain(written(s)));
    return svg`<text class="t14 soft" x=${left + 4} y=${y}>${say(i ? "with" : "without")}</text>
      <text class="bold" style=${isPhone ? "" : "font-size: 22px"} x=${left + 4} y=${y + (isPhone ? 14 : 26)}>${say("bricks", { count })}</text>`;
  };
  return svg`
    ${mark(
      "again",
      s.work,
      svg`${seen(1 - detail, svg`<path opacity=${1 - detail} fill="var(--line)" d=${`M${left},${floor}L${right},${floor}V${top}Z`} /><path fill="var(--paper)" opacity=${0.35 * (1 - detail)} d=${bands.join("")} /><text class="t12 end" opacity=${1 - detail} x=${right - 8} y=${(top + floor) / 2 + 18}>${n > EACH ? say("each_band") : ""}</text>`)}
        ${seen(detail, svg`<path opacity=${detail} fill="var(--line)" d=${pale.join("")} />`)}
        ${seen(1 - detail, svg`<text class="t14 end" opacity=${1 - detail} x=${right - (isRoomy ? 56 : 8)} y=${isRoomy ? top + 14 : (top + floor) / 2}>${say("high")}</text>`)}
        ${counter(0)}`,
    )}
    ${mark(
      "once",
      s.work,
      svg`${seen(1 - detail, svg`<rect opacity=${1 - detail} fill="var(--ink)" x=${left} y=${floor - thin} width=${right - left} height=${thin} /><text class="t14 end" opacity=${1 - detail} x=${right - 8} y=${floor - 8}>${say("low")}</text>`)}
        ${seen(detail, svg`<path opacity=${detail} fill="var(--ink)" d=${dark.join("")} />`)}
        ${counter(1)}`,
    )}
    ${mark("hundred", s.work * (1 - s.guessing), hundred(s, room, stage, { left, top, high }))}
    ${track(
      stage,
      "words length",
      s.work * (1 - s.guessing),
      {
        label: say("words_label"),
        text: say("words_at"),
        now: s.amount,
        ends: [LEAST, MOST],
        ticks: [COUNT, 100, 1000],
        set: (amount) => set({ amount: Math.log10(Math.round(10 ** amount)) }),
      },
      rail,
    )}`;
}

/**
 * Of 100 bricks those that the shelf does not save, in the corner that the triangle leaves.
 * @param {State} s @param {Room} room @param {Stage} stage @param {{ left: number, top: number, high: number }} at
 */
function hundred(s, { isPhone }, { say }, { left, top, high }) {
  const size = clamp(high * 0.045, 2, isPhone ? 7 : 20);
  const x = left + (isPhone ? 116 : 170);
  const y = top + (isPhone ? 17 : 34);
  const rest = stays(s);
  /** Each row of ten from the left. @param {number} j @param {string} fill @param {number} part */
  const cell = (j, fill, part = 1) =>
    svg`<rect rx="1" fill=${`var(--${fill})`} x=${x + (j % 10) * size} y=${y + (9 - Math.floor(j / 10)) * size} width=${((size - 1.5) * part).toFixed(2)} height=${size - 1.5} />`;
  return svg`
    ${Array.from({ length: 100 }, (_, j) => cell(j, j < Math.floor(rest) ? "ink" : "line"))}
    ${rest < 100 ? cell(Math.floor(rest), "ink", rest % 1) : ""}
    <text class=${isPhone ? "t12" : "t14"} x=${x} y=${y - (isPhone ? 6 : 10)}>${say(isPhone ? "of_hundred_short" : "of_hundred")}</text>`;
}
