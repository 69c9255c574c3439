// The KV cache: the whole shelf of a model on one card, beside the model.

import data from "./data.js";
import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { CARD, COUNT, FULL, MILLION, modelOf, weights } from "./room.js";
import { choice, track } from "./track.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const [LEAST, MOST] = [Math.log10(COUNT), Math.log10(MILLION)];
const ROUND = [MILLION, FULL, 4096]; // lengths that a hand may want to hit
const CATCHES = { key: 0.012, hand: 0.04 }; // powers of ten

const LEVELS = [20, 40, 60, CARD]; // GiB

/** @param {State} s @param {Room} room @param {Stage} stage */
export function card(s, room, stage) {
  if (s.far < 0.02) return "";
  const { say, number, set, move, seen } = stage;
  const { card: c, isPhone, width } = room;
  const found = weights(s);
  const unit = c.w / CARD;
  const from = c.x + found.model * unit;
  const free = width - from - 3;
  const long = clamp(found.cache * unit, 1, free);
  const split = (c.h - 16) * found.keys;
  const edge = c.x + c.w;
  const isLatent = modelOf(s).kept === "latent";
  const isRoomy = from + long + (isLatent ? 200 : 70) < edge;
  /** The name of the keys, or of the values. @param {"k" | "v"} name @param {number} y */
  const kind = (name, y) => {
    const isThere = isRoomy || (long > 110 && (name === "v" || split > 15));
    const text = svg`<text class=${`t14 ${isLatent && name === "v" ? "soft" : name}`} style=${isRoomy ? "" : "fill: var(--paper)"} x=${isRoomy ? from + long + 8 : from + 8} y=${y}>${say(`${isLatent ? "latent" : "row"}_${name}`)}</text>`;
    return mark(`${name} shelf`, isThere ? s.far : 0, text);
  };
  const names = isPhone ? ["model", "model_weight_short", "model_unit"] : ["model", "model_weight"];
  const cards = found.isOver ? Math.ceil((found.model + found.cache) / CARD) : 0; // that it takes
  const each = isPhone ? 14 : 36;
  const filled = (/** @type {number} */ i) =>
    clamp((found.model + found.cache) / CARD - (cards - 1 - i), 0, 1); // of the card that is i from the right
  const high = isPhone ? 7 : 16;
  const tooth = (c.h + 16) / 8;
  const under = c.top + (isPhone ? 18 : 28);
  const chips = Math.min(width - 2 * c.x, 560); // pixels of the row of ways
  /** Below a way its model, and once that was looked at whether the card holds it. @param {typeof data.models[number]} model @param {number} i */
  const chip = ({ name }, i) => {
    const x = c.x + ((i + 0.5) * chips) / data.models.length;
    const { isOver } = weights({ ...s, model: i });
    const isKnown = i === 0 || seen.has(i) || Math.round(s.model) === i;
    return svg`<text class="t14 middle" x=${x} y="76">${name}</text>
      <text class=${`t14 bold middle ${isOver ? "new" : ""}`} x=${x} y="95">${isKnown ? say(isOver ? "too_large" : "fits") : ""}</text>`;
  };
  return svg`
    ${mark(
      "card",
      s.far,
      svg`<rect fill="none" stroke="var(--ink)" stroke-width="2.5" rx="6" x=${c.x} y=${c.y} width=${c.w} height=${c.h} />
        ${LEVELS.map((gib) => svg`<line stroke="var(--soft)" x1=${c.x + gib * unit} x2=${c.x + gib * unit} y1=${c.y + c.h} y2=${c.y + c.h + 5} /><text class="t12 soft middle" x=${c.x + gib * unit} y=${c.y + c.h + (isPhone ? 16 : 20)}>${number(gib)}${gib === CARD && !isPhone ? ` ${say("model_unit")}` : ""}</text>`)}
        <text class=${`t14 end ${found.isOver ? "new" : "soft"}`} x=${edge} y=${under}>${say(found.isOver ? "over" : "limit")}</text>`,
    )}
    ${mark(
      "model",
      s.far,
      svg`<rect fill="var(--wash)" stroke="var(--line)" x=${c.x + 1.5} y=${c.y + 1.5} width=${Math.max(1, found.model * unit - 1.5)} height=${c.h - 3} />
        ${names.map((name, i) => svg`<text class="t14 middle" x=${c.x + (found.model * unit) / 2} y=${c.y + c.h / 2 + 18 * i - 4}>${say(name)}</text>`)}`,
    )}
    ${mark("k shelf", s.far, svg`<rect fill="var(--k-fill)" x=${from} y=${c.y + 6} width=${long} height=${split} />`)}
    ${mark("v shelf", s.far, svg`<rect fill=${`var(--${isLatent ? "soft" : "content"})`} x=${from} y=${c.y + 10 + split} width=${long} height=${c.h - 16 - split} />`)}
    ${kind("k", c.y + 6 + Math.max(split / 2, 7) + 5)}
    ${kind("v", c.y + 10 + split + (c.h - 16 - split) / 2 + 5)}
    ${mark("card new", s.far * s.squeeze, svg`${Array.from({ length: cards }, (_, i) => svg`<rect fill="var(--new)" fill-opacity="0.4" x=${edge - (i + 1) * each + 4} y=${c.top - high - 2} width=${(each - 4) * filled(i)} height=${high} /><rect fill="none" stroke="var(--new)" stroke-width="1.5" rx="2" x=${edge - (i + 1) * each + 4} y=${c.top - high - 2} width=${each - 4} height=${high} />`)}`)}
    ${mark("card new", found.isOver ? s.far : 0, svg`<path fill="none" stroke="var(--new)" stroke-width="3" d=${`M${edge},${c.y - 7}V${c.y + c.h + 7}`} />`)}
    ${
      /* Where the bars are longer than the picture. */ mark(
        "k v shelf",
        found.cache * unit > free ? s.far : 0,
        svg`<path fill="none" stroke="var(--paper)" stroke-width="6" d=${`M${width - (isPhone ? 14 : 34)},${c.y - 8}${`l8,${tooth}l-8,${tooth}`.repeat(4)}`} />`,
      )
    }
    ${mark(
      "shelf",
      s.far,
      svg`<text class="big" x=${c.x} y=${c.top}>${say("weight")}</text>
        <text class="t14 soft" x=${c.x} y=${under}>${say(s.squeeze < 0.5 ? "each" : isPhone ? "each_kept_short" : "each_kept")}</text>`,
    )}
    ${mark("ways", s.far * s.squeeze, isPhone ? svg`<text class="t14" x=${c.x} y="48">${say("name")}</text><text class=${`t14 bold end ${found.isOver ? "new" : ""}`} x=${edge} y="48">${say(found.isOver ? "too_large" : "fits")}</text>` : data.models.map(chip))}
    ${track(
      stage,
      "length",
      s.far * (1 - s.guessing),
      {
        label: say("length_label"),
        text: say("length_at"),
        now: s.length,
        ends: [LEAST, MOST],
        ticks: [COUNT, 100, 1000, 10_000, 100_000, MILLION],
        set: (power, by) => {
          const near = ROUND.find((n) => Math.abs(Math.log10(n) - power) < CATCHES[by]);
          set({ length: near ? Math.log10(near) : power });
        },
      },
      { x: c.x + (isPhone ? 14 : 20), w: c.w - (isPhone ? 22 : 30), y: c.track },
    )}
    ${choice(
      stage,
      "ways",
      s.far * s.squeeze,
      {
        label: say("model_label"),
        names: data.models.map(({ kept }) => say(`kept_${kept}`)),
        now: s.model,
        set: (to) => {
          seen.add(to);
          move({ model: to }, 400);
        },
      },
      { x: c.x, y: isPhone ? 5 : 22, w: chips, isPhone },
    )}`;
}
