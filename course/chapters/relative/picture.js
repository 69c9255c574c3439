// Relative positions: a ruler pinned to the query, the table that it reads, and T5's braces.

import byHand from "./by_hand.js";
import { rowOf, wordsIn } from "../../page/formulas/distances.js";
import { svg } from "../../page/lit/lit.js";
import { columns } from "./columns.js";
import data from "./data.js";
import { hands } from "./hands.js";
import { matrix, ruler, sentence } from "./matrix.js";
import { MOST, lastShare, page, percent, setter, strip } from "./page.js";
import { BRACES, LAST, LIMIT, PAGE, SHORTEST, WORDS, braceOf, layout, seenWords } from "./room.js";
import { attention, found, measured } from "./shares.js";
import { reading, scoreOf, signed, table } from "./table.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

const NOUN = "*"; // after a word of the sentence that has its adjective before it
const ADJECTIVES = 4;
const MIDDLE = 7; // place of a query with a ruler of words on both sides
const FOURFOLD = 4 * data.trained; // words
const AT_512 = data.near.lengths.indexOf(FOURFOLD);

export const start = {
  i: 2, // place of the query in the sentence
  k: WORDS - 1, // where the ruler ends
  key: 1, // place of the key
  query: PAGE - 1, // place of the query in the page
  back: 6, // words from it back to the key
  length: PAGE, // words of the text
  page: 0, // 0: the sentence and its rows, 1: a page of words
  chart: 0, // 1: what was measured
  four: 0, // 1: the rows of the four nouns alone
  window: 0, // 1: the query sees only as many words as in training
  told: 0, // 1: the far braces are drawn
  // from here on: how much of it is there
  count: 0,
  table: 0,
  mask: 0,
  waves: 0,
  number: 0,
  bars: 0,
  far: 0,
  lines: 0,
};

const TABLE = { table: 1, k: LIMIT, i: 8, key: 7 }; // as much room ahead as back
const SEES_BACK = { table: 1, mask: 1, i: WORDS - 1 };
const ON_PAGE = { page: 1, i: WORDS - 1 };

/** @type {Record<string, PictureStep>} */
export const steps = {
  slide: {
    also: ["words"],
    seen: [2],
    after: { i: 3 },
    slow: 700,
    goal: (_, seen) => seen.size === WORDS,
  },
  anywhere: {
    also: ["ruler", "words"],
    at: { i: 2, four: 1 },
    seen: [2],
    goal: (_, seen) => seen.size === ADJECTIVES,
  },
  clip: {
    also: ["q", "matrix", "words"],
    at: { i: MIDDLE, k: MIDDLE, count: 1 }, // both ends are in sight
    goal: (s) => Math.round(s.k) === LIMIT,
  },
  row: {
    also: ["ruler", "words"],
    at: TABLE,
    goal: (s) => rowOf(Math.round(s.i), Math.round(s.key), LIMIT) === 0,
  },
  sines: {
    also: ["words", "q", "k"],
    at: { ...SEES_BACK, k: WORDS / 2 - 1, waves: 1, key: WORDS - 4 }, // half of the words have a label
    goal: (s) => s.k > WORDS - 1.5,
  },
  number: {
    also: ["ruler", "words", "q"],
    at: { ...SEES_BACK, number: 1, key: 9 },
    after: { bars: 1 },
    goal: (_, seen) => seen.has(best()) && seen.has(worst()),
  },
  braces: {
    also: ["k", "strip", "page"],
    at: ON_PAGE,
    after: { told: 1 },
    goal: (s) => inOwnBrace(s) >= 10,
    follows: true,
  },
  far: {
    also: ["strip", "page", "braces", "q"],
    at: { ...ON_PAGE, told: 1, far: 1, back: 12 },
    goal: (s) => lastShare(s) >= MOST,
    follows: true,
  },
  measured: {
    also: ["curve", "shares", "length"],
    at: { ...ON_PAGE, told: 1, chart: 1, back: 12, length: SHORTEST },
    after: { length: FOURFOLD, lines: 1 },
    slow: 1600,
    goal: (s) => s.window > 0.97 && s.length > FOURFOLD - 1,
  },
};

/** The distance with the highest number, of those the sentence has. */
const best = () => near().indexOf(Math.max(...near()));
const worst = () => near().indexOf(Math.min(...near()));
const near = () => data.numbers.slice(0, WORDS);
/** @param {State} s */
const inOwnBrace = (s) => wordsIn(BRACES[braceOf(s.back)], seenWords(s));
/** @param {State} s */
const numberHere = (s) => data.numbers[Math.max(0, -reading(s))];

