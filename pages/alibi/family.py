"""ALiBi beside its relatives: bias against distance, and what FIRE's network reads."""

import torch

from pages.alibi.settings import OneHead
from plots.lines import Series
from plots.looks import look
from posenc import alibi_bias, kerple_bias, sandwich_bias
from posenc.alibi.picture import ALiBiBias
from posenc.fire.picture import FIREDistance
from posenc.kerple.picture import KerpleBias
from posenc.quantity.lines import masked
from posenc.quantity.step import Step
from posenc.sandwich.formula import sandwich_kernel
from posenc.sandwich.picture import SandwichBias
from posenc.words import say
from ui import screen
from ui.words import _

POINTS = 1024
"""Distances on one curve."""


def picture(s: OneHead) -> screen.Picture:
    """Curves of the family for one head, and FIRE's rows."""
    count = min(s.length, POINTS)
    return screen.Picture(figures=[biases(s, count), fire_rows(s.length)])


def biases(s: OneHead, count: int) -> screen.LinesFigure:
    distances = torch.arange(count)
    slope = s.slopes[s.head : s.head + 1]
    one = torch.ones(1, dtype=torch.float64)
    alibi = look("alibi")
    kerple = look("kerple")
    sandwich = look("sandwich")
    curves = {
        _("ALiBi, m = {slope:.4g}", slope=s.slope): alibi_bias(
            slope, -distances, dtype=torch.float64
        )[0],
        _("Kerple log, r₁ = r₂ = 1"): kerple_bias(one, one, -distances, "log")[0],
        _("Kerple power, r₁ = m, r₂ = 0.5"): kerple_bias(slope, one / 2, -distances, "power")[0],
        _("Sandwich, head {head}", head=s.head): sandwich_bias(
            sandwich_kernel(distances), s.num_heads
        )[s.head],
    }
    styles = [(alibi, "solid"), (kerple, "dash"), (kerple, "dot"), (sandwich, "dashdot")]
    followed = (
        ALiBiBias(s.slope, s.length),
        KerpleBias(1.0, 1.0, s.length, "log"),
        KerpleBias(s.slope, 0.5, s.length, "power"),
        SandwichBias(s.head, s.num_heads, s.length),
    )
    return screen.LinesFigure(
        key="family",
        alt=_("Curves of bias against distance for ALiBi, Kerple and Sandwich"),
        x=distances,
        series=[
            Series(name, y, color=style.color, dash=dash, marker=style.marker)
            for (name, y), (style, dash) in zip(curves.items(), styles, strict=True)
        ],
        title=_("Bias against distance, head {head} of {heads}", head=s.head, heads=s.num_heads),
        x_title=_("distance i − j (tokens)"),
        y_title=_("bias"),
        steps=lambda curve, distance: followed[curve].steps(distance, 0),
        x_name=_("distance"),
        point=(1, min(30, count - 1)),
        table=say("family"),
        settings={"num_heads": s.num_heads, "head": s.head, "count": count},
        rev=f"{s.length}",
        caption=_("A model trains Kerple's r₁ and r₂; here they are set by hand."),
    )


def fire_rows(length: int) -> screen.LinesFigure:
    """FIRE has no curve of distance alone: one curve for each of three queries."""
    queries = sorted({max(length // 4, 1) - 1, max(length // 2, 1) - 1, length - 1})
    fire = FIREDistance(length)
    style = look("fire")
    series = []
    for query, dash in zip(queries, ("dot", "dash", "solid"), strict=False):
        distances = torch.linspace(0, query, min(query + 1, POINTS)).long()
        y = fire.at(torch.tensor([query]), query - distances)[0]
        name = _("query at position {position:,}", position=query)
        series.append(Series(name, y, x=distances, color=style.color, dash=dash))

    def steps(curve: int, distance: int) -> tuple[Step, ...]:
        if distance > queries[curve]:
            return (masked(r"x", rf"\delta = {distance} > i = {queries[curve]}"),)
        return fire.steps(queries[curve], queries[curve] - distance)

    return screen.LinesFigure(
        key="fire",
        alt=_("Curves of FIRE's normalised distance for queries at three positions"),
        x=distances,
        series=series,
        title=_("FIRE: what its network reads, for queries at three positions"),
        x_title=_("distance i − j (tokens)"),
        y_title=_("normalised distance"),
        steps=steps,
        x_name=_("distance"),
        point=(len(series) - 1, min(30, length - 1)),
        table="FIRE",
        settings={"queries": queries, "points": POINTS, "threshold": fire.threshold},
        height=340,
        rev=f"{length}",
        caption=_(
            "A query at i divides by ψ(max(T, i)), with T = {threshold:,.0f} before training. Up "
            "to position T all queries read one curve; beyond T, the curve of each query ends at "
            "1.",
            threshold=fire.threshold,
        ),
    )
