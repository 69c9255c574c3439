"""Families that transformers 5.23 has no class for, and other words for those it has.

The code of these families comes with the weights; beside each stands where it was read.
"""

from collections.abc import Mapping
from typing import Any

from advisor.families.family import Family, called, shape

OTHER_NAMES = {
    "mt5": "t5",  # its own class, built as T5's
    "RefinedWebModel": "falcon",  # Falcon's files before transformers had it, 7B
    "RefinedWeb": "falcon",  # the same, 40B
    "mimo": "qwen2",  # Xiaomi's code beside the weights of MiMo-7B: Qwen2's, and layers that draft
    "kimi_k2": "deepseek_v3",  # Kimi's code beside the weights, which is DeepSeek's
}
"""Words of files for a family that stands under another one."""


def _lightning(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """MiniMax says 1 for a layer that attends, 0 for one that carries a state."""
    kinds = values.get("attn_type_list")
    if values.get("layer_types") is not None or not isinstance(kinds, list):
        return values
    words = {0: "linear_attention", 1: "full_attention"}
    return {**values, "layer_types": [words.get(k) if isinstance(k, int) else k for k in kinds]}


FAMILIES: dict[str, Family] = {
    # modeling_minicpm.py beside the weights. Its first files name no base: 10000 of their class is
    # what they were trained with.
    "minicpm": Family(defaults=shape(4096, 32, 32, 2048), names_base=False),
    # mlx-lm and SGLang.
    "internlm2": Family(defaults=shape(4096, 32, 32, 2048)),
    # mlx-lm and SGLang.
    "exaone": Family(defaults=shape(2048, 32, 32, 2048), names={"num_hidden_layers": "num_layers"}),
    # vLLM and llama.cpp.
    "bailing_moe": Family(defaults=shape(4096, 32, 32, 16384)),
    # vLLM and llama.cpp.
    "bailing_moe_v2": Family(defaults=shape(4096, 32, 32, 16384, partial_rotary_factor=0.5)),
    # vLLM.
    **dict.fromkeys(
        ("minimax_text_01", "minimax_m1"),
        Family(normal=_lightning, defaults=shape(4096, 32, 32, 131072, rope_theta=1e6)),
    ),
    # vLLM and llama.cpp.
    "chatglm": Family(
        "interleaved",
        defaults={"partial_rotary_factor": 0.5, "rope_theta": 10000.0},
        names=called(
            layers="num_layers",
            length="seq_length",
            head_dim="kv_channels",
            num_key_value_heads="multi_query_group_num",
            intermediate_size="ffn_hidden_size",
            vocab_size="padded_vocab_size",
        ),
    ),
}
