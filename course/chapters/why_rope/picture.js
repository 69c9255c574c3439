// Why RoPE: three heads look for the word that stands n back, each on its own page under one ring.

import { t5Bucket } from "../../page/formulas/distances.js";
import { degrees } from "../../page/shapes.js";
import { SERIF, typesetter } from "../../page/typeset.js";
import { DIALS, PAGE, TEXT, alike, asking, best, shares, turnOf } from "./heads.js"; // prettier-ignore
import { svg } from "../../page/lit/lit.js";
import { captions, rails, rings } from "./hands.js";
import { buildLight } from "./light.js";
import { NAMES, layout } from "./room.js";
import { buckets, dials } from "./strips.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */
/** @import { Name } from "./heads.js" */

const CLOCK = 280; // words back of the clock that is wanted
const CLOCKS = [145, 210, 249, CLOCK, 372, 391]; // of all clocks on the page
const FAR = 300; // words back
const ASKED = 0.9; // of ALiBi's light

export const start = {
  back: 1, // words from the query to the one that is wanted
  power: -4, // log2 of ALiBi's slope, where the reader chooses it
  best: 1, // 1: ALiBi's slope is the best for the wanted word
  lead: 0, // of a word that the query asks for
  pages: 1, // heads that are shown
  rings: 1, // 1: the ring can be moved
  // from here on: how much of it is there
  slopes: 0,
  buckets: 0,
  dials: 0,
  leads: 0,
};

/** @type {Record<string, PictureStep>} */
export const steps = {
  before: {
    at: { best: 0, slopes: 1, rings: 0 },
    also: ["slope"],
    goal: (s) => shareOf("alibi", s)(1) >= 0.245, // what reads 25%
  },
  further: {
    at: { power: -1, slopes: 1 },
    also: ["light", "q"],
    after: { back: 15 },
    goal: (s) => s.back >= FAR,
  },
  number: {
    at: { pages: 2, back: 12, buckets: 1 },
    also: ["q", "buckets"],
    after: { back: 100 },
    goal: (s) => alike(backOf(s)) === 1,
  },
  turn: {
    at: { pages: 3, back: 100, dials: 1 },
    also: ["q"],
    after: { back: FAR },
    slow: 1800,
    goal: (_, seen) => seen.has("near") && seen.has("far"),
  },
  word: {
    at: { pages: 3, back: CLOCK, leads: 1, rings: 0 },
    also: ["q", "light", "lead"],
    after: { lead: 3 },
    goal: (s) => onClocks("alibi", s) >= ASKED,
  },
};

/** @param {State} s */
const backOf = (s) => Math.max(1, Math.round(s.back));
/** @param {State} s */
const slopeOf = (s) => (s.best > 0.5 ? best(backOf(s)) : 2 ** s.power);

/** @param {Name} name @param {State} s */
const shareOf = (name, s) =>
  asking(shares(name, backOf(s), slopeOf(s)), s.leads > 0.5 ? CLOCKS : [], s.lead);

/** Share of all clocks together. @param {Name} name @param {State} s */
function onClocks(name, s) {
  const share = shareOf(name, s);
  return CLOCKS.reduce((sum, d) => sum + share(d), 0);
}

/** @param {number} share @param {Stage["number"]} number */
function percent(share, number) {
  const p = 100 * share;
  return `${number(p, p >= 9.95 ? 0 : p >= 0.0995 ? 1 : 2)}%`;
}

/** @param {number} slope @param {Stage["number"]} number */
const written = (slope, number) => number(slope, slope >= 0.0995 ? 2 : slope >= 0.00995 ? 3 : 4);

