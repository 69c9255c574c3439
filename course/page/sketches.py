"""A small drawing of each chapter's idea, for the contents."""

from cmath import e, pi, rect
from collections.abc import Callable, Iterable
from itertools import pairwise
from urllib.parse import quote

SIZE = 'width="216" height="108" viewBox="0 0 216 108"'
COLOURS = {
    "ink": "#807b72",
    "soft": "#a8a299",
    "q": "#1f86cf",
    "k": "#d9701a",
    "attention": "#8f6cc4",
    "content": "#1f9d77",
    "new": "#e0475b",
}
"""Seen on white and on black alike: an image does not know the page's theme."""


def sketch(chapter: str) -> str:
    """The drawing of a chapter as HTML; the words beside it say the same.

    Raises:
        KeyError: If there is no such chapter.
    """
    shapes = "".join(SKETCHES[chapter]())
    drawn = f'<svg xmlns="http://www.w3.org/2000/svg" {SIZE}>{shapes}</svg>'
    return f'<img class="posenc-sketch" src="data:image/svg+xml,{quote(drawn)}" alt="">'


def why_position() -> Iterable[str]:
    """Five words, and the same five in another order."""
    for i, j in enumerate((3, 0, 4, 2, 1)):
        colour = "attention" if i == 2 else "soft"
        yield line([(28 + 40 * i, 34), (28 + 40 * j, 74)], colour)
        yield box(12 + 40 * i, 14, 32, 20, colour)
        yield box(12 + 40 * j, 74, 32, 20, colour)


def absolute() -> Iterable[str]:
    """Three waves, each slower than the one above it, read at one place."""
    for i in range(3):
        middle, speed = 22 + 32 * i, 0.32 / 2.8**i
        yield line([(x, rim(0, middle, 11, speed * x)[1]) for x in range(8, 209, 2)])
        yield dot(120, rim(0, middle, 11, speed * 120)[1], 5, "q")
    yield line([(120, 4), (120, 104)], "q")


def relative() -> Iterable[str]:
    """Words under braces, which are the wider the further back they are."""
    for i in range(12):
        yield box(10 + 16.5 * i, 66, 13, 20, "q" if i == 11 else "soft")
    for first, last in ((0, 4), (5, 7), (8, 8), (9, 9), (10, 10)):
        left, right = 10 + 16.5 * first, 23 + 16.5 * last
        yield line([(left, 56), (left, 46), (right, 46), (right, 56)])


def alibi() -> Iterable[str]:
    """Lines of words that fade with their distance to the last one."""
    for i in range(40):
        row, column = divmod(i, 8)
        back = 39 - i
        yield box(10 + 25 * column, 10 + 19 * row, 20, 10, "ink", 0.08 + 0.92 * 0.9**back)


def rope() -> Iterable[str]:
    """A dial with the hand of a query, that of a key and the arc between them."""
    yield ring(108, 54, 46)
    yield wedge(108, 54, 30, 0.35, 2.05, "soft")
    yield hand(108, 54, 44, 2.05, "q")
    yield hand(108, 54, 44, 0.35, "k")


def why_rope() -> Iterable[str]:
    """Two pages: on one all words glow towards the last, on the other a single one."""
    for i in range(60):
        row, column = divmod(i, 6)
        fading = 0.12 + 0.6 * i / 60
        yield box(8 + 16 * column, 6 + 10 * row, 13, 6, "attention", fading)
        one = i == 20
        yield box(
            114 + 16 * column,
            6 + 10 * row,
            13,
            6,
            "attention" if one else "soft",
            1 if one else 0.3,
        )


def scaling() -> Iterable[str]:
    """A dial that a long text turns too far, and the same dial slowed."""
    for x, reached in ((58, 2.6), (158, 1.3)):
        yield ring(x, 54, 40)
        yield wedge(x, 54, 40, 0, min(reached, 1.3), "soft")
        if reached > 1.3:
            yield wedge(x, 54, 40, 1.3, reached, "new")
        yield hand(x, 54, 38, reached, "k")


