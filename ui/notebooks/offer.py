"""Parts of a picture's notebook: a program of `notebooks/`, its settings, and the drawing.

A screen says with `computed` what the settings of a picture's program are, before it draws the
picture. A picture without a program, or whose program was not offered, brings its numbers along.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from plots.figure import Figure
from posenc.quantity.view import View
from ui.memory import memory
from ui.notebooks.drawing import drawing, has_numbers, numbers, packed
from ui.words import _

PROGRAMS = Path(__file__).parents[2] / "notebooks"
ADDRESS = "posenc:address"
"""Stands for that of the picture when its notebook is saved, which the browser knows."""
MOST_CELLS = 1 << 24
"""Cells of a matrix that a notebook computes at most, to average them in blocks."""
SETTING = re.compile(r"^(\w+) = .+?(  #.*)?$", re.MULTILINE)
TORCH = re.compile(r"^import torch\b.*\n", re.MULTILINE)
CUT = re.compile(r"^# %%\n", re.MULTILINE)
SHARED = re.compile(r"^# %% (\w+)\n(?=(def )?)", re.MULTILINE)
"""Where the lines of a file in `notebooks/shared/` stand."""


class Code(str):
    """A setting that is a Python expression: what makes a value, in place of the value."""


@dataclass(frozen=True)
class Program:
    """A program that computes a picture, with its settings."""

    path: Path
    parts: Sequence[str]
    """Names of the programs of functions that it calls."""
    settings: Mapping[str, Any]


@dataclass
class Offer:
    """A screen's programs and windows for this run, by the keys of its pictures' charts."""

    screen: str
    programs: dict[str, Program] = field(default_factory=dict)
    windows: dict[str, View] = field(default_factory=dict)
    about: Sequence[str] = ()
    """Paragraphs after the first words of each notebook."""


def begin(screen: str, about: Sequence[str] = ()) -> None:
    """Begin a screen: nothing is offered yet."""
    memory()["__notebooks"] = Offer(screen, about=about)


def screen() -> str:
    """Id of the screen that was begun."""
    return _offer().screen


def forget() -> None:
    """Begin a part of the same screen: what was offered for its pictures may be another's now."""
    offer = _offer()
    offer.programs.clear()
    offer.windows.clear()


def computed(key: str, parts: Sequence[str] = (), program: str = "", /, **settings: Any) -> None:
    """Say what the settings of a picture's program are now.

    Args:
        key: Of the chart.
        parts: Programs of functions that the program calls: "methods/yarn". Where one of them is
            missing nothing is offered.
        program: Name of the file in `notebooks/<screen>/`; the key when empty.
        settings: All that stand at the top of the program: numbers, texts, lists, arrays, which
            are packed, or `Code`.
    """
    offer = _offer()
    path = PROGRAMS / offer.screen / f"{program or key}.py"
    if all((PROGRAMS / f"{part}.py").is_file() for part in parts):
        offer.programs[key] = Program(path, parts, settings)


def window(key: str, view: View) -> None:
    """Say which cells of a matrix are drawn."""
    _offer().windows[key] = view


def has_notebook(key: str, figure: Figure) -> bool:
    """Whether there is a notebook of a picture; a drawing has no numbers."""
    return key in _offer().programs or has_numbers(figure)


def notebook(key: str, figure: Figure, alt: str) -> str | None:
    """The notebook of a picture as it is now.

    Args:
        key: Of its chart.
        figure: What is drawn.
        alt: What the figure shows, in the reader's language.

    Returns:
        A Jupyter file, JSON; None for a drawing.
    """
    offer = _offer()
    program = offer.programs.get(key)
    cells = None
    if program is not None:
        cells = _computing(program, offer.windows.get(key))
        note = _("This notebook computes the numbers of the picture and draws them.")
    if cells is None:
        program = None
        cells = numbers(figure)
        note = _(
            "This notebook does not compute the numbers of the picture, it brings them along and "
            "draws them."
        )
    if cells is None:
        return None
    if "matplotlib" not in cells[-1]:  # some programs draw themselves
        cells = [*cells, drawing(figure)]
    name = program.path.relative_to(PROGRAMS).as_posix() if program else ""
    return _file([f"{alt.rstrip('.')}.\n\n{note}", *offer.about], cells, name)


