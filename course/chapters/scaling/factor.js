// A, for each length of the text: what a key needs, what YaRN's rule gives, and A itself, dragged.

import { TARGET, TRAINED, neededFactor, yarnFactor } from "./scalings.js";
import { svg } from "../../page/lit/lit.js";
import { at as moved, grip, mark, through } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { held, keys, ringed } from "./crowd.js";
import { textX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** The highest A of the frame: what the weakest lead needs is within it. */
export const HIGH = 1.24;
const MOST = HIGH - 0.01; // the knob stays below the frame
const POINTS = 40;
const A_UP = "M0,-25L-7,-15H7Z";
const A_DOWN = "M0,25L-7,15H7Z";

/** @param {State} s @param {Room} room @param {Stage} stage @param {boolean} canTurn */
export function factor(s, room, stage, canTurn) {
  const presence = s.factor * clamp(2 * s.crowd - 1, 0, 1);
  if (presence < 0.02) return "";
  const { say, number, set, handle, isGuessing } = stage;
  const { isPhone, factor: f, side } = room;
  const right = f.x + f.w;
  const high = (/** @type {number} */ a) => f.y + ((HIGH - a) / (HIGH - 1)) * f.h;
  const can = canTurn && !isGuessing();
  function turn(/** @type {number} */ to) {
    const A = clamp(to, 1, MOST);
    const isNear = Math.abs(held({ ...s, A }) / ringed(s) - 1) < 0.03;
    set({ A: isNear ? neededFactor(keys(s), s.lead) : A });
  }
  const A = number(s.A, 3);
  const isA = say("A_is", { A });
  const knob = handle({
    label: say("A_label"),
    now: s.A,
    min: 1,
    max: MOST,
    text: isA,
    isOff: !can,
    keys: (by) => turn(Math.round((s.A + by * 0.005) * 200) / 200),
    start: ([, y]) => y - high(s.A),
    move: ([, y], off) => turn(HIGH - ((y - off - f.y) / f.h) * (HIGH - 1)),
  });
  const curve = (/** @type {(keys: number) => number} */ a) =>
    through(
      Array.from({ length: POINTS + 1 }, (_, i) => {
        const tokens = TRAINED + ((TARGET - TRAINED) * i) / POINTS;
        return [textX(room, tokens), high(a(tokens))];
      }),
    );
  const long = isPhone ? [f.w, 5, 5] : [f.w, f.w, f.w]; // names have the room of lines
  // Where the curves are named, the lower one at the right of the place and the upper one at its left.
  const foot = room.ruler.y + (isPhone ? 22 : 24);
  const below = (isPhone ? 0.6 : 0.44) * TARGET;
  const need = (/** @type {number} */ count) => neededFactor(count, s.lead);
  const isAbove = need(below) > yarnFactor(below);
  const over = isAbove && !isPhone ? 0.62 * TARGET : below; // free of the axis, where it is high
  /** @param {string} name @param {string} css @param {(count: number) => number} a @param {boolean} above */
  const nameOf = (name, css, a, above) => {
    const at = above ? over : below;
    const y = clamp(high(a(at)) + (above ? -10 : isPhone ? 18 : 24), f.y + 22, f.y + f.h - 6);
    return svg`<text class=${`t14 halo ${css} ${above ? "end" : ""}`} x=${textX(room, at) + (above ? -6 : 8)} y=${y}>${say(name)}</text>`;
  };
  const times = `) = ${number(s.A ** 2, 2)} ${isPhone ? "" : "× "}`;
  const sum = ["(A ", "q", ") · (A ", "k", times, "q", " · ", "k"].map(
    (text, i) => svg`<tspan class=${i % 2 ? `${text} bold` : ""}>${text}</tspan>`,
  );
  const x = textX(room, s.length);
  const count = Math.max(TRAINED, keys(s)); // a distance of an earlier step may be none
  const wants = high(neededFactor(count, s.lead));
  const isOver = can && held(s) > 1.03 * ringed(s);
  const isLeft = x > right - 120;
  // Which way A goes: an arrow above its knob, and one below.
  const ways = [A_UP, A_DOWN].filter((_, i) => (i ? s.A > 1.005 : s.A < MOST - 0.005));
  return svg`
    ${mark(
      "A rule needed",
      presence,
      svg`<path class="line" d=${long.map((w, i) => `M${f.x},${high(1 + i / 10).toFixed(1)}h${w}`).join("")} />
        ${[1, 1.1, 1.2].map((a) => svg`<text class="t12 soft end" x=${f.x - 8} y=${high(a) + 4}>${number(a, 1)}</text>`)}
        ${[1, 2, 3, 4].map((k) => svg`<text class="t12 soft middle" x=${textX(room, k * TRAINED)} y=${foot}>${say("times", { times: number(k) })}</text>`)}
        <text class="t14 soft" x=${f.x - 26} y=${f.y - (isPhone ? 2 : 16)}>${say("A_axis")}</text>`,
    )}
    ${mark(
      "needed",
      s.needed * presence,
      svg`<g fill="none" stroke="var(--attention)" stroke-width="3">
          <path d=${curve(need)} /><path d=${`M${x},${high(s.A)}V${wants}`} /></g>
        ${nameOf("needs", "attention", need, isAbove)}`,
    )}
    ${mark(
      "rule",
      s.rule * presence,
      svg`<path fill="none" stroke="var(--ink)" stroke-width="2" d=${curve(yarnFactor)} />
        ${nameOf("rule", "", yarnFactor, !isAbove)}`,
    )}
    ${mark("A q k", presence, svg`<text class="t14" x=${side.x} y=${side.y + (isPhone ? 76 : 104)}>${sum}</text>`)}
    ${mark("A", s.rule * presence, svg`<path stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="2 4" d=${`M${x},${high(s.A)}V${room.ruler.y - 12}`} />`)}
    ${mark(
      "A",
      presence,
      svg`${can ? svg`<path class="line" stroke-width="3" d=${`M${x},${high(MOST)}V${high(1)}`} />` : ""}
      <g ${knob} transform=${moved(x, high(s.A))}>${can ? svg`<path fill="var(--ink)" d=${ways.join("")} />` : ""}${can ? grip({ r: 10 }) : svg`<circle r="6" fill="var(--ink)" />`}
        ${/* the rule's own name tells it */ s.rule > 0.98 ? "" : svg`<text class=${`t14 halo bold ${isLeft ? "end" : ""}`} opacity=${1 - s.rule} x=${isLeft ? -18 : 18} y=${high(s.A) < f.y + 24 ? 24 : -12}>${isOver ? say("over", { one: isA }) : isA}</text>`}</g>`,
    )}
    ${mark("needed", s.needed * presence, svg`<circle r="5" fill="var(--attention)" stroke="var(--paper)" cx=${x} cy=${wants} />`)}`;
}
