"""What one engine is told, and what is known about the form of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from posenc.config.data import Config
from posenc.config.engines.reading import EngineReading


@dataclass(frozen=True)
class Written:
    """The settings of one engine.

    Args:
        text: Ready to paste; "" where nothing has to be set.
        notes: What the text cannot say, a sentence each.
    """

    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Engine:
    """One engine, or one form of its settings.

    Args:
        id: Short ASCII word: stands in addresses, documents and dictionaries.
        title: What readers see.
        place: Where the text goes, a sentence.
        versions: From which version the form is right, and what an older one does without a word.
        sources: What was read, and the day of the state that was read.
        write: Settings of a configuration; the second one is what the model was trained with and
            its file was made from. Raises ValueError with the reason where there are none.
        ran: Whether the form was run against the engine's own code; data/engines.json has what
            came out. Otherwise the code or the pages were only read.
        language: What the text is written in.
        reading: What it makes of the lengths in a file, told what transformers 5 makes of them;
            None where it is not known apart.
    """

    id: str
    title: str
    place: str
    versions: str
    sources: str
    write: Callable[[Config, Config], Written]
    ran: bool = False
    language: Literal["json", "bash", "text"] = "bash"
    reading: Callable[[EngineReading, Config, str], EngineReading] | None = None
