import assert from "node:assert/strict";
import { test } from "node:test";

import {
  PAGE,
  alibi,
  alike,
  asking,
  best,
  shares,
  t5,
} from "../../../../course/chapters/why_rope/heads.js";
import { start, steps, told } from "../../../../course/chapters/why_rope/picture.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const { wanted, shown, ...values } = valuesOf("look_back");
const page = (share) => Array.from({ length: PAGE }, (_, d) => share(d));
const said = { number: (value, digits = 0) => value.toFixed(digits) };

test("shares of the three heads are those of posenc", () => {
  const of = (name) => wanted.flatMap((n) => shown.map(shares(name, n, best(n))));
  assertClose(of("alibi"), values.alibi, 1e-12);
  assertClose(of("t5"), values.t5, 1e-12);
  assertClose(of("rope"), values.rope, 1e-12);
});

test("ALiBi gives the word n back nⁿ / (n + 1)ⁿ⁺¹ at most, and the word itself always more", () => {
  for (const n of [1, 2, 15, 100]) {
    const most = (n / (n + 1)) ** n / (n + 1);
    assert.ok(Math.abs(alibi(best(n))(n) - most) < 1e-9);
    for (let power = -10; power <= 1; power += 0.01) {
      const share = alibi(2 ** power);
      assert.ok(share(n) <= most * 1.02); // of 4,096 words: a little more than of an endless text
      assert.ok(share(0) > share(n));
    }
  }
});

test("T5 lights one word up to 15 back, 14 at 100, and from 113 on all", () => {
  assert.deepEqual([1, 15, 16, 100, 112].map(alike), [1, 1, 3, 14, 14]);
  assert.equal(alike(113), 4096 - 113);
  assert.ok(t5(15)(15) > 0.99 && t5(16)(16) < 0.34);
});

test("RoPE’s spot is as bright at every distance", () => {
  for (const n of [1, 15, 100, 300, 399]) {
    const found = page(shares("rope", n, 1));
    assert.equal(found.indexOf(Math.max(...found)), n);
    assert.ok(Math.abs(found[n] - 0.5773) < (n > 1 ? 0.001 : 0.01)); // one back, no word stands behind the query
    assert.equal(found[n - 1].toFixed(2), "0.20");
  }
});

test("a lead raises every place of a word alike, and shares stay shares", () => {
  const [alone, places] = [alibi(0.01), [10, 200]];
  const asked = asking(alone, places, 3);
  assert.ok(Math.abs(asked(10) / asked(200) - alone(10) / alone(200)) < 1e-9);
  assert.ok(Math.abs(asked(10) / asked(11) / (alone(10) / alone(11)) - Math.exp(3)) < 1e-9);
  const sum = (share) => Array.from({ length: 4096 }, (_, d) => share(d)).reduce((a, b) => a + b);
  assert.ok(Math.abs(sum(asked) - 1) < 1e-9);
});

test("with a large lead RoPE alone singles out one of the clocks", () => {
  const state = { ...start, ...steps.word.at, lead: 12 };
  const part = (name) => Number.parseFloat(told[`part_${name}`](state, said));
  assert.deepEqual(["alibi", "t5", "rope"].map(part), [16, 17, 100]);
});
