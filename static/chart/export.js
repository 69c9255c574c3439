// What a chart says of itself in a file, under its title.

const { search } = new URL(import.meta.url);
const load = (name) => import(name + search);
const [{ LETTER_WIDTH, LINE_HEIGHT }, { broken, sourceOf }] = await Promise.all([
  load("./look.js"),
  load("../saving.js"),
]);

const SMALLER = 0.85; // than the usual letters

// Where it comes from, in as many lines as that needs.
export function addSource(layout, source, width, times) {
  const lines = broken(
    sourceOf(source),
    width - 8,
    (text) => text.length * LETTER_WIDTH * SMALLER * times,
  );
  const small = lines.map((line) => `<span style="font-size: ${SMALLER}em">${line}</span>`);
  layout.title ??= { text: "" };
  const isAlone = !layout.title.text;
  layout.title.text = [layout.title.text, ...small].filter(Boolean).join("<br>");
  if (layout.title.pad && !isAlone) layout.title.pad.t += (LINE_HEIGHT / 2) * times * lines.length;
  layout.margin.t = (layout.margin.t ?? 40) + LINE_HEIGHT * times * lines.length;
}
