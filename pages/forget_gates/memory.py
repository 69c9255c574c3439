"""The gated delta rule: what is left of each token in a memory that later keys overwrite."""

import math
from functools import partial

import torch
from torch import Tensor

from pages.forget_gates.settings import Memory
from posenc import fox_bias, gated_delta_influence
from posenc.quantity.lines import dot_step, masked
from posenc.quantity.step import Step, number
from posenc.words import say
from ui import screen
from ui.charts.matrix import Shown
from ui.screen.budget import MEMORY_BUDGET, room
from ui.text import live
from ui.words import _
from ui.words import number as written


def picture(s: Memory) -> screen.Picture:
    """What can be read of each token after each other one, and by which step it went."""
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
            explain=partial(steps, s, keys, remainders),
        ),
        title=_("What a query of length 1 can read of token j, after token i, at most"),
        alt=_("Heatmap of what is left of each token: it fades, and goes where a key comes again"),
        cell=live.default_cell(len(s.cut.ids)),
        table=say("remainder"),
        settings={
            "ids": s.cut.ids,
            "num_heads": 1,
            "head_dim": s.head_dim,
            "seed": s.seed,
            "gates": s.log_gates.exp().tolist(),
            "beta": s.beta,
        },
        caption=_(
            "Keys are random, and equal for equal tokens: a word that comes again overwrites what "
            "it wrote before."
        ),
    )


def readouts(s: Memory, shown: Shown) -> dict[str, str]:
    """What gates alone would leave of the followed token."""
    query, key = shown.cell
    alone = "–" if key > query else written(fox_bias(s.log_gates)[query, key].exp().item(), ".3%")
    return {_("gates alone leave"): alone}


def steps(s: Memory, keys: Tensor, remainders: Tensor, query: int, key: int) -> tuple[Step, ...]:
    """What was left a token before, what the query's key takes out, and the gate."""
    symbol = rf"\lVert u_{{{query},{key}}} \rVert"
    if key > query:
        return (masked(symbol),)
    beta = number(s.beta)
    if key == query:
        return (Step(symbol, r"\beta", "", s.beta),)
    before = remainders[query - 1, key]
    gate = s.log_gates[query].exp().item()
    size = Step(rf"\lVert u_{{{query - 1},{key}}} \rVert", "", "", before.norm().item())
    along = dot_step("c", keys[query], before, "k", "u")
    left = Step(
        "r",
        r"\lVert u \rVert^2 - \beta (2 - \beta)\, c^2",
        rf"{number(size.value)}^2 - {beta} (2 - {beta})\; ({number(along.value)})^2",
        size.value**2 - s.beta * (2 - s.beta) * along.value**2,
    )
    faded = gate * math.sqrt(max(left.value, 0.0))
    numbers = rf"{number(gate)} \sqrt{{{number(left.value)}}}"
    return size, along, left, Step(symbol, r"f_i \sqrt{r}", numbers, faded)
