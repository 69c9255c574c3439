"""Steps of attention's measures: true lines, ending in the measure's value."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.attention.measures import (
    attended_distance,
    attention_entropy,
    attention_surplus,
    mean_by_distance,
)
from posenc.attention.steps.measures import (
    attended_distance_steps,
    difference_steps,
    entropy_steps,
    mean_by_distance_steps,
    mean_steps,
)
from posenc.attention.steps.pairs import attention_steps
from tests.posenc.attention.steps.test_pairs import LENGTH, check_lines, traced
from tests.posenc.latex import evaluate

places = st.integers(0, 11)


def rows_of_attention(seed, length=12, kind=torch.float64):
    scores = 3 * torch.randn(length, length, generator=torch.Generator().manual_seed(seed))
    return (
        scores.to(kind).masked_fill(torch.ones(length, length).triu(1) > 0, -torch.inf).softmax(-1)
    )


@given(st.integers(0, 99), places, st.sampled_from([torch.float32, torch.float64]))
def test_entropy_and_distance_of_a_row(seed, query, kind):
    weights, index = rows_of_attention(seed, kind=kind), torch.arange(12)
    drawn = attention_entropy(weights)[query].item()
    *terms, entropy = entropy_steps(weights[query], query, drawn)
    assert entropy.value == drawn
    shares = weights[query].double().sort(descending=True).values[: len(terms)]
    assert [t.value for t in terms] == pytest.approx((-shares * shares.log()).tolist(), abs=1e-9)
    reach = attended_distance(weights, index, index)[query].item()
    (distance,) = attended_distance_steps(weights[query], query, reach)
    assert distance.value == reach
    check_lines([*terms, entropy, distance])
    if query < 3:  # nothing is left out: the whole sum stands there
        assert evaluate(distance.substituted) == pytest.approx(reach, rel=1e-4, abs=1e-4)
        assert evaluate(entropy.substituted) == pytest.approx(drawn, rel=1e-4, abs=1e-4)


def test_a_query_that_sees_nothing_has_no_terms():
    for steps in (entropy_steps, attended_distance_steps):
        (last,) = steps(torch.zeros(4), 2, 0.0)
        assert last.substituted == ""


@given(st.integers(0, 99), places)
def test_a_mean_by_distance_is_its_sum_over_its_queries(seed, distance):
    values = rows_of_attention(seed)
    added, mean = mean_by_distance_steps(values, distance, r"\alpha")
    assert mean.value == mean_by_distance(values)[distance]
    by_hand = sum(values[i, i - distance].item() for i in range(distance, 12))
    assert added.value == pytest.approx(by_hand, rel=1e-12)
    assert mean.value == pytest.approx(by_hand / (12 - distance), rel=1e-12)
    check_lines([added, mean])


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=9))
def test_a_mean_of_queries(numbers):
    values = torch.tensor(numbers, dtype=torch.float64)
    added, mean = mean_steps(values, "H", values.mean().item())
    assert added.value / len(numbers) == pytest.approx(mean.value, abs=1e-12)
    check_lines([added, mean])


@given(st.tuples(st.integers(0, LENGTH - 1), st.integers(0, LENGTH - 1)))
@pytest.mark.parametrize("stage", ["scaled", "weights", "surplus"])
def test_a_difference_of_two_encodings(stage, cell):
    traces = [traced(name) for name in ("alibi", "nope")]
    one, other = (attention_steps(trace, stage, *cell) for trace in traces)
    drawn = [
        attention_surplus(t.logits) if stage == "surplus" else getattr(t, stage) for t in traces
    ]
    value = (drawn[0] - drawn[1])[0, 0, *cell].item()
    if cell[1] > cell[0] and stage != "scaled":
        (hidden,) = difference_steps(one, other, ("B", "A"), math.nan)
        assert hidden.value != hidden.value
        return
    steps = difference_steps(one, other, ("B", "A"), value)
    assert [step.value for step in steps] == [one[-1].value, other[-1].value, value]
    assert one[-1].value - other[-1].value == pytest.approx(value, abs=1e-12)
    check_lines(steps)
