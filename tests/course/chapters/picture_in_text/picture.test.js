import assert from "node:assert/strict";
import { test } from "node:test";

import {
  enough,
  ids,
  later,
  needed,
  next,
  positions,
} from "../../../../course/chapters/picture_in_text/ids.js";
import {
  DIALS,
  LENGTH,
  PAIRS,
  fastest,
  ofAxis,
  shares,
} from "../../../../course/chapters/picture_in_text/pairs.js";
import { turned } from "../../../../course/chapters/picture_in_text/dials.js";
import { start, steps, told } from "../../../../course/chapters/picture_in_text/picture.js";
import { idsOf } from "../../../../course/chapters/picture_in_text/map.js";
import { layout, patchAt, wordAt } from "../../../../course/chapters/picture_in_text/room.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const values = valuesOf("picture_in_text");
const said = { number: (value, digits = 0) => value.toFixed(digits) };
const box = { width: 900, height: 600, isPhone: false };

test("ids of texts with a picture are those of posenc", () => {
  values.pictures.forEach(([rows, columns], i) => {
    assert.deepEqual(ids(rows, columns), values.ids[i]);
    assert.equal(next(3, rows, columns), values.ids[i].at(-3)[0]);
  });
  const shown = Array.from({ length: 27 }, (_, token) => idsOf(token));
  assert.deepEqual(shown, values.ids[0].slice(0, 27));
});

test("the wedge of a dial goes from up to its hand", () => {
  for (const angle of [0.03, Math.PI / 4, -Math.PI / 3, 3]) {
    const points = turned({ x: 0, y: 0 }, 100, angle).slice(1, -1).split("L").slice(1);
    const [first, last] = [points[0], points.at(-1)].map((one) => one.split(/[ ,]/).map(Number));
    assert.ok(Math.hypot(first[0], first[1] + 100) < 0.1, "up");
    assert.ok(
      Math.hypot(last[0] - 100 * Math.sin(angle), last[1] + 100 * Math.cos(angle)) < 0.1,
      "the hand",
    );
  }
});

test("a film counts its seconds, as posenc does", () => {
  values.seconds.forEach((seconds, i) => {
    const times = [0, 1, 2].map((sheet) => later(sheet, seconds));
    assert.deepEqual(
      times.map((time) => 3 + time),
      values.times[i],
    );
    assert.deepEqual(ids(4, 6, times).slice(0, -3), values.films[i]);
  });
});

test("shares of a head that looks up or left are those of posenc, in both orders", () => {
  for (const order of ["blocks", "interleaved"]) {
    const all = values.ways.flatMap((way) => shares(order, values.query, way));
    assertClose(all, values[order], 1e-6);
  }
  assert.equal(shares("interleaved", 15, [-1, 0])[9].toFixed(3), "0.602");
  assert.equal(shares("blocks", 15, [-1, 0])[9].toFixed(4), "0.0628");
});

test("each dial follows one number: in blocks, or in turn until rows and columns are dealt out", () => {
  const blocks = [...Array(16).fill(0), ...Array(24).fill(1), ...Array(24).fill(2)];
  assert.deepEqual(DIALS.blocks.axes, blocks);
  const turns = Array.from({ length: 60 }, (_, i) => i % 3);
  assert.deepEqual(DIALS.interleaved.axes, [...turns, 0, 0, 0, 0]);
  assert.deepEqual(ofAxis("interleaved", 2).slice(0, 3), [2, 5, 8]);
  const degrees = [fastest("blocks", 1), fastest("blocks", 2), fastest("interleaved", 1), fastest("interleaved", 2)]; // prettier-ignore
  assert.deepEqual(
    degrees.map((one) => one.toFixed(2)),
    ["1.81", "0.01", "45.02", "35.38"],
  );
  assert.ok(PAIRS === 64 && LENGTH === 24);
});

test("a million tokens with pictures need as many positions as posenc gives", () => {
  assertClose([positions(9, 9), positions(40, 40), positions(1, 40)], values.million, 1e-6);
  assert.ok(needed(8, 8) > 3 && needed(9, 9) <= 3);
  assert.equal(enough(3), 9);
  assert.equal(needed(1, 17).toFixed(2), (1e6 / 262_144).toFixed(2));
});

test("tasks are open as their steps begin, and reached where the words say", () => {
  const at = (id, values = {}) => ({ ...start, ...steps[id].at, ...steps[id].after, ...values });
  const isReached = (id, values, seen = []) =>
    Boolean(steps[id].goal(at(id, values), new Set(seen)));
  for (const id of Object.keys(steps)) assert.ok(!isReached(id, {}), id);
  assert.ok(isReached("line", { at: 9 }, ["held"]) && !isReached("line", { at: 3 }, ["held"]));
  assert.ok(isReached("three", { at: 3 }));
  assert.ok(isReached("next", { columns: 4 }) && isReached("next", { rows: 2, columns: 4 }));
  for (const side of [20, 40])
    assert.equal(isReached("stretch", { rows: side, columns: side }), side === 40);
  assert.ok(!isReached("stretch", { rows: 2, columns: 40 }));
  assert.ok(isReached("video", {}, ["slow"]));
  assert.ok(isReached("dials", { at: 17, il: 1 }));
  assert.ok(isReached("light", { il: 1, down: 0, across: -1 }));
  assert.equal(told.share({ ...at("light"), il: 1, down: 0, across: -1 }, said), "64%");
});

test("patches and words stand where their numbers are on the map, and nothing jumps on the way", () => {
  const map = { ...start, map: 1 };
  const room = layout(box, map);
  const { x, y, cell } = room.map;
  const patch = patchAt(room, map, 2, 3);
  assertClose([(patch.x - x) / cell, (patch.y - y) / cell], [6, 5], 1e-9);
  const word = wordAt(room, map, 0, true);
  assertClose([(word.x - x) / cell, (word.y - y) / cell], [9, 9], 1e-9);
  let last = null;
  for (let t = 0; t <= 1.0001; t += 0.01) {
    const s = { ...start, line: 1 - t, map: t };
    const now = patchAt(layout(box, s), s, 3, 5);
    assert.ok(!last || Math.hypot(now.x - last.x, now.y - last.y) < 30);
    last = now;
  }
});
