// The KV cache: the typed words, each one's query, and the shelf with its key and its value.

import { isKept } from "./cached.js";
import { softmax } from "../../page/formulas/rotation.js";
import { svg } from "../../page/lit/lit.js";
import { at as moved, mark, pill, seen as shown } from "../../page/parts.js";
import { arrow, clamp, mix, pie, spiral, wrapped } from "../../page/shapes.js";
import {
  APART,
  COUNT,
  FAR_KEYS,
  NUMBERED,
  SINKS,
  SPEED,
  WINDOW,
  arcOf,
  isOn,
  newest,
  picked,
  placeOfKey,
  speedsNow,
  speedsThen,
  turnBetween,
  turnedTo,
} from "./room.js";
import { isWay } from "./stale.js";
import { detailOf } from "./work.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const SHARPNESS = 2; // of the invented score of two arrows
const NUMBERS = 6; // of a value
const LINE = NUMBERED / 2; // pixels from a row of numbers to the next
const MADE = "color-mix(in srgb, var(--k) 30%, var(--paper))"; // a key of this step
/** Invented, from -1 to 1. @param {number} j @param {number} c */
const number = (j, c) =>
  2 * ((Math.sin((9.1 * j + 3.3 * c) * 127.1 + 11.7) * 43758.5453) % 1) -
  Math.sign(Math.sin((9.1 * j + 3.3 * c) * 127.1 + 11.7));
const VALUES = Array.from({ length: COUNT }, (_, j) =>
  Array.from({ length: NUMBERS }, (_, c) => number(j, c)),
);
/** Radians of what a word is, before it is turned by its place. */
const CONTENT = VALUES.map((_, j) => 2.2 * number(j, NUMBERS + 1));
const easeIn = (/** @type {number} */ t) => t * t * (3 - 2 * t);

/** How much of a word is typed: its key is falling until then. @param {State} s @param {number} j */
const come = (s, j) => clamp(s.typed - j, 0, 1);
/** Where an arrow of a word points; where turns are told, by these alone. @param {State} s @param {number} j */
const angleOf = (s, j) => turnedTo(s, j) * SPEED + CONTENT[j] * (1 - s.lens) * (1 - s.stale);
/** Shares of the newest word's attention. @param {State} s */
const shares = (s) =>
  softmax(
    Array.from(
      { length: newest(s) + 1 },
      (_, j) => SHARPNESS * Math.cos(angleOf(s, newest(s)) - angleOf(s, j)),
    ),
  );

/** The shelf of twelve words goes where more are counted. @param {State} s */
const hereOf = (s) => mix(1, detailOf(s), s.work);

/** How much of the turn of a word is shown: none in a window while it is asked for. @param {State} s @param {number} j */
const isTold = (s, j) => (j < SINKS ? 1 : 1 - s.window * s.guessing);

/** @param {State} s */
const nearOf = (s) => clamp(1 - s.far - s.stale - s.plot - s.moved, 0, 1) * hereOf(s);

/** The words and all that they leave. @param {Stage} stage */
export function makeShelf(stage) {
  const words = makeWords(stage);
  return (/** @type {State} */ s, /** @type {Room} */ room) => svg`
    ${boards(s, room)}
    ${fan(s, room, stage)}
    ${values(s, room)}
    ${queries(s, room)}
    ${keys(s, room)}
    ${names(s, room, stage)}
    ${words(s, room)}`;
}

/** @param {State} s @param {Room} room */
function boards(s, { left, slot, k, v, r }) {
  const board = (/** @type {number} */ y, /** @type {number} */ presence) =>
    svg`<path stroke="var(--ink)" stroke-width="3" stroke-linecap="round" opacity=${presence} d=${`M${left},${y + r + 4}h${COUNT * slot}`} />`;
  return mark("shelf", nearOf(s), svg`${board(k, 1)}${shown(s.values, board(v, s.values))}`);
}

/** The rows' names: in the margin; on a phone, which has none, at the query and the shelves, where these are apart.
 * @param {State} s @param {Room} room @param {Stage} stage
 */
