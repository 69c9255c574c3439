// The words and their light, on a canvas: thousands of them, sixty times a second.

import { clamp, mix } from "../../page/shapes.js";
import { LONGEST, WORDS, alongX, attention, mapScale, pageAt, queryOf, wordBox } from "./scene.js";
import { SERIF } from "../../page/typeset.js";

/** @import { Colour, Stage, State } from "../../page/types" */
/** @import { Room } from "./scene" */
/** @import { Rect } from "../../page/typeset" */

const FAINTEST = 0.004; // light that cannot be seen
const LIT = 0.66; // from here on the letters of the strip are of the paper's colour
const INKED = 0.25; // from here on those of the page are of the ink's
export const READ = 0.55; // full light behind letters, so that they stay the ink's on the whole page
const BAR = 0.34; // ink of a word drawn as a bar, over the light on it
const AFTER = 0.35; // words after the query
const LETTERS = [0.36, 0.32]; // top and height of a word drawn as a bar, of its line
const STAMP = 0.25; // size of the page that is drawn once for the whole map

/** @param {Colour} a @param {Colour} b @param {number} t */
const between = (a, b, t) => /** @type {Colour} */ (a.map((v, i) => Math.round(mix(v, b[i], t))));
/** @param {Colour} a @param {Colour} b @param {number} t */
const blend = (a, b, t) => `rgb(${between(a, b, t).join()})`;

