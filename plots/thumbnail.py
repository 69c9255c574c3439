"""A matrix so small that its shape is all it shows: square cells, no axes, no colour bar."""

import numpy as np
from numpy.typing import ArrayLike

from plots.figure import Figure
from plots.heatmap import heatmap
from plots.style import SEQUENTIAL


def thumbnail(values: ArrayLike, *, x_title: str, y_title: str, value_name: str) -> Figure:
    """A heatmap without furniture; hovering still gives the numbers.

    Args:
        values: (rows, columns), shares from 0 to 1.
        x_title: What hover calls the column.
        y_title: What hover calls the row.
        value_name: What hover calls the value.

    Returns:
        A figure whose only trace is the heatmap.

    Raises:
        ValueError: As `plots.heatmap.heatmap`.
    """
    figure = heatmap(
        values,
        title="",
        x_title=x_title,
        y_title=y_title,
        signed=False,
        value_name=value_name,
        z_range=(0, 1),
        cell_text=False,
    )
    bare = {"visible": False, "fixedrange": True, "constrain": "domain"}
    edge = {"l": 0, "r": 0, "t": 0, "b": 0}
    return figure.restyle(showscale=False).relayout(
        xaxis=bare | {"constraintoward": "left"},
        yaxis=bare | {"scaleanchor": "x"},
        margin=edge,
        meta=None,
    )


def colors(values: np.ndarray) -> np.ndarray:
    """Colours of shares on the sequential scale.

    Args:
        values: Shares from 0 to 1, of any shape.

    Returns:
        Red, green and blue, 0 to 255, of shape (*values.shape, 3).
    """
    places = [float(place) for place, _ in SEQUENTIAL]
    stops = np.array([list(bytes.fromhex(str(color)[1:])) for _, color in SEQUENTIAL])
    return np.stack([np.interp(values, places, stops[:, channel]) for channel in range(3)], axis=-1)
