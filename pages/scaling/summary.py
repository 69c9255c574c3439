"""The same under every picture of the Scaling screen: readouts, a sentence and a row each."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from advisor.comparing.outcome import Outcome
from pages.scaling.settings import Settings
from posenc.words import say
from ui import screen
from ui.charts.methods import divisor, names, new_angles, title
from ui.words import _, number, rounded, translate


def summary(
    s: Settings,
    first: screen.LinesFigure,
    *others: Callable[[Any], screen.RowFigure | screen.LinesFigure],
) -> screen.Picture:
    """A picture with a row and a sentence for each method; and why a method does not fit."""
    outcomes, refused = s.compared
    drawn = s.outcomes
    turns = outcomes[0].coverage.turns
    rows = [
        {
            _("base"): number(one.base, ",.0f"),
            _("fastest pair ÷"): divisor(float(one.slowed[0])),
            _("slowest pair ÷"): divisor(float(one.slowed[-1])),
            _("pairs that meet unseen angles"): number(int(one.coverage.is_new.sum())),
            _("attention factor"): number(one.reading.attention_factor, ".4f"),
        }
        for one in drawn
    ]
    sentences = [f"{_slowing(one)} {new_angles(one)}" for one in outcomes]
    sentences += [
        _(
            "**{method}** does not fit this head: {reason}",
            method=title(name),
            reason=translate(why),
        )
        for name, why in refused.items()
    ]
    return screen.Picture(
        figures=[
            first,
            screen.WordTableFigure(
                name=say("methods"),
                frame=pd.DataFrame(rows, [*map(title, names(drawn))]).rename_axis(_("method")),
            ),
            screen.WordsFigure("\n".join(f"- {sentence}" for sentence in sentences)),
            *others,
            s.config_links,
        ],
        readouts={
            _("trained length"): number(s.train_length),
            _("target length"): number(s.target),
            _("pairs"): number(len(turns)),
            _("pairs that never finish a turn in training"): number(int((turns < 1).sum())),
        },
    )


def _slowing(one: Outcome) -> str:
    """The method's effect on the pairs, in Markdown."""
    name = title(one.method.id)
    slowing = one.changed
    fastest, slowest = float(one.slowed[0]), float(one.slowed[-1])
    if slowing.stopped:
        return _(
            "**{method}** stops the {count} slowest pairs, which then carry no position.",
            method=name,
            count=slowing.stopped,
        )
    if fastest == slowest == 1:
        return _("**{method}** leaves every pair as it was trained.", method=name)
    if fastest == slowest:
        return _(
            "**{method}** slows every pair by a factor of {times}.",
            method=name,
            times=rounded(slowest, 3),
        )
    if fastest == 1:
        return _(
            "**{method}** keeps the fastest pair and slows the slowest by a factor of {times}.",
            method=name,
            times=rounded(slowest, 3),
        )
    return _(
        "**{method}** slows the fastest pair by a factor of {fastest} and the slowest by "
        "{slowest}.",
        method=name,
        fastest=rounded(fastest, 3),
        slowest=rounded(slowest, 3),
    )
