"""Lengths and windows that a class makes of other fields of a file, against what is read of it.

Every field of a class that is a flag, a number or nothing is changed in turn, whatever its name is.
"""

import contextlib
import dataclasses
from collections.abc import Iterable
from typing import Any

import pytest
import torch
from transformers import CONFIG_MAPPING, AutoModel

from advisor import RopeConfig
from advisor.families.classes import SAID, TURNED, made, numbers_of
from reference.sweep.fields import types

GIVEN = 6144
"""A length or window that no class has as its own."""
FEW = ("zamba2", "gemma3_text", "qwen2", "qwen2_moe", "qwen3_moe", "modernbert-decoder")
TURNING = {
    ("zamba2", "use_long_context"),
    ("gemma3_text", "use_bidirectional_attention"),
    ("qwen2", "use_sliding_window"),
    ("qwen2_moe", "use_sliding_window"),
    ("qwen3_moe", "use_sliding_window"),
    ("modernbert-decoder", "local_attention"),
}


def numbers(model_type: str, file: dict[str, Any]) -> dict[str, int] | None:
    """The class's lengths and windows; None where it refuses the file."""
    try:
        config = made(model_type, file).get_text_config()
    except Exception:  # not a file of this class
        return None
    return numbers_of(config)


def read(file: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The same numbers as read here, under the class's own names too."""
    text, own = RopeConfig.from_hf(file).text, CONFIG_MAPPING[file["model_type"]].attribute_map
    return {name: text.get(name) or text.get(own.get(name, name)) for name in names}


def changed(theirs: dict[str, int], usual: dict[str, int]) -> dict[str, int]:
    """Those that are others than the class's usual ones."""
    return {name: one for name, one in theirs.items() if one != usual.get(name)}


def changes(value: Any) -> tuple[Any, ...]:
    """Other values of a field."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int | float):
        return (2 * value,)
    return () if value is not None else (True, 3)


def turning(model_type: str) -> set[str]:
    """Fields of a class that change a length or window; each is read as the class has it."""
    said = {"model_type": model_type, **SAID.get(model_type, {})}
    usual = numbers(model_type, said)
    found = set()
    for field in dataclasses.fields(CONFIG_MAPPING[model_type]) if usual is not None else ():
        for value in changes(field.default) if field.name not in TURNED else ():
            file = said | {field.name: value}
            theirs = numbers(model_type, file)
            if not theirs or theirs == usual:
                continue
            found.add(field.name)
            for one in (file, file | dict.fromkeys(changed(theirs, usual), GIVEN)):
                expected = changed(numbers(model_type, one) or {}, usual)
                assert read(one, expected) == expected, one
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FEW)
def test_a_length_that_another_field_turns_is_the_classs(name: str) -> None:
    assert {(name, field) for field in turning(name)} == {one for one in TURNING if one[0] == name}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in types() if name not in FEW])
def test_every_class_is_read_as_it_turns_them(name: str) -> None:
    turning(name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["gpt_oss", "gemma2", "gemma3_text", "olmo3", "cohere2", "qwen3"])
def test_a_window_without_a_width_stops_the_first_pass(name: str) -> None:
    sizes = {"hidden_size": 32, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8}
    sizes |= {"num_hidden_layers": 2, "intermediate_size": 32, "vocab_size": 64}
    kinds = ["sliding_attention", "full_attention"]
    tokens = torch.ones(1, 6, dtype=torch.long)
    for width, stops in ((4, False), (None, True)):
        file = {**sizes, "layer_types": kinds, "sliding_window": width, "pad_token_id": None}
        file |= {"use_sliding_window": True}
        model = AutoModel.from_config(made(name, file)).eval()
        with pytest.raises(TypeError) if stops else contextlib.nullcontext():
            model(input_ids=tokens)
        found = {one.code for one in RopeConfig.from_hf({"model_type": name, **file}).findings}
        assert ("window_without_width" in found) == stops
