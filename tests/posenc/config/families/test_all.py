"""Every family stands in one file, and is found by the file's outer type and by the text's."""

import pytest

from posenc.config.families import audio, deepseek, gemma, glm, gpt, llama, partial, qwen, vision
from posenc.config.families.all import FAMILIES, OTHER_NAMES, UNKNOWN, family_of
from posenc.config.families.not_rotary import computed, hybrids, learned, parts, relative, without


def test_no_family_stands_in_two_files() -> None:
    files = (audio, deepseek, gemma, glm, gpt, llama, partial, qwen, vision)
    files += (computed, hybrids, learned, parts, relative, without)
    assert sum(len(file.FAMILIES) for file in files) == len(FAMILIES)


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
