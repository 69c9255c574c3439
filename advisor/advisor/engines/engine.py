"""An engine's settings, and how well their form is known."""

import math
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from advisor.data import Config
from advisor.fields import Fields
from posenc.scaling.dynamic import DynamicNTK
from posenc.words import Sentence, say

SILENT = say("Its server names no length: only long prompts tell.")


@dataclass(frozen=True)
class EngineReading:
    """One engine's reading of the lengths in a file.

    Args:
        engine: Its name, one of `ENGINES`.
        trained_length: L₀, tokens, None where the engine does not ask for it or finds none.
        trained_from: The field it is taken from, or why there is none.
        factor: What frequencies are stretched by; α for dynamic scaling; None without scaling.
        factor_from: The field or the ratio it is taken from.
        longest: Tokens it reads unless it is told otherwise.
        longest_from: The field or the product it is taken from.
    """

    engine: str
    trained_length: int | None
    trained_from: str
    factor: float | None
    factor_from: str
    longest: int | None
    longest_from: str


class TooLong(ValueError):
    """A text is longer than the model reads in an engine, whatever that is told."""


def given_object(config: Config, layer_type: str) -> Fields:
    """The object of the file that describes this layer type, or the one for all."""
    return config.objects.get(layer_type) or next(iter(config.objects.values()))


@dataclass(frozen=True)
class Written:
    """The settings of one engine.

    Args:
        text: Ready to paste; "" where nothing has to be set.
        notes: What the text cannot say, a sentence each.
        versions: From which version its form is right, where the text has that form; else "".
        tried: Whether it was run or read for the model's family, a sentence.
        is_in_file: Whether the model's own file says all of the text already.
        first: What has to be done before the text does what is asked; "" for nothing.
        rest: The text without what a model file converted from config.json carries; None where
            that is not known.
    """

    text: str
    notes: tuple[str, ...] = ()
    versions: str = ""
    tried: str = ""
    is_in_file: bool = False
    first: str = ""
    rest: str | None = None

    @property
    def to_paste(self) -> str:
        """The part of the text that changes anything."""
        if self.is_in_file:
            return ""
        return self.text if self.rest is None else self.rest

    @property
    def told(self) -> tuple[str, ...]:
        """The notes, and that there is nothing to paste where the engine takes the file alone."""
        if self.is_in_file or not (self.text or self.notes):
            return say("Nothing to paste: it takes the file as it is."), *self.notes
        return self.notes


@dataclass(frozen=True)
class Serving:
    """A reader's wishes for serving.

    Args:
        cache_kind: Type of the numbers in the key/value cache, one of `CACHE_BITS`.
        batch: Texts at once.
        length: L, tokens; None for what the file reaches.
    """

    cache_kind: str = "bfloat16"
    batch: int = 1
    length: int | None = None

    def length_for(self, config: Config) -> int | None:
        """Tokens that an engine is told; None where neither file nor reader names a length.

        Raises:
            TooLong: If the file does not reach the length that is asked for.
        """
        if config.family.has_patches:
            return None
        if self.length is None or config.reach is None:
            return self.length or config.reach
        scalings = [layer.scaling for layer in config.rotary.values()]
        factors = [one.factor for one in scalings if isinstance(one, DynamicNTK)]
        longest = int(config.reach * max(factors, default=1.0))
        if self.length > longest and factors:
            needed = math.ceil(100 * self.length / config.reach) / 100
            raise TooLong(
                f"No setting is written for {self.length:,} tokens: the file reaches {longest:,}, "
                "factor times the declared length, where an engine fixes the base of dynamic "
                f"scaling. A factor of {needed:g} reaches it."
            )
        if self.length > longest:
            raise TooLong(
                f"No setting is written for {self.length:,} tokens: the file reaches {longest:,}."
            )
        return self.length


@dataclass(frozen=True)
class Engine:
    """One engine, or one form of its settings.

    Args:
        id: Short ASCII word: stands in addresses, documents and dictionaries.
        title: What readers see.
        place: Where the text goes, a sentence.
        command: What stands before the text, with `{model}`, where it starts a server that fetches
            a model by the name of its repository; else "".
        versions: From which version the form is right, and what an older one silently does.
        sources: What was read, and the day of the state that was read.
        write: Settings of a configuration; the second one is what the model was trained with and
            its file was made from. Raises ValueError with the reason where there are none.
            What was run of it, for which families, is in facts.json.
        form: The word in a text that `versions` is about; "" for every text.
        language: What the text is written in.
        reading: What it makes of the lengths in a file, told what transformers 5 makes of them;
            None where it is not known apart.
        url: Its server, at its usual port.
        look: The line of its log that names the length, or another place that does.
        split: How it is told to split a model, from how many GPUs share a layer, into how many
            such groups the layers are cut, and in how many machines all of them are.
    """

    id: str
    title: str
    place: str
    versions: str
    sources: str
    write: Callable[[Config, Config, Serving], Written]
    command: str = ""
    form: str = ""
    language: Literal["json", "bash", "text"] = "bash"
    reading: Callable[[EngineReading, Config, str], EngineReading] | None = None
    url: str = "http://localhost:8000"
    look: Sentence = SILENT
    split: Callable[[int, int, int], str] | None = None

    def check_command(self, file: str, target: int | None, read_as: str = "") -> str:
        """The `posenc check` command for its server.

        Args:
            file: What it runs: a path, or the name of a known model.
            target: L, tokens; None for what the file reaches.
            read_as: Family in the place of one that is not known.
        """
        more = [] if target is None else ["--target", str(target)]
        more += ["--read-as", read_as] if read_as else []
        return shlex.join(["posenc", "check", self.url, file, *more])


def check_known(config: Config) -> None:
    """Refuse a model of which it is not known how its layers rotate.

    Raises:
        ValueError: If it is not known.
    """
    if not config.is_known:
        model = config.model_type or "a file without it"
        raise ValueError(
            f"model_type must be one that is known; nothing is written for {model}: how its "
            "layers use positions is not known."
        )
