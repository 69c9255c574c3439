// Words that are taken hold of: the whole text, one that changes places with another, one alone.

import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { placeX, plate } from "./room.js";
import { ASKS, FURTHEST, SLOTS, placesOf } from "./values.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const SNAPS = 160; // ms

/** A frame round a word that is held, and what is taken hold of. @param {Room} room @param {number} place @param {unknown} hold @param {Record<string, number>} hit */
const held = (room, place, hold, hit) => {
  const { x, y, width, height } = plate(room, place, room.isPhone ? 0 : 3);
  return svg`<g ${hold}>
    <rect fill="transparent" x=${hit.x} y=${hit.y} width=${hit.width} height=${hit.height} />
    <rect class="frame" rx="8" x=${x} y=${y} width=${width} height=${height} />
    <rect class="ring" rx="8" x=${x} y=${y} width=${width} height=${height} /></g>`;
};

/** The whole text, by its first word's place: held by any word, or by the last. @param {State} s @param {Room} room @param {Stage} stage */
export function text(s, room, { say, set, move, handle }) {
  const { strip } = room;
  const at = placesOf(s);
  const presence = s.texts * (1 - s.guessing);
  const to = (/** @type {number} */ start) => set({ start: clamp(start, 0, FURTHEST) });
  const hold = handle({
    label: say("text_label"),
    now: Math.round(s.start),
    min: 0,
    max: FURTHEST,
    text: say("text_at", { first: Math.round(s.start) }),
    isMute: presence < 0.5,
    keys: (by) => to(Math.round(s.start) + by),
    start: ([x]) => s.start - x / strip.slot,
    move: ([x], begun) => to(begun + x / strip.slot),
    end: () => move({ start: Math.round(s.start) }, SNAPS),
  });
  const from = s.two > 0.5 ? at[ASKS] : s.start; // the first is a handle of its own there
  const hit = {
    x: placeX(room, from) - strip.slot / 2,
    y: strip.y - 8,
    width: strip.slot * (at[ASKS] - from + 1),
    height: strip.h + 2 * strip.r + 20,
  };
  return mark("words", presence, held(room, at[ASKS], hold, hit));
}

/** The first word, which changes places with the third. @param {State} s @param {Room} room @param {Stage} stage */
export function swap(s, room, { say, set, move, handle }) {
  const { strip } = room;
  const [at] = placesOf(s);
  const presence = s.swaps * (1 - s.guessing);
  const hold = handle({
    label: say("ann_label"),
    now: Math.round(s.swap),
    min: 0,
    max: 1,
    text: say("ann_at", { place: Math.round(at) }),
    isMute: presence < 0.5,
    keys: (by) => move({ swap: by > 0 ? 1 : 0 }, 500),
    start: ([x]) => s.swap - x / (2 * strip.slot),
    move: ([x], begun) => set({ swap: clamp(begun + x / (2 * strip.slot), 0, 1) }),
    end: () => move({ swap: Math.round(s.swap) }, SNAPS),
  });
  const hit = { ...plate(room, at, 3), height: strip.h + 2 * strip.r + 20 };
  return mark("ann", presence, held(room, at, hold, hit));
}

/** One word, by its place. @param {State} s @param {Room} room @param {Stage} stage */
export function word(s, room, { say, set, move, handle }) {
  const presence = s.boxes * (1 - s.guessing);
  const to = (/** @type {number} */ at) => set({ at: clamp(at, 0, SLOTS - 1) });
  const hold = handle({
    label: say("word_label"),
    now: Math.round(s.at),
    min: 0,
    max: SLOTS - 1,
    text: say("word_at", { place: Math.round(s.at) }),
    isMute: presence < 0.5,
    keys: (by) => to(Math.round(s.at) + by),
    start: ([x]) => s.at - x / room.strip.slot,
    move: ([x], begun) => to(begun + x / room.strip.slot),
    end: () => move({ at: Math.round(s.at) }, SNAPS),
  });
  return mark("ann", presence, held(room, s.at, hold, plate(room, s.at, 6)));
}
