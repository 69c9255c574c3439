"""`attend` against torch's own attention; laws of every encoding are in test_catalogue."""

from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import scaled_dot_product_attention

from posenc import (
    CoPE,
    PositionalEncoding,
    Shaw,
    Trace,
    TransformerXL,
    attend,
    causal_mask,
    padding_mask,
)
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.random_model import randomise
from tests.tensors import random

DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
BATCH, HEADS, LENGTH, HEAD_DIM, VALUE_DIM = 2, 3, 7, 8, 5
# What the issue asks for: 1e-6 in float32; float64 has nine digits more.
TOLERANCE = {torch.float32: 1e-6, torch.float64: 1e-12}


class _Bias(PositionalEncoding):
    """A bias that does not read the scores: the fused path serves it."""

    def bias(self, q, scores, q_positions, k_positions):
        distance = (k_positions[..., None, :] - q_positions[..., :, None]).abs()
        distance = distance if distance.dim() == 2 else distance[:, None]
        return -0.3 * distance.double()  # float64 whatever q is: attention casts


class _Everything(_Bias):
    """Uses all of the places that attention has."""

    reads_scores = True

    def rotate(self, q, k, q_positions, k_positions):
        return q * 2, k.flip(-1)

    def mix(self, weights, v, q_positions, k_positions):
        return weights.sum(-1, keepdim=True) * k_positions.to(v).sum() + v.mean() * weights @ v


def _qkv(q_len=LENGTH, k_len=LENGTH, dtype=torch.float64, device="cpu", seed=0):
    generator = torch.Generator().manual_seed(seed)
    shapes = [(q_len, HEAD_DIM), (k_len, HEAD_DIM), (k_len, VALUE_DIM)]
    # Drawn in float64 and rounded once: the float32 test sees the same numbers.
    return [
        torch.randn(BATCH, HEADS, *shape, generator=generator, dtype=torch.float64).to(
            device, dtype
        )
        for shape in shapes
    ]


def _masks(q_len, k_len, device):
    """Every kind of mask, as `attend` takes it and as a plain bool matrix."""
    causal = causal_mask(q_len, k_len, device)
    real = torch.ones(BATCH, k_len, dtype=torch.int64, device=device)
    real[1, :2] = 0  # left padding in the second sequence
    padding = padding_mask(real)
    random = torch.rand(BATCH, HEADS, q_len, k_len, generator=torch.Generator().manual_seed(3))
    random = (random > 0.4).to(device)
    random[..., 0] = True
    return {
        "none": (None, torch.ones_like(causal)),
        "causal": ("causal", causal),
        "padding": (padding, padding),
        "both": (causal & padding, causal & padding),
        "random": (random, random),
    }


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("kind", ["none", "causal", "padding", "both", "random"])
@pytest.mark.parametrize("encoding", [None, _Bias()])
def test_equals_torch(device, dtype, kind, encoding):
    for (q_len, k_len), scale in product(((7, 7), (3, 7), (1, 7), (1, 1)), (None, 1.0)):
        _equals_torch(device, dtype, kind, q_len, k_len, encoding, scale)  # T5 does not scale


def _equals_torch(device, dtype, kind, q_len, k_len, encoding, scale):
    q, k, v = _qkv(q_len, k_len, dtype, device)
    mask, allowed = _masks(q_len, k_len, device)[kind]
    added = torch.zeros(q_len, k_len, dtype=dtype, device=device)
    if encoding is not None:
        i = torch.arange(k_len - q_len, k_len, device=device)[:, None]
        added = -0.3 * (torch.arange(k_len, device=device) - i).abs().to(dtype)
    added = added.expand(BATCH, HEADS, q_len, k_len).masked_fill(~allowed, -torch.inf)
    seen = allowed.expand_as(added).any(-1)  # rows with nothing to see are another test
    want = scaled_dot_product_attention(q, k, v, attn_mask=added, scale=scale)[seen]
    for trace in (False, True):
        got = attend(q, k, v, encoding, mask=mask, scale=scale, trace=trace)
        got = got.output if trace else got
        assert got.dtype == dtype
        torch.testing.assert_close(got[seen], want, atol=TOLERANCE[dtype], rtol=0)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("encoding", [None, _Bias(), _Everything()])
def test_gradients_are_the_same_on_both_paths(device, encoding):
    def gradients(trace):
        q, k, v = (x.requires_grad_() for x in _qkv(3, 7, torch.float64, device))
        got = attend(q, k, v, encoding, mask="causal", trace=trace)
        (got.output if trace else got).square().sum().backward()
        return q.grad, k.grad, v.grad

    for fused, traced in zip(gradients(False), gradients(True), strict=True):
        torch.testing.assert_close(fused, traced, atol=1e-12, rtol=0)


