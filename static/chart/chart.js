// The browser half of ui/chart.py. It unpacks one payload of bytes, draws it with plotly.js, keeps
// the reader's zoom while the data changes, and reports what is visible ("view") and what was
// clicked ("cell").

const { search } = new URL(import.meta.url);
await import("./plotly-cartesian-4.1.1.min.js" + search);
const Plotly = window.Plotly; // kept at once: Streamlit's own chart writes the same global

const ARRAYS = {
  f4: Float32Array, f8: Float64Array, i1: Int8Array, u1: Uint8Array,
  i2: Int16Array, u2: Uint16Array, i4: Int32Array, u4: Uint32Array,
};
const AXIS = /^[xy]axis\d*$/;
const GRID = "rgba(128, 128, 128, 0.28)";
const VIEW_DELAY = 120; // ms of rest after a zoom before Python is told
const FRAME_DELAY = 50; // ms between frames
const PLAYER_HEIGHT = 44;
const PANEL_WIDTH = 170; // narrower panels go to the next row
const MODEBAR_HEIGHT = 26;
const TEXT_WIDTH = 32; // pixels that a number in a cell needs, with the share of the margins
const JUMP = { mode: "immediate", frame: { duration: 0, redraw: false }, transition: { duration: 0 } };
const FULLSCREEN = { width: 24, height: 24, path: "M3 9V3h6v2H5v4zm12-6h6v6h-2V5h-4zM3 15h2v4h4v2H3zm16 0h2v6h-6v-2h4z" };

const charts = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  const chart = charts.get(parentElement) ?? create(parentElement);
  chart.send = setStateValue;
  chart.bytes = data;
  draw(chart);
  return () => destroy(chart);
}

// ---- one chart -------------------------------------------------------------------------------

function create(parent) {
  const host = parent.appendChild(element("div", "posenc-chart"));
  host.append(styles(), element("div"));
  const chart = { parent, host, gd: host.lastChild, home: {}, ready: false, frame: 0 };
  // A plain wheel scrolls the page; with Ctrl or Cmd it zooms.
  host.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  }, { capture: true });
  chart.resizes = new ResizeObserver(() => requestAnimationFrame(() => resize(chart)));
  chart.resizes.observe(host);
  host.addEventListener("fullscreenchange", () => resize(chart));
  charts.set(parent, chart);
  return chart;
}

function destroy(chart) {
  chart.resizes.disconnect();
  clearTimeout(chart.timer);
  clearInterval(chart.playing);
  Plotly.purge(chart.gd);
  chart.host.remove();
  charts.delete(chart.parent);
}

function draw(chart) {
  const { gd } = chart;
  if (gd._dragging) { // a redraw would end the reader's drag
    addEventListener("pointerup", () => setTimeout(() => draw(chart)), { once: true });
    return;
  }
  const header = unpack(chart.bytes);
  const { layout } = header;
  const keep = chart.ready && chart.rev === header.rev;
  const held = Object.fromEntries(axes(layout).map((name) => [name, keep && isHeld(chart, name)]));
  setRanges(chart, header, held, keep);
  Object.assign(chart, { rev: header.rev, name: header.key, header });
  if (!keep) chart.sent = JSON.stringify(header.view ?? null);
  gd.setAttribute("role", "figure");
  gd.setAttribute("aria-label", header.alt);
  setSize(chart);
  setTheme(layout, theme(chart.host));
  dropSmallText(header.data, chart.width);
  for (const [name, count] of tickCounts(layout)) layout[name].nticks = count;
  const { data, frames } = header;
  chart.config ??= config(chart); // one object: a new one would make plotly start over
  Plotly.react(gd, { data, layout, frames, config: chart.config }).then(() => {
    if (!chart.ready) wire(chart);
    chart.ready = true;
    showPlayer(chart, keep);
  });
}

function wire(chart) {
  const { gd } = chart;
  gd.on("plotly_relayout", () => {
    const ticks = tickCounts(gd.layout).filter(([name, count]) => gd.layout[name].nticks !== count);
    const change = Object.fromEntries(ticks.map(([name, count]) => [name + ".nticks", count]));
    if (ticks.length) Plotly.relayout(gd, change);
    reportView(chart);
  });
  gd.on("plotly_doubleclick", () => whole(chart));
  gd.on("plotly_click", ({ points: [point] }) => chart.send("cell", {
    x: point.x, y: point.y, z: Number.isFinite(point.z) ? point.z : null,
    i: [point.pointNumber].flat(), curve: point.curveNumber,
    rev: chart.rev, at: Date.now(), // the time tells a second click on the same cell apart
  }));
}

