"""Colours, scales, limits and the base layout that every figure shares.

Text and grid colours are left out on purpose: the chart component takes them from the reader's
light or dark theme.
"""

from typing import Any
from unicodedata import east_asian_width

import numpy as np

from plots.figure import Figure
from plots.words import _

# Okabe and Ito 2008, strongest contrast first; without black (invisible on dark), with Tol's olive
# for their yellow, and sky blue and orange darker than theirs: 3 to 1 on white.
OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#3F9DC2", "#C98500", "#999933")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKERS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star", "triangle-down")
MARK = "mark"
"""Says of a trace or a shape that it shows the reader's place and is left out of files."""


def color_scale(*colors: str) -> list[list[float | str]]:
    """Colours at even places from 0 to 1."""
    return [[place / (len(colors) - 1), color] for place, color in enumerate(colors)]


SEQUENTIAL = color_scale(  # Cividis, for magnitudes: dark blue to yellow
    "#00224e",
    "#123570",
    "#3b496c",
    "#575d6d",
    "#707173",
    "#8a8678",
    "#a59c74",
    "#c3b369",
    "#e1cc55",
    "#fee838",
)
DIVERGING = color_scale(  # signed values: blue negative, white zero, red positive
    "#053061",
    "#2166ac",
    "#4393c3",
    "#92c5de",
    "#d1e5f0",
    "#ffffff",
    "#fddbc7",
    "#f4a582",
    "#d6604d",
    "#b2182b",
    "#67001f",
)

LEGEND = {  # in lines at the lower edge, so that it covers no axis
    "orientation": "h",
    "x": 0,
    "xanchor": "left",
    "xref": "container",
    "y": 0,
    "yanchor": "bottom",
    "yref": "container",
    "font": {"size": 12},
}
NEUTRAL = "#808080"  # reference lines; readable on light and dark
MASKED = "rgba(128, 128, 128, 0.35)"  # cells without a value
OUTSIDE_TRAINING = "rgba(128, 128, 128, 0.16)"  # positions beyond the training length

MAX_CELLS = 512 * 512
MAX_POINTS = 4096
TITLE_WIDTH = 48  # letters that fit 390 pixels
OPENING = "（《「『【〔“‘(["  # what may not end a line
LABEL_SHARE = 0.4  # of the x axis: the room of a label on a phone


def letters(text: str) -> int:
    """How many letters of English a text is as wide as; one of Chinese is as wide as two."""
    return len(text) + sum(east_asian_width(letter) in "WF" for letter in text)


def wrapped(text: str, most: int) -> list[str]:
    """A text in lines of so many `letters`; a longer word has a line of its own.

    English breaks at spaces and behind hyphens, Chinese between any two of its letters.
    """
    lines = [""]
    for piece in _pieces(text):
        longer = lines[-1] + piece
        if not lines[-1] or letters(longer.rstrip()) <= most:
            lines[-1] = longer
        else:
            lines.append(piece)
    return [line.rstrip() for line in lines if line]


def _pieces(text: str) -> list[str]:
    """Parts of a text between which a line may break."""

    def is_wide(at: int) -> bool:
        return east_asian_width(text[at]) in "WF"

    def is_hyphen(at: int) -> bool:
        return text[at] == "-" and at > 1 and text[at - 2 : at].isalpha()

    ends = [
        at
        for at in range(1, len(text))
        if text[at - 1] == " "
        or (is_hyphen(at - 1) and text[at : at + 2].isalpha())
        or (text[at].isalnum() and text[at - 1] not in OPENING and (is_wide(at) or is_wide(at - 1)))
    ]
    return [text[a:b] for a, b in zip([0, *ends], [*ends, len(text)], strict=True)]


def base_layout(title: str, *, top: int = 40) -> dict[str, Any]:
    """Layout that every figure starts from: transparent, quiet, title small and to the left.

    Args:
        title: What is seen, in a few words; wrapped so that it fits a phone.
        top: Space in pixels above the drawing for a title of one line.

    Returns:
        A layout.
    """
    lines = wrapped(title, TITLE_WIDTH)
    return {
        "template": {"data": {"scatter": [{"type": "scatter"}]}},  # none of plotly's own looks
        "title": {
            "text": "<br>".join(lines),
            "font": {"size": 14},
            "x": 0,
            "xanchor": "left",
            "xref": "container",
            "y": 1,
            "yanchor": "top",
            "yref": "container",
            "pad": {"t": 10 + 9 * (len(lines) - 1), "l": 4},  # plotly centres the lines on it
        },
        "font": {"size": 12},
        "margin": {"l": 52, "r": 12, "t": top + 18 * max(len(lines) - 1, 0), "b": 44},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "separators": ".,",  # 1,000,000.5, as in the words
    }


def axis(title: str, **options: Any) -> dict[str, Any]:
    """One axis in the common style: thin, short ticks, margin grows with the labels.

    Args:
        title: Name and unit of what the axis counts.
        options: Further plotly axis attributes; they win over the common ones.

    Returns:
        Attributes for `layout.xaxis` or `layout.yaxis`.
    """
    return {
        "title": {"text": title, "font": {"size": 12}, "standoff": 6},
        "automargin": True,
        "ticks": "outside",
        "ticklen": 4,
        "zeroline": False,
        "separatethousands": True,
    } | options


def shade_outside_training(
    figure: Figure,
    length: float,
    stop: float,
    *,
    axis: str = "x",
    label: str | None = None,
    low: bool = False,
) -> Figure:
    """Shade what lies beyond the training length, the same way on every screen.

    Args:
        figure: Figure to shade.
        length: Training length in positions; the shading starts here.
        stop: Last position shown; nothing is drawn unless it is above `length`.
        axis: "x" or "y", the axis that counts positions.
        label: Text in the corner; "beyond training" when None, none when "".
        low: Whether the label stands at the bottom of the shade, where something else is above.

    Returns:
        The figure with the shading.
    """
    if stop <= length:
        return figure
    text = _("beyond training") if label is None else label
    other = "y" if axis == "x" else "x"
    common = {f"{other}ref": f"{other} domain", "layer": "above"}
    ends = {f"{axis}0": length, f"{axis}1": stop, f"{other}0": 0, f"{other}1": 1}
    # From a narrow stretch the label reaches to the left, over the edge: the right end of the
    # drawing would cut it off.
    narrow = axis == "x" and _share_of_x(figure, length, stop) < LABEL_SHARE
    place = f"{'bottom' if low else 'top'} {'right' if narrow else 'left'}"
    label_style = {"text": text, "font": {"size": 11}, "textposition": place, "padding": 4}
    area = {"type": "rect", "fillcolor": OUTSIDE_TRAINING, "line": {"width": 0}}
    edge = {"type": "line", "line": {"color": NEUTRAL, "width": 1, "dash": "dot"}}
    return figure.add(
        shapes=[
            {**area, "label": label_style, **common, **ends},
            {**edge, **common, **ends, f"{axis}1": length},
        ]
    )


def _share_of_x(figure: Figure, start: float, stop: float) -> float:
    """How much of the x axis a stretch that ends with the curves takes."""
    ends = [
        start,
        stop,
        *(float(end) for curve in figure.data for end in (curve["x"][0], curve["x"][-1])),
    ]
    if figure.layout["xaxis"].get("type") == "log":
        start, *ends = np.log([start, *ends]).tolist()
    return (max(ends) - start) / (max(ends) - min(ends))
