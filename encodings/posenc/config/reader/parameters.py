"""rope_parameters of transformers 5: where they stand in a file, and how gaps are filled."""

from collections.abc import Mapping

from posenc.config.families.family import Family
from posenc.config.fields import LARGEST_BASE, Fields, required
from posenc.config.reader.scalings import rope_type_of

MOST_LAYER_TYPES = 16
STRETCHED = ("llama3", "yarn", "longrope")


def given_objects(text: Fields) -> dict[str, Fields]:
    """rope_scaling or rope_parameters as the file has it, for "all" layers or by layer type."""
    old, new = text.section("rope_scaling"), text.section("rope_parameters")
    given = old if old and old.values else new or Fields({}, where="rope_parameters.")
    nested = {key: value for key, value in given.values.items() if isinstance(value, dict)}
    if len(nested) > MOST_LAYER_TYPES:
        raise ValueError(
            f"{given.where.rstrip('.')} must hold at most {MOST_LAYER_TYPES} layer types, got "
            f"{len(nested)}."
        )
    family = required(text.family, "model_type")
    if family.bases and (not nested or given is old):
        return _by_base(text, family, old if given is old else None, new)
    if not nested and (family.head_dims or text.get("global_head_dim") is not None):
        return {"sliding_attention": given, "full_attention": given}  # Gemma 4: two head sizes
    if not nested:
        return {"all": given}
    # transformers reads `truncate` beside the layer types, not within.
    beside = {"truncate": given.values["truncate"]} if "truncate" in given.values else {}
    return {
        key: Fields({**beside, **value}, where=f"{given.where}{key}.")
        for key, value in nested.items()
    }


def _by_base(
    text: Fields, family: Family, old: Fields | None, new: Fields | None
) -> dict[str, Fields]:
    """Each kind's object within rope_parameters, or the base beside it; and rope_scaling over it.

    One object for all kinds in rope_parameters is not looked at.
    """
    objects = {}
    for kind, name in family.bases.items():
        own = (new.values if new else {}).get(kind)
        values = {"rope_theta": text.get(name), **(own if isinstance(own, dict) else {})}
        if old and kind in family.scaled:
            values |= old.values
        objects[kind] = Fields(values, where=old.where if old else "rope_parameters.")
    return objects


def rope_parameters(text: Fields, objects: Mapping[str, Fields]) -> dict[str, Fields]:
    """The `given_objects` with type, base, share of rotated channels and trained length filled in.

    Values within the object come first, then the file's top level, then the class default.
    """
    return {key: _filled(params, text, key == "all") for key, params in objects.items()}


def _filled(params: Fields, text: Fields, flat: bool) -> Fields:
    """One object, filled in."""
    values = dict(params.values)
    base = text.number("rope_theta", above=1, maximum=LARGEST_BASE)
    values["rope_type"] = rope_type_of(params)
    if params.get("rope_theta") is None:
        ratio = None if text.given("rope_theta") else text.number("rope_ratio", above=0)
        values["rope_theta"] = 10000.0 * ratio if ratio else base
    share = text.number("partial_rotary_factor", 0, 1)
    if params.get("partial_rotary_factor") is None and share is not None:
        values["partial_rotary_factor"] = share
    condense = text.number("rope_condense_ratio", above=0)
    if values["rope_type"] == "default" and condense not in (None, 1):
        values |= {"rope_type": "linear", "factor": condense}
    top = text.integer("original_max_position_embeddings", 1)
    own = params.integer("original_max_position_embeddings", 1)
    if values["rope_type"] in STRETCHED:
        longest = text.integer("max_position_embeddings", 1)
        values["original_max_position_embeddings"] = (top if flat else None) or own or longest
    return Fields(values, where=params.where)
