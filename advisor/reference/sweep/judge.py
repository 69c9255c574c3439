"""One class of transformers against our reading of what it would write into a config.json."""

import contextlib
import copy
import inspect
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedConfig, PreTrainedModel
from transformers.initialization import no_init_weights

from advisor import RopeConfig
from advisor.comparing.layer import RopeLayer
from advisor.families import audio
from advisor.families.classes import default
from advisor.layers import AxialLayer, OtherLayer
from reference.sweep.classes import (
    model_classes,
    modeling,
    module_classes,
    plain,
)
from reference.sweep.probe import POSITIONS, SEEN, LayerRun, is_rotary, run
from reference.sweep.tiny import shrunk
from reference.sweep.towers import apart
from reference.sweep.turning import Turning, measured

BUILT = 1e-6  # the model's own table, a float32 power: ln(base) · 2⁻²⁴ and a few roundings
RUN = 3e-6  # what a unit vector shows of it: sines and cosines are float32 as well
TURNED = 2e-5  # vectors of size 1, turned in float32 by angles of up to 40
# They hear sound or turn in a way of their own: their rotary class and function are run alone.
ALONE = {name for name, family in audio.FAMILIES.items() if family.encoding == "rope"}
ALONE |= {"roformer"}
# No network is made from these alone; their code was read.
READ = {
    "gemma4_unified_audio": "read, not made: a projection of each frame",
    "gemma4_unified_vision": "read, not made: a learned table for rows and one for columns",
    "idefics_perciever": "read, not made: latents that query",
    "sapiens2_head": "read, not made: convolutions",
}
LARGEST = 12 * 10**7  # parameters of a model that is run
# Where the attention is told 1 and no field says so, queries and keys were scaled before.
SCALED_BEFORE = 1.0
# Fields that say how the model turns: with another one the default is no measure.
TOLD = {"head_dim", "rope_parameters", "layer_types"}
SECTIONS = {
    "rope_type": "default",
    "rope_theta": 10000.0,
    "partial_rotary_factor": 0.5,
    "mrope_section": [8, 12, 12],
}
# What a class needs besides to be made tiny and run.
MORE: dict[str, dict[str, Any]] = {
    "esm": {"vocab_size": 33, "pad_token_id": 1},
    "chameleon": {"vocabulary_map": {"<image>": 1, "<racm3:break>": 1, "<eoss>": 1}},
    "dots1": {"n_routed_experts": 4, "n_shared_experts": 1, "num_experts_per_tok": 2},
    "deepseek_v2": {"num_experts_per_tok": 2, "topk_method": "greedy"},
    "deepseek_ocr2_text": {"mlp_layer_types": ["dense"] * 12, "num_experts_per_tok": 2},
    "hunyuan_v1_dense": {"head_dim": 128},
    "hunyuan_v1_moe": {"head_dim": 128},
    "hunyuan_vl_text": {"head_dim": 128},
    "ministral": {"head_dim": 128},
    "nemotron": {"num_key_value_heads": 2, "head_dim": 128},
    "step3p5": {"sliding_window": 512},
    "qwen3_omni_moe_talker_text": {"shared_expert_intermediate_size": 16},
    "glm4v_text": {"rope_parameters": SECTIONS},
    "glm_image_text": {"rope_parameters": SECTIONS},
    "gemma3n_text": {"num_kv_shared_layers": 0, "num_hidden_layers": 10},
    "ernie4_5_vl_moe_text": {"moe_intermediate_size": [16, 16]},
    "moonshine": {
        **dict.fromkeys(("encoder_num_attention_heads", "decoder_num_attention_heads"), 4),
        **dict.fromkeys(("encoder_num_key_value_heads", "decoder_num_key_value_heads"), 4),
    },
    "minimax_m3_vl_text": {"intermediate_size": 32, "dense_intermediate_size": 32},
    "laguna": {"num_attention_heads_per_layer": [4] * 12},
    "bamba": {"mamba_n_heads": 8, "mamba_d_head": 128},
    "granitemoehybrid": {"mamba_n_heads": 8, "mamba_d_head": 128, "num_local_experts": 4},
}


