"""Figures as plotly's classes see them: wrong names and wrong values raise."""

import plotly.graph_objects as go

from plots.clocks import spelled_out
from plots.figure import Figure


def as_plotly(figure: Figure) -> go.Figure:
    """The figure, checked, with its parts as attributes."""
    return go.Figure(spelled_out(figure).to_dict())
