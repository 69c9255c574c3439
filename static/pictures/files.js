// A picture as a file: a drawing that needs no style sheet, at rest, laid out for its size, on paper
// with what it shows above it in words.

import { widthIn, wrap } from "../lines.js";
import { raster, savePng, saveSvg } from "../saving.js";
import { arrive, lay, measure, paint } from "./life.js";
import { SVG, set, shape } from "./tools.js";

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
  "font-size",
  "font-weight",
  "text-anchor",
];
const LINE = 18; // pixels from one line of words to the next
const EDGE = 8; // pixels around a drawing
const LETTER = 13; // pixels
const MARKS = ".square"; // what shows the reader's place, and is not part of the picture

// Lets everything arrive, lays it out for the size, and puts it back as it was.
export async function save(picture, format, asked) {
  const { kind, host, svg, data } = picture;
  const { width = host.clientWidth, height = 0, scale, letters, font } = asked;
  const times = letters ? letters / LETTER : 1,
    wide = width / times - 2 * EDGE;
  arrive(picture);
  const lines = inLines(letters ? data.take.title : (picture.said ?? ""), wide, font);
  const above = lines.length ? lines.length * LINE + EDGE : 0;
  host.style.setProperty("--st-font", font); // in which labels are measured
  // A slide is filled; on paper a picture is as high as it likes.
  const high = measure(picture, wide, letters ? height / times - above - 2 * EDGE : 0);
  kind.tell(picture);
  paint(picture);
  const paper = getComputedStyle(host).getPropertyValue("--st-background-color").trim() || "white";
  const { copy, shape } = standalone(svg, {
    wide,
    high,
    above,
    paper,
    font,
    lines,
    shape: letters ? height / width : 0,
  });
  host.style.removeProperty("--st-font");
  lay(picture);
  const size = { width, height: shape * width };
  set(copy, size);
  const text = new XMLSerializer().serializeToString(copy).replace(/<!--.*?-->/gs, ""); // lit's marks
  const { name } = data.take;
  if (format === "svg") saveSvg(name, text, size, asked);
  else savePng(name, await raster(text, scale * size.width, scale * size.height), size, asked);
}

// Every element gets the looks that it has now; labels may stand over the edge of their drawing. The
// file is `shape` times as high as wide, if that is told.
function standalone(svg, { wide, high, above, paper, font, lines, shape: asked }) {
  const copy = svg.cloneNode(true);
  const theirs = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((made, i) => {
    const looks = getComputedStyle(theirs[i]);
    for (const name of INLINED) made.style.setProperty(name, plain(looks.getPropertyValue(name)));
  });
  for (const mark of copy.querySelectorAll(MARKS)) mark.remove();
  const box = svg.getBBox();
  const left = Math.min(0, box.x) - EDGE,
    top = Math.min(0, box.y) - above - EDGE;
  let width = Math.max(wide, box.x + box.width) + EDGE - left;
  let height = Math.max(high, box.y + box.height) + EDGE - top;
  if (asked) [width, height] = [Math.max(width, height / asked), Math.max(height, width * asked)];
  const ink = plain(getComputedStyle(svg).color);
  lines.forEach((words, i) => {
    shape(
      copy,
      "text",
      {
        x: left + EDGE,
        y: top + EDGE + (i + 0.8) * LINE,
        style: `fill: ${ink}; font-size: ${LETTER}px`,
      },
      words,
    );
  });
  copy.style.fontFamily = font;
  set(copy, { xmlns: SVG, viewBox: `${left} ${top} ${width} ${height}` });
  const back = document.createElementNS(SVG, "rect");
  set(back, { x: left, y: top, width, height, fill: paper });
  copy.prepend(back);
  return { copy, shape: height / width };
}

const inLines = (text, wide, font) =>
  text ? wrap(text, (words) => widthIn(words, `${LETTER}px ${font}`) <= wide) : [];

// Mixed colours as programs know them that draw SVG.
function plain(value) {
  const [, ...parts] = value.match(/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)/) ?? [];
  return parts.length ? `rgb(${parts.map((part) => Math.round(255 * part)).join(", ")})` : value;
}
