"""Claims in the reasons of the homework, tried on the library."""

import pytest
import torch

from posenc import attend
from posenc.random_model import RandomProjections
from posenc.sinusoidal.formula import sinusoidal_table

MODEL = RandomProjections(seed=0, d_model=16, num_heads=1, head_dim=16)
WORDS = ["the", "dog", "bites", "the", "man", "and", "goes", "home", "at", "night"]


def outputs(words: list[str], *, causal: bool = False) -> torch.Tensor:
    """Of every word, (words, 16), without an encoding."""
    ids = [sorted({*WORDS}).index(word) for word in words]
    q, k, v = MODEL.project(MODEL.embed(ids).double())
    return attend(q, k, v, mask="causal" if causal else None)[0, 0].detach()


def test_without_a_mask_equal_words_share_a_row() -> None:
    before, after = outputs(WORDS), outputs([WORDS[0], "man", *WORDS[2:4], "dog", *WORDS[5:]])
    torch.testing.assert_close(before[2], after[2], rtol=0, atol=1e-14)  # bites
    torch.testing.assert_close(before[0], before[3], rtol=0, atol=1e-14)  # the, twice


def test_under_a_mask_the_tenth_word_sees_a_bag() -> None:
    order = [2, 0, 1, *range(3, 10)]
    before = outputs(WORDS, causal=True)
    after = outputs([WORDS[place] for place in order], causal=True)
    torch.testing.assert_close(before[9], after[9], rtol=0, atol=1e-14)
    assert (before[1] - after[2]).abs().max() > 0.1  # dog has another word before it


def test_similarity_of_rows_is_a_matter_of_distance() -> None:
    table = sinusoidal_table(200, 64).double()
    alike = [float(table[i] @ table[j]) for i, j in ((20, 30), (120, 130), (10, 15), (40, 60))]
    assert alike[1] == pytest.approx(alike[0], abs=1e-4)
    assert min(abs(other - alike[0]) for other in alike[2:]) > 0.5
