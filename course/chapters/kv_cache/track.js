// The KV cache: a length on a logarithmic track, and a row of ways to choose from.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";

/** @import { Stage } from "../../page/types" */

/**
 * A length on a logarithmic track.
 * @param {Stage} stage @param {string} marks @param {number} presence
 * @param {{
 *   label: string, text: string, now: number, ends: [number, number], ticks: number[],
 *   set: (to: number, by: "hand" | "key") => void,
 * }} of `now`, `ends` and what is set in powers of ten.
 * @param {{ x: number, y: number, w: number }} room
 */
export function track({ handle, number }, marks, presence, of, { x, y, w }) {
  const { label, text, now, ticks, set } = of;
  const [low, high] = of.ends;
  const along = (/** @type {number} */ power) => x + (w * (power - low)) / (high - low);
  /** @param {number} power @param {"hand" | "key"} by */
  const to = (power, by) => set(clamp(power, low, high), by);
  const hold = handle({
    label,
    now: Math.round(10 ** now),
    min: Math.round(10 ** low),
    max: Math.round(10 ** high),
    text,
    keys: (by) => {
      const here = 10 ** now;
      to(Math.log10(Math.max(1, Math.round(here + Math.max(1, here * 0.03) * by))), "key");
    },
    start: ([px]) => px - along(now),
    move: ([px], off) => to(low + ((px - off - x) / w) * (high - low), "hand"),
  });
  const half = 4.2 * text.length;
  const tick = (/** @type {number} */ value) => {
    const at = along(Math.log10(value));
    return svg`<line stroke="var(--soft)" x1=${at} x2=${at} y1=${y + 4} y2=${y + 10} />
      <text class="t12 soft middle" x=${at} y=${y + 23}>${number(value)}</text>`;
  };
  return mark(
    marks,
    presence,
    svg`<line stroke="var(--soft)" stroke-width="2" stroke-linecap="round" x1=${x} x2=${x + w} y1=${y} y2=${y} />
      ${ticks.map(tick)}
      <text class="halo middle bold" x=${clamp(along(now), x - 12 + half, x + w + 18 - half)} y=${y - (w < 420 ? 13 : 22)}>${text}</text>
      <g ${hold} transform=${moved(along(now), y)}>${grip()}</g>`,
  );
}

/**
 * Ways side by side, one of them chosen.
 * @param {Stage} stage @param {string} marks @param {number} presence
 * @param {{ label: string, names: string[], now: number, set: (to: number) => void }} of
 * @param {{ x: number, y: number, w: number, isPhone: boolean }} room
 */
export function choice({ handle }, marks, presence, of, { x, y, w, isPhone }) {
  const { label, names, set } = of;
  const last = names.length - 1;
  const chosen = clamp(Math.round(of.now), 0, last);
  const hold = handle({
    label,
    now: chosen,
    min: 0,
    max: last,
    text: names[chosen],
    keys: (by) => set(clamp(chosen + Math.sign(by), 0, last)),
    move: ([px]) => set(clamp(Math.floor(((px - x) / w) * names.length), 0, last)),
  });
  const high = isPhone ? 26 : 34;
  const each = w / names.length;
  const chip = (/** @type {string} */ name, /** @type {number} */ i) => {
    const [fill, ink] = i === chosen ? ["ink", "paper"] : ["paper", "ink"];
    return svg`<rect rx="8" stroke="var(--ink)" stroke-width="1.5" fill=${`var(--${fill})`} x=${x + i * each + 2} y=${y} width=${each - 4} height=${high} />
      <text class="t14 middle" style=${`fill: var(--${ink})`} x=${x + (i + 0.5) * each} y=${y + high / 2 + 5}>${name}</text>`;
  };
  return mark(
    marks,
    presence,
    svg`<g ${hold}><rect class="ring" rx="11" x=${x - 2} y=${y - 4} width=${w + 4} height=${high + 8} />${names.map(chip)}</g>`,
  );
}
