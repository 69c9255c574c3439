// How attention is told the places: a switch with four stops, and the causal mask.

import { WAYS } from "./attention.js";
import { svg } from "../../page/lit/lit.js";
import { at as place, grip } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

const LAST = WAYS.length - 1;

/** @param {Room} at */
const rail = ({ width, height, isPhone }) => ({
  from: isPhone ? 40 : 110,
  to: isPhone ? width * 0.68 : width * 0.66,
  y: height - (isPhone ? 34 : 56),
  mask: isPhone ? width - 42 : width * 0.85,
  label: height - (isPhone ? 7 : 20),
});

/** @param {State} s @param {Room} at @param {Stage} stage */
export function ways(s, at, stage) {
  if (s.switch < 0.02) return "";
  const { say, seen, set, move, handle } = stage;
  const { from, to, y, label } = rail(at);
  const settle = (way = Math.round(s.way)) => {
    seen.add(WAYS[way]);
    move({ way }, 200);
  };
  const way = Math.round(s.way);
  const hold = handle({
    label: say("way_label"),
    now: way,
    min: 0,
    max: LAST,
    text: say(`way_${WAYS[way]}`),
    keys: (by) => settle(clamp(Math.round(s.way) + Math.sign(by), 0, LAST)),
    move: ([x]) => set({ way: clamp(((x - from) / (to - from)) * LAST, 0, LAST) }),
    end: () => settle(),
  });
  const stop = (/** @type {string} */ name, /** @type {number} */ i) => {
    const x = mix(from, to, i / LAST);
    return svg`<circle fill="var(--line)" r="6" cx=${x} cy=${y} />
      <text class=${`t14 middle ${i === way ? "heavy" : ""}`} x=${x} y=${label}>${say(`way_${name}`)}</text>`;
  };
  return svg`
    <g data-marks="ways" opacity=${s.switch}>
      <path class="line" stroke-width="6" stroke-linecap="round" d=${`M${from},${y}H${to}`} />
      ${WAYS.map(stop)}
      <g ${hold}>
        <path stroke="transparent" stroke-width="40" stroke-linecap="round" d=${`M${from},${y}H${to}`} />
        <g transform=${place(mix(from, to, s.way / LAST), y)}>${grip()}</g></g></g>
    ${stage.step() === "tell" ? "" : svg`<g data-marks="mask" opacity=${s.switch}>${mask(s, at, stage)}</g>`}`;
}

/** @param {State} s @param {Room} at @param {Stage} stage */
function mask(s, at, { say, move, handle }) {
  const { y, mask: x, label } = rail(at);
  const isOn = s.mask > 0.5;
  const name = say(isOn ? "mask_on" : "mask_off");
  const hold = handle({
    label: say("mask_label"),
    now: Math.round(s.mask),
    min: 0,
    max: 1,
    text: name,
    keys: (by) => move({ mask: by > 0 ? 1 : 0 }, 300),
    start: () => (s.mask > 0.5 ? 0 : 1),
    move: (_, wanted) => void (s.mask !== wanted && move({ mask: wanted }, 300)),
  });
  const knob = x + mix(-12, 12, s.mask);
  return svg`<g ${hold}>
      <rect rx="13" height="26" width="50" fill=${`var(--${isOn ? "ink" : "soft"})`} x=${x - 25} y=${y - 13} />
      <circle r="9" fill="var(--paper)" cx=${knob} cy=${y} /><circle class="ring" r="5" cx=${knob} cy=${y} /></g>
    <text class="t14 middle" x=${x} y=${label}>${name}</text>`;
}
