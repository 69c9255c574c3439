"""A figure to take along: the words of its menu, and the files that the server makes of it."""

import re
from base64 import b64encode
from typing import Any

import numpy as np
import pandas as pd

from course.page import menu
from plots.figure import Figure, Part
from posenc.words import say
from ui import controls, notebooks
from ui.notebooks.drawing import curves_of, heatmaps_of, plain
from ui.words import translate
from ui.words.sheet import csv, npz

WORDS = {
    "menu": say("Save or share"),
    "slide": say("Save for a slide (1920 × 1080)"),
    "png": say("Save as PNG"),
    "svg": say("Save as SVG"),
    "print": say("Save for print …"),
    "address": say("Copy the address"),
    "addressCopied": say("Copied: the address of what is shown here."),
    "embed": say("Embed: copy HTML for a page or slides"),
    "embedCopied": say("Copied: HTML that shows this picture in a page or slides."),
    "list": say("Add this screen to the playlist"),
    "code": say("Program in Python: the numbers"),
    "notebook": say("Jupyter notebook: numbers and picture"),
    "csv": say("Numbers as CSV"),
    "npz": say("Numbers as NPZ"),
    "making": say("The file is being made."),
    "saved": say("Saved: {0}"),
    "sizes": say("Width on paper"),
    "size_column": say("a column of 8.5 cm"),
    "size_page": say("a page of 18 cm"),
    "fonts": say("Letters"),
    "font_sans": "Arial",
    "font_serif": "Times",
    "done": say("Done"),
}
"""By their names in take.js and saving.js."""

LONGEST_NAME = 120
"""Letters of a file's name."""


def take(key: str, figure: Figure, alt: str, asked: object = None) -> dict[str, Any]:
    """Data for the browser on the ways to take a figure along.

    Args:
        key: Of its chart.
        figure: What is drawn.
        alt: What it shows, in the reader's language.
        asked: The kind of file that the reader waits for, as the browser says it.

    Returns:
        `title` of files, which has the `screen` where the figure's own does not say whose picture
        it is, and the `settings` that are not at their defaults; `name` of files, `words`, `offers`
        (kinds of files), and the `file` that was asked for.
    """
    title = _title(figure)
    settings = ", ".join(_settings(title))
    screen = _screen(title)
    of_screen = f"{screen} · {title}" if screen and title else title
    told: dict[str, Any] = {
        "title": f"{of_screen} ({settings})" if settings else of_screen,
        "screen": screen,
        "settings": settings,
        "name": file_name(key, figure),
        "words": {name: translate(text) for name, text in WORDS.items()},
        "offers": _offers(key, figure),
    }
    if asked in told["offers"]:
        told["file"] = {"kind": asked} | _file(str(asked), key, figure, alt)
    return told


def file_name(key: str, figure: Figure) -> str:
    """Screen, title and settings with hyphens: "rope-rotation-matrix-at-position-3-base-500"."""
    title = _title(figure) or key
    settings = " ".join(_settings(title))
    words = re.sub(r"[^\w.]+|_", "-", f"{notebooks.screen()} {title} {settings}".casefold())
    return words[:LONGEST_NAME].strip("-.")


def _screen(title: str) -> str:
    """Name of the screen; "" where the title has a name of it, such as "RoPE" or "Shaw"."""
    screen = menu.SCREENS.get(notebooks.screen())
    name = translate(screen.label) if screen else ""
    names = re.findall(r"\b(?:[A-Z]\w+|\w{7,})", name)
    return "" if any(one.casefold() in title.casefold() for one in names) else name


def _settings(title: str) -> list[str]:
    """Settings that differ from the defaults, but for those that the title has."""
    told = title.casefold()
    return [one for one in controls.changed() if one.replace(":", "").casefold() not in told]


def _title(figure: Figure) -> str:
    return plain(figure.layout.get("title", {}).get("text"))


def tables(figure: Figure) -> dict[str, pd.DataFrame]:
    """Numbers of the matrices or the curves and bars of a figure, by name, as they are drawn.

    A cell of a matrix is found by its first positions, where it stands for several.
    """
    layout = figure.layout
    matrices = heatmaps_of(figure)
    last = len(matrices) if len(matrices) > 1 else ""
    x_title, y_title = (
        plain(layout.get(axis, {}).get("title", {}).get("text"))
        for axis in (f"xaxis{last}", "yaxis")
    )
    if matrices:
        return {
            plain(trace.get("name")) or "values": pd.DataFrame(
                np.asarray(trace["z"]),
                index=_positions(trace, "y", y_title, layout),
                columns=_positions(trace, "x", x_title, layout),
            )
            for trace in matrices
        }
    return {
        plain(trace.get("name")) or y_title or "values": pd.DataFrame(
            {y_title or "y": np.asarray(trace["y"])},
            index=pd.Index(trace["x"], name=x_title or "x"),
        )
        for trace in curves_of(figure)
    }


def one_table(figure: Figure) -> pd.DataFrame:
    """`tables` in one: curves over the same places side by side, all else one below the other."""
    found = tables(figure)
    first, *others = found.values()
    if not others:
        return first
    if heatmaps_of(figure) or any(not one.index.equals(first.index) for one in others):
        return pd.concat(found, names=[""])
    return pd.concat([one.iloc[:, 0].rename(name) for name, one in found.items()], axis=1)


def _offers(key: str, figure: Figure) -> list[str]:
    if not notebooks.has_notebook(key, figure):
        return []
    has_numbers = bool(heatmaps_of(figure) or curves_of(figure))
    return ["code", "notebook", *(["csv", "npz"] if has_numbers else [])]


def _file(kind: str, key: str, figure: Figure, alt: str) -> dict[str, str]:
    if kind == "npz":
        return {"base64": b64encode(npz(tables(figure))).decode()}
    if kind == "csv":
        return {"text": csv(one_table(figure)).decode()}
    if kind == "code":
        return {"text": notebooks.program({key: figure}) + "\n"}
    return {"text": notebooks.notebook(key, figure, alt) or ""}


def _positions(trace: Part, axis: str, title: str, layout: Part) -> pd.Index:
    """First positions of a matrix's rows or columns, or their labels."""
    count = np.shape(trace["z"])[0 if axis == "y" else 1]
    start, step = trace.get(f"{axis}0", 0), trace.get(f"d{axis}", 1)
    first = start - (step - 1) / 2 + step * np.arange(count)
    if axis in trace:
        first = np.asarray(trace[axis])[:count] + 0.5
    labels = layout.get(f"{axis}axis", {}).get("ticktext", ())
    if len(labels) == count:
        return pd.Index([plain(label) for label in labels], name=title)
    return pd.Index(np.round(first).astype(np.int64), name=title)
