"""Weighted sinusoids of the distance, as a bias of each head."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from pages.relative import settings
from plots.lines import Series
from posenc.random_model import randomise
from posenc.transformer_xl.distance_alone import SinusoidalBias
from posenc.transformer_xl.picture import SinusoidalBiasMatrix
from posenc.words import say
from ui import screen
from ui.controls import entry, number
from ui.text import controls as text_controls
from ui.words import _

CURVE = 512
"""Distances on each side of one picture of curves."""
HEADS = 6
"""Curves of heads: more cannot be told apart."""
BYTES_A_DIMENSION = 16_000
"""Two copies of 1,000 float64."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    first: ClassVar = ("num_heads", "head")

    num_heads: int = settings.num_heads(4)
    length: int = settings.length(128, 1_000_000)
    head: int = text_controls.head()
    d_model: int = entry(
        number,
        say("Sinusoids"),
        64,
        2,
        2048,
        even=True,
        help=say("Sines and cosines in R; an even number."),
    )
    base: float = entry(
        number,
        say("Base"),
        10000.0,
        1.001,
        1e12,
        help=say("Base of the frequencies; 10000 in Transformer-XL."),
    )
    seed: int = settings.seed()


def picture(s: Settings) -> screen.Picture:
    """One head's bias as a matrix, and some heads' as curves of distance."""
    encoding = SinusoidalBias(s.num_heads, s.d_model, s.base)
    randomise(encoding, s.seed, std=s.d_model**-0.5)
    weight = encoding.weight.detach()

    return screen.Picture(
        figures=[matrix(s, weight[s.head]), curves(s, weight[:HEADS])],
        memory=BYTES_A_DIMENSION * s.d_model,
    )


def matrix(s: Settings, weight: Tensor) -> screen.MatrixFigure:
    return screen.MatrixFigure(
        key="sinusoidal",
        quantity=SinusoidalBiasMatrix(weight, s.length, s.base),
        title=_("Sinusoidal relative bias of head {head}", head=s.head),
        alt=_("Heatmap of a bias that is constant along diagonals"),
        cell=(min(8, s.length - 1), min(3, s.length - 1)),
        table=say("bias"),
        settings=screen.only(s, "num_heads", "d_model", "base", "seed", "head"),
        caption=_("The weights w are random numbers; they stand in for trained ones."),
    )


def curves(s: Settings, weights: Tensor) -> screen.LinesFigure:
    reach = min(s.length, CURVE)
    distances = torch.arange(1 - reach, reach)
    biases = [SinusoidalBiasMatrix(weight, s.length, s.base) for weight in weights]
    return screen.LinesFigure(
        key="curves",
        alt=_("One curve of bias against distance for each head"),
        x=distances,
        series=[
            Series(_("head {head}", head=h), against_distance(bias, reach), marker="")
            for h, bias in enumerate(biases)
        ],
        title=_(
            "Bias against distance, heads 0 to {last}, distances −{reach} … {reach}",
            last=len(biases) - 1,
            reach=reach - 1,
        ),
        x_title=_("distance i − j (negative: the future)"),
        y_title=_("bias"),
        steps=lambda h, distance: biases[h].steps(max(distance, 0), max(-distance, 0)),
        x_name=_("distance"),
        point=(0, min(5, reach - 1)),
        table=say("curves"),
        settings=screen.only(s, "num_heads", "d_model", "base", "seed") | {"reach": reach},
        height=360,
    )


def against_distance(bias: SinusoidalBiasMatrix, reach: int) -> Tensor:
    """The bias at distances 1 - reach … reach - 1: its first row, backwards, and first column."""
    first = torch.tensor([0])
    some = torch.arange(reach)
    future = bias.at(first, some)[0].flip(0)
    past = bias.at(some, first)[1:, 0]
    return torch.cat((future, past))
