"""A matrix so small that its shape is all it shows: no axes, no colour bar."""

import plotly.graph_objects as go
from numpy.typing import ArrayLike

from plots.heatmap import heatmap


def thumbnail(values: ArrayLike, *, x_title: str, y_title: str, value_name: str) -> go.Figure:
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
        values, title="", x_title=x_title, y_title=y_title, signed=False, value_name=value_name,
        z_range=(0, 1), cell_text=False,
    )  # fmt: skip
    figure.update_traces(showscale=False)
    figure.update_xaxes(visible=False, fixedrange=True)
    figure.update_yaxes(visible=False, fixedrange=True)
    figure.update_layout(margin={"l": 0, "r": 0, "t": 0, "b": 0})
    return figure
