"""Write down what the classes of transformers fill in where a config.json is silent.

python -m reference.sweep.class_defaults
"""

import contextlib
import copy
import dataclasses
import json
from pathlib import Path
from typing import Any

import transformers
from transformers import CONFIG_MAPPING, PreTrainedConfig

from reference.sweep.classes import SAID, default

FILE = Path(__file__).resolve().parents[3] / "advisor/advisor/families/class_defaults.json"
FIELDS = (
    *("hidden_size", "num_attention_heads", "num_key_value_heads", "num_hidden_layers"),
    *("max_position_embeddings", "original_max_position_embeddings", "head_dim"),
    *("global_head_dim", "kv_channels", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim"),
    *("kv_lora_rank", "rotary_dim", "sliding_window_pattern", "query_pre_attn_scalar"),
    *("attention_multiplier", "attn_temperature_tuning", "floor_scale", "attn_scale"),
)
# Names that a base and a share of rotated channels have beside rope_parameters; values to try.
BESIDE = {
    "rope_theta": {"rope_theta": 12345.0, "rotary_emb_base": 12345.0},
    "partial_rotary_factor": {"partial_rotary_factor": 0.4375, "rotary_pct": 0.4375},
}


def class_defaults(config: PreTrainedConfig) -> dict[str, Any]:
    """Fields that the class fills in, by their common names, and its own names of fields."""
    kind = type(config)
    own = {name: kind.attribute_map.get(name, name) for name in FIELDS}
    raw = {
        field.name: field.default
        for field in dataclasses.fields(kind)
        if field.default is not dataclasses.MISSING
    }
    values = {name: raw[own[name]] for name in FIELDS if raw.get(own[name]) is not None}
    values |= rope_defaults(config, raw)
    names = {name: other for name, other in own.items() if other != name}
    return {"defaults": values, "names": names} if names else {"defaults": values}


def rope_defaults(config: PreTrainedConfig, raw: dict[str, Any]) -> dict[str, Any]:
    """The class's default rope_parameters, for a file that gives none.

    Base and share of rotated channels stand within the object where the class fills it in before
    it looks at the file, so that a base beside the object does not count.
    """
    parameters = getattr(config, "rope_parameters", None)
    if not parameters:
        return {"rope_theta": raw["rope_theta"]} if raw.get("rope_theta") is not None else {}
    if any(isinstance(value, dict) for value in parameters.values()):
        is_said = "rope_parameters" in SAID.get(config.model_type, {})
        return {} if is_said else {"rope_parameters": in_order(config, parameters)}
    own = {"rope_theta": getattr(type(config), "default_theta", 10000.0)}
    inner = dict(parameters)
    for name in BESIDE:
        if name in inner and (is_read(config, name) or stays(config, name)):
            own[name] = inner[name]
        if name in inner and (is_read(config, name) or (name != "rope_theta" and name in own)):
            del inner[name]
    kind = inner.pop("rope_type", "default")
    is_plain = kind in ("default", "axial") and not inner
    return own if is_plain else {**own, "rope_parameters": {"rope_type": kind, **inner}}


def in_order(config: PreTrainedConfig, parameters: dict[str, Any]) -> dict[str, Any]:
    """By the layers' order where all kinds occur: a class that made them from a set has none."""
    types = getattr(config, "layer_types", None) or []
    if not set(parameters) <= set(types):
        return parameters
    return {kind: parameters[kind] for kind in sorted(parameters, key=types.index)}


def is_read(config: PreTrainedConfig, name: str) -> bool:
    """Whether the class takes a field beside rope_parameters into them."""
    for field, value in BESIDE[name].items():
        if told(config, {field: value}).get(name) == value:
            return True
    return False


def stays(config: PreTrainedConfig, name: str) -> bool:
    """Whether the class's value, other than the general one, holds beside a scaling as well."""
    scaled = told(config, {"rope_scaling": {"rope_type": "linear", "factor": 2.0}})
    is_general = name == "rope_theta" and scaled.get(name) == 10000.0
    return scaled.get(name) == config.rope_parameters[name] and not is_general


def told(config: PreTrainedConfig, more: dict[str, Any]) -> dict[str, Any]:
    """rope_parameters where the file has these fields besides; {} where the class refuses them."""
    with contextlib.suppress(Exception):
        said = copy.deepcopy(SAID.get(config.model_type, {}))
        return dict(type(config)(**{**said, **more}).rope_parameters or {})
    return {}


def parts(config: PreTrainedConfig) -> dict[str, str]:
    """The configurations within one: where each stands, and its model type."""
    found = {}
    for name in type(config).sub_configs or {}:
        part = getattr(config, name, None)
        if isinstance(part, PreTrainedConfig) and part.model_type:
            found[name] = part.model_type
    return found


def rotary_types() -> list[str]:
    """Model types whose class knows parameters of a rotation."""
    return [
        name
        for name in CONFIG_MAPPING
        if any(
            f.name in ("rope_parameters", "rope_theta")
            for f in dataclasses.fields(CONFIG_MAPPING[name])
        )
    ]


def main() -> None:
    """Write the file."""
    rows, stems, rotary = {}, {}, set(rotary_types())
    for name in sorted(CONFIG_MAPPING):
        try:
            config = default(name)
        except Exception as refused:
            print(f"{name} has no default: {refused}")
            continue
        row = class_defaults(config) if name in rotary else {}
        inner = parts(config)
        if inner:
            row["parts"] = inner
        if row:
            rows[name] = row
        stems.setdefault(type(config).__name__.removesuffix("Config"), name)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    FILE.write_text(
        f'{{"transformers": "{transformers.__version__}",\n"stems": {json.dumps(stems)},\n'
        f'"classes": {{\n{lines}\n}}}}\n'
    )


if __name__ == "__main__":
    main()
