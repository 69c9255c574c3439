// Forget gates: words that fade alike or by gates of their own, a stick, a memory, and layers of two models.

import data from "./data.js";
import { doors } from "./doors.js";
import { ANN, BOB, BREAK, COMMA, COMMAS, FADES, KEEPS, LAST, NEXT, WIDE, alike, influence, lights, broken, memory as memoryAt, replaced } from "./gates.js"; // prettier-ignore
import * as keys from "./keys.js";
import * as layers from "./layers.js";
import * as words from "./lights.js";
import * as memory from "./memory.js";
import * as trained from "./trained.js";
import { percent } from "./lights.js";
import { layout } from "./room.js";
import { svg } from "../../page/lit/lit.js";
import { clamp } from "../../page/shapes.js";

/** @import { Box, Picture, PictureStep, Stage, State } from "../../page/types" */

const FADED = 0.8; // every gate, as the chapter opens
const OPEN = 0.9;
const SHUT = 0.05;
const READ = [1, 0.85, 0.6, 0.6, 0.85, 0.85, 0.8, 0.85, 0.6, 0.85]; // by what each token is
const SHARE = 0.25;
const SCENES = ["lights", "trained", "memory", "keys", "layers"];
const FELL = keys.WORDS.length - 1;
const START = [90, 0, 60]; // degrees of keys
const ONTO = replaced(START, FELL, START[FELL - 1]);
const GONE = 0.01; // of Ann, with *fell*’s key on hers

export const start = {
  gates: alike(FADED), // at the left of each token
  shares: alike(SHARE).slice(0, LAST).fill(SHARE), // of the stick, each of what is left
  of: BOB, // the token whose light is multiplied out
  read: 1, // verbs that the memory has read
  query: 0, // degrees
  angles: START, // of the keys of three words
  head: 0, // of all models, one after the other
  layer: 1, // of Qwen3-Next, from below
  known: 1, // of what a question hides
  road: 0, // 1: lights stand along the road
  stick: 0, // 1: lights are parts of the stick
  each: 1, // 0: all gates move together
  // from here on: how much of it is there
  lights: 0,
  doors: 0,
  trained: 0,
  memory: 0,
  keys: 0,
  layers: 0,
};

/** @param {State} s @param {number} j */
const stretch = (s, j) => -Math.log(s.gates[j]);

/** @type {Record<string, PictureStep>} */
export const steps = {
  alike: {
    at: { lights: 1, doors: 1, each: 0, known: 0 },
    also: ["words", "bob", "light"],
    after: { known: 1 },
    goal: (s) => Math.abs(lights(s.gates)[BOB] - 0.5) < 0.016,
  },
  each: {
    at: { lights: 1, doors: 1, gates: alike(OPEN), of: ANN },
    also: ["words", "bob", "light", "q", "product"],
    after: { gates: replaced(alike(OPEN), BREAK, SHUT) },
    goal: (s) =>
      s.gates[LAST] < 0.1 &&
      s.gates.every(
        (/** @type {number} */ one, /** @type {number} */ j) =>
          [BREAK, LAST].includes(j) || one > 0.5,
      ),
  },
  road: {
    at: { lights: 1, road: 1, gates: READ },
    also: ["words", "bob", "stop", "q", "light", "curve"],
    after: { gates: replaced(READ, NEXT, READ[NEXT] ** 2) },
    goal: (s) => Math.abs(stretch(s, BREAK) / stretch(s, COMMA) - COMMAS) < 0.12,
  },
  learned: {
    at: { trained: 1, road: 1, known: 0 },
    also: ["text", "table"],
    after: { known: 1 },
    goal: (s) => trained.keepsLines(trained.headOf(s)),
  },
  stick: {
    at: { lights: 1, stick: 1, known: 0 },
    also: ["words", "bob", "q", "light", "rest"],
    after: { known: 1 },
    goal: (s) => Math.abs(s.shares[NEXT] - WIDE) < 0.012,
  },
  memory: {
    at: { memory: 1, query: 45 },
    also: ["words", "written", "read", "shadows"],
    after: { read: 3, query: 0 },
    slow: 2200,
    goal: (s) => s.read > 2.98 && s.query === 90,
  },
  gone: {
    at: { keys: 1 },
    also: ["words", "fell"],
    after: { angles: ONTO },
    slow: 1800,
    goal: (s) => influence(s.angles)[0].left < GONE,
  },
  where: {
    at: { layers: 1, known: 0 },
    also: ["towers"],
    after: { known: 1 },
    goal: (s) => layers.layerOf(s) === data.models[0].full[0],
  },
};

