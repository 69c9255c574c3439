// How the numbers in the cells of a matrix fit them.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  areStacked,
  barAbove,
  fitText,
  liftBar,
  panelsAcross,
  stackedAcross,
  squarePanes,
  withDecimals,
} from "../../static/chart/look.js";

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

test("for a projector letters, cells and margins are larger alike", () => {
  const trace = { texttemplate: "%{text}", text: [["\u22120.989", "0.141"]], z: [[1, 2]] };
  fitText([trace], { margin: { l: 200, r: 200 } }, 400 + 2 * 80, 2);
  assert.deepEqual(trace.text, [["\u22120.989", "0.141"]]);
  assert.equal(trace.texttemplate, "%{text}");
  fitText([trace], { margin: { l: 200, r: 200 } }, 400 + 2 * 60, 2);
  assert.equal(trace.textfont.size, 2 * 10);
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

test("on a phone the bar of the colours stands above the matrix, which then has the width", () => {
  const drawn = (width, panels) => {
    const data = [{ type: "heatmap", z: [[1]], colorbar: { title: { text: "rad" } } }];
    const layout = {
      margin: { l: 60, r: 10, t: 40, b: 50 },
      xaxis: {},
      yaxis: {},
      meta: { square: true, panels },
    };
    const above = barAbove(layout, data, width, { times: 1 });
    const size = squarePanes(layout, data, width, 900 + above, { times: 1, isSettled: false });
    liftBar(layout, data, size.height, 1);
    return { side: size.height - layout.margin.t - layout.margin.b, above, ...data[0].colorbar };
  };
  const phone = drawn(358);
  assert.deepEqual([phone.orientation, phone.above, phone.side], ["h", 34, 358 - 60 - 10]);
  assert.equal(phone.y, 1 + 4 / 288);
  assert.equal(phone.title.text, "rad");
  assert.equal(drawn(358, 1).y, 1 + 22 / 288, "above the name of a panel");
  const wide = drawn(800);
  assert.deepEqual([wide.orientation, wide.above, wide.side], [undefined, 0, 800 - 60 - 84]);
});

test("on a phone a matrix whose cells hold their numbers has no bar", () => {
  const hasBar = (count, width, least) => {
    const text = [Array(count).fill("3.98")];
    const trace = { type: "heatmap", texttemplate: "%{text}", text, z: text };
    barAbove({ margin: { l: 60, r: 10, t: 40 } }, [trace], width, { times: 1, least });
    return trace.showscale !== false;
  };
  assert.equal(hasBar(14, 358), false);
  assert.equal(hasBar(14, 358, { l: 140 }), true); // labels have taken their room
  assert.equal(hasBar(60, 358), true); // no number fits
  assert.equal(hasBar(14, 800), true);
});

test("squares that fill a screen stand so that they are largest", () => {
  const layout = {
    margin: { l: 60, r: 10, t: 100, b: 50 },
    meta: { panels: 3, columns: 3, labelled: true, square: true },
  };
  assert.equal(panelsAcross(layout, 390, 0), 2, "as many as the width allows");
  assert.equal(panelsAcross(layout, 390, 844), 1, "a phone");
  assert.equal(panelsAcross(layout, 1280, 720), 3, "a projector");
});

test("a few squares lie below each other on a phone, many and strips do not", () => {
  const meta = { panels: 3, square: true };
  assert.equal(areStacked({ meta }, 358), true);
  assert.equal(areStacked({ meta }, 830), false);
  for (const other of [{ panels: 8 }, { square: false }])
    assert.equal(areStacked({ meta: { ...meta, ...other } }, 358), false);
  assert.equal(areStacked({}, 358), false, "a single matrix");

  const named = (text) => ({
    meta,
    margin: { l: 70 },
    annotations: [{ text: "before" }, { text }],
  });
  const across = (text) => stackedAcross(named(text), 358, (one) => 5 * one.length);
  assert.equal(across("after RoPE"), 2, "compared in one window");
  assert.equal(across("a name that would leave its column"), 1, "no name is cut");
});
