// Where lines break: English at spaces, a language without spaces between words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { joined, letters, pieces, wrap } from "../../static/lines.js";

const CHINESE = "“位置编码”告诉模型（RoPE），每个词在哪里。";
const wrapped = (text, most) => wrap(text, (line) => letters(line) <= most);

test("English breaks at its spaces alone", () => {
  assert.deepEqual(wrapped("the dog's self-attention, 1,024 (many) tokens", 10), [
    "the dog's",
    "self-attention,",
    "1,024",
    "(many)",
    "tokens",
  ]);
  assert.deepEqual(wrapped("two\u00a0words", 4), ["two\u00a0words"]);
  assert.deepEqual(wrapped("", 4), [""]);
});

test("Chinese breaks between words, and no line begins or ends with a wrong mark", () => {
  const lines = wrapped(CHINESE, 12);
  assert(lines.length > 3);
  assert.equal(lines.join(""), CHINESE);
  for (const line of lines) {
    assert(letters(line) <= 12, line);
    assert.doesNotMatch(line, /^[，。”）]|[“（]$/u);
  }
  assert(pieces(CHINESE).includes("模型"));
});

test("lines are joined as they were broken", () => {
  for (const text of [CHINESE, "How far a query looks back", "一的two的three"])
    assert.equal(joined(wrapped(text, 9)), text);
});
