import assert from "node:assert/strict";
import { test } from "node:test";

import { TARGET, baseOf } from "../../../../course/chapters/learned_or_none/bases.js";
import data from "../../../../course/chapters/learned_or_none/data.js";
import {
  BASES,
  LONG,
  PAIRS,
  SHORT,
  SPEEDS,
  TRAINED,
  bias,
  bitsAfter,
  factor,
  likeness,
  needed,
  onGrid,
  peak,
  reachOf,
  scaled,
  share,
  unseen,
} from "../../../../course/chapters/learned_or_none/facts.js";
import { invFreq } from "../../../../course/page/formulas/rotation.js";
import { backOf } from "../../../../course/chapters/learned_or_none/needle.js";
import { start, steps, told } from "../../../../course/chapters/learned_or_none/picture.js";
import {
  SCENES,
  alongX,
  apart,
  layout,
  powerAt,
  words,
} from "../../../../course/chapters/learned_or_none/room.js";
import { TOWERS, without } from "../../../../course/chapters/learned_or_none/towers.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const values = valuesOf("learned_or_none");
const said = { number: (value, digits = 0) => value.toFixed(digits), say: (name) => name };

test("scores of a like word are those of posenc, and so are dials that training never showed", () => {
  const found = values.distances.map((distance) => likeness(SPEEDS, distance));
  assertClose(found, values.likeness, 1e-9);
  assert.deepEqual(
    [3, 65_536, 300_000].map((distance) => likeness(SPEEDS, distance).toFixed(4)),
    ["0.8834", "0.2262", "0.1617"],
  );
  const count = (distance) => unseen(distance).filter(Boolean).length;
  assert.deepEqual([3, TRAINED, 70_000, 300_000].map(count), [0, 0, 25, 22]);
});

test("the factor is Llama 4's, and a lead of ten alone keeps its share", () => {
  assertClose(values.words.map(factor), values.factors, 1e-12);
  assertClose(values.leads.map((lead) => share(lead, SHORT)), values.shares, 1e-12); // prettier-ignore
  assert.equal(factor(8191), 1);
  assert.equal(factor(8192).toFixed(6), "1.069315");
  const percents = [5, 10, 12].map((lead) => [share(lead, SHORT), scaled(lead, LONG), share(lead, LONG)]); // prettier-ignore
  assert.deepEqual(
    percents[1].map((one) => (100 * one).toFixed(2)),
    ["73.36", "73.04", "2.16"],
  );
  assert.ok(percents[0][1] < percents[0][0] && percents[0][1] > percents[0][2]);
  assert.ok(percents[2][1] > percents[2][0]);
  assertClose([share(needed(8), LONG)], [share(8, SHORT)], 1e-12);
});

test("a bias is mixed as by posenc, and ends with the profiles", () => {
  assertClose(
    values.back.map((back) => bias(values.mix, back)),
    values.bias,
    1e-12,
  );
  assert.equal(peak([0, 1, 0]), 100);
});

test("every base has its edge, and a larger one can have a nearer edge", () => {
  assert.equal(data.edge.reach.length, (BASES.highest - BASES.lowest) * BASES.each + 1);
  assert.deepEqual([4, 5, 6, 7].map(reachOf), [1707, 7757, 27_115, 144_660]);
  assert.equal(reachOf(onGrid(5.9)), 37_124);
  const { reach, each } = data.edge;
  assert.ok(reach.slice(each).every((one, i) => reach.slice(0, i + 1).every((less) => less < one)));
  const its = Object.fromEntries(data.models.map(({ name, edge, trained }) => [name, edge > trained])); // prettier-ignore
  assert.deepEqual(its, {
    "Llama 2": false,
    "Llama 3": true,
    "Qwen2.5": false,
    SmolLM3: true,
    "Yi-200K": false,
  });
});

test("the score falls below zero at the edge of the base that is told", () => {
  for (const power of [3.3, 5.8, 6.95, 7.4]) {
    const [speeds, reach] = [invFreq(PAIRS, baseOf(power)), reachOf(power)];
    assert.ok(likeness(speeds, reach - 1) >= 0, `${baseOf(power)} at ${reach - 1}`);
    assert.ok(likeness(speeds, reach) < 0, `${baseOf(power)} at ${reach}`);
  }
});