def program(figures: Mapping[str, Figure]) -> str:
    """Program that computes the first picture with numbers and prints them.

    It is the picture's notebook without the drawing. Where a cell of it is the mean of too many
    values, the values are a function of row and column.
    """
    offer = _offer()
    for key, figure in figures.items():
        found = offer.programs.get(key)
        computing = found and (_computing(found, offer.windows.get(key)) or _computing(found, None))
        if cells := computing or numbers(figure):
            code = "\n\n\n".join(cells)
            return f"{code}\n\n{printing(code)}"
    return ""


def printing(code: str) -> str:
    """The line that prints what a program has computed: one number where that is a function."""
    for name in ("curves", "tips", "values"):
        if re.search(rf"^{name}\b", code, re.MULTILINE):
            return f"print({name})"
    return "print(matrix(0, 0))"


def _computing(program: Program, view: View | None) -> list[str] | None:
    about, first, *others = _cells(program.path)
    first = fill(program.path.name, first, program.settings)
    cells = [f"{about}\n\n{first}", *map(_part, program.parts), *others]
    if program.parts:
        names = [part.split("/")[-1] for part in program.parts]
        named = ", ".join(f'"{name}": {name}' for name in names)
        cells.insert(1 + len(names), f"functions = {{{named}}}")
    if not any("torch." in cell for cell in cells):  # only for what was chosen otherwise
        cells = [TORCH.sub("", cell) for cell in cells]
    if view is None:
        return cells
    rows, columns = view.row_edges, view.col_edges
    places = {
        "rows": (int(rows[0]), int(rows[-1])),
        "columns": (int(columns[0]), int(columns[-1])),
    }
    if view.kind == "block_mean" and (rows[-1] - rows[0]) * (columns[-1] - columns[0]) > MOST_CELLS:
        return None
    if view.kind != "exact":
        places |= {"row_step": view.row_step, "column_step": view.col_step}  # type: ignore[dict-item]
    _about, settings, body = _cells(PROGRAMS / "cells" / f"{view.kind}.py")
    return [*cells, f"{fill(view.kind, settings, places)}\n\n{body}"]


def fill(name: str, cell: str, settings: Mapping[str, Any]) -> str:
    """The first cell of a program with other values.

    Returns:
        The cell.

    Raises:
        ValueError: If the names are not those of the cell.
    """
    known = {found[1] for found in SETTING.finditer(cell)}
    if known != settings.keys():
        raise ValueError(f"{name} has the settings {sorted(known)}, got {sorted(settings)}.")

    def line(found: re.Match[str]) -> str:
        value = settings[found[1]]
        said = packed(value) if isinstance(value, np.ndarray) else repr(value)
        said = value if isinstance(value, Code) else said
        return f"{found[1]} = {said}{found[2] or ''}"

    return SETTING.sub(line, cell)


@cache
def _part(name: str) -> str:
    return (PROGRAMS / f"{name}.py").read_text("utf-8").strip()


@cache
def _cells(path: Path) -> tuple[str, ...]:
    """A program's opening words, and its cells."""

    def shared(found: re.Match[str]) -> str:
        lines = (PROGRAMS / "shared" / f"{found[1]}.py").read_text("utf-8")
        return "# %%\n" + lines + ("\n\n" if found[2] else "")

    text = SHARED.sub(shared, path.read_text("utf-8"))
    return tuple(cell.strip() for cell in CUT.split(text))


def _file(words: list[str], code: list[str], program: str) -> str:
    """Cells of words and of code as a Jupyter file."""
    cells: list[dict[str, Any]] = [{"cell_type": "markdown", "source": text} for text in words]
    made: dict[str, Any] = {"cell_type": "code", "outputs": [], "execution_count": None}
    cells += [made | {"source": text} for text in code]
    numbered = [one | {"id": f"cell-{n}", "metadata": {}} for n, one in enumerate(cells)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    about = {"kernelspec": kernel, "program": program}
    file = {"cells": numbered, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(file, ensure_ascii=False)


def _offer() -> Offer:
    offer: Offer = memory().setdefault("__notebooks", Offer(""))
    return offer
