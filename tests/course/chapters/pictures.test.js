// What the pictures write, as a reader meets it: none is lost, and numbers add up.

import assert from "node:assert/strict";
import { test } from "node:test";

import { DESK, HAND, opened } from "../opened.js";
import { byHand } from "../../../course/page/by_hand.js";
import { valuesOf } from "../../static/close.js";

/** Those that are written with two decimals, in the order in which they stand. */
const numbers = (texts) =>
  [...texts.join(" ").matchAll(/[+−]?\d+\.\d\d\b/g)].map(([one]) => Number(one.replace("−", "-")));
const sum = (all) => all.reduce((before, one) => before + one, 0);

for (const step of ["slower", "real"])
  for (const room of [DESK, HAND])
    test(`what the dials add is the score: ${step}, ${room.width} pixels`, async () => {
      const rope = await opened("rope", step, room);
      if (step === "slower") rope.press("Dials that are added up", "ArrowRight", 7);
      const dials = rope.texts("dials");
      const written = rope.texts("shadow dials");
      const parts = numbers(dials.filter((text) => !/turn|in /.test(text)));
      assert.equal(parts.length, 8);
      assert.equal(written.includes("beside a dial: places for one turn"), room === HAND);
      const others = numbers(written.filter((text) => text.includes("other")));
      const [total] = numbers(written.filter((text) => !text.includes("other")));
      // A phone has no room for what the others bring.
      if (room === DESK || step === "slower")
        assert.equal((sum(parts) + sum(others)).toFixed(2), total.toFixed(2));
    });

test("a score that the mask hides loses nothing", async () => {
  const why = await opened("why_position", "mirror");
  why.answer(1);
  const losses = () =>
    why.shown("ways").filter((one) => /\bhalo\b/.test(one.getAttribute("class"))).map((one) => one.text); // prettier-ignore
  assert.deepEqual(losses(), ["−1", "−0.5", "0", "−0.5", "−1"]);
  why.press("Causal mask", "ArrowRight");
  assert.deepEqual(losses(), ["0", "−0.5", "−1"]);
});

test("relative shows the text of the small model", async () => {
  const relative = await opened("relative", "number");
  assert.deepEqual(relative.texts("words q k").slice(0, 6), ["Ann", "7", "Bob", "3", "Eve", "5"]);
  relative.answer(1);
  relative.press("The key's word", "ArrowRight", 5);
  assert.deepEqual(relative.texts("table k q"), ["score of the key: q · k + 1.50"]);
  assert.equal(relative.says("The key's word"), "Bob, distance −1");
});

test("the query goes along the page and the text keeps its length", async () => {
  const relative = await opened("relative", "far");
  relative.press("Length of the text", "End");
  assert.ok(relative.isReached());
  assert.equal(relative.told("length"), "10,000");
  relative.press("The query's word on the page", "ArrowLeft");
  assert.equal(relative.told("length"), "9,999");
  assert.equal(relative.says("Length of the text"), "10,000 words");
});

test("the bent line is drawn as far as its words speak", async () => {
  const alibi = await opened("alibi", "bend");
  const end = "The end of the line";
  const height = () =>
    Number(/ ([\d.]+)\)/.exec(alibi.sliders(end)[0].getAttribute("transform"))[1]);
  const before = height();
  while (!alibi.isReached()) alibi.press(end, "ArrowRight");
  assert.ok(height() < before - 20);
  const lost = alibi.told("lost_far");
  assert.ok(Number(lost) <= 14);
  assert.ok(alibi.texts("k").includes("Halcyon: content 14"));
  assert.ok(alibi.texts("k").includes(`needs ${lost}`));
  alibi.press(end, "ArrowRight");
  assert.ok(Number(alibi.told("lost_far")) < Number(lost));
  assert.ok(alibi.texts("k").includes(`needs ${alibi.told("lost_far")}`));
});

test("a scale says what full light is worth, and no plate lies over words", async () => {
  const alibi = await opened("alibi", "lamp");
  assert.match(alibi.texts("full light").join(), /0\.39/);
  alibi.answer(0);
  assert.match(alibi.texts("full light").join(), / 39/);
  assert.ok(alibi.shown("pool").every((one) => one.tag !== "rect"));
});

test("the needle stays within its text", async () => {
  const alibi = await opened("alibi", "far");
  for (const [key, back] of [
    ["Home", "159,743"],
    ["End", "30"],
  ]) {
    alibi.press("How far back Halcyon is", key);
    assert.equal(alibi.says("How far back Halcyon is"), `Halcyon, ${back} back`);
    assert.equal(alibi.told("back"), back);
  }
  assert.ok(alibi.texts().some((text) => text.includes("needs 0.12")));
});

