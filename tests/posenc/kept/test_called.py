"""An encoding that acts at one place is called: with vectors, or with lengths."""

import inspect

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from posenc import (
    CoPE,
    HeadSlice,
    NoPE,
    PositionalEncoding,
    RoPE,
    Shaw,
    Together,
    XPos,
    alibi_bias,
    alibi_slopes,
    attend,
    relative_position,
)
from tests.posenc.laws import LENGTH, qkv, texts
from tests.posenc.traced.cases import HEADS, NAMES, made
from tests.tensors import random

EXACT = {"atol": 1e-12, "rtol": 0}
AT = torch.arange(LENGTH)
OWN = {name: inspect.signature(made(name).forward).parameters for name in NAMES}
OF_LENGTHS = [name for name in NAMES if "q_len" in OWN[name]]
OF_VECTORS = [name for name in NAMES if "positions" in OWN[name]]
REFUSED = [name for name in NAMES if name not in OF_LENGTHS + OF_VECTORS]


def test_every_encoding_is_of_one_kind():
    assert {"alibi", "t5", "kerple", "sandwich", "fire"} <= {*OF_LENGTHS}
    assert {"rope", "learned", "sinusoidal"} <= {*OF_VECTORS}
    assert {"nope", "shaw", "cope", "transformer_xl", "xpos"} <= {*REFUSED}


@pytest.mark.parametrize("name", OF_LENGTHS)
@pytest.mark.parametrize("q_len", [1, 4, LENGTH])
@torch.no_grad()
def test_a_bias_of_lengths_is_what_attend_adds(name, q_len):
    encoding = made(name)
    q, k, v = qkv(encoding, AT, texts())
    q = q[..., LENGTH - q_len :, :]
    want = attend(q, k, v, encoding, mask="causal", trace=True)
    got = encoding(q_len, LENGTH, dtype=q.dtype)
    assert got.shape[0] in (1, HEADS)
    torch.testing.assert_close(got.expand_as(want.bias), want.bias, **EXACT)
    masked = encoding(q_len, LENGTH, causal=True, dtype=q.dtype)
    out = scaled_dot_product_attention(q, k, v, attn_mask=masked.expand(2, -1, -1, -1))
    torch.testing.assert_close(out, want.output, **EXACT)
    if q_len == LENGTH:
        assert torch.equal(encoding(LENGTH, dtype=q.dtype), got)
    if hasattr(encoding, "num_heads"):
        part = HeadSlice(encoding, 1, 3)(q_len, LENGTH, dtype=q.dtype)
        assert torch.equal(part, got[1:3])


@pytest.mark.parametrize("name", OF_LENGTHS)
def test_a_bias_of_lengths_is_in_the_models_dtype(name):
    assert made(name)(3).dtype in (torch.float32, torch.float64)
    half = made(name).to(torch.bfloat16)
    trained = [*half.parameters()]
    assert half(3).dtype == (torch.bfloat16 if trained else torch.float32)
    assert half(3, dtype=torch.float16).dtype == torch.float16
    for wrong, words in (
        ((0,), "q_len must be"),
        ((2, 0), "k_len must be"),
        ((4, 3), "q_len must be an integer from 1 to 3"),
    ):
        with pytest.raises(ValueError, match=words):
            half(*wrong)


@pytest.mark.parametrize("name", OF_VECTORS)
@torch.no_grad()
def test_vectors_are_turned_or_added_to(name):
    encoding = made(name).eval()
    x = random(2, HEADS, LENGTH, 6) if name.startswith("rope") else texts()
    if name.startswith("rope"):
        want = encoding.rotate(x, x, AT, AT)[0]
        at = torch.stack((AT, AT + 3))
        rows = encoding.rotate(x, x, at, at)[0]
    else:
        want, at, rows = encoding.embed(x, AT), AT + 1, encoding.embed(x, AT + 1)
    assert torch.equal(encoding(x), want)
    assert torch.equal(encoding(x, AT), want)
    torch.testing.assert_close(encoding(x, at), rows, **EXACT)
    called = []
    encoding.register_forward_hook(lambda *_: called.append(1))
    encoding(x)
    assert called == [1]


@pytest.mark.parametrize("name", REFUSED)
def test_others_say_what_to_call(name):
    with pytest.raises(NotImplementedError, match=r"not called itself: .*give it to attend"):
        made(name)(random(1, 2, 3, 6))


@pytest.mark.parametrize(
    ("encoding", "places"),
    [
        (PositionalEncoding(), ": give it"),
        (NoPE(), ": give it"),
        (Shaw(8, 2), "call its bias or mix, or give it"),
        (CoPE(8, 4), "call its bias, or give it"),
        (XPos(8), "call its rotate, or give it"),
        (Together(RoPE(8)), "call its embed or rotate or bias or mix, or give it"),
    ],
)
def test_places_are_named(encoding, places):
    with pytest.raises(NotImplementedError, match=places):
        encoding(torch.ones(1))


def test_numbers_are_no_positions():
    rope, x = RoPE(8), random(1, 2, 5, 8)
    for given in ((5, AT[:5]), (AT[:5], 5)):
        with pytest.raises(ValueError, match=r"_positions must be a torch tensor, got 5"):
            rope.rotate(x, x, *given)
    with pytest.raises(ValueError, match=r"positions must be a torch tensor, got 5"):
        rope(x, 5)
    with pytest.raises(ValueError, match=r"x must be a torch tensor"):
        rope(5)


def test_a_penalty_goes_into_torchs_attention_as_it_is():
    bias = alibi_bias(alibi_slopes(4), relative_position(AT, AT), symmetric=True)
    q = random(1, 4, LENGTH, 8).float()
    assert bias.dtype == torch.float32
    scaled_dot_product_attention(q, q, q, attn_mask=bias)


def test_a_field_of_a_config_is_told_its_reader():
    with pytest.raises(ValueError, match=r"posenc\.scaling\.from_rope_parameters reads\.$"):
        RoPE(8, scaling={"rope_type": "linear", "factor": 2.0})
