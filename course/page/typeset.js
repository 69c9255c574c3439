// A page of words, set in type as large as fits; words too small to read are drawn as bars.

export const SERIF = '"Source Serif", "Source Serif 4", Georgia, serif';
const LEAD = 1.32; // of the size, from line to line
const TIGHT = 1.15; // the same where words would be too small to read otherwise
const LARGEST = 26;
const MEASURED = 14; // pixels: letters are drawn wider for small sizes
const READABLE = 12; // pixels; smaller words are drawn as bars
const WIDE = 560; // pixels, from here on two columns

/** @typedef {{ x: number, y: number, w: number, h: number }} Rect */
/** @typedef {Rect & { cells: Rect[], size: number, isGreek: boolean }} Page */

/**
 * @param {string[]} words
 * @param {CanvasRenderingContext2D} ink
 */
export function typesetter(words, ink) {
  /** @type {number[]} */
  let widths = [];
  let last = "";
  /** @type {Page} */
  let page;

  /** Widths of the words at one pixel; again when the font has come. */
  function measure() {
    ink.font = `${MEASURED}px ${SERIF}`;
    widths = words.map((word) => ink.measureText(`${word} `).width / MEASURED);
    last = "";
  }

  /** @param {Rect} rect @param {number} size @returns {Rect[] | null} */
  function attempt({ x, y, w, h }, size) {
    const columns = w > WIDE ? 2 : 1;
    const gap = columns > 1 ? 28 : 0;
    const margin = w > WIDE ? 12 : 7;
    const column = (w - 2 * margin - gap * (columns - 1)) / columns;
    const lead = size * (size > READABLE ? LEAD : TIGHT);
    const lines = Math.floor((h - 2 * margin + 2) / lead);
    const cells = [];
    let line = 0;
    let left = 0;
    for (const width of widths) {
      const cell = width * size;
      if (left + cell > column + size * 0.25) {
        left = 0;
        line++;
      }
      const across = Math.floor(line / lines);
      if (across >= columns) return null;
      cells.push({
        x: x + margin + across * (column + gap) + left,
        y: y + margin + (line % lines) * lead,
        w: cell,
        h: lead,
      });
      left += cell;
    }
    return cells;
  }

  /** @param {Rect} rect @returns {Page} */
  function typeset(rect) {
    const name = [rect.x, rect.y, rect.w, rect.h].map(Math.round).join();
    if (name === last) return page;
    let size = LARGEST;
    let cells = attempt(rect, size);
    while (!cells && size > 2) {
      size -= size > READABLE ? 0.25 : 0.1;
      cells = attempt(rect, size);
    }
    last = name;
    page = { ...rect, cells: cells ?? [], size, isGreek: size < READABLE - 0.01 };
    return page;
  }

  measure();
  return { typeset, measure, width: (/** @type {number} */ i) => widths[i] };
}

/** The word at a point, or the nearest one. @param {Page} page @param {[number, number]} point */
export function nearest({ cells }, [x, y]) {
  const away = cells.map((cell) => {
    const across = Math.max(cell.x - x, 0, x - cell.x - cell.w);
    const down = Math.max(cell.y - y, 0, y - cell.y - cell.h);
    return across + 3 * down; // on the same line before on another
  });
  return away.indexOf(Math.min(...away));
}
