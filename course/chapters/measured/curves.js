// What a token costs, thousand by thousand, above the ribbon: what was measured, and what the reader drew.

import { letters } from "../../../static/lines.js";
import { svg } from "../../page/lit/lit.js";
import { mark, seen as there } from "../../page/parts.js";
import { clamp, mix, xy } from "../../page/shapes.js";
import data from "./data.js";
import {
  BLOCK,
  BLOCKS,
  INSIDE,
  LENGTH,
  LINES,
  NARROW,
  NEAREST,
  TRAINED,
  across,
  axis,
  blockOf,
  drawn,
  high,
  tokensAt,
} from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room, Way } from "./room.js" */

const STEPS = [0.1, 0.2, 0.5, 1, 2, 4]; // of the axis
const APART = 17; // pixels between labels
const HALO = 20; // pixels that a label needs above its curve
const LETTER = 7; // pixels
/** @type {Partial<Record<Way, string>>} */
const DASHES = { window: "2 4", linear: "9 4", ntk: "5 3" };

/** The curves whose bits are said at the reader, by step. @type {Record<string, Way[]>} */
const COMPARED = { breaks: ["none"], rival: ["none", "window"] };

/** A line of thousands, each as wide as it is. @param {[number, number][]} points Left ends, and the last right end. @param {number} last */
const stairs = (points, last) =>
  `M${points.map(([x, y], i) => `${xy([x, y])}H${(points[i + 1]?.[0] ?? last).toFixed(1)}`).join("L")}`;

/** @param {number[]} own */
const isFlat = (own) => own.every((bits) => bits === own[0]);

/** How much of what is drawn above the ribbon is there. @param {State} s */
const farOf = (s) => (1 - Math.max(s.keys, s.each)) * (1 - s.near);

/** @param {Stage} stage */
export function makeCurves(stage) {
  const hand = makeHand(stage);
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = 1 - Math.max(s.keys, s.each);
    if (presence < 0.02) return "";
    const { x, w, top, bottom } = room;
    const far = farOf(s);
    return svg`
      <clipPath id="measured-plot"><rect x=${x - 2} y=${top - 6} width=${w + 4} height=${bottom - top + 8} /></clipPath>
      ${axes(s, room, stage, presence)}
      ${mark("band", s.band * far * s.lines[LINES.indexOf("none")], band(s, room))}
      ${mark("draw", s.drawn * far, hand(s, room))}
      ${far < 0.02 ? "" : lines(s, room, stage, far)}`;
  };
}

/** Left ends and heights of the first thousands. @param {State} s @param {Room} room @param {number} count @param {(i: number) => number} bitsOf @returns {[number, number][]} */
const steps = (s, room, count, bitsOf) =>
  Array.from({ length: count }, (_, i) => [across(room, s, i * BLOCK), high(room, s, bitsOf(i))]);

/** @param {State} s @param {Room} room @param {Stage} stage @param {number} presence */
function axes(s, room, { say, number }, presence) {
  const { isPhone, x, w, top, bottom, width } = room;
  const [low, most] = axis(s);
  const fit = (bottom - top) / (isPhone ? 34 : 52);
  const every = STEPS.find((one) => (most - low) / one <= fit) ?? 4;
  const first = Math.ceil(low / every - 1e-9);
  const count = Math.floor(most / every + 1e-9) - first + 1;
  const levels = Array.from({ length: count }, (_, i) => (first + i) * every);
  const right = x + mix(w, room.wide, s.near);
  const y = (/** @type {number} */ bits) => high(room, s, bits);
  // The words of a text have the room of the heading: the highest number says what is counted.
  const named = (/** @type {number} */ bits, /** @type {number} */ i) => {
    const sign = s.less > 0.5 && bits > 1e-9 ? "+" : "";
    const text = sign + number(bits, every < 1 ? 1 : 0);
    return s.near > 0.5 && i === count - 1 ? say("bits_word", { word_bits: text }) : text;
  };
  const heading = `${s.less > 0.5 ? "bits_less" : "bits"}${isPhone ? "_short" : ""}`;
  const headY = isPhone ? 15 : top - 30;
  const isOdds = width < NARROW ? 0 : clamp(2 * s.near - 1, 0, 1);
  const sides = svg`<text class="t14 soft halo" x=${x + 8} y=${y(0.4) - 10}>${say("dearer_than")}</text>
    <text class="t14 soft halo" x=${x + 8} y=${y(0) + 22}>${say("gains")}</text>`;
  return svg`
    <g data-marks="axis" opacity=${presence}>
      <path class="line" d=${levels.map((bits) => `M${x},${y(bits)}H${right}`).join("")} />
      ${there(
        isOdds,
        Array.from({ length: NEAREST / 2 - 1 }, (_, i) => 2 * (i + 1)).map(
          (bits) =>
            svg`<text class="t14 soft" opacity=${isOdds} x=${right + 10} y=${y(bits) + 5}>${say("odds", { odds: number(2 ** bits) })}</text>`,
        ),
      )}
      ${there(isOdds, svg`<text class="t14 soft" opacity=${isOdds} x=${right + 10} y=${y(NEAREST) + 5}>${say("chance")}</text>`)}
      ${levels.map((bits, i) => svg`<text class="t14 soft end" x=${x - 8} y=${y(bits) + 5}>${named(bits, i)}</text>`)}
      ${
        s.near > 0.5
          ? ""
          : svg`<text class="t14 soft" x=${isPhone ? 8 : x - 36} y=${headY}>${say(heading)}</text>
            <text class="t14 soft end" x=${isPhone ? x + w : right} y=${headY}>${say(isPhone ? "source_short" : "source")}</text>`
      }</g>
    ${mark("zero", presence * s.less, svg`<path stroke="var(--ink)" stroke-width="1.5" d=${`M${x},${y(0)}H${right}`} />${isPhone ? "" : sides}`)}`;
}

