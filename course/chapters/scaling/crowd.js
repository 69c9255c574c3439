// Every token of the text a key, every key a dot whose area is its share of the attention. The dots
// rise from the text into a round crowd; one key leads all others.

import { TARGET, TRAINED, share } from "./scalings.js";
import { letters } from "../../../static/lines.js";
import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, seen } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import { textX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const LETTER = 5.6; // pixels of one, on average
const INK = 0.44; // the part of the ground that all dots together cover
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const GRID = 4; // places within a pixel for which a dot is made
const LEAST = 0.6; // pixels: radius of a dot on the text
const SNAP = 2; // pixels within which a hand meets the ring
/** The least and the greatest lead that a hand can give the strong key. */
export const LEADS = [3, 8.5];

/** @param {State} s */
export const keys = (s) => Math.round(s.length);
/** Of the leading key: q and k times A, so the score times A squared. @param {State} s */
export const held = (s) => share(keys(s), s.lead * s.A ** 2);
/** What its ring shows: the share of a lead of 5, or of its own. @param {State} s */
export const ringed = (s) => share(TRAINED, s.ownRing > 0.5 ? s.lead : 5);
/** @param {State} s */
export const isFull = (s) => Math.abs(held(s) / ringed(s) - 1) < 0.02;

const cosines = new Float32Array(TARGET);
const sines = new Float32Array(TARGET);
for (let i = 0; i < TARGET; i++) {
  cosines[i] = Math.cos(i * GOLDEN);
  sines[i] = Math.sin(i * GOLDEN);
}

/**
 * A dot of exactly its area, for each of some places within a pixel.
 * @param {number} r Pixels of the screen.
 */
function stencils(r) {
  const half = Math.ceil(r + 1);
  const size = 2 * half + 1;
  const all = Array.from({ length: GRID * GRID }, (_, at) => {
    const [dx, dy] = [at % GRID, Math.floor(at / GRID)].map((k) => (k + 0.5) / GRID - 0.5);
    const dot = Float32Array.from({ length: size * size }, (_, i) => {
      const [x, y] = [(i % size) - half, Math.floor(i / size) - half];
      return clamp(r + 0.5 - Math.hypot(x - dx, y - dy), 0, 1);
    });
    const sum = dot.reduce((total, value) => total + value, 0);
    const full = 255 * Math.min(1, (Math.PI * r * r) / sum);
    return Uint8Array.from(dot, (value) => value * full);
  });
  return { half, size, all };
}

/** Pixels of many small dots. @param {Stage} stage */
function painter({ canvas, dense: density }) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas("dots").getContext("2d"));
  /** @type {ImageData | null} */
  let image = null;
  let covered = new Uint16Array(0);

  /**
   * @param {{ width: number, height: number }} room
   * @param {number} count
   * @param {number} r Of a dot, in pixels of the picture.
   * @param {(i: number, at: { x: number, y: number }) => void} place
   * @param {number[]} colour Red, green, blue.
   */
  return ({ width, height }, count, r, place, [red, green, blue]) => {
    const dense = density();
    const [w, h] = [Math.round(width * dense), Math.round(height * dense)];
    if (!image || image.width !== w || image.height !== h) {
      [context.canvas.width, context.canvas.height] = [w, h];
      image = context.createImageData(w, h);
      covered = new Uint16Array(w * h);
    } else covered.fill(0);
    const { half, size, all } = stencils(r * dense);
    const at = { x: 0, y: 0 };
    for (let i = 0; i < count; i++) {
      place(i, at);
      const [x, y] = [at.x * dense, at.y * dense];
      const [px, py] = [Math.floor(x), Math.floor(y)];
      if (px < half || py < half || px >= w - half || py >= h - half) continue;
      const dot = all[Math.floor((y - py) * GRID) * GRID + Math.floor((x - px) * GRID)];
      for (let j = 0, to = (py - half) * w + px - half; j < size; j++, to += w)
        for (let k = 0; k < size; k++) covered[to + k] += dot[j * size + k];
    }
    const pixels = new Uint32Array(image.data.buffer);
    const plain = (blue << 16) | (green << 8) | red;
    for (let i = 0; i < pixels.length; i++) pixels[i] = (Math.min(255, covered[i]) << 24) | plain;
    context.putImageData(image, 0, 0);
  };
}

/** @param {State} s @param {Room} room @param {number} share */
const radius = (s, { crowd }, share) => crowd.r * Math.sqrt(INK * share);

/** The text's tokens, on their way from it to a spiral. @param {Stage} stage */
export function makeDots(stage) {
  /** @type {ReturnType<typeof painter> | null} */
  let paint = null;
  let painted = "";
  const colours = stage.colours(["light-dark(#a08cbc, #a594c8)"]);

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    if (s.crowd <= 0.01 && !painted) return;
    const { x: cx, y: cy, r: R } = room.crowd;
    const [colour] = colours();
    const t = s.crowd;
    const others = keys(s) - 1;
    const now = [
      room.width,
      room.height,
      others,
      held(s),
      cx,
      cy,
      R,
      t,
      room.ruler.y,
      colour,
    ].join();
    if (now === painted) return;
    painted = now;
    paint ??= painter(stage);
    const inner = (R * (Math.sqrt(INK * held(s)) + 0.018)) ** 2;
    const step = (R * R - inner) / others;
    const spread = textX(room, s.length) - room.ruler.x;
    const size = mix(LEAST, R * Math.sqrt((INK * (1 - held(s))) / others), t);
    paint(
      room,
      t < 0.02 ? 0 : others,
      size,
      (i, at) => {
        // The first tokens leave last, so that the text empties from its end.
        const part = clamp(t * 1.6 - 0.6 * (1 - i / others), 0, 1);
        const far = Math.sqrt(inner + (i + 0.5) * step);
        at.x = mix(room.ruler.x + ((i + 0.5) / others) * spread, cx + far * cosines[i], part);
        at.y = mix(room.ruler.y, cy + far * sines[i], part);
      },
      colour,
    );
  };
}

