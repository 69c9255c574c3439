"""torchtune's rotary modules, each read from its own file; all build float32 angles."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.peers import torchtune_file
from posenc import apply_rope, rope_inv_freq
from posenc.rope.axes import apply_angles, axial_angles
from posenc.scaling import Llama3
from tests.parity.comparisons import agree
from tests.tensors import random

positions = torchtune_file("modules/position_embeddings.py")
llama3_1 = torchtune_file("models/llama3_1/_position_embeddings.py")
SEEDS = st.integers(0, 2**31)
BASES = st.floats(1e3, 1e6)


@given(st.integers(1, 64), BASES, st.integers(1, 512), SEEDS)
def test_rotation(pairs, base, length, seed):
    x = random(1, 2, length, 2 * pairs, seed=seed)
    module = positions.RotaryPositionalEmbeddings(2 * pairs, max_seq_len=length, base=base)
    # torchtune has the heads behind the sequence.
    expected = module(x.transpose(1, 2)).transpose(1, 2)
    inv_freq, _ = rope_inv_freq(2 * pairs, base)
    agree("tt rope", apply_rope(x, torch.arange(length), inv_freq), expected)


@given(
    st.integers(1, 64),
    BASES,
    st.floats(1, 64),
    st.floats(0.5, 2),
    st.floats(0.5, 8),
    st.integers(1024, 65536),
)
def test_llama3(pairs, base, factor, low, width, original):
    module = llama3_1.Llama3ScaledRoPE(2 * pairs, 1, base, factor, low, low + width, original)
    scaling = Llama3(factor, low, low + width, original)
    agree("tt llama3", rope_inv_freq(2 * pairs, base, scaling)[0], module.theta)


@given(st.integers(1, 16), BASES, SEEDS)
def test_two_axes(pairs, base, seed):
    # Patches count from 1 there, and a token without a place, which is not turned, follows them.
    x = random(1, 1, 16 * 16 + 1, 4 * pairs, seed=seed)
    module = positions.VisionRotaryPositionalEmbeddings(1, 16, 1, 2 * pairs, base)
    expected = module(x.transpose(1, 2)).transpose(1, 2)
    angles = axial_angles(17, 17, 4 * pairs, base).unflatten(0, (17, 17))[1:, 1:].flatten(0, 1)
    angles = torch.cat((angles, torch.zeros_like(angles[:1])))
    agree("tt vision", apply_angles(x, angles), expected)
