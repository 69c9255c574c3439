"""Weights as a checkpoint stores them, against published sizes and sums by hand."""

from typing import Any

import pytest

from advisor import RopeConfig, known_models
from advisor.memory.cards import GIB
from advisor.memory.needs import needs
from advisor.memory.stored import Stored, stored_as
from advisor.memory.weights import count_weights
from tests.kinds import known

LLAMA = known_models()["Llama-3.1-8B"].config
QWEN = known_models()["Qwen2.5-7B-Instruct"].config
AWQ = {"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True}
GPTQ = {"quant_method": "gptq", "bits": 4, "group_size": 128, "sym": True}
NF4 = {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}
LINEAR = {"targets": ["Linear"]}


def compressed(weights: dict[str, Any], *ignore: str) -> dict[str, Any]:
    return {
        "quant_method": "compressed-tensors",
        "config_groups": {"group_0": {**LINEAR, "weights": weights}},
        "ignore": list(ignore),
    }


def stored(quantization: dict[str, Any] | None, **file: Any) -> Stored:
    config = RopeConfig.from_hf({**LLAMA, "quantization_config": quantization, **file})
    return stored_as(config, 32)


# Sizes of the checkpoints' safetensors files, GB, from memory of their pages on the hub.
PUBLISHED = {
    "gpt-oss-120b": (known_models()["gpt-oss-120b"].config, 65.2),
    "gpt-oss-20b": (known_models()["gpt-oss-20b"].config, 13.8),
    # 688.6 with the layer that predicts a second token, 11.5 B weights and its own embeddings.
    "DeepSeek-V3": (known_models()["DeepSeek-V3"].config, 688.6 - 14.0),
    "Qwen2.5-7B-Instruct-AWQ": ({**QWEN, "quantization_config": AWQ}, 5.57),
    "Qwen2.5-7B-Instruct-GPTQ-Int4": ({**QWEN, "quantization_config": GPTQ}, 5.58),
    "Llama-3.1-8B": (LLAMA, 16.06),
}


@pytest.mark.parametrize(("config", "size"), PUBLISHED.values(), ids=PUBLISHED)
def test_the_size_of_a_published_checkpoint(config: dict[str, Any], size: float) -> None:
    cost = needs(RopeConfig.from_hf(config), 1000)
    assert cost.weight_bytes == pytest.approx(size * 10**9, rel=0.01)


def test_one_h100_holds_gpt_oss_120b() -> None:
    cost = needs(known("gpt-oss-120b"), 131072)
    assert cost.weight_kind == "mxfp4"
    assert {fit.card.name: fit.cards for fit in cost.cards}["H100"] == 1
    told = needs(known("gpt-oss-120b"), 131072, "bfloat16", "bfloat16")
    assert told.stored is None
    assert told.weight_bytes > 200 * GIB


def test_only_the_experts_of_gpt_oss_are_converted() -> None:
    config = known("gpt-oss-20b")
    parts, found = count_weights(config).parts, stored_as(config, 24)
    assert found.kept == {"embedding": 1, "output": 1, "router": 1, "attention": 1}
    others = sum(parts.values()) - parts["experts"]
    assert found.in_bytes(parts) == parts["experts"] * 4.25 / 8 + others * 2
    assert sum(parts.values()) == count_weights(config).total
    assert "mxfp4: 4.25 bits" in found.sentence


BITS = {
    "fp8": ({"quant_method": "fp8", "weight_block_size": [128, 128]}, "fp8", 8),
    "fbgemm": ({"quant_method": "fbgemm_fp8"}, "fp8", 8),
    "mxfp4": ({"quant_method": "mxfp4"}, "mxfp4", 4.25),
    "modelopt nvfp4": ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "nvfp4", 4.5),
    "modelopt fp8": ({"quant_method": "modelopt", "quant_algo": "FP8"}, "fp8", 8),
    "awq": (AWQ, "int4", 4 + 20 / 128),
    "gptq": (GPTQ, "int4", 4 + 20 / 128),
    "gptq in 8": ({**GPTQ, "bits": 8, "group_size": -1}, "int8", 8),
    "gptq in 3": ({**GPTQ, "bits": 3}, "int3", 3 + 19 / 128),
    "nf4": (NF4, "int4", 4.5),
    "nf4 twice": ({**NF4, "bnb_4bit_use_double_quant": True}, "int4", 4 + 1 / 8 + 1 / 512),
    "int8": ({"quant_method": "bitsandbytes", "load_in_8bit": True}, "int8", 8),
    "w4a16": (
        compressed({"num_bits": 4, "type": "int", "strategy": "group", "group_size": 32}),
        "int4",
        4.5,
    ),
    "fp8 in groups": (compressed({"num_bits": 8, "type": "float"}), "fp8", 8),
    "nvfp4 in groups": (
        compressed({"num_bits": 4, "type": "float", "group_size": 16}),
        "nvfp4",
        4.5,
    ),
    "mlx": ({"group_size": 64, "bits": 4}, "int4", 4.5),
}