/** @type {Picture["told"]} */
export const told = {
  gate: (s, { number }) => number(s.gates[LAST], 2),
  start_bob: (_, { number }) => percent(lights(alike(FADED))[BOB], number),
  one_gate: (_, { number }) => percent(FADED, number),
  shut_gate: (_, { number }) => number(SHUT, 2),
  ann: (s, { number }) => percent(lights(s.gates)[ANN], number),
  half: (_, { number }) => number(Math.LN2, 2),
  before: (_, { number }) => number(-Math.log(READ[NEXT]), 2),
  twice: (_, { number }) => number(-2 * Math.log(READ[NEXT]), 2),
  less: (_, { number }) => number(-Math.log(READ[NEXT]) / 2, 2),
  plus: (_, { number }) => number(-Math.log(READ[NEXT]) + READ[NEXT] - READ[NEXT] ** 2, 2),
  from_gate: (_, { number }) => number(READ[NEXT], 1),
  to_gate: (_, { number }) => number(READ[NEXT] ** 2, 2),
  comma_stretch: (s, { number }) => number(stretch(s, COMMA), 2),
  break_stretch: (s, { number }) => number(stretch(s, BREAK), 2),
  trained_models: (_, { number }) => number(data.trained),
  low: (_, { number }) => number(trained.LOW, 1),
  ends: (_, { number }) => number(trained.ENDS, 1),
  others: (_, { number }) => number(trained.OTHERS, 1),
  high: (_, { number }) => number(trained.HIGH, 1),
  open: (_, { number }) => number(trained.OPEN_ENDS),
  heads: (_, { number }) => number(trained.HEADS),
  shut: (_, { number }) => number(data.kinds.filter(([end]) => end < trained.LOW).length),
  spaces: (_, { number }) => number(data.kinds.filter(([, space]) => space < trained.LOW).length),
  ...Object.fromEntries(
    trained.KINDS.map((kind, i) => [
      `mean_${kind}`,
      (/** @type {State} */ s, /** @type {Stage} */ { number }) =>
        number(data.kinds[trained.headOf(s)][i], 2),
    ]),
  ),
  ...Object.fromEntries(
    /** @type {const} */ (["model", "layer", "head_number"]).map((name) => [
      name,
      (/** @type {State} */ s, /** @type {Stage} */ { number }) =>
        trained.nameOf(trained.headOf(s), number)[name],
    ]),
  ),
  share: (_, { number }) => number(SHARE, 2),
  nearest: (s, { number }) => percent(broken(s.shares).parts[NEXT], number),
  second: (s, { number }) => percent(broken(s.shares).parts[NEXT - 1], number),
  farthest: (s, { number }) => percent(broken(s.shares).parts[ANN], number),
  nearest_then: (_, { number }) => percent(broken(start.shares).parts[NEXT], number),
  farthest_then: (_, { number }) => percent(broken(start.shares).parts[ANN], number),
  rest: (s, { number }) => percent(broken(s.shares).left, number),
  wide: (_, { number }) => percent(WIDE, number),
  reads: (s, { number }) => number(memory.read(s), 2),
  keeps: (_, { number }) => number(FADES, 1),
  faded: (_, { number }) => number(memoryAt(3)[1], 2),
  each_gate: (_, { number }) => number(KEEPS, 2),
  left_ann: (s, { number }) => percent(influence(s.angles)[0].left, number),
  ann_before: (_, { number }) => percent(influence(START)[0].left, number),
  ann_then: (_, { number }) => percent(influence(ONTO)[0].left, number),
  left_ran: (s, { number }) => percent(influence(s.angles)[FELL - 1].left, number),
  picked: (s, { number }) => number(layers.layerOf(s)),
  layers_kimi: (_, { number }) => number(data.models[1].layers),
  full_kimi: (_, { number }) => number(data.models[1].full.length),
  memories_kimi: (_, { number }) => number(data.models[1].layers - data.models[1].full.length),
  layers_qwen: (_, { number }) => number(data.models[0].layers),
  full_qwen: (_, { number }) => number(data.models[0].full.length),
};

/** @param {State} s */
function spoken(s) {
  if (s.layers > 0.5) return s.known > 0.5 ? "say_layers" : "say_waiting";
  if (s.keys > 0.5) return "say_keys";
  if (s.memory > 0.5) return s.read > 1.5 ? "say_memory" : "say_waiting";
  if (s.trained > 0.5) return s.known > 0.5 ? "say_head" : "say_letters";
  if (s.stick > 0.5) return s.known > 0.5 ? "say_stick" : "say_waiting";
  if (s.road > 0.5) return "say_road";
  return s.known > 0.5 ? "say_light" : "say_waiting";
}

/** The state with one scene gone before the next comes. @param {State} s @returns {State} */
function scenes(s) {
  const there = SCENES.map((name) => [name, clamp(2 * s[name] - 1, 0, 1)]);
  return { ...s, ...Object.fromEntries(there) };
}

/** @param {Stage} stage */
const build = (stage) => (/** @type {State} */ state, /** @type {Box} */ box) => {
  const s = scenes(state);
  const room = layout(box);
  return svg`
    ${words.scene(s, room, stage)}
    ${s.lights > 0.02 ? doors(s, room, stage) : ""}
    ${trained.scene(s, room, stage)}
    ${memory.scene(s, room, stage)}
    ${keys.scene(s, room, stage)}
    ${layers.scene(s, room, stage)}`;
};

export default { start, steps, told, spoken, build };
