"""Families with field names, defaults or scales of their own, rotated as Llama's or GPT-J's."""

from collections.abc import Mapping
from typing import Any

from posenc.config.families.classes import known
from posenc.config.families.family import Family, Kinds
from posenc.words import say

_MULTIPLIED: dict[str, Any] = {"softmax_scale": "attention_multiplier"}
_INTERLEAVED: dict[str, Any] = {"layout": "interleaved"}


def _dbrx(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The base stands in attn_config."""
    attention = values.get("attn_config")
    if not isinstance(attention, dict) or attention.get("rope_theta") is None:
        return values
    return {"rope_theta": attention["rope_theta"], **values}


def _step(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """One base and one share of rotated channels for each layer, the same within a kind."""
    params = values.get("rope_parameters")
    if isinstance(params, dict) and any(isinstance(one, dict) for one in params.values()):
        return values
    types, bases = values.get("layer_types"), values.get("rope_theta")
    shares, scaling = values.get("partial_rotary_factors"), values.get("rope_scaling")
    if not isinstance(types, list) or not (isinstance(bases, list) or isinstance(shares, list)):
        return values
    layers = values.get("num_hidden_layers", len(types))
    types = types[:layers] if isinstance(layers, int) and layers > 0 else types
    out: dict[str, Any] = {}
    for place, kind in enumerate(types):
        if not isinstance(kind, str) or kind in out:
            continue
        base = bases[place] if isinstance(bases, list) and place < len(bases) else bases
        out[kind] = {"rope_type": "default", "rope_theta": base if base is not None else 10000.0}
        if isinstance(shares, list) and place < len(shares):
            out[kind]["partial_rotary_factor"] = shares[place]
        if isinstance(scaling, dict) and kind == "full_attention":
            out[kind] |= scaling
    left = {key: one for key, one in values.items() if key not in ("rope_theta", "rope_scaling")}
    return {**left, "layer_types": types, "rope_parameters": out}


def _without_width(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The class has rotary_dim and turns whole heads all the same, or partial_rotary_factor."""
    return {**values, "rotary_dim": None}


FAMILIES: dict[str, Family] = {
    **{
        name: known(name)
        for name in (
            *("dots1", "chameleon", "deepseek_ocr2_text", "hunyuan_v1_dense", "hunyuan_v1_moe"),
            *("hunyuan_vl_text", "hrm_text", "higgs_audio_v2", "kyutai_speech_to_text"),
            *("gradium_phonon_tts", "idefics", "pocket_tts", "esmc"),
            *("qwen2_5_omni_talker", "qwen3_omni_moe_talker_code_predictor"),
            *("qwen3_omni_moe_talker_text", "qwen3_omni_moe_text", "voxtral_realtime_text"),
            *("muse_glimmer_assistant", "dots3_note_text"),
            *("musicflamingo", "glm4_moe", "glm4v_moe_text", "glm_image_text"),
        )
    },
    **{
        name: known(name, layout="interleaved")
        for name in (
            *("ernie4_5", "ernie4_5_moe", "ernie4_5_vl_moe_text", "helium", "glm4v_text"),
            *("glm_ocr_text", "blt_global_transformer"),
            *(
                "blt_local_decoder",
                "blt_local_encoder",
                "blt_patcher",
            ),
        )
    },
    **{
        name: known(name, **_MULTIPLIED)
        for name in (
            *("granitemoe", "granitemoeshared", "granite4_vision_text", "granite_docling_text"),
        )
    },
    "minimax_m3_vl_text": known(
        "minimax_m3_vl_text", normal=_without_width, defaults={"rotary_dim": None}
    ),
    "dbrx": known("dbrx", normal=_dbrx),
    "openai_privacy_filter": known("openai_privacy_filter", layout="interleaved"),
    "step3p5": known("step3p5", normal=_step, names_base=False, own_form=True),
    "mistral4": known("mistral4", layout="interleaved", multiplies_softmax=True, own_form=True),
    "blt": Family(part="decoder_config"),
    "mistral_large4_text": known(
        "mistral_large4_text",
        encoding="unknown",
        reason=say(
            "Each frequency is multiplied by a factor that was learned and stands in the "
            "checkpoint, not in the file."
        ),
    ),
    "neomme": known(
        "neomme",
        kinds=Kinds(6, is_rare=lambda i, every, n: (i + 1) % every == 0 or i == n - 1),
        names_base=False,
    ),
    "EvollaModel": known("EvollaModel"),
    "glm": known("glm", layout="interleaved"),
    "glm4": known("glm4", layout="interleaved"),
    "chatglm": Family(
        "interleaved",
        defaults={"partial_rotary_factor": 0.5, "rope_theta": 10000.0},
        names={
            "num_hidden_layers": "num_layers",
            "max_position_embeddings": "seq_length",
            "head_dim": "kv_channels",
        },
    ),
}