def measured() -> Iterable[str]:
    """Cost of a token: the same up to the trained length, and ever more beyond."""
    far = [(112 + 8 * i, 78 - 0.62 * i**2) for i in range(11)]
    yield line([(112, 8), (112, 100)], "soft", dashed=True)
    yield line([(10, 70), (24, 80), (112, 78), *far], width=3)
    yield line([(112, 78), (200, 74)], "attention", width=3)


def live_attention() -> Iterable[str]:
    """Arcs from the last word to those that it looks at, the thicker the more."""
    for i, share in enumerate((9, 1, 2, 1, 6, 2)):
        left, right = 20 + 29 * i, 194
        way = f"M{left},84A{(right - left) / 2},{min(72, (right - left) / 2)} 0 0 1 {right},84"
        yield stroke(way, "attention", share)
    for i in range(7):
        yield box(10 + 29 * i, 86, 22, 13, "q" if i == 6 else "soft")


def cope() -> Iterable[str]:
    """Stairs that fall where a door is open: positions that words decide."""
    ways, x, y = [(8, 14)], 8, 14
    for run, fall in ((26, 20), (34, 6), (20, 24), (44, 4), (30, 22), (46, 8)):
        ways += [(x + run, y), (x + run, y + fall)]
        x, y = x + run, y + fall
    yield line(ways, "content", width=3)
    yield box(x - 18, y - 4, 26, 12, "q")


def kv_cache() -> Iterable[str]:
    """Keys on a shelf, each turned by its place, and the one that is written now."""
    for i in range(6):
        yield ring(25 + 33 * i, 56, 13, "k" if i == 5 else "soft")
        yield hand(25 + 33 * i, 56, 13, 0.5 + 0.9 * i, "k")
    yield line([(6, 76), (210, 76)], width=3)
    yield line([(190, 14), (190, 36), (184, 29), (190, 36), (196, 29)])


def which() -> Iterable[str]:
    """Curves of many encodings from one beginning, most of them falling."""
    for fall, curve in ((84, 0.35), (80, 0.6), (60, 1.2), (30, 1.6)):
        yield line([(10 + 196 * t / 20, 12 + fall * (t / 20) ** curve) for t in range(21)], "soft")
    yield line([(10, 12), (206, 18)], "attention", width=4)


def running() -> Iterable[str]:
    """A key that stays as it was turned, and where it should stand now."""
    for i in range(4):
        yield ring(32 + 50 * i, 48, 20)
        yield hand(32 + 50 * i, 48, 20, 0.6, "k")
        yield hand(32 + 50 * i, 48, 20, 0.6 + 0.5 * i, "soft")
    yield line([(6, 80), (210, 80)], width=3)


def picture_in_text() -> Iterable[str]:
    """Words down a diagonal, and between them a block of patches whose corner is on it."""
    for i in (0, 1, 6, 7):
        yield box(48 + 15 * i, 4 + 12.6 * i, 13, 10.6, "soft")
    for i in range(15):
        row, column = divmod(i, 5)
        colour = "q" if i == 12 else "k" if i == 7 else "content"
        yield box(78 + 15 * column, 29.2 + 12.6 * row, 13, 10.6, colour)


def turn_value() -> Iterable[str]:
    """Values from head to tail, turned at their places; and their sum, turned back."""
    yield ring(56, 54, 44)
    yield hand(56, 54, 26, 2.2, "content")
    yield hand(56, 54, 34, 0.1, "content")
    yield hand(56, 54, 40, 0.9, "ink")
    yield ring(158, 54, 44)
    yield wedge(158, 54, 40, -0.3, 0.9, "content")
    yield hand(158, 54, 40, 0.9, "soft")
    yield hand(158, 54, 40, -0.3, "ink")


def forget_gates() -> Iterable[str]:
    """Lights of words along a road, under one curve, whose stretches are gates."""
    far = (0, 0.2, 0.45, 1.15, 1.4, 1.6, 2.2)
    for one in far:
        x, high = 196 - 68 * one, 72 * e**-one
        yield box(x - 4, 84 - high, 8, high, "attention")
    yield line([(196 - 68 * n / 20, 84 - 72 * e ** (-n / 20)) for n in range(55)])
    for near, away in pairwise(far):
        yield line([(194 - 68 * near, 94), (198 - 68 * away, 94)], "content")


