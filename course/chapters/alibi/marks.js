// What points at words: the query, the needle, where 90 % begin, and the lens of the map.

import { clamp } from "../../page/shapes.js";
import { nearest } from "../../page/typeset.js";
import {
  NEEDLE,
  WORDS,
  backOf,
  mapPoint,
  pageAt,
  pageOf,
  poolOf,
  queryOf,
  wordBox,
  wordsOf,
} from "./scene.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./scene").Room} Room */
/** @typedef {import("../../page/typeset").Rect} Rect */

const NEAREST = 30; // words back: the needle comes no nearer on the map
const TAG = { width: 7.9, phone: 7.1, edge: 20, below: 26 }; // pixels, the first two of them a letter

/** @param {Stage} stage @param {() => Room} room */
export function buildMarks(stage, room) {
  const { make, put, show, group, slider, grip, value, say, set, state, step, isGuessing } = stage;

  /** A word in a plate. @param {Element} parent @param {string} fill @param {string} ink */
  function tag(parent, fill, ink) {
    const holder = make("g", { style: "pointer-events: none" }, parent);
    const plate = make("rect", { fill, rx: 8, height: 24, y: -12 }, holder);
    const text = make(
      "text",
      { class: "t14", "text-anchor": "middle", y: 5, style: `fill:${ink};font-weight:600` },
      holder,
    );
    /** @param {number} x @param {number} y @param {string} words */
    function draw(x, y, words) {
      const { isPhone, page } = room();
      const wide = words.length * (isPhone ? TAG.phone : TAG.width) + TAG.edge;
      put(plate, { x: -wide / 2, width: wide });
      put(text, { text: words });
      const at = clamp(x, wide / 2 + 3, page.x + page.w - wide / 2);
      put(holder, { transform: `translate(${at.toFixed(1)} ${y.toFixed(1)})` });
    }
    return { holder, draw };
  }

  // The page takes the query where one points.
  const walk = (/** @type {number} */ to) => set({ q: clamp(to, 0, WORDS - 1) });
  const sweep = slider(group("words light"), {
    label: say("query_label"),
    keys: (by) => walk(queryOf(state) + (Math.abs(by) > 1 ? by * 12 : by)),
    move: (at) => walk(nearest(room().page, at)),
  });
  const area = make("rect", { class: "ring", rx: 6, style: "fill: transparent" }, sweep);

  // Where the 90 % begin.
  const flag = group("pool");
  const pole = make(
    "path",
    { stroke: "var(--attention)", "stroke-width": 3.5, fill: "none" },
    flag,
  );

  // The lens, and what it enlarges.
  const lens = group("lens");
  const rays = make(
    "path",
    { stroke: "var(--attention)", "stroke-width": 1.5, fill: "none" },
    lens,
  );
  const frame = make(
    "rect",
    { stroke: "var(--attention)", "stroke-width": 2, fill: "none", rx: 3 },
    lens,
  );
  const lensTexts = [0, 1, 2].map((i) => make("text", { class: i ? "t14" : "big" }, lens));

  const needle = group("k");
  const needleBox = make(
    "rect",
    { fill: "none", stroke: "var(--k)", "stroke-width": 2.5, rx: 4 },
    needle,
  );
  const needleTag = tag(needle, "var(--k-fill)", "#fff");
  const farTo = (/** @type {number} */ words) =>
    set({ far: Math.log10(clamp(words, NEAREST, wordsOf(state) - 1)) });
  const far = knob(needle, "var(--k-fill)", {
    label: say("far_label"),
    keys: (by) => farTo(10 ** (state.far - by * 0.05)),
    move: (at) => {
      const { back, x, y } = pageOf(room(), state, at);
      farTo(back * WORDS + WORDS - 1 - nearest(room().page, [x, y]));
    },
  });

  const query = group("q");
  const queryBox = make(
    "rect",
    { fill: "none", stroke: "var(--q)", "stroke-width": 2.5, rx: 4 },
    query,
  );
  const queryTag = tag(query, "var(--q-fill)", "#fff");

  /** @param {Element} parent @param {string} fill @param {import("../../page/types").Handle} handle */
  function knob(parent, fill, handle) {
    const one = slider(parent, handle);
    grip(one, { r: 9, fill });
    return one;
  }

  /** A word on the page, or in the small page of the map. @param {State} s @param {number} i @returns {Rect} */
  function boxOf(s, i) {
    const at = room();
    const box = wordBox(at, s, i);
    if (s.map < 0.001) return box;
    const last = pageAt(at, s, 0);
    const z = last.w / at.map.w;
    return {
      x: last.x + (box.x - at.map.x) * z,
      y: last.y + (box.y - at.map.y) * z,
      w: box.w * z,
      h: box.h * z,
    };
  }

  /** @param {State} s */
  function drawQuery(s) {
    const { isPhone, page, strip, map, ribbon } = room();
    const box = boxOf(s, queryOf(s));
    const isMap = s.map > 0.02;
    put(queryBox, {
      x: box.x - 2,
      y: box.y,
      width: Math.max(3, box.w),
      height: Math.max(3, box.h),
    });
    show(queryBox, 1 - s.ribbon);
    const middle = box.x + box.w / 2;
    const isHung = s.page < 0.5;
    let [x, y] = [middle, isHung ? strip.y - 34 : box.y + box.h + 13];
    if (isMap) [x, y] = [map.x + map.w, map.y + map.h + (isPhone ? 11 : 14)];
    if (s.ribbon > 0.5) [x, y] = [ribbon.x + ribbon.w, ribbon.y + ribbon.h + (isPhone ? 48 : 60)];
    const isLow = box.y + box.h + TAG.below > page.y + page.h;
    if ((page.isGreek || isLow) && !isMap && !isHung) {
      const side = box.x + box.w < page.w - 70 ? box.x + box.w + 38 : box.x - 38;
      [x, y] = [side, box.y + box.h / 2];
    }
    queryTag.draw(x, y, say("query"));
    show(queryTag.holder, (isHung && s.rise > 0.1) || s.ribbon > 0.02 ? 0 : 1);
    const canWalk = s.page > 0.99 && !isMap && !isGuessing() && step() === "lamp";
    put(area, { x: page.x, y: page.y, width: page.w, height: page.h });
    put(sweep, { tabindex: canWalk ? 0 : -1, style: canWalk ? undefined : "pointer-events: none" });
    value(sweep, queryOf(s), 0, WORDS - 1, say("query_at"));
  }

  /** @param {State} s */
  function drawNeedle(s) {
    const at = room();
    const back = backOf(s);
    const isMap = s.map > 0.02;
    show(needle, s.needle * (back < 0 ? 0.35 : 1));
    if (s.needle < 0.02) return;
    const box = boxOf(s, NEEDLE);
    put(needleBox, { x: box.x - 2, y: box.y, width: box.w, height: box.h });
    show(needleBox, isMap ? 0 : 1);
    const [x, y] = isMap ? mapPoint(at, s, back) : [box.x + box.w / 2, box.y];
    const gap = isMap ? 27 : 14;
    const above = y - gap;
    show(needleTag.holder, isMap || at.page.isGreek ? 1 : 0); // else the word itself can be read
    needleTag.draw(
      x,
      above > 14 ? above : y + (isMap ? 0 : box.h) + gap,
      say(isMap ? "needle_at" : "needle"),
    );
    put(far, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    show(far, isMap ? 1 : 0);
    value(far, -back, 1 - wordsOf(s), -NEAREST, say("needle_at"));
  }

  /** @param {State} s */
  function drawFlag(s) {
    const first = queryOf(s) - poolOf(s) + 1;
    const isThere = first < 0 ? 0 : clamp(s.page * 5 - 4, 0, 1);
    show(flag, isThere * (1 - s.needle) * (1 - clamp(s.map * 4, 0, 1)));
    const box = boxOf(s, Math.max(0, first));
    put(pole, { d: `M${box.x - 1},${box.y}v${box.h}` });
  }

  /** @param {State} s */
  function drawLens(s) {
    const { isPhone, lens: to, text: x } = room();
    show(lens, clamp(s.lens, 0, 1));
    const of = pageAt(room(), s, 0);
    put(frame, { x: to.x, y: to.y, width: to.w, height: to.h });
    const foot = of.y + of.h;
    put(rays, {
      d: `M${of.x},${foot}L${to.x},${to.y}M${of.x + of.w},${foot}L${to.x + to.w},${to.y}`,
    });
    const size = isPhone ? "_short" : "";
    const texts = [say("pool_words"), say(`hold${size}`), say(`of_text${size}`)];
    lensTexts.forEach((text, i) => {
      put(text, { x, y: to.y + (isPhone ? 20 : 34) + i * (isPhone ? 17 : 23), text: texts[i] });
    });
  }

  return (/** @type {State} */ s) => {
    drawQuery(s);
    drawNeedle(s);
    drawFlag(s);
    drawLens(s);
  };
}
