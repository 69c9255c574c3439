"""What the Scaling studio's pictures share: settings, colours, the snippet that repeats them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass

import pandas as pd
import plotly.graph_objects as go
import torch
from torch import Tensor

from plots.lines import Mark, Series, lines
from plots.style import NEUTRAL
from posenc import Reading
from ui.model_config import Model
from ui.scaling_methods import STYLES as SCALING_STYLES
from ui.screen import Frames, curve_frame
from ui.studio_methods import Method
from ui.studio_task import Rule, Task, multiplier

POINTS = 1024
DRAWS = 64
LARGEST = 1e38  # float32, and so a picture, ends a little above
Curves = Mapping[str, Tensor]

# Colour and dash of a method; those of the Scaling screen look the same there.
STYLES = {
    **SCALING_STYLES,
    "as declared": ("#8C564B", "solid"),
    "NTK fixed": ("#56B4E9", "dot"),
    "NTK mixed": ("#009E73", "dot"),
    "YaRN (paper)": ("#AA4499", "dash"),
    "LongRoPE short list": ("#CC6677", "dot"),
    "LongRoPE long list": ("#CC6677", "solid"),
    "proportional": ("#44AA99", "dash"),
    "Self-Extend": ("#E377C2", "dashdot"),
    "ReRoPE": ("#17BECF", "dash"),
    "Leaky ReRoPE": ("#17BECF", "dot"),
    "Dual Chunk": ("#B5A900", "longdash"),
}


@dataclass(frozen=True)
class Vectors:
    """Which queries and keys are scored.

    Attributes:
        kind: "alike" (random, k = q), "independent" (random) or "typed".
        seed: Of the random ones.
        query: Typed numbers, repeated until the rotated channels are full.
        key: The same for the key.
    """

    kind: str
    seed: int
    query: tuple[float, ...]
    key: tuple[float, ...]

    def code(self, channels: int) -> str:
        """Python that makes `query` and `key`, (draws, channels)."""
        if self.kind == "typed":
            make = "torch.tensor({}, dtype=torch.float64).repeat({})[:{}][None]"
            return "".join(
                f"{name} = {make.format(list(numbers), channels, channels)}\n"
                for name, numbers in (("query", self.query), ("key", self.key))
            )
        draws = f"{DRAWS}, {channels}, generator=generator, dtype=torch.float64"
        made = (
            f"query = key = torch.randn({draws})\n"
            if self.kind == "alike"
            else f"query, key = torch.randn(2, {draws})\n"
        )
        return f"generator = torch.Generator().manual_seed({self.seed})\n{made}"

    def make(self, channels: int) -> tuple[Tensor, Tensor]:
        """Queries and keys, float64 (draws, channels)."""
        if self.kind == "typed":
            query, key = (
                torch.tensor(v, dtype=torch.float64).repeat(channels)[:channels][None]
                for v in (self.query, self.key)
            )
            return query, key
        generator = torch.Generator().manual_seed(self.seed)
        if self.kind == "alike":
            drawn = torch.randn(DRAWS, channels, generator=generator, dtype=torch.float64)
            return drawn, drawn
        query, key = torch.randn(2, DRAWS, channels, generator=generator, dtype=torch.float64)
        return query, key


@dataclass(frozen=True)
class Studio:
    """What the controls say, worked out."""

    model: Model
    layer_type: str
    task: Task
    methods: Sequence[Method]
    vectors: Vectors

    @property
    def pairs(self) -> range:
        """Numbers of the pairs."""
        return range(self.task.layer.rotary_dim // 2)

    def each(self, make: Callable[[Reading], Tensor]) -> dict[str, Tensor]:
        """A curve for each method."""
        return {m.name: make(m.reading) for m in self.methods}


@dataclass(frozen=True)
class Chart:
    """One figure of a view."""

    key: str
    figure: go.Figure
    alt: str
    height: int = 420


@dataclass(frozen=True)
class Drawn:
    """What a view shows: figures, their tables, and the Python that makes the first one's numbers.

    Attributes:
        charts: The figures; the first is the picture.
        frames: A table for each curve that is shown.
        names: What `body` takes from posenc.
        body: Lines that leave the first figure's numbers in `values`, from `layer` and `readings`.
        caption: What has to be said under the first figure.
        with_trained: Whether `body` reads `trained`, how the model read in training.
        length: Tokens that `readings` and `trained` are told; None for the target, and for the
            longest text of training.
    """

    charts: Sequence[Chart]
    frames: Frames
    names: str
    body: str
    caption: str = ""
    with_trained: bool = False
    length: int | None = None


def finite(values: Tensor) -> Tensor:
    """Values as a curve has them: a pair at rest has no wavelength, and leaves a gap."""
    return torch.where(values.abs() < LARGEST, values, torch.nan)


def curve(name: str, y: Tensor, marker: str | None = None) -> Series:
    """A method's curve in its own colour; other names are grey."""
    if name not in STYLES:
        return Series(name, y.numpy(), color=NEUTRAL, dash="dot", marker="")
    color, dash = STYLES[name]
    return Series(name, y.numpy(), color=color, dash=dash, marker=marker)


