"""The number of an encoding's parameters followed."""

from hypothesis import given
from hypothesis import strategies as st

from posenc import CATALOGUE, ModelShape
from posenc.quantity.parameters import parameter_steps
from tests.posenc.latex import evaluate


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
