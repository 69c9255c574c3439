// What stands on the pages and beside them: names and shares, the ring, and what the reader moves.

import { nothing, svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, seen as seenAs, through, widthOf } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import { nearest } from "../../page/typeset.js";
import { PAGE, alibi, best } from "./heads.js";
import { READ, lightOf } from "./light.js";
import { FLATTEST, STEEPEST, powerX } from "./room.js";

/** @import { Grip, Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const LAST = PAGE - 1;
export const MOST = 12; // the largest lead
const STEP = 0.05; // of a slope's power
const SHARES = [0.001, 0.01, 0.1, 1]; // of the scale of colours

/** Names of the heads and what each gives, and what the light means.
 * @param {State} s @param {Room} room @param {Stage} stage @param {(name: any) => any} values
 * @param {(name: string) => string} second Label of the second line.
 */
export function captions(s, room, { say, number }, values, second) {
  const { isPhone, isGreek, sheets, top, line, page } = room;
  const [a, b] = isPhone ? [22, 8] : [34, 14];
  const caption = ({ name, x, presence } = sheets[0]) => {
    if (presence <= 0.6) return "";
    const first = `at${page.w > 150 ? "" : isPhone ? "_short" : ""}`;
    return svg`<g opacity=${presence}>
      <text class="bold" x=${x} y=${top - a - line}>${say(name === "alibi" && s.best > 0.5 && s.slopes < 0.5 && page.w > 150 ? "alibi_at" : name)}</text>
      <text class="t14" x=${x} y=${top - (isPhone ? a - 1 : a)}>${say(first, values(name))}</text>
      <text class="t14 soft" x=${x} y=${top - b}>${say(`${second(name)}${isPhone ? "_short" : ""}`, values(name))}</text></g>`;
  };
  const noteY = top + page.h + (isPhone ? 14 : 20);
  const ofPage = say(isPhone ? "page_short" : isGreek ? "page_dashes" : "page");
  const tickW = isPhone ? 43 : 58;
  const scaleX = sheets[0].x + widthOf(ofPage, isPhone ? 12 : 13.5) + (isPhone ? 8 : 28);
  const ticksX = scaleX + (isPhone ? 0 : widthOf(say("scale"), isPhone ? 12 : 13.5) + 8);
  const note = svg`<g>
    <text class="t12 soft" x=${sheets[0].x} y=${noteY}>${ofPage}</text>
    ${isPhone ? "" : svg`<text class="t12 soft" x=${scaleX} y=${noteY}>${say("scale")}</text>`}
    ${SHARES.map((share, i) => {
      const x = ticksX + i * tickW;
      const opacity = lightOf(share);
      return svg`<rect fill="var(--wash)" x=${x} y=${noteY - 10} width="11" height="11" />
        <rect fill="var(--attention)" opacity=${(opacity * (isGreek ? 1 : READ)).toFixed(2)} x=${x} y=${noteY - 10} width="11" height="11" />
        <text class="t12 soft" x=${x + 15} y=${noteY}>${number(100 * share, share < 0.01 ? 1 : 0)}%</text>`;
    })}</g>`;
  return svg`
    <g data-marks="light k">${sheets.map((sheet) => caption(sheet))}</g>
    <g data-marks="light">${note}</g>`;
}

/** The ring round the word that is wanted, on every page, and the line under the word that asks.
 * @param {State} s @param {Room} room @param {Stage} stage @param {string[]} words @param {number[]} clocks Words back.
 */
export function rings(s, room, { say, set, seen, handle }, words, clocks) {
  const { sheets, top, page, cells, isGreek, isPhone, gap } = room;
  const back = clamp(Math.round(s.back), 0, LAST);
  const drawn = sheets.filter(({ presence }) => presence > 0.6);
  /** Index of the word at a point of any page. @param {[number, number]} point */
  function at([x, y]) {
    const sheet = sheets.filter(({ x: left, presence }) => presence > 0.5 && x > left - 8).at(-1);
    const from = (sheet ?? sheets[0]).x;
    return nearest(/** @type {any} */ ({ cells }), [clamp(x - from, 0, page.w), y - top]);
  }
  /** @param {number} back */
  function look(back) {
    if (!s.rings) return;
    const to = clamp(Math.round(back), 1, LAST);
    set({ back: to });
    if (to <= 5) seen.add("near");
    if (to >= LAST - 10) seen.add("far");
  }
  const hold = handle({
    label: say("back_label"),
    now: -back, // further back is to the left, and up the page
    min: -LAST,
    max: -1,
    text: say("back_at"),
    isMute: s.rings <= 0.5,
    isFree: true,
    keys: (by, isUp) => look(s.back + (isUp ? by : -by)),
    move: (point) => look(LAST - at(point)),
  });
  /** A word of a page, by how far back it is. @param {number} x @param {number} d @param {number} more */
  const box = (x, d, more) => {
    const { x: left, y, w, h } = cells[LAST - d];
    return {
      x: x + left - 1 - more,
      y: top + y - more,
      width: Math.max(1, w - gap + 2 + 2 * more),
      height: h + 2 * more,
    };
  };
  const frame = ({ x = 0, y = 0, width = 0, height = 0 }, css = "", stroke = "", rx = 2) =>
    svg`<rect class=${css} fill="none" stroke=${stroke ? `var(--${stroke})` : nothing} rx=${rx} x=${x} y=${y} width=${width} height=${height} />`;
  const wanted = ({ x, presence } = sheets[0], i = 0) => {
    const its = box(x, back, isPhone ? 3 : isGreek ? 4 : 2);
    const cell = cells[LAST - back];
    const isRight = cell.x > page.w / 2;
    const isLow = cell.y < 26;
    const flag = svg`<text class=${`t14 halo bold ${isRight ? "end" : ""}`} x=${x + cell.x + (isRight ? cell.w - gap : 0)} y=${top + (isLow ? cell.y + cell.h + 18 : cell.y - 8)}>${words[LAST - back].replace(/[.,]$/, "")}</text>`;
    return svg`<g opacity=${presence}>
      <rect fill="transparent" x=${x} y=${top} width=${page.w} height=${page.h} />
      <g stroke-width="3">${frame(its, "", "k", 3)}</g>${i ? "" : frame(its, "ring", "", 3)}
      ${isGreek ? flag : ""}</g>`;
  };
  return svg`
    <g data-marks="q" stroke-width="2.5">${drawn.map(({ x, presence }) => svg`<g opacity=${presence}>${frame(box(x, 0, 1), "", "q")}</g>`)}</g>
    <g data-marks="clocks">${sheets.map(({ x, presence }) =>
      seenAs(
        presence * s.leads,
        svg`<g opacity=${presence * s.leads}>${clocks.map((d) => frame(box(x, d, 1.5), "", "ink"))}</g>`,
      ),
    )}</g>
    <g data-marks="k"><g ${hold}>${drawn.map((sheet, i) => wanted(sheet, i))}</g></g>`;
}

