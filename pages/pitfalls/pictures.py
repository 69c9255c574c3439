"""The two forms of a pitfall: as panels, and as code with a comment where they differ."""

import inspect
import textwrap

from exhibits.pitfalls.case import Form, Pitfall
from posenc.quantity.matrix import Axis, Computed
from posenc.quantity.view import MAX_CELLS
from posenc.words import say
from ui import screen
from ui.charts.panels import Panel
from ui.words import _


def panels(pitfall: Pitfall) -> screen.PanelsFigure:
    """Wrong, right and their difference; the difference of a cell is followed from both."""
    wrong, right = pitfall.pictures()
    axes = Axis(pitfall.rows, wrong.shape[0]), Axis(pitfall.cols, wrong.shape[1])
    forms = {
        "w": (say("wrong"), wrong, lambda row, col: pitfall.steps(row, col)[1::-1]),
        "r": (say("right"), right, lambda row, col: pitfall.steps(row, col)[:2]),
        "w-r": (say("difference"), wrong - right, pitfall.steps),
    }
    return screen.PanelsFigure(
        key="wrong_and_right",
        title=_("{mistake}: {value}, wrong and right", mistake=pitfall.title, value=pitfall.value),
        alt=_(
            "{mistake}. Three heatmaps of {value}: the wrong form, the right form, the difference",
            mistake=pitfall.title,
            value=pitfall.value,
        ),
        panels=[
            Panel(tag, name, Computed(values, pitfall.value, *axes, signed=True, explain=explain))
            for tag, (name, values, explain) in forms.items()
        ],
        height=330,
        cell=pitfall.largest_difference(),
        tag="w-r",
        cells=(MAX_CELLS, MAX_CELLS),
    )


def two_codes(pitfall: Pitfall) -> tuple[str, str]:
    """Body of the wrong form and of the right one."""
    wrong, right = _body(pitfall.wrong), _body(pitfall.right)
    return _commented(wrong, right), _commented(right, wrong)


def _body(form: Form) -> list[str]:
    signature_and_docstring = 2
    return inspect.getsource(form).splitlines()[signature_and_docstring:]


def _commented(body: list[str], other: list[str]) -> str:
    """A form is compared with several others: comments on lines that are alike here say nothing."""
    alike = {line for line in other if "  # " not in line}
    lines = [code if (code := line.partition("  # ")[0]) in alike else line for line in body]
    return textwrap.dedent("\n".join(lines))
