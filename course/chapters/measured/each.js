// The texts one by one: what a token costs as trained and in one way of stretching, and what that saves.

import data from "./data.js";
import { mix, xy } from "../../page/shapes.js";
import { BLOCKS, INSIDE, LINES, lines } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {"linear" | "ntk" | "yarn"} Stretched */

/** @type {Stretched[]} */
const STRETCHED = ["linear", "ntk", "yarn"];
const COLUMNS = 3;
const ROWS = Math.ceil(data.texts.length / COLUMNS);
const HIGHEST = 12; // bits of the axis
const TICKS = [4, 8];
const WIDE = 900; // pixels of a picture that has room for the whole heading

/** Bits a token that a way costs more than as trained in one text, beyond the trained length. @param {Stretched} way @param {number} text */
export const more = (way, text) =>
  data.each[way][text]
    .slice(INSIDE)
    .reduce((sum, bits, i) => sum + bits - data.each.none[text][INSIDE + i], 0) /
  (BLOCKS - INSIDE);

/** How much of each way is there; while one gives way to another, of both. @param {State} s */
const weights = (s) => STRETCHED.map((way) => s.lines[LINES.indexOf(way)]);
/** The way that is shown, "" for none. @param {State} s @returns {Stretched | ""} */
export function shown(s) {
  const all = weights(s);
  const most = Math.max(...all);
  return most < 0.5 ? "" : STRETCHED[all.indexOf(most)];
}

/** A name of at most two words. @param {string} name */
function shortened(name) {
  const words = name.split(" ");
  return words.length > 2 ? `${words.slice(0, 2).join(" ")} …` : name;
}

