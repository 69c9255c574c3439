"""The bias of an encoding followed from the two positions."""

import pytest
import torch
from hypothesis import given

from posenc.attention.steps.biases import bias_steps
from posenc.attention.steps.pairs import attention_steps
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.random_model import randomise
from tests.posenc.attention.steps.test_pairs import HEAD_DIM, HEADS, LENGTH, cells, traced
from tests.posenc.latex import check_lines
from tests.tensors import random

SHAPE = ModelShape(HEADS * HEAD_DIM, HEADS, HEAD_DIM, LENGTH)
FOLLOWED = [name for name, entry in CATALOGUE.items() if entry.bias_picture is not None]


@pytest.mark.parametrize("name", FOLLOWED)
@given(cell=cells)
def test_a_bias_of_positions_is_followed_to_the_traces_own(name, cell):
    row, col, head = max(cell[:2]), min(cell[:2]), cell[2]
    trace = traced(name)
    encoding = randomise(CATALOGUE[name].build(SHAPE), 3).double()
    bias = bias_steps(encoding, head, row, col)
    drawn = trace.bias[0, head, row, col].item()
    assert len(bias) >= 2
    assert bias[-1].value == pytest.approx(drawn, rel=1e-9, abs=1e-12)
    *before, last = attention_steps(trace, "bias", row, col, head, bias=bias)
    assert (tuple(before), last.value) == (bias[:-1], drawn)
    steps = attention_steps(trace, "weights", row, col, head, bias=bias)
    assert steps[-1].value == trace.weights[0, head, row, col]
    assert set(bias[:-1]) <= set(steps)
    check_lines(steps)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_bias_of_the_positions_alone_is_followed(name):
    """Whoever adds an encoding and forgets its picture reads it here."""
    entry = CATALOGUE[name]
    encoding = randomise(entry.build(SHAPE), 3).double()
    assert type(encoding) is entry.kind
    positions = torch.arange(LENGTH)
    biases = []
    for seed in (0, 1):
        q = random(1, HEADS, LENGTH, HEAD_DIM, seed=seed)
        biases.append(encoding.bias(q, q @ q.mT, positions, positions))
    first, second = biases
    of_positions = first is not None and first.equal(second)
    assert (entry.bias_picture is not None) == of_positions
    assert bool(bias_steps(encoding, 0, 5, 2)) == of_positions
