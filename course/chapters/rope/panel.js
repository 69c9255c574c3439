// RoPE: the two numbers of an arrow, the score, and what the wedge is made of.

import { START } from "../../page/by_hand.js";
import { nothing, svg } from "../../page/lit/lit.js";
import { mark, seen } from "../../page/parts.js";
import { clamp, round, xy } from "../../page/shapes.js";
import { PAIRS, hundredths, score, written } from "./head.js";
import { placeX } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */

/** @param {State} s @param {Room} room @param {Stage} stage */
export function bars(s, { dial: c, isPhone }, { say, number }) {
  if (s.bars < 0.02) return "";
  const query = START + s.m + s.bend;
  const [x, y] = round(c, c.r, query);
  const left = c.x - c.r - (isPhone ? 34 : 56);
  const foot = c.y + c.r + (isPhone ? 38 : 46);
  const cross = `M${c.x - c.r},${c.y}h${2 * c.r}M${c.x},${c.y - c.r}v${2 * c.r}`;
  const scales = `M${c.x - c.r},${foot}h${2 * c.r}M${c.x},${foot - 10}v20M${left},${c.y - c.r}v${2 * c.r}M${left - 10},${c.y}h20`;
  return svg`<g data-marks="bars" opacity=${s.bars}>
    <path class="line" d=${scales + cross} />
    <path stroke="var(--q)" stroke-width="12" d=${`M${c.x},${foot}H${x}M${left},${c.y}V${y}`} />
    <path stroke="var(--q)" stroke-dasharray="2 4" fill="none" d=${`M${xy([x, y])}V${foot}M${xy([x, y])}H${left}`} />
    <text class="q" x=${c.x + c.r + 12} y=${foot + 5}>${number(Math.cos(query), 2)}</text>
    <text class="q middle" x=${left} y=${c.y - c.r - 10}>${number(Math.sin(query), 2)}</text>
    <text class=${`t14 soft ${isPhone ? "end" : ""}`} x=${isPhone ? c.x - c.r - 8 : c.x + c.r + 62} y=${foot + 5}>${say("first")}</text>
    <text class="t14 soft middle" x=${left} y=${c.y + c.r + 20}>${say("second")}</text></g>`;
}

/** @param {State} s @param {Room} room @param {Stage} stage */
export function panel(s, room, { say, number }) {
  const { isPhone, isTight, panel: at, sweep } = room;
  const one = clamp(2 - s.view, 0, 1) * clamp(s.view * 2 - 1, 0, 1);
  const all = clamp(s.view * 2 - 3, 0, 1);
  const alone = one * (1 - s.row); // the score of one key
  // Beside the dials their sum; on a phone, where the key leaves room.
  const isLeft = isPhone && placeX(room, s.n) > room.width / 2;
  const beside = isPhone ? { x: isLeft ? 12 : room.width - 12, y: room.rail + 46 } : room.sum;
  const { x, y } = one ? at : beside;
  // What is written adds up.
  const drawn = Array.from({ length: PAIRS }, (_, i) => hundredths(i, s));
  const total = drawn.slice(0, Math.round(s.dials)).reduce((a, b) => a + b, 0);
  const sum = number(total / 100, 2);
  const side = one || isLeft ? "" : "end";
  // A phone says there once what the numbers beside its dials are.
  const [underX, underY] = isPhone ? [sweep.x + sweep.w - 8, sweep.y + sweep.h - 4] : [x, y + 22];
  return svg`
    <g data-marks="shadow dials">
      ${seen(alone + all, svg`<text class=${`${isPhone && !one ? "" : "big"} ${side}`} opacity=${alone + all} x=${x} y=${y}>${one ? say("score") : isPhone ? say("sum", { sum }) : sum}</text>`)}
      ${seen(isTight ? 0 : all, svg`<text class=${`t12 soft ${isPhone ? "end" : side}`} opacity=${all} x=${underX} y=${underY}>${say(isPhone ? "turn_unit" : "score_of")}</text>`)}
      ${seen(isPhone ? 0 : all, svg`<text class="t12 soft end" opacity=${all} x=${x} y=${underY + 18}>${say("part_of")}</text>`)}
      ${seen(alone, ruler(s, room, number, alone))}</g>
    ${mark("content arc", alone, made(s, room, say, number))}`;
}

/** The score on its scale. @param {State} s @param {Room} room @param {Stage["number"]} number @param {number} alone */
function ruler(s, room, number, alone) {
  if (!hasRuler(s, room)) return "";
  const { x, w } = room.panel;
  const y = rulerY(room);
  const middle = x + w / 2;
  return svg`<g opacity=${alone}>
    <path class="line" stroke-width="2" d=${`M${x},${y}h${w}M${middle},${y - 8}v16M${x},${y - 5}v10M${x + w},${y - 5}v10`} />
    <line stroke="var(--ink)" stroke-width="10" x1=${middle} x2=${middle + (clamp(score(s), -1, 1) * w) / 2} y1=${y} y2=${y} />
    ${[-1, 0, 1].map((end) => svg`<text class="t12 soft middle" x=${middle + (end * w) / 2} y=${y + 23}>${number(end)}</text>`)}</g>`;
}

/** What the wedge is made of. @param {State} s @param {Room} room @param {Stage["say"]} say @param {Stage["number"]} number */
function made(s, room, say, number) {
  const { isPhone, panel } = room;
  const isBent = s.split > 0.5;
  const { content, distance, wedge } = written(s);
  const values = { content: `${number(content)}°`, distance: `${number(distance)}°` };
  const size = isPhone ? "_short" : "";
  const y = rulerY(room) + (isPhone ? (hasRuler(s, room) ? 46 : 2) : 58);
  if (!isBent)
    return svg`<text x=${panel.x} y=${y}><tspan class="soft">${say(`wedge_is${size}`)}</tspan>${values.distance}</text>`;
  const whole = svg`<tspan class="content">${say(`sum_content${size}`, values)}</tspan>`;
  const turned = svg`<tspan class="soft" x=${isPhone ? panel.x : nothing} dy=${isPhone ? 16 : nothing}>${say(`sum_distance${size}`, values)}</tspan>`;
  return svg`<text x=${panel.x} y=${y}>${whole}${turned} = ${number(wedge)}°</text>`;
}

/** @param {Room} room */
const rulerY = ({ isPhone, panel }) => panel.y + (isPhone ? 20 : 30);
/** @param {State} s @param {Room} room */
const hasRuler = (s, { isTight }) => !isTight || Math.max(s.curve, s.trail, s.row) < 0.5;
