import math

import pytest
import torch

from posenc.learned.steps import row_similarity, row_similarity_steps
from tests.tensors import random


def test_rows_are_compared_by_their_angle():
    table = random(7, 5) * torch.arange(1.0, 8.0)[:, None]
    got = row_similarity(table)
    for row in range(7):
        for col in range(7):
            one, other = table[row], table[col]
            expected = torch.nn.functional.cosine_similarity(one, other, dim=0).item()
            assert got[row, col].item() == pytest.approx(expected, abs=1e-12)
            steps = row_similarity_steps(table, row, col)
            assert steps[-1].value == pytest.approx(expected, abs=1e-12)
    assert got.diagonal().tolist() == pytest.approx([1.0] * 7)


def test_a_row_of_zeros_has_no_angle():
    table = torch.tensor([[0.0, 0.0], [1.0, 2.0]])
    assert row_similarity(table).isnan().tolist() == [[True, True], [True, False]]
    (only,) = row_similarity_steps(table, 0, 1)
    assert math.isnan(only.value)
    assert "zero" in only.latex
