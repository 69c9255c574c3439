"""Files as the tables of these tests have them, and the tables."""

import json
import re
from pathlib import Path
from typing import Any

from advisor import RopeConfig
from advisor.known_models import model_named

ORIGINAL = "original_max_position_embeddings"
DECLARED = "max_position_embeddings"
# No known model's shape.
UNKNOWN = {
    "model_type": "llama",
    "hidden_size": 5632,
    "num_attention_heads": 44,
    "num_hidden_layers": 40,
    "rope_theta": 10000.0,
    DECLARED: 4096,
}
LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    DECLARED: 131072,
    "rope_theta": 1e6,
}
SMALL = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 4,
    "head_dim": 128,
    DECLARED: 4096,
}
EXAONE = {
    "model_type": "exaone",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "num_layers": 32,
    "intermediate_size": 14336,
    "rope_theta": 1000000.0,
    DECLARED: 32768,
}
INTERNLM2 = LLAMA | {"model_type": "internlm2", "rope_theta": 1000000, DECLARED: 32768}
# One list for short and long texts, under the newer name of the type alone.
MINICPM4 = LLAMA | {
    "model_type": "minicpm",
    "num_key_value_heads": 2,
    "intermediate_size": 16384,
    "rope_theta": 10000.0,
    DECLARED: 32768,
    "rope_scaling": {
        "rope_type": "longrope",
        "short_factor": [2.0] * 64,
        "long_factor": [2.0] * 64,
        ORIGINAL: 32768,
    },
}
# A window of 131,072, and lists of factors from 4,096 on.
PHIMOE = UNKNOWN | {
    "model_type": "phimoe",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "sliding_window": 131072,
    DECLARED: 131072,
    ORIGINAL: 4096,
    "rope_scaling": {
        "type": "longrope",
        "short_factor": [1.0] * 64,
        "long_factor": [4.0] * 64,
        "short_mscale": 1.2,
        "long_mscale": 1.2,
    },
}
LOCAL = {"rope_type": "default", "rope_theta": 1e4}
GLOBAL = {"rope_type": "longrope", "rope_theta": 1e6, ORIGINAL: 131072}
GLOBAL |= {"short_factor": [1.0] * 256, "long_factor": [4.0] * 256}
GEMMA4 = {"rope_parameters": {"sliding_attention": LOCAL, "full_attention": GLOBAL}}
# The first Falcons have ALiBi.
FALCON_RW = {
    "model_type": "falcon",
    "hidden_size": 2048,
    "num_attention_heads": 32,
    "num_hidden_layers": 24,
    "alibi": True,
    "multi_query": False,
    "vocab_size": 50304,
}
AUTO_MAP = {"AutoConfig": "configuration_mine.MineConfig", "AutoModel": "modeling_mine.Mine"}
MINE = {
    **model_named("Llama-2-7B").config,
    "model_type": "mine",
    "architectures": ["LlamaForCausalLM"],
}
SPEECH = {
    "model_type": "qwen2_5_omni",
    "thinker_config": {
        "model_type": "qwen2_5_omni_thinker",
        "text_config": {**model_named("Qwen2.5-7B-Instruct").config, "model_type": "qwen2"},
    },
}
IMAGES = {"model_type": "internvl", "text_config": dict(model_named("Qwen3-8B").config)}
FILES: dict[str, dict[str, Any]] = {
    "unknown": UNKNOWN,
    "a Llama": LLAMA,
    "small": SMALL,
    "EXAONE-3.5": EXAONE,
    "InternLM2": INTERNLM2,
    "MiniCPM4": MINICPM4,
    "PhiMoE": PHIMOE,
    "Falcon-RW-1B": FALCON_RW,
    "code beside the weights": {**MINE, "auto_map": AUTO_MAP},
    "a type that nobody reads": MINE,
    "Llama-4-Scout's text": model_named("Llama-4-Scout").config["text_config"],
    "Gemma-4 with lists": {**model_named("Gemma-4").config, **GEMMA4},
    "speech around Qwen2.5": SPEECH,
    "images around Qwen3": IMAGES,
}
KINDS = ("yarn", "linear", "dynamic", "llama3", "longrope")


def scaling(words: list[str], own: dict[str, Any]) -> dict[str, Any]:
    """The scaling that a table calls "yarn 4" or "longrope 1 4 on 8192"; other fields stay."""
    kept = {name: value for name, value in own.items() if name.startswith(("mrope", "rope_theta"))}
    kind, factor, *more = words
    if kind == "longrope":
        long, *more = more
        lists = {"short_factor": [float(factor)] * 64, "long_factor": [float(long)] * 64}
        given: dict[str, Any] = {"rope_type": kind, **lists}
    else:
        name = "type" if kind in ("linear", "dynamic") else "rope_type"
        given = {name: kind, "factor": float(factor)}
    if kind == "llama3":
        given |= {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
    match more:
        case ["on", tokens]:
            given[ORIGINAL] = int(tokens)
        case ["misspelt", tokens]:
            given[ORIGINAL.removesuffix("s")] = int(tokens)
    return kept | given


def fields_of(text: str) -> dict[str, Any]:
    """A file as a table has it: JSON, or the name of a model and what is otherwise in its file.

    "Qwen3-8B, yarn 4 on 8192, beta_fast 16, declares 32768, base 1e6, no vocab_size, x=JSON":
    what has no = stands in the scaling.
    """
    if text.startswith("{"):
        return json.loads(text)
    name, *changes = text.split(", ")
    file = dict(FILES.get(name) or model_named(name).config)
    fields = dict(file.get("text_config", file))
    place = "rope_parameters" if "rope_parameters" in fields else "rope_scaling"
    for change in changes:
        own = fields.get(place) or {}
        match change.split():
            case ["no", "scaling"]:
                fields[place] = None
            case ["no", field] if field in own:
                fields[place] = {name: value for name, value in own.items() if name != field}
            case ["no", field]:
                del fields[field]
            case ["declares", length]:
                fields[DECLARED] = int(length)
            case ["base", base]:
                fields["rope_theta"] = float(base)
            case [kind, *_] if kind in KINDS:
                fields[place] = scaling(change.split(), own)
            case _ if "=" in change:
                field, value = change.split("=")
                fields[field] = json.loads(value)
            case [field, value]:
                fields[place] = {**own, field: json.loads(value)}
    return file | {"text_config": fields} if "text_config" in file else fields


def read(text: str) -> RopeConfig:
    """The same, read."""
    return RopeConfig.from_hf(fields_of(text))


def rows(test: str, name: str) -> list[list[str]]:
    """The rows of a table beside a test; a line that begins with # is a heading."""
    lines = Path(test).with_name(name).read_text("utf-8").splitlines()
    told = [line for line in lines if line and not line.startswith("#")]
    return [[cell.strip() for cell in re.split(r"(?<= )\|(?= |$)", line)] for line in told]
