"""Attention on typed tokens with seeded random projections: what three screens share."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

import torch
from torch import Tensor

from posenc import (
    CATALOGUE,
    Axis,
    Computed,
    ModelShape,
    PositionalEncoding,
    Step,
    Trace,
    attend,
    causal_mask,
)
from posenc.attention.measures import attended_distance, attention_entropy, attention_surplus
from posenc.attention.rows import COPIES
from posenc.attention.steps.biases import bias_steps
from posenc.attention.steps.pairs import attention_steps
from posenc.random_model import RandomProjections, randomise
from posenc.words import say
from ui.controls.device import synchronize, working_dtype
from ui.screen.budget import MEMORY_BUDGET, check_memory
from ui.text.tokens import Tokens, byte_tokens, word_tokens

TOKENIZERS = {"words": word_tokens, "bytes": byte_tokens}

STAGES = {
    "content": say("content score"),
    "position": say("position part"),
    "scaled": say("scaled score"),
    "masked": say("masked score"),
    "bias": say("bias"),
    "logits": say("logit"),
    "weights": say("attention"),
    "surplus": say("surplus"),
}
"""Stages of one attention and what a cell of each is, in the order of the formula."""

COPIES_OF_ALL_HEADS = {"fire": 64}
"""Further matrices, whatever the heads: FIRE's network has 32 hidden numbers for every pair."""
STAGES_BEFORE_MASK = ("content", "scaled")
UNITS = {"surplus": say("nats")}
LABELLED_TOKENS = 256
"""Longest text whose tokens stand on the axes; above, positions do."""
LABEL_WIDTH = 12


@dataclass(frozen=True)
class AttentionSettings:
    """Everything that one attention depends on."""

    tokens: Tokens
    encoding: str
    """Name in the catalogue."""
    causal: bool
    num_heads: int
    head_dim: int
    seed: int
    device: torch.device

    @property
    def length(self) -> int:
        """Number of tokens."""
        return len(self.tokens.ids)


@dataclass(frozen=True)
class Result:
    """One attention with its stages."""

    content: Tensor
    """q·k / √d of the token embeddings alone (1, num_heads, length, length)."""
    x: Tensor
    """What the projections read: embeddings, with positions where they are added to them."""
    encoding: PositionalEncoding
    v: Tensor
    """Values (1, num_heads, length, head_dim)."""
    trace: Trace
    milliseconds: float
    """From the embeddings to the output, on the device, with every stage kept."""


def run(settings: AttentionSettings) -> Result:
    """Tokens to embeddings to queries, keys and values to attention with every stage kept.

    Raises:
        ValueError: If the sizes do not suit the encoding, or memory forbids the length.
    """
    check_length(settings)
    return run_encoding(settings, CATALOGUE[settings.encoding].build(shape(settings)))


def check_length(settings: AttentionSettings) -> None:
    """Refuse a text that is too long to keep every stage.

    Raises:
        ValueError: With the longest text that fits.
    """
    check_memory(
        memory_needed(settings),
        say(
            "Attention with every stage kept, for {tokens:,} tokens and {heads} heads,",
            tokens=settings.length,
            heads=settings.num_heads,
        ),
        say(
            "At most {tokens:,} tokens fit with these heads: shorten the text or take fewer heads.",
            tokens=longest(settings),
        ),
    )


def run_encoding(settings: AttentionSettings, encoding: PositionalEncoding) -> Result:
    """`run` for any encoding of this shape; what it learns is filled with random numbers."""
    device, dtype = settings.device, working_dtype(settings.device)
    model = projections(settings)
    encoding = randomise(encoding, settings.seed).to(device, dtype)
    x = model.embed(settings.tokens.ids).to(device, dtype)
    positions = torch.arange(settings.length, device=device)
    synchronize(device)
    start = time.perf_counter()
    with torch.no_grad():
        read = encoding.embed(x, positions)
        q, k, v = model.project(read)
        trace = attend(q, k, v, encoding, mask="causal" if settings.causal else None, trace=True)
    synchronize(device)
    milliseconds = (time.perf_counter() - start) * 1000
    plain_q, plain_k, _ = model.project(x)
    content = plain_q @ plain_k.mT * settings.head_dim**-0.5
    return Result(content, read, encoding, v, trace, milliseconds)


def memory_needed(settings: AttentionSettings) -> int:
    """Bytes that `run` needs at its peak."""
    return settings.length**2 * _bytes_per_pair(settings)


