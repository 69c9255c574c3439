import torch

from posenc import sandwich_bias
from posenc.sandwich.formula import sandwich_kernel


def test_bias_is_that_of_nvidia_nemo():
    # SandwichRelativePositionEmbedding of NeMo, run in float64: rows are heads 1, 6 and 12 of 12,
    # columns the distances 0, 1, 10, 64 and 512.
    expected = [
        [0, -2.169927693, -29.011358244, -49.307726584, -71.941973654],
        [0, -0.361654626, -4.835226518, -8.217954676, -11.9903293],
        [0, -0.180827313, -2.417613259, -4.108977338, -5.99516465],
    ]
    bias = sandwich_bias(sandwich_kernel(torch.tensor([0, 1, 10, 64, 512])), 12)
    torch.testing.assert_close(bias[[0, 5, 11]], torch.tensor(expected).double())


def test_bias_is_zero_at_the_query_and_below_elsewhere():
    bias = sandwich_bias(sandwich_kernel(torch.arange(-500, 501)), 4)
    assert bias[:, 500].tolist() == [0, 0, 0, 0]
    assert bool((bias[:, torch.arange(1001) != 500] < 0).all())
