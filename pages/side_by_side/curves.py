"""Scores and attention against distance and the entropy of each row, a curve for each encoding."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
import streamlit as st
import torch
from torch import Tensor

from pages.side_by_side import code as side_by_side_code
from pages.side_by_side import comparison as side_by_side
from pages.side_by_side.comparison import TRAINED, Compared, ComparisonSettings, Contender
from plots.lines import Mark, Series, lines, one_label
from plots.style import NEUTRAL
from posenc import causal_mask
from posenc.attention.measures import attention_entropy
from posenc.attention.steps.measures import entropy_steps, mean_by_distance_steps
from ui import screen
from ui.charts.curve import curve_chart, followed_chart

EVEN = "spread evenly"


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
    marks = [Mark("x", TRAINED.train_length, "trained length")] if past else []
    names, last = [one.name for one in compared], settings.length - 1
    left, right = st.columns(2, gap="large")
    title = f"Score of head {head} against distance"
    with left:
        point = curve_chart(
            picture(compared, scores, "score", "distance i − j", title, marks),
            lambda n, distance: mean_by_distance_steps(compared[n].logits, distance, "l"),
            key="score",
            alt=f"Curves: {title}, one for each encoding",
            names=names,
            places=(0, last),
            x_name="distance",
            default=(0, min(10, last)),
            height=360,
            rev=f"{last}",
            shared=("attention",),
        )
    title, weights = "Attention against distance", compared[point.curve].weights
    with right:
        followed_chart(
            picture(compared, attention, "attention", "distance i − j", title, marks),
            mean_by_distance_steps(weights, point.place, r"\alpha"),
            point,
            key="attention",
            alt=f"Curves: {title}, one for each encoding",
            height=360,
            rev=f"{last}",
        )
    st.caption("Against distance: the mean over all queries that have a key that far back.")
    shares = even_shares(settings)
    even = attention_entropy(shares)
    rows = [*((one.weights, one.entropy) for one in compared), (shares, even)]
    title = "Entropy of each row of attention"
    curve_chart(
        picture(compared, entropy, "entropy (nats)", "query i", title, marks, even.numpy()),
        lambda n, query: entropy_steps(rows[n][0][query], query, rows[n][1][query].item()),
        key="entropy",
        alt=f"Curves: {title}, one for each encoding",
        names=[*names, EVEN],
        places=(0, last),
        x_name="query",
        default=(0, last),
        height=360,
        rev=f"{last}",
    )
    if marks:
        past_names = [f"{name}, past {TRAINED.train_length}" for name in names]
        screen.readouts(
            {
                name: f"{100 * one.far:.1f} %"
                for name, one in zip(past_names, compared, strict=True)
            },
            help={
                past_names[
                    0
                ]: "Share of the attention on keys farther back than any in training, mean "
                "over the queries that have such keys."
            },
        )
    side_by_side.caption(settings)
    return screen.ScreenView(
        lambda: {
            "score": screen.curve_frame("distance", places, scores),
            "attention": screen.curve_frame("distance", places, attention),
            "entropy": screen.curve_frame("query", places, entropy | {EVEN: even.numpy()}),
        },
        side_by_side_code.curves(settings, contenders, head),
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
) -> go.Figure:
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
        series.append(Series(EVEN, even, color=NEUTRAL, dash="dash", marker=""))
    places = np.arange(len(compared[0].scores))
    figure = lines(places, series, title=title, x_title=x_title, y_title=name, marks=marks)
    return one_label(figure)