const SLOPES = [0.001, 0.01, 0.1, 1];
const LEADS = [0, 3, 6, 9, 12];

/** Rails at the foot: the slope of ALiBi's head, or the lead of a word.
 * @param {State} s @param {Room} room @param {Stage} stage @param {number} its Slope of ALiBi's head.
 */
export function rails(s, room, { say, number, set, handle, isGuessing }, its) {
  const { rail: r, sheets, isPhone } = room;
  const isSet = s.slopes > 0.5 && s.best > 0.5; // the slope, by the ring
  /** @param {string} name @param {number} presence @param {number} x @param {Pick<Grip, "now" | "min" | "max" | "keys">} of @param {(share: number) => void} drag @param {[number, number][]} ticks Values, and where they stand. */
  const rail = (name, presence, x, of, drag, ticks) => {
    const hold = handle({
      ...of,
      label: say(`${name}_label`),
      text: say(`${name}_at`),
      isMute: presence <= 0.5,
      isFree: true,
      move: ([to]) => drag(clamp((to - r.x) / r.w, 0, 1)),
    });
    return mark(
      name,
      presence,
      svg`<path class="line" stroke-width="3" d=${`M${r.x},${r.y}h${r.w}`} />
        <text class="t14" x=${sheets[0].x} y=${r.y + 5}>${say(`${name}_name${isPhone ? "_short" : ""}`)}</text>
        ${isPhone ? "" : ticks.map(([value, at]) => svg`<text class="t12 soft middle" x=${at} y=${r.y + 25}>${number(value, value && value < 1 ? Math.ceil(-Math.log10(value)) : 0)}</text>`)}
        ${isSet ? "" : svg`<g ${hold} transform=${moved(x, r.y)}>${grip()}</g>`}`,
    );
  };
  const slope = {
    now: s.power,
    min: FLATTEST,
    max: STEEPEST,
    keys: (/** @type {number} */ by) =>
      set({ power: clamp(s.power + by * STEP, FLATTEST, STEEPEST) }),
  };
  const lead = {
    now: s.lead,
    min: 0,
    max: MOST,
    keys: (/** @type {number} */ by) => set({ lead: clamp(s.lead + by * 0.5, 0, MOST) }),
  };
  const leadX = (/** @type {number} */ value) => r.x + (r.w * value) / MOST;
  const slopes = SLOPES.map(
    (one) => /** @type {[number, number]} */ ([one, powerX(room, Math.log2(one))]),
  );
  const leads = LEADS.map((one) => /** @type {[number, number]} */ ([one, leadX(one)]));
  return svg`
    ${mark("slope", isGuessing() && !isSet ? 0 : s.slopes, curve(s, room, say, number, its))}
    ${rail("slope", s.slopes, powerX(room, isSet ? Math.log2(its) : s.power), slope, (share) => set({ power: mix(FLATTEST, STEEPEST, share) }), slopes)}
    ${rail("lead", s.leads, leadX(s.lead), lead, (share) => set({ lead: Math.round(MOST * share * 10) / 10 }), leads)}`;
}

/** Above the rail, what ALiBi gives the ringed word at each slope, and at its own.
 * @param {State} s @param {Room} room @param {Stage["say"]} say @param {Stage["number"]} number @param {number} its Slope.
 */
function curve(s, room, say, number, its) {
  const { rail: r, isPhone } = room;
  const back = Math.max(1, Math.round(s.back));
  const most = alibi(best(1))(1);
  const high = isPhone ? 22 : 46;
  const y = (/** @type {number} */ share) => r.y - 2 - (high * share) / most;
  const powers = Array.from({ length: 89 }, (_, i) => mix(FLATTEST, STEEPEST, i / 88));
  const point = (/** @type {number} */ power) =>
    /** @type {[number, number]} */ ([powerX(room, power), y(alibi(2 ** power)(back))]);
  const [x, top] = point(Math.log2(its));
  return svg`<path class="line" stroke-dasharray="2 4" d=${`M${r.x},${y(most)}h${r.w}`} />
    <text class="t12 soft end" x=${r.x - 7} y=${y(most) + 4}>${number(100 * most)}%</text>
    <path fill="none" stroke="var(--k)" stroke-width="2" d=${through(powers.map(point))} />
    <circle fill="var(--k)" cx=${x} cy=${top} r=${isPhone ? 3.5 : 4.5} />
    <text class="t14" x=${r.x + 4} y=${r.y - (isPhone ? 11 : 18)}>${say(`curve${isPhone ? "_short" : ""}`)}</text>`;
}
