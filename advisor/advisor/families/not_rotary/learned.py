"""Families with a learned table: one vector for each position, added to the embedding.

Source: transformers 5.23; the tables' names and rows in the models' state dictionaries.
"""

from advisor.families.family import DECODER, Family, Switches, called, families

BERT = """
    albert align_text_model bert bert-generation big_bird blip_text_model bros
    chinese_clip_text_model convbert dpr electra ernie flava_text_model fnet git
    instructblip_qformer instructblipvideo_qformer layoutlm layoutlmv2 layoutxlm
    megatron-bert mobilebert rembert roc_bert splinter squeezebert tapas visual_bert
"""
"""BERT and those after it. Files of transformers 4 may ask for relative keys instead."""
KEYS: Switches = (
    ("position_embedding_type", "relative_key", "relative_keys"),
    ("position_embedding_type", "relative_key_query", "relative_keys"),
)

AFTER_PADDING = """
    altclip_text_model bridgetower_text_model camembert clap_text_model data2vec-text ibert
    layoutlmv3 lilt longformer luke markuplm mpnet roberta roberta-prelayernorm xlm-roberta
    xlm-roberta-xl xmod
"""
"""RoBERTa and those after it: positions are counted from pad_token_id + 1."""

TOKENS = """
    aimv2_text_model biogpt canine clip_text_model clipseg_text_model clvp_decoder cohere_asr
    gpt_neo groupvit_text_model metaclip_2_text_model mra nystromformer opt
    owlv2_text_model owlvit_text_model perceiver pp_formulanet_text reformer
    sam3_lite_text_text_model siglip_text_model siglip2_text_model tvp vilt xclip_text_model yoso
"""
"""Other texts."""

DECODERS = """
    bart bigbird_pegasus blenderbot blenderbot-small mbart mvp plbart
"""

IMAGES = """
    altclip_vision_model blip_2_vision_model blip_vision_model bridgetower_vision_model
    chinese_clip_vision_model clip_vision_model clipseg_vision_model deit dinov2
    dinov2_with_registers dpt eomt flava_image_model git_vision_model glm_image_vision
    granite_docling_vision groupvit_vision_model idefics2_vision idefics3_vision idefics_vision
    ijepa instructblip_vision_model instructblipvideo_vision_model internvl_vision
    janus_vision_model kosmos_2_vision_model metaclip_2_vision_model mgp-str minicpm_ocr_vision
    minicpmv4_6_vision minicpmv4_7_vision mllama_vision_model molmo2_vision ovis2_vision
    owlv2_vision_model owlvit_vision_model phi4_multimodal_vision pixio qianfan_ocr_vision
    rf_detr_dinov2 siglip_vision_model smolvlm_vision timesformer tipsv2_vision_model
    unlimited_ocr_vision_encoder videomt vit vit_msn vitpose_backbone xclip_vision_model yolos
"""
"""Images, a vector for each patch: image_size over patch_size, each way."""

OTHER_IMAGES = """
    audio-spectrogram-transformer gemma4_unified_vision hiera pvt sam2_hiera_det_model
    videoprism_vision_model vivit
"""
"""Grids whose size does not follow from two fields alone."""

GPTS = "decision_transformer gpt2 gpt-sw3 gpt_bigcode imagegpt openai-gpt"


def _rows(words: str, field: str) -> dict[str, Family]:
    """Tables whose rows stand in a field of another name."""
    return families(words, "learned", names={"max_position_embeddings": field})


FAMILIES = {
    **families(BERT, "learned", switches=KEYS),
    **families(AFTER_PADDING, "learned", after_padding=True, switches=KEYS),
    **families(TOKENS, "learned"),
    "lxmert": Family(encoding="learned", names={"num_hidden_layers": "l_layers"}, switches=KEYS),
    **families(DECODERS, "learned", names=DECODER),
    "led": Family(
        encoding="learned",
        names=DECODER | called(length="max_encoder_position_embeddings"),
    ),
    "whisper": Family(encoding="learned", names=DECODER | called(length="max_target_positions")),
    "trocr": Family(
        encoding="learned",
        switches=(("use_learned_position_embeddings", False, "sinusoidal"),),
    ),
    "prophetnet": Family(
        encoding="learned",
        names=called(heads="num_decoder_attention_heads", layers="num_decoder_layers"),
    ),
    **families(GPTS, "learned"),
    "distilbert": Family(
        encoding="learned", switches=(("sinusoidal_pos_embds", True, "sinusoidal"),)
    ),
    **families(
        "xlm flaubert",
        "learned",
        switches=(("sinusoidal_embeddings", True, "sinusoidal"),),
    ),
    **families(
        "semantic coarse_acoustics fine_acoustics",
        "learned",
        names=called(heads="num_heads", layers="num_layers", length="block_size"),
    ),
    "esm": Family(
        encoding="learned",
        defaults={"pad_token_id": 1},
        after_padding=True,
        names_base=False,
        switches=(("position_embedding_type", "rotary", "rope"), *KEYS),
    ),
    **families(IMAGES, "learned", grid=("image_size", "patch_size")),
    "aimv2_vision_model": Family(
        encoding="learned",
        grid=("image_size", "patch_size"),
        switches=(("is_native", True, "sinusoidal"),),
    ),
    **families("seggpt lw_detr_vit", "learned", grid=("pretrain_image_size", "patch_size")),
    "vitdet": Family(
        encoding="learned",
        grid=("pretrain_image_size", "patch_size"),
        switches=(("use_relative_position_embeddings", True, "window_bias"),),
    ),
    "radio": Family(encoding="learned", grid=("max_img_size", "patch_size")),
    "hunyuan_vl_vision": Family(encoding="learned", grid=("max_image_size", "patch_size")),
    **_rows("siglip2_vision_model cosmos3_edge_vision", "num_patches"),
    **_rows("pix2struct_vision_model", "seq_len"),
    **_rows("kosmos_2_5_vision_model", "max_num_patches"),
    **families(OTHER_IMAGES, "learned"),
}
