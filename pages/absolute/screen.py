"""Absolute positions: the sinusoidal table, its similarity and shift, and a learned table."""

from collections.abc import Callable
from typing import Any

from pages.absolute import learned_table, odometer, sinusoids, waves
from posenc.words import say
from ui import controls, screen
from ui.screen import budget
from ui.words import _

START: dict[str, Any] = {
    "view": "table",
    "d_model": 64,
    "length": 128,
    "base": 10000.0,
    "layout": "interleaved",
    "source": "trained",
}
PRESETS = {
    "width_64": START,
    "worked": START | {"d_model": 4, "length": 10},
    "transformer": START | {"d_model": 512, "length": 512},
    "bert": START | {"view": "learned", "source": "random", "d_model": 768, "length": 512},
}
PRESET_LABELS = {
    "width_64": say("64 dimensions"),
    "worked": say("Worked example, d = 4"),
    "transformer": say("Transformer base"),
    "bert": say("BERT-base's size"),
}
PICTURES = {
    "table": say("Table"),
    "odometer": say("7 against 8"),
    "similarity": say("Similarity"),
    "shift": say("Shift"),
    "learned": say("Learned"),
}
LAYOUTS = {
    "interleaved": say("interleaved"),
    "concatenated": say("concatenated"),
    "tensor2tensor": "tensor2tensor",
}


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """Read the controls and place the chosen picture."""
    odometer.hear()
    left, right = screen.columns(lesson)
    with right:
        picture = controls.picture(PICTURES)
    with left:
        controls.presets(PRESETS, PRESET_LABELS)
        chosen = read_learned() if picture == "learned" else read_sizes() | read_options(picture)
    view = None
    needed = BYTES_A_DIMENSION * chosen["d_model"] if picture in WHOLE_ROWS else 0
    with right, screen.guard(), budget.seat(needed):
        view = SHOW[picture](chosen)
    return view


def read_sizes() -> dict[str, Any]:
    """The size of the table."""
    return {
        "d_model": controls.number(
            "d_model",
            _("Width d"),
            64,
            1,
            8192,
            help=_("d_model; 512 in the Transformer, 768 in BERT."),
        ),
        "length": controls.number(
            "length",
            _("Length L"),
            128,
            1,
            100_000_000,
            help=_("Positions 0 … L − 1; 512 in BERT."),
        ),
    }


def read_waves() -> dict[str, Any]:
    """What a sinusoid depends on besides."""
    return {
        "base": controls.number(
            "base",
            _("Base"),
            10000.0,
            1.001,
            1e12,
            help=_("base in the formula; models use 10000."),
        ),
        "layout": controls.choice(
            "layout",
            _("Layout"),
            LAYOUTS,
            help=_("Order of the columns. tensor2tensor also has its own frequencies."),
        ),
    }


def read_options(picture: str) -> dict[str, Any]:
    """What this picture depends on besides."""
    if picture == "odometer":
        return odometer.read() | read_waves()
    if picture != "shift":
        return read_waves()
    offset = controls.number(
        "offset",
        _("Shift k"),
        3,
        -100_000,
        100_000,
        help=_("The map Mₖ moves every position by k."),
    )
    return {"offset": offset} | read_waves()


def read_learned() -> dict[str, Any]:
    """What a learned table depends on; one that is trained has its size and no seed."""
    source = controls.choice(
        "source",
        _("Table"),
        learned_table.SOURCES,
        help=_(
            "The table of the model of code that ships with the app, or a table of any size before "
            "any training."
        ),
    )
    if source == "trained":
        length, d_model = learned_table.trained_size()
        chosen = {"d_model": d_model, "length": length, "seed": 0}
    else:
        seed = controls.number(
            "seed", _("Seed"), 0, 0, 2**32 - 1, help=_("The numbers of the table.")
        )
        chosen = read_sizes() | {"seed": seed}
    new_length = controls.number(
        "new_length",
        _("New length L′"),
        192,
        1,
        1_000_000,
        help=_("Rows after interpolation."),
    )
    align_corners = controls.toggle(
        "align_corners",
        _("Keep both ends"),
        help=_("align_corners: row 0 and the last row stay."),
    )
    return chosen | {"source": source, "new_length": new_length, "align_corners": align_corners}


WHOLE_ROWS = ("table", "similarity")
"""Pictures that compute all dimensions of the rows that they show."""
BYTES_A_DIMENSION = 16_000
"""What a dimension of their rows takes at the peak: a float64, in two copies, for 1,000 rows."""
SHOW: dict[str, Callable[[dict[str, Any]], screen.ScreenView]] = {
    "table": waves.show,
    "odometer": odometer.show,
    "similarity": sinusoids.show_similarity,
    "shift": sinusoids.show_shift,
    "learned": learned_table.show,
}
screen.show("absolute", draw)
