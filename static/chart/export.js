// A chart as a file: as on the screen, for slides or for print, in letters of a size that suits it,
// whole, and with the address that shows it again under its title.

const { search } = new URL(import.meta.url);
const load = (name) => import(name + search);
const [{ SMALL, typeFor }, { LINE_HEIGHT, wrap, LETTER_WIDTH }, { addressLine }] = await Promise.all([
  load("./enlarge.js"), load("./look.js"), load("../embed.js"),
]);

// Pixels of the drawing, how many of the file one of them becomes, and the letters. A column of print
// is 8.5 cm wide, a page 18 cm, both at 300 dots per inch.
export const SIZES = {
  screen: { scale: 2, type: SMALL },
  slide: { width: 1920, height: 1080, scale: 1, type: typeFor(28) },
  column: { width: 420, height: 315, scale: 2.4, type: SMALL },
  page: { width: 640, height: 400, scale: 3.3, type: SMALL },
};
// The page's own letters do not reach a file: other, wider ones would stand in the room that was
// measured for them, and a legend would be cut.
const FONTS = { sans: "Arial, Helvetica, sans-serif", serif: "Times New Roman, Times, serif" };

const kept = { size: "screen", font: "sans" };

export const chosen = () => ({ ...SIZES[kept.size], font: FONTS[kept.font] });

// The address in smaller letters under the title, in as many lines as it needs.
export function addAddress(layout, width, times) {
  const words = addressLine().replaceAll("<", "&lt;").replaceAll("&", " &");
  const most = Math.max(12, Math.floor((1.1 * width) / (LETTER_WIDTH * times)));
  const pieces = words.split(" ").flatMap((word) => word.match(new RegExp(`.{1,${most}}`, "g")) ?? []);
  const lines = wrap(pieces.join(" "), (text) => text.length <= most);
  const small = lines.map((line) => `<span style="font-size: 0.85em">${line}</span>`);
  layout.title ??= { text: "" };
  const isAlone = !layout.title.text;
  layout.title.text = [layout.title.text, ...small].filter(Boolean).join("<br>");
  if (layout.title.pad && !isAlone) layout.title.pad.t += (LINE_HEIGHT / 2) * times * lines.length;
  layout.margin.t = (layout.margin.t ?? 40) + LINE_HEIGHT * times * lines.length;
}

// Two rows of radio buttons; the choice holds for all pictures until the page is left.
export function chooseSize(host, words) {
  const dialog = document.createElement("dialog");
  dialog.className = "posenc-sizes";
  const rows = [["size", words.sizes, Object.keys(SIZES)], ["font", words.fonts, Object.keys(FONTS)]];
  for (const [name, legend, ids] of rows) {
    const field = dialog.appendChild(document.createElement("fieldset"));
    field.appendChild(document.createElement("legend")).textContent = legend;
    for (const id of ids) {
      const label = field.appendChild(document.createElement("label"));
      const input = Object.assign(document.createElement("input"), { type: "radio", name: `posenc-${name}`, value: id, checked: kept[name] === id });
      input.addEventListener("change", () => (kept[name] = id));
      label.append(input, " ", words[`${name}_${id}`]);
    }
  }
  const done = dialog.appendChild(document.createElement("button"));
  Object.assign(done, { type: "button", textContent: words.done, onclick: () => dialog.close() });
  dialog.addEventListener("close", () => dialog.remove());
  host.append(dialog);
  dialog.showModal();
}

export const SIZES_STYLES = `
  .posenc-sizes { border: 1px solid currentColor; border-radius: 0.5rem; padding: 1rem 1.25rem; color: var(--st-text-color); background: var(--st-background-color); font-size: 0.95rem; }
  .posenc-sizes fieldset { border: 0; padding: 0; margin: 0 0 0.75rem; display: grid; gap: 0.25rem; }
  .posenc-sizes legend { font-weight: 600; padding: 0 0 0.25rem; }
  .posenc-sizes button { font: inherit; color: inherit; background: none; border: 1px solid currentColor; border-radius: 0.4rem; padding: 0.2rem 0.9rem; cursor: pointer; }
`;
