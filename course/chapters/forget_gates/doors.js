// A gate at the left of each word, and the product of those on the way from one word.

import { nothing, svg } from "../../page/lit/lit.js";
import { mark, seen } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { LAST, alike, lights, replaced } from "./gates.js";
import { percent, sentence, spokenOf } from "./lights.js";
import { gateX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const LEAST = 0.01;
const BARS = [0.14, 0.38, 0.62, 0.86]; // of a gate, across

/** @param {State} s @param {Room} room @param {Stage} stage */
export function doors(s, room, stage) {
  if (s.doors < 0.02) return "";
  const { say, number, set, handle, isGuessing } = stage;
  const { isPhone, doors: at, pad } = room;
  const words = sentence(stage);
  const isOne = s.each < 0.5; // all move together
  const open = (/** @type {number} */ j, /** @type {number} */ to) => {
    const gate = Math.round(100 * clamp(to, LEAST, 1)) / 100;
    set({ gates: isOne ? alike(gate) : replaced(s.gates, j, gate) });
  };
  const name = at.y + at.h + (isPhone ? 31 : 38); // whose gate it is
  const of = Math.round(s.of); // on its way from one word to another
  const light = lights(s.gates);
  const door = (/** @type {string} */ word, /** @type {number} */ j) => {
    if (!j) return "";
    const gate = s.gates[j];
    const x = gateX(room, j) - at.w / 2;
    const sill = at.y + at.h * (1 - gate);
    const slider = handle({
      label: isOne ? say("gates_label") : say("gate_label", { word: spokenOf(stage, j) }),
      now: gate,
      min: LEAST,
      max: 1,
      text: say("gate_at", { gate: number(gate, 2), ann: percent(light[0], number) }),
      isMute: isOne && j < LAST,
      keys: (by) => open(j, s.gates[j] + 0.01 * by),
      start: ([, from]) => ({ from, was: s.gates[j] }),
      move: ([, to], { from, was }) => open(j, was + (from - to) / at.h),
    });
    return svg`<g data-marks=${j === LAST ? "gates own" : "gates"}><g ${slider}>
      <rect fill="var(--attention)" opacity=${j > of ? 0.5 : 0.12} x=${x} y=${sill} width=${at.w} height=${at.h * gate} />
      <path stroke="var(--soft)" stroke-width=${at.w * 0.11} d=${BARS.map((b) => `M${x + at.w * b},${at.y}V${sill}`).join("")} />
      <path fill="none" stroke="var(--soft)" stroke-width="2" d=${`M${x},${at.y + at.h}V${at.y}h${at.w}v${at.h}`} />
      <path stroke="var(--content)" stroke-width="5" stroke-linecap="round" d=${`M${x + 3},${sill}h${at.w - 6}`} />
      <circle fill="var(--ink)" stroke="var(--paper)" stroke-width="2" r=${isPhone ? 5 : 8} cx=${gateX(room, j)} cy=${sill} />
      <text class="t12 content middle" x=${gateX(room, j)} y=${at.y + at.h + (isPhone ? 14 : 20)}>${number(gate, 2)}</text>
      ${seen(s.each, svg`<text class="t12 content middle" style=${[".", ","].includes(word) ? "font-size: 14px; font-weight: 700" : nothing} opacity=${s.each} x=${gateX(room, j)} y=${name}>${word}</text>`)}
      <rect fill="transparent" x=${gateX(room, j) - room.column / 2} y=${at.y - 4} width=${room.column} height=${at.h + 28} />
      <rect class="ring" rx="5" x=${x - 4} y=${at.y - 4} width=${at.w + 8} height=${at.h + 8} /></g></g>`;
  };
  const factors = s.gates.slice(of + 1).map((/** @type {number} */ one) => number(one, 2));
  const product = say("product", {
    word: words[of],
    factors: isPhone
      ? factors.map((/** @type {string} */ one) => one.replace(/^0/, "")).join("·")
      : factors.join(" × "),
    light: isGuessing() && isOne ? "?" : percent(light[of], number),
  }).replace("= <", "<");
  return svg`<g opacity=${s.doors.toFixed(2)}>
    <path class="line" stroke-width="1.5" d=${`M${pad},${at.y + at.h}H${room.width - pad}`} />
    ${
      isPhone
        ? ""
        : svg`<text class="t12 content" x=${pad} y=${at.y + 16} data-marks="gates">${say("gates")}</text>
      <g data-marks="light"><rect fill="var(--attention)" x=${pad + 2} y="8" width="7" height="14" /><text class="t12" x=${pad + 17} y="19">${say("light_is")}</text></g>`
    }
    ${seen(s.each, svg`<text class="t12 content" opacity=${s.each} x=${pad} y=${name} data-marks="gates">${say(isPhone ? "gate_of_short" : "gate_of")}</text>`)}
    ${words.map(door)}
    ${mark("product", s.doors, svg`<text class=${isPhone ? "t14 middle" : "middle"} x=${room.width / 2} y=${room.product}>${product}</text>`)}</g>`;
}
