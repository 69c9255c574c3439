"""Typed text into tokens: whole words or single bytes, without a trained tokenizer."""

import unicodedata
from hashlib import blake2b
from typing import NamedTuple

ZERO_WIDTH_JOINER = "\u200d"
WITHOUT_SPACES = ("CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
"""How Unicode's names of letters begin in scripts that put no spaces between words."""
KIN = str.maketrans(
    {"。": ".", "．": ".", "।": ".", "？": "?", "؟": "?", "！": "!", "，": ",", "、": ",", "،": ","}
)
"""Marks of other scripts that do what these do."""


class Tokens(NamedTuple):
    """A text cut into tokens."""

    texts: list[str]
    """Text to show for each token."""
    ids: list[int]
    """An integer for each token, equal for equal tokens, in this text and in any other."""


def word_tokens(text: str) -> Tokens:
    """Words and punctuation.

    The rule: characters that belong together on the screen (a letter with its accents, an emoji
    with its modifiers, a flag) stay together; letters, digits and underscores that follow each
    other are one word; everything else that is not white space is a token of its own, and so is
    each character of a script that puts no spaces between words. Ids are a hash of its text.
    """
    words: list[str] = []
    in_word = False
    for cluster in _clusters(text):
        first = cluster[0]
        stands_alone = unicodedata.name(first, "").startswith(WITHOUT_SPACES)
        continues = (first.isalnum() or first == "_") and (first.isascii() or not stands_alone)
        if continues and in_word:
            words[-1] += cluster
        elif not cluster.isspace():
            words.append(cluster)
        in_word = continues
    return Tokens(words, [_hash(word) for word in words])


def byte_tokens(text: str) -> Tokens:
    """The bytes of the text in UTF-8; ids are the bytes.

    Printable ASCII characters are shown as they are, all other bytes (the space too) as 0x20.
    """
    data = text.encode("utf-8", errors="surrogatepass")
    texts = [chr(byte) if 0x21 <= byte <= 0x7E else f"0x{byte:02X}" for byte in data]
    return Tokens(texts, list(data))


def places_of(typed: str, texts: list[str]) -> list[int]:
    """Places of the typed words and marks among tokens.

    A mark stands for its kin in other scripts, too: . for 。 and ? for ？.
    """
    wanted = {text.translate(KIN) for text in word_tokens(typed).texts}
    return [place for place, text in enumerate(texts) if text.translate(KIN) in wanted]


def _clusters(text: str) -> list[str]:
    """Characters with what belongs to them: marks, joiners, skin tones, the second half of a flag.

    A small part of Unicode's rule for grapheme clusters (UAX 29), enough for text to stay readable.
    """
    clusters: list[str] = []
    for char in text:
        if clusters and not clusters[-1].isspace() and _extends(clusters[-1], char):
            clusters[-1] += char
        else:
            clusters.append(char)
    return clusters


def _extends(cluster: str, char: str) -> bool:
    category = unicodedata.category(char)
    if category.startswith("M") or category == "Cf":
        return True
    if cluster.endswith(ZERO_WIDTH_JOINER) and not char.isspace():
        return True
    skin_tone = "\U0001f3fb" <= char <= "\U0001f3ff"
    flag = len(cluster) == 1 and _is_regional(cluster) and _is_regional(char)
    return skin_tone or flag


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _hash(word: str) -> int:
    """63 bits: two different words of one text share an id with a chance of about one in 10¹²."""
    digest = blake2b(word.encode("utf-8", errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