def learned_or_none() -> Iterable[str]:
    """Three towers of layers: plates that turn are full, every fourth is empty, some are narrow."""
    for tower, wide in enumerate((52, 22, 52)):
        for layer in range(8):
            is_empty = layer % 4 == 3
            width = 52 if is_empty else wide
            x, y = 14 + 70 * tower + (52 - width) / 2, 96 - 12 * layer
            if is_empty:
                yield line([(x, y), (x + width, y), (x + width, y + 7), (x, y + 7), (x, y)], "ink")
            else:
                yield box(x, y, width, 7, "ink")


SKETCHES: dict[str, Callable[[], Iterable[str]]] = {
    "why_position": why_position,
    "absolute": absolute,
    "relative": relative,
    "alibi": alibi,
    "rope": rope,
    "why_rope": why_rope,
    "scaling": scaling,
    "measured": measured,
    "live_attention": live_attention,
    "cope": cope,
    "kv_cache": kv_cache,
    "which": which,
    "running": running,
    "picture_in_text": picture_in_text,
    "turn_value": turn_value,
    "forget_gates": forget_gates,
    "learned_or_none": learned_or_none,
}


def stroke(way: str, colour: str = "ink", width: float = 2, more: str = "") -> str:
    """A line along an SVG path."""
    return f'<path d="{way}" fill="none" stroke="{COLOURS[colour]}" stroke-width="{width}"{more}/>'


def line(
    points: Iterable[tuple[float, float]],
    colour: str = "ink",
    width: float = 2,
    dashed: bool = False,
) -> str:
    """A line through points."""
    way = "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return stroke(way, colour, width, ' stroke-dasharray="3 4"' if dashed else "")


def box(x: float, y: float, wide: float, high: float, colour: str, opacity: float = 1) -> str:
    """A filled box, for a word."""
    size = f'x="{x}" y="{y}" width="{wide}" height="{high}" rx="3"'
    return f'<rect {size} fill="{COLOURS[colour]}" opacity="{opacity:.2f}"/>'


def dot(x: float, y: float, radius: float, colour: str) -> str:
    """A filled circle."""
    return f'<circle cx="{x}" cy="{y:.1f}" r="{radius}" fill="{COLOURS[colour]}"/>'


def ring(x: float, y: float, radius: float, colour: str = "soft") -> str:
    """A dial's edge."""
    stroked = f'fill="none" stroke="{COLOURS[colour]}" stroke-width="2"'
    return f'<circle cx="{x}" cy="{y}" r="{radius}" {stroked}/>'


def wedge(x: float, y: float, radius: float, start: float, end: float, colour: str) -> str:
    """The part of a dial between two angles in radians, counterclockwise from the right."""
    (left, top), (right, foot) = rim(x, y, radius, start), rim(x, y, radius, end)
    arc = f"A{radius},{radius} 0 {int(end - start > pi)} 0 {right:.1f},{foot:.1f}"
    return (
        f'<path d="M{x},{y}L{left:.1f},{top:.1f}{arc}Z" fill="{COLOURS[colour]}" opacity="0.45"/>'
    )


def hand(x: float, y: float, length: float, angle: float, colour: str) -> str:
    """A hand of a dial, with a point."""
    tip, left, right = (
        rim(x, y, length, angle),
        rim(x, y, length * 0.74, angle + 0.16),
        rim(x, y, length * 0.74, angle - 0.16),
    )
    return line([(x, y), tip], colour, 3) + line([left, tip, right], colour, 3)


def rim(x: float, y: float, radius: float, angle: float) -> tuple[float, float]:
    """The point of a circle at an angle in radians, counterclockwise from the right."""
    from_middle = rect(radius, angle)
    return x + from_middle.real, y - from_middle.imag
