"""Families without rotation: the models of transformers hold what was read, and nothing rotary."""

import importlib
import inspect
import re
from collections.abc import Iterator

import pytest
import torch
from torch import nn
from transformers import CONFIG_MAPPING, MODEL_MAPPING, PreTrainedModel

from advisor import RopeConfig
from advisor.families.not_rotary import computed, learned, parts, relative, without

FAMILIES = learned.FAMILIES | computed.FAMILIES | relative.FAMILIES | without.FAMILIES
# Parts of Bark, which have no class of their own among transformers' names.
NAMELESS = {"semantic", "coarse_acoustics", "fine_acoustics"}
# Need a package that is not installed or numbers without a default, or no model stands alone.
NOT_MADE = """
    autoformer conditional_detr dab-detr deformable_detr detr dinat edgetam_mask_decoder
    edgetam_prompt_encoder edgetam_video_mask_decoder edgetam_video_prompt_encoder eomt esm
    gemma4_unified_audio gemma4_unified_vision idefics_perciever idefics_vision informer
    inkling_vision kosmos_2_5_vision_model layoutlmv2 layoutxlm lw_detr lw_detr_vit perceiver
    pp_chart2table_vision
    rf_detr_dinov2 sam2_mask_decoder sam2_prompt_encoder sam2_video_mask_decoder
    sam2_video_prompt_encoder sam3_geometry_encoder sam3_lite_text_geometry_encoder
    sam3_tracker_mask_decoder sam3_tracker_prompt_encoder sam3_tracker_video_mask_decoder
    sam3_tracker_video_prompt_encoder sam_hq_mask_decoder sam_hq_prompt_encoder sam_mask_decoder
    sam_prompt_encoder sapiens2_head table-transformer time_series_transformer
    vibevoice_diffusion videomt vitpose_backbone
"""
MADE = sorted(FAMILIES.keys() - NAMELESS - set(NOT_MADE.split()))
EVIDENCE = {
    "learned": r"pos|wpe|row_embed",
    "t5": r"relative_attention_bias|rel_attn_embed|bias_values",
    "shaw": r"rel_pos_emb|distance_embedding|pe_k|emb_rel_k|rel_logits_proj",
    "transformer_xl": r"pos_bias_u|bias_u|r_r_bias|relative_k_proj|pos_proj|r_kernel",
    "disentangled": r"rel_embeddings",
    "window_bias": r"relative_position_bias|position_bias_mlp|rel_pos_h|attention_biases|rpb",
    "linear": r"A_log|time_decay|igate|dt_proj",
    "convolution": r"conv|focal_layers",
}
ONE_MORE = """
    altclip_vision_model blip_2_vision_model blip_vision_model bridgetower_vision_model
    chinese_clip_vision_model clip_vision_model clipseg_vision_model dinov2
    dinov2_with_registers dpt flava_image_model git_vision_model hunyuan_vl_vision
    instructblip_vision_model instructblipvideo_vision_model internvl_vision
    kosmos_2_vision_model lilt markuplm metaclip_2_vision_model mgp-str mllama_vision_model
    owlv2_vision_model owlvit_vision_model qianfan_ocr_vision seggpt timesformer
    tipsv2_vision_model unlimited_ocr_vision_encoder vit vit_msn vitdet xclip_vision_model
"""
TWO_MORE = """
    altclip_text_model bart biogpt bridgetower_text_model camembert clap_text_model
    data2vec-text deit ibert layoutlmv3 longformer luke mbart mpnet mra mvp nystromformer opt
    plbart pp_formulanet_text roberta roberta-prelayernorm trocr xlm-roberta xlm-roberta-xl
    xmod yoso
"""
# Rows beyond the positions that are read: of class tokens, or rows that no position takes.
MORE_ROWS = {
    **dict.fromkeys(ONE_MORE.split(), 1),
    **dict.fromkeys(TWO_MORE.split(), 2),
    "pixio": 8,
    "yolos": 101,
}
# Tables of rows and columns, or of one stage, beside one another.
SCATTERED = {
    *("audio-spectrogram-transformer", "hiera", "kosmos_2_5_vision_model"),
    *("pix2struct_vision_model", "pvt", "reformer", "sam2_hiera_det_model"),
    *("videoprism_vision_model", "vivit"),
}


def models(name: str) -> Iterator[type[PreTrainedModel]]:
    """Classes that are made from the configuration alone, the plainest first."""
    kind = CONFIG_MAPPING[name]
    if kind in MODEL_MAPPING:
        found = MODEL_MAPPING[kind]
        yield from found if isinstance(found, tuple | list) else (found,)
    module = importlib.import_module(kind.__module__.replace("configuration_", "modeling_"))
    for one in vars(module).values():
        is_model = inspect.isclass(one) and issubclass(one, PreTrainedModel)
        if is_model and one.config_class is kind and "PreTrained" not in one.__name__:
            yield one


def made(name: str) -> nn.Module:
    """A model with the class's defaults and no numbers in it."""
    with torch.device("meta"):
        return next(models(name))(CONFIG_MAPPING[name]())


def read(name: str) -> RopeConfig:
    return RopeConfig.from_hf(CONFIG_MAPPING[name]().to_dict())


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_a_model_holds_what_was_read(name: str) -> None:
    config, model = read(name), made(name)
    assert config.rotary == {}
    assert not any("rope_theta" in f.message + f.remedy for f in config.findings)
    (layer,) = config.layers.values()
    modules = {type(module).__name__ for module in model.modules()}
    rotary = {one for one in modules if re.search("Rotary|RoPE|Rope", one)}
    assert not rotary - {"RotaryEmbedding"} or layer.encoding == "rope"
    tensors = dict([*model.named_parameters(), *model.named_buffers()])
    if layer.encoding in EVIDENCE:
        assert [one for one in tensors if re.search(EVIDENCE[layer.encoding], one)]
    if layer.encoding == "learned" and name not in SCATTERED:
        rows = {
            size - (layer.max_length or 0)
            for one, tensor in tensors.items()
            if re.search(EVIDENCE["learned"], one)
            for size in tensor.shape[:-1]
        }
        assert MORE_ROWS.get(name, 0) in rows


PARTS = [
    name
    for name, family in parts.FAMILIES.items()
    if family.encoding not in ("rope", "unknown") and name != "nougat"
]


def test_how_many_are_looked_at() -> None:
    assert len(MADE) >= 280
    assert len(FAMILIES) == sum(
        len(file.FAMILIES) for file in (learned, computed, relative, without)
    )


@pytest.mark.parametrize("name", PARTS)
def test_the_part_that_is_read_is_one_of_the_model(name: str) -> None:
    family, source = parts.FAMILIES[name], CONFIG_MAPPING[name]().to_dict()
    config = RopeConfig.from_hf(source)
    assert config.text.where.startswith(f"{family.part}.")
    alone = RopeConfig.from_hf(source[family.part])
    assert config.layers == alone.layers
    assert next(iter(config.layers.values())).encoding == family.encoding
