"""A pair's frequency is followed under every scaling, down to the bits that are drawn."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.comparing.scalings import WRITERS, scaled_wavelength_steps, slowed_step
from posenc import rope_inv_freq
from posenc.scaling import NTK, DynamicNTK, Linear, Llama3, LongRoPE, NTKByParts, Proportional, YaRN
from posenc.scaling.ntk import NTK_VARIANTS
from posenc.study import rope_wavelengths
from tests.posenc.latex import check_lines, evaluate

factors = st.floats(1, 64)
originals = st.integers(2, 300_000)
divisors = st.lists(st.floats(0.5, 100), min_size=16, max_size=16)
SCALINGS = {
    "none": st.none(),
    "linear": st.builds(Linear, factors),
    "NTK": st.builds(NTK, factors, st.just("aware"), st.floats(0.5, 8)),
    "NTK variants": st.builds(NTK, factors, st.sampled_from(NTK_VARIANTS)),
    "dynamic NTK": st.builds(DynamicNTK, factors, originals),
    "proportional": st.builds(Proportional, st.floats(0, 1), factors | st.just(1.0)),
    "by parts": st.builds(NTKByParts, factors, originals),
    "YaRN": st.builds(YaRN, factors, originals, truncate=st.booleans()),
    "YaRN, its bounds": st.builds(YaRN, factors, originals, st.floats(2, 40), st.floats(0.5, 2)),
    "Llama 3": st.builds(Llama3, factors, original_length=originals),
    "Llama 4": st.builds(Llama3, factors, st.just(2.0), st.just(2.0), originals),
    "LongRoPE": st.builds(LongRoPE, divisors, divisors, originals, factors),
}
bases = st.sampled_from([500.0, 10_000.0, 5e6, 1e14])


@pytest.mark.parametrize("name", SCALINGS)
@given(data=st.data())
def test_the_last_step_is_the_frequency_and_every_line_is_true(name, data):
    scaling, base = data.draw(SCALINGS[name]), data.draw(bases)
    pairs = 16 if name == "LongRoPE" else data.draw(st.integers(2, 70))
    length = data.draw(st.none() | st.integers(1, 600_000))
    pair = data.draw(st.integers(0, pairs - 1))
    built = rope_inv_freq(2 * pairs, base, scaling, length)[0][pair]
    steps = scaled_wavelength_steps(scaling, 2 * pairs, base, length, pair)
    assert steps[-2].value == built.item()
    assert steps[-1].value == rope_wavelengths(built).item()
    check_lines(steps)


def test_every_scaling_is_written():
    drawn = (Linear, NTK, DynamicNTK, Proportional, NTKByParts, YaRN, Llama3, LongRoPE)
    assert set(WRITERS) == set(drawn)


@given(st.integers(0, 31), factors, st.integers(2, 100_000))
def test_what_a_pair_is_slowed_by_is_followed(pair, factor, original):
    plain, scaled = (rope_inv_freq(64, 1e4, s)[0] for s in (None, YaRN(factor, original)))
    slowed = (plain / scaled)[pair].item()
    step = slowed_step(pair, plain[pair].item(), scaled[pair].item(), slowed)
    assert step.value == slowed
    assert evaluate(step.substituted) == pytest.approx(slowed, rel=1e-5)
    assert slowed_step(pair, 0.5, 0.0, math.inf).substituted == ""
