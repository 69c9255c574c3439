"""Parts that the Scaling studio's pictures share: settings and the program."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass

import torch
from torch import Tensor

from advisor.comparing.outcome import Outcome
from advisor.comparing.task import Rule, Task
from posenc.reading.formula import Reading
from ui.controls.model_config import Model

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
    """The studio's settings with their outcomes, and by its id why a method does not fit."""

    model: Model
    layer_type: str
    task: Task
    outcomes: Sequence[Outcome]
    refused: Mapping[str, str]
    vectors: Vectors

    @property
    def pairs(self) -> range:
        return range(self.task.layer.rotary_dim // 2)

    def each(self, make: Callable[[Reading], Tensor]) -> dict[str, Tensor]:
        return {one.method.id: make(one.reading) for one in self.outcomes}

    @property
    def last(self) -> int:
        """Number of the last curve, whose point is followed first."""
        return len(self.outcomes) - 1


def program(s: Studio, body: str, with_trained: bool = False, length: int | None = None) -> str:
    """A program that reads the file and the methods likewise and runs `body`.

    Args:
        s: The studio.
        body: Lines that leave the first figure's numbers in `values`, from `layer` and `readings`.
        with_trained: Whether `body` reads `trained`, how the model read in training.
        length: Tokens that `readings` and `trained` are told; None for the target, and for the
            longest text of training.
    """
    rules = [one.rule for one in s.outcomes]
    readings = "".join(f"    {_reading_code(r, s.task, length or s.task.target)},\n" for r in rules)
    trained = ""
    if with_trained:
        own = Rule(s.task.own_scaling)
        trained = f"trained = {_reading_code(own, s.task, length or s.task.shown)}\n"
    return (
        f"{s.model.code}layer = config.layers[{s.layer_type!r}]\n"
        f"readings = [  # {', '.join(one.method.id for one in s.outcomes)}\n{readings}]\n"
        f"{trained}{body}"
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
