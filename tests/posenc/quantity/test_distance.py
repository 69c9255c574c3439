import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import ALiBi, HeadSlice, PositionalEncoding, Together, TransformerXL, attend
from posenc.quantity.distance import DistanceBias, per_head
from posenc.quantity.sampling import even_positions, log_positions
from tests.tensors import random


def test_per_head_meets_vectors_matrices_and_batches():
    values, distance = torch.tensor([2.0, 3.0]), torch.arange(4.0)
    assert (per_head(values, distance) * distance)[1].tolist() == [0, 3, 6, 9]
    matrix = distance.expand(5, 4)
    assert (per_head(values, matrix) * matrix)[1, 4].tolist() == [0, 3, 6, 9]
    batch = matrix.expand(6, 1, 5, 4)
    product = per_head(values, batch) * batch
    assert product.shape == (6, 2, 5, 4)
    assert product[5, 1, 4].tolist() == [0, 3, 6, 9]


@pytest.mark.parametrize(
    ("q_positions", "k_positions"),
    [
        ([3, 4, 5], [0, 1, 2, 3, 4, 5]),
        ([7], [5, 6, 7]),
        ([0, 1, 2], [0, 1]),
        ([9, 4, 4], [0, 10**9, 4]),
        ([[0, 1], [5, 9]], [[0, 1, 2], [5, 6, 9]]),
        ([2, 3], [[0, 1, 2], [5, 6, 9]]),
        ([[2, 3], [0, -4]], [0, 1, 2]),
    ],
)
def test_a_curve_is_spread_over_all_pairs(q_positions, k_positions):
    q, k = torch.tensor(q_positions), torch.tensor(k_positions)
    bias = Curve().bias(torch.zeros(1, dtype=torch.float64), torch.zeros(1), q, k)
    batch = max(q.dim(), k.dim()) == 2
    assert bias.dim() == (4 if batch else 3)
    for b in range(2 if batch else 1):
        queries = q[b] if q.dim() == 2 else q
        keys = k[b] if k.dim() == 2 else k
        for i in range(len(queries)):
            for j in range(len(keys)):
                x = int(keys[j] - queries[i])
                got = bias[b, :, i, j] if batch else bias[:, i, j]
                assert got.tolist() == [float(x) ** 2, x + 0.5]


class Curve(DistanceBias):
    """Two heads: the square of the distance, and the distance and a half."""

    num_heads = 2

    def curve(self, relative_position, dtype):
        x = relative_position.to(dtype)
        return torch.stack((x**2, x + 0.5))


@pytest.mark.parametrize(("q_len", "k_len"), [(0, 0), (0, 3), (1, 1), (1, 4), (3, 4), (4, 4)])
@pytest.mark.parametrize("causal", [False, True])
def test_the_last_queries_have_the_bias_of_their_places(q_len, k_len, causal):
    q, scores = torch.zeros(1, 2, q_len, 1), torch.zeros(1, 2, q_len, k_len)
    keys = torch.arange(k_len)
    queries = keys[k_len - q_len :]
    want = Curve().bias(q, scores, queries, keys)
    if causal:
        want = want.masked_fill(keys > queries[:, None], -torch.inf)
    got = Curve()._bias_of_last(q, scores, causal)
    assert torch.equal(got, want)
    assert got.is_contiguous()
    view = Curve()._view_of_last(q, scores, causal)
    if q_len == 0:
        assert view is None
        return
    assert torch.equal(view.flip(-2), want)
    assert view.untyped_storage().nbytes() == 2 * (q_len + k_len - 1) * q.element_size()
    alone = HeadSlice(Curve(), 1, 2)._view_of_last(q[:, 1:], scores[:, 1:], causal)
    assert torch.equal(alone, view[1:])


