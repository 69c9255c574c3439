"""A text in the tokens of a model, and tokens as readers can read them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

LONGEST_FILE = 1 << 28
VISIBLE = str.maketrans({" ": "·", "\n": "↵", "\t": "⇥", "\r": "␍", "▁": "·", "\u200d": "ZWJ"})
"""Visible signs for invisible characters: tokens often begin with a space, and emoji are joined."""


class Tokens(NamedTuple):
    """A text cut into a model's tokens."""

    texts: list[str]
    """Text to show for each token: its characters; a part of a character as "你 1/3"."""
    ids: list[int]


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The tokenizer of a model.

    Args:
        tokenizer: A `tokenizers.Tokenizer`.
    """

    tokenizer: Any

    @classmethod
    def read(cls, folder: Path) -> "Vocabulary":
        """Read tokenizer.json of a directory.

        Raises:
            ValueError: If there is none, or it cannot be read.
        """
        from tokenizers import Tokenizer

        file = folder / "tokenizer.json"
        if not file.is_file() or file.stat().st_size > LONGEST_FILE:
            raise ValueError(
                f"{folder.name} has no tokenizer.json that can be read: save its tokenizer with "
                "save_pretrained of transformers to get one."
            )
        try:
            tokenizer = Tokenizer.from_file(str(file))
        except Exception as error:  # tokenizers raises plain Exception
            raise ValueError(
                f"The tokenizer.json of {folder.name} cannot be read: {error!s:.200}"
            ) from None
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return cls(tokenizer)

    def cut(self, text: str) -> Tokens:
        """The text in tokens, with what the model puts around a text."""
        # What is no character (half of a pair) has no UTF-8.
        text = text.encode("utf-8", "replace").decode("utf-8")
        found = self.tokenizer.encode(text)
        return Tokens(_shown(text, found.tokens, found.offsets), list(found.ids))

    def piece(self, token: int) -> str:
        """One token of the vocabulary by itself, as it is shown."""
        raw = self.tokenizer.id_to_token(token)
        if raw is None:
            return f"#{token}"
        if type(self.tokenizer.decoder).__name__ != "ByteLevel":
            return raw.translate(VISIBLE)
        try:
            data = bytes(byte_of()[char] for char in raw)
        except KeyError:  # a special token, which is not written in bytes
            return raw
        try:
            return data.decode("utf-8").translate(VISIBLE)
        except UnicodeDecodeError:
            return " ".join(f"0x{byte:02X}" for byte in data)


def _shown(text: str, raw: list[str], spans: list[tuple[int, int]]) -> list[str]:
    """Each token by the characters that it stands for; those that share one are counted."""
    shown: list[str] = []
    for group in _sharing(spans):
        for place, index in enumerate(group, 1):
            start, end = spans[index]
            characters = text[start:end].translate(VISIBLE)
            if start == end:  # what the model adds itself
                characters = raw[index]
            elif raw[index][:1] in ("Ġ", "▁") and not characters.startswith("·"):
                characters = "·" + characters
            shown.append(characters if len(group) == 1 else f"{characters} {place}/{len(group)}")
    return shown


def _sharing(spans: list[tuple[int, int]]) -> list[list[int]]:
    """Tokens in groups: those that follow each other and stand for parts of one character."""
    groups: list[list[int]] = []
    for index, (start, _) in enumerate(spans):
        if groups and start < spans[groups[-1][-1]][1]:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


@cache
def byte_of() -> dict[str, int]:
    """The byte that each character of a byte-level vocabulary stands for.

    Printable bytes stand for themselves; the others for the characters from 256 on, in order.
    Source: Radford et al. 2019 (GPT-2), encoder.py, bytes_to_unicode.
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {
        chr(256 + place): byte for place, byte in enumerate(others)
    }
