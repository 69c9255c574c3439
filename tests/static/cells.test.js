// How the numbers in the cells of a matrix fit them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fitText, numbersForBar, withDecimals } from "../../static/chart/look.js";

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

test("fewer decimals, never more, and no minus before a zero", () => {
  const given = ["128", "\u22120.0299", "\u22120.00123", "57.6", "1.255", "1", "", "a.b"];
  const short = ["128", "\u22120.03", "0.00", "57.6", "1.25", "1", "", "a.b"];
  assert.deepEqual(
    given.map((text) => withDecimals(text, 2)),
    short,
  );
});

test("a matrix has the same decimals in all cells, and whole numbers alone stay whole", () => {
  assert.deepEqual(fitted([["3.98", "4.00", "0", "0.51"]], 68), [["4.0", "4.0", "0", "0.5"], 9]);
  assert.deepEqual(fitted([["3", "4", "0", "12"]], 68), [["3", "4", "0", "12"], undefined]);
  assert.deepEqual(fitted([["1.000", "0.031", "0", "1"]], 110)[0], ["1.00", "0.03", "0", "1"]);
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
