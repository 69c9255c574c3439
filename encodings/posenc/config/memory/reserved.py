"""The key/value cache as engines reserve it: in blocks, groups and pools, for the longest text.

What the layers need is `cache_bytes`. An engine plans before it reads a text: it rounds up, gives
groups of layers equal blocks, and keeps more of a layer with a window than the window.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from posenc.checks import check_choice, check_int
from posenc.config.data import Config
from posenc.config.facts import TRIED, no_windows
from posenc.config.fields import LONGEST
from posenc.config.memory.cache import CACHE_BITS, LayerCache, kv_heads, layer_caches
from posenc.config.memory.cards import Card, room
from posenc.config.memory.sizes import Sizes
from posenc.words import Sentence, say

BLOCK = 16
"""Tokens of a block in vLLM."""
WINDOW_SHARE = 0.8
"""Tokens in SGLang's pool for windows, for each in the other one: --swa-full-tokens-ratio."""
PIECE = 512
"""Tokens that llama.cpp computes at once: --ubatch-size."""
ROUNDED = 256
"""llama.cpp rounds the tokens of a cache up to a multiple of it."""
HALF_KINDS = ("bfloat16", "float16", "fp8")
"""Caches that vLLM and SGLang have; others stay in 16 bits there."""
HANDED_OUT = (
    *("qwen3_next", "qwen3_5_text", "qwen3_5_moe_text"),
    *("bamba", "falcon_h1", "granitemoehybrid", "nemotron_h"),
)
"""Families whose kernels hand out a state from within a prompt in vLLM, on Hopper and Blackwell."""
FLASHINFER = 64
"""vLLM's blocks for a Gated DeltaNet there hold a multiple of so many tokens."""
WIDE_STATES = ("kimi_linear", "nemotron_h")
"""Families whose recurrence is float32 in vLLM, unless their file says otherwise."""
TWO_POOLS = ("gpt_oss", "llama4_text", "gemma4_text", "mimo_v2_flash")
"""Families whose windows have a pool of their own in SGLang: `is_hybrid_swa_model`."""


@dataclass(frozen=True)
class Request:
    """A request that an engine plans its cache for.

    Attributes:
        config: A model's configuration.
        layers: What its layers need.
        length: Tokens of each text.
        kind: Type of the numbers, one of `CACHE_BITS`.
        batch: Texts at once.
        in_flight: Tokens that vLLM computes and has not settled.
        cards: Over how many cards the model is split, with tensor parallelism.
    """

    config: Config
    layers: tuple[LayerCache, ...]
    length: int
    kind: str
    batch: int
    in_flight: int
    cards: int = 1


@dataclass(frozen=True)
class Planner:
    """How one engine plans its cache.

    Attributes:
        engine: Id of the engine.
        title: Its name, and how it is started.
        plan: Bytes on each card for what is asked. Raises ValueError where that is not known.
    """

    engine: str
    title: Sentence
    plan: Callable[[Request], int]


@dataclass(frozen=True)
class Reserved:
    """Cache that one engine reserves.

    Attributes:
        planner: The engine.
        cache: Bytes on each card; None where they are not known.
        missing: Why they are not; "" where they are.
        compared: Whether the engine's own planner says so for the family, within 0.1 %.
    """

    planner: Planner
    cache: int | None
    missing: str = ""
    compared: bool = False


def in_flight(card: Card) -> int:
    """Tokens in flight in vLLM's server on a card: two batches of --max-num-batched-tokens.

    Source: `get_batch_defaults` and `max_concurrent_batches` of vLLM 0.33.0.
    """
    if card.gib >= 160:
        return 2 * 16384
    return 2 * (8192 if card.gib >= 70 and not card.name.startswith("A100") else 2048)


def reserved(
    config: Config,
    length: int,
    kind: str = "bfloat16",
    batch: int = 1,
    tokens: int = 2 * 8192,
    cards: int = 1,
) -> tuple[Reserved, ...]:
    """Cache that each engine reserves for texts of one length.

    Args:
        config: A model's configuration.
        length: Tokens of each text, prompt and answer together.
        kind: One of `CACHE_BITS`.
        batch: Texts at once.
        tokens: In flight in vLLM, see `in_flight`.
        cards: How many, with tensor parallelism over them.

    Returns:
        One `Reserved` for each of `PLANNERS`.

    Raises:
        ValueError: If the file lacks a width or count, or a number is out of range.
    """
    check_choice("kind", kind, list(CACHE_BITS))
    check_int("length", length, 1, maximum=LONGEST)
    check_int("batch", batch, 1, maximum=10**6)
    check_int("cards", cards, 1, maximum=1024)
    request = Request(config, _split(config, cards), length, kind, batch, tokens, cards)
    return tuple(_planned(one, request) for one in PLANNERS)


