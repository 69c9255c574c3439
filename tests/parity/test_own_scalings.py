"""Families whose rotary class does more than the common one, run and compared.

Each file is given to transformers' own class, and so is what we write of it.
"""

import copy
from typing import Any

import pytest
import torch
from transformers import CONFIG_MAPPING

from advisor import RopeConfig
from advisor.extend import EXTENSIONS, extend_config
from tests.parity.released import rotary_embedding

HUNYUAN = {
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "head_dim": 128,
    "num_hidden_layers": 4,
    "max_position_embeddings": 262144,
    "rope_theta": 10000.0,
    "rope_scaling": {
        "type": "dynamic",
        "alpha": 1000.0,
        "factor": 1.0,
        "beta_fast": 32,
        "beta_slow": 1,
        "mscale": 1.0,
        "mscale_all_dim": 1.0,
    },
}
PHIMOE = {
    "model_type": "phimoe",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 4,
    "max_position_embeddings": 131072,
    "original_max_position_embeddings": 4096,
    "rope_theta": 10000.0,
    "rope_scaling": {
        "type": "longrope",
        "short_factor": [1.0 + i / 64 for i in range(64)],
        "long_factor": [1.0 + i for i in range(64)],
        "short_mscale": 1.243163121016122,
        "long_mscale": 1.3,
        "original_max_position_embeddings": 4096,
    },
}


def hunyuan(model_type: str, **scaling: Any) -> dict[str, Any]:
    given = {**HUNYUAN["rope_scaling"], **scaling}
    return {
        **HUNYUAN,
        "model_type": model_type,
        "rope_scaling": {key: value for key, value in given.items() if value is not None},
    }


def angles(source: dict[str, Any], position: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Cosines and sines of the class, in its forward pass over a text that ends there."""
    module = rotary_embedding(copy.deepcopy(source))
    cos, sin = module(torch.zeros(1, 1, 1), torch.arange(position + 1)[None])
    pairs = cos.shape[-1] // 2
    return cos[0, position, :pairs].double(), sin[0, position, :pairs].double()


def said(source: dict[str, Any], position: int) -> tuple[torch.Tensor, torch.Tensor]:
    frequencies, factor = RopeConfig.from_hf(source).layers["all"].frequencies(position + 1)
    # The class keeps its frequencies in float32.
    angle = position * frequencies.float().double()
    return angle.cos() * factor, angle.sin() * factor


@pytest.mark.parametrize("alpha", [1000.0, 2.5, None])
@pytest.mark.parametrize("model_type", ["hunyuan_v1_dense", "hunyuan_v1_moe"])
def test_hunyuans_alpha_is_one_base_for_every_length(model_type: str, alpha: float | None) -> None:
    source = hunyuan(model_type, alpha=alpha)
    for position in (1, 100, 4000):
        for ours, theirs in zip(said(source, position), angles(source, position), strict=True):
            assert torch.allclose(ours, theirs, atol=5e-4), position
    if alpha == 1000.0:
        base = RopeConfig.from_hf(source).layers["all"].base
        assert base == pytest.approx(1.1158840e7, rel=1e-6)


def test_hunyuan_vl_has_the_same_table() -> None:
    source = hunyuan("hunyuan_vl_text", mrope_section=[16, 16, 16, 16])
    config = RopeConfig.from_hf(source)
    table = rotary_embedding(source).inv_freq.double()
    assert torch.allclose(config.layers["all"].frequencies()[0], table, rtol=1e-6)


@pytest.mark.parametrize("generation", ["new", "old"])
@pytest.mark.parametrize("method", ["as it is", *EXTENSIONS])
@pytest.mark.parametrize("model_type", ["hunyuan_v1_dense", "hunyuan_v1_moe"])
def test_what_is_written_for_hunyuan_turns_as_it_was_meant(
    model_type: str, method: str, generation: Any
) -> None:
    meant = RopeConfig.from_hf(hunyuan(model_type))
    if method != "as it is":
        meant = extend_config(meant, "all", method, 4 * 262144)
    try:
        written = meant.to_hf(generation)
    except ValueError:
        pytest.skip("the older fields cannot say it")
    layer = meant.layers["all"]
    frequencies, factor = layer.frequencies()
    module = rotary_embedding(written)
    assert torch.allclose(module.inv_freq.double(), frequencies, rtol=1e-6)
    assert module.attention_scaling == pytest.approx(factor, rel=1e-6)


@pytest.mark.parametrize("position", [1, 4095, 5000])
def test_phimoe_has_a_factor_for_each_list(position: int) -> None:
    cos, sin = angles(PHIMOE, position)
    _, factor = RopeConfig.from_hf(PHIMOE).layers["all"].frequencies(position + 1)
    assert torch.sqrt(cos**2 + sin**2).mean() == pytest.approx(factor, rel=1e-5)


def test_phimoe_of_transformers_stays_with_its_short_list() -> None:
    layer = RopeConfig.from_hf(PHIMOE).layers["all"]
    short, long = layer.frequencies(4096)[0], layer.frequencies(5001)[0]
    cos, _ = angles(PHIMOE, 5000)
    assert torch.allclose(cos, (5000 * short.float().double()).cos() * 1.3, atol=1e-3)
    assert not torch.allclose(cos, (5000 * long.float().double()).cos() * 1.3, atol=1e-1)


@pytest.mark.parametrize("generation", ["new", "old"])
def test_what_is_written_for_phimoe_loads_with_its_factors(generation: Any) -> None:
    config = RopeConfig.from_hf(PHIMOE)
    written = config.to_hf(generation)
    loaded = CONFIG_MAPPING["phimoe"].from_dict(copy.deepcopy(written))
    assert loaded.rope_parameters["short_mscale"] == 1.243163121016122
    assert loaded.rope_parameters["long_mscale"] == 1.3
    assert RopeConfig.from_hf(written).layers == config.layers
