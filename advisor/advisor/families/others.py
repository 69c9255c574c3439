"""Families with field names, defaults or scales of their own, rotated as Llama's or GPT-J's."""

from collections.abc import Mapping
from typing import Any

from advisor.families.classes import known
from advisor.families.family import Family, called, shape
from posenc.words import say

_AS_THEIR_CLASS = """
    chameleon deepseek_ocr2_text higgs_audio_v2 kyutai_speech_to_text gradium_phonon_tts idefics
    pocket_tts esmc EvollaModel qwen3_omni_moe_talker_code_predictor qwen3_omni_moe_talker_text
    qwen3_omni_moe_text voxtral_realtime_text musicflamingo glm4_moe glm4v_moe_text glm_image_text
"""
_INTERLEAVED = """
    blt_global_transformer blt_local_decoder blt_local_encoder blt_patcher ernie4_5 ernie4_5_moe
    ernie4_5_vl_moe_text glm glm4 glm4v_text glm_ocr_text helium openai_privacy_filter
"""


def _dbrx(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The base stands in attn_config."""
    attention = values.get("attn_config")
    if not isinstance(attention, dict) or attention.get("rope_theta") is None:
        return values
    return {"rope_theta": attention["rope_theta"], **values}


def _lightning(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """MiniMax says 1 for a layer that attends, 0 for one that carries a state."""
    kinds = values.get("attn_type_list")
    if values.get("layer_types") is not None or not isinstance(kinds, list):
        return values
    words = {0: "linear_attention", 1: "full_attention"}
    return {**values, "layer_types": [words.get(k) if isinstance(k, int) else k for k in kinds]}


def _hrm(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """A stack is run several times, and each time keeps keys of its own."""
    layers = values.get("num_hidden_layers", 16)
    high, low = values.get("H_cycles", 2), values.get("L_cycles", 3)
    if values.get("num_layers_per_stack") is not None or not isinstance(layers, int):
        return values
    if not isinstance(high, int) or not isinstance(low, int):
        return values
    return {**values, "num_hidden_layers": layers * high * (low + 1)}


def _without_width(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The class has rotary_dim and turns whole heads all the same, or partial_rotary_factor."""
    return {**values, "rotary_dim": None}


FAMILIES: dict[str, Family] = {
    **known(_AS_THEIR_CLASS),
    **known("hunyuan_v1_dense hunyuan_v1_moe hunyuan_vl_text", fixed_alpha=True),
    **known(_INTERLEAVED, layout="interleaved"),
    **known(
        "granitemoe granitemoeshared granite4_vision_text granite_docling_text",
        softmax_scale="attention_multiplier",
    ),
    **known("qwen2_5_omni_talker muse_glimmer_assistant dots1"),
    **known("hrm_text", normal=_hrm),
    **known("minimax_m3_vl_text", normal=_without_width, defaults={"rotary_dim": None}),
    **known("dbrx", normal=_dbrx),
    **known("step3p5", names_base=False, named_kinds=True),
    **known("mistral4", layout="interleaved", multiplies_softmax=True, turned_share=True),
    "blt": Family(part="decoder_config"),
    **known(
        "mistral_large4_text",
        encoding="unknown",
        reason=say(
            "Each frequency is multiplied by a factor that was learned and stands in the "
            "checkpoint, not in the file."
        ),
    ),
    **known("neomme", names_base=False),
    **known("dots3_note_text", names_base=False),
    # Their code comes with the weights. MiniCPM's was read, EXAONE's and InternLM2's in mlx-lm and
    # SGLang, the others in vLLM and llama.cpp.
    # MiniCPM's first files name no base: 10000 of their class is what they were trained with.
    "minicpm": Family(defaults=shape(4096, 32, 32, 2048), names_base=False),
    "internlm2": Family(defaults=shape(4096, 32, 32, 2048)),
    "exaone": Family(defaults=shape(2048, 32, 32, 2048), names={"num_hidden_layers": "num_layers"}),
    "bailing_moe": Family(defaults=shape(4096, 32, 32, 16384)),
    "bailing_moe_v2": Family(defaults=shape(4096, 32, 32, 16384, partial_rotary_factor=0.5)),
    **dict.fromkeys(
        ("minimax_text_01", "minimax_m1"),
        Family(normal=_lightning, defaults=shape(4096, 32, 32, 131072, rope_theta=1e6)),
    ),
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
