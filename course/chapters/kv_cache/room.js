// The KV cache: where words, queries, keys and values stand; near by, on a card, and along a long text.

import { cacheBytes, dividedSpeeds, isKept, speedsAt, writtenAt } from "./cached.js";
import data from "./data.js";
import { TURN, clamp, mix, wrapped } from "../../page/shapes.js";

/** @import { Box, Picture, State } from "../../page/types" */

export const COUNT = 12; // words
export const SPEED = 0.5; // radians a word
export const WINDOW = 4;
export const SINKS = 2;
export const NUMBERED = 38; // pixels below the shelf for two rows of numbers of kept words
export const GIB = 2 ** 30;
export const CARD = 80; // GiB
export const MILLION = 1e6;
export const { trained: TRAINED, base: BASE, pairs: PAIRS, alpha: ALPHA } = data.llama2;
export const MOST_PAST = 40; // tokens past training: up to there no dial of a kept key is off by more than half a turn
export const APART = 500; // tokens from one key to the next of a long text
export const FAR_KEYS = 9;

/** @param {State} s */
export const newest = (s) => Math.max(0, Math.ceil(s.typed - 1e-6) - 1);
/** @param {State} s @param {number} j */
export const isOn = (s, j) =>
  j <= newest(s) && (s.window < 0.5 || isKept(j, newest(s) + 1, WINDOW, SINKS));
/** The number that a word was turned by: its place, or in a window that of a newest word. @param {State} s @param {number} j */
export const turnedTo = (s, j) => mix(j, writtenAt(j, WINDOW, SINKS), s.window);
/** @param {State} s */
export const picked = (s) => Math.round(Math.min(s.pick, newest(s)));
/** Radians between the query and the key that is looked at. @param {State} s */
export const arcOf = (s) => (turnedTo(s, newest(s)) - turnedTo(s, picked(s))) * SPEED;

/**
 * What pictures of the shelf tell of a query and the key that is looked at.
 * @type {Picture["told"]}
 */
export const toldOfTurns = {
  query_at: (s, { number }) => number(Math.round(turnedTo(s, newest(s)))),
  query_turn: (s, { number }) => number(turnedTo(s, newest(s)) * SPEED, 1),
  key_at: (s, { number }) => number(Math.round(turnedTo(s, picked(s)))),
  key_turn: (s, { number }) => number(turnedTo(s, picked(s)) * SPEED, 1),
  arc: (s, { number }) => number(arcOf(s), 1),
  arc_words: (s, { number }) => number(arcOf(s) / SPEED),
  picked: (s, { say }) => say("sentence").split(" ")[picked(s)],
};

/** @param {State} s */
export const tokens = (s) => 10 ** s.length;
/** @param {State} s */
export const modelOf = (s) => data.models[clamp(Math.round(s.model), 0, data.models.length - 1)];

/** KiB that a model keeps of one token. @param {typeof data.models[number]} model */
export const kibOf = ({ layers }) => cacheBytes(/** @type {any} */ (layers), 1) / 1024;

/** GiB of the weights and of the cache, and the keys' share of it; in between while another model comes. @param {State} s */
export function weights(s) {
  const low = Math.floor(clamp(s.model, 0, data.models.length - 1));
  const at = (/** @type {number} */ i) => {
    const { bytes, layers, keys } = data.models[Math.min(i, data.models.length - 1)];
    const cache = cacheBytes(/** @type {any} */ (layers), Math.round(tokens(s)));
    return [bytes / GIB, cache / GIB, keys];
  };
  const [a, b] = [at(low), at(low + 1)];
  const [model, cache, keys] = a.map((one, i) => mix(one, b[i], s.model - low));
  return { model, cache, keys, isOver: model + cache > CARD };
}

/** Tokens with which Llama 2 fills the card. */
export const FULL = Math.floor(
  (CARD * GIB - data.models[0].bytes) / cacheBytes(/** @type {any} */ (data.models[0].layers), 1),
);

const WRITTEN = speedsAt(TRAINED, TRAINED, BASE, PAIRS, ALPHA);
const [SHORT, LONG] = [data.phi3.short, data.phi3.long].map((list) =>
  dividedSpeeds(data.phi3.base, list),
);
/** Whether the long text is read with LongRoPE's lists, not with a base that grows. @param {State} s */
export const isListed = (s) => s.listed > 0.5;
/** Speeds at which the prompt's keys were turned. @param {State} s */
export const speedsThen = (s) => (isListed(s) ? SHORT : WRITTEN);
/** Speeds at the end of the long text; LongRoPE's change with one token. @param {State} s */
export function speedsNow(s) {
  if (isListed(s)) return isLong(s) ? LONG : SHORT;
  return speedsAt(TRAINED + s.past, TRAINED, BASE, PAIRS, ALPHA);
}
/** Whether the text has outgrown the short list. @param {State} s */
export const isLong = (s) => Math.round(s.past) > 0;
/** How many dials there are. @param {State} s */
export const pairsOf = (s) => speedsThen(s).length;

