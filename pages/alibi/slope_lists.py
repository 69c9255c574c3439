"""ALiBi's slopes for any head count, as the code in use computes them, side by side."""

import numpy as np
import streamlit as st
from torch import Tensor

from plots.lines import Series, lines
from posenc import alibi_slopes
from posenc.alibi.other_slopes import SLOPE_SCHEMES
from posenc.alibi.steps import alibi_scheme_steps
from posenc.words import say
from ui import notebooks, screen
from ui.charts.curve import curve_chart
from ui.words import _, number, translate

NAMES = {
    "authors": say("authors' code (also BLOOM, Baichuan 2)"),
    "mpt": say("MPT, from the power of two above"),
    "one_series": say("the paper's sentence, one series"),
    "from_zero": say("one series from h = 0 (a mistake)"),
}
"""Labels of the lists, by the ids of `SLOPE_SCHEMES`."""
AGREE = 1e-12


def show(num_heads: int) -> screen.ScreenView:
    """The sentence, the lists as curves, and the table.

    Args:
        num_heads: Number of heads.

    Returns:
        The table, and a program that makes it.
    """
    lists = {scheme: make(num_heads) for scheme, make in SLOPE_SCHEMES.items()}
    right = alibi_slopes(num_heads)
    schemes = list(lists)
    st.markdown(in_words(num_heads, right, lists["one_series"]))
    curves = {translate(NAMES[scheme]): slopes.numpy() for scheme, slopes in lists.items()}
    figure = lines(
        np.arange(num_heads),
        [Series(name, slopes) for name, slopes in curves.items()],
        title=_("Slope of each of {heads} heads", heads=num_heads),
        x_title=_("head h"),
        y_title=_("slope (per token)"),
        log_y=True,
    )
    alt = _("Slopes of the heads under four rules, on a logarithmic axis")
    notebooks.computed("schemes", num_heads=num_heads)
    curve_chart(
        figure,
        lambda scheme, head: alibi_scheme_steps(schemes[scheme], num_heads, head),
        key="schemes",
        alt=alt,
        names=list(curves),
        places=(0, num_heads - 1),
        x_name=_("head"),
        default=(0, num_heads - 1),
        height=420,
        rev=f"{num_heads}",
    )
    off = {
        scheme: _("{off} of {heads}", off=int(differing(slopes, right).sum()), heads=num_heads)
        for scheme, slopes in lists.items()
    }
    screen.readouts(
        {
            _("heads off with one series"): off["one_series"],
            _("heads off when counted from h = 0"): off["from_zero"],
            _("heads off with MPT's rule"): off["mpt"],
            _("steepest slope"): number(float(right.max()), ".6g"),
        }
    )
    frame = screen.curve_frame(_("head"), range(num_heads), curves)
    # As in the words above: 0.00390625, not 0.0039.
    shown = frame.map(lambda slope: number(slope, ".6g"))
    st.dataframe(shown, height=min(320, 40 + 35 * num_heads))
    return screen.ScreenView(lambda: {say("slopes"): frame}, snippet(num_heads))


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
        "**{heads} is not a power of two**: a trained model has the {below} slopes of {below} "
        "heads and then every second slope of {above} heads. The paper's sentence read as one "
        "series differs in **{off} heads**; head {worst} gets {wrong:.4g} in place of "
        "**{right:.4g}**.",
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


def snippet(num_heads: int) -> str:
    """The curves as a program."""
    return (
        f"lists = {{name: scheme({num_heads}) for name, scheme in SLOPE_SCHEMES.items()}}\n"
        "values = torch.stack(list(lists.values()))\nprint(list(lists), values)\n"
    )
