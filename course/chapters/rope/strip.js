// RoPE: the strip of places, and the distance of the two words on it.

import { svg } from "../../page/lit/lit.js";
import { at, mark, seen } from "../../page/parts.js";
import { clamp } from "../../page/shapes.js";
import { LONGEST, TRAINED } from "./head.js";
import { placeX } from "./room.js";

const PLACES = Array.from({ length: LONGEST + 1 }, (_, i) => i);
const LOCK = "M-7-1H7V10H-7ZM-4-1V-5a4 4 0 0 1 8 0V-1H2.2V-5a2.2 2.2 0 0 0-4.4 0V-1Z";

/** @param {import("../../page/types").State} s @param {import("./room.js").Room} room @param {import("../../page/types").Stage} stage */
export function strip(s, room, { say }) {
  const { width, rail: y, left, isPhone } = room;
  const every = isPhone && s.last > 12 ? 5 : 1;
  const last = placeX(room, Math.min(s.n + TRAINED - 1, s.last));
  const [from, to] = [placeX(room, s.n), placeX(room, s.m)];
  const isLeft = from + 46 > width - 100;
  const aside = s.lock > 0.5 ? 22 : 0;
  const apart = isPhone && s.view > 1.5 ? 0 : 1 - s.row;
  return svg`
    ${mark(
      "strip trained",
      s.trained,
      svg`<rect fill="var(--wash)" rx="6" x=${from - 12} y=${y - 12} width=${last - from + 24} height="40" />
        ${isPhone ? "" : svg`<text class="soft t12 end" x=${last + 12} y=${y + 45}>${say("trained_on")}</text>`}`,
    )}
    <g data-marks="strip">
      <line class="line" stroke-width="2" x1=${left} x2=${width - left} y1=${y} y2=${y} />
      ${PLACES.map((i) => {
        const presence = clamp(s.last - i + 1, 0, 1);
        return seen(
          presence,
          svg`<g transform=${at(placeX(room, i), y)} opacity=${presence}>
            <circle r="3" fill="var(--soft)" />
            ${i % every ? "" : svg`<text y="19" class="t12 soft middle">${i}</text>`}</g>`,
        );
      })}</g>
    ${mark(
      "strip arc",
      s.key,
      svg`<line stroke="var(--ink)" stroke-width="4" stroke-linecap="round" x1=${from} x2=${to} y1=${y} y2=${y} />
        ${seen(apart, svg`<text class=${`t14 halo ${isLeft ? "end" : ""}`} opacity=${apart} x=${isLeft ? from - 42 - aside : from + 46 + aside} y=${y + 47}>${say("apart")}</text>`)}
        ${seen(s.lock * (1 - s.row), svg`<path fill="var(--ink)" fill-rule="evenodd" opacity=${s.lock * (1 - s.row)} transform=${at(isLeft ? from - 52 : from + 54, y + 39)} d=${LOCK} />`)}`,
    )}`;
}
