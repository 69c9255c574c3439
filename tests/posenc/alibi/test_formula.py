import pytest
import torch

from posenc import ALiBi, alibi_slopes, attend
from posenc.alibi.picture import ALiBiBias, ALiBiTwoSided
from posenc.quantity.view import view
from tests.tensors import random


def test_slopes_of_another_maximum():
    assert alibi_slopes(4, bias_max=4.0).tolist() == [0.5, 0.25, 0.125, 0.0625]


def test_only_learned_slopes_are_parameters():
    assert list(ALiBi(4).parameters()) == []
    encoding = ALiBi(4, learned=True)
    (slopes,) = encoding.parameters()
    assert slopes.tolist() == pytest.approx(alibi_slopes(4).tolist())
    q = torch.ones(1, 4, 3, 2)
    attend(q, q, random(1, 4, 3, 2).float(), encoding, mask="causal").square().sum().backward()
    assert bool((slopes.grad != 0).all())


def test_low_precision_rounds_the_bias_and_not_the_distance():
    q = torch.zeros(1, 2, 1, 4, dtype=torch.bfloat16)
    bias = ALiBi(2).bias(q, q, torch.tensor([1001]), torch.tensor([0, 1]))
    expected = torch.tensor([[[-1001 / 16, -1000 / 16]], [[-1001 / 256, -1000 / 256]]])
    assert torch.equal(bias, expected.to(torch.bfloat16))


FAR = 100_000_000


def test_a_block_with_few_visible_cells_loses_no_digits():
    """Of n by n cells three are visible, at distances 0, 0 and 1."""
    for n in (3, 500_000, FAR // 2):
        edges = torch.tensor([0, n]), torch.tensor([n - 2, 2 * n - 2])
        assert float(ALiBiBias(0.5, FAR).mean(*edges)) == pytest.approx(-0.5 / 3, rel=1e-12)


def test_what_the_mask_hides_is_marked():
    seen = view(ALiBiBias(0.5, 6), cells=(3, 3))
    assert seen.values.isnan().tolist() == [[False, True, True], [False, False, True], [False] * 3]
    # rows 0 1, columns 0 1: 0, hidden, -0.5, 0
    assert float(seen.values[0, 0]) == pytest.approx(-0.5 / 3)
    whole = view(ALiBiBias(0.5, FAR), cells=(1, 1))
    assert float(whole.values[0, 0]) == pytest.approx(-0.5 * (FAR - 1) / 3)


def test_equal_slopes_are_the_symmetric_form():
    places = torch.arange(12)
    both = ALiBiTwoSided(0.25, 0.25, 12).at(places, places)
    assert torch.equal(both, ALiBiBias(0.25, 12, symmetric=True).at(places, places))
    assert float(ALiBiTwoSided(0.5, 0.125, 12).at(places, places)[3, 7]) == -0.5
    assert float(ALiBiTwoSided(0.5, 0.125, 12).at(places, places)[7, 3]) == -2.0
    other = ALiBiTwoSided(0.125, 0.5, 12).at(places, places)
    assert torch.equal(ALiBiTwoSided(0.5, 0.125, 12).at(places, places).mT, other)
