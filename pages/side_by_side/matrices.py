"""One stage of each encoding compared, cell by cell, and the differences to the first."""

from collections.abc import Callable, Sequence

from torch import Tensor

from pages.side_by_side import code as side_by_side_code
from pages.side_by_side import comparison as side_by_side
from pages.side_by_side.comparison import ComparisonSettings, Contender
from posenc import Computed, Step
from posenc.attention.steps.measures import difference_steps
from posenc.words import say
from ui import screen
from ui.charts.panels import CELLS, Panel, PanelFigure, follow_panels
from ui.text import live
from ui.words import _, number


def show(
    settings: ComparisonSettings, contenders: Sequence[Contender], stage: str, head: int
) -> screen.ScreenView:
    """Matrices of one stage, the differences, and the steps of one cell of one of them."""
    compared = side_by_side.compare(settings, contenders, stage, head)
    first, others = compared[0], compared[1:]
    name = live.STAGES[stage]
    signed = stage != "weights"
    listed = [", ".join(one.name for one in some) for some in (compared, others)]
    stages = {
        one.name[0]: quantity(
            settings, one.stage, name, side_by_side.steps(settings, one, stage, head), signed
        )
        for one in compared
    }
    gaps = {one.name[0]: one.stage - first.stage for one in others}
    views, _place = follow_panels(
        [
            PanelFigure(
                "stages",
                title := _(
                    "{stage} of head {head}, on one scale", stage=live.headline(stage), head=head
                ),
                _("{title}: a heatmap for each of {names}", title=title, names=listed[0]),
                [Panel(one.name[0], one.name, stages[one.name[0]]) for one in compared],
                columns=max(len(compared), 2),
            ),
            PanelFigure(
                "differences",
                title := _("Difference from {encoding}", encoding=first.name),
                _("{title}: a heatmap for each of {names}", title=title, names=listed[1]),
                [
                    Panel(f"{letter}-A", f"{letter} − A", difference(settings, letter, gap, stages))
                    for letter, gap in gaps.items()
                ],
                columns=max(len(others), 2),
            ),
        ],
        key="panels",
        default=live.default_cell(settings.length),
    )
    screen.readouts(
        {
            _("largest |{letter} − A|", letter=letter): number(
                gap.nan_to_num().abs().max().item(), ".4g"
            )
            for letter, gap in gaps.items()
        }
    )
    side_by_side.caption(settings)
    return screen.ScreenView(
        lambda: {panel: screen.view_frame(shown) for panel, shown in views.items()},
        side_by_side_code.matrices(settings, contenders, stage, head, CELLS),
    )


def quantity(
    settings: ComparisonSettings,
    values: Tensor,
    name: str,
    explain: Callable[[int, int], tuple[Step, ...]],
    signed: bool = True,
) -> Computed:
    """A matrix of queries and keys."""
    return live.quantity(values, settings.tokens, name, signed=signed, explain=explain)


def difference(
    settings: ComparisonSettings, letter: str, gap: Tensor, stages: dict[str, Computed]
) -> Computed:
    """One encoding's stage less the first one's."""

    def explain(row: int, col: int) -> tuple[Step, ...]:
        one, first = (stages[name].steps(row, col) for name in (letter, "A"))
        return difference_steps(one, first, (letter, "A"), gap[row, col].item())

    return quantity(settings, gap, say("difference"), explain)
