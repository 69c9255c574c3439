// What a token costs a real model by its place in the text: the curve, or the bars, hang below the text itself.

import measured from "./data.js";
import { svg } from "../../page/lit/lit.js";
import { mark, through } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import { METHODS, TARGET, TRAINED, reach } from "./scalings.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @import { Point } from "../../page/shapes.js" */
/** @typedef {keyof typeof measured.six} Line */

/** In the order of the state's `lines`. @type {Line[]} */
export const LINES = ["none", "window"];
export const NO_LINES = LINES.map(() => 0);
/** @param {Line[]} names */
export const lines = (...names) => LINES.map((name) => Number(names.includes(name)));

const SIX = measured.six.none.length; // thousands that six texts were read to
/** The place up to which six texts were read. */
export const MEASURED = SIX * 1024;

/** Bits a token at the end of the text, of the six. @param {State} s @param {Line} name */
export function bitsAt(s, name) {
  const after = measured.places.findIndex((place) => place >= s.length);
  const i = clamp(after < 0 ? SIX - 1 : after, 1, SIX - 1);
  const [from, to] = [measured.places[i - 1], measured.places[i]];
  const t = clamp((s.length - from) / (to - from), 0, 1);
  return mix(measured.six[name][i - 1], measured.six[name][i], t);
}

/** Bits a token within the trained length, on average. */
export const INSIDE =
  measured.six.none.slice(0, SIX / 2).reduce((sum, bits) => sum + bits, 0) / (SIX / 2);
/** Bits a token beyond it, more than with a window of the trained length. @param {keyof typeof measured.beyond} name */
export const beyond = (name) => measured.beyond[name];

