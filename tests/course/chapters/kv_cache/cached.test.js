import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ahead,
  baseAt,
  cacheBytes,
  dividedSpeeds,
  isKept,
  runsAgain,
  speedsAt,
  turnsOnRead,
  writtenAt,
} from "../../../../course/chapters/kv_cache/cached.js";
import data from "../../../../course/chapters/kv_cache/data.js";
import { start, told } from "../../../../course/chapters/kv_cache/picture.js";
import { CARD, FULL, WORST, weights } from "../../../../course/chapters/kv_cache/room.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const values = valuesOf("cached");
const { trained, base, pairs, alpha } = data.llama2;

test("words that are run again, and keys that are turned again", () => {
  assert.deepEqual(values.counts.map(runsAgain), values.again);
  const turned = values.grown.map((length) => turnsOnRead(trained, length));
  assert.deepEqual(turned, values.turned);
});

test("what five models keep of a text weighs as much as posenc says", () => {
  const found = data.models.flatMap(({ layers }) =>
    values.lengths.map((length) => cacheBytes(layers, length)),
  );
  assert.deepEqual(found, values.bytes);
  assert.deepEqual(
    data.models.map(({ bytes }) => bytes),
    values.weights,
  );
});

test("Llama 2 fills the card with so many tokens and not with one more", () =>
  assert.deepEqual([FULL], values.fits));

test("a window keeps the first and the last, and a kept key the number it was written with", () => {
  const kept = Array.from({ length: 12 }, (_, j) => j).filter((j) => isKept(j, 12, 4, 2));
  assert.deepEqual(kept, values.kept);
  assert.deepEqual(
    kept.map((j) => writtenAt(j, 4, 2)),
    values.written_at,
  );
});

test("the base that grows, the speeds under it, and how far a kept key is off", () => {
  const rule = [trained, base, pairs, alpha];
  assertClose(
    values.grown.map((length) => baseAt(length, ...rule)),
    values.bases,
    1e-9,
  );
  const speeds = values.grown.map((length) => speedsAt(length, ...rule));
  assertClose(speeds.flat(), values.speeds, 1e-15);
  const [written, ...others] = speeds;
  const phases = others.flatMap((now) => values.places.map((place) => ahead(place, written, now)));
  assertClose(phases.flat(), values.phases, 1e-11);
  assert.deepEqual([WORST], values.worst);
});

test("LongRoPE's speeds by each list, and how far the key at 4,000 is off by the other", () => {
  const { base, short, long } = data.phi3;
  const speeds = [short, long].map((list) => dividedSpeeds(base, list));
  assertClose(speeds.flat(), values.listed, 1e-15);
  assertClose(ahead(4000, ...speeds), values.jump, 1e-11);
});

test("what is written of a card adds up", () => {
  const said = { number: (value, digits = 0) => value.toFixed(digits) };
  for (let model = 0; model < 4; model++)
    for (let length = 1; length < 6.6; length += 0.01) {
      const state = { ...start, model, length };
      const [weight, unit] = told.weight(state, said).split("\u00a0");
      const gib = Number(weight) / (unit === "GiB" ? 1 : 1024);
      const sum = Number(told.model_gib(state, said)) + gib;
      assert.ok(Math.abs(sum - Number(told.total(state, said))) < 0.0551, `${sum} ${length}`);
    }
  assert.equal(told.total({ ...start, length: Math.log10(FULL) }, said), `${CARD}.0`);
});

test("the text that fills the card is not too long for it, and one token more is", () => {
  const isOver = (tokens) => weights({ model: 0, length: Math.log10(tokens) }).isOver;
  assert.ok(!isOver(FULL));
  assert.ok(isOver(FULL + 1));
});