/** @param {Stage} stage @param {string[]} words @param {(i: number) => number} width */
export function buildLight({ canvas, clear, colours }, words, width) {
  const ink = /** @type {CanvasRenderingContext2D} */ (
    canvas("light words pool lens length").getContext("2d")
  );
  const stamp = document.createElement("canvas");
  let stamped = "";

  const names = ["paper", "wash", "line", "soft", "ink", "attention"];
  const read = colours(names.map((name) => `var(--${name})`));
  /** @type {Record<string, Colour>} */
  let seen = {};
  const ground = (/** @type {number} */ b) => blend(seen.wash, seen.attention, b);
  const bars = (/** @type {number} */ b) =>
    blend(between(seen.wash, seen.attention, b), seen.ink, BAR);
  const letters = (/** @type {number} */ b) => blend(seen.soft, seen.ink, Math.min(1, b / INKED));

  /** @param {Rect} rect @param {number} r */
  function panel({ x, y, w, h }, r = 6) {
    ink.beginPath();
    ink.roundRect(x, y, w, h, r);
    ink.fill();
  }

  /** @param {State} s @param {Room} room */
  function drawPage(s, room) {
    const { page, strip } = room;
    const { light } = attention(s);
    const isBare = s.page < 0.5;
    ink.globalAlpha = s.page;
    ink.fillStyle = ground(0);
    if (s.page > 0.01) panel(page);
    ink.textBaseline = "middle";
    ink.textAlign = "left";
    let font = "";
    for (let i = 0; i < WORDS; i++) {
      const d = queryOf(s) - i;
      const isInStrip = d >= 0 && d < strip.count && s.page < 0.999;
      const presence = isInStrip ? 1 : s.page;
      if (presence < 0.02) continue;
      const box = wordBox(room, s, i);
      const b = light(d) * Math.max(s.rise, s.page);
      ink.globalAlpha = presence;
      if (b > FAINTEST) {
        const most = page.isGreek ? 1 : READ;
        ink.fillStyle = isBare ? blend(seen.paper, seen.attention, b) : ground(b * most);
        ink.fillRect(box.x - 1, box.y, box.w + 0.5, box.h + 0.5);
      }
      ink.globalAlpha = presence * (d < 0 ? AFTER : 1);
      const plain = b > LIT ? seen.paper : seen.ink;
      ink.fillStyle = isBare ? blend(plain, plain, 0) : letters(b);
      if (page.isGreek && !isBare) {
        ink.fillStyle = bars(b);
        bar(box, box.h, 1, page.size * 0.35);
        continue;
      }
      const size = isInStrip ? box.size : page.size;
      const wanted = `${size.toFixed(1)}px ${SERIF}`;
      if (wanted !== font) ink.font = font = wanted;
      const slack = isInStrip ? (1 - s.page) * (box.w - (width(i) - 0.25) * size) * 0.5 : 0;
      ink.fillText(words[i], box.x + Math.max(0, slack) + s.page, box.y + box.h * 0.53);
    }
    if (page.isGreek && !isBare && room.isPhone) drawLoupe(s, room);
  }

  /** A word as a bar. @param {Rect} box @param {number} high @param {number} scale @param {number} gap */
  function bar({ x, y, w }, high, scale, gap) {
    const [top, part] = LETTERS;
    ink.fillRect(x, y + high * top, Math.max(0.5, w - gap * scale), high * part);
  }

  /** The words round the query, large enough to read. @param {State} s @param {Room} room */
  function drawLoupe(s, { width: W, loupe, page }) {
    const { light } = attention(s);
    const at = queryOf(s);
    const size = 15;
    let after = 0;
    for (let i = at + 1; i < WORDS && after < W; i++) after += width(i) * size;
    const end = Math.max(W / 2 + (width(at) * size) / 2, page.x + page.w - 4 - after);
    ink.save();
    ink.globalAlpha = s.page;
    ink.fillStyle = ground(0);
    panel({ x: page.x, y: loupe, w: page.w, h: 28 });
    ink.clip();
    ink.font = `${size}px ${SERIF}`;
    const word = (/** @type {number} */ i, /** @type {number} */ x) => {
      const b = light(at - i);
      if (b > FAINTEST) {
        ink.fillStyle = ground(b * READ);
        ink.fillRect(x - 2, loupe, width(i) * size + 0.5, 28);
      }
      ink.globalAlpha = s.page * (i > at ? AFTER : 1);
      ink.fillStyle = letters(b);
      ink.fillText(words[i], x, loupe + 15);
      ink.globalAlpha = s.page;
    };
    let left = end;
    const wide = (/** @type {number} */ i) => width(i) * size;
    const [first, last] = [page.x + 4, page.x + page.w];
    for (let i = at; i >= 0 && left - wide(i) > first; i--) word(i, (left -= wide(i)));
    let right = end;
    for (let i = at + 1; i < WORDS && right + wide(i) < last; right += wide(i++)) word(i, right);
    ink.restore();
  }

  /** A page of bars, drawn once. @param {Room} room */
  function stampOf({ page }) {
    const name = [page.x, page.y, page.w, page.h, seen.wash, seen.soft].join();
    if (name === stamped) return stamp;
    stamped = name;
    stamp.width = Math.max(1, Math.round(page.w * STAMP));
    stamp.height = Math.max(1, Math.round(page.h * STAMP));
    const pen = /** @type {CanvasRenderingContext2D} */ (stamp.getContext("2d"));
    pen.fillStyle = ground(0);
    pen.fillRect(0, 0, stamp.width, stamp.height);
    pen.fillStyle = bars(0);
    const [above, part] = LETTERS; // as dark as on the pages that are lit
    for (const { x, y, w, h } of page.cells)
      pen.fillRect(
        (x - page.x) * STAMP,
        (y - page.y + h * above) * STAMP,
        (w - page.size * 0.3) * STAMP,
        Math.max(0.7, h * part * STAMP),
      );
    return stamp;
  }

  /**
   * The light of one query over the words of a page.
   * @param {Room} room @param {Rect} at @param {(i: number) => number} lightOf @param {boolean} hasWords
   */
  function lightPage({ page }, at, lightOf, hasWords) {
    const whole = ink.globalAlpha;
    const [u, v] = [at.w / page.w, at.h / page.h];
    page.cells.forEach((cell, i) => {
      const b = lightOf(i);
      if (b < FAINTEST) return;
      const box = {
        x: at.x + (cell.x - page.x) * u,
        y: at.y + (cell.y - page.y) * v,
        w: cell.w * u,
        h: cell.h * v,
      };
      ink.globalAlpha = hasWords ? whole : whole * b; // the words of the map stay under the light
      ink.fillStyle = ground(hasWords ? b : 1);
      ink.fillRect(box.x, box.y, Math.max(0.5, box.w + 0.3), Math.max(0.5, box.h + 0.2));
      if (!hasWords) return;
      ink.fillStyle = bars(b);
      bar(box, box.h, u, page.size * 0.3);
    });
    ink.globalAlpha = whole;
  }

  /** @param {State} s @param {Room} room */
  function drawMap(s, room) {
    const { map, ribbon } = room;
    const { light } = attention(s);
    const side = Math.max(1, Math.round(s.zoom));
    const z = mapScale(s);
    ink.save();
    if (s.ribbon > 0) {
      // the pages shrink into the ribbon below
      const [t, a] = [s.ribbon, 1 - s.ribbon];
      ink.globalAlpha = a;
      ink.translate(
        mix(0, ribbon.x - map.x * (ribbon.w / map.w), t),
        mix(0, ribbon.y - map.y * (ribbon.h / map.h), t),
      );
      ink.scale(mix(1, ribbon.w / map.w, t), mix(1, ribbon.h / map.h, t));
    }
    const frame = new Path2D();
    frame.roundRect(map.x, map.y, map.w, map.h, 6);
    ink.clip(frame);
    ink.fillStyle = ink.strokeStyle = blend(seen.wash, seen.soft, 0.5);
    ink.fillRect(map.x, map.y, map.w, map.h);
    const one = stampOf(room);
    const faint = ink.globalAlpha;
    const gap = clamp(map.w * z * 0.03, 1, 6) * Math.min(1, s.map * 3);
    // All pages of one size, so that their letters are as dark.
    const spacing = Math.round(gap);
    const [wide, high] = [map.w, map.h].map((length) => Math.floor(length * z) - spacing);
    for (let back = 0; back < side * side; back++) {
      const at = pageAt(room, s, back);
      if (at.x < map.x - at.w || at.y < map.y - at.h) continue;
      ink.globalAlpha = faint;
      ink.fillStyle = ground(0);
      // Edges between pixels, gaps of two widths, and letters too small to see would make a pattern.
      const [x, y] = [Math.round(at.x) + spacing, Math.round(at.y) + spacing];
      const [w, h] = [Math.round(at.x + at.w) - x, Math.round(at.y + at.h) - y];
      ink.fillRect(x, y, w, h);
      ink.globalAlpha = faint * clamp((map.w * z - 30) / 60, 0, 1);
      if (ink.globalAlpha > 0.01) ink.drawImage(one, x, y, wide, high);
    }
    ink.globalAlpha = faint;
    for (let back = 0; back < Math.min(6, side * side); back++) {
      const { x, y } = pageAt(room, s, back);
      lightPage(
        room,
        { x: Math.round(x) + spacing, y: Math.round(y) + spacing, w: wide, h: high },
        (i) => light(back * WORDS + WORDS - 1 - i),
        map.w * z > 130,
      );
    }
    ink.lineWidth = 2; // half of it is inside
    ink.stroke(frame);
    ink.restore();
  }

  /** The page of a query once more, large enough to compare. @param {State} s @param {Room} room */
  function drawLens(s, room) {
    const { plain } = attention(s);
    const { lens } = room;
    ink.globalAlpha = clamp(s.lens, 0, 1);
    ink.fillStyle = ground(0);
    panel(lens, 3);
    lightPage(room, lens, (i) => plain(WORDS - 1 - i), true);
    ink.globalAlpha = 1;
  }

  /** The measured text as one line, its end at the right. @param {State} s @param {Room} room */
  function drawRibbon(s, room) {
    const { ribbon } = room;
    const { plain } = attention(s);
    ink.globalAlpha = s.ribbon;
    const from = alongX(room, 2 ** s.text);
    const right = ribbon.x + ribbon.w;
    for (let x = from; x < right; x++) {
      ink.fillStyle = ground(plain((LONGEST * (right - x)) / ribbon.w));
      ink.fillRect(x, ribbon.y, Math.min(1.5, right - x), ribbon.h);
    }
    ink.globalAlpha = 1;
  }

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    clear(ink, room);
    ink.globalAlpha = 1;
    seen = Object.fromEntries(read().map((colour, i) => [names[i], colour]));
    if (s.map < 0.001) drawPage(s, room);
    else if (s.ribbon < 0.999) drawMap(s, room);
    if (s.lens > 0.02) drawLens(s, room);
    if (s.ribbon > 0.02) drawRibbon(s, room);
  };
}
