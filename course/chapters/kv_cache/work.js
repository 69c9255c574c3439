// The KV cache: bricks of work, with the shelf and without.

import { runsAgain } from "./cached.js";
import { clamp, mix } from "../../page/shapes.js";
import { COUNT } from "./room.js";
import { buildTrack } from "./track.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */

const [LEAST, MOST] = [Math.log10(COUNT), 3];

/** Words of the text whose work is drawn. @param {State} s */
export const written = (s) => Math.round(10 ** s.amount);

/** Of 100 bricks, those that are needed with the shelf. @param {State} s */
export const stays = (s) => (100 * written(s)) / runsAgain(written(s));

/** How much of single bricks is there, and of the shelf above them. @param {State} s */
export const detailOf = (s) => clamp(2 - 10 ** s.amount / 24, 0, 1);

/** @param {Stage} stage @param {() => Room} room */
export function buildWork(stage, room) {
  const { make, put, show, group, say, number, state, set, isGuessing } = stage;
  const again = group("again");
  const hill = make("path", { fill: "var(--line)" }, again);
  const pale = make("path", { fill: "var(--line)" }, again);
  const once = group("once");
  const foot = make("rect", { fill: "var(--ink)" }, once);
  const dark = make("path", { fill: "var(--ink)" }, once);
  // Of 100 bricks those that the shelf does not save.
  const hundred = group("hundred");
  const whole = Array.from({ length: 100 }, () => make("rect", { rx: 1 }, hundred));
  const part = make("rect", { rx: 1, fill: "var(--ink)" }, hundred); // of one
  const wholeName = make("text", { class: "t14" }, hundred);
  const counters = [again, once].map((parent, i) => ({
    name: make("text", { class: "t14 soft" }, parent, say(i ? "with" : "without")),
    bricks: make("text", { style: "font-weight: 600" }, parent),
  }));
  const track = buildTrack(stage, {
    marks: "words length",
    label: say("words_label"),
    ends: [LEAST, MOST],
    ticks: [
      [COUNT, number(COUNT)],
      [100, number(100)],
      [1000, number(1000)],
    ],
    at: () => trackOf(room()),
    set: (amount) => !isGuessing() && set({ amount: Math.log10(Math.round(10 ** amount)) }),
    now: () => state.amount,
    step: 1,
  });
  return (/** @type {State} */ s, /** @type {Room} */ at) => {
    const { isPhone } = at;
    const presence = s.work;
    const [left, right] = [at.left, at.left + COUNT * at.slot];
    const floor = trackOf(at).y - (isPhone ? 26 : 44);
    const detail = detailOf(s);
    const top = mix(at.words - 10, at.below + (isPhone ? 2 : 8), detail);
    const high = floor - top;
    const n = 10 ** s.amount;
    const [wide, tall] = [(right - left) / n, high / n];
    const brick = (/** @type {number} */ j, /** @type {number} */ row) =>
      `M${(left + j * wide + 1).toFixed(1)},${(floor - row * tall - 1).toFixed(1)}h${(wide - 2).toFixed(1)}v${(2 - tall).toFixed(1)}h${(2 - wide).toFixed(1)}z`;
    const columns = detail ? Array.from({ length: Math.round(n) }, (_, j) => j) : [];
    put(pale, {
      d: columns.flatMap((j) => Array.from({ length: j }, (_, row) => brick(j, row + 1))).join(""),
    });
    put(dark, { d: columns.map((j) => brick(j, 0)).join("") });
    put(hill, { d: `M${left},${floor}L${right},${floor}V${top}Z` });
    put(foot, {
      x: left,
      y: floor - Math.max(1.5, tall),
      width: right - left,
      height: Math.max(1.5, tall),
    });
    for (const one of [pale, dark]) show(one, detail);
    for (const one of [hill, foot]) show(one, 1 - detail);
    counters.forEach(({ name, bricks }, i) => {
      const y = top + (isPhone ? 11 : 24) + i * (isPhone ? 30 : 66);
      const count = i ? written(s) : runsAgain(written(s));
      put(name, { x: left + 4, y });
      put(bricks, {
        x: left + 4,
        y: y + (isPhone ? 14 : 26),
        text: say("bricks", { count: number(count) }),
        style: `font-weight: 600${isPhone ? "" : "; font-size: 22px"}`,
      });
    });
    // In the corner that the triangle leaves, each row of ten from the left.
    const cell = clamp(high * 0.045, 2, isPhone ? 7 : 17);
    const corner = isPhone ? { x: left + 116, y: top + 17 } : { x: left + 190, y: top + 34 };
    const rest = stays(s);
    whole.forEach((one, j) => {
      const spot = { x: corner.x + (j % 10) * cell, y: corner.y + (9 - Math.floor(j / 10)) * cell };
      put(one, {
        ...spot,
        width: cell - 1.5,
        height: cell - 1.5,
        fill: j < Math.floor(rest) ? "var(--ink)" : "var(--line)",
      });
      if (j === Math.floor(rest))
        put(part, { ...spot, width: ((cell - 1.5) * (rest % 1)).toFixed(2), height: cell - 1.5 });
    });
    put(wholeName, {
      x: corner.x,
      y: corner.y - (isPhone ? 6 : 10),
      class: isPhone ? "t12" : "t14",
      text: say(isPhone ? "of_hundred_short" : "of_hundred"),
    });
    for (const one of [again, once]) show(one, presence);
    show(hundred, presence * (1 - s.guessing));
    track(s, presence * mix(1, 0, s.guessing), say("words_at"));
  };
}

/** @param {Room} at */
const trackOf = ({ left, width, height, isPhone }) => ({
  x: left + 12,
  w: width - left - (isPhone ? 40 : 60),
  y: height - (isPhone ? 28 : 50),
});
