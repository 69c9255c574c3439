"""Every family stands in one file, and is found by the file's outer type and by the text's."""

from importlib import import_module
from pkgutil import walk_packages

import pytest

from posenc import RopeConfig
from posenc.config import families
from posenc.config.families.all import FAMILIES, OTHER_NAMES, UNKNOWN, family_of


def test_no_family_stands_in_two_files() -> None:
    found = walk_packages(families.__path__, f"{families.__name__}.")
    files = [import_module(one.name) for one in found if not one.name.endswith(".all")]
    sizes = [len(file.FAMILIES) for file in files if hasattr(file, "FAMILIES")]
    assert sum(sizes) == len(FAMILIES)
    assert len(sizes) >= 15


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
