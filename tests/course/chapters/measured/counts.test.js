import assert from "node:assert/strict";
import { test } from "node:test";

import { interval, odds, probability } from "../../../../course/page/formulas/counts.js";
import data from "../../../../course/chapters/measured/data.js";
import {
  COUNT,
  between,
  count,
  differing,
  passage,
} from "../../../../course/chapters/measured/keys.js";
import { more } from "../../../../course/chapters/measured/each.js";
import { INSIDE, drawn } from "../../../../course/chapters/measured/room.js";
import { start, steps } from "../../../../course/chapters/measured/picture.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const values = valuesOf("counts");
const WAYS = ["none", "window", "linear", "ntk", "yarn"];

/** Mean of the thousands that are drawn in one half. */
function mean(name, state, from) {
  const own = Array.from({ length: INSIDE }, (_, i) => drawn(name, state, from + i));
  return own.reduce((sum, one) => sum + one, 0) / own.length;
}

test("the interval of a count", () => {
  values.counts.forEach(([right, asked], i) => {
    assertClose(
      interval(right, asked).map((one) => 100 * one),
      values.intervals[i],
      1e-9,
    );
  });
});

test("bits, probabilities and odds", () => {
  assertClose(values.bits.map(probability), values.probabilities, 1e-15);
  values.bits.forEach((bits) => assert.ok(Math.abs(odds(bits) * probability(bits) - 1) < 1e-12));
});

test("what each method saves in each text, beyond the trained length", () => {
  /** @type {const} */ (["linear", "ntk", "yarn"]).forEach((way, i) => {
    assertClose(data.texts.map((_, text) => more(way, text)), values.saved[i], 0.005); // prettier-ignore
  });
});

test("the mean of the thousands that are drawn is what was measured of each half", () => {
  WAYS.forEach((name, way) => {
    [0, INSIDE].forEach((from, half) => {
      const expected = values.levels[way][half];
      assertClose([mean(name, start, from)], [expected], 0.001);
    });
  });
});

test("less the window, with factor 4 and with factor 2", () => {
  const over = [4, 2].map((factor) => mean("yarn", { ...start, less: 1, factor }, INSIDE));
  assertClose(over, values.over_window, 0.0015);
  assert.equal(drawn("window", { ...start, less: 1 }, INSIDE), 0);
});

test("keys that were found, and the intervals of their share", () => {
  assert.equal(COUNT, 30);
  ["none", "ntk", "yarn"].forEach((way, i) => {
    values.lengths.forEach((length, at) => {
      assertClose([count(length, way), ...between(length, way)], values.keys[i][at], 1e-9);
    });
  });
  assert.equal(count(32768, "linear"), 0);
  assert.equal(differing(16384, "ntk", "yarn"), 14); // of thirty, of which both find 23
});

test("the passage around a key, whose filler goes on where it was cut", () => {
  const { before, key, after } = passage({ ...start, key: 1 }, 6);
  assert.equal(before, "There and back again. The");
  assert.equal(key, "Remember this pass key: Thomas 38631. Again, the pass key: Thomas 38631.");
  assert.equal(after, "grass is green. The sky");
  assert.equal(passage({ ...start, key: 0 }, 6).before, "");
});

test("a drawn curve is right where no step is far off, and the reader has to look for the worst", () => {
  const { isRight, after, goal } = steps.breaks;
  const measured = data.bits.none.slice(8);
  const missed = measured.map((bits, i) => bits - (i === 0 ? 2.3 : 0));
  assert.ok(isRight({ own: measured }));
  assert.ok(!isRight({ own: missed }));
  assert.ok(!goal({ ...after, own: missed }));
});
