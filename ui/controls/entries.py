"""Controls as data: a dataclass of settings whose fields say how they are asked for."""

from collections.abc import Callable
from dataclasses import field, fields
from types import SimpleNamespace
from typing import Any, TypeVar

from ui.words import translate

Settings = TypeVar("Settings")
ENTRY = "entry"


def entry(
    control: Callable[..., Any],
    label: str,
    *limits: Any,
    help: str,
    when: Callable[[Any], bool] | None = None,
    **more: Any,
) -> Any:
    """A field of settings: its control has the name of the field.

    Args:
        control: A function of `ui.controls` that draws it.
        label: A sentence of `say`, as `help`.
        limits: Default, limits, options, as the control takes them; a function of the fields
            before it where one depends on them.
        help: What it is.
        when: Whether it is asked for, by the fields before it; else it has its default.
        more: Further arguments of the control.
    """

    def draw(key: str, before: Any) -> Any:
        if when is not None and not when(before):
            return limits[0]
        now = (limit(before) if callable(limit) else limit for limit in limits)
        return control(key, translate(label), *now, help=translate(help), **more)

    return field(metadata={ENTRY: draw})


def read(kind: type[Settings]) -> Settings:
    """Draw the controls of a dataclass, in the order of its fields; what they say."""
    values = SimpleNamespace()
    for one in fields(kind):  # type: ignore[arg-type]
        setattr(values, one.name, one.metadata[ENTRY](one.name, values))
    return kind(**vars(values))
