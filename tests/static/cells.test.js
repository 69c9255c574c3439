// How the numbers in the cells of a matrix fit them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fitText, numbersForBar, twoDigits } from "../../static/chart/look.js";

const LAYOUT = { margin: { l: 0, r: 0 } };

function fitted(text, width) {
  const trace = { texttemplate: "%{text}", text, z: text };
  fitText([trace], LAYOUT, width);
  return [trace.texttemplate && trace.text[0], trace.textfont?.size];
}

test("numbers have two digits and smaller letters before they are left out", () => {
  const row = [["\u22120.989", "0.141", "0", "1"]];
  assert.deepEqual(fitted(row, 160), [["\u22120.989", "0.141", "0", "1"], undefined]);
  assert.deepEqual(fitted(row, 140), [["\u22120.99", "0.14", "0", "1"], undefined]);
  assert.deepEqual(fitted(row, 110), [["\u22120.99", "0.14", "0", "1"], 10]);
  assert.deepEqual(fitted(row, 90), [undefined, undefined]);
});

test("what two decimals would make zeros of is not shortened", () => {
  assert.deepEqual(fitted([["0.00123", "0.0456"]], 80), [["0.00123", "0.0456"], 10]);
});

test("two digits, and whole numbers as they are", () => {
  const given = ["128", "\u22120.0299", "0.00123", "\u22120.00123", "57.6", "1.25", "", "a.b"];
  const short = ["128", "\u22120.03", "0.00", "0.00", "58", "1.3", "", "a.b"];
  assert.deepEqual(given.map(twoDigits), short);
});

test("one decimal is written behind every number, and whole numbers alone stay whole", () => {
  assert.deepEqual(fitted([["3.98", "4", "0", "0.51"]], 68), [["4.0", "4.0", "0", "0.5"], 9]);
  assert.deepEqual(fitted([["3", "4", "0", "12"]], 68), [["3", "4", "0", "12"], undefined]);
});

test("the bar of the colours goes where the numbers fit without it alone", () => {
  const margin = { l: 60, r: 10 };
  const hasBar = (text, width) => {
    const trace = { texttemplate: "%{text}", text, z: text };
    numbersForBar([trace], { margin }, width, {});
    return trace.showscale !== false;
  };
  const row = (count) => [Array(count).fill("3.98")];
  assert.equal(hasBar(row(14), 358), false);
  assert.equal(hasBar(row(5), 358), true); // beside the bar
  assert.equal(hasBar(row(60), 358), true); // not at all
  assert.equal(hasBar(row(14), 800), true);
});
