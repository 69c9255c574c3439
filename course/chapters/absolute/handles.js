// What is dragged: the place, the ghost, the lever, the word that is tried, the number of hands.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, pill } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { NAMES, at, lastPlace } from "./model.js";
import { GAP, WIDTH, after, placeOf, placeX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @typedef {{ place: (to: number) => void, settle: () => void }} Hand */

const MOST_APART = 40;
const MOST_HANDS = 3;
/** What the lever changes, by step. */
const LEVERS = /** @type {const} */ ({ digits: "smooth", row: "above", matrices: "matrices" });

/** @param {State} s @param {Room} room @param {Stage} stage @param {Hand} hand */
export const handles = (s, room, stage, hand) => svg`
  ${mark("ghost", after(s.wedges), ghost(s, room, stage, hand))}
  ${held(s, room, stage, hand)}
  ${lever(s, room, stage)}
  ${mark("word names", after(s.mix), names(s, room, stage))}
  ${mark("more", s.sweep > 1 ? after(s.sieve) : 0, more(s, room, stage))}`;

/** The place. @param {State} s @param {Room} room @param {Stage} stage @param {Hand} hand */
function held(s, room, { say, handle }, { place, settle }) {
  const isPair = s.terms > 0.5; // then its pill shows both places
  const half = isPair ? 36 : 24;
  const x = clamp(placeX(room, s.p), half + 2, room.width - half - 2); // whole
  const hold = handle({
    label: say("place_label"),
    now: at(s),
    min: 0,
    max: lastPlace(s),
    text: say("say_place"),
    isFree: s.sieve >= 0.5,
    keys: (by) => {
      place(at(s) + by);
      settle();
    },
    start: ([from]) => from - placeX(room, s.p),
    move: ([to], off) => place(placeOf(room, to - off)),
    end: settle,
  });
  return svg`<g ${hold} transform=${moved(x, room.bottom + 16)}>
    <rect x=${-half - 2} y="-20" width=${2 * half + 4} height="44" fill="transparent" />
    ${pill({ x: -half, y: -14, width: 2 * half, height: 28, rx: 14, fill: "var(--ink)" })}
    <text class="paper middle" y="5">${isPair ? `${at(s)}, ${at(s) + GAP}` : at(s)}</text></g>`;
}

/** The place further on. @param {State} s @param {Room} room @param {Stage} stage @param {Hand} hand */
function ghost(s, room, { say, set, handle }, { settle }) {
  const furthest = Math.min(MOST_APART, 127 - at(s));
  const lift = room.isPhone ? 18 : 28;
  const further = (/** @type {number} */ k) => set({ k: clamp(k, 1, furthest) });
  const hold = handle({
    label: say("ghost_label"),
    now: Math.round(s.k),
    min: 1,
    max: furthest,
    text: say("further_on"),
    keys: (by) => further(Math.round(s.k) + by),
    move: ([x]) => further(placeOf(room, x) - s.p),
    end: settle,
  });
  return svg`<g ${hold} transform=${moved(placeX(room, s.p + s.k), room.bottom - lift)}>
    <path stroke="var(--ink)" stroke-dasharray="2 4" d=${`M0,13V${lift}`} />
    <rect x="-24" y="-18" width="48" height="40" fill="transparent" />
    <rect x="-20" y="-13" width="40" height="26" rx="13" fill="var(--paper)" stroke="var(--ink)" stroke-width="2" stroke-dasharray="3 4" />
    <rect class="ring" x="-20" y="-13" width="40" height="26" rx="13" />
    <text class="middle heavy" y="5">+${Math.round(s.k)}</text></g>`;
}

/** One lever: from digits to waves, from the side to above, from bare sums to learned matrices. @param {State} s @param {Room} room @param {Stage} stage */
function lever(s, { width, isPhone }, { say, seen, set, move, step, handle }) {
  const name = LEVERS[/** @type {keyof typeof LEVERS} */ (step())];
  const presence = Math.max(after(s.lanes), after(s.rows), after(s.terms));
  const isEarly = name === "above" && !seen.has("found"); // no word has named it
  if (!name || isEarly || presence < 0.02) return "";
  const x = width / 2 + (isPhone ? 20 : 50);
  const half = isPhone ? 50 : 110;
  const y = isPhone ? 18 : 32;
  const hold = handle({
    label: say("lever_label"),
    now: s[name],
    min: 0,
    max: 1,
    text: say(`${name}_${Math.round(s[name])}`),
    keys: (by) => move({ [name]: by > 0 ? 1 : 0 }, 500),
    move: ([to]) => set({ [name]: clamp((to - x) / (2 * half) + 0.5, 0, 1) }),
    end: () => move({ [name]: Math.round(s[name]) }, 250),
  });
  return svg`<g data-marks="lever" opacity=${presence}>
    <line class="line" stroke-width="4" stroke-linecap="round" x1=${x - half} x2=${x + half} y1=${y} y2=${y} />
    <text class="t14 end" x=${x - half - 28} y=${y + 5}>${say(`${name}_0`)}</text>
    <text class="t14" x=${x + half + 28} y=${y + 5}>${say(`${name}_1`)}</text>
    <g ${hold} transform=${moved(x + (2 * s[name] - 1) * half, y)}>${grip({ r: 13, stroke: "none" })}</g></g>`;
}

/** The words that may have been added. @param {State} s @param {Room} room @param {Stage} stage */
function names(s, { isPhone, sums }, { say, set, handle }) {
  const column = (sums.w * WIDTH) / NAMES.length; // over the numbers below
  const chosen = Math.round(s.word);
  const choose = (/** @type {number} */ i) => set({ word: clamp(i, 0, NAMES.length - 1) });
  const hold = handle({
    label: say("names_label"),
    now: chosen,
    min: 0,
    max: NAMES.length - 1,
    text: NAMES[chosen],
    isFree: true,
    keys: (by) => choose(Math.round(s.word) + Math.sign(by)),
    move: ([x]) => choose(Math.floor((x - sums.x) / column)),
  });
  const high = isPhone ? 30 : 36;
  const y = isPhone ? 6 : 24;
  const w = Math.min(column - 8, 110);
  const chip = (/** @type {string} */ name, /** @type {number} */ i) => {
    const x = sums.x + column * (i + 0.5);
    const [fill, ink] = i === chosen ? ["content", "paper"] : ["paper", "content"];
    return svg`<rect rx="8" stroke="var(--content)" fill=${`var(--${fill})`} x=${x - w / 2} y=${y} width=${w} height=${high} />
      <text class=${`${ink} bold middle`} x=${x} y=${y + high / 2 + 5}>${name}</text>`;
  };
  return svg`<g ${hold}>
    <rect class="ring" rx="10" x=${sums.x - 4} y=${y - 4} width=${sums.w * WIDTH + 8} height=${high + 8} />
    ${NAMES.map(chip)}</g>`;
}

/** A dashed circle where the next hand will be; it keeps the focus while hands are added. @param {State} s @param {Room} room @param {Stage} stage */
function more(s, { dials }, { say, move, handle }) {
  const hands = Math.round(s.hands);
  const { x, y, r } = dials[Math.min(hands, MOST_HANDS - 1)];
  const to = (/** @type {number} */ hands) => move({ hands: clamp(hands, 1, MOST_HANDS) }, 500);
  const hold = handle({
    label: say("hands_label"),
    now: hands,
    min: 1,
    max: MOST_HANDS,
    text: say("hands_shown", { hands }),
    keys: (by) => to(Math.round(s.hands) + Math.sign(by)),
    move: () => undefined,
    end: () => to(Math.round(s.hands) + 1),
  });
  const face = svg`
    <circle fill="var(--paper)" stroke="var(--soft)" stroke-width="1.5" stroke-dasharray="4 5" cx=${x} cy=${y} r=${Math.max(0, r)} />
    <circle class="ring" cx=${x} cy=${y} r=${Math.max(0, r - 4)} />
    <text class="soft middle" style="font-size:26px" x=${x} y=${y + 9}>+</text>
    <text class="t12 middle" x=${x} y=${y + r + 16}>${say("add_hand")}</text>`;
  return svg`<g ${hold}>${hands < MOST_HANDS && Math.abs(s.hands - hands) < 0.05 ? face : ""}</g>`;
}
