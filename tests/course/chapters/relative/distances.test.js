import assert from "node:assert/strict";
import { test } from "node:test";

import {
  braces,
  clipped,
  rowOf,
  shares,
  sinusoid,
  t5Bucket,
  wordsIn,
} from "../../../../course/page/formulas/distances.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const values = valuesOf("distances");

test("the row of a table for every pair of a sentence", () => {
  for (const limit of [4, 15])
    values[`rows_${limit}`].forEach((row, i) =>
      row.forEach((id, j) => assert.equal(rowOf(i, j, limit), id)),
    );
  assert.equal(clipped(9, 2, 4), -4);
});

test("T5's buckets and where they begin", () => {
  for (const [buckets, most] of [
    [32, 128],
    [16, 64],
  ]) {
    const expected = values[`buckets_${buckets}_${most}`];
    const found = expected.map((_, distance) => t5Bucket(distance, buckets, most));
    assert.deepEqual(found, expected);
  }
  assert.deepEqual(
    braces().map(({ from }) => from),
    values.edges,
  );
});

test("braces are not each wider than the last", () => {
  const widths = braces().map(({ from, to }) => to - from + 1);
  assert.deepEqual(widths.slice(15, 20), [1, 3, 2, 3, 3]);
  assert.equal(widths[31], Infinity);
});

test("a row that is computed for a distance", () => {
  [0, 1, 15, 4000].forEach((distance, n) =>
    assertClose(sinusoid(distance, 16), values.sinusoids[n], 1e-12),
  );
});

test("what each brace gets of the attention by the learned numbers alone", () => {
  values.lengths.forEach((length, n) => {
    assertClose(shares(values.numbers, braces(), length), values.shares[n], 1e-14);
    const words = braces().map((brace) => wordsIn(brace, length));
    assert.equal(
      words.reduce((a, b) => a + b),
      length,
    );
  });
});
