"""What tests of other libraries expect, where posenc once could not say it or says it otherwise."""

import pytest
import torch
from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb

from benchmarks.peers import torchtune_file
from exhibits.tables import FLOAT64_SUM, TORCHTUNE_SUM
from posenc import (
    ALiBi,
    RoPE,
    Sinusoidal,
    apply_angles,
    apply_rope,
    axis_angles,
    pixel_inv_freq,
    rope_inv_freq,
    rotate_pairs,
    sincos_grid,
    sinusoidal_at,
    sinusoidal_table,
)
from posenc.scaling import Linear, Llama3
from tests.tensors import random

EXACT = {"atol": 1e-12, "rtol": 0}


@pytest.mark.slow
@pytest.mark.parametrize("form", ["all", "positions", "rows of positions", "scaled"])
@torch.no_grad()
def test_torchtunes_sums_are_those_of_its_table(form):
    """test_position_embeddings.py of torchtune 0.6 (and of Llama 3.1): the sum has its rounding."""
    scaling = Llama3() if form == "scaled" else None
    wrong, right = (-83.1523, -83.2594) if scaling else (TORCHTUNE_SUM, FLOAT64_SUM)
    x = torch.randn(4, 2048, 32, 128, generator=torch.Generator().manual_seed(0))
    at = torch.arange(2048)
    at = at.expand(4, -1) if form == "rows of positions" else at
    inv_freq, _ = rope_inv_freq(128, scaling=scaling)
    ours = apply_rope(x.transpose(1, 2), at, inv_freq).sum(dtype=torch.float64)
    assert abs(ours.item() - right) < 5e-3
    folder = "models/llama3_1/_" if scaling else "modules/"
    library = torchtune_file(f"{folder}position_embeddings.py")
    module = (library.Llama3ScaledRoPE if scaling else library.RotaryPositionalEmbeddings)(128)
    # Summed in float64: a sum in float32, as theirs, depends on the number of threads.
    assert abs(module(x).sum(dtype=torch.float64).item() - wrong) < 5e-3


def test_kerashub_positions_that_are_floats():
    """rotary_embedding_test.py, test_positions_array: positions [0, 0] in float32."""
    x = random(1, 1, 2, 16)
    inv_freq, _ = rope_inv_freq(16)
    torch.testing.assert_close(apply_rope(x, torch.zeros(2), inv_freq, "half"), x, **EXACT)


@pytest.mark.parametrize(
    ("factor", "position", "expected"),
    [
        (2.0, 1, [0.398157001, 0.994987488, 1.357008100, 1.004987478]),
        (2.0, 2, [-0.301168621, 0.989950180, 1.381773233, 1.009949803]),
        (5.0, 12, [-1.412856817, 0.975714266, -0.061930716, 1.023709655]),
    ],
)
def test_kerashub_scaling(factor, position, expected):
    """rotary_embedding_test.py, test_rope_scaling and test_rope_scaling_with_kv_cache."""
    rope, at = RoPE(4, layout="half", scaling=Linear(factor)), torch.tensor([position])
    got = rope.rotate(torch.ones(1, 1, 1, 4), torch.ones(1, 1, 1, 4), at, at)[0]
    torch.testing.assert_close(got.flatten(), torch.tensor(expected), atol=2e-7, rtol=0)


def test_kerashub_more_axes_in_front():
    """sine_position_encoding_test.py, test_layer_behaviors_4d: (1, 2, 4, 6); and no batch."""
    x = random(1, 2, 4, 6)
    at = torch.arange(4)
    sine, table = Sinusoidal(6).eval(), sinusoidal_table(4, 6)
    assert torch.equal(sine.embed(x, at), x + table)
    assert torch.equal(sine.embed(x[0, 0], at), x[0, 0] + table)
    for wrong in (x[0, 0, 0], x[..., :5]):
        with pytest.raises(ValueError, match=r"x must have shape \(batch, 4, 6\)"):
            sine.embed(wrong, at)
    with pytest.raises(ValueError, match=r"x must have shape \(batch, 4, 6\)"):
        sine.embed(x, at[None])


