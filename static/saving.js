// A picture as a file: as on the screen, for slides or for print, in letters of a size that suits it,
// as wide on paper as it was asked for, and with where it comes from.

const { search } = new URL(import.meta.url);
const { addressHere } = await import("./embed.js" + search);

// Pixels of the drawing, how many of the file one of them becomes, the smallest letters, and the width
// on paper: at 96 pixels to an inch where none is asked for.
export const SIZES = {
  screen: { scale: 2, letters: 0 },
  slide: { width: 1920, height: 1080, scale: 1, letters: 28 },
  column: { width: 420, height: 315, scale: 2.4, letters: 0, mm: 85 },
  page: { width: 640, height: 400, scale: 3.3, letters: 0, mm: 180 },
};
// The page's own letters do not reach a file: other, wider ones would stand in the room that was
// measured for them, and a legend would be cut.
const FONTS = { sans: "Arial, Helvetica, sans-serif", serif: "Times New Roman, Times, serif" };
const INCH = 25.4,
  PIXELS = 96;

const kept = { size: "screen", font: "sans" };

export const chosen = () => ({ ...SIZES[kept.size], font: FONTS[kept.font] });

// Whose a picture is, where it is found again and what may be done with it.
export const sourceOf = ({ name, licence }) => `${name} · ${addressHere().href} · ${licence}`;

// A text in lines that are no wider than `most`, as `long` measures them; an address is broken before
// an "&", and anywhere where it has none.
export function broken(text, most, long) {
  const lines = [""];
  const put = (piece) => {
    const longer = lines.at(-1) + piece;
    if (long(longer) <= most) lines[lines.length - 1] = longer;
    else if (long(piece) <= most) lines.push(piece.trimStart());
    else for (const letter of piece) put(letter);
  };
  for (const piece of text.match(/[ &?]?[^ &?]+/g) ?? []) put(piece);
  return lines.filter(Boolean);
}

// ---- files -------------------------------------------------------------------------------------

// `drawn` is the text of an SVG `width` and `height` pixels large.
export function saveSvg(name, drawn, { width, height }) {
  const drawing = new DOMParser().parseFromString(drawn, "image/svg+xml"),
    root = drawing.documentElement;
  const { mm } = chosen();
  if (!root.hasAttribute("viewBox")) root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.setAttribute("width", mm ? `${mm}mm` : width);
  root.setAttribute("height", mm ? `${(mm * height) / width}mm` : height);
  root.style.removeProperty("width");
  root.style.removeProperty("height");
  download(
    new Blob([new XMLSerializer().serializeToString(drawing)], { type: "image/svg+xml" }),
    `${name}.svg`,
  );
}

// `bytes` are of a PNG that is `scale` times as wide as `width` pixels.
export function savePng(name, bytes, { width }) {
  const { mm = (width / PIXELS) * INCH, scale } = chosen();
  download(
    new Blob(dense(bytes, (1000 * width * scale) / mm), { type: "image/png" }),
    `${name}.png`,
  );
}

function download(blob, name) {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

const HEAD = 33; // bytes of a PNG before its second chunk

// A PNG that says how many of its pixels are a metre: a chunk `pHYs` after the first one.
function dense(bytes, pixels) {
  const chunk = new DataView(new ArrayBuffer(21));
  chunk.setUint32(0, 9);
  [..."pHYs"].forEach((letter, at) => chunk.setUint8(4 + at, letter.charCodeAt(0)));
  for (const at of [8, 12]) chunk.setUint32(at, Math.round(pixels));
  chunk.setUint8(16, 1); // of metres
  chunk.setUint32(17, checksum(new Uint8Array(chunk.buffer, 4, 13)));
  return [bytes.subarray(0, HEAD), chunk, bytes.subarray(HEAD)];
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

// ---- what is asked for ---------------------------------------------------------------------------

const STYLES = `
  .posenc-sizes { border: 1px solid currentColor; border-radius: 0.5rem; padding: 1rem 1.25rem; color: var(--st-text-color); background: var(--st-background-color); font-size: 0.95rem; }
  .posenc-sizes fieldset { border: 0; padding: 0; margin: 0 0 0.75rem; display: grid; gap: 0.25rem; }
  .posenc-sizes legend { font-weight: 600; padding: 0 0 0.25rem; }
  .posenc-sizes button { font: inherit; color: inherit; background: none; border: 1px solid currentColor; border-radius: 0.4rem; padding: 0.2rem 0.9rem; cursor: pointer; }
`;

// Two rows of radio buttons; the choice holds for all pictures until the page is left.
export function chooseSize(host, words) {
  const dialog = document.createElement("dialog");
  dialog.className = "posenc-sizes";
  const rows = [
    ["size", words.sizes, Object.keys(SIZES)],
    ["font", words.fonts, Object.keys(FONTS)],
  ];
  for (const [name, legend, ids] of rows) {
    const field = dialog.appendChild(document.createElement("fieldset"));
    field.appendChild(document.createElement("legend")).textContent = legend;
    for (const id of ids) {
      const label = field.appendChild(document.createElement("label"));
      const input = Object.assign(document.createElement("input"), {
        type: "radio",
        name: `posenc-${name}`,
        value: id,
        checked: kept[name] === id,
      });
      input.addEventListener("change", () => (kept[name] = id));
      label.append(input, " ", words[`${name}_${id}`]);
    }
  }
  const done = dialog.appendChild(document.createElement("button"));
  Object.assign(done, { type: "button", textContent: words.done, onclick: () => dialog.close() });
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(Object.assign(document.createElement("style"), { textContent: STYLES }));
  host.append(dialog);
  dialog.showModal();
}
