"""Image towers that turn by row and column.

Source: transformers 5.23, recomposition_frequencies of the towers' rotary classes for the order of
the pairs, and the position ids that they are given for what is a row and what a column.
"""

from typing import Any

from advisor.families.family import Axes, Family, called, families
from posenc.rope.pairs import Layout
from posenc.words import say

COLUMN_FIRST = ("column", "row")
TOWERS = """
    cohere_compass_vision dots3_note_vision_encoder ernie4_5_vl_moe_vision exaone4_5_vision
    glm4v_vision glm4v_moe_vision glm5_next_vision glm_ocr_vision mlcd mlcd_vision_model
    muse_glimmer_vision muse_spark_vision paddleocr_vl_vision qwen2_5_omni_vision_encoder
    qwen2_5_vl_vision qwen3_5_vision qwen3_5_moe_vision qwen3_omni_moe_vision_encoder
    qwen3_vl_vision qwen3_vl_moe_vision qwen4_exp_vision video_llama_3_vision
"""
"""Qwen2-VL's way, which most have."""
_HEADS = called(heads="num_heads", layers="depth")
_GRID = ("image_size", "patch_size")


def _axial(axes: Axes, layout: Layout = "half", base: float = 10000.0, **more: Any) -> Family:
    """A tower whose class fills in this base."""
    defaults = {"rope_theta": base}
    return Family(layout, encoding="axial", axes=axes, defaults=defaults, names_base=False, **more)


_DINO = _axial(Axes(relative=True), base=100.0, grid=_GRID)
_MEMORY = _axial(
    Axes(COLUMN_FIRST),
    "interleaved",
    names=called(
        hidden="memory_attention_hidden_size",
        heads="memory_attention_num_attention_heads",
        layers="memory_attention_num_layers",
        head_reduction="memory_attention_downsample_rate",
    ),
)

FAMILIES = {
    **dict.fromkeys(TOWERS.split(), _axial(Axes(), grid=_GRID, names=_HEADS)),
    "qwen2_vl_vision": _axial(Axes(), names=_HEADS | called(hidden="embed_dim")),
    "lfm3_vl_vision": _axial(Axes(), base=1e6),
    "pixtral": _axial(Axes(one_series=True), grid=_GRID),
    "step3p5_vision": _axial(Axes(COLUMN_FIRST), grid=_GRID),
    "kimi_k25_vision": _axial(Axes(COLUMN_FIRST, take_turns=True)),
    "gemma4_vision": _axial(Axes(COLUMN_FIRST, own_halves=True), base=100.0),
    "inkling2_vision": _axial(Axes(COLUMN_FIRST), "interleaved"),
    "llama4_vision_model": _axial(Axes(COLUMN_FIRST), "interleaved", grid=_GRID),
    "minimax_m3_vl_vision": _axial(Axes(("time", "row", "column")), grid=_GRID),
    "sam3_vit_model": _axial(Axes(COLUMN_FIRST), "interleaved", grid=_GRID),
    **dict.fromkeys(("dinov3_vit", "eomt_dinov3", "sapiens2"), _DINO),
    "chmv2": Family(encoding="axial", axes=Axes(), part="backbone_config"),
    **dict.fromkeys(("sam2_video", "sam3_tracker_video", "edgetam_video"), _MEMORY),
    # All heads are turned at once.
    "efficientloftr": _axial(
        Axes(take_turns=True), "interleaved", names={"head_dim": "hidden_size"}
    ),
    **families("sam3_vision_model", "axial", axes=Axes(COLUMN_FIRST), part="backbone_config"),
    **families("sam3_tracker", "axial", axes=Axes(COLUMN_FIRST), part="vision_config"),
    "vjepa2": Family(
        encoding="unknown",
        reason=say(
            "V-JEPA 2 gives the two channels of a pair different angles, so that they do not turn "
            "as a pair."
        ),
    ),
    "lightglue": Family(
        encoding="unknown",
        reason=say("The frequencies are learned, and stand in the checkpoint."),
    ),
    "sam3_video": Family(encoding="learned", part="detector_config"),
}
