"""ALiBi's slopes for any head count, as the code in use computes them, side by side."""

import numpy as np
import streamlit as st
from torch import Tensor

from plots.lines import Series, lines
from posenc import alibi_slopes
from posenc.alibi.other_slopes import SLOPE_SCHEMES
from posenc.alibi.steps import alibi_scheme_steps
from ui import screen
from ui.charts.curve import curve_chart

WORDS = {
    "authors": "authors' code (also BLOOM, Baichuan 2)",
    "mpt": "MPT, from the power of two above",
    "one_series": "the paper's sentence, one series",
    "from_zero": "one series from h = 0 (a mistake)",
}
AGREE = 1e-12


def show(num_heads: int) -> screen.ScreenView:
    """The sentence, the lists as curves, and the table.

    Args:
        num_heads: Number of heads.

    Returns:
        The table, and a program that makes it.
    """
    lists = {WORDS[scheme]: make(num_heads) for scheme, make in SLOPE_SCHEMES.items()}
    right = alibi_slopes(num_heads)
    st.markdown(in_words(num_heads, right, SLOPE_SCHEMES["one_series"](num_heads)))
    figure = lines(
        np.arange(num_heads),
        [Series(name, slopes.numpy()) for name, slopes in lists.items()],
        title=f"Slope of each of {num_heads} heads",
        x_title="head h",
        y_title="slope (per token)",
        log_y=True,
    )
    alt = "Slopes of the heads under four rules, on a logarithmic axis"
    schemes = list(SLOPE_SCHEMES)
    curve_chart(
        figure,
        lambda scheme, head: alibi_scheme_steps(schemes[scheme], num_heads, head),
        key="schemes",
        alt=alt,
        names=list(lists),
        places=(0, num_heads - 1),
        x_name="head",
        default=(0, num_heads - 1),
        height=420,
        rev=f"{num_heads}",
    )
    differences = {
        name: f"{int(differing(slopes, right).sum())} of {num_heads}"
        for name, slopes in lists.items()
    }
    screen.readouts(
        {
            "heads off with one series": differences[WORDS["one_series"]],
            "heads off when counted from h = 0": differences[WORDS["from_zero"]],
            "heads off with MPT's rule": differences[WORDS["mpt"]],
            "steepest slope": f"{float(right.max()):.6g}",
        }
    )
    curves = {name: slopes.numpy() for name, slopes in lists.items()}
    frame = screen.curve_frame("head", range(num_heads), curves)
    shown = frame.map("{:.6g}".format)  # as in the words above: 0.00390625, not 0.0039
    st.dataframe(shown, height=min(320, 40 + 35 * num_heads))
    return screen.ScreenView(lambda: {"slopes": frame}, snippet(num_heads))


def in_words(num_heads: int, right: Tensor, series: Tensor) -> str:
    """Whether the rules agree for this head count, in Markdown."""
    if num_heads & (num_heads - 1) == 0:
        return (
            f"**{num_heads} is a power of two**: the authors' code, MPT and the paper's sentence "
            f"give one list, **{float(right[0]):.6g}** to **{float(right[-1]):.6g}**."
        )
    below, off = 2 ** (num_heads.bit_length() - 1), differing(series, right)
    ratio = (right / series).log().abs().argmax()
    return (
        f"**{num_heads} is not a power of two**: a trained model has the {below} slopes of "
        f"{below} heads and then every second of {2 * below}. The paper's sentence read as one "
        f"series differs in **{int(off.sum())} heads**; head {int(ratio)} gets "
        f"{float(series[ratio]):.4g} in place of **{float(right[ratio]):.4g}**."
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
