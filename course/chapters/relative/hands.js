// What is dragged: query, key, the ruler's end, the length of the text; and a switch.

import { svg } from "../../page/lit/lit.js";
import { at as place, mark, pill, seen } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { lineY } from "./page.js";
import {
  LONG_TEXT,
  PAGE,
  SHORTEST,
  WORDS,
  lengthTrack,
  lengthX,
  placeX,
  seenWords,
  stripX,
} from "./room.js";
import { measuredAt } from "./shares.js";
import { reading } from "./table.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Laid, Room } from "./room.js" */

/** In which steps a hand is there. */
const WHERE = {
  q: ["slide", "anywhere", "row", "number"],
  key: ["row", "sines", "number"],
  end: ["clip", "sines"],
  back: ["braces"],
  query: ["far"],
  length: ["far", "measured"],
  window: ["measured"],
};

/** @param {State} s @param {Room} room @param {Stage} stage @param {number[]} nouns @param {Laid[]} page */
export function hands(s, room, stage, nouns, page) {
  const { step } = stage;
  const is = (/** @type {keyof typeof WHERE} */ hand) => WHERE[hand].includes(step());
  const onPage = clamp(s.page * 3 - 2, 0, 1) * (1 - s.chart);
  return svg`
    ${is("key") && s.page < 0.98 ? tag(s, room, stage, nouns, "key") : ""}
    ${is("q") && s.page < 0.98 ? tag(s, room, stage, nouns, "i") : ""}
    ${is("end") ? mark("ruler count", 1 - s.page, end(s, room, stage)) : ""}
    ${mark("k", onPage * (1 - s.far), back(s, room, stage, page, is("back")))}
    ${is("query") ? mark("q", onPage, query(s, room, stage, page)) : ""}
    ${is("back") ? mark("braces strip", onPage, along(s, room, stage)) : ""}
    ${is("length") ? mark("length curve", Math.max(s.far, s.chart), length(s, room, stage)) : ""}
    ${is("window") && !stage.isGuessing() ? mark("window", s.lines, toggle(s, room, stage)) : ""}`;
}

/** The tag of a word, above it; where it is tight it frames the ruler's cell.
 * @param {State} s @param {Room} room @param {Stage} stage @param {number[]} nouns @param {"i" | "key"} which
 */
