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
  assert.equal(search(known, "slopes begin")[0].address, "/pitfalls?pitfall=slopes");
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
  "why needn't keys be rotated again": "/course/kv_cache/turned/",
  "why needn’t keys be rotated again": "/course/kv_cache/turned/",
  "why are keys not rotated again": "/course/kv_cache/turned/",
  "rotate keys again": "/course/kv_cache/turned/",
  "kv cache rotate": "/course/kv_cache/turned/",
  "why divide by sqrt d": "/questions/divide-by-sqrt-d/",
  "divide by square root": "/questions/divide-by-sqrt-d/",
  "softmax scale": "/questions/divide-by-sqrt-d/",
};

test("what a stranger types leads first to where it can be tried", () => {
  const first = Object.keys(FIRST).map((typed) => [typed, search(SITE, typed)[0]?.address]);
  assert.deepEqual(Object.fromEntries(first), FIRST);
});

// Typed by a student, a teacher and an engineer, in their words and not in those of the pages.
const TYPED = {
  "side by side": "/side_by_side",
  "i have a sentence": "/live_attention",
  "exam questions": "/homework",
  "ntk alpha": "/units",
  "which engine supports yarn": "/engines",
  "gpu memory": "/config",
  "position interpolation": "/scaling",
  "what engines read": "/engines",
  analytic: "/scaling",
  measured: "/measured",
  "measured or analytic": "/measured",
  "64k": "/config?target=64k",
  "128k": "/config?target=128k",
  "python code": "/rope",
  "flash attention": "/course/which/fused/",
  "why is my model bad after 4k tokens": "/course/scaling/",
  "why does attention need positions": "/course/why_position/",
  "what is positional encoding": "/course/why_position/",
  "sine and cosine formula": "/course/absolute/",
  "difference between rope and alibi": "/side_by_side",
  "rope vs alibi": "/side_by_side",
  "how does rope work": "/rope",
  "why 10000": "/questions/why-10000/",
  "bag of words": "/course/why_position/",
  "can a transformer count": "/course/cope/",
  "absolute vs relative": "/course/relative/",
  "learned embeddings": "/absolute",
  "what happens after max length": "/course/scaling/",
  "rotate query and key": "/questions/values-not-rotated/",
  "attention is all you need": "/course/absolute/",
  "heat map of attention": "/live_attention",
  "complex numbers": "/rope",
  "low frequencies": "/course/scaling/",
  "permutation invariant": "/why_position",
  "what is ntk": "/scaling",
  "what is theta": "/rope",
  "length generalization": "/measured",
  "lost in the middle": "/measured",
  "which positional encoding should i use": "/course/which/",
  "encoder decoder": "/questions/rope-in-cross-attention/",
  "image patches": "/course/picture_in_text/",
  "does gpt use rope": "/course/which/today/",
  "what does gpt-4 use": "/course/which/today/",
  slides: "/playlist",
  lecture: "/playlist",
  "exercises with answers": "/homework",
  quiz: "/homework",
  "projector mode": "/playlist",
  "cope my own sentence": "/cope",
  "count sentences in my text": "/cope",
  "forget gates own text": "/forget_gates",
  "train my own model": "/lab",
  "why are keys not rotated again": "/course/kv_cache/turned/",
  "export as png": "/absolute",
  "simple example by hand": "/course/rope/",
  "worked example": "/course/rope/",
  "print handout": "/course/",
  "how long is the course": "/course/",
  "homework for my class": "/homework",
  "embed in moodle": "/absolute",
  "animation of rope": "/rope",
  students: "/homework",
  "compare encodings": "/side_by_side",
  "draw attention matrix": "/live_attention",
  cite: "",
  bibtex: "",
  license: "",
  "yarn vllm": "/config",
  "32k to 128k": "/config?target=128k",
  "extend context of llama": "/scaling",
  "how to extend context length": "/config",
  "qwen 128k": "/config?target=128k",
  "qwen3 128k vllm": "/config?model=Qwen3-8B&target=128k",
  "qwen3-4b 64k sglang": "/config?model=Qwen3-4B&target=64k",
  "Qwen3-30B-A3B-Instruct-2507 256k": "/config?model=Qwen3-30B-A3B-Instruct-2507&target=256k",
  "llama 3.1 70b": "/config?model=Llama-3.1-70B",
  "mixtral vllm": "/config?model=Mixtral-8x7B",
  "qwen3 vllm": "/config?model=Qwen3-8B",
  rope_theta: "/rope",
  "rope scaling factor": "/config",
  "out of memory": "/config",
  "kv cache size": "/kv_cache",
  "how much vram for 64k": "/config?target=64k",
  gguf: "/own",
  "llama.cpp rope-freq-base": "/config",
  "ollama num_ctx": "/config",
  "model outputs garbage after 8k": "/course/scaling/",
  "model talks nonsense": "/course/scaling/",
  "why does my model repeat itself": "/course/scaling/",
  max_position_embeddings: "/config",
  original_max_position_embeddings: "/questions/factor-or-maximum/",
  "sliding window": "/kv_cache",
  "perplexity at long context": "/measured",
  "needle in a haystack": "/measured",
  gqa: "/kv_cache",
  "mla deepseek": "/questions/mla-rotated-part/",
  "fp8 kv cache": "/config",
  "left padding wrong output": "/questions/left-padding/",
  "prefix caching": "/questions/move-cached-passage/",
  "lora fine tuning long context": "/questions/tuned-factor/",
  apply_rotary_pos_emb: "/api/posenc.html",
  "permute weights meta to hf": "/questions/interleaved-or-half/",
  "gemma 3 local layers": "/config?model=Gemma-3-12B",
  "1m tokens": "/config?target=1m",
  "1 million": "/config?target=1m",
  8192: "/config?target=8192",
  "16k context": "/config?target=16k",
  131072: "/config?target=131072",
  "exllama alpha": "/units",
  "attention sinks": "/questions/attention-sinks/",
  "streaming llm": "/questions/attention-sinks/",
  mscale: "/questions/yarn-attention-factor/",
  "numpy code": "/rope",
  "pip install": "/api/posenc.html",
  offline: "/course/",
  docker: "",
  api: "/api/posenc.html",
  jupyter: "/absolute",
  colab: "/absolute",
  "dark mode": "",
  "torch implementation of rope": "/api/posenc.html",
  "gpt-oss": "/config?model=gpt-oss-20b",
  mistral: "/config?model=Mistral-7B-v0.1",
  "phi-3 longrope": "/questions/longrope-switch/",
  "ruler benchmark": "/course/glossary/#ruler",
  "speculative decoding": "/questions/draft-model/",
};

