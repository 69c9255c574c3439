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

test("what follows comes nearer with every frame and arrives, another goal or not", () => {
  const { state, way, end } = moving({ place: 0, values: [0, 4] });
  const begun = performance.now();
  way.follow({ place: 8, values: [2, 4] }, 100);
  way.advance(begun + 100);
  assert.ok(0 < state.place && state.place < 8);
  assert.ok(Math.abs(state.values[0] - state.place / 4) < 1e-9);
  assert.equal(state.values[1], 4);
  way.follow({ place: 3, values: [2, 4] }, 100);
  assert.equal(way.isMoving(), true);
  end();
  assert.deepEqual(state, { place: 3, values: [2, 4] });
  assert.equal(way.isMoving(), false);
});

test("who follows where it stands already does not move", () => {
  const { way } = moving({ place: 3, values: [1] });
  way.follow({ place: 3, values: [1] }, 100);
  assert.equal(way.isMoving(), false);
});
