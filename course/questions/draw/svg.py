"""Marks of a picture. Colours are classes, which the style sheet knows for light and for dark."""

from collections.abc import Iterable, Sequence
from html import escape

WIDTH = 360
"""Width of every picture in its own units; letters are 12 of them high."""
LETTER = 7.6
"""Width of a letter, in the widest of the fonts that a reader may have."""
Point = tuple[float, float]


def units(value: float) -> str:
    """A coordinate, to a tenth of a unit."""
    return f"{value:.1f}".removesuffix(".0")


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """Words on a baseline.

    Args:
        x: Where they are anchored.
        y: The baseline.
        words: Plain text.
        kind: Class of the colour; "" is ink.
        anchor: "start", "middle" or "end".
    """
    at = f'x="{units(x)}" y="{units(y)}"'
    return f'<text {at} text-anchor="{anchor}"{_class(kind)}>{escape(words)}</text>'


def box(
    x: float, y: float, width: float, height: float, kind: str = "", opacity: float = 1.0
) -> str:
    """A filled rectangle."""
    size = f'width="{units(width)}" height="{units(height)}"'
    faint = "" if opacity == 1 else f' fill-opacity="{opacity:.2f}"'
    return f'<rect x="{units(x)}" y="{units(y)}" {size}{_class(kind)}{faint}/>'


def path(points: Iterable[Point], kind: str, dash: str = "") -> str:
    """A line through points."""
    steps = " ".join(f"{units(x)},{units(y)}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{steps}"{_class(kind)}{dashes}/>'


def area(points: Iterable[Point], kind: str) -> str:
    """A faint surface within points."""
    corners = " ".join(f"{units(x)},{units(y)}" for x, y in points)
    return f'<polygon points="{corners}"{_class(kind)}/>'


def circle(x: float, y: float, radius: float, kind: str) -> str:
    """A circle."""
    at = f'cx="{units(x)}" cy="{units(y)}" r="{units(radius)}"'
    return f"<circle {at}{_class(kind)}/>"


def picture(marks: Sequence[str], height: float, alt: str) -> str:
    """The whole picture.

    Args:
        marks: What it is made of.
        height: In the units of `WIDTH`.
        alt: What it shows, in words.
    """
    view = f'viewBox="0 0 {WIDTH} {units(height)}"'
    inside = "".join(marks)
    return f'<svg {view} role="img" aria-label="{escape(alt, quote=True)}">{inside}</svg>'


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
