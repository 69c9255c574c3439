"""A number that is followed ends in the number drawn, and every line on the way is true."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import FIRE, rope_inv_freq
from posenc.alibi.picture import ALiBiBias, ALiBiTwoSided
from posenc.cache.picture import StaleKeys
from posenc.fire.picture import FIREBias, FIREDistance
from posenc.kerple.picture import KerpleBias
from posenc.quantity.step import breaking, number
from posenc.quantity.view import view
from posenc.random_model import randomise
from posenc.rope.picture import RoPEAngles, RoPEScore
from posenc.rope.steps import wavelength_steps
from posenc.sandwich.picture import SandwichBias
from posenc.scaling import DynamicNTK
from posenc.shaw.picture import RelativeIds
from posenc.sinusoidal.picture import SinusoidalSimilarity, SinusoidalTable
from posenc.study import rope_wavelengths
from posenc.t5.picture import T5Buckets
from posenc.t5.unclamped import T5BucketsUnclamped
from posenc.transformer_xl.picture import SinusoidalBiasMatrix
from tests.posenc.latex import check_lines, evaluate

VECTORS = torch.randn(2, 12, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
QUERY, KEY = VECTORS
THETA, _ = rope_inv_freq(8, 1000.0)  # channels 8 to 11 pass
FIRE_MODULE = randomise(FIRE(3), 0)
layouts = st.sampled_from(["interleaved", "half"])
sinusoids = (
    st.integers(1, 9),
    st.sampled_from([10000.0, 37.5]),
    st.sampled_from(["interleaved", "concatenated", "tensor2tensor"]),
)
QUANTITIES = {
    "sinusoidal table": lambda n: st.builds(SinusoidalTable, st.just(n), *sinusoids),
    "similarity": lambda n: st.builds(SinusoidalSimilarity, st.just(n), *sinusoids),
    "sinusoidal bias": lambda n: st.just(SinusoidalBiasMatrix(QUERY, n)),
    "ids": lambda n: st.builds(
        RelativeIds,
        st.integers(1, n),
        st.just(n),
        st.integers(1, 40),
        st.sampled_from(["key_minus_query", "query_minus_key"]),
    ),
    "T5 buckets": lambda n: st.builds(
        T5Buckets,
        st.just(n),
        st.booleans(),
        st.sampled_from([4, 8, 32]),
        st.sampled_from([20, 128]),
    ),
    "T5 bias": lambda n: st.just(T5Buckets(n, True, 12, 64, QUERY)),
    "T5 without min": lambda n: st.builds(
        T5BucketsUnclamped, st.just(n), st.booleans(), st.sampled_from([4, 32]), st.just(20)
    ),
    "ALiBi, two slopes": lambda n: st.builds(
        ALiBiTwoSided, st.floats(-2, 2), st.floats(-2, 2), st.just(n)
    ),
    "ALiBi": lambda n: st.builds(ALiBiBias, st.floats(-2, 2), st.just(n), st.booleans()),
    "Kerple log": lambda n: st.builds(
        KerpleBias,
        st.floats(0.1, 3),
        st.floats(0.1, 3),
        st.just(n),
        st.just("log"),
        st.booleans(),
    ),
    "Kerple power": lambda n: st.builds(
        KerpleBias, st.floats(0.1, 3), st.floats(0.1, 2), st.just(n), st.just("power")
    ),
    "Sandwich": lambda n: st.builds(
        SandwichBias, st.integers(0, 4), st.just(5), st.just(n), st.sampled_from([2, 16])
    ),
    "FIRE distance": lambda n: st.builds(
        FIREDistance, st.just(n), st.floats(0.01, 2), st.floats(1, 300)
    ),
    "FIRE bias": lambda n: st.builds(FIREBias, st.just(FIRE_MODULE), st.integers(0, 2), st.just(n)),
    "RoPE angles": lambda n: st.builds(
        RoPEAngles, st.just(THETA), st.just(n), st.sampled_from(["angle", "cos", "sin"])
    ),
    "RoPE score": lambda n: st.builds(
        RoPEScore,
        st.just(QUERY),
        st.just(KEY),
        st.just(THETA),
        st.just(n),
        layouts,
        st.sampled_from([1.0, 1.2]),
    ),
    "stale keys": lambda n: st.builds(
        StaleKeys,
        st.just(DynamicNTK(2.0, 16)),
        st.just(8),
        st.just(1000.0),
        st.integers(1, n),
        st.just(n),
        st.sampled_from(["on_write", "on_read"]),
    ),
}
# torch's power differs in the last bit between the lanes of a vector and what is left over.
LAST_BIT = {"Kerple power"}


@pytest.mark.parametrize("kind", QUANTITIES)
@given(data=st.data())
def test_the_last_step_is_the_value_and_every_line_is_true(kind, data):
    quantity = data.draw(QUANTITIES[kind](data.draw(st.integers(1, 90))))
    row = data.draw(st.integers(0, quantity.rows.length - 1))
    col = data.draw(st.integers(0, quantity.cols.length - 1))
    steps = quantity.steps(row, col)
    check_lines(steps)
    rows, cols = torch.arange(quantity.rows.length), torch.arange(quantity.cols.length)
    last, built = steps[-1].value, quantity.at(rows, cols)[row, col].item()
    if math.isnan(built):
        assert math.isnan(last)
        return
    tolerance = 4e-16 * abs(built) if kind in LAST_BIT else 0.0
    assert abs(last - built) <= tolerance
    drawn = view(quantity)
    assert drawn.kind == "exact"
    if kind not in LAST_BIT:
        assert torch.tensor(last, dtype=torch.float32) == drawn.values[row, col]


def test_wavelengths_are_followed():
    steps = wavelength_steps(2, THETA)
    assert steps[-1].value == rope_wavelengths(THETA)[2]
    assert evaluate(steps[-1].substituted) == pytest.approx(steps[-1].value, rel=1e-5)


def test_thousands_are_told_apart_from_five_digits_on():
    written = {4096: "4096", 16384: "16{,}384", -131072: "-131{,}072", 40889.9424: "40{,}889.9424"}
    assert {value: number(value) for value in written} == written


def test_words_of_a_language_without_spaces_may_break_too() -> None:
    told = breaking("键在第{0}个位置（RoPE）", [r"\mathord{3}"])
    joined = told.replace(r"}\allowbreak \text{", "")
    assert joined == r"\text{键在第}\mathord{3}\text{个位置（RoPE）}"
    assert told.count(r"\allowbreak ") == 4