@dataclass
class Truth:
    """Tables, layers and turnings as transformers builds and runs them."""

    tables: list[Tensor] = field(default_factory=list)
    layers: dict[int, LayerRun] = field(default_factory=dict)
    turnings: dict[int, Turning | None] = field(default_factory=dict)
    length: int = SEEN


def ran(config: PreTrainedConfig) -> Truth:
    """A model of this configuration, made and run once."""
    config._attn_implementation = "eager"
    config._experts_implementation = "eager"
    torch.manual_seed(0)
    refused: Exception | None = None
    ids = torch.ones(1, SEEN, dtype=torch.long)
    names = {"input_ids": ids}
    if getattr(config, "is_encoder_decoder", False):
        names["decoder_input_ids"] = ids
    for kind in model_classes(config):
        try:
            check_size(kind, config)
            model = kind(config).eval()
            layers = run(model, names)
            break
        except Exception as error:
            refused = refused or error
    else:
        raise RuntimeError(f"no model can be made: {refused}")
    tables = tables_of(model)
    turnings = {}
    for index, layer in layers.items():
        found = [turn for call in layer.applied[:1] if (turn := measured(call)) is not None]
        turnings[index] = found[0] if found else None
    return Truth(tables, layers, turnings, int(POSITIONS.max()) + 1)


def check_size(kind: type[PreTrainedModel], config: PreTrainedConfig) -> None:
    """Refuse a model that was not made tiny."""
    with torch.device("meta"), no_init_weights():
        size = sum(one.numel() for one in kind(copy.deepcopy(config)).parameters())
    if size > LARGEST:
        raise RuntimeError(f"the model has {size:,} parameters")


def tables_of(model: nn.Module) -> list[Tensor]:
    """Every table of frequencies in the model."""
    tables = []
    for module in model.modules():
        if is_rotary(module):
            named = [b for n, b in module.named_buffers() if n.endswith("inv_freq")]
            tables += [one.detach().clone() for one in named]
    return tables


def differences(config: RopeConfig, truth: Truth, layers: int) -> list[str]:
    """How our reading differs from what the model did; [] where it does not."""
    found: list[str] = []
    for index in range(layers):
        ours, seen = config.layer_at(index), truth.layers.get(index, LayerRun())
        for difference in layer_differences(ours, seen, truth.turnings.get(index), truth):
            found.append(f"layer {index}: {difference}")
    return found


def layer_differences(
    ours: Any, seen: LayerRun, turning: Turning | None, truth: Truth
) -> list[str]:
    """How one layer differs."""
    if isinstance(ours, OtherLayer):
        if turning is not None:
            return [f"turns, and we read {ours.encoding}"]
        if seen.attends != (ours.encoding in ("nope", "alibi", "learned", "t5")):
            return [f"attends: {seen.attends}, and we read {ours.encoding}"]
        return []
    if not isinstance(ours, RopeLayer):
        return ["we read nothing"]
    if turning is None:
        return [f"does not turn (attends: {seen.attends}), and we read rope"]
    found = []
    if turning.layout not in (ours.layout, "either"):
        found.append(f"layout {turning.layout}, ours {ours.layout}")
    frequencies, factor = ours.frequencies(truth.length)
    turning_pairs = frequencies[frequencies > 0]
    if len(turning_pairs) != len(turning.frequencies):
        found.append(f"{turning.rotated} channels turn, ours {2 * len(turning_pairs)}")
    elif (apart := relative(turning_pairs, turning.frequencies)) > RUN:
        found.append(f"frequencies {apart:.1e} apart")
    if abs(factor - turning.factor) > 1e-6:
        found.append(f"factor {turning.factor}, ours {factor}")
    if not any(built(frequencies, table) for table in truth.tables):
        found.append("no table of the model is ours")
    is_before = seen.scale == SCALED_BEFORE and ours.own_scale is None
    if seen.scale is not None and not is_before and abs(ours.softmax_scale / seen.scale - 1) > 1e-6:
        found.append(f"softmax scale {seen.scale}, ours {ours.softmax_scale}")
    return found


