// Where the things of the first chapter stand: words in a row, and below them what attention makes of them.

import { mix } from "../../page/shapes.js";
import { COUNT, TOKENS } from "./model.js";

/** @import { Box, State } from "../../page/types" */
/** @typedef {ReturnType<typeof roomOf>} Room */

/** @param {Box} box @param {State} s */
export function roomOf({ width, height, isPhone }, s) {
  const edge = isPhone ? 6 : 44;
  const wide = (width - 2 * edge) / COUNT;
  const narrow = (width - 2 * edge) / TOKENS;
  const slot = mix(wide, narrow, s.count);
  const left = edge + s.count * narrow; // the longer text has a token before
  const top = isPhone ? 28 : mix(64, height * 0.13, 0.5);
  const first = mix(top, height * (isPhone ? 0.34 : 0.36), s.story);
  const ground = height - (isPhone ? 24 : 52); // of the longer text
  const words = mix(first, ground, s.count);
  const size = mix(isPhone ? 18 : 27, Math.min(wide * 0.23, 42), s.story);
  const letters = mix(size, isPhone ? 12 : 17, s.count);
  const high = letters * 1.5 + (isPhone ? 4 : 10); // of a card
  const below = top + high / 2;
  const telling = isPhone
    ? { top: below + 20, high: 34, caption: below + 70 }
    : { top: below + 36, high: 78, caption: below + 142 };
  const aside = (isPhone ? 48 : 112) * s.links + (isPhone ? 60 : 120) * s.switch;
  const head = below + aside + (isPhone ? 16 : 40); // of the outputs
  const last = height - (isPhone ? 26 : 54);
  const foot = mix(
    mix(last, last - (isPhone ? 52 : 88), s.switch),
    mix(head, last, isPhone ? 0.36 : 0.27),
    s.chain,
  );
  const chain = { top: foot + (isPhone ? 14 : 26), foot: height - (isPhone ? 36 : 62) };
  return {
    width,
    height,
    isPhone,
    edge,
    slot,
    left,
    words,
    letters,
    high,
    head,
    telling,
    foot,
    chain,
    ground,
  };
}

/** Middle of a place. @param {Room} room @param {number} place */
export const placeX = ({ left, slot }, place) => left + slot * (place + 0.5);

/** @param {Room} room @param {number} x */
export const placeAt = ({ left, slot }, x) => (x - left) / slot - 0.5;

/** Middle of a token of the longer text. @param {Room} room @param {number} token From 0. */
export const tokenX = (room, token) =>
  room.edge + ((room.width - 2 * room.edge) / TOKENS) * (token + 0.5);

/** How far a token of the longer text stands below its neighbours: a phone is too narrow for one row. @param {Room} room @param {number} token */
export const tokenDrop = ({ isPhone }, token) => (isPhone && token % 2 ? 13 : 0);
