import pytest
import torch

from posenc import sandwich_bias
from posenc.sandwich.formula import sandwich_kernel
from posenc.sandwich.picture import SandwichBias


def test_bias_is_zero_at_the_query_and_below_elsewhere():
    bias = sandwich_bias(sandwich_kernel(torch.arange(-500, 501)), 4)
    assert bias[:, 500].tolist() == [0, 0, 0, 0]
    assert bool((bias[:, torch.arange(1001) != 500] < 0).all())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2, 2, 9), "head must be an integer from 0 to 1, got 2"),
        ((0, 0, 9), "num_heads must be an integer of at least 1, got 0"),
        ((0, 1, 0), "length must be an integer of at least 1, got 0"),
        ((0, 1, 9, 7), "d_bar must be an even integer of at least 2, got 7"),
        ((0, 1, 9, 8, 1.0), r"base must be a finite number above 1, got 1\.0"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        SandwichBias(*arguments)
