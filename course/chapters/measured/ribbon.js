// The text as a ribbon: what the model was trained on, the reader, the window, the end of the text.

import { svg } from "../../page/lit/lit.js";
import { HOLLOW, at as place, grip, mark } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import { BLOCK, LENGTH, LONGEST, TRAINED, across, keysY, tokensAt } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const HEIGHT = 16;
const TICKS = [0, TRAINED, 2 * TRAINED, 4 * TRAINED];
/** Lengths of texts with keys. */
export const LENGTHS = [TRAINED, LENGTH, LONGEST];

/** Where the window ends: at the reader, or with the text. @param {State} s */
const windowEnd = (s) => mix(s.reader, s.length, s.keys);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function ribbon(s, room, stage) {
  const { say, number } = stage;
  const { isPhone, x, w, ribbon: middle, top } = room;
  const far = 1 - Math.max(s.near, s.each);
  const y = middle - HEIGHT / 2;
  const [mid, last] = [across(room, s, TRAINED), across(room, s, s.length)];
  const at = across(room, s, s.reader);
  const under = middle + (isPhone ? 27 : 34);
  const ticks = TICKS.map((token) => ({ token, px: across(room, s, token) })).filter(
    ({ token, px }) => token <= s.span * 1.01 && (s.reads < 0.5 || Math.abs(px - at) > 56), // free of the reader's
  );
  const anchor = (/** @type {number} */ token, /** @type {number} */ px) =>
    token ? (px > x + w - 30 ? "end" : "middle") : "";
  const stop = windowEnd(s);
  const from = across(room, s, Math.max(0, stop - TRAINED));
  const to = across(room, s, stop);
  // Around that part of the bar, or of the rows of keys: one just before it is drawn wide.
  const left = from - 2 + Math.min(from - x, (isPhone ? 8 : 17) * s.keys);
  const [over, below] = [
    mix(y - 4, keysY(room, 0) - room.row / 2, s.keys),
    mix(y + HEIGHT + 4, keysY(room, 0) + 2.5 * room.row, s.keys),
  ];
  return svg`
    ${mark(
      "text",
      far,
      svg`<rect rx="4" height=${HEIGHT} fill="var(--wash)" stroke="var(--line)" x=${x} y=${y} width=${last - x} />
        <rect rx="4" height=${HEIGHT} fill="var(--soft)" x=${x} y=${y} width=${Math.min(mid, last) - x} />
        <line stroke="var(--line)" stroke-dasharray="3 4" x1=${mid} x2=${mid} y1=${mix(top, y, s.keys)} y2=${y} />
        ${ticks.map(({ token, px }) => svg`<text class=${`t14 soft ${anchor(token, px)}`} x=${px} y=${under}>${number(token)}</text>`)}
        ${
          isPhone
            ? ""
            : svg`<text class="t14 soft" x=${x} y=${middle + 56}>${say("trained")}</text>
              <text class="t14 soft end" x=${x + w} y=${middle + 56}>${say("beyond")}</text>`
        }`,
    )}
    ${mark(
      "window",
      s.frame * far,
      svg`<rect height=${HEIGHT + 2} fill="var(--paper)" opacity="0.72" x=${x - 1} y=${y - 1} width=${Math.max(0, from - x + 1)} />
        <path fill="none" stroke="var(--ink)" stroke-width="2.5" stroke-linejoin="round" d=${`M${left},${over}H${Math.max(left, to + 2)}V${below}H${left}Z`} />`,
    )}
    ${mark(
      "reader",
      s.reads * far,
      svg`<line stroke="var(--soft)" stroke-dasharray="2 4" x1=${at} x2=${at} y1=${top} y2=${middle - 14} />
        <text class="t14 halo middle" x=${clamp(at, x + 20, x + w - 20)} y=${under}>${say("token")}</text>
        <g ${read(s, room, stage)} transform=${place(at, middle)}>${grip(HOLLOW)}</g>`,
    )}
    ${mark("text", s.end * far, svg`<g ${end(s, room, stage)} transform=${place(last, middle)}>${grip(HOLLOW)}</g>`)}`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
function read(s, room, { say, set, handle }) {
  const to = (/** @type {number} */ token) => set({ reader: clamp(token, 1, LENGTH) });
  return handle({
    label: say("reader_label"),
    now: Math.round(s.reader),
    min: 1,
    max: LENGTH,
    text: say("token_is"),
    isOff: s.reads <= 0.5,
    keys: (by) => to(Math.round(s.reader / 256) * 256 + by * 256),
    move: ([px]) => to(tokensAt(room, s, px)),
  });
}

/** @param {State} s @param {Room} room @param {Stage} stage */
function end(s, room, { say, set, seen, handle }) {
  const to = (/** @type {number} */ length) => {
    seen.add(length); // those that were drawn stay as rings
    set({ length });
  };
  return handle({
    label: say("end_label"),
    now: s.length,
    min: TRAINED,
    max: LONGEST,
    text: say("length_is"),
    isOff: s.end <= 0.5,
    keys: (by) => {
      const at = LENGTHS.indexOf(nearest(s.length));
      to(LENGTHS[clamp(at + by, 0, LENGTHS.length - 1)]);
    },
    move: ([px]) => to(nearest(tokensAt(room, s, px))),
  });
}

/** @param {number} tokens */
export const nearest = (tokens) =>
  LENGTHS.reduce((best, one) => (Math.abs(one - tokens) < Math.abs(best - tokens) ? one : best));

/** The middle of a token's thousand, to put the reader there. @param {number} block */
export const middleOf = (block) => (block + 0.5) * BLOCK;
