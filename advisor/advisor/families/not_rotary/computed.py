"""Families with sines and cosines of the position, added to the embedding.

Source: transformers 5.23, the models' position embeddings.
"""

from advisor.families.family import DECODER, Family, called, families
from advisor.families.llama import NAMES as GPT2

DECODERS = "fsmt m2m_100 marian nllb-moe pegasus pegasus_x seamless_m4t seamless_m4t_v2"
TOKENS = (
    "canary_decoder fun_asr_nano_encoder qwen3_asr_encoder tipsv2_text_model videoprism_text_model"
)
AUDIO = """
    audioflamingo3_encoder moss_transcribe_diarize_audio qwen2_5_omni_audio_encoder
    qwen2_audio_encoder qwen3_omni_moe_audio_encoder voxtral_encoder
"""
"""Whisper's encoder and those made from it; the sines lie in some checkpoints as a table."""
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
    **families(
        AUDIO,
        "sinusoidal",
        names=called(
            heads="encoder_attention_heads", layers="encoder_layers", length="max_source_positions"
        ),
    ),
    "speech_to_text": Family(
        encoding="sinusoidal",
        names=DECODER | called(length="max_target_positions"),
    ),
    **families(
        MUSIC,
        "sinusoidal",
    ),
    "xglm": Family(
        encoding="sinusoidal",
        names=called(hidden="d_model", heads="attention_heads", layers="num_layers"),
    ),
    **families(
        "kosmos_2_text_model kosmos_2_5_text_model",
        "sinusoidal",
        names=called(hidden="embed_dim", heads="attention_heads", layers="layers"),
    ),
    "ctrl": Family(encoding="sinusoidal", names=GPT2),
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
