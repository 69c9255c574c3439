"""Scores and attention against distance and the entropy of each row, a curve for each encoding."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from pages.side_by_side import code as side_by_side_code
from pages.side_by_side import comparison as side_by_side
from pages.side_by_side.comparison import TRAINED, Compared, ComparisonSettings, Contender
from plots.figure import Figure
from plots.lines import Mark, Series, lines, one_label
from plots.style import NEUTRAL
from posenc import causal_mask
from posenc.attention.measures import attention_entropy
from posenc.attention.steps.measures import entropy_steps, mean_by_distance_steps
from posenc.words import say
from ui import screen
from ui.charts.curve import curve_chart, followed_chart
from ui.words import _, translate

EVEN = say("spread evenly")


def show(
    settings: ComparisonSettings, contenders: Sequence[Contender], head: int
) -> screen.ScreenView:
    """Scores and attention against distance, entropy of each row."""
    compared = side_by_side.compare(settings, contenders, "weights", head)
    scores = {one.name: one.scores.numpy() for one in compared}
    attention = {one.name: one.attention.numpy() for one in compared}
    entropy = {one.name: one.entropy.numpy() for one in compared}
    places = np.arange(settings.length).tolist()
    past = settings.layer is not None and settings.length > TRAINED.train_length
    marks = [Mark("x", TRAINED.train_length, _("trained length"))] if past else []
    names = [one.name for one in compared]
    last = settings.length - 1
    score, weight, distance = _("score"), _("attention"), _("distance i − j")
    left, right = st.columns(2, gap="large")
    title = _("Score of head {head} against distance", head=head)
    with left:
        point = curve_chart(
            picture(compared, scores, score, distance, title, marks),
            lambda n, distance: mean_by_distance_steps(compared[n].logits, distance, "l"),
            key="score",
            alt=described(title),
            names=names,
            places=(0, last),
            x_name=_("distance"),
            default=(0, min(10, last)),
            height=360,
            rev=f"{last}",
            shared=("attention",),
        )
    title = _("Attention against distance")
    weights = compared[point.curve].weights
    with right:
        followed_chart(
            picture(compared, attention, weight, distance, title, marks),
            mean_by_distance_steps(weights, point.place, r"\alpha"),
            point,
            key="attention",
            alt=described(title),
            height=360,
            rev=f"{last}",
        )
    st.caption(
        _("A point of both curves is the mean over all queries that have a key that far back.")
    )
    shares = even_shares(settings)
    even = attention_entropy(shares)
    rows = [*((one.weights, one.entropy) for one in compared), (shares, even)]
    title, nats = _("Entropy of each row of attention"), _("entropy (nats)")
    curve_chart(
        picture(compared, entropy, nats, _("query i"), title, marks, even.numpy()),
        lambda n, query: entropy_steps(rows[n][0][query], query, rows[n][1][query].item()),
        key="entropy",
        alt=described(title),
        names=[*names, EVEN],
        places=(0, last),
        x_name=_("query"),
        default=(0, last),
        height=360,
        rev=f"{last}",
    )
    if marks:
        show_far(compared)
    side_by_side.caption(settings)
    spread = entropy | {translate(EVEN): even.numpy()}
    return screen.ScreenView(
        lambda: {
            score: screen.curve_frame(_("distance"), places, scores),
            weight: screen.curve_frame(_("distance"), places, attention),
            _("entropy"): screen.curve_frame(_("query"), places, spread),
        },
        side_by_side_code.curves(settings, contenders, head),
    )


def described(title: str) -> str:
    """A picture of curves, for those who cannot see it."""
    return _("Curves: {title}, one for each encoding", title=title)


def show_far(compared: Sequence[Compared]) -> None:
    """How much attention goes farther back than the models were trained on."""
    length = TRAINED.train_length
    labels = [_("{encoding}, past {length}", encoding=one.name, length=length) for one in compared]
    screen.readouts(
        {
            label: _("{share:.1f} %", share=100 * one.far)
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


def picture(
    compared: Sequence[Compared],
    curves: Mapping[str, np.ndarray],
    name: str,
    x_title: str,
    title: str,
    marks: Sequence[Mark],
    even: np.ndarray | None = None,
) -> Figure:
    """One curve for each encoding, over distances or queries; one label names all of them."""
    series = [
        Series(
            one.name,
            curves[one.name],
            color=one.contender.look.color,
            dash=one.contender.look.dash,
            marker=one.contender.look.marker,
        )
        for one in compared
    ]
    if even is not None:
        series.append(Series(translate(EVEN), even, color=NEUTRAL, dash="dash", marker=""))
    places = np.arange(len(compared[0].scores))
    figure = lines(places, series, title=title, x_title=x_title, y_title=name, marks=marks)
    return one_label(figure)
