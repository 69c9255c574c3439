// A step's picture as a slide: 1920 × 1080, on the page's paper, with the step's title above it.

import { raster, savePng, sizeOf } from "./saving.js";
import { shape, standalone } from "./svg.js";

const TITLE = 26; // pixels of its letters, in those of the picture

export async function saveSlide(drawing, title, name) {
  const asked = sizeOf("slide");
  const { width, height, font } = asked;
  const { width: wide, height: high } = drawing.viewBox.baseVal;
  const paper = getComputedStyle(document.body).backgroundColor;
  const look = { wide, high, paper, font, lines: [title], letter: TITLE, shape: height / width };
  const { copy } = standalone(drawing, look);
  const canvas = drawing.parentElement?.querySelector("canvas"); // what is drawn below the picture
  if (canvas) {
    const { opacity } = getComputedStyle(canvas);
    const below = { x: 0, y: 0, width: wide, height: high, opacity, href: canvas.toDataURL() };
    copy.firstElementChild?.after(shape(copy, "image", below));
  }
  const text = new XMLSerializer().serializeToString(copy).replace(/<!--.*?-->/gs, ""); // lit's marks
  savePng(name, await raster(text, width, height), { width }, asked);
}
