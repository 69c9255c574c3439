// The picture itself on a canvas, a boat at dusk, cut into patches that fly; and the sheets of a film.

import { COLUMNS, ROWS, SHEETS, START } from "./ids.js";
import { at, patchAt, within } from "./room.js";

/** @import { Stage, State } from "../../page/types" */
/** @import { Rect, Room } from "./room.js" */

const [W, H] = [600, 400];

/** A frame of the film; the boat sails on. @param {number} sheet */
function face(sheet) {
  const sheetOf = document.createElement("canvas");
  Object.assign(sheetOf, { width: W, height: H });
  const ink = /** @type {CanvasRenderingContext2D} */ (sheetOf.getContext("2d"));
  const shade = (
    /** @type {number} */ from,
    /** @type {number} */ to,
    /** @type {string[]} */ ...stops
  ) => {
    const made = ink.createLinearGradient(0, from, 0, to);
    stops.forEach((colour, i) => made.addColorStop(i / (stops.length - 1), colour));
    return made;
  };
  const fill = (/** @type {string | CanvasGradient} */ colour, /** @type {string} */ way) => {
    ink.fillStyle = colour;
    ink.fill(new Path2D(way));
  };
  fill(shade(0, 250, "#5b7fb8", "#f0b48c", "#f7d9a8"), "M0,0h600v400h-600Z");
  fill("#fff1c4", "M408,150a42,42 0 1 0 84,0a42,42 0 1 0 -84,0");
  fill("#6d7fa0", "M0,240Q90,120 190,205Q260,150 360,245L0,260Z");
  fill(shade(235, 400, "#86a9b8", "#25506e"), "M0,238h600v170h-600Z");
  ink.strokeStyle = "#ffffff55";
  ink.lineWidth = 4;
  const waves = Array.from(
    { length: 9 },
    (_, i) => `M${30 + ((i * 173) % 520)},${268 + i * 14}h60`,
  );
  ink.stroke(new Path2D(waves.join("")));
  const x = 215 + sheet * 75;
  fill("#7a2d22", `M${x - 85},290H${x + 95}L${x + 65},335H${x - 60}Z`);
  fill("#c8402f", `M${x + 4},90V280H${x + 92}Z`);
  fill("#f4ead8", `M${x - 4},120V280H${x - 72}Z`);
  return sheetOf;
}

/** @param {Stage} stage */
export function buildScene({ canvas, clear, colours }) {
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas("patches").getContext("2d"));
  const paper = colours(["var(--paper)"]);
  const faces = Array.from({ length: SHEETS }, (_, i) => face(i));

  /** @param {Rect} rect @param {number} r @param {number} c @param {number} of */
  function patch({ x, y, w, h }, r, c, of = 0) {
    const gap = w > 9 ? 1 : 0.5;
    const [pieceW, pieceH] = [W / COLUMNS, H / ROWS];
    ink.drawImage(faces[of], c * pieceW, r * pieceH, pieceW, pieceH, x + gap, y + gap, w - 2 * gap, h - 2 * gap); // prettier-ignore
  }
  /** @param {(r: number, c: number) => Rect} where @param {number} [of] */
  function patches(where, of) {
    for (let r = 0; r < ROWS; r++) for (let c = 0; c < COLUMNS; c++) patch(where(r, c), r, c, of);
  }
  /** A picture of any number of patches. @param {Room} room @param {State} s @param {string} ground */
  function whole(room, { rows, columns }, ground) {
    const { x, y, w } = at(room, START, START);
    const [wide, high] = [w * columns, w * rows];
    ink.drawImage(faces[0], x, y, wide, high);
    ink.strokeStyle = ground;
    ink.lineWidth = w > 9 ? 2 : 1;
    const alpha = ink.globalAlpha;
    ink.globalAlpha = alpha * (w > 9 ? 1 : 0.45);
    ink.beginPath();
    for (let c = 1; c < columns; c++) {
      ink.moveTo(x + c * w, y);
      ink.lineTo(x + c * w, y + high);
    }
    for (let r = 1; r < rows; r++) {
      ink.moveTo(x, y + r * w);
      ink.lineTo(x + wide, y + r * w);
    }
    ink.stroke();
    ink.globalAlpha = alpha;
  }

  return (/** @type {State} */ s, /** @type {Room} */ room) => {
    const ground = `rgb(${paper()[0].join()})`;
    clear(ink, room);
    if (s.source > 0.02) {
      ink.globalAlpha = s.source;
      patches((r, c) => within(room.source, r, c));
    }
    for (let i = s.pile > 0.02 ? SHEETS - 1 : 0; i >= 0; i--) {
      ink.globalAlpha = i ? s.pile : 1 - s.light;
      if (s.pile > 0.02) {
        const [a, b] = [patchAt(room, s, 0, 0, i), patchAt(room, s, ROWS - 1, COLUMNS - 1, i)];
        ink.fillStyle = ground;
        ink.fillRect(a.x - 2, a.y - 2, b.x + b.w - a.x + 4, b.y + b.h - a.y + 4);
      }
      if (s.rows === ROWS && s.columns === COLUMNS) patches((r, c) => patchAt(room, s, r, c, i), i);
      else whole(room, s, ground);
    }
    ink.globalAlpha = 1;
  };
}
