import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import ALiBi, KVCache, alibi_bias, alibi_slopes, attend, relative_position, view
from posenc.alibi.formula import ALiBiBias, alibi_flat_weights, alibi_window
from tests.posenc.blocks import assert_block_means

FAR = 100_000_000


def _random(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def _reference_slopes(n):
    """The released rule, as the authors wrote it."""

    def power_of_two(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]

    if math.log2(n).is_integer():
        return power_of_two(n)
    below = 2 ** math.floor(math.log2(n))
    return power_of_two(below) + _reference_slopes(2 * below)[0::2][: n - below]


@given(st.integers(1, 300))
def test_slopes_equal_the_released_rule(num_heads):
    assert alibi_slopes(num_heads).tolist() == pytest.approx(_reference_slopes(num_heads))


def test_slopes_of_another_maximum():
    assert alibi_slopes(4, bias_max=4.0).tolist() == [0.5, 0.25, 0.125, 0.0625]
    with pytest.raises(ValueError, match="bias_max must be a finite number above 0, got 0"):
        alibi_slopes(4, 0)
    with pytest.raises(ValueError, match="num_heads must be an integer of at least 1, got 0"):
        alibi_slopes(0)


@given(st.integers(1, 5), st.integers(1, 12), st.booleans())
def test_bias_equals_the_definition_and_is_toeplitz(heads, length, symmetric):
    slopes, positions = alibi_slopes(heads), torch.arange(length)
    bias = alibi_bias(slopes, relative_position(positions, positions), symmetric)
    for h in range(heads):
        for i in range(length):
            for j in range(length):
                distance = abs(i - j) if symmetric else max(i - j, 0)
                assert float(bias[h, i, j]) == -float(slopes[h]) * distance
    assert torch.equal(bias[:, 1:, 1:], bias[:, :-1, :-1])


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("learned", [True, False])
def test_attention_equals_scores_plus_bias(symmetric, learned):
    encoding = ALiBi(3, symmetric=symmetric, learned=learned).double()
    q, k, v = (_random(2, 3, 5, 4, seed=seed) for seed in (1, 2, 3))
    positions = torch.tensor([[0, 1, 2, 3, 4], [0, 0, 1, 5, 9]])
    distance = (positions[:, None, :] - positions[:, :, None]).double()
    slopes = torch.tensor([1 / 16, 1 / 256, 1 / 4], dtype=torch.float64)
    past = -distance.abs() if symmetric else distance.clamp(max=0)
    logits = q @ k.mT / 2 + slopes[:, None, None] * past[:, None]
    logits = logits.masked_fill(torch.ones(5, 5).triu(1).bool(), -torch.inf)
    trace = attend(q, k, v, encoding, mask="causal", k_positions=positions, trace=True)
    torch.testing.assert_close(trace.logits, logits, atol=1e-12, rtol=0)
    torch.testing.assert_close(trace.weights.sum(-1), torch.ones(2, 3, 5).double())
    fused = attend(q, k, v, encoding, mask="causal", k_positions=positions)
    torch.testing.assert_close(fused, trace.output, atol=1e-12, rtol=0)


def test_only_learned_slopes_are_parameters():
    assert list(ALiBi(4).parameters()) == []
    encoding = ALiBi(4, learned=True)
    (slopes,) = encoding.parameters()
    assert slopes.tolist() == pytest.approx(alibi_slopes(4).tolist())
    q = torch.ones(1, 4, 3, 2)
    attend(q, q, _random(1, 4, 3, 2).float(), encoding, mask="causal").square().sum().backward()
    assert bool((slopes.grad != 0).all())


def test_low_precision_rounds_the_bias_and_not_the_distance():
    q = torch.zeros(1, 2, 1, 4, dtype=torch.bfloat16)
    bias = ALiBi(2).bias(q, q, torch.tensor([1001]), torch.tensor([0, 1]))
    expected = torch.tensor([[[-1001 / 16, -1000 / 16]], [[-1001 / 256, -1000 / 256]]])
    assert torch.equal(bias, expected.to(torch.bfloat16))


@pytest.mark.parametrize("rotate_on_write", [True, False])
def test_decoding_with_a_cache_equals_the_full_pass(rotate_on_write):
    encoding = ALiBi(3)
    q, k, v = (_random(1, 3, 6, 4, seed=seed) for seed in (1, 2, 3))
    full = attend(q, k, v, encoding, mask="causal")
    cache = KVCache(encoding, rotate_on_write=rotate_on_write)
    cuts = [(0, 3), (3, 4), (4, 6)]
    steps = [
        cache.step(q[:, :, a:b], k[:, :, a:b], v[:, :, a:b], torch.arange(a, b)) for a, b in cuts
    ]
    torch.testing.assert_close(torch.cat(steps, dim=2), full, atol=1e-12, rtol=0)


@given(st.integers(1, 12), st.integers(1, 300))
def test_flat_weights_are_the_softmax_of_the_bias(heads, length):
    slopes, distances = alibi_slopes(heads), torch.arange(length)
    expected = torch.softmax(-slopes[:, None] * distances, dim=-1)
    actual = alibi_flat_weights(slopes, distances, length)
    torch.testing.assert_close(actual, expected, atol=1e-13, rtol=1e-12)


@given(
    st.floats(0, 1).map(lambda m: round(m, 4)),
    st.integers(1, 400),
    st.floats(0.05, 0.999).map(lambda share: round(share, 3)),
)
def test_window_is_the_first_cumulative_sum_past_the_mass(slope, length, mass):
    slopes = torch.tensor([slope], dtype=torch.float64)
    window = int(alibi_window(slopes, length, mass)[0])
    held = alibi_flat_weights(slopes, torch.arange(length), length)[0].cumsum(0)
    assert float(held[window - 1]) >= mass - 1e-9
    assert window == 1 or float(held[window - 2]) < mass + 1e-9


def test_windows_of_the_published_slopes():
    # An endless context: w = ceil(ln 10 / m).
    assert alibi_window(alibi_slopes(8), 10**9).tolist() == [5, 10, 19, 37, 74, 148, 295, 590]
    assert alibi_window(torch.zeros(1), 1000).tolist() == [900]
    assert alibi_window(torch.tensor([1e-12]), FAR).tolist() == [pytest.approx(0.9 * FAR, rel=1e-4)]
    with pytest.raises(ValueError, match="slopes must be at least 0, got -1"):
        alibi_window(torch.tensor([-1.0]), 10)
    with pytest.raises(ValueError, match="slopes must hold finite numbers"):
        alibi_flat_weights(torch.tensor([math.nan]), torch.arange(3), 3)


@given(
    st.integers(0, 80),
    st.integers(1, 70),
    st.integers(0, 80),
    st.integers(1, 70),
    st.booleans(),
    st.data(),
)
def test_view_is_the_mean_of_the_visible_cells(row, rows, col, cols, symmetric, data):
    quantity = ALiBiBias(0.25, 200, symmetric)
    cells = data.draw(st.tuples(st.integers(1, 20), st.integers(1, 20)))
    assert_block_means(quantity, (row, row + rows), (col, col + cols), cells)


@pytest.mark.parametrize("symmetric", [True, False])
def test_view_far_out(symmetric):
    quantity = ALiBiBias(2.0**-8, FAR, symmetric)
    near = (FAR - 1000, FAR)
    assert_block_means(quantity, near, (FAR - 700, FAR - 100), (7, 11))
    assert_block_means(quantity, near, (0, 900), (13, 9))


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
