"""What the `model_type` of a config.json implies: field names, class defaults, layout, encoding.

A field that a file leaves out has the value that the model's class in transformers 5.23 gives it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from posenc.rope.pairs import Layout

Encoding = Literal["rope", "nope", "learned", "t5", "alibi"]


@dataclass(frozen=True)
class Family:
    """One `model_type`.

    Args:
        layout: Which channels form a pair, "interleaved" or "half".
        encoding: How positions enter, by its name in `CATALOGUE`.
        defaults: Fields that the class fills in.
        names: The family's own names of fields, by the common name.
        nope_interval: n where every n-th layer has no rotation; 0 where all rotate.
        window_pattern: n where all but every n-th layer see a window only; 0 for one kind.
        multiplies_softmax: The attention multiplies its scale by mscale_all_dim's part of YaRN.
    """

    layout: Layout = "half"
    encoding: Encoding = "rope"
    defaults: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    nope_interval: int = 0
    window_pattern: int = 0
    multiplies_softmax: bool = False


def _shape(hidden: int, heads: int, layers: int, length: int, **more: Any) -> dict[str, Any]:
    return {
        "hidden_size": hidden,
        "num_attention_heads": heads,
        "num_hidden_layers": layers,
        "max_position_embeddings": length,
        "rope_theta": 10000.0,
        **more,
    }


_GPT_NAMES = {
    "hidden_size": "n_embd",
    "num_attention_heads": "n_head",
    "num_hidden_layers": "n_layer",
    "max_position_embeddings": "n_positions",
}
_NEOX_NAMES = {"rope_theta": "rotary_emb_base", "partial_rotary_factor": "rotary_pct"}
_GEMMA3_NAMES = {"local_rope_theta": "rope_local_base_freq"}
_GEMMA3 = _shape(2304, 8, 26, 131072, head_dim=256, rope_theta=1e6, local_rope_theta=1e4)
_QWEN3 = _shape(4096, 32, 32, 32768, head_dim=128)
_GEMMA4 = _shape(
    2304,
    8,
    30,
    131072,
    head_dim=256,
    global_head_dim=512,
    rope_parameters={
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
        "full_attention": {
            "rope_type": "proportional",
            "partial_rotary_factor": 0.25,
            "rope_theta": 1e6,
        },
    },
)
_GPT_OSS = _shape(
    2880,
    64,
    36,
    131072,
    head_dim=64,
    rope_theta=150000.0,
    rope_parameters={
        "rope_type": "yarn",
        "factor": 32.0,
        "beta_fast": 32.0,
        "beta_slow": 1.0,
        "truncate": False,
        "original_max_position_embeddings": 4096,
    },
)
_LLAMA4 = _shape(5120, 40, 48, 131072, head_dim=128, rope_theta=500000.0)
_LLAMA4 |= {"attn_temperature_tuning": True, "floor_scale": 8192, "attn_scale": 0.1}
_DEEPSEEK = {"qk_rope_head_dim": 64, "qk_nope_head_dim": 128}
_GLM = _shape(4096, 32, 40, 131072, head_dim=128, partial_rotary_factor=0.5)
_CHATGLM_NAMES = {"num_hidden_layers": "num_layers", "max_position_embeddings": "seq_length"}
_GPTJ = {"n_embd": 4096, "n_head": 16, "n_layer": 28, "n_positions": 2048}
_GPTJ_DEFAULTS: dict[str, Any] = {name: _GPTJ[own] for name, own in _GPT_NAMES.items()}
_GPTJ_DEFAULTS |= {"rotary_dim": 64, "rope_theta": 10000.0}

FAMILIES: dict[str, Family] = {
    "llama": Family(defaults=_shape(4096, 32, 32, 2048)),
    "llama4_text": Family("interleaved", defaults=_LLAMA4, nope_interval=4),
    "mistral": Family(defaults=_shape(4096, 32, 32, 131072)),
    "mixtral": Family(defaults=_shape(4096, 32, 32, 131072, rope_theta=1e6)),
    "qwen2": Family(defaults=_shape(4096, 32, 32, 32768)),
    "qwen2_moe": Family(defaults=_shape(2048, 16, 24, 32768)),
    "qwen3": Family(defaults=_QWEN3),
    "qwen3_moe": Family(defaults=_shape(2048, 32, 24, 32768)),
    "qwen2_vl": Family(defaults=_shape(8192, 64, 80, 32768, rope_theta=1e6)),
    "qwen2_5_vl": Family(defaults=_shape(8192, 64, 80, 32768, rope_theta=1e6)),
    "qwen3_vl": Family(defaults=_shape(4096, 32, 32, 128000, head_dim=128, rope_theta=5e5)),
    "deepseek_v2": Family(
        "interleaved", defaults=_shape(4096, 32, 32, 2048, **_DEEPSEEK), multiplies_softmax=True
    ),
    "deepseek_v3": Family(
        "interleaved", defaults=_shape(7168, 128, 61, 4096, **_DEEPSEEK), multiplies_softmax=True
    ),
    "phi": Family(defaults=_shape(2048, 32, 24, 2048, partial_rotary_factor=0.5)),
    "phi3": Family(defaults=_shape(3072, 32, 32, 4096, partial_rotary_factor=1.0)),
    "gemma": Family(defaults=_shape(3072, 16, 28, 8192, head_dim=256)),
    "gemma2": Family(defaults=_shape(2304, 8, 26, 8192, head_dim=256), window_pattern=2),
    "gemma3_text": Family(defaults=_GEMMA3, names=_GEMMA3_NAMES, window_pattern=6),
    "gemma4_text": Family(defaults=_GEMMA4, window_pattern=6),
    "gpt_neox": Family(
        defaults=_shape(6144, 64, 44, 2048, partial_rotary_factor=0.25), names=_NEOX_NAMES
    ),
    "gptj": Family("interleaved", defaults=_GPTJ_DEFAULTS, names=_GPT_NAMES),
    "codegen": Family("interleaved", defaults=_GPTJ_DEFAULTS, names=_GPT_NAMES),
    "falcon": Family(defaults=_shape(4544, 71, 32, 2048)),
    "gpt_oss": Family(defaults=_GPT_OSS, window_pattern=2),
    "smollm3": Family(defaults=_shape(2048, 16, 36, 32768, rope_theta=2e6), nope_interval=4),
    "glm": Family("interleaved", defaults=_GLM),
    "glm4": Family("interleaved", defaults=_GLM),
    "chatglm": Family(
        "interleaved",
        defaults={"partial_rotary_factor": 0.5, "rope_theta": 10000.0},
        names={**_CHATGLM_NAMES, "head_dim": "kv_channels"},
    ),
    "cohere": Family("interleaved", defaults=_shape(8192, 64, 40, 8192, rope_theta=500000.0)),
    "olmo": Family(defaults=_shape(4096, 32, 32, 2048)),
    "olmo2": Family(defaults=_shape(4096, 32, 32, 2048)),
    "stablelm": Family(defaults=_shape(2560, 32, 32, 4096, partial_rotary_factor=0.25)),
    "starcoder2": Family(defaults=_shape(3072, 24, 30, 4096)),
    "nemotron": Family(defaults=_shape(6144, 48, 32, 4096, partial_rotary_factor=0.5)),
    "persimmon": Family(defaults=_shape(4096, 64, 36, 16384, partial_rotary_factor=0.5)),
    "granite": Family(defaults=_shape(4096, 32, 32, 2048)),
    "mpt": Family(
        encoding="alibi",
        defaults=_shape(2048, 16, 24, 2048),
        names={
            "hidden_size": "d_model",
            "num_attention_heads": "n_heads",
            "num_hidden_layers": "n_layers",
            "max_position_embeddings": "max_seq_len",
        },
    ),
    "bloom": Family(
        encoding="alibi",
        defaults={"hidden_size": 64, "num_attention_heads": 8, "num_hidden_layers": 2},
        names={
            "num_attention_heads": "n_head",
            "num_hidden_layers": "n_layer",
            "max_position_embeddings": "seq_length",
        },
    ),
    "t5": Family(
        encoding="t5",
        defaults={"hidden_size": 512, "num_attention_heads": 8, "head_dim": 64}
        | {"num_hidden_layers": 6, "num_buckets": 32, "max_distance": 128},
        names={
            "hidden_size": "d_model",
            "num_attention_heads": "num_heads",
            "num_hidden_layers": "num_layers",
            "head_dim": "d_kv",
            "max_position_embeddings": "n_positions",
            "num_buckets": "relative_attention_num_buckets",
            "max_distance": "relative_attention_max_distance",
        },
    ),
    "gpt2": Family(encoding="learned", defaults=_shape(768, 12, 12, 1024), names=_GPT_NAMES),
    "opt": Family(encoding="learned", defaults=_shape(768, 12, 12, 2048)),
    "bert": Family(encoding="learned", defaults=_shape(768, 12, 12, 512)),
}

_PART_OF = {"mt5": "t5", "RefinedWebModel": "falcon", "RefinedWeb": "falcon"}
UNKNOWN = Family(defaults={"rope_theta": 10000.0})


def family_of(model_type: str | None) -> Family:
    """The family of a `model_type`; one without defaults if it is not among `FAMILIES`."""
    name = _PART_OF.get(model_type or "", model_type or "")
    return FAMILIES.get(name) or FAMILIES.get(f"{name}_text") or _text_twin(name)


def _text_twin(name: str) -> Family:
    """Qwen2-VL and the like name their text part "…_text" and have one set of defaults."""
    return FAMILIES.get(name.removesuffix("_text"), UNKNOWN)
