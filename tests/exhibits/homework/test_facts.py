"""Claims in the reasons of the homework, tried on the library."""

import pytest
import torch

from posenc import attend, rope_inv_freq
from posenc.alibi.formula import alibi_slopes
from posenc.attention.masks import causal_mask
from posenc.cache.picture import StaleKeys
from posenc.random_model import RandomProjections
from posenc.rope.formula import RoPE, apply_rope
from posenc.scaling.dynamic import DynamicNTK
from posenc.sinusoidal.formula import Sinusoidal, sinusoidal_table

MODEL = RandomProjections(seed=0, d_model=16, num_heads=1, head_dim=16)
WORDS = ["the", "dog", "bites", "the", "man", "and", "goes", "home", "at", "night"]


def outputs(words: list[str], *, causal: bool = False) -> torch.Tensor:
    """Of every word, (words, 16), without an encoding."""
    ids = [sorted({*WORDS}).index(word) for word in words]
    q, k, v = MODEL.project(MODEL.embed(ids).double())
    return attend(q, k, v, mask="causal" if causal else None)[0, 0].detach()


def test_without_a_mask_a_word_keeps_its_row_and_equal_words_share_one() -> None:
    before, after = outputs(WORDS), outputs([WORDS[0], "man", *WORDS[2:4], "dog", *WORDS[5:]])
    torch.testing.assert_close(before[2], after[2], rtol=0, atol=1e-14)  # bites
    torch.testing.assert_close(before[0], before[3], rtol=0, atol=1e-14)  # the, twice


def test_under_a_mask_the_tenth_word_sees_a_bag() -> None:
    order = [2, 0, 1, *range(3, 10)]
    before = outputs(WORDS, causal=True)
    after = outputs([WORDS[place] for place in order], causal=True)
    torch.testing.assert_close(before[9], after[9], rtol=0, atol=1e-14)
    assert (before[1] - after[2]).abs().max() > 0.1  # dog has another word before it


def test_what_is_added_to_a_whole_row_cancels() -> None:
    scores = torch.randn(8, 8, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    row = torch.arange(8.0, dtype=torch.float64)[:, None]
    for mask in (0, torch.zeros(8, 8).masked_fill(~causal_mask(8, 8), -torch.inf)):
        torch.testing.assert_close((scores + row + mask).softmax(-1), (scores + mask).softmax(-1))


def test_similarity_of_rows_is_a_matter_of_distance() -> None:
    table = sinusoidal_table(200, 64).double()
    alike = [float(table[i] @ table[j]) for i, j in ((20, 30), (120, 130), (10, 15), (40, 60))]
    assert alike[1] == pytest.approx(alike[0], abs=1e-4)
    assert min(abs(other - alike[0]) for other in alike[2:]) > 0.5


def test_twelve_heads_take_every_other_slope_of_sixteen() -> None:
    expected = [*alibi_slopes(8).tolist(), *alibi_slopes(16)[:8:2].tolist()]
    assert alibi_slopes(12).tolist() == pytest.approx(expected)
    assert expected != sorted(expected, reverse=True)


def test_the_other_layout_keeps_lengths_and_not_scores() -> None:
    q, k = torch.randn(2, 1, 64, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    theta = rope_inv_freq(64)[0]
    scores = []
    for layout in ("interleaved", "half"):
        turned = [
            apply_rope(x, torch.tensor([at]), theta, layout=layout) for x, at in ((q, 9), (k, 4))
        ]
        torch.testing.assert_close(turned[0].norm(), q.norm())
        scores.append(float((turned[0] * turned[1]).sum()))
    assert abs(scores[0] - scores[1]) > 0.5


def test_moving_all_positions_changes_a_table_that_is_added_and_not_a_rotation() -> None:
    x = MODEL.embed([1, 2, 3, 4]).double()
    changes = []
    for encoding in (RoPE(16), Sinusoidal(16).double()):
        weights = []
        for first in (0, 100_000):
            at = torch.arange(first, first + 4)
            q, k, v = MODEL.project(encoding.embed(x, at))
            trace = attend(q, k, v, encoding, q_positions=at, k_positions=at, trace=True)
            weights.append(trace.weights)
        changes.append(float((weights[0] - weights[1]).abs().max()))
    assert changes[0] < 1e-9
    assert changes[1] > 0.01


def test_first_and_fresh_keys_are_right_and_the_prompts_others_are_off() -> None:
    stale = StaleKeys(DynamicNTK(2.0, 4096), 128, 10000.0, 4096, 4160, "on_write")
    off = stale.at(torch.tensor([0, 4159, 4000]), torch.arange(64)).abs()
    assert float(off[:2].max()) == 0
    assert float(off[2, 1:].min()) > 0  # the slow pairs too
    assert float(off[2, 0]) == 0  # no base changes the fastest pair
