"""The mistakes of whoever runs a model, looked for in the library itself."""

import pytest
import torch

from exhibits.pitfalls.batches import DOCUMENTS, right_packed, right_padded, wrong_padded
from exhibits.pitfalls.case import normal
from exhibits.pitfalls.decoding import SLOPE, right_bias, right_causal
from exhibits.pitfalls.modules import right_autocast, wrong_autocast
from posenc import ALiBi, KVCache, RoPE, attend, causal_mask, positions_from_mask, sinusoidal_table
from posenc.attention.masks import document_pairs
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.random_model import randomise
from posenc.scaling import DynamicNTK

SHAPE = ModelShape(d_model=16, num_heads=2, head_dim=8, length=64)


def test_left_padding() -> None:
    real = torch.tensor([0, 0, 0, 1, 1, 1, 1])
    positions = positions_from_mask(real[None])[0]
    table = sinusoidal_table(7, 16)
    assert right_padded(real, 16).equal(table[positions])
    assert not wrong_padded(real, 16).equal(table[positions])


@pytest.mark.parametrize("name", CATALOGUE)
def test_packed_documents(name: str) -> None:
    """A document in a row with others, its positions counted on, is read as when it is alone."""
    encoding = randomise(CATALOGUE[name].build(SHAPE), 0).double()
    q, k, v = (normal(1, 2, len(DOCUMENTS), 8, seed=seed) for seed in range(3))
    token = torch.arange(len(DOCUMENTS))
    mask = causal_mask(len(token), len(token)) & document_pairs(token, token, DOCUMENTS)
    first = torch.tensor([0, 12, 24])[DOCUMENTS]
    packed = attend(q, k, v, encoding, mask=mask, k_positions=token - first)
    for document in range(3):
        own = document == DOCUMENTS
        alone = attend(*(x[:, :, own] for x in (q, k, v)), encoding, mask="causal")
        torch.testing.assert_close(packed[:, :, own], alone, atol=1e-12, rtol=0)


def test_packed_documents_as_in_the_exhibit() -> None:
    q, k = normal(len(DOCUMENTS), 16), normal(len(DOCUMENTS), 16, seed=1)
    token = torch.arange(len(DOCUMENTS))
    mask = causal_mask(len(token), len(token)) & document_pairs(token, token, DOCUMENTS)
    weights = attend(q[None, None], k[None, None], k[None, None], mask=mask, trace=True).weights
    torch.testing.assert_close(right_packed(q, k, DOCUMENTS), weights[0, 0])


def test_a_causal_mask_with_a_cache() -> None:
    q, k = normal(24, 16), normal(24, 16, seed=1)
    trace = attend(q[None, None, -8:], k[None, None], k[None, None], mask="causal", trace=True)
    torch.testing.assert_close(right_causal(q[-8:], k), trace.weights[0, 0])


def test_alibi_for_the_new_token() -> None:
    cache = KVCache(ALiBi(1))
    slope = float(ALiBi(1).slopes)
    for t in range(6):
        x = normal(1, 1, 1, 4, seed=t)
        stages = cache.traced_step(x, x, x, torch.tensor([t]))
        torch.testing.assert_close(stages.bias[0, 0] / slope, right_bias(SLOPE, t, 1) / SLOPE)


@pytest.mark.parametrize("name", CATALOGUE)
def test_autocast(name: str) -> None:
    """Embeddings, rotations and biases of float32 have the same bits under autocast."""
    encoding = randomise(CATALOGUE[name].build(SHAPE), 0)
    positions = torch.arange(40, 64)
    x = normal(1, 24, 16).float()
    q, k = (normal(1, 2, 24, 8, seed=seed).float() for seed in range(2))
    scores = torch.zeros(1, 2, 24, 24).masked_fill(~causal_mask(24, 24), -torch.inf)

    def parts() -> list[torch.Tensor]:
        parts = [encoding.embed(x, positions), *encoding.rotate(q, k, positions, positions)]
        bias = encoding.bias(q, scores, positions, positions)
        reads_queries = name in ("shaw", "transformer_xl", "cope", "fire")  # products of content
        return parts if bias is None or reads_queries else [*parts, bias]

    plain = parts()
    with torch.autocast("cpu", torch.bfloat16):
        cast = parts()
    assert all(one.equal(other) for one, other in zip(plain, cast, strict=True))


def test_angles_under_autocast() -> None:
    positions = torch.tensor([257, 65_537])
    rope = RoPE(64)
    with torch.autocast("cpu", torch.bfloat16):
        q, _ = rope.rotate(torch.ones(1, 1, 2, 64), torch.ones(1, 1, 2, 64), positions, positions)
    outside, _ = rope.rotate(torch.ones(1, 1, 2, 64), torch.ones(1, 1, 2, 64), positions, positions)
    assert q.equal(outside)
    assert right_autocast(positions, 64)[:, 0].tolist() == [257, 65_537]
    assert wrong_autocast(positions, 64)[:, 0].tolist() == [256, 65_536]


def test_frequencies_of_a_module_built_on_meta() -> None:
    with torch.device("meta"):
        rope = RoPE(16)
    rope = rope.to_empty(device="cpu")
    assert rope.inv_freq.equal(RoPE(16).inv_freq)


def test_one_length_for_a_batch() -> None:
    """Found in `RoPE` under dynamic NTK, which took the longest text of a batch for all."""
    rope = RoPE(16, scaling=DynamicNTK(2.0, 8))
    x = normal(2, 1, 8, 16)
    rows = torch.stack((torch.arange(8), torch.arange(100, 108)))
    both, _ = rope.rotate(x, x, rows, rows)
    alone, _ = rope.rotate(x[:1], x[:1], rows[:1], rows[:1])
    torch.testing.assert_close(both[:1], alone)