const BROKEN = 0.5; // bits above the window
/** The thousand of the text from which on a line breaks, after the last place without new angles. @param {"none" | "ntk"} name */
export function breaks(name) {
  const { places, one, six } = measured;
  const [last, bits] = name === "ntk" ? [reach(METHODS.ntk), one] : [TRAINED, six];
  const at = places.findIndex((its, i) => its > last && bits[name][i] - bits.window[i] > BROKEN);
  return places[at] - 512;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function curves(s, room, { say, number, step }) {
  const presence = s.curve * clamp(1 - 2 * s.crowd, 0, 1);
  if (presence < 0.02) return "";
  const { isPhone } = room;
  const { x, w } = room.ruler;
  const { y: top, h } = room.measured;
  const bottom = top + h - 6;
  const across = (/** @type {number} */ place) => x + (place / TARGET) * w;
  const high = (/** @type {number} */ bits) =>
    Math.max(top - 4, bottom - ((bits - s.low) / (s.high - s.low)) * (h - 22));
  const every = s.high - s.low > 6 ? 4 : 1;
  const ticks = [0, 1, 2, 3]
    .map((i) => (Math.ceil(s.low / every) + i) * every)
    .filter((bits) => bits <= s.high);
  const tick = (/** @type {number} */ bits) =>
    high(bits) > top + 14
      ? svg`<text class="t12 soft end" x=${x - 8} y=${high(bits) + 4}>${number(bits)}</text>`
      : "";
  // Of the one text as much as is read, of the six what a step shows.
  const isWide = s.one > 0.5;
  const end = Math.min(MEASURED, s.until);
  const count = Math.round(end / 1024);
  const line = (/** @type {Line} */ name, /** @type {number} */ k) => {
    const there = s.lines[k] * presence;
    if (there < 0.02) return "";
    const bits = measured.six[name].slice(0, count);
    const isMain = name !== "window";
    const isBare = isMain && step() === "broken";
    const short = !isMain && isPhone ? "_short" : "";
    const called = isBare ? "" : say(`line_${name}${short}`);
    const points = bits.map(
      (one, i) => /** @type {Point} */ ([across(measured.places[i]), high(one)]),
    );
    const below = high(bits[bits.length - 1]) + (isMain ? 4 : 14);
    const nameY = clamp(below, top + (isPhone ? 24 : 12), bottom);
    const dashes = name === "window" ? "2 4" : "none";
    return mark(
      `curve ${isMain ? "" : "rival "}line_${name}`,
      there,
      svg`<path fill="none" stroke=${`var(--${isMain ? "ink" : "soft"})`} stroke-width=${isMain ? 2.5 : 2} stroke-dasharray=${dashes} stroke-linejoin="round" d=${`${through(points)}H${across(end).toFixed(1)}`} />
        <text class=${`t14 halo ${isMain ? "" : "soft"}`} x=${across(end) + 8} y=${nameY}>${called}</text>`,
    );
  };
  const named = (/** @type {string} */ name, /** @type {number} */ at) =>
    svg`<text class="t12 new halo end" x=${at - 6} y=${top + (isPhone ? 27 : 30)}>${say(name)}</text>`;
  const first = across(reach(METHODS.ntk));
  const firstNew = presence * s.one * Number(s.length > reach(METHODS.ntk) + 1);
  const edge = across(breaks(isWide ? "ntk" : "none"));
  const broken = presence * (isWide ? Number(s.length >= breaks("ntk")) : s.broken);
  // The one text: what NTK-aware costs more than the rival in each thousand, red above half a bit.
  const bar = (/** @type {number} */ from) => {
    const i = from / 1024;
    const more = measured.one.ntk[i] - measured.one.window[i];
    const wide = across(Math.min(from + 1024, s.length)) - across(from) - 1.5;
    const isOver = more > BROKEN;
    return svg`<rect fill=${`var(--${isOver ? "new" : "soft"})`} opacity=${isOver ? 0.8 : 0.6} x=${across(from) + 0.75} y=${high(Math.max(more, 0))} width=${Math.max(0, wide)} height=${Math.abs(high(more) - high(0))} />`;
  };
  const read = measured.places.map((place) => place - 512).filter((from) => from < s.length);
  const isMeasured = !isWide && s.length <= count * 1024 + 1;
  const here = { x: across(s.length), y: high(bitsAt(s, "none")) };
  const isTold = step() === "broken" && isMeasured && here.x > x + w * 0.27;
  const source = isWide ? "source_one" : "source";
  const title = isWide ? "more_or_less" : "bits";
  const upright = (/** @type {string} */ colour, /** @type {number} */ at) =>
    svg`<path stroke=${`var(--${colour})`} stroke-dasharray="3 4" d=${`M${at},${top + 16}V${bottom}`} />`;
  return svg`
    ${mark(
      "curve",
      presence,
      svg`<path class="line" d=${ticks.map((bits) => `M${x},${high(bits).toFixed(1)}h${w}`).join("")} />
        ${ticks.map(tick)}
        <text class="t14 soft" x=${x + 2} y=${top + 9}>${say(isPhone ? `${title}_short` : title)}</text>
        <text class="t12 soft end" x=${x + w} y=${top + 9}>${say(isPhone ? `${source}_short` : source)}</text>`,
    )}
    ${/* Under the names of the curves, whose halo is to cover them. */ mark("curve", firstNew, upright("new", first))}
    ${mark("curve", broken, upright("new", edge))}
    ${mark("curve", s.probe * presence, upright("soft", here.x))}
    ${LINES.map(line)}
    ${
      isWide
        ? svg`${mark("curve bars", presence * s.one, read.map(bar))}
          ${mark("rival", presence * s.one, svg`<path stroke="var(--ink)" stroke-width="1.5" d=${`M${x},${high(0)}h${w}`} /><text class="t12 soft halo" x=${x + 4} y=${high(0) + 17}>${say(isPhone ? "line_window_short" : "line_window")}</text>`)}
          ${mark("half", presence * s.one, svg`<path stroke="var(--ink)" stroke-dasharray="7 4" d=${`M${x},${high(BROKEN)}h${w}`} /><text class="t12 halo" x=${x + 4} y=${high(BROKEN) - 5}>${say("half_bit")}</text>`)}`
        : ""
    }
    ${mark(
      "curve",
      presence * s.broken,
      svg`<path stroke="var(--ink)" stroke-dasharray="7 4" d=${`M${x},${high(2 * INSIDE)}h${w}`} />
        <text class="t12 halo end" x=${x + w} y=${high(2 * INSIDE) + 15}>${say("twice")}</text>`,
    )}
    ${mark("curve", firstNew, named(isPhone ? "first_new_short" : "first_new", first))}
    ${mark("curve", broken, named(isWide ? (isPhone ? "breaks_bare_short" : "breaks_bare") : isPhone ? "breaks_short" : "breaks", edge))}
    ${mark(
      "curve",
      s.probe * presence,
      svg`${isMeasured ? svg`<circle r="6" fill="var(--paper)" stroke="var(--ink)" stroke-width="3" cx=${here.x} cy=${here.y} />` : ""}
        ${isTold ? svg`<text class="halo end" x=${here.x - 12} y=${here.y - 8}>${say("bits_here")}</text>` : ""}`,
    )}`;
}
