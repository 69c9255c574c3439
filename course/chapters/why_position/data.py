"""An untrained head and its words; what a text costs models of every chapter, by its length."""

from typing import Any

import torch
from torch import Tensor

from course.chapters.data import rounded, text_bits
from lab.results.tables import load
from posenc.random_model import RandomProjections

IDS = (
    3417481933629398295,
    2072328596179865167,
    2125218832724264788,
    6779990333193402774,
)
"""Tokens "the dog bites man", as the screen cuts and numbers them."""
MEASURED = ("nope", "sinusoidal", "t5", "alibi", "rope")


def data() -> dict[str, Any]:
    """Everything that the picture draws and does not compute."""
    made = words_and_matrices()
    results = load()
    return {
        "words": rounded(made["words"], 2),
        "matrices": rounded(made["matrices"], 2),
        "trained": results.models("text")["text-nope"].train_length,
        "bits": text_bits(results, MEASURED),
    }


def words_and_matrices() -> dict[str, Tensor]:
    """Four words and W_Q, W_K, W_V of the screen with seed 1, with as many digits as are used."""
    model = RandomProjections(1, d_model=4, num_heads=1, head_dim=4)
    words = model.embed(IDS)[0]
    matrices = torch.cat(model.project(torch.eye(4)[None]))[:, 0].mT
    return {
        name: x.double().round(decimals=2) for name, x in (("words", words), ("matrices", matrices))
    }
