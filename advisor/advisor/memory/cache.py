"""The key/value cache: what each layer keeps of a text.

A layer of ordinary attention keeps a key and a value of every token for each key/value head; one
with a window, those of the last tokens alone; latent attention (MLA), one latent and one rotated
key for all heads together. A recurrent layer keeps a state, whatever the length. What cross-
attention keeps of a picture or of an encoder's text is not counted.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest

from advisor.data import Config
from advisor.families.classes import config_class
from advisor.families.family import MOST_LAYERS
from advisor.families.fields_read import asked_by
from advisor.fields import Fields, required
from advisor.memory.sizes import Sizes
from advisor.memory.states import State, state_numbers
from posenc.checks import LONGEST, check_choice, check_int
from posenc.words import Sentence, say

CACHE_BITS: dict[str, float] = {
    "float32": 32,
    "bfloat16": 16,
    "float16": 16,
    "fp8": 8,
    "int8": 8,
    "q8_0": 8.5,
    "q4_0": 4.5,
}
"""Bits of one number in the cache; q8_0 and q4_0 are llama.cpp's, 32 numbers and a 16-bit scale."""

KINDS = {
    **dict.fromkeys(("full_attention", "attention", "global_attention", "global"), "full"),
    **dict.fromkeys(("sliding_attention", "local_attention", "local", "sliding"), "window"),
    **dict.fromkeys(("linear_attention", "mamba", "mamba2", "recurrent", "conv"), "state"),
    "main": "window",  # DeepSeek-V4's word in rope_parameters
    "chunked_attention": "chunk",
    **dict.fromkeys(
        ("indexed_attention", "deepseek_sparse_attention", "qwen_sparse_attention"), "full"
    ),
    "hybrid": "full and state",
    "hybrid_sliding": "window and state",
    "nope": "full",
    **dict.fromkeys(("moe", "mlp", "dummy"), "nothing"),
    "compressed_sparse_attention": "compressed_sparse_attention",
    "heavily_compressed_attention": "heavily_compressed_attention",
}
"""Kind of a layer's cache, by the layer's word in `layer_types`."""
COMPRESSED = ("compressed_sparse_attention", "heavily_compressed_attention")
"""DeepSeek-V4's: one vector, key and value at once, of each of the last tokens, and one entry for
several tokens before; what waits for its entry to be full is not counted."""


@dataclass(frozen=True)
class LayerCache:
    """Cache of the layers of one kind.

    Attributes:
        kind: "full", "window", "chunk", "latent", "latent alone", "indexer", "entries", "state",
            "full and state", "window and state" or "nothing".
        layers: How many there are.
        per_token: Numbers that one layer keeps of one token, or of `every` tokens.
        window: The most tokens that it keeps; None for all.
        index: How many of these numbers are the key of an indexer (sparse attention).
        every: How many tokens have these numbers together.
        state: What it keeps whatever the length, if anything.
    """

    kind: str
    layers: int
    per_token: int
    window: int | None = None
    index: int = 0
    every: int = 1
    state: State | None = None

    def tokens(self, length: int) -> int:
        """How many tokens of a text are kept, or entries for several of them."""
        return length // self.every if self.window is None else min(length, self.window)

    def size(self, length: int, bits: float) -> float:
        """Bytes that all its layers keep of one text, with so many bits for a number.

        A state is not made smaller than 16 bits, and that of a recurrence is float32.
        """
        held = self.per_token * self.tokens(length) * bits
        if self.state is not None:
            held += self.state.conv * max(bits, 16) + self.state.recurrent * 32
        return self.layers * held / 8

    @property
    def sentence(self) -> Sentence:
        """The layers' cache in words."""
        told = {"layers": self.layers, "numbers": self.per_token, "window": self.window}
        if self.kind == "nothing":
            return say("{layers:,} layers keep nothing of their own.", **told)
        if self.kind == "state":
            return say("{layers:,} layers keep a state, the same at every length.", **told)
        if self.kind == "indexer":
            return say(
                "{layers:,} layers use the keys of an earlier layer, and keep the key of their "
                "indexer of every token, {numbers:,} numbers.",
                **told,
            )
        if self.kind == "entries":
            clause = say(
                "{layers:,} layers keep an entry for {every:,} tokens at a time",
                every=self.every,
                **told,
            )
            return _with_indexer(clause, self)
        if self.is_latent:
            clause = say("{layers:,} layers keep one latent of every token", **told)
            if self.kind == "latent":
                clause = say(
                    "{layers:,} layers keep one latent and one rotated key of every token", **told
                )
            return _with_indexer(clause, self)
        clause = say("{layers:,} layers keep keys and values of every token", **told)
        if self.window is not None:
            clause = say(
                "{layers:,} layers keep keys and values of the last {window:,} tokens", **told
            )
        if self.state is not None:
            return say("{clause}, {numbers:,} numbers each, and a state.", clause=clause, **told)
        return _with_indexer(clause, self)

    @property
    def is_latent(self) -> bool:
        """Whether all heads share what is kept, so that cards cannot divide it."""
        return self.kind.startswith("latent") or self.kind in ("indexer", "entries")


