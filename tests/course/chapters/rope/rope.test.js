import assert from "node:assert/strict";
import { test } from "node:test";

import { start, steps, told } from "../../../../course/chapters/rope/picture.js";
import { DEEP } from "../../../../course/chapters/rope/graph.js";
import { shadowOn } from "../../../../course/chapters/rope/dial.js";
import head from "../../../../course/chapters/rope/data.js";
import {
  ALL,
  FAR,
  LONGEST,
  MOVING,
  NEAR,
  score,
  written,
} from "../../../../course/chapters/rope/head.js";

const said = { number: (value) => value.toFixed(0) };

test("a score says over how many dials it is the sum", () => {
  const dials = (step) => told.dials({ ...start, ...steps[step].at }, said);
  assert.equal(dials("slower"), "1");
  assert.equal(dials("unseen"), "8");
  assert.equal(dials("real"), "8");
});

test("two dials tell 1 from 7, and each slower one lifts the places around 1", () => {
  const share = (dials, back) => {
    const state = { ...start, ...steps.slower.at, dials };
    return (100 * score(state, back)) / score(state, NEAR);
  };
  assert.deepEqual(
    [1, 2, 4, 8].map((dials) => share(dials, FAR).toFixed(0)),
    ["96", "7", "38", "69"],
  );
  for (let dials = 3; dials <= 8; dials++)
    for (let back = 2; back <= FAR; back++) assert.ok(share(dials, back) > share(dials - 1, back));
});

test("the first dial tells a distance from the next; the others add little to that", () => {
  const gap = (dials) => {
    const state = { ...start, ...steps.slower.at, dials };
    return score(state, NEAR) - score(state, NEAR + 1);
  };
  assert.ok(gap(1) > 0.75 * gap(8));
});

test("no score lies below the plot while dials are added", () => {
  for (const dials of [1, 1.4, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8]) {
    const state = { ...start, ...steps.slower.at, dials };
    const foot = -Math.min(dials, DEEP);
    for (let back = 0; back <= LONGEST; back += 0.2) assert.ok(score(state, back) >= foot);
  }
});

test("what is not drawn of a real head is nearly the same at every distance", () => {
  const others = [...head.size.keys()].filter((i) => !MOVING.includes(i));
  const added = (i, distance) => head.size[i] * Math.cos(head.angle[i] + distance * ALL[i]);
  const sums = Array.from({ length: 32 }, (_, distance) =>
    others.reduce((sum, i) => sum + added(i, distance), 0),
  );
  assert.ok(Math.max(...sums) - Math.min(...sums) < 0.6);
});

test("a shadow is as long as the score and never lies under its key", () => {
  for (const wedge of [-3, -1, 0, 0.01, 1, 2]) {
    const { x1, y1, x2, y2 } = shadowOn({ x: 0, y: 0, r: 100 }, 0.7, 0.7 + wedge);
    assert.ok(Math.abs(Math.hypot(x2 - x1, y2 - y1) - 100 * Math.abs(Math.cos(wedge))) < 1e-9);
    assert.ok(Math.hypot(x1, y1) > 8);
  }
});

test("a wedge is the sum of its parts as they are written", () => {
  for (let bend = -180; bend <= 180; bend++)
    for (const apart of [0, 1, 5, 12]) {
      const state = { ...start, m: apart, bend: (bend * Math.PI) / 180 + 0.004 };
      const { content, distance } = written(state);
      const parts = Number(told.content(state, said).slice(0, -1)) + distance;
      assert.equal(content + distance, parts);
      assert.equal(told.wedge(state, said), `${parts}°`);
    }
});
