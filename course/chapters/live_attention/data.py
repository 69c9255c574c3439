"""A real model's attention to the sentence of the chapter Live attention, and to others.

`python -m scripts.course_data` writes it; the chapter itself asks no model.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from advisor.comparing.layer import RopeLayer
from course.chapters.data import language_model, rounded
from models.change import Change
from models.forward import Seen, forward
from models.opened import Model
from posenc.attention.picture import AttentionStage

SENTENCE = "The tired animal did not cross the street."
"""It is read, and once more as far as the word before the last."""
OTHERS = (
    "My sister bought bread at the market.",
    "The children played behind the church.",
    "A farmer sold his horse to the doctor.",
    "The captain sailed alone to the island.",
    "The teacher hung a map on the wall.",
    "The thief hid the money under the bridge.",
    "An engineer repaired the old machine.",
    "The baker always whistles in the kitchen.",
    "The wolf came down from the mountain.",
    "The king gave his ring to the servant.",
    "The student forgot his coat in the library.",
)
"""Sentences of the same kind, each with a last word of one token."""
HEADS = {"previous": (16, 0), "rest": (18, 8), "copy": (17, 5)}
SCORED = "previous"
STOPS = 10  # of the ruler, from as trained to all equal
FAR = 100_000
GAPS = (0, *(2**power for power in range(4, 17)))
APART = ("rest", "copy")
SHOWN = 3  # next tokens


@dataclass(frozen=True)
class Apart(Change):
    """Places that are left empty before one token.

    Args:
        before: Which token.
        gap: How many places.
    """

    before: int = 0
    gap: int = 0

    def positions(self, length: int) -> Tensor:
        """Places of the tokens, with the gap."""
        at = super().positions(length)
        return at + self.gap * (torch.arange(length) >= self.before)


def data() -> dict[str, object]:
    """Weights of three heads by the stops of the ruler and by the gap, and what comes next."""
    model = language_model()
    ids, second, _answer = twice(model, SENTENCE)
    own = forward(model, ids)
    pressed = [forward(model, ids, change) for change in _pressed()]
    apart = [forward(model, ids, Apart(before=second, gap=gap)) for gap in GAPS]
    shares = [_found(model, sentence) for sentence in (SENTENCE, *OTHERS)]
    share = torch.tensor(shares)
    layer = model.config.layers["all"]
    assert isinstance(layer, RopeLayer)
    return {
        "model": model.title,
        "trained": layer.max_length,
        "words": [text.replace("·", "") for text in model.tokens(_both(SENTENCE)).texts],
        "second": second,
        "heads": HEADS,
        "moved": _moved(own, forward(model, ids, Change(offset=FAR))),
        "far": FAR,
        "scores": {
            part: _triangle(_stage(own, part, HEADS[SCORED]), 2) for part in ("content", "position")
        },
        "pressed": {name: [_weights(one, name) for one in pressed] for name in HEADS},
        "firsts": [_firsts(one) for one in pressed],
        "next": [_next(one) for one in pressed],
        "gaps": GAPS,
        "apart": {name: [_weights(one, name) for one in apart] for name in APART},
        "nextApart": [_next(one) for one in apart],
        "texts": len(shares),
        "found": rounded(share.mean(0), 3),
        "error": rounded(share.std(0) / len(shares) ** 0.5, 3),
    }


def _both(sentence: str) -> str:
    """A sentence, and once more without its last word."""
    return f"{sentence} {sentence.rpartition(' ')[0]}"


def twice(model: Model, sentence: str) -> tuple[list[int], int, int]:
    """Tokens of both, the first token of the second, and the token that should follow.

    Raises:
        ValueError: If the last word is not one token.
    """
    ids = list(model.tokens(_both(sentence)).ids)
    second = len(model.tokens(sentence).ids)
    if len(ids) != 2 * second - 2:
        raise ValueError(f"{sentence!r} does not end in one token and a full stop")
    return ids, second, ids[second - 2]


def _pressed() -> Iterator[Change]:
    """All distances as they are, times 0.9, 0.8 … and 0."""
    yield Change()
    for stop in range(1, STOPS):
        yield Change(method="linear", factor=STOPS / (STOPS - stop))
    yield Change(order="equal")


def _stage(seen: Seen, stage: str, head: tuple[int, int]) -> Tensor:
    """A stage of a head for every pair, (length, length)."""
    rows = torch.arange(seen.length)
    return AttentionStage(seen.attention(head[0]), stage, head[1], stage).at(rows, rows)


def _weights(seen: Seen, name: str) -> list[float]:
    return _triangle(_stage(seen, "weights", HEADS[name]), 3)


def _triangle(matrix: Tensor, digits: int) -> list[float]:
    """The part of a matrix that a causal mask leaves, row by row."""
    return rounded(torch.cat([row[: i + 1] for i, row in enumerate(matrix)]), digits)


def _every(seen: Seen) -> Tensor:
    """The weights of all heads, (layers, heads, length, length)."""
    rows = torch.arange(seen.length)
    layers = range(len(seen.model.layers))
    return torch.stack([seen.attention(layer).weights(rows) for layer in layers])


def _moved(own: Seen, moved: Seen) -> float:
    """The largest change of any weight of any head, up to the next whole millionth."""
    change = float((_every(own) - _every(moved)).abs().max())
    return math.ceil(change * 1e6) / 1e6


def _firsts(seen: Seen) -> list[float]:
    """Attention of every head to the first token, mean over the queries from the third on."""
    return rounded(_every(seen)[:, :, 2:, 0].mean(-1).flatten(), 2)


def _next(seen: Seen) -> list[list[object]]:
    vocabulary = seen.model.vocabulary
    return [
        [vocabulary.piece(token).replace("·", ""), round(share, 3)]
        for token, share in seen.next_tokens(SHOWN)
    ]


def _found(model: Model, sentence: str) -> list[float]:
    """How likely the word is that followed the first time, by the gap between the two."""
    ids, second, answer = twice(model, sentence)
    changes = (Apart(before=second, gap=gap) for gap in GAPS)
    return [float(forward(model, ids, change).probabilities()[answer]) for change in changes]
