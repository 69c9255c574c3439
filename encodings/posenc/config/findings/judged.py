"""Input of the findings: each rotary layer beside the object that describes it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from posenc.config.data import Config
from posenc.config.fields import Fields
from posenc.config.layers import RopeLayer


@dataclass(frozen=True)
class Judged:
    """A rotary layer beside the object of the file that describes it."""

    layer: RopeLayer
    given: Fields
    path: tuple[str, ...]
    """Where the object stands: ("rope_scaling",) or ("rope_parameters", "full_attention")."""

    @property
    def scaling(self) -> Any:
        """The layer's scaling; Any, since each finding asks for the type it knows."""
        return self.layer.scaling


def as_given(config: Config) -> Mapping[str, Any]:
    """The text model's object as it stands in the file, before its family puts it in order."""
    found: Any = config.source
    for name in config.path:
        found = found.get(name, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


def layer_key(config: Config, judged: Judged) -> str:
    """The key of the judged layer in `config.rotary`."""
    return next(key for key, layer in config.rotary.items() if layer is judged.layer)


def judged_layers(config: Config, *scalings: type) -> list[Judged]:
    """The rotary layers whose scaling is one of these types; all of them without types."""
    if not config.rotary:
        return []
    found = []
    for key, given in config.objects.items():
        layer = config.rotary.get(key) or config.rotary.get("all") or config.rotary["rope"]
        if not scalings or isinstance(layer.scaling, scalings):
            path = given.where.removeprefix(config.text.where).rstrip(".").split(".")
            found.append(Judged(layer, given, tuple(path)))
    return found
