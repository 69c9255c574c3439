"""Steps of a setting's effect on a pair, down to the bits that are drawn."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.units.convert import convert_units
from posenc.units.steps import needed_steps, slowed_steps
from tests.posenc.latex import evaluate

settings = st.tuples(
    st.sampled_from(["alpha", "factor", "freq_scale", "compress"]), st.floats(0.01, 40)
) | st.tuples(st.just("base"), st.sampled_from([500.0, 1e6, 3e13]))


def check(steps, drawn):
    assert steps[-1].value == drawn.item() or math.isnan(drawn)
    for step in steps:
        if step.substituted:
            assert evaluate(step.substituted) == pytest.approx(step.value, rel=2e-4)


@given(settings, st.integers(2, 64), st.sampled_from([500.0, 1e4, 1e6]), st.data())
def test_both_curves_are_followed(setting, pairs, base, data):
    model = {"head_dim": 2 * pairs, "trained_base": base, "trained_length": 4096}
    try:
        units = convert_units(*setting, **model)
    except ValueError:  # α so small that no base is left
        return
    pair = data.draw(st.integers(0, pairs - 1))
    check(slowed_steps(units, pair), units.slowed[pair])
    target = data.draw(st.integers(2, 10**6))
    steps, drawn = needed_steps(units, target, pair), units.needed(target)[pair]
    check(steps, drawn)
    assert math.isnan(steps[-1].value) == math.isnan(drawn) == (steps[0].value >= 1)