test("a phone shows what each way out costs and how its keys are kept", async () => {
  const running = await opened("running", "ways", HAND);
  const open = ["?", "?", "?"];
  const first = ["turned: 40", ...open, "tokens read: 40", ...open, "keys right: no", ...open];
  assert.deepEqual(running.texts("cost").filter(Boolean), first);
  const drawn = new Set();
  for (let way = 0; way < 4; way++) {
    drawn.add(JSON.stringify(running.shown("k shelf").map((one) => [one.attributes, one.text])));
    running.press("Ways to keep the keys", "ArrowRight");
  }
  assert.equal(drawn.size, 4);
  const turned = ["turned: 40", "164,660", "164,660", "40"];
  const run = ["tokens read: 40", "40", "164,660", "40"];
  const right = ["keys right: no", "in layer 1", "yes", "yes"];
  assert.deepEqual(running.texts("cost").filter(Boolean), [...turned, ...run, ...right]);
});

test("curves of one colour have their names", async () => {
  const which = await opened("which", "tonight");
  which.answer(3);
  const names = which.shown().filter((one) => one.getAttribute("data-marks")?.startsWith("curves ")).flatMap((one) => one.children).map((one) => one.text); // prettier-ignore
  for (const name of ["as trained", "linear", "NTK-aware", "YaRN: 16"])
    assert.ok(names.includes(name), name);
});

test("scores are compared with the matrices and without", async () => {
  const absolute = await opened("absolute", "matrices");
  absolute.answer(2);
  absolute.press("Place of the word", "End");
  assert.ok(!absolute.isReached()); // nothing was seen without them
  absolute.press("Slider", "ArrowLeft");
  absolute.press("Place of the word", "Home");
  assert.ok(absolute.isReached());
});

test("what is off is seen when a sum is to be unmixed", async () => {
  const absolute = await opened("absolute", "add");
  const parts = { row: "entries place", sums: "dot place", given: "sum", off: "off" };
  const isShape = (one) => ["line", "circle", "rect"].includes(one.tag);
  const seen = () => Object.keys(parts).filter((one) => absolute.shown(parts[one]).some(isShape));
  assert.deepEqual(seen(), ["row", "sums"]); // one idea at a time
  absolute.answer(2);
  assert.deepEqual(seen(), ["row", "sums", "given", "off"]);
  const tried = () => absolute.shown("off").filter((one) => one.tag === "path").map((one) => one.getAttribute("d").split("h4").length - 1); // prettier-ignore
  assert.deepEqual(tried(), [0, 1, 0, 0, 0, 0, 0]);
  absolute.press("The word that may", "ArrowRight", 4);
  absolute.press("Place of the word", "PageUp", 15);
  absolute.press("Place of the word", "ArrowRight", 2);
  assert.ok(absolute.isReached());
  assert.deepEqual(tried(), [0, 128, 128, 128, 128, 128, 128]);
});

test("a sentence is on one floor when only its full stop counts", async () => {
  const cope = await opened("cope", "count");
  const doors = cope.sliders("Door under");
  for (const [at, door] of doors.slice(3, 9).entries()) {
    assert.ok(!cope.isReached(), `before door ${at}`);
    cope.press(door, "Shift+ArrowLeft", 2);
  }
  assert.ok(cope.isReached());
});

