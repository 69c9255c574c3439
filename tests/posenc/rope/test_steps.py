"""Channels in another order, and both hands of a pair, followed."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import layout_permutation, rope_inv_freq
from posenc.rope.score import pair_products, rope_score_terms
from posenc.rope.steps import arc_steps, permutation_steps, rotation_steps
from posenc.scaling import YaRN
from posenc.study import rope_rotation_matrix
from posenc.waves import rope_angles
from tests.posenc.latex import evaluate


def check(steps, drawn, rounding=0.0):
    assert steps[-1].value == drawn.item()
    for step in steps:
        if step.substituted:
            assert evaluate(step.substituted) == pytest.approx(step.value, rel=2e-4, abs=rounding)


@given(st.integers(1, 20).map(lambda pairs: layout_permutation(2 * pairs)), st.data())
def test_a_permutation_is_followed(order, data):
    places = st.integers(0, len(order) - 1)
    row, col = data.draw(places), data.draw(places)
    matrix = torch.eye(len(order), dtype=torch.float64)[order]
    check(permutation_steps(order, row, col), matrix[row, col])


@given(st.integers(0, 5000), st.sampled_from(["interleaved", "half"]), *[st.integers(0, 7)] * 2)
def test_an_entry_of_a_rotation_is_followed(position, layout, row, col):
    inv_freq = rope_inv_freq(8, 1000.0)[0]
    angles = rope_angles(torch.tensor(position), inv_freq)
    matrix = rope_rotation_matrix(position, inv_freq, layout)
    # An angle is written with four decimals.
    check(rotation_steps(angles, layout, row, col), matrix[row, col], rounding=5e-5)


@given(st.integers(0, 5000), st.integers(0, 5000), st.integers(0, 3), st.booleans())
def test_both_hands_of_a_pair_are_followed_to_what_it_adds(m, n, pair, scaled):
    generator = torch.Generator().manual_seed(m)
    query, key = torch.randn(2, 8, generator=generator, dtype=torch.float64)
    inv_freq, factor = rope_inv_freq(8, 1000.0, YaRN(4.0, 512) if scaled else None)
    product, _ = pair_products(query, key, 4, "interleaved")
    steps = arc_steps((m, n), pair, inv_freq, product, factor)
    delta = torch.tensor([m - n])
    terms = rope_score_terms(query, key, inv_freq, delta, attention_factor=factor)
    # An angle is written with four decimals, and weights are below 20.
    check(steps, terms[0, pair], rounding=20 * 5e-5)
    theta, angle_of_query, angle_of_key, arc, cosine, _ = (step.value for step in steps)
    assert theta == inv_freq[pair]
    assert angle_of_query - angle_of_key == pytest.approx(arc, abs=1e-9)
    assert cosine == math.cos(arc)