@pytest.mark.parametrize("kv_heads", [1, 2])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize(("q_len", "k_len"), [(1, 40), (37, 40), (70, 70)])
@pytest.mark.parametrize("mask", ["causal", None])
def test_a_text_is_attended_from_its_end_with_the_same_result(q_len, k_len, kv_heads, dtype, mask):
    encoding = HeadSlice(ALiBi(3, learned=True), 0, 2)
    q = random(2, 2, q_len, 8).to(dtype).requires_grad_()
    k, v = (random(2, kv_heads, k_len, 8, seed=seed).to(dtype) for seed in (1, 2))
    stages = attend(q, k, v, encoding, mask=mask, trace=True)
    rounding = 20 * torch.finfo(dtype).eps
    with torch.no_grad():
        got = attend(q, k, v, encoding, mask=mask)
        torch.testing.assert_close(got, stages.output, atol=rounding, rtol=rounding)
    wanted = [q, *encoding.parameters()]
    outputs = attend(q, k, v, encoding, mask=mask), stages.output
    got, want = (torch.autograd.grad(output.float().square().sum(), wanted) for output in outputs)
    torch.testing.assert_close(got, want, atol=20 * rounding, rtol=20 * rounding)


LENGTHS = st.integers(2, 2**40)
POINTS = st.integers(2, 4096)


@given(LENGTHS, POINTS)
def test_positions_increase_from_end_to_end(length: int, points: int) -> None:
    for positions, first in (
        (even_positions(length, points), 0),
        (log_positions(length, points), 1),
    ):
        assert len(positions) <= points
        assert (positions[0], positions[-1]) == (first, length - 1)
        assert bool((positions.diff() > 0).all())


def test_all_of_them_if_points_allow() -> None:
    assert even_positions(5, 5).tolist() == [0, 1, 2, 3, 4]
    assert even_positions(9, 5).tolist() == [0, 2, 4, 6, 8]
    assert even_positions(1, 5).tolist() == [0]
    assert log_positions(17, 5).tolist() == [1, 2, 4, 8, 16]
    assert log_positions(5, 400).tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(("length", "points"), [(0, 5), (5, 1), (2.5, 5)])
def test_what_is_out_of_range_is_named(length, points) -> None:
    with pytest.raises(ValueError, match="must be an integer of at least"):
        even_positions(length, points)
    with pytest.raises(ValueError, match="must be an integer of at least"):
        log_positions(length, points)


class Twice(ALiBi):
    """A subclass that changes the bias itself, not the curve."""

    def bias(self, q, scores, q_positions, k_positions):
        return 2 * super().bias(q, scores, q_positions, k_positions)


@pytest.mark.parametrize("mask", ["causal", None])
def test_the_bias_of_a_subclass_is_what_attention_adds(mask):
    q, k, v = random(3, 1, 2, 5, 4)
    want = attend(q, k, v, ALiBi(2, slopes=2 * ALiBi(2).slopes), mask=mask)
    for encoding in (Twice(2), Together(Twice(2)), HeadSlice(Twice(2), 0, 2)):
        torch.testing.assert_close(attend(q, k, v, encoding, mask=mask), want)
    assert torch.equal(Twice(2)(5), 2 * ALiBi(2)(5))
    with pytest.raises(ValueError, match="that of Twice does not"):
        Twice(2).score_mod(5, 5)


@pytest.mark.parametrize(
    ("parent", "given"),
    [(TransformerXL, (2, 4, 8)), (Together, (ALiBi(2),)), (HeadSlice, (ALiBi(2), 0, 2))],
)
def test_no_other_encoding_goes_round_the_bias_of_its_subclass(parent, given):
    kind = type("Twice", (parent,), {"bias": lambda self, *pairs: 2 * parent.bias(self, *pairs)})
    encoding, (q, k, v) = kind(*given), random(3, 1, 2, 5, 4).float()
    at = torch.arange(5)
    want = attend(q, k, v, encoding, q_positions=at, k_positions=at)
    torch.testing.assert_close(attend(q, k, v, encoding), want)


def test_what_a_class_adds_to_the_values_is_added():
    class Mean(PositionalEncoding):
        def mix(self, weights, v, q_positions, k_positions):
            return v.mean(dim=-2, keepdim=True).expand_as(v)

    q, k, v = random(3, 1, 2, 5, 4)
    want = attend(q, k, v) + v.mean(dim=-2, keepdim=True)
    for encoding in (Mean(), Together(Mean())):
        torch.testing.assert_close(attend(q, k, v, encoding), want)
