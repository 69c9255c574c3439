"""Numbers of heads that classes of transformers refuse, or fail with, against what is found."""

import json
from dataclasses import fields
from typing import Any

import pytest
import torch
from transformers import CONFIG_MAPPING, AutoModel
from transformers.initialization import no_init_weights

from advisor import RopeConfig
from advisor.families.all import FAMILIES
from advisor.findings.heads import OWN_KEYS, REFUSES_WIDTH
from advisor.memory.sizes import NAMES
from reference.sweep.class_sizes import SPECIAL, tiny

ROTARY = [name for name, one in FAMILIES.items() if one.encoding == "rope"]
CLASSES = sorted(name for name in ROTARY if name in CONFIG_MAPPING)
NOT_FIELDS = ("transformers_version", "architectures", "model_type", "time_step_limit")
FAIL = (
    *("llama", "qwen2", "qwen3", "mistral", "gemma3_text", "gpt_oss", "phi3", "cohere2", "glm4"),
    *("qwen3_next", "stablelm", "lfm2", "granite", "olmo2", "mimo_v2_flash"),
)


def file_of(name: str, heads: int, keys: int) -> dict[str, Any]:
    """The file of a tiny model with these numbers of heads, under its class's names for them."""
    file = json.loads(tiny(name).to_json_string(use_diff=False)) | SPECIAL.get(name, {})
    for field, count in (("num_attention_heads", heads), ("num_key_value_heads", keys)):
        file |= {own: count for own in (field, *NAMES[field]) if own in file}
    return {key: value for key, value in file.items() if key not in NOT_FIELDS}


def is_refused(name: str, heads: int, keys: int) -> bool:
    """Whether no model is made of the file: by its class, or by the model's own."""
    try:
        with torch.device("meta"), no_init_weights():  # no number of it is asked for
            AutoModel.from_config(CONFIG_MAPPING[name](**file_of(name, heads, keys)))
    except Exception:
        return True
    return False


def found(name: str, heads: int, keys: int) -> set[str]:
    """Findings on the heads of such a file."""
    config = RopeConfig.from_hf({"model_type": name, **file_of(name, heads, keys)})
    return {one.code for one in config.findings} & {"width_not_in_heads", "heads_not_in_groups"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_width_is_refused_by_the_classes_that_are_named() -> None:
    made = [name for name in CLASSES if not is_refused(name, 4, 2)]
    assert len(made) > 100
    refused = {name for name in made if is_refused(name, 6, 2)}
    assert refused == set(REFUSES_WIDTH.split()) & set(made)
    assert all("width_not_in_heads" in found(name, 6, 2) for name in ("llama", "gemma3_text"))


def test_a_class_without_key_value_heads_is_named() -> None:
    own_keys = set(OWN_KEYS.split())
    assert set(CLASSES) >= own_keys | set(REFUSES_WIDTH.split())
    for name in CLASSES:
        known = {one.name for one in fields(CONFIG_MAPPING[name])}
        own = FAMILIES[name].names.get("num_key_value_heads", "num_key_value_heads")
        assert own in known or name in own_keys or not has_heads(known), name


def has_heads(known: set[str]) -> bool:
    """Whether a class has heads of its own, and is not made of parts alone."""
    return bool(known & {"num_attention_heads", *NAMES["num_attention_heads"]})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*FAIL, "falcon", "jetmoe", "deepseek_v3"])
def test_key_value_heads_that_do_not_divide_fail_in_a_run(name: str) -> None:
    torch.manual_seed(0)
    kind = CONFIG_MAPPING[name]
    tokens = torch.arange(9)[None] + 1
    with torch.no_grad():
        AutoModel.from_config(tiny(name)).eval()(input_ids=tokens)
        model = AutoModel.from_config(kind(**file_of(name, 4, 3))).eval()
        if name in FAIL:
            with pytest.raises(RuntimeError, match="must match the size of tensor"):
                model(input_ids=tokens)
        else:
            model(input_ids=tokens)
    assert found(name, 4, 3) == ({"heads_not_in_groups"} if name in FAIL else set())
