import assert from "node:assert/strict";
import { test } from "node:test";

import {
  around,
  between,
  dot,
  gatesIn,
  gatesOf,
  positions,
  softmax,
} from "../../../../course/page/formulas/gates.js";
import { KEYS, LENGTH, short } from "../../../../course/chapters/cope/room.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const values = valuesOf("gates");
const [last] = values.last;
const COUNT = Math.sqrt(values.gates.length);
const rowsOf = (name) => {
  const width = values[name].length / COUNT;
  return Array.from({ length: COUNT }, (_, i) => values[name].slice(i * width, (i + 1) * width));
};
const [queries, keys] = ["q", "k"].map(rowsOf);
/** What a query does not see is zero. */
const seen = (row, query) => row.map((value, j) => (j > query ? 0 : value));

test("gates are those of posenc, as in the paper", () => {
  queries.forEach((query, i) => {
    assertClose(seen(gatesOf(query, keys), i), rowsOf("gates")[i], 1e-12);
  });
});

test("positions are sums of gates from the key to the query, up to the last", () => {
  queries.forEach((query, i) => {
    const gates = gatesOf(query, keys);
    assertClose(seen(positions(gates, i), i), seen(rowsOf("free")[i], i), 1e-12);
    assertClose(seen(positions(gates, i, last), i), seen(rowsOf("positions")[i], i), 1e-12);
  });
});

test("a token after the query counts nothing, one that the query is on its way to in part", () => {
  assert.deepEqual(positions([1, 1, 1], 1), [2, 1, 0]);
  assert.deepEqual(positions([1, 1, 1], 1.25), [2.25, 1.25, 0.25]);
});

test("between two whole positions both count", () => {
  queries.forEach((_, i) => {
    const found = rowsOf("positions")[i].map((place) => between(place, rowsOf("products")[i]));
    assertClose(seen(found, i), seen(rowsOf("added")[i], i), 1e-12);
  });
  assert.deepEqual(around(2), { low: 2, high: 2, share: 0 });
  assert.deepEqual(around(1.9999999999), { low: 2, high: 2, share: 0 });
  assert.equal(around(2.25).high, 3);
  assert.equal(between(7, [1, 2, 5]), 5);
});

test("attention is the softmax of the score and what the position adds", () => {
  queries.forEach((query, i) => {
    const places = positions(gatesOf(query, keys), i, last);
    const scores = keys.map((key, j) =>
      j > i ? -Infinity : dot(query, key) + between(places[j], rowsOf("products")[i]),
    );
    assertClose(softmax(scores), rowsOf("weights")[i], 1e-12);
  });
});

test("every pair that a causal mask leaves has a gate", () => {
  assert.deepEqual([1, 11, 4096].map(gatesIn), values.counted);
});

test("doors of a query for commas, as they are written, add up to the floor", () => {
  for (let degrees = -20; degrees >= -60; degrees -= 5) {
    const at = (degrees * Math.PI) / 180;
    const gates = gatesOf([LENGTH * Math.cos(at), LENGTH * Math.sin(at)], KEYS);
    const write = (value, digits) => value.toFixed(digits);
    const sum = gates.reduce((all, gate) => all + Number(short(write, gate, 3)), 0);
    assert.equal(sum.toFixed(2), positions(gates, gates.length - 1)[0].toFixed(2));
  }
});
