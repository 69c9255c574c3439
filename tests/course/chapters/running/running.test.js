import assert from "node:assert/strict";
import { test } from "node:test";

import { WORST } from "../../../../course/chapters/kv_cache/room.js";
import { phases } from "../../../../course/chapters/kv_cache/stale.js";
import picture, { start, steps } from "../../../../course/chapters/running/picture.js";

test("what is shown before an answer is said, and not that nothing is", () => {
  assert.equal(picture.spoken({ ...start, ...steps.stale.at }), "say_off");
  assert.equal(picture.spoken({ ...start, ...steps.lists.at }), "say_off");
  assert.equal(picture.spoken({ ...start, ...steps.price.at }), "say_prompt");
  assert.equal(picture.spoken({ ...start, ...steps.price.at, ...steps.price.after }), "say_price");
});

test("a key is off by half a turn at most, and its dial that is furthest off by nearly that", () => {
  const far = { ...start, ...steps.stale.at, ...steps.stale.after };
  const all = phases(far).map(Math.abs);
  assert.ok(Math.max(...all) <= Math.PI);
  assert.equal(all.indexOf(Math.max(...all)), WORST);
  const near = Number(picture.told.near(far, /** @type {any} */ ({ number: String })));
  assert.ok(near > 0 && steps.stale.goal({ ...far, past: near }));
  assert.ok(!steps.stale.goal({ ...far, past: near + 1 }));
});

test("a way out is found once all were seen, where there is one", () => {
  const found = { ...start, ...steps.ways.at, way: 3 };
  const seen = new Set([1, 2, 3]);
  assert.ok(steps.ways.goal(found, seen));
  assert.ok(!steps.ways.goal(found, new Set([3])));
  assert.ok(!steps.ways.goal({ ...found, past: 0 }, seen));
});
