// The browser half of ui/chart.py. It unpacks one payload of bytes, draws it with plotly.js, keeps
// the reader's zoom while the data changes, and reports what is visible ("view") and what was
// clicked ("cell").

import { foot } from "../embed.js";
import { raster, savePng, saveSvg } from "../saving.js";
import { widthIn } from "../lines.js";
import { STYLES, takeFile, takeMenu } from "../take.js";
import { remember } from "./arrays.js";
import { next } from "./arrows.js";
import { isDragged, layoutDrawn, marginsDrawn, pixelOf, pixelsOf } from "./drawn.js";
import { enlarge, rootSize, screenType, typeFor, usualType } from "./enlarge.js";
import { LINKED_STYLES, join, leave, markAgain, wireLinked } from "./linked.js";
import {
  axes,
  barAbove,
  bare,
  digitFormats,
  fitText,
  legendHeight,
  liftBar,
  areStacked,
  panelsAcross,
  stackedAcross,
  placeMenu,
  placePanels,
  recolour,
  setTheme,
  squarePanes,
  theme,
  thinLabels,
  tickCounts,
  titleOverAxis,
  wrapTitle,
} from "./look.js";
import { unpack } from "./payload.js";
import "./plotly-cartesian-4.1.1.min.js";

const Plotly = window.Plotly; // kept at once: Streamlit's own chart writes the same global
remember(Plotly);

const STAGE_EDGE = 12; // pixels below a chart that is shown alone
const LEAST_ROOM = 120;
const LITTLE_ROOM = 220; // a chart of less has its title, its ticks and its curves alone
const VIEW_DELAY = 120; // ms of rest after a zoom before Python is told
const MARK = "mark"; // what shows the reader's place, and is not part of the picture
const ZOOM = 2;
const FULLSCREEN =
  '<svg viewBox="0 0 24 24" width="14" height="14" fill="currentColor" aria-hidden="true"><path d="M3 9V3h6v2H5v4zm12-6h6v6h-2V5h-4zM3 15h2v4h4v2H3zm16 0h2v6h-6v-2h4z"/></svg>';
const CONFIG = {
  scrollZoom: true,
  doubleClick: false,
  displayModeBar: false,
  displaylogo: false,
  displayNotifier: false,
  showSendToCloud: false,
  plotlyServerURL: "",
};

const charts = new WeakMap();

let turn = Promise.resolve(); // of the charts that wait to be drawn for the first time

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const old = charts.get(parentElement);
  const chart = old ?? create(parentElement);
  chart.send = setStateValue;
  chart.ask = setTriggerValue;
  const isOther = takeIn(chart, data);
  if (!old) turn = turn.then(() => drawFirst(chart)).catch(reportError);
  else if (chart.drawing && isOther) draw(chart);
  return () => destroy(chart);
}

// Whether the data make another picture: it may only bring a file that was asked for.
function takeIn(chart, data) {
  const { take, ...picture } = unpack(data);
  const { taken } = chart;
  Object.assign(chart, { bytes: data, taken: picture, take });
  if (take?.file) takeFile(chart.host, take);
  return !chart.header || chart.look !== lookOf(theme(chart.host)) || !isSame(picture, taken);
}

function isSame(one, other) {
  if (Object.is(one, other)) return true;
  if (isList(one))
    return (
      isList(other) &&
      one.length === other.length &&
      one.every((value, at) => isSame(value, other[at]))
    );
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isSame(one[name], other[name]))
  );
}

const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

const lookOf = (colours) => Object.values(colours).join();

// Where many charts come at once, each is painted before the next one is drawn.
function drawFirst(chart) {
  if (charts.get(chart.parent) !== chart) return null; // gone in the meantime
  draw(chart);
  return chart.drawing.then(
    () =>
      new Promise((painted) => {
        if (document.hidden) painted();
        else requestAnimationFrame(() => setTimeout(painted));
      }),
  );
}

// ---- one chart -------------------------------------------------------------------------------

