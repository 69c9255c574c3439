import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import Sinusoidal
from posenc.quantity.view import view
from posenc.sinusoidal.formula import SINUSOIDAL_LAYOUTS, sinusoidal_at
from posenc.sinusoidal.picture import SinusoidalTable
from posenc.sinusoidal.shift import sinusoidal_similarity
from posenc.study import sinusoidal_shift

layouts = st.sampled_from(SINUSOIDAL_LAYOUTS)


@pytest.mark.parametrize("layout", SINUSOIDAL_LAYOUTS)
def test_module_adds_the_rows_of_the_positions(layout):
    encoding, x = Sinusoidal(6, 500.0, layout), torch.randn(2, 3, 6, dtype=torch.float64)
    for positions in (torch.tensor([9, 0, 70]), torch.tensor([[0, 1, 2], [5, 5, 9]])):
        expected = x + sinusoidal_at(positions, 6, 500.0, layout)
        assert torch.equal(encoding.embed(x, positions), expected)
    half = encoding.embed(x.to(torch.bfloat16), positions)
    assert half.dtype == torch.bfloat16


def test_dropout_acts_on_the_sum_in_training_alone():
    encoding, x = Sinusoidal(64, dropout=0.5), torch.full((1, 50, 64), 3.0)
    plain = Sinusoidal(64).embed(x, torch.arange(50))
    torch.manual_seed(0)
    dropped = encoding.embed(x, torch.arange(50))
    kept = dropped != 0
    assert 0.45 < float(kept.float().mean()) < 0.55
    torch.testing.assert_close(dropped[kept], 2 * plain[kept])
    assert torch.equal(encoding.eval().embed(x, torch.arange(50)), plain)


def test_a_table_of_a_hundred_million_rows_is_a_view():
    seen = view(SinusoidalTable(10**8, 600))
    assert seen.values.shape == (512, 300)
    assert seen.kind == "block_mean"
    # The fast waves average out; the slowest cosine (wavelength 62 000) does too at this step.
    assert float(seen.values.abs().max()) < 0.4


@given(st.integers(0, 10**6), st.integers(-(10**4), 10**4), st.integers(1, 8), layouts)
def test_a_shift_of_position_is_a_rotation(position, offset, half, layout):
    d_model = 2 * half
    shift = sinusoidal_shift(offset, d_model, layout=layout)
    identity = torch.eye(d_model, dtype=torch.float64)
    torch.testing.assert_close(shift @ shift.mT, identity, atol=1e-12, rtol=0)
    here, there = sinusoidal_at(torch.tensor([position, position + offset]), d_model, layout=layout)
    torch.testing.assert_close(shift @ here, there, atol=1e-9, rtol=0)


@given(st.integers(0, 10**6), st.integers(-5000, 5000), st.integers(1, 9), layouts)
def test_the_dot_product_depends_on_distance_alone(position, distance, half, layout):
    here, there = sinusoidal_at(
        torch.tensor([position, position + distance]), 2 * half, layout=layout
    )
    expected = sinusoidal_similarity(torch.tensor([distance]), 2 * half, layout=layout)
    torch.testing.assert_close((here @ there)[None], expected, atol=1e-8, rtol=0)


def test_an_odd_width_has_a_similarity_in_one_layout():
    at_zero = sinusoidal_similarity(torch.arange(1), 7, layout="tensor2tensor")
    assert at_zero.tolist() == [3]