/** @param {Stage} stage */
export function buildEach({ make, put, show, group, say, number, seen, move, press, isGuessing }) {
  const panel = group("texts");
  const title = make("text", { class: "t14 soft", "text-anchor": "end" }, panel);
  const ticks = Array.from({ length: ROWS * TICKS.length }, (_, i) =>
    make("text", { class: "t12 soft", "text-anchor": "end" }, panel, number(TICKS[i % 2])),
  );
  const cells = data.texts.map((id) => ({
    name: say(`text_${id}`),
    short: shortened(say(`text_${id}`)),
    grid: make("path", { stroke: "var(--line)", fill: "none" }, panel),
    edge: make("path", { stroke: "var(--soft)", "stroke-dasharray": "3 4", fill: "none" }, panel),
    all: make("rect", { rx: 3, fill: "var(--wash)", stroke: "var(--line)" }, panel),
    trained: make("rect", { rx: 3, fill: "var(--soft)" }, panel),
    text: make("text", {}, panel),
    saved: make("path", { fill: "var(--near)", opacity: 0.3 }, group("saved")),
    dearer: make("path", { fill: "var(--new)", opacity: 0.3 }, group("dearer")),
    way: make("path", { fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 }, group("way")),
    none: make(
      "path",
      { fill: "none", stroke: "var(--ink)", "stroke-width": 3 },
      group("line_none"),
    ),
    bits: make(
      "text",
      { class: "t14", "font-weight": 600, "text-anchor": "end" },
      group("saved dearer"),
    ),
  }));
  const asTrained = make(
    "text",
    { class: "t14 halo", "text-anchor": "end" },
    group("line_none"),
    say("line_none"),
  );

  const buttons = STRETCHED.map((way) => {
    const choose = () => {
      if (isGuessing()) return;
      seen.add(way);
      move({ lines: lines("none", way) }, 500);
    };
    const button = press(group("ways"), choose, {
      "aria-label": say("show_label", { method: say(`line_${way}`) }),
    });
    const plate = make("rect", { rx: 8, stroke: "var(--line)", "stroke-width": 1.5 }, button);
    const text = make(
      "text",
      { class: "t14", "text-anchor": "middle" },
      button,
      say(`line_${way}`),
    );
    return { way, button, plate, text };
  });

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const presence = s.each;
    for (const node of [
      panel,
      asTrained.parentNode,
      ...buttons.map(({ button }) => button.parentNode),
    ])
      show(/** @type {Element} */ (node), presence);
    for (const { saved, dearer, way, none, bits } of cells)
      for (const node of [saved, dearer, way, none, bits])
        show(/** @type {Element} */ (node.parentNode), presence);
    if (presence < 0.02) return;
    const { isPhone, width, height } = room;
    const top = isPhone ? 42 : 74;
    const bottom = height - (isPhone ? 4 : 24);
    const [left, right] = [isPhone ? 24 : 60, width - (isPhone ? 8 : 40)];
    const [gapX, gapY] = isPhone ? [10, 6] : [26, 22];
    const head = isPhone ? 16 : 22;
    const foot = isPhone ? 6 : 10;
    const w = (right - left - gapX * (COLUMNS - 1)) / COLUMNS;
    const h = (bottom - top - gapY * (ROWS - 1)) / ROWS;
    const all = weights(s);
    const there = all.reduce((sum, one) => sum + one, 0);
    const now = shown(s);

    cells.forEach(
      (
        { name, short, grid, edge, all: whole, trained, text, saved, dearer, way, none, bits },
        i,
      ) => {
        const [column, row] = [i % COLUMNS, Math.floor(i / COLUMNS)];
        // Out of the one picture of all texts.
        const at = (/** @type {number} */ from, /** @type {number} */ to) => mix(from, to, s.each);
        const x = at(room.x, left + column * (w + gapX));
        const wide = at(room.w, w);
        const y = at(room.top, top + row * (h + gapY) + head);
        const base = at(room.bottom, top + row * (h + gapY) + h - foot - 3);
        const high = (/** @type {number} */ its) => base - (its / HIGHEST) * (base - y);
        const across = (/** @type {number} */ block) => x + (block / BLOCKS) * wide;
        const bitsOf = (/** @type {number} */ block) =>
          STRETCHED.reduce((sum, one, k) => sum + all[k] * data.each[one][i][block], 0) / there;
        const stairs = (/** @type {(block: number) => number} */ its) =>
          `M${Array.from({ length: BLOCKS }, (_, block) => `${xy([across(block), high(its(block))])}H${across(block + 1).toFixed(1)}`).join("L")}`;
        const areas = ["", ""];
        for (let block = 0; there > 0.02 && block < BLOCKS; block++) {
          const [own, plain] = [bitsOf(block), data.each.none[i][block]];
          areas[Number(own > plain)] +=
            `M${xy([across(block), high(plain)])}H${across(block + 1).toFixed(1)}V${high(own).toFixed(1)}H${across(block).toFixed(1)}Z`;
        }
        put(grid, {
          d: TICKS.map(
            (tick) => `M${x.toFixed(1)},${high(tick).toFixed(1)}h${wide.toFixed(1)}`,
          ).join(""),
        });
        put(edge, { d: `M${across(INSIDE).toFixed(1)},${y.toFixed(1)}V${base.toFixed(1)}` });
        put(whole, { x, y: base + 3, width: wide, height: foot });
        put(trained, { x, y: base + 3, width: wide / 2, height: foot });
        put(text, {
          x,
          y: y - (isPhone ? 4 : 8),
          class: isPhone ? "t12" : "t14",
          text: isPhone ? short : name,
        });
        put(saved, { d: areas[0] });
        put(dearer, { d: areas[1] });
        put(way, { d: there > 0.02 ? stairs(bitsOf) : "" });
        put(none, { d: stairs((block) => data.each.none[i][block]) });
        const its = now ? more(now, i) : 0;
        put(bits, {
          x: x + wide,
          y: y - (isPhone ? 4 : 8),
          class: `${isPhone ? "t12" : "t14"} ${its < 0 ? "near" : "new"}`,
          text: now ? (its < 0 ? "" : "+") + number(its, 1) : "",
        });
        if (i) return;
        put(asTrained, {
          x: across(INSIDE) - 4,
          y: high(Math.min(...data.each.none[i].slice(0, INSIDE))) + (isPhone ? 13 : 17), // below its line
          class: `halo ${isPhone ? "t12" : "t14"}`,
        });
      },
    );
    ticks.forEach((node, i) => {
      const row = Math.floor(i / TICKS.length);
      const base = top + row * (h + gapY) + h - foot - 3;
      const y = top + row * (h + gapY) + head;
      put(node, { x: left - 5, y: base - (TICKS[i % TICKS.length] / HIGHEST) * (base - y) + 4 });
    });
    const each = isPhone ? 84 : 116;
    buttons.forEach(({ way, button, plate, text }, k) => {
      const x = left + (isPhone ? -16 : 0) + k * (each + (isPhone ? 6 : 10));
      const y = isPhone ? 4 : 18;
      const isNow = now === way;
      put(plate, {
        x,
        y,
        width: each,
        height: isPhone ? 30 : 34,
        fill: isNow ? "var(--ink)" : "var(--paper)",
      });
      put(text, {
        x: x + each / 2,
        y: y + (isPhone ? 20 : 22),
        style: isNow ? "fill: var(--paper)" : undefined,
      });
      put(button, {
        tabindex: isGuessing() || s.each < 0.5 ? -1 : 0,
        "aria-pressed": isNow ? "true" : "false",
      });
    });
    put(title, {
      x: right,
      y: isPhone ? 24 : 40,
      text: say(now && width > WIDE ? "bits_and_more" : "bits_short"),
    });
  };
}