def _with_indexer(clause: Sentence, layer: LayerCache) -> Sentence:
    told = {"clause": clause, "numbers": layer.per_token, "index": layer.index}
    if layer.index:
        return say(
            "{clause}, {numbers:,} numbers each, {index:,} of them the key of an indexer.", **told
        )
    return say("{clause}, {numbers:,} numbers each.", **told)


def layer_caches(config: Config) -> tuple[LayerCache, ...]:
    """Caches that the layers keep of a text, one entry for each kind.

    Returns:
        The kinds, in the order in which they first appear.

    Raises:
        ValueError: If the model's type is not known, or the file lacks a width or count.

    Source: transformers 5.23, cache_utils.py; Shazeer 2019, arXiv:1911.02150; Ainslie et al.
    2023, arXiv:2305.13245; DeepSeek-V2, section 2.1, arXiv:2405.04434.
    """
    sizes = Sizes.of(config)
    kinds = layer_kinds(config, sizes)
    counts = Counter(_kept(kinds, sizes)).items()
    return tuple(one for kept, layers in counts for one in _caches(*kept, layers, sizes))


def cache_bytes(config: Config, length: int, kind: str = "bfloat16", batch: int = 1) -> int:
    """Bytes of the key/value cache.

    Args:
        config: A model's configuration.
        length: Tokens of each text, prompt and answer together.
        kind: One of `CACHE_BITS`.
        batch: Texts at once.

    Returns:
        Bytes, rounded up.

    Raises:
        ValueError: If the file lacks a width or count, or a number is out of range.
    """
    check_choice("kind", kind, list(CACHE_BITS))
    check_int("length", length, 1, maximum=LONGEST)
    check_int("batch", batch, 1, maximum=10**6)
    return math.ceil(
        batch * sum(one.size(length, CACHE_BITS[kind]) for one in layer_caches(config))
    )


