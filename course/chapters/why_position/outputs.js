// What the head gives: shares from the query to every word, and four numbers below each word that go along with it.

import { clamp, mix } from "../../page/shapes.js";
import { COUNT, NOTHING, OTHER_THE, THE, TYPED, WIDTH, changeOf } from "./model.js";
import { placeAt, placeX } from "./room.js";
import { wordsOf } from "./words.js";

/** @typedef {import("../../page/types").Stage} Stage */
/** @typedef {import("../../page/types").State} State */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./model.js").Now} Now */

/** @param {Room} room */
export const half = ({ slot, isPhone }) => Math.min(slot * 0.4, isPhone ? 32 : 74);

/** Shares as they are written: so that they add up. @param {number[]} shares @param {Stage["number"]} number */
function percent(shares, number) {
  const whole = shares.reduce((sum, share) => sum + Math.round(100 * share), 0);
  return shares.map((share) => `${number(100 * share, whole === 100 ? 0 : 1)}\u00a0%`);
}

/** A bar from the zero line. @param {number} x @param {number} zero @param {number} y @param {number} w */
const bar = (x, zero, y, w) => ({
  x,
  y: Math.min(zero, y),
  width: w,
  height: Math.abs(y - zero),
});

/** Shares of the query, as ribbons up to the words. @param {Stage} stage */
export function buildLinks({ make, put, show, group, number }) {
  const links = group("links");
  const keys = group("k");
  const parts = TYPED.map(() => ({
    ribbon: make(
      "path",
      { fill: "none", stroke: "var(--attention)", "stroke-opacity": 0.6 },
      links,
    ),
    key: make("circle", { fill: "var(--k)" }, keys),
    text: make(
      "text",
      { class: "t14 halo", style: "fill: var(--attention); font-weight: 600" },
      links,
    ),
  }));
  return (/** @type {State} */ s, /** @type {Room} */ at, /** @type {Now} */ { shares, word }) => {
    const presence = clamp(2 * s.links - 1, 0, 1);
    show(links, presence);
    show(keys, presence);
    if (presence < 0.02) return;
    const from = placeX(at, s.places[word]);
    const [low, high] = [at.head - 4, at.words + at.high / 2 + (at.isPhone ? 6 : 9)];
    const most = at.isPhone ? 18 : 34; // pixels of a ribbon that carries all
    const written = percent(shares[word], number);
    parts.forEach(({ ribbon, key, text }, j) => {
      const share = shares[word][j];
      const x = placeX(at, s.places[j]);
      const isThere = share > 0.0005;
      const middle = mix(low, high, 0.45);
      const side = x < from - 1 ? -1 : 1; // away from the ribbon's bend
      put(ribbon, {
        d: `M${from},${low}C${from},${middle} ${x},${middle} ${x},${high}`,
        "stroke-width": Math.max(1, share * most).toFixed(1),
      });
      show(ribbon, isThere ? 1 : 0);
      put(key, { cx: x, cy: high - 1, r: at.isPhone ? 4 : 6 });
      show(key, isThere ? 1 : 0); // a mask hides it
      put(text, {
        x: Math.max(x + side * ((share * most) / 2 + (at.isPhone ? 4 : 7)), side < 0 ? 46 : 0),
        y: high + (at.isPhone ? 15 : 24),
        "text-anchor": side < 0 ? "end" : "start",
        text: isThere ? written[j] : "",
      });
    });
  };
}

/** Outputs, where they were in the first order, and in red what is between.
 * @param {Stage} stage @param {() => Room} room
 */
