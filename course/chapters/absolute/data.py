"""Untrained words and matrices, learned rows of the lab, and what its models cost a byte."""

from typing import Any

import pandas as pd
import torch
from torch import Tensor

from course.chapters.data import rounded
from lab.training.checkpoints import DATA, load_checkpoint
from posenc import Learned
from posenc.learned.steps import row_similarity

WORDS = ("dog", "cat", "boat", "red", "sings", "the")
WIDTH = 16  # of the picture
SHOWN = 256  # places of the measured curve
BYTES_ALONE = 4.63
"""Bits a byte for who knows only how often each occurs: the held-out files of the standard library
of Python 3.11.7, on which the lab's models were measured, by the frequencies of the others."""


def data() -> dict[str, Any]:
    """Everything that the picture draws and does not compute."""
    made = words_and_matrices()
    return {
        "words": dict(zip(WORDS, rounded(made["words"], 2), strict=True)),
        "matrices": rounded(made["matrices"], 3),
        "likeness": _likeness(),
        "bits": _bits_by_place(),
        "bytesAlone": BYTES_ALONE,
    }


def words_and_matrices() -> dict[str, Tensor]:
    """Six words and W_Q, W_K as before training, with as many digits as are drawn."""
    seed = torch.Generator().manual_seed(31)
    words = 2 * torch.rand(len(WORDS), WIDTH, generator=seed, dtype=torch.float64) - 1
    matrices = torch.randn(2, WIDTH, WIDTH, generator=seed, dtype=torch.float64) / WIDTH**0.5
    return {"words": words.round(decimals=2), "matrices": matrices.round(decimals=3)}


def _likeness() -> list[list[int]]:
    """Cosine of each learned row with itself and those before it, in hundredths."""
    learned = load_checkpoint(DATA / "text-learned-s0.safetensors").model.encoding
    assert isinstance(learned, Learned)
    cosines: list[list[float]] = row_similarity(learned.table.detach().double()).tolist()
    return [[round(100 * one) for one in row[: at + 1]] for at, row in enumerate(cosines)]


def _bits_by_place() -> list[list[float]]:
    """From place, to place, bits and their error: sinusoidal, mean of three models."""
    table = pd.read_csv(DATA / "positions.csv")
    of = table.run.str.startswith("text-sinusoidal-s") & (table.method == "none")
    means = table[of].groupby(["start", "stop"])[["bits", "error"]].mean().reset_index()
    shown = means[means.stop <= SHOWN]
    return [[int(a), int(b), round(bits, 2), round(error, 2)] for a, b, bits, error in shown.values]
