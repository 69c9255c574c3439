"""Positional encodings: where position enters attention."""

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
from posenc.cache.window import WindowCache
from posenc.cope.formula import CoPE, cope_gates, cope_positions
from posenc.cope.interpolation import cope_interpolation, cope_logits
from posenc.fire.formula import FIRE
from posenc.fox import fox_bias, fox_log_gates
from posenc.heads import HeadSlice
from posenc.kerple.formula import Kerple, kerple_bias
from posenc.learned.formula import Learned
from posenc.learned.longer import interpolate_grid, interpolate_table
from posenc.places import NoPE, PositionalEncoding, relative_position
from posenc.published import load_published
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
from posenc.rope.formula import RoPE, apply_rope, rope_cos_sin, rope_inv_freq, rope_wavelengths
from posenc.rope.layouts import convert_projection, layout_permutation
from posenc.rope.matrix import rope_freqs_cis, rope_rotation_matrix
from posenc.rope.scaling import Scaling
from posenc.sandwich.formula import Sandwich, sandwich_bias
from posenc.scaling.by_parts import NTKByParts
from posenc.scaling.coverage import angle_coverage, arc_is_new
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.ntk import NTK
from posenc.scaling.proportional import Proportional
from posenc.scaling.remap.dual_chunk import DualChunk
from posenc.scaling.remap.rerope import LeakyReRoPE, ReRoPE
from posenc.scaling.remap.self_extend import SelfExtend
from posenc.scaling.yarn import YaRN
from posenc.shaw.formula import Shaw, relative_position_ids
from posenc.sinusoidal.formula import Sinusoidal, sinusoidal_at, sinusoidal_table
from posenc.sinusoidal.grid import sincos_grid
from posenc.sinusoidal.shift import sinusoidal_shift
from posenc.stick_breaking import stick_breaking_weights
from posenc.t5.formula import T5Bias, t5_bias, t5_bucket
from posenc.temperature.formula import llama4_temperature, log_n_scale
from posenc.together import Together
from posenc.transformer_xl.formula import TransformerXL
from posenc.waves import rope_angles
from posenc.xpos.formula import XPos
from posenc.xpos.score import xpos_score_at_distance

__version__ = "0.1.0"

__all__ = [
    "FIRE",
    "NTK",
    "ALiBi",
    "CoPE",
    "DualChunk",
    "DynamicNTK",
    "HeadSlice",
    "KVCache",
    "Kerple",
    "LeakyReRoPE",
    "Learned",
    "Linear",
    "Llama3",
    "LongRoPE",
    "NTKByParts",
    "NoPE",
    "PositionalEncoding",
    "Proportional",
    "ReRoPE",
    "RoPE",
    "Sandwich",
    "Scaling",
    "SelfExtend",
    "Shaw",
    "Sinusoidal",
    "T5Bias",
    "Together",
    "Trace",
    "TransformerXL",
    "WindowCache",
    "XPos",
    "YaRN",
    "alibi_bias",
    "alibi_slopes",
    "angle_coverage",
    "apply_angles",
    "apply_rope",
    "arc_is_new",
    "attend",
    "attend_jagged",
    "axial_angles",
    "axis_angles",
    "causal_mask",
    "convert_projection",
    "cope_gates",
    "cope_interpolation",
    "cope_logits",
    "cope_positions",
    "document_mask",
    "document_mask_mod",
    "fox_bias",
    "fox_log_gates",
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
    "rope_freqs_cis",
    "rope_inv_freq",
    "rope_rotation_matrix",
    "rope_wavelengths",
    "rotate_pairs",
    "sandwich_bias",
    "sincos_grid",
    "sinusoidal_at",
    "sinusoidal_shift",
    "sinusoidal_table",
    "split_video",
    "stick_breaking_weights",
    "t5_bias",
    "t5_bucket",
    "xpos_score_at_distance",
]
