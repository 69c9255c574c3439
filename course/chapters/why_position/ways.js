// How attention is told the places: a switch with four stops, and the causal mask.

import { WAYS } from "./attention.js";
import { clamp, mix } from "../../page/shapes.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const LAST = WAYS.length - 1;

/** @param {Room} at */
const rail = ({ width, height, isPhone }) => ({
  from: isPhone ? 40 : 110,
  to: isPhone ? width * 0.68 : width * 0.66,
  y: height - (isPhone ? 34 : 56),
  mask: isPhone ? width - 42 : width * 0.85,
  label: height - (isPhone ? 7 : 20),
});

/** @param {Stage} stage @param {() => Room} room */
export function buildWays(stage, room) {
  const {
    make,
    put,
    show,
    group,
    slider,
    ring,
    grip,
    value,
    say,
    state,
    seen,
    set,
    move,
    isGuessing,
  } = stage;
  const all = group("ways");
  const line = make(
    "path",
    { stroke: "var(--line)", "stroke-width": 6, "stroke-linecap": "round" },
    all,
  );
  const stops = WAYS.map(() => make("circle", { fill: "var(--line)" }, all));
  const names = WAYS.map((way) =>
    make("text", { class: "t14", "text-anchor": "middle" }, all, say(`way_${way}`)),
  );
  const to = (/** @type {number} */ way) => set({ way: clamp(way, 0, LAST) });
  function settle(way = Math.round(state.way)) {
    seen.add(WAYS[way]);
    move({ way }, 200);
  }
  const knob = slider(all, {
    label: say("way_label"),
    keys: (by) => settle(clamp(Math.round(state.way) + Math.sign(by), 0, LAST)),
    move: ([x]) => to(((x - rail(room()).from) / (rail(room()).to - rail(room()).from)) * LAST),
    end: () => settle(),
  });
  const reach = make(
    "path",
    { stroke: "transparent", "stroke-width": 40, "stroke-linecap": "round" },
    knob,
  );
  const disc = make("g", {}, knob);
  grip(disc);

  const side = group("mask");
  const toggle = slider(side, {
    label: say("mask_label"),
    keys: (by) => move({ mask: by > 0 ? 1 : 0 }, 300),
    start: () => (state.mask > 0.5 ? 0 : 1),
    move: (_, wanted) => void (state.mask !== wanted && move({ mask: wanted }, 300)),
  });
  const track = make("rect", { rx: 13, height: 26, width: 50 }, toggle);
  const button = ring(make("circle", { r: 9, fill: "var(--paper)" }, toggle));
  const name = make("text", { class: "t14", "text-anchor": "middle" }, side);

  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    show(all, s.switch);
    show(side, s.switch);
    if (s.switch < 0.02) return;
    const { from, to: end, y, mask, label } = rail(at);
    put(line, { d: `M${from},${y}H${end}` });
    put(reach, { d: `M${from},${y}H${end}` });
    WAYS.forEach((_, way) => {
      const x = mix(from, end, way / LAST);
      put(stops[way], { cx: x, cy: y, r: 6 });
      put(names[way], {
        x,
        y: label,
        style: Math.round(s.way) === way ? "font-weight: 700" : undefined,
      });
    });
    const x = mix(from, end, s.way / LAST);
    put(disc, { transform: `translate(${x.toFixed(1)} ${y})` });
    value(knob, Math.round(s.way), 0, LAST, say(`way_${WAYS[Math.round(s.way)]}`));
    put(track, { x: mask - 25, y: y - 13, fill: s.mask > 0.5 ? "var(--ink)" : "var(--soft)" });
    put(button, { cx: mask + mix(-12, 12, s.mask), cy: y });
    put(name, { x: mask, y: label, text: say(s.mask > 0.5 ? "mask_on" : "mask_off") });
    value(toggle, Math.round(s.mask), 0, 1, say(s.mask > 0.5 ? "mask_on" : "mask_off"));
    for (const node of [knob, toggle])
      put(node, {
        tabindex: isGuessing() ? -1 : 0,
        style: isGuessing() ? "pointer-events: none" : undefined,
      });
  };
}
