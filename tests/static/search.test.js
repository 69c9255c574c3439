// What the search field finds of what was typed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { search } from "../../static/site/search.js";

const entry = (title, words = "", more = "", kind = "Explore") => ({
  title,
  words,
  more,
  kind,
  address: `/${title}`,
});
const KNOWN = [
  entry("Sinusoidal & learned", "The table as a heat map.", "heatmap BERT"),
  entry("Linear, NTK, YaRN", "What each method does.", "context extension"),
  entry("ALiBi & family", "Slopes, bias matrices.", "heatmap"),
  entry("Why multiply embeddings by √d?", "", "sqrt d_model", "Question"),
  entry("Left padding and position ids", "", "packed", "Picture"),
];
const titles = (typed) => search(KNOWN, typed).map(({ title }) => title);

test("a word of the title comes before one of the rest", () => {
  assert.deepEqual(titles("learned"), ["Sinusoidal & learned"]);
  assert.deepEqual(titles("yarn"), ["Linear, NTK, YaRN"]);
  assert.deepEqual(titles("heatmap"), ["Sinusoidal & learned", "ALiBi & family"]);
});

test("a heat map is a heatmap, and capitals, accents and dashes are as one types them", () => {
  for (const typed of ["heat map", "Heat-Map", "HEATMAP"]) {
    assert.deepEqual(titles(typed), titles("heatmap"));
  }
  assert.deepEqual(titles("alibí"), ["ALiBi & family"]);
  assert.deepEqual(titles("√d"), ["Why multiply embeddings by √d?"]);
});

test("what can be tried comes before what is told of it", () => {
  const told = (title, address) => ({ ...entry(title), address });
  const known = [
    ...KNOWN,
    told("Slopes that begin with 1", "/pitfalls?pitfall=slopes"),
    told("Slopes of 12 heads?", "/questions/slopes/"),
    told("Slopes", "/course/glossary/#slopes"),
  ];
  assert.equal(search(known, "slopes")[0].title, "ALiBi & family");
  assert.equal(search(known, "slopes that")[0].address, "/pitfalls?pitfall=slopes");
});

const SITE = JSON.parse(readFileSync(new URL("found.json", import.meta.url), "utf-8"));
const FIRST = {
  "own sentence": "/live_attention",
  "before rope": "/live_attention?view=both",
  svg: "/absolute",
  notebook: "/absolute",
  embed: "/absolute",
  "dark mode": "",
  dark: "",
  theme: "",
  slopes: "/alibi?view=slopes",
  symmetric: "/alibi?view=bias&mode=symmetric",
  "llama 2": "/scaling",
  cache: "/kv_cache",
  "rotation matrix": "/rope?view=matrix",
  "rotation matrix position 3": "/rope?view=matrix&m=3",
  "rope matrix position 3 width 8": "/rope?view=matrix&m=3&head_dim=8",
  "sinusoidal heat map 128 200": "/absolute?view=table",
  "sinusoidal heat map 128 positions 200 dimensions": "/absolute?view=table&length=128&d_model=200",
  "ALiBi slopes 12 heads": "/alibi?view=slopes&num_heads=12",
  "ALiBi slopes 40 heads": "/alibi?view=slopes&num_heads=40",
  interleaved: "/rope?view=layouts",
  wavelength: "/rope?view=angles",
  "heat map": "/absolute?view=table",
  buckets: "/relative?view=t5",
  measured: "/measured",
  "why are old keys not computed again": "/course/kv_cache/work/",
  "keys not recomputed": "/course/kv_cache/work/",
  "why divide by sqrt d": "/questions/divide-by-sqrt-d/",
  "divide by square root": "/questions/divide-by-sqrt-d/",
  "softmax scale": "/questions/divide-by-sqrt-d/",
};

test("what a stranger types leads first to where it can be tried", () => {
  const first = Object.keys(FIRST).map((typed) => [typed, search(SITE, typed)[0]?.address]);
  assert.deepEqual(Object.fromEntries(first), FIRST);
});

test("every word must fit, by its beginning or within a title", () => {
  assert.deepEqual(titles("left pad"), ["Left padding and position ids"]);
  assert.deepEqual(titles("pad left"), ["Left padding and position ids"]);
  assert.deepEqual(titles("left yarn"), []);
  assert.deepEqual(titles("bedding"), ["Why multiply embeddings by √d?"]);
});

test("the small words of a question need not fit", () => {
  assert.deepEqual(titles("why is the left padding"), titles("left padding"));
  assert.deepEqual(titles("why"), ["Why multiply embeddings by √d?"]);
});

test("a number need not fit, yet is no word of its own", () => {
  assert.deepEqual(titles("left padding 128 8k"), titles("left padding"));
  assert.deepEqual(titles("128"), []);
});

test("nothing is found by nothing", () => {
  assert.deepEqual(titles(""), []);
  assert.deepEqual(titles(" … "), []);
  assert.deepEqual(titles("zzz"), []);
});

test("no more is found than a list can show", () => {
  const many = Array.from({ length: 50 }, (_, at) => entry(`RoPE ${at}`));
  assert.equal(search(many, "rope").length, 8);
});
