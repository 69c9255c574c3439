"""Frames that play in the browser, without asking the server."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from plots.figure import Figure
from plots.words import _

PLAY = {"frame": {"duration": 60, "redraw": False}, "transition": {"duration": 0}}
JUMP = {
    "frame": {"duration": 0, "redraw": False},
    "transition": {"duration": 0},
    "mode": "immediate",
}


def add_player(figure: Figure, frames: Sequence[tuple[str, Sequence[Any]]]) -> Figure:
    """Give a figure frames with a play button and a slider.

    The chart component draws both as ordinary, keyboard-usable controls under the figure and
    keeps the reader's frame while other controls change.

    Args:
        figure: Figure whose first traces the frames replace.
        frames: (position, traces) pairs; the traces stand for the figure's first traces,
            in order, and need only the attributes that change (x and y).

    Returns:
        The figure with frames.

    Raises:
        ValueError: If there are no frames or two frames have one name.
    """
    names = [name for name, traces in frames]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"frames must have distinct names, at least one, got {names}")
    parts = [
        {"name": label, "data": list(traces), "traces": list(range(len(traces)))}
        for label, traces in frames
    ]
    steps = [{"label": n, "method": "animate", "args": [[n], JUMP]} for n in names]
    play = [None, PLAY | {"fromcurrent": True}]
    buttons = [
        {"label": _("Play"), "method": "animate", "args": play},
        {"label": _("Pause"), "method": "animate", "args": [[None], JUMP]},
    ]
    with_controls = figure.relayout(
        sliders=[
            {
                "steps": steps,
                "currentvalue": {"prefix": f"{_('position')} "},
                "pad": {"t": 50},
            }
        ],
        updatemenus=[{"type": "buttons", "direction": "left", "buttons": buttons, "y": -0.2}],
    )
    return replace(with_controls, frames=parts)
