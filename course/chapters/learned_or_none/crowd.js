// The share of a key that leads all others by a fixed amount, in longer and longer texts.

import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, widthOf } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { FLOOR, LONG, SHORT, scaled, share } from "./facts.js";
import { curve, heights, rail, railOf, ruler } from "./plot.js";
import { alongX, upY } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

export const LEADS = { lowest: 2, highest: 14 };

/** A share as it is written. @param {number} part @param {Stage["number"]} number */
export function percent(part, number) {
  const p = 100 * part;
  return `${number(p, p >= 9.95 ? 0 : p >= 0.995 ? 1 : p >= 0.0995 ? 2 : 3)}%`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function crowd(s, room, stage) {
  if (s.crowd < 0.02) return "";
  const { say, number, handle, set } = stage;
  const { plot, isPhone } = room;
  const lead = Math.round(10 * s.lead) / 10;
  const to = (/** @type {number} */ one) =>
    set({ lead: clamp(Math.round(10 * one) / 10, LEADS.lowest, LEADS.highest) });
  const at = railOf(room);
  const { lowest, highest } = LEADS;
  const hold = handle({
    label: say("lead_label"),
    now: lead,
    min: lowest,
    max: highest,
    text: say("lead_at"),
    keys: (by) => to(lead + by / 10),
    move: ([x]) => to(lowest + ((x - at.x) / at.w) * (highest - lowest)),
  });
  const held = svg`<g ${hold}>
    <rect fill="transparent" x=${at.x - 16} y=${at.y - 16} width=${at.w + 32} height="32" />
    <g transform=${moved(at.x + (at.w * (s.lead - lowest)) / (highest - lowest), at.y)}>${grip()}</g></g>`;
  const isOut = s.to > 5.9;
  const right = plot.x + plot.w + (isPhone ? 8 : 14);
  const [first, second] = isPhone ? [plot.y - 44, plot.y - 27] : [plot.y - 54, plot.y - 33];
  const from = Math.log10(SHORT);
  /** The name of a line at the right, with a piece of it. @param {string} name @param {number} y @param {number} weight */
  const named = (name, y, weight) => {
    const [text, isFirst] = [say(name), name === "scaled"];
    return svg`<g data-marks=${name}><path stroke="var(--attention)" stroke-width=${isFirst ? 2.8 : 1.8} stroke-dasharray=${isFirst ? "none" : "5 4"} d=${`M${right - widthOf(text, isPhone ? 12.5 : 14, weight) - 34},${y - 5}h26`} />
      <text class=${`t14 attention end ${isFirst ? "bold" : ""}`} x=${right} y=${y}>${text}</text></g>`;
  };
  const [with_, without] = [scaled(s.lead, LONG), share(s.lead, LONG)];
  const low = upY(room, without) - 9;
  const grown = scaled(s.lead, 2 * FLOOR);
  /** A share at the long length, at its dot. @param {string} name @param {number} part @param {number} y */
  const told = (name, part, y) =>
    svg`<g data-marks=${name}><text class=${`t14 attention end halo ${name === "scaled" ? "bold" : ""}`} x=${plot.x + plot.w + 6} y=${y}>${percent(part, number)}</text></g>`;
  const dot = (
    /** @type {string} */ name,
    /** @type {number} */ words,
    /** @type {number} */ part,
    /** @type {string} */ fill,
  ) =>
    svg`<g data-marks=${name}><circle r="5.5" fill=${fill} cx=${alongX(room, words)} cy=${upY(room, part)} /></g>`;
  return svg`<g opacity=${s.crowd}>
    ${heights(room, [
      [0, `${number(0)}%`],
      [0.5, `${number(50)}%`],
      [1, `${number(100)}%`],
    ])}
    <text class="t12 soft" data-marks="ruler" x=${isPhone ? 4 : 30} y=${plot.y - 12}>${say("share_axis")}</text>
    ${isOut ? svg`<path stroke="var(--ink)" stroke-dasharray="1 4" data-marks="words" d=${`M${alongX(room, SHORT)},${upY(room, share(s.lead, SHORT))}H${plot.x + plot.w - (isPhone ? 30 : 44)}`} />` : ""}
    <g data-marks="plain">${curve(room, (n) => share(s.lead, n), { stroke: "var(--attention)", width: 1.8, dash: "5 4", to: s.to })}</g>
    <g data-marks="scaled">${curve(room, (n) => scaled(s.lead, n), { stroke: "var(--attention)", from, to: s.to, width: 2.8 })}</g>
    ${ruler(room, stage, "crowd")}
    ${dot("words", SHORT, share(s.lead, SHORT), "var(--ink)")}
    ${
      isOut
        ? svg`${grown < 0.1 ? "" : svg`<g data-marks="scaled"><text class="t14 attention halo" x=${alongX(room, 2 * FLOOR) + 8} y=${Math.max(plot.y + 16, upY(room, grown) - 10)}>${say("steps_at")}</text></g>`}
      ${dot("plain", LONG, without, "var(--attention)")}${dot("scaled", LONG, with_, "var(--attention)")}
      ${told("plain", without, low)}${told("scaled", with_, Math.min(upY(room, with_) - 10, low - 17))}`
        : ""
    }
    <g data-marks="words"><path stroke="var(--ink)" stroke-dasharray="1 4" d=${`M${alongX(room, SHORT)},${first + 7}V${upY(room, share(s.lead, SHORT))}`} />
      <text class=${`t14 bold ${isPhone ? "end" : "middle"}`} x=${alongX(room, SHORT) + (isPhone ? 14 : 0)} y=${first}>${say(isPhone ? "short_at_short" : "short_at")}</text>
      <text class="t14 bold end halo" x=${alongX(room, SHORT) - 9} y=${upY(room, share(s.lead, SHORT)) + 16}>${percent(share(s.lead, SHORT), number)}</text></g>
    ${named("scaled", first, 600)}${named("plain", second, 400)}
    ${rail(room, "lead", held, say("lead_at"))}
    ${isPhone ? "" : [lowest, highest].map((one, i) => svg`<text class="t12 soft middle" x=${at.x + at.w * i} y=${at.y + 24}>${number(one)}</text>`)}</g>`;
}
