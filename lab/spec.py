"""What is trained: one run, said completely enough to be repeated."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from posenc import CATALOGUE

Task = Literal["recall", "text", "counting"]
TASKS: tuple[Task, ...] = ("recall", "text", "counting")

# What may be set for an encoding, with the smallest and largest value and the default.
SETTINGS: dict[str, dict[str, tuple[float, float, float]]] = {
    "rope": {"base": (2.0, 1e9, 10000.0)},
    "cope": {"max_positions": (2, 4096, 64)},
    "t5": {"max_distance": (32, 65536, 128)},
}


@dataclass(frozen=True)
class RunSpec:
    """One training, complete: the same spec on the same machine gives the same weights.

    Args:
        task: "recall" (look up a key), "text" (next byte) or "counting" (since the last reset).
        encoding: A name of `posenc.CATALOGUE`.
        settings: Parameters of the encoding that differ from the lab's default, see `SETTINGS`.
        seed: Of the weights and of the data.
        steps: Optimiser steps.
        train_length: L, tokens in the longest training window.
        tokens_per_step: Tokens that each step sees.
        layers: Blocks of the model.
        d_model: Width of the residual stream.
        heads: Heads per block.
        head_dim: Width of a head, even; need not be d_model / heads.
        ffn: Inner width of the feed-forward part.
        corpus: Path of a text file for the task "text"; "" is Python's own standard library.

    Raises:
        ValueError: If a value is out of its range; the message says which and what is allowed.
    """

    task: Task
    encoding: str
    settings: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    steps: int = 1000
    train_length: int = 128
    tokens_per_step: int = 2048
    layers: int = 2
    d_model: int = 64
    heads: int = 4
    head_dim: int = 32
    ffn: int = 176
    corpus: str = ""

    def __post_init__(self) -> None:
        """Check every value."""
        _check_choice("task", self.task, TASKS)
        _check_choice("encoding", self.encoding, tuple(CATALOGUE))
        for name, (low, high) in RANGES.items():
            _check_whole(name, getattr(self, name), low, high)
        if self.head_dim % 2:
            raise ValueError(f"head_dim must be even, got {self.head_dim}.")
        if self.train_length & (self.train_length - 1):
            raise ValueError(f"train_length must be a power of two, got {self.train_length}.")
        if self.tokens_per_step < self.train_length:
            raise ValueError(
                f"tokens_per_step must be at least train_length = {self.train_length}, got "
                f"{self.tokens_per_step}."
            )
        if not isinstance(self.corpus, str) or (self.corpus and self.task != "text"):
            raise ValueError("corpus must be a path, and only the task 'text' reads one.")
        _check_settings(self.encoding, self.settings)

    def setting(self, name: str) -> float:
        """Value of an encoding's parameter: what the spec says, or the default."""
        return self.settings.get(name, SETTINGS[self.encoding][name][2])

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; `from_dict` reads them back."""
        return {**asdict(self), "settings": dict(self.settings)}

    @classmethod
    def from_dict(cls, values: object) -> "RunSpec":
        """Read what `to_dict` wrote, or a hand-written equivalent; unknown names are refused."""
        if not isinstance(values, Mapping):
            raise ValueError(f"A run must be an object of names and values, got {values!r:.80}.")
        unknown = sorted(set(map(str, values)) - set(cls.__dataclass_fields__))
        if unknown:
            raise ValueError(
                f"Unknown names in the run: {', '.join(unknown)[:200]}. Allowed are "
                f"{', '.join(cls.__dataclass_fields__)}."
            )
        missing = {"task", "encoding"} - set(values)
        if missing:
            raise ValueError(f"A run must name its {' and '.join(sorted(missing))}.")
        return cls(**values)

    @property
    def key(self) -> str:
        """Twelve hexadecimal digits that name this run and no other."""
        text = json.dumps(self.to_dict(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def name(self) -> str:
        """Short readable name: task, encoding, settings, seed."""
        settings = [f"{name}{value:g}" for name, value in sorted(self.settings.items())]
        return "-".join([self.task, self.encoding, *settings, f"s{self.seed}"])

    @property
    def title(self) -> str:
        """The encoding with its settings, as a legend says it."""
        settings = ", ".join(
            f"{name.replace('_', ' ')} {value:g}" for name, value in self.settings.items()
        )
        title = CATALOGUE[self.encoding].title
        return f"{title}, {settings}" if settings else title


RANGES = {
    "seed": (0, 2**31 - 1),
    "steps": (1, 1_000_000),
    "train_length": (32, 4096),
    "tokens_per_step": (32, 1 << 20),
    "layers": (1, 24),
    "d_model": (8, 2048),
    "heads": (1, 64),
    "head_dim": (2, 256),
    "ffn": (8, 8192),
}


def recall_spec(encoding: str, seed: int = 0, **settings: float) -> RunSpec:
    """The recall exhibit's model: two layers, 146 thousand parameters, about a minute."""
    return RunSpec("recall", encoding, settings, seed, steps=1100)


def text_spec(encoding: str, seed: int = 0, **settings: float) -> RunSpec:
    """The text exhibit's model: two layers of width 128, 467 thousand parameters."""
    return RunSpec("text", encoding, settings, seed, steps=700, d_model=128, ffn=352)


def counting_spec(encoding: str, seed: int = 0, **settings: float) -> RunSpec:
    """The counting exhibit's model: as for recall, trained on half the length."""
    return RunSpec("counting", encoding, settings, seed, steps=500, train_length=64)


def _check_choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, got {value!r:.80}.")


def _check_whole(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, got {value!r:.80}.")


def _check_settings(encoding: str, settings: object) -> None:
    allowed = SETTINGS.get(encoding, {})
    if not isinstance(settings, Mapping):
        raise ValueError(f"settings must be names and numbers, got {settings!r:.80}.")
    for name, value in settings.items():
        if name not in allowed:
            names = ", ".join(allowed) if allowed else "none"
            raise ValueError(f"{encoding} has no setting {name!r:.40}; it has: {names}.")
        low, high, default = allowed[name]
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not low <= value <= high or (isinstance(default, int) and value % 1):
            kind = "whole number" if isinstance(default, int) else "number"
            raise ValueError(
                f"{name} must be a {kind} from {low:g} to {high:g}, got {value!r:.40}."
            )
