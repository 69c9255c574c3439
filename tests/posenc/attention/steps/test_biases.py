"""The bias of an encoding followed from the two positions."""

import pytest
from hypothesis import given

from posenc.attention.steps.biases import bias_steps
from posenc.attention.steps.pairs import attention_steps
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.random_model import randomise
from tests.posenc.attention.steps.test_pairs import HEAD_DIM, HEADS, LENGTH, cells, traced
from tests.posenc.latex import check_lines


@pytest.mark.parametrize("name", ["alibi", "kerple", "sandwich", "fire", "t5"])
@given(cell=cells)
def test_a_bias_of_positions_is_followed_to_the_traces_own(name, cell):
    row, col, head = max(cell[:2]), min(cell[:2]), cell[2]
    trace = traced(name)
    shape = ModelShape(HEADS * HEAD_DIM, HEADS, HEAD_DIM, LENGTH)
    encoding = randomise(CATALOGUE[name].build(shape), 3).double()
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


@pytest.mark.parametrize(
    "name", sorted(set(CATALOGUE) - {"alibi", "kerple", "sandwich", "fire", "t5"})
)
def test_a_bias_that_reads_more_than_positions_has_no_such_steps(name):
    encoding = CATALOGUE[name].build(ModelShape(HEADS * HEAD_DIM, HEADS, HEAD_DIM, LENGTH))
    assert bias_steps(encoding, 0, 5, 2) == ()
