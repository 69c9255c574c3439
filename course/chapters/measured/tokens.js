// The first words of a text, token by token: how many bits each costs.

import data from "./data.js";
import { clamp, mix } from "../../page/shapes.js";
import { high } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {{ text: string, bits: number, likeliest: string, least: number }} Token */

/** The first token is given. @type {Token[]} */
export const TOKENS = data.sentence.map(([text, bits = 0, likeliest = "", least = 0]) => ({
  text: String(text).trim(),
  bits: Number(bits),
  likeliest: String(likeliest).trim(),
  least: Number(least),
}));
const LAST = TOKENS.length - 1;
const most = Math.max(...TOKENS.map(({ bits }) => bits));
export const DEAREST = TOKENS.findIndex(({ bits }) => bits === most);
/** @param {State} s */
export const wordAt = (s) => clamp(Math.round(s.word), 1, LAST);

const GAP = 6; // pixels between words

/** @param {Stage} stage */
export function buildTokens({ make, put, show, group, slider, ring, value, say, state, set }) {
  const bars = group("bars");
  const words = group("tokens");
  const hand = slider(words, {
    label: say("word_label"),
    keys: (by) => set({ word: clamp(Math.round(state.word) + by, 1, LAST) }),
    move: ([x]) =>
      set({
        word: clamp(places.filter((left) => left <= x).length - 1, 1, LAST),
      }),
  });
  const plane = make("rect", { fill: "transparent" }, hand);
  const look = { rx: 5, fill: "var(--wash)", stroke: "var(--soft)", "stroke-width": 1.5 };
  const held = ring(make("rect", look, hand));
  const texts = TOKENS.map(({ text }) =>
    make("text", { style: "pointer-events: none" }, words, text),
  );
  const rects = TOKENS.map(() => make("rect", { rx: 2, fill: "var(--soft)" }, bars));
  const cost = make("text", { class: "halo", "text-anchor": "middle" }, bars);
  const lines = [0, 1].map(() => make("text", {}, group("tokens")));
  /** Left edges. @type {number[]} */
  let places = [];

  /** @param {Room} room */
  function spread({ x, wide, isPhone }) {
    if (isPhone) return TOKENS.map((_, i) => x + (i * wide) / TOKENS.length);
    const letters = TOKENS.map(({ text }) => Math.max(1.4, text.length));
    const each = (wide - GAP * TOKENS.length) / letters.reduce((sum, one) => sum + one, 0);
    let left = x;
    return letters.map((count) => {
      const from = left;
      left += count * each + GAP;
      return from;
    });
  }

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = clamp(2 * s.near - 1, 0, 1);
    show(words, presence);
    show(bars, s.near);
    lines.forEach((node) => show(/** @type {Element} */ (node.parentNode), presence));
    if (s.near < 0.02) return;
    const { isPhone, x, top, bottom } = room;
    places = spread(room);
    const right = x + room.wide;
    const now = wordAt(s);
    const y = bottom + (isPhone ? 10 : 24);
    const gathered = s.near ** 3;
    const bar = isPhone ? 12 : 22;
    TOKENS.forEach(({ bits }, i) => {
      const wide = (places[i + 1] ?? right + GAP) - places[i] - GAP;
      const up = high(room, s, bits * s.paid);
      const middle = places[i] + wide / 2;
      put(rects[i], {
        x: mix(x, middle - bar / 2, gathered).toFixed(1),
        width: Math.max(1, bar * gathered).toFixed(1),
        y: up.toFixed(1),
        height: Math.max(0, bottom - up).toFixed(1),
        fill: i === now ? "var(--ink)" : "var(--soft)",
      });
      put(texts[i], {
        transform: isPhone
          ? `translate(${(middle - 4).toFixed(1)} ${y}) rotate(90)`
          : `translate(${middle.toFixed(1)} ${y + 5})`,
        "text-anchor": isPhone ? "start" : "middle",
      });
      if (i !== now) return;
      put(cost, { x: clamp(middle, x + 30, right - 30), y: up - 8, text: say("bits_word") });
      const box = isPhone
        ? { x: middle - 10, y: y - 7, width: 20, height: 94 }
        : { x: places[i] - 3, y: y - 15, width: wide + 6, height: 30 };
      put(held, box);
    });
    show(cost, s.paid);
    put(plane, { x, y: y - 20, width: right - x, height: isPhone ? 110 : 40 });
    value(hand, now, 1, LAST, TOKENS[now].text);
    lines.forEach((node, i) => {
      const name = isPhone ? "guess_short" : `guess_${i}`;
      const text = s.paid < 0.5 ? (i ? "" : say("came")) : isPhone && i ? "" : say(name);
      const css = isPhone ? "t14" : "";
      put(node, { x: isPhone ? 10 : x, y: isPhone ? 16 : top - 34 + i * 21, class: css, text });
    });
  };
}
