import assert from "node:assert/strict";
import { test } from "node:test";

import { bitsOf, digitAt, products, rowAt, tableOf, termsOf } from "../../static/pictures/waves.js";
import { assertClose, valuesOf } from "./close.js";

const { theta, positions, rows, table, products: expected } = valuesOf("waves");
const columns = { theta, wave: "sc".repeat(theta.length / 2) };

test("a row of the sinusoidal table at far positions too", () => {
  positions.forEach((position, i) => assertClose(rowAt(columns, position), rows[i], 1e-14));
});

test("a column that is neither sine nor cosine is zero", () => {
  assertClose(rowAt({ theta: [1, 1, 1], wave: "s0c" }, 2), [Math.sin(2), 0, Math.cos(2)], 0);
});

test("the table, and the dot products of one row with all", () => {
  const found = tableOf(columns, table.length / theta.length);
  assertClose(found, table, 1e-14);
  assertClose(products(found, rowAt(columns, 7)), expected, 1e-13);
});

test("the four terms of a score add up to the score", () => {
  const [a, b, pa, pb] = [
    [1, 2],
    [3, -4],
    [0.5, 0.25],
    [-2, 8],
  ]; // words, then their places
  assert.deepEqual(termsOf(a, b, pa, pb), [-5, 14, 0.5, 1]);
});

test("a digit turns while all digits below it go from one to nought", () => {
  assert.deepEqual(digitAt(7.25, 3), { digit: 0, next: 1, share: 0.25 });
  assert.deepEqual(digitAt(6.25, 3), { digit: 0, next: 1, share: 0 });
  assert.deepEqual([1, 2, 3, 128, 129].map(bitsOf), [1, 1, 2, 7, 8]);
});