function tag(s, room, stage, nouns, which) {
  const { say, set, move, seen, step, handle } = stage;
  const { isTight, cell, band, ruler, left } = room;
  const name = which === "i" ? "q" : "k";
  const hasBoth = WHERE.key.includes(step());
  const away = (/** @type {"i" | "key"} */ one, /** @type {number} */ x) =>
    Math.abs(x - placeX(room, s[one]));

  /** @param {"i" | "key"} one @param {number} to */
  function go(one, to) {
    const was = Math.round(s.i);
    const isMasked = s.mask > 0.5;
    if (one === "key") set({ key: clamp(to, 0, isMasked ? s.i : WORDS - 1) });
    else {
      const i = clamp(to, 0, WORDS - 1);
      set({ i, key: isMasked ? Math.min(s.key, i) : s.key });
      const [from, until] = [Math.min(was, Math.round(i)), Math.max(was, Math.round(i))];
      for (let row = from; row <= until; row++)
        if (step() === "slide" || (step() === "anywhere" && nouns.includes(row))) seen.add(row);
    }
  }
  function settle() {
    if (step() === "number") seen.add(-reading(s));
    move({ i: Math.round(s.i), key: Math.round(s.key) }, 120);
  }
  const hold = handle({
    label: say(`${name}_label`),
    now: Math.round(s[which]),
    min: 0,
    max: which === "key" && s.mask > 0.5 ? Math.round(s.i) : WORDS - 1,
    text: say(`${name}_at`),
    keys: (by) => {
      go(which, Math.round(s[which]) + by);
      settle();
    },
    // On a phone the two tags lie on each other: the finger means the nearer.
    start: ([x]) => {
      const its = !hasBoth ? which : away("key", x) < away("i", x) ? "key" : "i";
      return { its, off: x - placeX(room, s[its]) };
    },
    move: ([x], { its, off }) => go(its, (x - off - left) / cell - 0.5),
    end: settle,
  });
  const isNear = Math.abs(placeX(room, s.i) - placeX(room, s.key)) < 32;
  const y = isTight ? ruler : which === "key" && isNear && hasBoth ? 13 : 40;
  const [w, h] = isTight ? [cell + 3, band] : [30, 24]; // its number fits into the frame
  const frame = svg`
    <rect rx="3" fill="none" stroke=${`var(--${name})`} stroke-width="2.5" x=${-w / 2} y=${-h / 2} width=${w} height=${h} />
    <rect class="ring" rx="3" x=${-w / 2} y=${-h / 2} width=${w} height=${h} />`;
  const body = svg`
    ${pill({ x: -w / 2, y: -h / 2, width: w, height: h, rx: 7, fill: `var(--${name}-fill)` })}
    <text class="white heavy middle central" y="1">${name}</text>`;
  return svg`<g data-marks=${name}><g ${hold} opacity=${1 - s.page} transform=${place(placeX(room, s[which]), y)}>
    <rect fill="transparent" x="-22" width="44" y=${isTight ? -48 : -16} height=${isTight ? 72 : 44} />
    ${isTight ? frame : body}</g></g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
function end(s, room, { say, set, move, handle }) {
  const { isPhone, cell, band, ruler, left } = room;
  const limit = (/** @type {number} */ k) => set({ k: clamp(k, 1, Math.round(s.i)) });
  const hold = handle({
    label: say("end_label"),
    now: Math.round(s.k),
    min: 1,
    max: Math.round(s.i),
    text: say("end_at"),
    keys: (by) => limit(Math.round(s.k) - Math.sign(by)),
    move: ([x]) => limit(s.i - (x - left) / cell),
    end: () => move({ k: Math.round(s.k) }, 120),
  });
  const w = isPhone ? 8 : 10;
  const ahead = Math.min(placeX(room, s.i + s.k), placeX(room, WORDS - 1)) + cell / 2;
  return svg`${seen(
    1 - s.mask,
    svg`<rect fill="var(--soft)" x=${ahead - w / 4} width=${w / 2} y=${ruler - band / 2 - 6} height=${band + 12} rx=${w / 4} />`,
  )}<g ${hold} transform=${place(placeX(room, s.i - s.k) - cell / 2 - w / 2, ruler)}>
    <rect x="-22" y="-30" width="44" height="60" fill="transparent" />
    ${pill({ x: -w / 2, y: -band / 2 - 6, width: w, height: band + 12, rx: 5, fill: "var(--ink)" })}</g>`;
}

/** The word of the page that is nearest. @param {Room} room @param {Laid[]} page @param {[number, number]} at */
function wordAt(room, page, [x, y]) {
  const distances = page.map((word) => {
    const down = Math.max(0, Math.abs(y - lineY(room, word)) - room.lineHigh / 2);
    return Math.max(word.x - x, x - word.x - word.w, 0) + 3 * down;
  });
  return distances.indexOf(Math.min(...distances));
}

/** @param {Room} room @param {Laid} word @param {string} mark @param {unknown} hold */
function onWord(room, word, mark, hold) {
  const w = Math.max(word.w + (room.isPhone ? 6 : 12), 24);
  const h = Math.max(room.lineHigh * 0.86, room.isPhone ? 14 : 22);
  const [x, y] = [word.x + word.w / 2 - w / 2, lineY(room, word) - h / 2];
  return svg`<g ${hold}>
    <rect fill="transparent" x=${x - 10} y=${y - 10} width=${w + 20} height=${h + 20} />
    <rect rx="6" fill="transparent" stroke=${`var(--${mark})`} stroke-width="2.5" x=${x} y=${y} width=${w} height=${h} />
    <rect class="ring" rx="6" x=${x} y=${y} width=${w} height=${h} /></g>`;
}

/** @param {State} s @param {Stage} stage */
const goBack =
  (s, { set }) =>
  (/** @type {number} */ back) =>
    set({ back: clamp(Math.round(back), 1, Math.round(s.query)) });

/** The key's word. @param {State} s @param {Room} room @param {Stage} stage @param {Laid[]} page @param {boolean} isHeld */
function back(s, room, stage, page, isHeld) {
  const { say, handle } = stage;
  const go = goBack(s, stage);
  const query = Math.round(s.query);
  const word = query - Math.round(s.back);
  const hold = handle({
    label: say("back_label"),
    now: Math.round(s.back),
    min: 1,
    max: query,
    text: say("back_value"),
    isOff: !isHeld,
    keys: (by) => go(s.back - by),
    move: (to) => go(Math.round(s.query) - wordAt(room, page, to)),
  });
  return word < 0 ? "" : onWord(room, page[word], "k", hold);
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {Laid[]} page */
function query(s, room, { say, set, handle }, page) {
  const go = (/** @type {number} */ query) =>
    set({ query: clamp(Math.round(query), Math.round(s.back), PAGE - 1) });
  const n = Math.round(s.query);
  const hold = handle({
    label: say("query_label"),
    now: n + 1,
    min: Math.round(s.back) + 1,
    max: PAGE,
    text: say("query_value"),
    keys: (by) => go(Math.round(s.query) + by),
    move: (to) => go(wordAt(room, page, to)),
  });
  return onWord(room, page[n], "q", hold);
}

/** The key on the strip. @param {State} s @param {Room} room @param {Stage} stage */
function along(s, room, stage) {
  const go = goBack(s, stage);
  const hold = stage.handle({
    label: stage.say("strip_label"),
    now: Math.round(s.back),
    min: 1,
    max: Math.round(s.query),
    isMute: true, // the key has the same keys
    keys: (by) => go(s.back - by),
    move: ([x]) => {
      const start = stripX(room, 0, seenWords(s));
      go(Math.floor((start - x) / (start - stripX(room, 1, seenWords(s)))));
    },
  });
  return svg`<g ${hold}><rect fill="transparent" x=${room.stripX} y=${room.strip - 12} width=${room.stripW} height=${room.stripHigh + 30} /></g>`;
}

/** The length of the text. @param {State} s @param {Room} room @param {Stage} stage */
function length(s, room, { say, number, set, move, step, handle }) {
  const { isPhone, track: y, width } = room;
  const track = lengthTrack(room, s);
  const stretch = (/** @type {number} */ length) =>
    set({ length: clamp(length, track.from, track.to) });
  const rest = () => {
    if (step() === "measured") move({ length: measuredAt(s.length) }, 140);
  };
  const hold = handle({
    label: say("length_label"),
    now: Math.round(s.length),
    min: s.chart > 0.5 ? SHORTEST : PAGE,
    max: s.chart > 0.5 ? track.to : LONG_TEXT,
    text: say("length_value", { length: number(s.length) }),
    keys: (by) => {
      stretch(s.length * (step() === "measured" ? 2 ** Math.sign(by) : 1.15 ** by));
      rest();
    },
    start: ([x]) => x - lengthX(room, s, s.length),
    move: ([x], off) =>
      stretch(track.from * (track.to / track.from) ** clamp((x - off - track.x) / track.w, 0, 1)),
    end: rest,
  });
  const high = isPhone ? 26 : 30;
  const x = Math.min(lengthX(room, s, s.length), width - 33); // not cut at the edge
  return svg`
    <line class="line" stroke-width="4" stroke-linecap="round" x1=${track.x} x2=${track.x + track.w} y1=${y} y2=${y} />
    ${isPhone || s.chart > 0.3 ? "" : svg`<text class="t14 soft end" x=${track.x - 44} y=${y + 5}>${say("words")}</text>`}
    <g ${hold} transform=${place(x, y)}>
      <rect x="-36" y="-22" width="72" height="44" fill="transparent" />
      ${pill({ x: -32, y: -high / 2, width: 64, height: high, rx: 15, fill: "var(--ink)" })}
      <text class="paper bold middle central" y="1">${number(s.length)}</text></g>`;
}

/** The window, on or off. @param {State} s @param {Room} room @param {Stage} stage */
function toggle(s, { isPhone, width }, { say, move, button }) {
  const isOn = s.window > 0.5;
  const w = isPhone ? 140 : 196;
  const words = say(isPhone ? "window_short" : "window");
  return svg`<g ${button(() => move({ window: isOn ? 0 : 1 }, 900))} role="switch" aria-checked=${isOn} aria-label=${words}
    transform=${place(width - (isPhone ? 148 : 232), isPhone ? 20 : 28)}>
    <rect rx="9" stroke="var(--ink)" stroke-width="1.5" height="36" y="-18" width=${w} fill=${`var(--${isOn ? "ink" : "paper"})`} />
    <text class="middle central" x=${w / 2} style=${`fill: var(--${isOn ? "paper" : "ink"})`}>${words}</text></g>`;
}
