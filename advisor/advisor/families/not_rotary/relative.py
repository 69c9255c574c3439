"""Families whose attention sees distances: buckets, slopes, relative keys, windows of an image.

Source: transformers 5.23, the models' attention classes and their tables.
"""

from typing import Any

from advisor.families.family import Family, Switches, called, families
from posenc.words import say

_T5: dict[str, Any] = {
    "names": {
        "max_position_embeddings": "n_positions",
        "num_buckets": "relative_attention_num_buckets",
        "max_distance": "relative_attention_max_distance",
    },
    "numbers": ("num_buckets", "max_distance"),
}
T5 = """
    t5 mt5 umt5 longt5 pix2struct_text_model pop2piano switch_transformers udop
"""
WINDOWS = """
    donut-swin maskformer-swin swin swin2sr swinv2
"""
"""A bias for each offset of rows and columns in a window, as a table or from a small network."""
SAM = """
    deepseek_ocr2_sam_vision_model got_ocr2_vision pp_chart2table_vision pp_formulanet_vision
    sam_hq_vision_model sam_vision_model slanext_vision unlimited_ocr_sam_vision_model
"""
"""SAM's image encoder: vectors for offsets of rows and of columns, beside a learned table."""
_BEIT: Switches = (
    ("use_relative_position_bias", True, "window_bias"),
    ("use_shared_relative_position_bias", True, "window_bias"),
    ("use_absolute_position_embeddings", True, "learned"),
)


TURNED_BEFORE = say(
    "Asked for rotary positions, this model turns the hidden vectors before they become queries "
    "and keys."
)

FAMILIES = {
    # Its files may ask for rotation, and name no base.
    "mpt": Family(
        encoding="alibi",
        defaults={"rope_theta": 10000.0},
        names={"max_position_embeddings": "max_seq_len"},
    ),
    "bloom": Family(encoding="alibi", names=called(hidden="n_embed", length="seq_length")),
    **families(T5, "t5", **_T5),
    "cpmant": Family(
        encoding="t5",
        names={
            "num_buckets": "position_bias_num_buckets",
            "max_distance": "position_bias_max_distance",
        },
        numbers=("num_buckets", "max_distance"),
    ),
    "wavlm": Family(
        encoding="t5",
        names={"max_distance": "max_bucket_distance"},
        numbers=("num_buckets", "max_distance"),
    ),
    "phi4_multimodal_audio": Family(
        encoding="t5",
        names=called(layers="num_blocks", max_distance="bias_max_distance"),
        numbers=("max_distance",),
    ),
    **families(
        "granite_speech_encoder granite_speech_plus_encoder",
        "shaw",
        names={"max_distance": "max_pos_emb"},
        numbers=("max_distance",),
    ),
    "granite_speech5_encoder": Family(
        encoding="shaw",
        names={"max_distance": "max_position_embeddings"},
        numbers=("max_distance",),
    ),
    "wav2vec2-bert": Family(
        encoding="nope",
        names={
            "max_distance": "left_max_position_embeddings",
            "max_distance_ahead": "right_max_position_embeddings",
        },
        numbers=("max_distance", "max_distance_ahead"),
        switches=(
            ("position_embeddings_type", "relative_key", "shaw"),
            ("position_embeddings_type", "relative", "transformer_xl"),
            ("position_embeddings_type", "rotary", "unknown"),
        ),
        reason=TURNED_BEFORE,
    ),
    "speecht5": Family(
        encoding="shaw",
        names={"max_distance": "encoder_max_relative_position"},
        numbers=("max_distance",),
    ),
    "vits": Family(
        encoding="shaw", names={"max_distance": "window_size"}, numbers=("max_distance",)
    ),
    # Biases by distance, in layers with a window up to its end.
    **families(
        "inkling_text inkling2_text",
        "shaw",
        names={"max_distance": "rel_extent"},
        aliases={"max_position_embeddings": ("model_max_length",)},
        numbers=("max_distance",),
    ),
    "xlnet": Family(
        encoding="transformer_xl",
        names={"head_dim": "d_head"},
    ),
    "funnel": Family(
        encoding="transformer_xl",
        names={"head_dim": "d_head"},
    ),
    "fastspeech2_conformer": Family(
        encoding="transformer_xl",
        names={"max_position_embeddings": "max_source_positions"},
    ),
    **families("parakeet_encoder nemotron_asr_streaming_encoder gemma4_audio", "transformer_xl"),
    "gemma3n_audio": Family(
        encoding="transformer_xl",
        names=called(heads="conf_num_attention_heads", layers="conf_num_hidden_layers"),
    ),
    "wav2vec2-conformer": Family(
        encoding="convolution",
        names={
            "max_position_embeddings": "max_source_positions",
        },
        switches=(
            ("position_embeddings_type", "relative", "transformer_xl"),
            ("position_embeddings_type", "rotary", "unknown"),
        ),
        reason=TURNED_BEFORE,
    ),
    **families(
        "deberta deberta-v2",
        "learned",
        names={"max_distance": "max_relative_positions", "num_buckets": "position_buckets"},
        numbers=("num_buckets",),
        switches=(("relative_attention", True, "disentangled"),),
    ),
    "sew-d": Family(
        encoding="convolution",
        names={"num_buckets": "position_buckets"},
        numbers=("num_buckets",),
        switches=(("relative_attention", True, "disentangled"),),
    ),
    **families(WINDOWS, "window_bias", numbers=("window_size",)),
    "dinat": Family(
        encoding="window_bias", names={"window_size": "kernel_size"}, numbers=("window_size",)
    ),
    "levit": Family(encoding="window_bias"),
    "clap_audio_model": Family(encoding="window_bias", numbers=("window_size",)),
    **families(SAM, "window_bias", grid=("image_size", "patch_size"), numbers=("window_size",)),
    **families("beit data2vec-vision", "nope", grid=("image_size", "patch_size"), switches=_BEIT),
}
