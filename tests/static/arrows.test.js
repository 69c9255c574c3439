// Where arrow keys go from the marked cell or point.

import assert from "node:assert/strict";
import { test } from "node:test";

import { next } from "../../static/chart/arrows.js";

const mark = (x, y, xaxis) => ({ meta: "mark", x: [x, x], y: [y, y], xaxis });
const below = () => true;

test("from cell to cell, down where rows are counted from above, and not over the edge", () => {
  const matrix = {
    type: "heatmap",
    z: [
      [1, 2, NaN],
      [4, 5, 6],
    ],
    x: [-0.5, 0.5, 1.5, 2.5],
    y: [-0.5, 0.5, 1.5],
  };
  const of = (key, x, y, isDown = below) =>
    next(key, { data: [matrix, mark(x, y)], layout: {} }, isDown);
  assert.deepEqual(of("ArrowRight", 0, 0), { x: 1, y: 0, z: 2, i: [0, 1], curve: 0 });
  assert.deepEqual(of("ArrowDown", 1, 0), { x: 1, y: 1, z: 5, i: [1, 1], curve: 0 });
  assert.deepEqual(
    of("ArrowUp", 1, 0, () => false),
    of("ArrowDown", 1, 0),
  );
  assert.equal(of("ArrowRight", 1, 0).z, null);
  for (const key of ["ArrowUp", "ArrowLeft", "Enter"]) assert.equal(of(key, 0, 0), null);
});

test("blocks of cells and frames have their middles", () => {
  const matrix = { type: "heatmap", z: [[1, 2]], x0: 3.5, dx: 8, y0: 3.5, dy: 8 };
  const shape = { name: "mark", x0: -0.5, x1: 7.5, y0: -0.5, y1: 7.5 };
  const found = next("ArrowRight", { data: [matrix], layout: { shapes: [shape] } }, below);
  assert.deepEqual(found, { x: 11.5, y: 3.5, z: 2, i: [0, 1], curve: 0 });
});

test("a mark in the second panel moves there", () => {
  const panel = { type: "heatmap", z: [[1, 2]] };
  const data = [panel, { ...panel, xaxis: "x2", yaxis: "y2" }, mark(0, 0, "x2")];
  assert.equal(next("ArrowRight", { data, layout: {} }, below).curve, 1);
});

test("along a curve, and to the curve above or below", () => {
  const data = [
    { type: "scatter", x: [1, 2], y: [5, 6] },
    { type: "scatter", x: [1, 2], y: [3, 9] },
    { type: "scatter", x: [1, 2], y: [4, NaN] },
    mark(1, 4),
  ];
  const of = (key) => next(key, { data, layout: {} }, below);
  assert.deepEqual(of("ArrowUp"), { x: 1, y: 5, z: null, i: [0], curve: 0 });
  assert.deepEqual(of("ArrowDown"), { x: 1, y: 3, z: null, i: [0], curve: 1 });
  assert.equal(of("ArrowRight"), null);
  assert.equal(next("ArrowUp", { data: data.slice(0, 3), layout: {} }, below), null);
});

test("a curve of shorter numbers than the mark has is followed", () => {
  const y = [Math.fround(1 / 3), Math.fround(2 / 3)];
  const data = [{ type: "scatter", x: [1, 2], y }, mark(1, 1 / 3)];
  assert.deepEqual(next("ArrowRight", { data, layout: {} }, below).i, [1]);
});

test("what lies over a curve is not gone to", () => {
  const curve = { x: [1, 2], y: [3, 4] };
  const mean = { x: [1, 2], y: [3.5, 3.5], hoverinfo: "skip" };
  const data = [curve, mean, mark(1, 3)];
  assert.equal(next("ArrowUp", { data, layout: {} }, below), null);
  assert.equal(next("ArrowRight", { data, layout: {} }, below).curve, 0);
});
