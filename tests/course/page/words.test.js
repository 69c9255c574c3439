import assert from "node:assert/strict";
import test from "node:test";

import { counting, filler, reasonOf, withPlaces } from "../../../course/page/words.js";

test("a wrong option has its own reason, the right one none", () => {
  const guess = { right: 1, wrong: ["too few", "too many", "far too many"] };
  const told = [0, 1, 2, 3].map((answer) => reasonOf(guess, answer));
  assert.deepEqual(told, ["too few", "", "too many", "far too many"]);
  assert.equal(reasonOf(guess, null), "");
  assert.equal(reasonOf({ right: -1, wrong: [] }, 0), ""); // the picture judges
});

test("a number asks for the form of its word, as the language of the page counts", () => {
  const form = counting({ language: "ru", separators: ["\u00a0", ","] });
  const said = (numbers) => numbers.map((one) => form(one, "слово|слова|слов|слова"));
  assert.deepEqual(said(["1", "21", "1\u00a0001"]), ["слово", "слово", "слово"]);
  assert.deepEqual(said(["2", "33", "−4"]), ["слова", "слова", "слова"]);
  assert.deepEqual(said(["0", "5", "11", "12"]), ["слов", "слов", "слов", "слов"]);
  assert.deepEqual(said(["1,5"]), ["слова"]);
  const english = counting({ language: "en", separators: [",", "."] });
  const bits = ["1", "1.0", "0", "1,001"].map((one) => english(one, "bit|bits"));
  assert.deepEqual(bits, ["bit", "bits", "bits", "bits"]);
  assert.equal(counting({ language: "zh", separators: [",", "."] })("1", "个词"), "个词");
});

test("places of a text are filled with numbers and with the forms that they ask for", () => {
  const fill = filler({ language: "en", separators: [",", "."] });
  const told = (back) => fill("[[back]] [[back?word|words]] back, [[score]]", (name) => ({ back, score: "0.5" })[name]); // prettier-ignore
  assert.deepEqual([told("1"), told("2")], ["1 word back, 0.5", "2 words back, 0.5"]);
  const html = withPlaces("[[back]] [[back?word|words]]");
  assert.equal(html, '<span data-told="back"></span> <span data-told="back" data-forms="word|words"></span>'); // prettier-ignore
});