@pytest.mark.parametrize(
    ("bias_max", "expected"),
    [
        (12.0, [-0.03125, -0.00048828125]),  # test_correct_output_alibi_bias_max
        (6.0, [-0.25, -0.03125, -0.70710677]),  # ..._num_heads_not_power_of_two
    ],
)
def test_kerashub_largest_bias(bias_max, expected):
    """alibi_bias_test.py: one query and three keys, the first of them two tokens away."""
    at = torch.arange(3)
    alibi = ALiBi(len(expected), bias_max=bias_max)
    bias = alibi.bias(torch.zeros(1), torch.zeros(1, 1, 1, 3), at[2:], at)
    want = torch.tensor(expected)[:, None] * torch.tensor([1.0, 0.5, 0.0])
    torch.testing.assert_close(bias[:, 0], want)


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_mlx_scale(scale):
    """test_fast.py and test_nn.py, test_rope with scale=2: positions times a number."""
    x, at = random(2, 4, 8), torch.arange(4)
    inv_freq, _ = rope_inv_freq(8)
    got = apply_rope(x, scale * at, inv_freq, "half")
    torch.testing.assert_close(got, apply_rope(x, at, scale * inv_freq, "half"), **EXACT)
    if scale > 1:
        with pytest.raises(ValueError, match="factor must be a finite number of at least 1"):
            Linear(1 / scale)


def test_mlx_odd_widths():
    """test_nn.py: what mlx refuses is a table here, whose last frequency has a sine alone."""
    assert torch.equal(sinusoidal_table(9, 7), sinusoidal_table(9, 7, layout="interleaved"))
    assert sinusoidal_table(9, 7).shape == (9, 7)
    with pytest.raises(ValueError, match="head_dim must be an even integer"):
        rope_inv_freq(7)


@pytest.mark.parametrize(
    ("scale", "layout", "flipped", "expected"),
    [
        (
            1,
            "tensor2tensor",
            False,
            [0.9646, 0.9804, 0.9892, 0.9615, 0.9787, 0.9882, 0.9582, 0.9769, 0.9872],
        ),
        (
            1,
            "concatenated",
            True,
            [0.3019, 0.2280, 0.1716, 0.3146, 0.2377, 0.1790, 0.3272, 0.2474, 0.1864],
        ),
        (
            1000,
            "tensor2tensor",
            False,
            [-0.9801, -0.9464, -0.9349, -0.3952, 0.8887, -0.9709, 0.5299, -0.2853, -0.9927],
        ),
    ],
)
def test_diffusers_timesteps(scale, layout, flipped, expected):
    """test_layers_utils.py, test_sinoid_embeddings_hardcoded; timesteps may be fractions."""
    times = torch.arange(128, dtype=torch.float64) / 8
    table = sinusoidal_at(8 * scale * times, 64, layout=layout)
    table = torch.cat((table[:, 32:], table[:, :32]), dim=-1) if flipped else table
    want = torch.tensor(expected, dtype=torch.float64)
    torch.testing.assert_close(table[23:26, 47:50].flatten(), want, atol=1e-8, rtol=1e-3)


def test_rotary_embedding_torch_sequence_before_heads():
    """README: seq_dim; and learned frequencies."""
    x = random(2, 5, 3, 8, dtype=torch.float32)  # batch, tokens, heads, head_dim
    inv_freq, _ = rope_inv_freq(8)
    want = RotaryEmbedding(8).rotate_queries_or_keys(x, seq_dim=-3)
    got = apply_rope(x.transpose(1, 2), torch.arange(5), inv_freq).transpose(1, 2)
    torch.testing.assert_close(got, want, atol=1e-6, rtol=0)
    theirs = RotaryEmbedding(8, learned_freq=True)
    rope = RoPE(8, learned=True)
    at = torch.arange(5)
    rope.rotate(x.transpose(1, 2), x.transpose(1, 2), at, at)[0].square().sum().backward()
    torch.testing.assert_close(rope.inv_freq, theirs.freqs)
    assert rope.inv_freq.grad is not None


