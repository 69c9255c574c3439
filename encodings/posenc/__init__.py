"""Positional encodings: where position enters attention.

What goes into a model is here; the scalings of RoPE are in `posenc.scaling`, formulas to look at
in `posenc.study`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

from posenc import scaling as scaling
from posenc.alibi.formula import ALiBi, alibi_bias, alibi_slopes
from posenc.attention.formula import attend
from posenc.attention.jagged import attend_jagged
from posenc.attention.masks import (
    causal_mask,
    document_mask,
    document_mask_mod,
    padding_mask,
    positions_from_documents,
    positions_from_mask,
)
from posenc.attention.trace import Trace
from posenc.cache.kv import KVCache
from posenc.cope.formula import CoPE, cope_gates, cope_positions
from posenc.cope.interpolation import cope_logits
from posenc.fire.formula import FIRE
from posenc.fox import fox_bias, fox_log_gates
from posenc.gated_delta.formula import gated_delta_influence, gated_delta_rule
from posenc.heads import HeadSlice
from posenc.kerple.formula import Kerple, kerple_bias
from posenc.learned.formula import Learned
from posenc.learned.longer import interpolate_grid, interpolate_table
from posenc.places import NoPE, PositionalEncoding, relative_position
from posenc.published import load_published
from posenc.quantity.distance import DistanceBias
from posenc.rope.axes import (
    apply_angles,
    axial_angles,
    axis_angles,
    grid_angles,
    mrope_axis_of_pair,
    mrope_positions,
    pixel_inv_freq,
    split_video,
)
from posenc.rope.fast import rotate_pairs
from posenc.rope.formula import RoPE, apply_rope, rope_cos_sin, rope_inv_freq
from posenc.rope.layouts import convert_projection, layout_permutation
from posenc.rope.several import AxialRoPE, MRoPE
from posenc.sandwich.formula import Sandwich, sandwich_bias
from posenc.shaw.formula import Shaw, relative_position_ids
from posenc.sinusoidal.formula import Sinusoidal, sinusoidal_at, sinusoidal_table
from posenc.sinusoidal.grid import sincos_grid
from posenc.stick_breaking import stick_breaking_weights
from posenc.t5.formula import T5Bias, t5_bias, t5_bucket
from posenc.temperature.formula import llama4_temperature, log_n_scale
from posenc.together import Together
from posenc.transformer_xl.formula import TransformerXL
from posenc.waves import rope_angles
from posenc.xpos.formula import XPos

__version__ = "0.1.0"

__all__ = [
    "FIRE",
    "ALiBi",
    "AxialRoPE",
    "CoPE",
    "DistanceBias",
    "HeadSlice",
    "KVCache",
    "Kerple",
    "Learned",
    "MRoPE",
    "NoPE",
    "PositionalEncoding",
    "RoPE",
    "Sandwich",
    "Shaw",
    "Sinusoidal",
    "T5Bias",
    "Together",
    "Trace",
    "TransformerXL",
    "XPos",
    "alibi_bias",
    "alibi_slopes",
    "apply_angles",
    "apply_rope",
    "attend",
    "attend_jagged",
    "axial_angles",
    "axis_angles",
    "causal_mask",
    "convert_projection",
    "cope_gates",
    "cope_logits",
    "cope_positions",
    "document_mask",
    "document_mask_mod",
    "fox_bias",
    "fox_log_gates",
    "gated_delta_influence",
    "gated_delta_rule",
    "grid_angles",
    "interpolate_grid",
    "interpolate_table",
    "kerple_bias",
    "layout_permutation",
    "llama4_temperature",
    "load_published",
    "log_n_scale",
    "mrope_axis_of_pair",
    "mrope_positions",
    "padding_mask",
    "pixel_inv_freq",
    "positions_from_documents",
    "positions_from_mask",
    "relative_position",
    "relative_position_ids",
    "rope_angles",
    "rope_cos_sin",
    "rope_inv_freq",
    "rotate_pairs",
    "sandwich_bias",
    "sincos_grid",
    "sinusoidal_at",
    "sinusoidal_table",
    "split_video",
    "stick_breaking_weights",
    "t5_bias",
    "t5_bucket",
]

MOVED = {
    **dict.fromkeys(
        (
            *("NTK", "DynamicNTK", "Linear", "Llama3", "LongRoPE", "NTKByParts", "Proportional"),
            *("Scaling", "YaRN"),
        ),
        "posenc.scaling",
    ),
    **dict.fromkeys(
        (
            *("DualChunk", "LeakyReRoPE", "ReRoPE", "SelfExtend", "WindowCache"),
            *("angle_coverage", "arc_is_new", "cope_interpolation", "rope_freqs_cis"),
            *("rope_rotation_matrix", "rope_wavelengths", "sinusoidal_shift"),
            "xpos_score_at_distance",
        ),
        "posenc.study",
    ),
}
"""Modules of names that were here once; they are found here, with a warning, until 0.3."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Return a name that has moved, and say where it is."""
        if name not in MOVED:
            raise AttributeError(f"module 'posenc' has no attribute {name!r}")
        warn(f"posenc.{name} is now {MOVED[name]}.{name}", DeprecationWarning, stacklevel=2)
        return getattr(import_module(MOVED[name]), name)
