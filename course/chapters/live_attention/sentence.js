// The sentence, its arcs, and the query that is dragged along it.

import { clamp } from "../../page/shapes.js";
import {
  COUNT,
  LAST,
  WORDS,
  back,
  backShare,
  bestOf,
  copyShare,
  firstShare,
  headOf,
  query,
  rests,
  scaleOf,
  weight,
} from "./read.js";
import { full, spot, wordAt } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const SEEN = 0.045; // a share that is written
const MUCH = 0.2; // a share that makes a word the key

/** @param {Room} room @param {number} i @param {number} j */
function arc(room, i, j) {
  const { base, deep, isPhone } = room;
  const [x0, y0] = spot(room, wordAt(room, j), base);
  const [x1, y1] = spot(room, wordAt(room, i), base);
  const half = (wordAt(room, i) - wordAt(room, j)) / 2;
  const high = deep * Math.min(1, 0.1 + (1.8 * half) / full(room));
  const [rx, ry] = isPhone ? [high, half] : [half, high];
  return `M${x1.toFixed(1)},${y1.toFixed(1)}A${rx.toFixed(1)},${ry.toFixed(1)} 0 0 ${isPhone ? 1 : 0} ${x0.toFixed(1)},${y0.toFixed(1)}`;
}

/** Every arc of the head to an earlier word; those of the query are lit. @param {Stage} stage */
export function buildArcs({ make, put, group }) {
  const all = group("arcs");
  const arcs = WORDS.flatMap((_, i) =>
    Array.from({ length: i }, (_, j) => ({
      i,
      j,
      node: make(
        "path",
        { fill: "none", stroke: "var(--attention)", "stroke-linecap": "round" },
        all,
      ),
    })),
  );
  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const thick = room.isPhone ? 5 : 8;
    for (const { i, j, node } of arcs) {
      const share = weight(s, i, j);
      const isLit = i === query(s);
      put(node, {
        d: share < 0.01 ? "" : arc(room, i, j),
        "stroke-width": (0.6 + share * thick).toFixed(2),
        opacity: (isLit ? 0.3 + 0.7 * share : 0.06 + 0.3 * share).toFixed(3),
      });
    }
  };
}

/** Which head it is, and what it does. @param {Stage} stage */
export function buildHeading({ make, put, show, group, say }) {
  const head = group("head");
  const name = make("text", { class: "halo", style: "font-weight: 600" }, head);
  const habit = make("text", { class: "halo soft" }, head);
  return (/** @type {State} */ s, /** @type {Room} */ { isPhone }) => {
    put(name, {
      x: 8,
      y: isPhone ? 15 : 28,
      text: say(headOf(s)),
    });
    put(habit, { x: isPhone ? 122 : 8, y: isPhone ? 15 : 52, text: say(habitOf(s)) });
    show(habit, isPhone ? s.habit * (1 - s.parts) : s.habit);
    show(name, Math.min(1, s.heads[0] + s.heads[1] + s.heads[2]));
  };
}
/** The name of what a head does. @param {State} s */
export function habitOf(s) {
  const head = headOf(s);
  if (head === "copy" && copyShare(s) > 0.1) return "does_copy";
  if (head !== "previous" || rests(s)) return "does_rest";
  if (back(s) === 1 && scaleOf(s) > 0.98) return "does_previous";
  return back(s) === 1 ? "does_previous_pressed" : "does_back";
}
/** @param {State} s */
export const habitShare = (s) => {
  const name = habitOf(s);
  if (name === "does_copy") return copyShare(s);
  return name === "does_rest" ? firstShare(s) : backShare(s, back(s));
};

/** The words, the share of each, and the query. @param {Stage} stage @param {() => Room} room */
export function buildWords(stage, room) {
  const { make, put, show, group, slider, ring, value, say, number, state, set, seen, isGuessing } =
    stage;
  const ask = (/** @type {number} */ to) => {
    if (isGuessing()) return;
    set({ query: clamp(Math.round(to), 0, LAST) });
    seen.add(query(state));
  };
  const all = group("words q");
  const handle = slider(all, {
    label: say("query_label"),
    keys: (by) => ask(query(state) + by),
    move: ([x, y]) => ask(((room().isPhone ? y : x) - room().start) / room().slot),
  });
  const pill = ring(make("rect", { rx: 8, fill: "var(--q-fill)" }, handle));
  const words = WORDS.map((word) =>
    make("text", { "text-anchor": "middle", "dominant-baseline": "central" }, handle, word),
  );
  const hit = make("rect", { fill: "transparent" }, handle);
  const shares = group("shares");
  const texts = WORDS.map(() =>
    make(
      "text",
      {
        class: "t14 halo",
        "text-anchor": "middle",
        "dominant-baseline": "central",
        style: "fill: var(--attention); font-weight: 600",
      },
      shares,
    ),
  );

  return (/** @type {State} */ s, /** @type {Room} */ r) => {
    const now = query(s);
    const best = bestOf(s, now);
    const isAsked = s.line < 0.5; // beside the curve no arcs are drawn
    const at = wordAt(r, s.query);
    const [x, y] = spot(r, at, r.words);
    const high = r.isPhone ? Math.min(24, r.slot + 3) : 30;
    words.forEach((node, i) => {
      const [wx, wy] = spot(r, wordAt(r, i), r.words);
      const share = i <= now ? weight(s, now, i) : 0;
      const isKey = i === best && i !== now && share > MUCH;
      const isNow = i === now && isAsked;
      const colour = isNow ? "#fff" : isKey ? "var(--k)" : i > now ? "var(--soft)" : "var(--ink)";
      put(node, {
        x: wx,
        y: wy,
        style: `fill: ${colour}; font-size: ${r.size}px; font-weight: ${isKey || isNow ? 700 : 400}`,
      });
      const [sx, sy] = spot(r, wordAt(r, i), r.shares);
      put(texts[i], {
        x: sx,
        y: sy,
        text: share >= SEEN ? say("share", { share: number(100 * share) }) : "",
      });
    });
    // As wide as its word, so that it covers no other.
    const own = /** @type {SVGTextElement} */ (words[now]).getComputedTextLength();
    const wide = r.isPhone ? 60 : Math.max(28, own + 6);
    put(pill, { x: x - wide / 2, y: y - high / 2, width: wide, height: high });
    const edge = r.start - r.slot / 2;
    const [hx, hy] = spot(r, edge, r.words - (r.isPhone ? 34 : 24));
    put(hit, {
      x: hx,
      y: hy,
      width: r.isPhone ? 68 : r.slot * COUNT,
      height: r.isPhone ? r.slot * COUNT : 48,
    });
    show(pill, 1 - s.line);
    put(handle, {
      tabindex: isAsked ? 0 : -1,
      style: isAsked ? undefined : "pointer-events: none",
    });
    value(handle, now, 0, LAST, say("query_at"));
    show(shares, s.habit);
  };
}
