// How a chart looks here: the reader's theme, the width of the screen.

import { joined, letters, wrap } from "../lines.js";

const AXIS = /^[xy]axis\d*$/;
const GRID = "rgba(128, 128, 128, 0.28)";
const PANEL_WIDTH = 170; // narrower panels go to the next row
const LABELLED_WIDTH = 175; // and those with labels on their axes
const ON_A_PHONE = 420; // pixels of a chart, and the most squares that stand below each other there
const FEW = 4;
const PANEL_GAP = 30; // pixels between two rows of panels: the name of the lower one, and a mark
const MENU = { height: 30, width: 250 }; // pixels of what stands in the upper right corner
const NARROW = 520; // pixels of a chart whose title stands below the menu
const COLOR_BAR = 84; // pixels beside a matrix
const BAR_ABOVE = { height: 34, gap: 4, name: 22 }; // pixels above matrices, and below it
export const LETTER_WIDTH = 7.5;
export const LINE_HEIGHT = 18; // as plots/style.py counts it
const PHONE = 640; // pixels of the window, where columns lie below one another
const LEGEND = { letter: 6.5, symbol: 45, line: 19 }; // pixels of an entry below the drawing
const LABEL_SPACE = 11; // pixels between two labels that can be told apart
const LETTER_SPACE = 9; // the same of single letters in a row, which stand upright
const LETTER = 6.5; // pixels of a letter within a word, of the usual size
const USUAL = 12, // pixels of letters
  SMALLEST = 10,
  APART = 2; // two words
const SPACES = /[␣¶]/u; // between words
const LETTERS = 12; // pixels of the letters in a cell
const LEAST_LETTERS = 9;
const DIGIT = 0.5; // width of a digit, of its height
const LARGE = 2;
const TINY = 0.1; // where all numbers are smaller, two decimals would say nothing

export function axes(layout) {
  return Object.keys(layout).filter((name) => AXIS.test(name));
}

// Panels side by side: as many as there are columns and the width allows. Where the height is settled
// (0 where it is not), squares stand so that they are largest.
export function panelsAcross({ meta, margin }, width, height) {
  if (!meta?.panels) return 1;
  const least = meta.labelled ? LABELLED_WIDTH : PANEL_WIDTH;
  const most = Math.max(1, Math.min(meta.columns, Math.floor(width / least)));
  if (!height || !meta.square) return most;
  const { l, r, t, b } = margin;
  const side = (across) => {
    const down = Math.ceil(meta.panels / across);
    return Math.min((width - l - r) / across, (height - t - b - PANEL_GAP * (down - 1)) / down);
  };
  const counts = Array.from({ length: most }, (_, less) => most - less);
  return counts.reduce((best, across) => (side(across) > side(best) ? across : best));
}

// A few squares stand below each other in the width of a phone, where side by side they are small.
export function areStacked({ meta }, width) {
  return Boolean(meta?.square) && meta.panels <= FEW && width < ON_A_PHONE;
}

// How many of them stand side by side: two, to be compared in one window, where their names have room.
// `widthOf` are the pixels of a name.
export function stackedAcross({ meta, margin, annotations = [] }, width, widthOf) {
  const longest = Math.max(0, ...annotations.map(({ text }) => widthOf(text)));
  return longest > (width - margin.l) / 2 ? 1 : Math.min(meta.panels, 2);
}

// Matrices with as many rows as columns are squares: what is too much of the width stands beside them,
// and what is too much of the height is given back, or where the size is settled stands around them.
// `least` are the margins that an earlier drawing has needed. Returns the size that is used.
export function squarePanes(layout, data, width, height, { times, least = {}, isSettled }) {
  if (!layout.meta?.square) return { width, height };
  const { l, r, t, b } = layout.margin;
  const bar = data.some(hasBarBeside);
  const margin = {
    l: Math.max(l, least.l ?? 0),
    r: Math.max(r, bar ? COLOR_BAR * times : 0, least.r ?? 0),
    t,
    b: Math.max(b, least.b ?? 0),
  };
  const share = ({ domain: [start, end] = [0, 1] }) => end - start;
  const across = share(layout.xaxis);
  const rows = rowsOfPanels(layout);
  const gaps = PANEL_GAP * times * (rows - 1);
  const side = Math.min(
    (width - margin.l - margin.r) * across,
    (height - margin.t - margin.b - gaps) / rows,
  );
  const drawing = side * rows + gaps;
  if (rows > 1) placeRows(layout, rows, (PANEL_GAP * times) / drawing);
  const used = {
    width: margin.l + side / across + margin.r,
    height: margin.t + drawing + margin.b,
  };
  const beside = width - used.width,
    below = height - used.height;
  if (isSettled && layout.title?.pad) layout.title.pad.t += below / 2;
  layout.margin = isSettled
    ? {
        l: margin.l + beside / 2,
        r: margin.r + beside / 2,
        t: margin.t + below / 2,
        b: margin.b + below / 2,
      }
    : { ...margin, r: margin.r + beside };
  return isSettled ? { width, height } : used;
}