def relative(ours: Tensor, theirs: Tensor) -> float:
    """Largest difference, as a share."""
    return float(((ours - theirs) / theirs).abs().max())


def built(ours: Tensor, table: Tensor, bound: float = BUILT) -> bool:
    """Whether a table of the model holds these frequencies."""
    # Some keep them in the order of the axes.
    table, ours = table.to(torch.float64).flatten().sort()[0], ours.sort()[0]
    if len(table) != len(ours):
        return False
    return bool(torch.where(table == 0, ours.abs(), (ours - table).abs() / table).max() <= bound)


def summary(config: RopeConfig) -> str:
    """Our reading in one line: whatever changes a verdict changes it."""
    words = [] if config.is_known else ["unknown family"]
    for key, layer in sorted(config.layers.items()):
        count = config.keys.count(key) or len(config.keys)
        if isinstance(layer, RopeLayer):
            told = f"{layer.rotary_dim} of {layer.head_dim + layer.nope_dim} {layer.layout}"
            told += f", base {layer.base:g}, {layer.rope_type}, scale {layer.softmax_scale:.6g}"
        else:
            told = layer.encoding
        words.append(f"{key} × {count}: {told}")
    return "; ".join(words)


def verdict(model_type: str) -> dict[str, Any]:
    """One class, judged: verdict, our reading, whether a model was run, and why."""
    try:
        config = default(model_type)
    except Exception as error:
        return {"verdict": "unknown", "ran": False, "reason": f"has no default: {first(error)}"}
    try:
        ours = RopeConfig.from_hf(plain(config))
    except ValueError as error:
        return {"verdict": "raises", "ran": False, "reason": first(error)}
    row = {"read": summary(ours)}
    if not ours.is_known:
        reason = ours.family.reason or "no family here"
        return {"verdict": "unknown", **row, "ran": False, "reason": reason}
    if not ours.rotary:
        return {**row, **still(ours, model_type)}
    if ours.model_type in ALONE:
        return {**row, **tower(ours.layers["all"], part_read(ours, model_type), "exact")}
    part = part_read(ours, model_type)
    try:
        small, found = judged(part)
    except Exception as error:
        return {**row, **by_tables(ours, part), "reason": f"not run: {first(error)}"}
    is_as_default = not MORE.get(part.model_type, {}).keys() & TOLD
    if not found and is_as_default and not same(ours, RopeConfig.from_hf(plain(small))):
        found = ["the class's own default is read otherwise than the tiny one"]
    if found:
        return {"verdict": "differs", **row, "ran": True, "reason": "; ".join(found[:3])}
    return {"verdict": "exact", **row, "ran": True, "reason": ""}


def by_tables(ours: RopeConfig, part: PreTrainedConfig) -> dict[str, Any]:
    """A class whose model cannot be run alone: the tables of its rotary classes are ours."""
    tables = rotary_tables(part)
    layers = [layer.frequencies()[0] for layer in ours.rotary.values()]
    if all(any(built(one, table) for table in tables) for one in layers):
        return {"verdict": "exact", "ran": False}
    return {"verdict": "unknown", "ran": False}


def rotary_tables(config: PreTrainedConfig) -> list[Tensor]:
    """The tables of frequencies of a configuration's own rotary classes."""
    module = modeling(config)
    tables = [table for one in rotary_modules(config) for table in tables_of(one)]
    if hasattr(module, "create_sinusoidal_positions") and hasattr(config, "rotary_dim"):
        # GPT-J turns by a table: the row of position 1 holds the sines, then the cosines.
        sines, cosines = module.create_sinusoidal_positions(2, config.rotary_dim)[1].chunk(2)
        tables.append(torch.atan2(sines, cosines))
    return tables


