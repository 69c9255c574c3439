"""transformers as two engines: releases 5 and 4."""

from typing import Any

from advisor.data import Config
from advisor.engines.engine import Engine, Written
from advisor.engines.text import IN_CONFIG, as_json
from advisor.engines.transformers import old
from advisor.engines.transformers.write import (
    Generation,
    reaching_fragment,
    to_hf_fragment,
)
from advisor.facts import TRANSFORMERS, TRIED, dated
from advisor.families import without_class
from advisor.families.all import has_class
from posenc.words import Sentence, say


def reads_own_code(config: Config) -> bool:
    """Whether code beside the weights reads the text model: transformers has no class for it."""
    part = config.text_in(config.source)
    types = [one["model_type"] for one in (config.source, part) if one.get("model_type")]
    return not any(map(has_class, types)) if types else names_own_code(config)


def names_own_code(config: Config) -> bool:
    """Whether the file names code that lies beside the weights, or its family is known for it."""
    objects = (config.source, config.text_in(config.source))
    is_known = config.model_type in (*without_class.FAMILIES, "kimi_k2")
    return is_known or any(one.get("auto_map") for one in objects)


def write(config: Config, before: Config, generation: Generation) -> Written:
    """The fields to paste.

    Raises:
        ValueError: If transformers would not read them, or the older fields cannot say it.
    """
    usual = all(one.scaling is None and one.base == 10000 for one in config.rotary.values())
    if config.family.by_table and not usual:
        raise ValueError(
            f"transformers turns {config.source['model_type']} by a fixed table of sines, base "
            "10000: no field of config.json changes it."
        )
    if config.model_type == "mpt" and config.reach != before.reach:
        # Its class makes biases for max_seq_len tokens and fails at the next one.
        return Written(as_json(reaching_fragment(config, generation)))
    if not reads_own_code(config):
        return Written(as_json(to_hf_fragment(config, generation)))
    # Such code was written for releases 4, unless its file has the field of 5.
    form: Generation = "new" if before.text.given("rope_parameters") else "old"
    fields = to_hf_fragment(config, form)
    simplify(config.text_in(fields), before)
    return Written(as_json(fields), (_own_code(config),))


def simplify(fields: dict[str, Any], before: Config) -> None:
    """Leave in an object of older fields what code beside the weights takes, if that reads it.

    Code of 2023 refuses an object with anything but two fields. MiniCPM4's asks for the type by
    its newer name, as its own file has it.
    """
    given = fields.get("rope_scaling") or {}
    if not reads_own_code(before) or given.get("type") not in ("linear", "dynamic"):
        return
    names = {name for one in before.objects.values() for name in one.values}
    name = "rope_type" if "rope_type" in names and "type" not in names else "type"
    fields["rope_scaling"] = {name: given["type"], "factor": given["factor"]}


def _own_code(config: Config) -> Sentence:
    """Note on who reads a file that transformers has no class for."""
    model = config.model_type or "null"
    if names_own_code(config):
        return say(
            "transformers has no class for {model}: with trust_remote_code the code beside the "
            "weights reads the file. These are fields of its form; that code was not run here.",
            model=model,
        )
    return say(
        "transformers has no class for {model} and does not load the file, which names no code of "
        "its own (auto_map) either. Code beside the weights would read fields of this form.",
        model=model,
    )


NEW = Engine(
    id="transformers_5",
    title="transformers 5",
    place=IN_CONFIG,
    versions=say(
        "Works in {works} and later. Releases 4 leave rope_parameters unread: they take the "
        "class's own base and silently scale nothing.",
        works=dated("rope_parameters", "transformers_5"),
    ),
    sources=say(
        "{release}; {old} and {older}",
        release=TRANSFORMERS,
        old=TRIED["transformers_4"].version,
        older=TRIED["transformers_4"].also[0],
    ),
    write=lambda config, before, serving: write(config, before, "new"),
    language="json",
)

OLD = Engine(
    id="transformers_4",
    title="transformers 4",
    place=IN_CONFIG,
    versions=say(
        "Works in {works} and later, in 5 as well. Before that YaRN is computed around "
        "max_position_embeddings, whatever the trained length, and nothing says so.",
        works=dated("original_max_position_embeddings", "transformers_4"),
    ),
    sources=say(
        "{release}, {older} and {new}; of {span} the source was read",
        release=TRIED["transformers_4"].release,
        older=TRIED["transformers_4"].also[0],
        span=TRIED["transformers_4"].also[1],
        new=TRIED["transformers_5"].version,
    ),
    write=lambda config, before, serving: write(config, before, "old"),
    language="json",
    reading=old.reading,
)
