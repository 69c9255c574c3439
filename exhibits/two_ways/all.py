"""Every pair of ways: both sides computed for random queries and keys."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.alibi.formula import ALiBi, alibi_bias, alibi_slopes
from posenc.alibi.window import alibi_flat_weights
from posenc.attention.formula import attend
from posenc.cope.formula import cope_logits_direct, cope_positions
from posenc.cope.interpolation import cope_logits
from posenc.fox import fox_bias
from posenc.places import relative_position
from posenc.rope.formula import apply_rope, rope_inv_freq
from posenc.rope.layouts import layout_permutation
from posenc.rope.matrix import apply_rope_complex, apply_rope_elementwise, apply_rope_matrix
from posenc.rope.picture import RoPEScore
from posenc.shaw.formula import relative_position_ids
from posenc.shaw.skew import skewed_relative_logits
from posenc.sinusoidal.formula import sinusoidal_at
from posenc.sinusoidal.shift import sinusoidal_shift, sinusoidal_similarity
from posenc.t5.picture import T5Buckets
from posenc.words import Sentence, say

LENGTH = 48
HEAD_DIM = 16
BLOCK = 4


@dataclass(frozen=True)
class TwoWays:
    """One pair of ways to the same numbers."""

    subject: str
    """Subject of the computation: the name of an encoding, or a word."""
    one: Sentence
    """How `left` was computed, in words."""
    other: Sentence
    left: Tensor
    right: Tensor

    @property
    def title(self) -> Sentence:
        """The subject and both ways."""
        values = {"subject": self.subject, "one": self.one, "other": self.other}
        return say("{subject}: {one}, and {other}", **values)

    @property
    def difference(self) -> float:
        """The largest difference: a few roundings of the type."""
        return float((self.left - self.right).abs().max())


def two_ways(
    seed: int = 0, device: torch.device | str = "cpu", dtype: torch.dtype = torch.float64
) -> tuple[TwoWays, ...]:
    """Every pair, computed for random queries and keys."""
    generator = torch.Generator().manual_seed(seed)
    shape = (2, 1, 2, LENGTH, HEAD_DIM)
    query, key = torch.randn(shape, generator=generator, dtype=torch.float64).to(device, dtype)
    return *_tables(device), *_rotations(query), *_biases(query, key), *_pictures(query, key)


def _tables(device: torch.device | str) -> list[TwoWays]:
    positions = torch.arange(LENGTH, device=device)
    table = sinusoidal_at(positions, HEAD_DIM)
    shifted = sinusoidal_at(positions + 7, HEAD_DIM)
    shift = sinusoidal_shift(7, HEAD_DIM).to(table.device)
    similarity = sinusoidal_similarity(positions, HEAD_DIM)
    return [
        TwoWays(
            say("Sinusoidal"), say("row p + 7"), say("row p rotated"), shifted, table @ shift.mT
        ),
        TwoWays(
            say("Sinusoidal"),
            say("rows multiplied"),
            say("a sum of cosines"),
            table @ table[0],
            similarity,
        ),
    ]


def _rotations(query: Tensor) -> list[TwoWays]:
    positions = torch.arange(LENGTH, device=query.device)
    inv_freq, _ = rope_inv_freq(HEAD_DIM)
    rotated = apply_rope(query, positions, inv_freq)
    order = layout_permutation(HEAD_DIM).to(query.device)
    half = apply_rope(query[..., order], positions, inv_freq, "half")
    return [
        TwoWays("RoPE", say("the fast way"), name, rotated, way(query, positions, inv_freq))
        for name, way in (
            (say("element by element"), apply_rope_elementwise),
            (say("complex numbers"), apply_rope_complex),
            (say("the matrix"), apply_rope_matrix),
        )
    ] + [
        TwoWays(
            "RoPE",
            say("interleaved"),
            say("half with channels reordered"),
            rotated[..., order],
            half,
        )
    ]


def _biases(query: Tensor, key: Tensor) -> list[TwoWays]:
    positions = torch.arange(LENGTH, device=query.device)
    table = key[0, 0]  # any vectors will do for an embedding
    ids = relative_position_ids(LENGTH, LENGTH, LENGTH - 1).to(query.device)
    by_id = torch.cat((table, torch.zeros_like(table[1:])))[ids]
    looked_up = torch.einsum("...id,ijd->...ij", query, by_id).tril()
    scores = attend(query, key, key, mask="causal", trace=True).masked
    counted = cope_positions(scores, 20)
    alibi = ALiBi(2)
    slopes = alibi_slopes(2).to(query.device)
    bias = alibi_bias(slopes, relative_position(positions, positions), dtype=torch.float64)
    flat = alibi_flat_weights(slopes, torch.arange(LENGTH), LENGTH).flip(-1).to(query.device)
    gates = (-slopes[:, None]).expand(-1, LENGTH)
    traced = attend(query, key, key, alibi, mask="causal", trace=True).output
    embedding = table[:20].mT
    return [
        TwoWays(
            "Shaw",
            say("skewed"),
            say("looked up"),
            skewed_relative_logits(query, table),
            looked_up,
        ),
        TwoWays(
            "CoPE",
            say("logits interpolated"),
            say("embeddings interpolated"),
            cope_logits(query, counted, embedding),
            cope_logits_direct(query, counted, embedding),
        ),
        TwoWays(
            "ALiBi",
            say("softmax of the last row"),
            say("its closed form"),
            bias[:, -1].softmax(-1),
            flat,
        ),
        TwoWays("FoX", say("equal gates"), say("the bias of ALiBi"), fox_bias(gates), bias.tril()),
        TwoWays(
            say("Attention"),
            say("fused"),
            say("every stage kept"),
            attend(query, key, key, alibi, mask="causal"),
            traced,
        ),
    ]


def _pictures(query: Tensor, key: Tensor) -> list[TwoWays]:
    q, k = (x[0, 0, 0].to("cpu", torch.float64) for x in (query, key))
    score = RoPEScore(q, k, rope_inv_freq(HEAD_DIM)[0], LENGTH)
    index = torch.arange(LENGTH)
    edges = torch.arange(0, LENGTH + 1, BLOCK)
    found = []
    for name, quantity in (
        (say("mean of RoPE's score by formula"), score),
        (say("mean of T5's buckets by formula"), T5Buckets(LENGTH, True)),
    ):
        built = quantity.at(index, index).unflatten(0, (-1, BLOCK)).unflatten(2, (-1, BLOCK))
        means = built.mean(dim=(1, 3))
        by_formula = quantity.mean(edges, edges)
        found.append(TwoWays(say("Picture"), name, say("mean of the cells"), by_formula, means))
    return found
