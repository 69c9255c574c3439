"""A matrix so small that its shape is all it shows: square cells, no axes, no colour bar."""

from numpy.typing import ArrayLike

from plots.figure import Figure
from plots.heatmap import heatmap


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
