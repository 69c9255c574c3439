"""Write down what the classes of transformers fill in where a config.json is silent.

python -m tests.parity.sweep.class_defaults
"""

import dataclasses
import json
from pathlib import Path
from typing import Any

import transformers
from transformers import CONFIG_MAPPING, PreTrainedConfig

from tests.parity.sweep.classes import default

FILE = (
    Path(__file__).parent.parent.parent.parent
    / "encodings/posenc/config/families/class_defaults.json"
)
FIELDS = (
    "hidden_size",
    "num_attention_heads",
    "num_key_value_heads",
    "num_hidden_layers",
    "max_position_embeddings",
    "original_max_position_embeddings",
    "head_dim",
    "global_head_dim",
    "kv_channels",
    "qk_rope_head_dim",
    "qk_nope_head_dim",
    "v_head_dim",
    "kv_lora_rank",
    "rotary_dim",
    "sliding_window_pattern",
    "query_pre_attn_scalar",
    "attention_multiplier",
    "attn_temperature_tuning",
    "floor_scale",
    "attn_scale",
)


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
    values |= rope_defaults(getattr(config, "rope_parameters", None), raw)
    names = {name: other for name, other in own.items() if other != name}
    return {"defaults": values, "names": names} if names else {"defaults": values}


def rope_defaults(parameters: dict[str, Any] | None, raw: dict[str, Any]) -> dict[str, Any]:
    """What the class makes of rope_parameters where the file gives none."""
    if not parameters:
        return {"rope_theta": raw["rope_theta"]} if raw.get("rope_theta") is not None else {}
    nested = [value for value in parameters.values() if isinstance(value, dict)]
    if nested or parameters.get("rope_type", "default") not in ("default", "axial"):
        return {"rope_parameters": parameters}
    out = {"rope_theta": parameters.get("rope_theta")}
    if parameters.get("partial_rotary_factor") is not None:
        out["partial_rotary_factor"] = parameters["partial_rotary_factor"]
    if parameters.get("mrope_section") is not None:
        out["rope_parameters"] = parameters
    return out


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
