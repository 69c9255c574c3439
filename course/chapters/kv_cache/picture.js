// The KV cache: a typewriter above a shelf of keys and values, and the shelf on a card.

import { runsAgain } from "./cached.js";
import { svg } from "../../page/lit/lit.js";
import { card } from "./card.js";
import data from "./data.js";
import { CARD, COUNT, FULL, GIB, MILLION, SPEED, kibOf, layout, modelOf, newest, picked, toldOfTurns, tokens, weights } from "./room.js"; // prettier-ignore
import { lens, makeShelf } from "./shelf.js";
import { start } from "./start.js";
import { stays, work, written } from "./work.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

const LOG = Math.log10;
const WANTED_ARC = 4; // words back
const ASKED = 1000; // words, in a question
const SAVED = 99; // per cent
const ROUNDED = 0.05; // per cent: half of the last digit that is written
const ENOUGH = 210; // words: more than it takes to save that
const KEPT = Math.max(...data.models.flatMap(({ layers }) => layers.map(([, , last]) => last))); // tokens
const LATENT = data.models.findIndex(({ kept }) => kept === "latent");
/** Models that fit on the card with the shelf of a million tokens. */
const FITTING = data.models
  .map((_, model) => model)
  .filter((model) => !weights({ model, length: LOG(MILLION) }).isOver);

export { start };

/** Bricks that the shelf saves, per cent. @param {State} s */
const saved = (s) => 100 - stays(s);

/** @type {Record<string, PictureStep>} */
export const steps = {
  shelf: {
    also: ["words", "attention"],
    at: { typed: 3, spread: 1, types: 1, asks: 1, values: 1, fan: 1 },
    goal: (s) => s.typed > COUNT - 0.01,
  },
  work: {
    also: ["words", "k", "v", "hundred"],
    at: { work: 1, values: 1 },
    after: { amount: LOG(ASKED) },
    slow: 2200,
    goal: (s) => saved(s) >= SAVED - ROUNDED && written(s) < ENOUGH,
  },
  turned: {
    also: ["words", "shelf", "caret"],
    at: { typed: 9, pick: 1, types: 1, asks: 1, lens: 1 },
    goal: (s) => newest(s) - picked(s) === WANTED_ARC,
    follows: true,
  },
  card: {
    also: ["shelf"],
    at: { far: 1 },
    after: { length: LOG(4096) },
    slow: 1600,
    goal: (s) => Math.abs(tokens(s) - FULL) < FULL * 0.01,
  },
  squeeze: {
    also: ["card", "model", "k", "v", "shelf", "length"],
    at: { far: 1, squeeze: 1, length: LOG(MILLION) },
    goal: (s, seen) => FITTING.every((i) => seen.has(i)),
  },
};

/** @param {State} s */
const weightOf = ({ cache }, /** @type {Stage["number"]} */ number) => {
  if (cache < 0.1) return `${number(cache * 1024, cache * 1024 < 10 ? 1 : 0)}\u00a0MiB`;
  return `${number(cache, cache < 10 ? 2 : 1)}\u00a0GiB`;
};
const LLAMA = data.llama2;
/** @param {typeof data.models[number]} model @param {Stage["number"]} number */
const kibSaid = (model, number) => number(kibOf(model), kibOf(model) % 1 ? 1 : 0);

/** @type {Picture["told"]} */
export const told = {
  typed: (s, { number }) => number(Math.round(s.typed)),
  count: (_, { number }) => number(COUNT),
  twelve_again: (_, { number }) => number(runsAgain(COUNT)),
  turns_again: (s, { number }) => number(runsAgain(Math.round(s.typed))),
  needed: () => `${100 - SAVED}`,
  words: (s, { number }) => number(written(s)),
  stays: (s, { number }) => number(stays(s), 1),
  again: (s, { number }) => number(runsAgain(written(s))),
  once: (s, { number }) => number(written(s)),
  asked: (_, { number }) => number(ASKED),
  again_asked: (_, { number }) => number(runsAgain(ASKED)),
  speed: (_, { number }) => number(SPEED, 1),
  wanted_arc: (_, { number }) => number(WANTED_ARC * SPEED),
  back: (s, { number }) => number(newest(s) - picked(s)),
  ...toldOfTurns,
  window_tokens: (_, { number }) => number(KEPT),
  all_kib: (_, { number }) => number(kibOf(data.models[0])),
  latent_kib: (_, { number }) => kibSaid(data.models[LATENT], number),
  kept_kib: (s, { number }) => kibSaid(modelOf(s), number),
  kept_tokens: (s, { number }) =>
    number(
      Math.min(
        tokens(s),
        .../** @type {any} */ (modelOf(s).layers).map(
          (/** @type {number[]} */ [, , last]) => last || Infinity,
        ),
      ),
    ),
  card: (_, { number }) => number(CARD),
  layers: (_, { number }) => number(LLAMA.layers),
  heads: (_, { number }) => number(LLAMA.heads),
  width: (_, { number }) => number(LLAMA.width),
  full: (_, { number }) => number(FULL),
  outweighs: (_, { number }) => number(CARD / (data.models[0].bytes / GIB) - 1, 1),
  name: (s) => modelOf(s).name,
  kept: (s, { say }) => say(`kept_${modelOf(s).kept}`),
  tokens: (s, { number }) => number(tokens(s)),
  weight: (s, { number }) => weightOf(weights(s), number),
  model_gib: (s, { number }) => number(weights(s).model, 1),
  // Of what is written, so that it adds up.
  total: (s, { number }) => number(Number(weights(s).model.toFixed(1)) + weights(s).cache, 1),
  cards: (s, { number }) => number(Math.ceil((weights(s).model + weights(s).cache) / CARD)),
};

/** @param {State} s */
function spoken(s) {
  if (s.far > 0.5) return "say_weight";
  if (s.work > 0.5) return "say_work";
  return s.lens > 0.5 ? "say_arc" : "say_typed";
}

/** @param {Stage} stage */
function build(stage) {
  const shelf = makeShelf(stage);
  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    const room = layout(box, s);
    return svg`
      ${card(s, room, stage)}
      ${shelf(s, room)}
      ${work(s, room, stage)}
      ${lens(s, room, stage)}`;
  };
}

/** @param {State} s */
const explored = (s) => ({ decoding_step: newest(s) + 1 });

export default { start, steps, told, spoken, explored, build };
