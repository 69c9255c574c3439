// What small models of each encoding find as texts grow: a curve in each row of the table.

import { svg } from "../../page/lit/lit.js";
import { mark, seen, through } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import data from "./data.js";
import {
  ENCODINGS,
  FEW,
  FURTHER,
  LENGTHS,
  MEASURES,
  MOST,
  NAMES,
  along,
  alongX,
  chosen,
  doublingsOf,
  firstOf,
  hasRow,
  height,
  isFallen,
  isThere,
  measureOf,
  measured,
  TUNED,
  reach,
  rowOf,
} from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** @param {State} s */
const there = (s) => clamp(2 * s.plot - 1, 0, 1) * clamp(1 - 2 * s.real, 0, 1);

/** The names, and the highlight over one of them. @param {State} s @param {Room} room @param {Stage} stage */
export function names(s, room, { say }) {
  const presence = clamp(2 * (s.plot + s.bars) - 1, 0, 1) * (1 - clamp(2 * s.real, 0, 1));
  if (presence < 0.02) return "";
  const { left, width, isPhone } = room;
  const { y, tall } = rowOf(room, s, chosen(s));
  const named = (/** @type {string} */ name) => {
    return svg`<g data-marks=${`names ${name}`}><text class=${`t14 ${name === chosen(s) ? "bold" : ""}`} opacity=${presence} x=${left} y=${rowOf(room, s, name).y + (isPhone ? 4 : 5)}>${say(`name_${name}${isPhone && name.startsWith("rope") ? "_short" : ""}`)}</text></g>`;
  };
  return svg`
    <g data-marks="row"><rect fill="var(--wash)" rx="5" opacity=${presence} x=${left - 6} y=${y - tall / 2} width=${width - 1.4 * left} height=${tall} /></g>
    ${NAMES.filter((name) => isThere(name, s)).map(named)}`;
}

/** Lengths above the rows, and whose numbers these are. @param {State} s @param {Room} room @param {Stage} stage */
export function rail(s, room, { say, number }) {
  const presence = there(s);
  if (presence < 0.02) return "";
  const { strip, isPhone, left, foot, heads } = room;
  const y = heads - (isPhone ? 16 : 20);
  const tick = (/** @type {unknown} */ _, /** @type {number} */ i) => {
    const length = number(data.trained * 2 ** i);
    return svg`<text class="t12 soft middle" x=${alongX(room, s, i)} y=${y}>${i || isPhone ? length : say("tick_trained", { length })}</text>`;
  };
  const { models, of } = ofChosen(s);
  const kind = models < of ? "note_some" : "note_small";
  const note = hasRow(chosen(s), doublingsOf(s)) ? kind : "note_no_row";
  const measure = 1 - s.measures;
  return svg`
    <g data-marks="axis" opacity=${presence}>
      <path class="line" stroke-width="3" d=${`M${strip.x},${heads}h${strip.w}`} />
      <text class="t12 soft" x=${left} y=${y}>${say(isPhone ? "small_axis_short" : "small_axis")}</text>
      ${seen(measure * presence, svg`<text opacity=${measure * presence} x=${left} y=${isPhone ? 14 : 36}>${say(MEASURES[measureOf(s)])}</text>`)}
      ${Array.from({ length: LENGTHS + 1 }, tick)}</g>
    <g data-marks="note" opacity=${presence}><text class="t12 soft" x=${isPhone ? left : strip.x} y=${foot}>${say(note)}</text></g>`;
}