const hasBarBeside = ({ type, showscale, colorbar }) =>
  type === "heatmap" && showscale !== false && colorbar?.orientation !== "h";

// On a phone the bar of the colours stands above the matrices: beside them it would take a quarter
// of their width. `times` is how much larger than usual the letters are. A matrix whose cells hold their numbers needs none. Returns the height it takes.
// `least` are the margins that an earlier drawing has needed.
export function barAbove({ margin }, data, width, { times, least = {} }) {
  const bars = data.filter(hasBarBeside);
  if (width > NARROW || !bars.length) return 0;
  const [{ texttemplate, text, z }] = data;
  const beside = Math.max(margin.l, least.l ?? 0) + Math.max(margin.r, least.r ?? 0);
  const cell = (width - beside) / times / z[0].length;
  if (data.length === 1 && texttemplate && fitted(text, cell).size >= LEAST_LETTERS) {
    data[0].showscale = false;
    return 0;
  }
  const place = { x: 0.5, xanchor: "center", xpad: 0, yanchor: "bottom", ypad: 0 };
  for (const trace of bars)
    trace.colorbar = { ...trace.colorbar, ...place, orientation: "h", thickness: 8 };
  const above = BAR_ABOVE.height * times;
  margin.t += above;
  return above;
}

// Above the names of panels, once it is known how high these are.
export function liftBar({ meta, margin }, data, height, times) {
  const below = (meta?.panels ? BAR_ABOVE.name : BAR_ABOVE.gap) * times;
  for (const { colorbar } of data)
    if (colorbar?.orientation === "h") colorbar.y = 1 + below / (height - margin.t - margin.b);
}

// Panels side by side as the width allows; returns the height that keeps their size, or the same
// height where that is all there is.
export function placePanels(layout, across, height, isAll) {
  const { panels, columns } = layout.meta ?? {};
  if (!panels || across === columns) return height;
  const down = Math.ceil(panels / across);
  const total = isAll ? height : (height * down) / Math.ceil(panels / columns);
  const titles = { x: layout["xaxis" + (panels > 1 ? panels : "")].title, y: layout.yaxis.title };
  const gapX = 0.05,
    gapY = Math.min(PANEL_GAP / total, 0.3 / down);
  const wide = (1 - gapX * (across - 1)) / across,
    high = (1 - gapY * (down - 1)) / down;
  for (let index = 0; index < panels; index++) {
    const suffix = index ? index + 1 : "";
    const left = (index % across) * (wide + gapX);
    const bottom = (down - 1 - Math.floor(index / across)) * (high + gapY);
    place(layout["xaxis" + suffix], left, wide, index + across >= panels, titles.x);
    place(layout["yaxis" + suffix], bottom, high, index % across === 0, titles.y);
  }
  return total;
}

function rowsOfPanels(layout) {
  const vertical = axes(layout).filter((name) => name[0] === "y");
  return new Set(vertical.map((name) => layout[name].domain?.[0] ?? 0)).size;
}

// The rows of panels with a gap between them, as a share of the drawing: it is fixed in pixels, and
// squares settle only at the end how high the drawing is.
function placeRows(layout, rows, gap) {
  const high = (1 - gap * (rows - 1)) / rows;
  const vertical = axes(layout).filter((name) => name[0] === "y");
  const tops = [...new Set(vertical.map((name) => layout[name].domain[0]))].sort((a, b) => b - a);
  for (const name of vertical) {
    const start = (rows - 1 - tops.indexOf(layout[name].domain[0])) * (high + gap);
    layout[name].domain = [start, Math.min(start + high, 1)];
  }
}

function place(axis, start, size, labelled, title) {
  Object.assign(axis, {
    domain: [start, Math.min(start + size, 1)],
    showticklabels: labelled,
    title: labelled ? title : { text: "" },
  });
}

export function theme(host) {
  const css = getComputedStyle(host);
  const get = (name) => css.getPropertyValue("--st-" + name).trim();
  return {
    isDark: css.colorScheme === "dark",
    text: get("text-color"),
    background: get("background-color"),
    font: get("font"),
  };
}

