import torch

from posenc import sandwich_bias
from posenc.sandwich.formula import sandwich_kernel


def test_bias_is_zero_at_the_query_and_below_elsewhere():
    bias = sandwich_bias(sandwich_kernel(torch.arange(-500, 501)), 4)
    assert bias[:, 500].tolist() == [0, 0, 0, 0]
    assert bool((bias[:, torch.arange(1001) != 500] < 0).all())
