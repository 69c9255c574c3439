"""Known models: what their files say, by hand; which model a file may be of."""

from collections import Counter
from typing import Any

import pytest

from posenc import Linear, Llama3, LongRoPE, RopeConfig, Scaling, YaRN, known_models
from posenc.config.known_models import alike, of_family
from posenc.config.layers import RopeLayer
from tests.posenc.config.reader.test_file import OTHERS, READ_BELOW

LLAMA31 = Llama3(8.0, 1.0, 4.0, 8192)
GPT_OSS = YaRN(32.0, 4096, truncate=False)
BOTH = {"mscale": 1.0, "mscale_all_dim": 1.0}
DEVSTRAL = YaRN(64.0, 4096, beta_fast=4.0, mscale=1.0, mscale_all_dim=0.0)
KIMI = YaRN(32.0, 4096, beta_fast=1.0, beta_slow=1.0, **BOTH)
OLMO3 = YaRN(8.0, 8192, attention_factor=1.2079441541679836)
DEEPSEEK = YaRN(40.0, 4096, mscale=0.707, mscale_all_dim=0.707)

# Head, rotated channels, base, scaling, layout and declared length of models whose layers rotate
# alike, by hand from the copies of their files; two lists of LongRoPE are only counted.
ROTATING: dict[str, tuple[int, int, float, Scaling | type | None, str, int]] = {
    "Llama-3.1-70B": (128, 128, 5e5, LLAMA31, "half", 131072),
    "Llama-3.1-405B": (128, 128, 5e5, LLAMA31, "half", 131072),
    "TinyLlama-1.1B-Chat": (64, 64, 1e4, None, "half", 2048),
    "SmolLM2-135M": (64, 64, 1e5, None, "half", 8192),
    "Mistral-Small-3.1-24B": (128, 128, 1e9, None, "half", 131072),
    "Ministral-3-3B": (128, 128, 1e6, YaRN(16.0, 16384, **BOTH), "half", 262144),
    "Devstral-2-123B": (128, 128, 1e6, DEVSTRAL, "half", 262144),
    "Devstral-Small-2-24B": (128, 128, 1e8, YaRN(48.0, 8192, **BOTH), "half", 393216),
    "DeepSeek-V3.2": (64, 64, 1e4, YaRN(40.0, 4096, **BOTH), "interleaved", 163840),
    "GLM-5": (64, 64, 1e6, None, "interleaved", 202752),
    "GLM-4.5-Air": (128, 64, 1e6, None, "half", 131072),
    "GLM-4.6": (128, 64, 1e6, None, "half", 202752),
    "Kimi-K2": (64, 64, 5e4, KIMI, "interleaved", 131072),
    "OLMo-3-7B before its extension": (128, 128, 5e5, None, "half", 8192),
    "ERNIE-4.5-0.3B": (128, 128, 5e5, None, "interleaved", 131072),
    "Helium-1-2B": (128, 128, 1e5, None, "interleaved", 4096),
    "Falcon-H1-7B": (128, 128, 1e11, None, "half", 262144),
    "MiniMax-M2.5": (128, 64, 5e6, None, "half", 196608),
    "Seed-OSS-36B": (128, 128, 1e7, None, "half", 524288),
    "Apertus-8B": (128, 128, 1.2e7, LLAMA31, "half", 65536),
    "Yi-6B": (128, 128, 5e6, None, "half", 4096),
    "Mistral-Nemo": (128, 128, 1e6, None, "half", 128000),
    "Mixtral-8x22B": (128, 128, 1e6, None, "half", 65536),
    "Qwen3-0.6B": (128, 128, 1e6, None, "half", 40960),
    "Qwen3-4B": (128, 128, 1e6, None, "half", 40960),
    "Qwen3-14B": (128, 128, 1e6, None, "half", 40960),
    "Qwen3-32B": (128, 128, 1e6, None, "half", 40960),
    "Qwen3-30B-A3B": (128, 128, 1e6, None, "half", 40960),
    "Qwen3-235B-A22B": (128, 128, 1e6, None, "half", 40960),
    "Qwen3-Coder-480B-A35B": (128, 128, 1e7, None, "half", 262144),
    "Qwen2.5-VL-7B": (128, 128, 1e6, None, "half", 128000),
    "Qwen3-VL-4B": (128, 128, 5e6, None, "half", 262144),
    "DeepSeek-V2-Lite": (64, 64, 1e4, DEEPSEEK, "interleaved", 163840),
    "Gemma-2B": (256, 256, 1e4, None, "half", 8192),
    "gpt-oss-120b": (64, 64, 150000.0, GPT_OSS, "half", 131072),
    "StarCoder2-15B": (128, 128, 1e6, None, "half", 16384),
    "StableLM-3B-4E1T": (80, 20, 1e4, None, "half", 4096),
    "OLMo-2-7B": (128, 128, 5e5, None, "half", 4096),
    "Aya-23-8B": (128, 128, 1e4, None, "interleaved", 8192),
    "Granite-3.3-8B": (128, 128, 1e7, None, "half", 131072),
    "Phi-3.5-mini": (96, 96, 1e4, LongRoPE, "half", 131072),
    "Phi-4-mini": (128, 96, 1e4, LongRoPE, "half", 131072),
    "Pythia-6.9B": (128, 32, 1e4, None, "half", 2048),
    "Llama-2-7B": (128, 128, 1e4, None, "half", 4096),
    "Llama-3-8B": (128, 128, 5e5, None, "half", 8192),
    "Llama-3.1-8B": (128, 128, 5e5, Llama3(8.0, 1.0, 4.0, 8192), "half", 131072),
    "Llama-3.2-1B": (64, 64, 5e5, Llama3(32.0, 1.0, 4.0, 8192), "half", 131072),
    "CodeLlama-7B": (128, 128, 1e6, None, "half", 16384),
    "Mistral-7B-v0.1": (128, 128, 1e4, None, "half", 32768),
    "Mistral-7B-v0.3": (128, 128, 1e6, None, "half", 32768),
    "Mixtral-8x7B": (128, 128, 1e6, None, "half", 32768),
    "Qwen2.5-7B-Instruct": (128, 128, 1e6, None, "half", 32768),
    "Qwen2.5-7B-Instruct with YaRN": (128, 128, 1e6, YaRN(4.0, 32768), "half", 32768),
    "Qwen2.5-7B-Instruct-1M": (128, 128, 1e7, None, "half", 1010000),
    "Qwen3-8B": (128, 128, 1e6, None, "half", 40960),
    "Qwen2-VL-7B": (128, 128, 1e6, None, "half", 32768),
    "DeepSeek-V2": (64, 64, 1e4, DEEPSEEK, "interleaved", 163840),
    "DeepSeek-V3": (64, 64, 1e4, YaRN(40.0, 4096, **BOTH), "interleaved", 163840),
    "Phi-2": (80, 32, 1e4, None, "half", 2048),
    "Phi-4": (128, 128, 250000.0, None, "half", 16384),
    "Gemma-2-9B": (256, 256, 1e4, None, "half", 8192),
    "GPT-NeoX-20B": (96, 24, 1e4, None, "half", 2048),
    "GPT-J-6B": (256, 64, 1e4, None, "interleaved", 2048),
    "Falcon-7B": (64, 64, 1e4, None, "half", 2048),
    "gpt-oss-20b": (64, 64, 150000.0, YaRN(32.0, 4096, truncate=False), "half", 131072),
    "GLM-4-9B-0414": (128, 64, 1e4, None, "interleaved", 32768),
    "glm-4-9b-chat": (128, 64, 5e6, None, "interleaved", 131072),
    "Yarn-Llama-2-7b-64k": (128, 128, 1e4, YaRN(16.0, 4096), "half", 65536),
    "Yarn-Llama-2-7b-128k": (128, 128, 1e4, YaRN(32.0, 4096), "half", 131072),
    "LongChat-7b-16k": (128, 128, 1e4, Linear(8.0), "half", 16384),
}
# By layer type: base and scaling.
BY_TYPE: dict[str, dict[str, tuple[float, Scaling | None]]] = {
    "Llama-4-Maverick": {"rope": (5e5, None)},
    "Gemma-3-1B": {"sliding_attention": (1e4, None), "full_attention": (1e6, None)},
    "Gemma-3n-E4B": {"sliding_attention": (1e4, None), "full_attention": (1e6, None)},
    "MiMo-V2-Flash": {"sliding_attention": (1e4, None), "full_attention": (5e6, None)},
    "ModernBERT-base": {"sliding_attention": (1e4, None), "full_attention": (160000.0, None)},
    "OLMo-3.1-32B": {"sliding_attention": (5e5, None), "full_attention": (5e5, OLMO3)},
    "Qwen3-Next-80B-A3B": {"rope": (1e7, None)},
    "Qwen3.5-27B": {"rope": (1e7, None)},
    "Qwen3.5-397B-A17B": {"rope": (1e7, None)},
    "LFM2-1.2B": {"rope": (1e6, None)},
    "Command-R7B": {"rope": (5e4, None)},
    "Command-A-111B": {"rope": (5e4, None)},
    "EXAONE-4.0-32B": {"rope": (1e6, Llama3(16.0, 1.0, 4.0, 8192))},
    **{key: {} for key in ("Granite-4.0-H-Small", "Nemotron-3-Nano-30B-A3B", "Jamba-v0.1")},
}
# How many layers there are of each kind, counted in the files.
COUNTS: dict[str, dict[str, int]] = {
    "Llama-4-Maverick": {"rope": 36, "nope": 12},
    "Gemma-3n-E4B": {"sliding_attention": 28, "full_attention": 7},
    "MiMo-V2-Flash": {"sliding_attention": 39, "full_attention": 9},
    "ModernBERT-base": {"sliding_attention": 14, "full_attention": 8},
    "OLMo-3.1-32B": {"sliding_attention": 48, "full_attention": 16},
    "Qwen3-Next-80B-A3B": {"linear": 36, "rope": 12},
    "Qwen3.5-27B": {"linear": 48, "rope": 16},
    "Qwen3.5-397B-A17B": {"linear": 45, "rope": 15},
    "LFM2-1.2B": {"convolution": 10, "rope": 6},
    "Command-R7B": {"rope": 24, "nope": 8},
    "Command-A-111B": {"rope": 48, "nope": 16},
    "EXAONE-4.0-32B": {"rope": 48, "nope": 16},
    "Granite-4.0-H-Small": {"linear": 36, "nope": 4},
    # Mamba, experts alone, attention: M, E and * of its pattern.
    "Nemotron-3-Nano-30B-A3B": {"linear": 23, "none": 23, "nope": 6},
    "Jamba-v0.1": {"linear": 28, "nope": 4},
}
WITHOUT = {"BERT-base": "learned", "Whisper-tiny": "learned"}
# Proportional rotation of the layers that see everything, each kind with a head of its own.
GEMMA4 = "Gemma-4-26B-A4B"


