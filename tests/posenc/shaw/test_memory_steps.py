import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.shaw.memory import relative_bytes, relative_bytes_steps
from tests.posenc.latex import evaluate

sizes = st.tuples(*[st.integers(1, 200)] * 4)


@given(st.integers(1, 2**20), sizes, st.sampled_from([2, 4]))
def test_bytes_are_counted_as_they_are_drawn(length, sizes, itemsize):
    found = relative_bytes(torch.tensor([length]), *sizes, itemsize)
    for name, value in found.items():
        (step,) = relative_bytes_steps(name, length, *sizes, itemsize)
        assert step.value == value.item() == evaluate(step.substituted)
