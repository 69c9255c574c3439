"""Fields of a GGUF file that was converted from a config.json, and their names."""

from posenc.config.data import Config
from posenc.config.inputs.gguf_fields import MODEL_TYPES

SHARED = {
    **dict.fromkeys(("llama", "mistral", "mixtral", "internlm3", "iquestcoder"), "llama"),
    **dict.fromkeys(("deepseek_v2", "deepseek_v3", "kimi_k2", "glm4_moe_lite"), "deepseek2"),
    **dict.fromkeys(("qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text"), "qwen2vl"),
    "deepseek_v32": "deepseek32",
    "gemma3_text": "gemma3",
    "glm": "chatglm",
    "mimo_v2_flash": "mimo2",
    "olmo3": "olmo2",
    "qwen3_5_text": "qwen35",
    "qwen3_5_moe_text": "qwen35moe",
    "qwen3_vl_text": "qwen3vl",
    "qwen3_vl_moe_text": "qwen3vlmoe",
    "solar_open": "glm4moe",
}
"""Families whose files have the architecture of another, or a name that no reading needs."""
SAME = (
    *("apertus", "arcee", "bitnet", "bloom", "chatglm", "cohere2", "dbrx", "dots1", "ernie4_5"),
    *("exaone4", "falcon", "gemma", "gemma2", "glm4", "granite", "granitemoe", "laguna", "lfm2"),
    *("mellum", "minicpm3", "mpt", "nemotron", "olmo", "olmo2", "olmoe", "phi3", "qwen2"),
    *("qwen3", "seed_oss", "smollm3", "stablelm", "starcoder2"),
)
"""Families whose files have the family's own name."""


def architecture(model_type: str | None, whole: str | None = None) -> str | None:
    """general.architecture of the model's file; None where it is not known.

    Args:
        model_type: That of the text model.
        whole: That of the whole config.json.

    Source: llama.cpp 0c1e57098, conversion/.
    """
    if whole == "mistral3":  # the text model alone would be a llama
        return "mistral3"
    named = {value: key for key, value in reversed(MODEL_TYPES.items())}
    same = {name: name for name in SAME}
    return (named | same | SHARED).get(model_type or "")


def capped(before: Config, length: int | None) -> bool:
    """Whether a length is more than the file's context_length, which some servers never exceed.

    The conversion writes the length that the config.json declares, whatever its scaling; for
    Falcon 2,048, whatever it declares.
    """
    declared = [one.max_length for one in before.layers.values() if one.max_length is not None]
    if before.model_type == "falcon":
        declared = [2048]
    return bool(declared) and (length or 0) > max(declared)
