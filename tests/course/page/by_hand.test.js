import assert from "node:assert/strict";
import { test } from "node:test";

import { byHand, lines } from "../../../course/page/by_hand.js";
import { assertClose, valuesOf } from "../../static/close.js";

const values = valuesOf("by_hand");
const chapters = ["why_position", "absolute", "relative", "alibi", "rope", "scaling", "cope"];
const encodings = {};
for (const name of chapters)
  encodings[name] = (await import(`../../../course/chapters/${name}/by_hand.js`)).default;
const column = (name, column) => lines(encodings[name]).map((line) => line[column]);

for (const name of chapters)
  test(`${name}: scores and shares of the last word are posenc's`, () => {
    const [scores, shares] = values[name];
    assertClose(
      lines(encodings[name]).flatMap(({ key }) => key),
      values.keys,
      1e-15,
    );
    assertClose(column(name, "content"), values.content, 1e-15);
    assertClose(column(name, "score"), scores, 1e-13);
    assertClose(column(name, "share"), shares, 1e-13);
    const sums = lines(encodings[name]).map(({ content, position }) => content + position);
    assertClose(sums, scores, 1e-13);
  });

test("places are rows, words back, a quarter of that, or counted", () => {
  assertClose(column("absolute", "place"), [0, 1, 2, 3, 4], 0);
  for (const name of ["relative", "alibi", "rope"])
    assertClose(column(name, "place"), [4, 3, 2, 1, 0], 0);
  assertClose(column("scaling", "place"), [1, 0.75, 0.5, 0.25, 0], 0);
  assertClose(column("cope", "place"), values.counted, 1e-15);
});

test("content and position, as they are written, add up to the score that is written", () => {
  const words = { sentence: "a|b|c|d|e", by_hand_sum: "" };
  const stage = { number: (value, digits) => value.toFixed(digits), say: () => "" };
  for (const name of chapters) {
    const rows = byHand(words, encodings[name], stage).split("<tr>").slice(2);
    assert.equal(rows.length, 5);
    for (const row of rows) {
      const cells = [...row.matchAll(/<td>([^<]*)<\/td>/g)].map((cell) => Number(cell[1]));
      const [content, position, score] = cells.slice(1);
      assert.equal((content + position).toFixed(2), score.toFixed(2), `${name}: ${row}`);
    }
  }
});

test("the table has a row for each word", () => {
  const words = { sentence: "a|b|c|d|e", by_hand_sum: "asks with {query}", by_hand_key: "key" };
  const stage = { number: (value, digits) => value.toFixed(digits), say: () => "so" };
  const html = byHand(words, encodings.alibi, stage);
  assert.deepEqual(html.match(/row">\w/g), ['row">a', 'row">b', 'row">c', 'row">d', 'row">e']);
  assert.match(html, /asks with <b class="q">0\.90 -0\.43/);
});
