"""Formulas to look at: matrices, scores, coverage, and methods that no attention here can run.

`ReRoPE`, `LeakyReRoPE`, `SelfExtend` and `DualChunk` say which distance a query and a key see; no
table of cosines expresses that, and released code merges several attentions. `WindowCache` decodes
token by token with every stage kept; in a model use `KVCache(window=…, sink_tokens=…)`.
"""

from posenc.cache.window import WindowCache
from posenc.cope.interpolation import cope_interpolation
from posenc.rope.formula import rope_wavelengths
from posenc.rope.matrix import rope_freqs_cis, rope_rotation_matrix
from posenc.scaling.coverage import angle_coverage, arc_is_new
from posenc.scaling.remap.dual_chunk import DualChunk
from posenc.scaling.remap.rerope import LeakyReRoPE, ReRoPE
from posenc.scaling.remap.self_extend import SelfExtend
from posenc.sinusoidal.shift import sinusoidal_shift
from posenc.xpos.score import xpos_score_at_distance

__all__ = [
    "DualChunk",
    "LeakyReRoPE",
    "ReRoPE",
    "SelfExtend",
    "WindowCache",
    "angle_coverage",
    "arc_is_new",
    "cope_interpolation",
    "rope_freqs_cis",
    "rope_rotation_matrix",
    "rope_wavelengths",
    "sinusoidal_shift",
    "xpos_score_at_distance",
]