/** The greatest of some numbers. @param {number[]} all */
const greatest = (all) => all.indexOf(Math.max(...all));
/** The pair of which the last kept key is furthest off. @param {number[]} then @param {number[]} now */
const worst = (then, now) =>
  greatest(then.map((speed, i) => Math.abs(wrapped(APART * (FAR_KEYS - 1) * (speed - now[i])))));
export const WORST = worst(WRITTEN, speedsNow({ past: MOST_PAST, listed: 0 }));
export const WORST_LISTED = worst(SHORT, LONG);

/** @typedef {ReturnType<typeof layout>} Room */

/** @param {Box} box @param {State} s */
export function layout({ width, height, isPhone }, s) {
  const left = isPhone ? 6 : 84;
  const slot = (width - left - (isPhone ? 6 : 30)) / COUNT;
  const r = Math.min(slot / 2 - 2, isPhone ? 13 : 27, height * 0.048);
  const words = isPhone ? 17 : 38;
  const pill = words + (isPhone ? 9 : 14);
  const top = pill + (isPhone ? 26 : 46);
  const gap = isPhone ? 10 : 22;
  const line = 2 * r + gap;
  const close = { q: top + r, k: top + r + s.asks * line, v: top + r + (s.asks + 1) * line };
  const end = height - (isPhone ? 10 : 24) - r;
  const [q, k, v] = [close.q, close.k, close.v].map((y, i) =>
    mix(y, top + r + ((end - top - r) * i) / 3, s.spread),
  );
  const below = mix(k, v, s.values) + r + gap + NUMBERED * s.window;
  const at = (/** @type {number} */ j) => left + (j + 0.5) * slot;
  const card = cardOf(width, height, isPhone, s);
  const strip = stripOf(width, height, isPhone);
  return {
    width,
    height,
    isPhone,
    left,
    slot,
    r,
    words,
    pill,
    q,
    k,
    v,
    out: end,
    below,
    at,
    card,
    strip,
    bottom: height - (isPhone ? 6 : 22),
  };
}

/** @param {number} width @param {number} height @param {boolean} isPhone @param {State} s */
function cardOf(width, height, isPhone, s) {
  const x = isPhone ? 10 : 28;
  const top = (isPhone ? 30 : 70) + s.squeeze * (isPhone ? 45 : 76);
  const track = height - (isPhone ? 40 : 76);
  const y = top + (isPhone ? 26 : 44);
  const h = clamp(track - (isPhone ? 44 : 84) - y, 20, isPhone ? 210 : 400);
  return { x, w: width - x - (isPhone ? 26 : 60), y, h, top, track };
}

/** @param {number} width @param {number} height @param {boolean} isPhone */
function stripOf(width, height, isPhone) {
  const r = isPhone ? 11 : 25;
  const x = isPhone ? 6 : 28;
  const tail = isPhone ? 96 : Math.min(230, width * 0.28);
  const w = width - x - tail;
  return {
    x,
    w,
    y: height - (isPhone ? 32 : 74),
    r,
    gap: w / FAR_KEYS,
    from: x + w + (isPhone ? 12 : 26),
    to: width - (isPhone ? 20 : 34),
  };
}

/** Where the dial of a key is: on the shelf, in the card's band, or along the long text. @param {Room} room @param {State} s @param {number} j */
export function placeOfKey(room, s, j) {
  const { card, strip, at, k, r } = room;
  const along = s.stale + s.plot + s.moved;
  const near = clamp(1 - s.far - along, 0, 1);
  const band = card.x + (card.w * weights(s).model) / CARD;
  const blend = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ c) =>
    near * a + s.far * b + along * c;
  return {
    x: blend(at(j), band + 3, strip.x + (j + 0.5) * strip.gap),
    y: blend(k, card.y + card.h / 4, strip.y),
    r: blend(r, 1, strip.r),
  };
}

/** The turn from one angle to another, the short way. @param {number} from @param {number} to @param {number} t */
export const turnBetween = (from, to, t) =>
  from + t * (to - from - TURN * Math.round((to - from) / TURN));
