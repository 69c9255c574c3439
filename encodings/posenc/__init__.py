"""Positional encodings: where position enters attention."""

from posenc.attention import Trace as Trace
from posenc.attention import attend as attend
from posenc.attention import causal_mask as causal_mask
from posenc.attention import padding_mask as padding_mask
from posenc.base import PositionalEncoding as PositionalEncoding
from posenc.base import relative_position as relative_position
from posenc.cache import KVCache as KVCache
from posenc.quantities import Axis as Axis
from posenc.quantities import Computed as Computed
from posenc.quantities import Quantity as Quantity
from posenc.quantities import View as View
from posenc.quantities import view as view
