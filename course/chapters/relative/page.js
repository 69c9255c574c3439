// A page of words that fades into a strip: all distances in a line, and T5's braces under it.

import { wordsIn } from "../../page/formulas/distances.js";
import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import { SENTENCE_FROM } from "./matrix.js";
import { BRACES, LAST, PAGE, braceOf, inkOf, placeX, seenWords, shade, stripX } from "./room.js";
import { subscript } from "./table.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Laid, Room } from "./room.js" */

const KNOWN = 22; // braces that tint the page before the question is answered

export const MOST = 0.95; // share of words in the last brace that the task asks for

/** How much of a brace is told. @param {State} s @param {number} brace */
const known = (s, brace) => (brace <= KNOWN ? 1 : s.told);

/** @param {State} s */
export const lastShare = (s) => wordsIn(BRACES[LAST], seenWords(s)) / seenWords(s);

/**
 * The page, broken into lines once for each width.
 * @param {string[]} words
 */
export function setter(words) {
  const context = /** @type {CanvasRenderingContext2D} */ (
    document.createElement("canvas").getContext("2d")
  );
  let key = "";
  /** @type {Laid[]} */
  let laid = [];

  return (/** @type {Room} */ { width, size, margin, isPhone }) => {
    if (key === `${width} ${size}`) return laid;
    key = `${width} ${size}`;
    context.font = `${size}px "Source Sans", "Source Sans 3", system-ui, sans-serif`;
    const space = context.measureText(" ").width + (isPhone ? 2 : 5);
    let x = margin;
    let line = 0;
    laid = words.map((word) => {
      const w = context.measureText(word).width;
      if (x + w > width - margin) [x, line] = [margin, line + 1];
      const at = { x, w, line };
      x += w + space;
      return at;
    });
    return laid;
  };
}

/** The middle of a line. @param {Room} room @param {Laid} word */
export const lineY = ({ pageTop, lineHigh }, { line }) => pageTop + (line + 0.5) * lineHigh;

