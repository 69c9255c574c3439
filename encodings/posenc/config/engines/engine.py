"""An engine's settings, and how well their form is known."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from posenc.config.data import Config
from posenc.config.engines.reading import EngineReading
from posenc.scaling.dynamic import DynamicNTK


@dataclass(frozen=True)
class Written:
    """The settings of one engine.

    Args:
        text: Ready to paste; "" where nothing has to be set.
        notes: What the text cannot say, a sentence each.
        tried: Whether it was run or read for the model's family, a sentence.
    """

    text: str
    notes: tuple[str, ...] = ()
    tried: str = ""


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
            ValueError: If the file does not reach the length that is asked for.
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
            raise ValueError(
                f"No setting is written for {self.length:,} tokens: the file reaches {longest:,}, "
                "factor times the declared length, where an engine fixes the base of dynamic "
                f"scaling. A factor of {needed:g} reaches it."
            )
        if self.length > longest:
            raise ValueError(
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
        versions: From which version the form is right, and what an older one silently does.
        sources: What was read, and the day of the state that was read.
        write: Settings of a configuration; the second one is what the model was trained with and
            its file was made from. Raises ValueError with the reason where there are none.
            What was run of it, for which families, is in facts.json.
        language: What the text is written in.
        reading: What it makes of the lengths in a file, told what transformers 5 makes of them;
            None where it is not known apart.
    """

    id: str
    title: str
    place: str
    versions: str
    sources: str
    write: Callable[[Config, Config, Serving], Written]
    language: Literal["json", "bash", "text"] = "bash"
    reading: Callable[[EngineReading, Config, str], EngineReading] | None = None
