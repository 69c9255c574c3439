import assert from "node:assert/strict";
import { test } from "node:test";

import {
  mostBack,
  shareBack,
  shareFirst,
} from "../../../../course/chapters/live_attention/habits.js";
import data from "../../../../course/chapters/live_attention/data.js";
import { softmax } from "../../../../course/page/formulas/gates.js";
import { assertClose, valuesOf } from "../../../static/close.js";

const values = valuesOf("habits");
const COUNT = Math.sqrt(values.weights.length);
const weight = (query, key) => values.weights[query * COUNT + key];

test("habits are those of posenc", () => {
  assertClose([shareBack(weight, COUNT, 1)], values.previous, 1e-12);
  assertClose([shareFirst(weight, COUNT)], values.first, 1e-12);
  assert.equal(mostBack(weight, COUNT), values.most_back[0]);
});

/** The rows of a triangle. */
function rowsOf(triangle) {
  const rows = [];
  for (let from = 0; from < triangle.length; from += rows.length)
    rows.push(triangle.slice(from, from + rows.length + 1));
  return rows;
}

test("every query of the model gives all of its attention away", () => {
  const all = [...Object.values(data.pressed), ...Object.values(data.apart)].flat();
  for (const triangle of all) {
    const rows = rowsOf(triangle);
    assert.equal(rows.length, data.words.length);
    for (const row of rows) {
      const sum = row.reduce((a, b) => a + b);
      assert.ok(Math.abs(sum - 1) < 0.0006 * row.length, `${sum}`);
    }
  }
});

test("the two parts of a score make the attention that is drawn", () => {
  const [content, position] = [data.scores.content, data.scores.position].map(rowsOf);
  rowsOf(data.pressed.previous[0]).forEach((row, i) => {
    const scores = content[i].map((score, j) => score + position[i][j]);
    assertClose(softmax(scores), row, 0.006); // scores have two digits
  });
});

test("without a gap and unpressed it is the same text", () => {
  assert.deepEqual(data.apart.rest[0], data.pressed.rest[0]);
  assert.deepEqual(data.apart.copy[0], data.pressed.copy[0]);
  assert.deepEqual(data.nextApart[0], data.next[0]);
});
