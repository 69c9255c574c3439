// A picture as a file: a drawing that needs no style sheet, at rest, laid out for its size, on paper
// with what it shows above it in words.

import { widthIn, wrap } from "../lines.js";
import { raster, savePng, saveSvg } from "../saving.js";
import { EDGE, LEADING, LETTER, set, standalone } from "../svg.js";
import { arrive, lay, measure, paint } from "./life.js";

// Lets everything arrive, lays it out for the size, and puts it back as it was.
export async function save(picture, format, asked) {
  const { kind, host, svg, data } = picture;
  const { width = host.clientWidth, height = 0, scale, letters, font } = asked;
  const times = letters ? letters / LETTER : 1,
    wide = width / times - 2 * EDGE;
  arrive(picture);
  const lines = inLines(letters ? data.take.title : (picture.said ?? ""), wide, font);
  const above = lines.length ? lines.length * (LETTER + LEADING) + EDGE : 0;
  host.style.setProperty("--st-font", font); // in which labels are measured
  // A slide is filled; on paper a picture is as high as it likes.
  const high = measure(picture, wide, letters ? height / times - above - 2 * EDGE : 0);
  kind.tell(picture);
  paint(picture);
  const paper = getComputedStyle(host).getPropertyValue("--st-background-color").trim() || "white";
  const { copy, shape } = standalone(svg, {
    wide,
    high,
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

const inLines = (text, wide, font) =>
  text ? wrap(text, (words) => widthIn(words, `${LETTER}px ${font}`) <= wide) : [];