/** Between the texts that cost least and most. @param {State} s @param {Room} room */
function band(s, room) {
  const count = Math.ceil(s.until / BLOCK);
  const side = (/** @type {typeof Math.min} */ ofTexts) =>
    steps(s, room, count, (i) => ofTexts(...data.each.none.map((text) => text[i])));
  const last = across(room, s, count * BLOCK);
  const back = side(Math.min)
    .map(([px, py], i, all) => `L${xy([all[i + 1]?.[0] ?? last, py])}H${px.toFixed(1)}`)
    .reverse()
    .join("");
  return svg`<path fill="var(--ink)" opacity="0.1" clip-path="url(#measured-plot)" d=${`${stairs(side(Math.max), last)}${back}Z`} />`;
}

/** Where the reader draws. @param {Stage} stage */
function makeHand({ say, set, handle, isGuessing }) {
  let stroke = -1; // the thousand where the hand was
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { isPhone, top, bottom } = room;
    const [low, most] = axis(s);
    const draw = (/** @type {(own: number[]) => number[]} */ changed) => {
      set({ own: changed(s.own).map((bits) => clamp(bits, low, most)) });
    };
    const last = s.own[s.own.length - 1];
    const hold = handle({
      label: say("draw_label"),
      now: last,
      min: low,
      max: most,
      text: say("drawn_is"),
      isOff: !isGuessing(),
      isFree: true,
      keys: (by) => draw((own) => own.map((bits, i) => bits + (by * (i + 1)) / (2 * own.length))),
      start: () => {
        stroke = -1;
      },
      move: ([px, py]) => {
        const bits = low + ((bottom - py) / (bottom - top)) * (most - low);
        const at = clamp(blockOf(tokensAt(room, s, px)) - INSIDE, 0, INSIDE - 1);
        const from = stroke < 0 ? at : stroke;
        const [a, b] = [Math.min(from, at), Math.max(from, at)];
        // Those in between as well: a quick hand leaves some out.
        draw((own) => own.map((old, i) => (i === at || (i > a && i < b) ? bits : old)));
        stroke = at;
      },
    });
    const [from, to] = [across(room, s, TRAINED), across(room, s, LENGTH)];
    /** @type {[number, number][]} */
    const own = s.own.map((/** @type {number} */ bits, /** @type {number} */ i) => [
      across(room, s, TRAINED + i * BLOCK),
      high(room, s, bits),
    ]);
    const end = own[own.length - 1][1];
    const isHigher = last > drawn("none", s, BLOCKS - 1);
    const isAbove = (isGuessing() || isHigher) && end > 44; // else the source stands there
    const isHinted = isGuessing() && isFlat(s.own);
    return svg`
      <g ${hold}>
        <rect rx="8" fill="var(--wash)" style="cursor: crosshair" opacity=${isGuessing() ? 0.6 : 0} x=${from} y=${top} width=${to - from} height=${bottom - top} />
        <rect class="ring" rx="8" x=${from} y=${top} width=${to - from} height=${bottom - top} /></g>
      <g pointer-events="none">
        ${isHinted ? svg`<text class="soft halo middle" x=${(from + to) / 2} y=${top + (isPhone ? 24 : 44)}>${say("draw_here")}</text>` : ""}
        <path fill="none" stroke="var(--near)" stroke-width="3" d=${stairs(own, to)} />
        <text class="t14 near halo end" x=${to - 4} y=${end + (isAbove ? -9 : 19)}>${say("yours")}</text></g>`;
  };
}

/** @typedef {{ name: Way, says: string, path: string, read: number | null, level: number, high: number, low: number, y: number, x: number, isEarly: boolean }} Line */

