"""The controls of the Scaling screen, and what the methods make of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from advisor.comparing.layer import RopeLayer
from advisor.comparing.outcome import Outcome, compare
from advisor.comparing.task import Task
from posenc.scaling.methods import Need, fitting
from posenc.words import say
from ui import controls
from ui.charts.methods import listed
from ui.charts.pairs import Pairs
from ui.controls import MORE, choices, entry, number
from ui.controls.rope import Head, QueryKey, head_dim
from ui.links.models import ConfigLinks
from ui.words import translate

SET = ("head_dim", "rotary_dim", "base", "train_length")
MODELS = (
    ("llama-2", "Llama-2-7B", (128, 0, 10000.0, 4096)),
    ("llama-3", "Llama-3-8B", (128, 0, 500000.0, 8192)),
    ("qwen2.5", "Qwen2.5-7B", (128, 0, 1000000.0, 32768)),
    ("smollm2", "SmolLM2-135M", (64, 0, 100000.0, 8192)),
    ("gpt-neox", "GPT-NeoX-20B", (96, 24, 10000.0, 2048)),
    ("worked", say("Worked example, d = 8"), (8, 0, 10000.0, 64)),
)
PRESETS: controls.Presets = {
    name: (label, dict(zip(SET, values, strict=True))) for name, label, values in MODELS
}
# What a method is given here: no file, and curves of frequencies for what it makes of them.
GIVEN: tuple[Need, ...] = ("trained", "alpha", "inv_freq", "length")
START = ("none", "linear", "ntk", "yarn")


@dataclass(frozen=True, kw_only=True)
class Lengths:
    """Settings of the stretching: the trained length and the factor."""

    first: ClassVar = ("factor",)

    factor: float = entry(
        number,
        say("Factor k"),
        4.0,
        1.0,
        1024.0,
        step=1.0,
        help=say("k: target length / trained length; 4 documented for Qwen3, 40 in DeepSeek-V3."),
    )
    train_length: int = entry(
        number,
        say("Trained length L₀"),
        4096,
        4,
        2**22,
        help=say("Tokens of a text in training; 4096 in Llama 2, 8192 in Llama 3."),
    )


@dataclass(frozen=True, kw_only=True)
class TaskSettings(Head, Lengths):
    """A head, read further than it was trained."""

    @cached_property
    def layer(self) -> RopeLayer:
        """The head as it was trained.

        Raises:
            ValueError: If it cannot be rotated.
        """
        rope = self.make_rope("half")
        return RopeLayer(
            head_dim=self.head_dim,
            rotary_dim=rope.rotary_dim,
            base=rope.base,
            layout="half",
            scaling=None,
            original_length=self.train_length,
            max_length=self.train_length,
        )

    @property
    def target(self) -> int:
        """Tokens to read."""
        return round(self.factor * self.train_length)

    @property
    def config_links(self) -> ConfigLinks:
        """Ways to known models with these frequencies."""
        return ConfigLinks(self.layer.rotary_dim, self.layer.base, self.train_length, self.target)


@dataclass(frozen=True, kw_only=True)
class Settings(TaskSettings):
    """The same under some methods; NTK has no larger base for a single pair."""

    head_dim: int = head_dim(128, 4)
    methods: list[str] = entry(
        choices,
        say("Methods"),
        lambda _before: {name: listed(name) for name in fitting(*GIVEN)},
        START,
        help=say(
            "How the frequencies θᵢ are stretched; none is plain RoPE. Linear divides every one by "
            "k, NTK-aware makes the base b · k^(d/(d − 2)), YaRN divides the slow ones alone and "
            "has a temperature. *Formula*, below, has all of them."
        ),
        above=True,
    )
    alpha: float = entry(
        number,
        "α",
        2.0,
        0.1,
        64.0,
        step=0.5,
        help=say("Of NTK alpha and dynamic NTK; α = 1 gives NTK-aware."),
        under=MORE,
    )

    @cached_property
    def compared(self) -> tuple[list[Outcome], dict[str, str]]:
        """Each method's outcome, and by its id why one does not fit.

        Raises:
            ValueError: If none is chosen, or none fits.
        """
        task = Task(self.layer, self.train_length, self.target, self.factor, self.alpha)
        return compare(self.methods, task)

    @property
    def outcomes(self) -> Sequence[Outcome]:
        return self.compared[0]

    @property
    def model(self) -> str:
        """Title of the first known model with these sizes; "" where there is none."""
        sizes = self.head_dim, self.rotary_dim, self.base, self.train_length
        return next((title for _id, title, known in MODELS if known == sizes), "")

    @property
    def program(self) -> dict[str, Any]:
        """Settings of the curves for a program."""
        return {
            "rotary_dim": self.layer.rotary_dim,
            "base": self.layer.base,
            "factors": [one.task.factor for one in self.outcomes],
            "trained": self.train_length,
            "alpha": self.alpha,
            "methods": [one.method.id for one in self.outcomes],
        }

    @property
    def parts(self) -> list[str]:
        """The programs of the methods."""
        return [f"methods/{name}" for name in dict.fromkeys(self.program["methods"])]

    @property
    def pairs(self) -> Pairs:
        programs = {"settings": self.program, "parts": self.parts}
        return Pairs(self.outcomes, self.train_length, programs, translate(self.model))


@dataclass(frozen=True, kw_only=True)
class TwoFactors(Settings):
    """The same, and the methods again at another factor."""

    second: float = entry(
        number,
        say("Second factor (1: none)"),
        1.0,
        1.0,
        1024.0,
        step=1.0,
        help=say("The same methods at another factor, as thin lines in the same picture."),
    )

    @cached_property
    def outcomes(self) -> Sequence[Outcome]:
        if self.second in (1, self.factor):
            return self.compared[0]
        again = [one.method.id for one in self.compared[0] if one.method.id != "none"]
        if not again:
            return self.compared[0]
        target = round(self.second * self.train_length)
        task = Task(self.layer, self.train_length, target, self.second, self.alpha)
        return [*self.compared[0], *compare(again, task)[0]]


@dataclass(frozen=True, kw_only=True)
class ScoreSettings(QueryKey, Settings):
    """The same with a query and a key."""
