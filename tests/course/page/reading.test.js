import assert from "node:assert/strict";
import test from "node:test";

import { reading } from "../../../course/page/reading.js";
import { proseOf } from "../../../course/page/words.js";

const guess = { question: "How far?", options: ["1", "2"], right: 1, reveal: "So far.", wrong: ["Too near."] }; // prettier-ignore
const step = { text: "A [[x]].", guess: null, task: "", reached: "", explore: "" };
const words = { count: "{step} of {count}", said: "You said {option}.", watch: "Watch.", right: "Right.", wrong: "Wrong.", missed: "Missed.", commit: "Here" }; // prettier-ignore

/** A chapter of three steps, as a browser that keeps nothing opens it. */
function opened() {
  const steps = [
    { ...step, id: "asks", title: "Asks", guess, task: "Come to 3.", reached: "There." },
    { ...step, id: "points", title: "Points", guess: { ...guess, options: [], right: -1 } },
    { ...step, id: "plain", title: "Plain", task: "Look.", reached: "Seen." },
  ];
  const picture = {
    start: { x: 0 },
    steps: {
      asks: { at: { x: 1 }, after: { x: 2 }, slow: 900, goal: (s) => s.x === 3, seen: ["a"] },
      points: { isRight: (s) => s.x > 5 },
      plain: { goal: (_, seen) => seen.has("b"), follows: true },
    },
  };
  const chapter = { id: "made_up", title: "Made up", steps, words };
  const here = reading(chapter, picture);
  return { here, html: () => proseOf(chapter, here) };
}

test("a step that asks waits for an answer, shows it once the picture stands, then its task", () => {
  const { here, html } = opened();
  assert.deepEqual(here.begin(0), { x: 1, guessing: 1 });
  assert.equal(here.begin(0), null); // it is open
  assert.equal(here.begin(9), null);
  assert.ok(here.isGuessing() && here.seen.has("a"));
  assert.match(html(), /data-choice="1">2</);
  assert.doesNotMatch(html(), /Come to 3|So far/);
  here.state.x = 3;
  assert.equal(here.reach(), false); // an answer comes first
  assert.equal(here.reveal(), false);

  assert.deepEqual(here.choose(0), { to: { x: 2, guessing: 0 }, ms: 900 });
  assert.equal(here.choose(1), null); // one answer counts
  assert.match(html(), /You said 1\. Watch\./);
  assert.doesNotMatch(html(), /Come to 3|So far|Too near|is-wrong/);
  assert.deepEqual([here.reveal(), here.reveal()], [true, false]);
  assert.doesNotMatch(html(), /Watch/);
  assert.match(html(), /is-wrong.*Wrong\.<\/b> Too near\..*So far\..*Come to 3\./);
});

test("a right answer is not said again: what follows says what was right", () => {
  const { here, html } = opened();
  here.begin(0);
  here.choose(1);
  here.reveal();
  assert.match(html(), /Right\.<\/b>.*So far\./);
  assert.doesNotMatch(html(), /You said|is-wrong/);
});

test("a task is reached once, and what is said of it stays true where the picture follows", () => {
  const { here } = opened();
  here.begin(0);
  here.choose(1);
  here.state.x = 3;
  assert.deepEqual([here.reach(), here.reach()], [true, false]);
  assert.ok(here.isTrue());
  here.state.x = 4;
  assert.ok(!here.isTrue());

  here.begin(2);
  assert.ok(here.isTrue() && !here.seen.has("a")); // nothing of the step before
  assert.equal(here.reach(), false);
  here.seen.add("b");
  assert.equal(here.reach(), true);
  here.seen.clear();
  assert.ok(here.isTrue());
});

test("where the reader points at something the picture judges", () => {
  for (const [x, verdict] of [
    [6, "Right."],
    [5, "Missed."],
  ]) {
    const { here, html } = opened();
    here.begin(1);
    assert.match(html(), /<button type="button" data-choice="0">Here</);
    here.state.x = x;
    here.choose(0);
    here.reveal();
    assert.ok(html().includes(`<b>${verdict}</b>`));
    assert.equal(html().includes("is-wrong"), x === 5);
  }
});

test("numbers in the words are places, and the count says where one is", () => {
  const { here, html } = opened();
  here.begin(2);
  assert.match(html(), /<span>3 of 3<\/span>.*<h1 tabindex="-1">Plain<\/h1>A <span data-told="x">/);
  assert.match(html(), /<div class="task">Look\.<\/div><div class="reached" hidden>Seen\./);
});
