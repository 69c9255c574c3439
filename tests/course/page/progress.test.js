import assert from "node:assert/strict";
import { test } from "node:test";

const kept = {};
globalThis.localStorage = { getItem: () => JSON.stringify(kept) };
const { answers, last, seen } = await import("../../../course/page/progress.js");

const rope = {
  id: "rope",
  title: "RoPE",
  steps: ["turn", "lock", "point"],
  right: { turn: 1, lock: 0, point: -1 },
};
const keep = (values) => {
  for (const name in kept) delete kept[name];
  Object.assign(kept, values);
};

test("steps that a chapter no longer has were not seen", () => {
  keep({ screens: { rope: [1, 3, 9, 0] } });
  assert.equal(seen(rope), 2);
  keep({});
  assert.equal(seen(rope), 0);
});

test("answers are right by their option, and by the picture's judgement", () => {
  keep({ answers: { rope: { turn: 1, lock: 1, point: 1, gone: 0 } } });
  assert.deepEqual(answers(rope), { answered: 3, right: 2 });
  keep({ answers: { rope: { point: 0 } } });
  assert.deepEqual(answers(rope), { answered: 1, right: 0 });
});

test("one goes on only at a step that there is", () => {
  keep({ last: { screen: "rope", at: 3 } });
  assert.deepEqual(last([rope]), { href: "course/rope/point/", at: 3, title: "RoPE" });
  keep({ last: { screen: "rope", at: 4 } });
  assert.equal(last([rope]), null);
  keep({ last: { screen: "lab", at: 1 } });
  assert.equal(last([rope]), null);
});