def test_rotary_embedding_torch_three_axes():
    """README, axial: frequencies for pixels, from -1 to 1 along frames, rows and columns."""
    sizes = 3, 4, 5
    freqs = RotaryEmbedding(16, freqs_for="pixel", max_freq=256).get_axial_freqs(*sizes)
    x = random(1, *sizes, 64, dtype=torch.float32)
    want = apply_rotary_emb(freqs, x)
    edges = [torch.linspace(-1, 1, size, dtype=torch.float64) for size in sizes]
    positions = torch.stack([p.flatten() for p in torch.meshgrid(*edges, indexing="ij")])
    inv_freq = pixel_inv_freq(16, 256)
    angles = axis_angles(positions, inv_freq.repeat(3), torch.arange(3).repeat_interleave(8))
    got = apply_angles(x.flatten(1, 3), angles).unflatten(1, sizes)
    torch.testing.assert_close(got, want, atol=2e-4, rtol=0)


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_fairseq_scripts_and_ours_exports():
    """test_jit_compile_rope_module: TorchScript does not take it, torch.export does, at any length.

    `PositionalEncoding` says so. fairseq's lengths are 3, 5 and 10.
    """
    with pytest.raises(RuntimeError, match="Unknown type name 'Layout'"):
        torch.jit.script(apply_rope)
    rope = RoPE(8, layout="half")
    length = torch.export.Dim("length", min=2, max=64)
    program = torch.export.export(rope, (random(1, 1, 3, 8),), dynamic_shapes=({2: length},))
    for count in (3, 5, 10):
        x = random(1, 1, count, 8)
        torch.testing.assert_close(program.module()(x), rope(x), **EXACT)


def test_transformer_engine_rounds_angles_to_float32():
    """test_fused_rope.py gives its kernel angles in float32: `rope_cos_sin` says what that costs.

    Its packed texts, of at most 518 tokens with 10 before them, are 2e-5 off for it.
    """
    x, at = random(1, 1, 528, 128), torch.arange(528)
    inv_freq, _ = rope_inv_freq(128)
    rounded = (at[:, None].float() * inv_freq.float()).double()
    by_angles = rotate_pairs(x, rounded.cos(), rounded.sin(), "half")
    off = (apply_rope(x, at, inv_freq, "half") - by_angles).abs().max()
    assert 1e-5 < off < 1e-4
    first = rotate_pairs(x[:, :, :2], rounded[:2].cos(), rounded[:2].sin(), "half")
    torch.testing.assert_close(
        apply_rope(x[:, :, :2], at[:2], inv_freq, "half"), first, atol=1e-6, rtol=0
    )


def test_timm_tables_of_two_axes():
    """timm's layout: sines of both axes, then cosines."""
    table = sincos_grid(3, 5, 16, layout="timm")
    at = torch.arange(5)
    theta = 10_000.0 ** (-torch.arange(4, dtype=torch.float64) / 4)
    row, column = at[:3, None] * theta, at[:, None] * theta
    want = torch.cat((row[2].sin(), column[4].sin(), row[2].cos(), column[4].cos()))
    torch.testing.assert_close(table[-1], want, **EXACT)


def test_flash_attention_takes_a_table_that_is_there():
    """test_rotary.py calls its kernel with cos and sin, as `rotate_pairs` is called."""
    x, angles = random(2, 3, 7, 10), random(7, 4, seed=1)
    cos, sin = angles.cos(), angles.sin()
    got = rotate_pairs(x, cos, sin, "half")
    a, b = x[..., :4], x[..., 4:8]
    want = torch.cat((a * cos - b * sin, a * sin + b * cos, x[..., 8:]), dim=-1)
    torch.testing.assert_close(got, want, **EXACT)
