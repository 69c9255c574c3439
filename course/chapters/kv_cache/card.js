// The KV cache: the whole shelf of a model on one card, beside the model.

import data from "./data.js";
import { clamp } from "../../page/shapes.js";
import { CARD, COUNT, FULL, MILLION, modelOf, weights } from "./room.js";
import { buildChoice, buildTrack } from "./track.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const [LEAST, MOST] = [Math.log10(COUNT), Math.log10(4 * MILLION)];
const ROUND = [MILLION, FULL, 4096]; // lengths that a hand may want to hit
const CATCHES = { key: 0.012, hand: 0.04 }; // powers of ten

/** @param {Stage} stage @param {() => Room} room */
export function buildCard(stage, room) {
  const { make, put, show, group, say, number, state, set, move, seen, isGuessing } = stage;
  const all = group("card");
  const frame = make(
    "rect",
    { fill: "none", stroke: "var(--ink)", "stroke-width": 2.5, rx: 6 },
    all,
  );
  const model = group("model");
  const box = make("rect", { fill: "var(--wash)", stroke: "var(--line)" }, model);
  const names = [0, 1, 2].map(() => make("text", { class: "t14", "text-anchor": "middle" }, model));
  const keys = make("rect", { fill: "var(--k-fill)" }, group("k shelf"));
  const values = make("rect", { fill: "var(--content)" }, group("v shelf"));
  const kinds = ["k", "v"].map((name) =>
    make("text", { class: `t14 ${name}` }, group(`${name} shelf`)),
  );
  const over = make(
    "path",
    { fill: "none", stroke: "var(--new)", "stroke-width": 3 },
    group("card new"),
  );
  // Where the bars are longer than the picture.
  const broken = make(
    "path",
    { fill: "none", stroke: "var(--paper)", "stroke-width": 6 },
    group("k v shelf"),
  );
  const big = make("text", { class: "big" }, group("shelf"));
  const each = make("text", { class: "t14 soft" }, group("shelf"));
  const limit = make("text", { class: "t14", "text-anchor": "end" }, all);
  const about = make("text", { class: "t14" }, group("ways"));
  const track = buildTrack(stage, {
    marks: "length",
    label: say("length_label"),
    ends: [LEAST, MOST],
    ticks: [COUNT, 4096, MILLION].map((n) => [n, number(n)]),
    at: () => {
      const { card, isPhone } = room();
      return { x: card.x + (isPhone ? 14 : 20), w: card.w - (isPhone ? 10 : 10), y: card.track };
    },
    set: (power, by) => {
      if (isGuessing()) return;
      const near = ROUND.find((n) => Math.abs(Math.log10(n) - power) < CATCHES[by]);
      set({ length: near ? Math.log10(near) : power });
    },
    now: () => state.length,
    step: 1,
  });
  const choice = buildChoice(stage, {
    marks: "ways",
    label: say("model_label"),
    names: data.models.map(({ kept }) => say(`kept_${kept}`)),
    at: () => {
      const { card, isPhone, width } = room();
      return { x: card.x, y: isPhone ? 5 : 22, w: Math.min(width - 2 * card.x, 560), isPhone };
    },
    set: (to) => {
      seen.add(to);
      move({ model: to }, 400);
    },
    now: () => state.model,
  });

  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const { card, isPhone, width } = at;
    const found = weights(s);
    const unit = card.w / CARD;
    const from = card.x + found.model * unit;
    const room = width - from - 3;
    const long = clamp(found.cache * unit, 1, room);
    const split = (card.h - 16) * found.keys;
    put(frame, { x: card.x, y: card.y, width: card.w, height: card.h });
    put(box, {
      x: card.x + 1.5,
      y: card.y + 1.5,
      width: Math.max(1, found.model * unit - 1.5),
      height: card.h - 3,
    });
    const middle = card.x + (found.model * unit) / 2;
    names.forEach((name, i) => {
      const lines = isPhone
        ? ["model", "model_weight_short", "model_unit"]
        : ["model", "model_weight"];
      const text = lines[i] ? say(lines[i]) : "";
      put(name, { x: middle, y: card.y + card.h / 2 + 18 * i - 4, text });
    });
    put(keys, { x: from, y: card.y + 6, width: long, height: split });
    put(values, { x: from, y: card.y + 10 + split, width: long, height: card.h - 16 - split });
    const isLatent = modelOf(s).kept === "latent";
    const isRoomy = from + long + (isLatent ? 200 : 70) < card.x + card.w;
    kinds.forEach((kind, i) => {
      const y = i
        ? card.y + 10 + split + (card.h - 16 - split) / 2 + 5
        : card.y + 6 + Math.max(split / 2, 7) + 5;
      put(kind, {
        x: isRoomy ? from + long + 8 : from + 8,
        y,
        text: say(`${isLatent ? "latent" : "row"}_${i ? "v" : "k"}`),
      });
      put(kind, { style: isRoomy ? undefined : "fill: var(--paper)" });
      const isThere = isRoomy || (long > 90 && !(isLatent && i === 0));
      show(kind, isThere ? s.far : 0);
    });
    const edge = card.x + card.w;
    const tooth = (card.h + 16) / 8;
    put(broken, {
      d: `M${width - (isPhone ? 14 : 34)},${card.y - 8}${`l8,${tooth}l-8,${tooth}`.repeat(4)}`,
    });
    show(broken, found.cache * unit > room ? s.far : 0);
    put(over, { d: `M${edge},${card.y - 7}V${card.y + card.h + 7}` });
    put(big, { x: card.x, y: card.top, text: say("weight") });
    put(each, { x: card.x, y: card.top + (isPhone ? 18 : 28), text: say("each") });
    put(limit, {
      x: edge,
      y: card.top + (isPhone ? 18 : 28),
      text: say(found.isOver ? "over" : "limit"),
      class: found.isOver ? "t14 new" : "t14 soft",
    });
    put(about, {
      x: card.x,
      y: isPhone ? 48 : 80,
      text: say("name"),
    });
    for (const one of [all, model, keys, values, big, each]) show(one, s.far);
    show(over, found.isOver ? s.far : 0);
    show(about, s.far * s.squeeze);
    track(s, s.far * (1 - s.guessing), say("length_at"));
    choice(s, s.far * s.squeeze);
  };
}
