// What stands on the pages and beside them: names and shares, the ring, and what the reader moves.

import { nearest } from "../../page/typeset.js";
import { clamp, mix } from "../../page/shapes.js";
import { PAGE } from "./heads.js";
import { FLATTEST, NAMES, STEEPEST, powerX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const LAST = PAGE - 1;
export const MOST = 12; // the largest lead
const STEP = 0.05; // of a slope's power

/** Names of the heads and what each gives, and what the light means. @param {Stage} stage @param {(name: string) => string} second Label of the second line. */
export function buildCaptions({ make, put, show, group, say }, second) {
  const all = group("light k");
  const captions = NAMES.map((name) => ({
    title: make("text", { style: "font-weight: 600" }, all, say(name)),
    first: make("text", { class: "t14" }, all),
    second: make("text", { class: "t14 soft" }, all),
  }));
  const note = make("text", { class: "t12 soft" }, group("light"));
  return (/** @type {State} */ s, /** @type {Room} */ room, /** @type {any} */ values) => {
    const { isPhone, sheets, top, line, page } = room;
    sheets.forEach(({ name, x, presence }, i) => {
      const { title, first, second: more } = captions[i];
      const end = isPhone ? "_short" : "";
      const [a, b] = isPhone ? [22, 8] : [34, 14];
      put(title, { x, y: top - a - line });
      put(first, {
        x,
        y: top - (isPhone ? a - 1 : a),
        text: say(`at${page.w > 150 ? "" : end}`, values(name)),
      });
      put(more, { x, y: top - b, text: say(`${second(name)}${end}`, values(name)) });
      for (const node of [title, first, more]) show(node, presence > 0.6 ? presence : 0);
    });
    const hasRail = s.slopes > 0.5 || s.leads > 0.5;
    put(note, {
      x: sheets[0].x,
      y: top + page.h + (isPhone ? 14 : 20),
      text: say(isPhone ? "page_short" : "page"),
    });
    show(note, hasRail && isPhone ? 0 : 1);
  };
}

/** The ring round the word that is wanted, on every page, and the line under the word that asks. @param {Stage} stage @param {() => Room} room @param {string[]} words @param {number[]} clocks Words back. */
export function buildRing(
  { make, put, show, group, slider, ring, value, say, state, set, seen },
  room,
  words,
  clocks,
) {
  const asks = group("q");
  const queries = NAMES.map(() =>
    make("rect", { fill: "none", stroke: "var(--q)", "stroke-width": 2.5, rx: 2 }, asks),
  );
  const found = group("clocks");
  const boxes = NAMES.map(() =>
    clocks.map(() => make("rect", { fill: "none", stroke: "var(--soft)", rx: 2 }, found)),
  );
  const wanted = group("k");
  const handle = slider(wanted, {
    label: say("back_label"),
    keys: (by) => look(state.back + by),
    move: (point) => look(LAST - at(point)),
  });
  const hits = NAMES.map(() => make("rect", { fill: "transparent" }, handle));
  const rings = NAMES.map((_, i) => {
    const node = make(
      "rect",
      { fill: "none", stroke: "var(--k)", "stroke-width": 3, rx: 3 },
      handle,
    );
    return i ? node : ring(node);
  });
  const flags = NAMES.map(() =>
    make("text", { class: "t14 halo", style: "font-weight: 600" }, handle),
  );

  /** Index of the word at a point of any page. @param {[number, number]} point */
  function at([x, y]) {
    const { sheets, top, page, cells } = room();
    const sheet = sheets.filter(({ x: left, presence }) => presence > 0.5 && x > left - 8).at(-1);
    const from = (sheet ?? sheets[0]).x;
    return nearest(/** @type {any} */ ({ cells }), [clamp(x - from, 0, page.w), y - top]);
  }
  /** @param {number} back */
  function look(back) {
    if (!state.rings) return;
    const to = clamp(Math.round(back), 1, LAST);
    set({ back: to });
    if (to <= 5) seen.add("near");
    if (to >= LAST - 10) seen.add("far");
  }
  return (/** @type {State} */ s) => {
    const { sheets, top, page, cells, isGreek, isPhone, gap } = room();
    const back = clamp(Math.round(s.back), 0, LAST);
    sheets.forEach(({ x, presence }, i) => {
      const box = (/** @type {number} */ d, /** @type {number} */ more) => {
        const cell = cells[LAST - d];
        return {
          x: (x + cell.x - 1 - more).toFixed(1),
          y: (top + cell.y - more).toFixed(1),
          width: Math.max(1, cell.w - gap + 2 + 2 * more).toFixed(1),
          height: (cell.h + 2 * more).toFixed(1),
        };
      };
      put(queries[i], box(0, 1));
      put(rings[i], box(back, isPhone ? 3 : isGreek ? 4 : 2));
      put(hits[i], { x, y: top, width: page.w, height: page.h });
      clocks.forEach((d, c) => {
        put(boxes[i][c], box(d, 1.5));
        show(boxes[i][c], presence * s.leads);
      });
      const cell = cells[LAST - back];
      const isRight = cell.x > page.w / 2;
      const isLow = cell.y < 26;
      put(flags[i], {
        x: x + cell.x + (isRight ? cell.w - gap : 0),
        y: top + (isLow ? cell.y + cell.h + 18 : cell.y - 8),
        "text-anchor": isRight ? "end" : "start",
        text: isGreek ? words[LAST - back].replace(/[.,]$/, "") : "",
      });
      for (const node of [queries[i], rings[i], hits[i], flags[i]])
        show(node, presence > 0.6 ? presence : 0);
    });
    put(handle, { tabindex: s.rings > 0.5 ? 0 : -1 });
    value(handle, back, 1, LAST, say("back_at"));
  };
}

/** A rail at the foot: the slope of ALiBi's head, or the lead of a word. @param {Stage} stage @param {() => Room} room */
export function buildRails({ make, put, show, group, slider, grip, value, say, state, set }, room) {
  /** @param {string} mark @param {string} name @param {(by: number) => void} keys @param {(share: number) => void} drag */
  function rail(mark, name, keys, drag) {
    const holder = group(mark);
    const line = make("path", { stroke: "var(--line)", "stroke-width": 3, fill: "none" }, holder);
    const text = make("text", { class: "t14" }, holder);
    const handle = slider(holder, {
      label: say(`${name}_label`),
      keys,
      move: ([x]) => drag(clamp((x - room().rail.x) / room().rail.w, 0, 1)),
    });
    const knob = grip(handle);
    const hit = knob.parentNode?.querySelector("circle");
    return (/** @type {number} */ x, /** @type {number} */ presence) => {
      const { rail: at, sheets, isPhone } = room();
      put(line, { d: `M${at.x},${at.y}h${at.w}` });
      for (const node of [knob, hit]) if (node) put(node, { cx: x, cy: at.y });
      put(text, {
        x: sheets[0].x,
        y: at.y + 5,
        text: say(isPhone ? `${name}_name_short` : `${name}_name`),
      });
      show(holder, presence);
      put(handle, { tabindex: presence > 0.5 ? 0 : -1 });
      return handle;
    };
  }
  const slope = rail(
    "slope",
    "slope",
    (by) => set({ power: clamp(state.power + by * STEP, FLATTEST, STEEPEST) }),
    (share) => set({ power: mix(FLATTEST, STEEPEST, share) }),
  );
  const lead = rail(
    "lead",
    "lead",
    (by) => set({ lead: clamp(state.lead + by * 0.5, 0, MOST) }),
    (share) => set({ lead: Math.round(MOST * share * 10) / 10 }),
  );
  return (/** @type {State} */ s) => {
    const at = room();
    const power = slope(powerX(at, s.power), s.slopes);
    value(power, s.power, FLATTEST, STEEPEST, say("slope_at"));
    const amount = lead(at.rail.x + (at.rail.w * s.lead) / MOST, s.leads);
    value(amount, s.lead, 0, MOST, say("lead_at"));
  };
}
