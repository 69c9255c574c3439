"""Which fields about positions a class of transformers reads, and which part of it does.

fields_read.json, beside this file, was observed by reference/sweep/fields.py on tiny models: fields
that the code of a model, its configuration or its masks ask for ("model"), and those that its cache
alone does ("cache"). A field in neither list is read by nothing.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal

from advisor.families.without_class import OTHER_NAMES
from advisor.tables import table

PASSED_ON = ("moshi", "olmoe")
"""Types whose layers hand sliding_window to what computes attention, and whose mask does not cut:
tests/parity/test_fields_read.py asks every class."""
POSITIONAL = re.compile(
    "rope|rotary|theta|position|window|sliding|layer_types|layers_block_type|hybrid.*pattern"
    "|attention_chunk|alibi|seq_len|n_ctx|^n_layers?$|^num_layers$|num_hidden_layers|attn_layer"
    "|full_att|global_attn|context_len|temperature_tuning|floor_scale|model_max_len|longrope"
    "|dual_chunk"
)
BESIDE = re.compile("mlp|moe|mtp|vision|image|video|audio|^vt_|num_position|generat|decoder_|_id")


def is_positional(name: str) -> bool:
    """Whether a field's name is about positions, lengths, scaling, windows or layers."""
    return bool(POSITIONAL.search(name)) and not BESIDE.search(name)


@cache
def _observed() -> Mapping[str, Mapping[str, list[str]]]:
    return dict(table("families/fields_read.json"))


def _row(model_type: str) -> Mapping[str, list[str]] | None:
    """The row of a type, or of the text part of the class of that name."""
    name = OTHER_NAMES.get(model_type, model_type)
    rows = _observed()
    return rows.get(name, rows.get(f"{name}_text"))


def is_observed(model_type: str) -> bool:
    """Whether it is known which fields about positions the class reads."""
    return _row(model_type) is not None


def asked_by(model_type: str, field: str) -> Literal["model", "cache", "nothing"] | None:
    """Which part of the class asks for a field; None where the class was not observed."""
    row = _row(model_type)
    if row is None:
        return None
    if field in row["model"]:
        return "model"
    return "cache" if field in row["cache"] else "nothing"
