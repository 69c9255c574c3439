import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import sinusoidal_shift
from posenc.sinusoidal.formula import SINUSOIDAL_LAYOUTS, sinusoidal_at
from posenc.sinusoidal.shift import sinusoidal_similarity

layouts = st.sampled_from(SINUSOIDAL_LAYOUTS)


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


def test_similarity_refuses_widths_for_which_it_is_not_true():
    with pytest.raises(ValueError, match="d_model must be an even integer of at least 2, got 7"):
        sinusoidal_similarity(torch.arange(3), 7)
    at_zero = sinusoidal_similarity(torch.arange(1), 7, layout="tensor2tensor")
    assert at_zero.tolist() == [3]