def longest_text(caches: Sequence[LayerCache], room: int, kind: str, batch: int = 1) -> int:
    """The longest text whose cache has room, below `LONGEST`.

    Args:
        caches: What the layers keep.
        room: Bytes for the cache.
        kind: One of `CACHE_BITS`.
        batch: Texts at once.

    Returns:
        Tokens, the most for which `cache_bytes` is at most `room`; 0 for none.
    """
    bits = Fraction(CACHE_BITS[kind])
    left = Fraction(8 * room, batch)
    left -= sum(Fraction(one.size(0, float(bits))) * 8 for one in caches)
    if left < 0:
        return 0
    reached = 0
    # A window that is full takes no more: between two of them the cache grows evenly.
    for full in (*sorted({one.window for one in caches if one.window}), LONGEST - 1):
        growing = [one for one in caches if one.window is None or one.window > reached]
        per_token = bits * sum(Fraction(one.layers * one.per_token, one.every) for one in growing)
        step = full - reached
        if per_token * step > left:
            reached += int(left // per_token)
            break
        left -= per_token * step
        reached = full
    # The last entry of each kind may not be full.
    most = reached + max((one.every for one in caches), default=1) * len(caches)
    while reached < min(most, LONGEST - 1) and _fits(caches, reached + 1, room, bits, batch):
        reached += 1
    return reached


def _fits(caches: Sequence[LayerCache], length: int, room: int, bits: Fraction, batch: int) -> bool:
    return batch * sum(one.size(length, float(bits)) for one in caches) <= room


def layer_kinds(config: Config, sizes: Sizes) -> tuple[str, ...]:
    """Kind of each layer's cache: a word of `KINDS`' values, or "latent".

    Raises:
        ValueError: If the file does not say how many layers there are, or uses a word for one
            that is not known.
    """
    odd = next((word for word in config.layer_types if word not in KINDS), None)
    if odd is not None:
        raise ValueError(f"What a layer of the kind {odd!r} keeps is not known.")
    kinds = [KINDS[word] for word in config.layer_types]
    if not kinds:
        kinds = [_same_kind(sizes)] * sizes.need("num_hidden_layers", maximum=MOST_LAYERS)
    if sizes.whole("kv_lora_rank") is not None:
        kinds = ["latent" if kind == "full" else kind for kind in kinds]
    modes = sizes.words("kv_sharing_modes")
    kinds = [
        "nothing" if mode == "reuse" else kind
        for kind, mode in zip_longest(kinds, modes[: len(kinds)])
    ]
    shared = sizes.whole("num_kv_shared_layers", 0) or 0
    if shared >= len(kinds):
        raise ValueError(
            f"num_kv_shared_layers must be below the {len(kinds)} layers, got {shared}."
        )
    return tuple(kinds[: len(kinds) - shared] + ["nothing"] * shared)


def window_of(sizes: Sizes, kind: str) -> int | None:
    """The most tokens that a layer of this kind sees; None for all.

    Raises:
        ValueError: If there must be a window and the file does not say how wide it is.
    """
    if kind == "chunk":
        return sizes.need("attention_chunk_size")
    return sizes.need("sliding_window") if kind.startswith("window") else None


def _same_kind(sizes: Sizes) -> str:
    """The kind of all layers of a file that knows one kind."""
    if sizes.model_type == "falcon_h1":
        return "full and state"
    # A class whose mask does not look at the field may have it as a leftover.
    is_chunked = asked_by(sizes.model_type, "attention_chunk_size") in ("model", None)
    if is_chunked and sizes.whole("attention_chunk_size") is not None:
        return "chunk"
    # Qwen's files give a window that is switched off.
    is_off = "use_sliding_window" in sizes.defaults and not sizes.flag("use_sliding_window")
    # Where a class has kinds of layers, these say which of them have it. A class that has no such
    # field of its own hands a leftover on, and its mask does not cut there.
    is_asked = asked_by(sizes.model_type, "sliding_window") == "model"
    is_asked = is_asked and asked_by(sizes.model_type, "layer_types") != "model"
    is_asked = is_asked and hasattr(config_class(sizes.model_type), "sliding_window")
    is_window = is_asked and sizes.whole("sliding_window") and not is_off
    return "window" if is_window else "full"


def _kept(kinds: Sequence[str], sizes: Sizes) -> Iterator[tuple[str, int]]:
    """Which parts of it each layer keeps, and how many numbers are its indexer's."""
    indexer = index_numbers(sizes)
    types, modes = sizes.words("indexer_types"), sizes.words("kv_sharing_modes")
    flags = sizes.value("no_rope_layers")
    for index, kind in enumerate(kinds):
        if kind not in ("full", "latent"):
            yield kind, 0
            continue
        is_shared = index < len(types) and types[index] == "shared"
        numbers = 0 if is_shared else indexer
        if index < len(modes) and modes[index] == "reuse_but_indexer":
            yield "indexer", numbers
            continue
        # Mistral Large 4 keeps no key beside the latent where a layer does not rotate.
        is_still = isinstance(flags, list) and index < len(flags) and not flags[index]
        yield "latent alone" if kind == "latent" and is_still else kind, numbers


def index_numbers(sizes: Sizes) -> int:
    """Numbers of a token that an indexer keeps: its key; GLM-5.3's beside it a gate and a flag."""
    width = sizes.whole("index_head_dim") or sizes.whole("indexer_head_dim") or 0
    return 2 * width + 1 if sizes.whole("index_kpool") else width


def _caches(kind: str, index: int, layers: int, sizes: Sizes) -> Iterator[LayerCache]:
    """Caches of the layers of a kind, one after the other."""
    if kind not in COMPRESSED:
        yield _cache(kind, index, layers, sizes)
        return
    width = sizes.need("head_dim")
    index = index_numbers(sizes) if kind == "compressed_sparse_attention" else 0
    rates = sizes.value("compress_rates")
    rate = Fields(rates if isinstance(rates, dict) else {}, where="compress_rates.")
    every = required(rate.integer(kind, 1), rate.label(kind))
    # Entries overlap where there is an indexer: half of the last one's tokens and gates are kept.
    state = State(2 * every * (width + index), 0) if index else None
    yield LayerCache("window", layers, width, window=sizes.need("sliding_window"))
    yield LayerCache("entries", layers, width + index, index=index, every=every, state=state)


def _cache(kind: str, index: int, layers: int, sizes: Sizes) -> LayerCache:
    if kind == "nothing":
        return LayerCache(kind, layers, 0)
    if kind == "state":
        return LayerCache(
            kind=kind, layers=layers, per_token=0, window=None, state=state_numbers(sizes, 0)
        )
    if kind == "indexer":
        return LayerCache(kind, layers, index, index=index)
    if kind.startswith("latent"):
        rotated = (sizes.whole("qk_rope_head_dim", 0) or 0) if kind == "latent" else 0
        latent = sizes.need("kv_lora_rank") + rotated + index
        return LayerCache(kind if rotated else "latent alone", layers, latent, index=index)
    per_token = kv_heads(sizes, kind) * sum(head_widths(sizes, kind)) + index
    state = state_numbers(sizes, per_token) if "state" in kind else None
    return LayerCache(
        kind=kind,
        layers=layers,
        per_token=per_token,
        window=window_of(sizes, kind),
        index=index,
        state=state,
    )


def head_widths(sizes: Sizes, kind: str = "full") -> tuple[int, int]:
    """Channels of a head's key and of its value, in layers of this kind.

    Raises:
        ValueError: If the file does not say.
    """
    key = value = None
    if kind.startswith("full"):
        key = sizes.whole("global_head_dim")  # Gemma 4
    elif kind.startswith("window"):
        key, value = sizes.whole("swa_head_dim"), sizes.whole("swa_v_head_dim")  # MiMo
    width = key or sizes.whole("head_dim")
    if width is None:
        width = sizes.need("hidden_size") // sizes.need("num_attention_heads")
    return width, value or sizes.whole("v_head_dim") or width


def kv_heads(sizes: Sizes, kind: str = "full") -> int:
    """Key/value heads of layers of this kind: the file's, else as many as query heads.

    Raises:
        ValueError: If the file gives neither.
    """
    # Falcon and the code models of its time: one head for all, unless the file says otherwise.
    if sizes.flag("multi_query") and not sizes.flag("new_decoder_architecture"):
        return 1
    own = None
    if kind.startswith("full"):
        own = sizes.whole("num_global_key_value_heads")
    elif kind.startswith("window"):
        own = sizes.whole("swa_num_key_value_heads")
        if own is None and sizes.model_type == "mimo_v2_flash":
            return 2 * sizes.need("num_key_value_heads")  # its class, whatever the file says
    return own or sizes.whole("num_key_value_heads") or sizes.need("num_attention_heads")


def split_heads(config: Config) -> tuple[int, int]:
    """Heads that several cards divide among them: query heads, and key/value heads.

    Returns:
        Both; of the latter 1 where the cache is a latent for all heads together.

    Raises:
        ValueError: If the model's type is not known, or the file lacks a width or count.
    """
    sizes = Sizes.of(config)
    is_latent = any(one.is_latent for one in layer_caches(config))
    shared = 1 if is_latent else kv_heads(sizes)
    return sizes.whole("num_attention_heads") or shared, shared


def widest_window(config: Config) -> int | None:
    """The widest window of the layers that rotate; None where one of them sees everything.

    Returns:
        Tokens; None as well where the file does not say what its layers see.
    """
    try:
        sizes = Sizes.of(config)
        kinds = layer_kinds(config, sizes)
        turning = config.rope_layers or (True,) * len(kinds)
        seen = [
            window_of(sizes, kind)
            for kind, turns in zip(kinds, turning, strict=False)
            if turns and kind not in ("state", "nothing")
        ]
    except ValueError:
        return None
    return max((w for w in seen if w), default=None) if all(seen) else None