def longest(settings: AttentionSettings) -> int:
    """Tokens that fit into the memory budget with these heads."""
    return isqrt(MEMORY_BUDGET // _bytes_per_pair(settings))


def _bytes_per_pair(settings: AttentionSettings) -> int:
    copies = COPIES * settings.num_heads + COPIES_OF_ALL_HEADS.get(settings.encoding, 0)
    return copies * working_dtype(settings.device).itemsize


def projections(settings: AttentionSettings) -> RandomProjections:
    """The random model of these settings: heads side by side fill d_model."""
    heads, head_dim = settings.num_heads, settings.head_dim
    return RandomProjections(settings.seed, heads * head_dim, heads, head_dim)


def shape(settings: AttentionSettings) -> ModelShape:
    """The sizes that an encoding needs to know."""
    heads, head_dim = settings.num_heads, settings.head_dim
    return ModelShape(heads * head_dim, heads, head_dim, settings.length)


def stage(result: Result, name: str, head: int) -> Tensor:
    """One stage of one head (length, length); NaN where the mask forbids attention.

    The content and the scaled score are whole: the mask comes after them.
    """
    trace = result.trace
    if name == "content":
        return result.content[0, head]
    if name == "position":
        values = trace.scaled[0, head] + trace.bias[0, head] - result.content[0, head]
    elif name == "surplus":
        values = attention_surplus(trace.logits[0, head])
    else:
        values = getattr(trace, name)[0, head]
    if name in STAGES_BEFORE_MASK:
        return values
    return values.masked_fill(trace.masked[0, head] == -torch.inf, torch.nan)


def spread(weights: Tensor, causal: bool) -> dict[str, tuple[Tensor, float]]:
    """How spread attention (heads, length, length) is and how far it reaches, mean over queries.

    Returns:
        "entropy" in nats and "distance" in tokens: one value per head, on the CPU, and the value
        of attention that is spread evenly over the keys that the mask allows.
    """
    n, device = weights.shape[-1], weights.device
    everyone = torch.ones(n, n, dtype=torch.bool, device=device)
    allowed = (causal_mask(n, n, device) if causal else everyone).to(weights.dtype)
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    positions = torch.arange(n, device=device)

    def distance(shares: Tensor) -> Tensor:
        return attended_distance(shares, positions, positions)

    return {
        name: (measure(weights).mean(dim=-1).cpu(), measure(even).mean().item())
        for name, measure in (("entropy", attention_entropy), ("distance", distance))
    }


def quantity(
    values: Tensor,
    tokens: Tokens,
    name: str,
    *,
    signed: bool,
    unit: str = "",
    explain: Callable[[int, int], tuple[Step, ...]] | None = None,
) -> Computed:
    """A matrix of queries and keys, with the tokens on both axes while they are few."""
    labels = token_labels(tokens) if len(tokens.ids) <= LABELLED_TOKENS else None
    query = Axis(say("query i"), len(tokens.ids), labels)
    key = Axis(say("key j"), len(tokens.ids), labels)
    return Computed(values, name, query, key, unit, signed, explain)


def steps(result: Result, name: str, head: int) -> Callable[[int, int], tuple[Step, ...]]:
    """From row and column to the steps of one stage of one head."""

    def explain(row: int, col: int) -> tuple[Step, ...]:
        bias = bias_steps(result.encoding, head, row, col)
        content = result.content[0]
        return attention_steps(result.trace, name, row, col, head, content=content, bias=bias)

    return explain


def default_cell(length: int) -> tuple[int, int]:
    """A query late in the text and a key far back, whose distance is worth a look."""
    return 2 * length // 3, length // 10


def token_labels(tokens: Tokens) -> tuple[str, ...]:
    """Tokens as labels of a figure: short, and harmless where plotly would read markup."""
    return tuple(_label(text) for text in tokens.texts)


def code_fields(settings: AttentionSettings) -> dict[str, object]:
    """What the settings put into a snippet."""
    return {
        "ids": ids_as_code(settings.tokens),
        "device": settings.device.type,
        "dtype": working_dtype(settings.device),
        "seed": settings.seed,
        "num_heads": settings.num_heads,
        "head_dim": settings.head_dim,
        "d_model": settings.num_heads * settings.head_dim,
        "encoding": settings.encoding,
        "mask": '"causal"' if settings.causal else None,
    }


def ids_as_code(tokens: Tokens) -> str:
    """The token ids as a Python list, a few to a line."""
    rows = [", ".join(map(str, tokens.ids[at : at + 4])) for at in range(0, len(tokens.ids), 4)]
    return "[\n    " + ",\n    ".join(rows) + ",\n]"


def _label(text: str) -> str:
    short = text if len(text) <= LABEL_WIDTH else text[: LABEL_WIDTH - 1] + "…"
    return short.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
