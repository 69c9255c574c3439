// A picture as a file: as on the screen, for slides or for print, in letters of a size that suits it,
// as wide on paper as it was asked for. Where it comes from is written into the file, not on the
// picture.

import { sourceAddress } from "./embed.js";

// Pixels of the drawing, how many of the file one of them becomes, the smallest letters, the width
// on paper (at 96 pixels to an inch where none is asked for), and what a file's name ends with.
const SIZES = {
  screen: { scale: 2, letters: 0 },
  slide: { width: 1920, height: 1080, scale: 1, letters: 28, suffix: "-slide" },
  column: { width: 420, height: 315, scale: 2.4, letters: 0, mm: 85, suffix: "-column" },
  page: { width: 640, height: 400, scale: 3.3, letters: 0, mm: 180, suffix: "-page" },
};
// An SVG is drawn with the letters of whoever opens it: those that everybody has, for others, wider
// ones, would stand in the room that was measured for them, and a legend would be cut. Of a PNG they
// are the site's.
const FONTS = { sans: "Arial, Helvetica, sans-serif", serif: "Times New Roman, Times, serif" };
const SITE = "Source Sans";
const INCH = 25.4,
  PIXELS = 96;

export const sizeOf = (size, font) => ({
  ...SIZES[size],
  font: FONTS[font] ?? `'${SITE}', ${FONTS.sans}`,
});

// ---- files -------------------------------------------------------------------------------------

// `drawn` is the text of an SVG `width` and `height` pixels large.
export function saveSvg(name, drawn, { width, height }, { mm, suffix = "" }) {
  const drawing = new DOMParser().parseFromString(drawn, "image/svg+xml"),
    root = drawing.documentElement;
  const source = drawing.createElementNS("http://www.w3.org/2000/svg", "metadata");
  source.textContent = sourceAddress();
  root.prepend(source);
  if (!root.hasAttribute("viewBox")) root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.setAttribute("width", mm ? `${mm}mm` : width);
  root.setAttribute("height", mm ? `${(mm * height) / width}mm` : height);
  root.style.removeProperty("width");
  root.style.removeProperty("height");
  download(
    new Blob([new XMLSerializer().serializeToString(drawing)], { type: "image/svg+xml" }),
    `${name}${suffix}.svg`,
  );
}

// Bytes of a PNG of the text of an SVG, with an edge of paper around it.
export async function raster(text, width, height, { edge, color } = { edge: 0, color: "" }) {
  const letters = await siteLetters();
  const url = URL.createObjectURL(
    new Blob([text.replace(/<svg[^>]*>/, (start) => start + letters)], { type: "image/svg+xml" }),
  );
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  const [wide, high] = [Math.round(width), Math.round(height)];
  Object.assign(canvas, { width: wide + 2 * edge, height: high + 2 * edge });
  const pen = canvas.getContext("2d");
  if (edge) {
    pen.fillStyle = color;
    pen.fillRect(0, 0, canvas.width, canvas.height);
  }
  pen.drawImage(image, edge, edge, wide, high);
  URL.revokeObjectURL(url);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new Uint8Array(await blob.arrayBuffer());
}

// The style that gives an image the site's letters: it sees none of the page's own.
async function siteLetters() {
  const faces = [...document.styleSheets]
    .flatMap(({ cssRules }) => [...cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule && rule.style.fontStyle !== "italic");
  const face = faces.find(({ style }) => style.fontFamily.includes(SITE));
  const [, file] = face?.style.getPropertyValue("src").match(/url\("([^"]+)"\)/) ?? [];
  if (!file) return "";
  const sheet = face.parentStyleSheet.href ?? document.baseURI;
  const font = await (await fetch(new URL(file, sheet))).blob();
  const data = await new Promise((done) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(reader.result));
    reader.readAsDataURL(font);
  });
  return `<style>@font-face { font-family: "${SITE}"; font-weight: 100 900; src: url("${data}"); }</style>`;
}

// `bytes` are of a PNG that is `scale` times as wide as `width` pixels.
export function savePng(
  name,
  bytes,
  { width },
  { mm = (width / PIXELS) * INCH, scale, suffix = "" },
) {
  const density = (1000 * width * scale) / mm;
  download(new Blob(annotated(bytes, density), { type: "image/png" }), `${name}${suffix}.png`);
}

export function download(blob, name) {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

const HEAD = 33; // bytes of a PNG before its second chunk

// A PNG that says how many of its pixels are a metre, and where it comes from.
function annotated(bytes, density) {
  const physical = new DataView(new ArrayBuffer(9));
  for (const at of [0, 4]) physical.setUint32(at, Math.round(density));
  physical.setUint8(8, 1); // of metres
  const source = new TextEncoder().encode(`Source\0${sourceAddress()}`); // an address is ASCII
  return [
    bytes.subarray(0, HEAD),
    chunk("pHYs", new Uint8Array(physical.buffer)),
    chunk("tEXt", source),
    bytes.subarray(HEAD),
  ];
}

function chunk(name, content) {
  const made = new Uint8Array(content.length + 12);
  const view = new DataView(made.buffer);
  view.setUint32(0, content.length);
  made.set(new TextEncoder().encode(name), 4);
  made.set(content, 8);
  view.setUint32(content.length + 8, checksum(made.subarray(4, -4)));
  return made;
}

function checksum(bytes) {
  // CRC-32
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}

// ---- for print -----------------------------------------------------------------------------------

const STYLES = `
  .posenc-print { border: 1px solid currentColor; border-radius: 0.5rem; padding: 1rem 1.25rem; color: var(--st-text-color); background: var(--st-background-color); font-size: 0.95rem; }
  .posenc-print fieldset { border: 0; padding: 0; margin: 0 0 0.75rem; display: grid; gap: 0.25rem; }
  .posenc-print legend { font-weight: 600; padding: 0 0 0.25rem; }
  .posenc-print p { display: flex; gap: 0.5rem; margin: 0; }
  .posenc-print button { font: inherit; color: inherit; background: none; border: 1px solid currentColor; border-radius: 0.4rem; padding: 0.2rem 0.9rem; cursor: pointer; }
`;

// Asks how wide and in which letters, and saves as often as is asked.
export function choosePrint(host, words, save) {
  const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);
  const dialog = make("dialog", { className: "posenc-print", ariaLabel: words.print });
  const chosen = { size: "column", font: "sans" };
  const rows = [
    ["size", words.sizes, ["column", "page"]],
    ["font", words.fonts, Object.keys(FONTS)],
  ];
  for (const [name, legend, ids] of rows) {
    const field = dialog.appendChild(make("fieldset"));
    field.append(make("legend", { textContent: legend }));
    for (const id of ids) {
      const label = field.appendChild(make("label"));
      const checked = chosen[name] === id;
      const input = make("input", { type: "radio", name: `posenc-${name}`, value: id, checked });
      input.addEventListener("change", () => (chosen[name] = id));
      label.append(input, " ", words[`${name}_${id}`]);
    }
  }
  const buttons = dialog.appendChild(make("p"));
  const saved = (format) => () => save(format, sizeOf(chosen.size, chosen.font));
  for (const [textContent, onclick] of [
    [words.png, saved("png")],
    [words.svg, saved("svg")],
    [words.done, () => dialog.close()],
  ])
    buttons.append(make("button", { type: "button", textContent, onclick }));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(make("style", { textContent: STYLES }));
  host.append(dialog);
  dialog.showModal();
}
