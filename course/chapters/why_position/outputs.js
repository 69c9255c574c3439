// What the head gives: shares from the query to every word, and four numbers below each word that go along with it.

import { asked } from "../../page/asked.js";
import { svg } from "../../page/lit/lit.js";
import { mark, seen as there } from "../../page/parts.js";
import { clamp, mix } from "../../page/shapes.js";
import { COUNT, NOTHING, OTHER_THE, THE, TYPED, WIDTH, changeOf } from "./model.js";
import { placeAt, placeX } from "./room.js";
import { wordsOf } from "./words.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @import { Now } from "./model.js" */

/** @param {Room} room */
export const half = ({ slot, isPhone }) => Math.min(slot * 0.4, isPhone ? 32 : 74);

/** Shares as they are written: so that they add up. @param {number[]} shares @param {Stage["number"]} number */
function percent(shares, number) {
  const whole = shares.reduce((sum, share) => sum + Math.round(100 * share), 0);
  return shares.map((share) => `${number(100 * share, whole === 100 ? 0 : 1)}%`);
}

/** A bar from the zero line. @param {string} fill @param {number} x @param {number} zero @param {number} y @param {number} w @param {number} opacity */
const bar = (fill, x, zero, y, w, opacity = 1) =>
  svg`<rect fill=${fill} opacity=${opacity} x=${x} y=${Math.min(zero, y)} width=${w} height=${Math.abs(y - zero)} />`;

/** Shares of the query, as ribbons up to the words. @param {State} s @param {Room} at @param {Stage} stage @param {Now} now */
export function links(s, at, { number }, { shares, word }) {
  const presence = clamp(2 * s.links - 1, 0, 1);
  if (presence < 0.02) return "";
  const from = placeX(at, s.places[word]);
  const [low, high] = [at.head - 4, at.words + at.high / 2 + (at.isPhone ? 6 : 9)];
  const middle = mix(low, high, 0.45);
  const most = at.isPhone ? 18 : 34; // pixels of a ribbon that carries all
  const written = percent(shares[word], number);
  const seen = TYPED.filter((j) => shares[word][j] > 0.0005); // a mask hides the others
  const ribbon = (/** @type {number} */ j) => {
    const wide = shares[word][j] * most;
    const x = placeX(at, s.places[j]);
    const side = x < from - 1 ? -1 : 1; // away from the ribbon's bend
    const textX = x + side * (wide / 2 + (at.isPhone ? 4 : 7));
    return svg`
      <path fill="none" stroke="var(--attention)" stroke-opacity="0.6" stroke-width=${Math.max(1, wide)} d=${`M${from},${low}C${from},${middle} ${x},${middle} ${x},${high}`} />
      <text class=${`t14 halo attention bold ${side < 0 ? "end" : ""}`} x=${Math.max(textX, side < 0 ? 46 : 0)} y=${high + (at.isPhone ? 15 : 24)}>${written[j]}</text>`;
  };
  return svg`
    <g data-marks="links" opacity=${presence}>${seen.map(ribbon)}</g>
    <g data-marks="links outputs" opacity=${presence}><path fill="none" stroke="var(--attention)" stroke-width="2" d=${`M${from - half(at)},${low + 5}v-5h${2 * half(at)}v5`} /></g>
    <g data-marks="k" opacity=${presence}>${seen.map((j) => svg`<circle fill="var(--k)" cx=${placeX(at, s.places[j])} cy=${high - 1} r=${at.isPhone ? 4 : 6} />`)}</g>`;
}

/** Outputs, where they were in the first order, and in red what is between.
 * @param {State} s @param {Room} at @param {Stage} stage @param {Now} now
 */
