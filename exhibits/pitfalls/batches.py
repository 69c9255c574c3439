"""Mistakes with several texts at once: padding, documents in one row, one length for all."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from exhibits.pitfalls.case import Pitfall, normal, seen_share, visible
from exhibits.pitfalls.tables import wave_line
from posenc.quantity.step import Step, number
from posenc.rope.formula import rope_inv_freq
from posenc.scaling.dynamic import DynamicNTK
from posenc.sinusoidal.formula import sinusoidal_at
from posenc.words import say

PADDED = 8
LENGTH = 48
WIDTH = 32
DOCUMENTS = torch.tensor([0] * 12 + [1] * 12 + [2] * 8)
TRAINED = 16
NEIGHBOUR = 1024
"""Tokens of the longer text in the same batch."""

# Positions of a padded row: which tokens are real (n,), width -> (n, d)


def wrong_padded(real: Tensor, d: int) -> Tensor:
    """Count the padding too."""
    positions = torch.arange(len(real))  # the first word is not at 0
    return sinusoidal_at(positions, d)


def right_padded(real: Tensor, d: int) -> Tensor:
    """Count real tokens alone."""
    positions = (real.cumsum(dim=0) - 1).clamp(min=0)  # padding, which is masked, has 0
    return sinusoidal_at(positions, d)


Rows = Callable[[Tensor, int], Tensor]


def _real(padded: int, words: int) -> Tensor:
    return torch.tensor([0] * padded + [1] * words)


def padded_text_is_the_text_alone(rows: Rows) -> float:
    """Words behind padding have the positions that they have without it."""
    alone = rows(_real(0, 20), 16)
    return float((rows(_real(5, 20), 16)[5:] - alone).abs().max())


def neighbours_stand_one_apart(rows: Rows) -> float:
    """The product of the rows of two neighbouring words is the same everywhere."""
    words = rows(_real(5, 20), 16)[5:]
    return float((words[1:] * words[:-1]).sum(dim=-1).diff().abs().max())


def _padded_lines(token: int, column: int) -> tuple[Step, Step]:
    return wave_line("n", token, column), wave_line("p", max(token - PADDED, 0), column)


LEFT_PADDING = Pitfall(
    say("Padding counted as words"),
    wrong=wrong_padded,
    right=right_padded,
    check=padded_text_is_the_text_alone,
    others=(neighbours_stand_one_apart,),
    draw=lambda rows: rows(_real(PADDED, LENGTH - PADDED), WIDTH),
    lines=_padded_lines,
    rows=say("token n"),
    cols=say("dimension"),
    value=say("added to the embedding"),
)


# Documents in one row: q, k (n, d), the document of each token (n,) -> weights (n, n)


def wrong_packed(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """Hide later tokens, and nothing else."""
    token = torch.arange(len(documents))
    seen = token <= token[:, None]  # whatever document they are from
    scores = q @ k.mT * q.shape[-1] ** -0.5
    return torch.softmax(scores.masked_fill(~seen, -torch.inf), dim=-1)


def right_packed(q: Tensor, k: Tensor, documents: Tensor) -> Tensor:
    """Hide later tokens, and those of other documents."""
    token = torch.arange(len(documents))
    seen = (token <= token[:, None]) & (documents == documents[:, None])  # of the same one
    scores = q @ k.mT * q.shape[-1] ** -0.5
    return torch.softmax(scores.masked_fill(~seen, -torch.inf), dim=-1)


Packed = Callable[[Tensor, Tensor, Tensor], Tensor]


def a_document_is_read_as_when_alone(attention: Packed) -> float:
    """Attention within the last document is that of the document in a row of its own."""
    q, k = _packed_tokens()
    own = DOCUMENTS == 2
    alone = attention(q[own], k[own], DOCUMENTS[own])
    return float((attention(q, k, DOCUMENTS)[own][:, own] - alone).abs().max())


def the_first_document_is_right(attention: Packed) -> float:
    """No token stands before the first document: it is read as when it is alone."""
    q, k = _packed_tokens()
    own = DOCUMENTS == 0
    alone = attention(q[own], k[own], DOCUMENTS[own])
    return float((attention(q, k, DOCUMENTS)[own][:, own] - alone).abs().max())


def _packed_tokens() -> tuple[Tensor, Tensor]:
    return normal(len(DOCUMENTS), 16), normal(len(DOCUMENTS), 16, seed=1)


def _packed_lines(query: int, key: int) -> tuple[Step, Step]:
    q, k = _packed_tokens()
    scores = (q @ k.mT / 4)[query]
    before = torch.arange(len(DOCUMENTS)) <= query
    same = before & (DOCUMENTS[query] == DOCUMENTS)
    return (
        seen_share(scores, key, before, r"t \le i"),
        seen_share(scores, key, same, r"t \le i,\;d_t = d_i"),
    )


PACKED = Pitfall(
    say("Documents packed without a mask"),
    wrong=wrong_packed,
    right=right_packed,
    check=a_document_is_read_as_when_alone,
    others=(the_first_document_is_right,),
    draw=lambda attention: visible(attention(*_packed_tokens(), DOCUMENTS)),
    lines=_packed_lines,
    rows=say("query i"),
    cols=say("key j"),
    value=say("attention"),
)


# Angles of a batch under dynamic NTK: positions (batch, n), width -> (batch, n, d / 2)


def wrong_length(positions: Tensor, d: int) -> Tensor:
    """Take the length of the longest row for all."""
    lengths = [int(positions.max()) + 1] * len(positions)  # one for the batch
    rows = [rope_inv_freq(d, scaling=DynamicNTK(2.0, TRAINED), length=n)[0] for n in lengths]
    return positions[..., None] * torch.stack(rows)[:, None]


def right_length(positions: Tensor, d: int) -> Tensor:
    """Take each row's own length."""
    lengths = (positions.amax(dim=-1) + 1).tolist()  # one for each row
    rows = [rope_inv_freq(d, scaling=DynamicNTK(2.0, TRAINED), length=n)[0] for n in lengths]
    return positions[..., None] * torch.stack(rows)[:, None]


