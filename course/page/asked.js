// Where an answer may lie: rings with a question mark, until it is given.

import { svg } from "./lit/lit.js";
import { at, seen } from "./parts.js";

/** @param {import("./shapes.js").Point[]} spots @param {number} presence */
export const asked = (spots, presence) =>
  seen(
    presence,
    svg`<g opacity=${presence}>${spots.map(
      ([x, y]) => svg`<g transform=${at(x, y)}>
        <circle r="11" fill="var(--paper)" stroke="var(--soft)" stroke-width="1.5" stroke-dasharray="3 4" />
        <text class="t14 soft halo middle" y="5">?</text></g>`,
    )}</g>`,
  );
