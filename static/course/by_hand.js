// One sentence by hand: the same five words, two numbers each, through every encoding to the softmax.

import learned from "./data/relative.js";
import { between, dot, gatesOf, positions } from "./gates.js";
import { penalty, slope } from "./penalties.js";
import { score, softmax } from "./rotation.js";
import { row } from "./sinusoids.js";
import { told } from "./words.js";

/** @typedef {{ place?: number, key: number[], content: number, position: number, score: number, share: number }} Line */

export const START = 0.55; // radians: where the keys of the last three words point
export const BEND = -1; // radians from there to the query
const QUERY_AT = START + BEND;
const KEYS_AT = [QUERY_AT, QUERY_AT + Math.PI / 2, START, START, START];
const LAST = KEYS_AT.length - 1; // the word that asks
const SPEED = 1; // radians a place, of the only pair
const FACTOR = 4; // of the scaling
const HEAD = 1; // of ALiBi's 8
const LIKED = [0, 0, 2, 1, 0, 0]; // q·e of CoPE's floors

const polar = (/** @type {number} */ angle) => [Math.cos(angle), Math.sin(angle)];
const sum = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.map((x, i) => x + b[i]);
const QUERY = polar(QUERY_AT);
const KEYS = KEYS_AT.map(polar);
const PLACES = KEYS.map((_, i) => i);
const BACK = PLACES.map((i) => LAST - i);
const CONTENT = KEYS.map((key) => dot(QUERY, key) / Math.SQRT2);

/** Scores of a query and keys that are turned by their places. @param {number} speed */
const turned = (speed) =>
  BACK.map((back, i) => score([speed], [QUERY_AT - KEYS_AT[i]], [1], back) / Math.SQRT2);
const counted = positions(gatesOf(QUERY, KEYS), LAST);
const asked = sum(QUERY, row([SPEED], LAST));

/** By the name of a picture: the place at which an encoding sees each word, and the scores.
 * @type {Record<string, { places: number[], scores: number[] }>} */
const ENCODINGS = {
  why_position: { places: [], scores: CONTENT }, // no encoding: no place, and only content
  absolute: {
    places: PLACES,
    scores: KEYS.map((key, i) => dot(asked, sum(key, row([SPEED], i))) / Math.SQRT2),
  },
  relative: { places: BACK, scores: BACK.map((back, i) => CONTENT[i] + learned.numbers[back]) },
  alibi: { places: BACK, scores: BACK.map((back, i) => CONTENT[i] - penalty(slope(HEAD), back)) },
  rope: { places: BACK, scores: turned(SPEED) },
  scaling: { places: BACK.map((back) => back / FACTOR), scores: turned(SPEED / FACTOR) },
  cope: {
    places: counted,
    scores: counted.map((place, i) => CONTENT[i] + between(place, LIKED) / Math.SQRT2),
  },
};

/** What the last word of the sentence asks of all five. @param {string} name Of a picture. @returns {Line[]} */
export function lines(name) {
  const { places, scores } = ENCODINGS[name];
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

/** Whether a chapter has a sum by hand. @param {import("./types").Chapter} chapter */
export const isByHand = ({ picture, labels }) => picture in ENCODINGS && "by_hand" in labels;

/**
 * The sum of a chapter as HTML.
 * @param {import("./types").Chapter} chapter
 * @param {import("./types").Stage} stage
 */
export function byHand({ picture, words }, { number, say }) {
  const pair = (/** @type {number[]} */ numbers) => numbers.map((one) => number(one, 2)).join(" ");
  const short = (/** @type {number} */ one) => number(one, Number.isInteger(one) ? 0 : 2);
  const sentence = words.sentence.split(" ");
  const own = say("by_hand", {
    factor: FACTOR,
    slope: number(slope(HEAD), 1),
    liked: LIKED.map((one) => number(one)).join(", "),
  });
  const heads = ["", "key", "place", "content", "position", "score", "share"]
    .map((name) => `<th scope="col" class="${name}">${words[`by_hand_${name}`] ?? ""}</th>`)
    .join("");
  const hundredths = (/** @type {number} */ one) => Math.round(100 * one);
  const body = lines(picture).map((line, i) => {
    const share = number(100 * line.share);
    // The parts as they are written add up to what is written.
    const [content, position] = [line.content, line.position].map(hundredths);
    return (
      `<tr><th scope="row">${sentence[i]}</th><td class="key">${pair(line.key)}</td>` +
      `<td>${line.place === undefined ? "–" : short(line.place)}</td><td>${number(content / 100, 2)}</td>` +
      `<td>${position > 0 ? "+" : ""}${number(position / 100, 2)}</td><td>${number((content + position) / 100, 2)}</td>` +
      `<td class="share" style="--part: ${line.share.toFixed(3)}">${share}&nbsp;%</td></tr>`
    );
  });
  return (
    `<h2>${words.sentence}</h2><p>${words.by_hand_why}</p><p>${own}</p>` +
    `<table><thead><tr>${heads}</tr></thead><tbody>${body.join("")}</tbody></table>` +
    `<p>${told(words.by_hand_sum, { query: `<b class="q">${pair(QUERY)}</b>` })}</p>`
  );
}
