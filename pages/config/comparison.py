"""Parts that the Scaling studio's pictures share: settings, colours, the snippet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass

import torch
from torch import Tensor

from plots.figure import Figure
from posenc.reading.formula import Reading
from posenc.reading.outcome import Outcome
from posenc.reading.task import Rule, Task
from ui.charts.curve import Explain
from ui.charts.methods import title
from ui.controls.model_config import Model
from ui.screen.bones import Frames

POINTS = 1024
DRAWS = 64


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
    """The studio's settings with their outcomes."""

    model: Model
    layer_type: str
    task: Task
    outcomes: Sequence[Outcome]
    vectors: Vectors

    @property
    def pairs(self) -> range:
        """Numbers of the pairs."""
        return range(self.task.layer.rotary_dim // 2)

    def each(self, make: Callable[[Reading], Tensor]) -> dict[str, Tensor]:
        """A curve for each method."""
        return {one.method.id: make(one.reading) for one in self.outcomes}

    def points(
        self, x_name: str, places: tuple[int, int], place: int, more: Sequence[str] = ()
    ) -> "Points":
        """The points of the methods' curves, and of `more`; first that of the last method."""
        names = [*(title(one.method.id) for one in self.outcomes), *more]
        return Points(names, places, x_name, (len(self.outcomes) - 1, place))


@dataclass(frozen=True)
class Points:
    """Points that can be followed on a figure: curves by name, and whole numbers on the x axis.

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
    figure: Figure
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
        body: Lines that leave the first figure's numbers in `values`, from `layer` and `readings`.
        caption: What has to be said under the first figure.
        with_trained: Whether `body` reads `trained`, how the model read in training.
        length: Tokens that `readings` and `trained` are told; None for the target, and for the
            longest text of training.
    """

    charts: Sequence[Chart]
    points: Points
    frames: Frames
    body: str
    caption: str = ""
    with_trained: bool = False
    length: int | None = None


def code(s: Studio, picture: StudioPicture) -> str:
    """A program that reads the file and the methods likewise and runs `body`."""
    length = picture.length or s.task.target
    rules = [one.rule for one in s.outcomes]
    readings = "".join(f"    {_reading_code(rule, s.task, length)},\n" for rule in rules)
    trained = ""
    own = Rule(s.task.own_scaling)
    if picture.with_trained:
        trained = f"trained = {_reading_code(own, s.task, picture.length or s.task.shown)}\n"
    return (
        f"{s.model.code}layer = config.layers[{s.layer_type!r}]\n"
        f"readings = [  # {', '.join(one.method.id for one in s.outcomes)}\n{readings}]\n"
        f"{trained}{picture.body}"
    )


def _reading_code(rule: Rule, task: Task, length: int) -> str:
    scaling = "layer.scaling" if rule.scaling is task.layer.scaling else short_repr(rule.scaling)
    frequencies = (
        f"rope_inv_freq(layer.rotary_dim, layer.base, {scaling}, {rule.scaling_length(length)})"
    )
    more = ""
    if (factor := task.multiplier(rule)) != 1:
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