export function outputs(s, at, stage, now) {
  const presence = clamp(2 * s.nums - 1, 0, 1) * (1 - s.far);
  if (presence < 0.02) return "";
  const { say } = stage;
  const { head, foot, words, high } = at;
  const { word: picked, channel: its } = s.picked;
  const zero = (head + foot) / 2;
  const longest = Math.max(s.most, ...[now.outputs, now.typed].flat(2).map(Math.abs));
  const unit = (foot - head) / 2 / longest;
  const [wide, w] = [half(at), (2 * half(at)) / WIDTH];
  const left = (/** @type {number} */ word, /** @type {number} */ channel) =>
    placeX(at, s.places[word]) - wide + w * (channel + 0.14);
  const channels = Array.from({ length: WIDTH }, (_, i) => i);
  const changed = TYPED.filter((word) => changeOf(now, word) > NOTHING);
  const drawn = (/** @type {number} */ word) => {
    // The two that are asked about do not answer first.
    const faint = [THE, OTHER_THE].includes(word) ? 1 - s.twins * (1 - s.laid) : 1;
    const one = (/** @type {number} */ channel) =>
      bar(
        "var(--ink)",
        left(word, channel),
        zero,
        zero - now.outputs[word][channel] * unit,
        w * 0.72,
        faint,
      );
    return svg`<path stroke="var(--soft)" d=${`M${placeX(at, s.places[word]) - wide},${zero}h${2 * wide}`} />${there(faint, channels.map(one))}`;
  };
  const gap = (/** @type {number} */ word) => (/** @type {number} */ channel) => {
    const [y, old] = [now.outputs, now.typed].map((rows) => zero - rows[word][channel] * unit);
    const x = left(word, channel);
    return svg`${bar("var(--new)", x + w * 0.18, old, y, w * 0.36, s.compare)}
      <path stroke="var(--new)" stroke-width="2" opacity=${s.compare} d=${`M${x - w * 0.06},${old}h${w * 0.84}`} />`;
  };
  const frame = (/** @type {number} */ word) =>
    svg`<rect fill="var(--wash)" rx="12" x=${placeX(at, s.places[word]) - wide - 8} y=${words - high / 2 - 8} width=${2 * wide + 16} height=${foot - words + high / 2 + 14} />`;
  const laid = placeX(at, mix(s.places[OTHER_THE], s.places[THE], s.laid)) - wide;
  const copy = (/** @type {number} */ channel) => {
    const y = zero - now.outputs[OTHER_THE][channel] * unit;
    return svg`<rect fill="none" stroke="var(--k)" stroke-width="3" x=${laid + w * (channel + 0.08)} y=${Math.min(zero, y) - 3} width=${w * 0.84} height=${Math.abs(y - zero) + 6} />`;
  };
  const x = placeX(at, s.places[picked]);
  const saidY = at.height - (at.isPhone ? 7 : 20) - s.switch * (at.isPhone ? 52 : 88);
  const isSaid = s.compare * (1 - s.chain);
  const said = changed.length
    ? say(at.isPhone ? "change_short" : "change", { typed: say("sentence") })
    : say("unchanged");
  return svg`<g opacity=${presence}>
    ${mark("twins", s.twins, [THE, OTHER_THE].map(frame))}
    <g ${look(s, at, stage)}>
      <rect fill="transparent" x="0" y=${head} width=${at.width} height=${foot - head} />
      <rect class="ring" rx="8" x=${x - wide - 6} y=${head} width=${2 * wide + 12} height=${foot - head} />
      <g data-marks="outputs">${TYPED.map(drawn)}${at.isPhone ? "" : svg`<text class="t14" x=${placeX(at, 0) - wide} y=${head - 12}>${say("outputs")}</text>`}</g>
      <g data-marks="new">${there(
        s.compare,
        changed.map((word) => channels.map(gap(word))),
      )}</g>
      ${mark("number", s.chain, svg`<rect fill="none" stroke="var(--ink)" stroke-width="2" rx="4" x=${left(picked, its) - w * 0.14} y=${head + 2} width=${w} height=${foot - head - 4} />`)}</g>
    ${asked(
      [THE, OTHER_THE].map((word) => [placeX(at, s.places[word]), zero]),
      s.twins * s.guessing,
    )}
    ${mark("twins laid", s.laid > 0.001 ? s.twins : 0, svg`<g pointer-events="none">${channels.map(copy)}</g><text class="middle k" x=${at.width / 2} y=${saidY}>${say("laid")}</text>`)}
    <g data-marks="new">${there(isSaid, svg`<text class=${`middle bold ${changed.length ? "new" : ""}`} opacity=${isSaid} x=${at.width / 2} y=${saidY}>${said}</text>`)}</g></g>`;
}

/** The number that is looked at. @param {State} s @param {Room} at @param {Stage} stage */
function look(s, at, stage) {
  const { say, seen, set, handle } = stage;
  const to = (/** @type {number} */ index) => {
    const kept = clamp(index, 0, COUNT * WIDTH - 1);
    const word = Math.floor(kept / WIDTH);
    seen.add(`word ${word}`);
    set({ picked: { word, channel: kept % WIDTH } });
  };
  const index = () => s.picked.word * WIDTH + s.picked.channel;
  return handle({
    label: say("number_label"),
    now: index(),
    min: 0,
    max: COUNT * WIDTH - 1,
    text: say("number_at", { word: wordsOf(stage)[s.picked.word] }),
    isOff: s.asking <= 0.5,
    keys: (by) => to(index() + by),
    move: ([x]) => {
      const away = (/** @type {number} */ word) => Math.abs(s.places[word] - placeAt(at, x));
      const word = TYPED.reduce((a, b) => (away(b) < away(a) ? b : a));
      const part = (x - placeX(at, s.places[word])) / (2 * half(at)) + 0.5;
      to(word * WIDTH + clamp(Math.floor(part * WIDTH), 0, WIDTH - 1));
    },
  });
}