def test_stages_follow_each_other():
    q, k, v = _qkv(3, 7)
    trace = attend(q, k, v, _Everything(), mask="causal", scale=0.2, trace=True)
    allowed = causal_mask(3, 7)
    close = {"atol": 1e-13, "rtol": 1e-13}
    assert torch.equal(trace.q, q * 2)
    assert torch.equal(trace.k, k.flip(-1))
    torch.testing.assert_close(trace.content, q @ k.mT * 0.2, **close)
    torch.testing.assert_close(trace.dot, trace.q @ trace.k.mT, **close)
    torch.testing.assert_close(trace.scaled, trace.dot * 0.2, **close)
    assert torch.equal(trace.masked[..., allowed], trace.scaled[..., allowed])
    assert bool((trace.masked[..., ~allowed] == -torch.inf).all())
    distance = (torch.arange(7) - torch.arange(4, 7)[:, None]).abs().double()
    torch.testing.assert_close(trace.bias, (-0.3 * distance).expand_as(trace.bias), **close)
    torch.testing.assert_close(trace.logits, trace.masked + trace.bias, **close)
    powers = trace.logits.exp()
    torch.testing.assert_close(trace.weights, powers / powers.sum(-1, keepdim=True), **close)
    mixed = _Everything().mix(trace.weights, v, torch.arange(4, 7), torch.arange(7))
    torch.testing.assert_close(trace.mixed, mixed, **close)
    torch.testing.assert_close(trace.output, trace.weights @ v + mixed, **close)
    plain = attend(q, k, v, _Everything(), mask="causal", scale=0.2)
    torch.testing.assert_close(plain, trace.output, atol=0, rtol=0)


def test_where_nothing_is_added_the_stage_is_zero():
    q, k, v = _qkv()
    trace = attend(q, k, v, trace=True)
    assert torch.equal(trace.bias, torch.zeros_like(trace.scaled))
    assert torch.equal(trace.mixed, torch.zeros_like(trace.output))
    assert torch.equal(trace.content, trace.scaled)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("encoding", [None, _Bias()])
@pytest.mark.parametrize("trace", [False, True])
def test_a_query_that_may_see_nothing_gets_zeros(device, dtype, encoding, trace):
    q, k, v = (x.requires_grad_() for x in _qkv(dtype=dtype, device=device))
    mask = _masks(LENGTH, LENGTH, device)["both"][0]
    got = attend(q, k, v, encoding, mask=mask, trace=trace)
    output = got.output if trace else got
    # The second sequence has two paddings at its start: their rows see nothing.
    assert torch.equal(output[1, :, :2], torch.zeros_like(output[1, :, :2]))
    assert bool((output[1, :, 2:].abs() > 0).all())
    output.sum().backward()
    assert all(bool(torch.isfinite(x.grad).all()) for x in (q, k, v))
    if trace:
        sums = torch.ones(BATCH, HEADS, LENGTH, device=device, dtype=dtype)
        sums[1, :, :2] = 0
        small = 1e-2 if dtype == torch.bfloat16 else 1e-6
        torch.testing.assert_close(got.weights.sum(-1), sums, atol=small, rtol=0)


def test_queries_stand_at_the_last_key_positions_by_default():
    q, k, v = _qkv(2, 7)
    positions = torch.tensor([3, 4, 5, 10, 11, 20, 21])
    got = attend(q, k, v, _Bias(), k_positions=positions)
    want = attend(q, k, v, _Bias(), q_positions=positions[-2:], k_positions=positions)
    assert torch.equal(got, want)
    assert not torch.equal(got, attend(q, k, v, _Bias()))


@settings(max_examples=30)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 6), st.integers(0, 3), st.booleans())
def test_shared_keys_and_values_equal_torch(kv_heads, share, k_len, fewer, is_causal):
    q_len = max(1, k_len - fewer)
    q = random(2, kv_heads * share, q_len, HEAD_DIM)
    k = random(2, kv_heads, k_len, HEAD_DIM, seed=1)
    v = random(2, kv_heads, k_len, VALUE_DIM, seed=2)
    mask = causal_mask(q_len, k_len) if is_causal else None
    want = scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
    for trace in (False, True):
        got = attend(q, k, v, mask="causal" if is_causal else None, trace=trace)
        got = got.output if trace else got
        torch.testing.assert_close(got, want, atol=1e-12, rtol=0)


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("trace", [False, True])
def test_shared_keys_and_values_are_equal_ones(name, trace):
    encoding = CATALOGUE[name].build(ModelShape(24, 4, HEAD_DIM, LENGTH))
    encoding = randomise(encoding, 0).double()
    q = random(2, 4, LENGTH, HEAD_DIM)
    k, v = (random(2, 2, LENGTH, HEAD_DIM, seed=seed) for seed in (1, 2))
    whole = (x.repeat_interleave(2, dim=1) for x in (k, v))
    got = attend(q, k, v, encoding, mask="causal", trace=trace)
    want = attend(q, *whole, encoding, mask="causal", trace=trace)
    close = {"atol": 1e-12, "rtol": 0}
    for one, other in zip(*map(stages, (got, want)), strict=True):
        torch.testing.assert_close(one, other, **close)


def stages(found):
    return list(vars(found).values()) if isinstance(found, Trace) else [found]


