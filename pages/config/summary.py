"""The same under every picture of the studio: readouts, what each method does, and a row each."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import torch

from pages.config.comparison import Studio
from pages.config.verdict import COLUMNS, basis, row, verdict
from posenc.precision.formula import max_angle_error
from posenc.words import say
from ui import screen
from ui.charts.methods import title
from ui.controls.model_config import plain
from ui.words import _, number, translate


def summary(
    s: Studio,
    code: str,
    first: screen.ScreenFigure,
    *others: Callable[[Any], screen.ScreenFigure],
) -> screen.Picture:
    """A picture with a sentence and a row for each method; and why a method does not fit."""
    sentences = [verdict(one) for one in s.outcomes]
    sentences += [
        _(
            "**{method}** does not fit this model: {reason}",
            method=title(method),
            reason=plain(translate(why)),
        )
        for method, why in s.refused.items()
    ]
    head = {name: (translate(word), translate(help)) for name, (word, help) in COLUMNS.items()}
    rows = [{head[column][0]: text for column, text in row(one).items()} for one in s.outcomes]
    names = pd.Index([title(one.method.id) for one in s.outcomes], name=_("method"))
    task = s.task
    last = torch.tensor([task.target - 1])
    unscaled = task.frequencies(task.unscaled, None)[0]
    error = float(max_angle_error(last, unscaled, torch.float32))
    turns = s.outcomes[0].coverage.turns
    unfinished = _("without a full turn in training")
    rounding = _("float32 angle error at L")
    return screen.Picture(
        figures=[
            first,
            screen.WordsFigure("\n".join(f"- {sentence}" for sentence in sentences)),
            screen.WordsFigure(basis(task)),
            screen.TableFigure(
                name=say("methods"), frame=pd.DataFrame(rows, names), help=dict(head.values())
            ),
            *others,
        ],
        readouts={
            _("rotated channels"): _(
                "{rotated} of {width}", rotated=task.layer.rotary_dim, width=task.width
            ),
            _("base"): number(task.layer.base, ",.0f"),
            _("pairs"): number(len(turns)),
            unfinished: number(int((turns < 1).sum())),
            rounding: _("{error:.2g} rad", error=error),
        },
        help={
            unfinished: _("The last ones; the first of them is the critical dimension."),
            rounding: _(
                "Largest over the pairs, unscaled, when position, frequency and product are "
                "rounded to float32."
            ),
        },
        code=code,
    )