function names(s, room, { say }) {
  const { isPhone, left, slot, r, at, q, k, v } = room;
  const m = newest(s);
  const side = m < COUNT - 2 ? 1 : -1;
  const isAt = /** @type {const} */ ([
    [at(m) + side * (r + 6), q + 5, side > 0 ? "" : "end"],
    [left, k + r + 20, ""],
    [left + COUNT * slot, v - r - 6, "end"],
  ]);
  const there = nearOf(s) * (isPhone ? s.spread : 1);
  return ["q", "k", "v"].map((name, i) => {
    const [x, y, css] = isPhone ? isAt[i] : [8, [q, k, v][i] + 5, ""];
    const text = svg`<text class=${`t14 halo ${name} ${css}`} x=${x} y=${y}>${say(`row_${name}`)}</text>`;
    return mark(name, there * [s.asks, 1, s.values][i], text);
  });
}

/** From the query to every key, and from the values to their sum. @param {State} s @param {Room} room @param {Stage} stage */
function fan(s, { at, q, k, v, r, out }, { say }) {
  const m = newest(s);
  const parts = shares(s);
  const there = nearOf(s) * s.fan * come(s, m) ** 3;
  const x = at(m);
  const line = (/** @type {number} */ share, /** @type {number} */ j) => {
    const presence = clamp(0.15 + 2 * share, 0, 0.85);
    const d = `M${x},${q + r}L${at(j)},${k - r - 2}M${at(j)},${v + r + 7}L${x},${out - r}`;
    return svg`<path stroke="var(--attention)" stroke-linecap="round" opacity=${presence.toFixed(2)} stroke-width=${(1 + 14 * share).toFixed(1)} d=${d} />`;
  };
  const mixed = VALUES[0].map((_, c) =>
    parts.reduce((all, share, j) => all + share * VALUES[j][c], 0),
  );
  return svg`
    ${mark("attention", there, parts.map(line))}
    ${mark(
      "v",
      there,
      svg`${strip(x, out, r, mixed, "ink")}<text class="bold end" x=${x - r - 8} y=${out + 5}>${say("sum")}</text>`,
    )}`;
}

/** A value as bars. @param {number} x @param {number} y @param {number} r @param {number[]} values @param {string} fill */
function strip(x, y, r, values, fill) {
  const width = (2 * r - 2) / NUMBERS;
  return values.map((value, c) => {
    const h = value * r * 0.85;
    return svg`<rect fill=${`var(--${fill})`} x=${x - r + 1 + c * width} y=${h > 0 ? y - h : y} width=${Math.max(1, width - 1.5)} height=${Math.abs(h)} />`;
  });
}

/** @param {State} s @param {Room} room */
function values(s, { at, q, v, r }) {
  const one = (/** @type {number[]} */ values, /** @type {number} */ j) => {
    const here = come(s, j);
    const bars = () => strip(at(j), mix(q, v, easeIn(here)), r, values, "content");
    return here < 0.02 ? "" : svg`<g opacity=${here.toFixed(2)}>${bars()}</g>`;
  };
  return mark("v shelf", nearOf(s) * s.values, VALUES.map(one));
}

/** One is in use; the others leave an empty circle. @param {State} s @param {Room} room */
function queries(s, { at, q, r, isPhone }) {
  const one = (/** @type {unknown} */ _, /** @type {number} */ j) => {
    const next = come(s, j + 1);
    const here = come(s, j) - next;
    const [x, told] = [at(j), here * isTold(s, j)];
    const turned = angleOf(s, j) * easeIn(come(s, j));
    const hand = arrow({ x, y: q, r: Math.max(1, r - 3) }, turned, isPhone ? 7 : 11);
    return svg`
      ${shown(next * (1 - s.window), svg`<circle fill="none" stroke="var(--line)" stroke-width="1.5" stroke-dasharray="3 5" opacity=${next * (1 - s.window)} cx=${x} cy=${q} r=${r} />`)}
      ${shown(here, svg`<circle fill="var(--paper)" stroke="var(--line)" stroke-width="1.5" opacity=${here} cx=${x} cy=${q} r=${r} />`)}
      ${shown(told, svg`<path stroke="var(--q)" fill="var(--q)" stroke-width="3" stroke-linejoin="round" opacity=${told} d=${hand} />`)}`;
  };
  return mark("q", nearOf(s) * s.asks, VALUES.map(one));
}

