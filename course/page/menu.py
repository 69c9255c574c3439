"""The menu of the site: what there is, by the names that people look for."""

from dataclasses import dataclass

from posenc.words import Sentence, say


@dataclass(frozen=True)
class Entry:
    """A line of the menu."""

    id: str
    """Name of the screen or the page in its address."""
    label: str
    address: str
    """From the root of the site: "/rope" a screen, "/course/rope/" a plain page."""
    words: Sentence
    """One sentence that says what is there."""
    search: str = ""
    """Further words by which it is found."""


@dataclass(frozen=True)
class Group:
    """Lines of the menu under one name."""

    id: str
    label: Sentence
    words: Sentence
    """A few words on its lines, told where all groups stand below one another."""
    entries: tuple[Entry, ...]


def _screen(id: str, label: str, words: Sentence, search: str = "") -> Entry:
    return Entry(id, label, f"/{id}", words, search)


def _chapter(id: str, label: str, words: Sentence, search: str = "") -> Entry:
    return Entry(id, label, f"/course/{id}/", words, f"chapter story lesson {search}".strip())


COURSE = Group(
    "course",
    say("Course"),
    say("chapters, one after the other"),
    (
        Entry(
            "contents",
            say("The course"),
            "/course/",
            say("All chapters, and what you have seen of them."),
            "course lessons tutorial begin learn introduction minutes. How long is the course.",
        ),
        _chapter(
            "why_position",
            say("Why position"),
            say("What bare attention knows of the order of words: nothing."),
            "bag of words permutation invariant equivariant. What is positional encoding. Why does "
            "attention need positions.",
        ),
        _chapter(
            "absolute",
            say("Absolute positions"),
            say("A row of numbers for each place, from sines or learned."),
            "positional encoding original transformer paper Attention Is All You Need formula",
        ),
        _chapter(
            "relative",
            say("Relative positions"),
            say("How far apart, and never where: Shaw, T5."),
            "absolute vs relative distance",
        ),
        _chapter("alibi", "ALiBi", say("A straight line that fades what is far away.")),
        _chapter(
            "rope",
            "RoPE",
            say("Turning a vector tells how far apart two words are."),
            "rotary embedding GPT-NeoX Llama Mistral Qwen used by",
        ),
        _chapter(
            "why_rope",
            say("Why RoPE"),
            say("What a head that turns can look at, and one with a bias cannot."),
        ),
        _chapter(
            "live_attention",
            say("A real model's heads"),
            say("What heads of a language model do with positions."),
        ),
        _chapter(
            "scaling",
            say("Reading further"),
            say("Linear, NTK-aware and YaRN stretch a trained model."),
            "low high frequencies extend extension context length generalization longer",
        ),
        _chapter(
            "measured", say("What was measured"), say("What a token costs past the trained length.")
        ),
        _chapter("kv_cache", say("KV cache"), say("What is kept while a model writes.")),
        _chapter(
            "cope",
            "CoPE",
            say("Counting sentences or commas instead of tokens."),
            "can a transformer count",
        ),
        _chapter(
            "which",
            say("Which to choose"),
            say("What decides between adding, subtracting and turning."),
            "best comparison recommendation. Which positional encoding should I use.",
        ),
        _chapter(
            "running",
            say("For those who run models"),
            say("Keys that go wrong while a program keeps them, and what programs do."),
        ),
        _chapter(
            "picture_in_text",
            say("Pictures in a text"),
            say("Rows and columns beside the order of words: M-RoPE, for images and video."),
            "mrope multimodal image patch Qwen2-VL",
        ),
        _chapter(
            "turn_value",
            say("Turn the value, too"),
            say("What arrives tells from how far: DeepSeek-V4, MLA, indexers."),
        ),
        _chapter(
            "forget_gates",
            say("Forget gates"),
            say("Distance that depends on what was read: FoX, stick-breaking, gated delta."),
        ),
        _chapter(
            "learned_or_none",
            say("Learned, or none"),
            say("Layers without positions, biases that words mix, which base for which length."),
        ),
        Entry(
            "glossary",
            say("Glossary"),
            "/course/glossary/",
            say("Terms of the course, in two sentences each."),
            "terms words definitions",
        ),
        Entry(
            "questions",
            say("Questions and answers"),
            "/questions/",
            say("What learners and engineers ask, each with a picture and its source."),
            "FAQ why how",
        ),
    ),
)
EXPLORE = Group(
    "explore",
    say("Explore"),
    say("pictures to try"),
    (
        _screen(
            "absolute",
            say("Sinusoidal & learned"),
            say("The table as a heat map, its waves, similarity, shift by k."),
            "heatmap table sine cosine absolute positions embeddings BERT GPT-2 "
            "wavelength odometer",
        ),
        _screen(
            "relative",
            say("Relative, Shaw, T5"),
            say("Matrices of ids, clipping, buckets, padding, memory."),
            "relative position ids buckets T5 bias Shaw Transformer-XL clip left padding packed "
            "heatmap rel_shift skew",
        ),
        _screen(
            "alibi",
            say("ALiBi & family"),
            say("Slopes, bias matrices, windows; Kerple, Sandwich, FIRE."),
            "slopes bias heads BLOOM MPT Kerple Sandwich FIRE symmetric heatmap matrix window",
        ),
        _screen(
            "rope",
            "RoPE",
            say("Rotation matrix, angles, both layouts, score against distance."),
            "rotary embedding rotation matrix frequencies wavelength inv_freq theta base "
            "interleaved half layout precision bfloat16 xPos complex numbers heatmap animation "
            "moving formula",
        ),
        _screen(
            "mrope",
            say("Images & video (M-RoPE)"),
            say("Time, row and column of every token; which pair turns by which."),
            "M-RoPE mrope multimodal position ids image video vision Qwen2-VL Qwen2.5-VL Qwen3-VL "
            "Qwen3.5 get_rope_index rope_deltas mrope_section sections interleaved",
        ),
        _screen(
            "scaling",
            say("Linear, NTK, YaRN"),
            say("What each method does to every pair of RoPE."),
            "scaling position interpolation PI NTK-aware dynamic YaRN LongRoPE Llama 3 context "
            "extension extend longer extrapolation dials Llama-2-7B analytic or measured",
        ),
        _screen(
            "cope",
            "CoPE",
            say("Gates, fractional positions, and a text of your own."),
            "contextual position encoding gates counting count sentences commas own sentence "
            "heatmap",
        ),
        _screen(
            "forget_gates",
            say("Forget gates"),
            say("Gates that your text sets: FoX, stick-breaking, gated delta rule."),
            "FoX forgetting transformer data-dependent bias decay stick-breaking gated delta rule "
            "DeltaNet Qwen3-Next linear attention own text sentence heatmap",
        ),
        _screen(
            "kv_cache",
            say("KV cache"),
            say("What is kept, how large it is, and when kept keys go wrong."),
            "key value cache decode memory size GQA MLA sliding window dynamic NTK stale keys",
        ),
        _screen(
            "live_attention",
            say("Attention of your sentence"),
            say("Type a text: all heads of a real model, stage by stage."),
            "live attention heads weights matrix heatmap map draw visualise tokens own text "
            "sentence SmolLM2 softmax scores",
        ),
        _screen(
            "measured",
            say("Extrapolation, measured"),
            say("Loss, passkey and recall past the trained length."),
            "curves perplexity loss passkey recall needle in a haystack lost middle long context "
            "length extrapolation generalization linear NTK YaRN or analytic",
        ),
        _screen(
            "side_by_side",
            say("Side by side"),
            say("Two to four encodings on the same words."),
            "compare comparison difference attention matrices cost RoPE ALiBi sinusoidal T5 "
            "encodings draw",
        ),
        _screen(
            "why_position",
            say("Without positions"),
            say("Shuffle the words: bare attention does not notice. NoPE, causal mask."),
            "NoPE no positional encoding permutation invariant order shuffle bag words softmax QK "
            "causal mask formula",
        ),
        _screen(
            "lab",
            say("Trained models"),
            say("Small ones to look at, and the command that trains one on your own machine."),
            "lab train one training jobs recall experiment own",
        ),
    ),
)
MODEL = Group(
    "model",
    say("Your model"),
    say("from its config.json"),
    (
        _screen(
            "config",
            say("Scaling studio"),
            say("From a config.json and a length to settings for your engine."),
            "config.json rope_scaling rope_theta max_position_embeddings max_model_len num_ctx "
            "rope-freq-base extend extending extension longer context window length tokens 1M YaRN "
            "factor vLLM Ollama llama.cpp transformers advice Qwen Llama-2-7B Llama-3 Mistral "
            "Gemma 3 local layers DeepSeek Phi-3 gpt-oss model memory VRAM RAM GPU OOM out of "
            "memory KV cache fp8 size cost",
        ),
        _screen(
            "units",
            say("Converter"),
            say("alpha, base, scale, factor: the same number in other words."),
            "units NTK alpha alpha_value frequency base compress_pos_emb rope_freq_base factor "
            "koboldcpp exllama",
        ),
        _screen(
            "engines",
            say("What engines read"),
            say("Which engine does which method, by family, with its release."),
            "vLLM SGLang llama.cpp Ollama LM Studio transformers MLX exllama support table fields",
        ),
        _screen(
            "own",
            say("Measure a checkpoint"),
            say("Loss and passkey of your own safetensors or GGUF."),
            "own checkpoint safetensors GGUF perplexity passkey model folder",
        ),
    ),
)
CLASS = Group(
    "class",
    say("Class"),
    say("for teachers"),
    (
        _screen(
            "playlist",
            say("Playlist"),
            say("Pictures and steps in your order, for a projector."),
            "present teacher slides lecture projector",
        ),
        _screen(
            "homework",
            say("Homework"),
            say("Questions and tasks, and one line that hands them in."),
            "exercises answers quiz exam questions tasks class students grade",
        ),
    ),
)
REFERENCE = Group(
    "reference",
    say("Reference"),
    say("to look things up"),
    (
        _screen(
            "pitfalls",
            say("Pitfalls"),
            say("Mistakes of real code: wrong beside right, and the test that catches it."),
            "bugs mistakes errors wrong output layout precision slopes padding cache",
        ),
        _screen(
            "verified",
            say("What was verified"),
            say("Against which code each number was compared, and how far off it was."),
            "tests parity accuracy sources versions",
        ),
        Entry(
            "library",
            say("The library"),
            "/api/posenc.html",
            say("posenc: every function, with shapes, sources and examples."),
            "API python pip install functions reference documentation torch PyTorch implementation "
            "apply_rotary_pos_emb code",
        ),
    ),
)
MENU = (COURSE, EXPLORE, MODEL, CLASS, REFERENCE)
"""The groups, in the order in which they stand."""
SCREENS = {
    entry.id: entry
    for group in MENU[1:]
    for entry in group.entries
    if entry.address == f"/{entry.id}"
}
"""Screens by their ids; Home, which the name of the site leads to, is not among them."""
CHAPTERS = {entry.id: entry for entry in COURSE.entries if entry.search.startswith("chapter")}
"""Chapters of the course by their ids, in their order."""
FIGURES: tuple[tuple[str, str, str, str], ...] = (
    (
        say("Sinusoidal table as a heat map"),
        "/absolute?view=table",
        say("Position against dimension, with every value."),
        "matrix sine cosine",
    ),
    (
        say("Similarity of two positions"),
        "/absolute?view=similarity",
        say("Products of the rows of the table."),
        "heatmap dot product matrix",
    ),
    (
        say("RoPE's rotation matrix"),
        "/rope?view=matrix",
        say("The matrix at a position of your choice, in both layouts."),
        "heatmap block diagonal R",
    ),
    (
        say("RoPE's angles and wavelengths"),
        "/rope?view=angles",
        say("How fast each pair turns."),
        "frequencies inv_freq theta",
    ),
    (
        say("Interleaved or half layout"),
        "/rope?view=layouts",
        say("Which channels turn together, and the permutation between both."),
        "rotate_half GPT-J NeoX permutation",
    ),
    (
        say("RoPE's score against distance"),
        "/rope?view=score",
        say("And the bound of its decay."),
        "long-term decay curve",
    ),
    (
        say("RoPE's angles in low precision"),
        "/rope?view=precision",
        say("The error of float16 and bfloat16 by position."),
        "bfloat16 float16 fp16 bf16 rounding",
    ),
    (
        say("Positions of image tokens"),
        "/mrope?view=positions",
        say("Time, row and column of every token, in Qwen2-VL, Qwen2.5-VL and Qwen3-VL."),
        "M-RoPE vision video get_rope_index rope_deltas",
    ),
    (
        say("Sections of M-RoPE"),
        "/mrope?view=sections",
        say("Which pair turns by time, row or column: in blocks, or interleaved."),
        "mrope_section mrope_interleaved Qwen2-VL Qwen3-VL",
    ),
    (
        say("ALiBi's bias matrices"),
        "/alibi?view=bias",
        say("One for each head, on one scale."),
        "heatmap heads",
    ),
    (
        say("ALiBi's slopes"),
        "/alibi?view=slopes",
        say("Of any number of heads."),
        "12 heads power of two",
    ),
    (
        say("Symmetric ALiBi"),
        "/alibi?view=bias&mode=symmetric",
        say("Its bias without a causal mask, as in encoders: later keys are seen."),
        "bidirectional encoder future keys heatmap",
    ),
    (
        say("Matrix of relative ids"),
        "/relative?view=ids",
        say("clip(j − i, −k, k) + k, cell by cell."),
        "heatmap clipping Shaw",
    ),
    (
        say("T5's buckets"),
        "/relative?view=t5",
        say("Bucket against distance, causal and bidirectional."),
        "staircase logarithmic",
    ),
    (
        say("Left padding and position ids"),
        "/relative?view=padding",
        say("Which position each token of a batch has."),
        "packed packing attention mask position_ids",
    ),
    (
        say("Scores before and after RoPE"),
        "/live_attention?view=both",
        say("Your own sentence in a real model, side by side."),
        "text type attention content score q k heatmap",
    ),
    (
        say("Loss by position, measured"),
        "/measured?view=loss",
        say("A real model under linear, NTK-aware and YaRN."),
        "perplexity long context curves",
    ),
    (
        say("Stretch a text"),
        "/scaling?view=stretch",
        say("What each method does to one text that grows."),
        "dials context window",
    ),
)
"""Pictures that people look for by name: title, address, a sentence, further words."""
NUMBERS: dict[str, dict[str, str]] = {
    "/config": {"": "target"},
    "/absolute?view=table": {
        "positions": "length",
        "length": "length",
        "dimensions": "d_model",
        "width": "d_model",
        "base": "base",
    },
    "/rope?view=matrix": {"position": "m", "m": "m", "width": "head_dim", "base": "base"},
    "/rope?view=angles": {"width": "head_dim", "base": "base"},
    "/alibi?view=bias": {"heads": "num_heads", "head": "head"},
    "/alibi?view=slopes": {"heads": "num_heads"},
    "/alibi?view=bias&mode=symmetric": {"heads": "num_heads", "head": "head"},
    "/relative?view=ids": {"length": "length", "tokens": "length", "k": "max_distance"},
    "/relative?view=t5": {"buckets": "num_buckets", "length": "t5_length"},
}
"""By a picture's address: the word beside a typed number, and the control that takes it.

A length of a text (64k, 131072) needs no word beside it: that word is "".
"""
ANSWERS: tuple[tuple[str, str, str, str], ...] = (
    (
        say("Save, share or embed a picture"),
        "/absolute",
        say("Save or share, above every picture: PNG, SVG, a slide, numbers, a notebook, HTML."),
        "iframe download export slides pdf png svg jupyter csv npz print link address code colab "
        "moodle LMS web page",
    ),
    (
        say("Why earlier keys are not computed again"),
        "/course/kv_cache/work/",
        say("Keep, or work out again? A step of the course on the KV cache."),
        "cache kept recomputed recompute values past old",
    ),
    (
        say("Rotated once: why cached keys are not rotated again"),
        "/course/kv_cache/turned/",
        say("A key is turned once, by its place, as it is kept: a step of the course on KV cache."),
        "kept old keys rotate rotated rotating turn turned re-rotate rerotate once",
    ),
    (
        say("When a text is longer than any in training"),
        "/course/scaling/",
        say("Why a model goes bad there, and what stretches it: the chapter Reading further."),
        "bad garbage nonsense gibberish wrong outputs repeat repeats itself breaks fails after "
        "past beyond trained max maximum limit context length tokens my model long talks "
        "what happens",
    ),
    (
        say("The code of a picture"),
        "/rope",
        say("Code, below every picture: its program with your settings; a notebook above it."),
        "python numpy torch implementation program source snippet jupyter colab notebook",
    ),
    (
        say("An example worked by hand"),
        "/course/rope/",
        say("In numbers, above every step of the course: five words, from a query to the shares."),
        "simple worked example calculation numbers small d = 4",
    ),
    (
        say("FlashAttention and positions"),
        "/course/which/fused/",
        say("What a kernel reads with a bias, and without one: a step of Which to choose."),
        "flash attention 2 FlexAttention SDPA kernel fused fast memory",
    ),
    (
        say("What models of today do"),
        "/course/which/today/",
        say("Eight released models, and which base and window their files say."),
        "GPT-4 Claude Gemini Llama Mistral Gemma. Does GPT use RoPE. What does GPT-4 use.",
    ),
    (
        say("Print a page, or hand it out"),
        "/course/",
        say("Print it in the browser: a chapter has all of its words, a screen its folds open."),
        "handout paper pdf printing worksheet",
    ),
    (
        say("Without a network"),
        "/course/",
        say(
            "Over HTTPS, pages of the course that you have opened need no network on a second "
            "visit; screens need the server."
        ),
        "offline internet airplane download static",
    ),
    (
        say("On a machine of your own"),
        "",
        say("make run starts it there; the project's README and docs have Docker and the rest."),
        "self-host host install run docker container server local localhost",
    ),
    (
        say("Licence, and how to cite this"),
        "",
        say("MIT. The file CITATION.cff in the project's folder has what a reference needs."),
        "license licence citation cite citing bibtex reference free open source copyright",
    ),
    (
        say("Present to a class"),
        "",
        say(
            "Present stands at the top right of Home, of every screen and of every step of a "
            "chapter. Arrows go on, Esc leaves."
        ),
        "presentation projector full screen fullscreen slides teach lecture beamer class",
    ),
    (
        say("Dark mode"),
        "",
        say(
            "The half-filled circle at the top right switches; on a phone it stands in the menu. "
            "Until then every page is as your system is set. The key D switches while you present."
        ),
        "theme light colours night switch",
    ),
)
"""Answers to what is asked: title, where it can be seen ("" for nowhere), the answer, further
words."""
