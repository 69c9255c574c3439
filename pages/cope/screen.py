"""CoPE: positions counted by gates, from a text to one score."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.cope import positions
from pages.cope.settings import PRESETS, Settings
from posenc.words import say
from ui import screen
from ui.memory import memory
from ui.text import live
from ui.words import _

SHOWN = "_app_cope_text"  # in memory: the last text that fitted


def fitting(make: Callable[[Settings], screen.Picture], s: Settings) -> screen.Picture:
    """A picture; where the text does not fit into memory, a sentence and that of the last that did.

    Raises:
        ValueError: If there was none before.
    """
    try:
        live.check_length(s.attention)
    except ValueError:
        if SHOWN not in memory():
            raise
        with screen.guard():
            live.check_length(s.attention)
        st.info(_("The picture stays as it was."))
        s = replace(s, text=memory()[SHOWN])
    memory()[SHOWN] = s.text
    return make(s)


PICTURES: screen.Pictures = {
    "positions": (say("Positions"), Settings, partial(fitting, positions.picture)),
    "gates": (say("Gates"), Settings, partial(fitting, positions.picture_of_gates)),
}

screen.show("cope", screen.screen_of(PICTURES, PRESETS))
