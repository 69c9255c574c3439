import assert from "node:assert/strict";
import { test } from "node:test";

import data from "../../../../course/chapters/turn_value/data.js";
import {
  ACROSS,
  KEPT as VECTORS,
  QUERY,
  WHOLE,
  gap,
  keys,
  times,
} from "../../../../course/chapters/turn_value/latent.js";
import { start, steps, told } from "../../../../course/chapters/turn_value/picture.js";
import { layout } from "../../../../course/chapters/turn_value/room.js";
import {
  KEPT,
  SCORES,
  WANTED,
  above,
  chosen,
  level,
  rank,
} from "../../../../course/chapters/turn_value/scores.js";
import {
  LAST,
  STEP,
  along,
  off,
  parts,
  placeAt,
  placesOf,
  total,
  turn,
} from "../../../../course/chapters/turn_value/values.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const values = valuesOf("turn_value");
const said = { number: (value, digits = 0) => value.toFixed(digits) };

test("sums of values are those of posenc: left alone, turned, and turned back", () => {
  values.states.forEach(([first, swap], i) => {
    const s = { ...start, start: first, swap };
    const found = [
      total(parts(s, 0)),
      total(parts({ ...s, own: 1 }, 0)),
      total(parts({ ...s, own: 1 }, 1)),
    ];
    assertClose(found.flat(), values.sums[i].flat(), 1e-12);
  });
  assert.deepEqual(placesOf({ ...start, start: 2, swap: 1 }), [4, 3, 2, 5]);
});

test("moving the text turns what is added, and leaves what is turned back; a swap changes it", () => {
  const sum = (first, swap, own, back) =>
    total(parts({ ...start, start: first, swap, own }, back)).map((one) => one.toFixed(3));
  assert.deepEqual(sum(0, 0, 0, 0), ["0.672", "0.089"]);
  assert.deepEqual(sum(0, 0, 0, 0), sum(4, 1, 0, 0));
  assert.deepEqual(sum(0, 0, 1, 0), ["0.400", "0.694"]);
  assert.deepEqual(sum(2, 0, 1, 0), ["-0.614", "0.515"]);
  assert.deepEqual(sum(0, 0, 1, 1), ["0.401", "-0.694"]);
  assert.deepEqual(sum(0, 0, 1, 1), sum(5, 0, 1, 1));
  assert.deepEqual(sum(3, 1, 1, 1), ["0.459", "-0.352"]);
});

test("what an output is off by is that of posenc, and the ruler leads to every place", () => {
  assertClose(values.places.map(off), values.off, 1e-9);
  assert.deepEqual(
    values.off.slice(0, 6).map((one) => (100 * one).toFixed(1)),
    ["0.0", "9.2", "29.2", "33.2", "42.5", "48.8"],
  );
  for (const place of [0, 1, 7, 100, 65_536, LAST]) assert.equal(placeAt(along(place)), place);
});

test("keys of both orders are those of posenc, and agree at place 0 alone", () => {
  const all = Array.from({ length: 9 }, (_, place) => keys(place));
  assertClose(all.flatMap(({ made }) => made), values.made, 1e-12); // prettier-ignore
  assertClose(all.flatMap(({ turned }) => turned), values.turned, 1e-12); // prettier-ignore
  const gaps = Array.from({ length: 9 }, (_, place) => gap(place));
  assertClose(gaps, values.gaps, 1e-12);
  assert.ok(gaps[0] === 0 && gaps.slice(1).every((one) => one > 0.2));
});

test("a score is the same with W at the word and with its transpose at the query", () => {
  const dot = ([a, b], [c, d]) => a * c + b * d;
  const atWords = VECTORS.map((c) => dot(QUERY, times(WHOLE, c)));
  assert.deepEqual(atWords, [6, 1, 5, 4]);
  assert.deepEqual(atWords, VECTORS.map((c) => dot(times(ACROSS, QUERY), c))); // prettier-ignore
});

