import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.catalogue import CATALOGUE, ModelShape
from posenc.quantity.matrix import Axis, Computed
from posenc.quantity.parameters import parameter_steps
from posenc.quantity.step import Step
from posenc.quantity.view import view
from tests.posenc.latex import evaluate


def test_a_computed_matrix_takes_its_last_value_from_itself():
    values = torch.arange(6.0).reshape(2, 3) / 7

    def explain(row, col):
        return Step("x", "", "", 1.0), Step("y", "", "", 2.0)

    told = Computed(values, "y", Axis("row", 2), Axis("column", 3), explain=explain)
    assert [step.value for step in told.steps(1, 2)] == [1.0, values[1, 2].item()]
    silent = Computed(values, "y", Axis("row", 2), Axis("column", 3))
    assert silent.steps(1, 2)[-1].value == view(silent).values[1, 2]


@given(st.sampled_from(list(CATALOGUE)), st.integers(1, 4), st.integers(1, 8), st.integers(2, 40))
def test_parameters_are_counted_from_their_shapes(name, heads, pairs, length):
    shape = ModelShape(heads * 2 * pairs, heads, 2 * pairs, length)
    encoding = CATALOGUE[name].build(shape)
    *each, count = parameter_steps(encoding)
    assert (
        count.value == sum(p.numel() for p in encoding.parameters()) == sum(s.value for s in each)
    )
    for step in each:
        assert not step.substituted or evaluate(step.substituted) == step.value
