// What points at words: the query, the needle, where 90% begin, and the lens of the map.

import { svg } from "../../page/lit/lit.js";
import { at as place, grip, mark, seen } from "../../page/parts.js";
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

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./scene" */
/** @import { Rect } from "../../page/typeset" */

const GRIP = 9; // radius
const NEAREST = 30; // words back: the needle comes no nearer on the map
const TAG = { width: 7.9, phone: 7.1, edge: 20, below: 26 }; // pixels, the first two of them a letter

/** @param {State} s */
const isMap = (s) => s.map > 0.02;

/** @param {State} s @param {Room} room @param {Stage} stage */
export const marks = (s, room, stage) => svg`
  ${sweep(s, room, stage)}
  ${flag(s, room)}
  ${mark("lens", clamp(s.lens, 0, 1), lens(s, room, stage))}
  ${mark("k", s.needle * (backOf(s) < 0 ? 0.35 : 1), needle(s, room, stage))}
  <g data-marks="q">${query(s, room, stage)}</g>`;

/** A word in a plate. @param {Room} room @param {string} fill @param {number} x @param {number} y @param {string} words */
function tag({ isPhone, page }, fill, x, y, words) {
  const wide = words.length * (isPhone ? TAG.phone : TAG.width) + TAG.edge;
  return svg`<g pointer-events="none" transform=${place(clamp(x, page.x + wide / 2, page.x + page.w - wide / 2), y)}>
    <rect fill=${fill} rx="8" height="24" y="-12" x=${-wide / 2} width=${wide} />
    <text class="t14 middle white bold" y="5">${words}</text></g>`;
}

/** @param {Rect} box @param {string} colour @param {number} opacity */
const frame = ({ x, y, w, h }, colour, opacity) =>
  seen(
    opacity,
    svg`<rect fill="none" stroke=${colour} stroke-width="2.5" rx="4" opacity=${opacity} x=${x - 2} y=${y} width=${w} height=${h} />`,
  );

/** A word on the page, or in the small page of the map. @param {State} s @param {Room} room @param {number} i @returns {Rect} */
function boxOf(s, room, i) {
  const box = wordBox(room, s, i);
  if (s.map < 0.001) return box;
  const { map } = room;
  const last = pageAt(room, s, 0);
  const z = last.w / map.w;
  return {
    x: last.x + (box.x - map.x) * z,
    y: last.y + (box.y - map.y) * z,
    w: box.w * z,
    h: box.h * z,
  };
}

/** A word of the page in the lens. @param {Rect} lens @param {Room} room @param {number} i @returns {Rect} */
function within({ x, y, w }, { page }, i) {
  const cell = page.cells[i];
  const u = w / page.w;
  return {
    x: x + (cell.x - page.x) * u,
    y: y + (cell.y - page.y) * u,
    w: cell.w * u,
    h: cell.h * u,
  };
}

