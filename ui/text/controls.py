"""Controls that the screens with typed text or with several heads share."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from posenc.catalogue import CATALOGUE
from posenc.words import say
from ui.controls import MORE, choice, entry, number

TOKENIZER_LABELS = {"words": say("words"), "bytes": say("bytes")}


def tokens(**more: Any) -> Any:
    """Control of the tokenizer, by its name in `TOKENIZERS`."""
    help = say(
        "Whole words and marks, or the bytes of the text in UTF-8. Chinese and other scripts "
        "without spaces are cut into characters. Most real models use pieces of words, from a "
        "trained tokenizer."
    )
    return entry(choice, say("Tokens"), TOKENIZER_LABELS, "words", help=help, under=MORE, **more)


def encoding(default: str, under: str = "") -> Any:
    """An encoding of the catalogue."""

    def titles(_before: Any) -> dict[str, str]:  # asked for now: it grows by what is registered
        return {name: one.title for name, one in CATALOGUE.items()}

    help = say(
        "Where position enters; NoPE is no encoding at all. Learned tables hold random numbers "
        "here."
    )
    return entry(choice, say("Encoding"), titles, default, help=help, under=under)


def num_heads(help: str) -> Any:
    """Heads of a model of random numbers."""
    return entry(number, say("Heads"), 4, 1, 16, help=help, under=MORE)


def head(heads: Callable[[Any], int] = attrgetter("num_heads"), **more: Any) -> Any:
    """The head that the pictures show, of as many as the fields before it say."""
    help = say("The head that is shown, from 0.")
    return entry(number, say("Head h"), 0, 0, lambda s: heads(s) - 1, help=help, **more)


def head_dim() -> Any:
    """Width of a head."""
    help = say("d in √d; 128 in Llama-2-7B, 64 in GPT-2.")
    return entry(number, say("Head width"), 16, 2, 128, even=True, help=help, under=MORE)


def seed(
    help: str = say("Embeddings, projections and learned tables follow it."),
    under: str = MORE,
    **more: Any,
) -> Any:
    """Seed of everything that is random."""
    return entry(number, say("Seed"), 0, 0, 2**32 - 1, help=help, under=under, **more)
