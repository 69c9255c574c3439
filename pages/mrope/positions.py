"""Time, row and column over the tokens of a text with an image or a film in it."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from pages.mrope.settings import AXES, COLORS, WORDS, Film
from pages.mrope.steps import position_steps, stretch_of
from plots.figure import Figure
from plots.lines import Mark, Series
from plots.style import MARKERS, MAX_POINTS
from posenc.words import say
from ui import screen
from ui.controls import entry, number
from ui.words import _, translate
from ui.words import number as written

DRAWN = (2, 1, 0)
"""The axes in the order of their curves: the saw of the columns lies under the others."""
APART = 120
"""Tokens that are told apart as points; of more a line shows the way."""


@dataclass(frozen=True, kw_only=True)
class Settings(Film):
    after: int = entry(
        number, say("Words after"), 3, 0, WORDS, help=say("Tokens of text behind the image.")
    )

    @property
    def words_after(self) -> int:
        return self.after

    @property
    def tokens(self) -> int:
        return self.positions.shape[1]

    @property
    def following(self) -> int:
        """Position of the token that is decoded next."""
        return int(self.positions.max()) + 1


def picture(s: Settings) -> screen.Picture:
    """The three curves, and how far the text has come."""
    return screen.Picture(
        figures=[curves(s)],
        note=note(s),
        readouts=lambda point: {
            _("time, row, column there"): ", ".join(
                written(int(one)) for one in s.positions[:, point.place]
            ),
            _("tokens"): written(s.tokens),
            _("next position"): written(s.following),
            _("next position − tokens"): written(s.following - s.tokens),
            _("positions ÷ tokens"): written(s.following / s.tokens, ".3g"),
        },
        help={
            _("next position"): _("Of the word that is written next, on all three axes."),
            _("next position − tokens"): _(
                "A program adds it to the number of tokens in its cache: `rope_deltas` in "
                "transformers."
            ),
        },
    )


def curves(s: Settings) -> screen.LinesFigure:
    places = drawn_places(s.positions)
    names = [translate(name) for name in AXES.values()]
    first = s.before
    last = s.tokens - s.after
    is_many = s.tokens > APART
    marks = [Mark("x", first, _("image") if s.frames == 1 else _("film"), after=True)]
    if s.after:
        marks.append(Mark("x", last, _("words"), after=True))
    return screen.LinesFigure(
        key="positions",
        alt=_(
            "Three positions of each token: all rise together in the words; in each frame of "
            "patches the time rests, the row climbs in steps and the column is a saw"
        ),
        x=places,
        series=[
            Series(
                names[axis],
                s.positions[axis, places],
                color=COLORS[axis],
                marker=MARKERS[axis],
                joined=is_many,
            )
            for axis in DRAWN
        ],
        title=_("Positions of every token"),
        x_title=_("token n"),
        y_title=_("position"),
        marks=marks,
        steps=lambda curve, token: position_steps(s, DRAWN[curve], token),
        x_name=_("token"),
        point=(1, min(first + s.columns, s.tokens - 1)),
        ends=(0, s.tokens - 1),
        table=say("positions"),
        settings={**s.program, "after": s.after},
        rev=f"{s.segments}",
        finish=nested,
        caption=_(
            "After all of these, the next word stands at {following:,}. Counted by tokens, it "
            "would stand at {tokens:,}.",
            following=s.following,
            tokens=s.tokens,
        ),
    )


def nested(figure: Figure) -> Figure:
    """Marks that lie upon each other are seen, each within the one below."""
    for index, size in enumerate((12, 7, 4)):
        figure = figure.restyle(index, marker={"size": size})
    return figure.relayout(hovermode="x")


def drawn_places(positions: Tensor) -> np.ndarray:
    """Tokens that are drawn: all, or of each block the lowest and the highest on each axis."""
    tokens = positions.shape[1]
    if tokens <= MAX_POINTS:
        return np.arange(tokens)
    width = -(-tokens // (MAX_POINTS // 6 - 1))
    places = [0, tokens - 1]
    for start in range(0, tokens, width):
        block = positions[:, start : start + width]
        places += (start + torch.cat((block.argmin(dim=1), block.argmax(dim=1)))).tolist()
    return np.unique(places)


def note(s: Settings) -> str:
    """A sentence, where transformers places the words after a film elsewhere."""
    if s.frames == 1 or s.is_apart or not s.after:
        return ""
    start = stretch_of(s, s.before).start
    theirs = start + max(s.rows, s.columns)
    ours = int(s.positions[0, -s.after])
    if theirs == ours:
        return ""
    return _(
        "This film is longer in time than in rows and columns. By the paper's rule, drawn here, "
        "the words after it begin at {ours:,}; `get_rope_index` of transformers 5.23 lets them "
        "begin at {theirs:,}, within the time of the film.",
        ours=ours,
        theirs=theirs,
    )
