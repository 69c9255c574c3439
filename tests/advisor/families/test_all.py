"""Every family stands in one file, and is found by the file's outer type and by the text's."""

import math
from importlib import import_module
from pkgutil import walk_packages

import pytest

from advisor import RopeConfig, families
from advisor.families.all import FAMILIES, UNKNOWN, family_of, name_of
from advisor.families.without_class import OTHER_NAMES


def test_no_family_stands_in_two_files() -> None:
    found = walk_packages(families.__path__, f"{families.__name__}.")
    files = [import_module(one.name) for one in found if not one.name.endswith(".all")]
    sizes = [len(file.FAMILIES) for file in files if hasattr(file, "FAMILIES")]
    assert sum(sizes) == len(FAMILIES)
    assert len(sizes) >= 10


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
    assert family_of(word) is family_of(family)
    assert name_of(word) == family


@pytest.mark.parametrize("word", [None, "", "no such model"])
def test_others_are_unknown(word: str | None) -> None:
    assert family_of(word) is UNKNOWN


LING = {"hidden_size": 2048, "num_attention_heads": 16, "head_dim": 128, "rope_theta": 600000.0}


def test_minicpm_4_divides_as_its_own_code() -> None:
    # Read in MiniCPMLongRoPE: the factor is that of the lengths, the list that of the text.
    scaling = {"rope_type": "longrope", "short_factor": [1.0] * 64, "long_factor": [2.0] * 64}
    file = {**LING, "model_type": "minicpm", "max_position_embeddings": 131072}
    scaling["original_max_position_embeddings"] = 32768
    layer = RopeConfig.from_hf({**file, "rope_scaling": scaling}).rotary["all"]
    frequencies, factor = layer.frequencies(40000)
    assert factor == pytest.approx((1 + math.log(4) / math.log(32768)) ** 0.5)
    assert frequencies[0] == 0.5
