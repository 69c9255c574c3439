// Every step in a language without spaces, with three forms of a word beside a number.

import assert from "node:assert/strict";
import test from "node:test";

import { valuesOf } from "../../static/close.js";
import { HAND, opened } from "../opened.js";

const UNTOLD = /undefined|NaN|\[\[|\|/;
const chapters = valuesOf("made_up");

for (const [name, { steps }] of Object.entries(chapters))
  test(`${name} is drawn in a language without spaces`, async () => {
    const english = valuesOf("chapters")[name];
    for (const { id, guess } of steps) {
      const page = await opened(name, id, HAND, "made_up");
      const drawn = () => [...page.texts(), page.stage.say(page.picture.spoken(page.stage.state))];
      const told = drawn();
      if (guess?.options.length) page.answer();
      for (const text of [...told, ...drawn()]) {
        assert.doesNotMatch(text, UNTOLD, id);
        const plain = Object.values(english.labels).filter((one) => one.trim() === text.trim());
        assert.deepEqual(plain.filter((one) => /[a-z]{4} [a-z]{2}/.test(one)), [], id); // prettier-ignore
      }
    }
  });

test("a place is left, two places and five places are left, each in its own form", async () => {
  const { stage } = await opened("absolute", "beyond", HAND, "made_up");
  const said = [1, 2, 5].map((left) => stage.say("places_left", { left }));
  assert.equal(new Set(said).size, 3);
});