BatchAngles = Callable[[Tensor, int], Tensor]


def a_row_is_rotated_as_when_alone(angles: BatchAngles) -> float:
    """The angles of a row do not depend on the other rows."""
    both = _two_rows()
    return float((angles(both, 16)[:1] - angles(both[:1], 16)).abs().max())


def the_longest_row_is_right(angles: BatchAngles) -> float:
    """The longest row has the angles that it has alone."""
    both = _two_rows()
    return float((angles(both, 16)[1:] - angles(both[1:], 16)).abs().max())


def _two_rows() -> Tensor:
    """A short text, and the last tokens of a long one."""
    short = torch.arange(LENGTH)
    return torch.stack((short, short + NEIGHBOUR - LENGTH))


def _length_lines(position: int, pair: int) -> tuple[Step, Step]:
    return (
        _turned(position, pair, r"\max L", NEIGHBOUR),
        _turned(position, pair, "L", LENGTH),
    )


def _turned(position: int, pair: int, name: str, length: int) -> Step:
    base = DynamicNTK(2.0, TRAINED).new_base(WIDTH // 2, 10000.0, length)
    inv_freq, _ = rope_inv_freq(WIDTH, scaling=DynamicNTK(2.0, TRAINED), length=length)
    return Step(
        "",
        rf"\sin(p/b({name})^{{2i/d}})",
        rf"\sin({position}/{number(base)}^{{2 \cdot {pair}/{WIDTH}}})",
        math.sin(position * inv_freq[pair].item()),
    )


ONE_LENGTH = Pitfall(
    say("One length for a batch"),
    wrong=wrong_length,
    right=right_length,
    check=a_row_is_rotated_as_when_alone,
    others=(the_longest_row_is_right,),
    draw=lambda angles: angles(_two_rows(), WIDTH)[0].sin(),
    lines=_length_lines,
    rows=say("position p"),
    cols=say("pair i"),
    value=say("sin pθ"),
)