def config(name: str, **fields: Any) -> RopeConfig:
    return RopeConfig.from_hf({**known_models()[name].config, **fields})


def test_every_known_model_is_written_down_by_hand() -> None:
    here = ROTATING.keys() | BY_TYPE.keys() | WITHOUT.keys() | {GEMMA4}
    elsewhere = READ_BELOW | OTHERS.keys()
    assert not here & elsewhere
    assert known_models().keys() == here | elsewhere
    assert len(known_models()) >= 60


@pytest.mark.parametrize("name", ROTATING)
def test_a_model_whose_layers_rotate_alike(name: str) -> None:
    layer = config(name).layers["all"]
    assert isinstance(layer, RopeLayer)
    head_dim, rotary_dim, base, scaling, layout, declared = ROTATING[name]
    assert (layer.head_dim, layer.rotary_dim, layer.base) == (head_dim, rotary_dim, base)
    assert (layer.layout, layer.max_length) == (layout, declared)
    if scaling is LongRoPE:
        assert isinstance(layer.scaling, LongRoPE)
        assert len(layer.scaling.long_factor) == rotary_dim // 2
        assert layer.scaling.original_length == 4096
    else:
        assert layer.scaling == scaling


@pytest.mark.parametrize("name", BY_TYPE)
def test_a_model_whose_layers_differ(name: str) -> None:
    layers = config(name).rotary
    assert {kind: (one.base, one.scaling) for kind, one in layers.items()} == BY_TYPE[name]