def test_rotated_queries_and_keys_are_left_alone():
    q, k, v = _qkv()
    turned = _Everything().rotate(q, k, None, None)
    want = attend(q, k, v, _Everything())
    assert torch.equal(attend(*turned, v, _Everything(), rotated=True), want)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": torch.zeros(3, 7, 8)}, r"q, k and v must have shape .* got \(3, 7, 8\)"),
        ({"k": torch.zeros(2, 3, 7, 4)}, r"q and k must agree in batch and head_dim"),
        ({"v": torch.zeros(2, 3, 6, 8)}, r"k and v in batch, heads and seq"),
        ({"q": torch.zeros(2, 1, 7, 8)}, r"heads of k and v must divide those of q, got 3 and 1\."),
        ({"k_positions": torch.arange(6)}, r"k_positions must hold 7 positions, got 6\."),
        ({"q_positions": torch.arange(1)}, r"q_positions must hold 7 positions, got 1\."),
        (
            {"q_positions": torch.rand(7).half()},
            r"q_positions must be integers, float32 or float64",
        ),
        (
            {"k_positions": torch.zeros(3, 7, dtype=torch.int64)},
            r"k_positions must have one row for each of the 2 sequences .* got 3 rows\.",
        ),
        ({"mask": "casual"}, r"mask must be 'causal', None or a bool tensor, got 'casual'\."),
        (
            {"mask": torch.ones(7, 7)},
            r"mask must be 'causal', None or a bool tensor .* torch\.float32",
        ),
        (
            {"mask": torch.ones(6, 7, dtype=torch.bool)},
            r"broadcastable to \(2, 3, 7, 7\), got torch\.bool of shape \(6, 7\)\.",
        ),
        ({"mask": torch.ones(1, 2, 3, 7, 7, dtype=torch.bool)}, r"mask must be 'causal', None"),
    ],
)
@pytest.mark.parametrize("trace", [False, True])
def test_bad_input_gets_a_sentence(change, message, trace):
    q, k, v = _qkv(dtype=torch.float32)
    arguments = {"q": q, "k": k, "v": v, "trace": trace} | change
    with pytest.raises(ValueError, match=message):
        attend(**arguments)


SCALED = [
    lambda: Shaw(HEAD_DIM, 3, values=False),
    lambda: TransformerXL(HEADS, HEAD_DIM, 6),
    lambda: CoPE(HEAD_DIM, 5),
]


@pytest.mark.parametrize("make", SCALED)
@pytest.mark.parametrize("trace", [False, True])
def test_a_bias_that_is_scaled_refuses_another_scale(make, trace):
    q, k, v = _qkv()
    encoding = randomise(make(), 0).double()
    with pytest.raises(
        ValueError, match=r"^scale must be 0\.353553 or None for this \w+, .* got 1"
    ):
        attend(q, k, v, encoding, mask="causal", scale=1.0, trace=trace)
    default = attend(q, k, v, encoding, mask="causal")
    assert torch.equal(attend(q, k, v, encoding, mask="causal", scale=1 / 8**0.5), default)


def test_the_scale_of_the_encoding_is_the_default():
    q, k, v = _qkv()
    encoding = randomise(CoPE(HEAD_DIM, 5, scale=0.6), 0).double()
    want = attend(q, k, v, encoding, mask="causal", scale=0.6)
    assert torch.equal(attend(q, k, v, encoding, mask="causal"), want)


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("trace", [False, True])
def test_an_encoding_of_other_sizes_is_refused_or_does_not_mind(name, trace):
    encoding = CATALOGUE[name].build(ModelShape(24, HEADS, HEAD_DIM, LENGTH))
    for heads, head_dim in [(1, HEAD_DIM), (HEADS + 1, HEAD_DIM), (HEADS, 6), (HEADS, 15)]:
        x = torch.randn(1, heads, LENGTH, head_dim)
        made_for = vars(encoding)
        if (made_for.get("num_heads", heads), made_for.get("head_dim", head_dim)) == (
            heads,
            head_dim,
        ):
            found = attend(x, x, x, encoding, mask="causal", trace=trace)
            assert (found.output if trace else found).shape == x.shape
            continue
        with pytest.raises(ValueError, match=rf"was made for ({HEADS}|{HEAD_DIM}) \w+"):
            attend(x, x, x, encoding, mask="causal", trace=trace)


def test_shaws_values_have_the_width_of_a_head():
    with pytest.raises(ValueError, match="have 8 channels, but v has 5"):
        attend(*_qkv(dtype=torch.float32), encoding=Shaw(HEAD_DIM, 3))


def test_more_queries_than_keys_must_say_where_they_stand():
    q, k, v = _qkv(5, 3)
    with pytest.raises(ValueError, match=r"q_positions must be given .* 5 queries and 3 keys"):
        attend(q, k, v)
    got = attend(q, k, v, q_positions=torch.arange(5))
    torch.testing.assert_close(got, scaled_dot_product_attention(q, k, v), atol=1e-12, rtol=0)
