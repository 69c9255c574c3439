import assert from "node:assert/strict";
import { test } from "node:test";

import { EQUAL, LONGEST, SHORTEST, matrix, tokensOf, vectors, written } from "../../../../course/chapters/which/kernel.js"; // prettier-ignore
import { MODELS, TWO, bases, without } from "../../../../course/chapters/which/layers.js";
import { FAILED } from "../../../../course/chapters/which/bars.js";
import { ENCODINGS, FEW, LENGTHS, TUNED, NAMES, apart, hasRow, height, isFallen, layout, measured, rowOf } from "../../../../course/chapters/which/room.js"; // prettier-ignore

const SIZES = [
  { width: 904, height: 600, isPhone: false },
  { width: 390, height: 386, isPhone: true },
  { width: 360, height: 270, isPhone: true },
];

test("labels do not touch, stay in the picture, and keep the order of their curves", () => {
  for (const size of SIZES) {
    const room = layout(size);
    const { plot } = room;
    for (const share of [0, 0.5, 1]) {
      const y = plot.y + plot.h * share;
      const labels = Object.values(apart({ none: y, linear: y + 1, ntk: y + 2 }, room));
      labels.forEach((label, i) => {
        assert.ok(label >= plot.y - 1 && label <= plot.y + plot.h);
        if (i) assert.ok(label - labels[i - 1] >= room.gap - 1e-9);
      });
    }
  }
});

test("few rows share the room of all", () => {
  for (const size of SIZES) {
    const room = layout(size);
    const all = room.row * NAMES.length;
    const few = FEW.map((name) => rowOf(room, { few: 1 }, name));
    assert.ok(Math.abs(few.reduce((sum, { tall }) => sum + tall, 0) - all) < 1e-9);
    assert.ok(Math.abs(few[0].y - few[0].tall / 2 - (room.rows[0] - room.row / 2)) < 1e-9);
    assert.ok(room.rows[NAMES.length - 1] + room.row / 2 <= room.foot + 1e-9);
  }
});

test("between two measures a curve is on its way from one to the other", () => {
  const [near, far] = [0, 1].map((measure) => height("alibi", { measure }, 4));
  assert.ok(Math.abs(height("alibi", { measure: 0.5 }, 4) - (near + far) / 2) < 1e-12);
  assert.equal(far, measured("alibi", 1, 4) / 100);
});

test("only a learned table ends with the trained length", () => {
  assert.deepEqual(
    NAMES.filter((name) => !hasRow(name, 1)),
    ["learned"],
  );
});

test("red are those beyond the limit of what is measured", () => {
  const red = (measure) =>
    NAMES.filter((name) => isFallen(name, { measures: 1, measure, length: LENGTHS }));
  assert.deepEqual(red(0), ["nope", "learned", "sinusoidal", "t5", "rope", "rope_base128", "cope"]);
  assert.deepEqual(red(1), [
    "nope",
    "learned",
    "sinusoidal",
    "t5",
    "alibi",
    "rope",
    "rope_base128",
    "cope",
  ]);
});

test("one model of all learned nothing, and its encoding's mean leaves it out", () => {
  const found = Object.values(ENCODINGS).flatMap(({ each, near, learned }) =>
    learned ? each.filter((one) => one < near.low[0] - 0.01) : [],
  );
  assert.deepEqual(found, [FAILED.found]);
  assert.equal(FAILED.name, "sinusoidal");
  assert.ok(FAILED.found < 5);
  assert.ok(TUNED.every((name) => ENCODINGS[name].learned === 3));
});

test("a bias as a matrix is as large as queries, keys and values where a text has three widths", () => {
  assert.equal(matrix(EQUAL), vectors(EQUAL));
  assert.equal(tokensOf({ tokens: Math.log2(EQUAL) }), EQUAL);
  assert.ok(2 ** SHORTEST < EQUAL && EQUAL < 2 ** LONGEST);
  const number = (value, digits) => value.toFixed(digits);
  assert.equal(written(matrix(32768), number), "2 GiB");
  assert.equal(written(vectors(32768), number), "24 MiB");
  assert.equal(written(vectors(2048), number), "1.5 MiB");
});

test("layers are those of the models' files", () => {
  const at = Object.fromEntries(MODELS.map(({ name, layers }, i) => [name, { i, layers }]));
  assert.equal(at.BLOOM.layers.length, 70);
  assert.deepEqual(bases(at.BLOOM.i), []);
  assert.equal(TWO, at["Gemma 3"].i);
  assert.deepEqual(bases(TWO), [1e4, 1e6]);
  assert.deepEqual(
    ["SmolLM3", "Command A", "Qwen3"].map((name) => without(at[name].i)),
    [9, 16, 0],
  );
});