/** The same dials on the shelf, in the card's band, and along the long text. @param {State} s @param {Room} room */
function keys(s, room) {
  if (s.far > 0.9) return "";
  const [then, now] = [speedsThen, speedsNow].map((all) => all(s)[Math.round(s.pair)]);
  const gone = clamp(s.window, 0, 1);
  const unturned = isWay(s, "read");
  const isAnew = isWay(s, "again") > 0.5;
  const one = (/** @type {unknown} */ _, /** @type {number} */ j) => {
    const here = s.stale > 0.5 ? 1 : come(s, j);
    const falls = j >= SINKS ? gone * easeIn(come(s, j + WINDOW)) : 0;
    const there = here * (1 - falls) * (j < FAR_KEYS ? 1 : 1 - s.stale);
    if (there < 0.02) return "";
    const { x, y, r } = placeOfKey(room, s, j);
    const from = mix(room.q, y, easeIn(here)) + falls * 40;
    const circle = { x, y: from, r: Math.max(1, r - 2) };
    const place = j * APART;
    const near = angleOf(s, j) * easeIn(here);
    const far = turnBetween(mix(place * then, place * now, s.right), 0, unturned);
    const hand = arrow(circle, turnBetween(near, far, s.stale), Math.min(11, r * 0.5));
    const isOff = Math.abs(wrapped(place * (then - now))) > 0.05;
    const left = 0.8 * s.stale * Math.max(isOff ? 1 - s.right : 0, place ? unturned : 0);
    const ghost = () => arrow(circle, place * now, 0.1); // a line: a dashed head would be crumbs
    return svg`<g opacity=${there.toFixed(2)}>
      <circle fill=${isAnew ? MADE : "var(--paper)"} stroke="var(--line)" stroke-width="1.5" cx=${x} cy=${from} r=${Math.max(0.5, r)} />
      ${left < 0.02 ? "" : svg`<path stroke="var(--k)" fill="none" stroke-width="2" stroke-dasharray="4 3" opacity=${left} d=${ghost()} />`}
      ${shown(here * (1 - isTold(s, j)), svg`<text class="t14 soft middle central" opacity=${here * (1 - isTold(s, j))} x=${x} y=${from + 1}>?</text>`)}
      ${shown(isTold(s, j), svg`<path stroke="var(--k)" fill="var(--k)" stroke-width="3" stroke-linejoin="round" opacity=${isTold(s, j)} d=${hand} />`)}</g>`;
  };
  // What takes the hand is below them.
  return svg`<g pointer-events="none">${mark("k shelf", hereOf(s) * (1 - s.plot - s.moved), VALUES.map(one))}</g>`;
}

