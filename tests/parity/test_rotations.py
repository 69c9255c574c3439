"""Turning queries and keys: transformers, x-transformers, rotary-embedding-torch.

Rotations that take cos and sin as they come are given float64 and must agree to rounding. Modules
that build their own angles do so in float32: at position p and frequency θ the angle is wrong by
a few p·θ·2⁻²⁴, and p·θ·ln(base)·2⁻²⁴ where base^(-2i/d) was a float32 power.
"""

import torch
from hypothesis import given
from hypothesis import strategies as st
from rotary_embedding_torch import RotaryEmbedding
from transformers import LlamaConfig, Qwen2VLTextConfig, Qwen3VLTextConfig
from transformers.models.gpt_neox import modeling_gpt_neox
from transformers.models.gptj import modeling_gptj
from transformers.models.llama import modeling_llama
from transformers.models.qwen2_vl.modeling_qwen2_vl import Qwen2VLRotaryEmbedding
from transformers.models.qwen3_vl.modeling_qwen3_vl import Qwen3VLTextRotaryEmbedding

from posenc import RoPE, XPos, apply_rope, rope_cos_sin, rope_inv_freq
from posenc.rope.axes import axis_angles, mrope_axis_of_pair
from tests.parity.comparisons import agree
from tests.parity.peers import x_transformers
from tests.tensors import random

SEEDS = st.integers(0, 2**31)
PAIRS = st.integers(1, 64)
BASES = st.floats(1e3, 1e6)
LENGTHS = st.integers(1, 24)


def positions_of(seed, length, end=2**20):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, end, (length,), generator=generator)


def causal_scores(q, k):
    return (q.double() @ k.double().mT).tril()


@given(PAIRS, BASES, SEEDS)
def test_llama_table(pairs, base, seed):
    config = LlamaConfig(
        hidden_size=2 * pairs,
        num_attention_heads=1,
        head_dim=2 * pairs,
        rope_parameters={"rope_type": "default", "rope_theta": base},
    )
    positions = positions_of(seed, 64, end=4096)
    expected = modeling_llama.LlamaRotaryEmbedding(config)(torch.zeros(1), positions[None])
    ours = rope_cos_sin(positions, rope_inv_freq(2 * pairs, base)[0])
    for our_table, table in zip(ours, expected, strict=True):
        agree("hf llama table", torch.cat((our_table, our_table), dim=-1), table[0])


@given(PAIRS, BASES, LENGTHS, SEEDS)
def test_llama_rotation(pairs, base, length, seed):
    q, k = random(2, 1, 3, length, 2 * pairs, seed=seed)
    positions = positions_of(seed, length)
    inv_freq, _ = rope_inv_freq(2 * pairs, base)
    cos, sin = (torch.cat((t, t), dim=-1)[None] for t in rope_cos_sin(positions, inv_freq))
    expected = modeling_llama.apply_rotary_pos_emb(q, k, cos, sin)
    ours = RoPE(2 * pairs, base, layout="half").rotate(q, k, positions, positions)
    for our_vectors, vectors in zip(ours, expected, strict=True):
        agree("hf llama rotation", our_vectors, vectors)


@given(PAIRS, BASES, LENGTHS, SEEDS)
def test_gptj_rotation(pairs, base, length, seed):
    x = random(1, 3, length, 2 * pairs, seed=seed)
    positions = positions_of(seed, length)
    inv_freq, _ = rope_inv_freq(2 * pairs, base)
    cos, sin = (table[None] for table in rope_cos_sin(positions, inv_freq))
    # GPT-J has the heads behind the sequence.
    expected = modeling_gptj.apply_rotary_pos_emb(x.transpose(1, 2), sin, cos).transpose(1, 2)
    agree("hf gptj rotation", apply_rope(x, positions, inv_freq, "interleaved"), expected)


@given(PAIRS, st.integers(0, 64), BASES, LENGTHS, SEEDS)
def test_neox_rotation(pairs, passing, base, length, seed):
    head_dim = 2 * (pairs + passing)
    q, k = random(2, 1, 3, length, head_dim, seed=seed)
    positions = positions_of(seed, length)
    rope = RoPE(head_dim, base, layout="half", rotary_dim=2 * pairs)
    cos, sin = (torch.cat((t, t), dim=-1)[None] for t in rope_cos_sin(positions, rope.inv_freq))
    expected = modeling_gpt_neox.apply_rotary_pos_emb(q, k, cos, sin)
    for ours, theirs in zip(rope.rotate(q, k, positions, positions), expected, strict=True):
        agree("hf neox rotation", ours, theirs)


