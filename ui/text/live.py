"""Attention on typed tokens with seeded random projections: what three screens share."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

import torch
from torch import Tensor

from posenc import PositionalEncoding, Trace
from posenc.attention.masks import causal_pairs
from posenc.attention.rows import COPIES, AttentionRows, Pairs
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.quantity.matrix import Computed, queries_by_keys
from posenc.quantity.step import Step
from posenc.random_model import RandomProjections, randomise
from posenc.words import say
from ui.controls.device import synchronize, working_dtype
from ui.screen.budget import MEMORY_BUDGET, check_memory, seat
from ui.text.tokens import Tokens, byte_tokens, word_tokens
from ui.words import translate

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

IN_LIST = {
    "content": say("content score (before position)"),
    "position": say("position part (what it adds)"),
    "scaled": say("scaled score (with position)"),
    "masked": say("masked score (after the mask)"),
    "bias": say("bias (added to the score)"),
    "logits": say("logit (into the softmax)"),
    "weights": say("attention (after the softmax)"),
    "surplus": say("surplus (over an even share)"),
}
"""The same as a list explains them."""
COPIES_OF_ALL_HEADS = {"fire": 64}
"""Further matrices, whatever the heads: FIRE's network has 32 hidden numbers for every pair."""
UNITS = {"surplus": say("nats")}
LABELLED_TOKENS = 256
"""Longest text whose tokens stand on the axes; above, positions do."""
LABEL_WIDTH = 12


@dataclass(frozen=True)
class TextSettings:
    """Settings that every attention of a text depends on."""

    tokens: Tokens
    encoding: str
    """Name in the catalogue."""
    num_heads: int
    head_dim: int
    seed: int
    device: torch.device

    @property
    def length(self) -> int:
        """Number of tokens."""
        return len(self.tokens.ids)


@dataclass(frozen=True)
class AttentionSettings(TextSettings):
    """Everything that one attention depends on."""

    causal: bool

    @property
    def mask(self) -> str | None:
        """The mask in a snippet."""
        return '"causal"' if self.causal else None


@dataclass(frozen=True)
class Result:
    """One attention with its stages."""

    rows: AttentionRows
    trace: Trace
    """Stages of all rows."""
    milliseconds: float
    """From queries and keys to the output, on the device, with every stage kept."""


def run(settings: AttentionSettings) -> Result:
    """Tokens to embeddings to queries, keys and values to attention with every stage kept.

    Raises:
        ValueError: If the sizes do not suit the encoding, or memory forbids the length.
    """
    check_length(settings)
    with seat(memory_needed(settings)):
        rows = attention(settings, CATALOGUE[settings.encoding].build(shape(settings)))
        synchronize(settings.device)
        start = time.perf_counter()
        trace = rows.trace(torch.arange(settings.length))
        synchronize(settings.device)
        return Result(rows, trace, (time.perf_counter() - start) * 1000)


def attention(settings: AttentionSettings, encoding: PositionalEncoding) -> AttentionRows:
    """The attention of the text under any encoding of this shape."""
    pairs = causal_pairs if settings.causal else None
    ids = settings.tokens.ids
    place = (settings.seed, settings.device)
    return random_attention(projections(settings), encoding, ids, *place, pairs)


def random_attention(
    model: RandomProjections,
    encoding: PositionalEncoding,
    ids: list[int],
    seed: int,
    device: torch.device,
    pairs: Pairs | None = None,
    positions: Tensor | None = None,
) -> AttentionRows:
    """The attention of tokens through random projections."""
    encoding = randomise(encoding, seed).to(device, working_dtype(device))
    x = model.embed(ids).to(device, working_dtype(device))
    at = torch.arange(len(ids), device=device) if positions is None else positions
    with torch.no_grad():
        q, k, v = model.project(encoding.embed(x, at))
    plain_q, plain_k, _ = model.project(x)
    return AttentionRows(q, k, v, encoding, pairs, positions, (plain_q, plain_k))


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


def memory_needed(settings: AttentionSettings) -> int:
    """Bytes that `run` needs at its peak."""
    return settings.length**2 * _bytes_per_pair(settings)


def longest(settings: AttentionSettings) -> int:
    """Tokens that fit into the memory budget with these heads."""
    return isqrt(MEMORY_BUDGET // _bytes_per_pair(settings))


def _bytes_per_pair(settings: AttentionSettings) -> int:
    copies = COPIES * settings.num_heads + COPIES_OF_ALL_HEADS.get(settings.encoding, 0)
    return copies * working_dtype(settings.device).itemsize


def projections(settings: TextSettings) -> RandomProjections:
    """The random model of these settings: heads side by side fill d_model."""
    heads = settings.num_heads
    head_dim = settings.head_dim
    return RandomProjections(settings.seed, heads * head_dim, heads, head_dim)


def shape(settings: TextSettings, offset: int = 0) -> ModelShape:
    """The sizes that an encoding needs to know."""
    heads = settings.num_heads
    head_dim = settings.head_dim
    return ModelShape(heads * head_dim, heads, head_dim, settings.length + offset)


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
    axes = queries_by_keys(len(tokens.ids), labels)
    return Computed(values, name, *axes, unit, signed, explain)


def headline(stage: str) -> str:
    """Name of a stage's cells, with a capital, to begin a title with."""
    name = translate(STAGES[stage])
    return name[:1].upper() + name[1:]


def default_cell(length: int) -> tuple[int, int]:
    """A query late in the text and a key far back, whose distance is worth a look."""
    return 2 * length // 3, length // 10


def token_labels(tokens: Tokens) -> tuple[str, ...]:
    """Tokens as labels of a figure: short, and harmless where plotly would read markup."""
    return tuple(_label(text) for text in tokens.texts)


def code_fields(settings: TextSettings) -> dict[str, object]:
    """Values of the settings for a snippet."""
    return {
        "ids": ids_as_code(settings.tokens),
        "device": settings.device.type,
        "dtype": working_dtype(settings.device),
        "seed": settings.seed,
        "num_heads": settings.num_heads,
        "head_dim": settings.head_dim,
        "d_model": settings.num_heads * settings.head_dim,
        "encoding": settings.encoding,
    }


def ids_as_code(tokens: Tokens) -> str:
    """The token ids as a Python list, a few to a line."""
    rows = [", ".join(map(str, tokens.ids[at : at + 4])) for at in range(0, len(tokens.ids), 4)]
    return "[\n    " + ",\n    ".join(rows) + ",\n]"


def _label(text: str) -> str:
    short = text if len(text) <= LABEL_WIDTH else text[: LABEL_WIDTH - 1] + "…"
    return short.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
