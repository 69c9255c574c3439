"""CoPE: positions counted by gates, from a text to one score."""

from dataclasses import replace

import streamlit as st

from pages.cope import positions
from pages.cope.settings import PRESETS, Settings
from posenc.words import say
from ui import screen
from ui.memory import memory
from ui.text import live
from ui.words import _

SHOWN = "_app_cope_text"  # in memory: the last text that fitted


def picture(s: Settings) -> screen.Picture:
    """The positions; where the text does not fit into memory, a sentence and the last that did.

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
    return positions.picture(s)


PICTURES: screen.Pictures = {"positions": (say("Positions"), Settings, picture)}

screen.show("cope", screen.screen_of(PICTURES, PRESETS))
