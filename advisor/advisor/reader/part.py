"""The part of a file that is the text model, and the family it belongs to."""

from dataclasses import dataclass, replace
from typing import Any

from advisor.families.all import UNKNOWN, family_of
from advisor.families.classes import TEXT_PARTS, part_types, type_of_architecture
from advisor.families.family import Family
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
    """

    fields: Fields
    path: tuple[str, ...]
    read_as: str
    identified_by: str = "model_type"


def text_part(source: dict[str, Any]) -> Part:
    """The text model of a file: within "text_config" and the like, else the file itself."""
    fields = Fields(source)
    path: tuple[str, ...] = ()
    model_type = fields.word("model_type")
    for _ in range(MOST_PARTS):
        family = family_of(model_type)
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
    family = family_of(model_type)
    named = None
    if family is UNKNOWN:
        named = _by_architecture(fields) or _by_architecture(Fields(source))
    if named is not None:
        return Part(_with(fields, family_of(named)), path, named, "architectures")
    asked = Fields(source).word(READ_AS)
    if family is UNKNOWN and asked is not None:
        if family_of(asked) is UNKNOWN:
            raise ValueError(f"{READ_AS} must be a model type that is known, got {asked!r}.")
        return Part(_with(fields, family_of(asked)), path, asked, READ_AS)
    return Part(_with(fields, family), path, model_type or "")


def _is_object(fields: Fields, name: str) -> bool:
    """Whether the file has this part; "decoder" may also be a word or a number."""
    return fields.values.get(name) is not None and (
        name.endswith("_config") or isinstance(fields.values[name], dict)
    )


def _with(fields: Fields, family: Family) -> Fields:
    values = {name: one for name, one in fields.values.items() if name not in family.unread}
    values = dict(values if family.normal is None else family.normal(values))
    return replace(fields, values=values, family=family)


def _by_architecture(part: Fields) -> str | None:
    """The model type by the name of the model's class, None where no family is known."""
    for name in part.items("architectures", MOST_NAMES) or ():
        model_type = type_of_architecture(name) if isinstance(name, str) else None
        if family_of(model_type) is not UNKNOWN:
            return model_type
    return None
