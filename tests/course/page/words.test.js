import assert from "node:assert/strict";
import test from "node:test";

import { reasonOf } from "../../../course/page/words.js";

test("a wrong option has its own reason, the right one none", () => {
  const guess = { right: 1, wrong: ["too few", "too many", "far too many"] };
  const told = [0, 1, 2, 3].map((answer) => reasonOf(guess, answer));
  assert.deepEqual(told, ["too few", "", "too many", "far too many"]);
  assert.equal(reasonOf(guess, null), "");
  assert.equal(reasonOf({ right: -1, wrong: [] }, 0), ""); // the picture judges
});
