"""Facts about rows of a batch: padding in front, documents side by side."""

from collections.abc import Callable, Mapping
from functools import cache

import torch
from torch import Tensor

from course.questions.draw.cells import Cell, Row, cells
from course.questions.facts.pairs import price
from posenc.attention.formula import attend
from posenc.attention.masks import causal_mask, document_pairs, positions_from_mask
from posenc.learned.formula import Learned
from posenc.places import PositionalEncoding
from posenc.random_model import RandomProjections, randomise
from posenc.rope.formula import RoPE

Labels = Mapping[str, str]

TOKENS, PADDING = 6, 3
"""Real tokens of a row, and padding in front of them."""
WIDTH, HEADS, HEAD = 32, 4, 8


@cache
def read_from(kind: str, start: int) -> Tensor:
    """Outputs of random attention over a row whose first token is given a position."""
    model = RandomProjections(seed=0, d_model=WIDTH, num_heads=HEADS, head_dim=HEAD)
    encoding: PositionalEncoding = RoPE(HEAD)
    if kind == "learned":
        encoding = randomise(Learned(64, WIDTH), seed=0).double()
    places = torch.arange(TOKENS) + start
    with torch.no_grad():
        x = encoding.embed(model.embed(range(TOKENS)).double(), places)
        q, k, v = model.project(x)
        return attend(q, k, v, encoding, mask="causal", q_positions=places, k_positions=places)


def moved_by_padding(kind: str) -> float:
    """Change of the outputs when positions count the padding, over their size."""
    right, wrong = read_from(kind, 0), read_from(kind, PADDING)
    return float((right - wrong).norm() / right.norm())


def left_padding(labels: Labels) -> str:
    """Two rows of a batch, their mask and two ways to number them."""
    mask = torch.tensor([[0] * PADDING + [1] * TOKENS])
    right = positions_from_mask(mask)[0].tolist()
    whole = mask[0].tolist()

    def told(numbers: list[int]) -> list[Cell]:
        kinds = ["q" if real else "none" for real in whole]
        return [Cell(str(n), kind) for n, kind in zip(numbers, kinds, strict=True)]

    return cells(
        [
            Row(labels["mask"], told(whole)),
            Row(labels["right"], told(right)),
            Row(labels["counted"], told(list(range(PADDING + TOKENS)))),
        ],
        labels["alt"],
    )


@cache
def second_document(restart: bool, apart: bool) -> Tensor:
    """Outputs of the second of two documents in one row.

    Args:
        restart: Whether its positions begin at 0 again.
        apart: Whether the mask keeps it from the first document.
    """
    model = RandomProjections(seed=0, d_model=WIDTH, num_heads=HEADS, head_dim=HEAD)
    q, k, v = model.project(model.embed(range(2 * TOKENS)).double())
    documents = torch.arange(2).repeat_interleave(TOKENS)
    at = torch.arange(2 * TOKENS)
    places = at % TOKENS if restart else at
    mask = causal_mask(2 * TOKENS, 2 * TOKENS)
    if apart:
        mask = mask & document_pairs(at, at, documents)
    found = attend(q, k, v, RoPE(HEAD), mask=mask, q_positions=places, k_positions=places)
    return found[:, :, TOKENS:]


def packed(restart: bool, apart: bool) -> float:
    """Change of the second document's outputs against reading it alone, over their size."""
    alone = second_document(restart=True, apart=True)
    return float((second_document(restart, apart) - alone).norm() / alone.norm())


def packed_documents(labels: Labels) -> str:
    """Two documents in one row, and two ways to number them."""
    kinds = ["q"] * TOKENS + ["k"] * TOKENS
    rows = {
        "restart": [*range(TOKENS), *range(TOKENS)],
        "on": [*range(2 * TOKENS)],
    }
    return cells(
        [
            Row(labels[name], [Cell(str(n), kind) for n, kind in zip(row, kinds, strict=True)])
            for name, row in rows.items()
        ],
        labels["alt"],
        widest=30,
    )


NUMBERS: Mapping[str, Callable[[], float]] = {
    "padding": lambda: PADDING,
    "padded_rope": lambda: moved_by_padding("rope"),
    "padded_learned": lambda: moved_by_padding("learned"),
    "shift_on_real": lambda: 100_000,
    "shifted_right": lambda: price("shifted", wrong=False),
    "shifted_bits": lambda: price("shifted"),
    "packed_on": lambda: packed(restart=False, apart=True),
    "packed_seen": lambda: packed(restart=True, apart=False),
    "packed_run_on": lambda: packed(restart=False, apart=False),
}
PICTURES: Mapping[str, Callable[[Labels], str]] = {
    "left-padding": left_padding,
    "packed-documents": packed_documents,
}