def longest(
    config: Config,
    weights: int,
    card: Card,
    cards: int = 1,
    kind: str = "bfloat16",
    batch: int = 1,
) -> dict[str, int]:
    """The longest text that an engine has room for on a card, beside so many bytes of weights.

    The other arguments and the errors are those of `reserved`.

    Returns:
        Tokens, at most `LONGEST`, by the title of each of `PLANNERS` that knows; 0 where nothing
        fits.
    """
    check_choice("kind", kind, list(CACHE_BITS))
    check_int("cards", cards, 1, maximum=1024)
    left = room(card) - math.ceil(weights / cards)
    layers = _split(config, cards)
    request = Request(config, layers, LONGEST, kind, batch, in_flight(card), cards)

    def holds(planner: Planner, length: int) -> bool:
        return planner.plan(replace(request, length=length)) <= left

    found = {}
    for planner in PLANNERS:
        if _planned(planner, request).cache is None:
            continue
        low, high = 0, LONGEST
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if holds(planner, middle) else (low, middle - 1)
        found[str(planner.title)] = low
    return found


def _split(config: Config, cards: int) -> tuple[LayerCache, ...]:
    """Caches of the layers on each card: its share of the heads, at least one; a latent whole."""
    sizes = Sizes.of(config)
    split = []
    for one in layer_caches(config):
        heads = kv_heads(sizes, one.kind)
        held = one.per_token if one.kind == "latent" else one.per_token // min(cards, heads)
        state = one.state
        if state is not None:
            state = replace(state, conv=state.conv // cards, recurrent=state.recurrent // cards)
        split.append(replace(one, per_token=held, state=state))
    return tuple(split)


def _planned(planner: Planner, request: Request) -> Reserved:
    planned = request.config.model_type in TRIED[planner.engine].planned
    try:
        return Reserved(planner, planner.plan(request), compared=planned)
    except ValueError as error:
        return Reserved(planner, None, str(error))


@dataclass(frozen=True)
class _Pages:
    """Layers of one kind in vLLM: how many, bytes of a page, its tokens, pages of one text."""

    layers: int
    page: int
    tokens: int
    window: int | None = None
    states: int = 0

    def blocks(self, length: int, in_flight: int) -> int:
        """Blocks that one text needs in each group of these layers."""
        if self.states:
            return self.states
        if self.window is None:
            return math.ceil(length / self.tokens)
        held = min(self.window - 1 + in_flight, length)
        return math.ceil(held / self.tokens) + 1  # a window begins within a block


def _vllm(request: Request) -> int:
    """Groups of as many layers as there are of the rarer kind, with blocks of one size.

    Source: `v1/core/kv_cache_planning.py`, `v1/kv_cache_interface.py` and `platforms/interface.py`
    of vLLM 0.33.0; the hybrid manager is off for chunked attention (`config/vllm.py`).
    """
    _no_indexer(request)
    layers = request.layers
    if any(one.kind == "chunk" for one in layers):
        layers = tuple(replace(one, window=None) for one in layers)
    kinds = _unified(_pages(replace(request, layers=layers)))
    counts = [one.layers for one in kinds]
    group = min(counts)
    if max(counts) < 1.5 * group:
        group = max(counts)
    if all(one.window == kinds[0].window and not one.states for one in kinds):
        group = sum(counts)
        kinds = [replace(kinds[0], layers=group)]
    blocks = sum(
        math.ceil(one.layers / group) * one.blocks(request.length, request.in_flight)
        for one in kinds
    )
    return request.batch * blocks * group * kinds[0].page


def _pages(request: Request) -> list[_Pages]:
    """The kinds of layers, each with the pages that it would have alone."""
    family = request.config.model_type or ""
    state = max((_state_bytes(request, one) for one in request.layers), default=0)
    block = FLASHINFER if state and family.startswith("qwen3") else BLOCK
    # With the prefix cache, the state at its end is kept beside the running one.
    states = 3 if family in HANDED_OUT else 2
    kinds = []
    for one in request.layers:
        if one.per_token:
            each = int(one.per_token * _half_bits(request) / 8)
            tokens = block * max(1, math.ceil(state / (block * each)))
            kinds.append(_Pages(one.layers, each * tokens, tokens, one.window))
        if one.state is not None:
            kinds.append(_Pages(one.layers, _state_bytes(request, one), 0, None, states))
    return kinds


def _unified(kinds: list[_Pages]) -> list[_Pages]:
    """Pages of one size: smaller ones hold more tokens, or are padded."""
    most = max(one.page for one in kinds)
    times = [most // one.page if most % one.page == 0 else 1 for one in kinds]
    return [
        replace(one, page=most, tokens=one.tokens * more)
        for one, more in zip(kinds, times, strict=True)
    ]


def _state_bytes(request: Request, one: LayerCache) -> int:
    """A state in vLLM: the recurrence in the type of the weights, unless the file says otherwise.

    Source: `model_executor/models/config.py` and `layers/mamba/mamba_utils.py` of vLLM 0.33.0.
    """
    if one.state is None:
        return 0
    text = request.config.text
    usual = "float32" if request.config.model_type in WIDE_STATES else "auto"
    told = text.get("mamba_ssm_cache_dtype") or text.get("mamba_ssm_dtype") or usual
    return 2 * one.state.before + (4 if told == "float32" else 2) * one.state.recurrent


def _sglang(request: Request) -> int:
    """One pool for all layers, or a second one for windows, a fixed share as long.

    Source: `srt/model_executor/pool_configurator.py` of SGLang 0.5.23.
    """
    _no_indexer(request)
    if any(one.state is not None for one in request.layers):
        raise ValueError("How many states SGLang keeps depends on --max-running-requests.")
    tokens = request.batch * request.length
    has_two = request.config.model_type in TWO_POOLS
    if has_two:
        # It does not start where the pool for windows does not hold one and a token.
        near = max((one.window or 0 for one in request.layers), default=0)
        tokens = max(tokens, math.ceil((near + 1) / WINDOW_SHARE))
    total = 0.0
    for one in request.layers:
        held = int(tokens * WINDOW_SHARE) if has_two and one.window is not None else tokens
        total += one.layers * one.per_token * held * _half_bits(request) / 8
    return math.ceil(total)


def _llama_cpp(request: Request, is_full: bool) -> int:
    """Cells for each text; layers with a window have those of the window and of a piece.

    Source: `src/llama-kv-cache-iswa.cpp`, `llama-kv-cache.cpp`, `llama-memory-recurrent.cpp`.
    """
    _no_indexer(request)
    kind = {"fp8": "q8_0", "int8": "q8_0"}.get(request.kind, request.kind)
    cells = _rounded(request.length)
    has_windows = no_windows("llama_cpp", request.config) is None and not is_full
    total = 0.0
    for one in request.layers:
        held = cells
        if one.window is not None and has_windows:
            held = _rounded(min(cells, one.window + PIECE))
        total += one.layers * one.per_token * held * CACHE_BITS[kind] / 8
        if one.state is not None:
            total += one.layers * 4 * (one.state.before + one.state.recurrent)
    return math.ceil(request.batch * total)


def _rounded(tokens: int) -> int:
    return ROUNDED * math.ceil(tokens / ROUNDED)


def _transformers(request: Request) -> int:
    """Bytes that the layers need: `DynamicCache` grows with the text."""
    return math.ceil(
        request.batch * sum(one.size(request.length, _half_bits(request)) for one in request.layers)
    )


def _half_bits(request: Request) -> float:
    return CACHE_BITS[request.kind] if request.kind in HALF_KINDS else 16


def _no_indexer(request: Request) -> None:
    if request.config.text.get("index_head_dim") is not None:
        raise ValueError("How the keys of a sparse attention's indexer are stored was not read.")


PLANNERS = (
    Planner("vllm", say("vLLM"), _vllm),
    Planner("sglang", say("SGLang"), _sglang),
    Planner("llama_cpp", say("llama.cpp"), lambda request: _llama_cpp(request, is_full=False)),
    Planner(
        "llama_cpp", say("llama.cpp --swa-full"), lambda request: _llama_cpp(request, is_full=True)
    ),
    Planner("transformers_5", say("transformers"), _transformers),
)
"""Every engine whose plan is known, those that most people use first."""
