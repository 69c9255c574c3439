"""Steps of a reading's curves over the distances, down to the bits that are drawn."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import rope_inv_freq
from posenc.reading.formula import (
    Reading,
    decay_bound,
    logit_change,
    logit_draws,
    mean_cosine,
    neighbour_change,
    rms_change,
)
from posenc.reading.steps import (
    decay_bound_steps,
    gain_steps,
    logit_change_steps,
    mean_cosine_steps,
    mean_logit_steps,
    neighbour_change_steps,
    rms_change_steps,
)
from posenc.scaling import Linear, LongRoPE, YaRN
from posenc.study import DualChunk, LeakyReRoPE, ReRoPE, SelfExtend
from tests.posenc.latex import check_steps

LENGTH = 300
remappings = [None, ReRoPE(20), LeakyReRoPE(20, 4.0), SelfExtend(16, 3), DualChunk(24, 8)]


@st.composite
def readings(draw, pairs):
    inv_freq = rope_inv_freq(2 * pairs, draw(st.sampled_from([50.0, 1e4])))[0]
    factors = st.sampled_from([1.0, 1.3])
    return Reading(inv_freq, draw(factors), draw(factors), draw(st.sampled_from(remappings)))


pair_counts = st.integers(1, 3) | st.integers(4, 40)
CURVES = {
    "mean cosine": (mean_cosine, mean_cosine_steps, {}),
    "bound": (decay_bound, decay_bound_steps, {}),
    "neighbour": (neighbour_change, neighbour_change_steps, {"width": 80}),
}


@pytest.mark.parametrize("name", CURVES)
@given(data=st.data())
def test_a_curve_of_one_reading_is_followed(name, data):
    reading = data.draw(pair_counts.flatmap(readings))
    curve, explain, more = CURVES[name]
    distances = torch.arange(data.draw(st.integers(1, LENGTH - 1)))
    at = data.draw(st.integers(0, len(distances) - 1))
    drawn = curve(reading, distances, LENGTH, **more)[at]
    check_steps(explain(reading, at, LENGTH, **more), drawn)


@given(pair_counts.flatmap(lambda n: st.tuples(readings(n), readings(n))), st.data())
def test_the_change_of_a_logit_is_followed(both, data):
    width = 2 * len(both[0].inv_freq) + data.draw(st.sampled_from([0, 6]))
    distances = torch.arange(data.draw(st.integers(1, LENGTH)))
    at = data.draw(st.integers(0, len(distances) - 1))
    drawn = logit_change(*both, distances, LENGTH, width=width)[at]
    check_steps(logit_change_steps(*both, at, LENGTH, width=width), drawn)
    drawn = rms_change(*both, distances, LENGTH, width=width)
    check_steps(rms_change_steps(*both, distances, LENGTH, width=width), drawn)


@given(st.data(), st.integers(1, 5), st.sampled_from(["half", "interleaved"]))
def test_the_mean_of_the_draws_is_followed(data, draws, layout):
    reading = data.draw(pair_counts.flatmap(readings))
    channels = 2 * len(reading.inv_freq)
    query, key = torch.randn(2, draws, channels, generator=torch.Generator().manual_seed(draws))
    options = {"width": channels, "layout": layout}
    logits = logit_draws(reading, query, key, torch.arange(LENGTH), LENGTH, **options)
    at = data.draw(st.integers(0, LENGTH - 1))
    mean = logits.mean(dim=0)[at].item()
    steps = mean_logit_steps(
        reading, query, key, at, LENGTH, **options, logits=logits[:, at], value=mean
    )
    check_steps(steps, mean)
    first = steps[-2] if draws > 1 else steps[-1]
    assert first.value == logits[0, at]


@pytest.mark.parametrize(
    "scaling",
    [
        None,
        Linear(4.0),
        YaRN(4.0, 100),
        YaRN(1.0, 100),
        YaRN(40.0, 100, mscale=1.0, mscale_all_dim=0.7),
        YaRN(4.0, 100, attention_factor=1.5),
        LongRoPE([1.0] * 4, [2.0] * 4, 100, 8.0),
    ],
)
def test_the_factors_on_the_logits_are_followed(scaling):
    inv_freq, a = rope_inv_freq(8, 1e4, scaling)
    m = scaling.softmax_multiplier if isinstance(scaling, YaRN) else 1.0
    check_steps(gain_steps(Reading(inv_freq, a, m), scaling), a**2 * m)
