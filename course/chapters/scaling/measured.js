// What a token costs a real model by its place in the text: the curve hangs below the text itself.

import measured from "./data.js";
import { letters } from "../../../static/lines.js";
import { svg } from "../../page/lit/lit.js";
import { mark, through } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import { METHODS, TARGET, TRAINED, reach } from "./scalings.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("../../page/shapes.js").Point} Point */
/** @typedef {keyof typeof measured.six} Line */

const LETTER = 7.5; // pixels

/** In the order of the state's `lines`. @type {Line[]} */
export const LINES = ["none", "ntk", "window"];
export const NO_LINES = LINES.map(() => 0);
/** @param {Line[]} names */
export const lines = (...names) => LINES.map((name) => Number(names.includes(name)));

const SIX = measured.six.none.length; // thousands that six texts were read to
/** The place up to which six texts were read. */
export const MEASURED = SIX * 1024;

/** Bits a token in one thousand of the texts. @param {State} s @param {Line} name @param {number} i */
function bitsOf(s, name, i) {
  const one = measured.one[name][i];
  return i < SIX ? mix(measured.six[name][i], one, s.one) : one;
}

/** Bits a token at the end of the text. @param {State} s @param {Line} name */
export function bitsAt(s, name) {
  const last = s.one > 0.5 ? measured.places.length : SIX;
  const after = measured.places.findIndex((place) => place >= s.length);
  const i = clamp(after < 0 ? last - 1 : after, 1, last - 1);
  const [from, to] = [measured.places[i - 1], measured.places[i]];
  const t = clamp((s.length - from) / (to - from), 0, 1);
  return mix(bitsOf(s, name, i - 1), bitsOf(s, name, i), t);
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
  const every = s.high - s.low > 6 ? 4 : isPhone ? 2 : 1;
  const ticks = [0, 1, 2, 3]
    .map((i) => (Math.ceil(s.low / every) + i) * every)
    .filter((bits) => bits <= s.high);
  const tick = (/** @type {number} */ bits) =>
    high(bits) > top + 14
      ? svg`<text class="t12 soft end" x=${x - 8} y=${high(bits) + 4}>${number(bits)}</text>`
      : "";
  // Of the one text as much as is read, of the six what a step shows.
  const isWide = s.one > 0.5;
  const end = isWide ? s.length : Math.min(MEASURED, s.until);
  const count = isWide
    ? measured.places.filter((place) => place < end).length
    : Math.round(end / 1024);
  // Bits of a line: at the middles of its thousands, and at the end of the one text.
  const placeAt = (/** @type {number} */ i) => (i < count ? measured.places[i] : end);
  const along = (/** @type {Line} */ name) => {
    const bits = Array.from({ length: count }, (_, i) => bitsOf(s, name, i));
    return isWide ? [...bits, bitsAt(s, name)] : bits;
  };
  const pointsOf = (/** @type {number[]} */ all) =>
    all.map((bits, i) => /** @type {[number, number]} */ ([across(placeAt(i)), high(bits)]));
  /** Where a line's name stands: at its start, above as much of it as the name covers; of the six at its end.
   * @param {Line} name @param {string} called @param {number[]} bits @returns {[number, number, string]}
   */
  const nameAt = (name, called, bits) => {
    if (isWide && name === "window") return [x + 4, high(2) - 6, ""];
    if (isWide) {
      const wide = Math.ceil((letters(called) * LETTER * TARGET) / (w * 1024));
      return [across(wide * 512), Math.min(...bits.slice(0, wide + 1).map(high)) - 8, "middle"];
    }
    const y = high(bits[bits.length - 1]) + (name === "window" ? 14 : 4);
    return [across(end) + 8, clamp(y, top + (isPhone ? 24 : 12), bottom), ""];
  };
  const line = (/** @type {Line} */ name, /** @type {number} */ k) => {
    const there = s.lines[k] * presence;
    if (there < 0.02) return "";
    const bits = along(name);
    const isMain = name !== "window";
    const isBare =
      (name === "none" && step() === "broken") || (name === "window" && h < 120 && isWide);
    const short = name === "window" && isPhone ? "_short" : "";
    const called = isBare ? "" : say(`line_${name}${short}`);
    const [nameX, nameY, css] = nameAt(name, called, bits);
    const dashes = name === "window" ? "2 4" : "none";
    return mark(
      `curve ${isMain ? "" : "rival "}line_${name}`,
      there,
      svg`<path fill="none" stroke=${`var(--${isMain ? "ink" : "soft"})`} stroke-width=${isMain ? 2.5 : 2} stroke-dasharray=${dashes} stroke-linejoin="round" d=${`${through(pointsOf(bits))}H${across(end).toFixed(1)}`} />
        <text class=${`t14 halo ${isMain ? "" : "soft"} ${css}`} x=${nameX} y=${nameY}>${called}</text>`,
    );
  };
  const named = (/** @type {string} */ name, /** @type {number} */ at) =>
    svg`<text class="t12 new halo end" x=${at - 6} y=${top + (isPhone ? 27 : 30)}>${say(name)}</text>`;
  const first = across(reach(METHODS.ntk));
  const firstNew = presence * s.one * Number(s.length > reach(METHODS.ntk) + 1);
  const edge = across(breaks(isWide ? "ntk" : "none"));
  const broken = presence * (isWide ? Number(s.length >= breaks("ntk")) : s.broken);
  // The one text: what NTK-aware costs above the window, red where it breaks.
  const over = () => {
    const window = along("window");
    const upper = along("ntk").map((bits, i) => Math.max(bits, window[i]));
    const [high, low] = [upper, window].map(pointsOf);
    const area = (/** @type {(all: Point[]) => Point[]} */ part) =>
      `${through([...part(high), ...part(low).reverse()])}Z`;
    const first = measured.places.findIndex((place) => place > breaks("ntk"));
    const after = (/** @type {Point[]} */ all) => {
      const [[fromX, fromY], [toX, toY]] = [all[first - 1], all[first]];
      const at = mix(fromY, toY, (edge - fromX) / (toX - fromX));
      return [/** @type {Point} */ ([edge, at]), ...all.slice(first)];
    };
    return svg`<path fill="var(--ink)" opacity="0.12" d=${area((all) => [...all])} />
      ${broken > 0.5 ? svg`<path fill="var(--new)" opacity="0.45" d=${area(after)} />` : ""}`;
  };
  const isMeasured = isWide || s.length <= count * 1024 + 1;
  const here = { x: across(s.length), y: high(bitsAt(s, isWide ? "ntk" : "none")) };
  const isTold = step() === "broken" && isMeasured && here.x > x + w * 0.27;
  const from = isWide ? "source_one" : "source";
  const upright = (/** @type {string} */ colour, /** @type {number} */ at) =>
    svg`<path stroke=${`var(--${colour})`} stroke-dasharray="3 4" d=${`M${at},${top + 16}V${bottom}`} />`;
  return svg`
    ${mark(
      "curve",
      presence,
      svg`<path class="line" d=${ticks.map((bits) => `M${x},${high(bits).toFixed(1)}h${w}`).join("")} />
        ${ticks.map(tick)}
        <text class="t14 soft" x=${x + 2} y=${top + 9}>${say(isPhone ? "bits_short" : "bits")}</text>
        <text class="t12 soft end" x=${x + w} y=${top + 9}>${say(isPhone ? `${from}_short` : from)}</text>`,
    )}
    ${/* Under the names of the curves, whose halo is to cover them. */ mark("curve", firstNew, upright("new", first))}
    ${mark("curve", broken, upright("new", edge))}
    ${mark("curve", s.probe * presence, upright("soft", here.x))}
    ${LINES.map(line)}
    ${isWide ? mark("curve", presence * s.one, over()) : ""}
    ${mark(
      "curve",
      presence * s.broken,
      svg`<path stroke="var(--ink)" stroke-dasharray="7 4" d=${`M${x},${high(2 * INSIDE)}h${w}`} />
        <text class="t12 halo end" x=${x + w} y=${high(2 * INSIDE) + 15}>${say("twice")}</text>`,
    )}
    ${mark("curve", firstNew, named(isPhone ? "first_new_short" : "first_new", first))}
    ${mark("curve", broken, named(isPhone ? (isWide ? "breaks_bare" : "breaks_short") : "breaks", edge))}
    ${mark(
      "curve",
      s.probe * presence,
      svg`${isMeasured ? svg`<circle r="6" fill="var(--paper)" stroke="var(--ink)" stroke-width="3" cx=${here.x} cy=${here.y} />` : ""}
        ${isTold ? svg`<text class="halo end" x=${here.x - 12} y=${here.y - 8}>${say("bits_here")}</text>` : ""}`,
    )}`;
}
