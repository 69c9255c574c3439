import assert from "node:assert/strict";
import { test } from "node:test";

import { invFreq, isNew, score, softmax, widest } from "../../../course/page/formulas/rotation.js";
import { assertClose, valuesOf } from "../../static/close.js";

const values = valuesOf("rotation");

test("the pairs turn as fast as posenc's", () => {
  assertClose(invFreq(8, 1000), values.theta, 1e-15);
  assertClose(invFreq(64, 10000), values.llama_theta, 1e-15);
});

test("the score against the distance, with content that all pairs agree on one word back", () => {
  const speeds = invFreq(8, 1000);
  const content = speeds.map((speed) => -speed);
  const sizes = speeds.map(() => 1);
  const found = values.scores.map((_, distance) => score(speeds, content, sizes, distance));
  assertClose(found, values.scores, 1e-13);
});

test("a softmax", () => assertClose(softmax(values.row), values.shares, 1e-15));

test("what is new 6,000 tokens apart in Llama 2: 16 pairs, seen round the circle", () => {
  const speeds = values.llama_theta;
  assertClose(
    speeds.map((speed) => widest(speed, 4096)),
    values.widest,
    1e-9,
  );
  const isFar = values.angles.map(
    (angle, i) => values.widest[i] < 2 * Math.PI && angle > values.widest[i] + 1.001 * speeds[i],
  );
  const found = speeds.map((speed) => isNew(speed, 6000, 4096));
  assert.deepEqual(found, isFar);
  assert.equal(found.filter(Boolean).length, 16);
});
