"""Controls that the pictures of a typed text, decoded token by token, share."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui import controls
from ui.text.tokens import Tokens
from ui.words import _

SENTENCE = "The cat sat on the mat because the mat was warm."
KEY = "decoding_step"
STEP = 8
ENCODING = "rope"
MAX_CHARS = 4000
MAX_TOKENS = 256


def text() -> tuple[str, DeltaGenerator]:
    """The typed text, and under it the place of the step, which waits for the tokens."""
    typed = controls.text(
        "text",
        _("Text"),
        SENTENCE,
        max_chars=MAX_CHARS,
        help=_("The model reads this text one token at a time."),
    )
    return typed, st.container()


def rotate_on_write() -> bool:
    """When keys are rotated."""
    return controls.toggle(
        "rotate_on_write",
        _("Rotate keys on write"),
        True,
        help=_(
            "On: each key is rotated once, before it is cached, as in most runtimes. Off: keys are "
            "cached as they are, and all of them are rotated at every step."
        ),
    )


def few(tokens: Tokens) -> Tokens:
    """The first tokens, with a sentence where there are more: each step is a run of its own."""
    if len(tokens.ids) > MAX_TOKENS:
        st.warning(
            _(
                "The text has {tokens:,} tokens; the first {most} are decoded here.",
                tokens=len(tokens.ids),
                most=MAX_TOKENS,
            )
        )
    return Tokens(tokens.texts[:MAX_TOKENS], tokens.ids[:MAX_TOKENS])


def sizes() -> dict[str, int]:
    """Sizes of the random model."""
    num_heads = controls.number(
        "num_heads", _("Heads"), 4, 1, 16, help=_("num_heads; 32 in Llama-2-7B.")
    )
    return {
        "num_heads": num_heads,
        "head": controls.number(
            "head",
            _("Head h"),
            0,
            0,
            num_heads - 1,
            help=_("The head that the pictures show; the first is 0."),
        ),
        "head_dim": controls.number(
            "head_dim", _("Head width"), 16, 1, 128, help=_("head_dim; 128 in Llama-2-7B.")
        ),
        "seed": controls.number(
            "seed",
            _("Seed"),
            0,
            0,
            2**32 - 1,
            help=_("Embeddings, projections and learned tables follow it."),
        ),
    }


def step(length: int) -> int:
    """How many tokens have been decoded."""
    if length == 1:
        st.caption(_("The text has one token, so there is one step."))
        return 1
    chosen: int = controls.slider(
        KEY,
        _("Step t"),
        min(STEP, length),
        1,
        length,
        help=_("Tokens decoded so far. Step t computes one query, one key and one value."),
    )
    return chosen