test("a score depends on the distance alone, but not with W between two turns", () => {
  const dot = ([a, b], [c, d]) => a * c + b * d;
  const scores = (order) =>
    [1, 2, 3, 4, 5].map((place) => dot(turn([0.6, 0.8], STEP * place), keys(place - 1)[order]));
  assertClose(scores("made"), Array(5).fill(scores("made")[0]), 1e-12);
  assert.ok(scores("turned").every((one, i, all) => !i || Math.abs(one - all[i - 1]) > 0.01));
});

test("scores of the indexer are those of posenc in both layouts, and so is what is chosen", () => {
  assertClose(SCORES.flat(), values.scores.flat(), 1e-9);
  const sorted = (isNear, count) => [...chosen(isNear, count)].sort((a, b) => a - b);
  assert.deepEqual(sorted(false, KEPT), [1, 14, 18, 19, 20, 21, 22, 26, 39]);
  assert.deepEqual(sorted(true, KEPT), [0, 1, 5, 6, 11, 12, 13, 18, 56]);
  assert.deepEqual([rank(false), rank(true)], [1, 32]);
  for (const isNear of [false, true])
    for (const count of [KEPT, 32]) assert.equal(above(isNear, level(isNear, count)), count);
  assert.ok(!chosen(true, 31).has(WANTED) && chosen(true, 32).has(WANTED));
});

test("tasks are open as their steps begin, and reached where the words say", () => {
  const at = (id, more = {}) => ({ ...start, ...steps[id].at, ...steps[id].after, ...more });
  const isReached = (id, more) => Boolean(steps[id].goal(at(id, more), new Set()));
  for (const id of Object.keys(steps)) assert.ok(!isReached(id, {}), id);
  assert.ok(isReached("turned", { start: 3 }));
  const [x, y] = total(parts(at("turned", { start: 3 }), 0));
  assert.ok(x < 0 && Math.abs(y / x) < 0.01);
  assert.ok(isReached("apart", { swap: 0 }) && isReached("back", { swap: 1 }));
  const first = Array.from({ length: 2000 }, (_, place) => place).find((place) => isReached("forget", { place })); // prettier-ignore
  assert.equal(first, 4);
  assert.equal(told.off({ place: first }, said), "25%");
  assert.equal(told.off({ place: first - 1 }, said), "22%");
  for (let place = first; place < 100_000; place++) assert.ok(isReached("forget", { place }));
  assert.ok(isReached("latent", { moved: 0 }));
  for (const place of Array(9).keys())
    assert.equal(isReached("boxes", { at: place }), place === 2 || place === 7, place);
  assert.ok(isReached("indexer", { cut: 32 }) && !isReached("indexer", { cut: 31 }));
  assert.ok(!isReached("indexer", { near: 0, cut: 32 }));
});

test("what the words say of distances is so of the places", () => {
  const [ann, , bob, tea] = placesOf({ ...start, ...steps.back.after, swap: 1 });
  assert.deepEqual([tea - ann, tea - bob], [1, 3]);
  assert.equal(data.shared.numbers / data.shared.turned, 8);
});

test("nothing is outside the picture, in all sizes", () => {
  for (const [width, height] of [
    [904, 624],
    [390, 368],
    [360, 268],
    [648, 544],
    [768, 580],
  ]) {
    const isPhone = width < 560;
    for (const s of Object.values(steps)) {
      const room = layout({ width, height, isPhone }, { ...start, ...s.at });
      const { columns, query, levels, box, high } = room.latent;
      const tall = Object.values(levels);
      assert.ok(high > 20 && tall.every((y, i) => y < height && (!i || y - tall[i - 1] > 12)));
      assert.ok(query + box.w / 2 < width && query - columns.at(-1) > box.w, `${width}`);
      for (const { x, y, r } of [room.left, room.right, ...room.keys])
        assert.ok(r > 30 && x - r > 0 && x + r < width && y + r < height, `${width} ${r}`);
      assert.ok(room.grid.size > 18 && room.scores.h > 60, `${width}`);
    }
  }
});
