// A matrix that makes a key of each word's latent, or goes to the query instead: the scores are the same.

import { svg } from "../../page/lit/lit.js";
import { at as moved, mark, pill } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import { ACROSS, KEPT, QUERY, WHOLE, times } from "./latent.js";
import { WORDS } from "./values.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Vector } from "./latent.js" */
/** @import { Room } from "./room.js" */

const KEYS = KEPT.map((c) => times(WHOLE, c));
const MOVED = times(ACROSS, QUERY); // the query that W has gone to
const SCORES = KEYS.map((key) => QUERY[0] * key[0] + QUERY[1] * key[1]);
const MOST = Math.max(...SCORES);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function moving(s, room, { say, set, move, handle }) {
  if (s.latent < 0.02) return "";
  const { columns, query, levels, box, isPhone, pad, width } = room.latent;
  const [here, there] = [clamp(1 - 2 * s.moved, 0, 1), clamp(2 * s.moved - 1, 0, 1)];
  /** @param {keyof typeof levels} level @param {number} x @param {string} colour @param {string} name */
  const block = (level, x, colour, name) => svg`
    <rect rx="4" fill=${`var(--${colour})`} x=${x - box.w / 2} y=${levels[level] - box.h / 2} width=${box.w} height=${box.h} />
    <text class="t14 paper middle central" x=${x} y=${levels[level] + 1}>${name}</text>`;
  /** @param {string} label @param {Vector} vector */
  const named = (label, [a, b]) => `${say(label)} ${a}, ${b}`;
  /** @param {number} x @param {keyof typeof levels} from @param {keyof typeof levels} to */
  const way = (x, from, to) => {
    const down = levels[to] > levels[from] ? 1 : -1;
    const [a, b] = [levels[from] + (down * box.h) / 2, levels[to] - down * (box.h / 2 + 3)];
    return svg`<path fill="none" stroke="var(--soft)" stroke-width="1.5" d=${`M${x},${a}V${b}m-4,${-5 * down}l4,${5 * down}l4,${-5 * down}`} />`;
  };
  const none = (/** @type {number} */ x) => svg`
    <rect rx="4" fill="var(--paper)" stroke="var(--soft)" stroke-dasharray="4 4" x=${x - box.w / 2} y=${levels.key - box.h / 2} width=${box.w} height=${box.h} />
    <text class="t14 soft middle central" x=${x} y=${levels.key + 1}>${say("no_key")}</text>`;
  const to = (/** @type {number} */ at) => set({ moved: clamp(at, 0, 1) });
  const hold = handle({
    label: say("w_label"),
    now: Math.round(s.moved),
    min: 0,
    max: 1,
    text: say(s.moved > 0.5 ? "w_moved" : "w_words"),
    keys: (by) => move({ moved: by > 0 ? 1 : 0 }, 600),
    start: ([x]) => s.moved - x / (query - columns[0]),
    move: ([x], begun) => to(begun + x / (query - columns[0])),
    end: () => move({ moved: Math.round(s.moved) }, 200),
  });
  const count = s.moved > 0.98 ? 1 : WORDS.length; // there they are one
  const w = columns.slice(0, count).map((column) => {
    const x = mix(column, query, s.moved);
    const its = { x: -box.h / 2 - 3, y: -box.h / 2 - 3, width: box.h + 6, height: box.h + 6 };
    return svg`<g transform=${moved(x, levels.w)}>
      ${pill({ ...its, rx: 5, fill: "var(--ink)" })}
      ${(s.moved > 0.5 ? ACROSS : WHOLE).map((row, i) => svg`<text class="t14 paper middle central" y=${(i ? 1 : -1) * (isPhone ? 7 : 9) + 1}>${row.join("\u2002")}</text>`)}
      <text class="t14 bold central" x=${box.h / 2 + (isPhone ? 8 : 11)} y="1">${s.moved > 0.5 ? "Wᵀ" : "W"}</text></g>`;
  });
  const scores = WORDS.map((_, i) => {
    const high = (room.latent.high * SCORES[i]) / MOST;
    const [[a, b], [c, d]] = s.moved > 0.5 ? [MOVED, KEPT[i]] : [QUERY, KEYS[i]];
    const [plus, is] = isPhone ? ["+", "="] : [" + ", " = "];
    return svg`<rect fill="var(--attention)" x=${columns[i] - box.w / 2} y=${levels.score - high} width=${box.w} height=${high} />
      <text class="t14 attention middle" x=${columns[i]} y=${levels.score - high - 5}>${`${a}×${c}${plus}${b}×${d}${is}`}<tspan class="bold">${SCORES[i]}</tspan></text>`;
  });
  const under = levels.c + box.h / 2 + (isPhone ? 9 : 16);
  const meets = svg`<path fill="none" stroke="var(--q)" stroke-width="1.5" d=${`M${query},${levels.c + box.h / 2}V${under}H${columns[0]}${columns.map((x) => `M${x},${under}V${levels.c + box.h / 2 + 3}m-4,5l4,-5l4,5`).join("")}`} />`;
  /** Up to each score. @param {number} from */
  const risen = (from) => columns.map((x) => `M${x},${from}V${levels.score + 4}m-4,5l4,-5l4,5`);
  const top = levels.key - box.h / 2;
  const crossing = (top + levels.score) / 2;
  const keysMeet = svg`<path fill="none" stroke="var(--soft)" stroke-width="1.5" d=${risen(top).join("")} />
    <path fill="none" stroke="var(--q)" stroke-width="1.5" d=${`M${query},${top}V${crossing}H${columns[0]}`} />
    ${columns.map((x) => svg`<circle fill="var(--q)" r="4" cx=${x} cy=${crossing} />`)}`;
  const latentsMeet = svg`<path fill="none" stroke="var(--soft)" stroke-width="1.5" d=${risen(levels.c - box.h / 2).join("")} />`;
  return svg`
    ${mark("scores", s.latent * here, keysMeet)}
    ${mark("scores", s.latent * there, latentsMeet)}
    ${mark(
      "scores",
      s.latent,
      svg`${scores}
        <path class="line" d=${`M${pad},${levels.score}H${width - pad}`} />
        <text class="t14 attention middle" x=${query} y=${levels.score - (isPhone ? 18 : 22)}>${say("score_of")}</text>
        <text class="t14 bold attention middle" x=${query} y=${levels.score - 4}>${s.moved > 0.5 ? "Wᵀq · c" : "q · Wc"}</text>`,
    )}
    ${mark(
      "k",
      s.latent * here,
      columns.map(
        (x, i) =>
          svg`${way(x, "w", "key")}${block("key", x, "k", named(isPhone ? "key_short" : "key_of", KEYS[i]))}`,
      ),
    )}
    ${mark("k", s.latent * there, columns.map(none))}
    ${mark("q", s.latent, svg`${block("key", query, "q", named("query_short", QUERY))}<text class="t14 q middle" x=${query} y=${levels.word + 5}>${say("tea_asks")}</text>`)}
    ${mark("q", s.latent * there, svg`${way(query, "key", "w")}${way(query, "w", "c")}${block("c", query, "q", named("moved_query", MOVED))}${meets}`)}
    ${mark(
      "c",
      s.latent,
      columns.map((x, i) => block("c", x, "soft", named("vector_of", KEPT[i]))),
    )}
    ${mark(
      "c",
      s.latent * here,
      columns.map((x) => way(x, "c", "w")),
    )}
    ${mark(
      "words",
      s.latent,
      columns.map(
        (x, i) =>
          svg`<text class="bold middle" x=${x} y=${levels.word + 5}>${say(`word_${i}`)}</text>`,
      ),
    )}
    ${mark(
      "w",
      s.latent,
      svg`<g ${hold}>
      <rect fill="transparent" x=${pad} y=${levels.w - box.h} width=${width - 2 * pad} height=${2 * box.h} />${w}</g>`,
    )}
    ${mark("works", s.latent, svg`<text class="bold middle" x=${width / 2} y=${levels.told}>${say(s.moved > 0.5 ? "w_moved" : "w_words")}</text>`)}`;
}
