"""CoPE: positions counted by gates, from a text to one score."""

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st
import torch

from pages.cope import counting
from pages.cope import pictures as counting_pictures
from pages.cope.counting import Counted
from posenc.words import say
from ui import controls, notebooks, screen
from ui.charts.matrix import Shown, matrix
from ui.controls import device
from ui.text import controls as live_controls
from ui.text import live
from ui.words import _, number

START: dict[str, Any] = {
    "text": "Sam sat down. Ann left. Then it rained. Who left?",
    "gates": "separators",
    "separators": ". ? !",
    "max_positions": 64,
}
LIST = "red, green, blue; one, two, three; cat, dog, cow"
PRESETS = {
    "sentences": START,
    "commas": START | {"text": LIST, "separators": ","},
    "random": START | {"gates": "random"},
    "open": START | {"gates": "open"},
    "low_cap": START | {"gates": "open", "max_positions": 6},
}
PRESET_LABELS = {
    "sentences": say("Count sentences"),
    "commas": say("Count commas"),
    "random": say("Random gates"),
    "open": say("All gates open"),
    "low_cap": say("A low cap"),
}
MAX_CHARS = 20_000
SOME = 8  # tokens of a text that are named
SHOWN = "_app_cope_tokens"  # in session state: of the last text that fitted


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """Read the controls, count the positions, place the pictures."""
    left, right = screen.columns(lesson)
    with left:
        controls.presets(PRESETS, PRESET_LABELS)
        settings, gates, separators, max_positions = read_controls()
    view = None
    with right, screen.guard():
        settings = readable(settings)
        opens = counting.open_keys(settings.tokens.texts, gates, separators)
        counted = counting.count(settings, opens, max_positions)
        if opens == [] and gates == "separators":
            st.info(
                _(
                    "No token of this text is one of the separators, so every gate is shut and "
                    "every position is 0. Type some of its tokens as separators: {tokens}",
                    tokens=" ".join(dict.fromkeys(settings.tokens.texts[:SOME])),
                )
            )
        shown = show_positions(settings, counted)
        tables: dict[str, pd.DataFrame] = {say("positions"): screen.view_frame(shown.view)}
        tables |= counting_pictures.show_gates(settings, counted, shown.cell)
        tables |= counting_pictures.show_row(settings, counted, shown.cell)
        view = screen.ScreenView(lambda: tables)
    return view


def readable(settings: live.AttentionSettings) -> live.AttentionSettings:
    """These settings; where their text does not fit into memory a sentence, and the last that did.

    Raises:
        ValueError: If there was none before.
    """
    try:
        live.check_length(settings)
    except ValueError:
        if SHOWN not in st.session_state:
            raise
        with screen.guard():
            live.check_length(settings)
        st.info(_("The picture stays as it was."))
        return replace(settings, tokens=st.session_state[SHOWN])
    st.session_state[SHOWN] = settings.tokens
    return settings


def read_controls() -> tuple[live.AttentionSettings, str, str, int]:
    """Settings of the attention, which gates open, on what, and the number of positions."""
    text = controls.text(
        "text",
        _("Text"),
        START["text"],
        max_chars=MAX_CHARS,
        help=_("The text whose tokens the gates read."),
    )
    gates = controls.choice(
        "gates",
        _("Gates open on"),
        counting.GATES,
        help=_(
            "What sets each gate g of the formula. With separators, a gate is 1 on them and 0 on "
            "every other token, as a trained head could learn. With random projections, a gate is "
            "σ(q·k / √d), as before training."
        ),
    )
    separators = controls.line(
        "separators",
        _("Separators"),
        START["separators"],
        max_chars=40,
        help=_(
            "Tokens that open the gates, with spaces between them. A mark stands for its kin in "
            "other scripts, too: . for 。 and ? for ？."
        ),
    )
    max_positions = controls.number(
        "max_positions",
        _("Positions"),
        64,
        2,
        4096,
        help=_(
            "Number of position embeddings; 64 in several of the paper's runs. The cap is "
            "max_positions − 1."
        ),
    )
    with st.expander(_("More")):
        cut = live_controls.tokenizer()
        head_dim = live_controls.head_dim()
        seed = live_controls.seed()
        chosen_device = device.picker()
    settings = live.AttentionSettings(cut(text), "nope", True, 1, head_dim, seed, chosen_device)
    return settings, gates, separators, max_positions


def show_positions(settings: live.AttentionSettings, counted: Counted) -> Shown:
    """The large picture, and how it differs from counting tokens."""
    future = counted.future
    notebooks.computed(
        "positions", **counted.notebook(settings), max_positions=counted.cope.max_positions
    )
    shown = matrix(
        live.quantity(
            counted.positions.masked_fill(future, torch.nan),
            settings.tokens,
            say("position p"),
            signed=False,
            explain=counted.position_steps,
        ),
        key="positions",
        title=_("Position p: gates summed from key j to query i"),
        alt=_(
            "Heatmap of contextual positions: they grow from the diagonal to the left wherever a "
            "gate opens"
        ),
        default_cell=live.default_cell(settings.length),
        clicks=counting_pictures.CLICKS,
    )
    plain = counting.plain_positions(counted)
    cap = counted.cope.max_positions - 1
    clamped = int((counted.uncapped > cap).masked_fill(future, False).sum())
    difference = (counted.uncapped - plain).masked_fill(future, 0).abs().max().item()
    hidden = _("masked") if future[shown.cell] else None
    largest = _("largest difference")
    screen.readouts(
        {
            _("p there"): hidden or number(shown.value, ".4g"),
            _("i − j + 1 there"): hidden or number(plain[shown.cell].item(), ".0f"),
            largest: number(difference, ".4g"),
            _("cells at the cap, {cap}", cap=cap): _(
                "{count:,} of {total:,}", count=clamped, total=int((~future).sum())
            ),
        },
        help={largest: _("Between p and i − j + 1 over all cells, before the cap.")},
    )
    st.caption(
        _(
            "Queries, keys and the position embeddings are random numbers from the seed; no model "
            "is trained. The scores were computed in {time:.1f} ms on {device}.",
            time=counted.milliseconds,
            device=settings.device.type,
        )
    )
    return shown


screen.show("cope", draw)
