// Shapes of a drawing, and a copy of it that needs no style sheet: as a file has it.

export const SVG = "http://www.w3.org/2000/svg";

export function shape(parent, tag, attributes = {}, text) {
  const made = document.createElementNS(SVG, tag);
  set(made, attributes);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

export function set(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
}

// ---- files ---------------------------------------------------------------------------------------

export const LETTER = 13, // pixels
  LEADING = 5, // between two lines of words
  EDGE = 8; // around a drawing
const MARKS = ".square"; // what shows the reader's place, and is not part of the picture
const INLINED = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "paint-order",
  "opacity",
  "display",
  "visibility",
  "font-size",
  "font-style",
  "font-weight",
  "text-anchor",
];

// The copy has the looks of now, is `wide` and `high`, on paper, with lines of words above it; labels
// may stand over its edge. The file is `shape` times as high as wide, if that is told.
export function standalone(svg, { wide, high, paper, font, lines, letter = LETTER, shape: asked }) {
  const copy = svg.cloneNode(true);
  const theirs = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((made, i) => {
    const looks = getComputedStyle(theirs[i]);
    for (const name of INLINED) made.style.setProperty(name, plain(looks.getPropertyValue(name)));
  });
  for (const mark of copy.querySelectorAll(MARKS)) mark.remove();
  const line = letter + LEADING;
  const above = lines.length ? lines.length * line + EDGE : 0;
  const box = svg.getBBox();
  let left = Math.min(0, box.x) - EDGE;
  const top = Math.min(0, box.y) - above - EDGE;
  let width = Math.max(wide, box.x + box.width) + EDGE - left;
  let height = Math.max(high, box.y + box.height) + EDGE - top;
  if (asked) {
    const needed = width;
    [width, height] = [Math.max(width, height / asked), Math.max(height, width * asked)];
    left -= (width - needed) / 2;
  }
  const ink = plain(getComputedStyle(svg).color);
  lines.forEach((words, i) => {
    shape(
      copy,
      "text",
      {
        x: left + EDGE,
        y: top + EDGE + (i + 0.8) * line,
        style: `fill: ${ink}; font-size: ${letter}px`,
      },
      words,
    );
  });
  copy.style.fontFamily = font;
  set(copy, { xmlns: SVG, viewBox: `${left} ${top} ${width} ${height}` });
  copy.prepend(shape(copy, "rect", { x: left, y: top, width, height, fill: paper }));
  return { copy, shape: height / width };
}

// Mixed colours as programs know them that draw SVG.
function plain(value) {
  const [, ...parts] = value.match(/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)/) ?? [];
  return parts.length ? `rgb(${parts.map((part) => Math.round(255 * part)).join(", ")})` : value;
}
