"""Scores and attention against distance and the entropy of each row, a curve for each encoding."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from pages.side_by_side import code, comparison
from pages.side_by_side.comparison import TRAINED, Compared, ComparisonSettings
from pages.side_by_side.settings import Settings
from plots.lines import Mark, Series, one_label
from plots.names import name_curves
from plots.style import NEUTRAL
from posenc import causal_mask
from posenc.attention.measures import attention_entropy
from posenc.attention.steps.measures import entropy_steps, mean_by_distance_steps
from posenc.words import say
from ui import screen
from ui.charts.points import CurvePoint
from ui.words import _, translate


def picture(s: Settings) -> screen.Picture:
    """Scores and attention against distance, entropy of each row."""
    compared = comparison.compare(s.attention, s.compared, "weights", s.head)
    caption = _(
        "A point of both curves is the mean over all queries that have a key that far back."
    )
    by_distance = screen.RowFigure(
        figures=[scores(s, compared), partial(attention, s, compared)], caption=caption
    )
    return screen.Picture(
        words=comparison.what_to_see(s.attention, s.compared),
        figures=[by_distance, entropy(s, compared), *([far(compared)] if is_past(s) else [])],
        code=code.curves(s.attention, s.compared, s.head),
    )


def is_past(s: Settings) -> bool:
    """Whether the text is longer than those of training."""
    return s.is_trained and s.attention.length > TRAINED.train_length


def figure(
    s: Settings,
    compared: Sequence[Compared],
    curves: Sequence[Tensor],
    title: str,
    more: Sequence[Series] = (),
    **its: Any,
) -> screen.LinesFigure:
    """One curve for each encoding, over distances or queries; one label names all of them."""
    series = [
        Series(one.name, curve, **vars(one.contender.look))
        for one, curve in zip(compared, curves, strict=True)
    ]
    return screen.LinesFigure(
        alt=_("Curves: {title}, one for each encoding", title=title),
        x=range(s.attention.length),
        series=[*series, *more],
        title=title,
        marks=[Mark("x", TRAINED.train_length, _("trained length"))] if is_past(s) else [],
        finish=lambda drawn: name_curves(one_label(drawn)),
        height=360,
        rev=f"{s.attention.length - 1}",
        **its,
    )


def scores(s: Settings, compared: Sequence[Compared]) -> screen.LinesFigure:
    """Mean score at each distance."""
    return figure(
        s,
        compared,
        [one.scores for one in compared],
        _("Score of head {head} against distance ({made})", head=s.head, made=s.made),
        key="score",
        x_title=_("distance i − j"),
        y_title=_("score"),
        steps=lambda n, distance: mean_by_distance_steps(compared[n].logits, distance, "l"),
        x_name=_("distance"),
        point=(0, min(10, s.attention.length - 1)),
        shared=("attention",),
        table=say("score"),
    )


def attention(s: Settings, compared: Sequence[Compared], point: CurvePoint) -> screen.LinesFigure:
    """Mean attention at the same distances."""
    return figure(
        s,
        compared,
        [one.attention for one in compared],
        _("Attention against distance ({made})", made=s.made),
        key="attention",
        x_title=_("distance i − j"),
        y_title=_("attention"),
        steps=lambda n, distance: mean_by_distance_steps(compared[n].weights, distance, r"\alpha"),
        x_name=_("distance"),
        point=point,
        table=say("attention"),
    )


def entropy(s: Settings, compared: Sequence[Compared]) -> screen.LinesFigure:
    """Entropy of each row of attention, and of one that is spread evenly."""
    shares = even_shares(s.attention)
    even = attention_entropy(shares)
    rows = [*((one.weights, one.entropy) for one in compared), (shares, even)]
    evenly = Series(translate(say("spread evenly")), even, color=NEUTRAL, dash="dash", marker="")
    last = s.attention.length - 1
    return figure(
        s,
        compared,
        [one.entropy for one in compared],
        _("Entropy of each row of attention ({made})", made=s.made),
        [evenly],
        key="entropy",
        x_title=_("query i"),
        y_title=_("entropy (nats)"),
        steps=lambda n, query: entropy_steps(rows[n][0][query], query, rows[n][1][query].item()),
        x_name=_("query"),
        point=(0, last),
        table=say("entropy"),
        caption=comparison.caption(s.attention),
    )


def far(compared: Sequence[Compared]) -> screen.ReadoutsFigure:
    """How much attention goes farther back than the models were trained on."""
    length = TRAINED.train_length
    labels = [_("{encoding}, past {length}", encoding=one.name, length=length) for one in compared]
    return screen.ReadoutsFigure(
        readouts={
            label: _("{share:.1f}%", share=100 * one.far)
            for label, one in zip(labels, compared, strict=True)
        },
        help={
            labels[0]: _(
                "The share of the attention on keys farther back than any in training: the mean "
                "over the queries that have such keys."
            )
        },
    )


def even_shares(settings: ComparisonSettings) -> Tensor:
    """Attention that gives each key that a query may see the same share, (length, length)."""
    n = settings.length
    allowed = causal_mask(n, n) if settings.causal else torch.ones(n, n, dtype=torch.bool)
    return allowed.double() / allowed.sum(dim=-1, keepdim=True)
