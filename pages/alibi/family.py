"""ALiBi beside its relatives: bias against distance, and what FIRE's network reads."""

import pandas as pd
import streamlit as st
import torch

from plots.lines import Series, lines
from plots.looks import look
from posenc import Step, alibi_bias, alibi_slopes, kerple_bias, sandwich_bias
from posenc.alibi.picture import ALiBiBias
from posenc.fire.picture import FIREDistance
from posenc.kerple.picture import KerpleBias
from posenc.quantity.lines import masked
from posenc.sandwich.formula import sandwich_kernel
from posenc.sandwich.picture import SandwichBias
from posenc.words import say
from ui import notebooks, screen
from ui.charts.curve import curve_chart
from ui.words import _, translate

POINTS = 1024
"""Distances on one curve."""


def show(num_heads: int, head: int, length: int) -> screen.ScreenView:
    """Curves of the family for one head, and FIRE's rows.

    Args:
        num_heads: Heads of the model.
        head: Head h.
        length: Tokens.

    Returns:
        The tables and the snippet.
    """
    distances = torch.arange(min(length, POINTS))
    slope = alibi_slopes(num_heads)[head : head + 1]
    one = torch.ones(1, dtype=torch.float64)
    m = slope.item()
    sandwich = sandwich_bias(sandwich_kernel(distances), num_heads)
    biases = {
        _("ALiBi, m = {slope:.4g}", slope=m): ("alibi", "solid", alibi_bias(slope, -distances)[0]),
        _("Kerple log, r₁ = r₂ = 1"): (
            "kerple",
            "dash",
            kerple_bias(one, one, -distances, "log")[0],
        ),
        _("Kerple power, r₁ = m, r₂ = 0.5"): (
            "kerple",
            "dot",
            kerple_bias(slope, one / 2, -distances, "power")[0],
        ),
        _("Sandwich, head {head}", head=head): ("sandwich", "dashdot", sandwich[head]),
    }
    figure = lines(
        distances.numpy(),
        [
            Series(name, y, color=look(key).color, dash=dash, marker=look(key).marker)
            for name, (key, dash, y) in biases.items()
        ],
        title=_("Bias against distance, head {head} of {heads}", head=head, heads=num_heads),
        x_title=_("distance i − j (tokens)"),
        y_title=_("bias"),
    )
    alt = _("Curves of bias against distance for ALiBi, Kerple and Sandwich")
    notebooks.computed("family", num_heads=num_heads, head=head, count=len(distances))
    followed = (
        ALiBiBias(m, length),
        KerpleBias(1.0, 1.0, length, "log"),
        KerpleBias(m, 0.5, length, "power"),
        SandwichBias(head, num_heads, length),
    )
    curve_chart(
        figure,
        lambda curve, distance: followed[curve].steps(distance, 0),
        key="family",
        alt=alt,
        names=list(biases),
        places=(0, len(distances) - 1),
        x_name=_("distance"),
        default=(1, min(30, len(distances) - 1)),
        rev=f"{length}",
    )
    st.caption(_("A model trains Kerple's r₁ and r₂; here they are set by hand."))
    frames = fire_rows(length)
    code = (
        f"distances = torch.arange({len(distances)})\n"
        f"slope = alibi_slopes({num_heads})[{head} : {head + 1}]\n"
        "one = torch.ones(1, dtype=torch.float64)\n"
        "values = torch.stack([\n"
        "    alibi_bias(slope, -distances)[0],\n"
        '    kerple_bias(one, one, -distances, "log")[0],\n'
        '    kerple_bias(slope, one / 2, -distances, "power")[0],\n'
        f"    sandwich_bias(sandwich_kernel(distances), {num_heads})[{head}],\n"
        "])\n"
    )
    curves = {name: y.numpy() for name, (_, _, y) in biases.items()}
    family = screen.curve_frame(_("distance"), distances.tolist(), curves)
    return screen.ScreenView(lambda: {say("family"): family} | frames, code)


def fire_rows(length: int) -> dict[str, pd.DataFrame]:
    """FIRE has no curve of distance alone: one curve for each of three queries."""
    queries = sorted({max(length // 4, 1) - 1, max(length // 2, 1) - 1, length - 1})
    fire = FIREDistance(length)
    style = look("fire")
    series = []
    curves: dict[str, pd.DataFrame] = {}
    for query, dash in zip(queries, ("dot", "dash", "solid"), strict=False):
        distances = torch.linspace(0, query, min(query + 1, POINTS)).long()
        y = fire.at(torch.tensor([query]), query - distances)[0]
        name = say("query at position {position:,}", position=query)
        told = translate(name)
        curves[name] = screen.curve_frame(_("distance"), distances.tolist(), {told: y.numpy()})
        series.append(Series(told, y, x=distances, color=style.color, dash=dash))
    figure = lines(
        distances,
        series,
        title=_("FIRE: what its network reads, for queries at three positions"),
        x_title=_("distance i − j (tokens)"),
        y_title=_("normalised distance"),
    )

    notebooks.computed("fire", queries=queries, points=POINTS, threshold=fire.threshold)

    def explain(curve: int, distance: int) -> tuple[Step, ...]:
        if distance > queries[curve]:
            return (masked(r"x", rf"\delta = {distance} > i = {queries[curve]}"),)
        return fire.steps(queries[curve], queries[curve] - distance)

    curve_chart(
        figure,
        explain,
        key="fire",
        alt=_("Curves of FIRE's normalised distance for queries at three positions"),
        names=[one.name for one in series],
        places=(0, length - 1),
        x_name=_("distance"),
        default=(len(series) - 1, min(30, length - 1)),
        height=340,
        rev=f"{length}",
    )
    st.caption(
        _(
            "A query at i divides by ψ(max(T, i)), with T = {threshold:,.0f} before training. Up "
            "to position T all queries read one curve; beyond T, the curve of each query ends at "
            "1.",
            threshold=fire.threshold,
        )
    )
    return curves
