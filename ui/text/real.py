"""Real models for the screens: opened once per server, texts that were read kept for a while."""

from dataclasses import dataclass

import streamlit as st
import torch

from lab.queue.settings import CHECKPOINTS, LabSettings
from models.change import Change
from models.files.find import Found, found
from models.glance import Glance, glance
from models.opened import Model, open_model
from posenc.words import say
from ui.controls import address
from ui.screen.budget import cancel_button, leave_if_gone, seat
from ui.screen.layout import timed
from ui.text.shared import SharedValues
from ui.words import _

LONGEST = 4096
SLOW = 64  # tokens from which on a bar shows how far the computation is
LONG = 512  # tokens from which on it takes seconds, so that one may cancel


@dataclass(frozen=True, eq=False)
class Read:
    """A text that a model has read."""

    glance: Glance
    bits: torch.Tensor
    """Bits of every token after the first; none for a model of hidden tokens."""
    milliseconds: float
    """From the tokens to everything that is seen at once."""


HELD = 256 * 2**20
"""Bytes that reading a text of up to `LONGEST` tokens holds at its peak, the installed model."""
MODELS: SharedValues[Model] = SharedValues(2)
TEXTS: SharedValues[Read] = SharedValues(8)
"""Texts of all sessions together; each takes at most about 100 MB."""


def available() -> dict[str, Found]:
    """The models that can be opened here, by id, the installed one first."""
    return found(more=(LabSettings.from_environment().home / CHECKPOINTS,))


def model_of(one: Found, device: torch.device) -> Model:
    """An open model, the same for all sessions; the first one that asks opens it, with a bar.

    Raises:
        ValueError: If it cannot be opened.
    """
    place = st.empty()
    if one.is_gguf:
        words = _("Opening {model} (slower the first time, while it is converted)", model=one.title)
    else:
        words = _("Opening {model}", model=one.title)

    def show_progress(part: float) -> None:
        place.progress(part, words)

    opened = MODELS.get(
        (one, device.type), lambda: open_model(one, device=device, progress=show_progress)
    )
    place.empty()
    return opened


def read(model: Model, device: torch.device, ids: list[int], change: Change) -> Read:
    """A text as a model reads it, with a bar where that takes long.

    Raises:
        ValueError: If it is too long or empty, or cannot be read so.
    """
    if len(ids) > LONGEST:
        raise ValueError(
            say(
                "The text has {tokens:,} tokens; at most {longest:,} are read here. Shorten "
                "the text.",
                tokens=len(ids),
                longest=LONGEST,
            )
        )
    place = st.empty()
    words = _("Reading {tokens:,} tokens", tokens=len(ids))
    cancel = st.empty()

    def show_progress(part: float) -> None:
        leave_if_gone()
        if len(ids) > SLOW:  # a visitor who moves on meanwhile ends the pass here
            address.request_full_rerun()
            place.progress(min(part, 1.0), words)

    def make() -> Read:
        with seat(HELD), timed() as watch:
            if len(ids) > LONG:
                with cancel:
                    cancel_button("cancel_reading")
            one = glance(model, ids, change, show_progress)
            bits = torch.zeros(0) if model.family.masked else one.seen.bits()
        return Read(one, bits, watch.milliseconds)

    done = TEXTS.get((model.id, device.type, tuple(ids), change), make)
    place.empty()
    cancel.empty()
    return done
