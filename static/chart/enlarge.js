// A chart in larger type, for a projector, a full screen or a file: letters, lines and the room
// that they need grow together; nothing is smaller than the reader of the last row can read.

const USUAL = 12; // pixels of the letters, as plots/style.py has them
const LENGTHS = [
  "l",
  "r",
  "t",
  "b",
  "pad",
  "ticklen",
  "tickwidth",
  "gridwidth",
  "linewidth",
  "zerolinewidth",
  "standoff",
  "thickness",
  "xpad",
  "ypad",
  "padding",
  "ax",
  "ay",
  "xshift",
  "yshift",
  "arrowwidth",
  "borderpad",
  "xgap",
  "ygap",
];
const DRAWN = ["line", "marker", "error_x", "error_y"]; // whose `width` and `size` are pixels

// How much larger: `least` pixels of a letter, and what the usual letters are multiplied by.
export function typeFor(least) {
  return { least, times: least / USUAL };
}

// Beside controls; a quarter larger in a large window, where static/app.css keeps as much room.
export const usualType = () => ({
  least: 0,
  times: matchMedia("(min-width: 1700px) and (min-height: 800px)").matches ? 1.25 : 1,
});

// Of the page around a picture that is shown alone, as static/stage.css has it.
export const rootSize = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

// For a whole screen: 17 pixels at 1280 x 720, 23 at 1920 x 1080, as static/stage.css has it too.
export function screenType(width, height) {
  return typeFor(Math.max(12, 5 + Math.min(height, (width * 9) / 16) / 60));
}

export function enlarge({ data, layout }, type) {
  if (type.times === 1) return;
  layout.font = { size: USUAL, ...layout.font };
  for (const name of Object.keys(layout)) {
    if (/^[xy]axis\d*$/.test(name))
      layout[name] = { gridwidth: 1, linewidth: 1, tickwidth: 1, ticklen: 5, ...layout[name] };
  }
  // Plotly writes the digits between two powers of ten three quarters as large as the powers.
  for (const axis of Object.values(layout)) {
    if (axis?.type === "log" && !axis.tickformat)
      axis.tickfont = { size: USUAL / 0.75, ...axis.tickfont };
  }
  layout.legend = { itemwidth: 30, ...layout.legend };
  layout.margin = { l: 80, r: 80, t: 40, b: 44, ...layout.margin };
  for (const trace of data) {
    if (trace.colorbar) trace.colorbar = { thickness: 30, ...trace.colorbar };
    if (trace.texttemplate || trace.text) trace.textfont = { size: USUAL, ...trace.textfont };
  }
  layout.legend.itemwidth *= type.times;
  grow(layout, "", type);
  for (const trace of data) grow(trace, "", type);
}

function grow(item, parent, type) {
  for (const [name, value] of Object.entries(item)) {
    if ((item[name + "ref"] ?? "pixel") !== "pixel") continue; // an arrow that begins at numbers of an axis
    if (typeof value === "number") {
      if (/font$/.test(parent)) {
        if (name === "size") item.size = Math.max(value * type.times, type.least);
      } else if (
        LENGTHS.includes(name) ||
        (DRAWN.includes(parent) && ["width", "size"].includes(name))
      )
        item[name] = value * type.times;
    } else if (name === "size" && parent === "marker" && value?.length) {
      item.size = Array.from(value, (one) => one * type.times);
    } else if (value && typeof value === "object" && !ArrayBuffer.isView(value)) {
      if (Array.isArray(value) && typeof value[0] !== "object") continue; // numbers and texts of the data
      grow(value, Array.isArray(value) ? parent : name, type);
    }
  }
}
