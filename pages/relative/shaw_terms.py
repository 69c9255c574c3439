"""Shaw's key and value terms on random vectors: what position adds to scores and to outputs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import torch
from torch import Tensor

from pages.relative import settings
from posenc import Shaw, Trace, attend
from posenc.attention.steps.pairs import attention_steps, output_steps
from posenc.quantity.matrix import Axis, Computed, queries_by_keys
from posenc.quantity.step import Step
from posenc.random_model import RandomProjections, randomise
from posenc.shaw.steps import shaw_key_steps, shaw_value_steps
from posenc.words import say
from ui import screen
from ui.charts.follow import Explain
from ui.charts.panels import Panel
from ui.screen.budget import room
from ui.words import _, number

CELLS = (256, 256)
"""As many as the longest text has tokens: every cell of a panel is exact."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    first: ClassVar = ("length", "max_distance")

    length: int = settings.length(24, 256)
    max_distance: int = settings.max_distance()
    head_dim: int = settings.head_dim()
    seed: int = settings.seed()


def picture(s: Settings) -> screen.Picture:
    """The key term, the score with and without it, and the value term."""
    # Between so few tokens no distance is longer: what is clipped beyond is never asked for.
    s = replace(s, max_distance=min(s.max_distance, max(1, s.length - 1)))
    shaw, trace, v = shaw_trace(s.length, s.max_distance, s.head_dim, s.seed)
    term = trace.bias[0, 0]
    program = screen.only(s, "length", "max_distance", "head_dim", "seed")

    def key_term(row: int, col: int) -> tuple[Step, ...]:
        return shaw_key_steps(shaw, trace.q[0, 0, row], row, col, term[row, col].item())

    matrix = screen.MatrixFigure(
        key="shaw",
        quantity=Computed(
            term, "q·aᴷ / √d", *queries_by_keys(s.length), signed=True, explain=key_term
        ),
        title=_("What the key embeddings add to each score"),
        alt=_("Heatmap of the key term: each row follows its query, constant beyond the clip"),
        cell=(s.length - 1, s.length // 2),
        table=say("key term"),
        settings=program,
        height=420,
        caption=_(
            "Queries, keys, values and both tables are random numbers from the seed. There is one "
            "head and no mask."
        ),
    )
    sizes = {
        _("largest content score"): trace.scaled,
        _("largest key term"): trace.bias,
        _("largest output without aⱽ"): trace.output - trace.mixed,
        _("largest value term"): trace.mixed,
    }
    return screen.Picture(
        figures=[
            matrix,
            lambda shown: scores(trace, key_term, shown.cell, program),
            outputs(shaw, trace, v, program),
        ],
        readouts={name: number(values.abs().max().item(), ".3g") for name, values in sizes.items()},
    )


@torch.no_grad()
def shaw_trace(
    length: int, max_distance: int, head_dim: int, seed: int
) -> tuple[Shaw, Trace, Tensor]:
    """Shaw's encoding, one attention of one head with both of its terms, and values, float32.

    Raises:
        ValueError: If that would need too much memory.
    """
    rows = 2 * max_distance + 1
    with room(
        4 * head_dim * (2 * rows + 4 * length**2),
        say("Shaw's tables of {rows:,} rows, and {length} tokens,", rows=rows, length=length),
        say("Take fewer tokens or a narrower head."),
    ):
        return _shaw_trace(length, max_distance, head_dim, seed)


def _shaw_trace(
    length: int, max_distance: int, head_dim: int, seed: int
) -> tuple[Shaw, Trace, Tensor]:
    model = RandomProjections(seed, head_dim, num_heads=1, head_dim=head_dim)
    q, k, v = model.project(model.embed(range(length)))
    shaw = Shaw(head_dim, max_distance)
    randomise(shaw, seed)
    return shaw, attend(q, k, v, shaw, trace=True), v


def scores(
    trace: Trace, key_term: Explain, cell: tuple[int, int], program: Mapping[str, Any]
) -> screen.PanelsFigure:
    """Content, key term and their sum on one scale."""
    panels: dict[str, tuple[str, Tensor, Explain]] = {
        "content": (
            say("content q·k / √d"),
            trace.scaled,
            partial(attention_steps, trace, "scaled"),
        ),
        "key": (say("key term q·aᴷ / √d"), trace.bias, key_term),
        "sum": (
            say("their sum"),
            trace.logits,
            lambda i, j: attention_steps(trace, "logits", i, j, bias=key_term(i, j)),
        ),
    }
    return screen.PanelsFigure(
        key="scores",
        title=_("The score from its two terms, on one scale"),
        alt=_("Heatmaps of content, key term and their sum"),
        panels=[
            Panel(tag, name, quantity(stage, explain, say("score"), say("key j")))
            for tag, (name, stage, explain) in panels.items()
        ],
        height=340,
        cell=cell,
        settings=program,
        tag="sum",
        cells=CELLS,
    )


def outputs(shaw: Shaw, trace: Trace, v: Tensor, program: Mapping[str, Any]) -> screen.PanelsFigure:
    """Output without the value term, the value term, and their sum, on one scale."""

    def value_term(row: int, channel: int) -> tuple[Step, ...]:
        weights = trace.weights[0, 0, row]
        value = trace.mixed[0, 0, row, channel].item()
        return shaw_value_steps(shaw, weights, row, channel, value)

    panels: dict[str, tuple[str, Tensor, Explain]] = {
        "values": (
            "Σ α v",
            trace.output - trace.mixed,
            lambda row, channel: output_steps(trace, v, row, channel)[:1],
        ),
        "embeddings": ("Σ α aⱽ", trace.mixed, value_term),
        "output": (say("output"), trace.output, partial(output_steps, trace, v)),
    }
    return screen.PanelsFigure(
        key="outputs",
        title=_("The output from its two terms, on one scale"),
        alt=_("Heatmaps of the output without aⱽ, of the term of aⱽ, and of their sum"),
        panels=[
            Panel(tag, name, quantity(stage, explain, say("output"), say("channel")))
            for tag, (name, stage, explain) in panels.items()
        ],
        height=340,
        cell=(len(v[0, 0]) - 1, 0),
        settings=program,
        tag="output",
        cells=CELLS,
    )


def quantity(stage: Tensor, explain: Explain, name: str, columns: str) -> Computed:
    """One stage of the one head, a row for each query."""
    axes = Axis(say("query i"), stage.shape[-2]), Axis(columns, stage.shape[-1])
    return Computed(stage[0, 0], name, *axes, signed=True, explain=explain)
