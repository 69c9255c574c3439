"""Layers that rotate, as plain data: width, base, layout, scaling and lengths."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from torch import Tensor

from posenc.rope.formula import rope_inv_freq
from posenc.rope.pairs import Layout
from posenc.rope.scaling import Scaling
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN

ROPE_TYPES: dict[type, str] = {
    type(None): "default",
    Linear: "linear",
    DynamicNTK: "dynamic",
    YaRN: "yarn",
    LongRoPE: "longrope",
    Llama3: "llama3",
    Proportional: "proportional",
}


@dataclass(frozen=True)
class RopeLayer:
    """Layers that turn queries and keys.

    Args:
        head_dim: Channels of a head that may be rotated.
        rotary_dim: How many of them are, from the first on.
        base: Base of the frequencies (rope_theta).
        layout: Which channels form a pair, "interleaved" or "half"; "unknown" where the family is.
        scaling: How the frequencies are stretched beyond the trained length.
        original_length: Trained length L₀, tokens; what the file says, or its max_length.
        max_length: Length the file declares (max_position_embeddings), tokens.
        nope_dim: Channels of a head beside those (DeepSeek's 128), never rotated.
        softmax_multiplier: Factor on the softmax scale, besides the attention factor.
        own_scale: Softmax scale of the model where it is not 1/sqrt(head_dim + nope_dim).
        mrope_section: Pairs for time, height and width, where the model has three axes.
        mrope_interleaved: Whether these take turns instead of following one another.
    """

    head_dim: int
    rotary_dim: int
    base: float
    layout: Layout | Literal["unknown"]
    scaling: Scaling | None
    original_length: int | None
    max_length: int | None
    nope_dim: int = 0
    softmax_multiplier: float = 1.0
    own_scale: float | None = None
    mrope_section: tuple[int, ...] | None = None
    mrope_interleaved: bool = False
    encoding: ClassVar[str] = "rope"

    def frequencies(self, length: int | None = None) -> tuple[Tensor, float]:
        """Frequencies and attention factor for a text of `length` tokens.

        Args:
            length: Tokens in the text being read; None is "not longer than in training".

        Returns:
            inv_freq, float64 (rotary_dim / 2,), radians per position; factor on cos and sin.
        """
        return rope_inv_freq(self.rotary_dim, self.base, self.scaling, length)

    @property
    def softmax_scale(self) -> float:
        """Factor on the scores before the softmax, the attention factor aside."""
        width = self.head_dim + self.nope_dim
        scale = 1 / math.sqrt(width) if self.own_scale is None else self.own_scale
        return scale * self.softmax_multiplier

    @property
    def pairing(self) -> Layout:
        """The layout to compute with; where it is unknown "half", whose angles are the same."""
        return "half" if self.layout == "unknown" else self.layout

    @property
    def rope_type(self) -> str:
        """The scaling's name in a config.json."""
        return ROPE_TYPES[type(self.scaling)]

    @property
    def trained_length(self) -> int | None:
        """L₀, tokens; None where the one length of a scaled file may be the extended one."""
        guessed = isinstance(self.scaling, Linear | DynamicNTK | Proportional)
        return None if guessed and self.original_length == self.max_length else self.original_length

    @property
    def target_length(self) -> int | None:
        """Tokens it can read: max_length, or YaRN's factor · original_length where that is more."""
        if isinstance(self.scaling, YaRN):
            reach = round(self.scaling.factor * self.scaling.original_length)
            return max(reach, self.max_length or 0)
        return self.max_length
