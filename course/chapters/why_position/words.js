// The words as cards that are dragged into another order, and what a reader makes of it.

import { makeWay, orderOf } from "./attention.js";
import { clamp } from "../../page/shapes.js";
import { BITES, COUNT, story } from "./model.js";
import { isOn } from "./telling.js";
import { placeAt, placeX, tokenDrop } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {Stage} stage @returns {string[]} */
export const wordsOf = ({ say }) => say("sentence").split(" ");

/** @param {Stage} stage @param {() => Room} room */
export function buildCards(stage, room) {
  const { make, put, show, group, slider, ring, value, say, state, seen, set, move, isGuessing } =
    stage;
  const texts = wordsOf(stage);
  const lifted = texts.map(() => 0);
  /** @type {number[]} */
  let others = [];

  /** @param {number} word */
  function take(word) {
    others = orderOf(state.places).filter((other) => other !== word);
    all.append(cards[word].handle); // above those that it passes
  }
  /** @param {number} word @param {number} place */
  const hold = (word, place) => set({ places: makeWay(others, word, clamp(place, 0, COUNT - 1)) });
  /** @param {number} word @param {number} place */
  function settle(word, place) {
    lifted[word] = 0;
    const places = makeWay(others, word, place);
    seen.add(orderOf(places).join());
    move({ places }, 200);
  }
  const all = group("words");
  const cards = texts.map((text, word) => {
    const handle = slider(all, {
      label: say("card_label", { word: text }),
      keys: (by) => {
        others = orderOf(state.places).filter((other) => other !== word);
        settle(word, clamp(Math.round(state.places[word]) + Math.sign(by), 0, COUNT - 1));
      },
      start: ([x]) => {
        take(word);
        lifted[word] = 1;
        return placeAt(room(), x) - state.places[word];
      },
      move: ([x], off) => hold(word, placeAt(room(), x) - off),
      end: () => settle(word, Math.round(state.places[word])),
    });
    return {
      handle,
      card: ring(make("rect", { rx: 10, "stroke-width": 1.5 }, handle)),
      grip: make(
        "path",
        { fill: "none", stroke: "var(--soft)", "stroke-width": 2, "stroke-linecap": "round" },
        handle,
      ),
      text: make("text", { "text-anchor": "middle" }, handle, text),
    };
  });
  const query = group("q");
  put(query, { "pointer-events": "none" });
  const pill = make("rect", { rx: 10, fill: "var(--q-fill)" }, query);
  const name = make("text", { "text-anchor": "middle" }, query);

  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const isOpen = s.free > 0.5 && !isGuessing();
    const asking = Math.max(s.asking, isOn(s, "subtract"));
    cards.forEach(({ handle, card, grip, text }, word) => {
      const length = texts[word].length;
      const w = at.letters * (0.62 * length + (at.isPhone ? 0.5 : 1) + (length < 4 ? 0.35 : 0));
      const x = placeX(at, s.places[word]);
      const y = at.words - lifted[word] * at.high * 0.22;
      const frame = { x: x - w / 2, y: y - at.high / 2, width: w, height: at.high };
      put(card, {
        ...frame,
        fill: "var(--paper)",
        stroke: lifted[word] ? "var(--ink)" : "var(--line)",
      });
      const isHidden = s.places[word] > s.places[s.picked.word] + 0.5; // from who asks, by the mask
      const faint = isHidden ? 1 - 0.65 * s.mask * asking : 1;
      show(card, (1 - s.count) * faint);
      const below = y + at.high / 2;
      put(grip, { d: `M${x - 5},${below - 4}h10` });
      show(grip, isOpen && !at.isPhone ? 1 : 0);
      const letters = `font: 600 ${at.letters.toFixed(1)}px var(--heading)`;
      const drop = s.count * tokenDrop(at, 1 + Math.round(s.places[word]));
      const written = { x, y: y + at.letters * 0.32 + drop };
      put(text, { ...written, style: letters });
      show(text, word === s.picked.word ? 1 - asking : faint);
      if (word === s.picked.word) {
        put(pill, { x: frame.x + 1.5, y: frame.y + 1.5, width: w - 3, height: at.high - 3 });
        put(name, { ...written, style: `${letters}; fill: #fff`, text: texts[word] });
      }
      put(handle, {
        tabindex: isOpen ? 0 : -1,
        style: isOpen ? undefined : "pointer-events: none",
      });
      const place = Math.round(s.places[word]);
      value(handle, place, 0, COUNT - 1, say("card_at", { word: texts[word], place }));
    });
    show(all, 1 - s.far);
    show(query, asking * (1 - s.far));
  };
}

/** Who bites whom, as an arrow under the words. @param {Stage} stage */
export function buildStory(stage) {
  const { make, put, show, group, say } = stage;
  const texts = wordsOf(stage);
  const all = group("story");
  const arrow = make("path", { fill: "none", stroke: "var(--ink)", "stroke-width": 3 }, all);
  const head = make("path", { fill: "var(--ink)" }, all);
  const line = make("text", { class: "big halo", "text-anchor": "middle" }, all);
  const cry = make("g", {}, all);
  const bubble = make(
    "path",
    { fill: "var(--wash)", stroke: "var(--ink)", "stroke-width": 2 },
    cry,
  );
  const ouch = make(
    "text",
    { "text-anchor": "middle", style: "font-weight: 600" },
    cry,
    say("ouch"),
  );
  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    show(all, s.story);
    if (s.story < 0.02) return;
    const found = story(s);
    const y = at.words + at.high / 2 + 10;
    const deep = at.isPhone ? 38 : 90;
    if (found) {
      const [from, to] = [found.biter, found.bitten].map((word) => placeX(at, s.places[word]));
      const middle = placeX(at, s.places[BITES]);
      put(arrow, {
        d: `M${from},${y}C${from},${y + deep} ${middle},${y + deep} ${middle},${y + deep}S${to},${y + deep} ${to},${y + 12}`,
      });
      put(head, { d: `M${to},${y}l-7,14h14Z` });
      const top = at.words - at.high / 2 - (at.isPhone ? 8 : 14);
      put(bubble, {
        d: `M${to},${top}l-7,-11h-20q-12,0 -12,-12v-8q0,-12 12,-12h54q12,0 12,12v8q0,12 -12,12h-17Z`,
      });
      put(ouch, { x: to, y: top - 22 });
    }
    show(cry, found ? 1 : 0);
    show(arrow, found ? 1 : 0);
    show(head, found ? 1 : 0);
    put(line, {
      x: at.width / 2,
      y: y + deep + (at.isPhone ? 34 : 66),
      text: found ? say("bitten", { word: texts[found.bitten] }) : say("nobody"),
    });
  };
}

/** Numbers of the places, below the words. @param {Stage} stage */
export function buildPlaces({ make, put, show, group, number }) {
  const all = group("places");
  const texts = Array.from({ length: COUNT }, (_, place) =>
    make("text", { class: "t14 soft", "text-anchor": "middle" }, all, number(place)),
  );
  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    texts.forEach((text, place) =>
      put(text, { x: placeX(at, place), y: at.words + at.high / 2 + (at.isPhone ? 14 : 22) }),
    );
    show(all, s.switch);
  };
}