/** @type {Picture["told"]} */
export const told = {
  back: (s, { number }) => number(backOf(s)),
  slope: (s, { number }) => written(slopeOf(s), number),
  own: (s, { number }) => percent(shareOf("alibi", s)(0), number),
  ...Object.fromEntries(
    NAMES.flatMap((name) => [
      [`share_${name}`, (/** @type {State} */ s, /** @type {Stage} */ { number }) => percent(shareOf(name, s)(backOf(s)), number)], // prettier-ignore
      [`part_${name}`, (/** @type {State} */ s, /** @type {Stage} */ { number }) => percent(shareOf(name, s)(backOf(s)) / onClocks(name, s), number)], // prettier-ignore
    ]),
  ),
  best_one: (_, { number }) => number(best(1), 2),
  fifteen: (_, { number }) => number(15),
  best_fifteen: (_, { number }) => percent(shares("alibi", 15, best(15))(15), number),
  far: (_, { number }) => number(FAR),
  exact: (_, { number }) => number(15),
  twelve: (_, { number }) => number(12),
  hundred: (_, { number }) => number(100),
  each_hundred: (_, { number }) => percent(shares("t5", 100, 0)(100), number),
  alike_hundred: (_, { number }) => number(alike(100)),
  last_bucket: (_, { number }) => number(firstOf(t5Bucket(TEXT))),
  dials: (_, { number }) => number(DIALS),
  share_far: (_, { number }) => percent(shares("rope", FAR, 0)(FAR), number),
  share_hundred: (_, { number }) => percent(shares("rope", 100, 0)(100), number),
  turn: (s, { number }) => number(degrees(turnOf(backOf(s)))),
  beside: (s, { number }) => percent(shareOf("rope", s)(backOf(s) - 1), number),
  clock_back: (_, { number }) => number(CLOCK),
  clocks_count: (_, { number }) => number(CLOCKS.length),
  clocks: (s, { number }) => percent(onClocks("alibi", s), number),
  lead: (s, { number }) => number(s.lead, 1),
  page: (_, { number }) => number(PAGE),
  text: (_, { number }) => number(TEXT),
};

/** The nearest distance of a bucket. @param {number} bucket */
function firstOf(bucket) {
  let d = 0;
  while (t5Bucket(d) !== bucket) d++;
  return d;
}

/** @param {State} s */
function spoken(s) {
  if (s.leads > 0.5) return "say_word";
  if (s.slopes > 0.5) return "say_before";
  return /** @type {const} */ (["say_alibi", "say_t5", "say_rope"])[Math.round(s.pages) - 1];
}

/** @param {Stage} stage */
function build(stage) {
  const words = stage.say("story").trim().split(/\s+/);
  const pen = /** @type {CanvasRenderingContext2D} */ (
    document.createElement("canvas").getContext("2d")
  );
  const setters = NAMES.map(() => typesetter(words, pen));
  document.fonts.load(`16px ${SERIF}`).then(() => {
    for (const { measure } of setters) measure();
    stage.set({});
  });
  const typesets = setters.map(({ typeset }) => typeset);
  const light = buildLight(stage, words, shareOf);
  const { number } = stage;

  return (/** @type {State} */ s, /** @type {Box} */ box) => {
    const room = layout(box, s, typesets);
    light(s, room);
    const back = backOf(s);
    const second = (/** @type {string} */ name) => {
      if (s.leads > 0.5) return "part";
      if (name === "alibi") return "own";
      if (name === "rope") return "beside";
      return alike(back) > 1 ? "others" : "alone";
    };
    const values = (/** @type {Name} */ name) => ({
      share: percent(shareOf(name, s)(back), number),
      others: number(alike(back)),
      all: percent(onClocks(name, s), number),
      part: stage.isGuessing() ? "?" : percent(shareOf(name, s)(back) / onClocks(name, s), number),
    });
    return svg`
      <desc>${stage.say("story")}</desc>
      ${captions(s, room, stage, values, second)}
      ${rings(s, room, stage, words, CLOCKS)}
      ${rails(s, room, stage, slopeOf(s))}
      ${buckets(s, room, stage)}
      ${dials(s, room, stage)}`;
  };
}

export default { start, steps, told, spoken, build };
