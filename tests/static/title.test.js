// How the title of a figure is broken into lines.

import assert from "node:assert/strict";
import { test } from "node:test";

import { wrapTitle } from "../../static/chart/look.js";

const layout = (text) => ({ title: { text, pad: { t: 19 } }, margin: { t: 58 } });

test("a title that comes in lines is broken anew by its words", () => {
  const wide = layout("The same two words, scored three<br>ways");
  wrapTitle(wide, 1000);
  assert.deepEqual(wide, {
    title: { text: "The same two words, scored three ways", pad: { t: 10 } },
    margin: { t: 40 },
  });
  const narrow = layout("The same two words, scored three<br>ways");
  wrapTitle(narrow, 200);
  assert.equal(narrow.title.text, "The same two words, scored<br>three ways");
});