def rotary_modules(config: PreTrainedConfig) -> list[nn.Module]:
    """The rotary modules of a configuration's model."""
    module, found = modeling(config), []
    if module is None:  # it shares the code of another one
        module = inspect.getmodule(next(model_classes(config)))
    for name, kind in inspect.getmembers(module, inspect.isclass):
        is_tower = "Vision" in name and "Text" not in name
        if "Rotary" in name and not is_tower and kind.__module__ == module.__name__:
            with contextlib.suppress(Exception):
                found.append(kind(copy.deepcopy(config)))
    return found


def still(ours: RopeConfig, model_type: str) -> dict[str, Any]:
    """A class of which we read that it does not turn: its model holds no table of frequencies.

    What it holds instead is looked for in tests/parity/test_not_rotary.py, and image towers are
    turned in tests/parity/test_towers.py.
    """
    config = part_read(ours, model_type)
    for layer in ours.layers.values():
        if isinstance(layer, AxialLayer):
            return tower(layer, config, "by axes")
    source = inspect.getsource(modeling(config)) if modeling(config) else ""
    if "inv_freq" not in source:
        return {"verdict": "not rotary", "ran": False, "reason": ""}
    values = {**plain(config), **MORE.get(config.model_type, {})}
    try:
        with torch.device("meta"):
            model = next(chain(model_classes(config), module_classes(config)))(
                type(config).from_dict(values)
            )
    except Exception as error:
        if ours.model_type in READ:
            return {"verdict": "not rotary", "ran": False, "reason": READ[ours.model_type]}
        return {"verdict": "unknown", "ran": False, "reason": f"not made: {first(error)}"}
    if tables_of(model):
        return {"verdict": "differs", "ran": False, "reason": "the model holds frequencies"}
    return {"verdict": "not rotary", "ran": False, "reason": ""}


def part_read(ours: RopeConfig, model_type: str) -> PreTrainedConfig:
    """The configuration of the part that we read."""
    config = default(model_type)
    for name in ours.path:
        part = getattr(config, name, None)
        config = part if isinstance(part, PreTrainedConfig) else config
    return config


def tower(layer: AxialLayer | RopeLayer, config: PreTrainedConfig, word: str) -> dict[str, Any]:
    """A tower for images or sound: vectors turned by its own function and by our reading."""
    far = apart(layer, config)
    if far > TURNED:
        return {"verdict": "differs", "ran": True, "reason": f"vectors are {far:.1e} apart"}
    return {"verdict": word, "ran": True, "reason": ""}


KEPT: dict[str, tuple[PreTrainedConfig, list[str]]] = {}


def judged(part: PreTrainedConfig) -> tuple[PreTrainedConfig, list[str]]:
    """A tiny model of this configuration, and how our reading of it differs; kept by its fields."""
    key = part.to_json_string(use_diff=False)
    if key not in KEPT:
        small = shrunk(part, MORE.get(part.model_type, {}))
        truth = ran(small)
        read = RopeConfig.from_hf(plain(small))
        KEPT[key] = small, differences(read, truth, small.num_hidden_layers)
    return KEPT[key]


def same(one: RopeConfig, other: RopeConfig) -> bool:
    """Whether the same kinds of layers turn in the same way."""
    if one.rotary.keys() != other.rotary.keys():
        return False
    pairs = [(layer, other.rotary[key]) for key, layer in one.rotary.items()]
    return all(
        a.layout == b.layout
        and a.scaling == b.scaling
        and a.base == b.base
        and a.rotary_dim == b.rotary_dim
        and a.softmax_scale == b.softmax_scale
        for a, b in pairs
    )


def first(error: Exception) -> str:
    """The first line of what went wrong."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:160]