test("every fourth layer of three models knows no positions", () => {
  const layers = Array.from({ length: 48 }, (_, i) => i + 1);
  assert.deepEqual(layers.filter((layer) => without(layer) === 3), [4, 8, 12, 16, 20, 24, 28, 32]); // prettier-ignore
  const count = (kind) => TOWERS.map((one) => one.layers.filter((layer) => layer === kind).length);
  assert.deepEqual(count("none"), [12, 9, 8, 0, 0]);
  assert.deepEqual(count("all"), [0, 27, 0, 4, 18]);
});

test("tasks are open as their steps begin, and reached where the words say", () => {
  const at = (id, more = {}) => ({ ...start, ...steps[id].at, ...steps[id].after, ...more });
  const isReached = (id, more) => Boolean(steps[id].goal(at(id, more), new Set()));
  for (const id of Object.keys(steps)) assert.ok(!isReached(id, {}), id);
  assert.ok(isReached("layers", { layer: 4 }) && !isReached("layers", { layer: 36 }));
  assert.ok(isReached("mask", { place: 10 }) && !isReached("mask", { place: 9 }));
  assert.ok(isReached("needle", { back: Math.log10(TRAINED) }));
  assert.equal(backOf({ back: Math.log10(300_000) }), 300_000);
  const leads = Array.from({ length: 121 }, (_, i) => 2 + i / 10);
  assert.deepEqual(leads.filter((lead) => isReached("crowd", { lead })).map((one) => one.toFixed(1)), ["9.8", "9.9", "10.0", "10.1", "10.2"]); // prettier-ignore
  assert.ok(isReached("mix", { near: -0.5, middle: 1, far: 0 }));
  assert.ok(!isReached("mix", { near: 1, middle: 0, far: 0 }));
  assert.ok(!isReached("mix", { near: 0, middle: 0.3, far: 1 }));
  const grid = data.edge.reach.map((_, i) => BASES.lowest + i / BASES.each);
  const first = grid.find((base) => isReached("base", { base }));
  assert.ok(reachOf(first) >= TARGET && grid.filter((base) => base < first).every((base) => reachOf(base) < TARGET)); // prettier-ignore
  assert.ok(isReached("drop", { train: 2 }) && !isReached("drop", { train: 1 }));
});

test("bits between two trainings lie between theirs", () => {
  const [none, tenth] = data.dropped.bits;
  assert.equal(bitsAfter(0, 0), none[0]);
  assert.ok(Math.abs(bitsAfter(0.5, 4) - (none[4] + tenth[4]) / 2) < 1e-12);
});

test("every number of the words is told in every step", () => {
  for (const { at, after } of Object.values(steps))
    for (const [name, tell] of Object.entries(told)) {
      const text = tell({ ...start, ...at, ...after }, said);
      assert.ok(typeof text === "string" && !/NaN|undefined/.test(text), name);
    }
});

test("the ruler leads to every place, one scene is gone before the next comes, and all is inside", () => {
  for (const [width, height] of [
    [904, 624],
    [390, 368],
    [360, 268],
    [648, 544],
  ])
    for (const { at } of Object.values(steps)) {
      const room = layout({ width, height, isPhone: width < 560 }, { ...start, ...at });
      const { x, y, w, h } = room.plot;
      assert.ok(x > 0 && x + w < width && y > 0 && y + h < height && h > 40, `${width} ${h}`);
      const power = (room.ends[0] + room.ends[1]) / 2;
      assert.ok(Math.abs(powerAt(room, alongX(room, 10 ** power)) - power) < 1e-9);
    }
  const between = apart({ ...start, mask: 0.5, needle: 0.5 });
  assert.ok(SCENES.every((name) => between[name] === 0));
  assert.deepEqual([0, 1.5, 5.477, 6].map(words), [1, 32, 300_000, 1_000_000]);
});
