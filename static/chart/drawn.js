// What plotly.js has made of a chart, beside its documented interface: the one place that reads its
// inside. The names are those of the version that stands in this folder. Its events tell the place of
// the point that is hovered alone; a mark in another panel, a label that has outgrown its square and
// the digits of a zoomed axis need the axes as they are drawn.

// Whether the reader drags it just now.
export const isDragged = (gd) => Boolean(gd._dragging);

// The layout with everything that plotly has filled in; an axis of it is what the functions below take.
export const layoutDrawn = (gd) => gd._fullLayout;

// Pixels between the chart's edges and its drawing, with what labels have needed.
export const marginsDrawn = (gd) => gd._fullLayout._size;

// A panel's axes and the edges of its cells.
export function panelDrawn(gd, panel) {
  const { xaxis, yaxis } = gd._fullData[panel];
  const [{ x, y }] = gd.calcdata[panel];
  return { across: gd._fullLayout[axisName(xaxis)], down: gd._fullLayout[axisName(yaxis)], x, y };
}

// Pixels from the chart's corner.
export const pixelOf = (axis, value) => axis._offset + axis.d2p(value);
export const firstPixel = (axis) => axis._offset;
export const pixelsOf = (axis) => axis._length;

const axisName = (id) => id[0] + "axis" + id.slice(1); // "x2" to "xaxis2"
