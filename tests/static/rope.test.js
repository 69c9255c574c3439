import assert from "node:assert/strict";
import { test } from "node:test";

import head from "../../static/course/data/rope.js";
import { start, steps, told } from "../../static/course/pictures/rope.js";

const said = { number: (value) => value.toFixed(0) };

test("a score says over how many dials it is the sum", () => {
  const dials = (step) => told.dials({ ...start, ...steps[step].at }, said);
  assert.equal(dials("slower"), "1");
  assert.equal(dials("unseen"), "8");
  assert.equal(dials("real"), `${head.size.length}`);
});
