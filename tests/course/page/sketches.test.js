import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { SKETCHED, sketch } from "../../../course/page/sketches.js";

const glossary = readFileSync(
  new URL("../../../course/page/glossary.en.md", import.meta.url),
  "utf8",
);

test("every small picture is of a term, and is drawn", () => {
  assert.ok(SKETCHED.length > 10);
  for (const id of SKETCHED) {
    assert.match(glossary, new RegExp(`^ {2}- id: ${id}\n {4}term:`, "m"));
    assert.match(sketch(id), /^<svg .*<path d="M[\d.]/);
    assert.doesNotMatch(sketch(id), /NaN|undefined|Infinity|<text/);
  }
});

test("a term without a picture has its sentence alone", () => {
  assert.equal(sketch("layer"), "");
});
