"""One thing worth knowing about a config.json, what looks for it, and what that is shown."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal, NamedTuple

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.fields import Fields

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True)
class Finding:
    """One thing worth knowing about a config.json.

    Args:
        code: Its name.
        severity: "error": the model computes something else than the file seems to ask for;
            "warning": it may, or in some engines; "info": right, and easily misread.
        fields: The fields concerned, as the file calls them.
        message: What is the case, with the numbers: a `posenc.words.Sentence`.
        remedy: What to write or do instead, a sentence too; "" where nothing needs doing.
    """

    code: str
    severity: Severity
    fields: tuple[str, ...]
    message: str
    remedy: str = ""


class Told(NamedTuple):
    """A judge's words: a `Finding` without its code, and with the judge's severity."""

    fields: tuple[str, ...]
    message: str
    remedy: str = ""
    severity: Severity | None = None


@dataclass(frozen=True)
class Judge:
    """A function that looks for one thing; its name is the finding's code."""

    code: str
    severity: Severity
    look: Callable[[Config], Iterator[Told]]

    def __call__(self, config: Config) -> Finding | None:
        """The first thing that it tells of the file; None where there is nothing to tell."""
        for told in self.look(config):
            severity = told.severity or self.severity
            return Finding(self.code, severity, told.fields, told.message, told.remedy)
        return None


def judge(severity: Severity) -> Callable[[Callable[[Config], Iterator[Told]]], Judge]:
    """Make a judge of a function, with the severity of what it tells unless that says another."""
    return lambda look: Judge(look.__name__, severity, look)


def judges(module: ModuleType) -> tuple[Judge, ...]:
    """The judges of a module, in its order."""
    return tuple(one for one in vars(module).values() if isinstance(one, Judge))


def ratio(number: float) -> str:
    """A factor or length as a reader would write it: 4, 1.5, 40960."""
    return str(int(number)) if float(number).is_integer() else f"{number:.6g}"


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


SCALINGS = ("rope_scaling", "rope_parameters")
"""Fields that hold a scaling."""


def is_scaling(given: Mapping[str, Any]) -> bool:
    """Whether such an object asks for more than the plain frequencies."""
    return (given.get("rope_type") or given.get("type")) not in (None, "default", "mrope")


def layer_key(config: Config, judged: Judged) -> str:
    """The key of the judged layer in `config.rotary`."""
    return next(key for key, layer in config.rotary.items() if layer is judged.layer)


def judged_layers(config: Config, *scalings: type) -> list[Judged]:
    """The rotary layers whose scaling is one of these types; all of them without types."""
    if not config.rotary:
        return []
    found = []
    for key, given in config.objects.items():
        same = config.rotary.get("all") or config.rotary.get("rope")
        layer = config.rotary.get(key) or same
        # An object for a kind of layers that the file does not have says nothing.
        if layer is not None and (not scalings or isinstance(layer.scaling, scalings)):
            path = given.where.removeprefix(config.text.where).rstrip(".").split(".")
            found.append(Judged(layer, given, tuple(path)))
    return found
