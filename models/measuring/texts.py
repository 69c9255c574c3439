"""Long texts of two kinds that nobody has to download: Python's own, and novels by Jane Austen.

The novels (public domain) are those of Debian's package r-cran-janeaustenr. R is not needed:

    apt-get download r-cran-janeaustenr
    dpkg-deb -x r-cran-janeaustenr_*.deb austen
    … --novels austen/usr/lib/R/site-library/janeaustenr
"""

import hashlib
import sysconfig
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from models.opened import Model
from posenc.words import say

NOVELS = Path("/usr/lib/R/site-library/janeaustenr")
"""Where Debian installs them."""
IN_ORDER = ("emma", "mansfield", "northanger", "persuasion", "pride", "sense")
"""Ids of the novels, in the order of the package's file."""
PYTHON = {"topics": "pydoc_data/topics.py", "decimal": "_pydecimal.py", "asyncio": "asyncio",
          "email": "email", "tkinter": "tkinter", "unittest": "unittest"}  # fmt: skip
"""Ids of the texts of Python, and the file or folder of the standard library."""
TEXTS = (
    "topics", "pride", "asyncio", "emma", "decimal", "persuasion",
    "email", "sense", "tkinter", "mansfield", "unittest", "northanger",
)  # fmt: skip
"""Every text; the kinds take turns, so that the first few are of both."""
LONGEST_TOKEN = 16
"""Characters a token has at most on average: no more of a text is cut than that."""
LARGEST = 8 << 20
"""Bytes of one novel at most."""


@dataclass(frozen=True)
class Text:
    """A text in a model's tokens.

    Args:
        name: Its id.
        kind: "python" or "prose".
        sha256: Of the whole text in UTF-8, 16 hexadecimal digits; however much of it is read.
        ids: Its first tokens.
    """

    name: str
    kind: str
    sha256: str
    ids: list[int]


def here(novels: Path = NOVELS) -> tuple[str, ...]:
    """Ids of the texts that can be read here, in the order of `TEXTS`."""
    without = set() if _novels_file(novels).is_file() else set(IN_ORDER)
    return tuple(name for name in TEXTS if name not in without)


def read_text(name: str, model: Model, length: int, novels: Path = NOVELS) -> Text:
    """A text, cut to its first tokens.

    Args:
        name: One of `TEXTS`.
        model: Whose tokens.
        length: Tokens.
        novels: Folder of the package with the novels.

    Raises:
        ValueError: If there is no such text here, or it is shorter.
    """
    whole = whole_text(name, novels)
    ids = model.tokens(whole[: LONGEST_TOKEN * length]).ids[:length]
    if len(ids) < length:
        raise ValueError(
            say(
                "The text {name} has {count:,} tokens, and {length:,} are asked for: ask for "
                "fewer, or leave the text out.",
                name=name, count=len(ids), length=length,
            )
        )  # fmt: skip
    sha256 = hashlib.sha256(whole.encode()).hexdigest()[:16]
    return Text(name, "prose" if name in IN_ORDER else "python", sha256, ids)


def whole_text(name: str, novels: Path = NOVELS) -> str:
    """All of a text.

    Raises:
        ValueError: If there is no such text here.
    """
    if name not in TEXTS:
        raise ValueError(
            say(
                "There is no text {name!r:.80}; these can be read: {names}.",
                name=name, names=", ".join(here(novels)),
            )
        )  # fmt: skip
    return _novel(name, novels) if name in IN_ORDER else _python(name)


def _python(name: str) -> str:
    """A file of the standard library, or the files of a folder of it one after the other."""
    if name == "topics":  # the documentation itself, not the code that holds it
        from pydoc_data.topics import topics

        return "\n\n".join(topics[key] for key in sorted(topics))
    path = Path(sysconfig.get_paths()["stdlib"], PYTHON[name])
    files = sorted(path.glob("*.py")) if path.is_dir() else [path]
    return "\n\n".join(file.read_text("utf-8") for file in files)


def _novels_file(novels: Path) -> Path:
    return novels / "data" / "Rdata.rdb"


def _novel(name: str, novels: Path) -> str:
    file = _novels_file(novels)
    if not file.is_file():
        raise ValueError(
            say(
                "The novel {name} is not here: there is no {file}. Debian's package "
                "r-cran-janeaustenr has it; unpack the package with dpkg-deb -x, and name its "
                "folder janeaustenr with --novels.",
                name=name, file=file,
            )
        )  # fmt: skip
    data = file.read_bytes()
    try:
        for _ in IN_ORDER[: IN_ORDER.index(name)]:
            _, data = _unpacked(data)
        return "\n".join(_lines(_unpacked(data)[0])).strip()
    except (zlib.error, ValueError, IndexError) as error:
        raise ValueError(
            say("{file} cannot be read: {error!s:.200}", file=file, error=error)
        ) from None


def _unpacked(data: bytes) -> tuple[bytes, bytes]:
    """The first object of a file of R's lazy loading (its size, then zlib), and what follows."""
    stream = zlib.decompressobj()
    found = stream.decompress(data[4:], LARGEST)
    if len(found) != int.from_bytes(data[:4], "big"):
        raise ValueError(say("an object has another size than the file says."))
    return found, stream.unused_data


def _lines(data: bytes) -> Iterator[str]:
    """The strings of a serialised character vector of R.

    Source: R Internals, section 1.8 "Serialization formats": binary, big-endian, version 3.
    """

    def number(at: int) -> int:
        return int.from_bytes(data[at : at + 4], "big")

    at = 14
    if data[:2] != b"X\n" or number(2) not in (2, 3):
        raise ValueError(say("an object is not in R's binary format."))
    if number(2) == 3:  # the name of the native encoding
        at += 4 + number(at)
    if data[at + 3 : at + 4] != b"\x10":
        raise ValueError(say("an object is not a character vector."))
    count, at = number(at + 4), at + 8
    for _ in range(count):
        size = number(at + 4)
        if at + 8 + size > len(data):
            raise ValueError(say("an object ends early."))
        yield data[at + 8 : at + 8 + size].decode("utf-8", "replace")
        at += 8 + size