/** Where a share of a row's height stands. @param {State} s @param {Room} room @param {string} name @param {number} share */
function levelOf(s, room, name, share) {
  const { y, tall } = rowOf(room, s, name);
  const high = tall - (s.few > 0.5 ? 30 : 8);
  return y + high / 2 - share * high;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function strips(s, room, stage) {
  const presence = there(s);
  if (presence < 0.02) return "";
  const { strip } = room;
  const limits = NAMES.filter((name) => hasRow(name, reach(s)) && isThere(name, s)).map(
    (name) => `M${strip.x},${levelOf(s, room, name, MOST / 100)}h${strip.w}`,
  );
  return svg`
    ${mark("most", presence * Math.max(s.measures, s.few), svg`<path stroke="var(--soft)" stroke-dasharray="2 4" d=${limits.join("")} />`)}
    ${NAMES.filter((name) => isThere(name, s)).map((name) => mark(`curves ${name}`, presence, curve(s, room, stage, name)))}
    ${mark(
      "training",
      presence * s.few * clamp(5 * s.tuned, 0, 1),
      TUNED.map((name) => trained(s, room, stage, name)),
    )}`;
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {string} name */
function curve(s, room, { say, number }, name) {
  const { strip, isPhone } = room;
  const from = firstOf(measureOf(s));
  const end = reach(s);
  const [y0, y1] = [0, 1].map((share) => levelOf(s, room, name, share));
  const middle = (y0 + y1) / 2 + (isPhone ? 4 : 5);
  const last = name === "learned" ? 0 : end;
  const points = from <= last ? stops(from, last).map(at) : [];
  const color = isFallen(name, s) ? "new" : "ink";
  const line = through(points);
  const [left, right] = [points[0]?.[0], points.at(-1)?.[0]];
  const isScaled = s.few > 0.5 || (!isPhone && hasRow(name, end) && name === chosen(s));
  const drawn = svg`
    <path fill=${`var(--${color})`} opacity="0.25" d=${`M${left},${y0}${line.replace("M", "L")}L${right},${y0}Z`} />
    <path fill="none" stroke=${`var(--${color})`} stroke-width="2.5" stroke-linejoin="round" d=${`${line}h0.1`} />
    ${points.length === 1 && hasRow(name, end) ? svg`<circle r=${isPhone ? 3 : 4} fill=${`var(--${color})`} cx=${left} cy=${points[0][1]} />` : ""}`;
  const scale = svg`
    <text class="t12 soft end" x=${strip.x - 6} y=${levelOf(s, room, name, MOST / 100) + 4}>${say("most")}</text>
    <text class="t12 soft end" x=${strip.x - 6} y=${y0 + 2}>0</text>`;
  const value = () => {
    const amount = measured(name, measureOf(s), doublingsOf(s));
    const css = `t14 ${name === chosen(s) ? "bold" : ""} ${color === "new" ? "new" : ""}`;
    const isBefore = !isPhone && s.few * s.tuned > 0.5;
    const x = strip.x + strip.w + (isPhone ? 10 : 18);
    return svg`<path class="line" d=${`M${strip.x},${y0}h${strip.w}`} />
      <text class=${css} x=${x} y=${middle}>${number(amount)}%</text>
      ${isBefore ? svg`<text class="t12 soft" x=${x} y=${middle + 18}>${say("before")}</text>` : ""}`;
  };
  const none = () => {
    const isNear = !isPhone && measureOf(s) === 0;
    const told = isNear
      ? say("fails_learned_near", { found: number(measured(name, 0, 0)) })
      : say("fails_learned");
    return svg`<text class="t14 halo new" x=${alongX(room, s, 0) + 12} y=${middle}>${told}</text>`;
  };
  const noneYet = () =>
    svg`<text class="t12 soft" x=${strip.x + 8} y=${middle}>${say("no_far")}</text>`;
  return svg`${hasRow(name, end) ? value() : none()}${points.length && hasRow(name, end) ? drawn : ""}${isScaled ? scale : ""}
    ${s.few > 0.5 && !isPhone && name === FEW[0] ? noneYet() : ""}`;

  /** @param {number} doublings @returns {[number, number]} */
  function at(doublings) {
    const share = along((i) => height(name, s, i), doublings);
    return [alongX(room, s, doublings), levelOf(s, room, name, share)];
  }
}

/** What was found after training on longer texts. @param {State} s @param {Room} room @param {Stage} stage @param {typeof TUNED[number]} name */
function trained(s, room, { say, number }, name) {
  const further = data.further[name];
  const [before, found] = [measured(name, 1, FURTHER), further.mean[0]].map((one) => one / 100);
  const x = alongX(room, s, FURTHER);
  const y = levelOf(s, room, name, mix(before, found, s.tuned));
  const isUp = found - before > 0.1;
  const mean = number(further.mean[0]);
  const rise = `M${x},${levelOf(s, room, name, before)}V${y + 5}m-6,7l6,-8l6,8`;
  return svg`
    ${isUp ? svg`<path stroke="var(--ink)" stroke-width="2" fill="none" d=${rise} />` : ""}
    <circle r="5" fill="var(--ink)" cx=${x} cy=${y} />
    <text class="t14 halo" x=${x + 12} y=${y + (isUp ? 5 : -8)}>${say(room.isPhone ? "trained_further_short" : "trained_further", { mean })}</text>
    ${isUp && !room.isPhone ? svg`<text class="t12 soft halo" x=${x + 12} y=${y + 22}>${say("not_longer")}</text>` : ""}`;
}

/** Whole doublings up to an end, and the end. @param {number} from @param {number} end */
function stops(from, end) {
  const whole = [];
  for (let i = from; i <= end; i++) whole.push(i);
  if (end > (whole.at(-1) ?? end)) whole.push(end);
  return whole;
}

/** Of how many models a number of the chosen encoding is the mean. @param {State} s */
export function ofChosen(s) {
  const name = chosen(s);
  const { models, learned } = ENCODINGS[name];
  const of = (/** @type {"mean" | "low" | "high"} */ end) =>
    measured(name, measureOf(s), doublingsOf(s), end);
  return {
    models: learned || models,
    of: models,
    mean: of("mean"),
    low: of("low"),
    high: of("high"),
  };
}
