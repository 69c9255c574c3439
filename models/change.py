"""Changes to positions before a text is read: the question "what if"."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from advisor.comparing.layer import RopeLayer
from advisor.layers import Layer, OtherLayer
from posenc import ALiBi, PositionalEncoding, RoPE
from posenc.checks import check_choice, check_int, check_number
from posenc.rope.scaling import Scaling
from posenc.scaling.methods import METHODS, Case, Need, fitting

GIVEN: tuple[Need, ...] = ("trained", "alpha", "inv_freq", "length")
"""Arguments that a model can give a method besides its factor."""
ORDERS = ("own", "equal", "reversed")
LARGEST_OFFSET = 10**8


def methods() -> tuple[str, ...]:
    """Ids of the methods that a rotary model can be read by, "none" first."""
    return tuple(fitting(*GIVEN))


@dataclass(frozen=True)
class Change:
    """A change to positions; without arguments there is none.

    Args:
        method: Id of one of `methods()`; "" reads the model as its config says.
        factor: Of the method, 1 to 1024.
        base: Another base of the rotation, above 1; None is the model's own.
        other_layout: Pair the channels as in the layout that the weights were not trained with.
        order: "own" positions 0, 1, 2, …; all "equal"; or "reversed".
        offset: Added to every position, 0 to 10⁸.
        rounded: Round positions to bfloat16, which holds no odd number above 256.
        unrotated: Layers that do not rotate, from 0.
        cached: Keys of this many first tokens come from a cache, rotated under `cached_base`.
        cached_base: The base under which cached keys were rotated; None is the model's own.

    Raises:
        ValueError: If an argument is out of range.
    """

    method: str = ""
    factor: float = 1.0
    base: float | None = None
    other_layout: bool = False
    order: Literal["own", "equal", "reversed"] = "own"
    offset: int = 0
    rounded: bool = False
    unrotated: tuple[int, ...] = ()
    cached: int = 0
    cached_base: float | None = None

    def __post_init__(self) -> None:
        """Check the arguments."""
        if self.method:
            check_choice("method", self.method, methods())
        check_number("factor", self.factor, 1, maximum=1024)
        for name, base in (("base", self.base), ("cached_base", self.cached_base)):
            if base is not None:
                check_number(name, base, above=1)
        check_choice("order", self.order, ORDERS)
        check_int("offset", self.offset, 0, maximum=LARGEST_OFFSET)
        check_int("cached", self.cached, 0)

    def positions(self, length: int) -> Tensor:
        """Positions of a text under this change, int64 (length,)."""
        at = torch.arange(length)
        if self.order == "equal":
            at = torch.zeros_like(at)
        elif self.order == "reversed":
            at = at.flip(0)
        at = at + self.offset
        return at.to(torch.bfloat16).long() if self.rounded else at

    def encoding(self, layer: Layer, index: int, heads: int) -> PositionalEncoding:
        """Positional encoding of one of a model's layers under this change.

        Args:
            layer: What it does as its config says.
            index: Which layer it is, from 0.
            heads: Its query heads.

        Raises:
            ValueError: If the layer does what posenc's attention does not, in a sentence.
        """
        if isinstance(layer, OtherLayer):
            return _other(layer, heads)
        if layer.nope_dim or layer.softmax_multiplier != 1 or layer.mrope_section:
            raise ValueError(
                f"Layer {index} of this model splits its heads or has several axes of positions, "
                "which cannot be followed here."
            )
        if index in self.unrotated:
            return PositionalEncoding()
        rope = self._rope(layer, self.base)
        if not self.cached:
            return rope
        return StaleKeys(rope, self._rope(layer, self.cached_base), self.cached)

    def _rope(self, layer: RopeLayer, base: float | None) -> RoPE:
        layout = layer.pairing
        if self.other_layout:
            layout = "half" if layout == "interleaved" else "interleaved"
        return RoPE(
            layer.head_dim,
            base or layer.base,
            layout=layout,
            scaling=self._scaling(layer),
            rotary_dim=layer.rotary_dim,
        )

    def _scaling(self, layer: RopeLayer) -> Scaling | None:
        if not self.method:
            return layer.scaling
        inv_freq = RoPE(layer.head_dim, layer.base, rotary_dim=layer.rotary_dim).inv_freq
        trained = layer.original_length or layer.max_length or 0
        case = Case(self.factor, trained, max(1.0, self.factor), inv_freq, declared=layer.scaling)
        return METHODS[self.method].scaling(case)


class StaleKeys(PositionalEncoding):
    """Rotation where the first keys come from a cache that was rotated differently.

    Args:
        rope: What queries and new keys are rotated by.
        stale: What the cached keys were rotated by.
        count: Cached keys, the first ones of the text.
    """

    def __init__(self, rope: RoPE, stale: RoPE, count: int) -> None:
        super().__init__()
        self.rope = rope
        self.stale = stale
        self.count = count

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return R_m q and, for the first keys, another R_n k."""
        q, new = self.rope.rotate(q, k, q_positions, k_positions)
        _, old = self.stale.rotate(k[..., :1, :], k, k_positions[..., :1], k_positions)
        return q, torch.cat((old[..., : self.count, :], new[..., self.count :, :]), dim=-2)


def _other(layer: OtherLayer, heads: int) -> PositionalEncoding:
    if layer.encoding == "alibi":
        if layer.parameters.get("alibi_bias_max", 8.0) != 8:
            raise ValueError(
                f"alibi_bias_max of this model is {layer.parameters['alibi_bias_max']:g}; "
                "transformers reads every model with 8, so what it computes is not what the file "
                "asks for."
            )
        return ALiBi(heads)
    if layer.encoding == "t5" or layer.parameters:
        raise ValueError(f"Layers with the encoding {layer.encoding} cannot be followed here.")
    return PositionalEncoding()