/** @param {Stage} stage */
function makeWords(stage) {
  const { say, state, set, move, step, handle, button } = stage;
  const sentence = say("sentence").split(" ");
  let playing = false;
  const settle = () => move({ typed: Math.round(state.typed) }, 150);
  /** Word by word, until the end or until somebody does something else. @param {string} at */
  function play(at) {
    if (!playing || step() !== at || state.typed >= COUNT) {
      playing = false;
      return;
    }
    move({ typed: Math.min(COUNT, Math.round(state.typed) + 1) }, 380);
    setTimeout(() => play(at), 430);
  }
  function toggle() {
    playing = !playing;
    play(step());
  }

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const near = nearOf(s);
    const { left, slot, at, isPhone, width } = room;
    const canType = near > 0.9 ? s.types : 0;
    const size = isPhone ? "" : `; font-size: ${Math.min(21, slot * 0.36)}px`;
    const word = (/** @type {string} */ text, /** @type {number} */ j) => {
      const presence = isOn(s, j) || come(s, j) === 0 ? 1 : 0.45;
      const letters = Math.ceil(come(s, j) * text.length);
      return svg`<text class="middle" style=${`font-family: var(--heading)${size}`} opacity=${presence} x=${at(j)} y=${room.words}>${text.slice(0, letters)}</text>`;
    };
    const hold = handle({
      label: say("caret_label"),
      now: Math.round(s.typed),
      min: 1,
      max: COUNT,
      text: say("typed_at"),
      keys: (by) => {
        playing = false;
        move({ typed: clamp(Math.round(s.typed) + by, 1, COUNT) }, 350);
      },
      start: ([x]) => x - at(s.typed - 0.5),
      move: ([x], off) => {
        playing = false;
        set({ typed: clamp((x - off - left) / slot, 1, COUNT) });
      },
      end: settle,
    });
    const x = left + s.typed * slot;
    const high = isPhone ? 18 : 22;
    const shift = Math.min(0, width - (isPhone ? 26 : 30) - x);
    const caret = svg`<g ${hold} transform=${moved(x, room.pill)}>
      <rect fill="var(--ink)" width="2.5" x="-1" y=${room.words - room.pill - (isPhone ? 14 : 20)} height=${isPhone ? 19 : 27} />
      <rect x="-26" y="-4" width="52" height="40" fill="transparent" />
      ${pill({ x: shift - 22, y: 0, width: 44, height: high, rx: 8, fill: "var(--ink)" })}
      <path fill="none" stroke="var(--paper)" stroke-width="2" stroke-linecap="round" d=${`M${shift - 8},${high / 2}h16m-4,-4l4,4l-4,4m-8,0l-4,-4l4,-4`} /></g>`;
    const sign = playing
      ? `M-5,${high / 2 - 5}h3v10h-3zM2,${high / 2 - 5}h3v10h-3z`
      : `M-4,${high / 2 - 6}l10,6l-10,6z`;
    const player = svg`<g ${button(toggle)} aria-label=${say("play")} transform=${moved(x + (x > width - 100 ? -54 : 54), room.pill)}>
      <rect x="-22" y="-8" width="44" height="40" fill="transparent" />
      <rect x="-19" width="38" rx="8" fill="var(--paper)" stroke="var(--ink)" stroke-width="1.5" height=${high} />
      <path fill="var(--ink)" d=${sign} /></g>`;
    return svg`
      ${mark(
        "words",
        near,
        svg`<path class="line" d=${`M${left},${room.words + 7}h${COUNT * slot}`} />${sentence.map(word)}`,
      )}
      ${mark("caret", canType, caret)}
      ${mark("caret", s.typed < COUNT - 0.01 ? canType : 0, player)}`;
  };
}