// ---- ranges: the reader owns what the reader has moved ----------------------------------------

function axes(layout) {
  return Object.keys(layout).filter((name) => AXIS.test(name));
}

function setRanges(chart, { layout, full, view }, held, keep) {
  const window = keep ? null : view;
  for (const name of axes(layout)) {
    const axis = layout[name];
    const first = name === "xaxis" || name === "yaxis" || axis.matches;
    const part = (r) => oriented(name[0] === "x" ? [r[0], r[1]] : [r[2], r[3]], axis.range);
    const own = axis.range;
    if (held[name]) axis.range = chart.gd._fullLayout[name].range.slice();
    else if (window && first) axis.range = part(window.r);
    else if (keep && full && first) axis.range = part(full);
    chart.home[name] = full && first ? part(full) : own;
    axis.autorange = !axis.range;
    axis.uirevision = Math.random(); // ranges are ours to keep, not plotly's
  }
  layout.uirevision = "kept"; // legend choices and the drag mode stay
}

function oriented(range, like) {
  const sorted = range.slice().sort((a, b) => a - b);
  return like && like[0] > like[1] ? sorted.reverse() : sorted;
}

function isHeld(chart, name) {
  const now = chart.gd._fullLayout[name];
  const home = chart.home[name];
  if (!now || axes(chart.gd.layout).some((other) => chart.gd.layout[other].scaleanchor)) return false;
  if (!home) return !now.autorange;
  const slack = 1e-9 * Math.abs(home[1] - home[0]);
  return now.range.some((value, i) => Math.abs(value - home[i]) > slack);
}

function whole(chart) {
  const change = {};
  for (const name of axes(chart.gd.layout)) {
    if (chart.home[name]) change[name + ".range"] = chart.home[name].slice();
    else change[name + ".autorange"] = true;
  }
  return Plotly.relayout(chart.gd, change);
}

function reportView(chart) {
  clearTimeout(chart.timer);
  chart.timer = setTimeout(() => {
    const { xaxis, yaxis } = chart.gd._fullLayout;
    const fitted = ["xaxis", "yaxis"].every((name) => !chart.home[name] && !isHeld(chart, name));
    const r = [...oriented(xaxis.range), ...oriented(yaxis.range)].map((v) => +v.toPrecision(12));
    const view = { r: fitted ? null : r, w: Math.round(xaxis._length), h: Math.round(yaxis._length), rev: chart.rev };
    view.whole = fitted || ["xaxis", "yaxis"].every((name) => !isHeld(chart, name));
    if (JSON.stringify(view) === chart.sent) return;
    chart.sent = JSON.stringify(view);
    chart.send("view", view);
  }, VIEW_DELAY);
}

// ---- size and style --------------------------------------------------------------------------

function setSize(chart) {
  const { gd, host, header } = chart;
  const inFullscreen = document.fullscreenElement === host;
  const spare = inFullscreen ? innerHeight - header.height : 0;
  chart.width = host.clientWidth || 700;
  chart.across = panelsAcross(header.layout, chart.width);
  const height = header.height + spare - (header.frames ? PLAYER_HEIGHT : 0);
  gd.style.height = placePanels(header.layout, chart.across, height) + "px";
  Object.assign(header.layout, { autosize: true, width: undefined, height: undefined });
}

function resize(chart) {
  const { gd, host, header } = chart;
  if (!chart.ready || !host.clientWidth) return;
  const inFullscreen = document.fullscreenElement === host;
  if (chart.width === host.clientWidth && chart.inFullscreen === inFullscreen) return;
  chart.inFullscreen = inFullscreen;
  if (header.layout.meta?.panels || inFullscreen || gd.clientHeight > header.height) draw(chart);
  else {
    chart.width = host.clientWidth;
    Plotly.Plots.resize(gd);
  }
}

function panelsAcross({ meta }, width) {
  return meta?.panels ? Math.max(1, Math.min(meta.columns, Math.floor(width / PANEL_WIDTH))) : 1;
}

