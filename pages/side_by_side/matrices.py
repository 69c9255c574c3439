"""One stage of each encoding compared, cell by cell, and the differences to the first."""

from collections.abc import Callable, Mapping

from torch import Tensor

from pages.side_by_side import code, comparison
from pages.side_by_side.settings import Settings
from posenc.attention.steps.measures import difference_steps
from posenc.quantity.matrix import Computed
from posenc.quantity.step import Step
from posenc.words import say
from ui import screen
from ui.charts.panels import CELLS, Panel, PanelFigure
from ui.text import live
from ui.words import _, number

HEIGHTS = {2: 440, 3: 340, 4: 300}
"""Matrices side by side to pixels of the picture: as large as the width lets them be."""


def picture(s: Settings) -> screen.Picture:
    """Matrices of one stage and their differences; one cell of one of them is followed."""
    compared = comparison.compare(s.attention, s.compared, s.stage, s.head)
    first, *others = compared
    stages = {
        one.name[0]: quantity(
            s,
            one.stage,
            live.STAGES[s.stage],
            comparison.steps(s.attention, one, s.stage, s.head),
            signed=s.stage != "weights",
        )
        for one in compared
    }
    gaps = {one.name[0]: one.stage - first.stage for one in others}
    named = {"stage": live.headline(s.stage), "head": s.head, "made": s.made}
    title = _("{stage} of head {head}, on one scale ({made})", **named)
    gap_title = _("Difference from {encoding} ({made})", encoding=first.name, made=s.made)
    # As large as above, so that a cell lies as far from its words.
    height, columns = HEIGHTS[len(compared)], max(len(compared), 2)
    differences = PanelFigure(
        key="differences",
        title=gap_title,
        alt=in_words(gap_title, others),
        panels=[
            Panel(f"{letter}-A", f"{letter} − A", difference(s, letter, gap, stages))
            for letter, gap in gaps.items()
        ],
        height=height,
        columns=columns,
    )
    figure = screen.PanelsFigure(
        key="stages",
        title=title,
        alt=in_words(title, compared),
        panels=[Panel(one.name[0], one.name, stages[one.name[0]]) for one in compared],
        height=height,
        columns=columns,
        more=[differences],
        field="panels",
        cell=live.default_cell(s.attention.length),
        caption=comparison.caption(s.attention),
    )
    return screen.Picture(
        words=comparison.what_to_see(s.attention, s.compared),
        figures=[figure],
        readouts={
            _("largest |{letter} − A|", letter=letter): number(
                gap.nan_to_num().abs().max().item(), ".4g"
            )
            for letter, gap in gaps.items()
        },
        code=code.matrices(s.attention, s.compared, s.stage, s.head, CELLS),
    )


def in_words(title: str, compared: list[comparison.Compared]) -> str:
    """Description of small matrices of some encodings."""
    names = ", ".join(one.name for one in compared)
    return _("{title}: a heatmap for each of {names}", title=title, names=names)


def quantity(
    s: Settings,
    values: Tensor,
    name: str,
    explain: Callable[[int, int], tuple[Step, ...]],
    *,
    signed: bool = True,
) -> Computed:
    """A matrix of queries and keys."""
    return live.quantity(values, s.attention.tokens, name, signed=signed, explain=explain)


def difference(s: Settings, letter: str, gap: Tensor, stages: Mapping[str, Computed]) -> Computed:
    """One encoding's stage less the first one's."""

    def explain(row: int, col: int) -> tuple[Step, ...]:
        one, first = (stages[name].steps(row, col) for name in (letter, "A"))
        return difference_steps(one, first, (letter, "A"), gap[row, col].item())

    return quantity(s, gap, say("difference"), explain)
