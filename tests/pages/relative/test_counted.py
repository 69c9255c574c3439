"""The counted bytes are those of the tensors that the methods build."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pages.relative.counted import relative_bytes, relative_bytes_steps
from posenc import relative_position_ids, t5_bias, t5_bucket
from tests.posenc.latex import evaluate

LENGTH, HEADS, HEAD_DIM, K, BUCKETS = 24, 3, 8, 5, 16


@pytest.fixture(scope="module")
def counted():
    found = relative_bytes(torch.tensor([LENGTH]), HEADS, HEAD_DIM, K, BUCKETS)
    return {name: value.item() for name, value in found.items()}


def test_against_built_tensors(counted):
    q = torch.zeros(HEADS, LENGTH, HEAD_DIM)
    embedding = torch.zeros(2 * K + 1, HEAD_DIM)
    ids = relative_position_ids(LENGTH, LENGTH, K)
    assert counted["scores"] == (q @ q.mT).nbytes
    assert counted["ids"] == ids.nbytes
    assert counted["gathered"] == embedding[ids].nbytes
    assert counted["by_id"] == (q @ embedding.mT).nbytes
    table = torch.zeros(BUCKETS, HEADS)
    buckets = t5_bucket(torch.arange(LENGTH) - torch.arange(LENGTH)[:, None], True, BUCKETS)
    assert counted["t5_table"] == table.nbytes
    assert counted["t5_bias"] == t5_bias(table, buckets).nbytes + table.nbytes
    padded = torch.nn.functional.pad(q @ q.mT, (1, 0))
    assert counted["skew"] == padded.nbytes


def test_growth_with_the_length():
    found = relative_bytes(torch.tensor([1000, 2000]), HEADS, HEAD_DIM)
    ratio = {name: (value[1] / value[0]).item() for name, value in found.items()}
    assert ratio["gathered"] == ratio["scores"] == ratio["ids"] == 4
    assert ratio["by_id"] == 2
    assert ratio["t5_table"] == 1


sizes = st.tuples(*[st.integers(1, 200)] * 4)


@given(st.integers(1, 2**20), sizes, st.sampled_from([2, 4]))
def test_bytes_are_counted_as_they_are_drawn(length, sizes, itemsize):
    found = relative_bytes(torch.tensor([length]), *sizes, itemsize)
    for name, value in found.items():
        (step,) = relative_bytes_steps(name, length, *sizes, itemsize)
        assert step.value == value.item() == evaluate(step.substituted)


def test_a_size_is_at_least_one():
    with pytest.raises(ValueError, match="num_heads must"):
        relative_bytes(torch.tensor([1]), 0, 8)
