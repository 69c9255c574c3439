import assert from "node:assert/strict";
import { test } from "node:test";

import { WAYS, makeWay, orderOf } from "../../../../course/chapters/why_position/attention.js";
import * as model from "../../../../course/chapters/why_position/model.js";
import { steps, start } from "../../../../course/chapters/why_position/picture.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const values = valuesOf("attention");
const inRows = (numbers, width) =>
  Array.from({ length: numbers.length / width }, (_, i) =>
    numbers.slice(i * width, (i + 1) * width),
  );
const orders = inRows(values.orders, model.COUNT);
/** The place of each word. */
const placesOf = (order) => order.map((_, word) => order.indexOf(word));
const stateOf = (step) => ({ ...start, ...steps[step].at, ...steps[step].after });
const permutations = (words) =>
  words.length < 2
    ? [words]
    : words.flatMap((word) =>
        permutations(words.filter((other) => other !== word)).map((rest) => [word, ...rest]),
      );
const ALL = permutations(model.TYPED);
const [ADD, SUBTRACT, TURN] = ["add", "subtract", "turn"].map((way) => WAYS.indexOf(way));

test("shares and outputs are those of posenc, in every order, way and mask", () => {
  WAYS.forEach((name, way) => {
    [null, "causal"].forEach((masked, mask) => {
      const [outputs, weights] = ["outputs", "weights"].map(
        (one) => values[`${one}_${name}_${masked === null ? "None" : masked}`],
      );
      orders.forEach((order, i) => {
        const now = model.nowOf({ ...start, places: placesOf(order), way, mask });
        const numbers = model.COUNT * model.WIDTH;
        const inOrder = (rows) => order.flatMap((word) => rows[word]);
        assertClose(inOrder(now.outputs), outputs.slice(i * numbers, (i + 1) * numbers), 1e-12);
        const shares = order.flatMap((word) => order.map((key) => now.shares[word][key]));
        const cells = model.COUNT ** 2;
        assertClose(shares, weights.slice(i * cells, (i + 1) * cells), 1e-12);
      });
    });
  });
});

test("without an encoding and a mask no order changes a number, nor is one *the* the other", () => {
  ALL.forEach((order) => {
    const state = { ...start, places: placesOf(order) };
    assert.ok(model.change(state) < model.NOTHING);
    const { outputs } = model.nowOf(state);
    assertClose(outputs[model.THE], outputs[model.OTHER_THE], model.NOTHING);
  });
  assert.equal(new Set(ALL.map((order) => model.reading({ places: placesOf(order) }))).size, 60); // prettier-ignore
});

test("told in any way, the man bites the dog is another sentence; in a mirror ALiBi sees the same", () => {
  [ADD, SUBTRACT, TURN].forEach((way) => {
    const state = { ...start, way, places: model.OTHERS };
    assert.ok(model.change(state) > 0.1);
    const mirrored = model.change({ ...state, places: model.MIRRORED });
    assert.equal(mirrored < model.NOTHING, way === SUBTRACT);
  });
  assert.ok(model.change({ ...stateOf("mirror"), mask: 1 }) > 0.1);
});

test("with a mask the output of bites depends on which words come before, not on their order", () => {
  const before = (order) => order.slice(0, order.indexOf(model.BITES)).sort().join();
  ALL.forEach((order) => {
    const now = model.nowOf({ ...stateOf("mask"), places: placesOf(order) });
    const isSame = [`${model.THE},${model.DOG}`, `${model.DOG},${model.OTHER_THE}`].includes(before(order)); // prettier-ignore
    assert.equal(model.changeOf(now, model.BITES) < model.NOTHING, isSame);
  });
});

test("the blocks of a number add up to it in every order", () => {
  ALL.forEach((order) => {
    const now = model.nowOf({ ...stateOf("sum"), places: placesOf(order) });
    assertClose(
      [now.terms.reduce((a, b) => a + b, 0)],
      [now.outputs[now.word][now.channel]],
      1e-12,
    );
  });
});

test("words make way for the one that is held, and stand in its order when it rests", () => {
  assert.deepEqual(makeWay([0, 1, 3, 4], 2, 2), [0, 1, 2, 3, 4]);
  assert.deepEqual(orderOf(makeWay([0, 1, 3, 4], 2, 0)), [2, 0, 1, 3, 4]);
  assert.deepEqual(makeWay([0, 1, 3, 4], 2, 2.25), [0, 1, 2.25, 2.75, 4]);
});

test("who bites is read off the order, and no sentence is one", () => {
  assert.deepEqual(model.story(start), { biter: model.DOG, bitten: model.MAN });
  assert.deepEqual(model.story({ places: model.OTHERS }), { biter: model.MAN, bitten: model.DOG });
  assert.equal(model.story({ places: model.MIRRORED }), null);
});

test("no task is reached before the reader has done something, and each can be", () => {
  const reached = {
    story: { places: model.OTHERS },
    mask: { places: [0, 4, 2, 3, 1] },
    count: { query: 10 },
    mirror: { mask: 1 },
    ahead: { length: 0.5 },
  };
  for (const [step, done] of Object.entries(reached)) {
    assert.ok(!steps[step].goal(stateOf(step), new Set()), step);
    assert.ok(steps[step].goal({ ...stateOf(step), ...done }, new Set()), step);
  }
  const seen = { bag: ["0,1", "1,0", "2,0"], sum: ["0,1", "1,0"], twins: ["word 3"], tell: ["add", "subtract", "turn"] }; // prettier-ignore
  for (const [step, what] of Object.entries(seen)) {
    assert.ok(!steps[step].goal(stateOf(step), new Set(what.slice(1))), step);
    assert.ok(steps[step].goal(stateOf(step), new Set(what)), step);
  }
});
