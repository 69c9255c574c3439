import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc.stick_breaking import stick_breaking_weights


def _logits(length, seed=0, scale=2.0):
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(2, length, length, generator=generator, dtype=torch.float64) * scale
    forbidden = torch.ones(length, length, dtype=torch.bool).triu()  # the own token too
    return logits.masked_fill(forbidden, -torch.inf)


@settings(max_examples=25)
@given(st.integers(1, 8), st.integers(0, 1000))
def test_the_product_of_the_definition(length, seed):
    logits = _logits(length, seed)
    weights = stick_breaking_weights(logits)
    share = torch.sigmoid(logits)
    for i in range(length):
        for j in range(length):
            want = share[:, i, j] * (1 - share[:, i, j + 1 :]).prod(-1)
            torch.testing.assert_close(weights[:, i, j], want, atol=1e-14, rtol=0)


def test_what_is_left_and_the_weights_make_one_stick():
    logits = _logits(9)
    left = (1 - torch.sigmoid(logits)).prod(-1)
    total = stick_breaking_weights(logits).sum(-1) + left
    torch.testing.assert_close(total, torch.ones_like(total), atol=1e-14, rtol=0)
    assert torch.equal(stick_breaking_weights(logits)[:, 0], torch.zeros(2, 9).double())


def test_equal_scores_prefer_the_nearest():
    logits = torch.zeros(1, 5).masked_fill(torch.tensor([False] * 4 + [True]), -torch.inf)
    want = [[1 / 16, 1 / 8, 1 / 4, 1 / 2, 0]]
    torch.testing.assert_close(stick_breaking_weights(logits), torch.tensor(want))


def test_far_logits_neither_overflow_nor_vanish():
    logits = torch.tensor([[1e4, -1e4, 1e4, -1e4]])
    assert stick_breaking_weights(logits).tolist() == [[0.0, 0.0, 1.0, 0.0]]


def test_gradients_are_finite_under_the_mask():
    logits = _logits(5)
    free = logits.masked_fill(logits == -torch.inf, 0.0).requires_grad_()

    def weights(free):
        return stick_breaking_weights(free.masked_fill(logits == -torch.inf, -torch.inf))

    assert torch.autograd.gradcheck(weights, free)