/** One key and the query side by side. @param {State} s @param {Room} room @param {Stage} stage */
export function lens(s, room, stage) {
  if (s.lens < 0.02) return "";
  const { say, set, seen, handle, isGuessing } = stage;
  const { isPhone, left, slot, at, width, below, bottom } = room;
  const onShelf = VALUES.map((_, i) => i).filter((i) => isOn(s, i));
  const pick = (/** @type {number} */ j) => {
    const off = (/** @type {number} */ i) => Math.abs(i - j);
    const to = onShelf.reduce((best, i) => (off(i) < off(best) ? i : best), onShelf[0]);
    seen.add(to);
    set({ pick: to });
  };
  const hold = handle({
    label: say("pick_label"),
    now: picked(s),
    min: 0,
    max: newest(s),
    text: say("pick_at"),
    keys: (by) => {
      const to = onShelf.indexOf(picked(s)) + Math.sign(by);
      pick(onShelf[clamp(to, 0, onShelf.length - 1)]);
    },
    move: ([x]) => pick((x - left) / slot - 0.5),
  });
  const stays = s.lens * (1 - s.window * s.guessing); // an arc that is asked for is not shown
  const r = Math.max(10, Math.min((bottom - below - 8) / 2, width * (isPhone ? 0.26 : 0.21)));
  const circle = { x: left + r + (isPhone ? 6 : 30), y: below + 8 + r, r };
  const angle = turnedTo(s, newest(s)) * SPEED;
  const from = angle - arcOf(s);
  // The key is broader, so that both are seen where they agree.
  const hand = (/** @type {"q" | "k"} */ name) => {
    const [turned, inset, width] = name === "q" ? [angle, 0.3 * r, 3.5] : [from, 6, 8];
    const d = arrow({ ...circle, r: r - inset }, turned, isPhone ? 12 : 18);
    return mark(name, stays, svg`<path stroke=${`var(--${name})`} fill=${`var(--${name})`} stroke-width=${width} stroke-linejoin="round" d=${d} />`); // prettier-ignore
  };
  const x = circle.x + r + (isPhone ? 12 : 44);
  const line = Math.min(isPhone ? 24 : 38, r * 0.5);
  const isOpen = s.window > 0.5 && isGuessing();
  /** @type {Record<string, string>} */
  const open = isOpen ? { query_at: "?", key_at: "?", arc_words: "?" } : {};
  const text = (/** @type {string} */ name, /** @type {number} */ i) => {
    const length = s.window > 0.5 ? "_window" : width < 760 ? "_short" : "";
    const css = name === "arc" ? "bold" : name;
    return mark(name, s.lens, svg`<text class=${css} x=${x} y=${circle.y + (i - 1.1) * line}>${say(`lens_${name}${length}`, open)}</text>`); // prettier-ignore
  };
  const high = Math.max(20, room.r + 4);
  const foot = room.k + room.r + 6 + LINE * s.window;
  const atX = at(picked(s));
  const between = (at(SINKS - 1) + at(newest(s) + 1 - WINDOW)) / 2; // where the middle is forgotten
  /** A row of numbers below the kept words. @param {string} marks @param {number} row @param {string} name @param {(j: number, i: number) => unknown} of */
  const numbers = (marks, row, name, of) =>
    mark(
      marks,
      s.lens * s.window,
      [
        [isPhone ? between : 8, say(name), isPhone ? "t14 middle" : "t14"],
        ...keptOf(s).map((j, i) => [at(j), of(j, i), "middle"]),
      ].map(
        ([x, text, css]) => svg`<text class=${`${css} ${row ? "k" : ""}`} x=${x} y=${foot + LINE * row}>${text}</text>`, // prettier-ignore
      ),
    );
  return svg`
    ${mark(
      "arc",
      s.lens,
      svg`<circle fill="var(--paper)" stroke="var(--line)" stroke-width="1.5" cx=${circle.x} cy=${circle.y} r=${r} />
        ${shown(stays, svg`<path fill="var(--ink)" opacity=${0.1 * stays} d=${pie(circle, r * 0.6, from, arcOf(s))} /><path fill="none" stroke="var(--ink)" stroke-width="2.5" opacity=${stays} d=${spiral(circle, r * 0.6, from, arcOf(s))} />`)}
        ${shown(s.lens - stays, svg`<text class="big soft middle" opacity=${s.lens - stays} x=${circle.x} y=${circle.y + 12}>?</text>`)}`,
    )}
    ${hand("k")}${hand("q")}
    ${["q", "k", "arc"].map(text)}
    ${s.window < 0.02 ? "" : [numbers("numbers", 0, "number_now", (_, i) => i), numbers("k turned", 1, "number_turned", (j) => (isTold(s, j) < 0.5 ? "?" : turnedTo(s, j)))]}
    ${mark(
      "pick",
      stays,
      svg`<g ${hold}>
        <rect fill="transparent" x=${left} y=${room.k - high} width=${COUNT * slot} height=${2 * high} />
        <circle fill="none" stroke="var(--ink)" stroke-width="2.5" cx=${atX} cy=${room.k} r=${room.r + 2} />
        <circle class="ring" cx=${atX} cy=${room.k} r=${room.r + 4} />
        <path fill="none" stroke="var(--ink)" stroke-dasharray="2 4" d=${`M${atX},${foot + (LINE + 5) * s.window}L${circle.x},${circle.y - r}`} /></g>`,
    )}`;
}

/** Words that a window of the typed ones holds. @param {State} s */
export const keptOf = (s) =>
  VALUES.map((_, j) => j).filter((j) => j <= newest(s) && isKept(j, newest(s) + 1, WINDOW, SINKS));