/** The page takes the query where one points. @param {State} s @param {Room} room @param {Stage} stage */
function sweep(s, { page }, { say, set, step, handle }) {
  const walk = (/** @type {number} */ to) => set({ q: clamp(to, 0, WORDS - 1) });
  const hold = handle({
    label: say("query_label"),
    now: queryOf(s),
    min: 0,
    max: WORDS - 1,
    text: say("query_at"),
    isOff: s.page <= 0.99 || isMap(s) || step() !== "lamp",
    keys: (by) => walk(queryOf(s) + (Math.abs(by) > 1 ? by * 12 : by)),
    move: (at) => walk(nearest(page, at)),
  });
  return svg`<g data-marks="words light"><g ${hold}>
    <rect class="ring" rx="6" style="fill: transparent" x=${page.x} y=${page.y} width=${page.w} height=${page.h} /></g></g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
function query(s, room, { say }) {
  const { isPhone, page, strip, map, ribbon, lens: to } = room;
  const box = s.lens > 0.5 ? within(to, room, queryOf(s)) : boxOf(s, room, queryOf(s));
  const isHung = s.page < 0.5;
  let [x, y] = [box.x + box.w / 2, isHung ? strip.y - 34 : box.y + box.h + 13];
  if (isMap(s)) [x, y] = [map.x + map.w, map.y + map.h + (isPhone ? 11 : 14)];
  if (s.lens > 0.5) {
    const foot = to.y + to.h;
    [x, y] = isPhone ? [to.x - 34, foot - 13] : [box.x + box.w / 2, foot + 14];
  }
  if (s.ribbon > 0.5) [x, y] = [ribbon.x + ribbon.w, ribbon.y + ribbon.h + (isPhone ? 48 : 60)];
  const isLow = box.y + box.h + TAG.below > page.y + page.h;
  if ((page.isGreek || isLow) && !isMap(s) && !isHung) {
    const side = box.x + box.w < page.w - 70 ? box.x + box.w + 38 : box.x - 38;
    [x, y] = [side, box.y + box.h / 2];
  }
  const isNamed = !(isHung && s.rise > 0.1) && s.ribbon <= 0.02;
  const least = (/** @type {Rect} */ one) => ({
    ...one,
    w: Math.max(3, one.w),
    h: Math.max(3, one.h),
  });
  return svg`${frame(least(box), "var(--q)", 1 - s.ribbon)}
    ${frame(least(boxOf(s, room, queryOf(s))), "var(--q)", s.lens)}
    ${isNamed ? tag(room, "var(--q-fill)", x, y, say("query")) : ""}`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
function needle(s, room, { say, set, handle }) {
  if (s.needle < 0.02) return "";
  const back = backOf(s);
  const isFar = isMap(s);
  const box = boxOf(s, room, NEEDLE);
  const [farX, farY] = mapPoint(room, s, back);
  const { x: edge, w } = room.map;
  const inside = clamp(farX, edge + GRIP + 2, edge + w - GRIP - 2); // the whole handle
  const [x, y] = isFar ? [inside, farY] : [box.x + box.w / 2, box.y];
  const gap = isFar ? 27 : 14;
  const tagY = y - gap > 14 ? y - gap : y + (isFar ? 0 : box.h) + gap;
  const isNamed = isFar || room.page.isGreek; // else the word itself can be read
  const farTo = (/** @type {number} */ words) =>
    set({ far: Math.log10(clamp(words, NEAREST, wordsOf(s) - 1)) });
  const hold = handle({
    label: say("far_label"),
    now: -back,
    min: 1 - wordsOf(s),
    max: -NEAREST,
    text: say("needle_at"),
    keys: (by) => farTo(10 ** (s.far - by * 0.05)),
    move: (at) => {
      const to = pageOf(room, s, at);
      farTo(to.back * WORDS + WORDS - 1 - nearest(room.page, [to.x, to.y]));
    },
  });
  return svg`${isFar ? "" : frame(box, "var(--k)", 1)}
    ${isNamed ? tag(room, "var(--k-fill)", x, tagY, say(isFar ? "needle_at" : "needle")) : ""}
    ${isFar ? svg`<g ${hold} transform=${place(x, y)}>${grip({ r: GRIP, fill: "var(--k-fill)" })}</g>` : ""}`;
}

/** Where the 90% begin. @param {State} s @param {Room} room */
function flag(s, room) {
  const first = queryOf(s) - poolOf(s) + 1;
  const presence = clamp(s.page * 5 - 4, 0, 1) * (1 - s.needle) * (1 - clamp(s.map * 4, 0, 1));
  if (first < 0 || presence < 0.02) return "";
  const { x, y, h } = boxOf(s, room, first);
  return svg`<g data-marks="pool" opacity=${presence}><path stroke="var(--ink)" stroke-width="4" d=${`M${x - 1.5},${y - 4}v${h + 8}`} /></g>`;
}

/** The lens, and what it enlarges. @param {State} s @param {Room} room @param {Stage} stage */
function lens(s, room, { say }) {
  const { isPhone, lens: to, text: x } = room;
  const of = pageAt(room, s, 0);
  const foot = of.y + of.h;
  const size = isPhone ? "_short" : "";
  const texts = [say("pool_words"), say(`hold${size}`), say(`of_text${size}`)];
  return svg`
    <path stroke="var(--attention)" stroke-width="1.5" fill="none" d=${`M${of.x},${foot}L${to.x},${to.y}M${of.x + of.w},${foot}L${to.x + to.w},${to.y}`} />
    <rect stroke="var(--attention)" stroke-width="2" fill="none" rx="3" x=${to.x} y=${to.y} width=${to.w} height=${to.h} />
    ${texts.map((text, i) => svg`<text class=${i ? "t14" : "big"} x=${x} y=${to.y + (isPhone ? 20 : 34) + i * (isPhone ? 17 : 23)}>${text}</text>`)}`;
}
