"""Families with field names, defaults or scales of their own, rotated as Llama's or GPT-J's."""

from collections.abc import Mapping
from typing import Any

from advisor.families.classes import known
from advisor.families.family import Family, called, layer_count, shape
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


def _step(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """One base and one share of rotated channels for each layer, the same within a kind.

    An object by kinds counts where it has all of them, and then nothing beside it.
    """
    layers = layer_count(values, 45)
    if layers is None:
        return values
    types = values.get("layer_types")
    types = types[:layers] if isinstance(types, list) else ["full_attention"] * layers
    kinds = {kind: place for place, kind in reversed([*enumerate(types)]) if isinstance(kind, str)}
    params = values.get("rope_parameters")
    left = {key: one for key, one in values.items() if key not in ("rope_theta", "rope_scaling")}
    if isinstance(params, dict) and all(isinstance(params.get(kind), dict) for kind in kinds):
        given = {kind: params[kind] for kind in kinds}
        return {**left, "layer_types": types, "rope_parameters": given}
    shares = values.get("partial_rotary_factors")
    scaling = values.get("rope_scaling")
    out: dict[str, Any] = {}
    for kind, place in sorted(kinds.items(), key=lambda one: one[1]):
        base = _at(values.get("rope_theta"), place)
        out[kind] = {"rope_type": "default", "rope_theta": 10000.0 if base is None else base}
        if isinstance(shares, list) and shares:
            out[kind]["partial_rotary_factor"] = _at(shares, place)
        if isinstance(scaling, dict) and kind == "full_attention":
            out[kind] |= scaling
    return {**left, "layer_types": types, "rope_parameters": out}


def _at(value: Any, place: int) -> Any:
    """Item of a list, None beyond its end; a value that is no list holds for all places."""
    if not isinstance(value, list):
        return value
    return value[place] if place < len(value) else None


def _neomme(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """An object by kinds; a base beside it is that of every kind which has none of its own."""
    params = values.get("rope_parameters") or {}
    base = values.get("rope_theta")
    if not isinstance(params, dict):
        return values
    own = {"full_attention": (1e6, 0.25), "sliding_attention": (1e4, 1.0)}
    filled = {
        kind: {
            "rope_theta": theta if base is None else base,
            "partial_rotary_factor": share,
            **(params[kind] if isinstance(params.get(kind), dict) else {}),
        }
        for kind, (theta, share) in own.items()
    }
    return {**values, "rope_theta": None, "rope_parameters": filled}


def _dots3(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Two bases, one for layers with a window; one object for both where the file gives that."""
    if values.get("rope_scaling") or values.get("rope_parameters") is not None:
        return values
    base, local = values.get("rope_theta"), values.get("swa_rope_theta")
    bases = {
        "indexed_attention": 8e7 if base is None else base,
        "sliding_attention": 5e4 if local is None else local,
    }
    params = {kind: {"rope_type": "default", "rope_theta": one} for kind, one in bases.items()}
    return {**values, "rope_theta": None, "rope_parameters": params}


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
    **known("step3p5", normal=_step, names_base=False, named_kinds=True),
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
    **known("neomme", normal=_neomme, names_base=False),
    **known("dots3_note_text", normal=_dots3, defaults={"rope_theta": 8e7}),
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
