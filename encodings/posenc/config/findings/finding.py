"""One thing worth knowing about a config.json, and what the findings are made from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from posenc.config.fields import Fields
from posenc.config.layers import RopeLayer
from posenc.config.read import given_objects, text_fields

if TYPE_CHECKING:
    from posenc.config.data import RopeConfig

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True)
class Finding:
    """One thing worth knowing about a config.json.

    Args:
        code: Its name.
        severity: "error": the model computes something else than the file seems to ask for;
            "warning": it may, or in some engines; "info": right, and easily misread.
        fields: The fields concerned, as the file calls them.
        message: What is the case, with the numbers.
        remedy: What to write or do instead; "" where nothing needs doing.
    """

    code: str
    severity: Severity
    fields: tuple[str, ...]
    message: str
    remedy: str = ""


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


def text_of(config: "RopeConfig") -> Fields:
    """The fields of the text model."""
    return text_fields(config.source)


def judged_layers(config: "RopeConfig", *scalings: type) -> list[Judged]:
    """The rotary layers whose scaling is one of these types; all of them without types."""
    if not config.rotary:
        return []
    text, found = text_of(config), []
    for key, given in given_objects(text).items():
        layer = config.rotary.get(key) or config.rotary.get("all") or config.rotary["rope"]
        if not scalings or isinstance(layer.scaling, scalings):
            path = given.where.removeprefix(text.where).rstrip(".").split(".")
            found.append(Judged(layer, given, tuple(path)))
    return found


def ratio(number: float) -> str:
    """A factor or length as a reader would write it: 4, 1.5, 40960."""
    return str(int(number)) if float(number).is_integer() else f"{number:.6g}"
