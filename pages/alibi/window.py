"""How far each head sees where all scores are equal."""

import torch

from pages.alibi.settings import OneHead
from plots.lines import Series
from posenc.alibi.steps import alibi_flat_weight_steps, alibi_window_steps
from posenc.alibi.window import alibi_flat_weights, alibi_window
from posenc.words import say
from ui import screen
from ui.words import _

CURVES = 8
CURVE_POINTS = 1024
MOST_WEIGHTS = 1 << 20
"""Weights that a notebook adds up at most."""


def picture(s: OneHead) -> screen.Picture:
    """Attention against distance, and the tokens that hold most of it."""
    count = min(s.length, CURVE_POINTS)
    return screen.Picture(figures=[attention(s, count), windows(s)])


def attention(s: OneHead, count: int) -> screen.LinesFigure:
    """The weights of the last query, a curve for each of the first heads."""
    distances = torch.arange(count)
    weights = alibi_flat_weights(s.slopes[:CURVES], distances, s.length)
    settings = {"num_heads": s.num_heads, "length": s.length, "count": count}
    return screen.LinesFigure(
        key="window",
        alt=_("Curves of attention share against distance, one for each head"),
        x=distances,
        series=[Series(_("head {head}", head=h), y) for h, y in enumerate(weights)],
        title=_("ALiBi: attention of the last query when all content scores are equal"),
        x_title=_("distance i − j (tokens)"),
        y_title=_("share of attention"),
        log_y=True,
        y_range=(1e-5, 1),
        steps=lambda h, distance: alibi_flat_weight_steps(s.slopes[h].item(), distance, s.length),
        x_name=_("distance"),
        point=(0, min(4, count - 1)),
        table=say("attention"),
        settings=settings if s.length <= MOST_WEIGHTS else None,
        rev=f"{s.length}",
    )


def windows(s: OneHead) -> screen.BarsFigure:
    """The tokens that hold 90%, a bar for each head."""
    tokens = alibi_window(s.slopes, s.length)
    return screen.BarsFigure(
        key="windows",
        alt=_("Bars of the window of each head"),
        values=tokens,
        name=_("tokens"),
        title=_("Tokens that hold 90% of a head's flat attention"),
        x_title=_("head h"),
        y_title=_("tokens"),
        log_y=True,
        y_range=(1, 1.2 * tokens.max().item()),
        steps=lambda _curve, head: alibi_window_steps(s.slopes[head].item(), s.length),
        x_name=_("head"),
        point=(0, s.head),
        table=say("windows"),
        settings={"num_heads": s.num_heads, "length": s.length},
        height=340,
    )