def mrope(config_class, module, sections, base, positions):
    """Cos and sin, each (seq, pairs), that a Qwen model computes."""
    head_dim = 2 * sum(sections)
    parameters = {"rope_type": "default", "rope_theta": base, "mrope_section": list(sections)}
    config = config_class(
        hidden_size=head_dim,
        num_attention_heads=1,
        num_key_value_heads=1,
        head_dim=head_dim,
        rope_parameters=parameters,
    )
    cos, sin = module(config)(torch.zeros(1), positions[:, None])
    return cos[0, :, : head_dim // 2], sin[0, :, : head_dim // 2]


@given(st.tuples(st.integers(1, 24), st.integers(1, 24), st.integers(1, 24)), BASES, SEEDS)
def test_qwen2_vl(sections, base, seed):
    positions = positions_of(seed, 3 * 16, end=512).reshape(3, 16)
    expected = mrope(Qwen2VLTextConfig, Qwen2VLRotaryEmbedding, sections, base, positions)
    inv_freq, _ = rope_inv_freq(2 * sum(sections), base)
    angles = axis_angles(positions, inv_freq, mrope_axis_of_pair(sections))
    agree("hf qwen2-vl", angles.cos(), expected[0])
    agree("hf qwen2-vl", angles.sin(), expected[1])


@given(st.integers(1, 20), st.integers(0, 4), BASES, SEEDS)
def test_qwen3_vl(section, more, base, seed):
    sections = (section + more, section, section)
    positions = positions_of(seed, 3 * 16, end=512).reshape(3, 16)
    expected = mrope(Qwen3VLTextConfig, Qwen3VLTextRotaryEmbedding, sections, base, positions)
    inv_freq, _ = rope_inv_freq(2 * sum(sections), base)
    angles = axis_angles(positions, inv_freq, mrope_axis_of_pair(sections, interleaved=True))
    agree("hf qwen3-vl", angles.cos(), expected[0])
    agree("hf qwen3-vl", angles.sin(), expected[1])


@given(PAIRS.filter(lambda pairs: pairs > 1), BASES, st.integers(1, 512), SEEDS)
def test_x_transformers_rotation(pairs, base, length, seed):
    x = random(1, 2, length, 2 * pairs, seed=seed)
    freqs, scale = x_transformers.RotaryEmbedding(2 * pairs, base=base).forward_from_seq_len(length)
    expected = x_transformers.apply_rotary_pos_emb(x, freqs, scale)
    inv_freq, _ = rope_inv_freq(2 * pairs, base)
    agree("xt rope", apply_rope(x, torch.arange(length), inv_freq), expected)


@given(PAIRS.filter(lambda pairs: pairs > 1), st.integers(1, 512), SEEDS)
def test_x_transformers_xpos(pairs, length, seed):
    # Each library centres the powers elsewhere, which only the product of a query and a key
    # cancels; and xPos is defined for the past alone.
    q, k = random(2, 1, 1, length, 2 * pairs, seed=seed) / (2 * pairs) ** 0.5
    peer = x_transformers.RotaryEmbedding(2 * pairs, use_xpos=True)
    freqs, scale = peer.forward_from_seq_len(length)
    expected = causal_scores(
        x_transformers.apply_rotary_pos_emb(q, freqs, scale),
        x_transformers.apply_rotary_pos_emb(k, freqs, scale**-1),
    )
    positions = torch.arange(length)
    ours = XPos(2 * pairs, centre=length // 2).rotate(q, k, positions, positions)
    agree("xt xpos", causal_scores(*ours), expected)


@given(PAIRS.filter(lambda pairs: pairs > 1), BASES, st.integers(1, 512), SEEDS)
def test_rotary_embedding_torch_rotation(pairs, base, length, seed):
    x = random(1, 2, length, 2 * pairs, seed=seed)
    expected = RotaryEmbedding(2 * pairs, theta=base).rotate_queries_or_keys(x)
    inv_freq, _ = rope_inv_freq(2 * pairs, base)
    agree("ret rope", apply_rope(x, torch.arange(length), inv_freq), expected)


@given(PAIRS.filter(lambda pairs: pairs > 1), st.integers(1, 512), SEEDS)
def test_rotary_embedding_torch_xpos(pairs, length, seed):
    q, k = random(2, 1, 1, length, 2 * pairs, seed=seed) / (2 * pairs) ** 0.5
    expected = RotaryEmbedding(2 * pairs, use_xpos=True).rotate_queries_and_keys(q, k)
    positions = torch.arange(length)
    ours = XPos(2 * pairs, centre=length // 2).rotate(q, k, positions, positions)
    agree("ret xpos", causal_scores(*ours), causal_scores(*expected))
