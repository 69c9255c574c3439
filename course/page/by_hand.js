// One sentence by hand: the same five words, two numbers each, through every encoding to the softmax.

import { softmax } from "./formulas/rotation.js";
import { told } from "./words.js";

/** @typedef {{ place?: number, key: number[], content: number, position: number, score: number, share: number }} Line */
/** @import { ByHand, Stage } from "./types" */

export const START = 0.55; // radians: where the keys of the last three words point
export const BEND = -1; // radians from there to the query
export const QUERY_AT = START + BEND;
export const KEYS_AT = [QUERY_AT, QUERY_AT + Math.PI / 2, START, START, START];
export const SPEED = 1; // radians a place, of the only pair
export const LAST = KEYS_AT.length - 1; // the word that asks

const polar = (/** @type {number} */ angle) => [Math.cos(angle), Math.sin(angle)];
export const QUERY = polar(QUERY_AT);
export const KEYS = KEYS_AT.map(polar);
export const PLACES = KEYS.map((_, i) => i);
/** How many words back each key is. */
export const BACK = PLACES.map((i) => LAST - i);
/** The product of two vectors of two numbers, over the root of two. @param {number[]} a @param {number[]} b */
export const scaled = (a, b) => (a[0] * b[0] + a[1] * b[1]) / Math.SQRT2;
export const CONTENT = KEYS.map((key) => scaled(QUERY, key));

/** What the last word of the sentence asks of all five. @param {ByHand} encoding @returns {Line[]} */
export function lines({ places, scores }) {
  const shares = softmax(scores);
  return scores.map((one, i) => ({
    place: places[i],
    key: KEYS[i],
    content: CONTENT[i],
    position: one - CONTENT[i],
    score: one,
    share: shares[i],
  }));
}

/**
 * The sum of a chapter as HTML.
 * @param {Record<string, string>} words Of the course.
 * @param {ByHand} encoding
 * @param {Stage} stage
 */
export function byHand(words, encoding, { number, say }) {
  const pair = (/** @type {number[]} */ numbers) => numbers.map((one) => number(one, 2)).join(" ");
  const short = (/** @type {number} */ one) => number(one, Number.isInteger(one) ? 0 : 2);
  const sentence = words.sentence.split("|");
  const own = say("by_hand", encoding.values?.(number));
  const heads = ["", "key", "place", "content", "position", "score", "share"]
    .map((name) => `<th scope="col" class="${name}">${words[`by_hand_${name}`] ?? ""}</th>`)
    .join("");
  const hundredths = (/** @type {number} */ one) => Math.round(100 * one);
  const body = lines(encoding).map((line, i) => {
    const share = number(100 * line.share);
    // The parts as they are written add up to what is written.
    const [content, position] = [line.content, line.position].map(hundredths);
    return (
      `<tr><th scope="row">${sentence[i]}</th><td class="key">${pair(line.key)}</td>` +
      `<td>${line.place === undefined ? "–" : short(line.place)}</td><td>${number(content / 100, 2)}</td>` +
      `<td>${position > 0 ? "+" : ""}${number(position / 100, 2)}</td><td>${number((content + position) / 100, 2)}</td>` +
      `<td class="share" style="--part: ${line.share.toFixed(3)}">${share}%</td></tr>`
    );
  });
  return (
    `<h2>${sentence.join("")}</h2><p>${words.by_hand_why}</p><p>${own}</p>` +
    `<table><thead><tr>${heads}</tr></thead><tbody>${body.join("")}</tbody></table>` +
    `<p>${told(words.by_hand_sum, { query: `<b class="q">${pair(QUERY)}</b>` })}</p>`
  );
}
