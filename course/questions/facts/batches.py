"""Facts about rows of a batch: padding in front, documents side by side."""

from collections.abc import Callable, Mapping
from functools import cache

import torch
from torch import Tensor

from course.questions.draw.cells import Cell, Row, cells
from course.questions.facts.draws import DRAWS, bound, change, drawn, projected, spread
from course.questions.facts.pairs import price
from posenc.attention.formula import attend
from posenc.attention.masks import causal_mask, document_pairs, positions_from_mask
from posenc.places import NoPE
from posenc.rope.formula import RoPE

Labels = Mapping[str, str]

TOKENS, PADDING = 6, 3
"""Real tokens of a row, and padding in front of them."""
WIDTH, HEADS, HEAD = 32, 4, 8


@cache
def read_from(kind: str, start: int) -> Tensor:
    """Outputs of random attention over a row whose first token is given a position."""
    x, places = drawn(DRAWS, TOKENS, WIDTH), torch.arange(TOKENS) + start
    if kind == "learned":
        table = drawn(DRAWS, PADDING + TOKENS, WIDTH, seed=2)
        return attend(*projected(x + table[:, places], HEADS), NoPE(), mask="causal")
    q, k, v = projected(x, HEADS)
    return attend(q, k, v, RoPE(HEAD), mask="causal", q_positions=places, k_positions=places)


def moved_by_padding(kind: str) -> Tensor:
    """Change of the outputs when positions count the padding, over their size, (draws,)."""
    return change(read_from(kind, 0), read_from(kind, PADDING))


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
    q, k, v = projected(drawn(DRAWS, 2 * TOKENS, WIDTH), HEADS)
    documents = torch.arange(2).repeat_interleave(TOKENS)
    at = torch.arange(2 * TOKENS)
    places = at % TOKENS if restart else at
    mask = causal_mask(2 * TOKENS, 2 * TOKENS)
    if apart:
        mask = mask & document_pairs(at, at, documents)
    found = attend(q, k, v, RoPE(HEAD), mask=mask, q_positions=places, k_positions=places)
    return found[:, :, TOKENS:]


def packed(restart: bool, apart: bool) -> Tensor:
    """Change of the second document against reading it alone, over its size, (draws,)."""
    return change(second_document(restart=True, apart=True), second_document(restart, apart))


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
    "padded_rope": lambda: bound(moved_by_padding("rope")),
    **spread("padded_learned", lambda: moved_by_padding("learned")),
    "shift_on_real": lambda: 100_000,
    "shifted_right": lambda: price("shifted", wrong=False),
    "shifted_bits": lambda: price("shifted"),
    "packed_on": lambda: bound(packed(restart=False, apart=True)),
    **spread("packed_seen", lambda: packed(restart=True, apart=False)),
    **spread("packed_run_on", lambda: packed(restart=False, apart=False)),
}
PICTURES: Mapping[str, Callable[[Labels], str]] = {
    "left-padding": left_padding,
    "packed-documents": packed_documents,
}
