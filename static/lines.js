// Where a line of words may break, and how wide its letters are, in any language.

// Letters of Chinese, Japanese and Korean, and their punctuation: each is as wide as it is high.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/gu;
const BEGINS_WIDE = new RegExp(`^(?:${WIDE.source})`, "u");
const ENDS_WIDE = new RegExp(`(?:${WIDE.source})$`, "u");
const OPENING = /[\p{Ps}\p{Pi}]$/u; // what may not end a line
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** How many letters of English a text is as wide as. @param {string} text */
export const letters = (text) => text.length + (text.match(WIDE)?.length ?? 0);

/** @type {CanvasRenderingContext2D | null} */
let pen = null;

/** Pixels that a text takes. @param {string} text @param {string} font As in CSS. */
export function widthIn(text, font) {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return 0;
  pen.font = font;
  return pen.measureText(text).width;
}

/** Whether a line may break between two words that no space divides. @param {string} before @param {string} after */
const isOpen = (before, after) => ENDS_WIDE.test(before) || BEGINS_WIDE.test(after);

/**
 * A text in pieces between which a line may break; the space after a word belongs to it.
 * English breaks at spaces alone, Chinese between words.
 * @param {string} text
 */
export function pieces(text) {
  /** @type {string[]} */
  const found = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const last = found.at(-1) ?? "";
    const isSpace = !segment.trim();
    const mayBegin = (isWordLike || OPENING.test(segment)) && !OPENING.test(last);
    const breaks = !isSpace && (/[ \n\u3000]$/.test(last) || (mayBegin && isOpen(last, segment)));
    if (!found.length || breaks) found.push(segment);
    else found[found.length - 1] += segment;
  }
  return found;
}

/**
 * A text in as few lines as fit; a word that does not fit has a line of its own.
 * @param {string} text @param {(line: string) => boolean} fits
 */
export function wrap(text, fits) {
  const lines = [""];
  for (const piece of pieces(text)) {
    const longer = lines.at(-1) + piece;
    if (longer === piece || fits(longer.trimEnd())) lines[lines.length - 1] = longer;
    else lines.push(piece);
  }
  return lines.map((line) => line.trimEnd());
}

/** Lines as the one text that was broken into them. @param {string[]} lines */
export const joined = (lines) =>
  lines.reduce((text, line) => text + (isOpen(text, line) ? "" : " ") + line);
