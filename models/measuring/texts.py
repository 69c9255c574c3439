"""Long texts of four kinds: Python's own, novels, technical manuals, dialogue of a game.

Python's own are always here. The others are what free packages of Debian hold; nothing of them
runs, so it is enough to unpack each package of `TEXTS` that is to be read:

    apt-get download r-cran-janeaustenr
    dpkg-deb -x r-cran-janeaustenr_*.deb unpacked
    … --root unpacked
"""

import hashlib
import re
import sysconfig
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from models.opened import Model
from posenc.words import say

ROOT = Path("/")
"""Where Debian installs packages."""
IN_ORDER = ("emma", "mansfield", "northanger", "persuasion", "pride", "sense")
"""Ids of the novels, in the order of the package's file."""


@dataclass(frozen=True)
class Source:
    """Where a text comes from.

    Args:
        kind: "python", "prose", "manual" or "dialogue".
        path: Of its file or files, sorted; below Python's library, or below the root.
        package: Of Debian; Python's own has none.
        licence: Under which it may be read.
    """

    kind: str
    path: str
    package: str = ""
    licence: str = "PSF-2.0"


_NOVEL = Source(
    "prose",
    "usr/lib/R/site-library/janeaustenr/data/Rdata.rdb",
    "r-cran-janeaustenr",
    say("public domain"),
)
_CAMPAIGN = "usr/share/games/wesnoth/*/data/campaigns/{}/scenarios/*.cfg"
TEXTS = {
    "topics": Source("python", "pydoc_data/topics.py"),
    "pride": _NOVEL,
    "asyncio": Source("python", "asyncio/*.py"),
    "emma": _NOVEL,
    "decimal": Source("python", "_pydecimal.py"),
    "persuasion": _NOVEL,
    "email": Source("python", "email/*.py"),
    "sense": _NOVEL,
    "tkinter": Source("python", "tkinter/*.py"),
    "mansfield": _NOVEL,
    "unittest": Source("python", "unittest/*.py"),
    "northanger": _NOVEL,
    "git": Source("manual", "usr/share/doc/git-doc/user-manual.txt", "git-doc", "GPL-2.0"),
    "descent": Source(
        "dialogue", _CAMPAIGN.format("Descent_Into_Darkness"), "wesnoth-1.16-did", "GPL-2.0+"
    ),
    "vim": Source("manual", "usr/share/vim/*/doc/usr_*.txt", "vim-runtime", "OPL-1.0+"),
    "throne": Source(
        "dialogue", _CAMPAIGN.format("Heir_To_The_Throne"), "wesnoth-1.16-httt", "GPL-2.0+"
    ),
}
"""Every text by its id; the kinds take turns, so that the first few are of both that came first."""
LONGEST_TOKEN = 16
"""Characters a token has at most on average: no more of a text is cut than that."""
LARGEST = 8 << 20
"""Bytes of one novel at most."""


@dataclass(frozen=True)
class Text:
    """A text in a model's tokens.

    Args:
        name: Its id.
        kind: Of its source.
        sha256: Of the whole text in UTF-8, 16 hexadecimal digits; however much of it is read.
        ids: Its first tokens.
    """

    name: str
    kind: str
    sha256: str
    ids: list[int]

    @property
    def columns(self) -> dict[str, str]:
        """Its name, kind and hash, by the columns of `OF_TEXT`."""
        return {"text": self.name, "kind": self.kind, "sha256": self.sha256}

    def cut(self, length: int) -> "Text":
        """Its first tokens alone."""
        return replace(self, ids=self.ids[:length])


def here(root: Path = ROOT) -> tuple[str, ...]:
    """Ids of the texts that can be read here, in the order of `TEXTS`."""
    return tuple(name for name in TEXTS if _files(name, root))


