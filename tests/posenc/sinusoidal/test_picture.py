from hypothesis import given
from hypothesis import strategies as st

from posenc import view
from posenc.sinusoidal.formula import SINUSOIDAL_LAYOUTS
from posenc.sinusoidal.picture import SinusoidalSimilarity, SinusoidalTable
from tests.posenc.blocks import assert_block_means

layouts = st.sampled_from(SINUSOIDAL_LAYOUTS)
FAR = 100_000_000


@given(st.integers(1, 40), st.integers(0, 400), st.integers(1, 60), layouts, st.data())
def test_table_view_is_the_mean_of_the_built_block(d_model, first, count, layout, data):
    quantity = SinusoidalTable(1000, d_model, 10000.0, layout)
    cells = data.draw(st.tuples(st.integers(1, 20), st.integers(1, 20)))
    assert_block_means(quantity, (first, first + count), None, cells)


@given(st.integers(1, 17), st.integers(0, 400), st.integers(1, 60), layouts, st.data())
def test_similarity_view_is_the_mean_of_the_built_block(d_model, first, count, layout, data):
    quantity = SinusoidalSimilarity(1000, d_model, 100.0, layout)
    cells = data.draw(st.tuples(st.integers(1, 20), st.integers(1, 20)))
    assert_block_means(quantity, (first, first + count), (30, 75), cells, atol=1e-10)


def test_views_far_out_equal_the_built_block():
    """Angles of 10⁸ radians hold eight digits after the point."""
    window = (FAR - 1000, FAR)
    assert_block_means(SinusoidalTable(FAR, 33), window, None, (37, 11), atol=1e-7)
    assert_block_means(SinusoidalSimilarity(FAR, 16), window, (0, 900), (9, 12), atol=1e-6)


def test_the_whole_table_of_a_hundred_million_positions_is_a_view():
    seen = view(SinusoidalTable(FAR, 600))
    assert seen.values.shape == (512, 300)
    assert seen.kind == "block_mean"
    # The fast waves average out; the slowest cosine (wavelength 62 000) does too at this step.
    assert float(seen.values.abs().max()) < 0.4
