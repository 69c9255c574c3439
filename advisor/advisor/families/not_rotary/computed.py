"""Families with sines and cosines of the position, added to the embedding.

Source: transformers 5.23, the models' position embeddings.
"""

from advisor.families.family import DECODER, Family, called, families

DECODERS = "fsmt m2m_100 marian nllb-moe pegasus pegasus_x"
TOKENS = """
    canary_decoder ctrl fun_asr_nano_encoder kosmos_2_text_model kosmos_2_5_text_model
    qwen3_asr_encoder seamless_m4t seamless_m4t_v2 tipsv2_text_model videoprism_text_model xglm
"""
AUDIO = "audioflamingo3_encoder moss_transcribe_diarize_audio voxtral_encoder"
AUDIO_QWEN = "qwen2_5_omni_audio_encoder qwen2_audio_encoder qwen3_omni_moe_audio_encoder"
"""Whisper's encoder and those made from it; the sines lie in some checkpoints as a table."""
ENCODER = called(
    heads="encoder_attention_heads", layers="encoder_layers", length="max_source_positions"
)
MUSIC = "musicgen_decoder musicgen_melody_decoder"
SERIES = "autoformer informer time_series_transformer"
DETECTION = "conditional_detr deformable_detr detr table-transformer"
"""The sines of a feature map's rows and columns; a file may ask for a learned table instead."""
FEATURE_MAPS = """
    d_fine dab-detr deimv2 lw_detr mask2former maskformer oneformer pp_doclayout_v2 pp_doclayout_v3
    pp_doclayout_v4 rf_detr rt_detr rt_detr_v2 sam3_detr_decoder sam3_detr_encoder
    sam3_lite_text_detr_decoder sam3_lite_text_detr_encoder
"""

FAMILIES = {
    **families(DECODERS, "sinusoidal", names=DECODER),
    **families(TOKENS, "sinusoidal"),
    **families(AUDIO, "sinusoidal", names=ENCODER),
    **families(AUDIO_QWEN, "sinusoidal", names=called(length="max_source_positions")),
    "speech_to_text": Family(
        encoding="sinusoidal",
        names=DECODER | called(length="max_target_positions"),
    ),
    **families(MUSIC, "sinusoidal"),
    **families(SERIES, "sinusoidal", names=DECODER),
    "patchtst": Family(
        encoding="sinusoidal", switches=(("positional_encoding_type", "random", "learned"),)
    ),
    **families("videomae vit_mae", "sinusoidal", grid=("image_size", "patch_size")),
    **families(
        DETECTION,
        "sinusoidal",
        names=DECODER,
        switches=(("position_embedding_type", "learned", "learned"),),
    ),
    **families(FEATURE_MAPS, "sinusoidal"),
}
