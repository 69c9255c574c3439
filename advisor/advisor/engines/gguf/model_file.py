"""Fields of a GGUF file that was converted from a config.json, and their names."""

from advisor.data import Config
from advisor.engines.overrides import other_lengths
from advisor.inputs.gguf_fields import MODEL_TYPES

SHARED = {
    **dict.fromkeys(("llama", "mistral", "mixtral", "internlm3", "iquestcoder"), "llama"),
    **dict.fromkeys(("deepseek_v2", "deepseek_v3", "kimi_k2", "glm4_moe_lite"), "deepseek2"),
    **dict.fromkeys(("qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text"), "qwen2vl"),
    "deepseek_v32": "deepseek32",
    "bailing_moe": "bailingmoe",
    "bailing_moe_v2": "bailingmoe2",
    "bamba": "granitehybrid",
    "cohere2_moe": "cohere2moe",
    "deepseek_v4": "deepseek4",
    "gemma3_text": "gemma3",
    "glm": "chatglm",
    "granitemoeshared": "granitemoe",
    "mimo_v2_flash": "mimo2",
    "minimax_m1": "minimax-01",
    "minimax_text_01": "minimax-01",
    "olmo3": "olmo2",
    "qwen3_5_text": "qwen35",
    "qwen3_5_moe_text": "qwen35moe",
    "qwen3_vl_text": "qwen3vl",
    "qwen3_vl_moe_text": "qwen3vlmoe",
    "solar_open": "glm4moe",
}
"""Families whose files have the architecture of another, or a name that no reading needs."""
SAME = (
    *("afmoe", "apertus", "arcee", "bitnet", "bloom", "chatglm", "cohere2", "dbrx", "dots1"),
    *("ernie4_5", "eurobert", "gpt2", "hrm_text", "hy_v3", "hy_v4", "jais2", "jamba"),
    *("exaone4", "falcon", "gemma", "gemma2", "glm4", "granite", "granitemoe", "laguna", "lfm2"),
    *("exaone", "internlm2", "mellum", "minicpm", "minicpm3", "mpt", "nemotron", "olmo", "olmo2"),
    *("olmoe", "phi3", "qwen2", "t5"),
    *("qwen3", "seed_oss", "smollm3", "stablelm", "starcoder2"),
)
"""Families whose files have the family's own name."""


def architecture(config: Config) -> str | None:
    """general.architecture of the model's file; None where it is not known.

    Source: llama.cpp 0c1e57098, the model_arch of each class in conversion/.
    """
    model_type = config.model_type or ""
    fields = config.text.values
    if config.source.get("model_type") == "mistral3":  # the text model alone would be a llama
        return "mistral3"
    if model_type == "nemotron_h":
        return "nemotron_h_moe" if "num_experts_per_tok" in fields else "nemotron_h"
    kinds = fields.get("layer_types") or ["mamba"]
    if model_type == "granitemoehybrid" and all(
        one in ("attention", "full_attention") for one in kinds
    ):
        return "granitemoe" if fields.get("num_experts_per_tok") else "granite"
    if fields.get("architectures") == ["T5EncoderModel"]:
        return "t5encoder"
    named = {value: key for key, value in reversed(MODEL_TYPES.items())}
    same = {name: name for name in SAME}
    return (named | same | SHARED).get(model_type)


def capped(before: Config, length: int | None) -> bool:
    """Whether a length is more than the file's context_length, which some servers never exceed."""
    written = context_length(before)
    return written is not None and (length or 0) > written


def context_length(config: Config) -> int | None:
    """Tokens that the conversion writes: the declared length, whatever the scaling.

    For Falcon 2,048 (conversion/falcon.py), for Command-R model_max_length where the file has it
    (conversion/command_r.py).
    """
    if config.model_type == "falcon":
        return 2048
    if config.model_type == "cohere" and "model_max_length" in other_lengths(config):
        return other_lengths(config)["model_max_length"]
    lengths = [one.max_length for one in config.layers.values() if one.max_length is not None]
    return max(lengths, default=None)
