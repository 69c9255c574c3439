"""ALiBi's slopes for any head count, as the code in use computes them, side by side."""

from collections.abc import Mapping

import numpy as np
from torch import Tensor

from pages.alibi.settings import Heads
from plots.lines import Series
from posenc.alibi.other_slopes import SLOPE_SCHEMES
from posenc.alibi.steps import alibi_scheme_steps
from posenc.words import say
from ui import screen
from ui.words import _, number, rounded, translate

NAMES = {
    "authors": say("authors' code (also BLOOM, Baichuan 2)"),
    "mpt": say("MPT, from the power of two above"),
    "one_series": say("the paper's sentence, one series"),
    "from_zero": say("one series from h = 0 (a mistake)"),
}
"""Labels of the lists, by the ids of `SLOPE_SCHEMES`."""
AGREE = 1e-12
LISTED = 16
"""Slopes at most that stand above the picture."""


def picture(s: Heads) -> screen.Picture:
    """The lists as dots, and in words how far they differ."""
    num_heads = s.num_heads
    lists = {scheme: make(num_heads) for scheme, make in SLOPE_SCHEMES.items()}
    right = s.slopes
    off = {
        scheme: _("{off} of {heads}", off=int(differing(slopes, right).sum()), heads=num_heads)
        for scheme, slopes in lists.items()
    }
    return screen.Picture(
        figures=[curves(num_heads, lists)],
        words=f"{listed(right)}\n\n{in_words(num_heads, right, lists['one_series'])}",
        readouts={
            _("heads wrong with one series"): off["one_series"],
            _("heads wrong if h starts at 0"): off["from_zero"],
            _("heads that differ in MPT"): off["mpt"],
            _("steepest slope"): number(float(right.max()), ".6g"),
        },
    )


def curves(num_heads: int, lists: Mapping[str, Tensor]) -> screen.LinesFigure:
    schemes = list(lists)
    return screen.LinesFigure(
        key="schemes",
        alt=_("Slopes of the heads under four rules, on a logarithmic axis"),
        x=np.arange(num_heads),
        series=[
            Series(translate(NAMES[scheme]), slopes, joined=False)
            for scheme, slopes in lists.items()
        ],
        title=_("ALiBi slope of each of {heads} heads", heads=num_heads),
        x_title=_("head h"),
        y_title=_("slope (per token)"),
        log_y=True,
        steps=lambda curve, head: alibi_scheme_steps(schemes[curve], num_heads, head),
        x_name=_("head"),
        point=(0, num_heads - 1),
        table=say("slopes"),
        settings={"num_heads": num_heads},
        rev=f"{num_heads}",
        height=320,
        caption=_("The slopes of all heads stand below, under Numbers.")
        if num_heads > LISTED
        else "",
    )


def listed(slopes: Tensor) -> str:
    """The slopes as numbers: all, or those of the first heads."""
    shown = ", ".join(rounded(slope, 6) for slope in slopes[:LISTED].tolist())
    if len(slopes) > LISTED:
        return _("Slopes of the first {count} heads: {shown} …", count=LISTED, shown=shown)
    return _("Slopes from head 0 on: {shown}.", shown=shown)


def in_words(num_heads: int, right: Tensor, series: Tensor) -> str:
    """Whether the rules agree for this head count, in Markdown."""
    if num_heads & (num_heads - 1) == 0:
        return _(
            "**{heads} is a power of two**: the authors' code, MPT and the paper's sentence give "
            "one list, **{first:.6g}** to **{last:.6g}**.",
            heads=num_heads,
            first=float(right[0]),
            last=float(right[-1]),
        )
    below = 2 ** (num_heads.bit_length() - 1)
    worst = int((right / series).log().abs().argmax())
    return _(
        "**{heads} is not a power of two**: the authors' code gives the {below} slopes of {below} "
        "heads and then every second slope of {above} heads. One series for all heads, as the "
        "paper's sentence suggests, differs in **{off} heads**; head {worst} gets {wrong:.4g} "
        "in place of **{right:.4g}**.",
        heads=num_heads,
        below=below,
        above=2 * below,
        off=int(differing(series, right).sum()),
        worst=worst,
        wrong=float(series[worst]),
        right=float(right[worst]),
    )


def differing(slopes: Tensor, right: Tensor) -> Tensor:
    """bool: which heads have another slope, rounding aside."""
    return (slopes / right - 1).abs() > AGREE
