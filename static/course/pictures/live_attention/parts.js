// The scores of one query in two parts: what the content alone would give, and what the rotation adds.

import { LAST, WORDS, query, scoreOf } from "./read.js";
import { wordAt } from "./room.js";

/** @typedef {import("../../types").Stage} Stage */
/** @typedef {import("../../types").State} State */
/** @typedef {import("./room.js").Room} Room */

const all = WORDS.flatMap((_, i) => WORDS.slice(0, i + 1).map((__, j) => [scoreOf("content", i, j), scoreOf("position", i, j)])); // prettier-ignore
const HIGH = Math.max(...all.map(([c, p]) => Math.max(c, p, c + p)));
const LOW = Math.min(...all.map(([c, p]) => Math.min(c, p, c + p)));

/** @param {Stage} stage */
export function buildParts({ make, put, show, group, say, number }) {
  const holder = make("g");
  const zero = make("path", { stroke: "var(--soft)", fill: "none" }, group("content position score", holder)); // prettier-ignore
  const parts = /** @type {const} */ (["content", "position"]).map((part, at) => ({
    part,
    at,
    bars: WORDS.map(() => make("rect", { fill: `var(--${at ? "soft" : "content"})`, rx: 1.5 }, group(part, holder))), // prettier-ignore
    name: make("text", { class: `t14 ${at ? "soft" : "content"}` }, group(part, holder)),
  }));
  const score = group("score", holder);
  const sums = WORDS.map(() => make("path", { stroke: "var(--attention)", "stroke-width": 3, "stroke-linecap": "round" }, score)); // prettier-ignore
  const texts = WORDS.map(() => make("text", { class: "t12 halo", "text-anchor": "middle", "dominant-baseline": "central", style: "fill: var(--attention)" }, score)); // prettier-ignore
  const scoreName = make("text", { class: "t14", style: "fill: var(--attention)" }, score);

  return (/** @type {State} */ s, /** @type {Room} */ r) => {
    show(holder, s.parts);
    if (s.parts < 0.02) return;
    const { isPhone, slot } = r;
    // Across the sentence: down on a wide screen, to the left on a phone.
    const [near, far] = isPhone ? [r.shares + 26, r.width - 12] : [r.shares + 26, r.height - 44];
    const room = (far - near) / (HIGH - LOW);
    const level = (/** @type {number} */ value) =>
      isPhone ? near + (value - LOW) * room : near + (HIGH - value) * room;
    const thick = isPhone ? Math.min(6, slot * 0.36) : Math.min(15, slot * 0.28);
    const edge = [wordAt(r, 0) - slot / 2, wordAt(r, LAST) + slot / 2];
    put(zero, { d: isPhone ? `M${level(0)},${edge[0]}V${edge[1]}` : `M${edge[0]},${level(0)}H${edge[1]}` }); // prettier-ignore
    const i = query(s);
    for (const { part, at, bars, name } of parts) {
      bars.forEach((bar, j) => {
        const value = j <= i ? scoreOf(part, i, j) : 0;
        const a = wordAt(r, j) + (at - 1) * thick;
        const from = Math.min(level(0), level(value));
        const long = Math.abs(level(value) - level(0));
        put(bar, isPhone ? { x: from, y: a, width: long, height: thick } : { x: a, y: from, width: thick, height: long }); // prettier-ignore
      });
      put(name, { x: isPhone ? r.width - 8 : 8 + at * 190, y: isPhone ? 15 : r.height - 14, "text-anchor": isPhone ? "end" : "start", text: isPhone ? "" : say(`part_${part}`) }); // prettier-ignore
    }
    put(scoreName, {
      x: isPhone ? 8 : 430,
      y: r.height - 14,
      text: isPhone ? "" : say("part_score"),
    });
    sums.forEach((sum, j) => {
      const total = j <= i ? scoreOf("content", i, j) + scoreOf("position", i, j) : 0;
      const [a, c] = [wordAt(r, j), level(total)];
      const half = isPhone ? slot * 0.42 : slot * 0.34;
      put(sum, { d: j > i ? "" : isPhone ? `M${c},${a - half}V${a + half}` : `M${a - half},${c}H${a + half}` }); // prettier-ignore
      // Beyond the bars as well, which may be longer than their sum.
      const out = j > i ? 0 : Math[total > 0 ? "max" : "min"](total, scoreOf("content", i, j), scoreOf("position", i, j)); // prettier-ignore
      put(texts[j], { x: isPhone ? 0 : a, y: isPhone ? 0 : level(out) + (total > 0 ? -11 : 12), text: j > i || isPhone ? "" : number(total, 1) }); // prettier-ignore
    });
  };
}
