// Where an arrow key goes from the cell or the point that is marked.

const MARK = "mark"; // as plots/style.py calls it
const SLACK = 1e-5; // of a number
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// The next cell of a matrix or point of a curve, as a click on it tells it; null where the key is no
// arrow, nothing is marked, or there is nothing further. `isDown` says whether an axis begins above.
export function next(key, { data, layout }, isDown) {
  const way = WAYS[key];
  const from = way && marked(data, layout.shapes ?? []);
  if (!from) return null;
  const at = data.findIndex(
    (trace) => trace.type === "heatmap" && (trace.xaxis ?? "x") === from.axis,
  );
  if (at < 0) return pointOf(data, from, way);
  const [across, up] = way;
  return cellOf(data[at], at, from, [across, isDown(data[at].yaxis ?? "y") ? -up : up]);
}

// Where the reader's place is shown: by a frame around a cell, or by a square on it.
function marked(data, shapes) {
  const frame = shapes.find(({ name }) => name === MARK);
  if (frame) return { x: (frame.x0 + frame.x1) / 2, y: (frame.y0 + frame.y1) / 2, axis: "x" };
  const square = data.find(({ meta }) => meta === MARK);
  return square ? { x: square.x[0], y: square.y[0], axis: square.xaxis ?? "x" } : null;
}

function cellOf(trace, curve, from, [across, down]) {
  const { z } = trace;
  const row = indexOf(trace, "y", from.y, z.length) + down;
  const col = indexOf(trace, "x", from.x, z[0].length) + across;
  if (!(row in z) || !(col in z[row])) return null;
  const value = z[row][col];
  return {
    x: middleOf(trace, "x", col),
    y: middleOf(trace, "y", row),
    z: Number.isFinite(value) ? value : null,
    i: [row, col],
    curve,
  };
}

// Cells are told by their edges, or by the middle of the first and the way to the next.
function middleOf(trace, axis, index) {
  const edges = trace[axis];
  if (edges) return (edges[index] + edges[index + 1]) / 2;
  return (trace[`${axis}0`] ?? 0) + index * (trace[`d${axis}`] ?? 1);
}

function indexOf(trace, axis, place, count) {
  const away = (index) => Math.abs(middleOf(trace, axis, index) - place);
  return Array.from({ length: count }, (_, index) => index).reduce((best, index) =>
    away(index) < away(best) ? index : best,
  );
}

// Along its curve, or to the one above or below it at the same place.
function pointOf(data, { x, y }, [across, up]) {
  const points = data.flatMap((trace, curve) =>
    trace.meta === MARK || trace.hoverinfo === "skip" || !trace.x || !trace.y
      ? []
      : Array.from(trace.y, (its, index) => ({ x: trace.x[index], y: its, index, curve })),
  );
  // The mark has all digits of the number, a curve may have fewer.
  const away = (one) => Math.abs(one.y - y);
  const here = points
    .filter((one) => one.x === x && away(one) <= SLACK * Math.abs(y))
    .sort((one, other) => away(one) - away(other))[0];
  if (!here) return null;
  const there = across
    ? points.find(({ curve, index }) => curve === here.curve && index === here.index + across)
    : points
        .filter((one) => one.x === x && up * (one.y - here.y) > 0)
        .sort((one, other) => up * (one.y - other.y))[0];
  if (!there || !Number.isFinite(there.y)) return null;
  return { x: there.x, y: there.y, z: null, i: [there.index], curve: there.curve };
}
