// What a model keeps of a text while it writes, in numbers: its work, its memory, and keys of an older base.

import { invFreq } from "../../page/formulas/rotation.js";

/** Words that go through the model for a text of n, if all of them do so again for each new one. @param {number} n */
export const runsAgain = (n) => (n * (n + 1)) / 2;

/** Keys that a head turns while a text grows, if it turns all of them at each step. @param {number} from @param {number} to */
export const turnsOnRead = (from, to) => runsAgain(to) - runsAgain(from);

/**
 * Layers that are alike: how many, numbers that each keeps of a token, and of how many tokens (0: of all).
 * @typedef {[number, number, number]} Layers
 */

/** Of the cache of a text, with so many for a number. @param {Layers[]} layers @param {number} tokens @param {number} bytes */
export const cacheBytes = (layers, tokens, bytes = 2) =>
  layers.reduce(
    (sum, [count, numbers, window]) =>
      sum + count * numbers * bytes * Math.min(tokens, window || tokens),
    0,
  );

/** Whether a window still holds token j of so many: the first ones and the last. @param {number} j @param {number} tokens @param {number} window @param {number} sinks */
export const isKept = (j, tokens, window, sinks) => j < sinks || j >= tokens - window;

/** The number that a token has in such a cache when it is written. @param {number} j @param {number} window @param {number} sinks */
export const writtenAt = (j, window, sinks) => Math.min(j, window + sinks - 1);

/**
 * Dynamic NTK: base·(α·L/L₀ - α + 1)^(d/(d-2)), from the trained length L₀ on.
 * @param {number} length @param {number} trained @param {number} base @param {number} pairs @param {number} alpha
 */
export const baseAt = (length, trained, base, pairs, alpha) =>
  base * Math.max(1, (alpha * length) / trained - alpha + 1) ** (pairs / (pairs - 1));

/** LongRoPE: each pair's speed divided by its number of a list. @param {number} base @param {number[]} list */
export const dividedSpeeds = (base, list) =>
  invFreq(list.length, base).map((speed, i) => speed / list[i]);

/** By how much a key turned at these speeds is ahead at others, in each pair. @param {number} place @param {number[]} written @param {number[]} now */
export const ahead = (place, written, now) => written.map((speed, i) => place * (speed - now[i]));

/** @param {number} length @param {number} trained @param {number} base @param {number} pairs @param {number} alpha */
export const speedsAt = (length, trained, base, pairs, alpha) =>
  invFreq(pairs, baseAt(length, trained, base, pairs, alpha));
