"""The one map that moves all rows of a sinusoidal table, and RoPE's rotation beside it."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import torch

from pages.absolute import settings
from posenc import sinusoidal_table
from posenc.quantity.matrix import Axis, Computed
from posenc.rope.pairs import Layout
from posenc.sinusoidal.formula import sinusoidal_at, sinusoidal_inv_freq
from posenc.sinusoidal.steps import sinusoidal_shift_steps
from posenc.study import rope_rotation_matrix, sinusoidal_shift
from posenc.words import say
from ui import screen
from ui.controls import entry
from ui.controls import number as number_control
from ui.screen.budget import room
from ui.words import _, number

CHECKED = 256
"""Positions at which the map is checked."""


@dataclass(frozen=True, kw_only=True)
class Settings(settings.Settings):
    """The map is the same wherever it begins, and asks for no length."""

    first: ClassVar = ("d_model", "offset")

    d_model: int = settings.d_model(2, even=True)
    length: int = 128
    offset: int = entry(
        number_control,
        say("Shift k"),
        3,
        -100_000,
        100_000,
        help=say("The map Mₖ moves every position by k."),
    )


def picture(s: Settings) -> screen.Picture:
    """The map from PE(p) to PE(p + k), checked.

    Raises:
        ValueError: If the map would need too much memory, or d_model is odd.
    """
    with room(
        6 * s.d_model**2 * 8,
        say("A map of {width:,} × {width:,} numbers", width=s.d_model),
        say("Take a smaller width."),
    ):
        return _picture(s)


def _picture(s: Settings) -> screen.Picture:
    d_model, base, layout = s.sinusoid
    k = s.offset
    shift = sinusoidal_shift(k, d_model, base, layout)
    before = sinusoidal_table(CHECKED, d_model, base, layout)
    after = sinusoidal_at(torch.arange(CHECKED) + k, d_model, base, layout)
    order: Layout = "interleaved" if layout == "interleaved" else "half"
    rotation = rope_rotation_matrix(-k, sinusoidal_inv_freq(d_model, base, layout), order)
    axes = Axis(say("dimension of PE(p + k)"), d_model), Axis(say("dimension of PE(p)"), d_model)
    explain = partial(sinusoidal_shift_steps, offset=k, d_model=d_model, base=base, layout=layout)
    figure = screen.MatrixFigure(
        key="shift",
        quantity=Computed(shift, "Mₖ", *axes, signed=True, explain=explain),
        title=_("The map from PE(p) to PE(p + {offset})", offset=k),
        alt=_("Heatmap of the map: cosines and sines where two columns are a pair, zero elsewhere"),
        cell=(0, 0),
        table=say("shift"),
        settings=s.program | {"offset": k},
        caption=_(
            "Checked at p = 0 … {last}. R is RoPE's rotation matrix with the same frequencies, in "
            "the interleaved layout.",
            last=CHECKED - 1,
        )
        if order == "interleaved"
        else _(
            "Checked at p = 0 … {last}. R is RoPE's rotation matrix with the same frequencies, in "
            "the half layout.",
            last=CHECKED - 1,
        ),
    )
    largest = {
        _("largest |Mₖ PE(p) − PE(p + k)|"): before @ shift.T - after,
        _("largest |Mₖ Mₖᵀ − I|"): shift @ shift.T - torch.eye(d_model),
        _("largest |Mₖ − R₋ₖ| of RoPE"): shift - rotation,
    }
    return screen.Picture(
        figures=[figure],
        readouts={name: number(d.abs().max().item(), ".2g") for name, d in largest.items()},
    )
