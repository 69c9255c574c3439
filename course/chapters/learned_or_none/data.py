"""Layers of today's models, edges of the bases, and what two small models do without their RoPE."""

import json
from collections.abc import Mapping
from typing import Any

from advisor.known_models import known_models
from advisor.memory.cache import layer_kinds, window_of
from advisor.memory.sizes import Sizes
from advisor.rope import RopeConfig
from course.chapters.learned_or_none.dropped import FOUND, TIMES
from course.chapters.learned_or_none.edge import CHANNELS, EACH, EDGE, LOWEST, edge
from lab.results.tables import load
from lab.spec import text_spec

TOWERS = {
    "Llama-4-Scout": "Llama 4",
    "SmolLM3-3B": "SmolLM3",
    "Command-R7B": "Command R7B",
    "Gemma-3-1B": "Gemma 3",
    "gpt-oss-120b": "gpt-oss",
}
"""Released models whose layers are drawn, and their short names."""
TRAINED = {"Llama-2-7B": "Llama 2", "Llama-3-8B": "Llama 3", "Qwen2.5-7B-Instruct": "Qwen2.5",
           "SmolLM3-3B": "SmolLM3"}  # fmt: skip
"""Those with 64 pairs whose base stands beside the length they were trained on."""
YI = {"Yi-200K": 10_000_000}
"""Base of Yi-34B-200K since March 2024."""
YI_LENGTH = 200_000


def data() -> Mapping[str, Any]:
    """Kinds of layers, edges, models and their bases, bits and keys without positions."""
    smol = known_models()["SmolLM3-3B"].config
    return {
        "towers": [
            {"name": name, "layers": _layers(RopeConfig.from_hf(known_models()[model].config))}
            for model, name in TOWERS.items()
        ],
        "chunk": known_models()["Llama-4-Scout"].config["text_config"]["attention_chunk_size"],
        "needle": {"base": smol["rope_theta"], "trained": smol["max_position_embeddings"]},
        "edge": {
            "pairs": CHANNELS // 2,
            "lowest": LOWEST,
            "each": EACH,
            "reach": json.loads(EDGE.read_text("utf-8")),
        },
        "models": [
            {"name": name, "base": base, "trained": trained, "edge": edge(base)}
            for name, (base, trained) in _bases().items()
        ],
        "dropped": _dropped(),
    }


def _layers(config: RopeConfig) -> list[str]:
    """Kind of each layer, from the first: `all`, `near` or `none`."""
    sizes = Sizes.of(config)
    kinds = []
    for kind, turns in zip(layer_kinds(config, sizes), config.rope_layers, strict=True):
        if not turns:
            kinds.append("none")
        else:
            kinds.append("near" if window_of(sizes, kind) else "all")
    return kinds


def _bases() -> dict[str, tuple[float, int]]:
    """Base and trained length of models."""
    found = {}
    for model, name in TRAINED.items():
        config = known_models()[model].config
        found[name] = (config["rope_theta"], config["max_position_embeddings"])
    return found | {name: (float(base), YI_LENGTH) for name, base in YI.items()}


def _dropped() -> dict[str, Any]:
    """Bits of the text model and keys of the recall model, beside those that were not changed."""
    found = json.loads(FOUND.read_text("utf-8"))
    spec = text_spec("rope")
    lengths = [times * spec.train_length for times in TIMES]
    return {
        "lengths": lengths,
        "parts": found["parts"],
        "rope": _bits("text-rope-s0", "none", lengths),
        "nope": _bits("text-nope-s0", "none", lengths),
        "bits": found["text"],
        "keys": found["recall"],
    }


def _bits(run: str, method: str, lengths: list[int]) -> list[float]:
    """Bits per byte of the same held-out bytes, by the length of the text before them."""
    rows = load().tables["text"].query("run == @run and method == @method")
    rows = rows.query("measure == 'tail' and tuned == 0")
    return [round(float(rows[rows.length == length].bits.mean()), 3) for length in lengths]
