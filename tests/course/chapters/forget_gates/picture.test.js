import assert from "node:assert/strict";
import { test } from "node:test";

import data from "../../../../course/chapters/forget_gates/data.js";
import {
  ANN,
  BOB,
  LAST,
  WRITES,
  alike,
  broken,
  distances,
  dot,
  influence,
  lights,
  memory,
  ray,
  replaced,
} from "../../../../course/chapters/forget_gates/gates.js";
import { start, steps, told } from "../../../../course/chapters/forget_gates/picture.js";
import { bars, layout, wordsAt } from "../../../../course/chapters/forget_gates/room.js";
import { HEADS, keepsLines, nameOf } from "../../../../course/chapters/forget_gates/trained.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const values = valuesOf("forget_gates");
const said = { number: (value, digits = 0) => value.toFixed(digits) };
const SIZES = [
  [904, 624],
  [390, 368],
  [360, 268],
  [648, 544],
  [768, 580],
];

test("lights are the forgetting bias of posenc, and distances its logarithm", () => {
  values.gates.forEach((gates, i) => {
    assertClose(lights(gates), values.lights[i], 1e-14);
    assertClose(distances(gates).map((far) => Math.exp(-far)), values.lights[i], 1e-14); // prettier-ignore
  });
  const fixed = (gates) => [ANN, BOB].map((j) => lights(gates)[j].toFixed(4));
  assert.deepEqual(fixed(alike(0.8)), ["0.1342", "0.3277"]);
  assert.deepEqual(fixed(alike(0.87)), ["0.2855", "0.4984"]);
});

test("a stick is broken as posenc breaks it", () => {
  values.shares.forEach((shares, i) => {
    const { parts, left } = broken(shares);
    assertClose(parts, values.parts[i], 1e-14);
    assert.ok(Math.abs(left + parts.reduce((a, b) => a + b, 0) - 1) < 1e-14);
  });
});

test("the memory reads what posenc's gated delta rule reads after each verb", () => {
  const found = WRITES.map((_, n) => memory(n + 1));
  assertClose(found.flat(), values.memory.flat(), 1e-12);
  WRITES.forEach(({ key, value }, n) => {
    assert.ok(Math.abs(dot(memory(n + 1), ray(key)) - value) < 1e-12);
  });
});

test("what later keys leave is posenc's influence", () => {
  values.keys.forEach((keys, i) => {
    const found = influence(keys);
    assertClose(found.map(({ left }) => left), values.left[i], 1e-12); // prettier-ignore
    assertClose(found.map(({ gates }) => gates), values.alone, 1e-12); // prettier-ignore
  });
});

test("tasks are open as their steps begin, and reached where the words say", () => {
  const at = (id, more = {}) => ({ ...start, ...steps[id].at, ...steps[id].after, ...more });
  const isReached = (id, more) => Boolean(steps[id].goal(at(id, more), new Set()));
  for (const [id, { goal }] of Object.entries(steps)) if (goal) assert.ok(!isReached(id, {}), id);
  for (let gate = 1; gate <= 100; gate++)
    assert.equal(isReached("alike", { gates: alike(gate / 100) }), gate === 87, gate);
  const { gates } = at("each", {});
  const opened = steps.each.at.gates;
  assert.ok(isReached("each", { gates: replaced(opened, LAST, 0.05) }));
  assert.ok(isReached("each", { gates: replaced(gates, LAST, 0.05) }), "¶ may stay shut");
  for (let j = 1; j < LAST; j++)
    assert.ok(!isReached("each", { gates: replaced(opened, j, 0.05) }));
  const road = at("road", {}).gates;
  assert.ok(isReached("road", { gates: replaced(road, 3, 0.8 ** 5) }));
  assert.ok(isReached("stick", { shares: replaced(start.shares, 8, 0.8) }));
  assert.ok(!isReached("memory", { query: 88 }));
  assert.ok(isReached("memory", { query: 90 }) && !isReached("memory", { query: 90, read: 2 }));
  assert.ok(isReached("gone", { angles: [90, 0, 90] }));
  for (let layer = 1; layer <= 48; layer++)
    assert.equal(isReached("where", { layer }), layer === 4, layer);
  for (const fell of [80, 89, 91]) assert.ok(!isReached("gone", { angles: [90, 0, fell] }), fell);
});

test("a head of a trained model lets a line through and shuts at its end, and is not shown first", () => {
  const found = Array.from({ length: HEADS }, (_, head) => head).filter(keepsLines);
  assert.ok(found.length >= 1 && !found.includes(steps.learned.at.head));
  assert.equal(data.text.length, data.gates[0].length);
  assert.equal(data.gates.length, data.kinds.length);
  assert.deepEqual(nameOf(HEADS - 1, said.number), {
    model: String(data.trained),
    layer: "2",
    head_number: "4",
  });
});

test("what the words say of both keys is so", () => {
  assert.deepEqual([told.ann_before({}, said), told.ann_then({}, said)], ["45%", "90%"]);
  const spent = { ...start, shares: replaced(start.shares, 8, 0.8) };
  assert.deepEqual([told.nearest_then(spent, said), told.farthest_then(spent, said)], ["25%", "2.5%"]); // prettier-ignore
  const [before, then] = [start.angles, steps.gone.after.angles].map(influence);
  assert.ok(then[1].left < 0.005 && then[0].left > before[0].left);
  const gone = influence([90, 0, 90]);
  assert.ok(gone[0].left < 0.005 && gone[1].left > 0.94);
});

test("nothing is outside the picture, and no word lies on another along the road", () => {
  for (const [width, height] of SIZES) {
    const room = layout({ width, height, isPhone: width < 560 });
    for (const { at, after } of Object.values(steps)) {
      const s = { ...start, ...at, ...after };
      for (const { x, y, w, h } of bars(s, room))
        if (x > 0) assert.ok(x + w <= width && y >= 0 && y + h <= height, `${width}`);
    }
    const { quarter, keys, doors, trained, towers } = room;
    assert.ok(quarter.x > 0 && quarter.r > 100 && quarter.y < height, `${width} ${quarter.r}`);
    assert.ok(keys.r >= 22 && keys.y + keys.r < height && keys.base > 80, `${width}`);
    assert.ok(doors.h > 60 && trained.cell >= 15 && towers.size >= 9, `${width} ${doors.h} ${trained.cell} ${towers.size}`); // prettier-ignore
    const words = "Ann sang . ¶ Bob ran , fell . Who".split(" ");
    const { gates: read } = steps.road.at;
    const pulled = [0.2, 1.25].map((far) => replaced(steps.road.after.gates, 3, Math.exp(-far)));
    for (const gates of [read, steps.road.after.gates, ...pulled]) {
      const at = wordsAt({ ...start, road: 1, gates }, room);
      at.slice(2).forEach(([x, y], j) => {
        assert.equal(y, at[j][1]);
        const both = [words[j], words[j + 2]].join("").length * room.letters * 0.25;
        assert.ok(x - at[j][0] > both, `${width} ${words[j]}`);
      });
      assert.ok(at[0][0] > room.pad && at[0][1] !== at[1][1] && at[1][1] < height, `${width}`);
      assert.ok(at[LAST][0] + 17 <= width, `${width}`);
    }
  }
});
