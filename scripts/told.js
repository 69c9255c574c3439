// What a picture tells of its state, for `scripts/course_told.py`: numbers of the words by step.

import { readFileSync, writeSync } from "node:fs";

import { filler, writer } from "../course/page/words.js";

/** @type {import("../course/page/types").Chapter & { asked: Record<string, Record<string, string[]>> }} */
const chapter = JSON.parse(readFileSync(0, "utf8"));
const { default: picture } = await import(`../course/chapters/${chapter.id}/picture.js`);
const number = writer(chapter.separators);
const fill = filler(chapter);

/** @param {string} id @param {"at" | "after"} when @param {string[]} names */
function numbers(id, when, names) {
  const { at = {}, after = {}, seen = [] } = picture.steps[id];
  const state = { ...picture.start, ...at, ...(when === "after" ? after : {}), guessing: 0 };
  const stage = {
    number,
    state,
    seen: new Set(seen),
    step: () => id,
    isGuessing: () => false,
    say: (/** @type {string} */ name, values = {}) =>
      fill(chapter.labels[name], (one) => values[one] ?? picture.told[one](state, stage)),
  };
  return Object.fromEntries(names.map((name) => [name, picture.told[name](state, stage)]));
}

const told = Object.fromEntries(
  Object.entries(chapter.asked).map(([id, { at, after }]) => [
    id,
    { at: numbers(id, "at", at), after: numbers(id, "after", after) },
  ]),
);
writeSync(1, JSON.stringify(told));