export function setTheme(layout, { text, background, font }) {
  layout.font = { ...layout.font, color: text, family: font };
  layout.hoverlabel = {
    bgcolor: background,
    bordercolor: text,
    font: { color: text, family: font },
    align: "left",
  };
  for (const name of axes(layout)) {
    Object.assign(layout[name], { gridcolor: GRID, linecolor: GRID, tickcolor: GRID });
  }
  if (matchMedia("(pointer: coarse)").matches) layout.dragmode = false; // a finger scrolls the page
}

// Room for the menu, where a title of one line has none beside it: the title goes below.
export function placeMenu({ title = {}, margin }, width, times = 1) {
  const text = joined((title.text ?? "").split("<br>"));
  if (text && width > NARROW && letters(text) * LETTER_WIDTH * times <= width - MENU.width) return;
  margin.t += MENU.height;
  if (title.pad) title.pad.t += MENU.height;
}

// Colours that are too faint on dark paper, with those that take their place there.
export function recolour(item, onDark) {
  for (const [name, value] of Object.entries(item)) {
    if (name === "color" && typeof value === "string") item.color = onDark[value] ?? value;
    else if (name === "color" && Array.isArray(value))
      item.color = value.map((one) => onDark[one] ?? one);
    else if (
      Array.isArray(value)
        ? typeof value[0] === "object"
        : value && typeof value === "object" && !ArrayBuffer.isView(value)
    )
      recolour(value, onDark);
  }
}

// Titles come wrapped for a phone; lines are as long as the column is wide. `times` is how much
// larger than usual the letters are.
export function wrapTitle({ title, margin }, width, times = 1) {
  const lines = title?.text?.split("<br>") ?? [];
  if (!lines.length || !title.pad) return;
  const wrapped = wrap(joined(lines), (text) => letters(text) * LETTER_WIDTH * times <= width);
  const more = wrapped.length - lines.length;
  title.text = wrapped.join("<br>");
  margin.t += LINE_HEIGHT * times * more;
  title.pad.t += (LINE_HEIGHT / 2) * times * more;
}

// Where the drawing stands alone its title begins where its axis does, if a line of it has room there.
export function titleOverAxis({ title, margin }, width, times = 1) {
  const longest = Math.max(...(title?.text ?? "").split("<br>").map(letters));
  if (!title?.pad || longest * LETTER_WIDTH * times > width - margin.l) return;
  Object.assign(title, { xref: "paper", x: 0 });
  title.pad.l = 0;
}

// In a frame of a few lines the drawing keeps the room: the page that the frame leads to has the names.
export function bare(layout) {
  layout.showlegend = false;
  layout.annotations = [];
  for (const name of axes(layout)) layout[name].title = undefined;
  layout.margin = { ...layout.margin, l: 40, b: 24 };
}

// Numbers that do not fit their cells have two digits and smaller letters, or are left to the hover
// text. `times` is how much larger than usual the letters are.
export function fitText(data, { margin }, width, times = 1) {
  const pane = (width - margin.l - margin.r) / times;
  for (const trace of data) {
    if (!trace.texttemplate || !trace.z) continue;
    const cell = pane / trace.z[0].length;
    const { texts, size } = fitted(trace.text, cell);
    trace.text = texts;
    if (size < LEAST_LETTERS) delete trace.texttemplate;
    else if (size < LETTERS) trace.textfont = { ...trace.textfont, size: size * times };
  }
}

// Texts of cells with as few decimals as they have to have, the same in all cells, and pixels of the
// letters that then fit.
function fitted(texts, cell) {
  const all = () => texts.flat();
  const room = () => {
    const letters = Math.max(...all().map((text) => text.length));
    return Math.floor(cell / (DIGIT * (letters + 0.5)));
  };
  if (all().every((text) => !text.includes("."))) return { texts, size: room() };
  const someAbove = (least) => all().some((text) => Math.abs(numberOf(text)) >= least);
  const shorten = (decimals) => {
    texts = texts.map((row) => row.map((text) => withDecimals(text, decimals)));
  };
  if (room() < LETTERS && someAbove(TINY)) shorten(2);
  // One decimal says something of numbers of which some are larger than one.
  if (room() < LEAST_LETTERS && someAbove(LARGE)) shorten(1);
  return { texts, size: room() };
}

const numberOf = (text) => Number(text.replace("\u2212", "-"));

// "−0.989" as "−0.99"; whole numbers and what has no more decimals stay as they are.
export function withDecimals(text, count) {
  const decimals = text.split(".")[1]?.length ?? 0;
  const value = numberOf(text);
  if (decimals <= count || !Number.isFinite(value)) return text;
  const short = value.toFixed(count);
  return short.replace("-", Number(short) ? "\u2212" : "");
}

