"""Every way to read further than a model was trained to.

The scalings of RoPE's frequencies are here, one class each:

>>> from posenc import RoPE
>>> from posenc.scaling import YaRN, from_rope_parameters
>>> by_hand = RoPE(128, base=1_000_000.0, layout="half", scaling=YaRN(4.0, 32_768))
>>> field = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
>>> by_file = from_rope_parameters(field)  # of a model's config.json
>>> by_hand.scaling == by_file
True

What changes distances instead (`ReRoPE`, `SelfExtend`, `DualChunk`) is in `posenc.study`.
"""

from posenc.rope.scaling import Scaling
from posenc.scaling.by_parts import NTKByParts
from posenc.scaling.config import from_rope_parameters
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.ntk import NTK
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN

__all__ = [
    "NTK",
    "DynamicNTK",
    "Linear",
    "Llama3",
    "LongRoPE",
    "NTKByParts",
    "Proportional",
    "Scaling",
    "YaRN",
    "from_rope_parameters",
]