function create(parent) {
  const host = parent.appendChild(element("div", "posenc-chart"));
  host.append(styles(), element("div"));
  const chart = {
    plotly: Plotly,
    parent,
    host,
    gd: host.lastChild,
    home: {},
    formats: {},
    least: {},
    ready: false,
    room: 0,
  };
  // A plain wheel scrolls the page; with Ctrl or Cmd it zooms.
  host.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    },
    { capture: true },
  );
  host.tabIndex = -1; // a click and the short way to the picture lead here, and arrow keys go on
  host.addEventListener("keydown", (event) => goOn(chart, event));
  host.addEventListener("pointermove", () => (chart.reached = null));
  chart.resizes = new ResizeObserver(() => requestAnimationFrame(() => resize(chart)));
  chart.resizes.observe(host);
  // What stands above a chart that is shown alone takes its room; its colours are changed by a key.
  for (const around of document.querySelectorAll(".st-key-alone_line, .st-key-first"))
    chart.resizes.observe(around);
  chart.redraw = () => chart.drawing && draw(chart);
  addEventListener("posenc-look", chart.redraw);
  chart.refit = () => requestAnimationFrame(() => resize(chart));
  addEventListener("resize", chart.refit);
  host.addEventListener("fullscreenchange", () => resize(chart));
  charts.set(parent, chart);
  return chart;
}

function destroy(chart) {
  chart.resizes.disconnect();
  removeEventListener("posenc-look", chart.redraw);
  removeEventListener("resize", chart.refit);
  clearTimeout(chart.timer);
  leave(chart);
  chart.host.remove();
  charts.delete(chart.parent);
  // Purged only when plotly is done: it still speaks to the element while it draws.
  chart.drawing?.finally(() => Plotly.purge(chart.gd));
}

function draw(chart) {
  const { gd } = chart;
  if (isDragged(gd)) {
    // a redraw would end the reader's drag
    addEventListener("pointerup", () => setTimeout(() => draw(chart)), { once: true });
    return;
  }
  const header = unpack(chart.bytes);
  const { layout } = header;
  layout.xaxis ??= {};
  layout.yaxis ??= {};
  const keep = chart.ready && chart.rev === header.rev;
  const held = Object.fromEntries(axes(layout).map((name) => [name, keep && isHeld(chart, name)]));
  setRanges(chart, header, held, keep);
  const colours = theme(chart.host);
  Object.assign(chart, { rev: header.rev, name: header.key, look: lookOf(colours), header });
  showFoot(chart);
  showHead(chart);
  if (!keep) Object.assign(chart, { least: {}, pointed: null });
  if (!keep) chart.sent = JSON.stringify(header.view ?? null);
  chart.host.setAttribute("role", "group"); // named too, as it is what the focus comes to
  chart.host.setAttribute("aria-label", header.alt);
  gd.setAttribute("role", "figure");
  gd.setAttribute("aria-label", header.alt);
  setSize(chart);
  setTheme(layout, colours);
  if (colours.isDark) recolour({ data: header.data, layout }, header.on_dark);
  letLabelsOut(header);
  if (header.staged && chart.room < LITTLE_ROOM) bare(layout);
  enlarge(header, chart.type);
  const { times } = chart.type;
  if (chart.head) placeMenu(layout, chart.width, times);
  wrapTitle(layout, chart.width, times);
  const { least, room } = chart;
  const above =
    room && room < chart.width ? 0 : barAbove(layout, header.data, chart.width, { times, least });
  const height = parseFloat(gd.style.height) + (room ? 0 : above);
  const size = squarePanes(layout, header.data, chart.width, height, {
    times,
    least,
    isSettled: Boolean(room),
  });
  liftBar(layout, header.data, size.height, times);
  gd.style.height = size.height + "px";
  // Without them plotly.js cuts the margins to what the size of the last drawing has room for.
  Object.assign(layout, { width: chart.width, height: size.height });
  if (room) titleOverAxis(layout, size.width, times);
  fitText(header.data, layout, chart.width, times);
  thinLabels(layout, chart.width / times, size.height / times);
  join(chart);
  for (const [name, count] of tickCounts(layout)) layout[name].nticks = count;
  const { data } = header;
  if (chart.above !== above) for (const bar of gd.querySelectorAll(".colorbar")) bar.remove();
  chart.above = above; // plotly leaves the labels of a bar that lay where one stands now
  chart.drawing = Plotly.react(gd, { data, layout, config: CONFIG }).then(() => {
    if (charts.get(chart.parent) !== chart) return; // gone in the meantime
    if (!chart.ready) wire(chart);
    chart.ready = true;
    showZoom(chart);
    if (isOutgrown(chart, layout)) draw(chart);
    else {
      markAgain(chart);
      showReached(chart);
    }
  });
}

