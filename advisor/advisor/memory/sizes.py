"""Widths and counts of a model: what its file says, else the default of its class."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from advisor.data import Config
from advisor.families.classes import Asked, quiet
from advisor.families.family import MOST_LAYERS
from advisor.families.without_class import OTHER_NAMES
from advisor.fields import Fields, required
from posenc.checks import shortened

WIDEST = 10**8  # above any vocabulary; keeps products small enough to print
NAMES: dict[str, tuple[str, ...]] = {
    "num_hidden_layers": ("num_layers", "n_layer", "n_layers", "num_decoder_layers"),
    "hidden_size": ("n_embd", "d_model", "model_dim"),
    "num_attention_heads": ("n_head", "n_heads", "num_heads", "decoder_attention_heads"),
    "num_key_value_heads": ("num_kv_heads", "n_head_kv", "multi_query_group_num"),
    "head_dim": ("kv_channels", "d_kv", "attention_head_dim"),
    "intermediate_size": ("n_inner", "ffn_dim", "ffn_hidden_size", "d_ff", "decoder_ffn_dim"),
    "vocab_size": ("padded_vocab_size",),
    "max_position_embeddings": ("n_positions", "n_ctx", "max_target_positions"),
    "first_k_dense_replace": ("moe_layer_start_index",),
    "num_experts": ("num_local_experts", "n_routed_experts", "moe_num_experts"),
    "num_experts_per_tok": ("num_experts_per_token", "moe_topk", "moe_k", "top_k_experts"),
    "n_shared_experts": ("num_shared_experts", "moe_num_shared_experts"),
    "shared_intermediate_size": (
        *("shared_expert_intermediate_size", "moe_shared_expert_intermediate_size"),
    ),
}
"""Other names of a field, beside those of the family."""
ALIKE = {
    "chatglm": "glm",
    "exaone": "llama",
    "internlm2": "llama",
    "minicpm": "llama",
}
"""Types whose code comes with their weights, and what they are built like."""
ENCODERS = (
    *("albert", "bert", "big_bird", "camembert", "convbert", "data2vec-text", "deberta"),
    *("deberta-v2", "distilbert", "electra", "ernie", "esm", "esmc", "eurobert", "flaubert"),
    *("fnet", "funnel", "gte", "ibert", "jina_embeddings_v3", "layoutlm", "longformer", "luke"),
    *("megatron-bert", "mobilebert", "modernbert", "mpnet", "mra", "neomme", "nomic_bert"),
    *("nystromformer", "perceiver", "rembert", "roberta", "roberta-prelayernorm", "roc_bert"),
    *("roformer", "squeezebert", "tapas", "ultrabert", "xlm", "xlm-roberta", "xlm-roberta-xl"),
    *("xmod", "yoso"),
)
"""Types that read a whole text at once, unless their file says is_decoder."""


COUNTED = (
    *("afmoe", "apertus", "arcee", "aria_text", "axk1", "axk2", "bailing_hybrid", "bamba"),
    *("beam", "biogpt", "bitnet", "bloom", "codegen", "cohere", "cohere2", "cohere2_moe"),
    *("cwm", "deepseek_v2", "deepseek_v3", "deepseek_v32", "diffllama", "dots1", "ernie4_5"),
    *("ernie4_5_moe", "exaone4", "exaone_moe", "falcon", "falcon_h1", "flex_olmo", "flint"),
    *("gemma", "gemma2", "gemma3_text", "glm", "glm4", "glm4_moe", "glm4_moe_lite"),
    *("glm4v_moe_text", "glm4v_text", "glm_moe_dsa", "gpt2", "gpt_bigcode", "gpt_neox"),
    *("gpt_neox_japanese", "gpt_oss", "gptj", "granite", "granite_docling_text"),
    *("granite_swa", "granitemoe", "granitemoe_swa", "granitemoehybrid", "granitemoeshared"),
    *("helium", "hunyuan_v1_dense", "hy_v3", "hyperclovax", "internlm3", "iquestcoder"),
    *("jais2", "jamba", "kimi_linear", "kolibri1", "laguna", "lfm2", "lfm2_moe", "lfm3"),
    *("llama", "llama4_text", "mellum", "mimo_v2_flash", "minicpm3", "minimax_m2"),
    *("minimax_m3_vl_text", "ministral", "ministral3", "mistral", "mixtral"),
    *("modernbert-decoder", "molmo2_text", "mpt", "nanochat", "nemotron", "olmo", "olmo2"),
    *("olmo3", "olmo_hybrid", "olmoe", "opt", "persimmon", "phi", "phi3", "phimoe", "qwen2"),
    *("qwen2_5_vl_text", "qwen2_moe", "qwen2_vl_text", "qwen3", "qwen3_5_moe_text"),
    *("qwen3_5_text", "qwen3_moe", "qwen3_next", "qwen3_vl_moe_text", "qwen3_vl_text"),
    *("seed_oss", "smollm3", "solar_open", "stablelm", "starcoder2", "vaultgemma", "xglm"),
    *("youtu",),
)
"""Types whose cache and number of weights were compared with those of transformers."""
CACHED = (
    *("ctrl", "deepseek_v4", "doge", "gemma3n_text", "gemma4_text", "glm5_next_text"),
    *("hrm_text", "hunyuan_v1_moe", "hy_v4", "mistral_large4_text", "qwen4_exp_text"),
    *("inkling2_text", "inkling_text", "jetmoe", "moshi", "muse_glimmer_text"),
    *("muse_spark_text", "nemotron_h"),
)
"""Types whose cache alone was; tests/parity/test_memory.py does both."""
READ = (
    *("num_hidden_layers", "hidden_size", "num_attention_heads", "num_key_value_heads"),
    *("head_dim", "v_head_dim", "global_head_dim", "num_global_key_value_heads"),
    *("num_kv_shared_layers", "multi_query", "new_decoder_architecture", "kv_lora_rank"),
    *("q_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "index_head_dim"),
    *("indexer_head_dim", "index_kpool", "sliding_window"),
    *("use_sliding_window", "attention_chunk_size", "vocab_size", "tie_word_embeddings"),
    *("intermediate_size", "intermediate_size_mlp", "moe_intermediate_size", "num_experts"),
    *("num_experts_per_tok", "n_shared_experts", "shared_intermediate_size"),
    *("first_k_dense_replace", "num_dense_layers", "decoder_sparse_step"),
    *("interleave_moe_layer_step", "expert_layer_period", "expert_layer_offset"),
    *("attn_output_gate", "linear_num_key_heads", "linear_key_head_dim"),
    *("linear_num_value_heads", "linear_value_head_dim", "linear_conv_kernel_dim"),
    *("linear_num_heads", "linear_head_dim", "mamba_d_ssm", "mamba_expand", "mamba_n_groups"),
    *("mamba_n_heads", "mamba_d_state", "mamba_d_conv", "mamba_num_heads", "mamba_head_dim"),
    *("mamba_dt_rank", "n_groups", "ssm_state_size", "conv_kernel", "conv_kernel_size"),
    *("conv_L_cache", "swa_head_dim", "swa_v_head_dim", "attn_layer_period", "attn_layer_offset"),
    *("swa_num_key_value_heads", "block_auto_adjust_ff_dim", "block_multiple_of"),
)
"""Fields that a cache or weights are counted from, under their common names."""


@cache
def class_defaults() -> Mapping[str, Mapping[str, Any]]:
    """Defaults of the classes of transformers, by `model_type`, under the common names.

    Only types whose cache was compared with that of transformers are among them; `weights` says
    whether the number of weights agreed as well. A class is asked when its row is looked into.
    """
    return {name: Asked(partial(_row, name)) for name in (*COUNTED, *CACHED)}


def _row(name: str) -> dict[str, Any]:
    return {**class_values(name), "weights": name in COUNTED}


def class_values(name: str) -> dict[str, Any]:
    """Defaults of the class, under the common names.

    Lists and nulls are left out, and what follows from the width or the number of heads.
    """
    from transformers import CONFIG_MAPPING

    kind = CONFIG_MAPPING[name]
    default = _values(kind())
    for field in ("num_attention_heads", "hidden_size"):
        if field not in default:
            continue
        try:
            other = _values(kind(**{field: 2 * default[field]}))
        except Exception:  # GLM-5.3's refuses other numbers of key/value heads
            continue
        default = {key: v for key, v in default.items() if key == field or other.get(key) == v}
    return default


def _values(config: Any) -> dict[str, Any]:
    config.allow_global_per_layer_attribute_access = True
    given = {}
    with quiet():  # layers of several widths: those of each are told apart elsewhere
        for name in READ:
            for own in (name, *NAMES.get(name, ())):
                value = getattr(config, own, None)
                if isinstance(value, bool | int):
                    given[name] = value
                    break
    return given


@dataclass(frozen=True)
class Sizes:
    """Whole numbers and flags of a model's text part.

    Args:
        model_type: Of the text part.
        text: Its fields in the file.
        defaults: What the class fills in.
    """

    model_type: str
    text: Fields
    defaults: Mapping[str, Any]

    @classmethod
    def of(cls, config: Config) -> "Sizes":
        """Read a configuration.

        Raises:
            ValueError: If nothing is known of the model's type.
        """
        given = OTHER_NAMES.get(config.read_as, ALIKE.get(config.read_as, config.read_as))
        known = class_defaults()
        for name in (given, f"{given}_text", given.removesuffix("_text")):
            if name in known:
                return cls(name, config.text, dict(known[name]))
        if given in ENCODERS and not config.text.flag("is_decoder"):
            raise ValueError(
                f"{given} is an encoder: it reads the whole text at once and keeps no key/value "
                "cache."
            )
        raise ValueError(
            f"What a model of the type {shortened(given) or '?'} keeps in memory is not known here."
        )

    def whole(self, name: str, minimum: int = 1, maximum: int = WIDEST) -> int | None:
        """A whole number; None where file and class leave it out, or the file says null.

        Raises:
            ValueError: If it is something else, or out of range; the message names the field.
        """
        own = self._given(name)
        if own is None:
            return self.defaults.get(name)
        # -1 stands for "none" in some files (Phi's window, Jamba's list).
        if self.text.values[own] in (None, -1):
            return None
        return Fields(self.text.values, where=self.text.where).integer(own, minimum, maximum)

    def need(self, name: str, maximum: int = WIDEST) -> int:
        """As `whole`, and it must be there."""
        value = self.whole(name, maximum=maximum)
        return required(value, self.text.where + (self._given(name) or name))

    def indices(self, name: str) -> frozenset[int]:
        """The whole numbers in a list; none where there is no such list."""
        value = self.value(name)
        short = isinstance(value, list) and len(value) <= MOST_LAYERS
        return frozenset(one for one in value if isinstance(one, int)) if short else frozenset()

    def words(self, name: str) -> tuple[str | None, ...]:
        """A list of words for the layers, null among them; empty where there is none."""
        value = self.value(name)
        short = isinstance(value, list) and len(value) <= MOST_LAYERS
        return tuple(one if isinstance(one, str) else None for one in value) if short else ()

    def flag(self, name: str) -> bool:
        """A switch; false where nobody says."""
        own = self._given(name)
        return bool(self.defaults.get(name) if own is None else self.text.values[own])

    def value(self, name: str) -> Any:
        """A value as it stands, not checked."""
        own = self._given(name)
        return self.defaults.get(name) if own is None else self.text.values[own]

    def _given(self, name: str) -> str | None:
        """The name under which the file has it."""
        values = self.text.values
        family = self.text.family
        own = name if family is None else family.names.get(name, name)
        names = (name, own, *NAMES.get(name, ()))
        return next((one for one in names if one in values), None)
