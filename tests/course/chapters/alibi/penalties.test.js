import assert from "node:assert/strict";
import { test } from "node:test";

import {
  bendThrough,
  penalty,
  pool,
  slope,
  total,
} from "../../../../course/page/formulas/penalties.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const values = valuesOf("penalties");
const { slopes, distances, lengths, bend } = values;
const LENGTH = 10_624; // the length of the shares

test("the slopes of eight heads, and of four", () => {
  const of = (heads) => Array.from({ length: heads }, (_, i) => slope(i + 1, heads));
  assertClose(of(8), slopes, 1e-16);
  assertClose(of(4), values.slopes_of_4, 1e-16);
});

test("what a score loses, on a straight line and on a bent one", () => {
  slopes.forEach((m, head) => {
    const lost = (b) => distances.map((d) => penalty(m, d, b));
    assertClose(lost(0), values.penalties[head], 1e-12);
    assertClose(lost(bend), values.bent[head], 1e-12);
  });
});

test("a line that is hardly bent is nearly straight, and a line goes through the hand", () => {
  assert.ok(Math.abs(penalty(0.5, 400, 1e-7) - 200) < 0.01);
  for (const lost of [4, 14, 60]) {
    const found = penalty(0.5, 400, bendThrough(0.5, 400, lost));
    assert.ok(Math.abs(found - lost) < 1e-3);
  }
  assert.equal(bendThrough(0.5, 10, 6), 0); // below the straight line
});

test("the words that hold 90%, in texts from one word to a million", () => {
  lengths.forEach((length, i) => {
    assert.deepEqual(
      slopes.map((m) => pool(m, length)),
      values.windows[i],
    );
  });
});

test("shares of the attention", () => {
  slopes.forEach((m, head) => {
    const share = (d) => Math.exp(-penalty(m, d)) / total(m, LENGTH);
    assertClose(distances.map(share), values.shares[head], 1e-14);
    assert.ok(Math.abs(1 / total(m, LENGTH, bend) - values.bent_own_shares[head]) < 1e-14);
  });
});
