// Counting: a token that begins every text, and its share for each token that asks under a causal mask.

import { clamp } from "../../page/shapes.js";
import { COUNT, TOKENS } from "./model.js";
import { tokenDrop, tokenX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

/** @param {Stage} stage @param {() => Room} room */
export function buildCount(stage, room) {
  const { make, put, show, group, slider, ring, value, say, number, state, set, isGuessing } =
    stage;
  const scene = group("");
  const [first, ...more] = say("longer").split(" ");
  const begins = make("text", { "text-anchor": "middle" }, group("first", scene), first);
  const rest = group("words", scene);
  const further = more.map((text) => make("text", { "text-anchor": "middle" }, rest, text));
  const others = group("shares", scene);
  const trail = group("dots", scene);
  const dots = Array.from({ length: TOKENS }, () =>
    make("circle", { fill: "var(--attention)", r: 3.5 }, trail),
  );
  const whole = make(
    "text",
    { class: "t12 soft", "text-anchor": "middle" },
    others,
    `${number(100)} %`,
  );
  const title = make("text", { class: "t12 soft" }, trail, say("share_axis"));
  const shares = group("shares first", scene);
  const frames = make("path", { fill: "var(--wash)" }, others);
  const bars = Array.from({ length: TOKENS }, (_, i) =>
    make("rect", { fill: "var(--attention)", "fill-opacity": i ? 0.35 : 1 }, i ? others : shares),
  );
  const level = make("text", { style: "fill: var(--attention); font-weight: 700" }, shares);
  const handle = slider(group("q", scene), {
    label: say("query_label"),
    keys: (by) => set({ query: clamp(Math.round(state.query) + by, 1, TOKENS) }),
    move: ([x]) => {
      const step = (room().width - 2 * room().edge) / TOKENS;
      set({ query: clamp(Math.ceil((x - room().edge) / step), 1, TOKENS) });
    },
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const arrow = ring(make("path", { fill: "var(--q)" }, handle));

  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    show(scene, clamp(2 * s.count - 1, 0, 1));
    put(handle, {
      style: s.count > 0.5 && !isGuessing() ? undefined : "pointer-events: none",
      tabindex: s.count > 0.5 && !isGuessing() ? 0 : -1,
    });
    if (s.count < 0.5) return;
    const { isPhone, ground } = at;
    const letters = `font: 600 ${at.letters.toFixed(1)}px var(--heading)`;
    const y = ground + at.letters * 0.32;
    put(begins, { x: tokenX(at, 0), y, style: letters });
    further.forEach((text, i) => {
      const token = 1 + COUNT + i;
      put(text, { x: tokenX(at, token), y: y + tokenDrop(at, token), style: letters });
    });
    const foot = ground - at.letters - (isPhone ? 18 : 26);
    const top = isPhone ? 22 : 50;
    const step = (at.width - 2 * at.edge) / TOKENS;
    const height = (/** @type {number} */ n) => (foot - top) / n;
    const query = Math.round(s.query);
    const told = isGuessing() ? 0 : 1; // the picture does not answer first
    bars.forEach((bar, i) => {
      const tall = i < query ? height(query) * told : 0;
      put(bar, {
        x: tokenX(at, i) - step * 0.36,
        y: foot - tall,
        width: step * 0.72,
        height: tall,
      });
    });
    dots.forEach((dot, i) => {
      put(dot, { cx: tokenX(at, i), cy: foot - height(i + 1) });
    });
    put(whole, { x: tokenX(at, 0), y: top - 9 });
    put(title, { x: tokenX(at, 1) - step * 0.36, y: top - 9 });
    for (const node of [whole, title]) show(node, query > 1 ? 1 : 0); // else the share stands there
    show(trail, told);
    const [x0, w] = [tokenX(at, 0) - step * 0.36, step * 0.72];
    const columns = Array.from(
      { length: query },
      (_, i) => `M${x0 + i * step},${foot}V${top}h${w}V${foot}`,
    );
    put(frames, { d: columns.join("") });
    // Right of the query's own dot, where the others are lower; at the end of the row above them.
    const isLast = tokenX(at, query) + 130 > at.width;
    put(level, {
      x: tokenX(at, query - 1) + (isLast ? 0 : step * 0.3),
      y: Math.max(16, foot - height(query) - (isLast ? 26 : 12)),
      "text-anchor": isLast ? "end" : "start",
      text: say("first_share"),
    });
    show(level, told);
    const x = tokenX(at, query - 1);
    const tip = ground - at.letters * 0.6;
    put(arrow, { d: `M${x},${tip}l-9,-14h18Z` });
    put(hit, { x: at.edge, y: top, width: at.width - 2 * at.edge, height: at.height - top });
    value(handle, query, 1, TOKENS, say("query_at", { n: query, share: number(100 / query, 1) }));
  };
}
