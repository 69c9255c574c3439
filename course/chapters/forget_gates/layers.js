// Layers of two models, from below: memories, and attention that sees every word.

import { svg } from "../../page/lit/lit.js";
import { mark, seen } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import data from "./data.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const ACROSS = 4; // layers in a row
const [QWEN] = data.models;

/** The layer of Qwen3-Next that is looked at. @param {State} s */
export const layerOf = (s) => clamp(Math.round(s.layer), 1, QWEN.layers);

/** @param {State} s @param {Room} room @param {Stage} stage */
export function scene(s, room, { say, set, number, handle, isGuessing }) {
  if (s.layers < 0.02) return "";
  const {
    towers: { y: foot, size, gap, legend },
    width,
    isPhone,
  } = room;
  const each = size + gap;
  const middle = (/** @type {number} */ m) => width * (m ? 0.7 : 0.3);
  const known = isGuessing() ? 0 : s.known;
  const glyph = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ kind,
    large = size,
  ) => {
    const half = large / 2;
    const [cx, cy, q] = [x + half, y + half, large * 0.28];
    if (kind === "memory")
      return svg`<rect rx="2" fill="var(--attention)" opacity="0.3" x=${x} y=${y} width=${large} height=${large} />
        <path stroke="var(--ink)" stroke-width=${Math.max(1, large * 0.07)} fill="none" d=${`M${cx - q * 0.8},${cy + q * 0.8}L${cx + q * 0.8},${cy - q * 0.8}m${-q},0h${q}v${q}`} />`;
    const dial = svg`<circle fill="none" stroke="var(--q)" stroke-width=${Math.max(1.2, large * 0.08)} cx=${cx} cy=${cy} r=${q} />
      <path stroke="var(--q)" stroke-width=${Math.max(1.2, large * 0.08)} d=${`M${cx},${cy}l${q * 0.7},${-q * 0.7}`} />`;
    const inside = { x: x + 0.75, y: y + 0.75, width: large - 1.5, height: large - 1.5 };
    return svg`<rect rx="2" fill="var(--paper)" stroke="var(--ink)" stroke-width="1.5" x=${inside.x} y=${inside.y} width=${inside.width} height=${inside.height} />
      ${kind === "turned" ? seen(known, svg`<g opacity=${known}><rect rx="2" fill="var(--q)" opacity="0.22" x=${inside.x} y=${inside.y} width=${inside.width} height=${inside.height} />${dial}</g>`) : ""}`;
  };
  const tower = (
    /** @type {typeof data.models[0]} */ { name, layers, full, turned },
    /** @type {number} */ m,
  ) => {
    const left = middle(m) - (ACROSS * each - gap) / 2;
    const cells = Array.from({ length: layers }, (_, n) => {
      const [x, y] = [left + (n % ACROSS) * each, foot - size - Math.floor(n / ACROSS) * each];
      const kind = !full.includes(n + 1) ? "memory" : turned ? "turned" : "full";
      return svg`<g data-marks=${kind === "memory" ? "memory" : "full"}>${glyph(x, y, kind)}</g>`;
    });
    const top = foot - Math.ceil(layers / ACROSS) * each;
    const counts = { memories: number(layers - full.length), full: number(full.length) };
    const isPicked = m === 0 && known > 0.98; // it is named there
    const rows = isPhone ? 1 : Math.ceil(layers / ACROSS);
    /** The number of the first layer of a row. @param {unknown} _ @param {number} row */
    const first = (_, row) =>
      isPicked && row === Math.floor((layerOf(s) - 1) / ACROSS)
        ? ""
        : svg`<text class="t12 soft end" x=${left - 10} y=${foot - row * each - size / 2 + 4}>${row ? number(row * ACROSS + 1) : say("layer", { layer: number(1) })}</text>`;
    return svg`<g data-marks="towers">${Array.from({ length: rows }, first)}<text class="bold middle" x=${middle(m)} y=${top - (isPhone ? 20 : 32)}>${name}</text>
      <text class="t12 soft middle" x=${middle(m)} y=${top - (isPhone ? 5 : 11)}>${say(isPhone ? "counts_short" : "counts", counts)}</text></g>${cells}`;
  };
  const rows = [
    ["memory", "memory"],
    ["full", known > 0.5 ? "full_unturned" : "full"],
    ["turned", "full_turned"],
  ].slice(0, known > 0.5 ? 3 : 2);
  const small = isPhone ? 13 : 19;
  const row = ([kind, label] = rows[0], /** @type {number} */ n) => {
    const [x, y] = [isPhone ? 14 : width * 0.32, legend + n * (isPhone ? 17 : 25)];
    return svg`<g data-marks=${kind === "memory" ? "memory" : "full"}>${glyph(x, y - small * 0.78, kind, small)}
      <text class="t14" x=${x + small + 9} y=${y + 2}>${say(label)}</text></g>`;
  };
  const left = middle(0) - (ACROSS * each - gap) / 2;
  const now = layerOf(s);
  const kindOf = (/** @type {number} */ layer) =>
    say(QWEN.full.includes(layer) ? "full_turned" : "memory");
  const choose = (/** @type {number} */ layer) => set({ layer: clamp(layer, 1, QWEN.layers) });
  const slider = handle({
    label: say("pick_label"),
    now,
    min: 1,
    max: QWEN.layers,
    text: say("pick_at", { layer: number(now), kind: kindOf(now) }),
    keys: (by, isUp) => choose(now + (isUp ? ACROSS : 1) * by),
    move: ([px, py]) => {
      const across = clamp(Math.floor((px - left) / each), 0, ACROSS - 1);
      const up = clamp(Math.floor((foot - py) / each), 0, QWEN.layers / ACROSS - 1);
      choose(up * ACROSS + across + 1);
    },
  });
  const [x, y] = [
    left + ((now - 1) % ACROSS) * each,
    foot - Math.floor((now - 1) / ACROSS) * each - size,
  ];
  const high = (QWEN.layers / ACROSS) * each;
  const pick = svg`<g data-marks="pick"><g ${slider}>
      <rect fill="transparent" x=${left} y=${foot - high} width=${ACROSS * each} height=${high} />
      <rect fill="none" stroke="var(--ink)" stroke-width="3.5" rx="3" x=${x - 1} y=${y - 1} width=${size + 2} height=${size + 2} />
      <rect class="ring" rx="5" x=${x - 2} y=${y - 2} width=${size + 4} height=${size + 4} /></g>
    <text class="t14 end" x=${left - 14} y=${y + size / 2 + 5}>${say("layer", { layer: number(now) })}</text></g>`;
  return mark(
    "towers memory full",
    s.layers,
    svg`${data.models.map(tower)}${rows.map(row)}${seen(known > 0.98 ? 1 : 0, pick)}`,
  );
}
