"""Files of every rotary family with fields deleted and retuned: read as its own code reads them.

python -m reference.sweep.mutate 1000     files that are compared
python -m reference.sweep.mutate 1000 1   with another seed than 0
"""

import contextlib
import copy
import json
import random
import sys
import warnings
from collections import Counter
from functools import cache
from typing import Any

import torch
import transformers
from torch import Tensor
from transformers import CONFIG_MAPPING, PreTrainedConfig

from advisor import RopeConfig
from advisor.comparing.layer import RopeLayer
from advisor.families.all import FAMILIES
from advisor.families.classes import default
from reference.sweep.classes import plain
from reference.sweep.judge import built, rotary_modules, rotary_tables

Angles = dict[str, tuple[Tensor, float]]
# Findings that say that transformers reads it otherwise.
ERRORS = {"type_alone_lost", "base_not_taken", "fixed_table"}
FACTOR = 1e-6
RAMPS = 1e-5  # float32 weights of YaRN and Llama 3, beside θ/factor
FIELDS = (
    *("hidden_size", "num_attention_heads", "num_key_value_heads", "num_hidden_layers"),
    *("head_dim", "max_position_embeddings", "rope_theta", "rope_parameters", "rope_scaling"),
    *("partial_rotary_factor", "layer_types", "sliding_window", "original_max_position_embeddings"),
    *("qk_rope_head_dim", "qk_nope_head_dim", "model_type", "rotary_dim", "no_rope_layers"),
)


def scaling(draw: random.Random) -> dict[str, Any]:
    """A scaling that a file may have."""
    factor = draw.choice([1.0, 2.0, 3.7, 8.0, 40.0])
    return draw.choice(
        [
            {"rope_type": "linear", "factor": factor},
            {"rope_type": "dynamic", "factor": factor},
            {"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": 4096},
            {
                "type": "yarn",
                "factor": factor,
                "original_max_position_embeddings": 2048,
                "mscale": 1.0,
                "mscale_all_dim": draw.choice([0.0, 1.0, 0.707]),
            },
            {
                "rope_type": "llama3",
                "factor": 8.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 8192,
            },
            {"rope_type": "default"},
        ]
    )


def mutated(source: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """The file with one to three changes, of values that a file may have."""
    fields = copy.deepcopy(source)
    for _ in range(draw.randint(1, 3)):
        name = draw.choice([n for n in FIELDS if n in fields] or list(fields))
        how = draw.random()
        if how < 0.25:
            fields.pop(name, None)
        elif how < 0.5:
            fields["rope_theta"] = draw.choice([1e4, 5e5, 1e6, 12345.0])
            fields.pop("rope_parameters", None)
        elif how < 0.65:
            fields.pop("rope_parameters", None)
            fields["rope_scaling"] = scaling(draw)
        elif how < 0.7:
            fields["rope_parameters"] = {**scaling(draw), "rope_theta": 54321.0}
        else:
            fields["max_position_embeddings"] = draw.choice([2048, 32768, 131072])
    return fields


@cache
def sources() -> dict[str, dict[str, Any]]:
    """Files that the class of every family that rotates along a text would write."""
    found = {}
    for name in sorted(set(FAMILIES) & set(CONFIG_MAPPING)):
        with contextlib.suppress(Exception):
            source = plain(default(name))
            config = RopeConfig.from_hf(source)
            if config.rotary and not config.path:
                found[name] = source
    return found


def compared(count: int, seed: int = 0) -> tuple[Counter[str], list[str]]:
    """How many files transformers and we read alike, and where we differ."""
    draw, files = random.Random(seed), sources()
    names, counts, wrong = list(files), Counter[str](), []
    while sum(counts.values()) < count:
        name = draw.choice(names)
        fields = mutated(files[name], draw)
        verdict = compare(name, fields)
        counts[verdict] += 1
        if verdict == "differs":
            kept = {key: fields[key] for key in FIELDS if key in fields}
            wrong.append(f"{name}: {json.dumps(kept)[:400]}")
    return counts, wrong


def compare(name: str, fields: dict[str, Any]) -> str:
    """Whether each layer turns by the frequencies and the factor that its own code would use."""
    try:
        theirs = CONFIG_MAPPING[name].from_dict(copy.deepcopy(fields))
        angles = own_angles(theirs)
    except Exception:
        return "transformers refuses"
    if not angles:
        return "transformers refuses"
    try:
        ours = RopeConfig.from_hf(fields)
    except ValueError:
        return "we refuse"
    if not ours.is_known:
        return "we say that it is unknown"
    kinds = getattr(theirs, "layer_types", None) or [""]
    places = {
        (ours.family.rope_keys.get(kind, kind), ours.keys[i] if ours.keys else "all"): i
        for i, kind in enumerate(kinds)
    }
    try:
        layers = [(words, ours.layer_at(place)) for words, place in places.items()]
    except (IndexError, ValueError):
        return "we leave open which layer is which"
    turning = [(words, one) for words, one in layers if isinstance(one, RopeLayer)]
    if all(any(alike(one, words, module) for module in angles) for words, one in turning):
        return "agree"
    said = ERRORS & {finding.code for finding in ours.findings}
    return "we say that transformers reads it otherwise" if said else "differs"


def alike(layer: RopeLayer, words: tuple[str, str], module: Angles) -> bool:
    """Whether the module turns these layers, by one of their words, as we do."""
    for word in (*words, ""):
        if word in module:
            table, factor = module[word]
            frequencies, ours = layer.frequencies()
            return built(frequencies, table, RAMPS) and abs(ours - factor) <= FACTOR
    return False


def own_angles(config: PreTrainedConfig) -> list[Angles]:
    """By rotary class of the model: frequencies and factor of each kind of layers it knows."""
    modules = [one for each in bases_apart(config) for one in rotary_modules(each)]
    if not modules:
        return [{"": (table, 1.0)} for table in rotary_tables(config)]
    found = [
        {
            name.removesuffix("inv_freq").rstrip("_"): (
                buffer,
                getattr(module, name.replace("inv_freq", "attention_scaling"), 1.0),
            )
            for name, buffer in module.named_buffers()
            if name.endswith("inv_freq") and "original" not in name
        }
        for module in modules
    ]
    # With angles for more channels than the head turns, the model fails when it is run.
    turned = getattr(config, "qk_rope_head_dim", None)
    tables = [table for one in found for table, _ in one.values()]
    return [] if turned and any(2 * len(table) > turned for table in tables) else found


def bases_apart(config: PreTrainedConfig) -> list[PreTrainedConfig]:
    """The configuration; for Granite's with windows, one for each of its bases."""
    if not config.model_type.endswith("_swa"):
        return [config]
    found = []
    for base in {base for base in config.layer_rope_theta if base}:
        found.append(copy.deepcopy(config))
        found[-1].rope_parameters = {**config.rope_parameters, "rope_theta": base}
    return found


def main(count: int, seed: int = 0) -> None:
    """Print the numbers."""
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    alike, wrong = compared(count, seed)
    print(f"{count} compared: {dict(alike)}")
    print("\n".join(wrong))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
