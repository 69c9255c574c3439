"""Numbers that posenc can reach in two independent ways, and how far apart the two are."""

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

LENGTH, HEAD_DIM, BLOCK = 48, 16, 4


def two_ways_differences(
    seed: int = 0, device: torch.device | str = "cpu", dtype: torch.dtype = torch.float64
) -> dict[str, float]:
    """Largest difference between two ways to the same numbers, for random queries and keys.

    Args:
        seed: Seed of the random numbers.
        device: Where both ways are computed.
        dtype: In which both are computed.

    Returns:
        Name of the pair to largest absolute difference; a few roundings of the dtype.
    """
    pairs = two_ways(seed, device, dtype)
    return {name: float((a - b).abs().max()) for name, (a, b) in pairs.items()}


def two_ways(
    seed: int, device: torch.device | str, dtype: torch.dtype
) -> dict[str, tuple[Tensor, Tensor]]:
    """The numbers themselves, reached in both ways; arguments as of `two_ways_differences`."""
    generator = torch.Generator().manual_seed(seed)
    shape = (2, 1, 2, LENGTH, HEAD_DIM)
    query, key = torch.randn(shape, generator=generator, dtype=torch.float64).to(device, dtype)
    pairs = (*_tables(device), *_rotations(query), *_biases(query, key), *_pictures(query, key))
    return {name: (a, b) for name, a, b in pairs}


Pair = tuple[str, Tensor, Tensor]


def _tables(device: torch.device | str) -> list[Pair]:
    positions = torch.arange(LENGTH, device=device)
    table = sinusoidal_at(positions, HEAD_DIM)
    shifted = sinusoidal_at(positions + 7, HEAD_DIM)
    shift = sinusoidal_shift(7, HEAD_DIM).to(table.device)
    similarity = sinusoidal_similarity(positions, HEAD_DIM)
    return [
        ("Sinusoidal: row p + 7, and row p turned", shifted, table @ shift.mT),
        ("Sinusoidal: rows multiplied, and a sum of cosines", table @ table[0], similarity),
    ]


def _rotations(query: Tensor) -> list[Pair]:
    positions = torch.arange(LENGTH, device=query.device)
    inv_freq, _ = rope_inv_freq(HEAD_DIM)
    turned = apply_rope(query, positions, inv_freq)
    order = layout_permutation(HEAD_DIM).to(query.device)
    half = apply_rope(query[..., order], positions, inv_freq, "half")
    return [
        (f"RoPE: the fast way, and {name}", turned, way(query, positions, inv_freq))
        for name, way in (
            ("element by element", apply_rope_elementwise),
            ("complex numbers", apply_rope_complex),
            ("the matrix", apply_rope_matrix),
        )
    ] + [("RoPE: interleaved, and half with channels reordered", turned[..., order], half)]


def _biases(query: Tensor, key: Tensor) -> list[Pair]:
    positions = torch.arange(LENGTH, device=query.device)
    table = key[0, 0]  # any vectors will do for an embedding
    ids = relative_position_ids(LENGTH, LENGTH, LENGTH - 1).to(query.device)
    by_id = torch.cat((table, torch.zeros_like(table[1:])))[ids]
    looked_up = torch.einsum("...id,ijd->...ij", query, by_id).tril()
    scores = attend(query, key, key, mask="causal", trace=True).masked
    counted = cope_positions(scores, 20)
    alibi = ALiBi(2)
    slopes = alibi_slopes(2).to(query.device)
    bias = alibi_bias(slopes, relative_position(positions, positions))
    flat = alibi_flat_weights(slopes, torch.arange(LENGTH), LENGTH).flip(-1).to(query.device)
    gates = (-slopes[:, None]).expand(-1, LENGTH)
    traced = attend(query, key, key, alibi, mask="causal", trace=True).output
    embedding = table[:20].mT
    return [
        ("Shaw: skewed, and looked up", skewed_relative_logits(query, table), looked_up),
        (
            "CoPE: logits interpolated, and embeddings",
            cope_logits(query, counted, embedding),
            cope_logits_direct(query, counted, embedding),
        ),
        ("ALiBi: softmax of the last row, and its sum", bias[:, -1].softmax(-1), flat),
        ("FoX: equal gates, and ALiBi", fox_bias(gates), bias.tril()),
        (
            "Attention: fused, and every stage kept",
            attend(query, key, key, alibi, mask="causal"),
            traced,
        ),
    ]


def _pictures(query: Tensor, key: Tensor) -> list[Pair]:
    q, k = (x[0, 0, 0].to("cpu", torch.float64) for x in (query, key))
    score = RoPEScore(q, k, rope_inv_freq(HEAD_DIM)[0], LENGTH)
    found = []
    for name, quantity in (("RoPE's score", score), ("T5's buckets", T5Buckets(LENGTH, True))):
        index = torch.arange(LENGTH)
        whole = quantity.at(index, index)
        means = whole.unflatten(0, (-1, BLOCK)).unflatten(2, (-1, BLOCK)).mean(dim=(1, 3))
        edges = torch.arange(0, LENGTH + 1, BLOCK)
        found.append((f"Picture: {name} by formula, and built", quantity.mean(edges, edges), means))
    return found
