// Explore opens a screen with what a hand has come to in the picture.

import assert from "node:assert/strict";
import test from "node:test";

import "../opened.js"; // before there is a document
import picture from "../../../course/chapters/kv_cache/picture.js";

const { explored } = await import("../../../course/page/course.js");

test("settings that a step has are those of the picture, others are left out", () => {
  const address = "kv_cache?view=decoding&decoding_step=12&story=kv_cache/turned";
  const asked = new URLSearchParams(explored(address, { decoding_step: 9, m: 3 }).split("?")[1]);
  assert.deepEqual([...asked], [["view", "decoding"], ["decoding_step", "9"], ["story", "kv_cache/turned"]]); // prettier-ignore
});

test("the words that are typed are the step of the decoding", () => {
  assert.deepEqual(picture.explored({ ...picture.start, typed: 9 }), { decoding_step: 9 });
  assert.deepEqual(picture.explored({ ...picture.start, typed: 0 }), { decoding_step: 1 });
});
