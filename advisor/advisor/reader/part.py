"""The part of a file that is the text model, and the family it belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from advisor.families.all import FAMILIES, UNKNOWN, family_of, name_of
from advisor.families.classes import (
    TEXT_PARTS,
    ClassReading,
    part_types,
    reading,
    type_of_architecture,
)
from advisor.families.fields_read import asked_by
from advisor.fields import READ_AS, Fields

MOST_PARTS = 4
MOST_NAMES = 16
# Words for a text part, and the type that the class around it (Kimi K2.5, EXAONE 4.5) takes for it.
INNER = {"kimi_k2": "deepseek_v3", "exaone4_5_text": "exaone4"}


@dataclass(frozen=True)
class Part:
    """The text model within a file.

    Args:
        fields: Its fields, with the names and defaults of its family.
        path: Where it stands.
        read_as: The model type of the family.
        identified_by: The field that told the family.
        parameters: rope_parameters by kind of layers, as the class reads the file.
    """

    fields: Fields
    path: tuple[str, ...]
    read_as: str
    identified_by: str
    parameters: Mapping[str, Mapping[str, Any]]


def text_part(source: dict[str, Any]) -> Part:
    """The text model of a file, its layers of the kinds that its class finds."""
    fields, path, read_as, identified_by = _plain_part(source)
    read = reading(name_of(read_as), fields.values)
    fields = _common(fields, read_as, read)
    return Part(fields, path, read_as, identified_by, read.parameters)


def text_fields(source: dict[str, Any]) -> Fields:
    """The fields of a file's text model, whose class is not asked for the kinds of its layers."""
    fields, _, read_as, _ = _plain_part(source)
    return _common(fields, read_as, ClassReading())


def text_type(source: dict[str, Any]) -> str:
    """The model type of a file's text model."""
    return _plain_part(source)[2]


def _plain_part(source: dict[str, Any]) -> tuple[Fields, tuple[str, ...], str, str]:
    """The text model as it stands: within "text_config" and the like, else the file itself."""
    fields = Fields(source)
    path: tuple[str, ...] = ()
    model_type = fields.word("model_type")
    for _ in range(MOST_PARTS):
        family = FAMILIES.get(name_of(model_type), UNKNOWN)
        names = (family.part,) if family.part else TEXT_PARTS
        name = next((name for name in names if _is_object(fields, name)), None)
        if name is not None:
            fields = fields.section(name) or fields
            path = (*path, name)
            outer = model_type
            inner = fields.word("model_type")
            model_type = INNER.get(inner or "", inner)
            model_type = model_type or part_types(outer).get(name) or outer
            continue
        if family is not UNKNOWN and not family.part:
            break
        # Older files have the text model's fields beside those of the other parts.
        types = part_types(model_type)
        name = next((name for name in names if name in types), None)
        if name is None:
            break
        model_type = types[name]
    is_unknown = not name_of(model_type)
    named = None
    if is_unknown:
        named = _by_architecture(fields) or _by_architecture(Fields(source))
    if named is not None:
        return fields, path, named, "architectures"
    asked = Fields(source).word(READ_AS)
    if is_unknown and asked is not None:
        if not name_of(asked):
            raise ValueError(f"{READ_AS} must be a model type that is known, got {asked!r}.")
        return fields, path, asked, READ_AS
    return fields, path, model_type or "", "model_type"


def _is_object(fields: Fields, name: str) -> bool:
    """Whether the file has this part; "decoder" may also be a word or a number."""
    return fields.values.get(name) is not None and (
        name.endswith("_config") or isinstance(fields.values[name], dict)
    )


def _common(fields: Fields, read_as: str, read: ClassReading) -> Fields:
    """The fields in the family's common form, with the kinds of layers that its class finds."""
    family = family_of(read_as)
    fields = replace(fields, family=family)
    values = {name: one for name, one in fields.values.items() if name not in family.unread}
    kinds = values.get("layer_types")
    are_words = isinstance(kinds, list) and all(isinstance(one, str) for one in kinds)
    if are_words and asked_by(name_of(read_as), "layer_types") in ("cache", "nothing"):
        read = replace(read, layer_types=None)
        del values["layer_types"]
    for name in ("alibi", "no_rope_layers"):
        given = values.get(name)
        are_flags = given is True or (
            isinstance(given, list) and all(one in (0, 1) for one in given)
        )
        if given and are_flags and asked_by(name_of(read_as), name) == "nothing":
            del values[name]  # a leftover changes nothing
            read = replace(read, rotating=None)
    if read.layer_types is not None:
        values["layer_types"] = [*read.layer_types]
        layers = fields.own_name("num_hidden_layers")
        if values.get(layers) is None:
            values[layers] = len(read.layer_types)
    if read.rotating is not None and not values.get("no_rope_layers"):
        values["no_rope_layers"] = [int(turns) for turns in read.rotating]
    values |= read.beside
    values |= {fields.own_name(name): one for name, one in read.turned.items()}
    return replace(fields, values=values if family.normal is None else family.normal(values))


def _by_architecture(part: Fields) -> str | None:
    """The model type by the name of the model's class, None where no family is known."""
    for name in part.items("architectures", MOST_NAMES) or ():
        model_type = type_of_architecture(name) if isinstance(name, str) else None
        if name_of(model_type):
            return model_type
    return None
