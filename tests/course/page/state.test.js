// The numbers of a picture on their way: what is dragged stays, everything else gets there.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.matchMedia = () => ({ matches: false });
const { motion } = await import("../../../course/page/state.js");

function moving(start) {
  const state = { ...start };
  const way = motion(state, () => undefined);
  return { state, way, end: () => way.advance(performance.now() + 10_000) };
}

test("a move that begins while another is under way takes it along", () => {
  const { state, way, end } = moving({ length: 0, answer: 0 });
  way.move({ length: 8 }, 700);
  way.move({ answer: 1 }, 700);
  end();
  assert.deepEqual(state, { length: 8, answer: 1 });
  assert.equal(way.isMoving(), false);
});

test("what a hand sets stays, and the rest goes on with its move", () => {
  const { state, way, end } = moving({ length: 0, answer: 0 });
  const asked = { length: 8, answer: 1 };
  way.move(asked, 700);
  way.set({ length: 3 });
  end();
  assert.deepEqual(state, { length: 3, answer: 1 });
  assert.deepEqual(asked, { length: 8, answer: 1 });
});

test("a later move to another place wins", () => {
  const { state, way, end } = moving({ length: 0 });
  way.move({ length: 8 }, 700);
  way.move({ length: 2 }, 700);
  end();
  assert.deepEqual(state, { length: 2 });
});
