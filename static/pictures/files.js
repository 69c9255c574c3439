// A picture as a file: a drawing that needs no style sheet, with what it shows above it in words and
// the address that shows it again.

const { SVG, broken, element, set, shape } = await import("./tools.js" + new URL(import.meta.url).search);
const INLINED = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
  "stroke-linejoin", "paint-order", "opacity", "display", "font-size", "font-weight", "text-anchor",
];
const FONT = "Arial, Helvetica, sans-serif"; // the page's own letters do not reach a file
const LINE = 18; // pixels from one line of words to the next

// Every element gets the looks that it has now; `said` is a text, `address` stands below it, smaller.
function standalone(svg, background, said, address) {
  const copy = svg.cloneNode(true);
  const theirs = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((made, i) => {
    const looks = getComputedStyle(theirs[i]);
    for (const name of INLINED) made.style.setProperty(name, plain(looks.getPropertyValue(name)));
  });
  const shown = svg.getBoundingClientRect();
  const { width, height } = svg.viewBox.baseVal?.width ? svg.viewBox.baseVal : shown;
  const top = head(copy, width, plain(getComputedStyle(svg).color), said, address);
  const size = { width: shown.width, height: (shown.width / width) * (height + top) };
  copy.style.fontFamily = FONT;
  set(copy, { xmlns: SVG, ...size, viewBox: `0 ${-top} ${width} ${height + top}` });
  const paper = document.createElementNS(SVG, "rect");
  set(paper, { y: -top, width: "100%", height: "100%", fill: background });
  copy.prepend(paper);
  return { text: new XMLSerializer().serializeToString(copy), ...size };
}

// Writes lines above a drawing; returns their height.
function head(copy, width, ink, said, address) {
  const pen = element("canvas").getContext("2d");
  const lines = [[said, 13], [address, 11]].flatMap(([text, size]) => {
    pen.font = `${size}px ${FONT}`;
    return broken(text, width - 12, (words) => pen.measureText(words).width).map((words) => [words, size]);
  });
  const top = lines.length * LINE + 8;
  lines.forEach(([words, size], i) => {
    shape(copy, "text", { x: 6, y: (i + 1) * LINE - top, style: `fill: ${ink}; font-size: ${size}px` }, words);
  });
  return top;
}

// Mixed colours as programs know them that draw SVG.
function plain(value) {
  const [, ...parts] = value.match(/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)/) ?? [];
  return parts.length ? `rgb(${parts.map((part) => Math.round(255 * part)).join(", ")})` : value;
}

export async function save(svg, name, format, background, said, address) {
  const { text, width, height } = standalone(svg, background, said, address);
  const drawing = new Blob([text], { type: "image/svg+xml" });
  download(format === "svg" ? drawing : await raster(drawing, width, height), `${name}.${format}`);
}

async function raster(drawing, width, height) {
  const url = URL.createObjectURL(drawing);
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = element("canvas", { width: 2 * width, height: 2 * height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = element("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
