"""A figure as plain data in plotly's own schema: what every function here makes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

Part = dict[str, Any]
"""A trace, a shape, an annotation, a frame: attributes by plotly's names; numpy arrays as data."""


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure for plotly.js. It is never changed: its methods return another one.

    Nothing is checked here; the tests give every figure to plotly's classes, which do.

    Attributes:
        data: The traces.
        layout: Of plotly's layout.
        frames: Of an animation.
    """

    data: Sequence[Part]
    layout: Part
    frames: Sequence[Part] = ()

    def add(
        self, *traces: Part, shapes: Sequence[Part] = (), annotations: Sequence[Part] = ()
    ) -> "Figure":
        """The figure with more in it, above what is there."""
        layout = self.layout
        for name, more in (("shapes", shapes), ("annotations", annotations)):
            if more:
                layout = layout | {name: [*layout.get(name, ()), *more]}
        return replace(self, data=[*self.data, *traces], layout=layout)

    def relayout(self, **changes: Any) -> "Figure":
        """The figure with other attributes of its layout.

        Args:
            changes: By name. Of an attribute that has parts, an axis for one, those that are named
                change and the others stay.
        """
        return replace(self, layout=_changed(self.layout, changes))

    def restyle(self, index: int | None = None, **changes: Any) -> "Figure":
        """The figure with other attributes of its traces.

        Args:
            index: Of the only trace to change; all when None.
            changes: As in `relayout`. None takes an attribute away.
        """
        data = [
            _changed(trace, changes) if index in (None, place) else trace
            for place, trace in enumerate(self.data)
        ]
        return replace(self, data=data)

    def to_dict(self) -> Part:
        """The figure as a dictionary for plotly's `Figure` and plotly.js."""
        parts = {"data": list(self.data), "layout": self.layout}
        return parts | ({"frames": list(self.frames)} if self.frames else {})


def _changed(part: Part, changes: Part) -> Part:
    new = part | {
        name: part[name] | change
        if isinstance(change, dict) and isinstance(part.get(name), dict)
        else change
        for name, change in changes.items()
    }
    return {name: value for name, value in new.items() if value is not None}
