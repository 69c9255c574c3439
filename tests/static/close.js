// Numbers of JavaScript beside numbers of Python.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** What tests/static/values.py wrote in NAME.json. */
export const valuesOf = (name) =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8"));

/** As long as one another, and no number further from the other than `atol`. */
export function assertClose(found, expected, atol) {
  assert.equal(found.length, expected.length);
  expected.forEach((value, i) => {
    assert.ok(Math.abs(found[i] - value) <= atol, `${i}: ${found[i]} is not ${value}`);
  });
}
