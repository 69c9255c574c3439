"""Every family stands in one file, and is found by the file's outer type and by the text's."""

import math
from importlib import import_module
from pkgutil import walk_packages

import pytest

from posenc import RopeConfig, known_models
from posenc.config import families
from posenc.config.families.all import FAMILIES, OTHER_NAMES, UNKNOWN, family_of


def test_no_family_stands_in_two_files() -> None:
    found = walk_packages(families.__path__, f"{families.__name__}.")
    files = [import_module(one.name) for one in found if not one.name.endswith(".all")]
    sizes = [len(file.FAMILIES) for file in files if hasattr(file, "FAMILIES")]
    assert sum(sizes) == len(FAMILIES)
    assert len(sizes) >= 12


@pytest.mark.parametrize(
    ("word", "family"),
    [
        ("gemma3", "gemma3_text"),
        ("gemma3_text", "gemma3_text"),
        ("qwen2_vl", "qwen2_vl_text"),
        *OTHER_NAMES.items(),
    ],
)
def test_a_model_type_has_its_family(word: str, family: str) -> None:
    assert family_of(word) is FAMILIES[family]


@pytest.mark.parametrize("word", [None, "", "no such model"])
def test_others_are_unknown(word: str | None) -> None:
    assert family_of(word) is UNKNOWN


def test_deepseek_sharpens_the_softmax_under_every_scaling() -> None:
    # yarn_apply_mscale: (0.1 · 1.0 · ln 8 + 1)² / sqrt(128 + 64), whatever the rope_type.
    scaling = {"rope_type": "linear", "factor": 8.0, "mscale_all_dim": 1.0}
    config = RopeConfig.from_hf({"model_type": "deepseek_v3", "rope_scaling": scaling})
    layer = config.rotary["all"]
    assert layer.softmax_scale == pytest.approx(1.2079441542**2 / 192**0.5, rel=1e-9)
    assert RopeConfig.from_hf(config.to_hf()).rotary == config.rotary
    unscaled = {"model_type": "deepseek_v3", "rope_parameters": {"mscale_all_dim": 1.0}}
    assert RopeConfig.from_hf(unscaled).rotary["all"].softmax_multiplier == 1
    llama = {"model_type": "llama", "rope_scaling": scaling}
    assert RopeConfig.from_hf(llama).rotary["all"].softmax_multiplier == 1


LING = {"hidden_size": 2048, "num_attention_heads": 16, "head_dim": 128, "rope_theta": 600000.0}
MINIMAX = {
    "hidden_size": 6144,
    "num_attention_heads": 64,
    "head_dim": 128,
    "rotary_dim": 64,
    "rope_theta": 1e7,
    "attn_type_list": ([0] * 7 + [1]) * 10,
    "num_hidden_layers": 80,
}


def test_families_whose_code_comes_with_their_weights() -> None:
    minicpm = {**LING, "model_type": "minicpm", "num_hidden_layers": 4}
    layer = RopeConfig.from_hf(minicpm).rotary["all"]
    assert (layer.rotary_dim, layer.layout, layer.base) == (128, "half", 600000.0)
    for kind, turned in (("bailing_moe", 128), ("bailing_moe_v2", 64)):
        assert RopeConfig.from_hf({**LING, "model_type": kind}).rotary["all"].rotary_dim == turned
    half = {**LING, "model_type": "bailing_moe", "partial_rotary_factor": 0.5}
    assert RopeConfig.from_hf(half).rotary["all"].rotary_dim == 64
    for kind in ("minimax_m1", "minimax_text_01"):
        config = RopeConfig.from_hf({**MINIMAX, "model_type": kind})
        assert config.is_known
        assert config.keys.count("linear") == 70
        assert config.rope_layers.count(True) == 10
        (layer,) = config.rotary.values()
        assert (layer.rotary_dim, layer.head_dim, layer.base) == (64, 128, 1e7)


def test_minicpm_4_divides_as_its_own_code() -> None:
    # Read in MiniCPMLongRoPE: the factor is that of the lengths, the list that of the text.
    scaling = {"rope_type": "longrope", "short_factor": [1.0] * 64, "long_factor": [2.0] * 64}
    file = {**LING, "model_type": "minicpm", "max_position_embeddings": 131072}
    scaling["original_max_position_embeddings"] = 32768
    layer = RopeConfig.from_hf({**file, "rope_scaling": scaling}).rotary["all"]
    frequencies, factor = layer.frequencies(40000)
    assert factor == pytest.approx((1 + math.log(4) / math.log(32768)) ** 0.5)
    assert frequencies[0] == 0.5


def test_kimi_k2_is_known_by_its_own_type() -> None:
    """It was read as DeepSeek-V3 by its architectures alone, and said not to be known."""
    file = {**known_models()["Kimi-K2"].config, "architectures": None}
    config = RopeConfig.from_hf(file)
    assert config.is_known
    assert config.identified_by == "model_type"
    assert config.rotary == RopeConfig.from_hf(known_models()["Kimi-K2"].config).rotary
