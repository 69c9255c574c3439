// The pages on a canvas: each word's light is its share, on one scale for all pages.

import { SERIF } from "../../page/typeset.js";
import { mix } from "../../page/shapes.js";
import { PAGE } from "./heads.js";

/** @import { Colour, Stage, State } from "../../page/types" */
/** @import { Room } from "./room.js" */
/** @import { Name, Shares } from "./heads.js" */

const FAINTEST = 0.01; // light that cannot be seen
const BENT = 0.28; // so that a share of one in a thousand is still seen beside the whole

/** Light of a share, from 0 to 1: the same on every page. @param {number} share */
export const lightOf = (share) => share ** BENT;

export const READ = 0.65; // full light behind letters
const BAR = 0.34; // ink of a word drawn as a bar, over the light on it
const LETTERS = [0.36, 0.32]; // its top and height, of its line

/** @param {Colour} a @param {Colour} b @param {number} t */
const between = (a, b, t) => /** @type {Colour} */ (a.map((v, i) => Math.round(mix(v, b[i], t))));
/** @param {Colour} a @param {Colour} b @param {number} t */
const blend = (a, b, t) => `rgb(${between(a, b, t).join()})`;

/**
 * @param {Stage} stage @param {string[]} words
 * @param {(name: Name, s: State) => Shares} sharesOf
 */
export function buildLight({ canvas, clear, colours }, words, sharesOf) {
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas("light").getContext("2d"));
  const read = colours(["wash", "soft", "ink", "attention"].map((name) => `var(--${name})`));

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const { sheets, top, page, cells, isGreek, gap } = room;
    const [wash, soft, black, attention] = read();
    clear(ink, room);
    ink.textBaseline = "middle";
    ink.font = `${(gap / 0.35).toFixed(1)}px ${SERIF}`;
    for (const { name, x, presence } of sheets) {
      if (presence < 0.02) continue;
      ink.globalAlpha = presence;
      ink.fillStyle = blend(wash, wash, 0);
      ink.beginPath();
      ink.roundRect(x, top, page.w, page.h, 6);
      ink.fill();
      const share = sharesOf(name, s);
      cells.forEach((cell, i) => {
        const light = lightOf(share(PAGE - 1 - i));
        const [left, up] = [x + cell.x, top + cell.y];
        if (light > FAINTEST) {
          ink.fillStyle = blend(wash, attention, light * (isGreek ? 1 : READ));
          ink.fillRect(left - 1, up, cell.w - gap + 2, cell.h + 0.3);
        }
        if (isGreek) {
          ink.fillStyle = blend(between(wash, attention, light), black, BAR);
          const [from, part] = LETTERS;
          ink.fillRect(left, up + cell.h * from, Math.max(0.5, cell.w - gap), cell.h * part);
        } else {
          ink.fillStyle = blend(soft, black, Math.min(1, 4 * light));
          ink.fillText(words[i], left, up + cell.h * 0.53);
        }
      });
    }
    ink.globalAlpha = 1;
  };
}
