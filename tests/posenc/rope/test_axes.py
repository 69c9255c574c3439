import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from rotary_embedding_torch import RotaryEmbedding
from torch.testing import assert_close

from posenc import apply_rope, rope_inv_freq
from posenc.rope.axes import (
    apply_angles,
    axial_angles,
    axis_angles,
    grid_angles,
    mrope_axis_of_pair,
    mrope_positions,
    pixel_inv_freq,
)

SECTIONS = ((16, 24, 24), False), ((24, 20, 20), True)


@pytest.mark.parametrize(("sections", "interleaved"), SECTIONS)
@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_text_alone_is_plain_rope(sections, interleaved, layout):
    inv_freq = rope_inv_freq(128, 1e6)[0]
    axis_of_pair = mrope_axis_of_pair(sections, interleaved=interleaved)
    angles = axis_angles(mrope_positions([7]), inv_freq, axis_of_pair)
    x = torch.randn(2, 3, 7, 128, dtype=torch.float64)
    expected = apply_rope(x, torch.arange(7), inv_freq, layout)
    assert_close(apply_angles(x, angles, layout), expected, rtol=0, atol=1e-14)


def test_positions_of_text_around_an_image():
    positions = mrope_positions([2, (1, 2, 3), 2])
    assert positions.tolist() == [
        [0, 1, 2, 2, 2, 2, 2, 2, 5, 6],
        [0, 1, 2, 2, 2, 3, 3, 3, 5, 6],
        [0, 1, 2, 3, 4, 2, 3, 4, 5, 6],
    ]
    assert mrope_positions([]).shape == (3, 0)


def test_a_batch_of_positions():
    inv_freq, axis_of_pair = rope_inv_freq(8)[0], mrope_axis_of_pair((2, 1, 1))
    one, other = mrope_positions([(1, 2, 2)]), mrope_positions([4])
    together = axis_angles(torch.stack((one, other), dim=1), inv_freq, axis_of_pair)
    assert torch.equal(together[0], axis_angles(one, inv_freq, axis_of_pair))
    assert torch.equal(together[1], axis_angles(other, inv_freq, axis_of_pair))
    x = torch.randn(2, 3, 4, 8, dtype=torch.float64)
    turned = apply_angles(x, together)
    assert torch.equal(turned[1], apply_angles(x[1], together[1]))


@given(st.integers(1, 5), st.integers(1, 5), st.sampled_from([4, 8, 12, 32]))
def test_the_two_axial_orders_swap_the_halves_of_the_pairs(height, width, head_dim):
    xy = axial_angles(height, width, head_dim, 100.0, "xy")
    hw = axial_angles(height, width, head_dim, 100.0, "hw")
    assert torch.equal(xy, hw.roll(head_dim // 4, dims=-1))
    assert (height == width == 1) == torch.equal(xy, hw)


def test_axial_scores_depend_on_the_offset_in_the_grid_alone():
    angles = axial_angles(4, 5, 16)
    generator = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, 16, generator=generator, dtype=torch.float64)
    turned_query = apply_angles(query.expand(20, -1), angles).reshape(4, 5, 16)
    turned_key = apply_angles(key.expand(20, -1), angles).reshape(4, 5, 16)
    near = turned_query[0, 0] @ turned_key[1, 2]
    assert_close(turned_query[2, 1] @ turned_key[3, 3], near, rtol=0, atol=1e-12)
    assert abs(float(turned_query[0, 0] @ turned_key[2, 1] - near)) > 1e-3


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.sampled_from([4, 8, 12]))
def test_grids_of_any_number_of_axes_are_lucidrains(sizes, head_dim):
    theirs = RotaryEmbedding(head_dim, freqs_for="lang", cache_if_possible=False)
    want = theirs.get_axial_freqs(*sizes)[..., ::2].reshape(-1, len(sizes) * head_dim // 2)
    got = grid_angles(sizes, rope_inv_freq(head_dim)[0])
    assert_close(got.float(), want.detach(), rtol=1e-6, atol=1e-6)
    if len(sizes) == 2:
        assert_close(got, axial_angles(*sizes, 2 * head_dim, 10000.0, "hw"), rtol=0, atol=1e-12)


@given(st.integers(1, 6), st.integers(1, 6), st.sampled_from([4, 8, 12]), st.integers(2, 20))
def test_pixels_are_lucidrains(height, width, head_dim, max_freq):
    theirs = RotaryEmbedding(head_dim, freqs_for="pixel", max_freq=max_freq)
    want = theirs.get_axial_freqs(height, width)[..., ::2].reshape(height * width, -1)
    inv_freq = pixel_inv_freq(head_dim, float(max_freq))
    rows, columns = (torch.linspace(-1, 1, steps, dtype=torch.float64) for steps in (height, width))
    places = torch.cartesian_prod(rows, columns).mT
    got = axis_angles(places, inv_freq.repeat(2), torch.arange(2).repeat_interleave(len(inv_freq)))
    assert_close(got.float(), want.detach(), rtol=1e-5, atol=1e-5)


@given(st.floats(-1e6, 1e6), st.integers(-1000, 1000))
def test_places_between_two_positions_turn_between_them(start, steps):
    inv_freq = rope_inv_freq(8)[0]
    x = torch.ones(2, 8, dtype=torch.float64)
    places = torch.tensor([start, start + steps / 8], dtype=torch.float64)
    query, key = apply_rope(x, places, inv_freq)
    shifted = apply_rope(x, places - start, inv_freq)
    assert_close(query @ key, shifted[0] @ shifted[1], atol=1e-6, rtol=0)
    whole = torch.tensor([3, 5])
    assert torch.equal(apply_rope(x, whole.double(), inv_freq), apply_rope(x, whole, inv_freq))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.bool])
def test_numbers_that_do_not_hold_every_position_are_refused(dtype):
    with pytest.raises(ValueError, match=f"positions must be .*got .*{str(dtype)[6:]}"):
        apply_rope(torch.ones(2, 8), torch.ones(2, dtype=dtype), rope_inv_freq(8)[0])
