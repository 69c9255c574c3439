"""The scalings that the Scaling screen compares, each worked out at the target length."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go
from torch import Tensor

from plots.lines import Mark, Series, lines
from plots.looks import look
from plots.style import NEUTRAL
from posenc import (
    NTK,
    DynamicNTK,
    Linear,
    Llama3,
    NTKByParts,
    Scaling,
    YaRN,
    angle_coverage,
    rope_inv_freq,
)
from posenc.reading.coverage import AngleCoverage
from posenc.scaling.ntk import ntk_base
from ui.controls.task import number
from ui.screen.bones import curve_frame

Curves = Mapping[str, Tensor]
Styles = Mapping[str, tuple[str, str]]
"""Colour and dash of a curve by its name."""


@dataclass(frozen=True)
class Target:
    """What is to be reached: a head, its trained length, and how much further it shall read."""

    rotary_dim: int
    base: float
    trained: int
    factor: float
    alpha: float

    @property
    def length(self) -> int:
        """Tokens to read."""
        return round(self.factor * self.trained)


# Name: what it makes of the target. A new scaling is one more line here and one in COLORS.
METHODS = {
    "none": lambda t: None,
    "linear": lambda t: Linear(t.factor),
    "NTK base": lambda t: NTK(t.factor, "base"),
    "NTK-aware": lambda t: NTK(t.factor),
    "NTK alpha": lambda t: NTK(t.factor, alpha=t.alpha),
    "dynamic NTK": lambda t: DynamicNTK(t.alpha, t.trained),
    "NTK-by-parts": lambda t: NTKByParts(t.factor, t.trained),
    "YaRN": lambda t: YaRN(t.factor, t.trained),
    "Llama-3": lambda t: Llama3(t.factor, original_length=t.trained),
}
# Dynamic NTK at one length is the alpha form, and has its colour.
STYLES = {
    "none": (look("rope").color, "solid"),
    "linear": ("#D55E00", "dash"),
    "NTK base": ("#56B4E9", "longdash"),
    "NTK-aware": ("#009E73", "dashdot"),
    "NTK alpha": ("#CC79A7", "longdashdot"),
    "dynamic NTK": ("#CC79A7", "dot"),
    "NTK-by-parts": ("#E69F00", "dash"),
    "YaRN": ("#AA4499", "solid"),
    "Llama-3": ("#999933", "dashdot"),
}
OWN_BASE = {
    "NTK base": lambda t: t.base * t.factor,
    "NTK-aware": lambda t: ntk_base(t.rotary_dim, t.base, t.factor),
    "NTK alpha": lambda t: ntk_base(t.rotary_dim, t.base, t.factor, t.alpha),
    "dynamic NTK": lambda t: ntk_base(t.rotary_dim, t.base, t.factor, t.alpha),
}
"""The base of the methods that change it; the others slow the pairs one by one."""


@dataclass(frozen=True)
class Method:
    """One scaling at the target length."""

    name: str
    scaling: Scaling | None
    base: float
    inv_freq: Tensor
    attention_factor: float
    coverage: AngleCoverage
    slowed: Tensor
    """By how much each pair is slowed, plain θ / scaled θ."""
    is_new: Tensor
    """bool: the pair goes more than one position past the angles that training has shown."""

    def sentence(self, length: int) -> str:
        """What happens at the target length, in Markdown."""
        new = int(self.is_new.sum())
        words = f"**{self.name}** {self._slowing()}. Within {length:,} tokens "
        if new == 0:
            return words + "no pair meets an angle that training never showed."
        furthest = float(self.coverage.excess[self.is_new].max())
        meets, goes = ("1 pair meets", "goes") if new == 1 else (f"{new} pairs meet", "go")
        return words + (
            f"{meets} angles that training never showed and {goes} up to {number(furthest, 3)} × "
            "as far as in training."
        )

    def _slowing(self) -> str:
        fastest, slowest = float(self.slowed[0]), float(self.slowed[-1])
        if self.scaling is None or fastest == slowest == 1:
            return "leaves every pair as it was trained"
        if fastest == slowest:
            return f"slows every pair {number(slowest, 3)} ×"
        first = (
            "keeps the fastest pair"
            if fastest == 1
            else f"slows the fastest {number(fastest, 3)} ×"
        )
        return f"{first} and slows the slowest {number(slowest, 3)} ×"


def compare(names: Sequence[str], target: Target, plain: Tensor) -> list[Method]:
    """Work out the named methods.

    Args:
        names: Keys of METHODS.
        target: What is to be reached.
        plain: θ without scaling, (pairs,).

    Returns:
        The methods in the order of METHODS.

    Raises:
        ValueError: If no method is named, or one refuses the target.
    """
    if not names:
        raise ValueError("Choose at least one method.")
    methods = []
    for name in (known for known in METHODS if known in names):
        scaling = METHODS[name](target)
        inv_freq, factor = rope_inv_freq(target.rotary_dim, target.base, scaling, target.length)
        base = OWN_BASE[name](target) if name in OWN_BASE else target.base
        coverage = angle_coverage(plain, target.trained, target.length, inv_freq)
        slowed, is_new = plain / inv_freq, coverage.is_new
        methods.append(Method(name, scaling, base, inv_freq, factor, coverage, slowed, is_new))
    return methods


def code(target: Target, methods: Sequence[Method], names: str, body: str) -> str:
    """A program that scales the frequencies likewise, runs `body` and prints `values`."""
    kinds = sorted({type(m.scaling).__name__ for m in methods if m.scaling is not None})
    scalings = "".join(f"    {m.scaling!r},\n" for m in methods)
    return (
        f"import torch\nfrom posenc import {', '.join(['rope_inv_freq', names, *kinds])}\n\n"
        f"scalings = [\n{scalings}]\n"
        f"scaled = [rope_inv_freq({target.rotary_dim}, {target.base}, scaling, {target.length}) "
        f"for scaling in scalings]\n{body}print(values)\n"
    )


def curve(name: str, y: Tensor, marker: str | None = None, styles: Styles = STYLES) -> Series:
    """A method's curve: its colour and dash stay when others are chosen. Other names are grey."""
    if name not in styles:
        return Series(name, y.numpy(), color=NEUTRAL, dash="dot", marker="")
    color, dash = styles[name]
    return Series(name, y.numpy(), color=color, dash=dash, marker=marker)


def per_pair(
    pairs: range,
    curves: Curves,
    title: str,
    y_title: str,
    marks: Sequence[Mark] = (),
    *,
    log_y: bool = True,
    y_range: tuple[float, float] | None = None,
    styles: Styles = STYLES,
) -> go.Figure:
    """Curves over the pairs."""
    figure = lines(
        pairs,
        [curve(name, y, styles=styles) for name, y in curves.items()],
        title=f"{title} (analytic)",
        x_title="pair i",
        y_title=y_title,
        log_y=log_y,
        y_range=y_range,
        marks=marks,
    )
    # Pairs are counted: no ticks between two of them.
    return figure.update_xaxes(dtick=1) if len(pairs) <= 12 else figure


def table(x_name: str, x: Sequence[float], curves: Curves) -> pd.DataFrame:
    """Curves as a table: one column each, x as index."""
    return curve_frame(x_name, x, {name: y.numpy() for name, y in curves.items()})
