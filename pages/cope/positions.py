"""CoPE on one text: the positions that gates count, the gates, and one row followed.

A click in a small picture, or on the c of a key, follows that cell in the large picture.
"""

from functools import partial
from typing import Any

from pages.cope import row
from pages.cope.counting import plain_positions
from pages.cope.settings import Settings
from posenc import cope_gates
from posenc.cope.steps import counted_steps
from posenc.words import say
from ui import screen
from ui.charts.component import Cell
from ui.charts.matrix import Shown
from ui.charts.points import Point, cell_there
from ui.text import live
from ui.words import _, as_text, number

SOME = 8
"""Tokens of a text that are named."""


def key_of_row(clicked: Cell, now: Point) -> Point | None:
    """The cell of a key of the row whose c was clicked."""
    return (now[0], clicked.col) if clicked.curve == 1 else None


CLICKS = {"gate": cell_there, "plain": cell_there, "interpolation": key_of_row}
"""The point of the large picture that a click in another picture follows."""


def picture(s: Settings) -> screen.Picture:
    """The positions, the gates, and one row of both."""
    return screen.Picture(
        figures=[positions(s), partial(gates, s), partial(row.followed, s)],
        note=note(s),
        readouts=partial(readouts, s),
        help={
            _("largest difference"): _("Between p and i − j + 1 over all cells, before the cap.")
        },
    )


def picture_of_gates(s: Settings) -> screen.Picture:
    """The gates large, and one row of them."""
    cell = live.default_cell(s.attention.length)
    return screen.Picture(
        figures=[gate(s, cell=cell, clicks=CLICKS), partial(row.followed, s)], note=note(s)
    )


def note(s: Settings) -> str:
    """A sentence, where no gate opens."""
    if s.opens != [] or s.gates != "separators":
        return ""
    return _(
        "No token of this text is one of the separators, so every gate is shut. Type some of its "
        "tokens as separators: {tokens}",
        tokens=as_text(" ".join(dict.fromkeys(s.attention.tokens.texts[:SOME]))),
    )


def positions(s: Settings) -> screen.MatrixFigure:
    """The large picture."""
    counted = s.counted
    return screen.MatrixFigure(
        key="positions",
        quantity=s.quantity(counted.positions, say("position p"), counted.position_steps),
        title=_("Position p: gates ({opens}) summed from key j to query i", opens=s.opened_by),
        alt=_(
            "Heatmap of contextual positions: they grow from the diagonal to the left wherever a "
            "gate opens"
        ),
        cell=live.default_cell(s.attention.length),
        table=say("positions"),
        settings={**s.program, "max_positions": s.max_positions},
        clicks=CLICKS,
        caption=_(
            "Queries, keys and the position embeddings are random numbers from the seed; no model "
            "is trained."
        ),
    )


def readouts(s: Settings, shown: Shown) -> dict[str, str]:
    """How the positions differ from counting tokens."""
    counted = s.counted
    future = counted.future
    plain = plain_positions(counted)
    cap = s.max_positions - 1
    clamped = int((counted.uncapped > cap).masked_fill(future, False).sum())
    difference = (counted.uncapped - plain).masked_fill(future, 0).abs().max().item()
    hidden = _("masked") if future[shown.cell] else None
    return {
        _("p there"): hidden or number(shown.value, ".4g"),
        _("i − j + 1 there"): hidden or number(plain[shown.cell].item(), ".0f"),
        _("largest difference"): number(difference, ".4g"),
        _("cells at the cap, {cap}", cap=cap): _(
            "{count:,} of {total:,}", count=clamped, total=int((~future).sum())
        ),
        _("computed in"): _(
            "{time:.1f} ms on {device}", time=counted.milliseconds, device=s.device.type
        ),
    }


def gate(s: Settings, **more: Any) -> screen.MatrixFigure:
    """The gates of every query; `more` is what the figure says besides."""
    counted = s.counted
    return screen.MatrixFigure(
        key="gate",
        quantity=s.quantity(cope_gates(counted.gate_logits), say("gate g"), counted.gate_steps),
        title=_("Gates ({opens}): what key j counts", opens=s.opened_by),
        alt=_("Heatmap of {name} for every query and key", name=say("gate g")),
        table=say("gate g"),
        settings=s.program,
        z_range=(0, 1),
        **more,
    )


def gates(s: Settings, shown: Shown) -> screen.RowFigure:
    """The gates, and the positions of a model that counts every token."""
    small: dict[str, Any] = {"cell": shown.cell, "is_chosen": True, "height": 340}
    counted = s.counted
    plain = screen.MatrixFigure(
        key="plain",
        quantity=s.quantity(plain_positions(counted), "i − j + 1", counted_steps),
        title=_("Every token counts: i − j + 1"),
        alt=_("Heatmap of {name} for every query and key", name="i − j + 1"),
        table="i − j + 1",
        settings={"length": s.attention.length},
        **small,
    )
    return screen.RowFigure(figures=[gate(s, **small), plain])
