"""Odd files of many families: nothing is read otherwise than transformers reads it, unsaid.

Each family's plain file is changed in every way that people change files, and in pairs of ways. A
file counts as silent where transformers refuses it, or turns by other angles, and no finding is an
error or a warning.
"""

import copy
import importlib
import inspect
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers import CONFIG_MAPPING, logging

from advisor import RopeConfig
from advisor.comparing.layer import RopeLayer

SIZES = {
    "hidden_size": 1024,
    "num_attention_heads": 8,
    "num_key_value_heads": 8,
    "num_hidden_layers": 4,
    "intermediate_size": 2048,
    "vocab_size": 1000,
    "max_position_embeddings": 32768,
    "pad_token_id": 0,
}
WIDE = {"head_dim": 128}
MLA = {"qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "kv_lora_rank": 256}
FOUR = ["full_attention"] * 4
BASES: dict[str, dict[str, Any]] = {
    "llama": {},
    "qwen3": WIDE,
    "mistral": {"sliding_window": None},
    "gemma3_text": {**WIDE, "sliding_window": 512},
    "phi3": {"sliding_window": None},
    "glm4": WIDE,
    "deepseek_v3": {**MLA, "q_lora_rank": 256},
    "qwen3_next": WIDE,
    "gpt_oss": {"head_dim": 64},
    "olmo3": {"sliding_window": 4096},
    "stablelm": {"partial_rotary_factor": 0.25},
    "gpt_neox": {"rotary_pct": 0.25},
    "granite": {},
    "cohere2": {"sliding_window": 4096},
    "smollm3": {},
    "glm4_moe": WIDE,
    "minimax_m2": {**WIDE, "rotary_dim": 64},
    "phi": {"partial_rotary_factor": 0.5},
    "nemotron": {"partial_rotary_factor": 0.5},
    "lfm2": {"layer_types": ["conv", "full_attention"] * 2},
    "falcon": {"alibi": False},
    "hunyuan_v1_dense": WIDE,
    "seed_oss": WIDE,
    "exaone4": {"sliding_window": None, "layer_types": FOUR},
}
BASE = {"rope_theta": 1e6}
LENGTH = {"original_max_position_embeddings": 8192}
YARN = {"rope_type": "yarn", "factor": 4.0, **LENGTH}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
LISTS = {"short_factor": "short", "long_factor": "long"}
PLAIN = {"rope_type": "default", "rope_theta": 1e6}
LOCAL = {"rope_type": "default", "rope_theta": 1e4}


def scaled(**scaling: Any) -> dict[str, Any]:
    """A file of the older form with this scaling."""
    return {**BASE, "rope_scaling": scaling}


def new(**parameters: Any) -> dict[str, Any]:
    """A file of the newer form."""
    return {"rope_parameters": parameters}


CHANGES: dict[str, dict[str, Any]] = {
    "plain": {},
    "base": BASE,
    "base within": new(**PLAIN),
    "two bases": {"rope_theta": 5e5, **new(**PLAIN)},
    "base in the scaling": {"rope_scaling": {"rope_type": "linear", "factor": 4.0, **BASE}},
    "yarn": scaled(**YARN),
    "yarn by type": scaled(type="yarn", factor=4.0, **LENGTH),
    "two types": scaled(type="linear", **YARN),
    "yarn without length": scaled(rope_type="yarn", factor=4.0),
    "yarn, length at the top": {
        **scaled(rope_type="yarn", factor=4.0),
        "original_max_position_embeddings": 4096,
    },
    "yarn, two lengths": {**scaled(**YARN), "original_max_position_embeddings": 4096},
    "yarn, mscale": scaled(**YARN, mscale=1.0, mscale_all_dim=0.707),
    "yarn, one mscale": scaled(**YARN, mscale=0.707),
    "yarn, mscale 0": scaled(**YARN, mscale=0, mscale_all_dim=0),
    "yarn, attention": scaled(**YARN, attention_factor=1.0),
    "yarn, attention and mscale": scaled(
        **YARN, attention_factor=1.2, mscale=1.0, mscale_all_dim=1.0
    ),
    "yarn, not truncated": scaled(**YARN, truncate=False),
    "yarn, bounds swapped": scaled(**YARN, beta_fast=1, beta_slow=32),
    "yarn, bounds alike": scaled(**YARN, beta_fast=1, beta_slow=1),
    "yarn, bounds 0": scaled(**YARN, beta_fast=0, beta_slow=0),
    "yarn, bounds null": scaled(**YARN, beta_fast=None, beta_slow=None),
    "yarn 1": scaled(rope_type="yarn", factor=1.0, original_max_position_embeddings=32768),
    "yarn, whole number": {"rope_theta": 1000000, "rope_scaling": {**YARN, "factor": 4}},
    "yarn, factor as text": scaled(**{**YARN, "factor": "4.0"}),
    "yarn without factor": scaled(rope_type="yarn", **LENGTH),
    "yarn, factor null": scaled(**{**YARN, "factor": None}),
    "yarn, share": {**scaled(**YARN), "partial_rotary_factor": 0.5},
    "yarn, share within": new(**YARN, **BASE, partial_rotary_factor=0.5),
    "share": {**BASE, "partial_rotary_factor": 0.5},
    "share within": new(**PLAIN, partial_rotary_factor=0.5),
    "rotary_dim": {**BASE, "rotary_dim": 32},
    "linear": scaled(type="linear", factor=4.0),
    "linear, a list": scaled(type="linear", factor=[4.0]),
    "dynamic": scaled(type="dynamic", factor=4.0),
    "dynamic, length": scaled(rope_type="dynamic", factor=4.0, **LENGTH),
    "dynamic, alpha": {
        "rope_theta": 1e4,
        "rope_scaling": {"type": "dynamic", "factor": 1.0, "alpha": 1000.0, "mscale": 1.0},
    },
    "llama3": scaled(**LLAMA3, **LENGTH),
    "llama3 without length": scaled(**LLAMA3),
    "llama3 without bounds": scaled(rope_type="llama3", factor=8.0, **LENGTH),
    "llama3, bounds swapped": scaled(
        **{**LLAMA3, "low_freq_factor": 4.0, "high_freq_factor": 1.0}, **LENGTH
    ),
    "scaling empty": {**BASE, "rope_scaling": {}},
    "scaling default": scaled(rope_type="default"),
    "type null": scaled(rope_type=None, factor=4.0),
    "factor alone": scaled(factor=4.0),
    "both forms": {**scaled(rope_type="linear", factor=2.0), **new(**YARN, **BASE)},
    "parameters null": {**BASE, "rope_parameters": None},
    "parameters empty": {**BASE, "rope_parameters": {}},
    "yarn without base": new(**YARN),
    "proportional": scaled(rope_type="proportional", partial_rotary_factor=0.25),
    "longrope": {
        **scaled(rope_type="longrope", **LISTS),
        "original_max_position_embeddings": 4096,
    },
    "longrope, factor": scaled(
        rope_type="longrope", **LISTS, factor=8.0, original_max_position_embeddings=4096
    ),
    "su": {**scaled(type="su", **LISTS), "original_max_position_embeddings": 4096},
    "mrope": scaled(type="mrope", mrope_section=[16, 24, 24]),
    "by kinds": new(full_attention={**YARN, **BASE}, sliding_attention=LOCAL),
    "one kind": new(full_attention={**YARN, **BASE}),
    "base, a list": {"rope_theta": [1e6]},
    "base as text": {"rope_theta": "1000000"},
    "base null": {"rope_theta": None},
    "length 32768.0": {**BASE, "max_position_embeddings": 32768.0},
    "length as text": {**BASE, "max_position_embeddings": "32768"},
    "length null": {**BASE, "max_position_embeddings": None},
    "head null": {**BASE, "head_dim": None},
    "head 160": {**BASE, "head_dim": 160},
    "window left over": {**BASE, "sliding_window": 512, "use_sliding_window": False},
    "layer kinds": {**BASE, "layer_types": FOUR},
}
LENGTH_READ = 32768  # a scaling that follows the text is compared here
NEAR = 1e-4
PAIRS = 40


def file_of(family: str, *changes: str) -> dict[str, Any]:
    """A family's plain file with these changes, lists of factors as long as its pairs."""
    file = {"model_type": family, **SIZES, **BASES[family]}
    for change in changes:
        file |= copy.deepcopy(CHANGES[change])
    head = file.get("qk_rope_head_dim") or file.get("head_dim") or 128
    share = file.get("partial_rotary_factor") or file.get("rotary_pct") or 1
    for name in ("rope_scaling", "rope_parameters"):
        given = file.get(name)
        if isinstance(given, dict) and "short_factor" in given:
            pairs = range(int(head * share) // 2)
            given["short_factor"] = [1.0 + 0.01 * i for i in pairs]
            given["long_factor"] = [1.0 + 0.5 * i for i in pairs]
    return file


def rotary_of(file: dict[str, Any]) -> nn.Module:
    """The class's module that turns, after it has seen a text of `LENGTH_READ` tokens."""
    config = CONFIG_MAPPING[file["model_type"]].from_dict(copy.deepcopy(file))
    name = type(config).__module__.replace("configuration_", "modeling_")
    module = importlib.import_module(name)
    kind = next(
        one
        for word, one in vars(module).items()
        if word.endswith("RotaryEmbedding") and one.__module__ == name
    )
    made = kind(config=config)
    places = torch.tensor([[0, LENGTH_READ - 1]])
    more = inspect.signature(made.forward).parameters
    for word in getattr(config, "layer_types", None) or [None] if "layer_type" in more else [None]:
        if word in (None, *(getattr(config, "rope_parameters", None) or {})):
            made(torch.zeros(1, 2, 8), places, **({} if word is None else {"layer_type": word}))
    return made


def turned(made: nn.Module, key: str) -> tuple[Tensor, float]:
    """Its frequencies that are not 0, and its factor, for layers of this key."""
    named = [name for name, _ in made.named_buffers() if name.endswith("inv_freq")]
    own = [name for name in named if name.startswith(f"{key}_")]
    prefix = (own or named)[0].removesuffix("inv_freq").removesuffix("original_")
    table = getattr(made, f"{prefix}inv_freq").double()
    return table[table != 0], float(getattr(made, f"{prefix}attention_scaling", 1.0))


def is_alike(layer: RopeLayer, theirs: tuple[Tensor, float]) -> bool:
    ours, factor = layer.frequencies(LENGTH_READ)
    ours = ours[ours != 0]
    if ours.shape != theirs[0].shape or abs(factor - theirs[1]) > NEAR:
        return False
    return torch.allclose(ours, theirs[0], rtol=NEAR, atol=0)


def silent(file: dict[str, Any]) -> str:
    """How a file is read otherwise without a word; "" where it is not."""
    try:
        config = RopeConfig.from_hf(file)
    except ValueError:
        return ""
    if any(one.severity in ("error", "warning") for one in config.findings):
        return ""
    try:
        made = rotary_of(file)
    except Exception as error:
        return f"transformers refuses it: {type(error).__name__}: {str(error)[:80]}"
    for key, layer in config.rotary.items():
        theirs = turned(made, key)
        if not is_alike(layer, theirs):
            ours = layer.frequencies(LENGTH_READ)
            return f"{key}: {len(theirs[0])} pairs, factor {theirs[1]:.4f}, ours {ours[1]:.4f}"
    return ""


def pairs_of(family: str) -> Iterator[tuple[str, str]]:
    """Two changes at once, the same ones in every run."""
    chance = random.Random(family)
    for _ in range(PAIRS):
        first, second = chance.sample([*CHANGES], 2)
        yield first, second


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", BASES)
def test_no_odd_file_is_read_otherwise_without_a_word(family: str) -> None:
    logging.set_verbosity(logging.CRITICAL)
    changes = [(one,) for one in CHANGES] + [*pairs_of(family)]
    found = {one: told for one in changes if (told := silent(file_of(family, *one)))}
    assert found == {}


@pytest.mark.filterwarnings("ignore")
def test_a_difference_would_be_seen() -> None:
    file = file_of("llama", "yarn")
    assert silent(file) == ""
    layer = RopeConfig.from_hf(file).rotary["all"]
    assert is_alike(layer, turned(rotary_of(file), "all"))
    other = turned(rotary_of(file_of("llama", "base")), "all")
    assert not is_alike(layer, other)
    assert json.dumps(file) == json.dumps(file_of("llama", "yarn"))  # nothing wrote into it
