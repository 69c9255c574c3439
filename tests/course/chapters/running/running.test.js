import assert from "node:assert/strict";
import { test } from "node:test";

import picture, { start, steps } from "../../../../course/chapters/running/picture.js";

test("what is shown before an answer is said, and not that nothing is", () => {
  assert.equal(picture.spoken({ ...start, ...steps.stale.at }), "say_off");
  assert.equal(picture.spoken({ ...start, ...steps.lists.at }), "say_off");
  assert.equal(picture.spoken({ ...start, ...steps.price.at }), "say_prompt");
  assert.equal(picture.spoken({ ...start, ...steps.price.at, ...steps.price.after }), "say_price");
});

test("a way out is found where there is something to get out of", () => {
  const found = { ...start, ...steps.ways.at, way: 3 };
  assert.ok(steps.ways.goal(found));
  assert.ok(!steps.ways.goal({ ...found, past: 0 }));
});
