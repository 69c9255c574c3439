// RoPE: the score against the distance, or place by place.

import { svg } from "../../page/lit/lit.js";
import { mark, seen as shown, through } from "../../page/parts.js";
import { mix } from "../../page/shapes.js";
import { FAR, LONGEST, NEAR, TRAINED, score } from "./head.js";

export const DEEP = 3; // no sum of them goes further below 0 while dials are added
const FIRST = TRAINED - 0.5; // where the distances begin that training had not

/** @param {import("../../page/types").State} s @param {import("./room.js").Room} room @param {import("../../page/types").Stage} stage */
export function graph(s, { plot: p, isPhone, isTight }, { say, number, seen, step }) {
  const presence = Math.max(s.curve, s.trail);
  if (presence < 0.02) return "";
  const isTrail = s.trail > 0.5;
  const isWide = s.view > 1.5;
  const samples = Array.from({ length: Math.ceil(s.last) * 5 + 1 }, (_, i) => score(s, i / 5));
  const high = mix(s.dials, Math.max(...samples), s.real);
  const lowest = Math.min(0, ...samples);
  const isAdded = isWide && Math.max(s.real, s.trained) < 0.01; // the head whose dials are added
  const low = isTrail || !isWide ? -1 : isAdded ? -Math.min(s.dials, DEEP) : lowest;
  const x = (/** @type {number} */ value) => p.x + (value / s.last) * p.w;
  const y = (/** @type {number} */ value) => p.y + ((high - value) / (high - low)) * p.h;
  const isContent = step() === "content"; // there 1 is named
  const every = s.last > 20 ? 5 : isContent && isPhone ? 6 : isPhone || isContent ? 4 : 2;
  const along = [0, 1, 2, 3, 4, 5, 6].map((i) => i * every).filter((i) => i <= s.last + 0.1);
  const up = [0, high, low]
    .filter((value, i) => !i || Math.abs(y(value) - y(0)) >= 16)
    .map((value) => ({ at: y(value), text: number(value) }))
    .filter(({ text }) => !isPhone || text.length <= 3);
  const above = p.y - (isPhone ? 22 : 31);
  const name = isTrail ? "by_place" : "by_distance";
  const kept = y(score(s));
  const places = Array.from({ length: LONGEST + 1 }, (_, i) => i).filter((i) =>
    isTrail ? seen.has(i) && i < 13 : i <= s.last + 0.5 && !(isPhone && isWide),
  );
  const distance = s.m - s.n;
  const at = x(isTrail ? s.m : distance);
  const isLeft = at > p.x + p.w * 0.8;
  const isBest = s.real > 0.99 && Math.abs(distance - 1) < 0.05;
  return svg`<g data-marks="curve trail" opacity=${presence}>
    <rect fill="var(--new)" opacity=${s.trained * 0.1} x=${x(FIRST)} y=${y(high)} width=${Math.max(0, p.x + p.w - x(FIRST))} height=${p.h} />
    <path class="line" d=${`M${p.x},${y(0)}h${p.w}M${p.x},${y(high)}V${y(low)}`} />
    ${along.map((i) => svg`<text class="t12 soft middle" x=${x(i)} y=${p.y + p.h + 18}>${number(i)}</text>`)}
    ${up.map(({ at, text }) => svg`<text class="t12 soft end" x=${p.x - 8} y=${at + 4}>${text}</text>`)}
    ${isTight && isWide ? "" : svg`<text class="t14 soft" x=${p.x - 6} y=${above}>${say(isPhone ? `${name}_short` : name)}</text>`}
    ${isTrail && seen.size > 1 ? svg`<line stroke="var(--soft)" stroke-dasharray="3 4" opacity=${s.trail} x1=${p.x} x2=${p.x + p.w} y1=${kept} y2=${kept} />` : ""}
    ${
      isContent
        ? svg`<g opacity=${s.curve}>
          <path stroke="var(--content)" stroke-dasharray="4 4" stroke-width="2" d=${`M${x(1)},${y(high) - 4}V${y(low)}`} />
          <text class="t12 content" x=${x(1) - 3} y=${p.y + p.h + 18}>${say("one_back")}</text></g>`
        : ""
    }
    <path class="curve" d=${isTrail ? "" : through(samples.map((value, i) => [x(i / 5), y(value)]))} />
    ${isTrail ? "" : places.map((i) => svg`<circle r="3" fill="var(--ink)" cx=${x(i)} cy=${y(score(s, i))} />`)}
    ${shown(s.trained, svg`<text class="t14 new halo" opacity=${s.trained} x=${x(FIRST) + 8} y=${isPhone ? y(high) + 14 : above}>${say(isPhone ? "beyond_short" : "beyond")}</text>`)}
    ${isTrail ? places.map((i) => svg`<circle r="5" fill="var(--ink)" cx=${x(i)} cy=${kept} />`) : ""}
    <circle r="7" fill="var(--paper)" stroke="var(--ink)" stroke-width="3" cx=${at} cy=${kept} />
    ${isTrail || isBest ? svg`<text class=${`t14 halo ${isLeft ? "end" : ""}`} x=${at + (isLeft ? -13 : 13)} y=${kept + (isBest ? -2 : 20)}>${isBest ? say("share_here") : number(score(s), 2)}</text>` : ""}</g>
    ${
      step() === "slower"
        ? mark(
            "gap",
            presence,
            svg`<path fill="var(--content)" d=${`M${x(NEAR)},${y(score(s, NEAR)) - 9}l${isPhone ? "-6,-10h12" : "-8,-14h16"}Z`} />
              <path fill="none" stroke="var(--soft)" stroke-dasharray="4 4" d=${`M${x(NEAR)},${y(score(s, NEAR))}H${x(FAR)}`} />
              <path stroke="var(--new)" stroke-width="5" d=${`M${x(FAR)},${y(score(s, NEAR))}V${y(score(s, FAR))}`} />
              <text class=${`t14 new halo ${isPhone ? "" : "middle"}`} x=${x(isPhone ? 10 : FAR)} y=${p.y - 12}>${say("gap_at")}</text>`,
          )
        : ""
    }`;
}
