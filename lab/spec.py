"""Specification of one run, complete enough to repeat it."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field, SkipValidation, model_validator

from lab.checked import ValidatedModel, number, one_of, whole_number
from posenc.catalogue import CATALOGUE
from posenc.words import Sentence, say

Task = Literal["recall", "text", "counting"]

# What may be set for an encoding, with the smallest and largest value and the default.
SETTINGS: dict[str, dict[str, tuple[float, float, float]]] = {
    "rope": {"base": (2.0, 1e9, 10000.0)},
    "cope": {"max_positions": (2, 4096, 64)},
    "t5": {"max_distance": (32, 65536, 128)},
}


class RunSpec(ValidatedModel):
    """One training, complete: the same spec on the same machine gives the same weights.

    Files say `steps` and `tokens_per_step` for `updates` and `tokens_per_update`.

    Args:
        task: "recall" (look up a key), "text" (next byte) or "counting" (since the last reset).
        encoding: A name of `posenc.catalogue.CATALOGUE`.
        settings: Parameters of the encoding that differ from the lab's default, see `SETTINGS`.
        seed: Of the weights and of the data.
        updates: How often the weights are updated.
        train_length: L, tokens in the longest training window.
        tokens_per_update: Tokens that each update sees.
        layers: Blocks of the model.
        d_model: Width of the residual stream.
        heads: Heads per block.
        head_dim: Width of a head, even; need not be d_model / heads.
        ffn: Inner width of the feed-forward part.
        corpus: Path of a text file for the task "text"; "" is Python's own standard library.

    Raises:
        ValueError: If a value is out of its range; the message says which and what is allowed.
    """

    model_config = ConfigDict(strict=True)

    task: Task
    encoding: SkipValidation[str]
    settings: SkipValidation[Mapping[str, float]] = Field(default_factory=dict)
    seed: int = Field(default=0, ge=0, le=2**31 - 1)
    updates: int = Field(
        default=1000, ge=1, le=1_000_000, validation_alias="steps", serialization_alias="steps"
    )
    train_length: int = Field(default=128, ge=32, le=4096)
    tokens_per_update: int = Field(
        default=2048,
        ge=32,
        le=1 << 20,
        validation_alias="tokens_per_step",
        serialization_alias="tokens_per_step",
    )
    layers: int = Field(default=2, ge=1, le=24)
    d_model: int = Field(default=64, ge=8, le=2048)
    heads: int = Field(default=4, ge=1, le=64)
    head_dim: int = Field(default=32, ge=2, le=256)
    ffn: int = Field(default=176, ge=8, le=8192)
    corpus: SkipValidation[str] = ""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.encoding not in list(CATALOGUE):
            raise ValueError(one_of("encoding", self.encoding, CATALOGUE))
        if self.head_dim % 2:
            raise ValueError(f"head_dim must be even, got {self.head_dim}.")
        if self.train_length & (self.train_length - 1):
            raise ValueError(f"train_length must be a power of two, got {self.train_length}.")
        if self.tokens_per_update < self.train_length:
            raise ValueError(
                f"tokens_per_update must be at least train_length = {self.train_length}, got "
                f"{self.tokens_per_update}."
            )
        if not isinstance(self.corpus, str) or (self.corpus and self.task != "text"):
            raise ValueError("corpus must be a path, and only the task 'text' reads one.")
        _check_settings(self.encoding, self.settings)
        return self

    def setting(self, name: str) -> float:
        """Value of an encoding's parameter: what the spec says, or the default."""
        return self.settings.get(name, SETTINGS[self.encoding][name][2])

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; `from_dict` reads them back."""
        return self.model_dump()

    @classmethod
    def from_dict(cls, values: object) -> "RunSpec":
        """Read what `to_dict` wrote, or a hand-written equivalent; unknown names are refused."""
        if not isinstance(values, Mapping):
            raise ValueError(f"A run must be an object of names and values, got {values!r:.80}.")
        allowed = [str(f.serialization_alias or name) for name, f in cls.model_fields.items()]
        unknown = sorted(set(map(str, values)) - set(allowed))
        if unknown:
            raise ValueError(
                f"Unknown names in the run: {', '.join(unknown):.200}. Allowed are "
                f"{', '.join(allowed)}."
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
        title: str = CATALOGUE[self.encoding].title
        for name, value in self.settings.items():
            title = say("{title}, {setting}", title=title, setting=setting_words(name, value))
        return title


def recall_spec(encoding: str, seed: int = 0, **settings: float) -> RunSpec:
    """The recall exhibit's model: two layers, 146 thousand parameters, about a minute."""
    return RunSpec(task="recall", encoding=encoding, settings=settings, seed=seed, updates=1100)


def text_spec(encoding: str, seed: int = 0, **settings: float) -> RunSpec:
    """The text exhibit's model: two layers of width 128, 467 thousand parameters."""
    return RunSpec(
        task="text",
        encoding=encoding,
        settings=settings,
        seed=seed,
        updates=700,
        d_model=128,
        ffn=352,
    )


def counting_spec(encoding: str, seed: int = 0, **settings: float) -> RunSpec:
    """The counting exhibit's model: as for recall, trained on half the length."""
    return RunSpec(
        task="counting",
        encoding=encoding,
        settings=settings,
        seed=seed,
        updates=500,
        train_length=64,
    )


MAKERS = {"recall": recall_spec, "text": text_spec, "counting": counting_spec}
"""Makers of the exhibits' runs, by task."""


def setting_words(name: str, value: float) -> Sentence:
    """A parameter of an encoding with its value: "base 128"."""
    match name:
        case "base":
            return say("base {value:g}", value=value)
        case "max_positions":
            return say("{value:g} positions", value=value)
        case _:
            return say("max distance {value:g}", value=value)


def _check_settings(encoding: str, settings: object) -> None:
    allowed = SETTINGS.get(encoding, {})
    if not isinstance(settings, Mapping):
        raise ValueError(f"settings must be names and numbers, got {settings!r:.80}.")
    for name, value in settings.items():
        if name not in allowed:
            raise ValueError(
                f"{encoding} has no setting {name!r:.40}; it has: {', '.join(allowed) or 'none'}."
            )
        low, high, default = allowed[name]
        whole = isinstance(default, int)
        known = isinstance(value, int | float) and not isinstance(value, bool)
        if not known or not low <= value <= high or (whole and value % 1):
            refused = whole_number if whole else number
            raise ValueError(refused(name, value, low, high))