test("bars are not drawn further than the text is read, and red from half a bit on", async () => {
  const scaling = await opened("scaling", "reach");
  const end = "End of the text";
  for (const isBroken of [false, true]) {
    const bars = scaling.shown("curve bars").filter((one) => one.tag === "rect");
    const [x, width] = ["x", "width"].map((name) => Number(bars.at(-1).getAttribute(name)));
    const read = /\(([\d.]+) /.exec(scaling.sliders(end)[0].getAttribute("transform"));
    assert.ok(Math.abs(x + width - read[1]) < 3, `${x + width} is not ${read[1]}`);
    const reds = bars.filter((bar) => bar.getAttribute("fill") === "var(--new)");
    assert.equal(reds.length > 0, isBroken);
    scaling.press(end, "Shift+ArrowRight", 13);
  }
});

test("a name that is met is told where the reader is", async () => {
  for (const [name, id, names] of [
    ["alibi", "bend", ["Kerple"]],
    ["absolute", "learned", ["GPT-2"]],
  ]) {
    const { chapter } = await opened(name, id);
    const { text } = chapter.steps.find((step) => step.id === id);
    const told = [...text.matchAll(/data-term="(\w+)"/g)].map(
      ([, term]) => chapter.terms[term].term,
    );
    for (const one of names) assert.ok(told.includes(one), one);
  }
});

const CHAPTERS = valuesOf("chapters");
for (const name in CHAPTERS)
  test(`every slider of ${name} comes to both its ends, and one of them moves the picture`, async () => {
    let hasMoved = false;
    for (const room of [DESK, HAND])
      for (const { id } of CHAPTERS[name].steps) {
        const page = await opened(name, id, room);
        if (page.stage.isGuessing() && page.asked().options.length) page.answer();
        const before = page.texts().join();
        for (const one of page.sliders())
          for (const [key, end] of [
            ["End", "aria-valuemax"],
            ["Home", "aria-valuemin"],
          ]) {
            page.press(one, key);
            assert.equal(
              one.getAttribute("aria-valuenow"),
              one.getAttribute(end),
              `${id}: ${one.getAttribute("aria-label")}, ${key}`,
            );
          }
        hasMoved ||= page.texts().join() !== before;
      }
    assert.ok(hasMoved);
  });

const isString = (one) => typeof one === "string";
for (const name in CHAPTERS)
  test(`from step to step of ${name} every number is told that is drawn`, async () => {
    for (const room of [DESK, HAND]) {
      const [first, ...others] = CHAPTERS[name].steps;
      const page = await opened(name, first.id, room);
      for (const { id } of others) {
        if (page.stage.isGuessing() && page.asked().options.length) page.answer();
        for (const one of page.next())
          for (const told of [...Object.values(one.attributes), ...one.children].filter(isString))
            assert.doesNotMatch(told, /NaN|undefined|Infinity/, `to ${id}: ${one.tag}`);
      }
    }
  });

// ---------------------------------------------------------------- on a phone

for (const [name, step, words] of [
  ["which", "curves", "mean of 3 models; from"],
  ["which", "tonight", "keys found of 30"],
  ["running", "gap", "arc: ? − ? = ?"],
  ["running", "price", "one bit?"],
  ["scaling", "knees", "steep ramp: +0.64"],
  ["relative", "measured", "three models"],
])
  test(`a phone too says what is asked and how sure a number is: ${name}, ${step}`, async () => {
    const { texts } = await opened(name, step, HAND);
    assert.ok(texts().some((text) => text.includes(words)));
  });

test("a phone draws the sum of a row of doors", async () => {
  const cope = await opened("cope", "price", HAND);
  assert.deepEqual(cope.texts("sum"), ["1.0"]);
});

// ---------------------------------------------------------------- questions and tasks

for (const [name, step, count] of [
  ["alibi", "measured", 3],
  ["relative", "measured", 3],
  ["rope", "cost", 3],
  ["cope", "measured", 3],
  ["cope", "score", 2],
])
  test(`question marks stand until an answer is given: ${name}, ${step}`, async () => {
    const page = await opened(name, step);
    const marks = () => page.texts().filter((text) => text === "?").length;
    assert.equal(marks(), count);
    page.answer();
    assert.equal(marks(), 0);
  });

test("a task is reached by what it asks and no more", async () => {
  const alibi = await opened("alibi", "softmax");
  alibi.answer();
  alibi.press("Two neighbouring words", "ArrowLeft");
  assert.ok(!alibi.isReached());
  alibi.press("Head, from the steepest", "End");
  assert.ok(alibi.isReached());
});

test("a key to the end reaches no task on the way", async () => {
  const live = await opened("live_attention", "beyond");
  live.answer();
  live.press("Places left empty", "Home");
  assert.ok(!live.isReached());
  live.press("Places left empty", "ArrowRight");
  assert.ok(!live.isReached());
});

for (const [name, step, label] of [
  ["why_position", "story", "The word “the”"],
  ["kv_cache", "turned", "The caret, after the last word that is typed"],
  ["which", "curves", "The length of the text"],
])
  test(`three quick presses lead as far as three slow ones: ${name}, ${step}`, async () => {
    const page = await opened(name, step);
    if (page.stage.isGuessing()) page.answer();
    const now = () => page.says(label, "valuenow");
    page.press(label, "Home");
    page.press(label, "ArrowRight", 3);
    const quick = now();
    page.press(label, "Home");
    for (let i = 0; i < 3; i++) page.press(label, "ArrowRight");
    assert.equal(quick, now());
    assert.notEqual(quick, page.says(label, "valuemin"));
  });

test("the first arrow is the query of the sentence in numbers", async () => {
  const { stage, picture, chapter, shown } = await opened("rope", "turn");
  const drawn = shown("bars").filter((one) => /\bq\b/.test(one.getAttribute("class")));
  const [, query] = /<b class="q">([^<]*)</.exec(byHand(chapter.words, picture.byHand, stage));
  assert.deepEqual(
    query.split(" "),
    drawn.map((one) => one.text),
  );
});
