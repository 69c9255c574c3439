"""Scaled rotary frequencies against transformers' ROPE_INIT_FUNCTIONS.

transformers computes powers and ramps in float32, posenc in float64: see comparisons.py for what
that may cost. Attention factors are Python floats on both sides.
"""

from hypothesis import given
from hypothesis import strategies as st
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from posenc import rope_inv_freq
from posenc.scaling import DynamicNTK, Linear, Llama3, LongRoPE, Proportional, YaRN
from tests.parity.comparisons import agree

HEAD_DIMS = st.integers(2, 128).map(lambda pairs: 2 * pairs)
BASES = st.floats(1e3, 1e6)
FACTORS = st.floats(1, 64)
LENGTHS = st.integers(1024, 65536)


def theirs(head_dim, base, rope_type, seq_len=None, max_length=4096, **fields):
    """Frequencies and attention factor that transformers computes from a configuration."""
    config = LlamaConfig(
        hidden_size=head_dim,
        num_attention_heads=1,
        head_dim=head_dim,
        max_position_embeddings=max_length,
        rope_parameters={"rope_type": rope_type, "rope_theta": base, **fields},
    )
    return ROPE_INIT_FUNCTIONS[rope_type](config, device="cpu", seq_len=seq_len)


@given(HEAD_DIMS, BASES, FACTORS)
def test_linear(head_dim, base, factor):
    expected, attention_factor = theirs(head_dim, base, "linear", factor=factor)
    ours, our_factor = rope_inv_freq(head_dim, base, Linear(factor))
    agree("hf linear", ours, expected)
    assert our_factor == attention_factor == 1


@given(HEAD_DIMS.filter(lambda d: d > 2), BASES, FACTORS, LENGTHS, st.integers(1, 10**6))
def test_dynamic(head_dim, base, factor, original, length):
    expected, attention_factor = theirs(
        head_dim, base, "dynamic", seq_len=length, max_length=original, factor=factor
    )
    ours, our_factor = rope_inv_freq(head_dim, base, DynamicNTK(factor, original), length)
    agree("hf dynamic", ours, expected)
    assert our_factor == attention_factor == 1


@given(
    HEAD_DIMS,
    BASES,
    FACTORS,
    LENGTHS,
    st.floats(8, 64),
    st.floats(0.5, 4),
    st.booleans(),
    st.one_of(st.none(), st.floats(0.5, 2)),
    st.one_of(st.none(), st.tuples(st.floats(0.1, 2), st.floats(0.1, 2))),
)
def test_yarn(head_dim, base, factor, original, fast, slow, truncate, attention_factor, mscales):
    fields = {"beta_fast": fast, "beta_slow": slow, "truncate": truncate}
    if attention_factor is not None:
        fields["attention_factor"] = attention_factor
    if mscales is not None:
        fields["mscale"], fields["mscale_all_dim"] = mscales
    expected, expected_factor = theirs(
        head_dim,
        base,
        "yarn",
        max_length=original,
        factor=factor,
        original_max_position_embeddings=original,
        **fields,
    )
    ours, our_factor = rope_inv_freq(head_dim, base, YaRN(factor, original, **fields))
    agree("hf yarn", ours, expected)
    agree("hf yarn factor", our_factor, expected_factor)


@given(st.data(), HEAD_DIMS, BASES, st.floats(0.5, 64), LENGTHS, st.booleans(), st.booleans())
def test_longrope(data, head_dim, base, factor, original, is_long, explicit):
    divisors = st.lists(st.floats(1, 64), min_size=head_dim // 2, max_size=head_dim // 2)
    short, long = data.draw(divisors), data.draw(divisors)
    attention_factor = 1.25 if explicit else None
    length = original + 1 if is_long else original
    expected, expected_factor = theirs(
        head_dim,
        base,
        "longrope",
        seq_len=length,
        max_length=original,
        factor=factor,
        short_factor=short,
        long_factor=long,
        original_max_position_embeddings=original,
        **({"attention_factor": attention_factor} if explicit else {}),
    )
    scaling = LongRoPE(short, long, original, factor, attention_factor)
    ours, our_factor = rope_inv_freq(head_dim, base, scaling, length)
    agree("hf longrope", ours, expected)
    agree("hf longrope factor", our_factor, expected_factor)


@given(HEAD_DIMS, BASES, FACTORS, st.floats(0.5, 2), st.floats(0.5, 8), LENGTHS)
def test_llama3(head_dim, base, factor, low, width, original):
    fields = {"low_freq_factor": low, "high_freq_factor": low + width}
    expected, attention_factor = theirs(
        head_dim, base, "llama3", factor=factor, original_max_position_embeddings=original, **fields
    )
    scaling = Llama3(factor, original_length=original, **fields)
    ours, our_factor = rope_inv_freq(head_dim, base, scaling)
    agree("hf llama3", ours, expected)
    assert our_factor == attention_factor == 1


@given(HEAD_DIMS, BASES, st.floats(0, 1), FACTORS)
def test_proportional(head_dim, base, proportion, factor):
    expected, attention_factor = theirs(
        head_dim, base, "proportional", partial_rotary_factor=proportion, factor=factor
    )
    ours, our_factor = rope_inv_freq(head_dim, base, Proportional(proportion, factor))
    agree("hf proportional", ours, expected)
    assert our_factor == attention_factor == 1