/** @param {State} s @param {Room} room @param {string[]} words @param {Laid[]} laid @param {Stage} stage */
export function page(s, room, words, laid, { say }) {
  const away = clamp(1 - s.chart * 1.6, 0, 1);
  if (s.page < 0.02 || away < 0.02) return "";
  const query = Math.round(s.query);
  const own = braceOf(s.back);
  const high = room.lineHigh * (room.isPhone ? 0.86 : 0.76);
  const pad = room.isPhone ? 1.5 : 4;
  const tint = (/** @type {unknown} */ _, /** @type {number} */ n) => {
    const { x, w } = laid[n];
    const brace = braceOf(query - n);
    const isOwn = n < query && brace === own && s.far < 0.5;
    const fill = n === query ? "var(--q-fill)" : isOwn ? "var(--past)" : inkOf(brace);
    const strong = n === query ? 1 : isOwn ? 0.92 : shade(brace) * known(s, brace);
    if (n > query) return "";
    return svg`<rect rx="4" fill=${fill} fill-opacity=${strong} x=${x - pad} y=${lineY(room, laid[n]) - high / 2} width=${w + 2 * pad} height=${high} />`;
  };
  const word = (/** @type {string} */ text, /** @type {number} */ n) => {
    const { x, w } = laid[n];
    const t = n >= SENTENCE_FROM ? s.page : 1;
    if (n < SENTENCE_FROM && s.page < 0.9) return "";
    const isOwn = n < query && braceOf(query - n) === own && s.far < 0.5;
    const fill = n === query ? "fill:#fff" : isOwn ? "fill:var(--paper)" : "";
    return svg`<text class="middle central" opacity=${n > query ? 0.35 : 1} style=${`font-size:${room.size}px;${fill}`}
      x=${mix(placeX(room, n - SENTENCE_FROM), x + w / 2, t)} y=${mix(room.words, lineY(room, laid[n]), t) + 1}>${text}</text>`;
  };
  return svg`
    ${mark("braces far page", clamp(s.page * 2 - 1, 0, 1) * away, words.map(tint))}
    ${mark("page braces far q k", clamp(s.page * 1.5, 0, 1) * away, words.map(word))}
    ${mark("strip length", room.isPhone || s.length < PAGE + 1 ? 0 : s.far * away, svg`<text class="t14 bold" x=${room.margin} y="15">${say("earlier")}</text>`)}`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function strip(s, room, { say, number, isGuessing }) {
  const there = clamp(s.page * 2 - 1, 0, 1) * (1 - s.chart);
  if (there < 0.02) return "";
  const { isPhone, strip: y, stripHigh: high, width, track } = room;
  // Before the answer only the near braces, so large that each can be seen.
  const words = mix(BRACES[KNOWN].to + 1, seenWords(s), s.told);
  const chosen = braceOf(s.back);
  const isWaiting = isGuessing() && s.far < 0.5;
  const deep = isPhone ? 7 : 13;
  const low = y + high + 4;
  const at = (/** @type {number} */ distance) => stripX(room, distance, words);
  const brace = ({ from, to } = BRACES[0], b = 0) => {
    const until = Math.min(to + 1, words);
    if (from >= until) return "";
    const [right, left] = [at(from), at(until)];
    const w = right - left;
    const isOwn = b === chosen && s.far < 0.5;
    const strong = isOwn ? 0.95 : shade(b) + 0.12;
    const bend = Math.min(5, w / 2);
    const half = low + deep / 2;
    const curl = `M${left + 1.5},${low}Q${left + 1.5},${half} ${left + bend},${half}H${right - bend}Q${right - 1.5},${half} ${right - 1.5},${low}M${(left + right) / 2},${half}V${low + deep}`;
    const isCurled = w > 4;
    return svg`<g data-marks=${b === LAST ? "far braces" : ""}>
      <rect rx="2" fill=${isOwn ? "var(--past)" : inkOf(b)} fill-opacity=${strong} x=${left + Math.min(0.5, w / 4)} y=${y} width=${Math.max(0.4, w - 1)} height=${high} />
      ${isCurled ? svg`<path fill="none" stroke-linecap="round" stroke=${`var(--${isOwn ? "past" : "soft"})`} stroke-width=${isOwn ? 2.5 : 1} d=${curl} />` : ""}</g>`;
  };
  const x = at(s.back + 0.5);
  const edge = isPhone ? 96 : 150;
  const isNamed = !isWaiting || chosen <= KNOWN;
  const aside = width - (isPhone ? 138 : 300);
  return svg`
    <g data-marks="braces strip" opacity=${there}>${BRACES.map(brace)}</g>
    ${mark("braces k", there * (1 - s.far), isNamed ? svg`<text class="past middle bold" x=${clamp(x, edge, width - edge)} y=${y - (isPhone ? 6 : 12)}>${say(isPhone ? "brace_short" : "brace", { b: `b${subscript(chosen)}` })}</text>` : "")}
    ${mark("k", there * (1 - s.far), svg`<line stroke="var(--k)" stroke-width="3" x1=${x} x2=${x} y1=${y - 3} y2=${y + high + 3} />`)}
    ${mark(
      "strip braces",
      there,
      ticks(room, words, s.far, isWaiting).map(
        ({ x, step }) =>
          svg`<text class=${`t12 ${step ? "soft" : "q"} middle`} x=${x} y=${low + deep + (isPhone ? 13 : 17)}>${step ? say("back_at", { words: number(step) }) : say("query")}</text>`,
      ),
    )}
    ${mark(
      "page strip",
      there * s.far,
      svg`<path fill="none" stroke="var(--ink)" stroke-width="1.5" d=${`M${at(Math.min(s.query + 1, words))},${y - 4}v-4H${at(0)}v4`} />
        <text class="t14 end" x=${at(0)} y=${y - 13}>${say("this_page")}</text>`,
    )}
    ${mark(
      "length far",
      there * s.far,
      svg`<text class="t14 soft" x=${at(words)} y=${y - 13}>${say(isPhone ? "grey_short" : "grey")}</text>
        <text class=${`big ${lastShare(s) >= MOST ? "new" : ""}`} x=${aside} y=${track + (isPhone ? 8 : 11)}>${say("far_percent")}</text>
        <text class="t14 soft" x=${aside + (isPhone ? 70 : 98)} y=${track + 5}>${say(isPhone ? "in_last_short" : "in_last")}</text>`,
    )}`;
}

/** Distances that are written under the strip. @param {Room} room @param {number} words @param {number} far @param {boolean} isWaiting */
function ticks(room, words, far, isWaiting) {
  const { isPhone, width, height } = room;
  if (isPhone && (height <= 320 || far >= 0.5)) return [];
  const steps =
    words < 400
      ? [0, 16, 32, 64, 96, BRACES[LAST].from]
      : words < 2000
        ? [0, 128, 500, 1000, 1500]
        : [0, 1000, 2500, 5000, 7500];
  let used = Infinity;
  return steps.flatMap((step) => {
    const x = stripX(room, step + 0.5, words);
    const isFree = x < used - (isPhone ? 44 : 62) && x > 20;
    if (step >= words || !isFree || (isWaiting && step === BRACES[LAST].from)) return [];
    used = x;
    return [{ step, x: Math.min(x, width - (isPhone ? 18 : 24)) }];
  });
}

/** @param {number} share @param {(value: number, digits?: number) => string} number */
export const percent = (share, number) => number(100 * share);
