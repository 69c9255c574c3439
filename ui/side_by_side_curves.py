"""Scores and attention against distance and the entropy of each row, a curve for each encoding."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from plots.lines import Mark, Series, lines, one_label
from plots.style import NEUTRAL
from posenc import (
    CATALOGUE,
    attention_entropy,
    causal_mask,
    entropy_steps,
    mean_by_distance_steps,
)
from ui import screen, side_by_side, side_by_side_code
from ui.curve import Explain, curve_chart
from ui.side_by_side import TRAINED, Compared, Contender, Settings


def show(
    settings: Settings, contenders: Sequence[Contender], head: int
) -> tuple[screen.Frames, str]:
    """Scores and attention against distance, entropy of each row."""
    compared = side_by_side.compare(settings, contenders, "weights", head)
    scores = {one.name: one.scores.numpy() for one in compared}
    attention = {one.name: one.attention.numpy() for one in compared}
    entropy = {one.name: one.entropy.numpy() for one in compared}
    places = np.arange(settings.length).tolist()
    past = settings.layer is not None and settings.length > TRAINED.train_length
    marks = [Mark("x", TRAINED.train_length, "trained length")] if past else []
    scores_column, attention_column = st.columns(2, gap="large")
    with scores_column:
        show_curves(
            compared,
            scores,
            lambda n, distance: mean_by_distance_steps(compared[n].logits, distance, "l"),
            "score",
            f"Score of head {head} against distance",
            marks,
        )
    with attention_column:
        show_curves(
            compared,
            attention,
            lambda n, distance: mean_by_distance_steps(compared[n].weights, distance, r"\alpha"),
            "attention",
            "Attention against distance",
            marks,
        )
    shares = even_shares(settings)
    even = attention_entropy(shares)
    rows = [*((one.weights, one.entropy) for one in compared), (shares, even)]
    show_curves(
        compared,
        entropy,
        lambda n, query: entropy_steps(rows[n][0][query], query, rows[n][1][query].item()),
        "entropy",
        "Entropy of each row of attention",
        marks,
        even.numpy(),
    )
    if marks:
        names = [f"{one.name}, past {TRAINED.train_length}" for one in compared]
        screen.readouts(
            {name: f"{100 * one.far:.1f} %" for name, one in zip(names, compared, strict=True)},
            help={
                names[0]: "Share of the attention on keys farther back than any in training, mean "
                "over the queries that have such keys."
            },
        )
    st.caption("Against distance: the mean over all queries that have a key that far back.")
    side_by_side.caption(settings)
    frames = {
        "score": screen.curve_frame("distance", places, scores),
        "attention": screen.curve_frame("distance", places, attention),
        "entropy": screen.curve_frame("query", places, entropy | {"spread evenly": even.numpy()}),
    }
    return frames, side_by_side_code.curves(settings, contenders, head)


def even_shares(settings: Settings) -> Tensor:
    """Attention that gives each key that a query may see the same share, (length, length)."""
    n = settings.length
    allowed = causal_mask(n, n) if settings.causal else torch.ones(n, n, dtype=torch.bool)
    return allowed.double() / allowed.sum(dim=-1, keepdim=True)


def show_curves(
    compared: Sequence[Compared],
    curves: Mapping[str, np.ndarray],
    explain: Explain,
    name: str,
    title: str,
    marks: Sequence[Mark],
    even: np.ndarray | None = None,
) -> None:
    """One curve for each encoding, over distances or queries; one label names all of them."""
    last = len(compared[0].scores) - 1
    series = [
        Series(
            one.name,
            curves[one.name],
            color=CATALOGUE[one.contender.entry].color,
            dash=one.contender.dash,
            marker=one.contender.marker,
        )
        for one in compared
    ]
    if even is not None:
        series.append(Series("spread evenly", even, color=NEUTRAL, dash="dash", marker=""))
    figure = lines(
        np.arange(last + 1),
        series,
        title=title,
        x_title="query i" if name == "entropy" else "distance i − j",
        y_title="entropy (nats)" if name == "entropy" else name,
        marks=marks,
    )
    curve_chart(
        one_label(figure),
        explain,
        key=name,
        alt=f"Curves: {title}, one for each encoding",
        names=[one.name for one in series],
        places=(0, last),
        x_name="query" if name == "entropy" else "distance",
        default=(0, last if name == "entropy" else min(10, last)),
        height=360,
        rev=f"{last}",
    )
