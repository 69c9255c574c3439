// Labels of an axis, where not all have room.

import assert from "node:assert/strict";
import { test } from "node:test";

import { thinLabels } from "../../static/chart/look.js";

const axis = (labels) => ({ tickvals: [...labels].map((_, i) => i), ticktext: [...labels] });
const thinned = (x, y, width, height) => {
  const layout = { margin: {}, xaxis: axis(x), yaxis: axis(y) };
  thinLabels(layout, width, height);
  return [layout.xaxis.ticktext, layout.yaxis.ticktext];
};

test("letters of a text are words where they have no room, on both axes", () => {
  const text = "Ann␣sang.␣Bob␣ran";
  const words = ["Ann", "sang.", "Bob", "ran"];
  assert.deepEqual(thinned(text, text, 120, 120), [words, words]);
  assert.deepEqual(thinned(text, text, 400, 400), [[...text], [...text]]);
});

test("no word lies upon the one before", () => {
  const text = "The␣committee␣said␣that␣it␣was␣late␣and␣all␣went␣home";
  const [x] = thinned(text, ["1.1", "1.2"], 150, 300);
  assert.ok(x.length > 1 && x.length < text.split("␣").length, x.join(" "));
});

test("names beside a text keep their places, and are thinned by their own room", () => {
  const heads = ["1.1", "1.2", "2.1", "2.2"];
  assert.deepEqual(thinned("Ann␣sang.␣Bob␣ran", heads, 100, 100)[1], heads);
  assert.deepEqual(thinned("Ann␣sang", heads, 400, 30)[1], ["1.1", "2.1"]);
});

test("characters of a script without spaces are no word: every nth stands there", () => {
  const text = "一二三四五六七八九十";
  assert.deepEqual(thinned(text, text, 60, 60)[0], ["一", "三", "五", "七", "九"]);
});