/** @type {string[]} */
let words = []; // in the reader's language; the last of it is the sentence
/** @type {string[]} */
let names = []; // what the small model reads
/** @type {number[]} */
let nouns = [];

/** @param {State} s @param {number} place */
const wordAt = (s, place) =>
  (s.number > 0.5 ? names : words.slice(PAGE - WORDS))[Math.round(place)] ?? "";

/** @type {Picture["told"]} */
export const told = {
  query: (s) => (s.page > 0.5 ? words[Math.round(s.query)] : wordAt(s, s.i)),
  key: (s) => (s.page > 0.5 ? words[Math.round(s.query) - Math.round(s.back)] : wordAt(s, s.key)),
  printed: (_, { seen, number }) => number(seen.size),
  k: (s, { number }) => number(Math.round(s.k)),
  labels: (s, { number }) => number(2 * Math.round(s.k) + 1),
  distance: (s, { number }) => number(Math.round(s.key) - Math.round(s.i)),
  reads: (s, { number }) => number(reading(s)),
  score: (s, { number }) => number(scoreOf(s), 2),
  rows: (s, { number }) => number(Math.round(s.k) + 1),
  number: (s, { number }) => signed(numberHere(s), number),
  best: (_, { number }) => signed(near()[best()], number),
  worst_at: (_, { number }) => number(-worst()),
  lead: (_, { number }) => number(near()[best()] - near()[worst()], 1),
  times: (_, { number }) => number(Math.exp(near()[best()] - near()[worst()])),
  back: (s, { number }) => number(Math.round(s.back)),
  brace: (s, { number, say }) => {
    const { from, to } = BRACES[braceOf(s.back)];
    if (to === Infinity) return say("span_open", { from: number(from) });
    return from === to ? say("span_one", { from }) : say("span", { from, to });
  },
  shared: (s, { number }) => number(inOwnBrace(s)),
  last_from: (_, { number }) => number(BRACES[LAST].from),
  length: (s, { number }) => number(Math.round(seenWords(s))),
  earlier: (s, { number }) => number(Math.round(s.length) - PAGE),
  far: (s, { number }) => number(Math.floor(100 * lastShare(s) + 1e-9)), // no more than there are
  found: (s, { number }) => number(found(s), found(s) > 99 && found(s) < 99.95 ? 1 : 0),
  found_inside: (_, { number }) => number(data.near.mean[0], 1),
  found_512: (_, { number }) => number(data.near.mean[AT_512]),
  last_share: (s, { number }) => percent(attention(s)[LAST], number),
  trained: (_, { number }) => number(data.trained),
};

/** @param {State} s */
const spoken = (s) => {
  if (s.chart > 0.5)
    return s.window > 0.5 ? "say_window" : s.lines > 0.5 ? "say_measured" : "say_length";
  if (s.page > 0.5) return s.far > 0.5 ? "say_far" : "say_brace";
  if (s.number > 0.5) return s.bars > 0.5 ? "say_number" : "say_key";
  if (s.waves > 0.5) return "say_rows";
  if (s.table > 0.5) return "say_key";
  return s.count > 0.5 ? "say_end" : "say_query";
};

/** @param {Stage} stage */
function build(stage) {
  const { say, svg: drawing } = stage;
  drawing.style.setProperty("--past", "light-dark(#00785a, #2fa37e)");
  drawing.style.setProperty("--later", "light-dark(#8a3b8f, #b765bd)");
  const told = say("sentence").split(/\s+/);
  nouns = told.flatMap((word, place) => (word.endsWith(NOUN) ? [place] : []));
  const plain = told.map((word) => word.replace(NOUN, ""));
  names = say("names").split(/\s+/);
  words = [...say("page").split(/\s+/), ...plain].slice(-PAGE);
  const set = setter(words);

  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    const room = layout(box, s);
    const laid = set(room);
    return svg`
      ${page(s, room, words, laid, stage)}
      ${matrix(s, room, stage, plain, nouns)}
      ${ruler(s, room, stage)}
      ${sentence(s, room, stage, s.number > 0.5 ? names : plain, nouns)}
      ${table(s, room, stage)}
      ${columns(s, room, stage)}
      ${strip(s, room, stage)}
      ${measured(s, room, stage)}
      ${hands(s, room, stage, nouns, laid)}`;
  };
}

export default { start, steps, told, spoken, byHand, build };