@pytest.mark.parametrize(("given", "kind", "bits"), BITS.values(), ids=BITS)
def test_bits_of_each_method(given: dict[str, Any], kind: str, bits: float) -> None:
    found = stored(given)
    assert (found.kind, found.bits, found.plain, found.known) == (kind, bits, 16, True)


def test_a_method_that_is_not_known_is_said() -> None:
    found = stored({"quant_method": "aqlm", "nbits_per_codebook": 16})
    assert (found.known, found.bits) == (False, 16)
    assert found.sentence.startswith("How aqlm stores weights is not known here")
    assert not stored(compressed({})).known


@pytest.mark.parametrize("method", ["exl3", "hqq", "made_up"])
def test_an_unknown_method_leaves_the_size_of_weights_open(method: str) -> None:
    quantization = {"quant_method": method, "bits": 3.0}
    config = RopeConfig.from_hf({**LLAMA, "quantization_config": quantization})
    assert needs(config, 4096).weights_assumed
    told = RopeConfig.from_hf({**LLAMA, "quantization_config": GPTQ})
    assert not needs(told, 4096).weights_assumed


def test_without_quantization_the_type_of_the_file_counts() -> None:
    assert stored(None).kind == "bfloat16"
    assert stored(None, torch_dtype="float32").bits == 32
    assert stored(None, dtype="float16").kind == "float16"


def test_parts_that_a_file_leaves_alone() -> None:
    # The experts alone, as Kimi K2 Thinking; layers are counted where they are named.
    thinking = compressed(
        {"num_bits": 4, "type": "int", "group_size": 32},
        "lm_head",
        "re:.*self_attn.*",
        "re:.*shared_experts.*",
        r"re:.*mlp\.(gate|up|gate_up|down)_proj.*",
    )
    kept = {"embedding": 1, "output": 1, "router": 1, "attention": 1, "shared": 1, "dense": 1}
    assert stored(thinking).kept == kept
    some = {"quant_method": "fp8", "modules_to_not_convert": ["model.layers.3.mlp.down_proj"]}
    assert stored(some).kept["dense"] == 1 / 32
    routers = [f"model.layers.{i}.mlp.gate" for i in range(32)]
    found = stored({"quant_method": "fp8", "modules_to_not_convert": [*routers, "visual", 7]})
    assert found.kept == {"embedding": 1, "output": 1, "router": 1}
    assert stored({**GPTQ, "lm_head": True}).kept["output"] == 0
    assert stored({"group_size": 64, "bits": 4}).kept == {}


def test_the_text_parts_own_quantization_counts_first() -> None:
    part = {**known_models()["DeepSeek-V3"].config, "architectures": ["DeepseekV3ForCausalLM"]}
    outer = {"model_type": "kimi_k25", "text_config": part, "quantization_config": AWQ}
    assert stored_as(RopeConfig.from_hf(outer), 61).kind == "fp8"


HOSTILE: tuple[Any, ...] = (
    *([], "fp8", 5, {"quant_method": 7}, {"quant_method": "gptq", "bits": -1}),
    *({"quant_method": "gptq", "bits": "4"}, {"quant_method": "gptq", "bits": 10**400}),
    *({"quant_method": "awq", "bits": 4, "group_size": 0}, {**AWQ, "bits": True}),
    *({**AWQ, "modules_to_not_convert": "lm_head"}, {**AWQ, "ignore": ["(a+)+$" * 50] * 30000}),
    *({**AWQ, "modules_to_not_convert": ["layers." + "9" * 300]}, {**AWQ, "bits": float("inf")}),
    *(compressed([]), {"quant_method": "compressed-tensors", "config_groups": [1]}),
)


@pytest.mark.parametrize("given", HOSTILE, ids=[str(i) for i in range(len(HOSTILE))])
def test_a_hostile_object_is_counted_or_left(given: Any) -> None:
    found = stored(given)
    assert 1 <= found.bits <= 10**6 + 1
    assert found.in_bytes(count_weights(RopeConfig.from_hf(LLAMA)).parts) > 0
    assert len(found.sentence) < 400


def test_what_a_file_leaves_open_is_said() -> None:
    """Few of the known models' copies have a type; released files mostly do."""
    file = known_models()["Llama-3.1-8B"].config
    silent = needs(RopeConfig.from_hf(file), 4096)
    named = needs(RopeConfig.from_hf(file | {"torch_dtype": "bfloat16"}), 4096)
    assert silent.weights_assumed
    assert not named.weights_assumed
    assert silent.weight_bytes == named.weight_bytes
    assert not needs(RopeConfig.from_hf(file), 4096, weight_kind="int4").weights_assumed
    assert "names no type of weights" in silent.stored.sentence  # type: ignore[union-attr]


@pytest.mark.parametrize(("name", "gib"), [("DeepSeek-V3.2", 630), ("Kimi-K2", 958)])
def test_models_that_are_released_in_fp8_are_counted_in_it(name: str, gib: int) -> None:
    cost = needs(known(name), 4096)
    assert cost.weight_kind == "fp8"
    assert cost.weight_bytes == pytest.approx(gib * 2**30, rel=0.02)
