// Words and their lights: in columns, along a road, or as parts of a stick.

import { asked } from "../../page/asked.js";
import { svg } from "../../page/lit/lit.js";
import { at, grip, mark, pill, seen, through } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { BOB, BREAK, COMMA, COMMAS, LAST, NEXT, STOP, WIDE, broken, replaced } from "./gates.js";
import { bars, columnX, roadX, wordsAt } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Rect, Room } from "./room.js" */

const [SHORTEST, LONGEST] = [0.2, 1.25]; // of a stretch of the road that is dragged
const SLIP = 0.02; // of the road, at a press

/** @param {number} part @param {Stage["number"]} number */
export function percent(part, number) {
  const p = 100 * part;
  if (p > 1e-6 && p < 0.05) return `< ${number(0.1, 1)}%`;
  return `${number(p, p >= 9.95 || p < 0.05 ? 0 : 1)}%`;
}

/** The tokens of the sentence. @param {Stage} stage */
export const sentence = ({ say }) => say("sentence").split(" ");

/** A token as it is said aloud. @param {Stage} stage @param {number} j */
export const spokenOf = (stage, j) =>
  [2, 3, 6, 8].includes(j) ? stage.say(`token_${j}`) : sentence(stage)[j];

/** A token where it stands; the last one is the query. @param {Room} room @param {string} text @param {number} x @param {number} y */
export function token({ letters, isPhone }, text, x, y, isLast = false) {
  const isSign = text === "." || text === ",";
  const style = `font: ${isSign ? 700 : 400} ${isSign ? letters * 1.5 : letters}px var(--heading)`;
  const [w, h] = isPhone ? [34, 21] : [letters * 2.9, letters * 1.5];
  const plate = {
    x: x - w / 2,
    y: y - h * 0.72,
    width: w,
    height: h,
    rx: 6,
    fill: "var(--q-fill)",
  };
  return svg`${isLast ? pill(plate) : ""}
    <text class=${`middle ${isLast ? "white" : "halo"}`} style=${style} x=${x} y=${y}>${text}</text>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function scene(s, room, stage) {
  if (s.lights < 0.02) return "";
  const { say, number, isGuessing } = stage;
  const { isPhone, stick } = room;
  const words = sentence(stage);
  const all = bars(s, room);
  const places = wordsAt(s, room);
  const rests = (/** @type {number} */ one) => one < 0.02 || one > 0.98; // nothing is written on its way
  const isStill = rests(s.road) && rests(s.stick);
  const isHidden = s.doors > 0.5 && s.known < 0.98;
  const onRoad = (/** @type {number} */ j) =>
    s.road < 0.5 || roadX(room, all[j].far) > room.pad + 4;

  const bar = (/** @type {Rect} */ { x, y, w, h }) =>
    svg`<rect fill="var(--attention)" rx="1.5" x=${x} y=${y} width=${Math.max(0, w - (s.stick > 0.5 ? 1.5 : 0))} height=${h} />`;
  const told = (/** @type {string} */ _, /** @type {number} */ j) => {
    const { x, y, w, light, part } = all[j];
    const text = (/** @type {number} */ cx, /** @type {number} */ cy, /** @type {number} */ what) =>
      svg`<text class="t12 middle" x=${cx} y=${cy}>${percent(what, number)}</text>`;
    if (!isStill || (s.road > 0.5 && j < LAST)) return "";
    if (s.stick > 0.5)
      return j === LAST || s.known < 0.98
        ? ""
        : text(columnX(room, j), room.stickWord + (isPhone ? 20 : 30), part);
    return isHidden && j !== LAST ? "" : text(x + w / 2, y - 6, light);
  };
  const name = (/** @type {string} */ word, /** @type {number} */ j) => {
    const [x, y] = places[j];
    const names = j === LAST ? "q" : j === BOB ? "words bob" : "words";
    const dim = s.stick > 0.5 ? 1 : 0.4 + 0.6 * Math.min(1, 5 * all[j].light);
    const low =
      s.road > 0.98
        ? svg`<path class="line" d=${`M${x},${room.road + (isPhone ? 14 : 18)}V${y - (isPhone ? 14 : 22)}`} />`
        : "";
    return seen(
      onRoad(j) ? 1 : 0,
      svg`${low}<g data-marks=${names} opacity=${dim.toFixed(2)}>${token(room, word, x, y, j === LAST)}</g>`,
    );
  };
  return svg`<g opacity=${s.lights.toFixed(2)}>
    ${seen(s.stick, svg`<rect data-marks="stick" fill="var(--wash)" stroke="var(--line)" stroke-width="1.5" x=${stick.x} y=${stick.y} width=${stick.w} height=${stick.h} opacity=${s.stick.toFixed(2)} />`)}
    ${ribbons(s, room, all)}
    <g data-marks="light stick">${all.map(bar)}${words.map(told)}</g>
    ${words.map(name)}
    ${road(s, room, stage, all)}
    ${s.road > 0.98 ? hold(s, room, stage, all[STOP].far) : ""}
    ${shares(s, room, stage)}
    ${asked([[columnX(room, BOB), room.base - 40]], isHidden && isGuessing() ? s.doors : 0)}
    ${asked(
      words.slice(0, LAST).map((_, j) => [columnX(room, j), room.stickWord - (isPhone ? 34 : 46)]),
      s.stick * s.guessing,
    )}
    ${mark("rest", s.stick > 0.98 && s.known > 0.98 ? 1 : 0, svg`<text class="t14 soft" x=${stick.x} y=${stick.y - 11}>${say("rest")}</text>`)}
    ${mark("stick", clamp(20 * s.stick - 19, 0, 1), svg`<text class="t14 soft end" x=${stick.x + stick.w} y=${stick.y - 11}>${say("from_end")}</text>`)}</g>`;
}

/** A line from each part of the stick to the word that has it. @param {State} s @param {Room} room @param {ReturnType<typeof bars>} all */
function ribbons(s, room, all) {
  if (s.stick < 0.98) return "";
  const from = room.stick.y + room.stick.h;
  const to = room.stickWord - (room.isPhone ? 17 : 28);
  const middle = (from + to) / 2;
  const one = (/** @type {ReturnType<typeof bars>[0]} */ { x, w }, /** @type {number} */ j) => {
    const [a, c] = [x + w / 2, columnX(room, j)];
    return j === LAST || w < 0.5
      ? ""
      : svg`<path fill="none" stroke="var(--attention)" stroke-width="1.5" opacity="0.6" d=${`M${a},${from}C${a},${middle} ${c},${middle} ${c},${to}`} />`;
  };
  return svg`<g data-marks="stick">${all.map(one)}</g>`;
}

/** Each gate as a stretch of the road, and how long the task wants one. @param {State} s @param {Room} room @param {Stage} stage @param {ReturnType<typeof bars>} all */
function road(s, room, stage, all) {
  const { say, number, isGuessing } = stage;
  const { road: base, top, isPhone, pad } = room;
  const y = base + (isPhone ? 8 : 10);
  const stretch = (/** @type {ReturnType<typeof bars>[0]} */ { far }, /** @type {number} */ j) => {
    if (!j) return "";
    const left = Math.max(pad, roadX(room, all[j - 1].far));
    const right = Math.max(pad, roadX(room, far));
    const length = all[j - 1].far - far;
    const isCompared = j === BREAK || j === COMMA;
    const row = isPhone ? 16 + 14 * (j % 2) : 20;
    return svg`<path stroke="var(--content)" stroke-width=${isCompared ? 11 : 5} d=${`M${left + 1.5},${y}H${Math.max(left + 1.5, right - 1.5)}`} />
      <text class=${`t12 content halo middle ${isCompared ? "bold" : ""}`} x=${(left + right) / 2} y=${y + row}>${number(length, 2)}</text>`;
  };
  const named = (/** @type {string} */ label, /** @type {number} */ n, words = {}) =>
    svg`<text class=${`t12 ${n === 1 ? "content" : ""}`} x=${pad + 17} y=${top + 18 * n}>${say(label, words)}</text>`;
  const points = Array.from({ length: 81 }, (_, i) => {
    const d = i / 20;
    return /** @type {[number, number]} */ ([roadX(room, d), base - (base - top) * Math.exp(-d)]);
  }).filter(([x]) => x >= pad);
  const comma = -Math.log(s.gates[COMMA]);
  const wanted = roadX(room, all[BREAK].far + COMMAS * comma);
  const high = top + (isPhone ? 62 : 72);
  const goal = svg`<path stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="4 4" d=${`M${wanted},${high + 6}V${y + 6}`} />
    <text class="t14 halo middle" x=${wanted} y=${high}>${say("wanted", { many: number(COMMAS), stretch: number(comma, 2) })}</text>`;
  return svg`
    ${mark("light", s.road, svg`<rect fill="var(--attention)" x=${pad + 2} y=${top - 11} width="7" height="14" />${named("light_is", 0)}`)}
    ${mark("road", s.road, svg`<path stroke="var(--content)" stroke-width="6" d=${`M${pad},${top + 14}h11`} />${named("stretch_is", 1)}`)}
    ${mark("curve", s.road, svg`<path fill="none" stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="2 4" d=${through(points)} /><path stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="2 4" d=${`M${pad},${top + 32}h12`} />${named("curve_is", 2, { half: number(Math.LN2, 2) })}`)}
    ${mark("stop", s.road > 0.98 && !isGuessing() ? 1 : 0, goal)}
    ${mark("road", clamp(2 * s.road - 1, 0, 1), svg`${all.map(stretch)}`)}`;
}

/** The first full stop as a grip: the gate of the line’s end is the stretch after it. @param {State} s @param {Room} room @param {Stage} stage @param {number} far */
function hold(s, room, { say, set, handle, number }, far) {
  const x = roadX(room, far);
  const length = -Math.log(s.gates[BREAK]);
  const next = far - length; // how far the line's end is
  const pull = (/** @type {number} */ to) =>
    set({ gates: replaced(s.gates, BREAK, Math.exp(-clamp(to, SHORTEST, LONGEST))) });
  const slider = handle({
    label: say("stop_label"),
    now: -length, // to the right the stretch gets shorter
    min: -LONGEST,
    max: -SHORTEST,
    text: say("stop_at", { length: number(length, 2), far: number(far, 2) }),
    keys: (by) => pull(length - SLIP * by),
    start: ([from]) => from - x,
    move: ([to], off) => pull((roadX(room, 0) - (to - off)) / room.nature - next),
  });
  const y = room.road + (room.isPhone ? 8 : 10);
  return svg`<g data-marks="words stop"><g ${slider} transform=${at(x, y)}>${grip({ r: room.isPhone ? 8 : 10 })}</g></g>`;
}

/** What each word takes of what is left to it, and the first break, which is dragged. @param {State} s @param {Room} room @param {Stage} stage */
function shares(s, room, { say, set, handle, number }) {
  if (s.stick < 0.98) return "";
  const { isPhone, stick, stickWord, pad } = room;
  const y = stickWord + (isPhone ? 58 : 84);
  const share = (/** @type {number} */ one, /** @type {number} */ j) =>
    svg`<text class="t12 middle" x=${columnX(room, j)} y=${y}>${number(one, 2)}</text>`;
  const { parts } = broken(s.shares);
  const x = stick.x + stick.w * (1 - parts[NEXT] * s.known);
  const to = (/** @type {number} */ value) =>
    set({ shares: replaced(s.shares, NEXT, Math.round(100 * clamp(value, 0, 1)) / 100) });
  const slider = handle({
    label: say("break_label"),
    now: -s.shares[NEXT], // to the right the share gets smaller
    min: -1,
    max: 0,
    text: say("break_at", { part: percent(parts[NEXT], number) }),
    keys: (by) => to(s.shares[NEXT] - 0.01 * by),
    move: ([at]) => to((stick.x + stick.w - at) / stick.w),
  });
  const hand = svg`<g ${slider} transform=${at(x, stick.y + stick.h / 2)}>
    <path stroke="var(--ink)" stroke-width="3" d=${`M0,${-stick.h / 2 - 5}V${stick.h / 2 + 5}`} />${grip()}</g>`;
  const wanted = stick.x + stick.w * (1 - WIDE);
  const isBelow = isPhone || wanted - stick.x < 190; // else beside what is left for no word
  const goal = svg`<path stroke="var(--paper)" stroke-width="3" d=${`M${wanted},${stick.y}v${stick.h}`} />
    <path stroke="var(--ink)" stroke-width="2" stroke-dasharray="5 4" d=${`M${wanted},${isBelow ? stick.y : stick.y - 7}V${stick.y + stick.h + (isBelow ? 7 : 0)}`} />
    <text class="t14 halo middle" x=${wanted} y=${isBelow ? stick.y + stick.h + 22 : stick.y - 11}>${percent(WIDE, number)}</text>`;
  return svg`
    <g data-marks="break">${seen(s.known > 0.98 ? 1 : 0, goal)}</g>
    <g data-marks="shares"><text class="t12 soft" x=${pad} y=${y - (isPhone ? 17 : 24)}>${say("shares")}</text>
      ${s.shares.map(share)}</g>
    <g data-marks="break">${seen(s.known > 0.98 ? 1 : 0, hand)}</g>`;
}