def read_text(name: str, model: Model, length: int, root: Path = ROOT) -> Text:
    """A text, cut to its first tokens.

    Args:
        name: One of `TEXTS`.
        model: Whose tokens.
        length: Tokens.
        root: Folder that Debian's packages are unpacked into.

    Raises:
        ValueError: If there is no such text here, or it is shorter.
    """
    whole = whole_text(name, root)
    ids = model.tokens(whole[: LONGEST_TOKEN * length]).ids[:length]
    if len(ids) < length:
        raise ValueError(
            f"The text {name} has {len(ids):,} tokens, and {length:,} are asked for: ask for "
            "fewer, or leave the text out."
        )
    sha256 = hashlib.sha256(whole.encode()).hexdigest()[:16]
    return Text(name, TEXTS[name].kind, sha256, ids)


def whole_text(name: str, root: Path = ROOT) -> str:
    """All of a text.

    Raises:
        ValueError: If there is no such text here.
    """
    if name not in TEXTS:
        raise ValueError(
            f"There is no text {name!r:.80}; these can be read: {', '.join(here(root))}."
        )
    source = TEXTS[name]
    files = _files(name, root)
    if not files:
        raise ValueError(
            f"The text {name} is not here: there is no {root / source.path}. Debian's package "
            f"{source.package} has it; unpack the package with dpkg-deb -x, and name that folder "
            "with --root."
        )
    if name == "topics":  # the documentation itself, not the code that holds it
        from pydoc_data.topics import topics

        return "\n\n".join(topics[key] for key in sorted(topics))
    if source.kind == "prose":
        return _novel(name, files[0])
    read = _dialogue if source.kind == "dialogue" else str
    return "\n\n".join(read(file.read_text("utf-8")) for file in files)


def _files(name: str, root: Path) -> list[Path]:
    source = TEXTS[name]
    folder = root if source.package else Path(sysconfig.get_paths()["stdlib"])
    return sorted(folder.glob(source.path))


def _dialogue(scenario: str) -> str:
    """Who says what in a scenario of Wesnoth, a paragraph for each message."""
    said = []
    for message in re.findall(r"\[message\](.*?)\[/message\]", scenario, re.DOTALL):
        words = re.search(r'^\s*message\s*=\s*_\s*"((?:[^"]|"")*)"', message, re.MULTILINE)
        speaker = re.search(r"^\s*speaker\s*=\s*(.+?)\s*$", message, re.MULTILINE)
        if words:
            spoken = " ".join(words[1].replace('""', '"').split())
            said.append(f"{speaker[1] if speaker else 'narrator'}: {spoken}")
    return "\n\n".join(said)


def _novel(name: str, file: Path) -> str:
    data = file.read_bytes()
    try:
        for _ in IN_ORDER[: IN_ORDER.index(name)]:
            _, data = _unpacked(data)
        return "\n".join(_lines(_unpacked(data)[0])).strip()
    except (zlib.error, ValueError, IndexError) as error:
        raise ValueError(f"{file} cannot be read: {error!s:.200}") from None


def _unpacked(data: bytes) -> tuple[bytes, bytes]:
    """The first object of a file of R's lazy loading (its size, then zlib), and what follows."""
    stream = zlib.decompressobj()
    found = stream.decompress(data[4:], LARGEST)
    if len(found) != int.from_bytes(data[:4], "big"):
        raise ValueError("an object has another size than the file says.")
    return found, stream.unused_data


def _lines(data: bytes) -> Iterator[str]:
    """The strings of a serialised character vector of R.

    Source: R Internals, section 1.8 "Serialization formats": binary, big-endian, version 3.
    """

    def number(at: int) -> int:
        return int.from_bytes(data[at : at + 4], "big")

    at = 14
    if data[:2] != b"X\n" or number(2) not in (2, 3):
        raise ValueError("an object is not in R's binary format.")
    if number(2) == 3:  # the name of the native encoding
        at += 4 + number(at)
    if data[at + 3 : at + 4] != b"\x10":
        raise ValueError("an object is not a character vector.")
    count = number(at + 4)
    at += 8
    for _ in range(count):
        size = number(at + 4)
        if at + 8 + size > len(data):
            raise ValueError("an object ends early.")
        yield data[at + 8 : at + 8 + size].decode("utf-8", "replace")
        at += 8 + size
