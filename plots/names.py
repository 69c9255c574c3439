"""Names of curves at the curves themselves, where there is room for them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plots.figure import Figure, Part

WIDTH, HEIGHT = 290.0, 250.0  # pixels of a drawing on a phone, where there is least room
LETTER, LINE = 6.4, 15.0  # pixels of a letter and of a line of them
GAP = 4.0  # pixels between a curve and its name
SPACE = 3.0  # pixels around a name that stay free
APART = 9.0  # pixels to the next curve where a name stands: nearer, it could be that one's
PLACES = 48  # tried along a curve
STRETCH = 12  # places at which a curve is looked at, over the width of a name


@dataclass(frozen=True)
class _Box:
    """A name's room, in pixels from the lower left corner of the drawing."""

    left: float
    right: float
    low: float
    high: float

    def meets(self, other: "_Box") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.low < other.high
            and other.low < self.high
        )


def name_curves(figure: Figure, height: float = HEIGHT) -> Figure:
    """The figure with each curve's name beside it, in its colour.

    A curve that runs beside others everywhere has its name in the legend alone.

    Args:
        figure: Of `lines`; its curves are told apart where the axes begin and end with them.
        height: Pixels that its curves have, from the lowest to the highest.
    """
    curves = [one for one in figure.data if "lines" in str(one.get("mode")) and "name" in one]
    if len(curves) < 2:
        return figure
    paths = _paths(figure, curves, height)
    placed: list[_Box] = []
    names: list[Part] = []
    for index, trace in enumerate(curves):
        found = _place(str(trace["name"]), index, paths, placed, height)
        if found is None:
            continue
        at, above, right, box = found
        placed.append(box)
        log_x, log_y = (figure.layout[axis].get("type") == "log" for axis in ("xaxis", "yaxis"))
        x, y = float(trace["x"][at]), float(trace["y"][at])
        names.append(
            {
                "text": trace["name"],
                "x": float(np.log10(x)) if log_x else x,
                "y": float(np.log10(y)) if log_y else y,
                "xanchor": "right" if right else "left",
                "yanchor": "bottom" if above else "top",
                "yshift": GAP if above else -GAP,
                "showarrow": False,
                "borderpad": 0,
                "font": {"size": 12, "color": trace["line"]["color"]},
            }
        )
    return figure.add(annotations=names)


def _paths(figure: Figure, curves: Sequence[Part], high: float) -> list[NDArray[np.float64]]:
    """(points, 2) of each curve in pixels, as the axes have them; NaN where there is none."""
    scaled = []
    for name in ("x", "y"):
        axis = figure.layout[f"{name}axis"]
        is_log = axis.get("type") == "log"

        def read(trace: Part, name: str = name, is_log: bool = is_log) -> NDArray[np.float64]:
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.log10(trace[name]) if is_log else np.asarray(trace[name], np.float64)

        values = [read(trace) for trace in curves]
        every = np.concatenate([read(trace) for trace in figure.data])  # bands around them, too
        known = every[np.isfinite(every)]
        start, end = axis.get("range") or (known.min(), known.max())
        span = WIDTH if name == "x" else high
        scaled.append([span * (one - start) / ((end - start) or 1) for one in values])
    return [np.stack(pair, axis=1) for pair in zip(*scaled, strict=True)]


def _place(
    name: str,
    index: int,
    paths: Sequence[NDArray[np.float64]],
    placed: Sequence[_Box],
    height: float,
) -> tuple[int, bool, bool, _Box] | None:
    """Place of a name: its point, above or below it, left or right of it; None without room."""
    others = [path for one, path in enumerate(paths) if one != index]
    for spare in (12.0, 6.0, 0.0):  # as far from other curves as can be
        for at, above, right, box in _candidates(name, paths[index], height):
            x, y = paths[index][at]
            if any(_crosses(path, _Box(x - 1, x + 1, y - APART, y + APART)) for path in others):
                continue
            wide = _Box(box.left, box.right, box.low - spare, box.high + spare)
            if any(box.meets(other) for other in placed):
                continue
            # The curve itself stays on its side, however wide the drawing is.
            its = _heights(paths[index], box.left + SPACE, box.right - SPACE)
            own = (its <= y + GAP).all() if above else (its >= y - GAP).all()
            if own and not any(_crosses(path, wide) for path in others):
                return at, above, right, box
    return None


def _candidates(
    name: str, path: NDArray[np.float64], height: float
) -> Iterator[tuple[int, bool, bool, _Box]]:
    wide = LETTER * len(name)
    points = np.flatnonzero(np.isfinite(path).all(axis=1))
    for at in points[:: max(1, len(points) // PLACES)]:
        x, y = path[at]
        for above in (True, False):
            low = y + GAP if above else y - GAP - LINE
            for right in (False, True):
                left = x - wide if right else x
                box = _Box(left - SPACE, left + wide + SPACE, low, low + LINE)
                if box.left >= -SPACE and box.right <= WIDTH and low >= 0 and box.high <= height:
                    yield int(at), above, right, box


def _crosses(path: NDArray[np.float64], box: _Box) -> bool:
    """Whether a curve runs through a name's room."""
    heights = _heights(path, box.left, box.right)
    return bool(((heights > box.low) & (heights < box.high)).any())


def _heights(path: NDArray[np.float64], left: float, right: float) -> NDArray[np.float64]:
    """Heights of a curve at some places of a stretch; none where it is not."""
    x, y = path[np.isfinite(path).all(axis=1)].T
    if not len(x):
        return y
    places = np.linspace(left, right, STRETCH)
    return np.interp(places[(places >= x.min()) & (places <= x.max())], x, y)