// Whether labels have taken more room than a square was given: plotly measures them as it draws.
function isOutgrown({ gd, least }, { meta, margin }) {
  if (!meta?.square) return false;
  const drawn = marginsDrawn(gd);
  const grown = ["l", "r", "b"].filter(
    (side) => drawn[side] > Math.max(margin[side], least[side] ?? 0) + 1,
  );
  for (const side of grown) least[side] = drawn[side];
  return grown.length > 0;
}

function wire(chart) {
  const { gd } = chart;
  gd.on("plotly_relayout", () => {
    const ticks = tickCounts(gd.layout).filter(([name, count]) => gd.layout[name].nticks !== count);
    const forms = digitFormats(gd.layout, layoutDrawn(gd), chart.formats).filter(
      ([name, form]) => (gd.layout[name].tickformat ?? "") !== form,
    );
    const change = Object.fromEntries([
      ...ticks.map(([name, count]) => [name + ".nticks", count]),
      ...forms.map(([name, form]) => [name + ".tickformat", form]),
    ]);
    if (ticks.length || forms.length) Plotly.relayout(gd, change);
    reportView(chart);
    showZoom(chart);
  });
  gd.on("plotly_doubleclick", () => whole(chart));
  gd.on("plotly_click", ({ points, event }) => {
    const point = nearest(points, event.clientY - gd.getBoundingClientRect().top);
    chart.host.focus({ preventScroll: true });
    tell(chart, {
      x: point.x,
      y: point.y,
      z: Number.isFinite(point.z) ? point.z : null,
      i: [point.pointNumber].flat(),
      curve: point.curveNumber,
    });
  });
  wireLinked(chart);
}

function tell(chart, cell) {
  // The time tells a second click on the same cell apart.
  chart.send("cell", { ...cell, rev: chart.rev, at: Date.now() });
}

// An arrow key on the picture itself; where it is shown alone, these keys lead on to others.
function goOn(chart, event) {
  const { gd, host, header, ready } = chart;
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!ready || header.staged || !isPlain || event.target !== host) return;
  const cell = next(event.key, gd, (id) => {
    const [start, end] = layoutDrawn(gd)[`yaxis${id.slice(1)}`].range;
    return start > end;
  });
  if (!cell) return;
  event.preventDefault();
  chart.reached = cell;
  showReached(chart);
  tell(chart, cell);
}

// Where an arrow key has led to, in the label that a mouse would show there.
function showReached({ gd, host, reached }) {
  const trace = reached && gd.data[reached.curve];
  if (!trace || !host.matches(":focus")) return;
  const { x: xval, y: yval, curve: curveNumber } = reached;
  const panel = (trace.xaxis ?? "x") + (trace.yaxis ?? "y");
  Plotly.Fx.hover(gd, [{ curveNumber, xval, yval }], panel);
}

// Where one label shows all curves, a click is on all of them: the curve nearest to it is meant.
function nearest(points, pixel) {
  const away = ({ y, yaxis }) => Math.abs(pixelOf(yaxis, y) - pixel);
  return points.reduce((best, point) => (away(point) < away(best) ? point : best));
}

// ---- ranges: the reader owns what the reader has moved ----------------------------------------

function setRanges(chart, { layout, full, view }, held, keep) {
  const window = keep ? null : view;
  for (const name of axes(layout)) {
    const axis = layout[name];
    const first = name === "xaxis" || name === "yaxis" || axis.matches;
    const part = (r) => oriented(name[0] === "x" ? [r[0], r[1]] : [r[2], r[3]], axis.range);
    const own = axis.range?.slice(); // plotly writes into the range it is given
    chart.formats[name] = axis.tickformat;
    if (held[name]) {
      axis.range = layoutDrawn(chart.gd)[name].range.slice();
      axis.tickformat ??= chart.gd.layout[name].tickformat;
    } else if (window && first) axis.range = part(window.r);
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
  const now = layoutDrawn(chart.gd)[name];
  const home = chart.home[name];
  if (!now || axes(chart.gd.layout).some((other) => chart.gd.layout[other].scaleanchor))
    return false;
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
    const { xaxis, yaxis } = layoutDrawn(chart.gd);
    const fitted = ["xaxis", "yaxis"].every((name) => !chart.home[name] && !isHeld(chart, name));
    const r = [...oriented(xaxis.range), ...oriented(yaxis.range)].map((v) => +v.toPrecision(12));
    const view = {
      r: fitted ? null : r,
      w: Math.round(pixelsOf(xaxis)),
      h: Math.round(pixelsOf(yaxis)),
      rev: chart.rev,
    };
    view.whole = fitted || ["xaxis", "yaxis"].every((name) => !isHeld(chart, name));
    const untouched = view.whole && chart.sent === "null";
    if (untouched || JSON.stringify(view) === chart.sent) return;
    chart.sent = JSON.stringify(view);
    chart.send("view", view);
  }, VIEW_DELAY);
}