@pytest.mark.parametrize("name", COUNTS)
def test_the_layers_of_each_kind_are_counted(name: str) -> None:
    assert Counter(config(name).keys) == COUNTS[name]


def test_gemma_4_has_two_widths_and_two_bases() -> None:
    layers = config(GEMMA4).rotary
    local, full = layers["sliding_attention"], layers["full_attention"]
    assert (local.head_dim, local.base, local.rope_type) == (256, 1e4, "default")
    assert (full.head_dim, full.base, full.rope_type) == (512, 1e6, "proportional")
    # A quarter of the 256 pairs turns.
    assert int((full.frequencies()[0] > 0).sum()) == 64


@pytest.mark.parametrize("name", WITHOUT)
def test_a_model_that_does_not_rotate(name: str) -> None:
    assert [one.encoding for one in config(name).layers.values()] == [WITHOUT[name]]


@pytest.mark.parametrize("name", known_models())
def test_a_model_is_found_by_its_own_file(name: str) -> None:
    found = [model.name for model in alike(config(name))]
    if name == "glm-4-9b-chat":
        assert found == [name]
    assert name in found


def test_a_file_without_scaling_is_no_model_with_scaling() -> None:
    assert [one.name for one in alike(config("Llama-3-8B"))] == ["Llama-3-8B"]
    assert [one.name for one in alike(config("Llama-3.1-8B"))] == ["Llama-3.1-8B"]
    # Scaled otherwise than any of them: the model that is not scaled.
    dynamic = config("Llama-2-7B", rope_scaling={"type": "dynamic", "factor": 2.0})
    assert [one.name for one in alike(dynamic)] == ["Llama-2-7B"]


def test_another_shape_or_base_is_another_model() -> None:
    assert alike(config("Qwen3-8B", num_hidden_layers=35)) == ()
    assert alike(config("Qwen3-8B", rope_theta=2e6)) == ()
    assert alike(config("Qwen3-8B", num_key_value_heads=4)) == ()
    assert alike(config("Qwen3-8B", hidden_size=[4096], head_dim=128)) == ()


def test_models_of_a_family() -> None:
    names = {model.name for model in of_family(config("DeepSeek-V2"))}
    assert {"DeepSeek-V2", "DeepSeek-V2-Lite"} <= names
    assert "DeepSeek-V3" not in names