/** @param {State} s @param {Room} room @param {Stage} stage @param {boolean} canLead */
export function crowd(s, room, stage, canLead) {
  const late = clamp(2 * s.crowd - 1, 0, 1);
  if (late < 0.02) return "";
  const { say, number, set, step, handle } = stage;
  const { isPhone, side } = room;
  const { x: cx, y: cy, r: R } = room.crowd;
  const r = radius(s, room, held(s));
  const full = radius(s, room, ringed(s));
  function lead(/** @type {number} */ to) {
    const near = Math.abs(to - Math.round(to)) < 0.08 ? Math.round(to) : to;
    set({ lead: clamp(near, LEADS[0], LEADS[1]) });
  }
  function leadAt(/** @type {number} */ r) {
    const part = clamp((Math.max(r, 0.01) / R) ** 2 / INK, 1e-9, 0.99);
    return Math.log((part / (1 - part)) * (keys(s) - 1)) / s.A ** 2;
  }
  const edge = handle({
    label: say("lead_label"),
    now: s.lead,
    min: LEADS[0],
    max: LEADS[1],
    text: say("lead", { lead: number(s.lead, 1) }),
    isOff: !canLead,
    keys: (by) => lead(Math.round((s.lead + by * 0.1) * 10) / 10),
    start: ([x, y]) => Math.hypot(x - cx, y - cy) - r,
    move: ([x, y], off) => {
      const to = Math.hypot(x - cx, y - cy) - off;
      lead(leadAt(step() === "crowd" && Math.abs(to - full) < SNAP ? full : to));
    },
  });
  const told = (/** @type {string} */ name, /** @type {number} */ i) => {
    const ahead = number(Math.exp(s.lead * s.A ** 2));
    const before = say("percent", { percent: percent(ringed(s), number) });
    const y = side.y + (isPhone ? 20 : 28) + i * (isPhone ? 17 : 22);
    return svg`<text class="t14" x=${side.x} y=${y}>${say(isPhone ? `${name}_short` : name, { ahead, before })}</text>`;
  };
  // A small key and its ring once more, in the corner that the crowd leaves.
  const inset = { r: 0.17 * R, x: cx - 0.83 * R, y: cy + 0.83 * R };
  const zoom = Math.floor((0.8 * inset.r) / Math.max(full, r));
  const isSmall = s.rule > 0.5 && !isPhone && zoom > 1 && s.length > TRAINED + 40;
  const k = (r + 22) * Math.SQRT1_2;
  const edgeX = cx - k;
  const leads = say(s.rule > 0.5 ? "lead_A" : "lead");
  const isOver = s.factor < 0.5 && held(s) > 1.03 * ringed(s);
  const text = isOver ? say("over", { one: leads }) : leads;
  const wide = LETTER * letters(text);
  const isBelow = isPhone || edgeX - 18 < wide; // no room at its left
  return svg`
    ${mark("dots", 1, svg`<circle class="line" opacity=${late} cx=${cx} cy=${cy} r=${R + 4} />`)}
    ${mark("gold", late, svg`<circle fill="var(--attention)" cx=${cx} cy=${cy} r=${r} />`)}
    ${mark(
      "ring",
      late,
      svg`<circle fill="none" stroke="var(--paper)" stroke-width="6" opacity=${full > r + 3 ? 0.8 : 0} cx=${cx} cy=${cy} r=${full} />
        <circle fill="none" stroke=${`var(--${full < r - 2 ? "paper" : "ink"})`} stroke-width=${isFull(s) ? 4 : 2} stroke-dasharray="3 5" stroke-linecap="round" cx=${cx} cy=${cy} r=${full} />`,
    )}
    ${mark(
      "gold ring",
      isSmall ? late : 0,
      svg`<circle class="line" fill="var(--paper)" cx=${inset.x} cy=${inset.y} r=${inset.r} />
        <circle fill="var(--attention)" cx=${inset.x} cy=${inset.y} r=${zoom * r} />
        <circle fill="none" stroke=${`var(--${full < r ? "paper" : "ink"})`} stroke-width="2" stroke-dasharray="3 5" stroke-linecap="round" cx=${inset.x} cy=${inset.y} r=${zoom * full} />
        <text class="t14 soft" x=${cx - R} y=${cy + R + 18}>${say("enlarged", { zoom: number(zoom) })}</text>`,
    )}
    ${mark(
      "share gold",
      late,
      svg`<text class="big attention" x=${side.x} y=${side.y}>${say("percent", { percent: percent(held(s), number) })}</text>
        ${["of_attention", "times_others", "at_trained"].map(told)}`,
    )}
    ${seen(
      Number(canLead),
      mark(
        "gold",
        late,
        svg`<g ${edge} transform=${moved(edgeX, cy + k)}><path stroke="var(--attention)" stroke-width="2" d="M0,0L16,-16" />${grip({ r: 10, fill: "var(--paper)", stroke: "var(--attention)", width: 4 })}
          <text class=${`t14 halo ${isBelow ? "middle" : "end"}`} x=${isBelow ? Math.max(0, wide / 2 + 4 - edgeX) : -18} y=${isBelow ? 30 : 5}>${text}</text></g>`,
      ),
    )}`;
}

/** A share with two digits that say something. @param {number} part @param {(value: number, digits?: number) => string} number */
export function percent(part, number) {
  const all = 100 * part;
  return number(all, all >= 9.95 ? 0 : all >= 0.995 ? 1 : all >= 0.0095 ? 2 : 4);
}
