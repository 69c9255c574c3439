"""What one engine is told, and what is known about the form of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from posenc.config.data import Config


@dataclass(frozen=True)
class Written:
    """The settings of one engine.

    Args:
        text: Ready to paste; "" where nothing has to be set.
        notes: What the text cannot say, sentences.
    """

    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Source:
    """What was read about an engine.

    Args:
        what: Project and file, or page.
        date: Day of the state that was read, ISO 8601.
    """

    what: str
    date: str


@dataclass(frozen=True)
class Engine:
    """One engine, or one form of its settings.

    Args:
        id: Short ASCII word: stands in addresses, documents and dictionaries.
        title: What readers see.
        place: Where the text goes.
        versions: From which version the form is right, and what an older one does without a word.
        write: Settings of a configuration; the second one is what the model file was made from
            and the model trained with. Raises ValueError with the reason where there are none.
        sources: What was read.
        ran: Whether the form was run against the engine's own code; data/engines.json has what
            came out. Otherwise it was only read.
        language: What the text is written in.
    """

    id: str
    title: str
    place: str
    versions: str
    write: Callable[[Config, Config], Written]
    sources: tuple[Source, ...]
    ran: bool = False
    language: Literal["json", "bash", "text"] = "bash"
