"""How alike the rows of a sinusoidal table are, and the one curve behind it."""

import torch

from pages.absolute.settings import BYTES_A_DIMENSION, Settings
from plots.lines import Series
from posenc.sinusoidal.picture import SinusoidalSimilarity
from posenc.sinusoidal.shift import sinusoidal_similarity
from posenc.words import say
from ui import screen
from ui.words import _, number

CURVE = 1024
READ_OUT = (0, 1, 10, 100)
"""Distances whose similarity is read out."""


def picture(s: Settings) -> screen.Picture:
    """The dot products of all pairs of rows, and their curve."""
    quantity = SinusoidalSimilarity(s.length, *s.sinusoid)
    memory = BYTES_A_DIMENSION * s.d_model
    if s.d_model % 2 and s.layout != "tensor2tensor":
        odd = _("The last sine has no cosine beside it, so there is no one curve of distance.")
        return screen.Picture(figures=[matrix(s, quantity, odd)], memory=memory)
    some = sinusoidal_similarity(torch.tensor(READ_OUT), *s.sinusoid).tolist()
    return screen.Picture(
        figures=[matrix(s, quantity), curve(s, quantity)],
        readouts={
            _("at distance {distance}", distance=distance): number(value, ".4f")
            for distance, value in zip(READ_OUT, some, strict=True)
        },
        memory=memory,
    )


def matrix(s: Settings, quantity: SinusoidalSimilarity, caption: str = "") -> screen.MatrixFigure:
    """Every pair of rows."""
    return screen.MatrixFigure(
        key="similarity",
        quantity=quantity,
        title=_("Similarity PE(m)·PE(n) of {length:,} positions", length=s.length),
        alt=_("Heatmap of the dot products of all pairs of rows")
        if caption
        else _("Heatmap of dot products: largest on the diagonal, the same along each diagonal"),
        cell=(min(40, s.length - 1), min(10, s.length - 1)),
        table=say("similarity"),
        settings=s.program,
        caption=caption,
    )


def curve(s: Settings, quantity: SinusoidalSimilarity) -> screen.LinesFigure:
    distances = torch.arange(min(s.length, CURVE))
    values = sinusoidal_similarity(distances, *s.sinusoid)
    return screen.LinesFigure(
        key="curve",
        alt=_("Curve of similarity against distance"),
        x=distances,
        series=[Series(_("similarity"), values, marker="")],
        title=_("Similarity against distance"),
        x_title=_("distance |m − n|"),
        y_title="PE(m)·PE(n)",
        steps=lambda _curve, distance: quantity.steps(distance, 0),
        x_name=_("distance"),
        point=(0, min(10, len(distances) - 1)),
        table=say("curve"),
        settings=s.program | {"count": len(distances)},
        height=340,
    )