def per_pair(
    s: Studio,
    curves: Curves,
    title: str,
    y_title: str,
    marks: Sequence[Mark] = (),
    *,
    log_y: bool = True,
    y_range: tuple[float, float] | None = None,
) -> go.Figure:
    """Curves over the pairs."""
    figure = lines(
        s.pairs,
        [curve(name, y) for name, y in curves.items()],
        title=f"{title} (analytic)",
        x_title="pair i",
        y_title=y_title,
        log_y=log_y,
        y_range=y_range,
        marks=marks,
    )
    # Pairs are counted: no ticks between two of them.
    return figure.update_xaxes(dtick=1) if len(s.pairs) <= 12 else figure


def table(x_name: str, x: Sequence[float], curves: Curves) -> pd.DataFrame:
    """Curves as a table: one column each, x as index."""
    return curve_frame(x_name, x, {name: y.numpy() for name, y in curves.items()})


def code(s: Studio, drawn: Drawn) -> str:
    """A program that reads the file and the methods likewise, runs `body` and prints `values`."""
    length = drawn.length or s.task.target
    rules = [m.rule for m in s.methods]
    readings = "".join(f"    {_reading_code(rule, s.task, length)},\n" for rule in rules)
    trained = ""
    own = Rule(s.task.own_scaling, "")
    if drawn.with_trained:
        trained = f"trained = {_reading_code(own, s.task, drawn.length or s.task.shown)}\n"
    kinds = {"Reading", "rope_inv_freq", *s.model.names.split(", "), *drawn.names.split(", ")}
    for rule in [*rules, own] if drawn.with_trained else rules:
        for one in (rule.scaling, rule.remapping):
            if one is not None and one is not s.task.layer.scaling:
                kinds.add(type(one).__name__)
    return (
        f"import torch\nfrom posenc import {', '.join(sorted(kinds - {''}))}\n\n"
        f"{s.model.code}layer = config.layers[{s.layer_type!r}]\n"
        f"readings = [  # {', '.join(m.name for m in s.methods)}\n{readings}]\n"
        f"{trained}{drawn.body}print(values)\n"
    )


def _reading_code(rule: Rule, task: Task, length: int) -> str:
    scaling = "layer.scaling" if rule.scaling is task.layer.scaling else short_repr(rule.scaling)
    frequencies = f"rope_inv_freq(layer.rotary_dim, layer.base, {scaling}, {rule.told(length)})"
    more = ""
    if (factor := multiplier(rule, task)) != 1:
        more += f", softmax_multiplier={factor!r}"
    if rule.remapping is not None:
        more += f", remapping={rule.remapping!r}"
    return f"Reading(*{frequencies}{more})"


def short_repr(scaling: object) -> str:
    """A scaling as one would write it: arguments that have their default are left out."""
    if not is_dataclass(scaling):
        return repr(scaling)
    given = [
        f"{f.name}={getattr(scaling, f.name)!r}"
        for f in fields(scaling)
        if getattr(scaling, f.name) != f.default
    ]
    return f"{type(scaling).__name__}({', '.join(given)})"
