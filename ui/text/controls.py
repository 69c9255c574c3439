"""Controls that the screens with typed text share."""

from collections.abc import Callable

from posenc import CATALOGUE
from posenc.words import say
from ui import controls
from ui.text.live import TOKENIZERS
from ui.text.tokens import Tokens
from ui.words import _

TOKENIZER_LABELS = {"words": say("words"), "bytes": say("bytes")}


def tokenizer() -> Callable[[str], Tokens]:
    """What cuts the text into tokens."""
    name = controls.choice(
        "tokens",
        _("Tokens"),
        TOKENIZER_LABELS,
        help=_(
            "Whole words and marks, or the bytes of the text in UTF-8. Chinese and other scripts "
            "without spaces are cut into characters. Real models use pieces of words, from a "
            "trained tokenizer."
        ),
    )
    return TOKENIZERS[name]


def encoding(default: str) -> str:
    """An encoding of the catalogue."""
    return controls.choice(
        "encoding",
        _("Encoding"),
        {name: entry.title for name, entry in CATALOGUE.items()},
        default,
        help=_(
            "Where position enters; NoPE is no encoding at all. Learned tables hold random "
            "numbers here."
        ),
    )


def head_dim() -> int:
    """Width of a head."""
    width: int = controls.number(
        "head_dim",
        _("Head width"),
        16,
        1,
        128,
        help=_("d in √d; 128 in Llama-2-7B, 64 in GPT-2."),
    )
    return width


def seed() -> int:
    """Seed of everything that is random."""
    number: int = controls.number(
        "seed",
        _("Seed"),
        0,
        0,
        2**32 - 1,
        help=_("Embeddings, projections and learned tables follow it."),
    )
    return number
