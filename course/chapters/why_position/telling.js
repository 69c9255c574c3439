// What each way does with the places: a row of numbers for each word, a loss for each step, a turn.

import { WAYS } from "./attention.js";
import { penalty, slope } from "../../page/formulas/penalties.js";
import { invFreq } from "../../page/formulas/rotation.js";
import { arrow, clamp, mix, pie } from "../../page/shapes.js";
import { row } from "../../page/formulas/sinusoids.js";
import { TYPED, WIDTH } from "./model.js";
import { half } from "./outputs.js";
import { placeX } from "./room.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const SPEEDS = invFreq(WIDTH / 2, 10000);
const M = slope(1);
const LIGHT = "var(--soft)";

/** How far the switch is on a way. @param {State} s @param {(typeof WAYS)[number]} way */
export const isOn = (s, way) => s.switch * clamp(1 - Math.abs(s.way - WAYS.indexOf(way)), 0, 1);

/** @param {Stage} stage */
export function buildTelling({ make, put, show, group, say, number }) {
  const all = group("ways");
  const [adding, losing, turning] = WAYS.slice(1).map(() => make("g", {}, all));
  const sums = TYPED.map(() => ({
    plus: make("text", { class: "t14 soft", "text-anchor": "end" }, adding, "+"),
    bars: Array.from({ length: WIDTH }, () => make("rect", { fill: LIGHT }, adding)),
  }));
  const drops = TYPED.map(() => ({
    bar: make("rect", { fill: "var(--line)" }, losing),
    text: make("text", { class: "t14 halo", "text-anchor": "middle" }, losing),
  }));
  const slant = make("path", { stroke: "var(--ink)", "stroke-width": 2, fill: "none" }, losing);
  const dials = TYPED.map(() => ({
    rim: make("circle", { fill: "none", stroke: "var(--line)", "stroke-width": 1.5 }, turning),
    wedge: make("path", { fill: "var(--line)" }, turning),
    hand: make("path", { fill: "var(--ink)", stroke: "var(--ink)", "stroke-width": 2 }, turning),
  }));
  const captions = WAYS.slice(1).map((way) =>
    make("text", { class: "t14 soft", "text-anchor": "middle" }, all, say(`does_${way}`)),
  );

  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    show(all, s.switch);
    if (s.switch < 0.02) return;
    const { top, high, caption } = at.telling;
    const middle = top + high / 2;
    [adding, losing, turning].forEach((node, i) => show(node, isOn(s, WAYS[i + 1])));
    captions.forEach((text, i) => {
      put(text, { x: at.width / 2, y: caption });
      show(text, isOn(s, WAYS[i + 1]));
    });
    const query = s.places[s.picked.word];
    TYPED.forEach((word) => {
      const place = s.places[word];
      const x = placeX(at, place);
      const [wide, w] = [half(at), (2 * half(at)) / WIDTH];
      const added = row(SPEEDS, place);
      put(sums[word].plus, { x: x - wide - 2, y: middle + 5 });
      sums[word].bars.forEach((bar, channel) => {
        const tall = (added[channel] * high) / 2;
        put(bar, {
          x: x - wide + w * (channel + 0.14),
          y: Math.min(middle, middle - tall),
          width: w * 0.72,
          height: Math.max(1, Math.abs(tall)),
        });
      });
      const lost = penalty(M, Math.abs(place - query));
      const deep = (lost / penalty(M, TYPED.length - 1)) * (high - 14);
      const seen = 1 - s.mask * clamp(place - query, 0, 1);
      put(drops[word].bar, { x: x - wide, y: top, width: 2 * wide, height: deep });
      put(drops[word].text, {
        x,
        y: top + deep + (at.isPhone ? 13 : 17),
        text: number(-lost, lost % 1 ? 1 : 0),
      });
      for (const node of Object.values(drops[word])) show(node, seen);
      const dial = { x, y: middle, r: high / 2 };
      put(dials[word].rim, { cx: x, cy: middle, r: dial.r });
      put(dials[word].wedge, { d: place > 0.01 ? pie(dial, dial.r * 0.55, 0, place) : "" });
      put(dials[word].hand, { d: arrow(dial, place, at.isPhone ? 7 : 11) });
    });
    put(slant, {
      d: `M${[0, query, mix(TYPED.length - 1, query, s.mask)]
        .map((place) => {
          const deep = penalty(M, Math.abs(place - query)) / penalty(M, TYPED.length - 1);
          return `${placeX(at, place)},${top + deep * (high - 14)}`;
        })
        .join("L")}`,
    });
  };
}
