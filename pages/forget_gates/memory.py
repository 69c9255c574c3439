"""The gated delta rule: what is left of each token in a memory that later keys overwrite."""

import math
from functools import partial

import torch
from torch import Tensor

from exhibits.forgetting import arrivals, remainder_steps
from pages.forget_gates.settings import Memory
from posenc import gated_delta_influence
from posenc.words import say
from ui import screen
from ui.charts.matrix import Shown
from ui.screen.budget import MEMORY_BUDGET, room
from ui.text import live
from ui.words import _
from ui.words import number as written


def picture(s: Memory) -> screen.Picture:
    """The length of what is left of each token, after each other one."""
    keys = keys_of(s)
    remainders = remainders_of(s, keys)
    lengths = remainders.norm(dim=-1)
    return screen.Picture(
        figures=[matrix(s, keys, remainders, lengths)],
        readouts=partial(readouts, s),
        help={_("gates alone leave"): _("The product of the gates, if no key overwrote.")},
    )


def keys_of(s: Memory) -> Tensor:
    """Random keys of length 1, equal for equal tokens, (tokens, head_dim)."""
    model = live.projections(s.attention)
    _q, keys, _v = model.project(s.embedded[None])
    return torch.nn.functional.normalize(keys[0, 0].double(), dim=-1)


def remainders_of(s: Memory, keys: Tensor) -> Tensor:
    """u of `gated_delta_influence`, (tokens, tokens, head_dim).

    Raises:
        ValueError: If the text is too long to keep one for every pair.
    """
    length, head_dim = keys.shape
    each = 2 * head_dim * keys.element_size()
    longest = math.isqrt(MEMORY_BUDGET // each)
    beta = torch.full((length,), s.beta, dtype=torch.float64)
    with room(
        length**2 * each,
        say("What is left of every token, for {tokens:,} tokens,", tokens=length),
        say("At most {tokens:,} tokens fit with keys of this width.", tokens=longest),
    ):
        return gated_delta_influence(keys, s.log_gates, beta)


def matrix(s: Memory, keys: Tensor, remainders: Tensor, lengths: Tensor) -> screen.MatrixFigure:
    """The large picture."""
    hidden = torch.ones_like(lengths, dtype=torch.bool).triu(1)
    return screen.MatrixFigure(
        key="influence",
        quantity=live.quantity(
            lengths.masked_fill(hidden, torch.nan),
            s.cut,
            say("remainder"),
            signed=False,
            explain=partial(remainder_steps, keys, remainders, s.log_gates, s.beta),
        ),
        title=_("What is left of token j after token i: the most that a query of length 1 reads"),
        alt=_("Heatmap of what is left of each token: it fades as later tokens are read"),
        cell=live.default_cell(len(s.cut.ids)),
        table=say("remainder"),
        settings={
            "ids": s.cut.ids,
            "num_heads": 1,
            "head_dim": s.head_dim,
            "seed": s.seed,
            "gates": s.gate_values.tolist(),
            "beta": s.beta,
        },
        caption=_(
            "Keys are random, and equal for equal tokens: a word that comes again overwrites what "
            "is read at its key, as far as β says."
        ),
    )


def readouts(s: Memory, shown: Shown) -> dict[str, str]:
    """The share of the followed token that gates alone would leave."""
    query, key = shown.cell
    alone = "–" if key > query else written(arrivals(s.log_gates, query)[key].item(), ".3%")
    return {_("gates alone leave"): alone}