export function buildOutputs(stage, room) {
  const { make, put, show, group, slider, value, say, state, seen, set, isGuessing } = stage;
  const texts = wordsOf(stage);
  const scene = group("");
  const twins = group("twins", scene);
  const frames = [THE, OTHER_THE].map(() => make("rect", { fill: "var(--wash)", rx: 12 }, twins));

  function look(/** @type {number} */ index) {
    const at = clamp(index, 0, COUNT * WIDTH - 1);
    const word = Math.floor(at / WIDTH);
    seen.add(`word ${word}`);
    set({ picked: { word, channel: at % WIDTH } });
  }
  const handle = slider(scene, {
    label: say("number_label"),
    keys: (by) => look(state.picked.word * WIDTH + state.picked.channel + by),
    move: ([x]) => {
      const now = room();
      const at = placeAt(now, x);
      const word = TYPED.reduce((a, b) =>
        Math.abs(state.places[b] - at) < Math.abs(state.places[a] - at) ? b : a,
      );
      const part = (x - placeX(now, state.places[word])) / (2 * half(now)) + 0.5;
      look(word * WIDTH + clamp(Math.floor(part * WIDTH), 0, WIDTH - 1));
    },
  });
  const hit = make("rect", { fill: "transparent" }, handle);
  const ring = make("rect", { class: "ring", rx: 8 }, handle);
  const outputs = group("outputs", handle);
  const red = group("new", handle);
  const columns = TYPED.map(() => ({
    zero: make("path", { stroke: "var(--soft)" }, outputs),
    bars: Array.from({ length: WIDTH }, () => make("rect", { fill: "var(--ink)" }, outputs)),
    gaps: Array.from({ length: WIDTH }, () => make("rect", { fill: "var(--new)" }, red)),
    ticks: Array.from({ length: WIDTH }, () =>
      make("path", { stroke: "var(--new)", "stroke-width": 2 }, red),
    ),
  }));
  const chosen = group("number", handle);
  const box = make(
    "rect",
    { fill: "none", stroke: "var(--ink)", "stroke-width": 2, rx: 4 },
    chosen,
  );
  const copy = group("twins laid", scene);
  put(copy, { "pointer-events": "none" });
  const copies = Array.from({ length: WIDTH }, () =>
    make("rect", { fill: "none", stroke: "var(--soft)", "stroke-width": 3 }, copy),
  );
  const readout = group("new", scene);
  const said = make("text", { "text-anchor": "middle", style: "font-weight: 600" }, readout);

  return (/** @type {State} */ s, /** @type {Room} */ at, /** @type {Now} */ now) => {
    const presence = clamp(2 * s.nums - 1, 0, 1) * (1 - s.far);
    show(scene, presence);
    put(handle, {
      style: s.asking > 0.5 && !isGuessing() ? undefined : "pointer-events: none",
      tabindex: s.asking > 0.5 && !isGuessing() ? 0 : -1,
    });
    if (presence < 0.02) return;
    const zero = (at.head + at.foot) / 2;
    const longest = Math.max(s.most, ...[now.outputs, now.typed].flat(2).map(Math.abs));
    const unit = (at.foot - at.head) / 2 / longest;
    const [wide, w] = [half(at), (2 * half(at)) / WIDTH];
    const left = (/** @type {number} */ word, /** @type {number} */ channel) =>
      placeX(at, s.places[word]) - wide + w * (channel + 0.14);
    columns.forEach(({ zero: line, bars, gaps, ticks }, word) => {
      const x = placeX(at, s.places[word]);
      put(line, { d: `M${x - wide},${zero}h${2 * wide}` });
      const isChanged = changeOf(now, word) > NOTHING;
      bars.forEach((one, channel) => {
        const [y, old] = [now.outputs, now.typed].map((rows) => zero - rows[word][channel] * unit);
        const x0 = left(word, channel);
        put(one, bar(x0, zero, y, w * 0.72));
        show(one, [THE, OTHER_THE].includes(word) ? 1 - s.twins * (1 - s.laid) : 1); // do not answer
        put(gaps[channel], bar(x0 + w * 0.18, old, y, w * 0.36));
        put(ticks[channel], { d: `M${x0 - w * 0.06},${old}h${w * 0.84}` });
        show(gaps[channel], isChanged ? s.compare : 0);
        show(ticks[channel], isChanged ? s.compare : 0);
      });
    });
    put(hit, { x: 0, y: at.head, width: at.width, height: at.foot - at.head });
    const x = placeX(at, s.places[s.picked.word]);
    put(ring, { x: x - wide - 6, y: at.head, width: 2 * wide + 12, height: at.foot - at.head });
    put(box, {
      x: left(s.picked.word, s.picked.channel) - w * 0.14,
      y: at.head + 2,
      width: w,
      height: at.foot - at.head - 4,
    });
    show(chosen, s.chain);
    frames.forEach((frame, i) => {
      const middle = placeX(at, s.places[[THE, OTHER_THE][i]]);
      put(frame, {
        x: middle - wide - 8,
        y: at.words - at.high / 2 - 8,
        width: 2 * wide + 16,
        height: at.foot - at.words + at.high / 2 + 14,
      });
    });
    show(twins, s.twins);
    const laid = placeX(at, mix(s.places[OTHER_THE], s.places[THE], s.laid)) - wide;
    copies.forEach((one, channel) => {
      const y = zero - now.outputs[OTHER_THE][channel] * unit;
      put(one, bar(laid + w * (channel + 0.14), zero, y, w * 0.72));
    });
    show(copy, s.twins * (s.laid > 0.001 ? 1 : 0));
    const isRed = TYPED.some((word) => changeOf(now, word) > NOTHING);
    put(said, {
      x: at.width / 2,
      y: at.height - (at.isPhone ? 7 : 20) - s.switch * (at.isPhone ? 52 : 88),
      text: say("change"),
      style: `font-weight: 600;${isRed ? " fill: var(--new)" : ""}`,
    });
    show(said, s.compare * (1 - s.chain));
    const index = s.picked.word * WIDTH + s.picked.channel;
    value(handle, index, 0, COUNT * WIDTH - 1, say("number_at", { word: texts[s.picked.word] }));
  };
}
