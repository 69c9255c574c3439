"""What the Scaling studio's pictures share: settings, colours, the snippet that repeats them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import plotly.graph_objects as go
import torch
from torch import Tensor

from pages.config.methods import Method
from plots.lines import Series
from posenc.reading.formula import Reading
from ui.charts.curve import Explain
from ui.controls import methods as scaling_methods
from ui.controls.methods import Curves
from ui.controls.model_config import Model
from ui.controls.task import Rule, Task, multiplier
from ui.screen.bones import Frames

POINTS = 1024
DRAWS = 64
LARGEST = 1e38  # float32, and so a picture, ends a little above

# Colour and dash of a method; those of the Scaling screen look the same there.
STYLES = {
    **scaling_methods.STYLES,
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

    def points(
        self, x_name: str, places: tuple[int, int], place: int, more: Sequence[str] = ()
    ) -> "Points":
        """The points of the methods' curves, and of `more`; first that of the last method."""
        names = [*(m.name for m in self.methods), *more]
        return Points(names, places, x_name, (len(self.methods) - 1, place))


@dataclass(frozen=True)
class Points:
    """What can be followed on a figure: curves by name, and whole numbers on the x axis.

    Attributes:
        labels: Names of the places, where they have some.
    """

    names: Sequence[str]
    places: tuple[int, int]
    x_name: str
    default: tuple[int, int]
    labels: Sequence[str] = ()


@dataclass(frozen=True)
class Chart:
    """One figure of a picture.

    Attributes:
        explain: The steps of a point of a curve; none where the figure does not draw it.
        points: Its points; None where they are those of the picture.
    """

    key: str
    figure: go.Figure
    alt: str
    explain: Explain
    height: int = 420
    points: Points | None = None


@dataclass(frozen=True)
class StudioPicture:
    """One picture of the studio: figures, tables, and Python for the first one's numbers.

    Attributes:
        charts: The figures; the first is the picture.
        points: What can be followed on them.
        frames: A table for each curve that is shown.
        names: What `body` takes from posenc.
        body: Lines that leave the first figure's numbers in `values`, from `layer` and `readings`.
        caption: What has to be said under the first figure.
        with_trained: Whether `body` reads `trained`, how the model read in training.
        length: Tokens that `readings` and `trained` are told; None for the target, and for the
            longest text of training.
    """

    charts: Sequence[Chart]
    points: Points
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
    return scaling_methods.curve(name, y, marker, STYLES)


def per_pair(s: Studio, curves: Curves, *words: Any, **options: Any) -> go.Figure:
    """Curves over the pairs."""
    return scaling_methods.per_pair(s.pairs, curves, *words, **options, styles=STYLES)


def code(s: Studio, picture: StudioPicture) -> str:
    """A program that reads the file and the methods likewise, runs `body` and prints `values`."""
    length = picture.length or s.task.target
    rules = [m.rule for m in s.methods]
    readings = "".join(f"    {_reading_code(rule, s.task, length)},\n" for rule in rules)
    trained = ""
    own = Rule(s.task.own_scaling, "")
    if picture.with_trained:
        trained = f"trained = {_reading_code(own, s.task, picture.length or s.task.shown)}\n"
    kinds = {"Reading", "rope_inv_freq", *s.model.names.split(", "), *picture.names.split(", ")}
    for rule in [*rules, own] if picture.with_trained else rules:
        for one in (rule.scaling, rule.remapping):
            if one is not None and one is not s.task.layer.scaling:
                kinds.add(type(one).__name__)
    return (
        f"import torch\nfrom posenc import {', '.join(sorted(kinds - {''}))}\n\n"
        f"{s.model.code}layer = config.layers[{s.layer_type!r}]\n"
        f"readings = [  # {', '.join(m.name for m in s.methods)}\n{readings}]\n"
        f"{trained}{picture.body}print(values)\n"
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
