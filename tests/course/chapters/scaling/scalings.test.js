import assert from "node:assert/strict";
import { test } from "node:test";

import measured from "../../../../course/chapters/scaling/data.js";
import {
  METHODS,
  SPEEDS,
  TARGET,
  handsAt,
  isNew,
  nearness,
  newOnes,
  neededFactor,
  ramp,
  reach,
  score,
  share,
  unseen,
  yarnFactor,
} from "../../../../course/chapters/scaling/scalings.js";
import { lifted } from "../../../../course/chapters/scaling/beads.js";
import { LEADS } from "../../../../course/chapters/scaling/crowd.js";
import { HIGH } from "../../../../course/chapters/scaling/factor.js";
import { LONG } from "../../../../course/chapters/scaling/pair.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const values = valuesOf("scalings");
const TRAINED = measured.trained;
const LENGTHS = [2 * TRAINED, 4 * TRAINED];
const NONE = SPEEDS.map(() => 1);
const SLOWED = [NONE, METHODS.linear, METHODS.ntk, METHODS.yarn, ramp(32, 1), ramp(4, 1)];

test("the speeds, and by how much each method slows them", () => {
  assertClose(SPEEDS, values.plain, 1e-14);
  SLOWED.forEach((slows, k) => assertClose(slows, values.slowed[k], 1e-12));
});

test("angles that are new, in radians and counted", () => {
  SLOWED.forEach((slows, k) =>
    LENGTHS.forEach((length, at) => {
      const found = slows.map((slow, i) => unseen(i, slow, length));
      assertClose(found, values.unseen[k][at], 1e-12);
      assert.equal(slows.filter((slow, i) => isNew(i, slow, length)).length, values.new[k][at]);
    }),
  );
});

test("up to where a slope meets nothing new, and not one token further", () => {
  const last = reach(METHODS.ntk);
  assert.ok(METHODS.ntk.every((slow, i) => !isNew(i, slow, last)));
  assert.ok(METHODS.ntk.some((slow, i) => isNew(i, slow, last + 1)));
});

test("how far neighbours are apart", () => {
  assertClose(SLOWED.map(nearness), values.near, 1e-12);
});

test("two dials as the hands of a clock, against all that training showed, tried one by one", () => {
  const off = (slows) =>
    values.back.map((back) => Math.abs(handsAt(18, slows, back).off) * (180 / Math.PI));
  SLOWED.forEach((slows, k) => assertClose(off(slows), values.hand_off[k], 0.02));
  assertClose(off(NONE).slice(0, 1), [0], 1e-9);
});

test("shares of the attention, YaRN's factor, and the factor that is needed", () => {
  values.keys.forEach((keys, k) => {
    assertClose(
      values.leads.map((lead) => share(keys, lead)),
      values.shares[k],
      1e-14,
    );
    assertClose([yarnFactor(keys)], [values.factors[k]], 1e-14);
    for (const lead of values.leads) {
      const restored = share(keys, lead * neededFactor(keys, lead) ** 2);
      assertClose([restored], [share(TRAINED, lead)], 1e-14);
    }
  });
  for (const lead of LEADS) assert.ok(neededFactor(TARGET, lead) < HIGH, "within the frame");
});

test("a score counts the dials that stay red, so nearly slow enough is not enough", () => {
  const late = SPEEDS.map((_, i) => (i < 20 ? 1 : 3.8));
  assertClose([score(late, TARGET), score(METHODS.linear, TARGET)], [50, 50], 0.5);
  assert.ok(score(METHODS.yarn, TARGET) > 95);
  // The slope of NTK-aware leaves dials that meet new angles, which its row says.
  assert.deepEqual(
    Object.values(METHODS).map((slows) => newOnes(slows, TARGET)),
    [0, 11, 0],
  );
});

test("an arrow key moves a line off its highest, all of it or from one bead, and back", () => {
  const up = NONE; // levels
  const one = lifted(up, -0.04, 9);
  assert.ok(one[9] < 0.97 && one[10] < one[12] && one[14] === 1);
  assert.ok(lifted(one, 0.04, 9).every((u) => Math.abs(u - 1) < 1e-9));
  assert.ok(lifted(up, -0.05).every((u) => Math.abs(u - 0.95) < 1e-9));
});

test("of two neighbours as the hands of a clock, a gentler knee brings the short one nearer", () => {
  const knees = Array.from({ length: 99 }, (_, k) => 2 * 50 ** (k / 98));
  const found = knees.map((knee) => handsAt(LONG, ramp(knee, 1), 10000));
  assert.ok(found.every(({ then }) => then.length === 1));
  assert.ok(found.every(({ off }, k) => !k || Math.abs(off) < Math.abs(found[k - 1].off)));
});