/** @param {State} s @param {Room} room @param {Stage} stage @param {Way} name @returns {Line} */
function lineOf(s, room, { say, step }, name) {
  const { isPhone, x, w, top, bottom } = room;
  const until = name === "none" ? s.until : name === "window" ? s.slid : LENGTH;
  const count = clamp(Math.ceil(until / BLOCK), 1, BLOCKS);
  const last = across(room, s, until);
  const points = steps(s, room, count, (i) => drawn(name, s, i));
  const at = blockOf(s.reader);
  const isRead = s.reads > 0.5 && at < count && COMPARED[step()]?.includes(name);
  const says = say(`line_${name}`);
  const level = points[count - 1][1];
  const isEarly = last < x + w - 40;
  const under = Math.ceil((letters(says) * LETTER * BLOCKS) / w); // thousands that the name covers
  const levels = points.slice(-under - 1).map(([, y]) => clamp(y, top + 18, bottom));
  return {
    name,
    says,
    path: stairs(points, last),
    read: isRead ? at : null,
    level,
    high: Math.min(...levels),
    low: Math.max(...levels),
    y: clamp(level, top + (isPhone ? 20 : 4), bottom) + (isEarly ? 20 : isPhone ? -6 : 5),
    x: last,
    isEarly,
  };
}

/** Names at the end of each curve, and never upon one another; on a phone beside the curves, not on them.
 * @param {Line[]} all @param {Room} room
 */
function settle(all, { isPhone, bottom }) {
  const labels = [...all].sort((a, b) => a.level - b.level);
  labels.forEach((one, i) => {
    const above = labels[i - 1];
    if (above && one.y < above.y + APART) one.y = above.y + APART;
    if (!isPhone || one.isEarly) return;
    // Above its curve as far as the name reaches; where another curve is there, below it.
    const isFree = !above || (one.high - HALO > above.low && one.high - 6 > above.y + APART);
    one.y = isFree ? one.high - 6 : Math.max(one.low + 15, above.y + APART);
  });
  let most = bottom + 3;
  for (const one of labels.reverse()) {
    one.y = Math.min(one.y, most);
    most = one.y - APART;
  }
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {number} far */
function lines(s, room, stage, far) {
  const { say, number, step, isGuessing } = stage;
  const { isPhone, x, w, top } = room;
  const shown = LINES.filter((_, k) => s.lines[k] * far >= 0.02);
  const all = shown.map((name) => lineOf(s, room, stage, name));
  settle(all, room);
  const curve = (/** @type {Line} */ one) => {
    const { name, says, path, read, level, y, x: last, isEarly } = one;
    const isInside = isPhone && !isEarly;
    const width = name === "none" ? 3.5 : 2.5;
    return svg`<g data-marks=${`curve line_${name}`} opacity=${s.lines[LINES.indexOf(name)] * far}>
      <path fill="none" stroke=${`var(--${name === "window" ? "soft" : "ink"})`} stroke-width=${width} stroke-dasharray=${DASHES[name] ?? "none"} clip-path="url(#measured-plot)" d=${path} />
      ${read === null ? "" : svg`<circle r="5" fill="var(--paper)" stroke="var(--ink)" stroke-width="2.5" cx=${across(room, s, s.reader)} cy=${high(room, s, drawn(name, s, read))} />`}
      <text class=${`t14 halo ${isInside || isEarly ? "end" : ""}`} x=${isInside ? Math.min(last, x + w) - 3 : isEarly ? last - 6 : last + 8} y=${y}>${level < top - 8 ? `↑ ${says}` : says}</text></g>`;
  };
  /** YaRN as it stood before its factor is turned. */
  const was = () => {
    const points = steps(s, room, BLOCKS, (i) => drawn("yarn", { ...s, factor: 4 }, i));
    const at = points[BLOCKS - 1][1];
    return svg`<g data-marks="curve line_yarn" opacity=${clamp(4 - s.factor, 0, 1) * 0.6}>
      <path fill="none" stroke="var(--soft)" stroke-width="1.5" d=${stairs(points, x + w)} />
      ${isPhone ? "" : svg`<text class="t14 soft halo" x=${x + w + 8} y=${at + 5}>${say("factor_was")}</text>`}</g>`;
  };
  const read = all.flatMap(({ name, says, read: at }) =>
    at === null ? [] : [{ says, bits: drawn(name, s, at) }],
  );
  if (step() === "breaks" && s.reads > 0.5 && s.reader > TRAINED)
    read.push({ says: say("yours"), bits: s.own[blockOf(s.reader) - INSIDE] });
  read.sort((a, b) => b.bits - a.bits); // where no curve comes, the dearer first
  return svg`${s.dial > 0.98 && s.factor < 3.9 ? was() : ""}${all.map(curve)}
    <g data-marks="reader">${
      isGuessing()
        ? ""
        : read.map(
            ({ says, bits }, i) =>
              svg`<text class="halo" x=${x + 10} y=${top + 18 + APART * i}>${says} ${number(bits, 1)}</text>`,
          )
    }</g>`;
}