// ---- size and style --------------------------------------------------------------------------

// Pixels of a panel's name, as plots/heatmap.py writes it.
const nameWidth = (host) => (text) => widthIn(text, `12px ${theme(host).font}`);

function setSize(chart) {
  const { gd, host, header } = chart;
  chart.width = host.clientWidth || 700;
  host.style.setProperty("--posenc-width", chart.width); // for paper
  chart.room = room(chart);
  chart.type = header.staged
    ? typeFor(rootSize())
    : chart.room
      ? screenType(innerWidth, innerHeight)
      : usualType();
  const { times } = chart.type;
  chart.across =
    !chart.room && areStacked(header.layout, chart.width)
      ? document.fullscreenElement === host
        ? 1 // large
        : stackedAcross(header.layout, chart.width, nameWidth(host))
      : panelsAcross(header.layout, chart.width / times, chart.room / times);
  const height = chart.room || header.height * times;
  const legend = chart.room ? 0 : legendHeight(header.layout, header.data, chart.width);
  gd.style.height =
    placePanels(header.layout, chart.across, height, Boolean(chart.room)) + legend + "px";
}

// Pixels of height for a chart that fills the screen, or what else stands there leaves; 0 for one
// that has the height it asks for, as panels below each other on a phone: these are scrolled.
function room({ host, header, foot }) {
  if (document.fullscreenElement === host)
    return areStacked(header.layout, host.clientWidth) ? 0 : innerHeight;
  if (!header.staged) return 0;
  const words = foot?.offsetHeight ?? 0;
  return Math.max(innerHeight - host.getBoundingClientRect().top - words - STAGE_EDGE, LEAST_ROOM);
}

// In somebody's page.
function showFoot(chart) {
  if (!chart.header.source.open) return;
  const made = foot(chart.header.source);
  if (chart.foot) chart.foot.replaceWith(made);
  else chart.host.append(made);
  chart.foot = made;
}

// A label at the edge may stand over it: to find and hide it, plotly measures every label each time.
function letLabelsOut({ layout, data }) {
  for (const name of axes(layout)) layout[name].ticklabeloverflow = "allow";
  for (const { colorbar } of data) if (colorbar) colorbar.ticklabeloverflow = "allow";
}

function resize(chart) {
  const { host } = chart;
  if (!chart.ready || !host.clientWidth) return;
  if (chart.width === host.clientWidth && Math.abs(chart.room - room(chart)) < 2) return;
  draw(chart); // another width has room for other lines of the title, panels and labels
}

// ---- what stands above a chart ----------------------------------------------------------------

function showHead(chart) {
  const { header, host } = chart;
  if (chart.head || header.staged || !chart.take || header.layout.xaxis.fixedrange) return;
  const { words } = header;
  const button = (label, sign, click) => {
    const made = Object.assign(element("button"), {
      type: "button",
      title: label,
      innerHTML: sign,
    });
    made.setAttribute("aria-label", label);
    made.addEventListener("click", click);
    return made;
  };
  const pan = () => {
    const isPanned = layoutDrawn(chart.gd).dragmode === "pan";
    Plotly.relayout(chart.gd, { dragmode: isPanned ? "zoom" : "pan" });
    chart.zoomed[0].setAttribute("aria-pressed", !isPanned);
  };
  const everything = header.layout.meta?.matrix ? words.wholeMatrix : words.everything;
  chart.zoomed = [
    button(words.pan, "\u2725", pan),
    button(everything, everything, () => whole(chart)),
  ];
  const zooms = [
    button(words.zoomIn, "+", () => zoom(chart, 1 / ZOOM)),
    button(words.zoomOut, "\u2212", () => zoom(chart, ZOOM)),
  ];
  chart.head = element("div", "posenc-take");
  chart.head.append(
    ...(header.layout.xaxis.visible === false ? [] : [...chart.zoomed, ...zooms]),
    button(words.fullscreen, FULLSCREEN, () => toggleFullscreen(host)),
    takeMenu(() => ({
      host,
      key: chart.name,
      alt: chart.header.alt,
      take: chart.take,
      save: (format, size) => save(chart, format, size),
      ask: (kind) => chart.ask("file", kind),
    })),
  );
  host.prepend(chart.head);
}

