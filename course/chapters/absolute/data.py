"""Untrained words and matrices, learned rows of the lab, and what its models cost a byte."""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from course.chapters.data import rounded
from lab.measuring.text import token_losses
from lab.tasks.corpus import corpus, held_out_chunks
from lab.training.checkpoints import DATA, load_checkpoint
from posenc import Learned
from posenc.learned.steps import row_similarity

WORDS = ("dog", "cat", "boat", "red", "sings", "the")
WIDTH = 16  # of the picture
MEASURED = Path(__file__).with_name("measured.json")
READ = DATA / "text-sinusoidal-s0.safetensors"
SHOWN = 256  # places of the measured curve
TEXTS = 345  # held out, of so many bytes
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
        "texts": TEXTS,
        **json.loads(MEASURED.read_text("utf-8")),
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


def measured() -> dict[str, Any]:
    """Bits for the byte after each place and their standard error, over the held-out texts."""
    found = load_checkpoint(READ)
    validation = corpus(found.spec.corpus).validation
    texts = held_out_chunks(validation, SHOWN + 1, TEXTS)
    losses = token_losses(found.model, texts).double()
    errors = losses.std(0) / len(losses) ** 0.5
    return {"bits": rounded(losses.mean(0), 2), "errors": rounded(errors, 2)}


if __name__ == "__main__":
    MEASURED.write_text(json.dumps(measured(), separators=(",", ":")) + "\n", "utf-8")
