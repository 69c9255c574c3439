// The words as cards that are dragged into another order, and what a reader makes of it.

import { makeWay, orderOf } from "./attention.js";
import { svg } from "../../page/lit/lit.js";
import { mark, seen as there } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { BITES, COUNT, story } from "./model.js";
import { placeAt, placeX, tokenDrop } from "./room.js";
import { isOn } from "./telling.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** @param {Stage} stage @returns {string[]} */
export const wordsOf = ({ say }) => say("sentence").split(" ");

/** @param {Stage} stage */
export function makeCards(stage) {
  const { say, seen, set, move, handle, isGuessing } = stage;
  const texts = wordsOf(stage);
  let lifted = -1;
  /** @type {number[]} */
  let others = [];

  /** @param {State} s @param {number} word */
  function take(s, word) {
    others = orderOf(s.places).filter((other) => other !== word);
  }
  /** @param {number} word @param {number} place */
  const hold = (word, place) => set({ places: makeWay(others, word, clamp(place, 0, COUNT - 1)) });
  /** @param {number} word @param {number} place */
  function settle(word, place) {
    lifted = -1;
    const places = makeWay(others, word, place);
    seen.add(orderOf(places).join());
    move({ places }, 200);
  }

  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const isOpen = s.free > 0.5 && !isGuessing();
    const asking = Math.max(s.asking, isOn(s, "subtract"));
    const asks = s.picked.word;
    const letters = `font: 600 ${at.letters.toFixed(1)}px var(--heading)`;
    const boxOf = (/** @type {number} */ word) => {
      const long = texts[word].length;
      const w = at.letters * (0.62 * long + (at.isPhone ? 0.5 : 1) + (long < 4 ? 0.35 : 0));
      const x = placeX(at, s.places[word]);
      const y = at.words - (word === lifted ? at.high * 0.22 : 0);
      const drop = s.count * tokenDrop(at, 1 + Math.round(s.places[word]));
      const base = y + at.letters * 0.32 + drop; // of the letters
      return { x, w, left: x - w / 2, top: y - at.high / 2, foot: y + at.high / 2, base };
    };
    const face = (/** @type {number} */ word) => {
      const { x, w, left, top, foot, base } = boxOf(word);
      const isHidden = s.places[word] > s.places[asks] + 0.5; // from who asks, by the mask
      const faint = isHidden ? 1 - 0.65 * s.mask * asking : 1;
      const presence = word === asks ? 1 - asking : faint;
      const frame = svg`<rect rx="10" stroke-width="1.5" fill="var(--paper)" stroke=${`var(--${word === lifted ? "ink" : "line"})`} opacity=${(1 - s.count) * faint} x=${left} y=${top} width=${w} height=${at.high} />
        <rect class="ring" rx="10" x=${left} y=${top} width=${w} height=${at.high} />`;
      const grip = svg`<path fill="none" stroke="var(--soft)" stroke-width="2" stroke-linecap="round" d=${`M${x - 5},${foot - 4}h10`} />`;
      return svg`${there((1 - s.count) * faint, frame)}
        ${isOpen && !at.isPhone ? grip : ""}
        ${there(presence, svg`<text class="middle" opacity=${presence} style=${letters} x=${x} y=${base}>${texts[word]}</text>`)}`;
    };
    const card = (/** @type {string} */ text, /** @type {number} */ word) => {
      const place = Math.round(s.places[word]);
      const { w, left, top } = boxOf(word);
      const its = handle({
        label: say("card_label", { word: text }),
        now: place,
        min: 0,
        max: COUNT - 1,
        text: say("card_at", { word: text, place }),
        isOff: !isOpen,
        keys: (by) => {
          take(s, word);
          settle(word, clamp(Math.round(s.places[word]) + Math.sign(by), 0, COUNT - 1));
        },
        start: ([x]) => {
          take(s, word);
          lifted = word;
          return placeAt(at, x) - s.places[word];
        },
        move: ([x], off) => hold(word, placeAt(at, x) - off),
        end: () => settle(word, Math.round(s.places[word])),
      });
      // One that is lifted is drawn above those that it passes.
      return svg`<g ${its}><rect fill="transparent" x=${left} y=${top} width=${w} height=${at.high} />${word === lifted ? "" : face(word)}</g>`;
    };
    const { x, w, left, top, base } = boxOf(asks);
    return svg`
      ${mark("words", 1 - s.far, svg`${texts.map(card)}<g pointer-events="none">${lifted < 0 ? "" : face(lifted)}</g>`)}
      ${mark(
        "q",
        asking * (1 - s.far),
        svg`<g pointer-events="none"><rect rx="10" fill="var(--q-fill)" x=${left + 1.5} y=${top + 1.5} width=${w - 3} height=${at.high - 3} />
          <text class="white middle" style=${letters} x=${x} y=${base}>${texts[asks]}</text></g>`,
      )}`;
  };
}

/** Who bites whom, as an arrow under the words. @param {State} s @param {Room} at @param {Stage} stage */
export function told(s, at, stage) {
  if (s.story < 0.02) return "";
  const { say } = stage;
  const found = story(s);
  const y = at.words + at.high / 2 + 10;
  const deep = at.isPhone ? 38 : 90;
  const line = found ? say("bitten", { word: wordsOf(stage)[found.bitten] }) : say("nobody");
  const arrow = () => {
    const [from, to, middle] = [found?.biter ?? 0, found?.bitten ?? 0, BITES].map((word) =>
      placeX(at, s.places[word]),
    );
    const top = at.words - at.high / 2 - (at.isPhone ? 8 : 14);
    return svg`
      <path fill="none" stroke="var(--ink)" stroke-width="3" d=${`M${from},${y}C${from},${y + deep} ${middle},${y + deep} ${middle},${y + deep}S${to},${y + deep} ${to},${y + 12}`} />
      <path fill="var(--ink)" d=${`M${to},${y}l-7,14h14Z`} />
      <path fill="var(--wash)" stroke="var(--ink)" stroke-width="2" d=${`M${to},${top}l-7,-11h-20q-12,0 -12,-12v-8q0,-12 12,-12h54q12,0 12,12v8q0,12 -12,12h-17Z`} />
      <text class="middle bold" x=${to} y=${top - 22}>${say("ouch")}</text>`;
  };
  return svg`<g data-marks="story" opacity=${s.story}>${found ? arrow() : ""}
    <text class="big halo middle" x=${at.width / 2} y=${y + deep + (at.isPhone ? 34 : 66)}>${line}</text></g>`;
}

/** Numbers of the places, below the words. @param {State} s @param {Room} at @param {Stage} stage */
export const places = (s, at, { number }) =>
  mark(
    "places",
    s.switch,
    Array.from(
      { length: COUNT },
      (_, place) =>
        svg`<text class="t14 soft middle" x=${placeX(at, place)} y=${at.words + at.high / 2 + (at.isPhone ? 14 : 22)}>${number(place)}</text>`,
    ),
  );
