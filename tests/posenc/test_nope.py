import torch

from posenc import NoPE, attend
from tests.tensors import random


def test_without_a_mask_order_does_not_matter():
    q, k, v = (random(2, 3, 6, 4, seed=seed) for seed in (1, 2, 3))
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    shuffled = attend(q[:, :, order], k[:, :, order], v[:, :, order], NoPE())
    torch.testing.assert_close(shuffled, attend(q, k, v, NoPE())[:, :, order], atol=1e-12, rtol=0)


def test_with_a_causal_mask_order_matters_although_nothing_is_added():
    q, k, v = (random(2, 3, 6, 4, seed=seed) for seed in (1, 2, 3))
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    plain = attend(q, k, v, NoPE(), mask="causal")
    shuffled = attend(q[:, :, order], k[:, :, order], v[:, :, order], NoPE(), mask="causal")
    assert float((shuffled - plain[:, :, order]).abs().max()) > 0.1
    assert list(NoPE().parameters()) == []