// What leads back is there where the reader has gone.
function showZoom(chart) {
  const isZoomed = axes(chart.gd.layout).some((name) => isHeld(chart, name));
  for (const button of chart.zoomed ?? []) button.hidden = !isZoomed;
}

// About the middle, and never out of what there is.
function zoom(chart, times) {
  const { gd, home } = chart;
  const change = {};
  for (const name of axes(gd.layout)) {
    const [start, end] = layoutDrawn(gd)[name].range;
    const middle = (start + end) / 2;
    const wanted = [start, end].map((edge) => middle + (edge - middle) * times);
    const [low, high] = [...(home[name] ?? wanted)].sort((a, b) => a - b);
    change[name + ".range"] = wanted.map((edge) => Math.min(Math.max(edge, low), high));
  }
  return Plotly.relayout(gd, change);
}

// Drawn anew for its size: with the reader's window, and every line of title and legend, without the
// mark of the reader's place.
async function save(chart, format, size) {
  const { gd, host, take } = chart;
  const { scale, letters, font } = size;
  const edge = letters; // paper around what fills a slide
  const width = (size.width ?? gd.clientWidth) - 2 * edge;
  const height = (size.height ?? gd.clientHeight) - 2 * edge;
  const type = letters ? typeFor(letters) : usualType();
  const packed = unpack(chart.bytes);
  const { layout } = packed;
  layout.xaxis ??= {};
  layout.yaxis ??= {};
  for (const name of axes(layout))
    Object.assign(layout[name], {
      range: layoutDrawn(gd)[name].range.slice(),
      autorange: false,
      tickformat: gd.layout[name].tickformat,
    });
  // Curves that the reader has hidden in the legend stay hidden.
  packed.data.forEach((trace, i) => Object.assign(trace, { visible: gd.data[i]?.visible ?? true }));
  const data = packed.data.filter((trace) => trace.meta !== MARK);
  for (const kind of ["shapes", "annotations"])
    layout[kind] = layout[kind]?.filter(({ name }) => name !== MARK);
  const header = { data, layout };
  placePanels(layout, panelsAcross(layout, width / type.times, 0), height, true);
  const colours = theme(host);
  setTheme(layout, { ...colours, font });
  if (colours.isDark) recolour(header, packed.on_dark);
  enlarge(header, type);
  layout.margin = { t: 40, b: 44, l: 52, r: 12, ...layout.margin };
  if (layout.title?.text) {
    if (take.screen) layout.title.text = `${take.screen} · ${layout.title.text}`;
    if (take.settings) layout.title.text += ` (${take.settings})`;
  }
  wrapTitle(layout, width, type.times);
  const least = Object.fromEntries(
    Object.entries(chart.least).map(([side, pixels]) => [side, pixels * type.times]),
  );
  const isSettled = Boolean(size.width);
  const used = squarePanes(layout, data, width, height, { times: type.times, least, isSettled });
  if (!isSettled) layout.margin.r -= width - used.width; // no white paper beside a square
  titleOverAxis(layout, used.width, type.times);
  fitText(data, layout, used.width, type.times);
  thinLabels(layout, used.width / type.times, used.height / type.times);
  for (const [name, count] of tickCounts(layout)) layout[name].nticks = count;
  layout.paper_bgcolor = colours.background;
  const drawn = await Plotly.toImage(
    { data, layout, config: { plotlyServerURL: "" } },
    { format: "svg", ...used, imageDataOnly: true },
  );
  if (format === "svg") saveSvg(take.name, drawn, used, size);
  else {
    const [wide, high] = [scale * used.width, scale * used.height];
    const paper = { edge, color: colours.background };
    savePng(take.name, await raster(drawn, wide, high, paper), used, size);
  }
}

function toggleFullscreen(host) {
  return document.fullscreenElement ? document.exitFullscreen() : host.requestFullscreen();
}

// ---- elements --------------------------------------------------------------------------------

function element(tag, className = "") {
  return Object.assign(document.createElement(tag), { className });
}

function styles() {
  return Object.assign(element("style"), {
    textContent: `
    .posenc-chart { width: 100%; position: relative; }
    .posenc-chart .js-plotly-plot .main-svg { overflow: visible; }
    .posenc-chart:fullscreen { background: var(--st-background-color); overflow: auto; }
    ${LINKED_STYLES}
    ${STYLES}
  `,
  });
}
