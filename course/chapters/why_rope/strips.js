// Below the pages: T5's buckets, and one dial of RoPE's head, as the head makes its query and as the distance turns it.

import { braces } from "../../page/formulas/distances.js";
import { svg } from "../../page/lit/lit.js";
import { mark } from "../../page/parts.js";
import { arrow, pie, round, spiral, xy } from "../../page/shapes.js";
import { turnOf } from "./heads.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Circle } from "../../page/shapes.js" */
/** @import { Room } from "./room.js" */

const FURTHEST = 150; // words back on the strip of buckets; the last goes on
const ALL = braces();

/** Distances in a line, the query's at the right: each box has one number. @param {State} s @param {Room} room @param {Stage} stage */
export function buckets(s, { sheets, strip, width, isPhone }, { say, number, isGuessing }) {
  const [from, to] = [sheets[0].x, width - sheets[0].x];
  const x = (/** @type {number} */ d) => to - ((to - from) * Math.min(d, FURTHEST)) / FURTHEST;
  const [y, h] = [strip.y + (isPhone ? 18 : 30), isPhone ? 14 : 22];
  const back = Math.round(s.back);
  const box = ({ from: near = 0, to: far = 0 }, i = 0) => {
    const isIts = near <= back && back <= far;
    const fill = isIts ? "k" : i % 2 ? "line" : "wash";
    return svg`<rect fill=${`var(--${fill})`} x=${x(far + 1)} y=${y} width=${x(near) - x(far + 1)} height=${h} />`;
  };
  const ticks = /** @type {[number, string, string][]} */ ([
    [0, "0", "end"],
    [15, "15", "middle"],
    [ALL[ALL.length - 1].from, number(ALL[ALL.length - 1].from), "middle"],
  ]);
  return mark(
    "buckets",
    isGuessing() ? 0 : s.buckets,
    svg`<text class="t14" x=${from} y=${y - (isPhone ? 5 : 9)}>${say(isPhone ? "boxes_short" : "boxes")}</text>
      ${ALL.map(box)}
      ${ticks.map(([d, text, side]) => svg`<text class=${`t12 soft ${side}`} x=${x(d)} y=${y + h + (isPhone ? 12 : 17)}>${text}</text>`)}
      <text class="t12 soft" x=${from} y=${y + h + (isPhone ? 12 : 17)}>${say(isPhone ? "on_short" : "on")}</text>`,
  );
}

/** Hands of query and key on a dial: the key's is broad, as the query's may lie on it.
 * @param {Circle} c @param {number} query Its angle from the key. @param {unknown} content Between rim and hands.
 */
const hands = (c, query, content) => {
  const out = c.r + (c.r < 20 ? 7 : 9);
  const short = { ...c, r: c.r - 2 }; // so that heads end at the rim
  const apart = Math.abs(query) < 0.5 ? 0.35 : 0; // where the two names would touch
  const name = (/** @type {string} */ one, /** @type {number} */ to) => {
    const [x, y] = round(c, out, to);
    return svg`<text class=${`t14 bold halo middle central ${one}`} x=${x} y=${y}>${one}</text>`;
  };
  return svg`<circle class="line" fill="none" stroke-width="1.5" cx=${c.x} cy=${c.y} r=${c.r} />
    ${content}
    <path stroke="var(--k)" fill="var(--k)" stroke-width="5" d=${arrow(short, 0, 8)} />
    <path stroke="var(--q)" fill="var(--q)" stroke-width="2" d=${arrow(short, query, 7)} />
    ${name("k", apart)}${name("q", query - apart)}`;
};

/** The head of an arc, at its end. @param {Circle} c @param {number} r @param {number} to @param {number} sign */
function head(c, r, to, sign) {
  const base = [-4.5, 4.5].map((side) => xy(round(c, r + side, to - (sign * 7) / r)));
  return svg`<path fill="var(--ink)" stroke="none" d=${`M${xy(round(c, r, to))}L${base.join("L")}Z`} />`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function dials(s, { sheets, strip, width, isPhone }, { say }) {
  const angle = turnOf(Math.max(1, Math.round(s.back)));
  const [left, wide] = [sheets[0].x, width - 2 * sheets[0].x];
  const r = isPhone ? 14 : 31;
  const dial = (/** @type {number} */ share) => ({ x: left + share * wide + r, y: strip.y + strip.h / 2, r }); // prettier-ignore
  const [made, met] = isPhone ? [dial(0.02), dial(0.5)] : [dial(0.19), dial(0.58)];
  const arc = (/** @type {Circle} */ c, /** @type {number} */ from, /** @type {number} */ by) => {
    const to = Math.abs(by) < 0.25 ? 0 : by; // an arc shorter than its head
    return to
      ? svg`<path fill="var(--q)" opacity="0.14" d=${pie(c, r * 0.62, from, by)} />
        <path fill="none" stroke="var(--ink)" stroke-width="2" d=${spiral(c, r * 0.62, from, by - Math.sign(by) * 0.2)} />
        ${head(c, r * 0.62, from + by, Math.sign(by))}`
      : "";
  };
  const start = round(met, r, -angle);
  const text = (/** @type {Circle} */ c, /** @type {string} */ name) =>
    [1, 2].map(
      (line) =>
        svg`<text class="t14" x=${c.x + r + (isPhone ? 19 : 24)} y=${c.y + (line === 1 ? -3 : isPhone ? 13 : 16)}>${say(`${name}_${line}${isPhone ? "_short" : ""}`)}</text>`,
    );
  return svg`
    ${
      isPhone
        ? ""
        : mark(
            "start cancel",
            s.dials,
            [1, 2].map(
              (line) =>
                svg`<text class=${`t14 ${line === 1 ? "bold" : "soft"}`} x=${left} y=${made.y + (line === 1 ? -3 : 16)}>${say(`dial_${line}`)}</text>`,
            ),
          )
    }
    ${mark("start", s.dials, svg`${hands(made, -angle, arc(made, 0, -angle))}${text(made, "made")}`)}
    ${mark(
      "cancel",
      s.dials,
      svg`${hands(met, 0, svg`<path stroke="var(--q)" stroke-width="2" stroke-dasharray="4 4" d=${`M${xy([met.x, met.y])}L${xy(start)}`} />${arc(met, -angle, angle)}`)}${text(met, "met")}`,
    )}`;
}
