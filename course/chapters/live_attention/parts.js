// The scores of one query in two parts: what the content alone would give, and what the rotation adds.

import { LAST, WORDS, bestOf, query, scoreOf, sumOf } from "./read.js";
import { wordAt } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const all = WORDS.flatMap((_, i) =>
  WORDS.slice(0, i + 1).map((__, j) => [scoreOf("content", i, j), sumOf(i, j)]),
);
export const UNFIT = -2.5; // the content score of two words that suit each other badly
const SCALE = [5, 0, -5, -10, -15];
const HIGH = Math.max(0, ...all.flat());
const LOW = Math.min(0, ...all.flat());

/** @param {Stage} stage */
export function buildParts({ make, put, show, group, say, number }) {
  const holder = make("g");
  const zero = make(
    "path",
    { stroke: "var(--soft)", fill: "none" },
    group("content position score", holder),
  );
  const unfit = make(
    "path",
    { stroke: "var(--content)", fill: "none", "stroke-dasharray": "4 4" },
    group("unfit", holder),
  );
  const unfitAt = make(
    "text",
    { class: "t12 content", "text-anchor": "middle" },
    group("unfit", holder),
  );
  const scale = SCALE.filter((value) => value >= LOW && value <= HIGH).map((value) => ({
    value,
    text: make(
      "text",
      { class: "t12 soft", "text-anchor": "middle" },
      group("score", holder),
      number(value),
    ),
  }));
  const axis = make(
    "text",
    { class: "t12 soft", "text-anchor": "end" },
    group("score", holder),
    say("part_axis"),
  );
  const parts = /** @type {const} */ (["content", "position"]).map((part, lane) => {
    const own = group(part, holder);
    const bars = WORDS.map(() =>
      make("rect", { fill: `var(--${lane ? "soft" : "content"})`, rx: 1.5 }, own),
    );
    return {
      part,
      lane,
      bars,
      name: make("text", { class: `t14 ${lane ? "soft" : "content"}` }, own),
    };
  });
  const score = group("score", holder);
  const sums = WORDS.map(() =>
    make(
      "path",
      { stroke: "var(--attention)", "stroke-width": 3, "stroke-linecap": "round" },
      score,
    ),
  );
  const texts = WORDS.map(() =>
    make(
      "text",
      {
        class: "t12 halo",
        "text-anchor": "middle",
        "dominant-baseline": "central",
        style: "fill: var(--attention)",
      },
      score,
    ),
  );
  const scoreName = make(
    "text",
    { class: "t14", style: "fill: var(--attention); font-weight: 600" },
    score,
  );
  const key = make("text", { class: "t14 k", style: "font-weight: 600" }, holder);

  return (/** @type {State} */ s, /** @type {Room} */ r) => {
    show(holder, s.parts);
    if (s.parts < 0.02) return;
    const { isPhone, slot } = r;
    // Across the sentence: down on a wide screen, to the left on a phone.
    const [near, far] = isPhone ? [r.shares + 30, r.width - 12] : [r.shares + 30, r.height - 56];
    const room = (far - near) / (HIGH - LOW);
    const level = (/** @type {number} */ value) =>
      isPhone ? near + (value - LOW) * room : near + (HIGH - value) * room;
    const thick = isPhone ? Math.min(6, slot * 0.36) : Math.min(15, slot * 0.28);
    const edge = [wordAt(r, 0) - slot / 2, wordAt(r, LAST) + slot / 2];
    const across = (/** @type {number} */ at) =>
      isPhone ? `M${at},${edge[0]}V${edge[1]}` : `M${edge[0]},${at}H${edge[1]}`;
    put(zero, { d: across(level(0)) });
    put(unfit, { d: across(level(UNFIT)) });
    const beside = (/** @type {number} */ value) =>
      isPhone ? { x: level(value), y: edge[1] + 13 } : { x: edge[1] + 18, y: level(value) + 4 };
    put(unfitAt, { ...beside(UNFIT), text: say("unfit_at") });
    for (const { value, text } of scale) put(text, beside(value));
    put(axis, { x: edge[1] + 24, y: level(HIGH) - 14 });
    show(axis, isPhone ? 0 : 1);
    const i = query(s);
    const best = bestOf(s, i);
    for (const { lane, bars } of parts) {
      bars.forEach((bar, j) => {
        // The position's bar begins where the content's ends, and ends at the score.
        const ends =
          j > i
            ? [0, 0]
            : [lane ? scoreOf("content", i, j) : 0, lane ? sumOf(i, j) : scoreOf("content", i, j)];
        const [from, to] = ends.map(level).sort((one, other) => one - other);
        const a = wordAt(r, j) + (lane - 1) * thick;
        put(
          bar,
          isPhone
            ? { x: from, y: a, width: to - from, height: thick }
            : { x: a, y: from, width: thick, height: to - from },
        );
        put(bar, { opacity: j === best ? 1 : 0.5 });
      });
    }
    sums.forEach((sum, j) => {
      const total = j <= i ? sumOf(i, j) : 0;
      const [a, c] = [wordAt(r, j), level(total)];
      const half = isPhone ? slot * 0.42 : slot * 0.34;
      put(sum, {
        d: j > i ? "" : isPhone ? `M${c},${a - half}V${a + half}` : `M${a - half},${c}H${a + half}`,
      });
      const content = j <= i ? scoreOf("content", i, j) : 0;
      const out = total > 0 ? Math.max(total, content) : Math.min(total, content); // beyond both bars
      put(texts[j], {
        x: isPhone ? 0 : a,
        y: isPhone ? 0 : level(out) + (total > 0 ? -11 : 12),
        text: j !== best || isPhone ? "" : number(total, 1),
      });
    });
    // The same for the key that gets most, in numbers.
    const y = isPhone ? 15 : r.height - 14;
    const at = (/** @type {number} */ column) =>
      isPhone ? r.width - [196, 142, 96, 44][column] : [8, 84, 240, 400][column];
    const short = isPhone ? "_short" : "";
    put(key, { x: at(0), y, text: WORDS[best] });
    for (const { part, lane, name } of parts) {
      put(name, {
        x: at(1 + lane),
        y,
        text: say(`part_${part}${short}`, { [part]: number(scoreOf(part, i, best), 2) }),
      });
    }
    put(scoreName, {
      x: at(3),
      y,
      text: say(`part_score${short}`, { score: number(sumOf(i, best), 2) }),
    });
  };
}
