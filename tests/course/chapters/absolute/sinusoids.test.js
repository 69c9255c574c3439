import assert from "node:assert/strict";
import { test } from "node:test";

import * as model from "../../../../course/chapters/absolute/model.js";
import { PLACES } from "../../../../course/chapters/absolute/room.js";
import * as sinusoids from "../../../../course/page/formulas/sinusoids.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const {
  places,
  rows,
  products,
  alike,
  turns,
  parts,
  low,
  high,
  new: unseen,
} = valuesOf("sinusoids");

test("the row of every place that is shown, beyond training too", () => {
  places.forEach((place, i) => assertClose(model.row(place), rows[i], 1e-13));
});

test("the dot product of two rows knows their distance alone", () => {
  products.forEach((product, distance) => {
    assertClose([model.product(distance)], [product], 1e-13);
    assertClose([sinusoids.dot(model.row(70), model.row(70 + distance))], [product], 1e-12);
  });
});

test("one hand, two and three leave as many places as in Python", () => {
  assert.deepEqual(
    [1, 2, 3].map((hands) => model.fitting(hands).length),
    alike,
  );
  assert.deepEqual(model.fitting(3), [model.HIDDEN]);
});

test("three words on turns every hand by the same angle", () => {
  assertClose(
    model.SPEEDS.slice(0, turns.length).map((speed) => (3 * speed * 180) / Math.PI),
    turns,
    1e-12,
  );
});

test("the four parts of a score, without matrices and with them", () => {
  const shown = places.slice(0, parts.length / 2);
  parts.forEach((expected, i) => {
    const found = model.parts(shown[i % shown.length], i < shown.length ? 0 : 1);
    const [words, row, wordRow, rowWord] = found;
    assertClose([words, rowWord, wordRow, row], expected, 1e-12);
  });
});

test("what training had of every number, and what is new beyond it", () => {
  low.forEach((value, i) => assertClose(model.range(i), [value, high[i]], 1e-13));
  assert.deepEqual(
    places.map((p) => model.unseen({ p }).filter(Boolean).length),
    unseen,
  );
});

test("a wheel rolls only while the one below passes from nine to nought", () => {
  assert.deepEqual(
    [39, 39.5, 40].map((place) => sinusoids.rolled(place, 1)),
    [3, 3.5, 4],
  );
  assert.equal(sinusoids.rolled(38.5, 1), 3);
});

test("the sum that is to be taken apart is met by its own word and place alone", () => {
  const { word, place } = model.MIXED;
  assert.equal(model.off({ word, p: place }), 0);
  model.NAMES.forEach((_, other) => {
    for (let p = 0; p < 128; p++)
      if (other !== word || p !== place) assert.ok(model.off({ word: other, p }) > 0.3);
  });
});

test("no two sums of a word and a row are alike, so that one can be taken apart", () => {
  const sums = model.WORDS.flatMap((word) =>
    Array.from({ length: PLACES }, (_, place) => model.row(place).map((x, i) => x + word[i])),
  );
  const apart = sums.map((a, i) =>
    sums
      .slice(i + 1)
      .reduce((least, b) => Math.min(least, Math.max(...a.map((x, j) => Math.abs(x - b[j])))), 1),
  );
  assert.ok(Math.min(...apart) > 0.5);
});
