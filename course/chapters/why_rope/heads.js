// Three heads that want the word n back, in a text whose words are all alike: the share that each word gets.

import { t5Bucket } from "../../page/formulas/distances.js";
import { total } from "../../page/formulas/penalties.js";
import { invFreq, score } from "../../page/formulas/rotation.js";

/** @import { State } from "../../page/types" */

export const TEXT = 4096; // words that the query sees, its own included
export const PAGE = 400; // the last of them, which are drawn
const LENGTH = 16; // of the query and of every key
const WIDTH = 64; // channels of the head
export const DIALS = WIDTH / 2;
const BASE = 10_000;
const RAISED = 16; // T5's number for the distance that is wanted; all others are 0

/** @typedef {"alibi" | "t5" | "rope"} Name */
/** @typedef {(distance: number) => number} Shares */

/** The slope that gives the word n back most, in an endless text. @param {number} n */
export const best = (n) => Math.log((n + 1) / n);

/** @param {number} slope @returns {Shares} */
export const alibi = (slope) => {
  const sum = total(slope, TEXT);
  return (d) => Math.exp(-slope * d) / sum;
};

/** How many words have the number of the word n back. @param {number} n */
export function alike(n) {
  let count = 0;
  for (let d = 0; d < TEXT; d++) if (t5Bucket(d) === t5Bucket(n)) count++;
  return count;
}

/** @param {number} n @returns {Shares} */
export function t5(n) {
  const [wanted, count] = [t5Bucket(n), alike(n)];
  const sum = count + (TEXT - count) * Math.exp(-RAISED);
  return (d) => Math.exp(t5Bucket(d) === wanted ? 0 : -RAISED) / sum;
}

/**
 * What RoPE's head gives words by how far they are from the one that its query was turned for, before the softmax
 * divides. Both vectors lie evenly over all pairs, and the query is turned by n places.
 */
function rope() {
  const speeds = invFreq(DIALS, BASE);
  const sizes = speeds.map(() => (2 * LENGTH * LENGTH) / WIDTH / Math.sqrt(WIDTH));
  const still = speeds.map(() => 0); // both point the same way where the distance is the wanted one
  const top = score(speeds, still, sizes, 0);
  const powers = Array.from({ length: TEXT }, (_, off) =>
    Math.exp(score(speeds, still, sizes, off) - top),
  );
  const sums = [0]; // of the first powers
  for (const power of powers) sums.push(/** @type {number} */ (sums.at(-1)) + power);
  return (/** @type {number} */ n) => {
    const sum = sums[TEXT - n] + sums[n + 1] - powers[0];
    return /** @type {Shares} */ ((d) => powers[Math.abs(d - n)] / sum);
  };
}

const turned = rope();

const SHOWN = 15; // the dial that is drawn: it turns less than once over the page

/** What the query of RoPE's head is turned by on the dial that is drawn. @param {number} n */
export const turnOf = (n) => n * invFreq(DIALS, BASE)[SHOWN];

/** Shares of one of the heads, by position alone. @param {Name} name @param {number} n @param {number} slope @returns {Shares} */
export function shares(name, n, slope) {
  if (name === "alibi") return alibi(slope);
  return name === "t5" ? t5(n) : turned(n);
}

/**
 * The same once the query also asks for a word, which raises the score of each of its occurrences.
 * @param {Shares} alone @param {number[]} places Words back of the occurrences. @param {number} lead
 * @returns {Shares}
 */
export function asking(alone, places, lead) {
  if (lead <= 0) return alone;
  const raised = Math.exp(lead);
  const sum = 1 + places.reduce((more, d) => more + (raised - 1) * alone(d), 0);
  const are = new Set(places);
  return (d) => (alone(d) * (are.has(d) ? raised : 1)) / sum;
}