// What the further lines of a legend take below the drawing, so that it keeps its height on a phone;
// where charts stand side by side they stay equally tall.
export function legendHeight({ showlegend, legend }, data, width) {
  if (innerWidth > PHONE || !showlegend || legend?.orientation !== "h") return 0;
  const names = data.filter((trace) => trace.showlegend !== false).map((trace) => trace.name ?? "");
  const entry = LEGEND.letter * Math.max(...names.map(letters)) + LEGEND.symbol;
  const across = Math.max(1, Math.floor(width / entry));
  return (Math.ceil(names.length / across) - 1) * LEGEND.line;
}

// Labels that would lie upon each other stand at every nth place, the same on both axes; letters of
// one text are written as words.
export function thinLabels(layout, width, height) {
  const { l = 0, r = 0, t = 0, b = 0 } = layout.margin ?? {};
  const labelled = axes(layout).filter((name) => layout[name].tickvals && layout[name].ticktext);
  const rooms = labelled.map((name) => {
    const axis = layout[name];
    const { tickvals, domain = [0, 1] } = axis;
    const across = name[0] === "x";
    const pixels = (across ? width - l - r : height - t - b) * (domain[1] - domain[0]);
    const each = pixels / tickvals.length;
    const isText = ofText(axis);
    if (isText && across) axis.tickangle = 0;
    return { axis, across, each, isText, space: isText && across ? LETTER_SPACE : LABEL_SPACE };
  });
  const tight = rooms.filter(({ each, space }) => each < space);
  const steps = tight.map(({ isText, each, space }) => (isText ? 1 : Math.ceil(space / each)));
  const step = Math.max(1, ...steps);
  const some = (list) => Array.from(list).filter((_, index) => index % step === 0);
  for (const { axis, across, each, isText } of rooms)
    if (!isText)
      Object.assign(axis, { tickvals: some(axis.tickvals), ticktext: some(axis.ticktext) });
    else if (tight.length) Object.assign(axis, wordsOf(axis, each, across));
}

// Letters that follow each other, with marks for what lies between words.
function ofText({ tickvals, ticktext }) {
  const labels = Array.from(ticktext);
  return (
    tickvals[1] - tickvals[0] === 1 &&
    labels.some((one) => SPACES.test(one)) &&
    labels.every((one) => /^(&\w+;|.)$/u.test(one))
  );
}

// A label for each word, in the middle of its letters, which are smaller where they have less room;
// one that would lie upon the one before is left out.
function wordsOf({ tickvals, ticktext, tickfont }, each, across) {
  const found = []; // letters of a word, and where the first and the last one stand
  let isIn = false;
  Array.from(ticktext).forEach((letter, i) => {
    const isLetter = !SPACES.test(letter);
    if (isLetter && isIn) {
      found.at(-1).letters.push(letter);
      found.at(-1).to = tickvals[i];
    } else if (isLetter) found.push({ letters: [letter], from: tickvals[i], to: tickvals[i] });
    isIn = isLetter;
  });
  const size = Math.max(SMALLEST, Math.min(USUAL, (USUAL * each) / LETTER));
  let end = -Infinity; // in pixels
  const shown = found.filter(({ letters, from, to }) => {
    const half = (across ? (letters.length * LETTER * size) / USUAL : LABEL_SPACE) / 2;
    const middle = ((from + to) / 2) * each;
    if (middle - half < end) return false;
    end = middle + half + APART;
    return true;
  });
  return {
    tickvals: shown.map(({ from, to }) => (from + to) / 2),
    ticktext: shown.map(({ letters }) => letters.join("")),
    ...(across ? { tickfont: { ...tickfont, size } } : {}),
  };
}

// Zoomed in, a logarithmic axis writes the first digits between two powers of ten alone: whole
// numbers take their place. `own` are the formats before that.
export function digitFormats(layout, drawn, own) {
  return axes(layout)
    .filter((name) => drawn[name].type === "log")
    .map((name) => {
      return [name, own[name] ?? (String(drawn[name].dtick).startsWith("D") ? ",~g" : "")];
    });
}

// Positions are integers: never more ticks than positions.
export function tickCounts(layout) {
  if (!layout.meta?.integer_axes) return [];
  return axes(layout).map((name) => {
    const [a, b] = layout[name].range ?? [0, 100];
    const span = Math.floor(Math.abs(b - a));
    return [name, span < 10 ? span + (span > 1) : 0]; // plotly takes fewer than it may
  });
}