test("what people type in their own words leads to what answers it", () => {
  const first = Object.keys(TYPED).map((typed) => [typed, search(SITE, typed)[0]?.address]);
  assert.deepEqual(Object.fromEntries(first), TYPED);
});

test("what is typed as it is called is found first", () => {
  const named = SITE.filter(({ kind }) => kind !== "Glossary" && kind !== "Course, a step");
  const other = named.filter(({ title }) => search(SITE, title)[0]?.title !== title);
  assert.deepEqual(
    other.map(({ title }) => title),
    [],
  );
});

test("every address that is found is set once", () => {
  for (const { address } of search(SITE, "64k").concat(search(SITE, "1 million tokens")))
    assert.ok(address.split("?").length <= 2, address);
});

test("every word must fit, by its beginning or within a title", () => {
  assert.deepEqual(titles("left pad"), ["Left padding and position ids"]);
  assert.deepEqual(titles("pad left"), ["Left padding and position ids"]);
  assert.deepEqual(titles("bedding"), ["Why multiply embeddings by √d?"]);
});

test("where nothing has every word, what has the rarer half is found, and unknown words do not count", () => {
  assert.deepEqual(titles("left yarn"), ["Left padding and position ids", "Linear, NTK, YaRN"]);
  assert.deepEqual(titles("alibi slopes moodle"), titles("alibi slopes"));
  assert.deepEqual(titles("moodle zzz"), []);
});

test("a plural or a form of a verb finds the word", () => {
  assert.deepEqual(titles("embedding"), titles("embeddings"));
  assert.deepEqual(titles("multiplying"), ["Why multiply embeddings by √d?"]);
  assert.equal(titles("bias")[0], "ALiBi & family");
});

test("a length of a text is set where one is asked for, and no base or width is taken for one", () => {
  const studio = {
    ...entry("Studio", "", "length tokens"),
    address: "/config",
    numbers: { "": "target" },
  };
  const found = (typed) => search([...KNOWN, studio], typed).map(({ address }) => address);
  assert.deepEqual(found("64k"), ["/config?target=64k"]);
  assert.deepEqual(found("32k to 128k"), ["/config?target=128k"]);
  assert.deepEqual(found("131,072 tokens"), ["/config?target=131072"]);
  assert.deepEqual(found("1 million"), ["/config?target=1m"]);
  assert.deepEqual(found("10000"), []);
  assert.deepEqual(found("left padding 8"), ["/Left padding and position ids"]);
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

test("in a language without spaces a word is found amid the others", () => {
  const known = [entry("告诉模型的位置编码"), entry("注意力", "每个词看到多远")];
  const found = (typed) => search(known, typed).map(({ title }) => title);
  assert.deepEqual(found("位置"), ["告诉模型的位置编码"]);
  assert.deepEqual(found("编码模型"), ["告诉模型的位置编码"]);
  assert.deepEqual(found("看到"), ["注意力"]);
  assert.deepEqual(found("天气"), []);
});
