"""Files whose text part is called otherwise than its class: read as transformers takes them."""

import copy
from typing import Any

import pytest
import torch
from transformers import CONFIG_MAPPING

from advisor import RopeConfig, known_models
from advisor.memory.cache import cache_bytes
from tests.parity.released import rotary_embedding

KIMI = known_models()["Kimi-K2"].config
EXAONE = {
    "model_type": "exaone4_5_text",
    "hidden_size": 2048,
    "num_attention_heads": 32,
    "head_dim": 128,
    "num_key_value_heads": 8,
    "num_hidden_layers": 8,
    "rope_theta": 1e6,
    "sliding_window": 4096,
    "sliding_window_pattern": 4,
}


def of_kimi(**text: Any) -> dict[str, Any]:
    part = {**KIMI, **text}
    return {
        "model_type": "kimi_k25",
        "architectures": ["KimiK25ForConditionalGeneration"],
        "text_config": {key: value for key, value in part.items() if value is not None},
    }


FILES = {
    "kimi": of_kimi(),
    "kimi without architectures": of_kimi(architectures=None),
    "kimi without a type": of_kimi(model_type=None),
    "exaone": {"model_type": "exaone4_5", "text_config": EXAONE},
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("source", FILES.values(), ids=FILES)
def test_a_part_of_another_name_is_read_as_its_class(source: dict[str, Any]) -> None:
    config = RopeConfig.from_hf(source)
    assert config.is_known
    kind = CONFIG_MAPPING[source["model_type"]]
    text = kind.from_dict(copy.deepcopy(source)).get_text_config()
    named = {"kimi_k25": "deepseek_v3", "exaone4_5": "exaone4"}[source["model_type"]]
    assert text.model_type == named
    alone = {**copy.deepcopy(source["text_config"]), "model_type": named}
    table = rotary_embedding(alone).inv_freq.double()
    (layer,) = config.rotary.values()
    assert torch.allclose(layer.frequencies()[0], table, rtol=1e-6)
    assert layer == next(iter(RopeConfig.from_hf(alone).rotary.values()))
    assert cache_bytes(config, 10000) == cache_bytes(RopeConfig.from_hf(alone), 10000)
    assert not [one for one in config.findings if one.severity == "error"]


def test_a_part_that_nobody_knows_is_told_by_its_own_class() -> None:
    source = {
        "model_type": "someone_new_vl",
        "architectures": ["SomeoneForConditionalGeneration"],
        "text_config": {**KIMI, "model_type": "someone_new"},
    }
    config = RopeConfig.from_hf(source)
    assert config.is_known
    assert config.identified_by == "architectures"
    assert cache_bytes(config, 1000) == 61 * (512 + 64) * 2 * 1000
    del source["text_config"]["architectures"]
    assert not RopeConfig.from_hf(source).is_known