// Panels side by side as the width allows; returns the height that keeps their size.
function placePanels(layout, across, height) {
  const { panels, columns } = layout.meta ?? {};
  if (!panels || across === columns) return height;
  const down = Math.ceil(panels / across);
  const total = (height * down) / Math.ceil(panels / columns);
  const titles = { x: layout["xaxis" + (panels > 1 ? panels : "")].title, y: layout.yaxis.title };
  const gapX = 0.05, gapY = 30 / total;
  const wide = (1 - gapX * (across - 1)) / across, high = (1 - gapY * (down - 1)) / down;
  for (let index = 0; index < panels; index++) {
    const suffix = index ? index + 1 : "";
    const left = (index % across) * (wide + gapX);
    const bottom = (down - 1 - Math.floor(index / across)) * (high + gapY);
    place(layout["xaxis" + suffix], left, wide, index + across >= panels, titles.x);
    place(layout["yaxis" + suffix], bottom, high, index % across === 0, titles.y);
  }
  return total;
}

function place(axis, start, size, labelled, title) {
  Object.assign(axis, {
    domain: [start, Math.min(start + size, 1)], showticklabels: labelled, title: labelled ? title : { text: "" },
  });
}

function theme(host) {
  const css = getComputedStyle(host);
  const get = (name) => css.getPropertyValue("--st-" + name).trim();
  return { text: get("text-color"), background: get("background-color"), font: get("font"), accent: get("primary-color") };
}

function setTheme(layout, { text, background, font, accent }) {
  layout.font = { ...layout.font, color: text, family: font };
  layout.hoverlabel = { bgcolor: background, bordercolor: text, font: { color: text, family: font }, align: "left" };
  layout.modebar = { bgcolor: background, color: text, activecolor: accent };
  for (const name of axes(layout)) {
    Object.assign(layout[name], { gridcolor: GRID, linecolor: GRID, tickcolor: GRID });
  }
  if (matchMedia("(pointer: coarse)").matches) layout.dragmode = false; // a finger scrolls the page
  if (matchMedia("(hover: none)").matches) { // the buttons are always there: the title goes below
    layout.margin.t += MODEBAR_HEIGHT;
    layout.title.pad = { ...layout.title.pad, t: (layout.title.pad?.t ?? 0) + MODEBAR_HEIGHT };
  }
}

// Numbers that would not fit their cells are left to the hover text.
function dropSmallText(data, width) {
  for (const trace of data) {
    if (trace.texttemplate && trace.z && width < trace.z[0].length * TEXT_WIDTH) delete trace.texttemplate;
  }
}

// Positions are integers: never more ticks than positions.
function tickCounts(layout) {
  if (!layout.meta?.integer_axes) return [];
  return axes(layout).map((name) => {
    const [a, b] = layout[name].range ?? [0, 100];
    const span = Math.floor(Math.abs(b - a));
    return [name, span < 10 ? Math.max(1, span) : 0];
  });
}

// ---- the modebar -----------------------------------------------------------------------------

function config(chart) {
  const { Icons } = Plotly;
  const isMatrix = chart.header.data.some((trace) => trace.type === "heatmap");
  const button = (name, icon, click, more) => ({ name, title: name, icon, click, ...more });
  const pan = (gd) => Plotly.relayout(gd, { dragmode: gd._fullLayout.dragmode === "pan" ? "zoom" : "pan" });
  return {
    scrollZoom: true, doubleClick: false, displaylogo: false, displayNotifier: false,
    showSendToCloud: false, plotlyServerURL: "",
    modeBarButtons: [
      [
        button("Download as PNG", Icons.camera, () => save(chart, "png")),
        button("Download as SVG", Icons.disk, () => save(chart, "svg")),
      ],
      [
        button("Drag moves the picture", Icons.pan, pan, { attr: "dragmode", val: "pan" }),
        "zoomIn2d", "zoomOut2d",
        button(isMatrix ? "Whole matrix" : "Show everything", Icons.home, () => whole(chart)),
      ],
      [button("Fullscreen", FULLSCREEN, () => toggleFullscreen(chart.host))],
    ],
  };
}

function save(chart, format) {
  const { gd, host } = chart;
  const layout = { ...gd.layout, paper_bgcolor: theme(host).background };
  const { clientWidth: width, clientHeight: height } = gd;
  return Plotly.downloadImage(
    { data: gd.data, layout, config: { plotlyServerURL: "" } },
    { format, width, height, scale: format === "png" ? 2 : 1, filename: chart.name },
  );
}

