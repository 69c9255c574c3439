// Linked hover: what is hovered in one of several matrices of the same rows and columns is marked in
// all of them, with its number in each. All of it happens here; the server is not asked.

import { firstPixel, panelDrawn, pixelOf, pixelsOf } from "./drawn.js";

const DIGITS = 6;
const GAP = 4; // pixels between a cell and its number

const groups = new Map(); // name of a group to the charts in it

export function join(chart) {
  leave(chart);
  const { panels, linked } = chart.header.layout.meta ?? {};
  chart.group = panels ? (linked ?? chart.header.key) : null;
  if (!chart.group) return;
  if (!groups.has(chart.group)) groups.set(chart.group, new Set());
  groups.get(chart.group).add(chart);
  for (const trace of matrices(chart)) {
    // the numbers stand in every panel: no label of plotly's besides
    delete trace.hovertemplate;
    trace.hoverinfo = "none";
  }
}

export function leave(chart) {
  unmark(chart);
  groups.get(chart.group)?.delete(chart);
}

export function wireLinked(chart) {
  const begin = ({ points: [{ data, pointNumber, curveNumber }] }) => {
    if (!chart.group || data.type !== "heatmap") return;
    for (const other of groups.get(chart.group)) other.pointed = null;
    chart.pointed = { pointNumber, curveNumber };
    markAll(chart);
  };
  chart.gd.on("plotly_hover", begin);
  chart.gd.on("plotly_click", begin); // a finger does not hover
  chart.gd.on("plotly_unhover", () => {
    if (matchMedia("(pointer: coarse)").matches) return; // a tap ends with one
    chart.pointed = null;
    groups.get(chart.group)?.forEach(unmark);
  });
  chart.gd.on("plotly_relayout", () => {
    groups.get(chart.group)?.forEach(unmark);
    markAgain(chart);
  });
}

// A click has the chart drawn anew, and what was pointed at is read on.
export function markAgain(chart) {
  for (const other of groups.get(chart.group) ?? []) if (other.pointed) markAll(other);
}

function markAll(chart) {
  for (const other of groups.get(chart.group)) {
    unmark(other);
    other.marks = matrices(other).flatMap((_, panel) =>
      mark(other, panel, chart.pointed, other === chart),
    );
    other.host.append(...other.marks);
  }
}

function matrices(chart) {
  return chart.header.data.filter((trace) => trace.type === "heatmap");
}

function unmark(chart) {
  chart.marks?.forEach((element) => element.remove());
  chart.marks = [];
}

// A frame around the cell and its number beside it; nothing where the panel is zoomed elsewhere.
function mark({ gd, header }, panel, { pointNumber: [row, col], curveNumber }, isHovered) {
  const { across, down, x, y } = panelDrawn(gd, panel);
  const [left, right] = span(across, x, col);
  const [top, bottom] = span(down, y, row);
  if (!(right > left && bottom > top)) return [];
  const frame = element("posenc-linked-cell", {
    left,
    top,
    width: right - left,
    height: bottom - top,
  });
  const value = gd.data[panel].z[row]?.[col];
  const text = Number.isFinite(value)
    ? String(Number(value.toPrecision(DIGITS)))
    : header.words.masked;
  const label = element("posenc-linked-number", { top: Math.max(top - GAP, 0) });
  label.textContent = text;
  if (isHovered && panel === curveNumber)
    label.textContent = [...places(gd, header.words, panel, row, col), text].join("\n");
  const middle = firstPixel(across) + pixelsOf(across) / 2; // to the side that has more room
  if (left < middle) label.style.left = right + GAP + "px";
  else label.style.right = gd.clientWidth - left + GAP + "px";
  return [frame, label];
}

// First and last pixel of a cell that are inside the panel.
function span(axis, edges, index) {
  const ends = [edges[index], edges[index + 1]].map((edge) => pixelOf(axis, edge));
  const inside = (pixel) =>
    Math.min(Math.max(pixel, firstPixel(axis)), firstPixel(axis) + pixelsOf(axis));
  return ends.sort((a, b) => a - b).map(inside);
}

// "query i 40, was" and "key j 10, cat", or the positions of a block.
function places(gd, words, panel, row, col) {
  const { x, y } = panelDrawn(gd, panel);
  const { rows, cols, labels } = gd.layout.meta;
  return [
    [rows, y, row],
    [cols, x, col],
  ].map(([name, edges, index]) => {
    const first = Math.round(edges[index] + 0.5),
      last = Math.round(edges[index + 1] - 0.5);
    if (last > first) return `${name} ${words.span.replace("{0}", first).replace("{1}", last)}`;
    return labels ? `${name} ${first}, ${asText(labels[index])}` : `${name} ${first}`;
  });
}

// A label as plotly takes it, with its "&lt;".
function asText(label) {
  return new DOMParser().parseFromString(label, "text/html").body.textContent;
}

function element(className, pixels) {
  const made = Object.assign(document.createElement("div"), { className, ariaHidden: "true" });
  for (const [name, value] of Object.entries(pixels)) made.style[name] = value + "px";
  return made;
}

export const LINKED_STYLES = `
  .posenc-linked-cell, .posenc-linked-number { position: absolute; pointer-events: none; box-sizing: border-box; }
  .posenc-linked-cell { border: 1.5px solid #000; outline: 2px solid #fff; }
  .posenc-linked-number { font-size: 0.75rem; line-height: 1.3; padding: 0 0.3rem; white-space: pre;
    font-variant-numeric: tabular-nums; color: var(--st-text-color); background: var(--st-background-color);
    border: 1px solid currentColor; border-radius: 3px; }
`;