function toggleFullscreen(host) {
  return document.fullscreenElement ? document.exitFullscreen() : host.requestFullscreen();
}

// ---- frames: played here, without the server ---------------------------------------------------

function showPlayer(chart, keep) {
  const { frames, prefix, start } = chart.header;
  if (!frames) {
    stop(chart);
    chart.player?.remove();
    chart.player = null;
    return;
  }
  chart.player ??= chart.host.appendChild(createPlayer(chart));
  chart.player.slider.max = frames.length - 1;
  chart.player.slider.setAttribute("aria-label", prefix || "frame");
  showFrame(chart, keep ? chart.frame : start);
}

function createPlayer(chart) {
  const player = element("div", "posenc-player");
  const [button, slider, output] = ["button", "input", "output"].map((tag) => player.appendChild(element(tag)));
  Object.assign(button, { type: "button", textContent: "Play", onclick: () => (chart.playing ? stop(chart) : play(chart)) });
  Object.assign(slider, { type: "range", min: 0, value: 0, oninput: () => (stop(chart), showFrame(chart, +slider.value)) });
  return Object.assign(player, { button, slider, output });
}

function play(chart) {
  if (chart.frame === chart.header.frames.length - 1) chart.frame = -1;
  chart.player.button.textContent = "Pause";
  chart.playing = setInterval(() => {
    showFrame(chart, chart.frame + 1);
    if (chart.frame === chart.header.frames.length - 1) stop(chart);
  }, FRAME_DELAY);
}

function stop(chart) {
  clearInterval(chart.playing);
  chart.playing = null;
  if (chart.player) chart.player.button.textContent = "Play";
}

function showFrame(chart, index) {
  const { frames, prefix, data } = chart.header;
  const { slider, output } = chart.player;
  chart.frame = Math.min(index, frames.length - 1);
  slider.value = chart.frame;
  output.textContent = prefix + frames[chart.frame].name;
  slider.setAttribute("aria-valuetext", output.textContent);
  const redraw = data.some((trace) => trace.type === "heatmap");
  return Plotly.animate(chart.gd, [frames[chart.frame].name], { ...JUMP, frame: { duration: 0, redraw } });
}

// ---- the payload -----------------------------------------------------------------------------

// u32 length of the header, the header as JSON, then the arrays, each on a multiple of 8 bytes.
export function unpack(payload) {
  const bytes = payload.byteOffset % 8 ? payload.slice() : payload;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const text = new TextDecoder().decode(bytes.subarray(4, 4 + length));
  const start = bytes.byteOffset + 4 + length;
  const header = JSON.parse(text, (_, value) => (value?.$buf ? array(bytes.buffer, start, value.$buf) : value));
  if (header.frames) { // plotly's own controls are for the fallback; here they are HTML
    const slider = header.layout.sliders?.[0];
    header.prefix = slider?.currentvalue?.prefix ?? "";
    header.start = slider?.active ?? 0;
    delete header.layout.sliders;
    delete header.layout.updatemenus;
  }
  return header;
}

function array(buffer, start, [offset, size, kind, shape]) {
  const values = new ARRAYS[kind](buffer, start + offset, size);
  if (shape.length === 1) return values;
  return Array.from({ length: shape[0] }, (_, row) => values.subarray(row * shape[1], (row + 1) * shape[1]));
}

// ---- elements --------------------------------------------------------------------------------

function element(tag, className = "") {
  return Object.assign(document.createElement(tag), { className });
}

function styles() {
  return Object.assign(element("style"), { textContent: `
    .posenc-chart { width: 100%; }
    .posenc-chart:fullscreen { background: var(--st-background-color); overflow: auto; }
    .posenc-chart .plotly:focus-within .modebar--hover { opacity: 1; }
    @media (hover: none) { .posenc-chart .plotly .modebar--hover { opacity: 1; } }
    .posenc-player { display: flex; font-size: 0.875rem; align-items: center; gap: 0.75rem; height: ${PLAYER_HEIGHT}px; }
    .posenc-player button { font: inherit; color: inherit; background: transparent; min-width: 4.5rem;
      border: 1px solid currentColor; border-radius: 0.4rem; padding: 0.2rem 0.6rem; cursor: pointer; }
    .posenc-player input { flex: 1; accent-color: var(--st-primary-color); }
    .posenc-player output { min-width: 7rem; font-variant-numeric: tabular-nums; }
  ` });
}
